"""How long claims take on the last cards of random deals, beside what they may take."""

from random import Random
from statistics import median
from time import process_time
from typing import Any

from companion import library
from companion.jacknine.arbiter.claims import judge_claim
from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Card, Suit

ROUNDS = 1000
WHOLE = (("derda", 9, 1.0), ("klaberjass", 9, 1.0), ("darda", 8, 2.0), ("klaberjass-3", 9, 2.0))
"""Games, how many cards each player has left, and the seconds that no claim should take."""

Deal = tuple[dict[str, list[Card]], str]


def open_ruleset(game: str) -> JackNineRuleset:
    ruleset = library.open_game(game).family.ruleset
    assert isinstance(ruleset, JackNineRuleset)
    return ruleset


def deal_hands(game: str, cards: int, rounds: int) -> list[Deal]:
    """Hands at random, and trumps; every third time A has the best of the cards, as who claims mostly has."""
    random, rules = Random(9), open_ruleset(game)
    deals = []
    for number in range(rounds):
        pack, trump = list(rules.pack), random.choice(list(Suit))
        random.shuffle(pack)
        if number % 3 == 0:
            best = sorted(pack[: 2 * cards], key=lambda one: rules.orders.height(one, trump), reverse=True)
            pack[: 2 * cards] = sorted(best, key=lambda one: one.suit != trump)
        seats = enumerate(rules.ring.seats)
        deals.append(({seat: pack[n * cards : (n + 1) * cards] for n, seat in seats}, str(trump)))
    return deals


def ask_claim(game: str, deal: Deal) -> None:
    """One claim and its whole answer, asked for the first time: to the rest, to points, or to a contract."""
    judge_claim.cache_clear()
    hands, trump = deal
    random = Random(repr(hands))
    sides = open_ruleset(game).ring.sides
    goals: tuple[dict[str, Any], ...] = (
        {},
        {"wants": random.randint(10, 50)},
        {"declarer": "A", "made": {side: random.randrange(40) for side in sides}},
    )
    written = {seat: [str(card) for card in hand] for seat, hand in hands.items()}
    facts = {"question": "claim", "hands": written, "leader": "A", "trump": trump, "claimer": "A"}
    library.rule({"game": game, **facts, **random.choice(goals)})


def run() -> list[tuple[str, float, str, float]]:
    """A whole answer beside what it may take."""
    lines = []
    for game, cards, limit in WHOLE:
        times = []
        for deal in deal_hands(game, cards, ROUNDS):
            began = process_time()
            ask_claim(game, deal)
            times.append(process_time() - began)
        times.sort()
        for what, seconds in (
            ("median", median(times)),
            ("99 of 100", times[len(times) * 99 // 100]),
            ("worst", times[-1]),
        ):
            name = f"{game}, {cards} cards each: {what} of {len(times)} claims"
            lines.append((name, seconds, "what it may take", limit))
    return lines
