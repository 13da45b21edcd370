"""The audit of a deal that was recorded card by card: what was wrong, what it costs, and one tap to write it.

A deal that breaks a rule is not saved as it fell. So the deal in progress is audited too, and saved as its
penalty settles it; a deal that stands is put right.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _

from companion import store
from companion.rules.ruling import Problem, RuleViolation, Ruling
from companion.rules.schema import MissingFact, Unreadable
from companion.web.rulings import query_of
from companion.web.support import browser, matches
from companion.web.support.activity import named
from companion.web.support.forms import WritingForm, fresh_key
from companion.web.support.game_ui import Answer
from companion.web.support.irregularities import DescribedIrregularity, describe_irregularities
from companion.web.support.matches import Match
from companion.web.support.places import EntryPlace, entry_place

from . import FAMILY
from .form import sum_of
from .views import board

bp = Blueprint("audit", __name__)


@dataclass
class AuditPage:
    """A deal as it is audited: where it stands, and what was written for it on paper, if that was told."""

    where: EntryPlace
    wrote: Mapping[str, str]
    error: str = ""
    problems: tuple[Problem, ...] = ()
    changes: tuple[Any, ...] = ()

    @property
    def match(self) -> Match:
        """The match."""
        return self.where.match

    @property
    def told(self) -> Mapping[str, Any]:
        """The deal, as an entry; of the one in progress what is told so far."""
        draft = self.match.draft if self.where.id is None else self.where.kept
        return draft if isinstance(draft, dict) else {}

    @property
    def here(self) -> str:
        """The address of this audit."""
        if self.where.id is None:
            return url_for("audit.draft", id=self.match.id)
        return url_for("audit.entry", id=self.match.id, entry=self.where.id)

    @property
    def deal(self) -> str:
        """The address of the deal itself."""
        if self.where.id is None:
            return url_for("deals.deal", id=self.match.id)
        return url_for("entries.entry", id=self.match.id, entry=self.where.id)

    @cached_property
    def asked(self) -> Mapping[str, Any]:
        """The facts of the audit, as of any other question."""
        dealer = self.where.before.next_dealer
        asked: dict[str, Any] = {"deal": {**({"dealer": dealer} if dealer else {}), **self.told}}
        if self.where.before.held:
            asked["held"] = list(self.where.before.held)
        made = self._made()
        if made:
            asked["made"] = made
        return asked

    @property
    def keep(self) -> str:
        """The address that keeps the ruling, about this deal."""
        query = [*query_of(self.asked), ("asked", "1"), ("entry", str(self.where.id))]
        place = url_for("kept.keep_of_match", id=self.match.id, question="audit")
        return f"{place}?{urlencode(query)}"

    @cached_property
    def ruling(self) -> Ruling | None:
        """The audit; None where the deal cannot be audited, and `error` says why."""
        try:
            ruling: Ruling = self.match.game.family.rule({"question": "audit", **self.asked})
        except Unreadable as fault:
            self.error = self.error or self._refused(fault)
            return None
        return ruling

    def _made(self) -> dict[str, int]:
        """What was written on paper, words and all, where it was typed for every side."""
        try:
            found = {side: sum_of(self.wrote.get(f"made.{side}")) for side in self.match.state.ring.sides}
        except ValueError:
            self.error = _("Whole numbers, added up with a plus: 11+4+10.")
            return {}
        told = {side: points for side, points in found.items() if points is not None}
        return told if len(told) == len(found) else {}

    def _refused(self, fault: Unreadable) -> str:
        """Why there is nothing to audit yet."""
        if fault.path.startswith("deal.tricks") and isinstance(fault, MissingFact):
            return _("Not every card of this deal was recorded, so it cannot be looked through.")
        if fault.path in ("deal.contract", "deal.auction"):
            return _("Who played which suit is missing.")
        if fault.path == "deal.dealer":
            return _("Who dealt is missing.")
        return _("What is expected here: %(what)s.", what=self.match.say(fault.expected))

    @property
    def findings(self) -> list[DescribedIrregularity]:
        """What was wrong, in words."""
        if self.ruling is None:
            return []
        return describe_irregularities(self.ruling.answer["irregularities"], self.match.say, self.called)

    def called(self, letter: str, side: bool) -> str:
        """A seat or a side by name."""
        return self.match.side_name(letter) if side else self.match.show(letter)

    @property
    def apply(self) -> Mapping[str, Any] | None:
        """The entry that settles it: the deal as it should stand; of one in progress the deal itself will do.

        None where nothing is to be written.
        """
        if self.ruling is None:
            return None
        found = self.ruling.answer["apply"]
        entry = {
            key: one for key, one in (found or self.told).items() if key != "dealer" or "dealer" in self.told
        }
        return None if entry == self.told and self.where.id is not None else entry

    @property
    def settled(self) -> bool:
        """Whether what is to be written is settled by a penalty."""
        return self.apply is not None and "penalty" in self.apply and "penalty" not in self.told


@bp.get("/m/<id>/ask/audit")
def choose(id: str) -> Answer:
    """The deals of a match that can be audited."""
    match = matches.get(id, FAMILY)
    deals = [
        (url_for("audit.entry", id=id, entry=kept.id), named(match, kept.id))
        for kept in match.standing
        if kept.payload.get("tricks") and "call" not in kept.payload
    ]
    mine = browser.is_mine(match)
    if mine and match.playing and isinstance(match.draft, dict) and match.draft.get("tricks"):
        deals.append((url_for("audit.draft", id=id), _("The deal in progress")))
    return render_template("rulings/audits.html", match=match, deals=deals[::-1], mine=mine)


@bp.get("/m/<id>/entries/<int:entry>/audit")
def entry(id: str, entry: int) -> Answer:
    """The audit of a deal that stands, for anyone to look at."""
    match = matches.get(id, FAMILY)
    return _show(_standing(match, entry))


@bp.post("/m/<id>/entries/<int:entry>/audit")
def amend(id: str, entry: int) -> Answer:
    """Write what the audit found into the deal."""
    return _write(_standing(matches.get_own(id, FAMILY), entry))


@bp.get("/m/<id>/audit")
def draft(id: str) -> Answer:
    """The audit of the deal in progress."""
    match = matches.get_own(id, FAMILY)
    if not match.playing or match.draft is None:
        return redirect(board(match))
    return _show(AuditPage(entry_place(match), request.args))


@bp.post("/m/<id>/audit")
def save(id: str) -> Answer:
    """Save the deal in progress as the audit settles it."""
    return _write(AuditPage(entry_place(matches.get_own(id, FAMILY)), request.args))


def _standing(match: Match, entry: int) -> AuditPage:
    kept = match.entry(entry)
    if kept is None or kept.withdrawn or kept.payload.get("type") != "deal":
        abort(404)
    return AuditPage(entry_place(match, entry), request.args)


def _write(looked: AuditPage) -> Answer:
    match, form, id = looked.match, WritingForm(), looked.where.id
    done = board(match) if id is None else looked.deal
    if store.has(match.id, form.key):
        return redirect(done, 303)
    try:
        if form.seen(match.seq) != match.seq:
            raise store.Stale(match.id, match.events[form.seen(match.seq) :])
        told = looked.apply
        if told is None:
            return _show(looked, 422)
        if id is None:
            matches.add(match, told, form.seen(match.seq), form.key)
        else:
            matches.amend(match, id, told, form.seen(match.seq), form.key)
    except Unreadable as fault:
        looked.error = _("What is expected here: %(what)s.", what=match.say(fault.expected))
        return _show(looked, 400)
    except RuleViolation as refused:
        looked.problems = refused.problems
        return _show(looked, 422)
    except store.Stale as stale:
        return _again(looked, stale)
    flash(_("Written as the audit has it."))
    return redirect(done, 303)


def _again(looked: AuditPage, stale: store.Stale) -> Answer:
    """Somebody wrote meanwhile: the audit of the deal as it is now, and what changed."""
    match = matches.get_own(looked.match.id)
    id = looked.where.id
    if (match.draft is None) if id is None else (match.number(id) is None):
        raise stale
    return _show(AuditPage(entry_place(match, id), request.args, changes=tuple(stale.events)), 409)


def _show(looked: AuditPage, status: int = 200) -> Answer:
    form = WritingForm(formdata=None)
    form.seq.data, form.form_key.data = str(looked.match.seq), fresh_key()
    if looked.ruling is None and status == 200:
        status = 422
    page = render_template("rulings/audit.html", looked=looked, match=looked.match, form=form, named=named)
    return page, status
