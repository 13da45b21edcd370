"""Recording a hand: who is the fool, in one tap; and a hand that is put right."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _

from companion.record.log import Event
from companion.rules.ruling import Problem, RuleViolation
from companion.rules.schema import Unreadable
from companion.store import Stale
from companion.web.support import matches
from companion.web.support.forms import WritingForm, fresh_key
from companion.web.support.game_ui import Answer
from companion.web.support.matches import Match
from companion.web.support.places import EntryPlace, entry_place
from companion.web.support.text import requirement

from . import FAMILY
from .followed_hand import SUITS, FollowedHand
from .form import DRAW, HandForm

bp = Blueprint("hands", __name__)


@dataclass(frozen=True)
class Ended:
    """One way a hand can end: what the form says, in words."""

    value: str
    text: str


@dataclass(frozen=True)
class HandPage:
    """A hand being told, as its page shows it."""

    where: EntryPlace
    form: HandForm
    problems: tuple[Problem, ...] = ()
    changes: tuple[Event, ...] = ()

    @property
    def match(self) -> Match:
        """The match it belongs to."""
        return self.where.match

    @property
    def sides(self) -> list[tuple[str, list[Ended]]]:
        """Every side that can lose: in words, and the taps that say so."""
        ring, found = self.match.state.ring, []
        for side in ring.sides:
            name = self.match.side_name(side)
            if not ring.partnerships:
                found.append(("", [Ended(side, _("%(name)s is the fool", name=name))]))
                continue
            taps = [
                Ended(f"{side}:{seat}", _("%(name)s deals", name=self.match.names[seat]))
                for seat in ring.seats
                if ring.side(seat) == side
            ]
            found.append((_("%(names)s lost", names=name), [*taps, Ended(side, _("They say later"))]))
        return found

    @property
    def draw(self) -> Ended:
        """That nobody lost."""
        return Ended(DRAW, _("Draw"))

    @property
    def dealers(self) -> tuple[str, ...]:
        """Who may have dealt, where that does not follow or was told."""
        state = self.where.before
        if state.next_dealer is not None:
            return state.ring.seats if self.where.kept.get("dealer") else ()
        return tuple(seat for seat in state.ring.seats if state.fool in (None, state.ring.side(seat)))

    @property
    def follows(self) -> str | None:
        """Who deals by what stands before; None where nobody has said it."""
        dealer: str | None = self.where.before.next_dealer
        return dealer

    @property
    def suits(self) -> tuple[str, ...]:
        """The suits there are."""
        return SUITS

    @property
    def bouts(self) -> int:
        """How many bouts were followed."""
        return len(self.course.get("bouts", ()))

    @property
    def course(self) -> Mapping[str, Any]:
        """What was followed of the hand."""
        told = self.where.kept
        if self.where.id is None and isinstance(self.match.draft, Mapping):
            told = FollowedHand(self.match, self.match.draft).entry(None)
        return {key: told[key] for key in ("dealer", "first_attacker", "trump", "bouts") if key in told}

    @property
    def entry(self) -> dict[str, Any]:
        """The entry that the page tells: what the form shows, and the bouts unless they are left out."""
        kept = () if self.form.forget.data else ("first_attacker", "bouts")
        followed = {key: self.course[key] for key in kept if key in self.course}
        return {**followed, **self.form.entry(self.match.state.ring)}


@bp.get("/m/<id>/hand")
def hand(id: str) -> Answer:
    """The page where one tap says how the hand ended."""
    match = matches.get_own(id, FAMILY)
    if not match.playing:
        flash(_("The session is over. To mend it, open one of its hands."))
        return redirect(url_for("scoreboard.scoreboard", id=id))
    return _show(HandPage(entry_place(match), HandForm(formdata=None)))


@bp.post("/m/<id>/hand")
def record(id: str) -> Answer:
    """Write the hand."""
    match = matches.get_own(id, FAMILY)
    return _save(HandPage(entry_place(match), HandForm()))


@bp.post("/m/<id>/hand/dealer")
def dealer(id: str) -> Answer:
    """The team that lost names who of it deals: the last hand is put right."""
    match, form = matches.get_own(id, FAMILY), WritingForm()
    last = next((one for one in reversed(match.standing) if one.payload["type"] == "hand"), None)
    if last is None or not match.playing:
        abort(404)
    told = {**last.payload, "deals": request.form.get("deals", "")}
    matches.amend(match, last.id, told, form.seen(match.seq), form.key)
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


def edit(match: Match, id: int) -> Answer:
    """A hand that is put right: its form with what it says so far, or that form sent."""
    where = entry_place(match, id)
    if request.method == "POST":
        return _save(HandPage(where, HandForm()))
    return _show(HandPage(where, HandForm(formdata=None, data=HandForm.typed(where.kept))))


def _save(page: HandPage) -> Answer:
    match, form, id = page.match, page.form, page.where.id
    if not form.validate():
        return _show(page, 422)
    try:
        if id is None:
            matches.add(match, page.entry, form.seen(match.seq), form.key)
        else:
            matches.amend(match, id, page.entry, form.seen(match.seq), form.key)
    except Unreadable as error:
        form.form_errors.append(requirement(error, match.say))
        return _show(page, 400)
    except RuleViolation as error:
        return _show(_with(page, problems=error.problems), 422)
    except Stale as error:
        return _stale(page, error)
    if id is None:
        return redirect(url_for("scoreboard.scoreboard", id=match.id), 303)
    return redirect(url_for("entries.entry", id=match.id, entry=id), 303)


def _stale(page: HandPage, error: Stale) -> Answer:
    """Somebody wrote meanwhile: what changed, and everything typed, ready to be saved after all."""
    match = matches.get_own(page.match.id)
    id = page.where.id
    if not match.playing and id is None or id is not None and match.number(id) is None:
        raise error
    page.form.seq.data, page.form.form_key.data = str(match.seq), fresh_key()
    return _show(HandPage(entry_place(match, id), page.form, changes=error.events), 409)


def _with(page: HandPage, problems: Iterable[Problem]) -> HandPage:
    return HandPage(page.where, page.form, tuple(problems))


def _show(page: HandPage, status: int = 200) -> Answer:
    html = render_template("hands/page.html", page=page, match=page.match, form=page.form)
    return html if status == 200 else (html, status)
