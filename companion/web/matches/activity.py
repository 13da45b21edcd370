"""What happened in a match: one sentence for every change."""

from collections.abc import Mapping

from flask import Flask
from flask_babel import gettext as _

from companion.matches import Match
from companion.record.log import Event
from companion.web.rulings import describe_ruling
from companion.web.support.entry_names import name_entry
from companion.web.support.game_ui import game_ui


def init_app(app: Flask) -> None:
    """Give templates `describe_event(match, event)`."""
    app.add_template_global(describe_event)


def describe_event(match: Match, event: Event) -> str:
    """What one event did to the match, in a sentence."""
    if event.kind == "draft":
        return game_ui(match.game).describe_draft(bool(event.payload))
    if event.kind == "head":
        return _("Names, place or stake were corrected.")
    if event.kind == "ruling":
        return _describe_ruling_event(match, event)
    entry = event.seq if event.kind == "add" else event.entry
    what = name_entry(match, entry)
    match event.kind, event.undoes is not None:
        case "add", _undo:
            return _("%(what)s was written.", what=what)
        case "amend", False if _tells_later_facts(match, event):
            return _("%(what)s: it was said who deals next.", what=what)
        case "amend", False:
            return _("%(what)s was corrected.", what=what)
        case "amend", True:
            return _("The correction was undone: %(what)s.", what=what)
        case "withdraw", False:
            return _("%(what)s was withdrawn.", what=what)
        case "withdraw", True:
            return _("%(what)s was taken back.", what=what)
        case _:
            return _("%(what)s counts again.", what=what)


def _tells_later_facts(match: Match, event: Event) -> bool:
    """Whether an amendment adds only what may be told later."""
    logged = match.entry(event.entry) if event.entry is not None else None
    content = [one for one in logged.events if one.kind in ("add", "amend")] if logged else []
    before: Mapping[str, object] = next((one.payload for one in reversed(content) if one.seq < event.seq), {})
    new = {key for key in event.payload if key not in before}
    same = {key: one for key, one in event.payload.items() if key not in new} == before
    return same and bool(new) and new <= match.game.family.later_facts


def _describe_ruling_event(match: Match, event: Event) -> str:
    """What was attached or, where the event takes one off, that which is no longer."""
    if event.undoes is None:
        return _("A ruling was attached: %(text)s", text=describe_ruling(match, event).text)
    detached = next((other for other in match.events if other.seq == event.undoes), event)
    return _("A ruling was withdrawn: %(text)s", text=describe_ruling(match, detached).text)
