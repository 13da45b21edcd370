"""The family's views: its hands, and the entries beside them."""

from collections.abc import Mapping
from typing import Any, cast

from flask import url_for
from flask_babel import gettext as _
from flask_babel import ngettext

from companion.beating.entries import Hand
from companion.beating.state import BeatingRow
from companion.matches import Match
from companion.rules.game import GameRow
from companion.rules.message import Message
from companion.sheets.common import HAND_REASONS, NO_HAND_REASONS
from companion.web.shell.forms import EntryForm
from companion.web.shell.text import say

from . import hand_game
from .arrow import draw_way
from .board import board_context, board_figures
from .hand_page import SIDE_FORMS
from .prefill import likely_questions, prefill, usual_facts
from .views import edit_hand


class HandPages:
    """The pages of a family whose table plays hands for a loser."""

    family_title = Message("Attack and beat")
    board_template = "hands/board.html"
    big_template = "hands/big.html"
    entry_template = "hands/entry.html"
    more_template = "hands/side_entries.html"
    row_facts: tuple[str, ...] = ("loser", "by", "cards", "misdeal")

    board_context = staticmethod(board_context)
    big_context = staticmethod(board_context)
    figures = staticmethod(board_figures)
    edit_entry = staticmethod(edit_hand)
    prefill = staticmethod(prefill)
    usual_facts = staticmethod(usual_facts)
    likely_questions = staticmethod(likely_questions)

    def name_counted(self, number: int | None) -> str:
        return _("Hand %(number)s", number=number) if number else _("A hand")

    def count_deals(self, number: int) -> str:
        return ngettext("%(num)s hand", "%(num)s hands", number)

    def entry_names(self) -> Mapping[str, str]:
        return {"touch": _("Touched cards"), "close": _("The end of the session")}

    def describe_row(self, match: Match, row: GameRow) -> str:
        return say(match, row.why).removesuffix(".")

    def fact_names(self) -> Mapping[str, str]:
        return {
            "deals": _("next dealt by"),
            "dealer": _("dealt by"),
            "trump": _("trumps"),
            "first_attacker": _("first attack by"),
            "bouts": _("the bouts"),
            "misdeal": _("why it was dealt again"),
            "walked_out": _("left the table"),
            "walked_after": _("bouts before somebody left"),
            "sixes": _("sixes of the last attack"),
            "order": _("went out in this order"),
            "note": _("note"),
        }

    def describe_draft(self, is_saved: bool) -> str:
        return _("The hand in progress was saved.") if is_saved else _("The hand is no longer followed.")

    def recording_forms(self, match: Match) -> tuple[str, ...]:
        return tuple(url_for(endpoint, id=match.id) for endpoint in ("hands.hand", "follow.follow"))

    def entry_context(self, match: Match, row: GameRow | None) -> Mapping[str, Any]:
        return describe_hand(match, row) if row is not None and row.type == "hand" else {}

    def side_entries(self, match: Match) -> tuple[str, ...]:
        return tuple(SIDE_FORMS)

    def side_form(self, match: Match, kind: str) -> type[EntryForm] | None:
        return SIDE_FORMS.get(kind)

    def objection_reasons(self, match: Match, entry: int) -> Mapping[str, str]:
        """Reasons to object to an entry: a hand has a loser and no points, and there are no runs."""
        if not _is_played(match, entry):
            return {"count": _("It was different"), "other": _("Something else")}
        return {
            "count": _("It ended differently"),
            "trump": _("Wrong trumps"),
            "revoke": _("A wrong card was played"),
            "other": _("Something else"),
        }

    def objection_words(self, match: Match, entry: int) -> Mapping[str, Message]:
        return HAND_REASONS if _is_played(match, entry) else NO_HAND_REASONS

    def disputed_figures(self, match: Match, entry: int) -> Mapping[str, int] | None:
        return None

    def settling_question(self, match: Match, entry: int, reason: str) -> str | None:
        """The question about the turn for the end of a hand, and about the bout for a wrong card."""
        name = {"count": "turn", "revoke": "bout"}.get(reason) if match.counted_number(entry) else None
        return name if name in match.game.family.questions else None


def _is_played(match: Match, entry: int) -> bool:
    """True if an entry is a hand that was not dealt again."""
    row = match.row(match.number(entry) or 0)
    return match.counted_number(entry) is not None and (row is None or row.result != "misdeal")


def describe_hand(match: Match, row: GameRow) -> Mapping[str, Any]:
    """The template context of a hand: its bouts, and the way of the last attack.

    Each bout has the seats on its attack's way, its written facts, and who left the table after it.
    """
    entry = cast(Hand, row.entry)
    bouts = entry.bouts or ()
    ways = hand_game(match.game).ways(bouts, entry.walked_out, entry.walked_after)
    after = len(bouts) if entry.walked_after is None else entry.walked_after
    recorded = [
        (way, bout, entry.walked_out if n == after and entry.walked_out not in bout.out else None)
        for n, (way, bout) in enumerate(zip(ways, bouts, strict=True), 1)
    ]
    way = ways[-1] if ways else ()
    arrows = draw_way(match.state.ring, way)
    return {"bouts": recorded, "way": way, "arrows": arrows, "order": cast(BeatingRow, row).order or ()}
