"""Inventories as agents see them."""

from __future__ import annotations

import copy
import pickle

import pytest

from fle_ray.game.values import Inventory, Prototype, Resource, ResourceName


def test_an_inventory_prints_its_counts():
    inventory = Inventory(coal=3, **{"iron-plate": 2})
    assert repr(inventory) == "Inventory(coal=3, iron-plate=2)"
    assert str(inventory) == "coal=3 iron-plate=2"
    assert repr(Inventory()) == str(Inventory()) == "Inventory()"


@pytest.mark.parametrize("key", ["coal", Prototype.Coal, Resource.Coal, ResourceName.Coal, ("coal", 1)])
def test_every_kind_of_key_counts_the_same_item(key):
    inventory = Inventory(coal=3)
    assert inventory[key] == 3
    assert inventory.get(key) == 3
    assert key in inventory
    inventory[key] = 7
    assert inventory.model_dump() == {"coal": 7}


@pytest.mark.parametrize("key", ["stone", Prototype.Stone, Resource.Stone, None, 5, (), ["coal"]])
def test_what_is_not_there_counts_nothing(key):
    inventory = Inventory(coal=3)
    assert inventory[key] == 0
    assert inventory.get(key, 9) == 9
    assert key not in inventory


def test_get_gives_the_default_for_a_count_of_zero_too():
    assert Inventory(coal=0).get("coal", 4) == 4
    assert "coal" not in Inventory(coal=0)


def test_an_inventory_behaves_like_its_pairs():
    inventory = Inventory({Prototype.Coal: 3, "stone": 1})
    assert list(inventory) == list(inventory.items()) == [("coal", 3), ("stone", 1)]
    assert list(inventory.keys()) == ["coal", "stone"]
    assert list(inventory.values()) == [3, 1]
    assert len(inventory) == 2
    assert "coal" in inventory.keys()
    assert inventory and not Inventory()
    assert inventory.coal == 3
    inventory.coal = 4
    assert inventory["coal"] == 4
    with pytest.raises(AttributeError, match="no attribute 'wood'"):
        _ = inventory.wood


def test_adding_sums_counts_into_a_new_inventory():
    a, b = Inventory(coal=3), Inventory(coal=1, stone=2)
    assert a + b == Inventory(coal=4, stone=2)
    assert a == Inventory(coal=3)
    with pytest.raises(TypeError):
        a + 1


def test_a_count_must_be_a_number_and_a_key_an_item():
    with pytest.raises(ValueError, match=r"Inventory\['coal'\]: expected a number, got 'many'"):
        Inventory(coal="many")
    with pytest.raises(ValueError, match="expected the name of an item"):
        Inventory()[5] = 1


def test_copies_are_apart_and_equal():
    inventory = Inventory(coal=3)
    for other in (
        inventory.copy(),
        inventory.model_copy(),
        copy.copy(inventory),
        copy.deepcopy(inventory),
        pickle.loads(pickle.dumps(inventory)),
    ):
        assert other == inventory
        other["coal"] = 9
        assert inventory["coal"] == 3
    assert inventory.copy(update={Prototype.Stone: 1}) == {"coal": 3, "stone": 1}
    with pytest.raises(TypeError, match="unhashable"):
        hash(inventory)


def test_an_item_called_like_a_method_hides_nothing():
    inventory = Inventory(**{"items": 2, "get": 1})
    assert dict(inventory.items()) == {"items": 2, "get": 1}
    assert inventory.get("get") == 1
