"""Rulings that are kept: an address that shows the same answer later, and a place at the match."""

from typing import Any

from flask import Blueprint, Response, abort, flash, redirect, render_template, request, url_for
from flask_babel import force_locale
from flask_babel import gettext as _
from werkzeug.wrappers import Response as Answer

from companion.matches import AttachRuling, DetachRuling, Match
from companion.store import SavedRuling
from companion.web.support import browser
from companion.web.support.codes import code as drawn
from companion.web.support.forms import WritingForm
from companion.web.support.matches import is_mine, matches, open_match, open_own_match, write

from . import views
from .answer import Answer as Judged
from .saved_ruling import RetoldRuling, attached_rulings, plain

bp = Blueprint("kept", __name__)


@bp.post("/ask/<game>/<question>/keep")
def keep(game: str, question: str) -> Answer | tuple[str, int]:
    """Keep the ruling on the question that the address holds."""
    asked = views.answer_page(game, question)
    if asked.answer is None:
        return _refused(asked)
    return redirect(url_for("kept.look", id=_keep(asked, asked.answer, WritingForm().key).id), 303)


@bp.post("/m/<id>/ask/<question>/keep")
def keep_of_match(id: str, question: str) -> Answer | tuple[str, int]:
    """Keep the ruling on a question about a match; with `attach`, put it at the match too."""
    form, attach = WritingForm(), request.form.get("attach") == "1"
    match = open_own_match(id) if attach else open_match(id)
    asked = views.match_answer_page(match, question)
    if asked.answer is None:
        return _refused(asked)
    ruling = _keep(asked, asked.answer, form.key)
    if attach:
        about = asked.table.entry or (match.standing[-1].id if match.standing else None)
        write(match, AttachRuling(_payload(ruling), about), form)
        flash(_("Attached to the match; it stands on the sheet as a footnote."))
    return redirect(url_for("kept.look", id=ruling.id), 303)


@bp.post("/m/<id>/rulings/<int:event>/off")
def take_off(id: str, event: int) -> Answer:
    """Take a ruling off the match again; its page stays."""
    match, form = open_own_match(id), WritingForm()
    write(match, DetachRuling(event), form)
    flash(_("The ruling was taken off the match."))
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


@bp.get("/r/<id>")
def look(id: str) -> str:
    """A kept ruling, for anyone who has its address."""
    given = RetoldRuling(_kept(id))
    match = _match(given)
    return render_template(
        "rulings/saved.html",
        given=given,
        match=match,
        attached=[one for one in attached_rulings(match) if one.id == id] if match else [],
        address=url_for("bare.ruling", id=id, _external=True),
        writing=WritingForm(formdata=None),
    )


@bp.get("/r/<id>/code.svg")
def code(id: str) -> Response:
    """The ruling's address as a code for another phone's camera."""
    return drawn(url_for("bare.ruling", id=_kept(id).id, _external=True))


def _refused(asked: views.QuestionPage) -> tuple[str, int]:
    page, status = asked.page()
    return page, 422 if status == 200 else status


def _kept(id: str) -> SavedRuling:
    ruling = matches().find_ruling(id)
    if ruling is None:
        abort(404)
    return ruling


def _match(given: RetoldRuling) -> Match | None:
    """The match it was asked in, where this browser keeps its score."""
    id = given.kept.content.get("match")
    match = matches().open_if_readable(id)
    return match if match is not None and is_mine(match) else None


def _keep(asked: views.QuestionPage, answer: Judged, form_key: str) -> SavedRuling:
    """Keep an answer with all it depends on. The same form sent again is the same ruling."""
    form, match = asked.form, asked.table.match
    pinned, me = _pinned(asked), browser.token()
    with force_locale("en"):
        title, said, why = form.title, answer.verdict, answer.why
    content = {
        "request": pinned,
        "query": [[key, one] for key, one in form.typed.items(multi=True) if key not in ("asked", "entry")],
        "names": dict(match.names) if match else {},
        "ruling": plain(answer.ruling.plain()),
        "asked": title,
        "said": said,
        "why": why,
        "rulebook": form.book.version,
        "match": match.id if match else None,
    }
    return matches().save_ruling(me, f"{form_key}:{pinned}", content)


def _pinned(asked: views.QuestionPage) -> dict[str, Any]:
    """The request with nothing left to what is usual: preset, every convention, how many play."""
    game = asked.form.game
    agreed = {"preset": game.preset, "conventions": dict(game.conventions)}
    found: dict[str, Any] = plain(asked.form.request() | agreed)
    return found


def _payload(ruling: SavedRuling) -> dict[str, Any]:
    """What the match's log holds of it: enough to be read by itself."""
    content = ruling.content
    told = content["ruling"]
    return {
        "id": ruling.id,
        "question": content["asked"],
        "verdict": content["said"],
        "why": content["why"],
        "rules": [one["id"] for one in told["rules"]],
        "rulebook": content["rulebook"],
    }
