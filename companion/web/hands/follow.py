"""Following a hand: who attacks whom, bout after bout, from the first attack to the loser."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_babel import pgettext

from companion.matches import AddEntry, KeepDraft, Match
from companion.record.log import Event
from companion.store import StaleWrite
from companion.web.support.forms import MissingSeq, WritingForm
from companion.web.support.game_ui import PageAnswer
from companion.web.support.matches import (
    WriteRefusal,
    events_since,
    is_written,
    open_written_match,
    try_to_write,
)
from companion.web.support.text import requirement, say

from . import FAMILY
from .followed_hand import BEATEN_OFF, PICKED_UP, SUITS, FollowedHand, HandFault

bp = Blueprint("follow", __name__)

_TALON_FACTS = ("used_up", "second_trump", "shown_after")


@bp.get("/m/<id>/hand/follow")
def follow(id: str) -> PageAnswer:
    """The hand as far as it was followed, and what comes now."""
    match = _open_own(id)
    if not match.playing:
        return _go_to_closed_board(match)
    return _show_hand(FollowedHand(match, match.draft))


@bp.post("/m/<id>/hand/follow")
def tap(id: str) -> PageAnswer:
    """One tap: another fact of the hand, one taken back, or the end of following it."""
    match, form = _open_own(id), WritingForm()
    action = request.form.get("do", "look")
    if is_written(match, form):  # a double tap is one bout
        return redirect(_own_address(match) if match.draft is not None else _board_address(match), 303)
    try:
        changes = events_since(match, form)
    except MissingSeq as error:
        faults = (HandFault(None, requirement(error), ""),)
        return _show_hand(FollowedHand(match, match.draft), 400, faults, tuple(request.form.getlist("out")))
    if changes:
        return _show_changes(match, changes)
    if not match.playing:
        return _go_to_closed_board(match)
    hand, (verb, *values) = FollowedHand(match, match.draft), action.split(":")
    if verb in ("lost", "draw"):
        return _write_hand(hand, verb, values, form)
    if verb == "drop":
        return _keep_draft(hand, None, form, _board_address(match))
    if verb in (BEATEN_OFF, PICKED_UP):
        return _end_bout(hand, verb, form)
    if verb != "look":
        return _keep_draft(hand, _take_step(hand, verb, values[0] if values else ""), form)
    return redirect(_own_address(match), 303)


def _keep_draft(
    hand: FollowedHand, draft: dict[str, Any] | None, form: WritingForm, then: str = ""
) -> PageAnswer:
    """Keep the hand as far as it was followed (None: no longer), and go on."""
    outcome = try_to_write(hand.match, KeepDraft(draft), form)
    if isinstance(outcome, WriteRefusal):
        return _show_changes(outcome.match, outcome.changes)
    return redirect(then or _own_address(hand.match), 303)


def _end_bout(hand: FollowedHand, result: str, form: WritingForm) -> PageAnswer:
    """The bout that comes now has ended so; players may have gone out in it."""
    if hand.guide is None:
        abort(400)
    out = tuple(request.form.getlist("out"))
    if not set(out) <= set(hand.ring.seats):
        abort(400)
    bouts = hand.add_bout(result, tuple(seat for seat in hand.ring.seats if seat in out))
    faults = hand.find_faults(bouts)
    if out and not hand.talon_used_up:
        faults = (HandFault(None, _("While the talon lasts, nobody goes out."), hand.rule_id("turn.out")),)
    if faults:
        return _show_hand(hand, 422, faults, out)
    return _keep_draft(hand, hand.draft_facts | {"bouts": bouts}, form)


def _take_step(hand: FollowedHand, verb: str, value: str) -> dict[str, Any]:
    """The facts with one more, or with one taken back."""
    facts = hand.draft_facts
    match verb:
        case "dealer" if value in hand.dealers and not hand.bouts:
            return facts | {"dealer": value}
        case "first" if value in hand.ring.seats and hand.asks_first_attacker and not hand.bouts:
            return facts | {"first_attacker": value}
        case "trump" if value in SUITS:
            return _toggle(facts, "trump", value)
        case "second" if value in SUITS and hand.ruleset.changes_trumps() and hand.talon_used_up:
            return _toggle(facts, "second_trump", value) | {"shown_after": len(hand.bouts)}
        case "talon" if value in ("used-up", "lasts") and not hand.any_out:
            facts = {key: one for key, one in facts.items() if key not in _TALON_FACTS}
            return facts | ({"used_up": True} if value == "used-up" else {})
        case "back" if value in map(str, range(len(hand.bouts))):
            earlier = facts["bouts"][: int(value)]
            shown = min(facts.get("shown_after", 0), len(earlier))
            return facts | {"bouts": earlier} | ({"shown_after": shown} if "shown_after" in facts else {})
        case "restart" if not hand.bouts:
            return {key: one for key, one in facts.items() if key not in ("dealer", "first_attacker")}
        case _:
            abort(400)


def _toggle(facts: dict[str, Any], key: str, value: str) -> dict[str, Any]:
    """The facts with this one; without it, if it was there: the same tap again takes it out."""
    others = {one: facts[one] for one in facts if one != key}
    return others if facts.get(key) == value else others | {key: value}


def _write_hand(hand: FollowedHand, verb: str, values: list[str], form: WritingForm) -> PageAnswer:
    """The hand is over: write it, with the bouts that were followed."""
    side, deals = [*values, "", ""][:2]
    if verb == "lost" and (side not in hand.ring.sides or deals not in ("", *hand.team(side))):
        abort(400)
    outcome = try_to_write(
        hand.match, AddEntry(hand.to_entry(side if verb == "lost" else None, deals or None)), form
    )
    if isinstance(outcome, WriteRefusal):
        if outcome.status == 409:
            return _show_changes(outcome.match, outcome.changes)
        faults = tuple(
            HandFault(None, say(hand.match, problem.reason), problem.rule) for problem in outcome.problems
        )
        return _show_hand(hand, outcome.status, faults)
    return redirect(_board_address(hand.match), 303)


def _show_hand(
    hand: FollowedHand,
    status: int = 200,
    faults: tuple[HandFault, ...] = (),
    out: tuple[str, ...] = (),
    changes: tuple[Event, ...] = (),
) -> PageAnswer:
    """The page; only its form where a script asks for that."""
    part = request.headers.get("X-Part") == "form"
    marks: Mapping[str, str] = {
        "deals": _("deals"),
        "attacks": _("attacks"),
        "defends": _("defends"),
        "out": pgettext("of a player", "out"),
    }
    html = render_template(
        "hands/follow_form.html" if part else "hands/follow.html",
        hand=hand,
        match=hand.match,
        marks=hand.marks(marks),
        faults=faults or hand.faults,
        out=out,
        changes=changes,
        form=WritingForm(formdata=None),
    )
    return html if status == 200 else (html, status)


def _show_changes(match: Match, changes: tuple[Event, ...]) -> PageAnswer:
    """Somebody wrote meanwhile: what changed, and the hand as it stands now."""
    if not match.playing:
        raise StaleWrite(match.id, changes)
    return _show_hand(
        FollowedHand(match, match.draft), 409, out=tuple(request.form.getlist("out")), changes=changes
    )


def _open_own(id: str) -> Match:
    return open_written_match(id, FAMILY)


def _go_to_closed_board(match: Match) -> PageAnswer:
    flash(_("The session is over. To correct it, open one of its hands."))
    return redirect(_board_address(match), 303)


def _own_address(match: Match) -> str:
    return url_for("follow.follow", id=match.id)


def _board_address(match: Match) -> str:
    return url_for("scoreboard.scoreboard", id=match.id)
