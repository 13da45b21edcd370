"""The file of a game of the family: its tables, and how its numbers must fit each other.

Every name by which the family asks a game's file says which games must have it: options with their values,
keys of rules, words. A procedure that matches an option has an arm for each of its values and for no other; a
test compares them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.rules.cards import RANKS
from companion.rules.errors import Unreadable
from companion.rules.message import Message
from companion.rules.options import (
    ORDER,
    RANK,
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
from companion.rules.schema import Boolean, Choice, Integer, ListOf, MappingOf, field

DEALING_OFFENCES = ("misdeal", "early-look")
"""Offences that cost a deal before anybody has bid."""
DEAL_OFFENCES = ("revoke", "false-declaration", "extra-card", "wrong-exchange", *DEALING_OFFENCES)
"""Offences that cost a whole deal; the rule of each is `penalty.` and its name."""
RUN_OFFENCES = ("rost-needless",)
"""Offences that cost one's own runs; the rule of each is `run.` and its name."""


def _one_of(*values: str, needed: Condition = always) -> Option:
    return Option(Choice(values), needed)


def _switch(needed: Condition = always) -> Option:
    return Option(Choice(("off", "on")), needed, if_absent="off")


def _costs(option: str, offence: str) -> Condition:
    """Make the condition that an offence may cost the deal (`offences`), or runs (`offences_runs`)."""
    return lambda scope: any(offence in offences for offences in scope.options.get(option, ()))


def seats(tables: Tables) -> int:
    """The number of players."""
    return int(tables["table"]["players"])


def sides(tables: Tables) -> int:
    """The number of sides."""
    return 2 if tables["table"]["partnerships"] else seats(tables)


SCHMEISS = may("schmeiss", "on", "full")
FOUR_SEVENS = may("four_sevens", "redeal")
ONE_DEAL = may("party", "one-deal")
_all_trumps = in_tables(lambda tables: tables["cards"].get("all_trumps"))
PENCIL = may("pencil", True)
BELOT = may("belot", "any-suit", "trumps")
BEATING = may("play", "beat-all")
OVER_RUFF = may("play", "over-ruff", "ruff-if-higher", "beat-all")
TURNED_SUIT = may("bidding", "turned")
BY_POINTS = may("bidding", "by-points")
_three_sides = in_tables(lambda tables: sides(tables) > 2)
_three_hands = in_tables(lambda tables: seats(tables) > 2)
_partners = in_tables(lambda tables: tables["table"]["partnerships"])


def _beats_over_trumps(scope: OptionScope) -> bool:
    """True if somebody may have to follow a plain lead that was trumped, and plain suits are beaten."""
    return BEATING(scope) and _three_hands(scope)


OPTIONS: Mapping[str, Option] = {
    # the deal and the bidding
    "first_deal_order": _one_of("trump", "run", "run-lowest", "lot"),
    "rotation": _one_of("alternate", "winner", "most-points"),
    "bidding": _one_of("turned", "one-round", "elder", "by-points"),
    "highest_bid": Option(Integer(0, 990), BY_POINTS),
    "lowest_bid": Option(Integer(80, 82), BY_POINTS, if_absent=80),
    "bid_step": Option(Integer(5, 10), BY_POINTS, if_absent=10),
    "contract_rank": Option(Choice(("number", "suit")), BY_POINTS, if_absent="number"),
    "generale": _switch(BY_POINTS),
    "first_lead": Option(Choice(("elder", "declarer", "generale")), BY_POINTS, if_absent="elder"),
    "passed_out": Option(Choice(("next", "same")), lambda scope: "passed_out" in scope.book.conventions),
    "doubling": _one_of("in-turn", "any-time", needed=BY_POINTS),
    "redouble": Option(Integer(3, 4), BY_POINTS),
    "ask": Option(Boolean()),
    "offers": Option(Boolean()),
    "offer_deals_max": Option(Integer(0, 20)),
    "schmeiss": _one_of("off", "on", "full"),
    "schmeiss_redeal": _one_of("same", "other", needed=SCHMEISS),
    "schmeiss_maker": _one_of("caller", "responder", needed=SCHMEISS),
    "second_round": _one_of("any", "other"),
    "last_suits": _one_of("any", "as-others"),
    "last_must": Option(Boolean()),
    "forced_after": Option(Integer(0, 99)),
    "four_sevens": _one_of("play", "redeal"),
    "four_sevens_points": Option(Integer(0, 9999), FOUR_SEVENS),
    "poor_hand": Option(Integer(0, 999), lambda scope: "poor_hand" in scope.book.conventions),
    "seven": _one_of("before-lead", "first-hand", "own-card", "never"),
    "seven_by": _one_of("holder", "declarer"),
    # the play
    "play": _one_of("beat-trumps", "over-ruff", "ruff-if-higher", "beat-all"),
    "trump_led": _one_of("beat", "follow"),
    "trumped": Option(Choice(("free", "beat")), _beats_over_trumps, if_absent="free"),
    "partner_frees": Option(Boolean(), _partners),
    "bare_jass": _switch(),
    "last_trick": Option(Choice(("open", "closed")), lambda scope: "last_trick" in scope.book.conventions),
    "offences": Option(ListOf(Choice(DEAL_OFFENCES))),
    "offences_runs": Option(ListOf(Choice(RUN_OFFENCES))),
    "penalty": _one_of("bait-on-cards", "share-cards", "replay"),
    "penalty_dealer": _one_of("opponent", "rotation"),
    "misdeal": _one_of("points", "redeal", "after-bid", needed=_costs("offences", "misdeal")),
    "bait_cards": _one_of("all", "cards-only"),
    # melds and bela
    "meld_rank": _one_of("length", "whole-length", "points"),
    "trump_runs": Option(Boolean()),
    "run_tie": _one_of("elder", "trump-then-elder", "none", "split"),
    "belot": _one_of("off", "any-suit", "trumps"),
    "run_split": _one_of("best", "top-four-only", "pieces"),
    "rost": _one_of("free", "strict"),
    "trickless": _one_of("runs-lost", "runs-count", "runs-pass", "no-win"),
    "words_need_trick": Option(Boolean()),
    "meld_cards": _one_of("once", "shared"),
    "false_melds": _one_of("free", "claimed"),
    "bela": _one_of("said", "said-twice", "second", "second-or-run", "in-hand", "with-card"),
    "bela_kept": _switch(),
    # what is written
    "needs": _one_of("more", "half", "points", "bid"),
    "fall_to": _one_of("nobody", "higher", needed=may("needs", "half")),
    "all_trumps_values": _one_of("ffb", "jack-14", "ten-4", "scaled", needed=_all_trumps),
    "all_trumps_bela": _one_of("each", "none", needed=_all_trumps),
    "needs_points": Option(Integer(1, 9999), may("needs", "points")),
    "written": _one_of("made-and-bid", "bid", needed=BY_POINTS),
    "needs_more": Option(Boolean(), BY_POINTS, if_absent=True),
    "helps_bid": Option(Choice(("all", "without-bela", "cards")), BY_POINTS, if_absent="all"),
    "fall": Option(Integer(0, 162), BY_POINTS),
    "doubled": Option(Choice(("all", "bid")), BY_POINTS, if_absent="all"),
    "capot_bid": Option(Integer(250, 500), BY_POINTS, if_absent=250),
    "generale_bid": Option(Integer(500, 1000), BY_POINTS, if_absent=500),
    "capot_points": Option(Integer(250, 252), lambda scope: "capot_points" in scope.book.conventions),
    "capot_bonus": _one_of("always", "bid-only", needed=BY_POINTS),
    "tie": _one_of("hang", "carry", "declarer-loses", "defender-wins", "bait", "made"),
    "tie_dealer": _one_of("defender", "opponent-of-dealer", "rotation"),
    "hanging": _one_of("all-at-once", "in-turn", "next-best"),
    "odd_point": _one_of("declarer-left", "elder", needed=_three_sides),
    "rounding": _one_of("off", "ten"),
    "winner_takes_all": Option(Boolean()),
    "bait_penalty_every": Option(Integer(0, 99)),
    "bait_penalty_from": Option(Integer(0, 99)),
    "bait_penalty_points": Option(Integer(1, 9999), may("bait_penalty_every")),
    "trickless_penalty_every": Option(Integer(0, 99)),
    "trickless_penalty_points": Option(Integer(1, 9999), may("trickless_penalty_every")),
    "pencil": Option(Boolean()),
    "plain_error": Option(Integer(1, 9999), PENCIL),
    "underwrite": _one_of("stands", "corrected", needed=PENCIL),
    # the end
    "target": Option(Integer(1, 9999)),
    "deals": Option(Integer(0, 999)),
    "finish": _one_of("announced", "enough", "automatic", "none"),
    "both_over": _one_of("declarer", "defender", "last-trick", "higher", "higher-then-declarer"),
    "bela_out": _one_of("trick", "wins", needed=BY_POINTS),
    "party": _one_of("target", "one-deal"),
    "bait_stake": Option(Integer(1, 99), ONE_DEAL),
    "one_deal_tie": _one_of("double", "single", needed=ONE_DEAL),
    "mars": _switch(),
    "mars_line": Option(Integer(1, 9999), may("mars", "on")),
    "dive": _switch(),
    "next_game_dealer": _one_of("winner", "rotation"),
    # the first version of the rulebook by which a trick of a side without points is asked for; 0: none
    "asked_since": Option(Integer(0, 999), if_absent=0),
}


def all_dealt(tables: Tables) -> bool:
    """True if every card of the pack is played."""
    cards = tables["cards"]
    return bool(cards["hand"] * seats(tables) + cards.get("discards", 0) == 4 * len(cards["ranks"]))


_all_dealt = in_tables(all_dealt)
_no_trumps = in_tables(lambda tables: tables["cards"]["no_trumps"])
_capot = in_tables(lambda tables: tables["points"].get("last_all"))
_melds = in_tables(lambda tables: tables["points"].get("runs"))
_without_melds = in_tables(lambda tables: not tables["points"].get("runs"))
_no_card_turned = in_tables(lambda tables: tables["cards"]["turn_up"] == "none")
_fours = in_tables(lambda tables: any(tables["points"].get("fours", {}).values()))
_fours_named = in_tables(lambda tables: tables["points"].get("fours"))
"""Four of a kind are a meld, or are said to be none."""
_long_runs = in_tables(lambda tables: max(map(int, tables["points"].get("runs") or [0])) > 4)
_jass_counts_twice = in_tables(lambda tables: tables["points"]["trump"].get(tables["cards"]["jass"]))
_other_jass = in_tables(lambda tables: tables["cards"]["jass"] != "J")


def _jass_varies(scope: OptionScope) -> bool:
    """True if the top trump counts more at one table than at another."""
    return len({tables["points"]["jass"] for tables in scope.tables}) > 1


def _calls(scope: OptionScope) -> bool:
    """True if anybody may ask to end a game by a call, at whatever table."""
    return "call" in scope.book.words or "finish" in scope.book.conventions or CALLS(scope)


def _sets(scope: OptionScope) -> bool:
    return "mars" in scope.book.conventions or scope.may("mars", "on")


def _dives(scope: OptionScope) -> bool:
    return "dive" in scope.book.conventions or scope.may("dive", "on")


CALLS = may("finish", "announced", "enough")
FORCED = may("last_must", True)
HOLDING = may("tie", "hang", "carry")
OFFERS = may("offers", True)
STRICT = may("rost", "strict")

_ALWAYS = (
    "bela.free", "bela.say", "bela.value", "bid.first", "bid.passed-out", "cards.plain-order",
    "cards.run-order", "cards.trump-order", "cards.values",
    "deal.first", "deal.next", "deal.next-thrown-in", "deal.next-tie", "deal.void", "end.both",
    "end.finish-when", "end.target", "end.trickless", "meld.trickless", "penalty.bait-on-cards",
    "penalty.false-claim", "penalty.revoke", "play.claim", "play.follow", "play.lead", "play.ruff",
    "play.trick", "play.trump-led", "score.bait", "score.doubtful-count", "score.made", "score.tie",
    "seven.exchange", "words.need-trick", "words.taken", "words.values",
)  # fmt: skip
_OF_MELDS = (
    "run.all", "run.answers", "run.declare", "run.disjoint", "run.rank", "run.show", "run.tie", "run.values",
)  # fmt: skip

KEYS: Mapping[str, Condition] = {
    **dict.fromkeys(_ALWAYS, always),
    **dict.fromkeys(_OF_MELDS, _melds),
    "bela.kept": may("bela_kept", "on"),
    "bela.contracts": _all_trumps,
    "bela.say-second": may("bela", "second"),
    "bid.ask": may("ask", True),
    "bid.capot": BY_POINTS,
    "bid.contracts": _all_trumps,
    "bid.dealer-options": TURNED_SUIT,
    "bid.double": BY_POINTS,
    "bid.generale": BY_POINTS,
    "bid.rank": BY_POINTS,
    "bid.forced-turned": may("forced_after"),
    "bid.obligation": FORCED,
    "bid.only": may("bidding", "one-round", "elder"),
    "bid.points": BY_POINTS,
    "bid.redouble": BY_POINTS,
    "bid.schmeiss": SCHMEISS,
    "bid.schmeiss-full": may("schmeiss", "full"),
    "bid.second": TURNED_SUIT,
    "cards.all-trumps": _all_trumps,
    "cards.no-trumps": _no_trumps,
    "play.all-trumps": _all_trumps,
    "play.no-trumps": _no_trumps,
    "play.trick-in-suit": _all_trumps,
    "deal.cards": never,
    "deal.direction": never,
    "deal.wrong": optional,  # a wrong deal that is found late stands, or is dealt again all the same
    "meld.set-aside": optional,  # melds of a hand that share a card are judged, or refused
    "deal.four-sevens": FOUR_SEVENS,
    "deal.four-sevens-points": may("four_sevens_points"),
    "deal.poor-hand": may("poor_hand"),
    "deal.new-game": may("next_game_dealer", "winner"),
    "deal.rest": _no_card_turned,
    "dive.accept": _dives,
    "dive.offer": _dives,
    "dive.refuse": _dives,
    "end.deals": may("deals"),
    "end.baited": may("finish", "announced"),
    "end.concede": _three_sides,
    "end.count": _calls,
    "end.false": _calls,
    "end.finish": _calls,
    "end.one-deal": lambda scope: ONE_DEAL(scope) or scope.may("tie", "defender-wins"),
    "end.third": _three_sides,
    "end.trick": may("bela_out", "trick"),
    "fours.rank": lambda scope: scope.may("meld_rank", "points") and _melds(scope),
    "fours.values": _fours_named,
    "meld.belot": BELOT,
    "meld.contracts": lambda scope: _all_trumps(scope) and _melds(scope),
    "meld.false": may("false_melds", "claimed"),
    "meld.table": _without_melds,
    "offer.accepted": OFFERS,
    "offer.haggle": OFFERS,
    "offer.refused": OFFERS,
    "offer.terms": OFFERS,
    "offer.who": OFFERS,
    "penalty.corrections": PENCIL,
    "penalty.early-look": _costs("offences", "early-look"),
    "penalty.extra-card": _costs("offences", "extra-card"),
    "penalty.false-declaration": lambda scope: (
        STRICT(scope) or _costs("offences", "false-declaration")(scope)
    ),
    "penalty.halves": _three_sides,
    "penalty.hundreds": PENCIL,
    "penalty.misdeal": _costs("offences", "misdeal"),
    "penalty.pencil": PENCIL,
    "penalty.wrong-exchange": _costs("offences", "wrong-exchange"),
    "play.bare-jass": may("bare_jass", "on"),
    "play.beat": BEATING,
    "play.trumped": _beats_over_trumps,
    "play.partner": may("partner_frees", True),
    "play.over-ruff": lambda scope: OVER_RUFF(scope) and _three_hands(scope),
    "play.trump-led-free": may("trump_led", "follow"),
    "play.under-trump": may("partner_frees", True),
    "run.long": may("meld_rank", "whole-length"),
    "run.rest": STRICT,
    "run.rost": STRICT,
    "run.rost-false": STRICT,
    "run.rost-needless": lambda scope: STRICT(scope) or _costs("offences_runs", "rost-needless")(scope),
    "run.values-long": _long_runs,
    "score.all": may("winner_takes_all"),
    "score.capot": _capot,
    "score.capot-bid": BY_POINTS,
    "score.capot-bonus": BY_POINTS,
    "score.doubled": BY_POINTS,
    "score.doubled-bid": BY_POINTS,
    "score.generale": may("generale", "on"),
    "score.bait-from": may("bait_penalty_from"),
    "score.bait-penalty": may("bait_penalty_every"),
    "score.needs": may("needs", "points", "bid"),
    "score.halves": _three_sides,
    "score.held": HOLDING,
    "score.held-chain": HOLDING,
    "score.held-end": lambda scope: scope.may("tie", "hang") and scope.may("next_game_dealer", "winner"),
    "score.rest": _all_dealt,
    "score.rounding": may("rounding", "ten"),
    "score.sides": _partners,
    "score.trickless-penalty": may("trickless_penalty_every"),
    "sets.mars": may("mars", "on"),
    "sets.win": _sets,
    "seven.ask": optional,
    "seven.who": may("seven_by", "declarer"),
    "trick.look": optional,  # a gathered trick may be asked about
    "words.jass": lambda scope: _other_jass(scope) or _jass_varies(scope),
    "words.jass-as-card": _jass_counts_twice,
    "words.jass-once": STRICT,
}
"""The keys by which code cites a game's rules, with the games that must have such a rule."""

_WORDS = ("bait", "bela", "cards", "declarer", "defender", "elder", "jass", "last", "nine", "run", "tie")
_OTHER_WORDS = (
    "ask", "bait-mark", "bait-mark-latin", "bela-second", "bimah", "dive", "doubled", "false-call", "good",
    "held-mark", "held-mark-latin", "how-high", "how-many", "in-trumps", "kush", "no", "not-good", "once",
    "party", "pencil", "penalty", "plays", "preferred", "redoubled", "rost", "rost-from", "run5", "run6",
    "run7", "run8", "run9", "seven", "them", "twice", "us", "writes", "yes",
)  # fmt: skip

WORDS: Mapping[str, Condition] = {
    **dict.fromkeys(_OTHER_WORDS, never),
    **dict.fromkeys(_WORDS, always),
    "belot": BELOT,
    "call": CALLS,
    "capot": _capot,
    "deals": OFFERS,
    "double": BY_POINTS,
    "redouble": BY_POINTS,
    "dive": may("dive", "on"),
    "force": SCHMEISS,
    "four": _fours,
    "generale": may("generale", "on"),
    "held": HOLDING,
    "mars": may("mars", "on"),
    "all-trumps": _all_trumps,
    "no-trumps": _no_trumps,
    "offer": OFFERS,
    "run3": in_tables(lambda tables: "3" in (tables["points"].get("runs") or ())),
    "run4": in_tables(lambda tables: "4" in (tables["points"].get("runs") or ())),
    "schmeiss": SCHMEISS,
    "throw": SCHMEISS,
}
"""The names that a game may have of its own for things, with the games that must have one."""


POINTS = Integer(0, 999)
BY_RANK = MappingOf(POINTS, lambda table: RANKS, whole=False)
BY_LENGTH = MappingOf(Integer(1, 999), lambda table: tuple(map(str, range(3, 10))), whole=False)
TURNED = ("out", "dealt", "declarer", "dealer", "none")
DIRECTIONS = ("clockwise", "counter-clockwise")


@dataclass(frozen=True, slots=True)
class JackNineTableSection:
    """Players and partnerships."""

    players: int = field(Integer(2, 4))
    partnerships: bool = field(Boolean())
    direction: str = field(Choice(DIRECTIONS), "clockwise")


@dataclass(frozen=True, slots=True)
class JackNineCardsSection:
    """The pack, its orders, and how it is dealt."""

    ranks: tuple[str, ...] = field(ORDER)
    first_hand: int = field(Integer(1, 9))
    hand: int = field(Integer(3, 10))
    trump_order: tuple[str, ...] = field(ORDER)
    plain_order: tuple[str, ...] = field(ORDER)
    run_order: tuple[str, ...] = field(ORDER)
    fours_order: tuple[str, ...] = field(ORDER)
    jass: str = field(RANK)
    nine: str = field(RANK)
    bela: tuple[str, ...] = field(ListOf(RANK, 2, 2))
    no_trumps: bool = field(Boolean())
    turn_up: str = field(Choice(TURNED))
    shown: bool = field(Boolean())
    seven: str | None = field(RANK, None)
    all_trumps: bool = field(Boolean(), False)
    no_trumps_fours_order: tuple[str, ...] = field(ORDER, ())
    discards: int = field(Integer(0, 4), 0)


@dataclass(frozen=True, slots=True)
class PointsSection:
    """The points of cards, words and melds."""

    trump: Mapping[str, int] = field(BY_RANK)
    plain: Mapping[str, int] = field(BY_RANK)
    jass: int = field(POINTS)
    nine: int = field(POINTS)
    last: int = field(POINTS)
    bela: int = field(POINTS)
    runs: Mapping[str, int] | None = field(BY_LENGTH, None)
    fours: Mapping[str, int] | None = field(BY_RANK, None)
    no_trumps: Mapping[str, int] | None = field(BY_RANK, None)
    no_trumps_fours: Mapping[str, int] | None = field(BY_RANK, None)
    all_trumps: Mapping[str, int] | None = field(BY_RANK, None)
    last_all: int | None = field(POINTS, None)
    whole: int | None = field(POINTS, None)
    whole_all: int | None = field(POINTS, None)


def check_tables(tables: Tables, sizes: Sequence[int]) -> None:
    """Check that the numbers and orders of a game fit each other, the number of players among them.

    :raises Unreadable: for the first that does not.
    """
    cards, points = tables["cards"], tables["points"]
    pack = cards["ranks"]
    check_ranks(pack, "cards.ranks", RANKS)
    for name in ("trump_order", "plain_order", "run_order"):
        check_ranks(cards[name], f"cards.{name}", pack, whole=True)
    for name in ("fours_order", "no_trumps_fours_order", "bela"):
        check_ranks(cards.get(name, ()), f"cards.{name}", pack)
    for name in {"jass", "nine", "seven"} & set(cards):
        check_ranks([cards[name]], f"cards.{name}", pack)
    if cards["nine"] == cards["jass"]:
        raise Unreadable("cards.nine", "another rank than the jass", cards["nine"])
    for name in ("trump", "plain", "no_trumps", "all_trumps", "fours", "no_trumps_fours"):
        for rank in points.get(name) or ():
            if rank not in pack:
                raise Unreadable(f"points.{name}.{rank}", f"a rank of the pack: {listed(pack)}")
    _check_fours(cards, points)
    if points.get("runs") is not None:
        _check_runs(points["runs"])
    _check_deal(tables)


def _check_fours(cards: Mapping[str, Any], points: Mapping[str, Any]) -> None:
    """Check that every four of a kind with a value has its place in the order."""
    for name in ("fours", "no_trumps_fours"):
        order = cards.get(f"{name}_order", ())
        for rank, worth in (points.get(name) or {}).items():
            if worth and rank not in order:
                expected = f"complete: four of rank {rank} count too"
                raise Unreadable(f"cards.{name}_order", expected, " ".join(order))


def _check_runs(runs: Mapping[str, int]) -> None:
    """Check that all runs from the shortest to the longest have a value: long runs are cut into those."""
    lengths = sorted(map(int, runs))
    if not lengths:
        raise Unreadable("points.runs", "given: at least one run")
    for length in range(lengths[0], lengths[-1]):
        if length not in lengths:
            raise Unreadable(f"points.runs.{length}", "given, as longer and shorter runs have a value")


def _check_deal(tables: Tables) -> None:
    """Check that the pack is enough for all hands, and for the cards that lie face up beside them."""
    table, cards = tables["table"], tables["cards"]
    players, pack = seats(tables), 4 * len(cards["ranks"])
    if table["partnerships"] and players % 2:
        raise Unreadable("table.players", "an even number, as partners play", players)
    if cards["first_hand"] > cards["hand"]:
        expected = f"at most {cards['hand']}, as many as are played"
        raise Unreadable("cards.first_hand", expected, cards["first_hand"])
    out = (cards["turn_up"] == "out") + cards["shown"] + cards.get("discards", 0)
    most = (pack - out) // players
    if cards["hand"] > most:
        expected = f"at most {most} of a pack of {pack} cards"
        raise Unreadable("cards.hand", expected, cards["hand"])
    if cards["turn_up"] in ("dealt", "declarer", "dealer") and not all_dealt(tables):
        expected = "out or none, as not all cards are dealt"
        raise Unreadable("cards.turn_up", expected, cards["turn_up"])


FOR_TWO_SIDES = {
    "party": ("one-deal",),
    "finish": ("announced", "enough"),
    "pencil": (True,),
    "dive": ("on",),
    "rost": ("strict",),
    "tie": ("defender-wins",),
    "bidding": ("by-points",),
    "trickless": ("runs-pass",),
    "false_melds": ("claimed",),
    "misdeal": ("points", "after-bid"),
}
"""The options that work only against a single opponent."""


def check_scope(scope: OptionScope) -> None:
    """Check that the options of a game fit each other and the number of its sides.

    :raises Unreadable: for the first that does not.
    """
    if not _three_sides(scope):
        if scope.may("penalty", "share-cards"):
            raise Unreadable("penalty", "another way, as there is only one other side", "share-cards")
        return
    for option, values in FOR_TWO_SIDES.items():
        for value in values:
            if scope.may(option, value):
                raise Unreadable(option, "another way, as more than two sides play", value)


FAMILY_DATA = FamilyData(
    sections={"table": JackNineTableSection, "cards": JackNineCardsSection, "points": PointsSection},
    stated=frozenset(
        {f"cards.{name}" for name in ("hand", "trump_order", "plain_order", "run_order", "fours_order")}
        | {"cards.no_trumps_fours_order"}
        | {f"points.{name}" for name in ("no_trumps", "no_trumps_fours", "all_trumps")}
        | {f"cards.{name}" for name in ("jass", "nine", "seven", "bela", "discards")}
        | {f"points.{name}" for name in ("trump", "plain", "jass", "nine", "last", "bela", "runs", "fours")}
        | {f"points.{name}" for name in ("last_all", "whole", "whole_all")}
    ),
    options=OPTIONS,
    keys=KEYS,
    words=WORDS,
    groups={
        Message("Bidding and play"): ("deal", "bid", "seven", "offer", "dive", "play", "trick"),
        Message("Melds"): ("meld", "run", "fours", "bela"),
        Message("Scoring"): ("cards", "words", "score", "penalty"),
        Message("End of the game"): ("end", "sets"),
    },
    check_tables=check_tables,
    check_scope=check_scope,
)
