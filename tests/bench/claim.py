"""How long claims take on the last cards of random deals, beside a plain search without memory."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from random import Random
from statistics import median
from time import process_time
from typing import Any

from companion import library
from companion.jacknine.arbiter.claims import MAX_PLAYS, judge_claim
from companion.jacknine.phases import play
from companion.jacknine.ruleset import JackNineRuleset
from companion.jacknine.solver.claim import PointRace
from companion.jacknine.solver.endgame import encode_endgame
from companion.jacknine.solver.facts import Effort
from companion.rules.cards import Card, Suit

ROUNDS, PLAIN_ROUNDS = 1000, 20
WHOLE = (("derda", 9, 1.0), ("klaberjass", 9, 1.0), ("darda", 8, 2.0), ("klaberjass-3", 9, 2.0))
"""Games, how many cards each player has left, and the seconds that no claim should take."""
PLAIN = (("derda", 5), ("klaberjass", 5), ("bulka", 5), ("klaberjass-3", 3), ("klaberjass-4", 3))
"""What of it can be searched plainly."""

Deal = tuple[dict[str, list[Card]], str]


def open_ruleset(game: str) -> JackNineRuleset:
    """The rule set of a trick game."""
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


def search_with_memory(game: str, deal: Deal) -> int:
    """The points that A's side can force, by the core's search."""
    hands, trump = deal
    ending, _names = encode_endgame(open_ruleset(game), hands, (), "A", trump)
    return PointRace(ending, ending.seats(0), Effort(MAX_PLAYS)).most


def search_plainly(game: str, deal: Deal) -> int:
    """The same by trying every play by the rules, and remembering nothing."""
    rules, (hands, trump) = open_ruleset(game), deal
    seats = rules.ring.seats

    def points(held: Sequence[Sequence[Card]], leader: int, trick: tuple[Card, ...]) -> int:
        if len(trick) == len(seats):
            taker = (leader + play.find_winning_place(rules, trick, trump)) % len(seats)
            over = not any(held)
            worth = sum(rules.full_points(card, trump) for card in trick) + over * rules.last_points
            mine = worth if rules.ring.side(seats[taker]) == "A" else 0
            return mine if over else mine + points(held, taker, ())
        seat = (leader + len(trick)) % len(seats)
        best = max if rules.ring.side(seats[seat]) == "A" else min
        return best(
            points(
                [[item for item in hand if item != card] for hand in held],
                leader,
                (*trick, card),
            )
            for card in play.find_duty(rules, held[seat], trick, trump).legal
        )

    return points(list(hands.values()), 0, ())


def measure_each(work: Callable[[Deal], object], deals: Iterable[Deal]) -> list[float]:
    """Seconds for each deal."""
    times = []
    for deal in deals:
        began = process_time()
        work(deal)
        times.append(process_time() - began)
    return times


def run() -> list[tuple[str, float, str, float]]:
    """A whole answer beside what it may take; and the search without memory beside the one that remembers."""
    lines = []
    for game, cards, limit in WHOLE:
        times = sorted(measure_each(partial(ask_claim, game), deal_hands(game, cards, ROUNDS)))
        for what, seconds in (
            ("median", median(times)),
            ("99 of 100", times[len(times) * 99 // 100]),
            ("worst", times[-1]),
        ):
            name = f"{game}, {cards} cards each: {what} of {len(times)} claims"
            lines.append((name, seconds, "what it may take", limit))
    for game, cards in PLAIN:
        some = deal_hands(game, cards, PLAIN_ROUNDS)
        assert [search_with_memory(game, deal) for deal in some] == [
            search_plainly(game, deal) for deal in some
        ]
        fast = median(measure_each(partial(search_with_memory, game), some))
        slow = median(measure_each(partial(search_plainly, game), some))
        name = f"{game}, {cards} cards each: search without memory, median"
        lines.append((name, slow, "the one that remembers", fast))
    return lines
