"""The Ray backend: a pool of game actors, fed and listened to from this process.

Faults are ours to handle, not Ray's: an actor that dies is replaced by a new one, and its episode goes back to the
queue, to be taken up from its last acknowledged step. Ray's own restarts and retries are off, for a game has a state.
"""

from __future__ import annotations

import os
import secrets
import socket
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from fle_ray.agents.clients.endpoint import SERVICES
from fle_ray.config import RunnerConfig
from fle_ray.dataset.records import EpisodeRecord
from fle_ray.errors import ConfigError, EngineError, StorageError
from fle_ray.experiment.backend import Fault, Job, Work
from fle_ray.experiment.episode import Stopped
from fle_ray.experiment.gateway import Gateway
from fle_ray.paths import source_root

__all__ = ["RayBackend", "start_ray"]

_WAIT_S = 0.25
_CONNECT_S = 5.0
_ALONE_S = 30.0
_HEAR_EVERY_S = 1.0
GATEWAY = "fle_ray.gateway"
_STORE_BYTES = 200_000_000  # of a local Ray's object store; a step is some kilobytes
# Set before Ray is imported, where the user has not set them: no statistics, no banners, no notices about workers
# that the driver replaces anyway.
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_DISABLE_DOCKER_CPU_WARNING": "1",
    "RAY_IGNORE_UNHANDLED_ERRORS": "1",
    "RAY_DEDUP_LOGS_SKIP_REGEX": (
        "PYTHON worker processes have been started|A worker died or was killed while executing"
        "|so the task will be retried"
    ),
}


def start_ray(runner: RunnerConfig) -> Any:
    """Import Ray and start a local one, or join the cluster at `runner.address`; returns the module.

    A local Ray keeps its token authentication on, with a token made for it. One that is running already in this
    process is used as it is.

    Raises:
        ConfigError: no cluster answers at the address.
    """
    address = runner.address or os.environ.get("RAY_ADDRESS") or None
    if address is not None:
        _refuse_silence(address)
    if not runner.verbose:
        for name, value in _QUIET.items():
            os.environ.setdefault(name, value)
    if address is None:
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
    path = _python_path()
    os.environ["PYTHONPATH"] = path
    import ray

    if ray.is_initialized():
        return ray
    options: dict[str, Any] = {
        "log_to_driver": runner.verbose,
        "logging_level": "info" if runner.verbose else "error",
    }
    if address is None:
        # As many cores as games want: what runs at once is `runner.instances`, chosen by the user.
        cores = max(os.cpu_count() or 1, round((runner.instances or 0) * runner.cpus_per_instance) + 1)
        # "local", for without an address Ray would join a cluster that `ray start` has made on this machine.
        options |= {
            "address": "local",
            "num_cpus": cores,
            "include_dashboard": False,
            "object_store_memory": _STORE_BYTES,
        }
    else:
        options |= {"address": address, "runtime_env": {"env_vars": {"PYTHONPATH": path}}}
    try:
        ray.init(**options)
    except (ConnectionError, RuntimeError, ValueError) as error:
        if address is None:
            raise EngineError(f"A local Ray could not be started: {error}") from error
        raise _no_cluster(address, str(error).splitlines()[0]) from error
    return ray


def _refuse_silence(address: str) -> None:
    """Find out in seconds that nobody listens at `host:port`; Ray itself would try for minutes."""
    host, separator, port = address.removeprefix("ray://").rpartition(":")
    if not separator or not port.isdigit():
        return  # "auto", "local": Ray answers at once
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_S).close()
    except OSError as error:
        raise _no_cluster(address, error.strerror or str(error)) from error


def _no_cluster(address: str, why: str) -> ConfigError:
    return ConfigError(
        f"runner.address is {address!r}, but no Ray cluster answers there ({why}). Start one with `ray start --head`, "
        "or set runner.address=null for a local Ray."
    )


def _python_path() -> str:
    """PYTHONPATH for workers: what this process imports from, so that a checkout and a user's own modules are found."""
    own = [str(source_root())]
    if "" in sys.path or os.getcwd() in sys.path:
        own.append(os.getcwd())
    inherited = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p]
    return os.pathsep.join(dict.fromkeys([*own, *inherited]))


@dataclass
class _Played:
    """An episode that is being played."""

    work: Work
    job: Job
    actor: Any
    told: str | None = None  # the last order it was given
    concluded: bool = False  # its last item has come


class RayBackend:
    """Plays the episodes of one run, or of several, on a pool of `InstanceActor`s.

    Several runs are packed: an instance that has nothing to do in one run takes an episode of the next, and each game
    is kept from episode to episode, as long as the engine's configuration is the same.

    Args:
        runner: the runner's settings; those of each run where they are about an episode.
        episodes: how many there are to play; no more actors than that are made.
        make_gateway: makes the gateway to models, in an actor of its own; None lets each agent call by itself.
        placed: placement and name of every agent that will play; those of the first run when left out.
        start: starts or joins Ray and returns its module; by default for `runner`.
    """

    def __init__(
        self,
        runner: RunnerConfig,
        episodes: int,
        make_gateway: Callable[[], Gateway] | None = None,
        placed: Collection[tuple[str, str]] | None = None,
        start: Callable[[], Any] | None = None,
    ) -> None:
        self._start_ray = start or partial(start_ray, runner)
        self._make_gateway = make_gateway
        self._gateway: Any = None
        self._gateway_name: str | None = None
        self._notes: Any = None  # what the gateway was asked to tell
        self._notes_at = 0.0
        self._runner = runner
        self._episodes = episodes
        self._placed = placed
        self._ray: Any = None
        self._agents: Any = None
        self._starting: dict[Any, Any] = {}  # actors that a node has yet to take, by their answer to ready()
        self._free: deque[Any] = deque()
        self._playing: dict[Any, _Played] = {}  # by the generator of its items
        self._works: list[Work] = []  # the runs that are open, in order
        self._to_open: deque[Callable[[], Work | None]] = deque()
        self._broken: dict[str, StorageError] = {}  # runs whose records cannot be made durable any more, by id
        self._died: Counter[str] = Counter()  # actors lost, by the run they played for; "" before they played

    def prepare(self) -> None:
        """Start or join Ray. Raises ConfigError when no cluster answers at the address."""
        self._ray = self._start_ray()

    def run(self, work: Work) -> None:
        """Play one run. Raises StorageError when its records cannot be made durable."""

        def over(work: Work, trouble: StorageError | None) -> None:
            if trouble is not None:
                raise trouble

        self.run_all([lambda: work], over)

    def run_all(
        self, to_open: Iterable[Callable[[], Work | None]], over: Callable[[Work, StorageError | None], None]
    ) -> None:
        """Play several runs, packed. One that fails takes no other one down.

        Args:
            to_open: opens one run each, called when an instance would have nothing to do otherwise; a None has been
                dealt with by itself.
            over: called when a run has nothing more to play; with why, when its records could not be made durable.
        """
        self._to_open.extend(to_open)
        try:
            self._play(over)
        finally:
            playing = [played.actor for played in self._playing.values()]
            for actor in [*self._starting.values(), *self._free, *playing]:
                self._ray.kill(actor)
            if self._agents is not None:
                self._ray.kill(self._agents)
            if self._gateway is not None:
                self._hear_gateway(last=True)
                self._ray.kill(self._gateway)

    def stop_now(self) -> None:
        raise KeyboardInterrupt

    # -- the pool

    def _make_pool(self, first: Work) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        from fle_ray.experiment.actors import AgentActor, GatewayActor

        if self._ray is None:
            self.prepare()
        agents = self._placed
        if agents is None:
            agents = {(agent.placement, agent.name) for spec in first.specs for agent in spec.agents}
        if self._make_gateway is not None and any(at == "actor" or name in SERVICES for at, name in agents):
            # Beside the driver, whose environment holds the keys and whose disk the cache.
            here = NodeAffinitySchedulingStrategy(self._ray.get_runtime_context().get_node_id(), soft=False)
            self._gateway_name = f"{GATEWAY}-{first.run_id}-{secrets.token_hex(3)}"
            self._gateway = GatewayActor.options(num_cpus=0, name=self._gateway_name, scheduling_strategy=here).remote(
                self._make_gateway
            )
        if any(at == "actor" for at, _ in agents):
            self._agents = AgentActor.options(num_cpus=0).remote(self._gateway_name)
        instances = self._runner.instances or _cores(self._ray)
        for _ in range(max(1, min(instances, self._episodes))):
            self._start_actor()

    def _start_actor(self) -> None:
        """Ask for one more actor; it gets a job when it has started, for the cluster may have no room for it."""
        from fle_ray.experiment.actors import InstanceActor

        options: dict[str, Any] = {"num_cpus": self._runner.cpus_per_instance}
        if self._runner.memory_per_instance_mb is not None:
            options["memory"] = int(self._runner.memory_per_instance_mb * 1_000_000)
        actor = InstanceActor.options(**options).remote(self._agents, self._gateway_name)
        self._starting[actor.ready.remote()] = actor

    def _replace(self, actor: Any, work: Work | None, why: str) -> None:
        """A new actor for one that died; a run in which `max_restarts` of them have died gives up.

        Args:
            work: the run it played for; None for one that had not started, which counts for every run.
        """
        self._ray.kill(actor)
        self._died[work.run_id if work is not None else ""] += 1
        for one in self._works if work is None else [work]:
            died = self._died[one.run_id] + self._died[""]
            if died > self._runner.max_restarts:
                with self._durable(one):
                    one.give_up(f"{died} instances have died (runner.max_restarts), the last one of: {why}")
        if self._died[""] > self._runner.max_restarts:
            self._to_open.clear()  # nothing to play them on; they are owed
        if self._to_open or any(not one.finished for one in self._works):
            self._start_actor()

    # -- the runs

    @contextmanager
    def _durable(self, work: Work) -> Iterator[None]:
        """What makes a run's records durable; where that fails, the run alone is over."""
        try:
            yield
        except StorageError as error:
            self._broken.setdefault(work.run_id, error)

    def _start_next(self) -> bool:
        """Give a free instance the earliest run's next episode, for so runs end early; False when there is none."""
        for work in self._works:
            if (job := self._job_of(work)) is not None:
                self._start(work, job, self._free.popleft())
                return True
        return False

    def _open_next(self) -> Work | None:
        """Open the next run that can be opened; None when there is none."""
        while self._to_open:
            if (work := self._to_open.popleft()()) is not None:
                self._works.append(work)
                return work
        return None

    def _job_of(self, work: Work) -> Job | None:
        with self._durable(work):
            return work.next_job() if work.run_id not in self._broken else None
        return None

    def _close_works(self, over: Callable[[Work, StorageError | None], None]) -> None:
        """Let go of runs that have nothing more to play, and of those that are broken."""
        for work in list(self._works):
            own = [generator for generator, played in self._playing.items() if played.work is work]
            trouble = self._broken.get(work.run_id)
            if trouble is None and (own or not work.finished):
                continue
            self._hear_gateway(last=True)  # what its last calls cost
            self._works.remove(work)
            for generator in own:  # of a broken run
                self._ray.kill(self._playing.pop(generator).actor)
                if self._to_open or self._works:
                    self._start_actor()
            over(work, self._broken.get(work.run_id))

    # -- playing

    def _play(self, over: Callable[[Work, StorageError | None], None]) -> None:
        while not self._works and self._open_next() is not None:
            self._close_works(over)  # what was played before; if it is everything, Ray is not needed
        if self._works:
            self._make_pool(self._works[0])
        alone_since = time.monotonic()  # since when no actor has been there
        while True:
            self._close_works(over)  # first, so that no more runs are open than there are instances
            while self._free and (self._start_next() or self._open_next() is not None):
                self._close_works(over)
            self._close_works(over)
            if not self._works and self._open_next() is None:
                return
            if self._playing or self._free:
                alone_since = time.monotonic()
            elif time.monotonic() - alone_since > _ALONE_S:
                alone_since = float("inf")  # said once
                self._works[0].note(
                    f"No instance has started for {_ALONE_S:.0f} s; Ray must have {self._runner.cpus_per_instance:g} "
                    "free CPU for one (runner.cpus_per_instance). Still waiting."
                )
            self._hear_gateway()
            for played in self._playing.values():
                order = played.work.order()
                if order != played.told:
                    played.told = order
                    played.actor.order.remote(order)
            waiting = [*self._playing, *self._starting]
            if not waiting:  # paused
                time.sleep(_WAIT_S)
                continue
            ready, _ = self._ray.wait(waiting, num_returns=1, timeout=_WAIT_S)
            if ready:
                ready, _ = self._ray.wait(waiting, num_returns=len(waiting), timeout=0)
            for source in ready:
                if source in self._starting:
                    self._started(source)
                else:
                    self._advance(source)

    def _hear_gateway(self, *, last: bool = False) -> None:
        """Record, now and then, what the gateway has to tell, in the runs that it concerns."""
        if self._gateway is None:
            return
        if last and self._notes is not None:
            self._take_notes(_CONNECT_S)
        if self._notes is None and (last or time.monotonic() - self._notes_at > _HEAR_EVERY_S):
            self._notes = self._gateway.take_notes.remote()
        if self._notes is not None:
            self._take_notes(_CONNECT_S if last else 0)

    def _take_notes(self, timeout_s: float) -> None:
        from ray.exceptions import RayError

        ready, _ = self._ray.wait([self._notes], timeout=timeout_s)
        if not ready:
            return
        answer, self._notes, self._notes_at = self._notes, None, time.monotonic()
        try:
            notes = self._ray.get(answer)
        except RayError as error:  # it has died and is started anew, by Ray
            for work in self._works[:1]:
                work.note(f"The gateway to models: {_in_one_line(error)}")
            return
        for work in self._works:
            with self._durable(work):
                work.take_notes([note for note in notes if note.run_id in (None, work.run_id)])

    def _started(self, answer: Any) -> None:
        from ray.exceptions import RayError

        actor = self._starting.pop(answer)
        try:
            self._ray.get(answer)
        except RayError as error:
            self._replace(actor, None, _in_one_line(error))
        else:
            self._free.append(actor)

    def _start(self, work: Work, job: Job, actor: Any) -> None:
        # One item ahead at most, and each step is followed by a None that is taken when the step is durable.
        streaming = actor.play.options(num_returns="streaming", _generator_backpressure_num_objects=1)
        self._playing[streaming.remote(job)] = _Played(work, job, actor)

    def _advance(self, generator: Any) -> None:
        """Take the next item of an episode, or see that it is over or lost."""
        from ray.exceptions import RayError

        played = self._playing[generator]
        work = played.work
        try:
            item = self._ray.get(next(generator))
        except StopIteration:
            del self._playing[generator]
            self._free.append(played.actor)
            if not played.concluded:
                fault = Fault("ProtocolError", "The instance ended an episode without saying how.")
                with self._durable(work):
                    work.take(played.job, fault)
            return
        except RayError as error:
            del self._playing[generator]
            why = _in_one_line(error)
            if not played.concluded:
                with self._durable(work):
                    work.take(played.job, Fault(type(error).__name__, why))
            self._replace(played.actor, work, why)
            return
        if item is None:
            return
        played.concluded = isinstance(item, (EpisodeRecord, Stopped, Fault))
        with self._durable(work):
            work.take(played.job, item)


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:500]


def _cores(ray: Any) -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))
