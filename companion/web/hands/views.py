"""Recording a hand: naming the fool in one tap; and correcting a hand."""

from functools import partial

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _

from companion.matches import AddEntry, AmendEntry, Match
from companion.store import StaleWrite
from companion.web.shell.forms import WritingForm
from companion.web.shell.game_ui import PageAnswer
from companion.web.shell.matches import (
    WriteRefusal,
    address_of,
    is_written,
    open_written_match,
    try_to_write,
    write,
)
from companion.web.shell.text import requirement, say

from . import FAMILY
from .hand_page import HandForm, HandPage

bp = Blueprint("hands", __name__)


@bp.get("/m/<id>/hand")
def hand(id: str) -> PageAnswer:
    """Show the page on which one tap records how the hand ended."""
    match = open_written_match(id, FAMILY)
    if not match.playing:
        flash(_("The session is over. To correct it, open one of its hands."))
        return redirect(url_for("scoreboard.scoreboard", id=id))
    return _show_page(HandPage.begin(match.place()))


@bp.post("/m/<id>/hand")
def record(id: str) -> PageAnswer:
    """Write the hand."""
    match = open_written_match(id, FAMILY)
    return _save(HandPage(match.place(), HandForm()))


@bp.post("/m/<id>/hand/dealer")
def dealer(id: str) -> PageAnswer:
    """Name the dealer of the next hand for the team that lost: the last hand is amended."""
    match, form = open_written_match(id, FAMILY), WritingForm()
    if is_written(match, form):
        return redirect(url_for("scoreboard.scoreboard", id=id), 303)
    last = next(
        (entry for entry in reversed(match.standing_entries) if entry.payload["type"] == "hand"), None
    )
    if last is None or not match.playing:
        abort(404)
    corrected = {**last.payload, "deals": request.form.get("deals", "")}
    write(match, AmendEntry(last.id, corrected), form)
    return redirect(url_for("scoreboard.scoreboard", id=id), 303)


def edit_hand(match: Match, id: int) -> PageAnswer:
    """Show the form that corrects a hand, or carry out what was sent."""
    place = match.place(id)
    if request.method == "POST":
        return _save(HandPage(place, HandForm()))
    return _show_page(HandPage.begin(place))


def _save(page: HandPage) -> PageAnswer:
    match, form, id = page.place.match, page.form, page.place.id
    if is_written(match, form):
        return redirect(address_of(page.place.match, page.place.id), 303)
    if not form.validate():
        return _show_page(page, 422)
    outcome = try_to_write(
        match, AddEntry(page.to_entry()) if id is None else AmendEntry(id, page.to_entry()), form
    )
    if isinstance(outcome, WriteRefusal):
        return _show_refusal(page, outcome)
    return redirect(address_of(page.place.match, page.place.id), 303)


def _show_refusal(page: HandPage, refusal: WriteRefusal) -> PageAnswer:
    """Show why the hand was not written, with everything that was entered, ready to be saved after all.

    :raises StaleWrite: if the session is over or the hand is gone.
    """
    match, form, id = refusal.match, page.form, page.place.id
    if refusal.fault is not None:
        form.form_errors.append(requirement(refusal.fault, partial(say, match)))
    if refusal.status == 409 and not (match.playing if id is None else match.number(id)):
        raise StaleWrite(match.id, refusal.changes)
    place = match.place(id) if refusal.status == 409 else page.place
    return _show_page(HandPage(place, form, refusal.problems, refusal.changes), refusal.status)


def _show_page(page: HandPage, status: int = 200) -> PageAnswer:
    html = render_template("hands/page.html", page=page, match=page.place.match, form=page.form)
    return html, status
