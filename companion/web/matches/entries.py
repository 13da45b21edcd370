"""One entry: what it came to, by which rules, what was changed in it, putting it right."""

from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _

from companion.rules.ruling import RuleViolation
from companion.rules.schema import Unreadable
from companion.store import Stale
from companion.web.rulings import attached_rulings
from companion.web.support import game_uis, matches
from companion.web.support.activity import named, numbers
from companion.web.support.forms import EntryForm, WritingForm, fresh_key
from companion.web.support.game_ui import Answer
from companion.web.support.matches import Match
from companion.web.support.places import describe_result, entry_place

bp = Blueprint("entries", __name__)


@bp.get("/m/<id>/entries/<int:entry>")
def entry(id: str, entry: int) -> Answer:
    """The entry, for anyone to look at; with `edit`, the form to put it right."""
    match = matches.get(id)
    kept = match.entry(entry)
    if kept is None:
        abort(404)
    if "edit" in request.args and not kept.withdrawn:
        match = matches.get_own(id)
        return _form_of(match, entry)
    return _look(match, entry)


@bp.post("/m/<id>/entries/<int:entry>")
def amend(id: str, entry: int) -> Answer:
    """The entry put right, taken out, or counted again."""
    match = matches.get_own(id)
    kept = match.entry(entry)
    if kept is None:
        abort(404)
    action, form = request.form.get("do", "save"), WritingForm()
    if action in ("withdraw", "restore"):
        change = matches.withdraw if action == "withdraw" else matches.restore
        change(match, entry, form.seen(match.seq), form.key)
        flash(
            _("It no longer counts; it can be put back.") if action == "withdraw" else _("It counts again.")
        )
        return redirect(url_for("entries.entry", id=id, entry=entry), 303)
    if kept.withdrawn:
        abort(404)
    face = game_uis.of(match)
    if kept.payload.get("type") == face.numbered:
        return face.edit(match, entry)
    return _mend(match, entry)


@bp.get("/m/<id>/more")
def more(id: str) -> Answer:
    """What is seldom needed: the entries of no play, taking the record away."""
    match = matches.get_own(id)
    return _more(match, _others(None, match), request.args.get("open", ""))


@bp.post("/m/<id>/more/<kind>")
def add(id: str, kind: str) -> Answer:
    """Write an entry that is none of those the table counts."""
    match = matches.get_own(id)
    forms = _others(kind, match)
    if kind not in forms:
        abort(404)
    form, status = forms[kind], 422
    problems: Any = ()
    if form.validate():
        try:
            matches.add(match, form.entry(match.state.ring), form.seen(match.seq), form.key)
            return redirect(url_for("scoreboard.scoreboard", id=id), 303)
        except RuleViolation as error:
            problems = error.problems
        except Unreadable as error:
            form.form_errors.append(_("%(what)s is expected here.", what=match.say(error.expected)))
            status = 400
        except Stale as error:
            match = _refreshed(match, form)
            return _more(match, forms, kind, changes=error.events), 409
    return _more(match, forms, kind, problems), status


def _others(sent: str | None, match: Match) -> dict[str, EntryForm]:
    """The forms of the page; only the one that was sent is filled."""
    face = game_uis.of(match)
    kinds = {kind: face.form(match, kind) for kind in face.others(match)}
    return {kind: make() if kind == sent else make(formdata=None) for kind, make in kinds.items() if make}


def _more(match: Match, forms: Any, sent: str = "", problems: Any = (), changes: Any = ()) -> str:
    return render_template(
        game_uis.of(match).others_page,
        match=match,
        forms=forms,
        sent=sent,
        problems=problems,
        changes=changes,
        numbers=_numbers(match),
    )


def _numbers(match: Match) -> list[tuple[int, str]]:
    """The deals that something was written in, the newest first: the entry's number, and its name."""
    counted = numbers(match)
    found = [
        (n, named(match, kept.id))
        for n, kept in enumerate(match.standing, 1)
        if kept.id in counted and any(match.state.rows[n - 1].scored.values())
    ]
    return found[::-1]


def _look(match: Match, id: int) -> str:
    face, n = game_uis.of(match), match.number(id)
    row = match.row(n) if n else None
    return render_template(
        face.entry_page,
        match=match,
        kept=match.entry(id),
        n=n,
        row=row,
        problems=match.problems(n) if n else (),
        changes=_changes(match, id),
        form=WritingForm(formdata=None),
        rulings=[one for one in attached_rulings(match) if one.entry == id],
        **face.entry(match, row),
    )


def _changes(match: Match, id: int) -> list[tuple[Any, str]]:
    """Every change of an entry, with what it came to then, judged by what stands before it now."""
    where, kept = entry_place(match, id), match.entry(id)
    found, now = [], ""
    for event in kept.events if kept else ():
        if event.kind in ("add", "amend"):
            now = describe_result(where, event.payload)
        found.append((event, now))
    return found


def _form_of(match: Match, id: int) -> Answer:
    face, where = game_uis.of(match), entry_place(match, id)
    if where.kept.get("type") == face.numbered:
        return face.edit(match, id)
    make = face.form(match, str(where.kept.get("type")))
    if make is None:
        abort(404)
    return _other(match, id, make(formdata=None, data=make.typed(where.kept)))


def _mend(match: Match, id: int) -> Answer:
    """Put an entry right that is none of those the table counts."""
    where = entry_place(match, id)
    make = game_uis.of(match).form(match, str(where.kept.get("type")))
    if make is None:
        abort(404)
    form: Any = make()
    status = 422
    problems: Any = ()
    if form.validate():
        try:
            told = form.entry(match.state.ring)
            matches.amend(match, id, told, form.seen(match.seq), form.key)
            return redirect(url_for("entries.entry", id=match.id, entry=id), 303)
        except RuleViolation as error:
            problems = error.problems
        except Unreadable as error:
            form.form_errors.append(_("%(what)s is expected here.", what=match.say(error.expected)))
            status = 400
        except Stale as error:
            match = _refreshed(match, form)
            return _other(match, id, form, changes=error.events), 409
    return _other(match, id, form, problems), status


def _refreshed(match: Match, form: Any) -> Match:
    """The match as it is now, and the form ready to be sent for it."""
    match = matches.get_own(match.id)
    form.seq.data, form.form_key.data = str(match.seq), fresh_key()
    return match


def _other(match: Match, id: int, form: Any, problems: Any = (), changes: Any = ()) -> str:
    return render_template(
        "matches/edit_entry.html",
        match=match,
        kept=match.entry(id),
        form=form,
        numbers=_numbers(match),
        problems=problems,
        changes=changes,
    )
