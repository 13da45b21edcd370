"""The picture of an evening: a leaf with the matches of each, how it stands, and what is still to be paid.

Sides that were the same all evening stand in columns, with the line of the evening below them; otherwise the
players stand in rows, and every match names its winner.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from .hand import Handwriting
from .picture import (
    COURSE,
    EDGE,
    HEAD,
    NAMES,
    TOTAL,
    WIDE,
    Picture,
    PictureSide,
    draw_course,
    draw_leaf,
    draw_squares,
    draw_total,
    fit_alike,
    frame,
    measure,
    pencil,
    put,
    rule,
    write,
)
from .svg import SQUARE, draw_underline

_LINE = 1.25 * SQUARE
"""The height of the line of a match, and of one that is said at the foot."""
_MOST_POINTS = 3
"""The most sides whose points have room in a row."""
_LEAST_COURSE = 3
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
    def has_several_games(self) -> bool:
        """True if the games are named match by match; a single one is the caption."""
        return len({match.game for match in self.matches}) > 1


def draw_evening(picture: EveningPicture) -> str:
    """Draw the picture of an evening as an ``<svg>`` element."""
    body, height = _draw_rows(picture) if picture.counts else _draw_columns(picture)
    top = HEAD + height
    whole = top + (len(picture.closing) * _LINE + SQUARE if picture.closing else 0)
    foot = [
        write(line, WIDE / 2, top + SQUARE * 1.15 + index * _LINE, 15, WIDE - 2 * EDGE, anchor="middle")
        for index, line in enumerate(picture.closing)
    ]
    leaf = draw_leaf(picture.caption, picture.day, whole)
    return frame(picture.title, whole, [*leaf, *body, rule(0, top, WIDE), *foot])


def _draw_columns(picture: EveningPicture) -> tuple[list[str], float]:
    """Draw the sides beside each other: what each has won, and its points in every match; with the height."""
    sides = picture.sides
    column, top = WIDE / len(sides), HEAD + NAMES
    bottom = top + TOTAL + len(picture.matches) * _LINE
    has_course = len(sides[0].course) >= _LEAST_COURSE
    end = bottom + COURSE if has_course else bottom
    names, size = fit_alike(sides, 18 if len(sides) < 3 else 15, column - 1.5 * EDGE)
    hand = Handwriting(picture.seed)
    score = Picture("", "", "", sides, "", picture.seed)
    out = [draw_squares(top, top + TOTAL), *([draw_squares(bottom, end)] if has_course else [])]
    out.append(pencil(hand.draw_line("below the names", (2, top), (WIDE - 2, top)), 1.8))
    for index, side in enumerate(sides):
        x = index * column
        if index:
            out.append(pencil(hand.draw_line(f"beside {index}", (x, HEAD + 4), (x, bottom - 4)), 1.8))
        out.append(write(names[index], x + EDGE, HEAD + 26, size, column, bold=True))
        out += draw_total(score, side, x, top, column)
        out += _list_points(picture, index, x, top + TOTAL)
    out += _list_games(picture, top + TOTAL, column)
    if has_course:
        out += draw_course(score, bottom)
    return out, end - HEAD


def _list_points(picture: EveningPicture, index: int, x: float, top: float) -> Iterator[str]:
    """Write the points of a side, match by match; the winner's are bold."""
    for number, match in enumerate(picture.matches):
        won = match.winner == index
        colour = "pencil" if won or match.winner is None else "soft"
        y = top + number * _LINE + 18
        yield write(match.points[index], x + EDGE, y, 16, 90, bold=won, colour=colour)


def _list_games(picture: EveningPicture, top: float, column: float) -> Iterator[str]:
    """Draw a line above every match, and name its game if the evening had several."""
    for number, match in enumerate(picture.matches):
        y = top + number * _LINE
        yield rule(0, y, WIDE)
        if picture.has_several_games:
            room = column - 3 * EDGE - measure(match.points[-1], 16, bold=True)
            yield write(match.game, WIDE - EDGE, y + 17, 13, room, colour="soft", anchor="end")


def _draw_rows(picture: EveningPicture) -> tuple[list[str], float]:
    """Draw the players below each other, then the matches, each with its headline; with the height."""
    left = WIDE - 5 * SQUARE
    top = HEAD + _LINE
    out = [write(picture.counts, WIDE - EDGE, HEAD + 17, 14, WIDE, colour="soft", anchor="end")]
    out.append(draw_squares(top, top + 2 * SQUARE * len(picture.sides), left))
    for side in picture.sides:
        digits = str(side.total)
        out.append(rule(0, top, WIDE))
        out.append(write(side.name, EDGE, top + 26, 17, left - 2 * EDGE, bold=side.won))
        out.append(write(digits, WIDE - EDGE - 6, top + 29, 26, 60, bold=side.won, anchor="end"))
        if side.won:
            wide = 0.62 * 26 * len(digits) + 16
            out.append(put(draw_underline(picture.seed), WIDE - EDGE + 2 - wide, top + 31, wide))
        top += 2 * SQUARE
    for match in picture.matches:
        out.append(rule(0, top, WIDE))
        points = " : ".join(match.points) if len(match.points) <= _MOST_POINTS else ""
        room = WIDE - 4 * EDGE - measure(points, 15)
        game = min(measure(match.game, 13), room / 3) if picture.has_several_games else 0
        out.append(write(match.headline, EDGE, top + 18, 15, room - game, bold=match.winner is not None))
        if game:
            out.append(write(match.game, 2 * EDGE + room - game, top + 18, 13, game, colour="soft"))
        out.append(write(points, WIDE - EDGE, top + 18, 15, WIDE, anchor="end"))
        top += _LINE
    return out, top - HEAD
