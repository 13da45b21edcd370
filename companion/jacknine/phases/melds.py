"""Melds, runs and fours of a kind: those in a hand, their worth, and their rank."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.cards import Card, Suit
from companion.rules.errors import Contradiction, Unreadable
from companion.rules.message import Message, SeatName, Word
from companion.rules.schema import (
    CardOf,
    Integer,
    ListOf,
    Nested,
    SeatOf,
    Table,
    Text,
    TrumpOf,
    field,
    join_path,
)
from companion.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Run:
    """A declared run: `length` cards from the rank `top` down; the suit if it is known."""

    seat: Seat
    length: int
    top: str
    suit: str | None = None

    def to_entry(self) -> dict[str, int | str]:
        """The run as an entry states it."""
        suit = {} if self.suit is None else {"suit": str(self.suit)}
        return {"seat": self.seat, "length": self.length, "top": self.top, **suit}

    def cards(self, ruleset: JackNineRuleset) -> tuple[Card, ...]:
        """The cards of the run, highest first; empty while its suit is unknown."""
        if self.suit is None:
            return ()
        start = ruleset.run_order.index(self.top)
        return tuple(Card(rank, Suit(self.suit)) for rank in ruleset.run_order[start : start + self.length])


@dataclass(frozen=True, slots=True)
class Four:
    """Four of a kind."""

    seat: Seat
    rank: str

    def to_entry(self) -> dict[str, int | str]:
        """The four as an entry states it."""
        return {"seat": self.seat, "rank": self.rank}

    def cards(self, ruleset: JackNineRuleset) -> tuple[Card, ...]:
        """The four cards."""
        return tuple(Card(self.rank, suit) for suit in Suit)


Meld = Run | Four


@dataclass(frozen=True, slots=True)
class MeldPiece:
    """A unit of scoring and comparison: a four, or a run no longer than the longest that has a value.

    `points` are its score, `length` counts cards, `top` is the highest rank.
    """

    meld: Meld
    points: int
    length: int
    top: str

    @property
    def word(self) -> str:
        """The key of the game's word for it: `four`, `run3`, `run4`, ..."""
        return "four" if isinstance(self.meld, Four) else f"run{self.length}"


def read_run(ruleset: JackNineRuleset, seat: Seat, cards: Sequence[Card]) -> Run | None:
    """Read a run from its cards, named in any order; None if they are no run."""
    ranks = sorted((card.rank for card in cards), key=ruleset.run_order.index)
    if not cards or len({card.suit for card in cards}) > 1 or len(set(ranks)) < len(ranks):
        return None
    run = Run(seat, len(ranks), ranks[0], cards[0].suit)
    unbroken = tuple(card.rank for card in run.cards(ruleset)) == tuple(ranks)
    return run if unbroken and is_possible_run(ruleset, run.length, run.top) else None


def is_possible_run(ruleset: JackNineRuleset, length: int, top: str) -> bool:
    """True if a hand can hold a run of so many cards from this rank down."""
    room = len(ruleset.run_order) - ruleset.run_order.index(top)
    return min(ruleset.run_points, default=3) <= length <= min(room, ruleset.hand)


def split_meld(ruleset: JackNineRuleset, meld: Meld) -> tuple[MeldPiece, ...]:
    """Split a meld into the pieces in which it is scored and compared, the highest first.

    A run longer than the game has a value for is split by the option `run_split`. Rule keys: `run.disjoint`,
    `run.values`, `fours.values`.
    """
    if isinstance(meld, Four):
        return (MeldPiece(meld, ruleset.fours[meld.rank], len(Suit), meld.rank),)
    if not ruleset.run_points:
        return (MeldPiece(meld, 0, meld.length, meld.top),)
    start, pieces = ruleset.run_order.index(meld.top), []
    for length in _split_length(ruleset, meld.length):
        pieces.append(MeldPiece(meld, ruleset.run_points[length], length, ruleset.run_order[start]))
        start += length
    return tuple(pieces)


def _split_length(ruleset: JackNineRuleset, length: int) -> list[int]:
    """List the lengths of the pieces of a run, from its top down; cards left over count nothing."""
    longest, shortest = max(ruleset.run_points), min(ruleset.run_points)
    if ruleset["run_split"] != "best":
        return [min(length, longest)]
    lengths = []
    while length >= shortest:
        lengths.append(min(length, longest))
        length -= lengths[-1]
    return lengths


def is_belot(ruleset: JackNineRuleset, meld: Meld, trump: str) -> bool | None:
    """True if a meld wins the match at once, all cards of a suit; None if its unknown suit decides.

    Rule key: `meld.belot`.
    """
    if not isinstance(meld, Run) or meld.length < len(ruleset.run_order):
        return False
    match ruleset["belot"]:
        case "off":
            return False
        case "any-suit":
            return True
        case "trumps":
            return None if meld.suit is None else meld.suit == trump
        case unknown:
            raise UnknownOption(unknown)


def value_meld(ruleset: JackNineRuleset, meld: Meld) -> int:
    """The points of a meld that stands."""
    return sum(piece.points for piece in split_meld(ruleset, meld))


def find_melds(ruleset: JackNineRuleset, seat: Seat, hand: Sequence[Card]) -> tuple[Meld, ...]:
    """Find the melds of a hand as its holder would declare them, the highest first.

    A long run is one declaration, or several if the game has its pieces declared apart. If no card may stand
    in two melds, the melds are those worth most together.
    """
    fours = [Four(seat, rank) for rank in ruleset.fours if all(Card(rank, suit) in hand for suit in Suit)]
    if ruleset["meld_cards"] == "shared" or not fours:
        return _list_melds(ruleset, seat, hand, fours)
    ways = []
    # At equal worth the fours.
    for chosen in (chosen for count in range(len(fours), -1, -1) for chosen in combinations(fours, count)):
        used = {card for four in chosen for card in four.cards(ruleset)}
        ways.append(_list_melds(ruleset, seat, [card for card in hand if card not in used], chosen))
    return max(ways, key=lambda way: sum(value_meld(ruleset, meld) for meld in way))


def _list_melds(
    ruleset: JackNineRuleset, seat: Seat, hand: Sequence[Card], fours: Sequence[Four]
) -> tuple[Meld, ...]:
    """List these fours, and the runs of a hand, the highest first."""
    melds: list[Meld] = [*fours]
    if not ruleset.run_points:
        return ()
    in_pieces, whole = ruleset["run_split"] == "pieces", ruleset["meld_rank"] == "whole-length"
    shortest, longest = min(ruleset.run_points), max(ruleset.run_points)
    for suit in Suit:
        ranks = [rank for rank in ruleset.run_order if Card(rank, suit) in hand]
        for sequence in _split_into_sequences(ruleset, ranks):
            while len(sequence) >= shortest:
                length = min(len(sequence), longest) if in_pieces else len(sequence)
                if (
                    whole and len(sequence) - length < shortest
                ):  # the rest is no run, and makes this one higher
                    length = len(sequence)
                melds.append(Run(seat, length, sequence[0], suit))
                sequence = sequence[length:]
    return tuple(sorted(melds, key=lambda meld: rank_meld(ruleset, meld), reverse=True))


def _split_into_sequences(ruleset: JackNineRuleset, ranks: Sequence[str]) -> list[list[str]]:
    """Split ranks of one suit, highest first, into unbroken sequences."""
    sequences: list[list[str]] = []
    for rank in ranks:
        if sequences and ruleset.run_height(sequences[-1][-1]) - ruleset.run_height(rank) == 1:
            sequences[-1].append(rank)
        else:
            sequences.append([rank])
    return sequences


def find_run_around(ruleset: JackNineRuleset, seat: Seat, hand: Sequence[Card], card: Card) -> Run | None:
    """Find the longest run of a hand that holds a card; None without one."""
    ranks = [rank for rank in ruleset.run_order if Card(rank, card.suit) in hand]
    for sequence in _split_into_sequences(ruleset, ranks):
        if card.rank in sequence and len(sequence) >= min(ruleset.run_points, default=3):
            return Run(seat, len(sequence), sequence[0], card.suit)
    return None


def find_overlap(ruleset: JackNineRuleset, melds: Sequence[Meld]) -> tuple[Meld, Meld, Card] | None:
    """Find two melds that exclude each other, and a card that both need; None if no two do.

    Runs must not share a card, nor must melds of different hands; a run and a four of one hand may, if
    `meld_cards` is `shared`. Rule key: `run.disjoint`.
    """
    for meld, other in combinations(melds, 2):
        of_two_kinds = meld.seat == other.seat and isinstance(meld, Four) != isinstance(other, Four)
        may_share = of_two_kinds and ruleset["meld_cards"] == "shared"
        shared = set(meld.cards(ruleset)) & set(other.cards(ruleset))
        if shared and not may_share:
            return meld, other, min(shared, key=str)
    return None


def find_card_in_two_hands(ruleset: JackNineRuleset, melds: Sequence[Meld]) -> tuple[Card, Seat, Seat] | None:
    """Find a card that stands in melds of two hands, with their seats; None if no card does."""
    for meld, other in combinations(melds, 2):
        shared = set(meld.cards(ruleset)) & set(other.cards(ruleset))
        if meld.seat != other.seat and shared:
            first, second = sorted((meld.seat, other.seat))
            return min(shared, key=str), first, second
    return None


def explain_two_hands(card: Card, first: Seat, second: Seat) -> Message:
    """Say that a card cannot have been in two hands."""
    names = {"first": SeatName(first), "second": SeatName(second)}
    return Message("{card} is told in two hands: {first} and {second}.", card=card, **names)


def refuse_shared_cards(
    ruleset: JackNineRuleset, melds: Sequence[Meld], worthless: Sequence[Four], path: str
) -> None:
    """Refuse a card in melds of two hands and, unless the game sets melds aside, in two of one hand.

    `worthless` are fours that count nothing, but are in a hand all the same.

    :raises Unreadable: at the path.
    """
    twice = find_card_in_two_hands(ruleset, [*melds, *worthless])
    if twice:
        raise Contradiction(path, explain_two_hands(*twice))
    overlap = None if ruleset.book.knows("meld.set-aside") else find_overlap(ruleset, melds)
    if overlap:
        raise Unreadable(path, Message("runs that share no card"), str(overlap[2]))


def resolve_overlaps(
    ruleset: JackNineRuleset, melds: Sequence[Meld]
) -> tuple[tuple[Meld, ...], tuple[Meld, ...]]:
    """Sort the melds into those that count, and those set aside for sharing a card with them.

    The melds that count are those that share no card and are worth most together; at equal worth those with
    the better single meld, and of equal ones those declared first. Rule key: `meld.set-aside`.
    """
    if not ruleset.judges_overlaps:
        return tuple(melds), ()
    excluded: list[int] = []
    for seat in dict.fromkeys(meld.seat for meld in melds):
        own = [place for place, meld in enumerate(melds) if meld.seat == seat]
        rivals = {
            place: {other for other in own if _are_rivals(ruleset, melds, place, other)} for place in own
        }
        disputed = [place for place in own if rivals[place]]
        ways = _list_ways(disputed, rivals)
        counted = max(ways, key=lambda way: _rate(ruleset, [melds[place] for place in way]))
        excluded += [place for place in disputed if place not in counted]
    counting = tuple(meld for place, meld in enumerate(melds) if place not in excluded)
    return counting, tuple(melds[place] for place in sorted(excluded))


def _are_rivals(ruleset: JackNineRuleset, melds: Sequence[Meld], place: int, other: int) -> bool:
    """True if only one of two melds of a hand can count. A run shares a card with a four in any suit."""
    if place == other:
        return False
    pair = melds[place], melds[other]
    run = next((meld for meld in pair if isinstance(meld, Run)), None)
    four = next((meld for meld in pair if isinstance(meld, Four)), None)
    if run is None or four is None:
        return not set(pair[0].cards(ruleset)).isdisjoint(pair[1].cards(ruleset))
    start = ruleset.run_order.index(run.top)
    return ruleset["meld_cards"] == "once" and four.rank in ruleset.run_order[start : start + run.length]


def _list_ways(places: Sequence[int], rivals: Mapping[int, set[int]]) -> Iterator[tuple[int, ...]]:
    """List choices of melds without rivals, leaving out those to which another could be added."""
    if not places:
        yield ()
        return
    first, rest = places[0], places[1:]
    for way in _list_ways([place for place in rest if place not in rivals[first]], rivals):
        yield (first, *way)
    if not rivals[first].isdisjoint(rest):
        yield from _list_ways(rest, rivals)


def _rate(ruleset: JackNineRuleset, melds: Sequence[Meld]) -> tuple[int, list[tuple[int, ...]]]:
    """Rate melds of a hand together: their worth, then the rank of each."""
    ranks = sorted((rank_meld(ruleset, meld) for meld in melds), reverse=True)
    return sum(value_meld(ruleset, meld) for meld in melds), ranks


def rank_piece(ruleset: JackNineRuleset, piece: MeldPiece) -> tuple[int, ...]:
    """Rank a piece, trumps and elder hand left out; a greater tuple is higher."""
    is_four = isinstance(piece.meld, Four)
    order = ruleset.fours_order if is_four else ruleset.run_order
    top = len(order) - order.index(piece.top)
    match ruleset["meld_rank"]:
        case "length":
            return piece.length, top
        case "whole-length":
            return piece.meld.length if isinstance(piece.meld, Run) else piece.length, top
        case "points":
            return piece.points, int(is_four), 0 if is_four else piece.length, top
        case unknown:
            raise UnknownOption(unknown)


def rank_meld(ruleset: JackNineRuleset, meld: Meld) -> tuple[int, ...]:
    """Rank a meld by its best piece."""
    return rank_piece(ruleset, split_meld(ruleset, meld)[0])


def loses_melds_without_trick(ruleset: JackNineRuleset) -> bool:
    """True if a side that took no trick loses its melds. Rule key: `meld.trickless`."""
    if ruleset["trickless"] == "no-win":
        return bool(ruleset["words_need_trick"])
    return bool(ruleset["trickless"] == "runs-lost")


def drop_forfeited_melds(melds: Sequence[Meld], seats: Collection[Seat]) -> tuple[Meld, ...]:
    """The melds that are left when these seats forfeit theirs."""
    return tuple(meld for meld in melds if meld.seat not in seats)


def describe_excluded(
    ruleset: JackNineRuleset, excluded: Sequence[Meld], why: Message
) -> tuple[Message, tuple[str, ...]]:
    """Explain which melds are set aside for others of their hand, after `why`; with the rule keys."""
    for meld in excluded:
        piece = split_meld(ruleset, meld)[0]
        kind = Word(ruleset.book.words.get(piece.word, str(piece.points)))
        facts = {"what": why, "seat": SeatName(meld.seat), "kind": kind, "top": Word(piece.top)}
        why = Message(
            "{what} {seat}’s {kind} from {top} is set aside: a card of it counts in another meld.", **facts
        )
        if isinstance(meld, Four):
            why = Message(
                "{what} {seat}’s {kind} ({top}) is set aside: a card of it counts in another meld.", **facts
            )
    return why, ("meld.set-aside",) if excluded else ()


@dataclass(frozen=True, slots=True)
class LengthOf(Integer):
    """The length of a run in cards."""

    def choices(self, ruleset: JackNineRuleset) -> tuple[int, ...]:
        """The lengths a run can have in this game."""
        return tuple(range(min(ruleset.run_points, default=3), min(len(ruleset.run_order), ruleset.hand) + 1))


@dataclass(frozen=True, slots=True)
class Rank(Text):
    """A rank, the ten as a number or a letter."""

    most: int = 2
    least: int = 1

    def read(self, value: Any, path: str, table: Table) -> str:
        """Read the rank as cards write it."""
        rank = Text.read(self, value, path, table)
        return "10" if rank == "T" else rank


@dataclass(frozen=True, slots=True)
class RankOf(Rank):
    """The top card of a run, by its rank."""

    def choices(self, ruleset: JackNineRuleset) -> tuple[str, ...]:
        """The ranks a run can start from, highest first."""
        return ruleset.run_order[: len(ruleset.run_order) - min(ruleset.run_points, default=3) + 1]


@dataclass(frozen=True, slots=True)
class FourOf(Rank):
    """The rank of four of a kind."""

    def choices(self, ruleset: JackNineRuleset) -> tuple[str, ...]:
        """The ranks that make a four, best first."""
        return tuple(rank for rank in ruleset.fours_order if rank in ruleset.fours)


@dataclass(frozen=True, slots=True)
class DeclaredRun:
    """A declared run: its cards, or its length and top card; the suit if it is known."""

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


RUNS, FOURS = ListOf(Nested(DeclaredRun), 0, 12), ListOf(Nested(DeclaredFour), 0, 8)
"""The runs and the fours of one deal."""


def read_declared_run(ruleset: JackNineRuleset, declared: DeclaredRun, path: str) -> Run:
    """Read a declared run.

    :raises Unreadable: at the path, if the run is stated in neither way or in both, or its cards are no run.
    """
    if declared.suit not in (None, *Suit):
        raise Unreadable(
            join_path(path, "suit"), Message("one of {values}", values=list(Suit)), declared.suit
        )
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
    """Read the declared fours of a kind that count; worthless ones are left out.

    :raises Unreadable: at the path, if the game has no fours, or a rank is not in the pack or named twice.
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


def find_worthless_fours(ruleset: JackNineRuleset, declared: Sequence[DeclaredFour]) -> tuple[Four, ...]:
    """Find the declared fours of a kind that count nothing at this table."""
    return tuple(Four(four.seat, four.rank) for four in declared if four.rank not in ruleset.fours)


def describe_worthless_fours(
    ruleset: JackNineRuleset, declared: Sequence[DeclaredFour], why: Message
) -> tuple[Message, tuple[str, ...]]:
    """Explain which declared fours count nothing at this table, after `why`; with the rule keys."""
    keys: tuple[str, ...] = ()
    for four in find_worthless_fours(ruleset, declared):
        facts = {"what": why, "seat": SeatName(four.seat), "rank": Word(four.rank)}
        why = Message("{what} {seat}’s four of a kind ({rank}) counts nothing here.", **facts)
        keys = (*ruleset.known_keys("fours.values"), *ruleset.known_keys("run.values"), "meld.table")[:1]
    return why, keys
