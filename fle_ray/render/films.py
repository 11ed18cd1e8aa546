"""Several drawings one after another: as an animated GIF, or as an HTML page with a slider that needs nothing else."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from html import escape
from pathlib import Path

from fle_ray.errors import ConfigError
from fle_ray.render.drawing import Box, Drawing
from fle_ray.render.png import to_pixels
from fle_ray.render.scene import draw, interesting_box
from fle_ray.render.svg import to_svg
from fle_ray.sim.world import World

__all__ = ["common_box", "film", "hull", "to_gif", "to_html"]


def common_box(worlds: Sequence[World]) -> Box:
    """The smallest box that holds what was built in any of some worlds; if nothing was, where the characters stand."""
    return hull([interesting_box(w) for w in worlds if w.entities] or [interesting_box(w) for w in worlds])


def hull(boxes: Sequence[Box]) -> Box:
    """The smallest box around some boxes, at least one."""
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def film(
    worlds: Sequence[World],
    path: str | Path,
    *,
    captions: Sequence[str] = (),
    box: Box | None = None,
    scale: float = 12.0,
    seconds: float = 0.6,
) -> None:
    """Write worlds as frames of one size.

    Args:
        worlds: one per frame, in order.
        path: ends in .gif or .html.
        captions: a line per frame; game time when left out.
        box: what every frame shows; what is worth seeing in any of them when None.
        scale: pixels a tile; seconds: time a frame stands (GIF; the page's own speed is the viewer's).

    Raises:
        ConfigError: no worlds, another file name, or matplotlib and Pillow are missing for a GIF.
    """
    path = Path(path)
    if not worlds:
        raise ConfigError("There are no states to make a film of.")
    if path.suffix not in (".gif", ".html"):
        raise ConfigError(f"{path}: a film is written as .gif or .html.")
    box = common_box(worlds) if box is None else box
    drawings = [draw(world, box=box) for world in worlds]
    captions = list(captions) or [drawing.title for drawing in drawings]
    if path.suffix == ".gif":
        path.write_bytes(to_gif(drawings, scale=scale, seconds=seconds))
    else:
        path.write_text(to_html(drawings, captions, scale=scale), encoding="utf-8")


def to_gif(drawings: Sequence[Drawing], *, scale: float = 12.0, seconds: float = 0.6) -> bytes:
    """An animated GIF; the last frame stands four times as long. Raises ConfigError without matplotlib and Pillow."""
    frames = [to_pixels(drawing, scale=scale) for drawing in drawings]
    try:
        from PIL import Image
    except ImportError as error:
        raise ConfigError("A GIF needs Pillow, which comes with matplotlib: pip install pillow.") from error
    images = [Image.fromarray(frame).convert("RGB").quantize(128) for frame in frames]
    standing = [round(seconds * 1000)] * (len(images) - 1) + [round(seconds * 4000)]
    file = io.BytesIO()
    images[0].save(file, format="GIF", save_all=True, append_images=images[1:], duration=standing, loop=0)
    return file.getvalue()


def to_html(drawings: Sequence[Drawing], captions: Sequence[str], *, scale: float = 12.0) -> str:
    """One HTML page with every frame and a slider; arrow keys work, too."""
    frames = [to_svg(drawing, scale=scale) for drawing in drawings]
    # "</" would end the script element.
    data = json.dumps({"frames": frames, "captions": list(captions)}).replace("</", "<\\/").replace("<!--", "<\\!--")
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(drawings[0].title)}</title><style>{_STYLE}</style></head><body>"
        '<div id="frame"></div><p><button id="play">Play</button>'
        f'<input id="at" type="range" min="0" max="{len(frames) - 1}" value="0"><output id="caption"></output></p>'
        f'<script id="data" type="application/json">{data}</script><script>{_SCRIPT}</script></body></html>\n'
    )


_STYLE = (
    "body{margin:1rem;font:15px/1.4 system-ui,sans-serif;background:#fbfaf7;color:#2a2723}"
    "#frame svg{max-width:100%;height:auto;border:1px solid #c9c4ba}"
    "p{display:flex;gap:.8rem;align-items:center}#at{flex:1;max-width:40rem}"
)
_SCRIPT = """
const {frames, captions} = JSON.parse(document.getElementById("data").textContent);
const at = document.getElementById("at"), play = document.getElementById("play");
let timer = null;
function show() {
  document.getElementById("frame").innerHTML = frames[at.value];
  document.getElementById("caption").textContent = captions[at.value];
}
function stop() { clearInterval(timer); timer = null; play.textContent = "Play"; }
at.addEventListener("input", () => { stop(); show(); });
play.addEventListener("click", () => {
  if (timer) return stop();
  play.textContent = "Stop";
  if (+at.value === frames.length - 1) at.value = 0;
  timer = setInterval(() => {
    if (+at.value === frames.length - 1) return stop();
    at.value = +at.value + 1;
    show();
  }, 500);
});
show();
"""
