"""Durak once more: apart from the core, card by card with a real pack, as simply as can be.

Seats are numbers from 0, clockwise; cards are texts such as `10H`. Everybody plays at random but by the
rules, and what was played is kept, to be put to the core.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

SEATS = "ABCDEF"
RANKS = {36: "6 7 8 9 10 J Q K A", 52: "2 3 4 5 6 7 8 9 10 J Q K A", 24: "9 10 J Q K A"}
FULL_HAND = 6


def rank(card: str) -> str:
    """The rank of a card."""
    return card[:-1]


def suit(card: str) -> str:
    """The suit of a card."""
    return card[-1]


@dataclass(frozen=True)
class TableRules:
    """How a table plays."""

    players: int
    form: str = "individual"
    deck: int = 36
    neighbours: bool = False
    first_limit: int = 6
    teach: bool = False
    older: bool = False

    @property
    def teams(self) -> bool:
        """Whether two teams play."""
        return self.form != "individual"

    @property
    def conventions(self) -> dict[str, Any]:
        """The same as conventions of a record."""
        chosen: dict[str, Any] = {
            "format": self.form,
            "deck": self.deck,
            "first_hand": "left-of-dealer" if self.older else "lowest-trump",
        }
        if not self.teams:
            chosen["first_defence_limit"] = self.first_limit
        if self.players > 2:
            chosen["first_attack"] = "teach-the-fool" if self.teach else "under-the-fool"
        if self.players > 3 and self.form != "teams-4":
            chosen["throwers"] = "neighbours" if self.neighbours else "all"
        return chosen

    def foes(self, one: int, other: int) -> bool:
        """Whether two seats play against each other."""
        return (one - other) % 2 == 1 if self.teams else one != other

    def side(self, seat: int) -> str:
        """The side that a seat plays for."""
        return "AB"[seat % 2] if self.teams else SEATS[seat]


@dataclass
class ThrowAttempt:
    """A card that a player thought of throwing in: what lay on the table, and whether it was allowed."""

    by: int
    card: str
    table: list[list[str]]
    picking_up: bool
    allowed: bool


@dataclass
class PlayedBout:
    """One bout as it was played, with the hands and the talon before it and after it."""

    attacker: int
    defender: int
    hands: list[list[str]]
    out: list[int]
    talon: int
    first: bool
    limit: int
    throwers: list[int]
    steps: list[dict[str, Any]] = field(default_factory=list)
    tries: list[ThrowAttempt] = field(default_factory=list)
    joined: list[int] = field(default_factory=list)
    result: str = ""
    draws: list[tuple[int, int]] = field(default_factory=list)
    left: int = 0
    gone: list[int] = field(default_factory=list)

    def to_entry(self) -> dict[str, Any]:
        """The bout as it stands in a record's entry."""
        newly_out = [SEATS[seat] for seat in self.gone if seat not in self.out]
        entry = {"attacker": SEATS[self.attacker], "defender": SEATS[self.defender], "result": self.result}
        return entry | ({"out": newly_out} if newly_out else {})


class PlayedHand:
    """One hand, dealt and played to its end, or for so many bouts."""

    def __init__(self, rules: TableRules, random: Random, dealer: int, later: bool, most: int = 120) -> None:
        self.rules, self.random, self.dealer = rules, random, dealer
        self.order = RANKS[rules.deck].split()
        pack = [one + s for one in self.order for s in "SHDC"]
        random.shuffle(pack)
        dealt = 6 * rules.players
        self.hands = [pack[6 * n : 6 * n + 6] for n in range(rules.players)]
        self.talon = pack[dealt:]
        if self.talon:
            self.trump = suit(self.talon[-1])
        else:
            self.trump = suit(random.choice(self.hands[dealer]))
        self.out: list[int] = []
        self.bouts: list[PlayedBout] = []
        self.lowest = self._lowest()
        if later:
            first = dealer - 1 if rules.teach else dealer + 1
        else:
            first = dealer + 1 if rules.older or self.lowest is None else self.lowest
        self.attacker = first % rules.players
        self.defender = (self.attacker + 1) % rules.players
        self.first = (self.attacker, self.defender)
        self.ended = False
        self.loser: str | None = None
        while not self.ended and len(self.bouts) < most:
            self._bout()

    def _lowest(self) -> int | None:
        for one in self.order:
            for seat, hand in enumerate(self.hands):
                if one + self.trump in hand:
                    return seat
        return None

    def beats(self, card: str, other: str) -> bool:
        """Whether a card beats another."""
        if suit(card) == suit(other):
            return self.order.index(rank(card)) > self.order.index(rank(other))
        return suit(card) == self.trump

    def throwers(self) -> list[int]:
        """Who may attack, the principal first, then clockwise from the defender's left."""
        n, may = self.rules.players, list[int]()
        around = [(self.defender + step) % n for step in range(1, n)]
        foes = [seat for seat in around if seat not in self.out and self.rules.foes(seat, self.defender)]
        for seat in foes:
            if seat in (foes[0], foes[-1]) or not self.rules.neighbours:
                may.append(seat)
        return [self.attacker, *(seat for seat in may if seat != self.attacker)]

    def _bout(self) -> None:
        random, defender = self.random, self.defender
        most = self.rules.first_limit if not self.rules.teams and not self.bouts else 6
        self.now = PlayedBout(
            self.attacker,
            defender,
            [list(hand) for hand in self.hands],
            list(self.out),
            len(self.talon),
            not self.bouts,
            min(most, len(self.hands[defender])),
            self.throwers(),
        )
        self.table: list[list[str]] = []
        self.picking = False
        opening = random.choice(self.hands[self.attacker])
        alike = [card for card in self.hands[self.attacker] if rank(card) == rank(opening)]
        for card in alike[: random.choice([1, 1, self.now.limit])]:
            self._attack(self.attacker, card)
        bold = random.random()
        while not self._over():
            waiting = [pair for pair in self.table if not pair[1:]]
            able = [(pair, card) for pair in waiting for card in self._beating(pair[0])]
            if waiting and (not able or random.random() < 0.1):
                self.picking = True
                self.now.steps.append({"seat": SEATS[defender], "pick_up": True})
                while self._throw_in(bold):
                    pass
            elif waiting:
                pair, card = random.choice(able)
                self.hands[defender].remove(card)
                self.now.steps.append({"seat": SEATS[defender], "card": card, "beats": pair[0]})
                pair.append(card)
                if random.random() < 0.2:
                    self._throw_in(bold)
            elif not self._throw_in(bold):
                break
        self._end_of_bout()

    def _over(self) -> bool:
        beaten = all(len(pair) == 2 for pair in self.table)
        return self.picking or (beaten and len(self.table) == self.now.limit)

    def _beating(self, attack: str) -> list[str]:
        return [card for card in self.hands[self.defender] if self.beats(card, attack)]

    def _attack(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.table.append([card])
        self.now.steps.append({"seat": SEATS[seat], "card": card})
        if seat not in self.now.joined:
            self.now.joined.append(seat)

    def allowed(self, seat: int, card: str) -> bool:
        """Whether somebody may throw this card in now, nobody objecting."""
        ranks = {rank(one) for pair in self.table for one in pair}
        begun = seat == self.attacker or self.picking or any(len(pair) == 2 for pair in self.table)
        room = len(self.table) < self.now.limit
        return seat in self.throwers() and begun and rank(card) in ranks and room

    def _throw_in(self, bold: float) -> bool:
        """Somebody throws a card in, or nobody wants to; a card is tried at random first."""
        random = self.random
        seat = random.randrange(self.rules.players)
        if self.hands[seat] and seat not in self.out:
            card = random.choice(self.hands[seat])
            table = [list(pair) for pair in self.table]
            self.now.tries.append(ThrowAttempt(seat, card, table, self.picking, self.allowed(seat, card)))
        for seat in self.throwers():
            fits = [card for card in self.hands[seat] if self.allowed(seat, card)]
            if fits and random.random() < bold:
                self._attack(seat, random.choice(fits))
                return True
        return False

    def _end_of_bout(self) -> None:
        now, n = self.now, self.rules.players
        now.result = "picked-up" if self.picking else "beaten-off"
        if self.picking:
            self.hands[self.defender] += [card for pair in self.table for card in pair]
        helpers = [(self.attacker + step) % n for step in range(1, n)]
        drawing = [self.attacker, *(seat for seat in helpers if seat in now.joined), self.defender]
        for seat in drawing:
            drawn = 0
            while self.talon and len(self.hands[seat]) < FULL_HAND:
                self.hands[seat].append(self.talon.pop(0))
                drawn += 1
            if drawn:
                now.draws.append((seat, drawn))
        now.left = len(self.talon)
        if not self.talon:
            self.out = [seat for seat in range(n) if not self.hands[seat]]
        now.gone = list(self.out)
        self.bouts.append(now)
        self._turn()

    def _turn(self) -> None:
        n, rules = self.rules.players, self.rules
        active = [seat for seat in range(n) if seat not in self.out]
        sides = {rules.side(seat) for seat in active}
        if len(sides) < 2:
            self.ended, self.loser = True, next(iter(sides), None)
            return

        def following(seat: int, step: int) -> int:
            seat = (seat + step) % n
            while seat in self.out:
                seat = (seat + step) % n
            return seat

        beaten_off = not self.picking
        stays = beaten_off and self.defender not in self.out
        if rules.teams:
            third, fourth = following(self.attacker, 2), following(self.defender, 2)
            if self.picking:
                self.attacker, self.defender = third, fourth
            else:
                self.attacker, self.defender = (self.defender if stays else fourth), third
        else:
            self.attacker = self.defender if stays else following(self.defender, 1)
            self.defender = following(self.attacker, 1)


def random_rules(random: Random) -> TableRules:
    """A table at random."""
    players, form = random.choice(
        [(2, "individual"), (3, "individual"), (4, "individual"), (5, "individual"), (6, "individual")]
        + [(4, "teams-4"), (6, "teams-6")] * 2
    )
    decks = {2: [36, 24], 5: [36, 52], 6: [36, 52]}.get(players, [36])
    return TableRules(
        players,
        form,
        random.choice(decks),
        random.choice([False, True]),
        random.choice([5, 6]),
        random.choice([False, True]),
        random.choice([False, True]),
    )
