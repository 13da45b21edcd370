"""Recording a hand: who is the fool, in one tap; and correcting a hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _

from companion.matches import AddEntry, AmendEntry, EntryPlace, Match
from companion.record.log import Event
from companion.rules.ruling import Problem
from companion.store import StaleWrite
from companion.web.support.forms import WritingForm
from companion.web.support.game_ui import PageAnswer
from companion.web.support.matches import (
    WriteRefusal,
    is_written,
    open_written_match,
    try_to_write,
    write,
)
from companion.web.support.text import requirement, say

from . import FAMILY, hand_state
from .followed_hand import SUITS, FollowedHand
from .form import DRAW, HandForm

bp = Blueprint("hands", __name__)


@dataclass(frozen=True)
class HandEnding:
    """One way a hand can end: what the form says, in words."""

    value: str
    text: str


@dataclass(frozen=True)
class HandPage:
    """A hand that is being recorded, as its page shows it."""

    place: EntryPlace
    form: HandForm
    problems: tuple[Problem, ...] = ()
    changes: tuple[Event, ...] = ()

    @property
    def match(self) -> Match:
        """The match it belongs to."""
        return self.place.match

    @property
    def sides(self) -> list[tuple[str, list[HandEnding]]]:
        """Every side that can lose: in words, and the taps that say so."""
        ring, endings = self.match.state.ring, []
        for side in ring.sides:
            name = self.match.side_name(side)
            if not ring.partnerships:
                endings.append(("", [HandEnding(side, _("%(name)s is the fool", name=name))]))
                continue
            taps = [
                HandEnding(f"{side}:{seat}", _("%(name)s deals", name=self.match.names[seat]))
                for seat in ring.seats
                if ring.side(seat) == side
            ]
            endings.append((_("%(names)s lost", names=name), [*taps, HandEnding(side, _("Decide later"))]))
        return endings

    @property
    def draw_ending(self) -> HandEnding:
        """That nobody lost."""
        return HandEnding(DRAW, _("Draw"))

    @property
    def dealers(self) -> tuple[str, ...]:
        """Who may have dealt, where that does not follow, or was recorded."""
        state = hand_state(self.place)
        if state.next_dealer is not None:
            return state.ring.seats if self.place.entry.get("dealer") else ()
        return tuple(seat for seat in state.ring.seats if state.fool in (None, state.ring.side(seat)))

    @property
    def dealer_in_turn(self) -> str | None:
        """Who deals by what stands before; None where nobody has said it."""
        dealer: str | None = self.place.before.next_dealer
        return dealer

    @property
    def suits(self) -> tuple[str, ...]:
        """The suits there are."""
        return SUITS

    @property
    def bout_count(self) -> int:
        """How many bouts were followed."""
        return len(self.followed_facts.get("bouts", ()))

    @property
    def followed_facts(self) -> Mapping[str, Any]:
        """What was followed of the hand."""
        entry = self.place.entry
        if self.place.id is None and isinstance(self.match.draft, Mapping):
            entry = FollowedHand(self.match, self.match.draft).to_entry(None)
        return {key: entry[key] for key in ("dealer", "first_attacker", "trump", "bouts") if key in entry}

    def to_entry(self) -> dict[str, Any]:
        """The hand as an entry: what the form says, and the bouts followed unless they are left out."""
        keys = () if self.form.forget.data else ("first_attacker", "bouts")
        followed = {key: self.followed_facts[key] for key in keys if key in self.followed_facts}
        return {**followed, **self.form.to_entry(self.match.state.ring)}


@bp.get("/m/<id>/hand")
def hand(id: str) -> PageAnswer:
    """The page where one tap says how the hand ended."""
    match = open_written_match(id, FAMILY)
    if not match.playing:
        flash(_("The session is over. To correct it, open one of its hands."))
        return redirect(url_for("scoreboard.scoreboard", id=id))
    return _show_page(HandPage(match.place(), HandForm(formdata=None)))


@bp.post("/m/<id>/hand")
def record(id: str) -> PageAnswer:
    """Write the hand."""
    match = open_written_match(id, FAMILY)
    return _save(HandPage(match.place(), HandForm()))


@bp.post("/m/<id>/hand/dealer")
def dealer(id: str) -> PageAnswer:
    """The team that lost says which of them deals next: the last hand is amended."""
    match, form = open_written_match(id, FAMILY), WritingForm()
    if is_written(match, form):
        return redirect(url_for("scoreboard.scoreboard", id=id), 303)
    last = next((one for one in reversed(match.standing_entries) if one.payload["type"] == "hand"), None)
    if last is None or not match.playing:
        abort(404)
    corrected = {**last.payload, "deals": request.form.get("deals", "")}
    write(match, AmendEntry(last.id, corrected), form)
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


def edit_hand(match: Match, id: int) -> PageAnswer:
    """The form that corrects a hand: with what the hand says so far, or as it was sent."""
    place = match.place(id)
    if request.method == "POST":
        return _save(HandPage(place, HandForm()))
    return _show_page(HandPage(place, HandForm(formdata=None, data=HandForm.field_data(place.entry))))


def _save(page: HandPage) -> PageAnswer:
    match, form, id = page.match, page.form, page.place.id
    if is_written(match, form):
        return redirect(_address_after(page), 303)
    if not form.validate():
        return _show_page(page, 422)
    outcome = try_to_write(
        match, AddEntry(page.to_entry()) if id is None else AmendEntry(id, page.to_entry()), form
    )
    if isinstance(outcome, WriteRefusal):
        return _show_refusal(page, outcome)
    return redirect(_address_after(page), 303)


def _address_after(page: HandPage) -> str:
    """Where one looks at the hand that was saved."""
    if page.place.id is None:
        return url_for("scoreboard.scoreboard", id=page.match.id)
    return url_for("entries.entry", id=page.match.id, entry=page.place.id)


def _show_refusal(page: HandPage, refusal: WriteRefusal) -> PageAnswer:
    """Why the hand was not written: with everything that was entered, ready to be saved after all."""
    match, form, id = refusal.match, page.form, page.place.id
    if refusal.fault is not None:
        form.form_errors.append(requirement(refusal.fault, partial(say, match)))
    if refusal.status == 409 and not (match.playing if id is None else match.number(id)):
        raise StaleWrite(match.id, refusal.changes)
    place = match.place(id) if refusal.status == 409 else page.place
    return _show_page(HandPage(place, form, refusal.problems, refusal.changes), refusal.status)


def _show_page(page: HandPage, status: int = 200) -> PageAnswer:
    html = render_template("hands/page.html", page=page, match=page.match, form=page.form)
    return html if status == 200 else (html, status)
