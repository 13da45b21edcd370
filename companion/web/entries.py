"""One entry: what it came to, by which rules, what was changed in it, putting it right."""

from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _

from companion.rules.ruling import RuleViolation
from companion.rules.shapes import Unreadable
from companion.store import Stale

from . import matches, other_form
from .deals import recording
from .deals.form import form_for
from .deals.page import DealPage, judge, place
from .deals.recording import Answer, board
from .forms import WritingForm, fresh_key
from .matches import Match
from .telling import named

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
    if kept.payload.get("type") == "deal":
        where = place(match, entry)
        return recording.work(DealPage(where, form_for(match.state.ring)(), call="call" in where.kept))
    return _mend(match, entry)


@bp.get("/m/<id>/more")
def more(id: str) -> Answer:
    """What is seldom needed: agreed adjustments, conceding, breaking off, taking the record away."""
    match = matches.get_own(id)
    return _more(match, _others(None, match), request.args.get("open", ""))


@bp.post("/m/<id>/more/<any(adjust, concede, abandon, finish, dive, pencil):kind>")
def add(id: str, kind: str) -> Answer:
    """Write an entry that is no deal."""
    match = matches.get_own(id)
    if kind not in written(match):
        abort(404)
    forms = _others(kind, match)
    form, status = forms[kind], 422
    problems: Any = ()
    if form.validate():
        try:
            matches.add(match, other_form.told(form, match.state.ring), form.seen(match.seq), form.key)
            return redirect(board(match), 303)
        except RuleViolation as error:
            problems = error.problems
        except Unreadable as error:
            form.form_errors.append(_("%(what)s is expected here.", what=match.say(error.expected)))
            status = 400
        except Stale as error:
            match = _refreshed(match, form)
            return _more(match, forms, kind, changes=error.events), 409
    return _more(match, forms, kind, problems), status


def written(match: Match) -> tuple[str, ...]:
    """The entries beside deals that the table knows, those of play first."""
    known = getattr(match.game.family, "entries", ("adjust", "concede", "abandon"))
    return tuple(
        kind for kind in ("finish", "dive", "pencil", "adjust", "concede", "abandon") if kind in known
    )


def _others(sent: str | None, match: Match) -> dict[str, Any]:
    """The forms of the page; only the one that was sent is filled."""
    kinds = {kind: other_form.FORMS[kind] for kind in written(match)}
    return {kind: make() if kind == sent else make(formdata=None) for kind, make in kinds.items()}


def _more(match: Match, forms: Any, sent: str = "", problems: Any = (), changes: Any = ()) -> str:
    return render_template(
        "deal/others.html",
        match=match,
        forms=forms,
        sent=sent,
        problems=problems,
        changes=changes,
        numbers=_numbers(match),
        may_dive=match.game.family.may_dive(match.state) if "dive" in forms else (),
    )


def _numbers(match: Match) -> list[tuple[int, str]]:
    """The deals that something was written in, the newest first: the entry's number, and its name."""
    deals = [
        (n, named(match, kept.id))
        for n, kept in enumerate(match.standing, 1)
        if kept.payload.get("type") == "deal" and any(match.state.rows[n - 1].scored.values())
    ]
    return deals[::-1]


def _look(match: Match, id: int) -> str:
    n = match.number(id)
    return render_template(
        "deal/entry.html",
        match=match,
        kept=match.entry(id),
        n=n,
        row=match.row(n) if n else None,
        problems=match.problems(n) if n else (),
        lines=_by_word(match.row(n)) if n else [],
        changes=_changes(match, id),
        named=named,
        form=WritingForm(formdata=None),
    )


def _changes(match: Match, id: int) -> list[tuple[Any, str]]:
    """Every change of an entry, with what it came to then, judged by what stands before it now."""
    where, kept = place(match, id), match.entry(id)
    found, now = [], ""
    for event in kept.events if kept else ():
        if event.kind in ("add", "amend"):
            row = judge(where, event.payload, {}).row
            now = match.say(row.why) if row is not None else ""
        found.append((event, now))
    return found


def _by_word(row: Any) -> list[tuple[str, list[Any]]]:
    """A count's lines gathered by their words, the words before the card points."""
    words: dict[str, list[Any]] = {}
    for line in getattr(row, "lines", ()):
        words.setdefault(line.word, []).append(line)
    return sorted(words.items(), key=lambda one: one[0] == "cards")


def _form_of(match: Match, id: int) -> Answer:
    where = place(match, id)
    if where.kept.get("type") == "deal":
        return recording.show(DealPage(where, recording.filled(match, where.kept), call="call" in where.kept))
    make = other_form.form_for(str(where.kept.get("type")), match.state.ring)
    if make is None:
        abort(404)
    return _other(match, id, make(formdata=None, data=other_form.typed(where.kept)))


def _mend(match: Match, id: int) -> Answer:
    """Put an entry right that is no deal."""
    where = place(match, id)
    make = other_form.form_for(str(where.kept.get("type")), match.state.ring)
    if make is None:
        abort(404)
    form: Any = make()
    status = 422
    problems: Any = ()
    if form.validate():
        try:
            told = other_form.told(form, match.state.ring)
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
        "deal/other.html",
        match=match,
        kept=match.entry(id),
        named=named,
        form=form,
        numbers=_numbers(match),
        problems=problems,
        changes=changes,
    )
