"""Following a hand: who attacks whom, bout after bout, from the first attack to the loser."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _

from companion.beating.turn import CANCELLED
from companion.matches import AddEntry, KeepDraft, Match
from companion.record.log import Event
from companion.store import StaleWrite
from companion.web.shell.forms import MissingSeq, WritingForm
from companion.web.shell.game_ui import PageAnswer
from companion.web.shell.matches import (
    WriteRefusal,
    address_of,
    events_since,
    is_written,
    open_written_match,
    try_to_write,
)
from companion.web.shell.text import requirement, say

from . import FAMILY
from .followed_hand import SUITS, FollowedHand, HandFault

bp = Blueprint("follow", __name__)

_TALON_FACTS = ("used_up", "second_trump", "shown_after")
_OF_ONE_BOUT = ("transfers", "going_out")
SIXES = ("0", "1", "2", "3", "4")
"""The possible numbers of cards of the lowest rank in an attack."""


@bp.get("/m/<id>/hand/follow")
def follow(id: str) -> PageAnswer:
    """Show the hand as far as it was followed, and the next step."""
    match = open_written_match(id, FAMILY)
    if not match.playing:
        return _go_to_closed_board(match)
    return _show_hand(FollowedHand(match, match.draft))


@bp.post("/m/<id>/hand/follow")
def tap(id: str) -> PageAnswer:
    """Carry out one tap: add a fact of the hand, take one back, or end following it."""
    match, form = open_written_match(id, FAMILY), WritingForm()
    action = request.form.get("do", "look")
    if is_written(match, form):  # a double tap is one bout
        return redirect(_own_address(match) if match.draft is not None else address_of(match), 303)
    try:
        changes = events_since(match, form)
    except MissingSeq as error:
        faults = (HandFault(None, requirement(error), ""),)
        return _show_hand(FollowedHand(match, match.draft), 400, faults, _ticked())
    if changes:
        return _show_changes(match, changes)
    if not match.playing:
        return _go_to_closed_board(match)
    hand, (verb, *values) = FollowedHand(match, match.draft), action.split(":")
    value = values[0] if values else ""
    match verb:
        case "look":
            return redirect(_own_address(match), 303)
        case "drop":
            return _keep_draft(hand, None, form, address_of(match))
        case "lost" | "draw" | "void":
            return _write_hand(hand, verb, values, form)
        case _ if verb in hand.misdeals and value in hand.ring.seats:
            return _write_entry(hand, hand.to_misdeal(value, verb), form)
        case "beaten-off" | "picked-up":
            return _end_bout(hand, verb, _ticked(), form)
        case "cancelled" if value in hand.may_cancel:
            return _end_bout(hand, verb, (value,), form)
        case "transfer" if hand.guide is not None and hand.ruleset.transfers_attacks():
            return _keep_checked(hand, form, transfers=hand.transfer(shown=value == "shown"))
        case "card" if hand.transfers and value in map(str, hand.ruleset.pack):
            return _keep_checked(
                hand,
                form,
                transfers=record_card(hand.facts["transfers"], value, hand.ruleset.transfers_several()),
            )
        case "again" if hand.later:
            return _put_back(hand, form)
        case _:
            return _keep_draft(hand, _note_out(hand, _take_step(hand, verb, value)), form)


def _keep_draft(
    hand: FollowedHand, draft: dict[str, Any] | None, form: WritingForm, then: str = ""
) -> PageAnswer:
    """Save the hand as far as it was followed (None: no longer), and go on."""
    outcome = try_to_write(hand.match, KeepDraft(draft), form)
    if isinstance(outcome, WriteRefusal):
        return _show_changes(outcome.match, outcome.changes)
    return redirect(then or _own_address(hand.match), 303)


def _note_out(hand: FollowedHand, facts: dict[str, Any]) -> dict[str, Any]:
    """The facts with the players ticked to go out in the current bout, if that is still asked."""
    if "going_out" in facts:  # a bout that was taken back has them
        return facts
    after = FollowedHand(hand.match, facts)
    seats = [seat for seat in dict.fromkeys(_ticked()) if seat in after.may_go_out]
    same = len(after.bouts) == len(hand.bouts)
    return facts | ({"going_out": seats} if seats and same else {})


def _without(facts: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: fact for key, fact in facts.items() if key not in keys}


def _end_bout(hand: FollowedHand, result: str, gone: Sequence[str], form: WritingForm) -> PageAnswer:
    """End the current bout with this result; players may have gone out in it, in the order given.

    From a cancelled bout they have left the table.
    """
    if hand.guide is None:
        abort(400)
    out = tuple(dict.fromkeys(gone))
    if not set(out) <= set(hand.ring.seats):
        abort(400)
    bouts = hand.add_bout(result, out)
    faults = hand.find_faults(bouts)
    if out and not hand.talon_used_up and result != CANCELLED:
        faults = (
            HandFault(None, _("While the talon lasts, nobody goes out."), hand.ruleset.cite_one("turn.out")),
        )
    if faults:
        return _show_hand(hand, 422, faults, out)
    facts = _without(hand.draft_facts, *_OF_ONE_BOUT, "later") | {"bouts": bouts}
    later = hand.facts.get("later", [])[1:]  # the first was this bout
    return _keep_draft(hand, facts | ({"later": later} if later else {}), form)


def _keep_checked(hand: FollowedHand, form: WritingForm, transfers: list[dict[str, Any]]) -> PageAnswer:
    """Save how the attack of this bout was transferred, unless that is impossible."""
    fault = hand.find_transfer_fault(transfers)
    if fault is not None:
        return _show_hand(hand, 422, (fault,), _ticked())
    facts = _without(hand.draft_facts, "going_out") | {"transfers": transfers}
    return _keep_draft(hand, _note_out(hand, facts), form)


def record_card(
    transfers: Sequence[Mapping[str, Any]], card: str, several: bool = False
) -> list[dict[str, Any]]:
    """The transfers of a bout with one more card: the first that lacks one gets it.

    A card that is recorded again is removed. If each has its card, the last one gets the new card, beside its
    others if `several` may be laid.

    >>> record_card([{"by": "B", "card": "7S"}, {"by": "C"}], "7D")
    [{'by': 'B', 'card': '7S'}, {'by': 'C', 'card': '7D'}]
    >>> record_card([{"by": "B", "card": "7S"}], "7S")
    [{'by': 'B'}]
    >>> record_card([{"by": "B", "card": "7S"}], "7D", several=True)
    [{'by': 'B', 'card': ['7S', '7D']}]
    """
    known = [transfer.get("card", []) for transfer in transfers]
    placed = [[cards] if isinstance(cards, str) else cards for cards in known]
    holder = next((n for n, cards in enumerate(placed) if card in cards), None)
    n = (
        next((n for n, cards in enumerate(placed) if not cards), len(placed) - 1)
        if holder is None
        else holder
    )
    others = [other for other in placed[n] if other != card] if several else []
    cards = others if holder is not None else [*others, card]
    after = [dict(transfer) for transfer in transfers]
    after[n] = _without(after[n], "card")
    after[n] |= {"card": cards if cards[1:] else cards[0]} if cards else {}
    return after


def _put_back(hand: FollowedHand, form: WritingForm) -> PageAnswer:
    """Restore the bouts that were taken back, unless one no longer fits."""
    facts = _without(hand.draft_facts, *_OF_ONE_BOUT, "later")
    facts |= {"bouts": [*hand.facts.get("bouts", []), *hand.later]}
    faults = FollowedHand(hand.match, facts).faults
    if faults:
        return _show_hand(hand, 422, faults, _ticked())
    return _keep_draft(hand, facts, form)


def _take_step(hand: FollowedHand, verb: str, value: str) -> dict[str, Any]:
    """The facts with one more, or with one taken back."""
    facts = _without(hand.draft_facts, "going_out")
    match verb:
        case "dealer" if value in hand.dealers and not hand.bouts:
            return facts | {"dealer": value}
        case "first" if value in hand.present and hand.asks_first_attacker and not hand.bouts:
            return facts | {"first_attacker": value}
        case "trump" if value in SUITS:
            return _toggle(facts, "trump", value)
        case "second" if value in SUITS and hand.ruleset.changes_trumps() and hand.talon_used_up:
            return _toggle(facts, "second_trump", value) | {"shown_after": len(hand.bouts)}
        case "talon" if value in ("used-up", "lasts") and not hand.order:
            return _without(facts, *_TALON_FACTS) | ({"used_up": True} if value == "used-up" else {})
        case "untransfer" if hand.transfers:
            left = facts["transfers"][:-1]
            return _without(facts, "transfers") | ({"transfers": left} if left else {})
        case "left" if value in hand.may_walk_out:
            return facts | {"walked_out": value, "walked_after": len(hand.bouts)}
        case "stayed" if "walked_out" in facts:
            return _without(facts, "walked_out", "walked_after")
        case "back" if value in map(str, range(len(hand.bouts))):
            return _go_back(hand, facts, int(value))
        case "restart" if not hand.bouts and not hand.transfers:
            return _without(facts, "dealer", "first_attacker")
        case "resume" if hand.undone_hand is not None:
            return hand.undone_hand
        case _:
            abort(400)


def _go_back(hand: FollowedHand, facts: dict[str, Any], n: int) -> dict[str, Any]:
    """The facts before the result of a bout, counted from 0; it and later bouts can be put back."""
    bouts = facts["bouts"]
    again, earlier = bouts[n], bouts[:n]
    rest = _without(facts, *_OF_ONE_BOUT) | {"bouts": earlier, "later": [*bouts[n:], *facts.get("later", [])]}
    rest |= {"transfers": again["transfers"]} if again.get("transfers") else {}
    rest |= {"going_out": again["out"]} if again.get("out") and again["result"] != CANCELLED else {}
    shown = min(facts.get("shown_after", 0), n)
    return rest | ({"shown_after": shown} if "shown_after" in facts else {})


def _toggle(facts: dict[str, Any], key: str, value: str) -> dict[str, Any]:
    """The facts with this one, or without it if it was there: the same tap again takes it out."""
    others = _without(facts, key)
    return others if facts.get(key) == value else others | {key: value}


def _write_hand(hand: FollowedHand, verb: str, values: list[str], form: WritingForm) -> PageAnswer:
    """Write the finished hand, with the bouts that were followed."""
    side, deals = [*values, "", ""][:2]
    if verb == "lost" and (side not in hand.ring.sides or deals not in ("", *hand.team(side))):
        abort(400)
    sixes = request.form.get("sixes", "")
    if verb == "void" and not hand.may_be_void or sixes not in ("", *SIXES):
        abort(400)
    marks = int(sixes) if sixes and verb == "lost" and hand.ruleset.writes_epaulettes() else None
    loser = side if verb == "lost" else None
    return _write_entry(hand, hand.to_entry(loser, deals, sixes=marks, void=verb == "void"), form)


def _write_entry(hand: FollowedHand, entry: dict[str, Any], form: WritingForm) -> PageAnswer:
    """Write the hand's entry, or show why that is impossible."""
    outcome = try_to_write(hand.match, AddEntry(entry), form)
    if isinstance(outcome, WriteRefusal):
        if outcome.status == 409:
            return _show_changes(outcome.match, outcome.changes)
        faults = tuple(
            HandFault(None, say(hand.match, problem.reason), problem.rule) for problem in outcome.problems
        )
        return _show_hand(hand, outcome.status, faults)
    return redirect(address_of(hand.match), 303)


def _show_hand(
    hand: FollowedHand,
    status: int = 200,
    faults: tuple[HandFault, ...] = (),
    out: tuple[str, ...] | None = None,
    changes: tuple[Event, ...] = (),
) -> PageAnswer:
    """Show the page; only its form if a script asks for that."""
    part = request.headers.get("X-Part") == "form"
    html = render_template(
        "hands/follow_form.html" if part else "hands/follow.html",
        hand=hand,
        match=hand.match,
        marks=hand.marks,
        faults=faults or hand.faults,
        out=hand.going_out if out is None else out,
        sixes=request.form.get("sixes", ""),
        changes=changes,
        form=WritingForm(formdata=None),
    )
    return html, status


def _show_changes(match: Match, changes: tuple[Event, ...]) -> PageAnswer:
    """Show what somebody changed meanwhile, and the hand as it is now.

    :raises StaleWrite: if the session is over.
    """
    if not match.playing:
        raise StaleWrite(match.id, changes)
    return _show_hand(FollowedHand(match, match.draft), 409, out=_ticked(), changes=changes)


def _ticked() -> tuple[str, ...]:
    """The players ticked to go out in the current bout."""
    return tuple(request.form.getlist("out"))


def _go_to_closed_board(match: Match) -> PageAnswer:
    flash(_("The session is over. To correct it, open one of its hands."))
    return redirect(address_of(match), 303)


def _own_address(match: Match) -> str:
    return url_for("follow.follow", id=match.id)
