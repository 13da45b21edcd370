"""Saved rulings: an address that shows the same answer later, and a place at the match."""

from typing import Any

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as Redirect

from companion.matches import AttachRuling, DetachRuling, Match, NotTheWriter
from companion.record import log
from companion.store import SavedRuling
from companion.web.shell.codes import draw_qr_code
from companion.web.shell.forms import WritingForm
from companion.web.shell.language import in_language
from companion.web.shell.matches import access, is_written, matches, open_match, open_written_match, write
from companion.web.shell.security import browser

from . import views
from .answer import Answer
from .saved_ruling import AttachedRuling, ShownRuling, copy_json, describe_ruling

bp = Blueprint("saved_rulings", __name__)


@bp.post("/ask/<game>/<question>/keep")
def keep(game: str, question: str) -> Redirect | tuple[str, int]:
    """Save the ruling on the question that the address holds."""
    page = views.question_page(game, question)
    if page.answer is None:
        return _refuse(page)
    return redirect(url_for("saved_rulings.look", id=_save(page, page.answer, WritingForm().key).id), 303)


@bp.post("/m/<id>/ask/<question>/keep")
def keep_of_match(id: str, question: str) -> Redirect | tuple[str, int]:
    """Save the ruling on a question about a match; with `attach`, put it at the match too."""
    form, attach = WritingForm(), request.form.get("attach") == "1"
    match = open_match(id)
    page = views.match_question_page(match, question)
    if attach and not page.setting.may_attach:
        raise NotTheWriter(id)
    if page.answer is None:
        return _refuse(page)
    ruling, objection = _save(page, page.answer, form.key), page.setting.objection
    if attach:
        about = page.setting.entry or (match.standing_entries[-1].id if match.standing_entries else None)
        write(match, AttachRuling(_payload(ruling), about, objection), form)
        flash(_("Attached to the match; it appears on the sheet as a footnote."))
        if objection is not None:
            flash(_("That settles the objection."))
    return redirect(url_for("saved_rulings.look", id=ruling.id), 303)


@bp.post("/m/<id>/rulings/<int:event>/off")
def take_off(id: str, event: int) -> Redirect:
    """Take a ruling off the match again; its page stays."""
    match, form = open_written_match(id), WritingForm()
    write(match, DetachRuling(event), form)
    flash(_("The ruling was withdrawn from the match; its page stays."))
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


@bp.post("/m/<id>/rulings/<int:event>/restore")
def restore(id: str, event: int) -> Redirect:
    """Put a ruling that was withdrawn back to where it stood in the match."""
    match, form = open_written_match(id), WritingForm()
    taken = next((logged for logged in match.events if logged.seq == event and logged.kind == "ruling"), None)
    if taken is None or taken.payload is None:
        abort(404)
    place = redirect(url_for("saved_rulings.look", id=taken.payload["id"]), 303)
    if is_written(match, form):  # the second of two taps
        return place
    if log.find_detached_ruling(match.events, taken.payload["id"]) != taken:
        abort(404)
    write(match, AttachRuling(taken.payload, taken.entry), form)
    flash(_("The ruling is attached to the match again."))
    return place


@bp.get("/r/<id>")
def look(id: str) -> str:
    """A saved ruling, for anyone who has its address."""
    shown = ShownRuling(_load(id))
    match = _find_match(shown)
    return render_template(
        "rulings/saved.html",
        shown=shown,
        match=match,
        attached=_find_attached(match, id) if match else [],
        withdrawn=log.find_detached_ruling(match.events, id) if match else None,
        address=url_for("short_addresses.ruling", id=id, _external=True),
        writing=WritingForm(formdata=None),
    )


@bp.get("/r/<id>/code.svg")
def code(id: str) -> Response:
    """The ruling's address as a code for another phone's camera."""
    return draw_qr_code(url_for("short_addresses.ruling", id=_load(id).id, _external=True))


def _find_attached(match: Match, id: str) -> list[AttachedRuling]:
    """Where a ruling is attached to the match."""
    of_it = [event for event in match.log.rulings if (event.payload or {}).get("id") == id]
    return [describe_ruling(match, event) for event in of_it]


def _refuse(page: views.QuestionPage) -> tuple[str, int]:
    text, status = page.render()
    return text, 422 if status == 200 else status


def _load(id: str) -> SavedRuling:
    ruling = matches().find_ruling(id)
    if ruling is None:
        abort(404)
    return ruling


def _find_match(shown: ShownRuling) -> Match | None:
    """The match it was asked in, where this browser takes part in it."""
    id = shown.saved.content.get("match")
    match = matches().open_if_readable(id)
    return match if match is not None and access(match).takes_part else None


def _save(page: views.QuestionPage, answer: Answer, form_key: str) -> SavedRuling:
    """Save an answer with all it depends on. The same form sent again is the same ruling."""
    form, match = page.form, page.setting.match
    pinned, me = _pin_request(page), browser.token()
    with in_language("en"):
        title, verdict, why = form.title, answer.verdict, answer.why
    content = {
        "request": pinned,
        "query": [list(pair) for pair in form.query()],
        "names": dict(match.names) if match else {},
        "ruling": copy_json(answer.ruling.plain()),
        "asked": title,
        "said": verdict,
        "why": why,
        "rulebook": form.book.version,
        "match": match.id if match else None,
    }
    return matches().save_ruling(me, f"{form_key}:{pinned}", content)


def _pin_request(page: views.QuestionPage) -> dict[str, Any]:
    """The request with nothing left to what is usual: preset, every convention, how many play."""
    game = page.setting.game
    agreed = {"preset": game.preset, "conventions": dict(game.conventions)}
    pinned: dict[str, Any] = copy_json(page.form.request() | agreed)
    return pinned


def _payload(ruling: SavedRuling) -> dict[str, Any]:
    """What the match's log stores of it: enough to be read by itself."""
    content = ruling.content
    return {
        "id": ruling.id,
        "question": content["asked"],
        "verdict": content["said"],
        "why": content["why"],
        "rules": [rule["id"] for rule in content["ruling"]["rules"]],
        "rulebook": content["rulebook"],
    }
