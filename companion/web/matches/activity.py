"""The history of a match in sentences, each change as it was at that time."""

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from flask import Flask
from flask_babel import gettext as _

from companion.matches import (
    EntryChange,
    EntryRemark,
    HeadChange,
    HistoryEvent,
    Match,
    OtherEvent,
    describe_history,
)
from companion.record.log import Event
from companion.web.rulings import describe_ruling
from companion.web.sharing import describe_remark
from companion.web.shell.entry_names import name_entry_then
from companion.web.shell.game_ui import game_ui

from .facts import describe_amendment, describe_change, describe_names


def init_app(app: Flask) -> None:
    """Give templates `describe_events(match, events)` and `describe_entry_since(match, entry, seq)`."""
    app.add_template_global(describe_events)
    app.add_template_global(describe_entry_since)


def describe_events(match: Match, events: Sequence[Event]) -> list[str]:
    """What each of these events did to the match, in their order, and what a new entry came to.

    The match may not have read them yet.
    """
    history = describe_history(match, events, only={event.seq for event in events})
    return [_describe_with_result(match, event) for event in history]


def describe_entry_since(match: Match, id: int, seq: int) -> str:
    """What an entry came to at a moment of the log, and what it comes to now: "82:65 → 84:63"."""
    logged = match.entry(id)
    only = {event.seq for event in logged.events if event.seq > seq} if logged is not None else set()
    history = [event for event in describe_history(match, only=only) if isinstance(event, EntryChange)]
    if not history or (history[0].row_before and history[-1].row_after is None):
        return _("withdrawn")
    first, last = history[0], history[-1]
    return describe_amendment(
        match, replace(last, before=first.before, row_before=first.row_before or first.row_after)
    )


def _describe_with_result(match: Match, event: HistoryEvent) -> str:
    text = describe_history_event(match, event)
    if isinstance(event, EntryChange) and (event.change, event.course) == ("add", "done") and event.row_after:
        result = game_ui(match.game).describe_row(match, event.row_after)
        return _("%(what)s: %(changes)s", what=text, changes=result)
    return text


def describe_history_event(match: Match, past: HistoryEvent) -> str:
    """What one event did to the match."""
    match past:
        case EntryChange():
            return _describe_entry_change(match, past)
        case HeadChange():
            return _describe_head_change(past)
        case EntryRemark(event):
            return describe_remark(match, event, name_entry_then(match, past.type, past.number))
        case OtherEvent(event) if event.kind == "draft":
            return game_ui(match.game).describe_draft(bool(event.payload))
        case OtherEvent(event):
            return _describe_ruling_event(match, event)
        case _:
            assert_never(past)


def _describe_entry_change(match: Match, change: EntryChange) -> str:
    what = _name(match, change)
    if change.change in ("add", "withdraw", "restore"):
        return _describe_simple_change(change.change, change.course, what)
    changes = describe_amendment(match, change)
    match change.course:
        case _course if not changes:
            return _("%(what)s saved unchanged", what=what)
        case "done":
            return _("%(what)s: %(changes)s", what=what, changes=changes)
        case "undone":
            return _("%(what)s: correction undone, %(changes)s", what=what, changes=changes)
        case _:
            return _("%(what)s: correction put back, %(changes)s", what=what, changes=changes)


def _describe_simple_change(change: str, course: str, what: str) -> str:
    match change, course:
        case "add", "done":
            return _("%(what)s written", what=what)
        case "add", "undone":
            return _("%(what)s taken out", what=what)
        case "add", _course:
            return _("%(what)s put back", what=what)
        case "withdraw", "done":
            return _("%(what)s withdrawn", what=what)
        case "withdraw", "undone":
            return _("%(what)s: withdrawal undone", what=what)
        case "withdraw", _course:
            return _("%(what)s withdrawn again", what=what)
        case _change, "done":
            return _("%(what)s restored", what=what)
        case _change, "undone":
            return _("%(what)s: restoring undone", what=what)
        case _:
            return _("%(what)s restored again", what=what)


def _name(match: Match, change: EntryChange) -> str:
    """The entry by the number it had; one without a number by what it came to, for there may be several."""
    name = name_entry_then(match, change.type, change.number)
    row = change.row_before or change.row_after
    if change.number is not None or row is None or change.event.kind in ("add", "amend"):
        return name
    return _("%(what)s (%(text)s)", what=name, text=game_ui(match.game).describe_row(match, row))


def _describe_head_change(change: HeadChange) -> str:
    """What was corrected in the head, and how: names, place, stake."""
    before, after = change.before, change.after
    parts = []
    if before["players"] != after["players"]:
        parts.append(_("Names: %(changes)s", changes=describe_names(before, after)))
    places = before.get("place"), after.get("place")
    if places[0] != places[1]:
        parts.append(_("Place: %(changes)s", changes=describe_change(*places)))
    stakes = [" ".join((head.get("stake") or {}).values()) for head in (before, after)]
    if stakes[0] != stakes[1]:
        parts.append(_("Stake: %(changes)s", changes=describe_change(*stakes)))
    return "; ".join(parts) or _("Names and place saved unchanged")


def _describe_ruling_event(match: Match, event: Event) -> str:
    """What was attached or, where the event takes one off, that which is no longer."""
    if event.undoes is None:
        return _("A ruling was attached: %(text)s", text=describe_ruling(match, event).text)
    detached = match.events[event.undoes - 1]
    return _("A ruling was withdrawn: %(text)s", text=describe_ruling(match, detached).text)
