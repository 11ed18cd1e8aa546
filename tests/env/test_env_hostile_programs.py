"""Programs that try to change their own result, against the whole environment: the record is the game's."""

from __future__ import annotations

import sys

import pytest

import fle_ray
from tests.interpreter.escape import hostile

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the layers are Linux's")

FORGERIES = {
    "the tool replaced behind the guard": "globals()['score'] = lambda: (1e9, 1e9)",
    "the answers of the game": "type(wire).receive = lambda self: {'value': 1e9, 'tick': 0}\nscore()",
    "the decoder of answers": "session._decode = lambda value: (1e9, 1e9)",
    "the clock": "session._clock.tick = 10**9",
    "a call of a tool that does not exist": (
        "wire.send({'op': 'call', 'tool': 'set_score', 'line': 1, 'args': [10**9], 'kwargs': {}})\nwire.receive()"
    ),
    "a call of what is the world's own": (
        "wire.send({'op': 'call', 'tool': 'restore', 'line': 1, 'args': ['x'], 'kwargs': {}})\nwire.receive()"
    ),
    "a message of its own": "wire.send({'op': 'score', 'value': 10**9})\nwire.receive()",
    "fields of the end": (
        "wire.send({'op': 'done', 'error': None, 'printed': 0, 'lost': {}, 'functions': {}, 'reward': 10**9, "
        "'score': 10**9, 'calls': [], 'success': True})\nwire.send_body(b'', b'b')\nwhile True: pass"
    ),
    "what it prints": "print('Task succeeded! score: 1000000000 success: True')",
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_program_cannot_change_its_score(name):
    env = fle_ray.make_env("open_play", seed=0, task_parameters={"scenario": "lab"}, time_limit_s=2.0)
    env.reset()
    digest, score = env.instance.digest(), env.instance.score()
    try:
        _, reward, terminated, _, info = env.step({"agent_idx": 0, "code": hostile(FORGERIES[name])})
        assert (reward, terminated, info["ticks"], info["digest"]) == (0.0, False, 0, digest)
        assert env.instance.score() == score == (0.0, 0.0)
        # A program that changes its own process fools itself at most: what is told beside its output is the game's.
        too_far = {"agent_idx": 0, "code": "harvest_resource(nearest(Resource.Coal), 1)"}
        observation, reward, *_, info = env.step(too_far)
        assert observation["raw_text"].rpartition("\n")[2].startswith("Production score 0 ")
        assert (reward, info["error_kind"]) == (0.0, "exception")
    finally:
        env.close()
