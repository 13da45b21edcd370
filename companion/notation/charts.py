"""Pictures of figures as SVG text: bars over a number line, a ring of seats, the days of a year.

Everything is drawn in the colour of the text around it; two things are distinguished by how full they are.
The same input gives the same drawing, byte for byte.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from html import escape
from math import cos, pi, sin
from typing import NamedTuple

from .hand import round_off
from .svg import frame_drawing
from .tally import format_number

_TYPE = 14
_WIDE, _HIGH = 360.0, 190.0


class Bar(NamedTuple):
    """The cases from one number up to the next: the successes, and the others."""

    least: int
    made: int
    others: int


class Place(NamedTuple):
    """A seat of the ring: its name, and its share of a whole."""

    name: str
    part: int
    whole: int


def draw_bars(bars: Sequence[Bar], *, prefix: str, title: str, colour: str | None = None) -> str:
    """Draw bars side by side, the successes full and the others empty, with a line at 0.

    The bars have equal widths; the number below is the beginning of each.

    :raises ValueError: without a bar.
    """
    if not bars:
        raise ValueError("a chart needs a bar")
    left, right, top, bottom = 22.0, _WIDE - 10, 1.6 * _TYPE, _HIGH - 1.7 * _TYPE
    wide = (right - left) / len(bars)
    most = max(1, *(bar.made + bar.others for bar in bars))
    zero = next((index for index, bar in enumerate(bars) if bar.least == 0), 0)
    out = [f'<g font-size="{_TYPE}" stroke="currentColor">']
    for index, bar in enumerate(bars):
        x, y = left + index * wide, bottom
        for kind, number, fill in (("made", bar.made, "0.75"), ("others", bar.others, "0.1")):
            if number:
                high = (bottom - top) * number / most
                y -= high
                out.append(_fill(kind, (x + 2, y), (wide - 4, high), fill))
        if number := bar.made + bar.others:
            out.append(_write(x + wide / 2, y - 4, str(number)))
        if len(bars) <= 8 or index % 2 == zero % 2:
            out.append(_write(x, _HIGH - 4, format_number(bar.least)))
        if bar.least == 0:
            path = f"M{round_off(x)} {round_off(top - 8)}V{round_off(bottom)}"
            out.append(f'<path class="zero" stroke-width="1.5" stroke-dasharray="1 3" d="{path}"/>')
    out += [f'<path d="M{round_off(left)} {round_off(bottom)}H{round_off(right)}"/>', "</g>"]
    return frame_drawing("chart", (_WIDE, _HIGH), prefix, title, colour, out)


def _fill(kind: str, corner: tuple[float, float], size: tuple[float, float], opacity: str) -> str:
    x, y, wide, high = map(round_off, (*corner, *size))
    return (
        f'<rect class="{kind}" x="{x}" y="{y}" width="{wide}" height="{high}"'
        f' fill="currentColor" fill-opacity="{opacity}"/>'
    )


def _write(x: float, y: float, words: str, size: float = _TYPE) -> str:
    return (
        f'<text x="{round_off(x)}" y="{round_off(y)}" font-size="{round_off(size)}" text-anchor="middle"'
        f' stroke="none" fill="currentColor">{escape(words)}</text>'
    )


_RING, _DISC = 96.0, 34.0


def draw_ring(seats: Sequence[Place], *, prefix: str, title: str, colour: str | None = None) -> str:
    """Draw seats around a table, the first at the foot and the others in turn to the left.

    Each is a disc, filled from below by its share.

    :raises ValueError: without a seat.
    """
    if not seats:
        raise ValueError("a ring needs a seat")
    size = 2 * (_RING + _DISC + 2)
    middle = size / 2
    out = [
        f'<circle cx="{round_off(middle)}" cy="{round_off(middle)}" r="{round_off(_RING - _DISC - 10)}"'
        ' fill="none" stroke="currentColor" stroke-opacity="0.4"/>'
    ]
    for number, seat in enumerate(seats):
        turn = 2 * pi * number / len(seats)
        x, y = middle - _RING * sin(turn), middle + _RING * cos(turn)
        out += _draw_disc(x, y, seat, f"{prefix}-{number}")
    return frame_drawing("chart", (size, size), prefix, title, colour, out)


def _draw_disc(x: float, y: float, seat: Place, clip: str) -> Iterator[str]:
    circle = f'cx="{round_off(x)}" cy="{round_off(y)}" r="{round_off(_DISC)}"'
    high = 2 * _DISC * seat.part / max(seat.whole, 1)
    yield f'<clipPath id="{escape(clip)}"><circle {circle}/></clipPath>'
    share = _fill("share", (x - _DISC, y + _DISC - high), (2 * _DISC, high), "0.25")
    yield f'<g clip-path="url(#{escape(clip)})">{share}</g>'
    yield f'<circle {circle} fill="none" stroke="currentColor" stroke-width="1.5"/>'
    yield _write(x, y - 2, seat.name, 16)
    yield _write(x, y + 15, f"{seat.part}/{seat.whole}")


_CELL = 9.0
_WEEKS = 53


def draw_calendar(
    days: Mapping[date, int], last: date, *, prefix: str, title: str, colour: str | None = None
) -> str:
    """Draw the year that ends with the week of `last`: a column for each week, Monday above.

    Days with a count are filled, the fuller the higher it is.
    """
    first = last - timedelta(days=last.weekday(), weeks=_WEEKS - 1)
    most = max([1, *days.values()])
    square, top = _CELL - 1.5, _TYPE + 0.0
    columns = []
    out = []
    for week in range(_WEEKS):
        x = week * _CELL
        shown = 7 if week < _WEEKS - 1 else last.weekday() + 1
        end = round_off(top + shown * _CELL - 1.5)
        columns.append(f"M{round_off(x + square / 2)} {round_off(top)}V{end}")
        for weekday in range(shown):
            day = first + timedelta(days=7 * week + weekday)
            if days.get(day):
                full = f"{0.35 + 0.65 * days[day] / most:.2f}"
                out.append(_fill("day", (x, top + weekday * _CELL), (square, square), full))
            if day.day == 1:
                out.append(_write(x + _CELL / 2, 9, str(day.month), 10))
    empty = (
        f'<path stroke="currentColor" stroke-opacity="0.1" stroke-width="{square}"'
        f' stroke-dasharray="{square} 1.5" d="{"".join(columns)}"/>'
    )
    size = (_WEEKS * _CELL + 6, 7 * _CELL + top)  # with room for the name of a month that has just begun
    return frame_drawing("chart", size, prefix, title, colour, [empty, *out])
