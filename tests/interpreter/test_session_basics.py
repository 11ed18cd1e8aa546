from __future__ import annotations

from fle_ray.interpreter import Interpreter


def test_variables_stay_from_one_program_to_the_next() -> None:
    with Interpreter(lambda tool, args, kwargs: None, tools=["sleep"]) as interpreter:
        interpreter.run("x = 2", seed=0)
        assert interpreter.run("print(x * 3)", seed=0).output == "1: (6,)"
