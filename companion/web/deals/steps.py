"""The taps that build a deal up: calls, runs, cards. Each changes the form and saves nothing."""

from .form import COUNTINGS, DealForm
from .page import DealPage

WAYS = ("outcome", "calls")


def take_step(page: DealPage, action: str) -> None:
    """Carry one tap out on the page's form: `call:pass`, `run:A:3`, `card:10H`."""
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
            _set_runs(form, [run for place, run in enumerate(_run_rows(form)) if str(place) != value])
        case "four" if value in page.ring.seats and len(form.fours) < 8:
            _set_fours(form, [*_four_rows(form), {"seat": value, "rank": ""}])
        case "unfour":
            _set_fours(form, [four for place, four in enumerate(_four_rows(form)) if str(place) != value])
        case "meld":
            _add_meld(page, value)
        case "card":
            _add_card(page, value)
        case "uncard":
            form.tricks.data = " ".join((form.tricks.data or "").split()[:-1])


def _add_call(page: DealPage, call: str) -> None:
    if call not in page.auction.legal():
        return
    terms = f" {page.form.offer_terms}" if call in ("offer", "counter") else ""
    page.form.calls.data = ",".join([*page.form.call_list, call + terms])


def _add_run(page: DealPage, value: str) -> None:
    seat, _, length = value.partition(":")
    runs = _run_rows(page.form)
    if seat in page.ring.seats and length in map(str, page.run_tops) and len(runs) < 12:
        _set_runs(page.form, [*runs, {"seat": seat, "length": length}])


def _run_rows(form: DealForm) -> list[dict[str, str]]:
    return [{key: run[key].data or "" for key in ("seat", "length", "top", "suit")} for run in form.runs]


def _set_runs(form: DealForm, runs: list[dict[str, str]]) -> None:
    while form.runs.entries:
        form.runs.pop_entry()
    for run in runs:
        form.runs.append_entry(run)


def _four_rows(form: DealForm) -> list[dict[str, str]]:
    return [{key: four[key].data or "" for key in ("seat", "rank")} for four in form.fours]


def _set_fours(form: DealForm, fours: list[dict[str, str]]) -> None:
    while form.fours.entries:
        form.fours.pop_entry()
    for four in fours:
        form.fours.append_entry(four)


def _add_meld(page: DealPage, value: str) -> None:
    """Declare what a known hand holds: one of those that the page proposes."""
    proposal = next((proposal for proposal in page.proposals if proposal.code == value), None)
    if proposal is None:
        return
    form = page.form
    match proposal.kind:
        case "run":
            _set_runs(form, [*_run_rows(form), proposal.fields])
        case "four":
            _set_fours(form, [*_four_rows(form), proposal.fields])
        case "bela":
            form.bela.data = proposal.seat


def _add_card(page: DealPage, card: str) -> None:
    played = (page.form.tricks.data or "").split()
    if page.course is None or page.course.next is None or card in played or card not in page.cards:
        return
    page.form.tricks.data = " ".join([*played, card])
