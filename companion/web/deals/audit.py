"""The audit of a deal recorded card by card: what was wrong, what it costs, and one tap to write it.

A deal that breaks a rule is not saved as it was played. So the deal in progress is audited too, and saved
with its penalty; a written deal is corrected.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _

from companion.matches import AddEntry, AmendEntry, AttachRuling, EntryPlace, Match
from companion.record.log import Event
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.ruling import Problem, Ruling
from companion.store import StaleWrite
from companion.web.rulings import query_of
from companion.web.shell import jobs
from companion.web.shell.forms import WritingForm, fresh_key
from companion.web.shell.game_ui import PageAnswer, name_entry
from companion.web.shell.matches import (
    WriteRefusal,
    access,
    address_of,
    events_since,
    is_written,
    open_match,
    open_written_match,
    try_to_write,
)
from companion.web.shell.paging import turn_to_page
from companion.web.shell.text import requirement, say
from companion.wording import DescribedIrregularity, describe_irregularities

from . import FAMILY
from .form import deal_state, parse_sum

bp = Blueprint("audit", __name__)


@dataclass
class AuditPage:
    """The audit of one deal: its position in the match, and the totals on paper, if they were entered.

    `objection` is the number of the objection that the audit is to settle.
    """

    place: EntryPlace
    paper_counts: Mapping[str, str]
    objection: int | None = None
    error: str = ""
    problems: tuple[Problem, ...] = ()
    changes: tuple[Event, ...] = ()

    @property
    def match(self) -> Match:
        """The match."""
        return self.place.match

    @property
    def may_attach(self) -> bool:
        """True if this browser may attach the audit to the match."""
        return access(self.match).may_make(AttachRuling({}, self.place.id, self.objection), self.match)

    @property
    def entry(self) -> Mapping[str, Any]:
        """The deal's entry; of a deal in progress, its draft."""
        draft = self.match.draft if self.place.id is None else self.place.entry
        return draft if isinstance(draft, dict) else {}

    @property
    def deal_address(self) -> str:
        """The address of the deal itself."""
        if self.place.id is None:
            return url_for("deals.deal", id=self.match.id)
        return url_for("entries.entry", id=self.match.id, entry=self.place.id)

    @cached_property
    def facts(self) -> Mapping[str, Any]:
        """The facts of the audit, as JSON, as for any other question."""
        dealer = self.place.before.next_dealer
        facts: dict[str, Any] = {"deal": {**({"dealer": dealer} if dealer else {}), **self.entry}}
        if deal_state(self.place).held:
            facts["held"] = list(deal_state(self.place).held)
        paper_totals = self._paper_totals()
        if paper_totals:
            facts["made"] = paper_totals
        return facts

    @property
    def save_address(self) -> str:
        """The address that saves the audit as a ruling about this deal."""
        query = [*query_of(self.facts), ("asked", "1"), ("entry", str(self.place.id))]
        if self.objection is not None:
            query.append(("objection", str(self.objection)))
        address = url_for("saved_rulings.keep_of_match", id=self.match.id, question="audit")
        return f"{address}?{urlencode(query)}"

    @cached_property
    def ruling(self) -> Ruling | None:
        """The audit; None if the deal cannot be audited, with the reason in `error`."""
        try:
            asked = {"question": "audit", **self.facts}
            return jobs.rule(self.match.game, asked, _("What was wrong in this deal?"))
        except Unreadable as fault:
            self.error = self.error or self._explain_refusal(fault)
            return None

    def _paper_totals(self) -> dict[str, int]:
        """The totals on paper, words included, if they were entered for every side; else empty."""
        try:
            sums = {
                side: parse_sum(self.paper_counts.get(f"made.{side}")) for side in self.match.state.ring.sides
            }
        except ValueError:
            self.error = _("Whole numbers joined by plus signs: 11+4+10.")
            return {}
        totals = {side: points for side, points in sums.items() if points is not None}
        return totals if len(totals) == len(sums) else {}

    def _explain_refusal(self, fault: Unreadable) -> str:
        """The reason why the deal cannot be audited yet."""
        if fault.path.startswith("deal.tricks") and isinstance(fault, MissingFact):
            return _("Not every card of this deal was recorded, so it cannot be audited.")
        if fault.path in ("deal.contract", "deal.auction"):
            return _("It was not recorded who played which suit.")
        if fault.path == "deal.dealer":
            return _("It was not recorded who dealt.")
        return requirement(fault, partial(say, self.match))

    @property
    def irregularities(self) -> list[DescribedIrregularity]:
        """The irregularities found, in words."""
        found = self.ruling.answer["irregularities"] if self.ruling is not None else ()
        return describe_irregularities(found, partial(say, self.match))

    @property
    def settled_entry(self) -> Mapping[str, Any] | None:
        """The entry to write: as the audit settles it, or as entered if that is right.

        None if the deal cannot be audited, or is already written so.
        """
        if self.ruling is None:
            return None
        settled = self.ruling.answer["apply"] or self.entry
        entry = {key: value for key, value in settled.items() if key != "dealer" or "dealer" in self.entry}
        return None if entry == self.entry and self.place.id is not None else entry


@bp.get("/m/<id>/ask/audit")
def choose(id: str) -> PageAnswer:
    """Show the deals of a match that can be audited."""
    match = open_match(id, FAMILY)
    standing = match.standing_entries

    def is_audited(n: int) -> bool:
        payload = standing[n - 1].payload
        return bool(payload.get("tricks")) and "call" not in payload

    asked, objection = request.args.get("entry", 0, type=int), request.args.get("objection")
    n = match.number(asked)
    if n is not None and is_audited(n):
        return redirect(url_for("audit.entry", id=id, entry=asked, objection=objection))
    page = turn_to_page(len(standing), is_audited)
    ids = [standing[n - 1].id for n in page.numbers]
    deals = [(url_for("audit.entry", id=id, entry=id_), name_entry(match, id_)) for id_ in ids]
    mine, has_tricks = access(match).may_record, isinstance(match.draft, dict) and match.draft.get("tricks")
    if mine and match.playing and has_tricks and not page.newer:
        deals.insert(0, (url_for("audit.draft", id=id), _("The deal in progress")))
    return render_template("deals/audits.html", match=match, deals=deals, page=page, mine=mine)


@bp.get("/m/<id>/entries/<int:entry>/audit")
def entry(id: str, entry: int) -> PageAnswer:
    """Show the audit of a written deal, to anyone."""
    match = open_match(id, FAMILY)
    return _show(_open_audit(match, entry))


@bp.post("/m/<id>/entries/<int:entry>/audit")
def amend(id: str, entry: int) -> PageAnswer:
    """Correct the deal as the audit settles it."""
    return _save_settled(_open_audit(open_written_match(id, FAMILY), entry))


@bp.get("/m/<id>/audit")
def draft(id: str) -> PageAnswer:
    """Show the audit of the deal in progress."""
    match = open_written_match(id, FAMILY)
    if not match.playing or match.draft is None:
        return redirect(address_of(match))
    return _show(_audit_place(match.place()))


@bp.post("/m/<id>/audit")
def save(id: str) -> PageAnswer:
    """Save the deal in progress as the audit settles it."""
    return _save_settled(_audit_place(open_written_match(id, FAMILY).place()))


def _open_audit(match: Match, entry: int) -> AuditPage:
    logged = match.entry(entry)
    if logged is None or logged.withdrawn or logged.payload.get("type") != "deal":
        abort(404)
    return _audit_place(match.place(entry))


def _audit_place(place: EntryPlace, changes: tuple[Event, ...] = ()) -> AuditPage:
    """Open the audit that this request's address names."""
    paper_counts = {key: arg for key, arg in request.args.items() if key != "objection"}
    objection = request.args.get("objection", type=int)
    known = objection is not None and place.match.side_of_objection(objection) is not None
    return AuditPage(place, paper_counts, objection if known else None, changes=changes)


def _save_settled(page: AuditPage) -> PageAnswer:
    match, form, id = page.match, WritingForm(), page.place.id
    done = address_of(match) if id is None else page.deal_address
    if is_written(match, form):
        return redirect(done, 303)
    if events_since(match, form):
        return _show_changes(page, match, events_since(match, form))
    entry = page.settled_entry
    if entry is None:
        return _show(page, 422)
    outcome = try_to_write(match, AddEntry(entry) if id is None else AmendEntry(id, entry), form)
    if isinstance(outcome, WriteRefusal):
        if outcome.status == 409:
            return _show_changes(page, outcome.match, outcome.changes)
        if outcome.fault is not None:
            page.error = requirement(outcome.fault, partial(say, match))
        page.problems = outcome.problems
        return _show(page, outcome.status)
    flash(_("Saved as the audit decided."))
    return redirect(done, 303)


def _show_changes(page: AuditPage, match: Match, changes: tuple[Event, ...]) -> PageAnswer:
    """Show the audit of the deal as it is now, with what somebody changed meanwhile.

    :raises StaleWrite: if the deal is gone.
    """
    id = page.place.id
    if (match.draft is None) if id is None else (match.number(id) is None):
        raise StaleWrite(match.id, changes)
    return _show(_audit_place(match.place(id), changes), 409)


def _show(page: AuditPage, status: int = 200) -> PageAnswer:
    form = WritingForm(formdata=None)
    form.seq.data, form.form_key.data = str(page.match.seq), fresh_key()
    if page.ruling is None and status == 200:
        status = 422
    html = render_template("deals/audit.html", page=page, match=page.match, form=form)
    return html, status
