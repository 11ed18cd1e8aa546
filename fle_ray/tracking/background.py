"""A tracker in a thread of its own, so that neither its errors nor its waiting reach the run."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping

from fle_ray.tracking.contract import RunInfo, Tracker

__all__ = ["Background"]

_QUEUED = 10_000  # calls that may wait; a step is one


class Background:
    """Hands every call to a tracker, in order, from another thread. Never raises, and waits only in `run_ended`.

    Its first failure ends the tracking: nothing more is handed over, and `failure` says what it was.

    Args:
        make: makes the tracker; called in the thread, for libraries may take seconds to import.
        wait_s: how long `run_ended` waits for what is still queued.
    """

    def __init__(self, make: Callable[[], Tracker], *, wait_s: float = 30.0, queued: int = _QUEUED) -> None:
        self._make = make
        self._wait_s = wait_s
        self._calls: queue.Queue[Callable[[Tracker], None] | None] = queue.Queue(queued)
        self._failure: str | None = None
        self._thread = threading.Thread(target=self._serve, name="fle_ray tracker", daemon=True)
        self._thread.start()

    @property
    def failure(self) -> str | None:
        """Why nothing more is tracked; None while all is well."""
        return self._failure

    def run_started(self, run: RunInfo) -> None:
        self._hand_over(lambda tracker: tracker.run_started(run))

    def scalars(self, values: Mapping[str, float], at: int) -> None:
        values = dict(values)
        self._hand_over(lambda tracker: tracker.scalars(values, at))

    def run_ended(self, summary: Mapping[str, float], status: str) -> None:
        summary = dict(summary)
        self._hand_over(lambda tracker: tracker.run_ended(summary, status))
        self._hand_over(None)
        self._thread.join(self._wait_s)
        if self._thread.is_alive():
            self._failed(f"it had not taken everything {self._wait_s:g} s after the run's end")

    def _hand_over(self, call: Callable[[Tracker], None] | None) -> None:
        if self._failure is not None:
            return
        try:
            self._calls.put_nowait(call)
        except queue.Full:
            self._failed(f"it is {self._calls.maxsize} calls behind")

    def _failed(self, why: str) -> None:
        if self._failure is None:
            self._failure = why

    def _serve(self) -> None:
        try:
            tracker = self._make()
            while self._failure is None and (call := self._calls.get()) is not None:
                call(tracker)
        except BaseException as error:  # a library's own exit would end this thread without a word, too
            self._failed(f"{type(error).__name__}: {error}")
