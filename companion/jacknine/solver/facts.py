"""The stated cards and counts of a deal: in a question, in an entry of a record, in one hypothesis."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.jacknine.entries import Belas, Trickless, collect_seats, collect_sides
from companion.jacknine.phases.count import POINTS, CardCount
from companion.jacknine.phases.melds import FOURS, RUNS, DeclaredFour, DeclaredRun
from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Card
from companion.rules.message import Message, Word
from companion.rules.schema import (
    CardOf,
    Integer,
    ListOf,
    Nested,
    Nullable,
    SeatOf,
    SideOf,
    TrumpOf,
    by_side,
    field,
)
from companion.rules.seats import Seat, Side


class SearchLimit(Exception):
    """A search was broken off: nothing is found, and nothing is ruled out."""


@dataclass(slots=True)
class Effort:
    """The steps that may still be tried; several searches can share one."""

    left: int

    def spend(self, steps: int = 1) -> None:
        """Count steps as spent. :raises SearchLimit: if more are spent than allowed."""
        self.left -= steps
        if self.left < 0:
            raise SearchLimit


TRUMP = Message("Trumps")
LAST = Message("Took the last trick")
UNKNOWN = "unknown"
"""The value of a fact that nobody has stated; null states that there is no such thing."""


@dataclass(frozen=True, slots=True)
class CountFacts:
    """The facts of the question whether counts are possible, `made` or `count` among them."""

    made: Mapping[Side, int] | None = field(by_side(POINTS), None, label=Message("Made, words and all"))
    count: CardCount | None = field(Nested(CardCount), None, label=Message("Or as it was counted"))
    trump: str | None = field(TrumpOf(), None, label=TRUMP, folded=True)
    out: tuple[Card, ...] = field(
        ListOf(CardOf(), 0, 14), (), label=Message("Known to be out of play"), folded=True
    )
    runs: tuple[DeclaredRun, ...] | None = field(
        RUNS, None, label=Message("Runs contained in it"), folded=True
    )
    fours: tuple[DeclaredFour, ...] | None = field(
        FOURS, None, label=Message("Fours of a kind contained in it"), folded=True
    )
    bela: Seat | tuple[Seat, ...] | None = field(
        Nullable(Belas()), UNKNOWN, label=Message("{word} contained in it", word=Word("bela")), folded=True
    )
    last: Side | None = field(SideOf(), None, label=LAST, folded=True)
    tricks: Mapping[Side, int] | None = field(
        by_side(Integer(0, 10), whole=False), None, label=Message("Tricks taken"), folded=True
    )
    trickless: Side | tuple[Side, ...] | None = field(
        Trickless(), (), label=Message("Took no trick"), folded=True
    )
    exchanged: Seat | None = field(
        Nullable(SeatOf()), UNKNOWN, label=Message("Who swapped the seven"), folded=True
    )
    turn_up: Card | None = field(CardOf(), None, label=Message("The turned card"), folded=True)
    shown: Card | None = field(CardOf(), None, label=Message("The other face-up card"), folded=True)
    taken: Mapping[Side, tuple[Card, ...]] | None = field(
        by_side(ListOf(CardOf(), 0, 32), whole=False),
        None,
        label=Message("Known to be in the tricks of"),
        folded=True,
    )

    @property
    def belas(self) -> tuple[Seat, ...]:
        """The seats known to have declared bela, one for each pair."""
        return () if self.bela == UNKNOWN else collect_seats(self.bela)

    @property
    def known_tricks(self) -> Mapping[Side, int] | None:
        """The tricks by side, as far as they are known: none for a side that took none."""
        if not self.trickless:
            return self.tricks
        return {**(self.tricks or {}), **dict.fromkeys(sorted(collect_sides(self.trickless)), 0)}


def knows_melds(ruleset: JackNineRuleset, facts: CountFacts) -> bool:
    """True if all melds of a deal are stated: its runs, and its fours where the game has them."""
    if not ruleset.run_points and not ruleset.fours:
        return True
    return facts.runs is not None and (facts.fours is not None or not ruleset.fours)


@dataclass(frozen=True, slots=True)
class FaceUpCards:
    """The turned card, the other one that lay face up, and the seat that swapped the seven (None: nobody)."""

    turn_up: Card | None
    shown: Card | None
    exchanged: Seat | None


@dataclass(frozen=True, slots=True)
class RecordedFacts:
    """The facts about cards in an entry of a record, counts left out.

    `honours` are jass and nine with the side whose tricks hold them (None: out of play), empty if nobody
    says; `last` is the side of the last trick, if that is known; `seen` are the cards that lay face up.
    """

    trump: str
    last: Side | None
    honours: frozenset[tuple[Card, Side | None]]
    seen: FaceUpCards


@dataclass(frozen=True, slots=True)
class DealFacts:
    """One hypothesis about a deal: the facts that it must fit.

    `points` are by side and count cards and honours, the last trick and all melds taken off; None if any
    points fit. `pinned` maps cards to the side whose tricks hold them, `hands` to the seat that was dealt
    them; `tricks` are the tricks of each side (None: unknown); `out` are cards out of play. `takers` took a
    trick at least. `melds` is the source of the counted melds: `known` from the stated facts, an `example` of
    what they could be, or `assumed`: points of any cards; then no deal can be proof.
    """

    trump: str
    last: Side
    points: tuple[int, ...] | None = None
    tricks: tuple[int | None, ...] | None = None
    out: frozenset[Card] = frozenset()
    pinned: frozenset[tuple[Card, Side]] = frozenset()
    hands: frozenset[tuple[Card, Seat]] = frozenset()
    takers: frozenset[Side] = frozenset()
    melds: str = "known"
