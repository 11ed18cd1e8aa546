"""The game's blueprint strings: every version's form is read, nothing in them is trusted."""

from __future__ import annotations

import base64
import json
import zlib

import pytest

from fle_ray.errors import BlueprintError
from fle_ray.game import blueprint as codec
from fle_ray.game.blueprint import Blueprint, BlueprintEntity, decode, encode, titles

V2 = 2 << 48 | 73 << 16
V1 = 1 << 48 | 1 << 32 | 110 << 16


def packed(root) -> str:
    return "0" + base64.b64encode(zlib.compress(json.dumps(root).encode())).decode()


def one(*entities: dict, version: int = V2, **more) -> str:
    numbered = [{"entity_number": k, "position": {"x": 0.5, "y": 0.5}, **e} for k, e in enumerate(entities, 1)]
    return packed({"blueprint": {"item": "blueprint", "version": version, "entities": numbered, **more}})


def only(text: str) -> BlueprintEntity:
    (entity,) = decode(text).entities
    return entity


# -- what is read -------------------------------------------------------------------------------------------------


def test_a_string_as_the_wiki_shows_it_is_read():
    # Factorio wiki, Blueprint string format: version byte 0, base64, zlib, JSON
    text = one({"name": "transport-belt", "direction": 4}, label="two belts")
    blueprint = decode(text)
    assert blueprint.label == "two belts"
    assert blueprint.version == (2, 0, 73, 0)
    assert only(text) == BlueprintEntity(1, "transport-belt", 0.5, 0.5, 4)


def test_directions_are_sixteen_since_2_0_and_eight_before():
    assert only(one({"name": "inserter", "direction": 12})).direction == 12
    assert only(one({"name": "inserter", "direction": 6}, version=V1)).direction == 12
    with pytest.raises(BlueprintError, match=r"direction.*0 to 7"):
        decode(one({"name": "inserter", "direction": 12}, version=V1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("filter-inserter", "fast-inserter"),
        ("stack-inserter", "bulk-inserter"),
        ("stack-filter-inserter", "bulk-inserter"),
        ("logistic-chest-requester", "requester-chest"),
    ],
)
def test_entities_renamed_in_2_0_get_their_new_names(old, new):
    assert only(one({"name": old}, version=V1)).name == new
    assert only(one({"name": old})).name == old


def test_recipes_and_modules_renamed_in_2_0_get_their_new_names():
    entity = only(
        one(
            {"name": "assembling-machine-3", "recipe": "fill-water-barrel", "items": {"effectivity-module-2": 2}},
            version=V1,
        )
    )
    assert entity.recipe == "water-barrel"
    assert entity.modules == ("efficiency-module-2",) * 2


def test_modules_by_slot_come_in_slot_order_and_other_items_are_requests():
    items = [
        {
            "id": {"name": "speed-module"},
            "items": {"in_inventory": [{"inventory": 4, "stack": 2}, {"inventory": 4, "stack": 0}]},
        },
        {"id": {"name": "productivity-module-3"}, "items": {"in_inventory": [{"inventory": 4, "stack": 1}]}},
        {"id": {"name": "coal"}, "items": {"in_inventory": [{"inventory": 1, "stack": 0, "count": 5}]}},
    ]
    entity = only(one({"name": "assembling-machine-3", "items": items}))
    assert entity.modules == ("speed-module", "productivity-module-3", "speed-module")
    assert entity.requests == {"coal": 5}


@pytest.mark.parametrize(
    "items", [{"speed-module-3": 2, "coal": 7}, [{"item": "speed-module-3", "count": 2}, {"item": "coal", "count": 7}]]
)
def test_modules_by_name_and_count_are_read(items):
    entity = only(one({"name": "electric-furnace", "items": items}, version=V1))
    assert entity.modules == ("speed-module-3", "speed-module-3")
    assert entity.requests == {"coal": 7}


def test_filters_count_only_when_they_are_switched_on():
    filters = [{"index": 2, "name": "coal"}, {"index": 1, "name": "stone", "quality": "normal", "comparator": "="}]
    assert only(one({"name": "inserter", "use_filters": True, "filters": filters})).filters == ("stone", "coal")
    off = decode(one({"name": "inserter", "filters": filters}))
    assert off.entities[0].filters == ()
    assert off.ignored == {"filters switched off": 1}
    assert only(one({"name": "filter-inserter", "filters": filters}, version=V1)).filters == ("stone", "coal")


@pytest.mark.parametrize(("version", "given"), [(V1, "iron-plate"), (V2, {"name": "iron-plate", "quality": "normal"})])
def test_splitter_settings_are_read(version, given):
    entity = only(
        one(
            {"name": "splitter", "filter": given, "output_priority": "left", "input_priority": "right"}, version=version
        )
    )
    assert (entity.filter, entity.output_priority, entity.input_priority) == ("iron-plate", "left", "right")


def test_pole_wires_are_read_and_circuit_wires_counted():
    poles = [{"name": "small-electric-pole"}] * 3
    blueprint = decode(one(*poles, wires=[[1, 5, 2, 5], [2, 5, 1, 5], [1, 1, 3, 1]]))
    assert blueprint.wires == ((1, 2),)
    assert blueprint.ignored == {"circuit wires": 1}
    old = decode(
        one(
            {"name": "small-electric-pole", "neighbours": [2]},
            {"name": "small-electric-pole", "neighbours": [1]},
            version=V1,
        )
    )
    assert old.wires == ((1, 2),)
    assert decode(one({"name": "small-electric-pole"}, version=V1)).wires is None


def test_what_has_no_place_in_a_record_is_counted_by_name():
    blueprint = decode(
        one(
            {"name": "inserter", "control_behavior": {"circuit_enabled": True}},
            {"name": "iron-chest", "bar": 4, "quality": "rare"},
            schedules=[{"locomotives": [1]}],
            tiles=[{"name": "concrete", "position": {"x": 0, "y": 0}}] * 3,
            icons=[{"index": 1}],
            description="",
        )
    )
    assert blueprint.tiles == {"concrete": 3}
    assert blueprint.ignored == {"circuit settings": 1, "bar": 1, "quality": 1, "schedules": 1}


def test_a_book_needs_an_index_and_opens_books_inside():
    def page(label):
        return {"blueprint": {"label": label, "version": V2, "entities": []}}

    book = packed(
        {
            "blueprint_book": {
                "blueprints": [
                    page("a"),
                    {"blueprint_book": {"blueprints": [page("b"), {"index": 3, "upgrade_planner": {}}]}},
                    page("c"),
                ]
            }
        }
    )
    assert titles(book) == ("a", "b", "c")
    assert decode(book, 1).label == "b"
    with pytest.raises(BlueprintError, match="book of 3"):
        decode(book)
    with pytest.raises(BlueprintError, match="index 3 is none"):
        decode(book, 3)
    with pytest.raises(BlueprintError, match="one blueprint"):
        decode(one(), 1)


def test_what_is_written_is_read_back():
    entities = (
        BlueprintEntity(
            1, "assembling-machine-3", 1.5, 1.5, 4, recipe="pipe", modules=("speed-module", "speed-module-3")
        ),
        BlueprintEntity(2, "lab", 5.5, 1.5, modules=("speed-module",)),
        BlueprintEntity(3, "inserter", 8.5, 0.5, 8, filters=("coal", "stone"), filter_mode="blacklist"),
        BlueprintEntity(4, "splitter", 10.0, 0.5, 0, input_priority="left", output_priority="right", filter="coal"),
        BlueprintEntity(5, "underground-belt", 12.5, 0.5, 12, kind="output"),
        BlueprintEntity(6, "rocket-silo", 20.5, 4.5, auto_launch=True),
    )
    written = Blueprint(entities, label="größer", wires=((1, 2),))
    text = encode(written, {"assembling-machine-3": "assembling-machine", "lab": "lab"})
    assert decode(text) == written


def test_line_breaks_and_spaces_in_a_pasted_string_do_not_matter():
    text = one({"name": "pipe"})
    assert decode(f"  {text[:20]}\n{text[20:]}\n") == decode(text)


# -- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("1" + one()[1:], "begins with '1'"),
        ("0not base64!", "damaged"),
        ("0" + base64.b64encode(b"nothing packed").decode(), "damaged"),
        (one({"name": "pipe"})[:-8], "damaged|cut short"),
        ("0" + base64.b64encode(zlib.compress(b"[1, 2")).decode(), "no valid JSON"),
        ("0" + base64.b64encode(zlib.compress(b"[" * 100_000)).decode(), "no valid JSON"),
        ("0" + base64.b64encode(zlib.compress(b"\xff\xfe")).decode(), "no valid JSON"),
        ("0" + base64.b64encode(zlib.compress(b'{"blueprint": NaN}')).decode(), "no number"),
        (packed([1]), "holds no blueprint"),
        (packed({"upgrade_planner": {}}), "upgrade_planner"),
        (packed({"blueprint": 3}), "should be an object"),
        (packed({"blueprint": {"entities": 3}}), "entities should be a list"),
        (packed({"blueprint": {"entities": [3]}}), "entity 1 should be an object"),
        (packed({"blueprint": {"version": "new"}}), "version should be a whole number"),
        (packed({"blueprint": {"version": 2**70}}), "version should be from 0"),
        (one({"name": 7}), "name of entity 1"),
        (one({"name": "x" * 300}), "1 to 200"),
        (one({"name": "pipe", "position": {"x": "left", "y": 0}}), "x of pipe"),
        (one({"name": "pipe", "position": {"x": 1e300, "y": 0}}), "within 100000"),
        (one({"name": "pipe", "position": {"x": True, "y": 0}}), "x of pipe"),
        (one({"name": "pipe", "direction": 16}), "from 0 to 15"),
        (one({"name": "pipe", "direction": 1.5}), "whole number"),
        (one({"name": "pipe", "entity_number": -1}), "number of pipe"),
        (one({"name": "pipe", "entity_number": 2}, {"name": "pipe"}), "have the number 2"),
        (one({"name": "inserter", "use_filters": True, "filters": [5]}), "filter of inserter"),
        (one({"name": "inserter", "filter_mode": "greylist"}), "greylist"),
        (one({"name": "splitter", "output_priority": "up"}), "'left' or 'right'"),
        (one({"name": "underground-belt", "type": "both"}), "'input' or 'output'"),
        (one({"name": "lab", "items": {"speed-module": 10**9}}), "from 0 to 10000"),
        (one({"name": "lab", "items": {"speed-module": 5000, "speed-module-2": 5000}}), "more than 100"),
        (one(wires=[[1, 2]]), "list of four"),
        (one(tiles=[{"name": None}]), "tile's name"),
        (one(label=5), "label should be text"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(text, said):
    with pytest.raises(BlueprintError, match=said):
        decode(text)


def test_a_string_that_unpacks_to_very_much_is_refused_before_it_fills_the_memory():
    bomb = "0" + base64.b64encode(zlib.compress(b" " * (codec.MOST_JSON + 1))).decode()
    assert len(bomb) < 200_000
    with pytest.raises(BlueprintError, match="unpacks to more"):
        decode(bomb)


def test_very_long_strings_and_very_many_entities_are_refused():
    with pytest.raises(BlueprintError, match="most read"):
        decode("0" + "A" * codec.MOST_TEXT)
    with pytest.raises(BlueprintError, match="50001 entities"):
        decode(packed({"blueprint": {"entities": [{}] * (codec.MOST_ENTITIES + 1)}}))


def test_no_string_ends_in_another_error():
    hypothesis = pytest.importorskip("hypothesis")
    from hypothesis import strategies as st

    values = st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | st.text(max_size=4), inner, max_size=5),
        max_leaves=12,
    )

    @hypothesis.settings(max_examples=300, deadline=None, derandomize=True)
    @hypothesis.given(st.dictionaries(KEYS, values, max_size=6))
    def check(entity):
        try:
            decode(one({"name": "inserter", **entity}))
        except BlueprintError:
            pass

    check()


def _keys():
    st = pytest.importorskip("hypothesis.strategies")
    return st.sampled_from(sorted(codec._PLAIN | {"control_behavior", "connections", "x", "y", "id", "in_inventory"}))


KEYS = _keys()
