"""What stores of every kind treat as the same: ids, a form sent twice, events added twice."""

import re
from collections.abc import Sequence
from dataclasses import replace

from companion.record.log import Event

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def is_storable(*ids: str) -> bool:
    """Whether these keys can be stored in every database."""
    return _UNSTORABLE.search("".join(ids)) is None


def is_same_form(present: Event, event: Event) -> bool:
    """Whether a form that has written `present` was sent once more, with the same in it."""
    return (present.kind, present.entry, present.payload) == (event.kind, event.entry, event.payload)


def are_appended(later: Sequence[Event], events: Sequence[Event]) -> bool:
    """Whether events were added already, by a first attempt whose answer was lost.

    `later` are the log's events from the position where they were to be added.
    """
    present = later[: len(events)]
    return [replace(event, seq=0) for event in present] == [replace(event, seq=0) for event in events]
