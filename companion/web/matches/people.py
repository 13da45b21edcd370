"""Correcting names and place: the head of a match is amended, and its history keeps the former one."""

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.matches import CorrectHead, Match
from companion.web.shell.forms import WritingForm
from companion.web.shell.matches import WriteRefusal, is_written, open_written_match, try_to_write
from companion.web.shell.text import requirement

from .new_form import NewMatch, name_fields

bp = Blueprint("people", __name__)


@bp.get("/m/<id>/names")
def people(id: str) -> str:
    """Show the form with the present names and place."""
    match = open_written_match(id)
    return _show_form(
        match, NewMatch(match.game, {**name_fields(match), "place": match.head.get("place", "")})
    )


@bp.post("/m/<id>/names")
def correct_head(id: str) -> Response | tuple[str, int]:
    """Correct the names and the place; the former ones stay in the history."""
    match, form = open_written_match(id), WritingForm()
    if is_written(match, form):
        return redirect(url_for("scoreboard.scoreboard", id=id), 303)
    corrected = NewMatch(match.game, request.form.to_dict())
    players, place = corrected.read_players(), corrected.read_place()
    if corrected.errors:
        return _show_form(match, corrected), 422
    values = {"players": players, "place": place or None}
    if any(match.head.get(key) != value for key, value in values.items()):
        outcome = try_to_write(match, CorrectHead(values), form)
        if isinstance(outcome, WriteRefusal):
            return _show_form(outcome.match, corrected, outcome), outcome.status
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


def _show_form(match: Match, new_match: NewMatch, refusal: WriteRefusal | None = None) -> str:
    changes = refusal.changes if refusal else ()
    if refusal is not None and refusal.fault is not None:
        new_match.add_error("", requirement(refusal.fault))
    return render_template(
        "matches/people.html",
        match=match,
        new_match=new_match,
        form=WritingForm(formdata=None),
        changes=changes,
    )
