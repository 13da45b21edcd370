"""The score of a match as it is written at the table: a column for each side, with strokes or lines."""

import re
from dataclasses import dataclass
from functools import lru_cache

from flask_babel import gettext as _
from markupsafe import Markup

from companion.jacknine.state import JackNineState
from companion.matches import Match
from companion.notation import running, svg, tally
from companion.notation.running import RunningTotalsCell, RunningTotalsRow
from companion.sheets.match import Marks, RunningTotals, has_figures
from companion.web.shell.language import current_language
from companion.web.shell.text import translate

from .form import deal_state
from .names import TableNames

_PER_ROW = 3
"""Shapes in a row of the board."""
_ROWS = 3
"""The most rows of shapes: of one shape more, and smaller, before the oldest become a number in front."""
_FIGURES_WIDTH = 4
"""Letters that fit above the figures of an entry, where three or four stand beside each other."""
_KEY = 4
"""The squares that a sample of each is wide."""
_SAMPLE = 162
"""A total to show how one is written."""
_SQUARES = {2: 9, 3: 6, 4: 5}
"""The squares of the page that a column is wide, by the number of columns."""


@dataclass(frozen=True)
class Column:
    """One side of the board."""

    side: str
    short: str
    total: int
    before: int
    carried: int
    tally: Markup | None
    """Its strokes, or its last running totals, as this game is written."""
    underline: Markup
    """Drawn under the total of the winner; else empty."""


def board_columns(match: Match, per_row: int = _PER_ROW) -> list[Column]:
    """The sides of the board in table order; a row of a tally has `per_row` shapes, while rows suffice."""
    state = deal_state(match)
    names = TableNames(match, _FIGURES_WIDTH)
    last = state.rows[-1].scored if state.rows else {}
    return [
        Column(
            side=side,
            short=names.side_labels[side],
            total=state.totals[side],
            before=state.totals[side] - last.get(side, 0),
            carried=carried,
            tally=drawing,
            underline=Markup(svg.draw_underline(match.id) if state.winner == side else ""),
        )
        for side, (carried, drawing) in zip(
            state.ring.sides, _write_score(match, state, per_row), strict=True
        )
    ]


def stroke_key(match: Match) -> list[tuple[Markup, str]]:
    """The strokes of the pad of this game, each with its meaning."""
    if match.game.book.writing == "tally":
        return [
            (_draw_tally(tally.Tally((shape,)), None, "key", f"key-{shape.value}"), str(shape.value))
            for shape in tally.SHAPES
            if shape.one_go and len(shape.reads) == 1
        ]
    marks, ruleset = Marks(match.game, translate, current_language()), deal_state(match).ruleset
    cells = [(RunningTotalsCell(str(_SAMPLE)), _("total after a deal"))]
    if mark := marks.use_mark("bait"):
        cells.append((RunningTotalsCell("", mark), translate(marks.words["bait"])))
    if ruleset.holds_points():
        cells.append((marks.compose_hanging(_SAMPLE // 2), translate(marks.words["held"])))
    if match.game.book.half and ruleset.ends_at_target():
        half = RunningTotalsCell(str(-(-ruleset["target"] // 2)), half=True)
        cells.append((half, _("half of the target")))
    drawn = _draw_lines((RunningTotalsRow("", tuple(cell for cell, _meaning in cells)),), "key", _KEY)
    return [(drawing, meaning) for drawing, (_cell, meaning) in zip(drawn, cells, strict=True)]


def _write_score(match: Match, state: JackNineState, per_row: int) -> list[tuple[int, Markup | None]]:
    """The pad of each side: the points carried over, and a drawing, None as long as it is empty."""
    if match.game.book.writing == "tally":
        return [_write_tally(match, state, side, per_row) for side in state.ring.sides]
    written = [row for row in state.rows if has_figures(row)]
    if not written:
        return [(0, None) for _side in state.ring.sides]
    lines = RunningTotals(match.game, state, translate, current_language())
    rows = tuple(lines.compose_row(row, str(row.n)) for row in written[-running.LINES :])
    return [(0, drawing) for drawing in _draw_lines(rows, match.id, _SQUARES[len(state.ring.sides)])]


@lru_cache(maxsize=256)
def _draw_lines(rows: tuple[RunningTotalsRow, ...], seed: str, squares: int) -> list[Markup]:
    """The last lines of all sides; cached, for each look at the board draws the same ones."""
    room = squares * svg.SQUARE
    drawn = running.draw_running_totals(rows, seed=seed, room=room, prefix="lines", is_new=True)
    return list(map(_measure_in_squares, drawn))


def _write_tally(match: Match, state: JackNineState, side: str, per_row: int) -> tuple[int, Markup | None]:
    """A side's tally, begun anew where it has more shapes than rows have room for."""
    rows = state.rows
    start = max(len(rows) - 1, 0) // tally.PAGE * tally.PAGE
    carried = rows[start - 1].totals[side] if start else 0
    amounts = tuple(row.scored.get(side, 0) for row in rows[start:])
    if not carried and not any(amounts):
        return 0, None
    front, page, more = _turn_pages(carried, amounts, per_row)
    size = per_row / more
    return front, _draw_tally(
        page.tally, page.before, f"{match.id} {side}", f"tally-{side}", more, size, front
    )


@lru_cache(maxsize=256)
def _turn_pages(carried: int, amounts: tuple[int, ...], per_row: int) -> tuple[int, tally.TallyPage, int]:
    """The last page of a tally, after the number in front of it; and how many shapes stand in a row of it.

    A page ends before the amount that would need more than the board has room for.
    """
    while True:
        front, page = tally.write_last_page(carried, amounts)
        most = _ROWS * (per_row + 1)
        over = next((n for n, step in enumerate(page.steps) if len(step.after.shapes) > most), None)
        if over is None:
            return front, page, per_row if len(page.tally.shapes) <= _ROWS * per_row else per_row + 1
        done = max(over, 1)
        carried, amounts = carried + sum(amounts[:done]), amounts[done:] or (0,)


@lru_cache(maxsize=256)
def _draw_tally(
    written: tally.Tally,
    before: tally.Tally | None,
    seed: str,
    prefix: str,
    per_row: int = 1,
    size: float = 1,
    front: int = 0,
) -> Markup:
    """The drawing of a tally behind the number in front of it, smaller by a `size`; cached likewise."""
    words = tally.describe(written)
    text = svg.draw_tally(
        written,
        seed=seed,
        before=before,
        per_row=per_row,
        prefix=prefix,
        title=f"{front} + {words}" if front else words,
    )
    return _measure_in_squares(text, size)


def _measure_in_squares(drawing: str, scale: float = 1) -> Markup:
    """The drawing in squares of the paper instead of its own units: a style sheet says how large they are."""
    size = r' (width|height)="([0-9.]+)"'
    sized = re.sub(size, lambda m: f' {m[1]}="{float(m[2]) / svg.SQUARE * scale:g}em"', drawing, count=2)
    return Markup(sized)  # numbers, words of games, and a match's own id, all escaped
