"""The file of a game of the family: its tables, the options code asks for, keys, words.

A procedure that matches an option has an arm for each of its values and for no other; a test compares them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.rules.cards import RANKS
from companion.rules.errors import Unreadable
from companion.rules.message import Message
from companion.rules.options import (
    ORDER,
    Condition,
    FamilyData,
    Option,
    OptionScope,
    Tables,
    always,
    check_ranks,
    in_tables,
    listed,
    may,
    never,
    optional,
)
from companion.rules.schema import Boolean, Choice, Integer, ListOf, Text, field


@dataclass(frozen=True, slots=True)
class BeatingTableSection:
    """The possible numbers of players; `usual` if nobody says how many play."""

    players: tuple[int, ...] = field(ListOf(Integer(2, 6), 1, 5))
    usual: int = field(Integer(2, 6))
    partnerships: bool = field(Boolean())


@dataclass(frozen=True, slots=True)
class BeatingCardsSection:
    """A suit from the top, what everyone draws up to, and the usual cap of a bout's attack cards; jokers."""

    order: tuple[str, ...] = field(ORDER)
    hand: int = field(Integer(1, 12))
    most: int = field(Integer(1, 12))
    jokers: int = field(Integer(0, 2))


OPTIONS: Mapping[str, Option] = {
    "first_hand": Option(Choice(("lowest-trump", "left-of-dealer"))),
    "first_attack": Option(Choice(("under-the-fool", "teach-the-fool"))),
    "throwers": Option(Choice(("all", "neighbours"))),
    "throw_start": Option(Choice(("first-beaten", "at-once")), if_absent="first-beaten"),
    "first_defence_limit": Option(Integer(1, 12)),
    "first_defence_until": Option(Choice(("first-bout", "beaten-off"))),
    "attack_cap": Option(Integer(0, 36)),
    "cap_binds_taker": Option(Boolean()),
    "pick_up_ends": Option(Boolean()),
    "five_of_a_suit": Option(Choice(("play", "redeal"))),
    "six_of_a_colour": Option(Choice(("play", "redeal"))),
    "ace_turned": Option(Choice(("stays", "again"))),
    "no_trump_start": Option(Choice(("left-of-dealer", "lot"))),
    "first_card": Option(Choice(("any", "lowest-trump"))),
    "walk_out": Option(Choice(("fool", "void", "plays-on"))),
    "walk_out_bout": Option(Choice(("finished", "cancelled"))),
    "epaulettes": Option(Boolean()),
    "transfer": Option(Choice(("off", "on")), if_absent="off"),
    "transfer_first": Option(Choice(("on", "off"))),
    "transfer_cards": Option(Choice(("one", "several"))),
    "pass_card": Option(Choice(("off", "on")), if_absent="off"),
    "lowest_beats_ace": Option(Choice(("off", "on")), if_absent="off"),
    "spades_by_spades": Option(Boolean()),
    "spade_turned": Option(Choice(("stays", "again"))),
    "trump_joker": Option(Choice(("by-colour", "highest-trump"))),
    "wrong_card": Option(Choice(("take-back", "fool"))),
    "six_exchange": Option(Choice(("any", "ace-only", "never"))),
    "cut": Option(Choice(("trap", "free", "required"))),
    "touch_counts": Option(Boolean()),
    "severnyi": Option(Boolean()),
    "session_losses": Option(Integer(0, 999)),
    "forfeit": Option(Text(200)),
}


_alone = in_tables(lambda tables: not tables["table"]["partnerships"])
_in_teams = in_tables(lambda tables: tables["table"]["partnerships"])
_with_jokers = in_tables(lambda tables: tables["cards"]["jokers"])


def _transfers_but_first(scope: OptionScope) -> bool:
    return scope.may("transfer", "on") and scope.may("transfer_first", "off")


def _shows_cards(scope: OptionScope) -> bool:
    return scope.may("transfer", "on") and scope.may("pass_card", "on")


def _transfers_several(scope: OptionScope) -> bool:
    return scope.may("transfer", "on") and scope.may("transfer_cards", "several")


def _has_own_cap(scope: OptionScope) -> bool:
    caps = scope.options.get("attack_cap", frozenset())
    return any(caps - {0, tables["cards"]["most"]} for tables in scope.tables)


def _capped_otherwise(scope: OptionScope) -> bool:
    return scope.may("attack_cap", 0) or scope.may("first_defence_until", "beaten-off")


_ALWAYS = (
    "beat.free", "beat.plain", "beat.trump", "bout.beaten-off", "bout.picked-up", "bout.wrong-card",
    "deal.draw", "deal.first", "deal.five-suited", "deal.loser", "deal.six-coloured", "deal.touch",
    "draw.order", "end.draw", "end.walk-out", "score.first-out", "score.tally", "six.exchange",
    "start.lowest-trump", "start.next", "start.no-trump", "throw.limit", "throw.priority", "throw.rank",
    "throw.several",
    "throw.who", "transfer.lay", "turn.beaten-off", "turn.out", "turn.picked-up",
)  # fmt: skip

KEYS: Mapping[str, Condition] = dict.fromkeys(_ALWAYS, always) | {
    "deal.six": never,
    "deal.ace-turned": never,
    "deck": never,
    "format": never,
    "end.fool": _alone,
    "end.team": _in_teams,
    "turn.individual": _alone,
    "turn.teams": _in_teams,
    "beat.lowest-ace": may("lowest_beats_ace", "on"),
    "beat.spades": may("spades_by_spades", True),
    "beat.spades-turned": may("spade_turned", "again"),
    "beat.trump-joker": may("trump_joker", "highest-trump"),
    "bout.closed": may("pick_up_ends", True),
    "bout.surplus": optional,
    "beat.joker": _with_jokers,
    "end.walk-out-bout": may("walk_out_bout", "cancelled"),
    "score.epaulettes": may("epaulettes", True),
    "start.first-card": may("first_card", "lowest-trump"),
    "throw.at-once": may("throw_start", "at-once"),
    "throw.cap": _capped_otherwise,
    "throw.cap-any": _has_own_cap,
    "throw.cap-taker": may("cap_binds_taker", False),
    "throw.talk": never,
    "transfer.draw": may("transfer", "on"),
    "transfer.first": _transfers_but_first,
    "transfer.hand": may("transfer", "on"),
    "transfer.pass-card": _shows_cards,
    "transfer.several": _transfers_several,
    "transfer.unbeaten": may("transfer", "on"),
    "severnyi.change": may("severnyi", True),
    "severnyi.deal": may("severnyi", True),
}
"""The keys by which code cites a game's rules, with the games that must have such a rule."""

_WORDS = (
    "attacker", "beaten-off", "bout", "defender", "draw", "fool", "forfeit", "picked-up", "six", "talon",
)  # fmt: skip


def check_tables(tables: Tables, sizes: Sequence[int]) -> None:
    """Check that the numbers and the order of a game fit each other, and the pack so many players.

    :raises Unreadable: for the first that does not.
    """
    table, cards = tables["table"], tables["cards"]
    players = table["players"]
    check_ranks(cards["order"], "cards.order", RANKS)
    if list(players) != sorted(set(players)):
        raise Unreadable("table.players", "numbers that rise, each once", list(players))
    if table["usual"] not in players:
        raise Unreadable("table.usual", f"one of {listed(players)}", table["usual"])
    if table["partnerships"] and any(size % 2 or size < 4 for size in players):
        raise Unreadable("table.players", "4 and 6 only, as teams play", list(players))
    if 4 * len(cards["order"]) < max(sizes) * cards["hand"]:
        expected = f"enough ranks for {max(sizes)} hands of {cards['hand']}"
        raise Unreadable("cards.order", expected, " ".join(cards["order"]))


def check_scope(scope: OptionScope) -> None:
    """Accept the options of a game as they are: they need nothing of each other."""


FAMILY_DATA = FamilyData(
    sections={"table": BeatingTableSection, "cards": BeatingCardsSection},
    stated=frozenset({"cards.order", "cards.hand", "cards.most"}),
    options=OPTIONS,
    keys=KEYS,
    words=dict.fromkeys(_WORDS, always),
    groups={
        Message("The deal"): ("format", "deck", "deal", "draw", "six", "start", "severnyi"),
        Message("Throwing in"): ("throw", "bout", "turn"),
        Message("Beating and transferring"): ("beat", "transfer"),
        Message("The result"): ("score", "end"),
    },
    check_tables=check_tables,
    check_scope=check_scope,
)
