"""Every error fle_ray raises, in one tree.

FleRayError
├─ ConfigError            wrong before anything started: one clear line, exit status 2
│  ├─ BlueprintError      a blueprint string that cannot be read or built
│  └─ UnknownName         a name nobody registered; carries the nearest known ones
├─ EpisodeError           something ended an episode; carries run_id, episode_id, step
│  ├─ EngineError         the game or the simulator failed      -> play the episode elsewhere
│  │  ├─ InstanceClosed   the instance was used after close()
│  │  └─ SnapshotError    a snapshot is damaged or of another version
│  ├─ ProviderError       the model service failed              -> wait, retry, owe the episode
│  ├─ AgentError          an agent class raised                 -> do not retry
│  └─ BudgetExceeded      a limit was reached                   -> a result, not a failure
├─ StorageError           rows could not be made durable        -> stop the run
├─ ToolError              a tool refused: the program sees it as an exception and may catch it
├─ StepLimit              a step used up its ticks or calls: ends the program, keeps what was done
├─ CannotPlace            the game refuses to build something somewhere
├─ CannotSet              an entity refuses a setting: a recipe it cannot make, a module it does not take
├─ CannotResearch         a technology cannot be researched now
└─ Unsupported            a mechanic of the game that this engine does not have, by name

Families follow what the caller does next, not where the error was raised.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "AgentError",
    "BlueprintError",
    "BudgetExceeded",
    "CannotPlace",
    "CannotResearch",
    "CannotSet",
    "ConfigError",
    "EngineError",
    "EpisodeError",
    "FleRayError",
    "InstanceClosed",
    "ProviderError",
    "SnapshotError",
    "StepLimit",
    "StorageError",
    "ToolError",
    "UnknownName",
    "Unsupported",
    "nearest_names",
]


def nearest_names(name: str, known: Iterable[str], *, most: int = 3) -> list[str]:
    """Known names that look like `name`, best first; at most `most`, possibly none."""
    return difflib.get_close_matches(name, sorted(known), n=most, cutoff=0.6)


class FleRayError(Exception):
    """Base of all errors of this package."""


class ConfigError(FleRayError):
    """The configuration is wrong. Raised before anything starts; shown as one line."""


class BlueprintError(ConfigError):
    """A blueprint string is damaged, too large or no blueprint, or cannot be built as a whole."""


class UnknownName(ConfigError):
    """A task, agent, engine, item ... that does not exist.

    Args:
        kind: what was looked up, e.g. "task".
        name: what was asked for.
        known: every name that would have worked.
        hint: what to do next, as a sentence (optional).
    """

    def __init__(self, kind: str, name: str, known: Iterable[str], hint: str = "") -> None:
        self.kind = kind
        self.name = name
        self.nearest = nearest_names(name, known)
        text = f"No {kind} {name!r}."
        if self.nearest:
            text += " Did you mean " + " or ".join(repr(n) for n in self.nearest) + "?"
        if hint:
            text += f" {hint}"
        super().__init__(text)


class EpisodeError(FleRayError):
    """Something ended an episode.

    Attributes:
        run_id, episode_id: where it happened; None when not yet known.
        step: zero-based step of the episode; None when not in a step.
    """

    def __init__(
        self,
        message: str,
        *,
        run_id: str | None = None,
        episode_id: str | None = None,
        step: int | None = None,
    ) -> None:
        super().__init__(message)
        self.run_id = run_id
        self.episode_id = episode_id
        self.step = step


class EngineError(EpisodeError):
    """The game or the simulator failed; another instance may succeed."""


class InstanceClosed(EngineError):
    """The instance was used after `close()`."""


class SnapshotError(EngineError):
    """A snapshot cannot be restored: damaged, or of another version."""


class ProviderError(EpisodeError):
    """The model service failed; after all retries the episode is owed.

    Attributes:
        kind: "rate_limited", "server", "timeout", "connection", "bad_reply" (these may pass: `retryable`);
            "authentication", "bad_request", "context_length" (these will not).
        retry_after_s: seconds that the service asked to wait, None when it did not say.
    """

    RETRYABLE = frozenset({"rate_limited", "server", "timeout", "connection", "bad_reply"})

    def __init__(
        self,
        message: str,
        *,
        kind: str = "server",
        retry_after_s: float | None = None,
        run_id: str | None = None,
        episode_id: str | None = None,
        step: int | None = None,
    ) -> None:
        super().__init__(message, run_id=run_id, episode_id=episode_id, step=step)
        self.kind = kind
        self.retry_after_s = retry_after_s

    @property
    def retryable(self) -> bool:
        """The same request may succeed later."""
        return self.kind in self.RETRYABLE


class AgentError(EpisodeError):
    """The agent class raised an exception of its own."""


class BudgetExceeded(EpisodeError):
    """A budget (steps, tokens, dollars, seconds, ticks) is used up. A result, not a failure."""


class StorageError(FleRayError):
    """Rows could not be made durable; the run stops."""


class ToolError(FleRayError):
    """A tool refused what it was asked. The program sees the message and may go on.

    Attributes:
        type: name of the built-in exception the program sees: "Exception" for what the game refuses,
            "ValueError", "TypeError" or "AssertionError" for wrong arguments.
    """

    def __init__(self, message: str, *, type: str = "Exception") -> None:
        super().__init__(message)
        self.type = type


class StepLimit(FleRayError):
    """A step used up one of its deterministic limits; the program ends, the world keeps what was done.

    Attributes:
        kind: `"tick_limit"` or `"call_limit"`, the error kind recorded on the step.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class CannotPlace(FleRayError):
    """The game refuses to build something somewhere.

    Attributes:
        reason: machine-readable cause: "entity", "character", "water", "out-of-map", "no-resource",
            "needs-water", "fluid-mixing", "unknown".
        blockers: names and positions of what is in the way, possibly empty.
    """

    def __init__(self, message: str, *, reason: str, blockers: tuple[tuple[str, float, float], ...] = ()) -> None:
        super().__init__(message)
        self.reason = reason
        self.blockers = blockers


class CannotSet(FleRayError):
    """An entity refuses a setting: a recipe it cannot make, a module it does not take."""


class CannotResearch(FleRayError):
    """A technology cannot be researched now.

    Attributes:
        reason: machine-readable cause: "researched", "prerequisites", "trigger", "disabled", "queue-full".
    """

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class Unsupported(FleRayError):
    """The engine lacks a mechanic of the game.

    Attributes:
        mechanic: its name as the coverage table lists it.
    """

    def __init__(self, mechanic: str, message: str = "") -> None:
        super().__init__(message or f"The simulator does not have {mechanic!r} yet.")
        self.mechanic = mechanic
