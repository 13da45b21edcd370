"""A fold of amounts into pencil strokes.

A tally is a row of shapes with a numeral under it. Each shape is a set of strokes, and its value is looked up
by that set. Points are added deal by deal; the row only gains ink, while the numeral is rubbed out and
rewritten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import add


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape of the row: its strokes and its value."""

    name: str
    strokes: tuple[str, ...]
    """Stroke names in drawing order; as a set they identify the shape."""
    reads: tuple[int, ...]
    """Points as they are read aloud: one number, but two for a pair of bars."""
    one_go: bool
    """True if a fresh amount may be written as this shape at once."""

    @property
    def value(self) -> int:
        """The value in points."""
        return sum(self.reads)

    @property
    def closed(self) -> bool:
        """True if no stroke can be added any more."""
        return self.value == 100


SHAPES: tuple[Shape, ...] = (
    Shape("line", ("bottom",), (10,), True),
    Shape("bar", ("left",), (20,), True),
    Shape("L", ("left", "bottom"), (30,), True),
    Shape("two bars", ("left", "right"), (20, 20), True),
    Shape("square U", ("left", "bottom", "right"), (50,), False),
    Shape("V", ("v-down", "v-up"), (50,), True),
    Shape("square cap", ("left", "top", "right"), (80,), False),
    Shape("caret", ("caret-up", "caret-down"), (80,), True),
    Shape("square", ("left", "bottom", "right", "top"), (100,), False),
    Shape("V closed", ("v-down", "v-up", "lid"), (100,), False),
    Shape("caret closed", ("caret-up", "caret-down", "base"), (100,), False),
    Shape("ring", ("ring",), (100,), True),
)
"""Every shape."""

BY_NAME = {shape.name: shape for shape in SHAPES}
UPGRADES: dict[Shape, tuple[Shape, ...]] = {
    old: tuple(new for new in SHAPES if set(old.strokes) < set(new.strokes)) for old in SHAPES
}
"""The shapes that each shape can become by adding strokes; empty for a closed one."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One stroke on the paper: the position of its shape in the row, and its name."""

    position: int
    stroke: str


@dataclass(frozen=True, slots=True)
class Tally:
    """A row of shapes and the numeral under it.

    The numeral is 0 to 9, or with negative units -2 to 7. Without any shape it may be a whole total in
    digits, the only way of writing one below zero.
    """

    shapes: tuple[Shape, ...] = ()
    units: int = 0

    @property
    def marks(self) -> tuple[Mark, ...]:
        """All strokes of the row, shape by shape in drawing order."""
        return tuple(
            Mark(position, stroke) for position, shape in enumerate(self.shapes) for stroke in shape.strokes
        )


@dataclass(frozen=True, slots=True)
class TallyStep:
    """One deal on the page: the amount, and the tally before and after it."""

    amount: int
    before: Tally
    after: Tally

    @property
    def new(self) -> tuple[Mark, ...]:
        """The strokes that this deal added."""
        return find_added_marks(self.before, self.after)


@dataclass(frozen=True, slots=True)
class TallyPage:
    """A player's tally with its whole history, one step a deal."""

    steps: tuple[TallyStep, ...]

    @property
    def tally(self) -> Tally:
        """The final tally."""
        return self.steps[-1].after if self.steps else Tally()

    @property
    def before(self) -> Tally:
        """The tally before the last deal."""
        return self.steps[-1].before if self.steps else Tally()

    @property
    def totals(self) -> tuple[int, ...]:
        """The running total after each deal, in points, read from the paper."""
        return tuple(read_total(step.after) for step in self.steps)


PAGE = 100
"""Amounts on one page of a long history."""


def write_last_page(
    carried: int, history: Sequence[int], *, negative_units: bool = False
) -> tuple[int, TallyPage]:
    """Write amounts after a total that is carried over from the page before, in fewest shapes.

    The first of the two is the number in front: the hundreds that remain throughout, so that a long row
    starts again instead of growing for ever. The page writes the rest, with `negative_units` 8 and 9 as the
    next ten less 2 or 1.

    >>> front, page = write_last_page(4967, [50, -30, 7])
    >>> front, describe(page.before), describe(page.tally)
    (4900, '87: 80, 7', '94: 80 10, 4')
    """
    front = max(0, min(accumulate(history, initial=carried)) // 100 * 100)
    before, steps = write_tidily(carried - front, negative_units), list[TallyStep]()
    for amount in history:
        after = add_amount(before, amount, negative_units)
        steps.append(TallyStep(amount, before, after))
        before = after
    return front, TallyPage(tuple(steps))


def add_amount(tally: Tally, amount: int, negative_units: bool = False) -> Tally:
    """Add an amount in points to a tally.

    Units join the numeral, and every ten that it yields joins the amount's own tens, which go into the row. A
    negative amount larger than the numeral would take ink away, so the whole total is rewritten.
    """
    tens, units = _split_points(tally.units + amount, negative_units)
    if tens < 0:
        return write_tidily(read_total(tally) + amount, negative_units)
    return Tally(_grow_row(tally.shapes, tens), units)


def write_tidily(total: int, negative_units: bool = False) -> Tally:
    """Write a total in fewest shapes: a ring for each hundred, then the rest."""
    tens, units = _split_points(total, negative_units)
    return Tally((), total) if tens < 0 else Tally(_choose_fresh(tens), units)


def _split_points(points: int, negative_units: bool) -> tuple[int, int]:
    """Split points into whole tens and the numeral below them."""
    lowest = -2 if negative_units else 0
    tens, above = divmod(points - lowest, 10)
    return tens, above + lowest


def read_total(tally: Tally) -> int:
    """Read the total of a tally in points."""
    return tally.units + sum(shape.value for shape in tally.shapes)


def find_added_marks(before: Tally, after: Tally) -> tuple[Mark, ...]:
    """The strokes of the later tally that the earlier one lacks.

    If the row was rewritten, every stroke of it is new.
    """
    old, marks = set(before.marks), after.marks
    return tuple(mark for mark in marks if mark not in old) if old <= set(marks) else marks


def describe(tally: Tally) -> str:
    """Describe the tally in words for those who cannot see it.

    The total, a colon, the shapes' values in order, a comma and the numeral:
    ``367: 100 100 100 20 20 20, 7``. Digits without shapes stand alone.
    """
    if not tally.shapes:
        return format_number(tally.units)
    text = f"{format_number(read_total(tally))}: "
    text += " ".join(str(value) for shape in tally.shapes for value in shape.reads)
    return f"{text}, {format_number(tally.units)}" if tally.units else text


def format_number(number: int) -> str:
    """Write a number in digits, with a true minus sign below zero."""
    return str(number).replace("-", "\N{MINUS SIGN}")


# The cost of a way of writing, least first: movements of the pencil (shapes begun or completed), new shapes,
# new positions in the row, new strokes, and, negated, the value of the shapes reached; last, the positions
# touched, so that the leftmost of equals is taken.
_Cost = tuple[tuple[int, ...], tuple[int, ...]]
_NOTHING: _Cost = ((0, 0, 0, 0, 0), ())


def _add_costs(first: _Cost, second: _Cost, *positions: int) -> _Cost:
    """Add two costs, the second at these positions."""
    return tuple(map(add, first[0], second[0])), first[1] + second[1] + positions


def _price_fresh(shapes: Sequence[Shape]) -> _Cost:
    """The cost of new shapes at the end of the row."""
    count = sum(len(shape.reads) for shape in shapes)
    strokes = sum(len(shape.strokes) for shape in shapes)
    return (count, count, len(shapes), strokes, 0), ()


def _price_upgrade(old: Shape, new: Shape) -> _Cost:
    """The cost of completing one shape anywhere; a second bar beside a bar is a new one."""
    begun = max(0, len(new.reads) - len(old.reads))
    return (1, begun, 0, len(new.strokes) - len(old.strokes), -new.value), ()


_COMPLETIONS: dict[str, tuple[tuple[Shape, int, _Cost], ...]] = {
    old.name: tuple((new, (new.value - old.value) // 10, _price_upgrade(old, new)) for new in UPGRADES[old])
    for old in SHAPES
}
"""The shapes that each one, by name, can become, with tens and cost; empty for a closed one."""


def _find_fresh_below_hundred() -> dict[int, tuple[Shape, ...]]:
    """Find the cheapest fresh shapes for 0 to 9 tens, the greatest value first."""
    best: dict[int, tuple[Shape, ...]] = {0: ()}
    for tens in range(1, 10):
        best[tens] = min(
            (
                (shape, *best[tens - shape.value // 10])
                for shape in reversed(SHAPES)
                if shape.one_go and shape.value <= tens * 10
            ),
            key=_price_fresh,
        )
    return {tens: tuple(sorted(shapes, key=lambda shape: -shape.value)) for tens, shapes in best.items()}


_FRESH = _find_fresh_below_hundred()


def _choose_fresh(tens: int) -> tuple[Shape, ...]:
    """Choose new shapes for a number of tens, with a ring for every hundred."""
    hundreds, rest = divmod(tens, 10)
    return (BY_NAME["ring"],) * hundreds + _FRESH[rest]


def _grow_row(shapes: tuple[Shape, ...], tens: int) -> tuple[Shape, ...]:
    """Grow the row by a number of tens at the least cost.

    Walks along the open shapes and keeps, for every number of tens still to be
    written, the cheapest way of having completed shapes so far.
    """
    ways: dict[int, tuple[_Cost, dict[int, Shape]]] = {tens: (_NOTHING, {})}
    for position, old in enumerate(shapes):
        completions = _COMPLETIONS[old.name]
        if not completions:
            continue
        longer = dict(ways)
        for left, (cost, completed) in ways.items():
            for new, gained, price in completions:
                if gained <= left:
                    total = _add_costs(cost, price, position)
                    if left - gained not in longer or total < longer[left - gained][0]:
                        longer[left - gained] = (total, {**completed, position: new})
        ways = longer
    left = min(ways, key=lambda left: _add_costs(ways[left][0], _price_fresh(_choose_fresh(left))))
    completed = ways[left][1]
    return tuple(completed.get(position, old) for position, old in enumerate(shapes)) + _choose_fresh(left)
