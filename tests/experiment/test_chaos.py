"""Whatever is killed, at whatever moment, the run that is gone on with has the steps of the undisturbed one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from fle_ray.env.environment import FactorioEnv
from fle_ray.env.session import child_sessions
from fle_ray.errors import EngineError
from fle_ray.experiment import build
from fle_ray.experiment.spec import PartSpec
from fle_ray.interpreter.limits import Limits
from fle_ray.tasks import get_task
from tests.env.fakes import FakeInstance
from tests.experiment.kit import REPOSITORY, env_for_processes


class KillingGame(FakeInstance):
    """Kills the child that calls `sleep`, the first `kills` times."""

    def __init__(self, kills: int) -> None:
        self.kills, self.sessions = kills, []
        super().__init__()

    def _tool_sleep(self, agent_idx, *args):
        if self.kills > 0:
            self.kills -= 1
            os.kill(self.sessions[0]._holder.child.pid, signal.SIGKILL)
        return super()._tool_sleep(agent_idx, *args)


def environment(kills):
    game = KillingGame(kills)
    make = child_sessions(Limits(wall_s=30.0))

    def noted(*args, **kwargs):
        game.sessions.append(make(*args, **kwargs))
        return game.sessions[-1]

    env = FactorioEnv(game, get_task("open_play"), make_session=noted)
    env.reset(seed=0)
    return env, game


PROGRAM = {"agent_idx": 0, "code": "x = 1\nsleep(2)\nx = x + 1\nprint(x)"}


def test_a_program_whose_child_is_killed_from_outside_is_run_again_from_where_it_began():
    outcomes = []
    for kills in (0, 1):
        env, game = environment(kills)
        try:
            observation, *_, info = env.step(PROGRAM)
            outcomes.append((observation["raw_text"], info["error_kind"], info["ticks"], info["digest"]))
            assert game.kills == 0
        finally:
            game.sessions[0].close()
    assert outcomes[0] == outcomes[1] and outcomes[0][1] is None


def test_a_program_whose_child_is_killed_each_time_is_out_of_memory_and_undone():
    env, game = environment(kills=2)
    try:
        *_, info = env.step(PROGRAM)
        assert (info["error_kind"], info["ticks"]) == ("memory", 0)
        *_, info = env.step({"agent_idx": 0, "code": "print(x)"})
        assert "NameError" in info["result"]
    finally:
        game.sessions[0].close()


def test_variables_are_not_lost_when_the_child_is_killed_while_it_takes_them_up(monkeypatch):
    env, game = environment(kills=0)
    session = game.sessions[0]
    try:
        env.step({"agent_idx": 0, "code": "x = 7"})
        os.kill(session._holder.child.pid, signal.SIGKILL)
        from fle_ray.interpreter import interpreter as module

        send = module.Child.send_body

        def killed(child, body, *kind):
            if body == session._state:
                os.kill(child.pid, signal.SIGKILL)
                child._process.wait()
            return send(child, body, *kind)

        monkeypatch.setattr(module.Child, "send_body", killed)
        with pytest.raises(EngineError, match="killed while it took up its session"):
            env.step({"agent_idx": 0, "code": "print(x)"})
        monkeypatch.undo()
        observation, *_ = env.step({"agent_idx": 0, "code": "print(x)"})
        assert "(7,)" in observation["raw_text"]
    finally:
        session.close()


@pytest.mark.parametrize(("kills", "starts"), [(2, True), (3, False)])
def test_a_child_that_is_killed_while_asked_for_its_layers_is_started_again(monkeypatch, kills, starts):
    from fle_ray.interpreter import process

    spawn, killed = process.Child._spawn, []

    def spawned(folder):
        child = spawn(folder)
        if len(killed) < kills:
            killed.append(child.pid)
            child.kill()
        return child

    monkeypatch.setattr(process.Child, "_spawn", staticmethod(spawned))
    if starts:
        assert build.isolation_layers(PartSpec("child"))
    else:
        with pytest.raises(EngineError, match="did not start"):
            build.isolation_layers(PartSpec("child"))
    assert len(killed) == kills


@pytest.mark.slow
@pytest.mark.ray
def test_ten_seeded_kills_change_no_step():
    done = subprocess.run(
        [sys.executable, "-m", "scripts.chaos", "--kills", "10", "--seed", "7"],
        capture_output=True,
        text=True,
        cwd=REPOSITORY,
        env=env_for_processes(),
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "10 kills" in done.stdout and done.stdout.strip().endswith("all as undisturbed")
