"""Plain tables of running totals, as a score sheet prints them.

Every cell is a finished string. Who may bear which mark is settled elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from companion.notation.tally import digits

RowKind = Literal["deal", "short", "note"]
"""A full row of cells; a short line across the table; a remark across it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: as many cells as there are columns, or one cell across them all."""

    cells: tuple[str, ...]
    kind: RowKind = "deal"


@dataclass(frozen=True, slots=True)
class Table:
    """A table with a heading for each column, to be repeated on every page.

    Raises ValueError if a row's cells do not fit the columns.
    """

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    footnotes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for place, row in enumerate(self.rows):
            due = len(self.columns) if row.kind == "deal" else 1
            if len(row.cells) != due:
                raise ValueError(f"row {place}: {len(row.cells)} cells, due {due}")


@dataclass(frozen=True, slots=True)
class Entry:
    """What one deal puts into one column.

    ``points`` join the running total. ``mark``, if any, is written in place of
    the total; ``carried`` points, which are not scored yet, follow in brackets.
    """

    points: int = 0
    mark: str = ""
    carried: int = 0


def running_totals(
    columns: Sequence[str], deals: Iterable[Sequence[Entry] | str], footnotes: Sequence[str] = ()
) -> Table:
    """A table of one row a deal, one column a player, with their running totals.

    A deal given as a string becomes a short line across the table and counts
    for nobody. Raises ValueError if a deal has not one entry a column.
    """
    totals = [0] * len(columns)
    rows: list[Row] = []
    for deal in deals:
        if isinstance(deal, str):
            rows.append(Row((deal,), "short"))
            continue
        if len(deal) != len(columns):
            raise ValueError(f"row {len(rows)}: {len(deal)} entries, due {len(columns)}")
        totals = [total + entry.points for total, entry in zip(totals, deal, strict=True)]
        rows.append(Row(tuple(map(_cell, totals, deal))))
    return Table(tuple(columns), tuple(rows), tuple(footnotes))


def _cell(total: int, entry: Entry) -> str:
    """The mark or the total, and what is carried in brackets."""
    text = entry.mark or digits(total)
    return f"{text} ({digits(entry.carried)})" if entry.carried else text
