"""Recording a deal: one page from the bidding to the count, looked at before it is saved."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, session, url_for
from flask_babel import gettext as _

from companion.matches import AddEntry, AmendEntry, KeepDraft, Match
from companion.store import StaleWrite
from companion.web.support.game_ui import PageAnswer
from companion.web.support.matches import WriteRefusal, open_own_match, try_to_write

from . import FAMILY, deal_game
from .form import COUNTINGS, NO_CALLS, DealForm, form_for, typed
from .page import DealPage, of_problems
from .steps import step

bp = Blueprint("deals", __name__)


@bp.get("/m/<id>/deal")
def deal(id: str) -> PageAnswer:
    """An empty deal, or the one in progress; `mode` says how it is counted."""
    match = open_own_match(id, FAMILY)
    if not match.playing:
        flash(_("The game is over. To correct it, open one of its deals."))
        return redirect(board(match))
    return show(DealPage(match.place(), _form(match, match.draft)))


@bp.post("/m/<id>/deal")
def record(id: str) -> PageAnswer:
    """A tap that builds the deal up, or the whole deal to be saved."""
    match = open_own_match(id, FAMILY)
    return work(DealPage(match.place(), _form(match)))


@bp.route("/m/<id>/enough", methods=["GET", "POST"])
def enough(id: str) -> PageAnswer:
    """A deal ended by a call: the same page, which also asks who called and when."""
    match = open_own_match(id, FAMILY)
    if not can_call(match):
        abort(404)
    if request.method == "POST":
        return work(DealPage(match.place(), _form(match), call=True))
    if not match.playing:
        return redirect(board(match))
    return show(DealPage(match.place(), _form(match, match.draft), call=True))


@bp.post("/m/<id>/deal/preview")
def preview(id: str) -> str:
    """What the deal on the page comes to, as a piece of the page; nothing is saved."""
    match = open_own_match(id, FAMILY)
    entry = request.args.get("entry", type=int)
    page = DealPage(match.place(entry), _form(match), call=bool(request.args.get("call")))
    page.form.calling = page.call
    return render_template("deals/preview.html", page=page, match=match)


def can_call(match: Match) -> bool:
    """Whether the game can be ended by a call in mid-deal."""
    return bool(deal_game(match.game).calls)


def board(match: Match) -> str:
    """The address of the scoreboard."""
    return url_for("scoreboard.scoreboard", id=match.id)


def _form(match: Match, entry: Mapping[str, Any] | None = None) -> DealForm:
    """The form as it was sent; or with what an entry says, counted as this browser does it."""
    make = form_for(match.state.ring)
    if request.method == "POST":
        return make()
    usual = {"counting": session["counting"]} if session.get("counting") in COUNTINGS else {}
    if request.args.get("mode") in COUNTINGS:
        usual["counting"] = request.args["mode"]
    return filled(match, entry or {}, usual)


def filled(match: Match, entry: Mapping[str, Any], usual: Mapping[str, Any] | None = None) -> DealForm:
    """The form with what an entry says in it."""
    told = typed(entry, deal_game(match.game).ruleset.run_order) if entry else {}
    return form_for(match.state.ring)(formdata=None, data={**(usual or {}), **told})


def edit(match: Match, id: int) -> PageAnswer:
    """A deal that is put right: its form with what it says so far, or that form sent."""
    where = match.place(id)
    call = "call" in where.entry
    if request.method == "POST":
        return work(DealPage(where, _form(match), call))
    return show(DealPage(where, filled(match, where.entry), call))


def work(page: DealPage) -> PageAnswer:
    """Carry out what the tapped button says: a step of the form, keeping the bidding, or saving the deal."""
    action, form = request.form.get("do", "save"), page.form
    form.calling = page.call
    verb, _colon, value = action.partition(":")
    if verb == "save":
        if value in NO_CALLS:
            form.way.data, form.bid.data = "outcome", value
        return _save(page)
    if verb in ("draft", "drop"):
        return _keep(page, verb == "draft")
    if verb == "audit":
        return _keep(page, True, url_for("audit.draft", id=page.match.id))
    step(page, action)
    return show(DealPage(page.where, form, page.call))


def show(page: DealPage, status: int = 200) -> PageAnswer:
    """The page; only its form where a script asks for that."""
    page.form.calling = page.call
    part = request.headers.get("X-Part") == "form"
    template = "deals/form.html" if part else "deals/page.html"
    html = render_template(template, page=page, match=page.match)
    return html if status == 200 else (html, status)


def _save(page: DealPage) -> PageAnswer:
    match, form, where = page.match, page.form, page.where
    entry, faults = page.told
    fits = form.validate()
    if not fits or faults:
        judged = page.judged
        status = 400 if fits and judged.unreadable else 422
        return show(_with(page, (*judged.wrong, *judged.missing)), status)
    outcome = try_to_write(match, AddEntry(entry) if where.id is None else AmendEntry(where.id, entry), form)
    if isinstance(outcome, WriteRefusal):
        return _refused(page, outcome)
    if page.contract is not None:
        session["counting"] = form.counting.data
    if where.id is not None:
        return redirect(url_for("entries.entry", id=match.id, entry=where.id), 303)
    return redirect(board(match), 303)


def _keep(page: DealPage, kept: bool, then: str = "") -> PageAnswer:
    """Keep the deal as far as it is told, or drop what was kept; then go on to an address, or the board."""
    match, form = page.match, page.form
    if page.where.id is not None:
        abort(400)
    entry, _faults = page.told
    outcome = try_to_write(match, KeepDraft(entry if kept else None), form)
    if isinstance(outcome, WriteRefusal):
        return _refused(page, outcome)
    return redirect(then or board(match), 303)


def _refused(page: DealPage, refusal: WriteRefusal) -> PageAnswer:
    """Why the deal was not written: with everything typed, ready to be saved after all."""
    if refusal.status == 409:
        if page.where.id is not None and refusal.match.number(page.where.id) is None:
            raise StaleWrite(refusal.match.id, refusal.changes)
        again = DealPage(refusal.match.place(page.where.id), page.form, page.call)
        again.changes = refusal.changes
        return show(again, 409)
    judged = page.judged
    problems = of_problems(page.match, refusal.problems)
    return show(_with(page, problems or (*judged.wrong, *judged.missing)), refusal.status)


def _with(page: DealPage, faults: Any) -> DealPage:
    return DealPage(page.where, page.form, page.call, faults)
