"""The picture of a finished match, or of an evening: a page torn from the pad, with the score as written.

The drawing is an ``<svg>`` of its own in the colours of paper; a page may give its classes other ones. It
consists only of paths, rectangles, text and nested drawings, so that it can be painted without a browser.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from math import ceil, hypot

from . import running
from .hand import Handwriting, Point, round_off
from .lettering import fit, measure
from .matchsticks import carry_over, draw_matchsticks
from .running import RunningTotalsRow, draw_running_totals
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
_EDGE = 12.0
"""The padding of a column."""
_HEAD, _NAMES, _TOTAL, _COURSE, _FOOT = 58.0, 38.0, 4 * SQUARE, 6 * SQUARE, 44.0
"""Heights: punched edge and caption; names; totals; the line of the match; the last line."""
LINES = 12
"""The most running totals of a side, the last ones."""
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
    rows: tuple[RunningTotalsRow, ...] | None = None
    """The running totals of a game that is written in columns of them."""
    joined: bool = True
    """For the painter: no shape refers to another one."""


def draw_picture(picture: Picture) -> str:
    """Draw the picture of a match as an ``<svg>`` element.

    Sides are in columns with their tallies, the line of the match below them; or in rows, if they have
    matchsticks.
    """
    body, height = _draw_sides(picture)
    whole = _HEAD + height + _FOOT
    w, h = round_off(WIDE), round_off(whole)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" role="img" width="{w}" height="{h}"'
        f' viewBox="0 0 {w} {h}" aria-label="{escape(picture.title)}"'
        ' font-family="Companion, system-ui, sans-serif">'
    )
    foot = _write(picture.evening, WIDE / 2, whole - 17, 15, WIDE - 2 * _EDGE, anchor="middle")
    return "\n".join(
        [head, *_draw_leaf(picture, whole), *body, _rule(0, _HEAD + height, WIDE), foot, "</svg>"]
    )


def draw_standing(
    title: str,
    sides: tuple[PictureSide, ...],
    seed: str,
    rows: tuple[RunningTotalsRow, ...] | None = None,
) -> str:
    """Draw how a match stands as an ``<svg>`` element: of its picture only what the table has written.

    Of the `rows` of running totals these are the last ones, as on a board.
    """
    sides = tuple(replace(side, course=()) for side in sides)
    rows = rows and rows[-running.LINES :]
    body, height = _draw_sides(Picture(title, "", "", sides, "", seed, rows=rows, joined=False))
    h = round_off(height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" role="img" width="{round_off(WIDE)}"'
        f' height="{h}" viewBox="0 {round_off(_HEAD)} {round_off(WIDE)} {h}" aria-label="{escape(title)}">'
    )
    return "\n".join([head, _fill("leaf", 0, _HEAD, WIDE, height), *body, "</svg>"])


def _draw_sides(picture: Picture) -> tuple[list[str], float]:
    """Draw all sides: in columns, or with matchsticks in rows; with the height of it all."""
    if picture.rows is None and any(side.tally is None for side in picture.sides):
        return _draw_rows(picture)
    return _draw_columns(picture)


# --- the leaf ------------------------------------------------------------------------------------


def _draw_leaf(picture: Picture, height: float) -> Iterator[str]:
    """Draw the paper, its punched edge, the game and the day."""
    yield _fill("leaf", 0, 0, WIDE, height)
    yield (
        f'<path class="line" fill="none" stroke="{COLOURS["line"]}" stroke-width="1.5"'
        f' d="M0.8 0.8L{round_off(WIDE - 0.8)} 0.8L{round_off(WIDE - 0.8)} {round_off(height - 0.8)}'
        f'L0.8 {round_off(height - 0.8)}L0.8 0.8"/>'
    )
    holes = "".join(_circle(SQUARE * (n + 0.5), 13, 5) for n in range(18))
    yield f'<path class="hole" fill="#f2ecdd" stroke="{COLOURS["line"]}" stroke-width="1.2" d="{holes}"/>'
    room = measure(picture.day, 14)
    yield _write(picture.game, _EDGE, 45, 16, WIDE - 3 * _EDGE - room, bold=True)
    yield _write(picture.day, WIDE - _EDGE, 45, 14, WIDE, colour="soft", anchor="end")
    yield _rule(0, _HEAD, WIDE)


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
    drawings = _draw_lines(picture, column) if picture.rows is not None else _draw_tallies(picture, column)
    strokes = SQUARE * max(4, *(ceil(height / SQUARE) for _drawing, height in drawings))
    top = _HEAD + _NAMES
    course = any(side.course for side in sides)
    line = top + _TOTAL + strokes
    height = _NAMES + _TOTAL + strokes + (_COURSE if course else 0)
    out = [_draw_squares(top, _HEAD + height)]
    names, size = _fit_alike(sides, 18 if len(sides) < 3 else 15, column - 1.5 * _EDGE)
    hand = Handwriting(picture.seed)
    out.append(_pencil(hand.draw_line("below the names", (2, top), (WIDE - 2, top)), 1.8))
    for index, (side, (drawing, _height)) in enumerate(zip(sides, drawings, strict=True)):
        x = index * column
        if index:
            out.append(_pencil(hand.draw_line(f"beside {index}", (x, _HEAD + 4), (x, line - 4)), 1.8))
        out.append(_write(names[index], x + _EDGE, _HEAD + 26, size, column, bold=True))
        out += _draw_total(picture, side, x, top, column)
        if side.carried:
            out.append(_write(f"{side.carried} +", x + _EDGE, top + _TOTAL, 14, column - _EDGE))
        out.append(_put(drawing, x, top + _TOTAL + (SQUARE / 2 if side.carried else 0)))
    if course:
        out += _draw_course(picture, line)
    return out, height


def _draw_total(picture: Picture, side: PictureSide, x: float, top: float, column: float) -> Iterator[str]:
    """Draw the total, two squares high on a line of the squares; under the winner's the double stroke."""
    digits = format_number(side.total)
    size = min(56.0, (column - 1.5 * _EDGE) / (0.64 * len(digits)))
    anyone_won = any(each.won for each in picture.sides)
    colour = "soft" if anyone_won and not side.won else "pencil"
    yield _write(digits, x + _EDGE, top + 3 * SQUARE, size, column, colour=colour)
    if side.won:
        wide = min(0.62 * size * len(digits) + 0.8 * SQUARE, column - _EDGE)
        yield _put(draw_underline(picture.seed), x + 0.4 * SQUARE, top + 3.15 * SQUARE, wide)


def _draw_tallies(picture: Picture, column: float) -> list[tuple[str, float]]:
    """Draw the tallies of all sides as wide as their columns, and all of one size; each with its height."""
    tallies = [side.tally or Tally() for side in picture.sides]
    most = max(len(tally.shapes) for tally in tallies)
    fitting = int((column - 0.95 * SQUARE - 34) // (2.7 * SQUARE)) + 1
    per_row = fitting
    while ceil(most / per_row) > _ROWS * per_row / fitting:
        per_row += 1
    scale, drawn = fitting / per_row, list[tuple[str, float]]()
    for index, (side, tally) in enumerate(zip(picture.sides, tallies, strict=True)):
        if side.carried + side.total == 0:
            drawn.append(("", 0))
            continue
        drawing = draw_tally(
            tally,
            seed=f"{picture.seed} {index}",
            before=side.before,
            per_row=per_row,
            prefix=f"picture-{index}",
            joined=picture.joined,
        )
        wide, high = _read_size(drawing)
        drawn.append((_scale(drawing, wide * scale, high * scale), high * scale))
    return drawn


def _draw_lines(picture: Picture, column: float) -> list[tuple[str, float]]:
    """Draw the columns of the last running totals; each with its height."""
    rows = (picture.rows or ())[-LINES:]
    if not rows:
        return [("", 0) for _side in picture.sides]
    drawn = draw_running_totals(rows, seed=picture.seed, room=column, prefix="picture")
    return [(drawing, running.measure_height(len(rows))) for drawing in drawn]


def _draw_course(picture: Picture, top: float) -> Iterator[str]:
    """Draw the match as a pencil line for each side over the squares, its target dotted."""
    courses = [(0, *side.course) for side in picture.sides]
    values = [0, picture.target or 1, *(total for course in courses for total in course)]
    low, high = min(values), max(values)
    deals = max(1, *(len(course) - 1 for course in courses))
    hand = Handwriting(picture.seed)

    def find_point(deal: int, total: int) -> Point:
        across = _EDGE + (WIDE - 2 * _EDGE) * deal / deals
        return across, top + _COURSE - 12 - (_COURSE - 30) * (total - low) / (high - low)

    yield _rule(0, top, WIDE)
    if picture.target is not None:
        height = find_point(0, picture.target)[1]
        dots = _cut((_EDGE, height), (WIDE - _EDGE, height), (1.2, 3.8), 0)
        yield _pencil("".join(map(_line, dots)), 1.3)
        number = format_number(picture.target)
        yield _write(number, _EDGE, height - 4, 12, WIDE, colour="soft")
    for index, course in enumerate(courses):
        shown = thin_out(range(len(course)), _MAX_POINTS)
        points = [find_point(deal, course[deal]) for deal in shown]
        yield _pencil("".join(_draw_walk(hand, index, points)), 2)
        x, y = points[-1]
        yield _pencil(f"M{round_off(x)} {round_off(y)}L{round_off(x)} {round_off(y)}", 6)


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
    top, body = _HEAD, list[str]()
    widest = max(measure(format_number(side.total), 28) for side in picture.sides)
    names, size = _fit_alike(picture.sides, 17, _STICKS - 6 - widest - 2 * _EDGE)
    for index, side in enumerate(picture.sides):
        drawing, tall = _draw_side_matches(picture, index)
        height = SQUARE * max(3, ceil((tall + 12) / SQUARE))
        if index:
            body.append(_rule(0, top, WIDE))
        baseline = top + height / 2 + 10
        losses = format_number(side.total)
        body.append(_write(names[index], _EDGE, baseline - 3, size, _STICKS, bold=True))
        body.append(_write(losses, _STICKS - 6, baseline, 28, 60, anchor="end"))
        if drawing:
            body.append(_put(drawing, _STICKS, top + (height - tall) / 2))
        top += height
    return [_draw_squares(_HEAD, top, _STICKS), *body], top - _HEAD


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


# --- an evening ----------------------------------------------------------------------------------

_LINE = 1.25 * SQUARE
"""The height of the line of a match, and of one that is said at the foot."""
_MAX_POINTS = 3
"""The most sides whose points have room in a row."""
_MIN_COURSE = 3
"""The least number of matches whose course is drawn."""


@dataclass(frozen=True, slots=True)
class EveningLine:
    """A match of the evening: the game, its headline, and the points of each side; `winner` is a position."""

    game: str
    headline: str
    points: tuple[str, ...]
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class EveningPicture:
    """The words and numbers on the picture of an evening.

    The total of a side is what it won, or lost, that evening. In rows, `counts` says which; without it sides
    stand in columns, opposed all evening.
    """

    title: str
    """The text alternative."""
    caption: str
    day: str
    sides: tuple[PictureSide, ...]
    counts: str
    matches: tuple[EveningLine, ...]
    closing: tuple[str, ...]
    """The last lines: tonight's score, the payments."""
    seed: str

    @property
    def score(self) -> Picture:
        """The part that it shares with the picture of a match: its caption, and the score."""
        return Picture(self.title, self.caption, self.day, self.sides, "", self.seed)

    @property
    def has_several_games(self) -> bool:
        """True if the games are named match by match; a single one is the caption."""
        return len({match.game for match in self.matches}) > 1


def draw_evening(picture: EveningPicture) -> str:
    """Draw the picture of an evening as an ``<svg>`` element."""
    body, height = _draw_players(picture) if picture.counts else _draw_opposed(picture)
    top = _HEAD + height
    whole = top + (len(picture.closing) * _LINE + SQUARE if picture.closing else 0)
    foot = [
        _write(line, WIDE / 2, top + SQUARE * 1.15 + index * _LINE, 15, WIDE - 2 * _EDGE, anchor="middle")
        for index, line in enumerate(picture.closing)
    ]
    w, h = round_off(WIDE), round_off(whole)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" role="img" width="{w}" height="{h}"'
        f' viewBox="0 0 {w} {h}" aria-label="{escape(picture.title)}"'
        ' font-family="Companion, system-ui, sans-serif">'
    )
    leaf = _draw_leaf(picture.score, whole)
    return "\n".join([head, *leaf, *body, _rule(0, top, WIDE), *foot, "</svg>"])


def _draw_opposed(picture: EveningPicture) -> tuple[list[str], float]:
    """Draw the sides beside each other: what each has won, and its points in every match; with the height."""
    sides = picture.sides
    column, top = WIDE / len(sides), _HEAD + _NAMES
    bottom = top + _TOTAL + len(picture.matches) * _LINE
    has_course = len(sides[0].course) >= _MIN_COURSE
    end = bottom + _COURSE if has_course else bottom
    names, size = _fit_alike(sides, 18 if len(sides) < 3 else 15, column - 1.5 * _EDGE)
    hand = Handwriting(picture.seed)
    out = [_draw_squares(top, top + _TOTAL), *([_draw_squares(bottom, end)] if has_course else [])]
    out.append(_pencil(hand.draw_line("below the names", (2, top), (WIDE - 2, top)), 1.8))
    for index, side in enumerate(sides):
        x = index * column
        if index:
            out.append(_pencil(hand.draw_line(f"beside {index}", (x, _HEAD + 4), (x, bottom - 4)), 1.8))
        out.append(_write(names[index], x + _EDGE, _HEAD + 26, size, column, bold=True))
        out += _draw_total(picture.score, side, x, top, column)
        out += _list_points(picture, index, x, top + _TOTAL)
    out += _list_games(picture, top + _TOTAL, column)
    if has_course:
        out += _draw_course(picture.score, bottom)
    return out, end - _HEAD


def _list_points(picture: EveningPicture, index: int, x: float, top: float) -> Iterator[str]:
    """Write the points of a side, match by match; the winner's are bold."""
    for number, match in enumerate(picture.matches):
        won = match.winner == index
        colour = "pencil" if won or match.winner is None else "soft"
        y = top + number * _LINE + 18
        yield _write(match.points[index], x + _EDGE, y, 16, 90, bold=won, colour=colour)


def _list_games(picture: EveningPicture, top: float, column: float) -> Iterator[str]:
    """Draw a line above every match, and name its game if the evening had several."""
    for number, match in enumerate(picture.matches):
        y = top + number * _LINE
        yield _rule(0, y, WIDE)
        if picture.has_several_games:
            room = column - 3 * _EDGE - measure(match.points[-1], 16, bold=True)
            yield _write(match.game, WIDE - _EDGE, y + 17, 13, room, colour="soft", anchor="end")


def _draw_players(picture: EveningPicture) -> tuple[list[str], float]:
    """Draw the players below each other, then the matches, each with its headline; with the height."""
    left = WIDE - 5 * SQUARE
    top = _HEAD + _LINE
    out = [_write(picture.counts, WIDE - _EDGE, _HEAD + 17, 14, WIDE, colour="soft", anchor="end")]
    out.append(_draw_squares(top, top + 2 * SQUARE * len(picture.sides), left))
    for side in picture.sides:
        digits = str(side.total)
        out.append(_rule(0, top, WIDE))
        out.append(_write(side.name, _EDGE, top + 26, 17, left - 2 * _EDGE, bold=side.won))
        out.append(_write(digits, WIDE - _EDGE - 6, top + 29, 26, 60, bold=side.won, anchor="end"))
        if side.won:
            wide = 0.62 * 26 * len(digits) + 16
            out.append(_put(draw_underline(picture.seed), WIDE - _EDGE + 2 - wide, top + 31, wide))
        top += 2 * SQUARE
    for match in picture.matches:
        out.append(_rule(0, top, WIDE))
        points = " : ".join(match.points) if len(match.points) <= _MAX_POINTS else ""
        room = WIDE - 4 * _EDGE - measure(points, 15)
        game = min(measure(match.game, 13), room / 3) if picture.has_several_games else 0
        out.append(_write(match.headline, _EDGE, top + 18, 15, room - game, bold=match.winner is not None))
        if game:
            out.append(_write(match.game, 2 * _EDGE + room - game, top + 18, 13, game, colour="soft"))
        out.append(_write(points, WIDE - _EDGE, top + 18, 15, WIDE, anchor="end"))
        top += _LINE
    return out, top - _HEAD


# --- elements ------------------------------------------------------------------------------------


def _draw_squares(top: float, bottom: float, left: float = 0) -> str:
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


def _rule(x: float, y: float, end: float) -> str:
    """Draw a printed line of the leaf."""
    return (
        f'<path class="line" fill="none" stroke="{COLOURS["line"]}" stroke-width="1.2"'
        f' d="{_line(((x, y), (end, y)))}"/>'
    )


def _line(ends: tuple[Point, Point]) -> str:
    (x, y), (to_x, to_y) = ends
    return f"M{round_off(x)} {round_off(y)}L{round_off(to_x)} {round_off(to_y)}"


def _pencil(path: str, width: float) -> str:
    return (
        f'<path class="graphite" fill="none" stroke="{COLOURS["graphite"]}" stroke-width="{round_off(width)}"'
        f' stroke-linecap="round" stroke-linejoin="round" d="{path}"/>'
    )


def _write(
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


def _put(drawing: str, x: float, y: float, width: float | None = None) -> str:
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


def _fit_alike(sides: Sequence[PictureSide], size: float, room: float) -> tuple[list[str], float]:
    """Fit the names of all sides into equal rooms; with one size for all."""
    fitted = [fit(side.name, size, room, bold=True) for side in sides]
    return [name for name, _size in fitted], min(size for _name, size in fitted)
