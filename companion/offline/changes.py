"""Reading an event of a log as the change that wrote it, and writing that change as an event again.

A phone without network writes a log of its own. The server that receives its events, and the phone that puts
them behind those of others, check and write each of them again like any other change.
"""

from dataclasses import replace
from typing import Any

from companion.matches import (
    AddEntry,
    Agree,
    AmendEntry,
    AttachRuling,
    Change,
    CorrectHead,
    DetachRuling,
    KeepDraft,
    Match,
    Object,
    PutBack,
    RestoreEntry,
    Undo,
    WithdrawEntry,
    WithdrawObjection,
)
from companion.matches.changes import check_room
from companion.record.log import CHANGES, Event, find_detached_ruling
from companion.record.portable_log import check_references
from companion.rules.errors import Unreadable
from companion.rules.message import Message


def read_sent_change(match: Match, event: Event, path: str) -> Change:
    """Read an event that another device sent as its change, once it is certain that the log can have it.

    :raises Unreadable: if it can be no event of this log, or takes back what is not the last change.
    """
    check_references(event, path, match.events)
    if event.kind == "ruling" and event.undoes is not None:
        for key in ("entry", "payload"):
            if getattr(event, key) is not None:
                left_out = Message("left out in an event of the kind {kind}", kind=event.kind)
                raise Unreadable(f"{path}.{key}", left_out, getattr(event, key))
    return read_change(match, event, path)


def read_change(match: Match, event: Event, path: str = "event") -> Change:
    """Read an event as its change of this match, as if it were the next of the log.

    The event's kind, entry, payload and `undoes` count, and the log must have what it refers to. The content
    of an entry is checked when the change is. `path` is that of the event, for error messages.

    :raises Unreadable: if it takes back what is not the last change.
    """
    if event.undoes is not None and event.kind in CHANGES:
        return _read_undoing(match, event, path)
    return _read_plain(match, event)


def _read_undoing(match: Match, event: Event, path: str) -> Change:
    """Read an undo or a putting back; its effect follows from the log."""
    undone = match.events[(event.undoes or 0) - 1]
    change: Change = Undo() if undone.undoes is None else PutBack()
    made = change.event(match)
    if made is None:
        raise Unreadable(
            f"{path}.undoes", Message("the number of the last change that is in effect"), event.undoes
        )
    for key in ("undoes", "kind", "entry", "payload"):
        if getattr(event, key) != getattr(made, key):
            raise Unreadable(f"{path}.{key}", Message("what the log comes to"), getattr(event, key))
    return change


def _read_plain(match: Match, event: Event) -> Change:
    """Read the change of an event that takes back no other."""
    id, payload = event.entry or 0, event.payload
    match event.kind:
        case "add":
            return AddEntry(payload, before=event.entry)
        case "amend":
            return AmendEntry(id, payload)
        case "withdraw":
            return WithdrawEntry(id)
        case "restore":
            return RestoreEntry(id)
        case "draft":
            return KeepDraft(payload)
        case "head":
            return CorrectHead(payload)
        case "agree":
            return Agree(id, payload["side"])
        case "object":
            return Object(
                id, payload["side"], payload["reason"], payload.get("text", ""), payload.get("totals")
            )
        case "settle":
            return WithdrawObjection(payload["objection"])
        case _:
            return _read_ruling(match, event)


def _read_ruling(match: Match, event: Event) -> Change:
    """Read a ruling that was attached, detached, or put back where it was."""
    if event.undoes is not None:
        return DetachRuling(event.undoes)
    ruling: dict[str, Any] = event.payload
    detached = find_detached_ruling(match.events, ruling["id"])
    if detached is not None and (detached.entry, detached.payload) == (event.entry, ruling):
        # Attached where it was, whatever else has settled the objection meanwhile.
        return AttachRuling(ruling, event.entry)
    facts = {key: value for key, value in ruling.items() if key != "objection"}
    return AttachRuling(facts, event.entry, ruling.get("objection"))


def reread_change(match: Match, event: Event) -> Change:
    """Read an event as its change of a match that has gone on since.

    An undo or a putting back that no longer fits is read as the plain change that it made.

    :raises Unreadable: if it can be no event of this log.
    """
    try:
        return read_change(match, event)
    except Unreadable:
        if event.undoes is None or event.kind not in CHANGES:
            raise
    return read_change(match, replace(event, undoes=None))


def make_event(match: Match, change: Change, written: Event) -> Event | None:
    """Make the event of a change as the next of a log, with the author and time of the one `written`.

    None if nothing is left to be done.

    :raises Unreadable, RuleViolation, NoSuchEntry, TooMany: if the match cannot be changed so.
    """
    check_room(match, change)
    change.check(match)
    event = change.event(match)
    if event is None:
        return None
    return replace(event, seq=match.seq + 1, author=written.author, at=written.at)
