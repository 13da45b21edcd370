"""Paints a picture as PNG, without a browser. The only module that imports Pillow, and only when it paints.

It reads what `companion.notation` draws: paths of straight lines and curves, rectangles, circles, text, and
drawings inside a drawing. What it does not know it refuses, so that the picture and its PNG never differ.
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
"""It is painted this many times as large and then reduced, which smooths its edges."""
_COLOURS = 32
"""Colours in the palette of the PNG."""
_STEPS = 6
"""A curve is painted as this many straight lines."""
_SPACE = "{http://www.w3.org/2000/svg}"
_COMMAND = re.compile(r"([MLCHV])([^A-Za-z]*)")
_OTHER_FONTS = {False: "DejaVuSans.ttf", True: "DejaVuSans-Bold.ttf"}
"""Fonts of the system, for letters that ours have not."""


def paint_png(drawing: str) -> bytes:
    """The PNG of an ``<svg>`` of ours, `WIDTH` pixels wide, on its own paper.

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
    """Paints elements on a canvas; an element inherits what only its parents say.

    `spelled` are names as they are painted, where that is not as they are written.
    """

    def __init__(self, canvas: ImageDraw, spelled: Mapping[str, str]) -> None:
        self._canvas, self._spelled = canvas, spelled

    def paint(
        self, element: ElementTree.Element, inherited: Mapping[str, str], scale: float, origin: Point
    ) -> None:
        """Paint an element and all inside; `scale` is pixels to a unit, `origin` where its 0 0 lies."""
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
        """A text in letters that are there: with names as they are painted, also where one was cut."""
        start = text.removesuffix("…")
        cut = next((name for name in self._spelled if start and name.startswith(start)), text)
        spelled = respell(cut, self._spelled)
        return "".join(letter for letter in spelled if not _find_missing(letter))


def _move(point: Point, scale: float, origin: Point) -> Point:
    return point[0] * scale + origin[0], point[1] * scale + origin[1]


def _find_colour(look: Mapping[str, str], part: str) -> str | None:
    """The colour of an element's fill or stroke; None where it has none."""
    colour = look.get(part, "none")
    colour = look.get("color", "#000") if colour == "currentColor" else colour
    return None if colour == "none" else colour


def _read_path(path: str) -> Iterator[list[Point]]:
    """The points of a path, a list for each time that the pencil is put down."""
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
    """Points along a curve, after its start."""
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
        corners = (start, first, second, end)
        yield (
            sum(weight * corner[0] for weight, corner in zip(weights, corners, strict=True)),
            sum(weight * corner[1] for weight, corner in zip(weights, corners, strict=True)),
        )


def _find_font(text: str, size: int, bold: bool) -> FreeTypeFont:
    """Our own letters; those of the system for a text that has others, where the system has any."""
    from PIL import ImageFont

    if not {ord(letter) for letter in text} <= list_own_letters():
        try:
            return ImageFont.truetype(_OTHER_FONTS[bold], size)
        except OSError:
            pass
    name = "companion-bold.woff2" if bold else "companion-regular.woff2"
    return ImageFont.truetype(find_folder("static") / "fonts" / name, size)


def _find_missing(text: str) -> str:
    """The letters of a text that neither our fonts have nor those of the system that are painted with."""
    rare = RARE.findall(text)
    if not rare:
        return ""
    letters = list_own_letters() | _list_other_letters()
    return "".join(letter for letter in rare if ord(letter) not in letters)


@lru_cache
def _list_other_letters() -> frozenset[int]:
    """The letters of the system's fonts; none where it lacks them."""
    from fontTools.ttLib import TTFont
    from PIL import ImageFont

    try:
        file = ImageFont.truetype(_OTHER_FONTS[False]).path
    except OSError:
        return frozenset()
    with TTFont(file) as font:
        return frozenset(font.getBestCmap())
