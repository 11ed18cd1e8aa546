"""A small `asyncio` over game time: coroutines take turns, and waiting lets the game run.

The real one opens sockets and imports threads and processes. This one has `run`, `sleep`, `create_task`,
`ensure_future`, `gather`, `wait_for` and the two exceptions.
"""

from __future__ import annotations

import collections
import heapq
import inspect
import types
from collections.abc import Callable, Coroutine, Generator
from typing import Any

from fle_ray.interpreter.child.clock import GameClock

__all__ = ["CancelledError", "Future", "Task", "asyncio_module"]


class CancelledError(BaseException):
    """A task was cancelled."""


class Future:
    """A result that is there sooner or later."""

    def __init__(self, loop: _Loop) -> None:
        self._loop = loop
        self._done = False
        self._result: Any = None
        self._error: BaseException | None = None
        self._callbacks: list[Callable[[], None]] = []

    def __await__(self) -> Generator[Future, None, Any]:
        if not self._done:
            yield self
        return self.result()

    def done(self) -> bool:
        return self._done

    def result(self) -> Any:
        """What it became. Raises its error, or RuntimeError when it is not there yet."""
        if not self._done:
            raise RuntimeError("the result is not there yet")
        if self._error is not None:
            raise self._error
        return self._result

    def exception(self) -> BaseException | None:
        return self._error

    def settle(self, result: Any = None, error: BaseException | None = None) -> None:
        if not self._done:
            self._done, self._result, self._error = True, result, error
            self._loop.ready.extend(self._callbacks)

    def when_done(self, callback: Callable[[], None]) -> None:
        (self._loop.ready if self._done else self._callbacks).append(callback)


class Task(Future):
    """A coroutine that is being run."""

    def __init__(self, loop: _Loop, coroutine: Coroutine[Any, Any, Any]) -> None:
        super().__init__(loop)
        self._coroutine = coroutine
        self._cancel = False
        self._turn = 0  # counts its turns, so that only the latest wait can wake it
        loop.ready.append(self._step)

    def cancel(self) -> bool:
        """Raise CancelledError in it at its next turn; whether it was still running."""
        if self._done:
            return False
        if not self._cancel:
            self._cancel = True
            self._loop.ready.append(self._step)
        return True

    def cancelled(self) -> bool:
        return isinstance(self._error, CancelledError)

    def _step(self) -> None:
        if self._done:
            return
        self._turn += 1
        try:
            if self._cancel:
                self._cancel = False
                waited_for = self._coroutine.throw(CancelledError())
            else:
                waited_for = self._coroutine.send(None)
        except StopIteration as stop:
            self.settle(stop.value)
        except (Exception, CancelledError) as error:
            self.settle(error=error)
        else:
            self._wait_for(waited_for)

    def _wait_for(self, future: Any) -> None:
        if not isinstance(future, Future):
            self.settle(error=RuntimeError(f"a coroutine waited for {future!r}, which never ends"))
            return
        turn = self._turn

        def wake() -> None:
            if self._turn == turn:
                self._step()

        future.when_done(wake)


class _Loop:
    def __init__(self, clock: GameClock, sleep: Callable[[float], Any]) -> None:
        self._clock = clock
        self._sleep = sleep
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._count = 0
        self._now = clock.seconds()
        self.ready: collections.deque[Callable[[], None]] = collections.deque()

    def later(self, delay_s: float, callback: Callable[[], None]) -> None:
        self._now = max(self._now, self._clock.seconds())
        self._count += 1
        heapq.heappush(self._timers, (self._now + max(delay_s, 0.0), self._count, callback))

    def run(self, task: Task) -> Any:
        while not task.done():
            if self.ready:
                self.ready.popleft()()
            elif self._timers:
                self._wait()
            else:
                raise RuntimeError("every coroutine waits for another one")
        return task.result()

    def _wait(self) -> None:
        when = self._timers[0][0]
        wait_s = when - max(self._now, self._clock.seconds())
        if wait_s > 0:
            self._sleep(wait_s)
        self._now = max(when, self._clock.seconds())
        while self._timers and self._timers[0][0] <= self._now:
            self.ready.append(heapq.heappop(self._timers)[2])


def asyncio_module(clock: GameClock, sleep: Callable[[float], Any]) -> types.ModuleType:
    """The stand-in module; `sleep` is the tool."""
    running: list[_Loop] = []

    def loop() -> _Loop:
        if not running:
            raise RuntimeError("no running event loop")
        return running[-1]

    def run(main: Coroutine[Any, Any, Any], *, debug: Any = None) -> Any:
        if running:
            raise RuntimeError("asyncio.run() cannot be called from a running event loop")
        if not inspect.iscoroutine(main):
            raise ValueError(f"a coroutine was expected, got {main!r}")
        running.append(_Loop(clock, sleep))
        try:
            return running[-1].run(Task(running[-1], main))
        finally:
            running.pop()

    def ensure_future(awaitable: Any) -> Future:
        if isinstance(awaitable, Future):
            return awaitable
        if inspect.iscoroutine(awaitable):
            return Task(loop(), awaitable)
        raise TypeError(f"a coroutine was expected, got {awaitable!r}")

    def create_task(coroutine: Coroutine[Any, Any, Any], *, name: str | None = None) -> Task:
        return Task(loop(), coroutine)

    async def sleep_(delay: float, result: Any = None) -> Any:
        timer = Future(loop())
        loop().later(delay, timer.settle)
        await timer
        return result

    async def _gather(futures: list[Future], return_exceptions: bool) -> list[Any]:
        results = []
        for future in futures:
            try:
                results.append(await future)
            except Exception as error:
                if not return_exceptions:
                    raise
                results.append(error)
        return results

    def gather(*awaitables: Any, return_exceptions: bool = False) -> Future:
        return Task(loop(), _gather([ensure_future(one) for one in awaitables], return_exceptions))

    async def wait_for(awaitable: Any, timeout: float | None) -> Any:
        task = ensure_future(awaitable)
        if timeout is None:
            return await task
        first = Future(loop())
        task.when_done(first.settle)
        loop().later(timeout, first.settle)
        await first
        if not task.done():
            if isinstance(task, Task):
                task.cancel()
            raise TimeoutError()
        return task.result()

    module = types.ModuleType("asyncio", "A small asyncio over game time.")
    for function in (run, ensure_future, create_task, gather, wait_for):
        setattr(module, function.__name__, function)
    sleep_.__name__ = "sleep"
    module.sleep = sleep_
    module.iscoroutine = inspect.iscoroutine
    module.iscoroutinefunction = inspect.iscoroutinefunction
    module.CancelledError = CancelledError
    module.TimeoutError = TimeoutError
    module.Future = Future
    module.Task = Task
    return module
