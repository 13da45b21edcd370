"""Recording a deal: one page from the bidding to the count, looked at before it is saved."""

from collections.abc import Iterable, Mapping
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, session, url_for
from flask_babel import gettext as _

from companion.matches import AddEntry, AmendEntry, KeepDraft, Match
from companion.store import StaleWrite
from companion.web.shell.game_ui import PageAnswer
from companion.web.shell.matches import WriteRefusal, is_written, open_written_match, try_to_write

from . import FAMILY, deal_game
from .drafts import read_draft
from .form import COUNTINGS, NO_CALLS, DealForm, deal_form_class, field_data
from .page import DealPage
from .preview import DealFault, fault_from_error, faults_from_problems
from .steps import take_step

bp = Blueprint("deals", __name__)


@bp.get("/m/<id>/deal")
def deal(id: str) -> PageAnswer:
    """An empty deal, or the one in progress; `mode` says how it is counted, `bid` who plays which suit."""
    match = open_written_match(id, FAMILY)
    if not match.playing:
        flash(_("The game is over. To correct it, open one of its deals."))
        return redirect(board_address(match))
    return show_page(DealPage(match.place(), _make_form(match, read_draft(match))))


@bp.post("/m/<id>/deal")
def record(id: str) -> PageAnswer:
    """A tap that builds the deal up, or the whole deal to be saved."""
    match = open_written_match(id, FAMILY)
    return carry_out(DealPage(match.place(), _make_form(match)))


@bp.route("/m/<id>/enough", methods=["GET", "POST"])
def enough(id: str) -> PageAnswer:
    """A deal ended by a call: the same page, which also asks who called and when."""
    match = open_written_match(id, FAMILY)
    if not can_call(match):
        abort(404)
    if request.method == "POST":
        return carry_out(DealPage(match.place(), _make_form(match), ends_by_call=True))
    if not match.playing:
        return redirect(board_address(match))
    return show_page(DealPage(match.place(), _make_form(match, read_draft(match)), ends_by_call=True))


@bp.post("/m/<id>/deal/preview")
def preview(id: str) -> str:
    """What the deal on the page comes to, as a piece of the page; nothing is saved."""
    match = open_written_match(id, FAMILY)
    entry = request.args.get("entry", type=int)
    page = DealPage(match.place(entry), _make_form(match), ends_by_call=bool(request.args.get("call")))
    return render_template("deals/preview.html", page=page, match=match)


def can_call(match: Match) -> bool:
    """Whether the game can be ended by a call in mid-deal."""
    return bool(deal_game(match.game).calls)


def board_address(match: Match) -> str:
    """The address of the scoreboard."""
    return url_for("scoreboard.scoreboard", id=match.id)


def _make_form(match: Match, entry: Mapping[str, Any] | None = None) -> DealForm:
    """The form as it was sent; or with what an entry says, counted as this browser last did."""
    form_class = deal_form_class(deal_game(match.game).ruleset.ring)
    if request.method == "POST":
        return form_class()
    defaults = {"counting": session["counting"]} if session.get("counting") in COUNTINGS else {}
    if request.args.get("mode") in COUNTINGS:
        defaults["counting"] = request.args["mode"]
    seat, _colon, suit = request.args.get("bid", "").partition(":")
    if seat in match.state.ring.seats and suit in deal_game(match.game).ruleset.suits:
        defaults["bid"] = f"{seat}:{suit}"
    return fill_form(match, entry or {}, defaults)


def fill_form(match: Match, entry: Mapping[str, Any], defaults: Mapping[str, Any] | None = None) -> DealForm:
    """The form of a deal, filled with what an entry says and, where it is silent, with the defaults."""
    data = field_data(entry, deal_game(match.game).ruleset.run_order) if entry else {}
    return deal_form_class(match.state.ring)(formdata=None, data={**(defaults or {}), **data})


def edit_deal(match: Match, id: int) -> PageAnswer:
    """The form that corrects a deal: with what the deal says so far, or as it was sent."""
    place = match.place(id)
    ends_by_call = "call" in place.entry
    if request.method == "POST":
        return carry_out(DealPage(place, _make_form(match), ends_by_call))
    return show_page(DealPage(place, fill_form(match, place.entry), ends_by_call))


def carry_out(page: DealPage) -> PageAnswer:
    """Carry out what the tapped button says: a step of the form, keeping the bidding, or saving the deal."""
    action, form = request.form.get("do", "save"), page.form
    verb, _colon, value = action.partition(":")
    if verb == "save":
        if value in NO_CALLS:
            form.way.data, form.bid.data = "outcome", value
        return _save(page)
    if verb in ("draft", "drop"):
        return _keep_draft(page, verb == "draft")
    if verb == "audit":
        return _keep_draft(page, True, url_for("audit.draft", id=page.match.id))
    take_step(page, action)
    return show_page(DealPage(page.place, form, page.ends_by_call))


def show_page(page: DealPage, status: int = 200) -> PageAnswer:
    """The page; only its form where a script asks for that."""
    part = request.headers.get("X-Part") == "form"
    template = "deals/form.html" if part else "deals/page.html"
    html = render_template(template, page=page, match=page.match)
    return html if status == 200 else (html, status)


def _save(page: DealPage) -> PageAnswer:
    match, form, place = page.match, page.form, page.place
    if is_written(match, form):
        return redirect(_address_after(page), 303)
    entry, faults = page.entry_and_faults
    if not page.is_valid or faults:
        preview = page.preview
        status = 400 if page.is_valid and preview.unreadable else 422
        return show_page(_with_faults(page, (*preview.mistakes, *preview.missing)), status)
    if page.unusual_count and not page.is_asked:
        form.asked.data = page.unusual_count
        return show_page(page, 422)
    tried = page.preview.tried
    change = AddEntry(entry, tried) if place.id is None else AmendEntry(place.id, entry, tried)
    outcome = try_to_write(match, change, form)
    if isinstance(outcome, WriteRefusal):
        return _show_refusal(page, outcome)
    if page.contract is not None:
        session["counting"] = form.counting.data
    return redirect(_address_after(page), 303)


def _address_after(page: DealPage) -> str:
    """Where one looks at the deal that was saved."""
    if page.place.id is not None:
        return url_for("entries.entry", id=page.match.id, entry=page.place.id)
    return board_address(page.match)


def _keep_draft(page: DealPage, keeps: bool, then: str = "") -> PageAnswer:
    """Save the deal as far as it was entered, or discard it; then go on to an address, or the board."""
    match, form = page.match, page.form
    if page.place.id is not None:
        abort(400)
    if is_written(match, form):
        return redirect(then or board_address(match), 303)
    entry, _faults = page.entry_and_faults
    outcome = try_to_write(match, KeepDraft(entry if keeps else None), form)
    if isinstance(outcome, WriteRefusal):
        return _show_refusal(page, outcome)
    return redirect(then or board_address(match), 303)


def _show_refusal(page: DealPage, refusal: WriteRefusal) -> PageAnswer:
    """Why the deal was not written: with everything that was entered, ready to be saved after all."""
    match = refusal.match
    if refusal.status == 409:
        if page.place.id is not None and refusal.match.number(page.place.id) is None:
            raise StaleWrite(refusal.match.id, refusal.changes)
        again = DealPage(refusal.match.place(page.place.id), page.form, page.ends_by_call)
        again.changes = refusal.changes
        return show_page(again, 409)
    preview = page.preview
    if refusal.fault is not None and not preview.unreadable:  # nothing that the deal itself comes to shows it
        return show_page(_with_faults(page, [fault_from_error(match, refusal.fault)]), refusal.status)
    problems = faults_from_problems(page.match, refusal.problems)
    return show_page(_with_faults(page, problems or (*preview.mistakes, *preview.missing)), refusal.status)


def _with_faults(page: DealPage, faults: Iterable[DealFault]) -> DealPage:
    return DealPage(page.place, page.form, page.ends_by_call, faults)
