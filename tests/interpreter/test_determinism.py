"""The same program and seed give the same output in every child."""

from __future__ import annotations

import random
import subprocess
import sys


def test_random_draws_from_the_steps_seed(interpreter):
    generator = random.Random(7)
    expected = f"2: ({generator.random()!r}, {generator.randint(1, 100)!r})"
    code = "import random\nprint(random.random(), random.randint(1, 100))"
    assert interpreter.run(code, seed=7).output == expected
    assert interpreter.run(code, seed=7).output == expected
    assert interpreter.run(code, seed=8).output != expected


def test_generators_made_without_a_seed_draw_theirs_from_the_steps(make):
    code = "import random\nrandom.seed()\nprint(random.random(), random.Random().random(), random.Random().random())"
    one, two = make(), make()
    assert one.run(code, seed=1).output == two.run(code, seed=1).output
    assert one.run(code, seed=1).output != one.run(code, seed=2).output
    assert len(set(one.run(code, seed=1).output.split(", "))) == 3


def test_there_is_no_generator_of_the_operating_system(run):
    assert run("import random\nrandom.SystemRandom()").error.type == "AttributeError"
    assert run("import secrets").error.type == "ModuleNotFoundError"
    assert run("import uuid").error.type == "ModuleNotFoundError"


def test_text_hashes_as_in_a_python_with_hash_seed_0(run):
    code = "print(hash('coal'), list({'iron', 'coal', 'stone', 'wood', 'copper'}))"
    plain = subprocess.run(
        [sys.executable, "-c", f"{code}"], env={"PYTHONHASHSEED": "0"}, capture_output=True, text=True, check=True
    )
    number, _, order = plain.stdout.strip().partition(" ")
    assert run(code).output == f"1: ({number}, {order})"


def test_every_clock_reads_game_time(run, game):
    game.tick = 90_000  # 1,500 s
    code = """
import time, datetime
print(time.time(), time.monotonic(), time.perf_counter(), time.process_time(), time.time_ns())
print(datetime.datetime.now(), datetime.datetime.utcnow(), datetime.date.today(), datetime.datetime.today())
print(datetime.datetime.now(datetime.timezone.utc), time.strftime('%H:%M:%S'), time.ctime(), time.localtime().tm_min)
"""
    assert run(code).output.split("\n") == [
        "3: (1500.0, 1500.0, 1500.0, 1500.0, 1500000000000)",
        "4: (datetime.datetime(1970, 1, 1, 0, 25), datetime.datetime(1970, 1, 1, 0, 25), "
        "datetime.date(1970, 1, 1), datetime.datetime(1970, 1, 1, 0, 25))",
        "5: (datetime.datetime(1970, 1, 1, 0, 25, tzinfo=datetime.timezone.utc), '00:25:00', "
        "'Thu Jan  1 00:25:00 1970', 25)",
    ]


def test_working_does_not_make_time_pass(run):
    code = "import time\na = time.time()\nfor i in range(100_000): pass\nprint(time.time() - a)"
    assert run(code).output == "4: (0.0,)"


def test_a_program_after_a_move_prints_what_it_prints_without(make):
    first = "import random\nxs = {str(random.random()) for i in range(50)}\nclass K: pass\nk = {K: 1}"
    second = "import random\nprint(xs, k, random.random(), K())"
    one, two = make(), make()
    one.run(first, seed=3)
    two.load(one.save())
    assert one.run(second, seed=4).output == two.run(second, seed=4).output
