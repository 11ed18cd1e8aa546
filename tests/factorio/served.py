"""A world served from a thread of the tests."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from fle_ray.factorio.clock import CallClock
from fle_ray.factorio.face import Face
from fle_ray.factorio.server import Server


@contextmanager
def served(**settings: object) -> Iterator[Server]:
    """A server with a world of its own, on a port that the system chooses."""
    loop = asyncio.new_event_loop()
    server = Server(Face(CallClock()), port=0, **settings)  # type: ignore[arg-type]
    loop.run_until_complete(server.start())
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
