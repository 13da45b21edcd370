"""Every name by which the family asks a game's file: options with their values, keys of rules, words.

Each says which games must have it. A procedure that matches an option has an arm for each of its values and
for no other; a test compares them.
"""

from collections.abc import Mapping

from companion.rules.options import Condition, Option, OptionScope, Tables, always, may, never
from companion.rules.schema import Boolean, Choice, Integer, ListOf

DEAL_OFFENCES = ("revoke", "false-declaration", "extra-card", "wrong-exchange")
"""What may cost a whole deal; the rule of each is `penalty.` and its name."""
RUN_OFFENCES = ("rost-needless",)
"""What may cost one's own runs; the rule of each is `run.` and its name."""


def _one_of(*values: str, needed: Condition = always) -> Option:
    return Option(Choice(values), needed)


def _switch(needed: Condition = always) -> Option:
    return Option(Choice(("off", "on")), needed)


SCHMEISS = may("schmeiss", "on")
ONE_DEAL = may("party", "one-deal")
PENCIL = may("pencil", True)

OPTIONS: Mapping[str, Option] = {
    # the deal and the bidding
    "first_deal_order": _one_of("trump", "run", "lot"),
    "rotation": _one_of("alternate", "winner", "most-points"),
    "ask": Option(Boolean()),
    "offers": Option(Boolean()),
    "offer_deals_max": Option(Integer(0, 20)),
    "schmeiss": _switch(),
    "schmeiss_redeal": _one_of("same", "other", needed=SCHMEISS),
    "schmeiss_maker": _one_of("caller", "responder", needed=SCHMEISS),
    "second_round": _one_of("any", "other"),
    "last_suits": _one_of("any", "as-others"),
    "last_must": Option(Boolean()),
    "four_sevens": _one_of("play", "redeal"),
    "seven": _one_of("before-lead", "own-card", "never"),
    # the play
    "play": _one_of("beat-trumps", "over-ruff", "ruff-if-higher"),
    "bare_jass": _switch(),
    "offences": Option(ListOf(Choice(DEAL_OFFENCES))),
    "offences_runs": Option(ListOf(Choice(RUN_OFFENCES))),
    "penalty": _one_of("bait-on-cards", "replay"),
    "penalty_dealer": _one_of("opponent", "rotation"),
    "bait_cards": _one_of("all", "cards-only"),
    # melds and bela
    "meld_rank": _one_of("length", "points"),
    "trump_runs": Option(Boolean()),
    "run_tie": _one_of("elder", "trump-then-elder", "none", "split"),
    "run_split": _one_of("best", "top-four-only", "pieces"),
    "rost": _one_of("free", "strict"),
    "trickless": _one_of("runs-lost", "runs-count", "no-win"),
    "words_need_trick": Option(Boolean()),
    "bela": _one_of("said", "said-twice", "in-hand", "with-card"),
    # what is written
    "tie": _one_of("hang", "carry", "declarer-loses", "defender-wins"),
    "tie_dealer": _one_of("defender", "opponent-of-dealer", "rotation"),
    "hanging": _one_of("all-at-once", "in-turn"),
    "bait_penalty_every": Option(Integer(0, 99)),
    "bait_penalty_points": Option(Integer(1, 9999), may("bait_penalty_every")),
    "pencil": Option(Boolean()),
    "plain_error": Option(Integer(1, 9999), PENCIL),
    "underwrite": _one_of("stands", "corrected", needed=PENCIL),
    # the end
    "target": Option(Integer(1, 9999)),
    "finish": _one_of("announced", "enough", "automatic", "none"),
    "both_over": _one_of("declarer", "defender", "last-trick", "higher"),
    "party": _one_of("target", "one-deal"),
    "bait_stake": Option(Integer(1, 99), ONE_DEAL),
    "one_deal_tie": _one_of("double", "single", needed=ONE_DEAL),
    "mars": _switch(),
    "mars_line": Option(Integer(1, 9999), may("mars", "on")),
    "dive": _switch(),
    "next_game_dealer": _one_of("winner", "rotation"),
}


def seats(tables: Tables) -> int:
    """How many play."""
    return int(tables["table"]["players"])


def sides(tables: Tables) -> int:
    """How many score for themselves."""
    return 2 if tables["table"]["partnerships"] else seats(tables)


def all_dealt(tables: Tables) -> bool:
    """Whether every card of the pack is played."""
    return bool(tables["cards"]["hand"] * seats(tables) == 4 * len(tables["cards"]["ranks"]))


def _three_sides(scope: OptionScope) -> bool:
    return any(sides(table) > 2 for table in scope.tables)


def _partners(scope: OptionScope) -> bool:
    return any(table["table"]["partnerships"] for table in scope.tables)


def _all_dealt(scope: OptionScope) -> bool:
    return any(map(all_dealt, scope.tables))


def _no_trumps(scope: OptionScope) -> bool:
    return any(table["cards"]["no_trumps"] for table in scope.tables)


def _no_card_turned(scope: OptionScope) -> bool:
    return any(table["cards"]["turn_up"] == "none" for table in scope.tables)


def _fours(scope: OptionScope) -> bool:
    return any(any(table["points"].get("fours", {}).values()) for table in scope.tables)


def _fours_named(scope: OptionScope) -> bool:
    """Whether four of a kind are a meld, or are said to be none."""
    return any(table["points"].get("fours") for table in scope.tables)


def _compared_by_points(scope: OptionScope) -> bool:
    return scope.may("meld_rank", "points")


def _long_runs(scope: OptionScope) -> bool:
    return any(max(map(int, table["points"]["runs"])) > 4 for table in scope.tables)


def _jass_counts_twice(scope: OptionScope) -> bool:
    return any(table["points"]["trump"].get(table["cards"]["jass"]) for table in scope.tables)


def _other_jass(scope: OptionScope) -> bool:
    return any(table["cards"]["jass"] != "J" for table in scope.tables)


def _calls(scope: OptionScope) -> bool:
    """Whether anybody may ask to end a game by a call, at whatever table."""
    return "call" in scope.book.words or "finish" in scope.book.conventions or CALLS(scope)


def _sets(scope: OptionScope) -> bool:
    return "mars" in scope.book.conventions or scope.may("mars", "on")


def _dives(scope: OptionScope) -> bool:
    return "dive" in scope.book.conventions or scope.may("dive", "on")


def _offence(name: str) -> Condition:
    """In games where this may cost the deal."""
    return lambda scope: any(name in option for option in scope.options["offences"])


def _run_offence(name: str) -> Condition:
    """In games where this may cost runs."""
    return lambda scope: any(name in option for option in scope.options["offences_runs"])


CALLS = may("finish", "announced", "enough")
FORCED = may("last_must", True)
HOLDING = may("tie", "hang", "carry")
OFFERS = may("offers", True)
STRICT = may("rost", "strict")

_ALWAYS = (
    "bela.free", "bela.say", "bela.value", "bid.dealer-options", "bid.first", "bid.passed-out",
    "bid.second", "cards.plain-order", "cards.run-order", "cards.trump-order", "cards.values",
    "deal.first", "deal.next", "deal.next-thrown-in", "deal.next-tie", "deal.void", "end.both",
    "end.finish-when", "end.target", "end.trickless", "meld.trickless", "penalty.bait-on-cards",
    "penalty.false-claim", "penalty.revoke", "play.claim", "play.follow", "play.lead", "play.ruff",
    "play.trick", "play.trump-led", "run.all", "run.answers", "run.declare", "run.disjoint", "run.rank",
    "run.show", "run.tie", "run.values", "score.bait", "score.doubtful-count", "score.made", "score.tie",
    "seven.exchange", "words.need-trick", "words.taken", "words.values",
)  # fmt: skip

KEYS: Mapping[str, Condition] = dict.fromkeys(_ALWAYS, always) | {
    "bid.ask": may("ask", True),
    "bid.obligation": FORCED,
    "bid.schmeiss": SCHMEISS,
    "cards.no-trumps": _no_trumps,
    "play.no-trumps": _no_trumps,
    "deal.four-sevens": may("four_sevens", "redeal"),
    "deal.new-game": may("next_game_dealer", "winner"),
    "deal.rest": _no_card_turned,
    "dive.accept": _dives,
    "dive.offer": _dives,
    "dive.refuse": _dives,
    "end.baited": may("finish", "announced"),
    "end.concede": _three_sides,
    "end.count": _calls,
    "end.false": _calls,
    "end.finish": _calls,
    "end.one-deal": lambda scope: ONE_DEAL(scope) or scope.may("tie", "defender-wins"),
    "end.third": _three_sides,
    "fours.rank": _compared_by_points,
    "fours.values": _fours_named,
    "offer.accepted": OFFERS,
    "offer.haggle": OFFERS,
    "offer.refused": OFFERS,
    "offer.terms": OFFERS,
    "offer.who": OFFERS,
    "penalty.corrections": PENCIL,
    "penalty.extra-card": _offence("extra-card"),
    "penalty.false-declaration": lambda scope: STRICT(scope) or _offence("false-declaration")(scope),
    "penalty.halves": _three_sides,
    "penalty.hundreds": PENCIL,
    "penalty.pencil": PENCIL,
    "penalty.wrong-exchange": _offence("wrong-exchange"),
    "play.bare-jass": may("bare_jass", "on"),
    "play.over-ruff": may("play", "over-ruff", "ruff-if-higher"),
    "run.rest": STRICT,
    "run.rost": STRICT,
    "run.rost-false": STRICT,
    "run.rost-needless": lambda scope: STRICT(scope) or _run_offence("rost-needless")(scope),
    "run.values-long": _long_runs,
    "score.bait-penalty": may("bait_penalty_every"),
    "score.halves": _three_sides,
    "score.held": HOLDING,
    "score.held-chain": HOLDING,
    "score.held-end": lambda scope: scope.may("tie", "hang") and scope.may("next_game_dealer", "winner"),
    "score.rest": _all_dealt,
    "score.sides": _partners,
    "sets.mars": may("mars", "on"),
    "sets.win": _sets,
    "seven.ask": never,
    "words.jass": _other_jass,
    "words.jass-as-card": _jass_counts_twice,
    "words.jass-once": STRICT,
}
"""The keys by which code cites a game's rules, with the games that must have such a rule."""

_WORDS = ("bait", "bela", "cards", "declarer", "defender", "elder", "jass", "last", "nine", "run", "tie")
_OTHER_WORDS = (
    "ask", "bait-mark", "bait-mark-latin", "bela-second", "bimah", "dive", "false-call", "good",
    "held-mark", "held-mark-latin", "how-high", "how-many", "in-trumps", "kush", "no", "not-good", "once",
    "party", "pencil", "penalty", "preferred", "rost", "rost-from", "run5", "run6", "run7", "run8",
    "run9", "seven", "twice", "writes", "yes",
)  # fmt: skip

WORDS: Mapping[str, Condition] = (
    dict.fromkeys(_OTHER_WORDS, never)
    | dict.fromkeys(_WORDS, always)
    | {
        "call": CALLS,
        "deals": OFFERS,
        "dive": may("dive", "on"),
        "force": SCHMEISS,
        "four": _fours,
        "held": HOLDING,
        "mars": may("mars", "on"),
        "no-trumps": _no_trumps,
        "offer": OFFERS,
        "run3": lambda scope: any("3" in table["points"]["runs"] for table in scope.tables),
        "run4": lambda scope: any("4" in table["points"]["runs"] for table in scope.tables),
        "schmeiss": SCHMEISS,
        "throw": SCHMEISS,
    }
)
"""The names that a game may have of its own for things, with the games that must have one."""
