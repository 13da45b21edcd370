"""The family's views: its boards, its deals, and the entries beside them."""

from collections.abc import Mapping
from typing import Any, cast

from flask import url_for
from flask_babel import gettext as _
from flask_babel import ngettext

from companion import library
from companion.jacknine.state import JackNineRow
from companion.matches import Match
from companion.rules.game import GameRow
from companion.rules.message import Message
from companion.rules.question import Question
from companion.sheets.common import DEAL_REASONS, POINTS_REASONS
from companion.web.shell.forms import EntryForm
from companion.web.shell.game_ui import Figure, Figures
from companion.web.shell.matches import matches
from companion.web.shell.text import say, translate

from . import side_entries
from .columns import board_columns, stroke_key
from .form import deal_game, deal_state
from .names import COLUMN_WIDTH, TableNames, first_names, short_names
from .prefill import likely_questions, prefill, settling_question
from .replay import find_replay
from .views import can_call, edit_deal, read_draft

_PER_ROW_LARGE = 6
"""Shapes in a row of the board for a whole room."""
_NAME_WIDTH = 9
"""Letters that fit beside the suits."""


def board_context(match: Match) -> Mapping[str, Any]:
    """The template context of the scoreboard."""
    return {
        "columns": board_columns(match),
        "heads": first_names(match),
        "stroke_key": stroke_key,
        "bid": read_draft(match).get("contract"),
        **evening_context(match),
        "short_names": short_names(match, _NAME_WIDTH),
        "may_dive": deal_game(match.game).may_dive(deal_state(match)) if match.playing else (),
    }


def big_context(match: Match) -> Mapping[str, Any]:
    """The template context of the board for a whole room."""
    return {"columns": board_columns(match, _PER_ROW_LARGE), "heads": match.names}


def board_figures(match: Match) -> Figures:
    """The figures of the board, without its page."""
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


def evening_context(match: Match) -> Mapping[str, Any]:
    """The finished games of an evening with their numbers, and the sets and stakes of each side.

    No games are listed while this one is the only one. Stakes are shown if any were agreed, or if a game was
    worth more than one.
    """
    played, sides = matches().evening(match), match.state.ring.sides
    finished = [(number, game) for number, game in enumerate(played, 1) if game.state.winner is not None]
    states = [deal_state(game) for _number, game in finished]
    return {
        "evening": finished if len(played) > 1 else (),
        "evening_sets": {side: sum(state.sets[side] for state in states) for side in sides},
        "evening_stakes": {side: sum(state.stakes[side] for state in states) for side in sides},
        "has_stakes": any(game.head.get("stake") for _number, game in finished)
        or any(abs(stake) > 1 for state in states for stake in state.stakes.values()),
    }


_SIDE_ENTRIES = ("finish", "dive", "pencil", "adjust", "concede", "abandon")
_OUTCOME = ("redeal", "thrown_in", "totals", "count", "tricks")
_SIDE_FACTS = ("side", "points", "reason", "by", "wrote", "should")


class DealPages:
    """The pages of a family whose table plays deals for points."""

    family_title = Message("Jack and nine")
    board_template = "deals/board.html"
    big_template = "deals/big.html"
    entry_template = "deals/entry.html"
    more_template = "deals/side_entries.html"
    row_facts: tuple[str, ...] = (*_OUTCOME, *_SIDE_FACTS)

    board_context = staticmethod(board_context)
    big_context = staticmethod(big_context)
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
        """The points that each side made, or the outcome if none were counted."""
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
            "false_melds": _("melds not shown"),
            "alone": _("générale"),
            "belot": _("all cards of a suit"),
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
        """The lines of a count grouped by word, card points last, and whether the deal has a replay."""
        words: dict[str, list[Any]] = {}
        for line in cast(JackNineRow, row).lines if row is not None else ():
            words.setdefault(line.word, []).append(line)
        return {
            "words": sorted(words.items(), key=lambda item: item[0] == "cards"),
            "side_labels": TableNames(match, COLUMN_WIDTH).side_labels,
            "has_replay": row is not None and find_replay(match, row.n) is not None,
        }

    def side_entries(self, match: Match) -> tuple[str, ...]:
        """The types of entries beside deals that the table has, those of play first."""
        return tuple(kind for kind in _SIDE_ENTRIES if kind in match.game.family.entries)

    def side_form(self, match: Match, kind: str) -> type[EntryForm] | None:
        return side_entries.side_form_class(kind, match.state.ruleset)

    def usual_facts(self, game: library.Game, question: Question) -> Mapping[str, Any]:
        return {}

    def objection_reasons(self, match: Match, entry: int) -> Mapping[str, str]:
        """Reasons to object to an entry; one that is no deal can only have wrong points."""
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
        """The points that each side made; empty if the deal was not played, None for other entries."""
        n = match.number(entry)
        if n is None or match.counted_number(entry) is None:
            return None
        row = cast(JackNineRow | None, match.row(n))
        return dict(row.made) if row is not None and row.made is not None else {}
