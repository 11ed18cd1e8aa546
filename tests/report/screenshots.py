"""Make the pictures of docs/report.md: `python -m tests.report.screenshots RUN... [--compare A B]`.

Writes a report on the runs, opens it in headless Chromium, saves report-overview.png, report-episode.png and
report-map.png, and prints the page's weight and how long it took to load.
"""

from __future__ import annotations

import argparse
import io
import json
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image

from fle_ray.render.png import small_png
from fle_ray.report import write_report

from .browser import Browser, open_browser


def main() -> None:
    parser = argparse.ArgumentParser(description="Pictures of the report.")
    parser.add_argument("runs", nargs="+", metavar="RUN")
    parser.add_argument("--compare", nargs=2, metavar=("A", "B"))
    parser.add_argument("--episode", default="electronic_circuit_throughput", help="task whose episode is shown")
    parser.add_argument("--agent", default="scripted", help="agent whose episode is shown")
    parser.add_argument("--zoom-at", nargs=2, type=float, default=(0.72, 0.75), help="place in the map, as shares")
    parser.add_argument("--output", type=Path, default=Path("docs/images"))
    chosen = parser.parse_args()
    chosen.output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        began = time.perf_counter()
        compared = tuple(chosen.compare) if chosen.compare else None
        path = write_report(chosen.runs, Path(folder) / "report.html", compared=compared)
        print(f"written in {time.perf_counter() - began:.1f} s, {path.stat().st_size / 1e6:.2f} MB")
        browser.size(1360, 940)
        began = time.perf_counter()
        browser.go(path.as_uri())
        browser.wait("document.body.dataset.readyMs")
        print(f"open in {time.perf_counter() - began:.2f} s")
        save(browser, chosen.output / "report-overview.png")
        wanted = f"e.task === {json.dumps(chosen.episode)} && e.agent === {json.dumps(chosen.agent)}"
        number = browser.evaluate(f"overview.episodes.findIndex((e) => {wanted})")
        browser.evaluate(f"location.hash = '#/episode/{number}'")
        browser.wait("document.querySelector('#map svg')")
        save(browser, chosen.output / "report-episode.png")
        browser.evaluate("document.querySelector('#map').scrollIntoView({block: 'center'})")
        left, top, right, bottom = place(browser, "#map")
        x, y = left + chosen.zoom_at[0] * (right - left), top + chosen.zoom_at[1] * (bottom - top)
        for _ in range(4):
            browser.send("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-100)
        save(browser, chosen.output / "report-map.png", "#map")
        print("complaints:", browser.complaints + browser.evaluate("reportProblems"))


def place(browser: Browser, selector: str) -> list[float]:
    """Left, top, right and bottom of an element in the window."""
    rectangle = f"document.querySelector({json.dumps(selector)}).getBoundingClientRect()"
    return browser.evaluate(f"(({{left, top, right, bottom}}) => [left, top, right, bottom])({rectangle})")


def save(browser: Browser, path: Path, selector: str | None = None) -> None:
    """What is in the window (or in one element) as a PNG of 256 colours."""
    time.sleep(0.3)  # until it has been painted
    image = Image.open(io.BytesIO(browser.screenshot())).convert("RGB")
    if selector is not None:
        image = image.crop([round(value) for value in place(browser, selector)])
    path.write_bytes(small_png(np.asarray(image)))
    print(f"{path}: {path.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
