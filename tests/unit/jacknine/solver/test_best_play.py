"""What best play comes to before each card of an ending: what trying every play comes to."""

from collections.abc import Sequence
from random import Random

import pytest
from dealing import TRICK_GAMES, Table
from naive import allowed, taker, value
from tiers import FOUR_GAMES, is_nightly

from companion import library
from companion.jacknine.solver.best_play import value_plays
from companion.jacknine.solver.endgame import encode_endgame
from companion.jacknine.solver.facts import Effort
from companion.rules.cards import Card, Suit

Hands = dict[str, list[Card]]
Stand = tuple[Hands, str, list[Card]]
"""The hands, who led, and the cards of an unfinished trick."""
SIZES = {2: 4, 3: 3, 4: 3}
"""How many cards a hand has, by the number of players."""


class Ending:
    """The last cards of a deal at a table, told and searched a second time."""

    def __init__(self, table: Table, trump: str, ours: Sequence[str]) -> None:
        self.table, self.trump, self.ours = table, trump, ours
        self.bare = table.rules["bare_jass"] == "on"

    def list_legal(self, hands: Hands, leader: str, trick: Sequence[Card]) -> tuple[str, list[Card]]:
        seat = self.table.rules.ring.left(leader, len(trick))
        return seat, allowed(self.table.way, hands[seat], trick, self.trump, bare=self.bare)

    def lay(self, stand: Stand, card: Card) -> tuple[Stand, int]:
        """How play stands after one more card, and what our side has of it."""
        hands, leader, trick = stand[0], stand[1], [*stand[2], card]
        hands = {seat: [other for other in hand if other != card] for seat, hand in hands.items()}
        if len(trick) < len(hands):
            return (hands, leader, trick), 0
        way = self.table.way
        leader = self.table.rules.ring.left(leader, taker(way, trick, self.trump))
        worth = sum(self.count(card) for card in trick) + 10 * (not any(hands.values()))
        return (hands, leader, []), worth * (leader in self.ours)

    def count(self, card: Card) -> int:
        words = {self.table.way.jass: self.table.way.top, "9": 14}
        return value(self.table.way, card, self.trump) + words.get(card.rank, 0) * (card.suit == self.trump)

    def search(self, stand: Stand) -> int:
        if not any(stand[0].values()):
            return 0
        seat, legal = self.list_legal(*stand)
        after = [self.lay(stand, card) for card in legal]
        return (max if seat in self.ours else min)(won + self.search(at) for at, won in after)


FREE = [name for name in TRICK_GAMES if "trump_led" in library.read_rulebook(name).conventions]
"""Games in which a led trump need not be beaten at some tables."""


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        pytest.param(name, chosen, marks=[] if name in FOUR_GAMES else pytest.mark.nightly)
        for name, chosen in [
            *((name, ()) for name in TRICK_GAMES),
            *((name, (("trump_led", "follow"),)) for name in FREE),
            *((name, (("contracts", "all"),)) for name in ("coinche", "contree")),
        ]
    ],
)
def test_best_play_is_that_of_trying_every_play(name: str, chosen: tuple[tuple[str, str], ...]) -> None:
    random, table = Random(3), Table(name, conventions=chosen)
    ring, pack = table.rules.ring, list(table.rules.pack)
    for _ in range(10 if is_nightly() else 3):
        random.shuffle(pack)
        # What can be played beside suits, no-trumps and all trumps, stands last.
        size, trump = SIZES[ring.size], random.choice(table.rules.suits[-3:] if chosen else [*Suit])
        hands = {seat: pack[n * size : (n + 1) * size] for n, seat in enumerate(ring.seats)}
        leader, side = random.choice(ring.seats), random.choice(ring.sides)
        ending = Ending(table, trump, [seat for seat in ring.seats if ring.side(seat) == side])
        encoded, names = encode_endgame(table.rules, hands, (), leader, trump)
        at: Stand = (hands, leader, [])
        made, fell, expected = 0, list[Card](), list[int]()
        while any(at[0].values()):
            expected.append(made + ending.search(at))
            fell.append(random.choice(ending.list_legal(*at)[1]))
            at, won = ending.lay(at, fell[-1])
            made += won
        plays, ours = [names.cards.index(card) for card in fell], encoded.seats(names.sides.index(side))
        assert value_plays(encoded, ours, plays, Effort(10**6)) == [*expected, made], (hands, fell, trump)
        short = value_plays(encoded, ours, plays, Effort(9))
        known = [value for value in short if value is not None]
        assert short == [None] * (len(short) - len(known)) + [*expected, made][len(short) - len(known) :]


def search_with_gain(ending: Ending, stand: Stand, takers: frozenset[bool], gain: int) -> int:
    """By trying every play: our points, and what a side with every trick gains; `takers`: who has one."""
    if not any(stand[0].values()):
        return 0 if len(takers) > 1 else gain if True in takers else -gain
    seat, legal = ending.list_legal(*stand)
    found = []
    for card in legal:
        at, won = ending.lay(stand, card)
        has = takers if at[2] else takers | {at[1] in ending.ours}
        found.append(won + search_with_gain(ending, at, has, gain))
    return (max if seat in ending.ours else min)(found)


def test_a_side_plays_for_every_trick_where_that_counts_more() -> None:
    """With three cards each the first trick is the first of all, so a side may still take every one."""
    random, table, swept = Random(4), Table("belote"), set()
    for _ in range(60 if is_nightly() else 12):
        pack = [card for card in table.rules.pack if card.rank in ("J", "9", "A", "7")]
        random.shuffle(pack)
        ring, trump = table.rules.ring, random.choice([*Suit])
        hands = {seat: pack[n * 3 : (n + 1) * 3] for n, seat in enumerate(ring.seats)}
        leader, side = random.choice(ring.seats), random.choice(ring.sides)
        ending = Ending(table, trump, [seat for seat in ring.seats if ring.side(seat) == side])
        encoded, names = encode_endgame(table.rules, hands, (), leader, trump)
        at: Stand = (hands, leader, [])
        fell: list[Card] = []
        while any(at[0].values()):
            fell.append(random.choice(ending.list_legal(*at)[1]))
            at, _won = ending.lay(at, fell[-1])
        plays, ours = [names.cards.index(card) for card in fell], encoded.seats(names.sides.index(side))
        first = value_plays(encoded, ours, plays, Effort(10**6), gain=45)[0]
        assert first == search_with_gain(ending, (hands, leader, []), frozenset(), 45)
        swept.add(first is not None and (first > encoded.total or first < 0))
    assert swept == {True, False}
