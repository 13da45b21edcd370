"""Events that were written elsewhere: what each was as a change, so that it is checked and written once more.

A phone without network writes a log of its own. What stands in it is made a change again, by the server that
it comes to and by the phone that writes it behind what others wrote, and goes the way of every other change.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from companion.matches.changes import (
    AddEntry,
    Agree,
    AmendEntry,
    AttachRuling,
    Change,
    CorrectHead,
    DetachRuling,
    KeepDraft,
    Object,
    PutBack,
    RestoreEntry,
    Undo,
    WithdrawEntry,
    WithdrawObjection,
)
from companion.matches.match import Match
from companion.record.head import refuse_unknown
from companion.record.log import CHANGES, Event, find_detached_ruling
from companion.record.portable_log import check_said, compare, parse_event, parse_time
from companion.rules.errors import Missing, Unreadable
from companion.rules.message import Message
from companion.rules.schema import Table, check_text

LONGEST_KEY = 64
"""Characters of a form's key."""
_SENT = ("kind", "entry", "payload", "undoes", "at", "key")


@dataclass(frozen=True, slots=True)
class SentEvent:
    """An event as a phone sends it that recorded it without network, with the `key` of the form it was."""

    event: Event
    key: str


def read_sent_event(value: Any, path: str) -> SentEvent:
    """The event in a JSON object. What it says is looked at when it is made a change.

    :raises Unreadable: when it is none.
    """
    if not isinstance(value, dict):
        raise Unreadable(path, Message("an object"), value)
    refuse_unknown(value, _SENT, path)
    for key in ("kind", "at", "key"):
        if key not in value:
            raise Missing(f"{path}.{key}")
    at = read_moment(value["at"], f"{path}.at")
    key = check_text(value["key"], f"{path}.key", 1, LONGEST_KEY)
    said = (value["kind"], value.get("entry"), value.get("payload"))
    return SentEvent(Event(0, *said, at=at, undoes=value.get("undoes")), key)


def read_moment(value: Any, path: str) -> str:
    """A time that a phone tells, in UTC and to the millisecond, as logs have it here.

    :raises Unreadable: when it is none.
    """
    text = check_text(parse_time(value, path), path, 1, 32)
    try:
        return datetime.fromisoformat(text).astimezone(UTC).isoformat(timespec="milliseconds")
    except OverflowError:
        raise Unreadable(path, Message("a time such as 2026-11-20T19:05:00+01:00"), value) from None


def read_change(match: Match, event: Event, path: str = "event") -> Change:
    """The change of this match that an event was, as it would be the next of its log.

    Of the event its kind, entry, payload and `undoes` count. What an entry says is not looked at here, but
    when the change is checked. `path` is where the event stands, for what is said of it.

    :raises Unreadable: when it can be no event of this log, or takes back what is not the last change.
    """
    written = {"kind": event.kind, "entry": event.entry, "payload": event.payload, "undoes": event.undoes}
    parse_event({"n": match.seq + 1, **written}, path, match.events)
    ring = match.state.ring
    check_said(event, f"{path}.payload", len(match.head["players"]), Table(ring, frozenset()))
    if event.undoes is not None and event.kind not in (*CHANGES, "ruling"):
        raise Unreadable(f"{path}.undoes", _left_out(event), event.undoes)
    if event.undoes is not None and event.kind in CHANGES:
        return _read_undoing(match, event, path)
    return _read_plain(match, event, path)


def _read_undoing(match: Match, event: Event, path: str) -> Change:
    """The undo or putting back that an event of a log was; what they do follows from the log."""
    taken_back = match.events[(event.undoes or 0) - 1]
    change: Change = Undo() if taken_back.undoes is None else PutBack()
    made = change.event(match)
    if made is None:
        raise Unreadable(f"{path}.undoes", Message("the number of the last change that holds"), event.undoes)
    for key in ("undoes", "kind", "entry", "payload"):
        compare(getattr(event, key), getattr(made, key), f"{path}.{key}")
    return change


def _read_plain(match: Match, event: Event, path: str) -> Change:
    """The change that an event was which takes back no other."""
    id, said = event.entry or 0, event.payload
    match event.kind:
        case "add":
            return AddEntry(said)
        case "amend":
            return AmendEntry(id, said)
        case "withdraw":
            return WithdrawEntry(id)
        case "restore":
            return RestoreEntry(id)
        case "draft":
            return KeepDraft(said)
        case "head":
            return CorrectHead(said)
        case "agree":
            return Agree(id, said["side"])
        case "object":
            return Object(id, said["side"], said["reason"], said.get("text", ""), said.get("totals"))
        case "settle":
            return WithdrawObjection(said["objection"])
        case _:
            return _read_ruling(match, event, path)


def _read_ruling(match: Match, event: Event, path: str) -> Change:
    """A ruling attached, taken off, or put back to where it stood."""
    if event.undoes is not None:
        for key in ("entry", "payload"):
            if getattr(event, key) is not None:
                raise Unreadable(f"{path}.{key}", _left_out(event), getattr(event, key))
        return DetachRuling(event.undoes)
    said: dict[str, Any] = event.payload
    taken_off = find_detached_ruling(match.events, said["id"])
    if taken_off is not None and (taken_off.entry, taken_off.payload) == (event.entry, said):
        # As it stood there, whatever else has settled the objection meanwhile.
        return AttachRuling(said, event.entry)
    facts = {key: one for key, one in said.items() if key != "objection"}
    return AttachRuling(facts, event.entry, said.get("objection"))


def _left_out(event: Event) -> Message:
    return Message("left out in an event of the kind {kind}", kind=event.kind)
