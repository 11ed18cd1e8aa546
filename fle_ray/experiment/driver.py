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
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from fle_ray.agents.clients.endpoint import SERVICES
from fle_ray.config import RunnerConfig
from fle_ray.dataset.records import EpisodeRecord
from fle_ray.errors import ConfigError, EngineError
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

    job: Job
    actor: Any
    concluded: bool = False  # its last item has come


class RayBackend:
    """Plays episodes on a pool of `InstanceActor`s.

    Args:
        runner: the runner's settings.
        episodes: how many there are to play; no more actors than that are made.
        make_gateway: makes the gateway to models, in an actor of its own; None lets each agent call by itself.
    """

    def __init__(self, runner: RunnerConfig, episodes: int, make_gateway: Callable[[], Gateway] | None = None) -> None:
        self._make_gateway = make_gateway
        self._gateway: Any = None
        self._gateway_name: str | None = None
        self._notes: Any = None  # what the gateway was asked to tell
        self._notes_at = 0.0
        self._runner = runner
        self._episodes = episodes
        self._ray: Any = None
        self._agents: Any = None
        self._starting: dict[Any, Any] = {}  # actors that a node has yet to take, by their answer to ready()
        self._free: deque[Any] = deque()
        self._playing: dict[Any, _Played] = {}  # by the generator of its items
        self._replaced = 0

    def prepare(self) -> None:
        """Start or join Ray. Raises ConfigError when no cluster answers at the address."""
        self._ray = start_ray(self._runner)

    def run(self, work: Work) -> None:
        if self._ray is None:
            self.prepare()
        try:
            self._make_pool(work)
            self._play(work)
        finally:
            playing = [played.actor for played in self._playing.values()]
            for actor in [*self._starting.values(), *self._free, *playing]:
                self._ray.kill(actor)
            if self._agents is not None:
                self._ray.kill(self._agents)
            if self._gateway is not None:
                self._hear_gateway(work, last=True)
                self._ray.kill(self._gateway)

    def stop_now(self) -> None:
        raise KeyboardInterrupt

    # -- the pool

    def _make_pool(self, work: Work) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        from fle_ray.experiment.actors import AgentActor, GatewayActor

        agents = {(agent.placement, agent.name) for spec in work.specs for agent in spec.agents}
        if self._make_gateway is not None and any(at == "actor" or name in SERVICES for at, name in agents):
            # Beside the driver, whose environment holds the keys and whose disk the cache.
            here = NodeAffinitySchedulingStrategy(self._ray.get_runtime_context().get_node_id(), soft=False)
            self._gateway_name = f"{GATEWAY}-{work.run_id}-{secrets.token_hex(3)}"
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

    def _replace(self, actor: Any, work: Work, why: str) -> None:
        """A new actor for one that died; after `max_restarts` of them the run gives up."""
        self._ray.kill(actor)
        self._replaced += 1
        if self._replaced > self._runner.max_restarts:
            work.give_up(f"{self._replaced} instances have died (runner.max_restarts), the last one of: {why}")
            return
        self._start_actor()

    # -- playing

    def _play(self, work: Work) -> None:
        told: str | None = None
        alone_since = time.monotonic()  # since when no actor has been there
        while True:
            while self._free and (job := work.next_job()) is not None:
                self._start(job, self._free.popleft())
            if not self._playing and (work.finished or not (self._free or self._starting)):
                return
            if self._playing or self._free:
                alone_since = time.monotonic()
            elif time.monotonic() - alone_since > _ALONE_S:
                alone_since = float("inf")  # said once
                work.note(
                    f"No instance has started for {_ALONE_S:.0f} s; Ray must have {self._runner.cpus_per_instance:g} "
                    "free CPU for one (runner.cpus_per_instance). Still waiting."
                )
            self._hear_gateway(work)
            order = work.order()
            if order != told:
                told = order
                for played in self._playing.values():
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
                    self._started(source, work)
                else:
                    self._advance(source, work)

    def _hear_gateway(self, work: Work, *, last: bool = False) -> None:
        """Record, now and then, what the gateway has to tell."""
        from ray.exceptions import RayError

        if self._gateway is None:
            return
        if self._notes is None and (last or time.monotonic() - self._notes_at > _HEAR_EVERY_S):
            self._notes = self._gateway.take_notes.remote()
        if self._notes is None:
            return
        ready, _ = self._ray.wait([self._notes], timeout=_CONNECT_S if last else 0)
        if not ready:
            return
        answer, self._notes, self._notes_at = self._notes, None, time.monotonic()
        try:
            work.take_notes(self._ray.get(answer))
        except RayError as error:  # it has died and is started anew, by Ray
            work.note(f"The gateway to models: {_in_one_line(error)}")

    def _started(self, answer: Any, work: Work) -> None:
        from ray.exceptions import RayError

        actor = self._starting.pop(answer)
        try:
            self._ray.get(answer)
        except RayError as error:
            self._replace(actor, work, _in_one_line(error))
        else:
            self._free.append(actor)

    def _start(self, job: Job, actor: Any) -> None:
        # One item ahead at most, and each step is followed by a None that is taken when the step is durable.
        streaming = actor.play.options(num_returns="streaming", _generator_backpressure_num_objects=1)
        self._playing[streaming.remote(job)] = _Played(job, actor)

    def _advance(self, generator: Any, work: Work) -> None:
        """Take the next item of an episode, or see that it is over or lost."""
        from ray.exceptions import RayError

        played = self._playing[generator]
        try:
            item = self._ray.get(next(generator))
        except StopIteration:
            del self._playing[generator]
            self._free.append(played.actor)
            if not played.concluded:
                work.take(played.job, Fault("ProtocolError", "The instance ended an episode without saying how."))
            return
        except RayError as error:
            del self._playing[generator]
            why = _in_one_line(error)
            if not played.concluded:
                work.take(played.job, Fault(type(error).__name__, why))
            self._replace(played.actor, work, why)
            return
        if item is None:
            return
        played.concluded = isinstance(item, (EpisodeRecord, Stopped, Fault))
        work.take(played.job, item)


def _in_one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:500]


def _cores(ray: Any) -> int:
    return max(1, int(ray.cluster_resources().get("CPU", 1)))
