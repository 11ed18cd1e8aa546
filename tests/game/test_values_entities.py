"""Entity classes: fields, bases, sizes, printed forms, equality."""

from __future__ import annotations

import copy
import pickle

import pytest

from fle_ray.game import values
from fle_ray.game.values import (
    AssemblingMachine,
    Boiler,
    BurnerMiningDrill,
    Chest,
    Dimensions,
    Direction,
    ElectricityPole,
    Entity,
    EntityCore,
    EntityStatus,
    Furnace,
    Inventory,
    Lab,
    Model,
    OilRefinery,
    Position,
    Prototype,
    Recipe,
    Rocket,
    RocketSilo,
    TileDimensions,
    TransportBelt,
    UndergroundBelt,
)

# The classes of the agents' API: name | bases | own fields, `!` required, else with the default | width x height
CLASSES = """
BurnerType |  | fuel=Inventory() |
EntityCore |  | name!; direction=Direction.UP; position! |
Entity | EntityCore | id=None; energy!; type=None; dimensions!; tile_dimensions!; prototype=None; health!; \
warnings=[]; status=EntityStatus.NORMAL |
StaticEntity | Entity | neighbours=[] |
Rail | Entity |  | 1x1
Splitter | Entity | input_positions!; output_positions!; inventory=[] | 2x1
TransportBelt | Entity | input_position!; output_position!; inventory={'left': Inventory(), 'right': Inventory()}; \
is_terminus=False; is_source=False | 1x1
Electric |  | electrical_id=None |
ElectricalProducer | Electric Entity | production={}; energy_source={}; electric_output_flow_limit=0 |
EnergySource |  | buffer_capacity!; input_flow_limit!; output_flow_limit!; drain! |
Accumulator | StaticEntity Electric | energy_source=None | 2x2
Inserter | StaticEntity Electric | pickup_position=None; drop_position! | 1x1
Filtered |  | filter=None |
UndergroundBelt | TransportBelt | is_input!; connected_to=None | 1x1
MiningDrill | StaticEntity | drop_position!; resources! |
ElectricMiningDrill | MiningDrill Electric |  | 3x3
BurnerInserter | Inserter BurnerType |  | 1x1
BurnerMiningDrill | MiningDrill BurnerType |  | 2x2
Ammo |  | name!; magazine_size=0; reload_time=0 |
GunTurret | StaticEntity | turret_ammo=Inventory(); kills=0 | 2x2
AssemblingMachine | StaticEntity Electric | recipe=None; assembling_machine_input=Inventory(); \
assembling_machine_output=Inventory(); assembling_machine_modules=Inventory() | 3x3
FluidHandler | StaticEntity | connection_points=[]; fluid_box=[]; fluid_systems=[] |
AdvancedAssemblingMachine | FluidHandler AssemblingMachine |  | 3x3
MultiFluidHandler | StaticEntity | input_fluids=[]; output_fluids=[]; input_connection_points=[]; \
output_connection_points=[]; fluid_box=[]; fluid_systems=[] |
FilterInserter | Inserter Filtered |  | 1x1
ChemicalPlant | MultiFluidHandler AssemblingMachine |  | 3x3
OilRefinery | MultiFluidHandler AssemblingMachine |  | 5x5
PumpJack | MiningDrill FluidHandler Electric |  | 3x3
SolarPanel | ElectricalProducer |  | 3x3
Boiler | FluidHandler BurnerType | steam_output_point=None | 3x2
HeatExchanger | Boiler |  | 3x2
Generator | FluidHandler StaticEntity |  | 5x3
Pump | FluidHandler Electric |  | 2x1
OffshorePump | FluidHandler |  | 2x1
ElectricityPole | Entity Electric | flow_rate! | 1x1
Furnace | Entity BurnerType | furnace_source=Inventory(); furnace_result=Inventory() | 2x2
ElectricFurnace | Entity Electric | furnace_source=Inventory(); furnace_result=Inventory() | 3x3
Chest | Entity | inventory=Inventory() | 1x1
StorageTank | FluidHandler |  | 3x3
RocketSilo | StaticEntity Electric | rocket_parts=0; rocket_inventory=Inventory(); rocket_progress=0.0 | 9x9
Rocket | Entity | payload=None; launch_progress=0.0 |
Lab | Entity Electric | lab_input=Inventory(); lab_modules=Inventory(); research=None | 3x3
Pipe | Entity | fluidbox_id=None; flow_rate=None; contents=None; fluid=None | 1x1
Reactor | StaticEntity |  | 5x5
LogisticChest | Chest | request_filters=[] | 1x1
Beacon | StaticEntity Electric |  | 3x3
Roboport | StaticEntity Electric |  | 4x4
Combinator | StaticEntity |  | 2x1
TrainStop | StaticEntity Electric |  | 2x2
RailSignal | StaticEntity |  | 1x1
RollingStock | Entity BurnerType | inventory=Inventory() | 6x2
Turret | GunTurret Electric |  | 2x2
FluidTurret | GunTurret FluidHandler |  | 3x2
Vehicle | Entity BurnerType | trunk_inventory=Inventory() | 2x2
"""

SAMPLES = {
    "name": "something",
    "position": (1, 2),
    "energy": 0,
    "health": 100,
    "dimensions": {"width": 1.4, "height": 1.4},
    "tile_dimensions": {"tile_width": 2, "tile_height": 2},
    "input_position": (1, 3),
    "output_position": (1, 1),
    "input_positions": [(1, 3), (2, 3)],
    "output_positions": [(1, 1), (2, 1)],
    "drop_position": (1, 1),
    "resources": [{"name": "coal", "count": 300}],
    "is_input": True,
    "flow_rate": 0,
    "buffer_capacity": "5MJ",
    "input_flow_limit": "300kW",
    "output_flow_limit": "300kW",
    "drain": "0W",
}


def build(kind: type, **more: object):
    """An instance of `kind` with sample values for the required fields."""
    required = {name: SAMPLES[name] for name, made in kind.model_fields.items() if made.required}
    return kind(**{**required, **more})


def rows() -> list[tuple[str, list[str], dict[str, str | None], str]]:
    out = []
    for line in CLASSES.strip().splitlines():
        name, bases, fields, size = (part.strip() for part in line.split(" |"))
        own = {}
        for entry in filter(None, fields.split("; ")):
            field, equals, default = entry.partition("=")
            own[field.rstrip("!")] = default if equals else None
        out.append((name, bases.split(), own, size))
    return out


@pytest.mark.parametrize(("name", "bases", "own", "size"), rows(), ids=lambda value: str(value)[:24])
def test_each_class_has_its_bases_fields_defaults_and_size(name, bases, own, size):
    kind = getattr(values, name)
    assert [base.__name__ for base in kind.__bases__ if base.__name__ != "EntityModel"] == bases
    inherited = {field for base in kind.__bases__ for field in base.model_fields}
    assert kind.model_fields.keys() == inherited | own.keys()
    instance = build(kind)
    for field, default in own.items():
        if default is None:
            assert kind.model_fields[field].required
            with pytest.raises(ValueError, match=f"{name} needs {field}"):
                kind(**{key: SAMPLES[key] for key in kind.model_fields if key in SAMPLES and key != field})
        else:
            assert repr(getattr(instance, field)) == default
    if size:
        assert f"{kind.width}x{kind.height}" == size
    else:
        assert not hasattr(kind, "width") and not hasattr(kind, "height")


def test_the_table_holds_every_entity_class():
    table = {name for name, *_ in rows()}
    assert table == set(values.entities.__all__)


def test_an_entity_prints_its_fields_then_its_size_and_leaves_out_the_bulky_ones():
    furnace = build(
        Furnace, name="stone-furnace", id=7, type="furnace", prototype=Prototype.StoneFurnace, fuel={"coal": 5}
    )
    assert repr(furnace) == str(furnace)
    assert repr(furnace) == (
        "\n\tFurnace(fuel=Inventory(coal=5), name='stone-furnace', direction=Direction.UP, "
        "position=Position(x=1.0, y=2.0), energy=0.0, status=EntityStatus.NORMAL, "
        "furnace_source=Inventory(), furnace_result=Inventory(), height=2.0, width=2.0)"
    )


def test_warnings_print_when_there_are_some_and_extra_fields_always():
    chest = build(Chest, warnings=["chest is full"], remaining_fuel=0)
    assert "warnings=['chest is full']" in repr(chest)
    assert "remaining_fuel=0, height=2.0" in repr(chest)
    assert chest.remaining_fuel == 0


def test_belts_print_in_short_whatever_their_kind():
    assert repr(build(TransportBelt)) == "Belt((x=1.0 y=2.0)->, direction=Direction.UP)"
    assert repr(build(UndergroundBelt)) == "Belt((x=1.0 y=2.0)->, direction=Direction.UP)"


def test_silo_rocket_and_lab_print_in_short():
    place = "position=Position(x=1.0, y=2.0)"
    assert repr(build(RocketSilo, rocket_parts=25, rocket_progress=25)) == (
        f"\n\tRocketSilo({place}, status=EntityStatus.NORMAL, rocket_parts=25, rocket_progress=25.0%)"
    )
    assert repr(build(Rocket, launch_progress=12.34)) == (
        f"\n\tRocket({place}, status=EntityStatus.NORMAL, launch_progress=12.3%)"
    )
    assert repr(build(Lab, research="automation", electrical_id=3)) == (
        "\n\tLab(lab_input=Inventory(), status=EntityStatus.NORMAL, research='automation', electrical_id=3)"
    )


def test_fields_are_checked_and_errors_name_class_field_and_value():
    with pytest.raises(ValueError, match=r"Chest.energy: expected a number, got 'lots' \(str\)"):
        build(Chest, energy="lots")
    with pytest.raises(ValueError, match="Chest.position: Position needs y"):
        build(Chest, position={"x": 1})
    with pytest.raises(ValueError, match="Chest.status: expected a member of EntityStatus, got 'lazy'"):
        build(Chest, status="lazy")
    with pytest.raises(ValueError, match=r"Chest.inventory: Inventory\['coal'\]: expected a number"):
        build(Chest, inventory={"coal": "x"})
    with pytest.raises(ValueError, match="TransportBelt.inventory: expected a dictionary with the lanes"):
        build(TransportBelt, inventory={"middle": {}})
    with pytest.raises(ValueError, match="Chest needs name, position, energy"):
        Chest()


def test_raw_values_become_game_values():
    belt = build(TransportBelt, direction=4, status="working", inventory={"left": {"coal": 1}, "right": {}})
    assert belt.direction is Direction.RIGHT
    assert belt.status is EntityStatus.WORKING
    assert belt.inventory["left"] == Inventory(coal=1)
    boiler = build(Boiler, neighbours=[{"name": "pipe", "position": (3, 4), "unit_number": 9}])
    assert type(boiler.neighbours[0]) is EntityCore
    assert boiler.neighbours[0].unit_number == 9
    assert build(AssemblingMachine, recipe="iron-gear-wheel").recipe == "iron-gear-wheel"
    assert build(AssemblingMachine, recipe={"name": "pipe"}).recipe == Recipe(name="pipe")


def test_defaults_that_can_change_are_not_shared():
    a, b = build(BurnerMiningDrill), build(BurnerMiningDrill)
    a.fuel["coal"] = 5
    a.warnings.append("out of fuel")
    assert b.fuel == Inventory() and b.warnings == []


def test_extra_fields_are_kept_unless_they_would_hide_what_a_class_has():
    pole = build(ElectricityPole, voltage=7)
    assert pole.voltage == 7
    pole.note = "mine"
    assert pole.model_dump()["note"] == "mine"
    for name in ("model_dump", "width", "_private", "__class__"):
        with pytest.raises(ValueError, match=f"cannot keep an extra field called '{name}'"):
            build(ElectricityPole, **{name: 1})


def test_entities_are_equal_field_by_field_and_belts_by_exact_place():
    assert build(Chest) == build(Chest)
    assert build(Chest) != build(Chest, id=4)
    assert build(Chest) != build(Furnace)
    assert build(TransportBelt) == build(TransportBelt, id=4)
    assert build(TransportBelt) == build(UndergroundBelt)
    assert build(TransportBelt) != build(TransportBelt, position=(1.5, 2))
    assert len({build(TransportBelt), build(TransportBelt, id=4)}) == 1
    with pytest.raises(TypeError, match="unhashable"):
        hash(build(Chest))


def test_a_set_keeps_distinct_poles_of_one_network():
    a, b = build(ElectricityPole, electrical_id=5, id=1), build(ElectricityPole, electrical_id=5, id=2)
    assert hash(a) == hash(b) == hash(5)
    assert len({a, b}) == 2


def test_entities_can_be_copied_pickled_and_dumped():
    refinery = build(OilRefinery, input_connection_points=[(1, 3, "crude-oil")], recipe=Recipe(name="basic"))
    for other in (copy.deepcopy(refinery), refinery.model_copy(deep=True), pickle.loads(pickle.dumps(refinery))):
        assert other == refinery
        assert other.input_connection_points[0].type == "crude-oil"
        assert other.recipe is not refinery.recipe
    dump = refinery.model_dump()
    assert dump["recipe"]["name"] == "basic"
    assert dump["position"] == {"x": 1.0, "y": 2.0}
    assert dump["input_connection_points"] == [{"x": 1.0, "y": 3.0, "type": "crude-oil"}]
    assert dump["status"] is EntityStatus.NORMAL
    assert OilRefinery(**dump) == refinery


def test_an_entity_says_what_it_is():
    furnace = build(Furnace)
    assert isinstance(furnace, Entity) and isinstance(furnace, values.BurnerType) and isinstance(furnace, Model)
    assert furnace.position == Position(1, 2)
    assert furnace.dimensions == Dimensions(width=1.4, height=1.4)
    assert furnace.tile_dimensions == TileDimensions(tile_width=2, tile_height=2)
