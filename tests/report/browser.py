"""A headless Chromium spoken to over a pair of pipes (Chrome DevTools Protocol), with the standard library alone."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["Browser", "chromium", "open_browser"]

_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync --disable-extensions --disable-dev-shm-usage --hide-scrollbars"
    " --remote-debugging-pipe"
).split()


def chromium() -> str | None:
    """Path of a Chromium or Chrome, None when there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    return None


class Browser:
    """One page of a running browser.

    Attributes:
        complaints: what the page wrote to the console as a warning or error, exceptions that nobody caught, and
            requests that were blocked or failed.
        requests: addresses the page asked for.
    """

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._out = to_browser
        self._in = from_browser
        self._buffer = b""
        self._last = 0
        self._session: str | None = None
        self.complaints: list[str] = []
        self.requests: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol and wait for its answer, at most 60 s."""
        self._last += 1
        call: dict[str, Any] = {"id": self._last, "method": method, "params": parameters}
        if self._session is not None:
            call["sessionId"] = self._session
        os.write(self._out, json.dumps(call).encode() + b"\0")
        deadline = time.monotonic() + 60
        while True:
            answer = self._receive(deadline)
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._notice(answer)

    def _receive(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser does not answer")
            data = os.read(self._in, 1 << 16)
            if not data:
                raise RuntimeError("the browser has gone")
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def _notice(self, event: dict[str, Any]) -> None:
        method, about = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            self.complaints.append(str(details.get("exception", {}).get("description") or details["text"]))
        elif method == "Runtime.consoleAPICalled" and about["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in about["args"]))
        elif method == "Log.entryAdded" and about["entry"]["level"] in ("error", "warning"):
            self.complaints.append(about["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression (awaited if it is a promise)."""
        answer = self.send("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description"))
        return answer["result"].get("value")

    def wait(self, condition: str, *, seconds: float = 30.0) -> None:
        """Until a JavaScript expression is true."""
        deadline = time.monotonic() + seconds
        while not self.evaluate(f"Boolean({condition})"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{condition} did not come true; the page says {self.complaints}")
            time.sleep(0.03)

    def go(self, url: str) -> None:
        self.send("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def size(self, width: int, height: int) -> None:
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def screenshot(self) -> bytes:
        """What is in the window, as PNG."""
        return base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"])

    def text(self, selector: str) -> str:
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")

    def click(self, selector: str) -> None:
        self.evaluate(f"document.querySelector({json.dumps(selector)}).click()")


@contextmanager
def open_browser() -> Iterator[Browser]:
    """A browser of its own with an empty profile; ended with the block."""
    path = chromium()
    assert path is not None, "there is no Chromium"
    commands_in, commands_out = os.pipe()
    answers_in, answers_out = os.pipe()
    os.set_inheritable(commands_in, True)
    os.set_inheritable(answers_out, True)

    def as_three_and_four() -> None:  # where --remote-debugging-pipe looks for them
        first, second = os.dup(commands_in), os.dup(answers_out)
        os.dup2(first, 3)
        os.dup2(second, 4)

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [path, *_FLAGS, f"--user-data-dir={Path(profile) / 'profile'}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=as_three_and_four,
        )
        os.close(commands_in)
        os.close(answers_out)
        try:
            yield Browser(commands_out, answers_in)
        finally:
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            os.close(commands_out)
            os.close(answers_in)
