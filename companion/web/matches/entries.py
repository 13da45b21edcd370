"""One entry: its result, the rules behind it, its changes, and its correction."""

from collections.abc import Mapping
from functools import partial
from itertools import islice

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _

from companion.matches import AddEntry, AmendEntry, EntryPlace, Match, RestoreEntry, WithdrawEntry
from companion.record.log import Event
from companion.rules.errors import Unreadable
from companion.web.rulings import attached_rulings
from companion.web.shell.forms import EntryForm, WritingForm
from companion.web.shell.game_ui import PageAnswer, game_ui, name_entry
from companion.web.shell.matches import (
    WriteRefusal,
    access,
    is_written,
    open_match,
    open_written_match,
    try_to_write,
    write,
)
from companion.web.shell.text import requirement, say

from .activity import describe_events

bp = Blueprint("entries", __name__)

_SHOWN_CHANGES = 30
_OFFERED_DEALS = 100


@bp.get("/m/<id>/entries/<int:entry>")
def entry(id: str, entry: int) -> PageAnswer:
    """Show the entry to anyone; with `edit`, the form that corrects it."""
    match = open_match(id)
    logged = match.entry(entry)
    if logged is None:
        abort(404)
    if "edit" in request.args and not logged.withdrawn:
        return _edit(open_written_match(id), entry)
    return _show_entry(match, entry)


@bp.post("/m/<id>/entries/<int:entry>")
def amend(id: str, entry: int) -> PageAnswer:
    """Amend, withdraw or restore an entry."""
    match = open_written_match(id)
    logged = match.entry(entry)
    if logged is None:
        abort(404)
    if is_written(match, WritingForm()):
        return redirect(url_for("entries.entry", id=id, entry=entry), 303)
    match request.form.get("do", "save"):
        case "withdraw":
            write(match, WithdrawEntry(entry), WritingForm())
            flash(_("It no longer counts; you can restore it."))
        case "restore":
            write(match, RestoreEntry(entry), WritingForm())
            flash(_("It counts again."))
        case _ if logged.withdrawn:
            abort(404)
        case _:
            return _edit(match, entry)
    return redirect(url_for("entries.entry", id=id, entry=entry), 303)


@bp.get("/m/<id>/more")
def more(id: str) -> PageAnswer:
    """Show what belongs to a match beside its board, with forms of other entries for those who record."""
    match = open_match(id)
    forms = _side_forms(match) if access(match).may_record else {}
    return _show_more(match, forms, request.args.get("open", ""))


@bp.post("/m/<id>/more/<kind>")
def add(id: str, kind: str) -> PageAnswer:
    """Write an entry other than a deal or a hand."""
    match = open_written_match(id)
    forms = _side_forms(match, kind)
    if kind not in forms:
        abort(404)
    form = forms[kind]
    if not form.validate():
        return _show_more(match, forms, kind), 422
    outcome = try_to_write(match, AddEntry(form.to_entry()), form)
    if isinstance(outcome, WriteRefusal):
        return _show_more(outcome.match, forms, kind, _note_fault(form, outcome)), outcome.status
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


# --- side entries ----------------------------------------------------------------------------------


def _note_fault(form: EntryForm, refusal: WriteRefusal) -> WriteRefusal:
    """Add to the form what cannot be read in it, and return the refusal."""
    if refusal.fault is not None:
        form.form_errors.append(requirement(refusal.fault, partial(say, refusal.match)))
    return refusal


def _side_forms(match: Match, sent_kind: str = "") -> dict[str, EntryForm]:
    """The forms of the page; only the one that was sent is filled."""
    ui = game_ui(match.game)
    classes = {kind: ui.side_form(match, kind) for kind in ui.side_entries(match)}
    return {
        kind: make() if kind == sent_kind else make(formdata=None) for kind, make in classes.items() if make
    }


def _show_more(
    match: Match, forms: Mapping[str, EntryForm], open_kind: str, refusal: WriteRefusal | None = None
) -> str:
    return render_template(
        game_ui(match.game).more_template,
        match=match,
        forms=forms,
        open_kind=open_kind,
        problems=refusal.problems if refusal else (),
        changes=refusal.changes if refusal else (),
        numbers=_deals_with_points(match) if "pencil" in forms else (),
    )


def _deals_with_points(match: Match, named: object = None) -> list[tuple[int, str]]:
    """The last deals, and the one that is `named`: number and name of each."""
    standing = match.standing_entries
    deals = (
        n
        for n in range(len(standing), 0, -1)
        if match.counted_number(standing[n - 1].id) and any(match.state.rows[n - 1].scored.values())
    )
    last = [*islice(deals, _OFFERED_DEALS)]
    if isinstance(named, str) and named.isdecimal() and 0 < int(named) < min(last, default=0):
        last.append(int(named))
    return [(n, name_entry(match, standing[n - 1].id)) for n in last]


def _edit(match: Match, id: int) -> PageAnswer:
    """Show the form that corrects an entry, or carry out what was sent."""
    ui, entry = game_ui(match.game), match.place(id).entry
    if entry.get("type") == match.game.family.counted_entry:
        return ui.edit_entry(match, id)
    form_class = ui.side_form(match, str(entry.get("type")))
    if form_class is None:
        abort(404)
    if request.method != "POST":
        return _show_form(match, id, form_class.show(entry))
    form = form_class()
    if not form.validate():
        return _show_form(match, id, form), 422
    outcome = try_to_write(match, AmendEntry(id, form.to_entry(entry)), form)
    if isinstance(outcome, WriteRefusal):
        return _show_form(outcome.match, id, form, _note_fault(form, outcome)), outcome.status
    return redirect(url_for("entries.entry", id=match.id, entry=id), 303)


def _show_form(match: Match, id: int, form: EntryForm, refusal: WriteRefusal | None = None) -> str:
    return render_template(
        "matches/edit_entry.html",
        match=match,
        logged=match.entry(id),
        form=form,
        numbers=_deals_with_points(match, form["deal"].data) if "deal" in form else (),
        problems=refusal.problems if refusal else (),
        changes=refusal.changes if refusal else (),
    )


# --- an entry to look at ---------------------------------------------------------------------------


def _show_entry(match: Match, id: int) -> str:
    ui, n, logged = game_ui(match.game), match.number(id), match.entry(id)
    row = match.row(n) if n else None
    return render_template(
        ui.entry_template,
        match=match,
        logged=logged,
        n=n,
        row=row,
        problems=match.problems(n) if n else (),
        changes=_changes(match, id),
        form=WritingForm(formdata=None),
        rulings=attached_rulings(match, id),
        changes_more=max(0, len(logged.events) - _SHOWN_CHANGES) if logged else 0,
        **ui.entry_context(match, row),
    )


def _changes(match: Match, id: int) -> list[tuple[Event, str, str]]:
    """The last changes of an entry: what each did, and its result after the entries that precede it now."""
    place, logged = match.place(id), match.entry(id)
    events = logged.events[-_SHOWN_CHANGES:] if logged else ()
    changes, result = [], ""
    for event, text in zip(events, describe_events(match, events), strict=True):
        if event.kind in ("add", "amend"):
            result = _describe_result(place, event.payload)
        changes.append((event, text, result))
    return changes


def _describe_result(place: EntryPlace, entry: Mapping[str, object]) -> str:
    """The result of an entry at this position, in one sentence; empty if it cannot be read."""
    family = place.match.game.family
    try:
        parsed = family.read(entry, f"entries[{place.n - 1}]")
    except Unreadable:
        return ""
    return say(place.match, family.apply(place.before, parsed).rows[-1].why)
