"""The file itself: a shell, styles, one script, and the data as compressed base64."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from fle_ray.analysis.report.collect import Collected, collect, known_states
from fle_ray.analysis.report.maps import Atlas, chosen_states

if TYPE_CHECKING:
    from fle_ray.dataset import RunData

__all__ = ["DEFAULT_MAPS", "build_report"]

DEFAULT_MAPS = 40
_ASSETS = files("fle_ray.analysis.report") / "assets"


def build_report(
    run: RunData,
    *,
    compared: tuple[str, str] | None = None,
    maps: int | None = DEFAULT_MAPS,
    confidence: float = 0.95,
    title: str = "",
) -> str:
    """The report on some runs, as the text of one HTML file. Equal data give equal text.

    Args:
        run: one or several runs opened together.
        compared: two agents to set side by side.
        maps: most maps an episode, evenly spread, always with its last state; None for every state, 0 for none.
        confidence: of the intervals.

    Raises:
        UnknownName: one of the compared agents is not in the runs.
        StorageError: a file is damaged. A state that cannot be drawn is said on the page instead.
    """
    found = collect(run, compared=compared, confidence=confidence, title=title)
    atlas = _draw(run, found, maps)
    found.overview["map_problems"] = len(atlas.problems)
    blobs = [("overview", found.overview), ("texts", found.paragraphs)]
    blobs += [(f"episode-{k}", detail) for k, detail in enumerate(found.episodes)]
    blobs += [(f"map-{k}", svg) for k, svg in enumerate(atlas.svgs)]
    return _html(found.overview["title"], blobs)


def _draw(run: RunData, found: Collected, maps: int | None) -> Atlas:
    """Draw the chosen states and note on each step which picture shows it, or why none does."""
    atlas = Atlas()
    for detail, addresses in zip(found.episodes, known_states(found.episodes), strict=True):
        numbers = atlas.add(chosen_states(addresses, maps), run.state) if maps != 0 else {}
        for step, address in zip(detail["steps"], addresses, strict=True):
            step["map"] = numbers.get(address) if address is not None else None
            if address is not None and address in atlas.problems:
                step["map_problem"] = atlas.problems[address]
    return atlas


def packed(value: Any) -> str:
    """A value as base64 of raw deflate of JSON: no character that HTML gives a meaning to."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    compressor = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    # A lone surrogate, which a program may print, is no UTF-8.
    data = compressor.compress(text.encode("utf-8", errors="replace")) + compressor.flush()
    return base64.b64encode(data).decode("ascii")


def _html(title: str, blobs: list[tuple[str, Any]]) -> str:
    style, script = (_ASSETS / "report.css").read_text("utf-8"), (_ASSETS / "report.js").read_text("utf-8")
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    data = "\n".join(f'<script type="text/plain" id="{name}">{packed(value)}</script>' for name, value in blobs)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)} · report</title>\n<style>{style}</style>\n</head>\n<body>\n"
        '<header id="top"></header>\n<main id="page"><p>Loading …</p></main>\n'
        f"<noscript>This report needs JavaScript.</noscript>\n{data}\n<script>{script}</script>\n</body>\n</html>\n"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
