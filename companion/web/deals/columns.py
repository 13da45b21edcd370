"""The score of a match as it is written at the table: a column for each side, with its tally."""

import re
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from companion.matches import Match
from companion.notation import svg, tally

from .form import deal_state
from .names import TableNames

_PER_ROW = 3
"""Shapes in a row of the board."""
_FIGURES_WIDTH = 4
"""Letters that fit above the figures of an entry, where three or four stand beside each other."""


@dataclass(frozen=True)
class Column:
    """One side of the board."""

    side: str
    short: str
    total: int
    before: int
    carried: int
    tally: Markup | None
    underline: Markup
    """Drawn under the total of the winner; else empty."""


def board_columns(match: Match, per_row: int = _PER_ROW) -> list[Column]:
    """The sides of the board in table order; a tally has `per_row` shapes in a row."""
    state = deal_state(match)
    columns, names = [], TableNames(match, _FIGURES_WIDTH)
    for side in state.ring.sides:
        carried, amounts = _read_last_page(match, side)
        columns.append(
            Column(
                side=side,
                short=names.side_labels[side],
                total=state.totals[side],
                before=state.totals[side] - (amounts[-1] if amounts else 0),
                carried=_write_last_page(carried, amounts)[0],
                tally=_draw_tally(carried, amounts, f"{match.id} {side}", f"tally-{side}", per_row),
                underline=Markup(svg.draw_underline(match.id) if state.winner == side else ""),
            )
        )
    return columns


def _read_last_page(match: Match, side: str) -> tuple[int, tuple[int, ...]]:
    """The total carried to the last page of a side's tally, and the points written on that page."""
    rows = deal_state(match).rows
    start = max(len(rows) - 1, 0) // tally.PAGE * tally.PAGE
    carried = rows[start - 1].totals[side] if start else 0
    return carried, tuple(row.scored.get(side, 0) for row in rows[start:])


_write_last_page = lru_cache(maxsize=256)(tally.write_last_page)
"""`tally.write_last_page`, cached: everybody who looks at the board needs the same pages."""


@lru_cache(maxsize=256)
def _draw_tally(
    carried: int, amounts: tuple[int, ...], seed: str, prefix: str, per_row: int
) -> Markup | None:
    """The tally of a side, or None without points; cached, for each look at the board draws the same one."""
    if not carried and not any(amounts):
        return None
    front, page = _write_last_page(carried, amounts)
    words = tally.describe(page.tally)
    text = svg.draw_tally(
        page.tally,
        seed=seed,
        before=page.before,
        per_row=per_row,
        prefix=prefix,
        title=f"{front} + {words}" if front else words,
    )
    # In squares of the paper instead of units of the drawing: the style sheet says how large a square is.
    sized = re.sub(
        r' (width|height)="([0-9.]+)"', lambda m: f' {m[1]}="{float(m[2]) / svg.SQUARE:g}em"', text, count=2
    )
    return Markup(sized)  # numbers and a match's own id, made by us
