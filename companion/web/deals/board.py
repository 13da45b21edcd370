"""The scoreboard of deals: totals and tallies, who deals, what hangs, the evening so far."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from flask_babel import gettext as _
from markupsafe import Markup

from companion.matches import Match
from companion.notation import svg, tally
from companion.web.shell.game_ui import Figure, Figures
from companion.web.shell.matches import matches
from companion.web.shell.text import translate

from . import deal_game, deal_state
from .drafts import read_draft
from .names import TableNames, short_names
from .views import can_call

_PER_ROW = 4
_NAME_WIDTH = 9
"""Letters that fit beside the suits."""
_FIGURES_WIDTH = 5
"""Letters that fit above the figures of the log."""


def board_context(match: Match) -> Mapping[str, Any]:
    """What the scoreboard needs."""
    return {
        "columns": board_columns(match),
        "bid": read_draft(match).get("contract"),
        "evening": evening_so_far(match),
        "short_names": short_names(match, _NAME_WIDTH),
        "suits": deal_game(match.game).ruleset.suits,
        "calls": can_call(match),
        "to_target": deal_state(match).ruleset.plays_to_target(),
        "may_dive": deal_game(match.game).may_dive(deal_state(match)) if match.playing else (),
    }


@dataclass(frozen=True)
class Column:
    """One side of the board."""

    side: str
    short: str
    seats: tuple[str, ...]
    total: int
    before: int
    needs: int | None
    deals: bool
    elder: bool
    carried: int
    tally: Markup | None


def board_columns(match: Match) -> list[Column]:
    """The sides of the board, in table order."""
    state = deal_state(match)
    playing, columns, names = match.playing, [], TableNames(match, _FIGURES_WIDTH)
    for side in state.ring.sides:
        seats = tuple(seat for seat in state.ring.seats if state.ring.side(seat) == side)
        written = _read_last_page(match, side)
        columns.append(
            Column(
                side=side,
                short=names.side_label(side),
                seats=seats,
                total=state.totals[side],
                before=state.totals[side] - (written.amounts[-1] if written.amounts else 0),
                needs=state.needs(side) if playing and state.ruleset.plays_to_target() else None,
                deals=playing and state.next_dealer in seats,
                elder=playing and state.next_elder in seats,
                carried=_write_tally(written)[0],
                tally=_draw_tally(written, f"{match.id} {side}", f"tally-{side}"),
            )
        )
    return columns


def board_figures(match: Match) -> Figures:
    """The board by itself."""
    state, book = deal_state(match), match.game.book
    held = f"{translate(book.words.get('held', '')).capitalize()}: {' + '.join(map(str, state.held))}"
    return Figures(
        _("Score"),
        tuple(
            Figure(column.side, column.total, column.carried, column.tally, state.winner == column.side)
            for column in board_columns(match)
        ),
        state.next_dealer,
        _("There is a deal in progress.") if match.draft else "",
        held if state.held else "",
    )


@dataclass(frozen=True)
class WrittenPage:
    """What a side has written on the last page of its tally, and the total it was begun with."""

    carried: int
    amounts: tuple[int, ...]


def _read_last_page(match: Match, side: str) -> WrittenPage:
    rows = deal_state(match).rows
    start = max(len(rows) - 1, 0) // tally.PAGE * tally.PAGE
    carried = rows[start - 1].totals[side] if start else 0
    return WrittenPage(carried, tuple(row.scored.get(side, 0) for row in rows[start:]))


@lru_cache(maxsize=256)
def _write_tally(written: WrittenPage) -> tuple[int, tally.TallyPage]:
    return tally.write_last_page(written.carried, written.amounts)


@lru_cache(maxsize=256)
def _draw_tally(written: WrittenPage, seed: str, prefix: str) -> Markup | None:
    """The tally of one side; cached, for every look at the board draws the same one."""
    if not written.carried and not any(written.amounts):
        return None
    front, page = _write_tally(written)
    words = tally.describe(page.tally)
    text = svg.draw_tally(
        page.tally,
        seed=seed,
        before=page.before,
        per_row=_PER_ROW,
        prefix=prefix,
        title=f"{front} + {words}" if front else words,
    )
    # In squares of the paper instead of units of the drawing: the style sheet says how large a square is.
    sized = re.sub(
        r' (width|height)="([0-9.]+)"', lambda m: f' {m[1]}="{float(m[2]) / svg.SQUARE:g}em"', text, count=2
    )
    return Markup(sized)  # numbers and a match's own id, made by us


@dataclass(frozen=True)
class FinishedGame:
    """One finished game of an evening."""

    id: str
    number: int
    winner: str
    totals: dict[str, int]
    sets: dict[str, int]
    stakes: dict[str, int]


@dataclass(frozen=True)
class Evening:
    """The games so far, oldest first, and what they come to for each side."""

    games: tuple[FinishedGame, ...]
    sets: dict[str, int]
    stakes: dict[str, int]


def evening_so_far(match: Match) -> Evening | None:
    """The evening up to a match; None while it has no finished game but this one."""
    played = matches().evening(match)
    sides = match.state.ring.sides
    states = ((number, game.id, deal_state(game)) for number, game in enumerate(played, 1))
    games = tuple(
        FinishedGame(id, number, state.winner, dict(state.totals), dict(state.sets), dict(state.stakes))
        for number, id, state in states
        if state.winner is not None
    )
    if len(played) < 2 or not games:
        return None
    return Evening(
        games,
        {side: sum(game.sets[side] for game in games) for side in sides},
        {side: sum(game.stakes[side] for game in games) for side in sides},
    )
