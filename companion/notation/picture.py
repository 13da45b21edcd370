"""The picture of a finished match: a page torn from the pad, with the score as it was written.

The drawing is an ``<svg>`` of its own in the colours of paper; a page may give its classes other ones. It
consists only of paths, rectangles, text and nested drawings, so that it can be painted without a browser.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from math import ceil, hypot

from .hand import Handwriting, Point, round_off
from .matchsticks import carry_over, draw_matchsticks
from .svg import SQUARE, draw_tally, draw_underline, thin_out
from .tally import Tally, format_number

WIDE = 18 * SQUARE
"""The picture is eighteen squares wide, like the board."""
COLOURS = {
    "leaf": "#fffdf7",
    "line": "#ddd6c5",
    "squares": "#cfdfef",
    "graphite": "#3b3f47",
    "pencil": "#2b2e34",
    "soft": "#5b5d62",
}
"""The colours, by the class of the element."""
EDGE = 12.0
"""The padding of a column."""
HEAD, NAMES, TOTAL, COURSE, FOOT = 58.0, 38.0, 4 * SQUARE, 6 * SQUARE, 44.0
"""Heights: punched edge and caption; names; totals; the line of the match; the last line."""
_ROWS = 3
"""The most rows in which shapes are drawn in full size; with more they are smaller, and more to a row."""
_MAX_POINTS = 60
"""The most points of the line of a match."""
_BY_HAND = 20
"""The most points of a line drawn by hand; longer ones are straight from point to point, not blurred."""
_DASHES: tuple[tuple[float, float] | None, ...] = (None, (7, 5), (2, 4), (11, 4))
"""The dash and the gap of each side's line; None for a solid one."""


@dataclass(frozen=True, slots=True)
class PictureSide:
    """A side: its name, its final total, and the data of its tally."""

    name: str
    total: int
    won: bool = False
    carried: int = 0
    """The points written in digits in front of the tally."""
    tally: Tally | None = None
    course: tuple[int, ...] = ()
    """The running total after each deal."""
    marks: tuple[int, ...] | None = None
    """With matchsticks, the epaulettes beside each of them; None if the table writes none."""
    before: Tally | None = None
    """The earlier tally: strokes added since then are new."""


@dataclass(frozen=True, slots=True)
class Picture:
    """The words and numbers on the picture of a match."""

    title: str
    """The text alternative."""
    game: str
    day: str
    sides: tuple[PictureSide, ...]
    evening: str
    """The last line: tonight's score."""
    seed: str
    target: int | None = None
    joined: bool = True
    """For the painter: no shape refers to another one."""


def draw_picture(picture: Picture) -> str:
    """Draw the picture of a match as an ``<svg>`` element.

    Sides are in columns with their tallies, the line of the match below them; or in rows, if they have
    matchsticks.
    """
    in_columns = all(side.tally is not None for side in picture.sides)
    body, height = _draw_columns(picture) if in_columns else _draw_rows(picture)
    whole = HEAD + height + FOOT
    foot = write(picture.evening, WIDE / 2, whole - 17, 15, WIDE - 2 * EDGE, anchor="middle")
    leaf = draw_leaf(picture.game, picture.day, whole)
    return frame(picture.title, whole, [*leaf, *body, rule(0, HEAD + height, WIDE), foot])


def frame(title: str, height: float, drawn: Iterable[str]) -> str:
    """Write an ``<svg>`` element as wide as a leaf with these elements; `title` is its text alternative."""
    w, h = round_off(WIDE), round_off(height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" role="img" width="{w}" height="{h}"'
        f' viewBox="0 0 {w} {h}" aria-label="{escape(title)}"'
        ' font-family="Companion, system-ui, sans-serif">'
    )
    return "\n".join([head, *drawn, "</svg>"])


def draw_standing(title: str, sides: tuple[PictureSide, ...], seed: str) -> str:
    """Draw how a match stands as an ``<svg>`` element: of its picture only what the table has written."""
    sides = tuple(replace(side, course=()) for side in sides)
    picture = Picture(title, "", "", sides, "", seed, joined=False)
    in_columns = all(side.tally is not None for side in sides)
    body, height = _draw_columns(picture) if in_columns else _draw_rows(picture)
    h = round_off(height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" role="img" width="{round_off(WIDE)}"'
        f' height="{h}" viewBox="0 {round_off(HEAD)} {round_off(WIDE)} {h}" aria-label="{escape(title)}">'
    )
    return "\n".join([head, _fill("leaf", 0, HEAD, WIDE, height), *body, "</svg>"])


# --- the leaf ------------------------------------------------------------------------------------


def draw_leaf(caption: str, day: str, height: float) -> Iterator[str]:
    """Draw the paper, its punched edge, a caption such as the game, and the day."""
    yield _fill("leaf", 0, 0, WIDE, height)
    yield (
        f'<path class="line" fill="none" stroke="{COLOURS["line"]}" stroke-width="1.5"'
        f' d="M0.8 0.8L{round_off(WIDE - 0.8)} 0.8L{round_off(WIDE - 0.8)} {round_off(height - 0.8)}'
        f'L0.8 {round_off(height - 0.8)}L0.8 0.8"/>'
    )
    holes = "".join(_circle(SQUARE * (n + 0.5), 13, 5) for n in range(18))
    yield f'<path class="hole" fill="#f2ecdd" stroke="{COLOURS["line"]}" stroke-width="1.2" d="{holes}"/>'
    room = measure(day, 14)
    yield write(caption, EDGE, 45, 16, WIDE - 3 * EDGE - room, bold=True)
    yield write(day, WIDE - EDGE, 45, 14, WIDE, colour="soft", anchor="end")
    yield rule(0, HEAD, WIDE)


def _circle(x: float, y: float, r: float) -> str:
    """The path of a circle, of four curves."""
    k = 0.5523 * r
    curves = (
        (x + r, y + k, x + k, y + r, x, y + r),
        (x - k, y + r, x - r, y + k, x - r, y),
        (x - r, y - k, x - k, y - r, x, y - r),
        (x + k, y - r, x + r, y - k, x + r, y),
    )
    bends = "".join("C" + " ".join(map(round_off, curve)) for curve in curves)
    return f"M{round_off(x + r)} {round_off(y)}{bends}"


# --- sides in columns ----------------------------------------------------------------------------


def _draw_columns(picture: Picture) -> tuple[list[str], float]:
    """Draw the sides beside each other, and the line of the match below them; with the height of it all."""
    sides = picture.sides
    column = WIDE / len(sides)
    drawings = [_draw_side_tally(picture, index, column) for index in range(len(sides))]
    strokes = SQUARE * max(4, *(ceil((height - SQUARE / 2) / SQUARE) for _drawing, height in drawings))
    top = HEAD + NAMES
    course = any(side.course for side in sides)
    line = top + TOTAL + strokes
    height = NAMES + TOTAL + strokes + (COURSE if course else 0)
    out = [draw_squares(top, HEAD + height)]
    names, size = fit_alike(sides, 18 if len(sides) < 3 else 15, column - 1.5 * EDGE)
    hand = Handwriting(picture.seed)
    out.append(pencil(hand.draw_line("below the names", (2, top), (WIDE - 2, top)), 1.8))
    for index, (side, (drawing, _height)) in enumerate(zip(sides, drawings, strict=True)):
        x = index * column
        if index:
            out.append(pencil(hand.draw_line(f"beside {index}", (x, HEAD + 4), (x, line - 4)), 1.8))
        out.append(write(names[index], x + EDGE, HEAD + 26, size, column, bold=True))
        out += draw_total(picture, side, x, top, column)
        if side.carried:
            out.append(write(f"{side.carried} +", x + EDGE, top + TOTAL, 14, column - EDGE))
        out.append(put(drawing, x, top + TOTAL - SQUARE / 2 + (SQUARE / 2 if side.carried else 0)))
    if course:
        out += draw_course(picture, line)
    return out, height


def draw_total(picture: Picture, side: PictureSide, x: float, top: float, column: float) -> Iterator[str]:
    """Draw the total, two squares high on a line of the squares; under the winner's the double stroke."""
    digits = format_number(side.total)
    size = min(56.0, (column - 1.5 * EDGE) / (0.64 * len(digits)))
    anyone_won = any(each.won for each in picture.sides)
    colour = "soft" if anyone_won and not side.won else "pencil"
    yield write(digits, x + EDGE, top + 3 * SQUARE, size, column, colour=colour)
    if side.won:
        wide = min(0.62 * size * len(digits) + 0.8 * SQUARE, column - EDGE)
        yield put(draw_underline(picture.seed), x + 0.4 * SQUARE, top + 3.15 * SQUARE, wide)


def _draw_side_tally(picture: Picture, index: int, column: float) -> tuple[str, float]:
    """Draw a side's tally as wide as its column; with its height."""
    side = picture.sides[index]
    assert side.tally is not None
    if side.carried + side.total == 0:
        return "", 0
    fitting = int((column - 0.95 * SQUARE - 34) // (2.7 * SQUARE)) + 1
    per_row = fitting
    while ceil(len(side.tally.shapes) / per_row) > _ROWS * per_row / fitting:
        per_row += 1
    drawing = draw_tally(
        side.tally,
        seed=f"{picture.seed} {index}",
        before=side.before,
        per_row=per_row,
        prefix=f"picture-{index}",
        joined=picture.joined,
    )
    scale = fitting / per_row
    wide, high = _read_size(drawing)
    return _scale(drawing, wide * scale, high * scale), high * scale


def draw_course(picture: Picture, top: float) -> Iterator[str]:
    """Draw the match as a pencil line for each side over the squares, its target dotted."""
    courses = [(0, *side.course) for side in picture.sides]
    values = [0, picture.target or 1, *(total for course in courses for total in course)]
    low, high = min(values), max(values)
    deals = max(1, *(len(course) - 1 for course in courses))
    hand = Handwriting(picture.seed)

    def find_point(deal: int, total: int) -> Point:
        across = EDGE + (WIDE - 2 * EDGE) * deal / deals
        return across, top + COURSE - 12 - (COURSE - 30) * (total - low) / (high - low)

    yield rule(0, top, WIDE)
    if picture.target is not None:
        height = find_point(0, picture.target)[1]
        dots = _cut((EDGE, height), (WIDE - EDGE, height), (1.2, 3.8), 0)
        yield pencil("".join(map(_line, dots)), 1.3)
        number = format_number(picture.target)
        yield write(number, EDGE, height - 4, 12, WIDE, colour="soft")
    for index, course in enumerate(courses):
        shown = thin_out(range(len(course)), _MAX_POINTS)
        points = [find_point(deal, course[deal]) for deal in shown]
        yield pencil("".join(_draw_walk(hand, index, points)), 2)
        x, y = points[-1]
        yield pencil(f"M{round_off(x)} {round_off(y)}L{round_off(x)} {round_off(y)}", 6)


def _draw_walk(hand: Handwriting, index: int, points: Sequence[Point]) -> Iterator[str]:
    """Draw one line through some points: the first by hand while it is short, the others dashed."""
    dash, gone = _DASHES[index % len(_DASHES)], 0.0
    for number, (start, end) in enumerate(pairwise(points)):
        if dash is not None:
            yield from map(_line, _cut(start, end, dash, gone))
        elif len(points) > _BY_HAND:
            yield _line((start, end))
        else:
            yield hand.draw_line(f"course {index} {number}", start, end)
        gone += hypot(end[0] - start[0], end[1] - start[1])


def _cut(start: Point, end: Point, dash: tuple[float, float], gone: float) -> list[tuple[Point, Point]]:
    """Cut a straight line into dashes; so much of the pattern is `gone` before it begins."""
    length = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    step, pieces = sum(dash), []
    at = -(gone % step)
    while at < length:
        first, last = max(at, 0.0), min(at + dash[0], length)
        if last > first:
            along = [
                (
                    start[0] + (end[0] - start[0]) * way / length,
                    start[1] + (end[1] - start[1]) * way / length,
                )
                for way in (first, last)
            ]
            pieces.append((along[0], along[1]))
        at += step
    return pieces


# --- sides in rows -------------------------------------------------------------------------------

_STICKS = 9.5 * SQUARE
"""The left edge of the matchsticks in a row."""


def _draw_rows(picture: Picture) -> tuple[list[str], float]:
    """Draw the sides below each other, each with its losses and their matchsticks; with the total height."""
    top, body = HEAD, list[str]()
    widest = max(measure(format_number(side.total), 28) for side in picture.sides)
    names, size = fit_alike(picture.sides, 17, _STICKS - 6 - widest - 2 * EDGE)
    for index, side in enumerate(picture.sides):
        drawing, tall = _draw_side_matches(picture, index)
        height = SQUARE * max(3, ceil((tall + 12) / SQUARE))
        if index:
            body.append(rule(0, top, WIDE))
        baseline = top + height / 2 + 10
        losses = format_number(side.total)
        body.append(write(names[index], EDGE, baseline - 3, size, _STICKS, bold=True))
        body.append(write(losses, _STICKS - 6, baseline, 28, 60, anchor="end"))
        if drawing:
            body.append(put(drawing, _STICKS, top + (height - tall) / 2))
        top += height
    return [draw_squares(HEAD, top, _STICKS), *body], top - HEAD


def _draw_side_matches(picture: Picture, index: int) -> tuple[str, float]:
    """Draw a side's matchsticks in the room there is for them, with their height; nothing without losses."""
    side = picture.sides[index]
    drawn = side.total - carry_over(side.total)
    if not drawn:
        return "", 0
    drawing = draw_matchsticks(
        drawn,
        seed=f"{picture.seed} {index}",
        epaulettes=side.marks,
        per_row=4 if drawn <= 40 else 7,
        prefix=f"picture-{index}",
    )
    wide, high = _read_size(drawing)
    scale = min(0.85, (WIDE - _STICKS - 6) / wide)
    return _scale(drawing, wide * scale, high * scale), high * scale


# --- elements ------------------------------------------------------------------------------------


def draw_squares(top: float, bottom: float, left: float = 0) -> str:
    """Draw the squares of the paper, from one height to another."""
    across = [
        f"M{round_off(left)} {round_off(y)}L{round_off(WIDE)} {round_off(y)}" for y in _steps(top, bottom)
    ]
    down = [
        f"M{round_off(x)} {round_off(top)}L{round_off(x)} {round_off(bottom)}" for x in _steps(left, WIDE)
    ]
    paths = "".join((*across, *down))
    return f'<path class="squares" fill="none" stroke="{COLOURS["squares"]}" stroke-width="1" d="{paths}"/>'


def _steps(first: float, last: float) -> list[float]:
    """The coordinates from one to the other, square by square."""
    return [first + n * SQUARE for n in range(int((last - first) / SQUARE) + 1)]


def _fill(kind: str, x: float, y: float, width: float, height: float) -> str:
    return (
        f'<rect class="{kind}" fill="{COLOURS[kind]}" x="{round_off(x)}" y="{round_off(y)}"'
        f' width="{round_off(width)}" height="{round_off(height)}"/>'
    )


def rule(x: float, y: float, end: float) -> str:
    """Draw a printed line of the leaf."""
    return (
        f'<path class="line" fill="none" stroke="{COLOURS["line"]}" stroke-width="1.2"'
        f' d="{_line(((x, y), (end, y)))}"/>'
    )


def _line(ends: tuple[Point, Point]) -> str:
    (x, y), (to_x, to_y) = ends
    return f"M{round_off(x)} {round_off(y)}L{round_off(to_x)} {round_off(to_y)}"


def pencil(path: str, width: float) -> str:
    """Draw a stroke of the pencil."""
    return (
        f'<path class="graphite" fill="none" stroke="{COLOURS["graphite"]}" stroke-width="{round_off(width)}"'
        f' stroke-linecap="round" stroke-linejoin="round" d="{path}"/>'
    )


def write(
    text: str,
    x: float,
    baseline: float,
    size: float,
    room: float,
    *,
    bold: bool = False,
    colour: str = "pencil",
    anchor: str = "start",
) -> str:
    """Write words at a position, in the room they have."""
    shown, size = fit(text, size, room, bold)
    weight = ' font-weight="700"' if bold else ""
    placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return (
        f'<text class="{colour}" fill="{COLOURS[colour]}" x="{round_off(x)}" y="{round_off(baseline)}"'
        f' font-size="{round_off(size)}"{weight}{placed}>{escape(shown)}</text>'
    )


def put(drawing: str, x: float, y: float, width: float | None = None) -> str:
    """Put a drawing at a position inside the picture, in graphite."""
    if not drawing:
        return ""
    if width is not None:
        wide, high = _read_size(drawing)
        size = f' width="{round_off(width)}" height="{round_off(high * width / wide)}"'
        drawing = drawing.replace("<svg", f"<svg{size}", 1)
    opening = f'<svg x="{round_off(x)}" y="{round_off(y)}" color="{COLOURS["graphite"]}"'
    return drawing.replace("<svg", opening, 1)


def _read_size(drawing: str) -> tuple[float, float]:
    """Read the width and height of a drawing."""
    view = drawing.partition('viewBox="')[2].partition('"')[0].split()
    return float(view[2]), float(view[3])


def _scale(drawing: str, width: float, height: float) -> str:
    """Scale the drawing to another size."""
    wide, high = map(round_off, _read_size(drawing))
    sized = f' width="{round_off(width)}" height="{round_off(height)}"'
    return drawing.replace(f' width="{wide}" height="{high}"', sized, 1)


# --- words in their room -------------------------------------------------------------------------

_NARROW, _BROAD = frozenset("ijltfrI.,:;'!|()[]· іїј"), frozenset("mwMWQ@%&ЖМШЩЮЫФжмшщюыф—…")
_SMALLEST = 0.72
"""The smallest scale of words before they are cut."""


def measure(text: str, size: float, bold: bool = False) -> float:
    """Estimate the greatest width of words in any sans serif font."""
    return sum(map(_measure_letter, text)) * size * (1.1 if bold else 1.0)


def _measure_letter(letter: str) -> float:
    """The width of a letter, in heights of the type."""
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    if letter in _NARROW:
        return 0.4
    if letter in _BROAD:
        return 0.95
    return 0.72 if letter.isupper() else 0.62


def fit_alike(sides: Sequence[PictureSide], size: float, room: float) -> tuple[list[str], float]:
    """Fit the names of all sides into equal rooms; with one size for all."""
    fitted = [fit(side.name, size, room, bold=True) for side in sides]
    return [name for name, _size in fitted], min(size for _name, size in fitted)


def fit(text: str, size: float, room: float, bold: bool = False) -> tuple[str, float]:
    """Fit words into so much room, with their size: smaller ones, and then cut with an ellipsis.

    >>> fit("Ewa", 18, 100)
    ('Ewa', 18)
    >>> fit("Konstancja Brzęczyszczykiewicz", 25, 125)
    ('Konstancja…', 18.0)
    """
    wide = measure(text, size, bold)
    if wide <= room:
        return text, size
    size *= max(_SMALLEST, room / wide)
    if wide * _SMALLEST <= room:
        return text, size
    length = len(text)
    while length and measure(f"{text[:length]}…", size, bold) > room:
        length -= 1
    return f"{text[:length].rstrip()}…", size
