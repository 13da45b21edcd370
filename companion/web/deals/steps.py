"""The taps that build a deal up: calls, runs, cards. Each changes the form and saves nothing."""

from .form import COUNTINGS, DealForm
from .page import DealPage

WAYS = ("outcome", "calls")


def step(page: DealPage, action: str) -> None:
    """Carry one tap out on the page's form: `call:pass`, `run:A:3`, `card:10H`."""
    verb, _, value = action.partition(":")
    form = page.form
    match verb:
        case "way" if value in WAYS:
            form.way.data = value
        case "counting" if value in COUNTINGS:
            form.counting.data = value
        case "turn" if value in page.cards or (page.bare and value in page.suits):
            form.turn_up.data = value
        case "unturn":
            form.turn_up.data = ""
        case "call":
            _call(page, value)
        case "uncall":
            form.calls.data = ",".join(form.said[:-1])
        case "run":
            _run(page, value)
        case "unrun" if value.isdigit():
            _runs(form, [run for place, run in enumerate(_told(form)) if place != int(value)])
        case "four" if value in page.ring.seats and len(form.fours) < 8:
            _fours(form, [*_told_fours(form), {"seat": value, "rank": ""}])
        case "unfour" if value.isdigit():
            _fours(form, [four for place, four in enumerate(_told_fours(form)) if place != int(value)])
        case "meld":
            _meld(page, value)
        case "card":
            _card(page, value)
        case "uncard":
            form.tricks.data = " ".join((form.tricks.data or "").split()[:-1])


def _call(page: DealPage, call: str) -> None:
    if call not in page.auction.legal():
        return
    terms = f" {page.form.terms}" if call in ("offer", "counter") else ""
    page.form.calls.data = ",".join([*page.form.said, call + terms])


def _run(page: DealPage, value: str) -> None:
    seat, _, length = value.partition(":")
    runs = _told(page.form)
    if seat in page.ring.seats and length in map(str, page.tops) and len(runs) < 12:
        _runs(page.form, [*runs, {"seat": seat, "length": length}])


def _told(form: DealForm) -> list[dict[str, str]]:
    return [{key: run[key].data or "" for key in ("seat", "length", "top", "suit")} for run in form.runs]


def _runs(form: DealForm, runs: list[dict[str, str]]) -> None:
    while form.runs.entries:
        form.runs.pop_entry()
    for run in runs:
        form.runs.append_entry(run)


def _told_fours(form: DealForm) -> list[dict[str, str]]:
    return [{key: four[key].data or "" for key in ("seat", "rank")} for four in form.fours]


def _fours(form: DealForm, fours: list[dict[str, str]]) -> None:
    while form.fours.entries:
        form.fours.pop_entry()
    for four in fours:
        form.fours.append_entry(four)


def _meld(page: DealPage, value: str) -> None:
    """Declare what a known hand holds: one of those that the page proposes."""
    found = next((one for one in page.proposals if one.code == value), None)
    if found is None:
        return
    form = page.form
    match found.kind:
        case "run":
            _runs(form, [*_told(form), found.fields])
        case "four":
            _fours(form, [*_told_fours(form), found.fields])
        case "bela":
            form.bela.data = found.seat


def _card(page: DealPage, card: str) -> None:
    played = (page.form.tricks.data or "").split()
    if page.course is None or page.course.next is None or card in played or card not in page.cards:
        return
    page.form.tricks.data = " ".join([*played, card])
