"""Following a hand: who attacks whom, bout after bout, from the first attack to the loser."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_babel import pgettext

from companion.matches import AddEntry, KeepDraft, Match
from companion.record.log import Event
from companion.store import StaleWrite
from companion.web.support.forms import WritingForm
from companion.web.support.game_ui import PageAnswer
from companion.web.support.matches import (
    WriteRefusal,
    events_since,
    is_written,
    open_own_match,
    try_to_write,
)
from companion.web.support.text import say

from . import FAMILY
from .followed_hand import BEATEN_OFF, PICKED_UP, SUITS, FollowedHand, HandFault

bp = Blueprint("follow", __name__)

_OF_TALON = ("used_up", "second_trump", "shown_after")


@bp.get("/m/<id>/hand/follow")
def follow(id: str) -> PageAnswer:
    """The hand as far as it was followed, and what comes now."""
    match = _own(id)
    if not match.playing:
        return _closed(match)
    return _page(FollowedHand(match, match.draft))


@bp.post("/m/<id>/hand/follow")
def tap(id: str) -> PageAnswer:
    """One tap: something told of the hand, something taken back, or the end of following it."""
    match, form = _own(id), WritingForm()
    action = request.form.get("do", "look")
    if is_written(match, form):  # a double tap is one bout
        return redirect(_here(match) if match.draft is not None else _board(match), 303)
    if events_since(match, form):
        return _stale(match, events_since(match, form))
    if not match.playing:
        return _closed(match)
    hand, (verb, *values) = FollowedHand(match, match.draft), action.split(":")
    if verb in ("lost", "draw"):
        return _write(hand, verb, values, form)
    if verb == "drop":
        return _keep(hand, None, form, _board(match))
    if verb in (BEATEN_OFF, PICKED_UP):
        return _bout(hand, verb, form)
    if verb != "look":
        return _keep(hand, _step(hand, verb, values[0] if values else ""), form)
    return redirect(_here(match), 303)


def _keep(hand: FollowedHand, draft: dict[str, Any] | None, form: WritingForm, then: str = "") -> PageAnswer:
    """Keep the hand as far as it was followed (None: no longer), and go on."""
    outcome = try_to_write(hand.match, KeepDraft(draft), form)
    if isinstance(outcome, WriteRefusal):
        return _stale(outcome.match, outcome.changes)
    return redirect(then or _here(hand.match), 303)


def _bout(hand: FollowedHand, result: str, form: WritingForm) -> PageAnswer:
    """The bout that comes now has ended so; players may have gone out in it."""
    if hand.guide is None:
        abort(400)
    out = tuple(request.form.getlist("out"))
    if not set(out) <= set(hand.ring.seats):
        abort(400)
    bouts = hand.bout(result, tuple(seat for seat in hand.ring.seats if seat in out))
    faults = hand.wrong(bouts)
    if out and not hand.used_up:
        faults = (HandFault(None, _("While the talon lasts, nobody goes out."), hand.rule("turn.out")),)
    if faults:
        return _page(hand, 422, faults, out)
    return _keep(hand, hand.payload | {"bouts": bouts}, form)


def _step(hand: FollowedHand, verb: str, value: str) -> dict[str, Any]:
    """What is told after one more fact of the hand, or with one taken back."""
    told = hand.payload
    match verb:
        case "dealer" if value in hand.dealers and not hand.bouts:
            return told | {"dealer": value}
        case "first" if value in hand.ring.seats and hand.asks_first and not hand.bouts:
            return told | {"first_attacker": value}
        case "trump" if value in SUITS:
            return _toggled(told, "trump", value)
        case "second" if value in SUITS and hand.ruleset.changes_trumps() and hand.used_up:
            return _toggled(told, "second_trump", value) | {"shown_after": len(hand.bouts)}
        case "talon" if value in ("used-up", "lasts") and not hand.any_out:
            told = {key: one for key, one in told.items() if key not in _OF_TALON}
            return told | ({"used_up": True} if value == "used-up" else {})
        case "back" if value.isdecimal() and int(value) < len(hand.bouts):
            kept = told["bouts"][: int(value)]
            shown = min(told.get("shown_after", 0), len(kept))
            return told | {"bouts": kept} | ({"shown_after": shown} if "shown_after" in told else {})
        case "restart" if not hand.bouts:
            return {key: one for key, one in told.items() if key not in ("dealer", "first_attacker")}
        case _:
            abort(400)


def _toggled(told: dict[str, Any], key: str, value: str) -> dict[str, Any]:
    """The same tap again takes it out."""
    others = {one: told[one] for one in told if one != key}
    return others if told.get(key) == value else others | {key: value}


def _write(hand: FollowedHand, verb: str, values: list[str], form: WritingForm) -> PageAnswer:
    """The hand is over: write it, with the bouts that were followed."""
    side, deals = [*values, "", ""][:2]
    if verb == "lost" and (side not in hand.ring.sides or deals not in ("", *hand.team(side))):
        abort(400)
    outcome = try_to_write(
        hand.match, AddEntry(hand.entry(side if verb == "lost" else None, deals or None)), form
    )
    if isinstance(outcome, WriteRefusal):
        if outcome.status == 409:
            return _stale(outcome.match, outcome.changes)
        faults = tuple(
            HandFault(None, say(hand.match, problem.reason), problem.rule) for problem in outcome.problems
        )
        return _page(hand, outcome.status, faults)
    return redirect(_board(hand.match), 303)


def _page(
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


def _stale(match: Match, changes: tuple[Event, ...]) -> PageAnswer:
    """Somebody wrote meanwhile: what changed, and the hand as it stands now."""
    if not match.playing:
        raise StaleWrite(match.id, changes)
    return _page(
        FollowedHand(match, match.draft), 409, out=tuple(request.form.getlist("out")), changes=changes
    )


def _own(id: str) -> Match:
    return open_own_match(id, FAMILY)


def _closed(match: Match) -> PageAnswer:
    flash(_("The session is over. To correct it, open one of its hands."))
    return redirect(_board(match), 303)


def _here(match: Match) -> str:
    return url_for("follow.follow", id=match.id)


def _board(match: Match) -> str:
    return url_for("scoreboard.scoreboard", id=match.id)
