"""Matches as a table for spreadsheets: one row a deal or hand, and one for whatever else was written.

What people typed never begins as a formula does, so that no spreadsheet calculates with it.
"""

import csv
from collections.abc import Iterable, Iterator
from typing import IO, Any

from companion.matches import Match
from companion.rules.seats import LETTERS

COLUMNS = (
    *("match", "game", "preset", "started", "place", "entry", "type", "deal", "at"),
    *("dealer", "declarer", "trump", "result", "loser"),
    *(f"{fact}_{side}" for fact in ("name", "made", "scored", "total") for side in LETTERS),
    *("held", "note"),
)
"""The columns: `entry` counts all that was written, `deal` the deals or hands; sides go by their letters."""

_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
"""The characters with which a formula of a spreadsheet begins."""


def write_csv(matches: Iterable[Match], file: IO[str], separator: str = ",") -> None:
    """Write matches into a file of text (opened with `newline=""`), a row for each entry that counts.

    Between cells stands a comma, or what the spreadsheets of a country take for one.
    """
    writer = csv.writer(file, delimiter=separator)
    writer.writerow(COLUMNS)
    for match in matches:
        for row in _rows(match):
            writer.writerow([guard_cell(row.get(name)) for name in COLUMNS])


def guard_cell(value: Any) -> Any:
    """What stands in a cell: a text that would be a formula begins with an apostrophe.

    >>> guard_cell("=1+1"), guard_cell("@Ewa"), guard_cell("Ewa"), guard_cell(-20), guard_cell(None)
    ("'=1+1", "'@Ewa", 'Ewa', -20, '')
    """
    if value is None:
        return ""
    if isinstance(value, int):
        return value
    text = str(value)
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def _rows(match: Match) -> Iterator[dict[str, Any]]:
    ring, head = match.state.ring, match.head
    always = {
        "match": match.id,
        "game": match.game.name,
        "preset": match.game.preset,
        "started": head.get("started") or match.created_at,
        "place": head.get("place"),
        **{f"name_{side}": match.side_name(side) for side in ring.sides},
    }
    shown: Any = match.game.family.show(match.state)["entries"]
    rows = {row["n"]: row for row in shown}
    for n, entry in enumerate(match.standing_entries, 1):
        row = rows.get(n, {})  # what was written after the end comes to nothing
        yield always | {
            "entry": n,
            "type": entry.payload["type"],
            "deal": match.counted_number(entry.id),
            "at": entry.events[0].at,
            **{key: row.get(key) for key in ("dealer", "declarer", "trump", "result", "loser")},
            **_by_side("made", row.get("made")),
            **_by_side("scored", row.get("scored")),
            **_by_side("total", row.get("totals")),
            "held": " ".join(map(str, row.get("held") or ())),
            "note": entry.payload.get("note") or entry.payload.get("reason"),
        }


def _by_side(fact: str, values: Any) -> dict[str, int]:
    return {f"{fact}_{side}": value for side, value in (values or {}).items()}
