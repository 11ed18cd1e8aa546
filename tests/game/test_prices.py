"""Prices against FLE's published samples and arithmetic by hand."""

from __future__ import annotations

from math import log, sqrt

import pytest

from fle_ray.game.prices import prices
from fle_ray.game.prototypes import load as load_data


@pytest.fixture(scope="module")
def price():
    return prices(load_data())


@pytest.mark.parametrize(
    ("name", "value"), [("iron-plate", 5.63), ("iron-gear-wheel", 12.6), ("electronic-circuit", 34.2)]
)
def test_samples_of_a_real_server(price, name, value):
    assert price[name] == pytest.approx(value, abs=0.05)


def test_seeds_are_taken_as_they_are(price):
    seeds = {
        "iron-ore": 3.1,
        "copper-ore": 3.6,
        "coal": 3,
        "stone": 2.4,
        "uranium-ore": 8.2,
        "wood": 3.2,
        "raw-fish": 100,
        "crude-oil": 0.2,
        "water": 0.001,
        "steam": 0.001,
        "energy": 1,
    }
    assert {name: price[name] for name in seeds} == seeds


def test_one_ingredient_one_product(price):
    assert price["iron-plate"] == pytest.approx(3.1 + log(4.2) * sqrt(3.1))
    assert price["copper-plate"] == pytest.approx(3.6 + log(4.2) * sqrt(3.6))
    steel = 5 * price["iron-plate"]
    assert price["steel-plate"] == pytest.approx(steel + log(17) * sqrt(steel))


def test_several_of_one_product_share_cost_and_time(price):
    half = price["copper-plate"] / 2
    assert price["copper-cable"] == pytest.approx(half + log(1.25) * sqrt(half))


def test_each_further_ingredient_doubles_the_cost(price):
    cost = price["iron-plate"] + 3 * price["copper-cable"]
    assert price["electronic-circuit"] == pytest.approx(2 * cost + log(1.5) * sqrt(cost))
    # Three ingredients: engine unit, 10 s, of a steel plate, a gear wheel and two pipes.
    cost = price["steel-plate"] + price["iron-gear-wheel"] + 2 * price["pipe"]
    assert price["engine-unit"] == pytest.approx(4 * cost + log(11) * sqrt(cost))


def test_products_side_by_side_share_evenly_and_the_cheapest_recipe_counts(price):
    # Advanced oil processing, 5 s: (50 water + 100 crude) / 3 products / 55 petroleum gas.
    cost = (50 * 0.001 + 100 * 0.2) / (3 * 55)
    advanced = 2 * cost + log(5 / (3 * 55) + 1) * sqrt(cost)
    # Basic oil processing, 5 s: 100 crude / 45 petroleum gas.
    basic = 20 / 45 + log(5 / 45 + 1) * sqrt(20 / 45)
    assert advanced < basic
    assert price["petroleum-gas"] == pytest.approx(advanced)


def test_an_uncertain_product_costs_by_its_expected_amount(price):
    # Uranium processing, 12 s: 10 ore give one of two products, this one with probability 0.007.
    cost = 10 * 8.2 / (2 * 0.007)
    assert price["uranium-235"] == pytest.approx(cost + log(12 / (2 * 0.007) + 1) * sqrt(cost))


def test_what_a_rocket_brings_costs_its_parts_and_the_payload(price):
    cost = (100 * price["rocket-part"] + price["satellite"]) / 1_000
    assert price["space-science-pack"] == pytest.approx(2 * cost + log(3 / 1_000 + 1) * sqrt(cost))


def test_what_no_recipe_makes_is_priced_backwards_from_its_products(price):
    # Recipes with barrels are not decomposed. Emptying one, 0.2 s, gives a barrel and 50 of the fluid.
    # With one ingredient the value is divided by 2 ** -1.
    value = price["barrel"] + 50 * price["water"]
    assert price["water-barrel"] == pytest.approx(2 * (value - log(1.2) * sqrt(value)))
    # Reprocessing, 60 s: 5 spent cells give 3 uranium-238.
    value = 3 * price["uranium-238"]
    spent = 2 * (value - log(61) * sqrt(value)) / 5
    assert price["depleted-uranium-fuel-cell"] == pytest.approx(spent)


def test_everything_has_a_positive_price(price):
    data = load_data()
    assert all(price[name] > 0 for name in (*data.items, *data.fluids))


def test_the_list_is_computed_once_and_cannot_be_changed(price):
    assert prices(load_data()) is price
    with pytest.raises(TypeError):
        price["iron-plate"] = 0
