"""What record, sheets and pages ask of a game, whatever family it belongs to.

A family has its own states, rows and entries; whoever uses several families sees of them what stands here.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from .cards import Card, Orders
from .message import Message
from .question import Question
from .rulebook import Convention, Rule, Rulebook, Value
from .ruling import Problem, Ruling
from .schema import Table
from .seats import Ring, Seat, Side

Json = None | bool | int | str | Sequence["Json"] | Mapping[str, "Json"]
"""A value of JSON."""


class GameEntry(Protocol):
    """One entry of a record, as its family has read it."""

    @property
    def type(self) -> str:
        """The type of the entry: `deal`, `hand`, `adjust` …"""


class GameRow(Protocol):
    """What one entry came to."""

    @property
    def n(self) -> int:
        """Its place among the entries that count, from 1."""

    @property
    def type(self) -> str:
        """The type of the entry."""

    @property
    def entry(self) -> GameEntry:
        """The entry itself."""

    @property
    def dealer(self) -> Seat | None:
        """Who dealt."""

    @property
    def trump(self) -> str | None:
        """The trump suit."""

    @property
    def result(self) -> str | None:
        """How it ended, in the family's words; None for an entry that was not played."""

    @property
    def scored(self) -> Mapping[Side, int]:
        """What each side writes: points, or losses."""

    @property
    def totals(self) -> Mapping[Side, int]:
        """What each side has after it."""

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules it went by."""

    @property
    def why(self) -> Message:
        """What happened, in a sentence."""


class GameRules(Protocol):
    """The rule set that a game is played by at one table."""

    @property
    def book(self) -> Rulebook:
        """The game's rulebook."""

    @property
    def ring(self) -> Ring:
        """The seats of the table."""

    @property
    def table(self) -> Table:
        """What seats, cards and suits mean at this table."""

    @property
    def pack(self) -> tuple[Card, ...]:
        """Every card of the pack."""

    @property
    def orders(self) -> Orders:
        """How the cards rank, in trumps and in plain suits."""

    @property
    def hand(self) -> int:
        """How many cards a player holds when play begins."""

    def has_option(self, name: str, *values: Value) -> bool:
        """Whether a named option of the game, which it may not even have, has one of these values."""

    def cite(self, *keys: str) -> tuple[Rule, ...]:
        """The game's own rules for the family's keys."""

    def cite_one(self, key: str) -> str:
        """The id of the game's own rule for one of the family's keys."""


class GameState(Protocol):
    """A game as it stands."""

    @property
    def ruleset(self) -> GameRules:
        """The rule set it is played by."""

    @property
    def ring(self) -> Ring:
        """The seats of the table."""

    @property
    def names(self) -> Mapping[Seat, str]:
        """The players by seat."""

    @property
    def totals(self) -> Mapping[Side, int]:
        """What each side has."""

    @property
    def next_dealer(self) -> Seat | None:
        """Who deals next; None while that has to be said."""

    @property
    def status(self) -> str:
        """`playing`, or how it ended: `finished`, `abandoned`, `closed`."""

    @property
    def ended_by(self) -> str | None:
        """What ended it."""

    @property
    def winner(self) -> Side | None:
        """The side that has won, in a game that has winners."""

    @property
    def losers(self) -> tuple[Side, ...]:
        """The sides that have lost most so far, in a game that has losers."""

    @property
    def rows(self) -> Sequence[GameRow]:
        """What every entry came to."""

    @property
    def problems(self) -> Sequence[Problem]:
        """What cannot be right, in the order of the entries."""


StateT = TypeVar("StateT", bound=GameState)
EntryT = TypeVar("EntryT", bound=GameEntry)


class Family(Protocol[StateT, EntryT]):
    """A game of one family under one rule set: entries are read, folded into a state, and ruled upon."""

    @property
    def ruleset(self) -> GameRules:
        """The rule set it is played by."""

    @property
    def counted_entry(self) -> str:
        """The type of the entries that the table counts: deals, hands."""

    @property
    def entries(self) -> tuple[str, ...]:
        """The types of entries that can be written at this table."""

    @property
    def later_facts(self) -> frozenset[str]:
        """The keys of facts that may be added to an entry later without counting as a correction."""

    @property
    def questions(self) -> Mapping[str, Question]:
        """The questions that this game can answer, by name."""

    def irrelevant_facts(self, question: str) -> frozenset[str]:
        """The keys of facts by which no answer to a question can change, so that nobody need be asked."""

    def find_notes(self, question: str) -> Mapping[str, Message]:
        """Notes for this table on the facts of a question, by their keys."""

    @property
    def exact(self) -> frozenset[str]:
        """The keys of numbers of which each makes a difference in this game, though usually few do."""

    @property
    def unseated(self) -> frozenset[str]:
        """The questions for which nobody has to count the players."""

    @property
    def draws_for_deal(self) -> bool:
        """Whether cards are drawn for the first deal; else it is left to the lot, or to anybody."""

    def first_dealer(self, drawn: Mapping[Seat, Card]) -> Seat | None:
        """Who deals first by the cards drawn for it; None when they must be drawn again."""

    def read(self, entry: object, path: str) -> EntryT:
        """One entry from JSON. :raises Unreadable: if it has not the shape of an entry."""

    def start(self, head: Mapping[str, object]) -> StateT:
        """The state before the first entry. :raises Unreadable: if players or dealer do not fit."""

    def apply(self, state: StateT, entry: EntryT) -> StateT:
        """The state after one more entry. Never raises: what is wrong is in the state's problems."""

    def show(self, state: StateT) -> dict[str, Json]:
        """The state as JSON values."""

    def judge(self, question: str, facts: object) -> Ruling:
        """The answer to the question of this name, its facts parsed already.

        :raises Unreadable: if the game does not know the question, or the facts contradict each other.
        """

    def rule(self, request: Mapping[str, object]) -> Ruling:
        """The answer to one question. :raises Unreadable: if the question cannot be understood."""


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

    def deviations(self) -> Sequence[tuple[Convention, Value]]:
        """The conventions that differ from the preset, with their values."""
