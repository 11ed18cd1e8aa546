"""The codec gives back what went in, and the decoder answers any JSON with a value or CodecError."""

from __future__ import annotations

import enum
import json
import math
from collections import OrderedDict, namedtuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fle_ray.game import values
from fle_ray.game.codec import MAX_DEPTH, MAX_HASHED, MAX_INT_BITS, CodecError, decode, encode
from fle_ray.game.values import (
    BeltGroup,
    BurnerMiningDrill,
    Chest,
    Direction,
    EntityStatus,
    IndexedPosition,
    Ingredient,
    Inventory,
    Model,
    Position,
    Prototype,
    Recipe,
    RecipeName,
    Resource,
    ResourceName,
    ResourcePatch,
    Technology,
    TransportBelt,
)

ENUMS = [Direction, EntityStatus, Prototype, RecipeName, ResourceName, Technology]
CONCRETE = [
    kind
    for name in values.__all__
    if isinstance(kind := getattr(values, name), type) and issubclass(kind, Model) and kind is not Model
]


def same(a: object, b: object) -> bool:
    """Equal, and of the same types all the way down: positions exactly, nan like nan, -0.0 unlike 0.0."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return math.isnan(a) and math.isnan(b) or a == b and math.copysign(1, a) == math.copysign(1, b)
    if isinstance(a, Model):
        return same(a.__dict__, b.__dict__)
    if isinstance(a, Inventory):
        return same(list(a.items()), list(b.items()))
    if isinstance(a, dict):
        return same(list(a.items()), list(b.items()))
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, set | frozenset):
        return same(sorted(a, key=repr), sorted(b, key=repr))
    return a == b


def through_json(value: object) -> object:
    """`value` encoded, written as JSON, read and decoded."""
    return decode(json.loads(json.dumps(encode(value), allow_nan=False)))


# ---- values

numbers = st.integers(-(2**70), 2**70) | st.floats()
floats = st.floats(-1e6, 1e6)
positions = st.builds(Position, floats, floats)
indexed = st.builds(IndexedPosition, floats, floats, st.text(max_size=5))
members = st.sampled_from([member for kind in ENUMS for member in kind])
inventories = st.dictionaries(st.text(max_size=8), numbers, max_size=4).map(Inventory)
ingredients = st.builds(Ingredient, name=st.text(max_size=5), count=numbers, type=st.sampled_from([None, "item"]))
recipes = st.builds(Recipe, name=st.none() | st.text(max_size=5), ingredients=st.lists(ingredients, max_size=2))
boxes = st.builds(lambda a, b: a.to_bounding_box(b), positions, positions)
patches = st.builds(ResourcePatch, name=st.text(max_size=5), size=st.integers(), bounding_box=boxes).filter(
    lambda patch: abs(patch.size) < 2**MAX_INT_BITS
)
resources = st.sampled_from([getattr(Resource, name) for name in vars(Resource) if not name.startswith("_")])
classes = st.sampled_from([*CONCRETE, *ENUMS, Inventory, Resource])
hashable = st.none() | st.booleans() | numbers | st.text(max_size=5) | positions | members
common = {
    "name": st.text(max_size=8),
    "position": positions,
    "direction": st.sampled_from(Direction),
    "energy": st.floats(),
    "health": st.floats(0, 1e4),
    "id": st.none() | st.integers(0, 2**40),
    "status": st.sampled_from(EntityStatus),
    "prototype": st.none() | st.sampled_from(Prototype),
    "warnings": st.lists(st.text(max_size=9), max_size=2),
    "dimensions": st.just({"width": 1.4, "height": 1.4}),
    "tile_dimensions": st.just({"tile_width": 2, "tile_height": 2}),
}
extras = st.dictionaries(st.from_regex(r"extra_[a-z]{1,5}", fullmatch=True), hashable | inventories, max_size=2)


def entities(kind: type, **own: object) -> st.SearchStrategy:
    fixed = st.fixed_dictionaries({**common, **own})
    return st.builds(lambda fields, more: kind(**{**more, **fields}), fixed, extras)


belts = entities(
    TransportBelt,
    input_position=positions,
    output_position=positions,
    inventory=st.fixed_dictionaries({"left": inventories, "right": inventories}),
)
drills = entities(
    BurnerMiningDrill,
    drop_position=positions,
    fuel=inventories,
    resources=st.lists(ingredients, max_size=2),
    neighbours=st.lists(entities(Chest), max_size=1),
)
groups = st.builds(BeltGroup, belts=st.lists(belts, max_size=2), inputs=st.lists(belts, max_size=1), position=positions)
game_values = st.one_of(
    positions, indexed, members, inventories, recipes, boxes, patches, resources, classes, belts, drills, groups
)
anything = st.recursive(
    st.none() | st.booleans() | numbers | st.text() | game_values,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=3).map(tuple),
        st.sets(hashable, max_size=4),
        st.frozensets(hashable, max_size=4),
        st.dictionaries(st.text(max_size=5), inner, max_size=4),
        st.dictionaries(hashable | st.just("$"), inner, max_size=4),
    ),
    max_leaves=12,
)


@settings(deadline=None, max_examples=200)
@given(anything)
def test_every_value_comes_back_equal_and_of_the_same_types(value):
    assert same(through_json(value), value)


SAMPLES = {
    "name": "something",
    "id": 3,
    "size": 5,
    "type": "water",
    "position": Position(1, 2),
    "left_top": (0, 0),
    "right_bottom": (1, 1),
    "left_bottom": (0, 1),
    "right_top": (1, 0),
    "energy": 0,
    "health": 100,
    "dimensions": {"width": 1.4, "height": 1.4},
    "tile_dimensions": {"tile_width": 2, "tile_height": 2},
    "drop_position": (1, 1),
    "input_position": (1, 1),
    "output_position": (1, 1),
    "is_input": True,
    "buffer_capacity": "5MJ",
    "input_flow_limit": "300kW",
    "output_flow_limit": "300kW",
    "drain": "0W",
}


@pytest.mark.parametrize("kind", CONCRETE, ids=lambda kind: kind.__name__)
def test_every_class_goes_across(kind):
    lists = {"input_positions", "output_positions", "resources", "belts", "pipes", "poles", "entities"}
    box = Position(0, 0).to_bounding_box(Position(1, 1))
    required = {}
    for name, made in kind.model_fields.items():
        if made.required:
            required[name] = [] if name in lists else box if name == "bounding_box" else SAMPLES.get(name, 1)
    value = kind(**required)
    assert same(through_json(value), value)


@pytest.mark.parametrize("kind", ENUMS, ids=lambda kind: kind.__name__)
def test_every_enum_member_comes_back_as_itself(kind):
    for name, member in kind.__members__.items():
        assert through_json(member) is member, name


def test_plain_data_is_not_wrapped():
    plain = {"a": [1, 2.5, None, True, "text"], "b": {}}
    assert encode(plain) == plain
    assert decode(plain) == plain


def test_the_encoding_is_readable():
    assert encode(Position(1, 2)) == {"$": "Position", "v": [1.0, 2.0]}
    assert encode(Prototype.StackInserter) == {"$": "Prototype", "v": "BulkInserter"}
    assert encode(Inventory(coal=3)) == {"$": "Inventory", "v": {"coal": 3}}
    assert encode((1, "a")) == {"$": "tuple", "v": [1, "a"]}
    assert encode({1: 2}) == {"$": "dict", "v": [[1, 2]]}
    assert encode({"$": 1}) == {"$": "dict", "v": [["$", 1]]}
    assert encode(math.inf) == {"$": "float", "v": "inf"}
    assert encode(ResourcePatch) == {"$": "class", "v": "ResourcePatch"}


def test_equal_sets_encode_equally():
    assert encode({"a", "b", "c"}) == encode({"c", "b", "a"}) == {"$": "set", "v": ["a", "b", "c"]}


def test_instances_of_other_subclasses_go_across_as_the_nearest_known_class():
    class Level(enum.IntEnum):
        HIGH = 3

    class MyPosition(Position):
        pass

    pair = namedtuple("pair", "a b")
    assert same(through_json([Level.HIGH, OrderedDict(a=1), pair(1, 2)]), [3, {"a": 1}, (1, 2)])
    assert same(through_json(MyPosition(1, 2)), Position(1, 2))


class OwnModel(Model):
    size: int = 1


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (object(), "type object cannot go across"),
        (b"bytes", "type bytes cannot go across"),
        (print, "type builtin_function_or_method cannot go across"),
        ([{"a": lambda: 1}], "type function cannot go across"),
        (int, "class int cannot go across"),
        (OwnModel(), "type OwnModel cannot go across"),
        (OwnModel, "class OwnModel cannot go across"),
        (enum.Enum("Own", "A").A, "type Own cannot go across"),
        (1 << MAX_INT_BITS, f"{MAX_INT_BITS + 1} bits cannot go across"),
    ],
    ids=lambda value: str(value)[:12],
)
def test_what_cannot_go_across_is_refused_by_name(value, said):
    with pytest.raises(CodecError, match=said):
        encode(value)


def test_a_value_within_itself_is_refused():
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(CodecError, match="nested deeper than 64"):
        encode(loop)


def test_nesting_is_allowed_to_the_same_depth_both_ways():
    def nested(levels: int) -> object:
        value: object = 5
        for _ in range(levels):
            value = [value]
        return value

    assert through_json(nested(MAX_DEPTH + 1)) == nested(MAX_DEPTH + 1)
    with pytest.raises(CodecError):
        encode(nested(MAX_DEPTH + 2))
    with pytest.raises(CodecError, match="Nested deeper"):
        decode(nested(MAX_DEPTH + 2))


def test_a_position_edited_beyond_its_fields_is_refused():
    position = Position(1, 2)
    position.label = "home"
    with pytest.raises(CodecError, match="fields x and y, this one has x, y, label"):
        encode(position)


def test_a_field_that_a_program_set_wrongly_is_named_when_it_arrives():
    chest = Chest(
        name="iron-chest",
        position=(0, 0),
        energy=0,
        health=1,
        dimensions={"width": 1, "height": 1},
        tile_dimensions={"tile_width": 1, "tile_height": 1},
    )
    chest.position = "over there"
    with pytest.raises(CodecError, match="Chest.position: expected Position"):
        through_json(chest)
    chest.position = (4, 5)
    assert same(through_json(chest).position, Position(4, 5))


# ---- decoding what nobody encoded

tags = st.sampled_from(
    ["tuple", "set", "frozenset", "dict", "float", "class", *(kind.__name__ for kind in [*CONCRETE, *ENUMS, Inventory])]
)
field_names = st.sampled_from(sorted({name for kind in CONCRETE for name in kind.model_fields})) | st.text(max_size=4)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | tags,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(field_names, inner, max_size=6),
        st.fixed_dictionaries({"$": tags | inner, "v": inner}),
        st.fixed_dictionaries({"$": tags, "v": st.dictionaries(field_names, inner, max_size=8)}),
        st.fixed_dictionaries({"$": tags, "v": st.lists(inner, max_size=3)}),
    ),
    max_leaves=20,
)


@settings(deadline=None, max_examples=500)
@given(json_values)
def test_any_json_gives_a_value_or_a_codec_error(plain):
    try:
        value = decode(plain)
    except CodecError as error:
        assert len(str(error)) < 2000
    else:
        repr(value)
        assert same(through_json(value), value)


def mutated(plain: object, draw: object) -> object:
    """`plain` with one part somewhere in it replaced by any JSON."""
    if isinstance(plain, list | dict) and plain and draw(st.integers(0, 4)):
        key = draw(st.sampled_from(list(plain) if isinstance(plain, dict) else range(len(plain))))
        changed = plain.copy()
        changed[key] = mutated(plain[key], draw)
        return changed
    return draw(json_values)


@settings(deadline=None, max_examples=500)
@given(st.data())
def test_an_entity_spoilt_in_one_place_gives_a_value_or_a_codec_error(data):
    plain = mutated(encode(data.draw(belts | drills | groups | recipes)), data.draw)
    try:
        value = decode(plain)
    except CodecError:
        return
    repr(value)
    assert same(through_json(value), value)


@pytest.mark.parametrize(
    ("plain", "said"),
    [
        ({"$": "os.system", "v": "ls"}, "No value has the tag 'os.system'"),
        ({"$": ["Position"], "v": [1, 2]}, "No value has the tag of type list"),
        ({"$": "Model", "v": {}}, "No value has the tag 'Model'"),
        ({"$": "tuple"}, "has the keys"),
        ({"$": "tuple", "v": [], "more": 1}, "has the keys"),
        ({"$": "tuple", "v": {}}, "content of 'tuple' is a list"),
        ({"$": "Position", "v": [1]}, r"content of 'Position' is \[x, y\]"),
        ({"$": "Position", "v": [1, "a"]}, "Position.y: expected a number"),
        ({"$": "Position", "v": [math.nan, 1.0]}, "not JSON"),
        ({"$": "Inventory", "v": [1]}, "content of 'Inventory' is an object"),
        ({"$": "Inventory", "v": {"coal": None}}, r"Inventory\['coal'\]: expected a number"),
        ({"$": "Prototype", "v": "Coall"}, "No member of Prototype is called 'Coall'"),
        ({"$": "Prototype", "v": ["coal", None]}, "No member of Prototype"),
        ({"$": "class", "v": "Popen"}, "No class of the game's values is called 'Popen'"),
        ({"$": "float", "v": "1e5"}, "content of 'float'"),
        ({"$": "set", "v": [[1]]}, "A set cannot hold this"),
        ({"$": "set", "v": [1, 1]}, "same entry twice"),
        ({"$": "dict", "v": [[{}, 1]]}, "cannot have this key"),
        ({"$": "dict", "v": [[1, 1], [1, 2]]}, "same key twice"),
        ({"$": "dict", "v": [[1]]}, "pairs"),
        ({"$": "Chest", "v": {}}, "Chest needs name, position"),
        ({"$": "Recipe", "v": {"nam": "x"}}, "Recipe has no field 'nam'. Did you mean name"),
        ({"$": "Electric", "v": {"__class__": 1}}, "cannot keep an extra field called '__class__'"),
        ({"$": "Electric", "v": {"model_dump": 1}}, "cannot keep an extra field called 'model_dump'"),
        ({"$": "Electric", "v": {"self": 1, "cls": 2}}, None),
        (math.inf, "not JSON"),
        (1 << MAX_INT_BITS, "bits"),
        (b"x", "not a JSON type"),
        ({1: 2}, "key of type int is not JSON"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_wrong_shapes_are_told_apart(plain, said):
    if said is None:
        assert decode(plain).model_dump() == {"electrical_id": None, **plain["v"]}
        return
    with pytest.raises(CodecError, match=said):
        decode(plain)


def test_a_hundred_thousand_levels_are_refused_without_a_crash():
    plain: object = 1
    for _ in range(100_000):
        plain = [plain]
    with pytest.raises(CodecError, match="Nested deeper"):
        decode(plain)
    while isinstance(plain, list):  # taken apart level by level: dropping it whole would nest as deep
        plain = plain[0]


def test_entries_whose_hashes_could_collide_are_limited_over_the_whole_value():
    numbers = list(range(MAX_HASHED // 2))
    half = {"$": "set", "v": numbers}
    assert len(decode([half, half])) == 2
    with pytest.raises(CodecError, match="More than 4096 entries"):
        decode([half, {"$": "dict", "v": [[number, 0] for number in numbers]}, {"$": "set", "v": [1]}])


def test_a_long_wrong_name_is_cut_in_the_message():
    with pytest.raises(CodecError) as error:
        decode({"$": "Recipe", "v": {"x" * 1_000_000: 1}})
    assert len(str(error.value)) < 1000
    with pytest.raises(CodecError) as error:
        decode({"$": "x" * 1_000_000, "v": 1})
    assert len(str(error.value)) < 1000
