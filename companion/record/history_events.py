"""What one event of a log did, as the match stood at that time."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from companion.record.log import Event
from companion.rules.game import GameRow

Course = Literal["done", "undone", "put back"]
"""Whether an event made a change of its own, took the last one back, or brought it back again."""


@dataclass(frozen=True)
class EntryChange:
    """What an event did to an entry: `change` is the kind of what was done, undone or put back.

    `type` is that of the entry, `number` its place among the deals or hands that counted then, None for an
    entry of another type and for one that did not count. `before` and `after` are what it said (nothing
    before it was added), and `row_before` and `row_after` what that came to, None where it did not count.
    """

    event: Event
    change: str
    course: Course
    type: str
    number: int | None
    before: Mapping[str, Any] | None
    after: Mapping[str, Any]
    row_before: GameRow | None = None
    row_after: GameRow | None = None


@dataclass(frozen=True)
class HeadChange:
    """What an event corrected in the head: the whole head before and after it."""

    event: Event
    before: Mapping[str, Any]
    after: Mapping[str, Any]


@dataclass(frozen=True)
class EntryRemark:
    """An event by which somebody said something of an entry, and changed nothing.

    `type` is that of the entry, `number` its place among the deals or hands that counted then.
    """

    event: Event
    type: str
    number: int | None


@dataclass(frozen=True)
class OtherEvent:
    """An event that is about no entry: a draft, a ruling."""

    event: Event


HistoryEvent = EntryChange | HeadChange | EntryRemark | OtherEvent
