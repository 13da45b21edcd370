"""What is certain of the last cards without a search: trumps that nobody can catch, tricks that run."""

from collections.abc import Collection, Iterable
from functools import cache
from itertools import accumulate

from .endgame import Endgame, list_cards


class Certainties:
    """What a side is sure of, or what is lost to it, however those against it play.

    `side` are its seats. Where `at_will` every seat plays as it likes, to whose good ever; otherwise each
    plays as well as it can for the side or for the others.
    """

    def __init__(self, ending: Endgame, side: Collection[int], at_will: bool) -> None:
        self.ending, self.at_will = ending, at_will
        seats = range(len(ending.hands))
        self.is_ours = tuple(seat in side for seat in seats)
        self.ours = tuple(seat for seat in seats if seat in side)
        self.theirs = tuple(seat for seat in seats if seat not in side)
        self.plain = tuple(suit for suit in dict.fromkeys(ending.suits) if suit != ending.trumps)
        self.count_points = cache(ending.count_points)
        self.find_uncaught = cache(self._find_uncaught)
        self.find_running = cache(self._find_running)
        self.sum_least = cache(self._sum_least)

    def bound_points(self, left: int, leader: int) -> tuple[int, int]:
        """The least and the most that the cards left can bring the side, the last trick included."""
        trumps = left & self.ending.trumps
        rest = self.ending.last + self.count_points(trumps)
        for suit in self.plain:
            rest += self.count_points(left & suit)
        points, tricks = self.find_run(left, leader)
        if tricks == (left & self.ending.hands[leader]).bit_count():
            return (rest, rest) if self.is_ours[leader] else (0, 0)
        won, tricks_won, lost, tricks_lost = self.find_uncaught(trumps)
        won += self.count_given(left, self.theirs, tricks_won)
        lost += self.count_given(left, self.ours, tricks_lost)
        if not self.at_will:
            if self.is_ours[leader]:
                won = max(won, points + self.count_given(left, self.theirs, tricks))
            else:
                lost = max(lost, points + self.count_given(left, self.ours, tricks))
        return won, rest - lost

    def bound_row(self, left: int, leader: int) -> tuple[int, int]:
        """The least and the most tricks in a row, from the next on, that the side will take."""
        _points, tricks = self.find_run(left, leader)
        if tricks and not self.is_ours[leader]:
            return 0, 0
        _won, _tricks_won, _lost, tricks_lost = self.find_uncaught(left & self.ending.trumps)
        return tricks, (left & self.ending.hands[leader]).bit_count() - tricks_lost

    def find_run(self, left: int, leader: int) -> tuple[int, int]:
        """Cards of the leader that take trick after trick, trumps first: their points, and how many."""
        points, tricks, drawn = self.find_running(left & self.ending.trumps, leader)
        if drawn:
            for suit in self.plain:
                more, further, _drawn = self.find_running(left & suit, leader)
                points += more
                tricks += further
        return points, tricks

    def _find_running(self, suit: int, leader: int) -> tuple[int, int, bool]:
        """Of what is left of a suit, what the leader takes tricks with while nobody ruffs.

        The points of these cards, how many they are, and whether nobody else has one of the suit at last.
        """
        mine = suit & self.ending.hands[leader]
        others = suit & ~mine
        top = mine >> others.bit_length() << others.bit_length()
        drawn = not others
        if not self.at_will:
            drawn = all((others & hand).bit_count() <= top.bit_count() for hand in self.ending.hands)
        running = mine if drawn else top
        return self.ending.count_points(running), running.bit_count(), drawn

    def _find_uncaught(self, trumps: int) -> tuple[int, int, int, int]:
        """What the trumps left bring in any play: points and tricks of the side, then of the others.

        A higher trump of those against it catches one card of a hand at most. As many of the hand's as go
        in pairs with higher ones can be caught, in points the dearest; the others each take a trick, or fall
        into one that the partner takes.
        """
        found = []
        for side, against in ((self.ours, self.theirs), (self.theirs, self.ours)):
            catchers = [card for seat in against for card in list_cards(trumps & self.ending.hands[seat])]
            uncaught = [self._leave_uncaught(trumps & self.ending.hands[seat], catchers) for seat in side]
            found += [sum(points for points, _count in uncaught), max(count for _points, count in uncaught)]
        return found[0], found[1], found[2], found[3]

    def _leave_uncaught(self, trumps: int, catchers: Iterable[int]) -> tuple[int, int]:
        """The points and the number of those trumps of a hand that are left when the dearest are caught."""
        caught: dict[int, int] = {}

        def catch(card: int, tried: set[int]) -> bool:
            for catcher in catchers:
                if catcher > card and catcher not in tried:
                    tried.add(catcher)
                    if catcher not in caught or catch(caught[catcher], tried):
                        caught[catcher] = card
                        return True
            return False

        points = self.ending.points
        dearest = sorted(list_cards(trumps), key=lambda card: -points[card])
        left = [card for card in dearest if not catch(card, set())]
        return sum(points[card] for card in left), len(left)

    def count_given(self, left: int, seats: Iterable[int], tricks: int) -> int:
        """The least points that these seats play to so many tricks of the others, the last included."""
        if not tricks:
            return 0
        given = 0
        for seat in seats:
            least = self.sum_least(left & self.ending.hands[seat])
            given += least[tricks]
        return given + (self.ending.last if tricks == len(least) - 1 else 0)

    def _sum_least(self, hand: int) -> tuple[int, ...]:
        """The least points of no card of a hand, of one, of two and so on."""
        points = sorted(self.ending.points[card] for card in list_cards(hand))
        return tuple(accumulate(points, initial=0))
