"""The replay of a deal, card by card: the duty of each seat, and what each card cost."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import cast

from companion.jacknine.phases.bidding import EVERY_TRICK, Bid
from companion.jacknine.phases.count import TRICK_WORDS
from companion.jacknine.phases.play import (
    Duty,
    Hands,
    TakenTrick,
    collect_hands,
    find_duty,
    find_first_leader,
    find_repeated_card,
    resolve_tricks,
)
from companion.jacknine.phases.settle_bid import find_needed
from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.jacknine.solver.best_play import value_plays
from companion.jacknine.solver.endgame import encode_endgame
from companion.jacknine.solver.facts import Effort
from companion.rules.cards import Card, Suit
from companion.rules.game import Json
from companion.rules.seats import Seat, Side

from .entries import Deal
from .state import JackNineRow

MAX_PLAYS = 20_000_000
"""The most plays tried for one deal: under a minute of processor time."""

Balance = tuple[int, int]
"""The result of a deal: all points of the declarer's side, and of the others together."""


@dataclass(frozen=True, slots=True)
class ReplayedCard:
    """One card: the duty of its seat, the `best` result left after it, and the points that it cost.

    The last two are None if they were not searched.
    """

    seat: Seat
    card: Card
    duty: Duty
    best: Balance | None = None
    cost: int | None = None


@dataclass(frozen=True, slots=True)
class ReplayedTrick:
    """One trick: its leader, its cards, its taker and its points."""

    leader: Seat
    cards: tuple[ReplayedCard, ...]
    taker: Seat
    points: int


@dataclass(frozen=True, slots=True)
class Replay:
    """A deal as it was played, with all hands.

    `best` is its result by best play of all, who see every hand: words are those that were counted, even if a
    side takes no trick. `turning` is the card, by trick and index from 0, after which best play won the deal
    for the other side, or for none, and which was not made good. It is unknown if more than two play for
    themselves, and for a bid of every trick. `stopped` is true if the search was too long for the cards
    without a cost.
    """

    elder: Seat
    declarer: Seat
    trump: str
    hands: Hands
    tricks: tuple[ReplayedTrick, ...]
    made: Mapping[Side, int] | None
    best: Balance | None
    turning: tuple[int, int] | None
    stopped: bool


def replay_deal(ruleset: JackNineRuleset, row: JackNineRow, most: int | None = None) -> Replay | None:
    """Replay the deal of a row; None if it was not played to its end card by card.

    Nothing is searched if a card was played that was not allowed, or nothing was made. `most` is how many
    plays are tried.
    """
    deal, ring = row.entry, ruleset.ring
    if not isinstance(deal, Deal) or row.elder is None or row.declarer is None or row.trump is None:
        return None
    played = deal.tricks or ()
    if [len(trick) for trick in played] != [ring.size] * ruleset.hand or find_repeated_card(played):
        return None
    leader = find_first_leader(ruleset, row.elder, row.declarer, row.points)
    taken = resolve_tricks(ruleset, played, leader, row.trump)
    hands, cards = _follow_duties(ruleset, taken, row.trump)
    values: Sequence[Balance | None] = [None] * (len(cards) + 1)
    is_searched = row.made is not None and all(card.card in card.duty.legal for card in cards)
    if is_searched:
        values = _value_cards(ruleset, row, taken, hands, most or MAX_PLAYS)
    cards = [
        _add_cost(card, before, after) for card, (before, after) in zip(cards, pairwise(values), strict=True)
    ]
    points = [sum(ruleset.full_points(card, row.trump) for card in trick.cards) for trick in taken]
    points[-1] += ruleset.last_trick(len({ring.side(trick.taker) for trick in taken}) == 1, row.trump)
    tricks = tuple(
        ReplayedTrick(trick.leader, tuple(cards[n * ring.size : (n + 1) * ring.size]), trick.taker, points[n])
        for n, trick in enumerate(taken)
    )
    knows_turning = len(ring.sides) == 2 and row.points not in EVERY_TRICK
    turning = _find_turning(ruleset, row, values) if knows_turning else None
    return Replay(
        row.elder,
        row.declarer,
        row.trump,
        {seat: _sort_hand(ruleset, hand, row.trump) for seat, hand in hands.items()},
        tricks,
        row.made,
        values[0],
        None if turning is None else divmod(turning, ring.size),
        is_searched and values[0] is None,
    )


def _follow_duties(
    ruleset: JackNineRuleset, taken: Sequence[TakenTrick], trump: str
) -> tuple[Hands, list[ReplayedCard]]:
    """The hands as they were, and every card with the duty of its seat, given all that it held."""
    hands = collect_hands(ruleset, taken)
    cards = [
        ReplayedCard(
            seat,
            card,
            find_duty(ruleset, _sort_hand(ruleset, hands[seat][n:], trump), trick.cards[:place], trump),
        )
        for n, trick in enumerate(taken)
        for place, (seat, card) in enumerate(trick.by_seat(ruleset).items())
    ]
    return hands, cards


def _value_cards(
    ruleset: JackNineRuleset, row: JackNineRow, taken: Sequence[TakenTrick], hands: Hands, most: int
) -> list[Balance | None]:
    """Find the result of best play before each card, and after the last one."""
    declarer, trump, made = cast(str, row.declarer), cast(str, row.trump), cast(Mapping[Side, int], row.made)
    ending, names = encode_endgame(ruleset, hands, (), taken[0].leader, trump)
    number = {card: n for n, card in enumerate(names.cards)}
    side = ruleset.ring.side(declarer)
    plays = [number[card] for trick in taken for card in trick.cards]
    more = ruleset.capot_extra(trump)
    values = value_plays(ending, ending.seats(names.sides.index(side)), plays, Effort(most), more // 2)
    shares = [
        None if value is None else _scale(ruleset, _share_out(value, ending.total, more), trump)
        for value in values
    ]
    # Words are what was made beside cards and last trick.
    last = cast(Balance, shares[-1])
    own, others = made[side] - last[0], sum(made.values()) - made[side] - last[1]
    return [None if share is None else (own + share[0], others + share[1]) for share in shares]


def _scale(ruleset: JackNineRuleset, balance: Balance, trump: str) -> Balance:
    """The points that are written for these on the cards."""
    own, whole = ruleset.scale(balance[0], trump), ruleset.scale(sum(balance), trump)
    return own, whole - own


def _share_out(value: int, whole: int, more: int) -> Balance:
    """Split cards and last trick between the sides by best play; a capot lies beyond the whole."""
    if more and value > whole:
        return whole + more, 0
    if more and value < 0:
        return 0, whole + more
    return value, whole - value


def _add_cost(card: ReplayedCard, before: Balance | None, after: Balance | None) -> ReplayedCard:
    """Add what a card cost: the points its side lost or, with a capot among them, the others won."""
    cost = None
    if before is not None and after is not None:
        cost = max(abs(before[0] - after[0]), abs(before[1] - after[1]))
    return replace(card, best=after, cost=cost)


def _find_turning(ruleset: JackNineRuleset, row: JackNineRow, values: Sequence[Balance | None]) -> int | None:
    """The last card, from 0, after which another side was ahead by best play, or none; None without one."""
    bid = None
    if row.points is not None:
        bid = Bid(row.points, row.double or 1, discounted=_find_discounted(ruleset, row))

    def find_ahead(value: Balance) -> int:
        if bid is None:
            return (value[0] > value[1]) - (value[0] < value[1])
        sums = dict(zip(ruleset.ring.sides, value, strict=True))
        return value[0] >= (find_needed(ruleset, sums, bid) or 0)

    ahead = [None if value is None else find_ahead(value) for value in values]
    changes = [
        n for n, (before, after) in enumerate(pairwise(ahead)) if before is not None and before != after
    ]
    return changes[-1] if changes else None


def _find_discounted(ruleset: JackNineRuleset, row: JackNineRow) -> int:
    """The points of the declarer's side that do not help to reach the bid. Rule key: `score.needs`."""
    own = [line for line in row.lines if line.side == ruleset.ring.side(cast(str, row.declarer))]
    match ruleset["helps_bid"]:
        case "all":
            return 0
        case "without-bela":
            return sum(line.points for line in own if line.word == "bela")
        case "cards":
            return sum(line.points for line in own if line.word not in TRICK_WORDS)
        case unknown:
            raise UnknownOption(unknown)


def _sort_hand(ruleset: JackNineRuleset, hand: Sequence[Card], trump: str) -> tuple[Card, ...]:
    """The cards suit by suit, the highest first."""
    suits, height = [*Suit], ruleset.orders.height
    return tuple(sorted(hand, key=lambda card: (suits.index(card.suit), -height(card, trump))))


def show_replay(ruleset: JackNineRuleset, replay: Replay) -> dict[str, Json]:
    """The replay as JSON values."""
    return {
        "elder": replay.elder,
        "declarer": replay.declarer,
        "trump": str(replay.trump),
        "hands": {seat: [str(card) for card in hand] for seat, hand in replay.hands.items()},
        "tricks": [
            {
                "leader": trick.leader,
                "taker": trick.taker,
                "points": trick.points,
                "cards": [_show_card(ruleset, card) for card in trick.cards],
            }
            for trick in replay.tricks
        ],
        "made": None if replay.made is None else dict(replay.made),
        "best": _show_balance(replay.best),
        "turning": None
        if replay.turning is None
        else {"trick": replay.turning[0] + 1, "card": replay.turning[1] + 1},
        "stopped": replay.stopped,
    }


def _show_card(ruleset: JackNineRuleset, played: ReplayedCard) -> dict[str, Json]:
    return {
        "seat": played.seat,
        "card": str(played.card),
        "legal": [str(card) for card in played.duty.legal],
        "why": str(played.duty.why),
        "rules": [rule.id for rule in ruleset.cite(*played.duty.keys)],
        "best": _show_balance(played.best),
        "cost": played.cost,
    }


def _show_balance(balance: Balance | None) -> dict[str, Json] | None:
    return None if balance is None else dict(zip(("declarer", "others"), balance, strict=True))
