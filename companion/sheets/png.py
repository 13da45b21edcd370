"""A painter of pictures as PNG, without a browser; only it imports Pillow, and only to paint.

It reads the output of `companion.notation`: paths of straight lines and curves, rectangles, circles, text,
and drawings inside a drawing. It refuses anything unknown, so that the picture and its PNG never differ.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from companion.notation.hand import Point

from .html import find_folder
from .lettering import RARE, list_own_letters, respell, spell_names

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

WIDTH = 1080
"""The width of a painted picture, in pixels."""
_FINER = 2
"""The factor by which it is painted larger and then reduced, which smooths its edges."""
_COLOURS = 32
"""The number of colours in the palette of the PNG."""
_STEPS = 6
"""The number of straight lines that a curve is painted as."""
_SPACE = "{http://www.w3.org/2000/svg}"
_COMMAND = re.compile(r"([MLCHV])([^A-Za-z]*)")
_OTHER_FONTS = {False: "DejaVuSans.ttf", True: "DejaVuSans-Bold.ttf"}
"""The fonts of the system, for letters that ours lack."""


def paint_png(drawing: str) -> bytes:
    """Paint an ``<svg>`` of ours as PNG, `WIDTH` pixels wide, on its own paper.

    :raises ValueError: for an element or a path that no drawing of ours has.
    """
    from PIL import Image, ImageDraw

    root = ElementTree.fromstring(drawing)
    _left, _top, wide, high = map(float, root.attrib["viewBox"].split())
    scale = WIDTH / wide
    size = (WIDTH * _FINER, round(high * scale) * _FINER)
    canvas = Image.new("RGB", size, "#ffffff")
    spelled = spell_names(json.loads(root.get("data-players", "[]")), _find_missing)
    painter = _Painter(ImageDraw.Draw(canvas), spelled)
    for child in root:
        painter.paint(child, root.attrib, scale * _FINER, (0, 0))
    small = canvas.reduce(_FINER).quantize(_COLOURS)
    file = BytesIO()
    small.save(file, "PNG", compress_level=7)
    return file.getvalue()


class _Painter:
    """A painter of elements on a canvas; an element inherits the look of its parents.

    `spelled` maps names to their painted form, if that differs.
    """

    def __init__(self, canvas: ImageDraw, spelled: Mapping[str, str]) -> None:
        self._canvas, self._spelled = canvas, spelled

    def paint(
        self, element: ElementTree.Element, inherited: Mapping[str, str], scale: float, origin: Point
    ) -> None:
        """Paint an element and its children; `scale` is pixels to a unit, `origin` its position."""
        kind, look = element.tag.removeprefix(_SPACE), {**inherited, **element.attrib}
        match kind:
            case "title":
                return
            case "svg":
                x, y = (float(element.get(name, "0")) for name in "xy")
                origin = (origin[0] + x * scale, origin[1] + y * scale)
                scale *= float(element.attrib["width"]) / float(element.attrib["viewBox"].split()[2])
            case "g":
                pass
            case "rect":
                x, y, wide, high = (float(element.attrib[name]) for name in ("x", "y", "width", "height"))
                corners = [_move((x, y), scale, origin), _move((x + wide, y + high), scale, origin)]
                self._canvas.rectangle(corners, fill=_find_colour(look, "fill"))
            case "circle":
                centre = (float(element.attrib["cx"]), float(element.attrib["cy"]))
                self._dot(_move(centre, scale, origin), float(look["r"]) * scale, _find_colour(look, "fill"))
            case "path":
                runs = list(_read_path(element.attrib["d"]))
                self._draw_path([[_move(point, scale, origin) for point in run] for run in runs], look, scale)
            case "text":
                self._write(element.text or "", look, scale, origin)
            case _:
                raise ValueError(f"<{kind}>: not painted")
        for child in element:
            self.paint(child, look, scale, origin)

    def _draw_path(self, runs: list[list[Point]], look: Mapping[str, str], scale: float) -> None:
        fill, colour = _find_colour(look, "fill"), _find_colour(look, "stroke")
        width = float(look.get("stroke-width", "1")) * scale
        for run in runs:
            if fill:
                self._canvas.polygon(run, fill=fill)
            if colour:
                self._canvas.line(run, colour, round(width), joint="curve")
                if look.get("stroke-linecap") == "round":
                    for end in (run[0], run[-1]):
                        self._dot(end, width / 2, colour)

    def _dot(self, centre: Point, radius: float, colour: str | None) -> None:
        x, y = centre
        self._canvas.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)

    def _write(self, text: str, look: Mapping[str, str], scale: float, origin: Point) -> None:
        text = self._spell(text)
        font = _find_font(text, round(float(look["font-size"]) * scale), look.get("font-weight") == "700")
        side = {"start": "ls", "middle": "ms", "end": "rs"}[look.get("text-anchor", "start")]
        place = _move((float(look["x"]), float(look["y"])), scale, origin)
        self._canvas.text(place, text, _find_colour(look, "fill"), font, anchor=side)

    def _spell(self, text: str) -> str:
        """Spell a text in available letters: with names as they are painted, also if one was cut."""
        start = text.removesuffix("…")
        cut = next((name for name in self._spelled if start and name.startswith(start)), text)
        spelled = respell(cut, self._spelled)
        return "".join(letter for letter in spelled if not _find_missing(letter))


def _move(point: Point, scale: float, origin: Point) -> Point:
    return point[0] * scale + origin[0], point[1] * scale + origin[1]


def _find_colour(look: Mapping[str, str], part: str) -> str | None:
    """Find the colour of an element's fill or stroke; None if it has none."""
    colour = look.get(part, "none")
    colour = look.get("color", "#000") if colour == "currentColor" else colour
    return None if colour == "none" else colour


def _read_path(path: str) -> Iterator[list[Point]]:
    """Read the points of a path, a list for each time that the pencil is put down."""
    if _COMMAND.sub("", path).strip():
        raise ValueError(f"{path[:40]}: not a path of ours")
    run: list[Point] = []
    for command, written in _COMMAND.findall(path):
        numbers = [float(number) for number in written.split()]
        points = list(zip(numbers[::2], numbers[1::2], strict=False))
        match command:
            case "M":
                if run:
                    yield run
                run = points
            case "L":
                run += points
            case "H":
                run += [(x, run[-1][1]) for x in numbers]
            case "V":
                run += [(run[-1][0], y) for y in numbers]
            case "C":
                run += _bend(run[-1], *points)
    yield run


def _bend(start: Point, first: Point, second: Point, end: Point) -> Iterator[Point]:
    """Compute points along a curve, after its start."""
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
        corners = (start, first, second, end)
        yield (
            sum(weight * corner[0] for weight, corner in zip(weights, corners, strict=True)),
            sum(weight * corner[1] for weight, corner in zip(weights, corners, strict=True)),
        )


def _find_font(text: str, size: int, bold: bool) -> FreeTypeFont:
    """Find the font of a text: our own, or one of the system for a text with other letters, if it has any."""
    from PIL import ImageFont

    if not {ord(letter) for letter in text} <= list_own_letters():
        try:
            return ImageFont.truetype(_OTHER_FONTS[bold], size)
        except OSError:
            pass
    name = "companion-bold.woff2" if bold else "companion-regular.woff2"
    return ImageFont.truetype(find_folder("static") / "fonts" / name, size)


def _find_missing(text: str) -> str:
    """Find the letters of a text that neither our fonts have nor those of the system used for painting."""
    rare = RARE.findall(text)
    if not rare:
        return ""
    letters = list_own_letters() | _list_other_letters()
    return "".join(letter for letter in rare if ord(letter) not in letters)


@lru_cache
def _list_other_letters() -> frozenset[int]:
    """List the letters of the system's fonts; empty if it lacks them."""
    from fontTools.ttLib import TTFont
    from PIL import ImageFont

    try:
        file = ImageFont.truetype(_OTHER_FONTS[False]).path
    except OSError:
        return frozenset()
    with TTFont(file) as font:
        return frozenset(font.getBestCmap())
