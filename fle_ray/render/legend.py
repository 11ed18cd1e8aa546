"""What codes, colours and lamps mean: a column to the right of a drawing."""

from __future__ import annotations

from collections.abc import Iterable

from fle_ray.render.drawing import Drawing
from fle_ray.render.symbols import LAMPS, OUTLINE, chip

__all__ = ["add_legend"]

_HIGHEST = 60  # a row is as high as this part of width and height together, so that it can be read beside the picture,
_LEAST = 0.7  # tiles, at least,
_SMALLER = 0.6  # and shrinks to this part of that where it saves a second column
_MARGIN, _LETTER = 2.4, 0.375  # of a column, in rows: chip and margins, and each letter


def add_legend(drawing: Drawing, names: Iterable[str]) -> None:
    """Widen a drawing by a legend of these items, fluids and ores, and of the status lamps."""
    known = sorted(set(names))
    largest = max(_LEAST, (drawing.width + drawing.height) / _HIGHEST)
    in_one_column = drawing.height / (len(known) + len(LAMPS) + 1)
    unit = min(largest, max(in_one_column, _SMALLER * largest))
    rows = int(drawing.height / unit + 1e-9) - 1
    width = (_MARGIN + _LETTER * max(len(name) for name in (*known, LAMPS["stopped"][1]))) * unit
    entries = [("chip", name) for name in known] + [("lamp", kind) for kind in LAMPS]
    columns = -(-len(entries) // rows)
    left, top, right, bottom = drawing.box
    layer = drawing.layer()
    layer.rectangle((right, top, right + columns * width, bottom), "#fbfaf7")
    for k, (kind, name) in enumerate(entries):
        x = right + k // rows * width + unit
        y = top + (k % rows + 1.0) * unit
        if kind == "chip":
            chip(layer, name, x, y, unit * 0.8)
        else:
            layer.disc(x, y, unit * 0.25, LAMPS[name][0], OUTLINE, unit * 0.06)
        words = name.replace("-", " ") if kind == "chip" else LAMPS[name][1]
        layer.text(x + unit * 0.75, y, words, unit * 0.62, "#2a2723", anchor="start")
    drawing.box = (left, top, right + columns * width, bottom)
