"""The audit of a deal that was recorded card by card: what was wrong, what it costs, and one tap to write it.

A deal that breaks a rule is not saved as it fell. So the deal in progress is audited too, and saved as its
penalty settles it; a deal that stands is put right.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _

from companion.matches import AddEntry, AmendEntry, EntryPlace, Match
from companion.record.log import Event
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.ruling import Problem, Ruling
from companion.store import StaleWrite
from companion.web.rulings import query_of
from companion.web.support.entry_names import name_entry
from companion.web.support.forms import WritingForm, fresh_key
from companion.web.support.game_ui import PageAnswer
from companion.web.support.irregularities import DescribedIrregularity, describe_irregularities
from companion.web.support.matches import (
    WriteRefusal,
    events_since,
    is_mine,
    is_written,
    open_match,
    open_own_match,
    try_to_write,
)
from companion.web.support.text import name_of, requirement, say

from . import FAMILY, deal_state
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
    changes: tuple[Event, ...] = ()

    @property
    def match(self) -> Match:
        """The match."""
        return self.where.match

    @property
    def told(self) -> Mapping[str, Any]:
        """The deal, as an entry; of the one in progress what is told so far."""
        draft = self.match.draft if self.where.id is None else self.where.entry
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
        if deal_state(self.where).held:
            asked["held"] = list(deal_state(self.where).held)
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
            self.error = _("Whole numbers joined by plus signs: 11+4+10.")
            return {}
        told = {side: points for side, points in found.items() if points is not None}
        return told if len(told) == len(found) else {}

    def _refused(self, fault: Unreadable) -> str:
        """Why there is nothing to audit yet."""
        if fault.path.startswith("deal.tricks") and isinstance(fault, MissingFact):
            return _("Not every card of this deal was recorded, so it cannot be audited.")
        if fault.path in ("deal.contract", "deal.auction"):
            return _("It was not recorded who played which suit.")
        if fault.path == "deal.dealer":
            return _("It was not recorded who dealt.")
        return requirement(fault, partial(say, self.match))

    @property
    def findings(self) -> list[DescribedIrregularity]:
        """What was wrong, in words."""
        if self.ruling is None:
            return []
        return describe_irregularities(
            self.ruling.answer["irregularities"], partial(say, self.match), self.called
        )

    def called(self, letter: str, side: bool) -> str:
        """A seat or a side by name."""
        return self.match.side_name(letter) if side else name_of(self.match, letter)

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
def choose(id: str) -> PageAnswer:
    """The deals of a match that can be audited."""
    match = open_match(id, FAMILY)
    deals = [
        (url_for("audit.entry", id=id, entry=kept.id), name_entry(match, kept.id))
        for kept in match.standing
        if kept.payload.get("tricks") and "call" not in kept.payload
    ]
    mine = is_mine(match)
    if mine and match.playing and isinstance(match.draft, dict) and match.draft.get("tricks"):
        deals.append((url_for("audit.draft", id=id), _("The deal in progress")))
    return render_template("deals/audits.html", match=match, deals=deals[::-1], mine=mine)


@bp.get("/m/<id>/entries/<int:entry>/audit")
def entry(id: str, entry: int) -> PageAnswer:
    """The audit of a deal that stands, for anyone to look at."""
    match = open_match(id, FAMILY)
    return _show(_standing(match, entry))


@bp.post("/m/<id>/entries/<int:entry>/audit")
def amend(id: str, entry: int) -> PageAnswer:
    """Write what the audit found into the deal."""
    return _write(_standing(open_own_match(id, FAMILY), entry))


@bp.get("/m/<id>/audit")
def draft(id: str) -> PageAnswer:
    """The audit of the deal in progress."""
    match = open_own_match(id, FAMILY)
    if not match.playing or match.draft is None:
        return redirect(board(match))
    return _show(AuditPage(match.place(), request.args))


@bp.post("/m/<id>/audit")
def save(id: str) -> PageAnswer:
    """Save the deal in progress as the audit settles it."""
    return _write(AuditPage(open_own_match(id, FAMILY).place(), request.args))


def _standing(match: Match, entry: int) -> AuditPage:
    kept = match.entry(entry)
    if kept is None or kept.withdrawn or kept.payload.get("type") != "deal":
        abort(404)
    return AuditPage(match.place(entry), request.args)


def _write(page: AuditPage) -> PageAnswer:
    match, form, id = page.match, WritingForm(), page.where.id
    done = board(match) if id is None else page.deal
    if is_written(match, form):
        return redirect(done, 303)
    if events_since(match, form):
        return _again(page, match, events_since(match, form))
    entry = page.apply
    if entry is None:
        return _show(page, 422)
    outcome = try_to_write(match, AddEntry(entry) if id is None else AmendEntry(id, entry), form)
    if isinstance(outcome, WriteRefusal):
        if outcome.status == 409:
            return _again(page, outcome.match, outcome.changes)
        if outcome.fault is not None:
            page.error = requirement(outcome.fault, partial(say, match))
        page.problems = outcome.problems
        return _show(page, outcome.status)
    flash(_("Written as the audit settled it."))
    return redirect(done, 303)


def _again(page: AuditPage, match: Match, changes: tuple[Event, ...]) -> PageAnswer:
    """Somebody wrote meanwhile: the audit of the deal as it is now, and what changed."""
    id = page.where.id
    if (match.draft is None) if id is None else (match.number(id) is None):
        raise StaleWrite(match.id, changes)
    return _show(AuditPage(match.place(id), request.args, changes=changes), 409)


def _show(page: AuditPage, status: int = 200) -> PageAnswer:
    form = WritingForm(formdata=None)
    form.seq.data, form.form_key.data = str(page.match.seq), fresh_key()
    if page.ruling is None and status == 200:
        status = 422
    html = render_template("deals/audit.html", page=page, match=page.match, form=form)
    return html, status
