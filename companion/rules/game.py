"""What record, sheets and pages ask of a game, whatever family it belongs to.

A family has its own states, rows and entries; whoever uses several families sees of them what stands here.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Generic, Protocol, TypeVar, cast

from .cards import Card, Orders
from .errors import Unreadable
from .message import Message
from .question import Question, answer_question, judge_facts, known_questions
from .rulebook import Convention, Rule, Rulebook, Value
from .ruling import Problem, Ruling
from .schema import SeatOf, Table
from .seats import Ring, Seat, Side
from .series import Series

Json = None | bool | int | str | Sequence["Json"] | Mapping[str, "Json"]
"""A value of JSON."""


class GameEntry(Protocol):
    """One entry of a record, as its family has read it."""

    @property
    def type(self) -> str:
        """The type of the entry: `deal`, `hand`, `adjust` …"""


@dataclass(frozen=True, slots=True)
class GameRow:
    """What one entry came to.

    `n` is its place among the entries that count, from 1, `type` that of the entry; `result` is how it ended,
    in the family's words (None: it was not played). `scored` is what each side writes, points or losses, and
    `totals` what it has after it. `rules` are the ids of the rules it went by, `why` says what happened.
    `counted` is what figures count of it beyond what is shown: a figure's name, the player (empty:
    everybody), how many.
    """

    n: int
    type: str
    entry: GameEntry
    dealer: Seat | None = None
    trump: str | None = None
    result: str | None = None
    scored: Mapping[Side, int] = field(default_factory=dict)
    totals: Mapping[Side, int] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    why: Message = Message("{what}", what="")
    counted: tuple[tuple[str, Seat, int], ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class GameRules(ABC):
    """One game with every convention chosen, for one table; opened once, and the same only as itself.

    `seated` says whether `ring` is this table's, or only the usual one. `hand` is how many cards a player
    holds when play begins. `orders` say how the cards rank, in trumps and in plain suits. `direction` is the
    way in which the seats follow each other. `options` are the game's fixed procedures and the table's
    conventions, by name.
    """

    book: Rulebook
    ring: Ring
    seated: bool = True
    hand: int
    orders: Orders
    no_trumps: bool = False
    direction: str = "clockwise"
    options: Mapping[str, Value | list[str]]

    @property
    @abstractmethod
    def pack(self) -> tuple[Card, ...]:
        """Every card of the pack."""

    @cached_property
    def table(self) -> Table:
        """What seats, cards and suits mean at this table."""
        return Table(self.ring, frozenset(self.pack), self.no_trumps)

    def has_option(self, name: str, *values: Value) -> bool:
        """Whether a named option of the game, which it may not even have, has one of these values."""
        return self.options.get(name) in values

    def holds_points(self) -> bool:
        """Whether a tie holds points for the winner of a later deal."""
        return self.has_option("tie", "hang", "carry")

    def cite(self, *keys: str) -> tuple[Rule, ...]:
        """The game's own rules for the family's keys."""
        return self.book.cite(*keys)

    def cite_one(self, key: str) -> str:
        """The id of the game's own rule for one of the family's keys."""
        return self.book.cite(key)[0].id

    def find_problem(self, n: int, place: str, key: str, reason: Message) -> Problem:
        """What cannot be right in the n-th entry, at a field (empty: all of it), by the rule of a key."""
        path = f"entries[{n - 1}]" + (f".{place}" if place else "")
        return Problem(n, path, self.cite_one(key), reason)

    def find_contradiction(self, n: int, place: str, reason: Message) -> Problem:
        """What cannot all be true in the n-th entry, at a field, whatever the rules are."""
        return Problem(n, f"entries[{n - 1}].{place}", "", reason)

    def zeros(self) -> dict[Side, int]:
        """Nothing for every side."""
        return dict.fromkeys(self.ring.sides, 0)


@dataclass(frozen=True, slots=True)
class GameState:
    """A game as it stands.

    `names` are the players by seat, `totals` what each side has. `next_dealer` is None while nobody knows who
    deals next. `status` is `playing`, or how it ended: `finished`, `abandoned`, `closed`; `ended_by` says
    what ended it, `winner` the side that has won, in a game that has winners. `problems` are what cannot be
    right, in the order of the entries. `rulebook` is the version of the rules it was begun by, where that may
    be an earlier one.
    """

    ruleset: GameRules
    names: Mapping[Seat, str]
    totals: Mapping[Side, int]
    next_dealer: Seat | None
    status: str = "playing"
    ended_by: str | None = None
    winner: Side | None = None
    rows: Sequence[GameRow] = Series()
    problems: Series[Problem] = Series()
    rulebook: str | None = None

    @property
    def ring(self) -> Ring:
        """The seats of the table."""
        return self.ruleset.ring

    @property
    def losers(self) -> tuple[Side, ...]:
        """The sides that have lost most so far, in a game that has losers."""
        return ()

    @property
    def gains(self) -> Mapping[str, Mapping[Side, int]]:
        """What money can be put on, by its kind: how many each side gains, in all nothing."""
        return {}

    def pay_each_other(self, won: Mapping[Side, int]) -> dict[Side, int]:
        """What each side gains where every other pays it for what it has won more than that."""
        sides, total = self.ring.sides, sum(won.values())
        return {side: won.get(side, 0) * len(sides) - total for side in sides}


StateT = TypeVar("StateT", bound=GameState)
EntryT = TypeVar("EntryT", bound=GameEntry)


@dataclass(frozen=True, slots=True)
class Family(ABC, Generic[StateT, EntryT]):
    """A game of one family under one rule set: entries are read, folded into a state, and ruled upon."""

    ruleset: GameRules

    counted_entry: ClassVar[str]
    """The type of the entries that the table counts: deals, hands."""
    later_facts: ClassVar[frozenset[str]] = frozenset()
    """The keys of facts that may be added to an entry later without counting as a correction."""
    family_questions: ClassVar[Mapping[str, Question]]
    """All questions of the family, by name."""
    entry_shapes: ClassVar[Mapping[str, type]]
    """The shapes of the family's entries, by their types."""

    @property
    def questions(self) -> Mapping[str, Question]:
        """The questions that this game can answer, by name."""
        return known_questions(self.family_questions, self.ruleset)

    @property
    @abstractmethod
    def entries(self) -> tuple[str, ...]:
        """The types of entries that can be written at this table."""

    @abstractmethod
    def irrelevant_facts(self, question: str) -> frozenset[str]:
        """The keys of facts by which no answer to a question can change, so that nobody need be asked."""

    def find_notes(self, question: str) -> Mapping[str, Message]:
        """Notes for this table on the facts of a question, by their keys."""
        return {}

    @property
    def exact(self) -> frozenset[str]:
        """The keys of numbers of which each makes a difference in this game, though usually few do."""
        return frozenset()

    @property
    def unseated(self) -> frozenset[str]:
        """The questions for which nobody has to count the players."""
        return frozenset(self.questions)

    @property
    def draws_for_deal(self) -> bool:
        """Whether cards are drawn for the first deal; else it is left to the lot, or to anybody."""
        return False

    def first_dealer(self, drawn: Mapping[Seat, Card]) -> Seat | None:
        """Who deals first by the cards drawn for it; None when they must be drawn again."""
        return None

    @abstractmethod
    def read(self, entry: object, path: str) -> EntryT:
        """One entry from JSON. :raises Unreadable: if it has not the shape of an entry."""

    @abstractmethod
    def start(self, head: Mapping[str, object]) -> StateT:
        """The state before the first entry. :raises Unreadable: if players or dealer do not fit."""

    def read_head(self, head: Mapping[str, object]) -> tuple[dict[Seat, str], Seat | None]:
        """The players by seat and the first dealer of a record. :raises Unreadable: if they do not fit."""
        ring, names = self.ruleset.ring, cast(Sequence[str], head["players"])
        if len(names) != ring.size or not self.ruleset.seated:
            raise Unreadable("players", Message("{count} names", count=ring.size), len(names))
        dealer = head.get("first_dealer")
        if dealer is not None:
            dealer = SeatOf().read(dealer, "first_dealer", self.ruleset.table)
        return dict(zip(ring.seats, names, strict=True)), dealer

    @abstractmethod
    def apply(self, state: StateT, entry: EntryT) -> StateT:
        """The state after one more entry. Never raises: what is wrong is in the state's problems."""

    @abstractmethod
    def show(self, state: StateT) -> dict[str, Json]:
        """The state as JSON values."""

    def show_replay(self, state: StateT, n: int, most: int | None = None) -> dict[str, Json] | None:
        """The n-th entry, card by card, as JSON values; None where it was not recorded so.

        `most` plays are tried to find what cards cost.
        """
        return None

    def judge(self, question: str, facts: object) -> Ruling:
        """The answer to the question of this name, its facts parsed already.

        :raises Unreadable: if the game does not know the question, or the facts contradict each other.
        """
        return judge_facts(self.family_questions, self.ruleset, question, facts)

    def rule(self, request: Mapping[str, object]) -> Ruling:
        """The answer to one question. :raises Unreadable: if the question cannot be understood."""
        return answer_question(self.family_questions, self.ruleset, request)


AnyFamily = Family[GameState, GameEntry]
"""A game whose family nobody asks for: its states and entries only ever go back to it."""


class PlayedGame(Protocol):
    """A game as it is played at one table: every convention chosen."""

    @property
    def family(self) -> AnyFamily:
        """The game of its family, under these conventions."""

    @property
    def book(self) -> Rulebook:
        """The game's rulebook."""

    @property
    def preset(self) -> str:
        """The preset it is played by."""

    @property
    def conventions(self) -> Mapping[str, Value]:
        """The value of every convention."""

    @property
    def players(self) -> int | None:
        """How many play, where the game leaves that open and it is known."""

    @property
    def agreed(self) -> tuple[str, str, dict[str, Value], int | None, str]:
        """What it is opened by again: name, preset, conventions, players, flat copy of a host's game."""

    @property
    def pinned(self) -> dict[str, str]:
        """The key of a record's head that keeps a host's game as it is; none of ours."""

    def deviations(self) -> Sequence[tuple[Convention, Value]]:
        """The conventions that differ from the preset, with their values."""
