"""Columns of running totals as a hand writes them: the last line is new, nothing is wider than its column."""

import re
from xml.etree import ElementTree

import pytest

from companion.notation.running import RunningTotalsCell as Cell
from companion.notation.running import RunningTotalsRow as Row
from companion.notation.running import draw_running_totals
from companion.notation.svg import SQUARE

SVG = "{http://www.w3.org/2000/svg}"
ROWS = (
    Row("1", (Cell("164"), Cell("158"))),
    Row("2", (Cell("", "vs(81)"), Cell("231", half=True))),
    Row("3", (Cell("326", "pad"), Cell("", "BT")), bid="90 ♥ ×2"),
)


def draw(*rows: Row, room: float = 9 * SQUARE, is_new: bool = False) -> list[str]:
    return draw_running_totals(rows, seed="a match", room=room, prefix="lines", is_new=is_new)


def edges(drawing: str) -> tuple[float, float, float, float]:
    """Measure how far the strokes go to all sides, and the size of the drawing, in its own units."""
    root = ElementTree.fromstring(drawing)
    points = [
        tuple(map(float, pair))
        for path in root.iter(f"{SVG}path")
        for pair in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path.attrib["d"])
    ]
    _left, _top, wide, high = map(float, root.attrib["viewBox"].split())
    return max(x for x, _y in points), max(y for _x, y in points), wide, high


def test_each_line_is_read_aloud() -> None:
    """A column's title says its lines, the bid with the first column."""
    titles = [re.findall(r"<title[^>]*>(.*)</title>", drawing)[0] for drawing in draw(*ROWS)]
    assert titles == ["164, vs(81), 90 ♥ ×2 326 pad", "158, 231, BT"]
    assert "(81)" in draw(Row("1", (Cell("", ring="81"), Cell("9"))))[0]


def test_only_the_last_line_is_new() -> None:
    first, second = draw(*ROWS, is_new=True)
    assert first.count('class="word new"') == 1 and ">pad</text>" in first
    assert second.count("ink new") < second.count('class="ink"')
    assert "new" not in draw(*ROWS)[0]


def test_a_line_looks_the_same_when_others_follow() -> None:
    """Its ink is found again, stroke by stroke, after the next deal."""
    strokes = re.findall(r' d="[^"]+"', draw(*ROWS[:2])[1])
    assert set(strokes) <= set(
        re.findall(r' d="[^"]+"', draw(*ROWS[:2], Row("3", (Cell("9"), Cell("8"))))[1])
    )


@pytest.mark.parametrize("squares", [4, 5, 6, 9])
def test_nothing_is_wider_than_its_column(squares: int) -> None:
    """Where a column is narrow all columns are written smaller, and alike."""
    wide = (*ROWS[:2], Row("3", (Cell("−1326", "vs(1234)"), Cell("5", ring="1234"))))
    drawings = draw(*wide, room=squares * SQUARE)
    for drawing in drawings:
        right, bottom, width, height = edges(drawing)
        assert right <= width and bottom <= height
    assert (
        len({re.sub(r".*viewBox=\"([^\"]+)\".*", r"\1", drawing.split(">")[0]) for drawing in drawings}) == 1
    )


def test_what_the_hand_cannot_write_is_in_type() -> None:
    drawn = draw(Row("1", (Cell("162", "<štiglja>"), Cell("0"))))[0]
    assert "&lt;štiglja&gt;</text>" in drawn
    assert "<text" not in draw(Row("1", (Cell("0", "БТ"), Cell("0", "вс(81)")), bid="110 ♠"))[0]
