"""What the file of a game of the family must look like, and how its numbers must fit each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules.cards import RANKS
from companion.rules.errors import Unreadable
from companion.rules.options import ORDER, RANK, FamilyData, OptionScope, Tables, check_ranks, listed
from companion.rules.schema import Boolean, Choice, Integer, ListOf, MappingOf, field

from .options import KEYS, OPTIONS, WORDS, all_dealt, seats, sides

POINTS = Integer(0, 999)
BY_RANK = MappingOf(POINTS, lambda table: RANKS, whole=False)
BY_LENGTH = MappingOf(Integer(1, 999), lambda table: tuple(map(str, range(3, 10))), whole=False)
TURNED = ("out", "dealt", "none")


@dataclass(frozen=True, slots=True)
class JackNineTableSection:
    """Who sits at the table."""

    players: int = field(Integer(2, 4))
    partnerships: bool = field(Boolean())


@dataclass(frozen=True, slots=True)
class JackNineCardsSection:
    """The pack, its orders, and how it is dealt."""

    ranks: tuple[str, ...] = field(ORDER)
    first_hand: int = field(Integer(1, 9))
    hand: int = field(Integer(3, 9))
    trump_order: tuple[str, ...] = field(ORDER)
    plain_order: tuple[str, ...] = field(ORDER)
    run_order: tuple[str, ...] = field(ORDER)
    fours_order: tuple[str, ...] = field(ORDER)
    jass: str = field(RANK)
    nine: str = field(RANK)
    seven: str = field(RANK)
    bela: tuple[str, ...] = field(ListOf(RANK, 2, 2))
    no_trumps: bool = field(Boolean())
    turn_up: str = field(Choice(TURNED))
    shown: bool = field(Boolean())


@dataclass(frozen=True, slots=True)
class PointsSection:
    """What cards, words and melds count."""

    trump: Mapping[str, int] = field(BY_RANK)
    plain: Mapping[str, int] = field(BY_RANK)
    jass: int = field(POINTS)
    nine: int = field(POINTS)
    last: int = field(POINTS)
    bela: int = field(POINTS)
    runs: Mapping[str, int] = field(BY_LENGTH)
    fours: Mapping[str, int] | None = field(BY_RANK, None)


def check_tables(tables: Tables, sizes: Sequence[int]) -> None:
    """The numbers and orders of a game must fit each other; how many play is one of them.

    :raises Unreadable: at the first that does not.
    """
    cards, points = tables["cards"], tables["points"]
    pack = cards["ranks"]
    check_ranks(pack, "cards.ranks", RANKS)
    for name in ("trump_order", "plain_order", "run_order"):
        check_ranks(cards[name], f"cards.{name}", pack, whole=True)
    for name in ("fours_order", "bela"):
        check_ranks(cards[name], f"cards.{name}", pack)
    for name in ("jass", "nine", "seven"):
        check_ranks([cards[name]], f"cards.{name}", pack)
    if cards["nine"] == cards["jass"]:
        raise Unreadable("cards.nine", "another rank than the jass", cards["nine"])
    for name in ("trump", "plain", "fours"):
        _check_by_rank(points.get(name, {}), f"points.{name}", pack)
    _check_fours(cards, points)
    _check_runs(points["runs"])
    _check_deal(tables)


def _check_by_rank(points: Mapping[str, int], path: str, pack: Any) -> None:
    for rank in points:
        if rank not in pack:
            raise Unreadable(f"{path}.{rank}", f"a rank of the pack: {listed(pack)}")


def _check_fours(cards: Mapping[str, Any], points: Mapping[str, Any]) -> None:
    """Whatever four of a kind are worth anything have their place among the others."""
    for rank, worth in points.get("fours", {}).items():
        if worth and rank not in cards["fours_order"]:
            expected = f"complete: four of rank {rank} count too"
            raise Unreadable("cards.fours_order", expected, " ".join(cards["fours_order"]))


def _check_runs(runs: Mapping[str, int]) -> None:
    """Long runs are cut into those with a value, so all from the shortest to the longest need one."""
    lengths = sorted(map(int, runs))
    if not lengths:
        raise Unreadable("points.runs", "given: at least one run")
    for length in range(lengths[0], lengths[-1]):
        if length not in lengths:
            raise Unreadable(f"points.runs.{length}", "given, as longer and shorter runs have a value")


def _check_deal(tables: Tables) -> None:
    """The pack has to be enough for all hands, and for the cards that lie face up beside them."""
    table, cards = tables["table"], tables["cards"]
    players, pack = seats(tables), 4 * len(cards["ranks"])
    if table["partnerships"] and players % 2:
        raise Unreadable("table.players", "an even number, as partners play", players)
    if cards["first_hand"] > cards["hand"]:
        expected = f"at most {cards['hand']}, as many as are played"
        raise Unreadable("cards.first_hand", expected, cards["first_hand"])
    out = (cards["turn_up"] == "out") + cards["shown"]
    most = (pack - out) // players
    if cards["hand"] > most:
        expected = f"at most {most} of a pack of {pack} cards"
        raise Unreadable("cards.hand", expected, cards["hand"])
    if cards["turn_up"] == "dealt" and not all_dealt(tables):
        expected = "out or none, as not all cards are dealt"
        raise Unreadable("cards.turn_up", expected, cards["turn_up"])


FOR_TWO_SIDES = {
    "party": ("one-deal",),
    "finish": ("announced", "enough"),
    "pencil": (True,),
    "dive": ("on",),
    "rost": ("strict",),
    "tie": ("defender-wins",),
}
"""Ways of doing things that know one opponent only."""


def check_scope(scope: OptionScope) -> None:
    """The options of a game must fit each other and the number of its sides.

    :raises Unreadable: at the first that does not.
    """
    if any(sides(table) > 2 for table in scope.tables):
        for option, values in FOR_TWO_SIDES.items():
            for value in values:
                if scope.may(option, value):
                    raise Unreadable(option, "another way, as more than two sides play", value)


FAMILY_DATA = FamilyData(
    sections={"table": JackNineTableSection, "cards": JackNineCardsSection, "points": PointsSection},
    stated=frozenset(
        {f"cards.{name}" for name in ("hand", "trump_order", "plain_order", "run_order", "fours_order")}
        | {f"cards.{name}" for name in ("jass", "nine", "seven", "bela")}
        | {f"points.{name}" for name in ("trump", "plain", "jass", "nine", "last", "bela", "runs", "fours")}
    ),
    options=OPTIONS,
    keys=KEYS,
    words=WORDS,
    check_tables=check_tables,
    check_scope=check_scope,
)
