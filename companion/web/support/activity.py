"""How the log is told: one sentence for every change of a match, and when it was."""

from datetime import datetime
from typing import Any

from flask import Flask
from flask_babel import format_date, format_datetime, format_time
from flask_babel import gettext as _

from companion.record.log import Event
from companion.web.rulings import describe_ruling as given

from . import game_uis
from .matches import Match


def init_app(app: Flask) -> None:
    """Give templates `told(match, event)`, `named(match, id)` and the filters `clock` and `day`."""
    app.add_template_global(describe, "told")
    app.add_template_global(named, "named")
    app.add_template_filter(clock, "clock")
    app.add_template_filter(day, "day")


def describe(match: Match, event: Event) -> str:
    """What one event did to the match, in a sentence."""
    if event.kind == "draft":
        return game_uis.of(match).noted(bool(event.payload))
    if event.kind == "head":
        return _("Names, place or stake were put right.")
    if event.kind == "ruling":
        return _ruling(match, event)
    entry = event.seq if event.kind == "add" else event.entry
    what = named(match, entry)
    match event.kind, event.undoes is not None:
        case "add", _undo:
            return _("%(what)s was written.", what=what)
        case "amend", False:
            return _("%(what)s was corrected.", what=what)
        case "amend", True:
            return _("The correction was undone: %(what)s.", what=what)
        case "withdraw", False:
            return _("%(what)s was withdrawn.", what=what)
        case "withdraw", True:
            return _("Undone: %(what)s was taken out again.", what=what)
        case _:
            return _("%(what)s counts again.", what=what)


def _ruling(match: Match, event: Event) -> str:
    """What was attached or, where the event takes one off, that which is no longer."""
    if event.undoes is None:
        return _("A ruling was attached: %(text)s", text=given(match, event).text)
    gone = next((one for one in match.events if one.seq == event.undoes), event)
    return _("A ruling was taken off: %(text)s", text=given(match, gone).text)


def named(match: Match, id: int | None) -> str:
    """An entry by its name: "Deal 3", "An adjustment"; a withdrawn one has no number."""
    kept = match.entry(id) if id is not None else None
    if kept is None:
        return _("An entry")
    face, kind = game_uis.of(match), kept.payload.get("type", "")
    if kind == face.numbered:
        return face.called(numbers(match).get(kept.id))
    return kind_name(match, kind)


def kind_name(match: Match, kind: str) -> str:
    """What an entry is called that has no number."""
    return game_uis.of(match).names().get(kind) or _("An entry")


def numbers(match: Match) -> dict[int, int]:
    """The numbers of the deals, or of the hands, that count, by the ids of their entries."""
    kind = game_uis.of(match).numbered
    counted = (one.id for one in match.standing if one.payload.get("type") == kind)
    return {id: number for number, id in enumerate(counted, 1)}


def clock(at: str, whole: bool = False) -> str:
    """A moment, in the page's language: the time alone when it is today, unless it is wanted `whole`."""
    moment = _moment(at)
    if moment is None:
        return at
    if not whole and moment.date() == datetime.now(moment.tzinfo).date():
        return str(format_time(moment, "HH:mm", rebase=False))
    return str(format_datetime(moment, "d MMM y, HH:mm", rebase=False))


def day(at: str) -> str:
    """The day of a moment, in the page's language."""
    moment = _moment(at)
    return at if moment is None else str(format_date(moment, "d MMM y", rebase=False))


def _moment(at: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(at).astimezone()
    except (TypeError, ValueError):
        return None
