"""Write the fixture of today's schema version; run once, when a version is made, and commit what it writes.

python -m tests.dataset.make_fixture tests/dataset/fixtures/v1
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fle_ray.dataset.states import KeepStates, state_address
from fle_ray.dataset.writer import RunWriter

from .samples import a_call, a_message, a_step, an_episode, an_event


def main(root: str) -> None:
    """A compacted, a plain, an owed and an open episode of two steps each, with states and events."""
    run = Path(root) / "test" / "old-run"
    with RunWriter(run, keep=KeepStates("last")) as writer:
        for episode in ("ep0", "ep1", "ep2", "ep3", "ep4"):
            if episode == "ep2":
                writer.compact()
            for step in range(2):
                state = f"world {episode} {step}".encode()
                writer.append(
                    a_step(step, episode=episode, run="old-run", world_state=state_address(state)),
                    [a_call(step, episode=episode, run="old-run")],
                    [a_message(step, episode=episode, run="old-run")],
                    states={state_address(state): state},
                )
            owed = {"status": "engine_error", "reason": "error", "success": None, "value": None}
            if episode != "ep4":
                end = owed if episode == "ep3" else {}
                writer.finish_episode(an_episode(episode=episode, run="old-run", steps=2, **end))
        writer.append_events([an_event(episode=None, run="old-run", value=1.5)])
    (run / ".lock").unlink()
    (run / "manifest.json").write_text(json.dumps({"run_id": "old-run", "name": "test"}) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
