"""Drawings of scores as SVG text, for a page or a printed sheet.

Lines take the colour of the text around them (``currentColor``), so that the style sheet chooses pencil,
chalk or printer's black. A printer of pages that does not hand its style sheet into a drawing (WeasyPrint)
draws in black unless a colour is given. The same input gives the same drawing, byte for byte.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from itertools import pairwise

from .hand import DIGIT_HIGH, DIGIT_PITCH, DIGIT_WIDE, HIGH, WIDE, Handwriting, Point, round_off
from .tally import Mark, Tally, describe, find_added_marks, format_number

SQUARE = 20.0
"""Side of a square of the paper: 5 mm if the drawing is printed to scale."""
PITCH, ROW = 2.7 * SQUARE, 2.5 * SQUARE
"""Distances from one shape to the next, and from one row to the next."""
MARGIN, ABOVE_NUMERAL = 0.95 * SQUARE, 0.55 * SQUARE
"""Space left of the first shape, and between the last row and the numeral."""
BELOW_A_LINE = 1.3 * SQUARE
"""The space below a last row of nothing but one line, which nearer to the numeral would be its bar."""
PENCIL = 2.0
"""Width of a pencil line."""


def draw_tally(
    tally: Tally,
    *,
    seed: str,
    before: Tally | None = None,
    per_row: int = 5,
    prefix: str = "tally",
    squared: bool = False,
    title: str | None = None,
    colour: str | None = None,
    joined: bool = False,
) -> str:
    """Draw a tally as a hand with that seed writes it, as an ``<svg>`` element.

    Every stroke is a path of class ``ink``; those that an earlier tally lacks,
    if one is given, are of class ``ink new``. Each shape that has nothing new is drawn
    once and used wherever it stands. The numeral stands below the last
    row, in the middle under its shapes; its paths are in a group of class ``numeral`` (``numeral new``
    if it changed). Every path runs there and back a hair beside itself, which gives the
    uneven edge of graphite, and has ``pathLength`` 1 for a style sheet that lets
    it appear if it is new.

    ``per_row`` is the number of shapes in a row; ``prefix`` keeps the ids of
    two drawings on a page apart; ``squared`` draws the paper's squares, class
    ``grid``; ``title`` replaces the description as the text alternative;
    ``colour``, a CSS colour, is written into the drawing; ``joined`` makes
    one path of all strokes of the same kind that are pressed alike, to a tenth of a
    unit, for paper, where none appears by itself, and draws every shape anew.

    :raises ValueError: for a row of no shapes.
    """
    if per_row < 1:
        raise ValueError(f"per_row {per_row}: at least 1")
    hand = Handwriting(seed)
    shapes = len(tally.shapes)
    rows = -(-shapes // per_row)
    numeral = str(tally.units) if tally.units or not shapes else ""
    numeral_width = DIGIT_PITCH * len(numeral) - (DIGIT_PITCH - DIGIT_WIDE)
    widest = max(_measure_row(min(per_row, shapes)), numeral_width)
    width = _frame_width(widest)
    below = (rows - 1) * ROW + HIGH if rows else 0
    x = MARGIN + (_measure_row(shapes - (rows - 1) * per_row) - numeral_width) / 2
    is_bar = [shape.name for shape in tally.shapes[(rows - 1) * per_row :]] == ["line"]
    x, y = max(MARGIN, x), SQUARE + below + (BELOW_A_LINE if is_bar else ABOVE_NUMERAL)
    height = (y + DIGIT_HIGH if numeral else SQUARE + below) + SQUARE / 2
    fresh = set() if before is None else set(find_added_marks(before, tally))

    lines = []
    if squared:
        lines.append(_draw_squares(width, height))
    lines.append(
        f'<g fill="none" stroke="currentColor" stroke-width="{round_off(PENCIL)}"'
        ' stroke-linecap="round" stroke-linejoin="round">'
    )
    origins = [(MARGIN + n % per_row * PITCH, SQUARE + n // per_row * ROW) for n in range(shapes)]
    lines += (_join_strokes if joined else _use_shapes)(hand, tally, fresh, origins, prefix)
    if numeral:
        changed = before is not None and before.units != tally.units
        lines.append(f'<g class="{"numeral new" if changed else "numeral"}">')
        for at, character in enumerate(numeral):
            for path in _ink_digit(hand, at, character, (x + at * DIGIT_PITCH, y)):
                lines.append(f'<path class="ink" pathLength="1" d="{path}"/>')
        lines.append("</g>")
    lines.append("</g>")
    words = describe(tally) if title is None else title
    return frame_drawing("tally", (width, height), prefix, words, colour, lines)


def draw_underline(seed: str, colour: str = "currentColor", title: str = "") -> str:
    """Draw the double stroke under the total of a winner, six squares wide, as an ``<svg>`` element.

    ``title`` is its text alternative; without one it is hidden from readers of the screen.
    """
    hand, (width, height) = Handwriting(seed), (6 * SQUARE, 0.7 * SQUARE)
    ends = (((0.02 * width, y * height), (0.98 * width, (y - 0.12) * height)) for y in (0.3, 0.8))
    lines = (hand.draw_line(f"under {index}", *line) for index, line in enumerate(ends))
    paths = (f'<path class="ink" pathLength="1" d="{line}"/>' for line in lines)
    read = 'role="img"' if title else 'aria-hidden="true"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="underline" {read} fill="none"'
        f' stroke="{colour}" stroke-width="3" stroke-linecap="round"'
        f' viewBox="0 0 {round_off(width)} {round_off(height)}">'
        f"{f'<title>{escape(title)}</title>' if title else ''}{''.join(paths)}</svg>"
    )


def draw_seal(seed: str, prefix: str, title: str, colour: str) -> str:
    """Draw two rings, one in the other, as an ``<svg>`` element; `title` is its text alternative."""
    hand, size = Handwriting(seed), HIGH + 6
    outer, inner = (hand.draw_stroke(index, "ring", (0, 0)) for index in range(2))
    inside = f"translate({round_off(0.065 * WIDE)} {round_off(0.065 * HIGH)}) scale(0.87)"
    lines = [
        '<g fill="none" stroke="currentColor" stroke-width="0.8"',
        f' transform="translate(3 3) scale({HIGH / WIDE:.3f} 1)">',
        f'<path d="{outer}"/><path d="{inner}" transform="{inside}"/></g>',
    ]
    return frame_drawing("seal", (size, size), prefix, title, colour, lines)


def _use_shapes(
    hand: Handwriting, tally: Tally, fresh: Container[Mark], origins: Sequence[Point], prefix: str
) -> list[str]:
    """The shapes of a row; those without a new stroke refer to one drawing of them."""
    models, placed = dict[str, str](), list[str]()
    for place, (shape, origin) in enumerate(zip(tally.shapes, origins, strict=True)):
        seat = hand.seat_model(place, origin)
        new = [stroke for stroke in shape.strokes if Mark(place, stroke) in fresh]
        if new:
            for stroke in shape.strokes:
                kind, extra = "ink new" if stroke in new else "ink", f' pathLength="1" transform="{seat}"'
                placed.append(_ink_model(hand, stroke, kind, extra))
            continue
        id = escape(f"{prefix}-{shape.name.replace(' ', '-')}")
        if id not in models:
            models[id] = "".join(_ink_model(hand, stroke, "ink", "") for stroke in shape.strokes)
        placed.append(f'<use href="#{id}" transform="{seat}"/>')
    drawn = "".join(f'<g id="{id}">{paths}</g>' for id, paths in models.items())
    return [f"<defs>{drawn}</defs>", *placed] if drawn else placed


def _ink_model(hand: Handwriting, stroke: str, kind: str, extra: str) -> str:
    weight = PENCIL * hand.weight(f"model {stroke}")
    return f'<path class="{kind}"{extra} stroke-width="{weight:.2f}" d="{_draw_model(hand, stroke)}"/>'


@lru_cache(maxsize=1024)
def _draw_model(hand: Handwriting, stroke: str) -> str:
    """The path of a stroke; kept, as every page of a match draws the same ones again."""
    return hand.draw_model(stroke)


@lru_cache(maxsize=1024)
def _ink_digit(hand: Handwriting, at: int, character: str, origin: Point) -> tuple[str, ...]:
    """The paths of a digit, cached likewise."""
    return hand.draw_digit(at, character, origin)


def measure_width(shapes: int) -> float:
    """The width of a drawing with this many shapes in a row."""
    return _frame_width(_measure_row(shapes))


def _frame_width(widest: float) -> float:
    """A width with its margins, rounded up to whole squares."""
    return SQUARE * -(-(widest + 2 * MARGIN) // SQUARE)


def _measure_row(shapes: int) -> float:
    """The width of a row of so many shapes."""
    return (shapes - 1) * PITCH + WIDE if shapes else 0


def _join_strokes(
    hand: Handwriting, tally: Tally, fresh: Container[Mark], origins: Sequence[Point], _prefix: str
) -> list[str]:
    """All strokes as one path for every kind and weight."""
    paths: dict[tuple[str, str], list[str]] = {}
    for mark in tally.marks:
        kind = "ink new" if mark in fresh else "ink"
        weight, path = _ink_stroke(hand, mark, origins[mark.position])
        paths.setdefault((kind, weight), []).append(path)
    return [
        f'<path class="{kind}" stroke-width="{weight}" d="{"".join(data)}"/>'
        for (kind, weight), data in paths.items()
    ]


@lru_cache(maxsize=8192)
def _ink_stroke(hand: Handwriting, mark: Mark, origin: Point) -> tuple[str, str]:
    """The weight and the path of a stroke, kept likewise."""
    weight = PENCIL * hand.weight(f"{mark.position} {mark.stroke}")
    return round_off(weight), hand.draw_stroke(mark.position, mark.stroke, origin)


def _draw_squares(width: float, height: float) -> str:
    """Draw the squares of the paper over the whole drawing, as one faint path."""
    across = (f"M0 {round_off(y * SQUARE)}H{round_off(width)}" for y in range(int(height / SQUARE) + 1))
    down = (f"M{round_off(x * SQUARE)} 0V{round_off(height)}" for x in range(int(width / SQUARE) + 1))
    return (
        '<path class="grid" fill="none" stroke="currentColor" stroke-opacity="0.18"'
        f' stroke-width="0.8" d="{"".join(across)}{"".join(down)}"/>'
    )


def frame_drawing(
    kind: str, size: tuple[float, float], prefix: str, title: str, colour: str | None, lines: list[str]
) -> str:
    """Put lines into an ``<svg>`` element of a size, with its text alternative."""
    name = escape(f"{prefix}-title")
    w, h = map(round_off, size)
    paint = f' color="{escape(colour)}"' if colour else ""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="img"'
        f' aria-labelledby="{name}" width="{w}" height="{h}" viewBox="0 0 {w} {h}"{paint}>'
    )
    return "\n".join([head, f'<title id="{name}">{escape(title)}</title>', *lines, "</svg>"])


_DASHES = ("", "9 5", "2 4", "12 4 2 4")
_LETTER = 0.6
"""Mean width of a letter, in heights of the type, for estimating room."""
_SAMPLE = 30
"""Length of the sample of a line in front of its name."""


_MAX_POINTS = 300
"""The most points of a line: more cannot be distinguished."""


def thin_out(many: Sequence[int], most: int) -> Sequence[int]:
    """Pick so many of these numbers, or all if there are no more: evenly from the first to the last.

    >>> thin_out(range(10), 4), thin_out([5, 6], 4)
    ([0, 3, 6, 9], [5, 6])
    """
    if len(many) <= most:
        return many
    return [many[i * (len(many) - 1) // (most - 1)] for i in range(most)]


def draw_line_chart(
    series: Mapping[str, Sequence[int]],
    target: int | None = None,
    *,
    prefix: str = "chart",
    width: int = 640,
    height: int = 280,
    type_size: int = 14,
    title: str | None = None,
    colour: str | None = None,
) -> str:
    """Draw running totals over the deals as a line chart, an ``<svg>`` element.

    Each series is a player's name and the totals in points after each deal;
    the lines begin at 0 before the first. They differ in their dashes
    and a labelled sample at the right, without colour: classes ``line``,
    ``line sample``, ``end``, ``axis``, ``tick`` and ``target``. The target is a line of its own.
    ``title`` replaces the list of names and totals as the text alternative;
    ``colour``, a CSS colour, is written into the drawing;
    sizes are in units of the drawing.

    :raises ValueError: without a series.
    """
    if not series:
        raise ValueError("a chart needs a series")
    lines = {name: (0, *totals) for name, totals in series.items()}
    deals = max(1, *(len(totals) - 1 for totals in lines.values()))
    values = [0, 1, target or 0, *(total for totals in lines.values() for total in totals)]
    ends = {name: f"{_cut_name(name)} {format_number(totals[-1])}" for name, totals in lines.items()}

    step = _choose_step(max(values) - min(values), 5)
    low, high = min(values) // step * step, -(-max(values) // step) * step
    left = 8 + _LETTER * type_size * max(len(format_number(low)), len(format_number(high)))
    right = width - 12 - _SAMPLE - _LETTER * type_size * max(map(len, ends.values()))
    area = _PlotArea(
        (left, right), (0.7 * type_size, height - 1.7 * type_size), deals, (low, high), type_size
    )
    out = [f'<g font-size="{type_size}" stroke-linecap="round" stroke-linejoin="round">']
    out += _draw_axes(area, step, target)
    heights = _spread_heights(
        [area.y(totals[-1]) for totals in lines.values()], 1.15 * type_size, *area.vertical
    )
    for index, (name, totals) in enumerate(lines.items()):
        out += _draw_series(area, totals, _DASHES[index % len(_DASHES)], heights[index], ends[name])
    out.append("</g>")
    alternative = ", ".join(f"{name} {format_number(totals[-1])}" for name, totals in lines.items())
    words = alternative if title is None else title
    return frame_drawing("chart", (width, height), prefix, words, colour, out)


@dataclass(frozen=True, slots=True)
class _PlotArea:
    """The area of a chart's lines: from left to right and top to bottom, for deals and totals."""

    horizontal: tuple[float, float]
    vertical: tuple[float, float]
    deals: int
    totals: tuple[int, int]
    type_size: int

    def x(self, deal: int) -> float:
        left, right = self.horizontal
        return left + (right - left) * deal / self.deals

    def y(self, total: int) -> float:
        (top, bottom), (low, high) = self.vertical, self.totals
        return bottom - (bottom - top) * (total - low) / (high - low)

    def write(self, kind: str, at: float, baseline: float, anchor: str, words: str) -> str:
        return (
            f'<text class="{kind}" x="{round_off(at)}" y="{round_off(baseline + 0.35 * self.type_size)}"'
            f' text-anchor="{anchor}" fill="currentColor">{escape(words)}</text>'
        )


def _draw_axes(area: _PlotArea, step: int, target: int | None) -> Iterator[str]:
    """Draw the totals at the left with a line each, the numbers of deals below, and the target."""
    (left, right), (low, high) = area.horizontal, area.totals
    for total in range(low, high + 1, step):
        if target is None or total == target or abs(area.y(total) - area.y(target)) > area.type_size:
            yield area.write("tick", left - 7, area.y(total), "end", format_number(total))
        weight = "1" if total == 0 else "0.5"
        yield (
            f'<path class="axis" stroke="currentColor" stroke-opacity="0.5" stroke-width="{weight}"'
            f' d="M{round_off(left)} {round_off(area.y(total))}H{round_off(right)}"/>'
        )
    for deal in range(0, area.deals + 1, _choose_step(area.deals, 10)):
        yield area.write("tick", area.x(deal), area.vertical[1] + area.type_size, "middle", str(deal))
    if target is not None:
        if target % step:
            yield area.write("tick", left - 7, area.y(target), "end", format_number(target))
        yield (
            '<path class="target" stroke="currentColor" stroke-width="1.2" stroke-dasharray="1 3"'
            f' d="M{round_off(left)} {round_off(area.y(target))}H{round_off(right)}"/>'
        )


def _draw_series(
    area: _PlotArea, totals: Sequence[int], dash: str, height: float, label: str
) -> Iterator[str]:
    """Draw a player's line, and at its height at the right a sample of it with the player's name."""
    points = [(area.x(i), area.y(totals[i])) for i in thin_out(range(len(totals)), _MAX_POINTS)]
    right = area.horizontal[1]
    yield _draw_polyline("line", points, dash)
    yield _draw_polyline("line sample", [(right + 8, height), (right + 4 + _SAMPLE, height)], dash)
    yield area.write("end", right + 10 + _SAMPLE, height, "start", label)
    if area.deals <= 30:
        for across, down in points:
            yield f'<circle cx="{round_off(across)}" cy="{round_off(down)}" r="2.4" fill="currentColor"/>'


def _draw_polyline(kind: str, points: Sequence[tuple[float, float]], dash: str) -> str:
    """Draw a line through some points, of a kind, with its dashes."""
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    coordinates = " ".join(f"{round_off(x)},{round_off(y)}" for x, y in points)
    return (
        f'<polyline class="{kind}" fill="none" stroke="currentColor" stroke-width="2"{dashes}'
        f' points="{coordinates}"/>'
    )


def _cut_name(name: str, most: int = 16) -> str:
    """Cut a name that would crowd out the chart."""
    return name if len(name) <= most else name[: most - 1] + "…"


def _choose_step(span: int, most: int) -> int:
    """The least 1, 2 or 5 times a power of ten that divides a span into few parts."""
    power = 1
    while True:
        for step in (power, 2 * power, 5 * power):
            if span <= step * most:
                return step
        power *= 10


def _spread_heights(wanted: list[float], gap: float, low: float, high: float) -> list[float]:
    """Space out heights: as near as possible to those wanted, a gap apart, within bounds while they last."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed = list(wanted)
    for above, below in pairwise(order):
        placed[below] = max(placed[below], placed[above] + gap)
    limit = max(high, low + gap * (len(wanted) - 1))
    for i in reversed(order):
        placed[i] = min(placed[i], limit)
        limit = placed[i] - gap
    return placed
