"""How the family is shown: its deals, and the entries beside them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from flask import url_for
from flask_babel import gettext as _
from flask_babel import ngettext
from markupsafe import Markup

from companion import library
from companion.jacknine.state import JackNineRow
from companion.matches import Match
from companion.notation import svg, tally
from companion.rules.game import GameRow
from companion.rules.message import Message
from companion.rules.question import Question
from companion.sheets.common import DEAL_REASONS, POINTS_REASONS
from companion.web.shell.forms import EntryForm
from companion.web.shell.game_ui import Figure, Figures
from companion.web.shell.matches import matches
from companion.web.shell.text import say, translate

from . import side_entries
from .form import deal_game, deal_state
from .names import COLUMN_WIDTH, TableNames, short_names
from .prefill import likely_questions, prefill, settling_question
from .views import can_call, edit_deal, read_draft

_PER_ROW, _PER_ROW_LARGE = 3, 8
"""Shapes in a row of the board, and of the board for a whole room."""
_NAME_WIDTH = 9
"""Letters that fit beside the suits."""
_FIGURES_WIDTH = 5
"""Letters that fit above the figures of the log."""


def board_context(match: Match) -> Mapping[str, Any]:
    """What the scoreboard needs."""
    return {
        "columns": board_columns(match),
        "bid": read_draft(match).get("contract"),
        **evening_context(match),
        "short_names": short_names(match, _NAME_WIDTH),
        "may_dive": deal_game(match.game).may_dive(deal_state(match)) if match.playing else (),
    }


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
    """The sides of the board, in table order, each with so many shapes in a row of its tally."""
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


def board_figures(match: Match) -> Figures:
    """The board by itself."""
    state, book = deal_state(match), match.game.book
    held = f"{translate(book.words.get('held', '')).capitalize()}: {' + '.join(map(str, state.held))}"
    return Figures(
        _("Score"),
        tuple(
            Figure(column.side, column.total, column.carried, column.tally, state.winner == column.side)
            for column in board_columns(match, _PER_ROW_LARGE)
        ),
        state.next_dealer,
        _("There is a deal in progress.") if match.draft else "",
        held if state.held else "",
    )


def _read_last_page(match: Match, side: str) -> tuple[int, tuple[int, ...]]:
    """The total a side has begun the last page of its tally with, and what it has written on it."""
    rows = deal_state(match).rows
    start = max(len(rows) - 1, 0) // tally.PAGE * tally.PAGE
    carried = rows[start - 1].totals[side] if start else 0
    return carried, tuple(row.scored.get(side, 0) for row in rows[start:])


_write_last_page = lru_cache(maxsize=256)(tally.write_last_page)
"""The same for everybody who looks at the board."""


@lru_cache(maxsize=256)
def _draw_tally(
    carried: int, amounts: tuple[int, ...], seed: str, prefix: str, per_row: int
) -> Markup | None:
    """The tally of one side; cached, for every look at the board draws the same one."""
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


def evening_context(match: Match) -> Mapping[str, Any]:
    """The finished games of an evening with their numbers, and what they come to for each side.

    There are none while this game is the only one.
    """
    played, sides = matches().evening(match), match.state.ring.sides
    finished = [(number, game) for number, game in enumerate(played, 1) if game.state.winner is not None]
    states = [deal_state(game) for _number, game in finished]
    return {
        "evening": finished if len(played) > 1 else (),
        "evening_sets": {side: sum(state.sets[side] for state in states) for side in sides},
        "evening_stakes": {side: sum(state.stakes[side] for state in states) for side in sides},
    }


_SIDE_ENTRIES = ("finish", "dive", "pencil", "adjust", "concede", "abandon")
_OUTCOME = ("redeal", "thrown_in", "totals", "count", "tricks")
_SIDE_FACTS = ("side", "points", "reason", "by", "wrote", "should")


class DealPages:
    """The pages of a family whose table plays deals for points."""

    board_template = "deals/board.html"
    entry_template = "deals/entry.html"
    more_template = "deals/side_entries.html"
    row_facts: tuple[str, ...] = (*_OUTCOME, *_SIDE_FACTS)

    board_context = staticmethod(board_context)
    figures = staticmethod(board_figures)
    edit_entry = staticmethod(edit_deal)
    prefill = staticmethod(prefill)
    likely_questions = staticmethod(likely_questions)
    settling_question = staticmethod(settling_question)

    def name_counted(self, number: int | None) -> str:
        return _("Deal %(number)s", number=number) if number else _("A deal")

    def count_deals(self, number: int) -> str:
        return ngettext("%(num)s deal", "%(num)s deals", number)

    def entry_names(self) -> Mapping[str, str]:
        return {
            "opening": _("The totals from paper"),
            "adjust": _("An adjustment"),
            "concede": _("A concession"),
            "abandon": _("Abandoning the game"),
            "finish": _("A finish call"),
            "dive": _("A dive"),
            "pencil": _("The pencil rule"),
        }

    def describe_row(self, match: Match, row: GameRow) -> str:
        """The points that each side made; where none were counted, how it ended."""
        deal = cast(JackNineRow, row)
        if deal.made is not None:
            return ":".join(str(deal.made[side]) for side in match.state.ring.sides)
        return say(match, deal.outcome or deal.why).removesuffix(".")

    def fact_names(self) -> Mapping[str, str]:
        return {
            "auction": _("the bidding"),
            "declarer": _("played by"),
            "contract": _("played by"),
            "trump": _("trumps"),
            "turned": _("the turned suit"),
            "redeal": _("the redeal"),
            "thrown_in": _("thrown in"),
            "offer": _("the offer"),
            "totals": _("totals"),
            "count": _("the count"),
            "cards": _("card points"),
            "tricks": _("the tricks"),
            "runs": _("runs"),
            "fours": _("four of a kind"),
            "exchanged": _("the seven swapped by"),
            "trickless": _("without a trick"),
            "forfeits": _("runs forfeited by"),
            "call": _("the call"),
            "penalty": _("the penalty"),
            "turn_up": _("the turned card"),
            "shown": _("the card shown"),
            "dealer": _("dealt by"),
            "note": _("note"),
            "held": _("held points"),
            "accepted": _("the answer"),
            "deal": _("the deal meant"),
        }

    def describe_draft(self, is_saved: bool) -> str:
        return _("A deal in progress was saved.") if is_saved else _("The deal in progress was discarded.")

    def recording_forms(self, match: Match) -> tuple[str, ...]:
        forms = [url_for("deals.deal", id=match.id), url_for("deals.deal", id=match.id, mode="totals")]
        return (*forms, url_for("deals.enough", id=match.id)) if can_call(match) else (*forms,)

    def entry_context(self, match: Match, row: GameRow | None) -> Mapping[str, Any]:
        """A count's lines gathered by their words, the words before the card points."""
        words: dict[str, list[Any]] = {}
        for line in cast(JackNineRow, row).lines if row is not None else ():
            words.setdefault(line.word, []).append(line)
        return {
            "words": sorted(words.items(), key=lambda item: item[0] == "cards"),
            "side_labels": TableNames(match, COLUMN_WIDTH).side_labels,
        }

    def side_entries(self, match: Match) -> tuple[str, ...]:
        """The entries beside deals that the table knows, those of play first."""
        return tuple(kind for kind in _SIDE_ENTRIES if kind in match.game.family.entries)

    def side_form(self, match: Match, kind: str) -> type[EntryForm] | None:
        return side_entries.side_form_class(kind, match.state.ring)

    def usual_facts(self, game: library.Game, question: Question) -> Mapping[str, Any]:
        return {}

    def objection_reasons(self, match: Match, entry: int) -> Mapping[str, str]:
        """Of what is no deal only its points can be wrong."""
        if match.counted_number(entry) is None:
            return {"count": _("Wrong points"), "other": _("Something else")}
        return {
            "count": _("Wrong count"),
            "runs": _("Wrong runs"),
            "trump": _("Wrong trumps"),
            "revoke": _("A revoke"),
            "other": _("Something else"),
        }

    def objection_words(self, match: Match, entry: int) -> Mapping[str, Message]:
        return POINTS_REASONS if match.counted_number(entry) is None else DEAL_REASONS

    def disputed_figures(self, match: Match, entry: int) -> Mapping[str, int] | None:
        """What each side made; nothing yet where the deal was not played."""
        n = match.number(entry)
        if n is None or match.counted_number(entry) is None:
            return None
        row = cast(JackNineRow | None, match.row(n))
        return dict(row.made) if row is not None and row.made is not None else {}
