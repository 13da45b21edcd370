"""Plain tables of running totals."""

from __future__ import annotations

import pytest

from companion.notation.table import Entry, Row, Table, running_totals


def test_totals_run() -> None:
    """Each row holds what the players have by then."""
    table = running_totals(["Ann", "Bob"], [[Entry(62), Entry(35)], [Entry(0), Entry(152)]])
    assert table.columns == ("Ann", "Bob")
    assert [row.cells for row in table.rows] == [("62", "35"), ("62", "187")]
    assert {row.kind for row in table.rows} == {"deal"}


def test_mark_stands_for_the_total() -> None:
    """A marked cell shows the mark, and the next row goes on from the total."""
    table = running_totals(["Ann"], [[Entry(80)], [Entry(mark="БТ")], [Entry(20)]])
    assert [row.cells[0] for row in table.rows] == ["80", "БТ", "100"]


def test_carried_points_stand_in_brackets() -> None:
    """Points that wait for the next deal follow the total, or the mark, in brackets."""
    table = running_totals(["Ann", "Bob"], [[Entry(81, carried=81), Entry(mark="vs", carried=81)]])
    assert table.rows[0].cells == ("81 (81)", "vs (81)")


def test_short_line_counts_for_nobody() -> None:
    """A deal thrown in is one short line and leaves the totals alone."""
    table = running_totals(["Ann"], [[Entry(50)], "passed out", [Entry(-70)]], ["a correction"])
    assert table.rows == (Row(("50",)), Row(("passed out",), "short"), Row(("−20",)))
    assert table.footnotes == ("a correction",)


def test_entries_must_fit_the_columns() -> None:
    """A deal with an entry too few is refused."""
    with pytest.raises(ValueError, match="row 1"):
        running_totals(["Ann", "Bob"], ["passed out", [Entry(1)]])


@pytest.mark.parametrize("row", [Row(("1",)), Row(("a", "b"), "short"), Row((), "note")])
def test_cells_must_fit_the_row(row: Row) -> None:
    """A deal fills every column, and any other row is one cell."""
    with pytest.raises(ValueError, match="row 0"):
        Table(("Ann", "Bob"), (row,))
