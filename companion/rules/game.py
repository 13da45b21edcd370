"""The interface of all games, whatever their family, for record, sheets and pages.

A family has its own states, rows and entries; code that serves several families uses only this interface.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Generic, Protocol, TypeVar, cast

from .cards import Card, Orders
from .conditions import Value
from .errors import Unreadable
from .message import Message
from .question import Question, answer_question, judge_facts, known_questions
from .rulebook import Convention, Rule, Rulebook
from .ruling import Problem, Ruling
from .schema import SeatOf, Table
from .seats import Ring, Seat, Side
from .series import Series

Json = None | bool | int | str | Sequence["Json"] | Mapping[str, "Json"]
"""A value of JSON."""


class GameEntry(Protocol):
    """One entry of a record, as its family has parsed it."""

    @property
    def type(self) -> str:
        """The type of the entry: `deal`, `hand`, `adjust` …"""


@dataclass(frozen=True, slots=True)
class CountLine:
    """One line of a count: the side, the key of the game's word for it, the points, a run's top card."""

    side: Side
    word: str
    points: int
    detail: Message | None = None


@dataclass(frozen=True, slots=True)
class GameRow:
    """The result of one entry.

    `n` is its number among the entries that count, from 1, `type` the entry's type; `result` its outcome in
    the family's words (None: not played). `scored` is each side's score for it, points or losses, and
    `totals` the score after it. `rules` are the ids of the rules applied, `why` says what happened. `counted`
    has further counts for figures: a figure's name, the player (empty: everybody), the number.
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
    """One game with every convention chosen, for one table; opened once, equal only to itself.

    `seated` is true if `ring` is this table's, not only the usual one. `hand` is the number of cards a player
    holds when play begins. `orders` say how the cards rank, in trumps and in plain suits. `direction` is the
    direction of play. `no_trumps` and `all_trumps` can be chosen instead of a trump suit. `options` are the
    game's fixed procedures and the table's conventions, by name.
    """

    book: Rulebook
    ring: Ring
    seated: bool = True
    hand: int
    orders: Orders
    no_trumps: bool = False
    all_trumps: bool = False
    direction: str = "clockwise"
    options: Mapping[str, Value | list[str]]

    @property
    @abstractmethod
    def pack(self) -> tuple[Card, ...]:
        """Every card of the pack."""

    @cached_property
    def table(self) -> Table:
        """The table by which seats, cards and suits are parsed."""
        return Table(self.ring, frozenset(self.pack), self.no_trumps, self.all_trumps)

    def has_option(self, name: str, *values: Value) -> bool:
        """True if a named option has one of these values; false if the game lacks the option."""
        return self.options.get(name) in values

    def holds_points(self) -> bool:
        """True if a tie holds points for the winner of a later deal."""
        return self.has_option("tie", "hang", "carry")

    def cite(self, *keys: str) -> tuple[Rule, ...]:
        """The game's own rules for the family's keys."""
        return self.book.cite(*keys)

    def cite_one(self, key: str) -> str:
        """The id of the game's own rule for one of the family's keys."""
        return self.book.cite(key)[0].id

    def find_problem(self, n: int, field: str, key: str, reason: Message) -> Problem:
        """A problem with the n-th entry, at a field (empty: all of it), by the rule of a key."""
        path = f"entries[{n - 1}]" + (f".{field}" if field else "")
        return Problem(n, path, self.cite_one(key), reason)

    def find_contradiction(self, n: int, field: str, reason: Message) -> Problem:
        """A contradiction between facts of the n-th entry, at a field, whatever the rules are."""
        return Problem(n, f"entries[{n - 1}].{field}", "", reason)

    def zeros(self) -> dict[Side, int]:
        """Zero for every side."""
        return dict.fromkeys(self.ring.sides, 0)


@dataclass(frozen=True, slots=True)
class GameState:
    """The state of a game after some entries.

    `names` are the players by seat, `totals` the score of each side. `next_dealer` is None while unknown.
    `status` is `playing`, `finished`, `abandoned` or `closed`; `ended_by` says what ended it, `winner` is the
    winning side in a game that has winners. `problems` are in the order of the entries. `rulebook` is the
    version of the rules at the beginning, if that may be an earlier one.
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
        """The gains on which money can be put, by kind: a number for each side, zero in sum."""
        return {}

    def pay_each_other(self, won: Mapping[Side, int]) -> dict[Side, int]:
        """The gain of each side if every other pays it the difference of what they have won."""
        sides, total = self.ring.sides, sum(won.values())
        return {side: won.get(side, 0) * len(sides) - total for side in sides}


StateT = TypeVar("StateT", bound=GameState)
EntryT = TypeVar("EntryT", bound=GameEntry)


@dataclass(frozen=True, slots=True)
class Family(ABC, Generic[StateT, EntryT]):
    """A game of one family under one rule set: entries are read, folded into a state, and ruled upon."""

    ruleset: GameRules

    counted_entry: ClassVar[str]
    """The type of the entries that the table counts: deals or hands."""
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
        """The keys of facts that cannot change any answer to a question, so that nobody need be asked."""

    def find_notes(self, question: str) -> Mapping[str, Message]:
        """Notes for this table on the facts of a question, by their keys."""
        return {}

    @property
    def exact(self) -> frozenset[str]:
        """The keys of numbers of which every value makes a difference in this game, though usually few do."""
        return frozenset()

    @property
    def unseated(self) -> frozenset[str]:
        """The questions that do not depend on the number of players."""
        return frozenset(self.questions)

    @property
    def draws_for_deal(self) -> bool:
        """True if cards are drawn for the first deal; otherwise lots decide, or anybody deals."""
        return False

    def first_dealer(self, drawn: Mapping[Seat, Card]) -> Seat | None:
        """The first dealer by the cards drawn; None when they must be drawn again."""
        return None

    @abstractmethod
    def read(self, entry: object, path: str) -> EntryT:
        """Parse one entry from JSON. :raises Unreadable: if it has not the shape of an entry."""

    @abstractmethod
    def start(self, head: Mapping[str, object]) -> StateT:
        """The state before the first entry. :raises Unreadable: if players or dealer do not fit."""

    def read_head(self, head: Mapping[str, object]) -> tuple[dict[Seat, str], Seat | None]:
        """Parse a record's players by seat and first dealer. :raises Unreadable: if they do not fit."""
        ring, names = self.ruleset.ring, cast(Sequence[str], head["players"])
        if len(names) != ring.size or not self.ruleset.seated:
            raise Unreadable("players", Message("{count} names", count=ring.size), len(names))
        dealer = head.get("first_dealer")
        if dealer is not None:
            dealer = SeatOf().read(dealer, "first_dealer", self.ruleset.table)
        return dict(zip(ring.seats, names, strict=True)), dealer

    @abstractmethod
    def apply(self, state: StateT, entry: EntryT) -> StateT:
        """The state after one more entry. Never raises: problems are collected in the state."""

    @abstractmethod
    def show(self, state: StateT) -> dict[str, Json]:
        """The state as JSON values."""

    def show_replay(self, state: StateT, n: int, most: int | None = None) -> dict[str, Json] | None:
        """The n-th entry, card by card, as JSON values; None if its cards were not recorded.

        At most `most` plays are tried to find what cards cost.
        """
        return None

    def judge(self, question: str, facts: object) -> Ruling:
        """Answer the question of this name, its facts already parsed.

        :raises Unreadable: if the game does not know the question, or the facts contradict each other.
        """
        return judge_facts(self.family_questions, self.ruleset, question, facts)

    def rule(self, request: Mapping[str, object]) -> Ruling:
        """Answer one question. :raises Unreadable: if the question cannot be understood."""
        return answer_question(self.family_questions, self.ruleset, request)


AnyFamily = Family[GameState, GameEntry]
"""A game of any family: its states and entries are only handed back to it."""


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
        """The number of players, if the game leaves it open and it is known."""

    @property
    def agreed(self) -> tuple[str, str, dict[str, Value], int | None, str]:
        """The arguments to open it again: name, preset, conventions, players, flat copy of a host's game."""

    @property
    def pinned(self) -> dict[str, str]:
        """The keys of a record's head that preserve a host's game unchanged; empty for our own games."""

    def deviations(self) -> Sequence[tuple[Convention, Value]]:
        """The conventions that differ from the preset, with their values."""
