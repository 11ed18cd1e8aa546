"""Groups as agents see them."""

from __future__ import annotations

import pytest

from fle_ray.game.values import (
    BeltGroup,
    ElectricityGroup,
    ElectricityPole,
    Entity,
    EntityStatus,
    Inventory,
    Pipe,
    PipeGroup,
    Position,
    TransportBelt,
    WallGroup,
)

COMMON = {
    "energy": 0,
    "health": 100,
    "dimensions": {"width": 1, "height": 1},
    "tile_dimensions": {"tile_width": 1, "tile_height": 1},
}


def belt(x: float) -> TransportBelt:
    return TransportBelt(
        name="transport-belt", position=(x, 0), input_position=(x, 1), output_position=(x, -1), **COMMON
    )


def pipe(x: float) -> Pipe:
    return Pipe(name="pipe", position=(x, 0), fluid="water", fluidbox_id=8, **COMMON)


def pole(x: float, flow_rate: float) -> ElectricityPole:
    return ElectricityPole(name="small-electric-pole", position=(x, 0), flow_rate=flow_rate, electrical_id=2, **COMMON)


def test_a_belt_group_shows_ends_contents_status_and_how_many_belts():
    group = BeltGroup(
        belts=[belt(0.5), belt(1.5)], inputs=[belt(0.5)], outputs=[belt(1.5)], inventory={"coal": 2}, position=(0.5, 0)
    )
    assert (group.id, group.name, group.status) == (0, "belt-group", EntityStatus.NORMAL)
    assert group.inventory == Inventory(coal=2)
    assert repr(group) == str(group)
    assert repr(group) == (
        "\n\tBeltGroup(inputs=[Belt((x=0.5 y=0.0)->, direction=Direction.UP)], "
        "outputs=[Belt((x=1.5 y=0.0)->, direction=Direction.UP)], inventory=Inventory(coal=2), "
        "status=EntityStatus.NORMAL, [2 belts])"
    )


def test_a_pipe_group_shows_at_most_six_positions():
    few = PipeGroup(id=8, pipes=[pipe(x) for x in range(6)], position=(0, 0), status="working")
    assert "..." not in repr(few)
    many = PipeGroup(id=8, pipes=[pipe(x) for x in range(9)], position=(0, 0), status="working")
    shown = [f"Position(x={x}.0, y=0.0)" for x in (0, 1, 2, 6, 7, 8)]
    shown.insert(3, "...")
    assert repr(many) == (
        "\n\tPipeGroup(fluid_system=8, fluid='water', position=Position(x=0.0, y=0.0), "
        f"status=EntityStatus.WORKING, positions=[{', '.join(shown)}])"
    )
    assert many.name == "pipe-group"


def test_an_electricity_group_shows_the_floor_of_the_largest_flow_and_can_be_hashed():
    group = ElectricityGroup(id=2, poles=[pole(0, 1.2), pole(3, 7.9)], position=Position(1.5, 0))
    assert repr(group) == (
        "\n\tElectricityGroup(id=2, poles=[Position(x=0.0, y=0.0), Position(x=3.0, y=0.0)], voltage=7)"
    )
    assert len({group, ElectricityGroup(id=3, poles=[], position=(0, 0))}) == 2
    assert repr(ElectricityGroup(id=3, poles=[], position=(0, 0))).endswith("poles=[], voltage=0)")


def test_a_group_prints_even_with_a_flow_that_is_no_number():
    assert "voltage=inf" in repr(ElectricityGroup(id=2, poles=[pole(0, float("inf"))], position=(0, 0)))


def test_walls_form_a_group_of_entities():
    wall = Entity(name="stone-wall", position=(0.5, 0.5), **COMMON)
    group = WallGroup(id=17, entities=[wall], position=wall.position)
    assert group.name == "wall-group"
    assert group.entities == [wall]


@pytest.mark.parametrize("kind", [BeltGroup, PipeGroup, ElectricityGroup, WallGroup])
def test_no_group_has_a_direction_a_prototype_or_energy(kind):
    for name in ("direction", "prototype", "energy"):
        assert name not in kind.model_fields
        assert not hasattr(kind, name)


def test_a_group_takes_members_of_its_kind_only():
    with pytest.raises(ValueError, match="PipeGroup.pipes: expected Pipe or a dictionary of its fields"):
        PipeGroup(id=8, pipes=[belt(0)], position=(0, 0))
    with pytest.raises(ValueError, match="BeltGroup needs position, belts"):
        BeltGroup()
