"""Blueprints into a world and out of it."""

from __future__ import annotations

import base64
import json
import zlib

import pytest

from fle_ray.errors import BlueprintError
from fle_ray.game.blueprint import decode
from fle_ray.sim import World
from fle_ray.sim.__main__ import main
from fle_ray.sim.blueprint import export_blueprint, import_blueprint

V2 = 2 << 48 | 73 << 16
V1 = 1 << 48 | 1 << 32 | 110 << 16


def world_with_everything_known() -> World:
    world = World()
    world.research("all")
    return world


def packed(*entities: dict, version: int = V2, **more) -> str:
    numbered = [{"entity_number": k, "position": {"x": 0.5, "y": 0.5}, **e} for k, e in enumerate(entities, 1)]
    record = {"item": "blueprint", "version": version, "entities": numbered, **more}
    return "0" + base64.b64encode(zlib.compress(json.dumps({"blueprint": record}).encode())).decode()


def at(name: str, x: float, y: float, **more) -> dict:
    return {"name": name, "position": {"x": x, "y": y}, **more}


def mixed_factory(world: World) -> None:
    world.build("assembling-machine-3", (0.5, 0.5), 4, recipe="processing-unit", modules=["speed-module-3"] * 2)
    world.build("beacon", (4.5, 0.5), modules=["speed-module", "efficiency-module"])
    world.build("fast-inserter", (2.5, 0.5), 12, filter=["coal", "stone"])
    world.build("splitter", (8, 0.5), 0, input_priority="right", output_priority="left", filter="iron-plate")
    world.build("underground-belt", (8.5, 4.5), 4, type="input")
    world.build("underground-belt", (12.5, 4.5), 4, type="output")
    world.belt([(0.5, 6.5), (4.5, 6.5), (4.5, 9.5)], "express-transport-belt")
    world.build("chemical-plant", (9.5, 8.5), 8, recipe="plastic-bar")
    world.build("pipe-to-ground", (12.5, 8.5), 4)
    world.build("oil-refinery", (18.5, 8.5), 12, recipe="advanced-oil-processing")
    world.build("rocket-silo", (30.5, 8.5), modules=["productivity-module-3"] * 4, auto_launch=True)
    world.build("electric-furnace", (0.5, 12.5), modules=["speed-module"])
    world.build("lab", (4.5, 12.5), modules=["speed-module-2"])
    world.build("boiler", (10.5, 14), 4)
    world.build("big-electric-pole", (14, 14))
    world.build("medium-electric-pole", (18.5, 14.5))
    world.build("storage-tank", (22.5, 14.5), 4)
    world.build("steel-chest", (26.5, 14.5))


# -- round trips --------------------------------------------------------------------------------------------------


def test_a_factory_exported_and_imported_is_the_same_factory():
    world = world_with_everything_known()
    mixed_factory(world)
    text = export_blueprint(world, label="mixed")
    again = world_with_everything_known()
    left, top = -1, -1  # the machine at (0.5, 0.5) covers the tiles from -1 on
    report = import_blueprint(again, text, (left, top))
    assert report.label == "mixed" and not report.skipped and not report.passive and not report.ignored
    assert again.digest() == world.digest()
    assert export_blueprint(again, label="mixed") == text


def test_an_import_lies_with_its_left_top_corner_at_the_position():
    world = world_with_everything_known()
    mixed_factory(world)
    text = export_blueprint(world)
    there = world_with_everything_known()
    report = import_blueprint(there, text, (100.7, -50.2))
    assert min(e.area[0] for e in report.placed) == 100
    assert min(e.area[1] for e in report.placed) == -51
    assert report.placed[0].position == (101.5, -49.5)


def test_only_what_touches_the_box_is_exported():
    world = World()
    for x in range(5):
        world.build("wooden-chest", (x + 0.5, 0.5))
    world.drop_on_ground("coal", (2.5, 3.5))
    blueprint = decode(export_blueprint(world, (1.0, 0.0, 3.0, 4.0)))
    assert [(e.name, e.x, e.y) for e in blueprint.entities] == [("wooden-chest", 0.5, 0.5), ("wooden-chest", 1.5, 0.5)]
    with pytest.raises(BlueprintError, match="Nothing stands"):
        export_blueprint(world, (50.0, 50.0, 60.0, 60.0))


def test_a_world_made_from_a_string_works_as_one_built_by_hand():
    def rig(world):
        world.build("wooden-chest", (0.5, 0.5)).put("iron-plate", 100)
        world.entity_at((3.5, 0.5)).put("coal", 5)
        world.entity_at((1.5, 0.5)).put("coal", 5)

    built = world_with_everything_known()
    built.build("burner-inserter", (1.5, 0.5), 12)
    built.build("stone-furnace", (3, 1))
    text = export_blueprint(built)
    imported = world_with_everything_known()
    import_blueprint(imported, text, (1, 0))
    for world in (built, imported):
        rig(world)
        world.advance(3000)
    assert built.digest() == imported.digest()


# -- forms of old versions ----------------------------------------------------------------------------------------


def test_old_strings_that_count_from_the_middle_of_a_tile_are_put_on_the_grid():
    text = packed(
        at("assembling-machine-2", 0, 0, recipe="pipe"),
        at("inserter", 2, 0, direction=2),
        at("splitter", 4.5, 0, direction=0),
        at("stone-furnace", 6.5, 0.5),
        version=V1,
    )
    report = import_blueprint(world_with_everything_known(), text, (0, 0))
    assert [e.position for e in report.placed] == [(1.5, 1.5), (3.5, 1.5), (6.0, 1.5), (8.0, 2.0)]
    assert report.placed[1].direction == 4


def test_what_stands_off_the_grid_of_the_rest_is_refused():
    text = packed(at("pipe", 0.5, 0.5), at("pipe", 1.5, 0.5), at("pipe", 3.1, 0.5))
    with pytest.raises(BlueprintError, match="grid of the rest"):
        import_blueprint(World(), text)


def test_copper_wires_are_those_of_the_string():
    poles = [at("small-electric-pole", x + 0.5, 0.5) for x in (0, 4, 8)]
    automatic = import_blueprint(World(), packed(*poles, version=V1))
    assert [len(p.wires) for p in automatic.placed] == [1, 2, 1]
    parted = import_blueprint(World(), packed(*poles, wires=[[2, 5, 3, 5]]))
    assert [len(p.wires) for p in parted.placed] == [0, 1, 1]
    assert parted.placed[0].network != parted.placed[1].network == parted.placed[2].network
    far = import_blueprint(World(), packed(*poles, wires=[[1, 5, 3, 5]]))  # 8 tiles, reach 7.5
    assert [len(p.wires) for p in far.placed] == [0, 0, 0]


def test_wires_to_poles_that_stood_there_before_stay():
    world = World()
    before = world.build("small-electric-pole", (0.5, 0.5))
    report = import_blueprint(world, packed(at("small-electric-pole", 0.5, 0.5), wires=[]), (4, 0))
    assert report.placed[0].neighbours == [before]


# -- what cannot be built -----------------------------------------------------------------------------------------

UNSUPPORTED = (
    at("stack-inserter", 0.5, 0.5),  # Space Age
    at("radar", 5.5, 5.5),
    at("wooden-chest", 9.5, 0.5, bar=3),
    at("assembling-machine-1", 12.5, 1.5, recipe="plastic-bar"),
    at("fast-inserter", 15.5, 0.5, use_filters=True, filters=[{"index": 1, "name": "coal"}], filter_mode="blacklist"),
)


def test_by_default_nothing_is_built_when_anything_cannot_be():
    world = world_with_everything_known()
    world.build("wooden-chest", (50.5, 0.5))
    for text, said in (
        (packed(*UNSUPPORTED), "stack-inserter.*radar"),
        (packed(*UNSUPPORTED[2:]), "cannot make plastic-bar"),
        (packed(at("pipe", 0.5, 0.5), UNSUPPORTED[4]), "blacklist"),
        (packed(at("pipe", 0.5, 0.5), at("stone-furnace", 1, 1)), "pipe at"),
    ):
        with pytest.raises(BlueprintError, match=said):
            import_blueprint(world, text, (0, 0))
        assert len(world.entities) == 1


def test_on_request_the_rest_is_built_and_what_is_missing_named():
    world = world_with_everything_known()
    tiles = [{"name": "concrete", "position": {"x": k, "y": 0}} for k in range(4)]
    report = import_blueprint(world, packed(*UNSUPPORTED, tiles=tiles), (0, 0), on_unsupported="skip")
    assert [e.name for e in report.placed] == ["radar", "wooden-chest", "assembling-machine-1", "fast-inserter"]
    assert [(s.name, s.setting) for s in report.skipped] == [
        ("stack-inserter", None),
        ("assembling-machine-1", "recipe"),
        ("fast-inserter", "filter"),
    ]
    assert report.passive == {"radar": 1}
    assert report.ignored == {"bar": 1, "tile concrete": 4}


def test_what_stands_in_the_way_is_left_out_on_request():
    world = World()
    world.build("wooden-chest", (1.5, 0.5))
    text = packed(*(at("pipe", k + 0.5, 0.5) for k in range(3)))
    with pytest.raises(BlueprintError, match="wooden-chest"):
        import_blueprint(world, text, (0, 0))
    report = import_blueprint(world, text, (0, 0), on_unsupported="skip")
    assert [e.position for e in report.placed] == [(0.5, 0.5), (2.5, 0.5)]
    assert report.skipped[0].position == (1.5, 0.5)


def test_requests_for_items_are_counted():
    items = [{"id": {"name": "coal"}, "items": {"in_inventory": [{"inventory": 1, "stack": 0, "count": 5}]}}]
    report = import_blueprint(World(), packed(at("stone-furnace", 1, 1, items=items)))
    assert report.ignored == {"request of coal": 5}
    assert report.placed[0].contents() == {}


def test_strings_without_entities_or_of_enormous_extent_are_refused():
    with pytest.raises(BlueprintError, match="no entities"):
        import_blueprint(World(), packed())
    with pytest.raises(BlueprintError, match="tiles long"):
        import_blueprint(World(), packed(at("pipe", 0.5, 0.5), at("pipe", 50_000.5, 0.5)))
    with pytest.raises(ValueError, match="'error' or 'skip'"):
        import_blueprint(World(), packed(at("pipe", 0.5, 0.5)), on_unsupported="maybe")


# -- against another implementation -------------------------------------------------------------------------------


def test_strings_made_by_draftsman_are_built_as_it_means_them():
    blueprintable = pytest.importorskip("draftsman.blueprintable")
    made = blueprintable.Blueprint()
    made.label = "made by draftsman"
    made.entities.append("assembling-machine-3", tile_position=(0, 0), direction=4, recipe="iron-gear-wheel", id="a")
    made.entities["a"].request_modules("speed-module-3", (0, 1))
    made.entities["a"].request_modules("productivity-module", 2)
    made.entities.append("inserter", tile_position=(3, 1), direction=12)
    made.entities.append("splitter", tile_position=(5, 0), direction=0, filter="iron-plate", output_priority="left")
    made.entities.append("underground-belt", tile_position=(8, 0), direction=4, io_type="input")
    made.entities.append("underground-belt", tile_position=(11, 0), direction=4, io_type="output")
    made.entities.append("steam-engine", tile_position=(14, 0), direction=4)
    made.entities.append("small-electric-pole", tile_position=(4, 3))
    made.entities.append("small-electric-pole", tile_position=(8, 3))
    made.generate_power_connections()
    made.tiles.append("stone-path", position=(1, 1))
    report = import_blueprint(world_with_everything_known(), made.to_string(), (0, 0))
    assert report.label == "made by draftsman"
    assert report.ignored == {"tile stone-path": 1}
    machine, inserter, splitter, entrance, way_out, engine, pole, other = report.placed
    assert machine.position == (1.5, 1.5) and machine.direction == 4
    assert machine.recipe.name == "iron-gear-wheel"
    assert machine.modules.installed == ["speed-module-3", "speed-module-3", "productivity-module"]
    assert inserter.pickup_position[0] < inserter.x < inserter.drop_position[0]
    assert splitter.position == (6.0, 0.5)
    assert splitter.filter == "iron-plate" and splitter.priorities == ("none", "left")
    assert entrance.is_input and not way_out.is_input and entrance.neighbour is way_out
    assert engine.area == (14, 0, 19, 3)
    assert pole.neighbours == [other]


@pytest.mark.filterwarnings("ignore:.*unrecognized keys")  # two keys of 2.0 that draftsman does not know
def test_draftsman_reads_what_is_written():
    blueprintable = pytest.importorskip("draftsman.blueprintable")
    world = world_with_everything_known()
    mixed_factory(world)
    read = blueprintable.Blueprint.from_string(export_blueprint(world, label="mixed"))
    assert read.label == "mixed"
    assert len(read.entities) == len(world.entities)
    for theirs, ours in zip(read.entities, world.entities.values(), strict=True):
        assert theirs.name == ours.name
        assert (theirs.position.x - 1, theirs.position.y - 1) == ours.position
    machine, beacon, inserter, splitter, entrance, way_out, *_ = read.entities
    assert machine.recipe == "processing-unit" and int(machine.direction) == 4
    assert [(i.id.name, len(i.items.in_inventory)) for i in machine.item_requests] == [("speed-module-3", 2)]
    assert [i.items.in_inventory[0].inventory for i in beacon.item_requests] == [1, 1]
    assert [f.name for f in inserter.filters] == ["coal", "stone"] and inserter.use_filters
    assert (splitter.input_priority, splitter.output_priority) == ("right", "left")
    assert splitter.filter.name == "iron-plate"
    assert (entrance.io_type, way_out.io_type) == ("input", "output")


# -- the command --------------------------------------------------------------------------------------------------


def test_the_command_shows_builds_and_exports(tmp_path, capsys):
    world = world_with_everything_known()
    mixed_factory(world)
    text = tmp_path / "factory.txt"
    text.write_text(export_blueprint(world, label="mixed"))
    assert main(["blueprint", "show", str(text)]) == 0
    shown = capsys.readouterr().out
    assert "mixed" in shown and "2 underground-belt" in shown and "1 plastic-bar" in shown
    saved = tmp_path / "world.bin"
    assert main(["blueprint", "import", str(text), "--out", str(saved), "--at", "10", "20"]) == 0
    assert f"{len(world.entities)} entities built" in capsys.readouterr().out
    assert main(["blueprint", "export", str(saved), "--label", "mixed"]) == 0
    assert capsys.readouterr().out.strip() == text.read_text()


def test_the_command_says_what_is_wrong_and_ends_with_two(tmp_path, capsys):
    bad = tmp_path / "bad.txt"
    bad.write_text("hello")
    assert main(["blueprint", "show", str(bad)]) == 2
    assert "begins with 'h'" in capsys.readouterr().err
    assert main(["blueprint", "show", str(tmp_path / "missing.txt")]) == 2
    good = tmp_path / "good.txt"
    good.write_text(packed(*UNSUPPORTED))
    saved = tmp_path / "world.bin"
    assert main(["blueprint", "import", str(good), "--out", str(saved)]) == 2
    assert not saved.exists()
    assert main(["blueprint", "import", str(good), "--out", str(saved), "--skip"]) == 0
    assert "left out: stack-inserter" in capsys.readouterr().out
    assert main(["blueprint", "import", str(good), "--out", str(saved), "--skip"]) == 2
    assert "is there already" in capsys.readouterr().err
