"""Recording a deal: one page from the bidding to the count, with a preview before it is saved."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from flask import Blueprint, abort, flash, redirect, render_template, request, session, url_for
from flask_babel import gettext as _
from wtforms import FieldList

from companion.jacknine.phases.bidding import show_bid
from companion.matches import AddEntry, AmendEntry, KeepDraft, Match
from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS
from companion.store import StaleWrite
from companion.web.shell.game_ui import PageAnswer
from companion.web.shell.matches import WriteRefusal, address_of, is_written, open_written_match, try_to_write

from . import FAMILY
from .columns import board_columns, stroke_key
from .faults import DealFault, fault_from_error, fault_from_problem
from .form import (
    COUNTINGS,
    DealForm,
    deal_form_class,
    deal_game,
    fill_form,
    list_countings,
    read_ending,
)
from .page import DealPage

bp = Blueprint("deals", __name__)
bp.add_app_template_global(show_bid)


@bp.get("/m/<id>/deal")
def deal(id: str) -> PageAnswer:
    """Show the form of a new deal, or of the one in progress.

    In the address `mode` is the way to count, `bid` who plays which suit.
    """
    match = open_written_match(id, FAMILY)
    if not match.playing:
        flash(_("The game is over. To correct it, open one of its deals."))
        return redirect(address_of(match))
    return show_page(DealPage(match.place(), _make_form(match, read_draft(match))))


@bp.post("/m/<id>/deal")
def record(id: str) -> PageAnswer:
    """Carry out a tap on the form, or save the deal."""
    match = open_written_match(id, FAMILY)
    return carry_out(DealPage(match.place(), _make_form(match)))


@bp.route("/m/<id>/entries/<int:later>/before", methods=["GET", "POST"])
def insert(id: str, later: int) -> PageAnswer:
    """Record a deal that was forgotten, before a later one."""
    match = open_written_match(id, FAMILY)
    if match.number(later) is None:
        abort(404)
    page = DealPage(match.place_before(later), _make_form(match))
    return carry_out(page) if request.method == "POST" else show_page(page)


@bp.route("/m/<id>/enough", methods=["GET", "POST"])
def enough(id: str) -> PageAnswer:
    """Record a deal that a call ended: the same page, which also asks who called and when."""
    match = open_written_match(id, FAMILY)
    if not can_call(match):
        abort(404)
    if request.method == "POST":
        return carry_out(DealPage(match.place(), _make_form(match), ends_by_call=True))
    if not match.playing:
        return redirect(address_of(match))
    return show_page(DealPage(match.place(), _make_form(match, read_draft(match)), ends_by_call=True))


@bp.post("/m/<id>/deal/preview")
def preview(id: str) -> str:
    """Preview the result of the deal on the page, as a piece of the page; nothing is saved."""
    match = open_written_match(id, FAMILY)
    entry, later = (request.args.get(key, type=int) for key in ("entry", "later"))
    place = match.place(entry) if later is None else match.place_before(later)
    page = DealPage(place, _make_form(match), ends_by_call=bool(request.args.get("call")))
    return render_template("deals/preview.html", page=page, match=match)


def can_call(match: Match) -> bool:
    """True if a call can end the game in mid-deal."""
    return bool(deal_game(match.game).calls)


def _make_form(match: Match, entry: Mapping[str, Any] | None = None) -> DealForm:
    """Build the form as sent, or from an entry, counted the way this browser used last."""
    if request.method == "POST":
        return deal_form_class(deal_game(match.game).ruleset)()
    ruleset = deal_game(match.game).ruleset
    ways = list_countings(ruleset)
    # From the board by the totals, until it is counted otherwise; where tricks are counted, by these.
    usual = "totals" if "bid" in request.args and "count" in ways else ways[0]
    defaults = {"counting": session["counting"] if session.get("counting") in ways else usual}
    if request.args.get("mode") in COUNTINGS:
        defaults["counting"] = request.args["mode"]
    seat, _colon, suit = request.args.get("bid", "").partition(":")
    if seat in match.state.ring.seats and suit in ruleset.suits:
        defaults["bid"] = f"{seat}:{suit}"
    return fill_form(match, entry or {}, defaults)


def edit_deal(match: Match, id: int) -> PageAnswer:
    """Show the form that corrects a deal, or carry out what was sent."""
    place = match.place(id)
    ends_by_call = "call" in place.entry
    page = DealPage(place, _make_form(match, place.entry), ends_by_call)
    return carry_out(page) if request.method == "POST" else show_page(page)


def carry_out(page: DealPage) -> PageAnswer:
    """Carry out the tapped button: a step of the form, saving or discarding a draft, or saving the deal."""
    action, form = request.form.get("do", "save"), page.form
    verb, _colon, value = action.partition(":")
    if verb == "save":
        if read_ending(value) is not None:
            plays = page.contract
            form.way.data, form.bid.data = "outcome", value
            if plays is not None:  # an earlier tap says otherwise: show what would be saved
                return show_page(DealPage(page.place, form, page.ends_by_call, replaced=plays), 422)
        return _save(page)
    if verb in ("draft", "drop"):
        return _keep_draft(page, verb == "draft")
    if verb == "audit":
        return _keep_draft(page, True, url_for("audit.draft", id=page.match.id))
    take_step(page, action)
    return show_page(DealPage(page.place, form, page.ends_by_call))


def show_page(page: DealPage, status: int = 200) -> PageAnswer:
    """Show the page; only its form if a script asks for that."""
    part = request.headers.get("X-Part") == "form"
    template = "deals/form.html" if part else "deals/page.html"
    columns = board_columns(page.match) if page.begins else ()
    html = render_template(template, page=page, match=page.match, columns=columns, stroke_key=stroke_key)
    return html, status


def _save(page: DealPage) -> PageAnswer:
    match, form, place = page.match, page.form, page.place
    if is_written(match, form):
        return redirect(address_of(page.match, page.place.id), 303)
    entry, faults = page.entry_and_faults
    if not page.is_valid or faults or page.lacks_answer:
        preview = page.preview
        status = 400 if page.is_valid and preview.unreadable else 422
        return _show_faults(page, (*preview.mistakes, *preview.missing), status)
    if page.unusual_count and not page.is_asked and entry != place.entry:
        form.asked.data = page.unusual_count
        return show_page(page, 422)
    tried = page.preview.tried
    change = AddEntry(entry, tried, place.later) if place.id is None else AmendEntry(place.id, entry, tried)
    outcome = try_to_write(match, change, form)
    if isinstance(outcome, WriteRefusal):
        return _show_refusal(page, outcome)
    if page.contract is not None:
        session["counting"] = form.counting.data
    return redirect(address_of(page.match, page.place.id), 303)


def _keep_draft(page: DealPage, keeps: bool, then: str = "") -> PageAnswer:
    """Save the deal as a draft, or discard it; then go to an address, or the board."""
    match, form = page.match, page.form
    if not page.place.is_new:
        abort(400)
    if is_written(match, form):
        return redirect(then or address_of(match), 303)
    entry, _faults = page.entry_and_faults
    outcome = try_to_write(match, KeepDraft(entry if keeps else None), form)
    if isinstance(outcome, WriteRefusal):
        return _show_refusal(page, outcome)
    return redirect(then or address_of(match), 303)


def _show_refusal(page: DealPage, refusal: WriteRefusal) -> PageAnswer:
    """Show why the deal was not written, with everything that was entered, ready to be saved after all.

    :raises StaleWrite: if the deal to correct was withdrawn meanwhile.
    """
    match = refusal.match
    if refusal.status == 409:
        id, later = page.place.id, page.place.later
        if (id or later) is not None and match.number(id or later or 0) is None:
            raise StaleWrite(match.id, refusal.changes)
        place = match.place(id) if later is None else match.place_before(later)
        again = DealPage(place, page.form, page.ends_by_call)
        again.changes = refusal.changes
        return show_page(again, 409)
    preview = page.preview
    if refusal.fault is not None and not preview.unreadable:  # the preview does not show it
        return _show_faults(page, [fault_from_error(match, refusal.fault)], refusal.status)
    problems = [fault_from_problem(match, problem) for problem in refusal.problems]
    return _show_faults(page, problems or (*preview.mistakes, *preview.missing), refusal.status)


def _show_faults(page: DealPage, faults: Iterable[DealFault], status: int) -> PageAnswer:
    page.faults = tuple(faults)
    return show_page(page, status)


_MAX_IN_LISTS = {"runs": 12, "fours": 8, "trickless": 6, "forfeits": 6}


def read_draft(match: Match) -> dict[str, Any]:
    """The facts of the draft that the form can show; empty while no deal is in progress."""
    draft, form_class = match.draft, deal_form_class(deal_game(match.game).ruleset)
    readable: dict[str, Any] = {}
    for key, fact in draft.items() if isinstance(draft, dict) else ():
        with suppress(AttributeError, LookupError, TypeError, ValueError):
            if key == "contract" and not _is_contract(match, fact):
                continue
            if all(_fits_field(*pair) for pair in form_class.fill({key: fact}).items()):
                readable[key] = fact
    return readable


def _is_contract(match: Match, fact: Any) -> bool:
    suits = (*deal_game(match.game).ruleset.suits, NO_TRUMPS, ALL_TRUMPS)
    return fact["declarer"] in match.state.ring.seats and fact["trump"] in suits


def _fits_field(name: str, value: Any) -> bool:
    """True if a field of this name can hold the value: a text, or a few texts or groups of them."""
    if name not in _MAX_IN_LISTS:
        return isinstance(value, str)
    groups = [list(item.values()) if isinstance(item, dict) else [item] for item in value]
    return len(groups) <= _MAX_IN_LISTS[name] and all(
        isinstance(text, str) for group in groups for text in group
    )


WAYS = ("outcome", "calls")


def take_step(page: DealPage, action: str) -> None:
    """Apply one tap to the page's form: `call:pass`, `run:A:3`, `card:10H`."""
    verb, _, value = action.partition(":")
    form = page.form
    match verb:
        case "way" if value in WAYS:
            form.way.data = value
        case "counting" if value in COUNTINGS:
            form.counting.data = value
        case "turn" if value in page.cards or (page.prefers_suit and value in page.ruleset.suits):
            form.turn_up.data = value
        case "unturn":
            form.turn_up.data = ""
        case "call":
            _add_call(page, value)
        case "uncall":
            form.calls.data = ",".join(form.call_list[:-1])
        case "run":
            _add_run(page, value)
        case "unrun":
            _remove_row(form.runs, value)
        case "four" if value in page.ring.seats and len(form.fours) < 8:
            form.fours.append_entry({"seat": value, "rank": ""})
        case "unfour":
            _remove_row(form.fours, value)
        case "meld":
            _add_meld(page, value)
        case "card":
            _add_card(page, value)
        case "uncard":
            form.tricks.data = " ".join((form.tricks.data or "").split()[:-1])


def _add_call(page: DealPage, call: str) -> None:
    verb, _, rest = call.partition(" ")
    if page.ruleset.bids_points:
        if verb == "bid":
            call = f"bid {page.form.call_points.data or page.auction.least} {rest}"
        if page.auction.add_call(call).status == "illegal":
            return
        page.form.call_points.data = ""
    elif call not in page.auction.legal():
        return
    terms = f" {page.form.offer_terms}" if call in ("offer", "counter") else ""
    page.form.calls.data = ",".join([*page.form.call_list, call + terms])


def _add_run(page: DealPage, value: str) -> None:
    seat, _, length = value.partition(":")
    if seat in page.ring.seats and length in map(str, page.run_tops) and len(page.form.runs) < 12:
        page.form.runs.append_entry({"seat": seat, "length": length})


def _remove_row(rows: FieldList, place: str) -> None:
    """Remove the row with this index; those after it are renumbered."""
    left = [row.data for n, row in enumerate(rows) if str(n) != place]
    while rows.entries:
        rows.pop_entry()
    for row in left:
        rows.append_entry(row)


def _add_meld(page: DealPage, value: str) -> None:
    """Declare a meld of a known hand, one of those that the page proposes."""
    proposal = next((proposal for proposal in page.proposals if proposal.code == value), None)
    if proposal is None:
        return
    form = page.form
    match proposal.kind:
        case "run":
            form.runs.append_entry(proposal.fields)
        case "four":
            form.fours.append_entry(proposal.fields)
        case "bela":
            pairs = form[f"pairs_{proposal.seat}"]
            pairs.data = str(min(int(pairs.data or 0) + 1, 4)) if pairs.data in ("", *"1234") else "1"
            form.bela.data = proposal.seat


def _add_card(page: DealPage, card: str) -> None:
    played = (page.form.tricks.data or "").split()
    if page.course is None or page.course.next is None or card in played or card not in page.cards:
        return
    page.form.tricks.data = " ".join([*played, card])
