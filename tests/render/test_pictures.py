"""Pictures show what is there, where it is, and change nothing."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from fle_ray.errors import CannotPlace, ConfigError, SnapshotError
from fle_ray.game.contracts import Start
from fle_ray.render.__main__ import main
from fle_ray.render.drawing import Drawing, Shape
from fle_ray.render.films import film
from fle_ray.render.palette import code_of, ground_colour, ink_on, item_colour, mixed
from fle_ray.render.png import small_png, to_pixels, to_png
from fle_ray.render.scene import draw, interesting_box, world_of
from fle_ray.render.svg import to_svg
from fle_ray.sim.world import World
from fle_ray.tools.instance import LocalInstance

SVG = "{http://www.w3.org/2000/svg}"


def mine() -> World:
    """A burning drill on ore that fills a chest, a belt with a turn, two wired poles, one agent."""
    world = World("lab", 0)
    drill = world.build("burner-mining-drill", (24, 80), direction=4)
    drill.put("coal", 5)
    world.build("wooden-chest", (25.5, 79.5)).put("iron-ore", 700)
    world.belt([(20.5, 85.5), (23.5, 85.5), (23.5, 88.5)])
    world.build("medium-electric-pole", (28.5, 80.5))
    world.build("medium-electric-pole", (34.5, 80.5))
    world.build("assembling-machine-2", (30.5, 84.5), recipe="iron-gear-wheel")
    world.character(0).teleport((22.0, 82.0))
    world.advance(60)
    return world


def parsed(drawing: Drawing) -> ElementTree.Element:
    return ElementTree.fromstring(to_svg(drawing))


def titles(drawing: Drawing) -> list[str]:
    return [element.text or "" for element in parsed(drawing).iter(f"{SVG}title")]


def test_looking_changes_nothing():
    world = mine()
    before = world.digest()
    to_svg(draw(world, legend=True))
    assert world.digest() == before


def test_land_that_nobody_has_seen_stays_unseen():
    world = World("open", 5)
    explored = set(world.map.explored)
    drawing = draw(world, box=(-400, -400, 400, 400))
    assert world.map.explored == explored
    assert drawing.background == ground_colour("unexplored")


def test_an_svg_is_one_well_formed_document_of_the_size_asked_for():
    svg = parsed(draw(mine(), box=(10, 70, 40, 90)))
    assert svg.tag == f"{SVG}svg"
    assert svg.get("viewBox") == "0 0 480 320"  # 30 x 20 tiles of 16 units
    assert ElementTree.fromstring(to_svg(draw(mine(), box=(10, 70, 40, 90)), scale=4)).get("width") == "120"


def test_a_machine_says_what_it_is_does_and_holds():
    said = "\n---\n".join(titles(draw(mine())))
    assert "burner-mining-drill at (24, 80), facing east\nstatus: working\nmakes: iron-ore" in said
    assert re.search(r"wooden-chest at \(25\.5, 79\.5\)\n[a-z_]+: iron-ore 700\n", said)
    assert "assembling-machine-2 at (30.5, 84.5), facing north" in said
    assert "agent 0 at (22.0, 82.0)" in said


def test_a_chest_shows_what_it_holds_most_of_and_how_much():
    texts = [element.text for element in parsed(draw(mine())).iter(f"{SVG}text")]
    assert code_of("iron-ore") in texts
    assert "700" in texts


def test_every_item_on_a_belt_is_drawn_once():
    world = World("empty", 0)
    belts = world.belt([(0.5, 0.5), (5.5, 0.5), (5.5, 4.5)])
    belts[0].place("iron-plate", 1, 128)
    belts[1].place("iron-plate", 1, 100)
    belts[5].place("copper-plate", 2, 50)
    rings = {
        mark.style.fill: len(mark.rings)
        for layer in draw(world).layers
        for mark in layer.marks
        if isinstance(mark, Shape) and mark.style.fill in (item_colour("iron-plate"), item_colour("copper-plate"))
    }
    assert rings == {item_colour("iron-plate"): 2, item_colour("copper-plate"): 1}


def test_everything_that_can_be_built_has_a_symbol_and_a_title():
    world = World("empty", 0)
    world.research("all")
    world.ore("iron-ore", (0, 0, 60, 40))
    built = set()
    spots = [(x, y) for y in range(6, 240, 12) for x in range(6, 130, 12)]
    for name, prototype in sorted(world.data.entities.items()):
        if prototype.item is None or prototype.type in ("offshore-pump", "resource"):
            continue
        x, y = spots.pop(0)
        if name == "pumpjack":
            world.well((x, y))
        try:
            world.build(name, (x, y))
        except CannotPlace:
            continue
        built.add(name)
    assert len(built) > 80 and "pumpjack" in built
    world.advance(10)
    said = titles(draw(world))
    drawn_together = {"pipe", "pipe-to-ground", "transport-belt", "underground-belt", "splitter"}
    for name in built:
        if world.data.entity(name).type not in drawn_together:
            assert any(title.startswith(f"{name} at (") for title in said), name


def test_wired_poles_are_joined_by_one_wire():
    world = mine()
    wires = [
        mark
        for layer in draw(world).layers
        for mark in layer.marks
        if isinstance(mark, Shape) and mark.style.stroke == "#b5622d"
    ]
    assert [len(mark.rings) for mark in wires] == [1]
    assert wires[0].rings[0][0] == (28.5, 80.5) and wires[0].rings[0][-1] == (34.5, 80.5)


def test_pipes_take_the_colour_of_what_is_in_them():
    world = World("lab", 0)
    world.build("offshore-pump", (-10.5, 80.5), direction=12)
    for x in range(-10, -4):
        world.build("pipe", (x + 0.5, 80.5))
    world.advance(600)
    box = (-14, 76, 0, 85)
    assert item_colour("water") in to_svg(draw(world, box=box))
    dry = World("lab", 0)
    dry.build("pipe", (-9.5, 80.5))
    assert item_colour("water") not in to_svg(draw(dry, box=box))


def test_ore_is_paler_where_less_is_left():
    world = World("empty", 0)
    world.ore("iron-ore", (0, 0, 1, 1), amount=1000)
    world.ore("iron-ore", (1, 0, 2, 1), amount=100)
    pixels = to_pixels(draw(world, box=(0, 0, 2, 1), coordinates=False), scale=20)
    rich, poor = int(pixels[1, 1, 0]), int(pixels[1, 21, 0])
    assert rich < poor < 0xE9


def test_a_png_has_a_pixel_of_the_right_colour_at_every_place():
    png = to_png(draw(mine(), box=(-16, 70, 24, 90)), scale=10)
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")) == (400, 200)
    pixels = to_pixels(draw(mine(), box=(-16, 70, 24, 90), coordinates=False), scale=10)
    water = {mixed(ground_colour("water"), "#ffffff", 0.4), ground_colour("water")}
    left = "#%02x%02x%02x" % tuple(pixels[102, 8, :3])  # noqa: UP031
    assert left in water
    assert "#%02x%02x%02x" % tuple(pixels[102, 220, :3]) == ground_colour("refined-concrete")  # noqa: UP031


def test_a_png_keeps_the_commonest_colours_exactly_and_the_rest_nearly():
    image = pytest.importorskip("PIL.Image")
    numpy = pytest.importorskip("numpy")
    pixels = numpy.zeros((40, 40, 3), dtype=numpy.uint8)
    pixels[:, :20] = (233, 230, 223)
    pixels[:, 20:] = (200, 60, 50)
    for k in range(400):  # more colours than fit, each once
        pixels[k // 10, 20 + k % 10] = (k % 256, k // 2, 7)
    back = numpy.asarray(image.open(io.BytesIO(small_png(pixels))).convert("RGB"))
    assert (back[:, :20] == (233, 230, 223)).all() and (back[:, 30:] == (200, 60, 50)).all()


def test_without_matplotlib_a_png_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_agg", None)
    with pytest.raises(ConfigError, match="pip install"):
        to_png(draw(World("empty", 0)))


def test_importing_render_loads_no_matplotlib():
    code = (
        "import sys, fle_ray.render.scene, fle_ray.render.svg, fle_ray.render.films; "
        "assert 'matplotlib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_text_from_a_world_cannot_become_markup():
    drawing = draw(World("empty", 0))
    layer = drawing.layer('</title><script>alert("1")</script>')
    layer.text(0, 0, "<b>$x_1$&", 1.0)
    assert "<script>" not in to_svg(drawing)
    assert '</title><script>alert("1")</script>' in titles(drawing)
    assert to_png(drawing)[:4] == b"\x89PNG"


@pytest.mark.parametrize("box", [(0, 0, 0, 5), (3, 0, 1, 5), (0, 0, 2000, 2000)])
def test_a_box_that_cannot_be_drawn_is_refused(box: tuple):
    with pytest.raises(ConfigError, match="box"):
        draw(World("empty", 0), box=box)


def test_by_default_everything_that_was_built_is_in_the_picture():
    world = mine()
    left, top, right, bottom = interesting_box(world)
    for entity in world.entities.values():
        assert left <= entity.area[0] and entity.area[2] <= right
        assert top <= entity.area[1] and entity.area[3] <= bottom


def test_snapshots_of_worlds_and_of_instances_can_be_drawn():
    world = mine()
    assert world_of(world.snapshot()).digest() == world.digest()
    instance = LocalInstance()
    instance.reset(Start(scenario="lab", inventory={"coal": 5}))
    assert world_of(instance.snapshot()).digest() == instance.world.digest()
    with pytest.raises(SnapshotError):
        world_of(b"nothing of the kind")


def test_the_legend_names_what_is_in_the_picture_and_nothing_else():
    plain = draw(mine())
    drawing = draw(mine(), legend=True)
    assert drawing.width > plain.width and drawing.height == plain.height
    texts = [element.text for element in parsed(drawing).iter(f"{SVG}text")]
    assert "iron gear wheel" in texts and "iron ore" in texts
    assert "sulfur" not in texts


@pytest.mark.parametrize("name", ["iron-plate", "uranium-235", "some-new-thing"])
def test_every_item_has_a_colour_and_a_code(name: str):
    assert re.fullmatch("#[0-9a-f]{6}", item_colour(name))
    assert 1 <= len(code_of(name)) <= 3
    assert ink_on("#ffffff") == "#111111" and ink_on("#000000") == "#ffffff"


def test_a_film_has_a_frame_for_every_world(tmp_path: Path):
    image = pytest.importorskip("PIL.Image")
    world = mine()
    later = world.fork()
    later.advance(600)
    film([world, later], tmp_path / "film.gif", scale=4)
    with image.open(tmp_path / "film.gif") as gif:
        assert gif.n_frames == 2
    film([world, later], tmp_path / "film.html", captions=["</script>one", "two"])
    page = (tmp_path / "film.html").read_text()
    assert page.count("<svg ") == 2
    assert "</script>one" not in page and "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_a_film_needs_worlds_and_a_known_kind_of_file(tmp_path: Path):
    with pytest.raises(ConfigError, match="no states"):
        film([], tmp_path / "film.gif")
    with pytest.raises(ConfigError, match="gif"):
        film([World("empty", 0)], tmp_path / "film.mp4")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded run of one short episode, every state kept."""
    root = tmp_path_factory.mktemp("data")
    words = ["+experiment=smoke", f"run.root={root}", "run.id=one", "dataset.states=all"]
    subprocess.run([sys.executable, "-m", "fle_ray.launch", *words], check=True, capture_output=True)
    return root / "smoke" / "one"


def test_the_command_draws_steps_and_films_of_a_run(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture):
    assert main([str(run), "--output", str(tmp_path / "last.svg"), "--legend"]) == 0
    assert "burner-mining-drill" in (tmp_path / "last.svg").read_text()
    assert main([str(run), "--step", "0", "--output", str(tmp_path / "first.svg")]) == 0
    assert "burner-mining-drill at" not in (tmp_path / "first.svg").read_text()
    assert main([str(run), "--output", str(tmp_path / "film.html")]) == 0
    assert "2 frames" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--step", "99", "--output", "a.svg"], "There is no step 99"),
        (["--episode", "zz", "--output", "a.svg"], "No episode 'zz'"),
        (["--output", "a.bmp"], "must end in"),
        (["--box", "1,2", "--output", "a.svg"], "left,top,right,bottom"),
        (["--scale", "0", "--output", "a.svg"], "--scale is 0"),
    ],
)
def test_the_command_says_what_is_wrong(
    run: Path,
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
):
    monkeypatch.chdir(tmp_path)
    assert main([str(run), *words]) == 2
    assert said in capsys.readouterr().err


def test_the_script_draws_the_factories_of_a_run_and_a_page_of_them(run: Path, tmp_path: Path):
    script = Path(__file__).parents[2] / "scripts" / "draw_factories.py"
    environment = {**os.environ, "PYTHONPATH": str(script.parents[1])}
    subprocess.run([sys.executable, str(script), str(run), "--output", str(tmp_path)], check=True, env=environment)
    page = (tmp_path / "factories.md").read_text()
    assert "## Iron ore" in page and "of 16 a minute" in page
    assert (tmp_path / "images" / "factories" / "iron_ore.png").read_bytes()[:4] == b"\x89PNG"
