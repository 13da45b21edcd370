"""The pencil tally: worked cases, and laws that hold along every history."""

from __future__ import annotations

import tomllib
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.notation.tally import (
    BY_NAME,
    BY_STROKES,
    SHAPES,
    UPGRADES,
    Mark,
    Tally,
    Writing,
    add_amount,
    describe,
    find_added_marks,
    is_extension,
    parse_description,
    read_marks,
    read_total,
    write_history,
    write_last_page,
    write_plainly,
    write_tidily,
)

CASES = tomllib.loads(Path(__file__).with_name("cases").joinpath("tally.toml").read_text("utf-8"))["case"]
TOTALS = range(2001)

writings = st.sampled_from(get_args(Writing))
scores = st.lists(st.integers(0, 260), max_size=20)
adjusted = st.lists(st.integers(-300, 300), max_size=20)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_case(case: dict[str, Any]) -> None:
    """Every sentence of the case table comes true."""
    page = write_history(case["given"], case.get("writing", "as_played"), case.get("negative_units", False))
    assert [shape.name for shape in page.tally.shapes] == case["row"]
    assert describe(page.tally) == case["reads"]
    assert parse_description(case["reads"]) == read_total(page.tally) == sum(case["given"])


@pytest.mark.parametrize("negative_units", [False, True])
@pytest.mark.parametrize("writing", get_args(Writing))
def test_every_total_is_read_back(writing: Writing, negative_units: bool) -> None:
    """Every total from 0 to 2,000 written at once reads as itself, as shapes and as a description."""
    for total in TOTALS:
        tally = write_history([total], writing, negative_units).tally
        assert read_total(tally) == parse_description(describe(tally)) == total


@given(scores, writings, st.booleans())
def test_every_history_is_read_back(history: list[int], writing: Writing, negative_units: bool) -> None:
    """After every deal the page reads the running total."""
    page = write_history(history, writing, negative_units)
    assert page.totals == tuple(accumulate(history))
    assert all(parse_description(describe(step.after)) == read_total(step.after) for step in page.steps)


@given(adjusted, writings, st.booleans())
def test_adjusted_histories_are_read_back(history: list[int], writing: Writing, negative_units: bool) -> None:
    """The page reads the running total even where points were taken off."""
    assert write_history(history, writing, negative_units).totals == tuple(accumulate(history))


@given(scores, st.booleans())
def test_ink_is_only_added(history: list[int], negative_units: bool) -> None:
    """As played, each deal leaves every earlier stroke where it is and adds its own."""
    page = write_history(history, "as_played", negative_units)
    ink: set[Mark] = set()
    for step in page.steps:
        assert not step.redrawn
        assert ink.isdisjoint(step.new)
        ink.update(step.new)
        assert ink == set(step.after.marks)
    assert read_marks(ink, page.tally.units) == sum(history)


@given(scores, st.booleans())
def test_row_grows_at_its_end(history: list[int], negative_units: bool) -> None:
    """As played, a shape stays or becomes one that contains its strokes; new shapes follow the old."""
    for step in write_history(history, "as_played", negative_units).steps:
        old, new = step.before.shapes, step.after.shapes
        assert len(new) >= len(old)
        assert all(b is a or b in UPGRADES[a] for a, b in zip(old, new, strict=False))


@given(scores, st.booleans())
def test_exact_upgrade_is_taken(history: list[int], negative_units: bool) -> None:
    """Where one open shape can take exactly the tens to be written, no new shape is begun."""
    for step in write_history(history, "as_played", negative_units).steps:
        tens = step.amount + step.before.units - step.after.units
        single = any(
            new.value - old.value == tens and len(new.reads) <= len(old.reads)
            for old in step.before.shapes
            for new in UPGRADES[old]
        )
        if single:
            assert len(step.after.shapes) == len(step.before.shapes)
            assert sum(a is not b for a, b in zip(step.before.shapes, step.after.shapes, strict=True)) == 1


@given(scores, st.booleans())
def test_numeral_stays_small(history: list[int], negative_units: bool) -> None:
    """The numeral is 0 to 9, or -2 to 7 with negative units."""
    allowed = range(-2, 8) if negative_units else range(10)
    assert all(
        step.after.units in allowed for step in write_history(history, "as_played", negative_units).steps
    )


@given(adjusted, adjusted)
def test_fold_continues(first: list[int], rest: list[int]) -> None:
    """Adding the rest to a page begun earlier comes to the same as writing the whole."""
    tally = write_history(first).tally
    for amount in rest:
        tally = add_amount(tally, amount)
    assert tally == write_history(first + rest).tally


def test_tidy_takes_fewest_shapes() -> None:
    """A tidy total has one ring for each hundred and no row of fewer shapes for the rest."""
    fewest = {0: 0}
    for rest in range(10, 100, 10):
        fewest[rest] = 1 + min(fewest[rest - value] for value in (10, 20, 30, 50, 80) if value <= rest)
    for total in TOTALS:
        tally = write_tidily(total)
        rings = tally.shapes.count(BY_NAME["ring"])
        assert rings == total // 100
        assert tally.shape_count - rings == fewest[total % 100 // 10 * 10]


def test_strokes_name_a_shape() -> None:
    """No two shapes are made of the same strokes, and every shape is worth whole tens up to 100."""
    assert len(BY_STROKES) == len(BY_NAME) == len(SHAPES)
    assert all(shape.value % 10 == 0 and 10 <= shape.value <= 100 for shape in SHAPES)


def test_upgrades_add_value() -> None:
    """Adding strokes to a shape always makes it worth more; closed shapes take none."""
    assert all(new.value > old.value for old, news in UPGRADES.items() for new in news)
    assert all(bool(UPGRADES[shape]) != shape.closed for shape in SHAPES)


@pytest.mark.parametrize(
    ("old", "new", "gain"),
    [
        ("line", "L", 20),
        ("bar", "L", 10),
        ("L", "square U", 20),
        ("two bars", "square U", 10),
        ("square U", "square", 50),
        ("square cap", "square", 20),
        ("V", "V closed", 50),
        ("caret", "caret closed", 20),
    ],
)
def test_upgrade(old: str, new: str, gain: int) -> None:
    """The upgrades that players name follow from the strokes."""
    assert BY_NAME[new] in UPGRADES[BY_NAME[old]]
    assert BY_NAME[new].value - BY_NAME[old].value == gain


def test_square_and_pointed_never_mix() -> None:
    """No shape grows from a square one into a pointed one or into a ring."""
    assert BY_NAME["ring"] not in {new for news in UPGRADES.values() for new in news}
    assert UPGRADES[BY_NAME["V"]] == (BY_NAME["V closed"],)
    assert UPGRADES[BY_NAME["caret"]] == (BY_NAME["caret closed"],)


def test_redrawing_is_told() -> None:
    """A step that takes ink away says so, and all its strokes count as new."""
    step = write_history([20, 20, -10]).steps[-1]
    assert step.redrawn
    assert step.new == step.after.marks == write_tidily(30).marks


def test_added_strokes() -> None:
    """The strokes of the last deal are those the row lacked before."""
    before, after = write_history([10, 50]).tally, write_history([10, 50, 70]).tally
    assert find_added_marks(before, after) == (Mark(0, "left"), Mark(1, "lid"))
    assert is_extension(before, after)
    assert not is_extension(after, before)


def test_long_histories_stay_quick() -> None:
    """Two hundred deals of ten points, the worst of rows, are written and read."""
    assert read_total(write_history([10] * 200).tally) == 2000


def test_empty_page() -> None:
    """A page without deals shows an empty tally before and after."""
    page = write_history([])
    assert page.tally == page.before == Tally() == write_plainly(0)


def test_last_but_one() -> None:
    """A page knows what stood on it before the last deal."""
    assert write_history([50, 30]).before == write_history([50]).tally


def test_unknown_writing_is_refused() -> None:
    """A fourth way of writing is refused with the names of the three."""
    with pytest.raises(ValueError, match="as_played, tidy, plain"):
        write_history([1], "ornate")  # type: ignore[arg-type]  # a way of writing that there is not


def test_stray_ink_is_refused() -> None:
    """Strokes that make no shape together cannot be read."""
    with pytest.raises(ValueError, match="place 3"):
        read_marks([Mark(3, "ring"), Mark(3, "left")])


@pytest.mark.parametrize(
    "text", ["", "x", "100:", "110: 100", "60: 60", "30: 10, x", "21: 20, 1, 1", "20: 20,"]
)
def test_false_descriptions_are_refused(text: str) -> None:
    """A description that does not add up, or is none, is refused unless its end is merely bare."""
    if text == "20: 20,":
        assert parse_description(text) == 20
    else:
        with pytest.raises(ValueError):
            parse_description(text)


def test_either_minus_is_read() -> None:
    """A description may use a true minus sign or a hyphen."""
    assert parse_description("18: 20, −2") == parse_description("18: 20, -2") == 18
    assert parse_description("-30") == parse_description("−30") == -30


def test_steps_follow_one_another() -> None:
    """Each step begins with what the one before it left."""
    steps = write_history([18, 35, 62, 47, 81]).steps
    assert all(one.after == two.before for one, two in pairwise(steps))


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
    assert write_last_page(0, [abs(one) for one in history])[1] == write_history(map(abs, history))
