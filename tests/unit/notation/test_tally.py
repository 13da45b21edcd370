"""The pencil tally: worked cases, and laws that hold along every history."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from itertools import accumulate, pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from companion.notation.tally import (
    BY_NAME,
    SHAPES,
    UPGRADES,
    Mark,
    Tally,
    TallyPage,
    add_amount,
    describe,
    read_total,
    write_last_page,
    write_tidily,
)

CASES = tomllib.loads(Path(__file__).with_name("cases").joinpath("tally.toml").read_text("utf-8"))["case"]
TOTALS = range(2001)

scores = st.lists(st.integers(0, 260), max_size=20)
adjusted = st.lists(st.integers(-300, 300), max_size=20)


def write_history(history: Sequence[int], negative_units: bool = False) -> TallyPage:
    front, page = write_last_page(0, history, negative_units=negative_units)
    assert front == 0
    return page


BY_STROKES = {frozenset(shape.strokes): shape for shape in SHAPES}


def is_extension(before: Tally, after: Tally) -> bool:
    """Whether the later row is the earlier one with ink added, none removed."""
    return set(before.marks) <= set(after.marks)


def read_marks(marks: set[Mark], units: int) -> int:
    """What bare strokes over a numeral come to: every place's strokes looked up."""
    places: dict[int, set[str]] = {}
    for mark in marks:
        places.setdefault(mark.position, set()).add(mark.stroke)
    return units + sum(BY_STROKES[frozenset(strokes)].value for strokes in places.values())


def read_description(text: str) -> int:
    """The total that a description begins with, if its parts add up to it."""
    numbers = [int(number) for number in re.findall(r"-?\d+", text.replace("\N{MINUS SIGN}", "-"))]
    assert len(numbers) == 1 or numbers[0] == sum(numbers[1:])
    return numbers[0]


def test_cases() -> None:
    for case in CASES:
        tally = write_history(case["given"], case.get("negative_units", False)).tally
        assert [shape.name for shape in tally.shapes] == case["row"], case["name"]
        assert describe(tally) == case["reads"], case["name"]
        assert read_description(case["reads"]) == read_total(tally) == sum(case["given"]), case["name"]


def test_every_total_is_read_back() -> None:
    """Every total from 0 to 2,000 written at once reads as itself, as shapes and as a description."""
    assert write_history([]).tally == Tally() == Tally((), 0)
    assert read_total(write_history([10] * 200).tally) == 2000, "the worst of rows"
    for total in TOTALS:
        written = (write_tidily(total), write_tidily(total, True), Tally((), total))
        for tally in (write_history([total]).tally, *written):
            assert read_total(tally) == read_description(describe(tally)) == total


@given(adjusted, st.booleans())
def test_every_history_is_read_back(history: list[int], negative_units: bool) -> None:
    """After every deal the page reads the running total, even where points were taken off."""
    page = write_history(history, negative_units)
    assert page.totals == tuple(accumulate(history))
    assert all(read_description(describe(step.after)) == read_total(step.after) for step in page.steps)


@given(scores, st.booleans())
def test_ink_is_only_added(history: list[int], negative_units: bool) -> None:
    """As played, each deal leaves every earlier stroke where it is and adds its own, at the end of the row.

    Where one open shape can take exactly the tens to be written, no new shape is begun.
    """
    page, units = write_history(history, negative_units), range(-2, 8) if negative_units else range(10)
    assert all(step.after == following.before for step, following in pairwise(page.steps))
    assert page.before == write_history(history[:-1], negative_units).tally
    ink: set[Mark] = set()
    for step in page.steps:
        old, new = step.before.shapes, step.after.shapes
        assert len(new) >= len(old) and step.after.units in units
        assert all(b is a or b in UPGRADES[a] for a, b in zip(old, new, strict=False))
        tens = step.amount + step.before.units - step.after.units
        if any(b.value - a.value == tens and len(b.reads) <= len(a.reads) for a in old for b in UPGRADES[a]):
            assert sum(a is not b for a, b in zip(old, new, strict=True)) == 1
        assert is_extension(step.before, step.after)
        assert ink.isdisjoint(step.new)
        ink.update(step.new)
        assert ink == set(step.after.marks)
    assert read_marks(ink, page.tally.units) == sum(history)


@given(adjusted, adjusted)
def test_fold_continues(first: list[int], rest: list[int]) -> None:
    """Adding the rest to a page begun earlier comes to the same as writing the whole."""
    tally = write_history(first).tally
    for amount in rest:
        tally = add_amount(tally, amount)
    assert tally == write_history(first + rest).tally


def test_tidy_takes_fewest_shapes() -> None:
    """A tidy total has one ring for each hundred and no row of fewer shapes for the rest."""
    minimum = {0: 0}
    for rest in range(10, 100, 10):
        minimum[rest] = 1 + min(minimum[rest - value] for value in (10, 20, 30, 50, 80) if value <= rest)
    for total in TOTALS:
        tally = write_tidily(total)
        rings = tally.shapes.count(BY_NAME["ring"])
        assert rings == total // 100
        assert sum(len(shape.reads) for shape in tally.shapes) - rings == minimum[total % 100 // 10 * 10]


def test_upgrades() -> None:
    """The upgrades that players name follow from the strokes, of which no two shapes have the same."""
    assert len(BY_STROKES) == len(BY_NAME) == len(SHAPES)
    assert all(shape.value % 10 == 0 and 10 <= shape.value <= 100 for shape in SHAPES)
    assert all(new.value > old.value for old, news in UPGRADES.items() for new in news)
    assert all(bool(UPGRADES[shape]) != shape.closed for shape in SHAPES)
    for old, new, gain in (
        ("line", "L", 20),
        ("bar", "L", 10),
        ("L", "square U", 20),
        ("two bars", "square U", 10),
        ("square U", "square", 50),
        ("square cap", "square", 20),
        ("V", "V closed", 50),
        ("caret", "caret closed", 20),
    ):
        assert BY_NAME[new] in UPGRADES[BY_NAME[old]]
        assert BY_NAME[new].value - BY_NAME[old].value == gain


def test_square_and_pointed_never_mix() -> None:
    assert BY_NAME["ring"] not in {new for news in UPGRADES.values() for new in news}
    assert UPGRADES[BY_NAME["V"]] == (BY_NAME["V closed"],)
    assert UPGRADES[BY_NAME["caret"]] == (BY_NAME["caret closed"],)


def test_a_row_that_loses_ink_is_written_afresh() -> None:
    step = write_history([20, 20, -10]).steps[-1]
    assert not is_extension(step.before, step.after)
    assert step.new == step.after.marks == write_tidily(30).marks


@given(st.integers(-500, 20_000), st.lists(st.integers(-300, 300), max_size=30))
def test_a_page_goes_on_from_what_was_carried_over(carried: int, history: list[int]) -> None:
    """Hundreds stand in front, as many as stay throughout; with them the page reads every total."""
    front, page = write_last_page(carried, history)
    totals = [*accumulate(history, initial=carried)]
    assert front >= 0 and front % 100 == 0
    assert [front + total for total in page.totals] == totals[1:]
    least = min(totals)
    assert front <= max(least, 0) < front + 100
    assert page.steps == () or page.steps[0].before == write_tidily(carried - front)
