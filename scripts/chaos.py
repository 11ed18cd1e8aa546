"""Kill parts of a run with SIGKILL at random moments, go on, and compare with the undisturbed run.

    python -m scripts.chaos --kills 200 --seed 0

Plays small runs on Ray: one whose agents ask a model over HTTP (a local server that answers by a hash of what it is
sent), each in the shared agent actor, and one of agents beside their game. While they play, an instance, the agent
actor, the gateway, an interpreter's child or the driver is killed, each kind equally often; a driver is started again
with the same command. A quarter of the kills come before anything new is recorded: while Ray, actors and games start,
and while a run takes up what an earlier kill left. When a run is complete, every column of its steps but times and
hosts is compared, byte for byte, with the steps of the same run that nobody disturbed. Kinds and moments are drawn
from the seed.

Says on stderr what each run came to, and prints one line; the exit status is 0 when no run differs. `--play` is what
it starts as drivers.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from rich.console import Console

from fle_ray.config import load_config
from fle_ray.dataset import open_run
from fle_ray.experiment.run import Invocation, run_experiment

KINDS = {
    "instance": "ray::InstanceActor",
    "agent": "ray::AgentActor",
    "gateway": "ray::GatewayActor",
    "child": " -s -S -P -B ",
    "driver": "",
}
"""What is killed, and how its command line is recognised among the driver's descendants."""
RAYS_OWN = ("ray::DashboardAgent", "ray::RuntimeEnvAgent")
"""Ray's processes that stay for half a minute when a driver is killed, and have no part in a run."""
WITH_MODEL, BESIDE = "model", "beside"
TIMES_AND_HOSTS = ("waited_s", "act_wall_s", "run_wall_s", "judge_wall_s", "wall_s", "started_at", "host")
RUN_ID = "chaos"
STEPS = 30  # of each of the four episodes of a run
PROGRAMS = (
    "x = {n}\nprint(x)",
    "x = globals().get('x', 0) + {n}\nprint(x)",
    "sleep({n})",
    "print(move_to(Position(x={n}, y=-{n})))",
    "print(harvest_resource(nearest(Resource.Coal), {n}))",
    "print(place_entity(Prototype.WoodenChest, position=Position(x={n}, y=5)))",
    "print(craft_item(Prototype.IronGearWheel, {n}))",
    "print(sum(i * i for i in range({n}00_000)))",
    "print(undefined_{n})",
)
_STUCK_S = 180.0
_EARLY = 0.25  # share of the kills that do not wait for a new record
_DRIVER_STARTS_S = 8.0  # from its beginning to its first record; early kills of a driver fall within


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--play", nargs=3, metavar=("SETUP", "ROOT", "URL"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.play:
        return play(*given.play)
    with tempfile.TemporaryDirectory() as folder, ModelService() as service:
        line, good = chaos(Path(folder), service.url, given.kills, given.seed)
    print(line)
    return 0 if good else 1


def chaos(folder: Path, url: str, kills: int, seed: int) -> tuple[str, bool]:
    """Play and kill until `kills` are done and the last run is complete; the line to print, and whether all is well."""
    rng = random.Random(seed)
    began = time.monotonic()
    wanted: dict[str, list[bytes]] = {}
    killed: Counter[str] = Counter()
    runs = steps = early = 0
    different: list[str] = []
    while killed.total() < kills:
        setup = (WITH_MODEL, BESIDE)[runs % 2]
        if setup not in wanted:
            calm = folder / f"calm-{setup}"
            code = Driver(setup, calm, url).wait()
            if code != 0:
                return f"chaos: the undisturbed run {setup!r} ended with status {code}", False
            wanted[setup] = compared(calm)
        root = folder / f"hit-{runs}"
        before, run_began = killed.copy(), time.monotonic()
        early += disturb(setup, root, url, rng, killed, kills)
        found = compared(root)
        differ = [f"run {runs} ({setup}), {what}" for what in differences(wanted[setup], found)]
        different += differ
        runs, steps = runs + 1, steps + len(found)
        print(
            f"run {runs} ({setup}): {listed(killed - before)}; {len(found)} steps, "
            f"{time.monotonic() - run_began:.0f} s, {'; '.join(differ) or 'as undisturbed'}; "
            f"{killed.total()} of {kills} kills",
            file=sys.stderr,
            flush=True,
        )
        shutil.rmtree(root)
    verdict = "all as undisturbed" if not different else f"{len(different)} differ: " + "; ".join(different[:5])
    return (
        f"chaos: seed {seed}, {killed.total()} kills ({listed(killed)}; {early} before anything new was recorded), "
        f"{runs} runs, {steps} steps, {time.monotonic() - began:.0f} s: {verdict}"
    ), not different


def listed(killed: Counter[str]) -> str:
    return ", ".join(f"{name} {killed[name]}" for name in KINDS if killed[name]) or "nothing killed"


def disturb(setup: str, root: Path, url: str, rng: random.Random, killed: Counter[str], kills: int) -> int:
    """Play one run to its end, killing on the way; how many of the kills came before anything new was recorded."""
    kinds = [kind for kind in KINDS if setup == WITH_MODEL or kind not in ("agent", "gateway")]
    driver, early_kills = Driver(setup, root, url), 0
    try:
        while (code := driver.poll()) is None:
            if killed.total() >= kills:
                driver.wait()
                continue
            fewest = min(killed[kind] for kind in kinds)
            kind = rng.choice([kind for kind in kinds if killed[kind] == fewest])
            early, moment = rng.random() < _EARLY, rng.random()
            if early and not driver.starting(kind, moment):
                continue
            if not early:
                if not driver.playing():
                    continue
                time.sleep(0.5 * moment)
            recorded = driver.has_recorded()
            if driver.kill(kind, rng):
                killed[kind] += 1
                early_kills += not recorded
                if kind == "driver":
                    driver.close()
                    driver = Driver(setup, root, url)
        if code != 0:
            raise RuntimeError(f"The driver ended with status {code}: {driver.said()}")
    finally:
        driver.close()
    return early_kills


class Driver:
    """The process of a run, and all that it started."""

    def __init__(self, setup: str, root: Path, url: str) -> None:
        self._root = root
        self._said = tempfile.TemporaryFile("w+")
        self._journals = _size(root)
        self._began = time.monotonic()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "scripts.chaos", "--play", setup, str(root), url],
            stdout=subprocess.DEVNULL,
            stderr=self._said,
        )

    def poll(self) -> int | None:
        return self._process.poll()

    def said(self) -> str:
        self._said.seek(0)
        return self._said.read()[-2000:]

    def wait(self) -> int:
        return self._process.wait(timeout=_STUCK_S)

    def has_recorded(self) -> bool:
        """Whether anything was recorded since the driver began, or since the last kill."""
        return _size(self._root) != self._journals

    def playing(self) -> bool:
        """Wait until something is recorded; False when the driver has ended instead."""
        return self._await(self.has_recorded)

    def starting(self, kind: str, moment: float) -> bool:
        """Wait until a process of a kind is there, for the driver until a moment (0 to 1) of its start; False when
        the driver has ended instead.
        """
        if kind == "driver":
            return self._await(lambda: time.monotonic() - self._began > moment * _DRIVER_STARTS_S)
        return self._await(lambda: bool(self._of(kind)))

    def _await(self, there: Callable[[], bool]) -> bool:
        until = time.monotonic() + _STUCK_S
        while not there():
            if self.poll() is not None:
                return False
            if time.monotonic() > until:
                raise RuntimeError(f"Nothing happened in {_STUCK_S:.0f} s: {self.said()}")
            time.sleep(0.02)
        return True

    def _of(self, kind: str) -> list[int]:
        return [pid for pid, command in descendants(self._process.pid) if KINDS[kind] in command]

    def kill(self, kind: str, rng: random.Random) -> bool:
        """Kill one process of a kind; False when there is none at the moment."""
        if kind == "driver":
            if self.poll() is not None:
                return False
            self._end()
            return True
        found = self._of(kind)
        if not found or self.poll() is not None:
            return False
        self._journals = _size(self._root)
        return _kill(rng.choice(found))

    def close(self) -> None:
        if self.poll() is None:
            self._end()
        self._said.close()

    def _end(self) -> None:
        rest = descendants(self._process.pid)
        self._process.kill()
        self._process.wait()
        for pid, command in rest:
            if command.startswith(RAYS_OWN):
                _kill(pid)
        _await_end([pid for pid, _ in rest])


def _size(root: Path) -> int:
    return sum(path.stat().st_size for path in root.glob("**/*.jsonl*") if path.exists())


def descendants(pid: int) -> list[tuple[int, str]]:
    """Processes below one, with their command lines, oldest first."""
    children: dict[int, list[tuple[int, str]]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            children.setdefault(parent, []).append((int(folder.name), command))
    found: list[tuple[int, str]] = []
    todo = [pid]
    while todo:
        below = sorted(children.get(todo.pop(0), []))
        found += below
        todo += [one for one, _ in below]
    return found


def _await_end(pids: list[int]) -> None:
    """Wait for what a killed driver left; what lingers is ended."""
    until = time.monotonic() + 15.0
    while any(_lives(pid) for pid in pids):
        if time.monotonic() > until:
            for pid in pids:
                if _lives(pid):
                    _kill(pid)
            return
        time.sleep(0.05)


def _kill(pid: int) -> bool:
    """SIGKILL; False when the process has ended by itself."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return False
    return True


def _lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# ---- what is compared


def compared(root: Path) -> list[bytes]:
    """Each step as bytes, without times and hosts, in order."""
    rows = open_run(root / "chaos" / RUN_ID).arrow("steps").to_pylist()
    rows.sort(key=lambda row: (row["episode_id"], row["step"]))
    kept = ({k: v for k, v in row.items() if k not in TIMES_AND_HOSTS} for row in rows)
    return [json.dumps(row, sort_keys=True, default=str).encode() for row in kept]


def differences(wanted: list[bytes], found: list[bytes]) -> Iterator[str]:
    if len(wanted) != len(found):
        yield f"{len(found)} steps instead of {len(wanted)}"
        return
    for one, other in zip(wanted, found, strict=True):
        if one != other:
            before, after = json.loads(one), json.loads(other)
            names = [name for name in before if before[name] != after[name]]
            yield f"episode {before['episode_id']} step {before['step']}: {', '.join(names)}"


# ---- what is played


def play(setup: str, root: str, url: str) -> int:
    """The driver: play or go on with the run."""
    os.environ.setdefault("OPENAI_API_KEY", "none")
    model = {"name": "openai", "placement": "actor", "model": "hashing", "base_url": url}
    beside = {"name": "random", "programs": [program.format(n=2) for program in PROGRAMS]}
    config = load_config(
        {
            "name": "chaos",
            "tasks": ["open_play", "iron_ore_throughput"],
            "seeds": [0, 1],
            "agent": model if setup == WITH_MODEL else beside,
            "engine": "sim",
            "interpreter": "child",
            "runner": {
                "backend": "ray",
                "instances": 2,
                "max_steps": STEPS,
                "progress": "none",
                "max_episode_retries": 1_000_000,
                "max_restarts": 1_000_000,
            },
            "dataset": {"states": "last"},
            "run": {"root": root, "id": RUN_ID},
        }
    )
    return run_experiment(config, Invocation(), console=Console(file=io.StringIO()))


class ModelService:
    """A model on this machine that speaks the OpenAI chat API and answers by a hash of what it is sent, after
    `latency_s`.
    """

    def __init__(self, latency_s: float = 0.05) -> None:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                answer = json.dumps(_answer(body)).encode()
                time.sleep(latency_s)
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: Any) -> None:
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_: Any) -> None:
                pass  # who asked was killed

        self._http = Server(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> ModelService:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()


def _answer(body: dict[str, Any]) -> dict[str, Any]:
    text = json.dumps(body["messages"], sort_keys=True)
    digest = hashlib.sha256(text.encode()).digest()
    program = PROGRAMS[digest[0] % len(PROGRAMS)].format(n=digest[1] % 5 + 1)
    return {
        "id": digest.hex()[:12],
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": f"Next.\n```python\n{program}\n```"},
            }
        ],
        "usage": {"prompt_tokens": len(text) // 4, "completion_tokens": len(program), "total_tokens": 0},
    }


if __name__ == "__main__":
    sys.exit(main())
