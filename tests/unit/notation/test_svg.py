"""The drawings: well-formed, steady, and compared with the ones on file.

REGENERATE=1 rewrites the files under golden; look at them before committing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import few_examples

from companion.notation import matchsticks
from companion.notation.charts import Bar, Place, draw_bars, draw_calendar, draw_ring
from companion.notation.hand import Handwriting
from companion.notation.running import RunningTotalsCell, RunningTotalsRow, draw_running_totals
from companion.notation.svg import draw_line_chart, draw_tally, draw_underline
from companion.notation.tally import SHAPES, Tally, TallyPage, write_last_page

GOLDEN = Path(__file__).with_name("golden")
SVG = "{http://www.w3.org/2000/svg}"
TEN = [18, 35, 62, 47, 81, 20, 55, 10, 90, 87]
RUNNING = {
    "Zofia": [62, 109, 109, 190, 310, 343, 343, 437, 505],
    "Jan": [35, 35, 187, 231, 231, 321, 398, 398, 499],
}


def write_history(history: Sequence[int]) -> TallyPage:
    """The page of a history that begins at nothing."""
    return write_last_page(0, history)[1]


DRAWINGS = {
    "tally-367": lambda: draw_tally(write_history([100, 100, 100, 20, 20, 27]).tally, seed="a match"),
    "tally-505": lambda: draw_tally(
        write_history([100, 100, 100, 100, 105]).tally, seed="a match", squared=True
    ),
    "tally-shapes": lambda: draw_tally(Tally(SHAPES, 0), seed="every shape", per_row=6),
    "tally-digits": lambda: draw_tally(Tally((), -1234567890), seed="every digit"),
    "tally-new": lambda: draw_tally(
        write_history(TEN[:5]).tally, before=write_history(TEN[:4]).tally, seed="ten deals"
    ),
    "tally-joined": lambda: draw_tally(write_history(TEN).tally, seed="ten deals", joined=True),
    "matchsticks": lambda: matchsticks.draw_matchsticks(12, 3, before=11, seed="an evening"),
    "running-totals": lambda: draw_running_totals(
        [
            RunningTotalsRow("1", (RunningTotalsCell("123456789", "—"),), "90 ♥ ×2"),
            RunningTotalsRow("2", (RunningTotalsCell("500", half=True),), "100 ♠"),
            RunningTotalsRow("3", (RunningTotalsCell("", ring="81"),), "110 ♦"),
            RunningTotalsRow("4", (RunningTotalsCell("−9", "vs(70)"),), "120 ♣"),
            RunningTotalsRow("5", (RunningTotalsCell("BTБТ", "вс(8)"),)),
        ],
        seed="every sign",
        room=240,
        prefix="lines",
        is_new=True,
    )[0],
    "bars": lambda: draw_bars(
        [Bar(-40, 0, 2), Bar(-20, 0, 0), Bar(0, 3, 1), Bar(20, 5, 0)], prefix="bars", title="leads"
    ),
    "ring": lambda: draw_ring(
        [Place("A", 1, 4), Place("B", 0, 9), Place("C", 3, 3)], prefix="r", title="seats"
    ),
    "calendar": lambda: draw_calendar(
        {date(2026, 11, 20): 2, date(2026, 3, 1): 1}, date(2026, 11, 25), prefix="days", title="evenings"
    ),
    "chart": lambda: draw_line_chart(RUNNING, 500),
    "chart-below-zero": lambda: draw_line_chart({"A": [30, -50], "B": [0, 12], "C": [-4, -4]}),
}


def strokes(svg: str) -> list[tuple[str, str]]:
    """Every stroke of a row as it is seen: where its shape is put, and its path."""
    root = ElementTree.fromstring(svg)
    models = {f"#{model.get('id')}": model for model in root.iter(f"{SVG}g")}
    return [
        (shape.get("transform", ""), path.get("d", ""))
        for shape in root.iter()
        if shape.get("transform")
        for path in ([shape] if shape.get("d") else models[shape.get("href", "")])
    ]


def place_points(seat: str, path: str) -> str:
    """A path where a transform puts it."""
    a, b, c, d, e, f = map(float, re.findall(r"-?[\d.]+", seat))
    numbers = [float(text) for text in re.findall(r"-?[\d.]+", path)]
    points = zip(numbers[::2], numbers[1::2], strict=True)
    return " ".join(f"{a * x + c * y + e:.2f} {b * x + d * y + f:.2f}" for x, y in points)


@pytest.mark.parametrize("name", DRAWINGS)
def test_golden(name: str) -> None:
    """Each is the one on file, well-formed, an image, named by its first child, coloured by the page."""
    file = GOLDEN / f"{name}.svg"
    drawn = DRAWINGS[name]() + "\n"
    if os.environ.get("REGENERATE") == "1":
        file.write_text(drawn, "utf-8", newline="\n")
    assert drawn == file.read_text("utf-8")
    root = ElementTree.fromstring(drawn)
    assert (root.tag, root.get("role"), root[0].tag) == (f"{SVG}svg", "img", f"{SVG}title")
    assert root[0].text and root[0].get("id") == root.get("aria-labelledby")
    assert set(re.findall(r'(?:stroke|fill)="([^"]+)"', drawn)) <= {"none", "currentColor"}
    assert " style=" not in drawn


def test_titles_are_escaped() -> None:
    for drawn in (
        draw_tally(Tally((), 1), seed='<&"', prefix='a"b', title="<b>&"),
        draw_line_chart({"<b>&": [1]}, prefix='a"b'),
    ):
        root = ElementTree.fromstring(drawn)
        assert root.get("aria-labelledby") == 'a"b-title'
        assert root[0].text is not None
        assert root[0].text.startswith("<b>&")


def test_colour_is_written_if_given() -> None:
    assert ElementTree.fromstring(draw_tally(Tally((), 5), seed="s")).get("color") is None
    for drawn in (
        draw_tally(Tally((), 5), seed="s", colour="#3b3b3b"),
        draw_line_chart({"A": [1]}, colour="#3b3b3b"),
    ):
        assert ElementTree.fromstring(drawn).get("color") == "#3b3b3b"


def test_prefix_keeps_ids_apart() -> None:
    left, right = (draw_tally(Tally((), 5), seed="s", prefix=prefix) for prefix in ("a", "b"))
    assert not set(re.findall(r'id="([^"]+)"', left)) & set(re.findall(r'id="([^"]+)"', right))


@few_examples(30, 500)
@given(st.lists(st.integers(0, 260), max_size=12), st.text(max_size=8))
def test_ink_never_moves(history: list[int], seed: str) -> None:
    """Every stroke drawn after one deal is drawn in the same place after the next."""
    earlier = set[tuple[str, str]]()
    for step in write_history(history).steps:
        now = set(strokes(draw_tally(step.after, seed=seed, before=step.before)))
        assert earlier <= now
        earlier = now


@given(st.lists(st.integers(0, 260), min_size=1, max_size=12))
def test_new_strokes_are_marked(history: list[int]) -> None:
    page = write_history(history)
    drawn = draw_tally(page.tally, seed="s", before=page.before)
    assert drawn.count('class="ink new"') == len(page.steps[-1].new)
    assert ('class="numeral new"' in drawn) == (
        page.before.units != page.tally.units and (page.tally.units != 0 or not page.tally.shapes)
    )


def test_strokes_can_be_joined() -> None:
    """A path for each pressure; every stroke once."""
    tally = write_history(TEN).tally
    joined = re.findall(r'stroke-width="([^"]+)" d="([^"]+)"', draw_tally(tally, seed="s", joined=True))
    assert len({weight for weight, _ in joined}) == len(joined) <= 5
    assert sum(path.count("M") for _, path in joined) == len(tally.marks)


def test_each_shape_is_drawn_once() -> None:
    """However often it stands in the row, no two of them in quite the same way; every stroke is seen."""
    tally = write_last_page(0, [100] * 40 + [80] * 20)[1].tally
    drawn = draw_tally(tally, seed="s")
    assert drawn.count("<path") == sum(len(shape.strokes) for shape in {*tally.shapes})
    assert drawn.count("<use") == len(set(re.findall('transform="[^"]+"', drawn))) == len(tally.shapes)
    assert len(strokes(drawn)) == len(tally.marks)


def test_joined_strokes_keep_what_is_new() -> None:
    before, after = write_history(TEN[:4]).tally, write_history(TEN[:5]).tally
    drawn = draw_tally(after, before=before, seed="s", joined=True)
    new = "".join(re.findall(r'class="ink new" stroke-width="[^"]+" d="([^"]+)"', drawn))
    assert new.count("M") == len(after.marks) - len(before.marks) > 0
    assert drawn.count('class="ink"') > 0


def test_strokes_stay_in_the_drawing() -> None:
    for seed in map(str, range(60)):
        drawn = draw_tally(Tally(SHAPES, -2), seed=seed, per_row=4)
        root = ElementTree.fromstring(drawn)
        numeral = [path.get("d", "") for path in root.iterfind(f".//{SVG}g[@class='numeral']/{SVG}path")]
        left, top, right, bottom = box_of([*numeral, *(place_points(*stroke) for stroke in strokes(drawn))])
        assert left >= 2 and right <= float(root.get("width", 0)) - 2
        assert top >= 2 and bottom <= float(root.get("height", 0)) - 2


def test_the_double_stroke_lies_in_its_drawing() -> None:
    """Two strokes, the same for the same match, that may waver but end where the drawing ends."""
    assert draw_underline("a") == draw_underline("a") != draw_underline("b")
    root = ElementTree.fromstring(draw_underline("a"))
    _, _, width, height = map(float, root.get("viewBox", "").split())
    for path in root:
        left, top, right, bottom = box_of([path.get("d", "")])
        assert 0 <= left < 0.05 * width and 0.95 * width < right <= width and 0 <= top < bottom <= height
    assert len(root) == 2


def test_waver_is_bounded() -> None:
    assert all(-1 <= value <= 1 for seed in "abc" for value in Handwriting(seed).waver("name"))
    tally = write_history(TEN).tally
    assert draw_tally(tally, seed="a") != draw_tally(tally, seed="b")


@pytest.mark.parametrize(
    ("draw", "error"),
    [
        (lambda: draw_tally(Tally((), 0), seed="s", per_row=0), ValueError),
        (lambda: Handwriting("s").draw_stroke(0, "zigzag", (0, 0)), KeyError),
        (lambda: draw_line_chart({}), ValueError),
        (lambda: draw_bars([], prefix="b", title="none"), ValueError),
        (lambda: draw_ring([], prefix="r", title="none"), ValueError),
        (lambda: matchsticks.split_bundles(-1), ValueError),
    ],
    ids=[
        "a row of no shapes",
        "an unknown stroke",
        "a chart of nobody",
        "bars of nothing",
        "a ring of nobody",
        "fewer matches than none",
    ],
)
def test_what_cannot_be_drawn(draw: Callable[[], object], error: type[Exception]) -> None:
    with pytest.raises(error):
        draw()


def test_chart_tells_lines_apart_without_colour() -> None:
    """Each line has its own dashes, a sample of them, and its name with the total."""
    drawn = draw_line_chart({name: [10, 20] for name in "ABCD"})
    lines = re.findall(r'<polyline class="line" [^>]*?stroke-width="2"([^>]*?) points', drawn)
    samples = re.findall(r'<polyline class="line sample" [^>]*?stroke-width="2"([^>]*?) points', drawn)
    assert lines == samples
    assert len(set(lines)) == 4
    assert re.findall(r'class="end"[^>]*>([^<]+)<', drawn) == ["A 20", "B 20", "C 20", "D 20"]


@few_examples(40, 500)
@given(
    st.dictionaries(
        st.text(max_size=30), st.lists(st.integers(-500, 2000), max_size=70), min_size=1, max_size=6
    ),
    st.none() | st.integers(1, 2000),
)
def test_chart_stays_in_the_drawing(series: dict[str, list[int]], target: int | None) -> None:
    """Whatever the totals, every line lies within the drawing and the ticks stay few."""
    drawn = draw_line_chart(series, target)
    for points in re.findall(r'points="([^"]+)"', drawn):
        for point in points.split():
            x, y = map(float, point.split(","))
            assert 0 <= x <= 640
            assert 0 <= y <= 280
    assert drawn.count('class="tick"') <= 8 + 11


def numeral_box(drawn: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a drawing's numeral."""
    group = re.search(r'<g class="numeral">(.*?)</g>', drawn, re.DOTALL)
    assert group is not None
    return box_of(re.findall(r' d="([^"]+)"', group[1]))


def box_of(paths: list[str]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of some paths, as far as their points go."""
    numbers = [list(map(float, re.findall(r"-?[\d.]+", path))) for path in paths]
    across = [number for path in numbers for number in path[::2]]
    down = [number for path in numbers for number in path[1::2]]
    return min(across), min(down), max(across), max(down)


def test_a_line_alone_is_no_bar_over_the_numeral() -> None:
    """Below one line at the bottom of a row the numeral stands off by more than its own shape's height."""
    below, bar = draw_tally(Tally((SHAPES[0],), 5), seed="s"), draw_tally(Tally((SHAPES[1],), 5), seed="s")
    gaps = [numeral_box(drawn)[1] for drawn in (below, bar)]
    assert gaps[0] - gaps[1] > 10


@given(st.integers(1, 30), st.integers(1, 6), st.integers(-2, 9).filter(bool))
def test_the_numeral_stands_below_the_last_row(count: int, per_row: int, units: int) -> None:
    """In the middle under the shapes of that row, with air to them."""
    tally = Tally((SHAPES[-1],) * count, units)
    drawn = draw_tally(tally, seed="s", per_row=per_row)
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn)
    assert size is not None
    left, top, right, bottom = numeral_box(drawn)
    assert left >= 0 and top >= 0 and right <= float(size[1]) and bottom <= float(size[2])
    shapes = [place_points(*stroke) for stroke in strokes(drawn)]
    row = box_of(shapes[(count - 1) // per_row * per_row : count])
    assert abs((left + right) / 2 - (row[0] + row[2]) / 2) < 8 and 4 < top - row[3] < 18
