"""A drawing as PNG, painted by matplotlib's rasteriser (an optional dependency)."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from fle_ray.errors import ConfigError
from fle_ray.render.drawing import Disc, Drawing, Shape, Style, Text

if TYPE_CHECKING:
    import numpy as np

__all__ = ["small_png", "to_pixels", "to_png"]

MOST_PIXELS = 64_000_000
_DPI = 72.0  # one pixel a point, so that sizes are pixels


def to_png(drawing: Drawing, *, scale: float = 16.0) -> bytes:
    """The picture as a PNG file.

    Args:
        scale: pixels a tile.

    Raises:
        ConfigError: matplotlib is not installed, or the picture would be larger than 64 million pixels.
    """
    return small_png(to_pixels(drawing, scale=scale))


def small_png(pixels: np.ndarray) -> bytes:
    """An array (height, width, 3 or 4) of bytes as a PNG of at most 256 colours, a third of the size of a full one.

    The commonest 256 colours stay exactly as they are, others become the nearest of them: right for drawings, whose
    rare colours are the smoothed edges. Opacity is dropped.
    """
    import numpy as np
    from PIL import Image  # which matplotlib depends on

    channels = pixels[..., :3].astype(np.uint32)
    colours, counts = np.unique(channels[..., 0] << 16 | channels[..., 1] << 8 | channels[..., 2], return_counts=True)
    common = colours[np.lexsort((colours, -counts.astype(np.int64)))][:256]
    palette = Image.new("P", (1, 1))
    palette.putpalette([int(colour) >> shift & 255 for colour in common for shift in (16, 8, 0)])
    image = Image.fromarray(np.ascontiguousarray(pixels[..., :3])).quantize(palette=palette, dither=Image.Dither.NONE)
    file = io.BytesIO()
    image.save(file, format="PNG", optimize=True)
    return file.getvalue()


def to_pixels(drawing: Drawing, *, scale: float = 16.0) -> np.ndarray:
    """The picture as an array (height, width, 4) of bytes: red, green, blue, opacity. Raises as `to_png`."""
    try:
        from matplotlib.backends.backend_agg import RendererAgg
    except ImportError as error:
        raise ConfigError(
            "Pictures as PNG or GIF need matplotlib, which is not installed: pip install 'fle-ray[notebooks]'. "
            "SVG needs nothing."
        ) from error
    import numpy as np

    width, height = round(drawing.width * scale), round(drawing.height * scale)
    if width < 1 or height < 1 or width * height > MOST_PIXELS:
        raise ConfigError(f"A picture of {width} x {height} pixels cannot be made; choose another scale or box.")
    painter = _Painter(RendererAgg(width, height, _DPI), drawing, scale, height)
    painter.background()
    for mark in drawing.marks():
        painter.paint(mark)
    return np.array(painter.renderer.buffer_rgba())


class _Painter:
    def __init__(self, renderer: Any, drawing: Drawing, scale: float, height: int) -> None:
        from matplotlib.transforms import Affine2D

        self.renderer = renderer
        self.drawing = drawing
        self.scale = scale
        left, top, _, _ = drawing.box
        # Matplotlib counts y upwards.
        self.transform = Affine2D().translate(-left, -top).scale(scale, -scale).translate(0, height)
        self._glyphs: dict[tuple[str, bool], Any] = {}

    def background(self) -> None:
        left, top, right, bottom = self.drawing.box
        corners = ((left, top), (right, top), (right, bottom), (left, bottom))
        self.paint(Shape(Style(self.drawing.background), True, [corners]))

    def paint(self, mark: Shape | Disc | Text) -> None:
        if isinstance(mark, Shape):
            self._path(_polygons(mark), mark.style)
        elif isinstance(mark, Disc):
            from matplotlib.path import Path

            circle = Path.unit_circle()
            self._path(Path(circle.vertices * mark.radius + (mark.x, mark.y), circle.codes), mark.style)
        else:
            self._text(mark)

    def _path(self, path: Any, style: Style) -> None:
        from matplotlib.colors import to_rgba

        gc = self.renderer.new_gc()
        gc.set_antialiased(True)
        gc.set_alpha(style.opacity)
        gc.set_joinstyle("round")
        if style.stroke:
            gc.set_linewidth(style.width * self.scale)
            gc.set_foreground(style.stroke)
            if style.dash:
                gc.set_dashes(0, [style.dash * self.scale] * 2)
        else:
            gc.set_linewidth(0)
        fill = (*to_rgba(style.fill)[:3], style.opacity) if style.fill else None
        self.renderer.draw_path(gc, path, self.transform, fill)
        gc.restore()

    def _text(self, mark: Text) -> None:
        from matplotlib.path import Path

        glyphs, box = self._outline(mark.text, mark.bold)
        if glyphs is None:
            return
        size = mark.size
        shift = -(box.x0 + box.x1) / 2 * size if mark.anchor == "middle" else 0.0
        vertices = glyphs.vertices * (size, -size) + (mark.x + shift, mark.y + size * 0.36)
        self._path(Path(vertices, glyphs.codes), Style(mark.fill))

    def _outline(self, text: str, bold: bool) -> tuple[Any, Any]:
        """The outlines of a text of size 1, and their extent; None for one without any."""
        if (text, bold) not in self._glyphs:
            from matplotlib.font_manager import FontProperties
            from matplotlib.textpath import TextPath

            font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
            # Text from a world must not be read as a formula.
            path = TextPath((0, 0), text.replace("$", r"\$"), size=1, prop=font)
            self._glyphs[text, bold] = (path, path.get_extents()) if len(path.vertices) else (None, None)
        return self._glyphs[text, bold]


def _polygons(shape: Shape) -> Any:
    import numpy as np
    from matplotlib.path import Path

    vertices: list[Any] = []
    codes: list[int] = []
    for ring in shape.rings:
        vertices.extend(ring)
        codes.append(Path.MOVETO)
        codes.extend([Path.LINETO] * (len(ring) - 1))
        if shape.closed:
            vertices.append(ring[0])
            codes.append(Path.CLOSEPOLY)
    return Path(np.asarray(vertices, dtype=float), codes)
