"""Durak once more: apart from the core, card by card with a real pack, as simply as can be.

Everybody plays at random but by the rules, and what was played is kept, to be put to the core.
"""

from random import Random
from typing import Any

from .rules import (
    JOKERS,
    SEATS,
    Moment,
    PlayedBout,
    TableRules,
    ThrowAttempt,
    TransferAttempt,
    colour,
    rank,
    suit,
)


class PlayedHand:
    """One hand, dealt and played to its end, or for so many bouts."""

    def __init__(self, rules: TableRules, random: Random, dealer: int, later: bool, most: int = 120) -> None:
        self.rules, self.random, self.dealer, self.later = rules, random, dealer, later
        self.order = rules.ranks
        self.shown: set[tuple[int, str]] = set()
        self._deal()
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

    def _deal(self) -> None:
        """Deal until a card with a suit can be turned up; a joker goes back into the talon."""
        full = self.rules.hand
        dealt = full * self.rules.players
        while True:
            pack = [item + s for item in self.order for s in "SHDC"] + JOKERS * self.rules.jokers
            self.random.shuffle(pack)
            self.hands = [pack[full * n : full * n + full] for n in range(self.rules.players)]
            self.talon = pack[dealt:]
            turned = self.talon or self.hands[self.dealer]
            if not all(map(self._goes_back if self.talon else JOKERS.__contains__, turned)):
                break
        while self.talon and self._goes_back(self.talon[-1]):
            self.talon.insert(0, self.talon.pop())
        self.trump = suit(self.talon[-1] if self.talon else self.random.choice(self.hands[self.dealer]))

    def _goes_back(self, card: str) -> bool:
        """Whether this card cannot be turned up for trumps."""
        rules = self.rules
        spade = rules.by_spades and rules.no_spade and suit(card) == "S"
        return card in JOKERS or spade or (rules.no_ace and rank(card) == "A")

    def _is_top(self, card: str) -> bool:
        """Whether this is the joker that is the highest trump."""
        return self.rules.top_joker and card in JOKERS and colour(card) == colour("7" + self.trump)

    def _lowest(self) -> int | None:
        self.lowest_trump = ""
        for item in [*(item + self.trump for item in self.order), *filter(self._is_top, JOKERS)]:
            for seat, hand in enumerate(self.hands):
                if item in hand:
                    self.lowest_trump = item
                    return seat
        return None

    @property
    def opening(self) -> str:
        """The card that the very first attack has to be, if there is one."""
        rules = self.rules
        return self.lowest_trump if rules.opens_lowest and not rules.older and not self.later else ""

    def beats(self, card: str, other: str) -> bool:
        if self._is_top(card):
            guarded = self.rules.by_spades and suit(other) == "S" and self.trump != "S"
            return not guarded or card == "*B"
        if other in JOKERS:
            return False
        if card in JOKERS:
            return colour(card) == colour(other)
        if suit(card) == suit(other):
            if self.rules.lowest_ace and rank(other) == "A" and rank(card) == self.order[0]:
                return True
            return self.order.index(rank(card)) > self.order.index(rank(other))
        if self.rules.by_spades and suit(other) == "S":
            return False
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

    def _moment(self) -> Moment:
        """How the bout stands that begins now, or whose attack has just been transferred."""
        rules, held = self.rules, len(self.hands[self.defender])
        none_beaten = all(bout.result != "beaten-off" for bout in self.bouts)
        small = rules.has_first_limit and (not self.bouts or (rules.until and none_beaten))
        self.cap = 5 if small else rules.cap or 99
        return Moment(self.attacker, self.defender, held, min(self.cap, held))

    @property
    def limit(self) -> int:
        """How many attack cards there may be now: more, perhaps, once the defender takes."""
        binds = self.rules.conventions.get("cap_binds_taker", True)
        if self.picking and not (binds or self.rules.closed) and self.cap < self.rules.most:
            return min(self.rules.most, self.moment.held)
        return self.moment.limit

    def _note(self, step: dict[str, Any]) -> None:
        self.now.steps.append(step)
        self.now.moments.append(self.moment)

    def _bout(self) -> None:
        random = self.random
        none_beaten = all(bout.result != "beaten-off" for bout in self.bouts)
        self.moment = self._moment()
        hands, out = [list(hand) for hand in self.hands], list(self.out)
        self.now = PlayedBout(
            hands, out, len(self.talon), not self.bouts, none_beaten, self.throwers(), [self.moment]
        )
        self.table: list[list[str]] = []
        self.picking = False
        opening = random.choice(self.hands[self.attacker])
        if not self.bouts and self.opening:
            opening = self.opening
        alike = [card for card in self.hands[self.attacker] if rank(card) == rank(opening)]
        alike.sort(key=lambda card: card != opening)
        for card in alike[: random.choice([1, 1, self.moment.limit])]:
            self._attack(self.attacker, card)
        bold, eager = random.random(), random.random()
        while not self._over():
            self._try_transfer()
            if random.random() < eager and self._transfer():
                continue
            if random.random() < 0.1 and self._throw_in(bold):
                continue
            waiting = [pair for pair in self.table if not pair[1:]]
            able = [(pair, card) for pair in waiting for card in self._beating(pair[0])]
            if waiting and (not able or random.random() < 0.1):
                self.picking = True
                self._note({"seat": SEATS[self.defender], "pick_up": True})
                self._try_transfer()
                while self._throw_in(bold):
                    pass
            elif waiting:
                pair, card = random.choice(able)
                self.hands[self.defender].remove(card)
                pair.append(card)
                self._note({"seat": SEATS[self.defender], "card": card, "beats": pair[0]})
                if random.random() < 0.2:
                    self._throw_in(bold)
            elif not self._throw_in(bold):
                break
        self._end_of_bout()

    def _over(self) -> bool:
        beaten = all(len(pair) == 2 for pair in self.table)
        return self.picking or (beaten and len(self.table) == self.moment.limit)

    def _following(self) -> int:
        """Who sits next to the defender of those who were not out before the bout."""
        seat = (self.defender + 1) % self.rules.players
        while seat in self.out:
            seat = (seat + 1) % self.rules.players
        return seat

    def may_transfer(self, cards: list[str], shown: bool) -> bool:
        """Whether the defender may transfer with cards of his hand."""
        rules = self.rules
        if not rules.transfer or self.picking or (not self.bouts and not rules.transfer_first):
            return False
        ranks = {rank(card) for card in cards}
        if any(len(pair) == 2 for pair in self.table) or ranks != {rank(self.table[0][0])}:
            return False
        if len(cards) > 1 and (shown or not rules.several):
            return False
        card = cards[0]
        fresh = (self.defender, card) not in self.shown
        if shown and not (rules.pass_card and suit(card) == self.trump and card not in JOKERS and fresh):
            return False
        count = len(self.table) + (0 if shown else len(cards))
        return len(self.hands[self._following()]) >= count and (shown or count <= self.cap)

    def _try_transfer(self) -> None:
        """The defender thinks of some card, now and then of two."""
        if not self.hands[self.defender] or self.rules.teams:
            return
        cards, shown = [self.random.choice(self.hands[self.defender])], self.random.random() < 0.3
        alike = [card for card in self.hands[self.defender] if rank(card) == rank(cards[0])]
        if self.random.random() < 0.3:
            cards = alike
        allowed, following = self.may_transfer(cards, shown), self._following()
        table, before = [list(pair) for pair in self.table], (self.defender, cards[0]) in self.shown
        self.now.transfer_tries.append(
            TransferAttempt(
                self.defender,
                cards,
                shown,
                shown and before,
                table,
                self.picking,
                len(self.hands[following]),
                following if allowed else None,
            )
        )

    def _transfer(self) -> bool:
        hand, attacked = self.hands[self.defender], rank(self.table[0][0])
        alike = [card for card in hand if rank(card) == attacked]
        ways = [([card], shown) for card in hand for shown in (False, True)]
        ways += [(alike[:n], False) for n in range(2, len(alike) + 1)]
        ways = [way for way in ways if self.may_transfer(*way)]
        if not ways:
            return False
        cards, shown = self.random.choice(ways)
        by = self.defender
        following = self._following()
        if shown:
            self.shown.add((by, cards[0]))
        else:
            for card in cards:
                self.hands[by].remove(card)
                self.table.append([card])
            self.now.joined.append(by)
        self.attacker, self.defender = by, following
        self.moment = self._moment()
        extra = {"card": cards if cards[1:] else cards[0]} | ({"shown": True} if shown else {})
        self._note({"seat": SEATS[by], "transfer": True, **extra})
        self.now.transfers.append({"by": SEATS[by], **extra})
        return True

    def _beating(self, attack: str) -> list[str]:
        return [card for card in self.hands[self.defender] if self.beats(card, attack)]

    def _attack(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.table.append([card])
        self._note({"seat": SEATS[seat], "card": card})
        if seat not in self.now.joined:
            self.now.joined.append(seat)

    def allowed(self, seat: int, card: str) -> bool:
        """Whether somebody may throw this card in now, nobody objecting."""
        ranks = {rank(item) for pair in self.table for item in pair}
        begun = seat == self.attacker or self.picking or any(len(pair) == 2 for pair in self.table)
        begun = begun or self.rules.at_once
        room = len(self.table) < self.limit and not (self.picking and self.rules.closed)
        return seat in self.throwers() and begun and rank(card) in ranks and room

    def _throw_in(self, bold: float) -> bool:
        """Somebody throws a card in, or nobody wants to; a card is tried at random first."""
        random = self.random
        seat = random.randrange(self.rules.players)
        if self.hands[seat] and seat not in self.out:
            card = random.choice(self.hands[seat])
            table, allowed = [list(pair) for pair in self.table], self.allowed(seat, card)
            self.now.tries.append(
                ThrowAttempt(seat, card, table, self.picking, allowed, self.moment, self.limit)
            )
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
        joined = [seat for seat in helpers if seat in now.joined and seat != self.defender]
        drawing = [self.attacker, *joined, self.defender]
        for seat in drawing:
            drawn = 0
            while self.talon and len(self.hands[seat]) < self.rules.hand:
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
