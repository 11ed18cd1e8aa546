"""A drawing: shapes in layers, in tiles, that knows neither the game nor a file format.

Coordinates are those of the map: x to the east, y to the south, one unit a tile. `svg.py` and `png.py` write it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

__all__ = ["Box", "Disc", "Drawing", "Layer", "Mark", "Point", "Shape", "Style", "Text"]

Point = tuple[float, float]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Style:
    """How a shape is painted.

    Attributes:
        fill, stroke: colours as #rrggbb, None for none; width: of the stroke, tiles; opacity: 0..1;
        dash: length of dashes and gaps in tiles, 0 for a solid stroke.
    """

    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0
    opacity: float = 1.0
    dash: float = 0.0


@dataclass(slots=True)
class Shape:
    """Polygons (closed) or lines (open) of one style. `rings` holds the corners of each."""

    style: Style
    closed: bool
    rings: list[Sequence[Point]]


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle."""

    style: Style
    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text centred on a point (`anchor` "middle") or starting there ("start"); `size` in tiles."""

    x: float
    y: float
    text: str
    size: float
    fill: str = "#000000"
    bold: bool = False
    anchor: str = "middle"


Mark = Shape | Disc | Text


class Layer:
    """Marks drawn one after another.

    Args:
        title: what a viewer shows when the pointer rests on it; "" for nothing.
        merged: shapes of one style are painted together, at the place of the first; for shapes that do not overlap
            one another, which makes files small.
    """

    def __init__(self, title: str = "", *, merged: bool = False) -> None:
        self.title = title
        self.merged = merged
        self.marks: list[Mark] = []
        self._by_style: dict[tuple[Style, bool], Shape] = {}

    def polygon(
        self,
        points: Sequence[Point],
        fill: str | None = None,
        stroke: str | None = None,
        width: float = 0.06,
        opacity: float = 1.0,
        dash: float = 0.0,
    ) -> None:
        self._add(Style(fill, stroke, width if stroke else 0.0, opacity, dash), True, points)

    def rectangle(
        self, box: Box, fill: str | None = None, stroke: str | None = None, width: float = 0.06, opacity: float = 1.0
    ) -> None:
        left, top, right, bottom = box
        self.polygon(((left, top), (right, top), (right, bottom), (left, bottom)), fill, stroke, width, opacity)

    def line(
        self, points: Sequence[Point], stroke: str, width: float = 0.06, opacity: float = 1.0, dash: float = 0.0
    ) -> None:
        self._add(Style(None, stroke, width, opacity, dash), False, points)

    def disc(
        self,
        x: float,
        y: float,
        radius: float,
        fill: str | None = None,
        stroke: str | None = None,
        width: float = 0.06,
        opacity: float = 1.0,
    ) -> None:
        self.marks.append(Disc(Style(fill, stroke, width if stroke else 0.0, opacity), x, y, radius))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        fill: str = "#000000",
        *,
        bold: bool = False,
        anchor: str = "middle",
    ) -> None:
        self.marks.append(Text(x, y, text, size, fill, bold, anchor))

    def _add(self, style: Style, closed: bool, points: Sequence[Point]) -> None:
        if self.merged:
            shape = self._by_style.get((style, closed))
            if shape is None:
                shape = self._by_style[style, closed] = Shape(style, closed, [])
                self.marks.append(shape)
            shape.rings.append(points)
        else:
            self.marks.append(Shape(style, closed, [points]))


@dataclass(slots=True)
class Drawing:
    """Layers, bottom first, and the part of the plane they show.

    Attributes:
        box: left, top, right, bottom in tiles; what lies outside is cut off.
        background: colour under everything.
        title: what the picture shows, for readers who cannot see it.
    """

    box: Box
    background: str
    title: str = ""
    layers: list[Layer] = field(default_factory=list)

    @property
    def width(self) -> float:
        return self.box[2] - self.box[0]

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]

    def layer(self, title: str = "", *, merged: bool = False) -> Layer:
        """A new layer on top of the others."""
        layer = Layer(title, merged=merged)
        self.layers.append(layer)
        return layer

    def marks(self) -> Iterable[Mark]:
        """Every mark, bottom first."""
        for layer in self.layers:
            yield from layer.marks
