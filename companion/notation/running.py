"""Running totals as a pencil writes them: a column for each side, a line below the other for each deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from .hand import DIGIT_HIGH, DIGIT_PITCH, DIGIT_WIDE, SIGNS, Handwriting, Point, round_off
from .lettering import measure
from .svg import PENCIL, SQUARE, frame_drawing

LINES = 3
"""The lines that a board has room for."""
LINE = 1.5 * SQUARE
"""The distance from one line to the next."""
_TOP = 0.9 * SQUARE
"""The space above the first line, in which the newest points have room."""
_LEFT = 0.62 * SQUARE
_SIZE = 0.72
"""The scale of the hand's digits where they have room: a square high."""
_SECOND = 0.66
"""The size of a bid in front of the totals, beside theirs."""
_GAP = 0.45 * DIGIT_PITCH
"""The space between two words of a cell."""
_TYPE = 20.0
"""The size of words that the hand cannot write."""
_PITCHES = dict.fromkeys("()", 0.62 * DIGIT_PITCH) | dict.fromkeys("vsвс", 0.85 * DIGIT_PITCH)
_RING = (10.0, 5.0)
"""The space between digits and the ring around them, beside and above."""


@dataclass(frozen=True, slots=True)
class RunningTotalsCell:
    """A side's running total after a deal, with a mark beside it or instead of it."""

    total: str
    mark: str = ""
    ring: str = ""
    """Points that are held, if they stand in a ring."""
    half: bool = False
    """True if a stroke marks that the side has reached half of the target."""


@dataclass(frozen=True, slots=True)
class RunningTotalsRow:
    """One line of the running totals."""

    number: str
    """The deal's number; empty if the line is not a deal."""
    cells: tuple[RunningTotalsCell, ...]
    bid: str = ""
    """The bid, written before the line."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A word of a line: where it begins, and how wide it is; `kind` is `bid`, `ring`, `half` or empty."""

    text: str
    x: float
    width: float
    kind: str = ""


def draw_running_totals(
    rows: Sequence[RunningTotalsRow],
    *,
    seed: str,
    room: float,
    prefix: str,
    is_new: bool = False,
    colour: str | None = None,
) -> list[str]:
    """Draw the columns of these lines, an ``<svg>`` element for each side, all to one scale.

    A column is `room` wide, and what is written in it is smaller if it has to be. A line looks the same as
    long as it has its number. Paths are of class ``ink``, words of class ``word``; those of the last line are
    ``new`` too if it `is_new`. `seed`, `prefix` and `colour` are as in `svg.draw_tally`.
    """
    hand = Handwriting(seed)
    columns = [_lay_out(rows, side) for side in range(len(rows[0].cells))]
    widest = max(piece.x + piece.width for lines in columns for line in lines for piece in line)
    scale = min(_SIZE, (room - 1.5 * _LEFT) / widest)
    size = (room, measure_height(len(rows)))
    drawings = []
    for side, lines in enumerate(columns):
        drawn = [
            '<g fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"'
            f' stroke-width="{round_off(PENCIL)}">'
        ]
        for number, line in enumerate(lines):
            origin = (_LEFT / scale, (_TOP + LINE * number) / scale)
            kind = " new" if is_new and number == len(lines) - 1 else ""
            for piece in line:
                drawn += _draw_piece(hand, piece, origin, f"{side} {rows[number].number}", kind)
        drawn.append("</g>")
        words = ", ".join(filter(None, (_read_line(row, side) for row in rows)))
        own = size[0] / scale, size[1] / scale
        drawing = frame_drawing("tally", own, f"{prefix}-{side}", words, colour, drawn)
        drawings.append(_resize(drawing, size))
    return drawings


def measure_height(lines: int) -> float:
    """The height of a drawing of so many lines: whole squares."""
    return SQUARE * -(-(_TOP + LINE * lines - SQUARE / 2) // SQUARE)


def _lay_out(rows: Sequence[RunningTotalsRow], side: int) -> list[list[_Piece]]:
    """Lay out a column's lines; before the first column, in room of its own, stand the bids."""
    bids = [row.bid.split() if side == 0 else [] for row in rows]
    margin = max(sum((_measure(word) + _GAP) * _SECOND for word in bid) + len(bid[:1]) * _GAP for bid in bids)
    lines = []
    for row, bid in zip(rows, bids, strict=True):
        line, x = list[_Piece](), 0.0
        for word in bid:
            line.append(_Piece(word, x, _measure(word) * _SECOND, "bid"))
            x += (_measure(word) + _GAP) * _SECOND
        x, cell = margin, row.cells[side]
        for text, kind in ((cell.ring, "ring"), (cell.total, "half" if cell.half else ""), (cell.mark, "")):
            if text:
                width = _measure(text) + (2 * _RING[0] if kind == "ring" else 0)
                line.append(_Piece(text, x, width, kind))
                x += width + _GAP
        lines.append(line)
    return lines


def _read_line(row: RunningTotalsRow, side: int) -> str:
    """Read a line for those who cannot see it."""
    cell = row.cells[side]
    ring = f"({cell.ring})" if cell.ring else ""
    return " ".join(filter(None, (row.bid if side == 0 else "", cell.total, ring, cell.mark)))


def _measure(word: str) -> float:
    """The width of a word: of its signs, or in type if the hand lacks any of them."""
    if not set(_write(word)) <= SIGNS:
        return measure(word, _TYPE)
    return sum(_PITCHES.get(sign, DIGIT_PITCH) for sign in word) - (DIGIT_PITCH - DIGIT_WIDE)


def _write(word: str) -> str:
    """The word in the hand's own signs."""
    return word.replace("\N{MINUS SIGN}", "-")


def _draw_piece(hand: Handwriting, piece: _Piece, origin: Point, name: str, kind: str) -> Iterator[str]:
    """Draw a word of the line that has its upper left corner there; `name` is the line's own."""
    x, y = origin[0] + piece.x, origin[1]
    if piece.kind == "bid":
        wide, high = piece.width / _SECOND, DIGIT_HIGH
        box = [*map(round_off, (x, y + (1 - _SECOND) * high, piece.width, high * _SECOND, wide, high))]
        yield '<svg x="{}" y="{}" width="{}" height="{}" viewBox="0 0 {} {}" overflow="visible">'.format(*box)
        yield from _draw_word(hand, piece.text, (0, 0), f"{name} bid {piece.x:.0f}", kind)
        yield "</svg>"
        return
    if piece.kind == "ring":
        corner, size = (x, y - _RING[1]), (piece.width, DIGIT_HIGH + 2 * _RING[1])
        yield f'<path class="ink{kind}" pathLength="1" d="{hand.draw_ring(f"{name} ring", corner, size)}"/>'
        x += _RING[0]
    yield from _draw_word(hand, piece.text, (x, y), name, kind)
    if piece.kind == "half":
        ends = (x - 2, y + DIGIT_HIGH + 5), (x + piece.width + 4, y + DIGIT_HIGH + 4)
        yield f'<path class="ink{kind}" pathLength="1" d="{hand.draw_line(f"{name} half", *ends)}"/>'


def _draw_word(hand: Handwriting, word: str, origin: Point, name: str, kind: str) -> Iterator[str]:
    """Draw a word by hand, or set it in type."""
    x, y = origin
    if not set(_write(word)) <= SIGNS:
        place = f'x="{round_off(x)}" y="{round_off(y + 0.82 * DIGIT_HIGH)}" font-size="{round_off(_TYPE)}"'
        yield f'<text class="word{kind}" {place} stroke="none" fill="currentColor">{escape(word)}</text>'
        return
    for at, sign in enumerate(_write(word)):
        for path in hand.draw_digit(f"{name} {at}", sign, (x, y)):
            yield f'<path class="ink{kind}" pathLength="1" d="{path}"/>'
        x += _PITCHES.get(sign, DIGIT_PITCH)


def _resize(drawing: str, size: tuple[float, float]) -> str:
    """Give the drawing this size instead of that in its own units."""
    head, view, rest = drawing.partition(" viewBox")
    head = head[: head.index(" width=")]
    return f'{head} width="{round_off(size[0])}" height="{round_off(size[1])}"{view}{rest}'
