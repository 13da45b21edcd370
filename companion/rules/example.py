"""An example for a rule: a situation at one table, and what its rules say of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from .game import CountLine
from .message import Message
from .seats import Seat, Side


@dataclass(frozen=True, slots=True)
class ShownCards:
    """Cards that lie together, and the player whose they are, if that matters."""

    cards: tuple[str, ...]
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """An example for the rule of this id; `why` are the sentences that judge or settle it.

    `begins` says how it begins, if it needs a word; `shown` are the cards to look at, `said` the calls in
    turn. Of a deal that is scored, `parts` are what was counted, `made` the sums, and `scored` the points
    that each side writes.
    """

    rule: str
    why: tuple[Message, ...]
    begins: Message | None = None
    shown: tuple[ShownCards, ...] = ()
    said: tuple[tuple[Seat, Message], ...] = ()
    parts: tuple[CountLine, ...] = ()
    made: Mapping[Side, int] = field(default_factory=dict)
    scored: Mapping[Side, int] = field(default_factory=dict)
