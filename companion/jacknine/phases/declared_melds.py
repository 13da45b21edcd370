"""Declared melds as entries and questions state them in JSON, read into the melds they name."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.jacknine.kinds import FourOf, LengthOf, RankOf
from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Card
from companion.rules.errors import Unreadable
from companion.rules.message import Message, SeatName
from companion.rules.schema import CardOf, ListOf, SeatOf, TrumpOf, field, join_path
from companion.rules.seats import Seat

from .melds import Four, Run, is_possible_run, read_run


@dataclass(frozen=True, slots=True)
class DeclaredRun:
    """A declared run: its cards, or its length and top card; the suit where it is known."""

    seat: Seat = field(SeatOf(), label=Message("Whose"))
    cards: tuple[Card, ...] | None = field(
        ListOf(CardOf(), 3, 13), None, label=Message("Its cards"), folded=True
    )
    length: int | None = field(LengthOf(3, 13), None, label=Message("How long"))
    top: str | None = field(RankOf(), None, label=Message("From the top card"))
    suit: str | None = field(TrumpOf(), None, label=Message("Its suit"), folded=True)


@dataclass(frozen=True, slots=True)
class DeclaredFour:
    """A declared four of a kind."""

    seat: Seat = field(SeatOf(), label=Message("Whose"))
    rank: str = field(FourOf(), label=Message("Four of which rank"))


def read_declared_run(ruleset: JackNineRuleset, declared: DeclaredRun, path: str) -> Run:
    """The run that was declared.

    :raises Unreadable: at the path, where the run is stated in no way or in both, or the cards are no run.
    """
    parts = [part for part in (declared.length, declared.top) if part is not None]
    if len(parts) != (2 if declared.cards is None else 0):
        raise Unreadable(path, Message("given by its cards, or by length and top"))
    if declared.cards is not None:
        run = read_run(ruleset, declared.seat, declared.cards)
        if run is None:
            raise Unreadable(
                join_path(path, "cards"),
                Message("at least three cards of one suit that follow each other"),
                " ".join(str(card) for card in declared.cards),
            )
        if declared.suit not in (None, run.suit):
            raise Unreadable(join_path(path, "suit"), Message("the suit of the cards"), declared.suit)
        return run
    if declared.top not in ruleset.run_order:
        expected = Message("one of {values}", values=list(ruleset.run_order))
        raise Unreadable(join_path(path, "top"), expected, declared.top)
    if not is_possible_run(ruleset, declared.length or 0, declared.top):
        expected = Message("a run that fits below its top card")
        raise Unreadable(join_path(path, "length"), expected, declared.length)
    return Run(declared.seat, declared.length or 0, declared.top, declared.suit)


def read_declared_fours(
    ruleset: JackNineRuleset, declared: Sequence[DeclaredFour], path: str
) -> tuple[Four, ...]:
    """The fours of a kind that were declared and count; those that are worth nothing here do nothing.

    :raises Unreadable: at the path, where the game has no fours, or a rank is not in the pack or named twice.
    """
    if declared and not ruleset.book.knows("fours.values"):
        raise Unreadable(path, Message("left out, as four of a kind is no meld in this game"))
    for place, four in enumerate(declared):
        if four.rank not in ruleset.ranks:
            expected = Message("one of {values}", values=list(ruleset.ranks))
            raise Unreadable(f"{path}[{place}].rank", expected, four.rank)
        if four.rank in (other.rank for other in declared[:place]):
            expected = Message("another rank, as each is named once")
            raise Unreadable(f"{path}[{place}].rank", expected, four.rank)
    return tuple(Four(four.seat, four.rank) for four in declared if four.rank in ruleset.fours)


def describe_worthless_fours(
    ruleset: JackNineRuleset, declared: Sequence[DeclaredFour], why: Message
) -> tuple[Message, tuple[str, ...]]:
    """What happened, and which declared fours count nothing at this table; the rule keys of that."""
    keys: tuple[str, ...] = ()
    for four in declared:
        if four.rank not in ruleset.fours:
            facts = {"what": why, "seat": SeatName(four.seat), "rank": four.rank}
            why = Message("{what} {seat}’s four of a kind ({rank}) counts nothing here.", **facts)
            keys = ruleset.known_keys("fours.values") or ("run.values",)
    return why, keys
