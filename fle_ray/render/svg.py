"""A drawing as SVG, in one string with nothing outside it."""

from __future__ import annotations

from html import escape

from fle_ray.render.drawing import Disc, Drawing, Layer, Mark, Shape, Style, Text

__all__ = ["DEFAULT_SCALE", "to_svg"]

DEFAULT_SCALE = 16.0  # pixels a tile
_UNIT = 16  # user units a tile: coordinates become short numbers, and fonts are not smaller than a unit
_FONT = "Helvetica,Arial,'DejaVu Sans',sans-serif"


def to_svg(drawing: Drawing, *, scale: float = DEFAULT_SCALE) -> str:
    """The picture as SVG text.

    Args:
        scale: pixels a tile when shown at its natural size.
    """
    left, top, _, _ = drawing.box
    width, height = drawing.width * _UNIT, drawing.height * _UNIT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_number(drawing.width * scale)}"'
        f' height="{_number(drawing.height * scale)}" viewBox="0 0 {_number(width)} {_number(height)}"'
        f' font-family="{_FONT}" text-anchor="middle" stroke-linejoin="round" role="img">',
        f"<title>{escape(drawing.title)}</title>" if drawing.title else "",
        f'<rect width="{_number(width)}" height="{_number(height)}" fill="{drawing.background}"/>',
    ]
    writer = _Writer(left, top)
    for layer in drawing.layers:
        parts.append(writer.layer(layer))
    parts.append("</svg>")
    return "".join(parts)


class _Writer:
    def __init__(self, left: float, top: float) -> None:
        self.left = left
        self.top = top

    def layer(self, layer: Layer) -> str:
        marks = "".join(map(self.mark, layer.marks))
        if not marks or not layer.title:
            return marks
        return f"<g><title>{escape(layer.title)}</title>{marks}</g>"

    def mark(self, mark: Mark) -> str:
        if isinstance(mark, Shape):
            return f'<path{_style(mark.style)} d="{self.path(mark)}"/>'
        if isinstance(mark, Disc):
            x, y = self.at(mark.x, mark.y)
            return f'<circle{_style(mark.style)} cx="{x}" cy="{y}" r="{_number(mark.radius * _UNIT)}"/>'
        return self.text(mark)

    def text(self, mark: Text) -> str:
        x, y = self.at(mark.x, mark.y + mark.size * 0.36)  # a line's middle lies about there above its base
        start = ' text-anchor="start"' if mark.anchor == "start" else ""
        bold = ' font-weight="bold"' if mark.bold else ""
        size = _number(mark.size * _UNIT)
        return f'<text x="{x}" y="{y}" font-size="{size}" fill="{mark.fill}"{start}{bold}>{escape(mark.text)}</text>'

    def path(self, shape: Shape) -> str:
        """Absolute start, then steps: shorter, and equal shapes look alike to a compressor."""
        out = []
        for ring in shape.rings:
            px = py = 0.0
            for k, (tile_x, tile_y) in enumerate(ring):
                x, y = round((tile_x - self.left) * _UNIT, 1), round((tile_y - self.top) * _UNIT, 1)
                if k == 0:
                    out.append(f"M{_number(x)} {_number(y)}")
                elif y == py:
                    out.append(f"h{_number(x - px)}")
                elif x == px:
                    out.append(f"v{_number(y - py)}")
                else:
                    out.append(f"l{_number(x - px)} {_number(y - py)}")
                px, py = x, y
            if shape.closed:
                out.append("z")
        return "".join(out)

    def at(self, x: float, y: float) -> tuple[str, str]:
        return _number((x - self.left) * _UNIT), _number((y - self.top) * _UNIT)


def _style(style: Style) -> str:
    out = f' fill="{style.fill or "none"}"'
    if style.stroke:
        out += f' stroke="{style.stroke}" stroke-width="{_number(style.width * _UNIT)}"'
        if style.dash:
            out += f' stroke-dasharray="{_number(style.dash * _UNIT)}"'
    if style.opacity != 1.0:
        out += f' opacity="{_number(style.opacity)}"'
    return out


def _number(value: float) -> str:
    """At most one digit behind the point (two below one), no trailing zeros."""
    text = f"{value:.1f}" if abs(value) >= 1 else f"{value:.2f}"
    text = text.rstrip("0").rstrip(".")
    return "0" if text in ("", "-0", "-") else text
