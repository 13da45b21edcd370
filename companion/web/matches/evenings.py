"""Evenings: their matches, the standing between the players, and the payments."""

import json
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from markupsafe import Markup
from werkzeug.wrappers import Response

from companion.i18n import translator
from companion.notation.charts import draw_calendar
from companion.people import UNDO, Note, drop_undone
from companion.people.evenings import Evening, write_payment
from companion.people.money import Payment, read_amount
from companion.sheets import LOCAL, EveningOrder, EveningWriter
from companion.sheets.common import format_day
from companion.sheets.model import EveningPage
from companion.sheets.picture import draw_evening
from companion.sheets.report import report_evening
from companion.web.shell.forms import WritingForm
from companion.web.shell.language import current_language
from companion.web.shell.loaded import LoadedMatch, group_evenings, known_journal
from companion.web.shell.matches import matches
from companion.web.shell.printing import print_sheet
from companion.web.shell.security import browser
from companion.web.shell.text import find_day, translate
from companion.web.shell.zone import phone_zone

from .picture import answer, paint
from .sheets import order_sheet

bp = Blueprint("evenings", __name__)

_KINDS = {
    "unit": _l("A match won, or a unit of the stake"),
    "set": _l("A set"),
    "mars": _l("Mars, in addition"),
    "dive": _l("An accepted dive, in addition"),
    "matchstick": _l("A matchstick"),
}
"""The kinds of units that have a worth in a game for stakes."""
_STEPS = {
    "evening": _l("Name, place, date, note"),
    "evening-match": _l("A match added or taken out"),
    "stakes": _l("What is played for"),
    "settled": _l("Payments settled"),
}
"""The kinds of notes that are written about an evening by hand."""
_OFFERED = 50
"""The most matches of other evenings offered to be added."""
_TEXTS = {"name": 80, "place": 200, "date": 10, "note": 500}
"""The texts about an evening, with the most letters of each."""


@dataclass(frozen=True)
class EveningView:
    """An evening as pages show it."""

    id: str
    matches: list[LoadedMatch]
    written: Evening
    carried: list[Payment]
    notes: list[Note]
    """The notes about it, the last one first."""

    @property
    def steps(self) -> list[tuple[Note, str]]:
        """The same notes, each with its effect in words."""
        return [(note, str(_STEPS[note.kind])) for note in self.notes]

    @property
    def begun(self) -> str:
        """The day of the evening."""
        return self.written.date or self.matches[0].begun

    @property
    def place(self) -> tuple[str, str]:
        """The position among all evenings, to sort by."""
        return self.begun, self.matches[0].listed.created_at

    @property
    def writer(self) -> EveningWriter:
        """The writer that adds it up, in the language of the page."""
        counted, language = [found.match for found in self.matches], current_language()
        return EveningWriter(counted, translator(language), language, self.written, self.carried, _zone())


def _zone() -> str:
    zone = phone_zone()
    return zone.key if zone is not None else LOCAL


@bp.get("/evenings")
def evenings() -> str:
    """Show all evenings of this browser, the newest first, with a calendar."""
    loaded = _load()
    days = Counter(day for view in loaded if (day := find_day(view.begun)))
    title = _("Evenings of the last twelve months")
    calendar = Markup(draw_calendar(days, max(days), prefix="calendar", title=title)) if days else ""
    return render_template("matches/evenings.html", evenings=loaded[::-1], calendar=calendar)


@bp.get("/evening/<id>")
def evening(id: str) -> str | Response:
    """Show an evening, with the forms for notes by hand; a match's id leads to its evening."""
    shown, others = _open(id)
    return redirect(url_for("evenings.evening", id=shown.id)) if shown.id != id else _show(shown, others)


def _show(shown: EveningView, others: list[EveningView], wrong: Collection[str] = ()) -> str:
    writer, stakes = shown.writer, shown.written.stakes
    worth = {kind: str(amount) for kind, amount in stakes.worth.items()} if stakes else {}
    typed = {f"worth-{kind}": amount for kind, amount in worth.items()} | {
        "currency": stakes.currency if stakes else _last_currency(others),
        **{key: getattr(shown.written, key) for key in _TEXTS},
        "date": find_day(shown.begun) or "",
    }
    return render_template(
        "matches/evening.html",
        evening=shown,
        writer=writer,
        picture=Markup(_draw(shown)),
        kinds={f"worth-{kind}": _KINDS[kind] for kind in writer.sums.kinds},
        typed=typed | (request.form.to_dict() if wrong else {}),
        wrong=wrong,
        others=[found for other in others[::-1] for found in other.matches[::-1]][:_OFFERED],
        next_one=_find_next(shown, others),
        as_sent=lambda payment: json.dumps(write_payment(payment)),
        form=WritingForm(),
        said_by=next((settled.by for settled in shown.written.settled[::-1] if settled.by), None),
    )


def _last_currency(others: list[EveningView]) -> str:
    """The currency that was played in last."""
    return next((view.written.stakes.currency for view in others[::-1] if view.written.stakes), "")


@bp.get("/evening/<id>/sheet.pdf")
def evening_pdf(id: str) -> Response:
    """Print the evening on paper."""
    return print_sheet(_order_sheet(_open(id)[0]))


@bp.get("/evening/<id>/share")
def share(id: str) -> str:
    """Show the evening as text, to be sent around."""
    shown, _others = _open(id)
    page = _order_sheet(shown).compose()
    assert isinstance(page, EveningPage)
    return render_template(
        "matches/share.html", evening=shown.id, text=report_evening(page, translator(current_language()))
    )


def _order_sheet(shown: EveningView) -> EveningOrder:
    orders = [order_sheet(matches().open(found.listed.id)) for found in shown.matches]
    counted = tuple(found.match for found in shown.matches)
    return EveningOrder(
        tuple(orders), counted, shown.written, tuple(shown.carried), current_language(), zone=_zone()
    )


@bp.get("/evening/<id>/picture.svg")
def drawing(id: str) -> Response:
    """Send the picture of the evening as a drawing."""
    return answer(_draw(_open(id)[0]).encode(), "image/svg+xml")


@bp.get("/evening/<id>/picture.png")
def image_png(id: str) -> Response:
    """Send the same painted by a worker, for programs that take no drawings."""
    return paint(_draw(_open(id)[0]))


def _draw(shown: EveningView) -> str:
    """Draw the picture of an evening, in the language of the page."""
    games = [translate(found.summary.title) for found in shown.matches]
    day = format_day(shown.begun, current_language(), _zone(), with_time=False)
    caption = shown.written.name or ", ".join(dict.fromkeys(games))
    return draw_evening(shown.writer, games, caption, day, shown.id)


@bp.post("/evening/<id>")
def write(id: str) -> Response | tuple[str, int]:
    """Write a note about an evening by hand."""
    shown, others = _open(id)
    owner, key = browser.token(), WritingForm().key
    if not matches().has_note(owner, key):
        step = _read_step(shown, others)
        if step is None:
            return _show(shown, others, _find_wrong()), 422
        kind, said = step
        matches().add_note(owner, key, kind, {"evening": id, **said})
    return redirect(url_for("evenings.evening", id=id), 303)


def _read_step(shown: EveningView, others: list[EveningView]) -> tuple[str, dict[str, Any]] | None:
    """The kind and content of the note that was sent; None if it is invalid."""
    sent, do = request.form, request.form.get("do", "")
    match do:
        case "put" | "take":
            among = others if do == "put" else [shown]
            ids = {found.listed.id for view in among for found in view.matches}
            match_id = sent.get("match", "")
            return ("evening-match", {"match": match_id, "out": do == "take"}) if match_id in ids else None
        case "undo":
            ids = {note.id for note, _what in shown.steps}
            return (UNDO, {"undoes": sent.get("note")}) if sent.get("note") in ids else None
        case "describe":
            texts = {key: sent.get(key, "").strip()[:most] for key, most in _TEXTS.items()}
            return "evening", texts | {"date": _read_date(texts["date"])}
        case "stakes":
            worth = {kind: sent.get(f"worth-{kind}", "").strip() for kind in shown.writer.sums.kinds}
            currency = sent.get("currency", "").strip()[:20]
            return None if _find_wrong() else ("stakes", {"currency": currency, "worth": worth})
        case "carry":
            to = _find_next(shown, others)
            open_ones = list(map(write_payment, shown.writer.open))
            return ("settled", {"payments": open_ones, "to": to.id}) if to and open_ones else None
        case _:
            ticked = next(
                (paid for paid in map(write_payment, shown.writer.open) if json.dumps(paid) == do), None
            )
            if ticked is None:
                return None
            by = sent.get("by") if sent.get("by") in shown.writer.sums.players else ticked["payee"]
            return "settled", {"payments": [ticked], "by": by}


def _read_date(text: str) -> str:
    """The date that was sent; empty if it is invalid."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return ""


def _find_wrong() -> list[str]:
    """The fields with invalid amounts."""
    amounts = [(key, text) for key, text in request.form.items() if key.startswith("worth-")]
    return [key for key, text in amounts if text.strip() and read_amount(text) is None]


def _load() -> list[EveningView]:
    """The evenings of this browser, the first one first."""
    notes = matches().list_notes(browser.known_token())
    journal, standing = known_journal(), drop_undone(notes)[::-1]
    written = journal.evenings.rename(journal.players.find)
    views = [
        EveningView(
            id,
            found,
            written.of(id),
            written.carried_to(id),
            [note for note in standing if note.said.get("evening") == id and note.kind in _STEPS],
        )
        for id, found in group_evenings().items()
    ]
    return sorted(views, key=lambda view: view.place)


def _open(id: str) -> tuple[EveningView, list[EveningView]]:
    """An evening of this browser, or that of a match, and all the others; answers 404 without one."""
    loaded = _load()
    holding = (view for view in loaded if id in [found.listed.id for found in view.matches])
    shown = next((view for view in loaded if view.id == id), None) or next(holding, None)
    if shown is None:
        abort(404)
    return shown, [view for view in loaded if view is not shown]


def _find_next(shown: EveningView, others: list[EveningView]) -> EveningView | None:
    """The next evening of all who have still to pay or to be paid."""
    concerned = {name for payment in shown.writer.open for name in (payment.payer, payment.payee)}
    later = (view for view in others if view.place > shown.place)
    return next((view for view in later if concerned <= set(view.writer.sums.players)), None)
