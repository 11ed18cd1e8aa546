"""The child process from its start to its end: get ready, lock up, run what the parent sends."""

from __future__ import annotations

import gc
import importlib
import os
import signal
import sys
import traceback
import warnings

from fle_ray.interpreter.child import layers
from fle_ray.interpreter.child import names as prelude
from fle_ray.interpreter.child.session import Session
from fle_ray.interpreter.child.wire import Wire

__all__ = ["main"]


def main() -> None:
    """Serve the parent over the pipes at descriptors 0 and 1 until it closes them."""
    wire, pipes = _take_pipes()
    config = wire.receive()
    assert isinstance(config, dict)
    prelude.preload()
    vocabulary = importlib.import_module(config["names_module"])
    codec = importlib.import_module(config["codec_module"])
    session = Session(wire, config["tools"], vocabulary.agent_names(), codec.encode, codec.decode, config["limits"])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(config["limits"]["recursion"])
    gc.collect()
    gc.freeze()  # what is here now stays: collections need not look at it
    gc.enable()
    in_force = layers.apply(
        config["without"],
        memory_bytes=config["limits"]["memory_bytes"],
        keep=(0, 1, 2, *pipes),
        parent=config["parent"],
    )
    session.take_output()
    wire.send({"op": "ready", "layers": in_force})
    while True:
        message = wire.receive()
        try:
            if isinstance(message, bytes):
                _load(session, wire, message)
            elif message["op"] == "ping":
                wire.send({"op": "pong", "token": message["token"]})
            else:
                session.run(message["code"], message["seed"], message["tick"])
        except Exception:  # not the program's, whose exceptions are its result
            wire.send({"op": "crash", "message": traceback.format_exc()[-4_000:]})


def _take_pipes() -> tuple[Wire, tuple[int, int]]:
    """Move the pipes away from the standard descriptors, so that nothing is written to them by accident."""
    pipes = (os.dup(0), os.dup(1))
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):
        os.dup2(null, standard)
    os.close(null)
    return Wire(*pipes), pipes


def _load(session: Session, wire: Wire, state: bytes) -> None:
    try:
        session.load(state)
    except MemoryError:
        wire.send({"op": "refused", "message": "it does not fit into the memory limit"})
    except BaseException as error:  # loading runs code of the agent's classes
        wire.send({"op": "refused", "message": f"{type(error).__name__}: {error}"[:1000]})
    else:
        wire.send(session.describe())
