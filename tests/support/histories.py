"""What logs and records come to, found out the plainest way."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from companion.record.log import CHANGES, Event, follow_change
from companion.record.record import Record


def last_draft(events: Iterable[Event]) -> Any:
    """The deal in progress, or None: the last draft, unless an entry was added since."""
    draft = None
    for event in events:
        if event.kind == "draft":
            draft = event.payload
        elif event.kind == "add":
            draft = None
    return draft


def undone_changes(events: Iterable[Event]) -> frozenset[int]:
    """The numbers of the changes of entries that do not hold: undone, and not put back since."""
    holding: list[Event] = []
    undone: list[tuple[Event, Event]] = []
    changes = [event for event in events if event.kind in CHANGES]
    for event in changes:
        follow_change(event, holding, undone)
    return frozenset(event.seq for event in changes if not event.undoes and event not in holding)


def withdraw_entry(record: Record, n: int) -> Record:
    """The record without its n-th entry, counted from 1, and without the remarks on it."""
    remarks = tuple(
        replace(remark, entry=remark.entry - 1) if remark.entry > n else remark
        for remark in record.remarks
        if remark.entry != n
    )
    return replace(record, entries=record.entries[: n - 1] + record.entries[n:], remarks=remarks)
