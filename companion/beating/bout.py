"""One bout: who may throw in, in which order and how many cards."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from companion.rules.cards import Card
from companion.rules.message import CountMessage, Message, SeatName, Word
from companion.rules.seats import Seat

from .ruleset import BeatingRuleset


@dataclass(frozen=True, slots=True)
class Refusal:
    """The refusal of an action: the sentence `why`, the family's rule `key`, others that bear on it."""

    why: Message
    key: str
    also: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all rules it rests on, the decisive one first."""
        return (self.key, *self.also)


@dataclass(frozen=True, slots=True)
class BoutProblem:
    """A fault of a bout or a hand: the `field` of its entry (empty: all of it), and why."""

    field: str
    refusal: Refusal


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles in one bout: the principal attacker, the defender, and the players who were out before it.

    `defender_cards` is how many cards the defender held when the bout began, or on becoming the defender by a
    transfer (None: nobody knows); `transferred` says whether the attack was transferred. `first_bout` is the
    hand's first one; `none_beaten_off` says that no bout of the hand before this one was beaten off.
    `opening` is the card with which it has to be opened (None: with any).
    """

    attacker: Seat
    defender: Seat
    out: frozenset[Seat] = frozenset()
    defender_cards: int | None = None
    first_bout: bool = False
    none_beaten_off: bool = False
    transferred: bool = False
    opening: Card | None = None


@dataclass(frozen=True, slots=True)
class BoutTable:
    """The cards of a bout: `pairs` of an attack card and the card that beat it (None: none yet), in order."""

    pairs: tuple[tuple[Card, Card | None], ...] = ()
    picking_up: bool = False

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every card on the table."""
        return tuple(card for pair in self.pairs for card in pair if card is not None)

    @property
    def any_beaten(self) -> bool:
        """True if any attack card is beaten."""
        return any(beat is not None for _attack, beat in self.pairs)

    @property
    def all_beaten(self) -> bool:
        """True if there are attack cards, and all of them are beaten."""
        return bool(self.pairs) and all(beat is not None for _attack, beat in self.pairs)

    @property
    def unbeaten(self) -> tuple[Card, ...]:
        """The attack cards that are not beaten yet."""
        return tuple(attack for attack, beat in self.pairs if beat is None)

    def add(self, *attacks: Card) -> "BoutTable":
        """The same cards with more attack cards."""
        return replace(self, pairs=(*self.pairs, *((attack, None) for attack in attacks)))

    def give_back(self, *attacks: Card) -> "BoutTable":
        """The same cards without some attack cards."""
        return replace(self, pairs=tuple(pair for pair in self.pairs if pair[0] not in attacks))

    def beat(self, attack: Card, card: Card) -> "BoutTable":
        """The same cards with one attack card beaten."""
        pairs = ((other, card if other == attack else beat) for other, beat in self.pairs)
        return replace(self, pairs=tuple(pairs))


def caps_first_defence(ruleset: BeatingRuleset, roles: Roles) -> bool:
    """True if the smaller cap of the first defence holds in a bout (throw.limit, throw.cap).

    Teams have no such cap, and it must be below the usual one and that of every bout.
    """
    usual = min(ruleset.most, ruleset["attack_cap"] or ruleset.most)
    if ruleset.ring.partnerships or ruleset["first_defence_limit"] >= usual:
        return False
    lasts = ruleset["first_defence_until"] == "beaten-off"
    return roles.first_bout or (lasts and roles.none_beaten_off)


def attack_cap(ruleset: BeatingRuleset, roles: Roles, picking_up: bool = False) -> int | None:
    """The most attack cards a bout may have however many the defender holds; None: it is the hand alone.

    A cap below the usual one need not hold once the defender is `picking_up` (throw.cap-taker).
    """
    cap: int = ruleset["attack_cap"]
    if caps_first_defence(ruleset, roles):
        cap = ruleset["first_defence_limit"]
    if picking_up and 0 < cap < ruleset.most and not ruleset["cap_binds_taker"]:
        return ruleset.most
    return cap or None


def attack_limit(ruleset: BeatingRuleset, roles: Roles, defender_cards: int, picking_up: bool = False) -> int:
    """The most attack cards a bout may have against a defender who held so many cards (throw.limit)."""
    cap = attack_cap(ruleset, roles, picking_up)
    return defender_cards if cap is None else min(cap, defender_cards)


def limit_keys(ruleset: BeatingRuleset, roles: Roles, picking_up: bool = False) -> tuple[str, ...]:
    """The keys of the rules that say how many attack cards a bout may have, the decisive one first."""
    cap = attack_cap(ruleset, roles)
    if attack_cap(ruleset, roles, picking_up) != cap:
        return ("throw.cap-taker", "throw.limit")
    first = caps_first_defence(ruleset, roles)
    if cap is None or (first and not roles.first_bout):
        return ("throw.cap", "throw.limit")
    return ("throw.limit",) if first or not ruleset.has_own_cap else ("throw.cap-any", "throw.limit")


def eligible_throwers(ruleset: BeatingRuleset, roles: Roles) -> tuple[Seat, ...]:
    """The players who may attack in a bout, in order of priority: the principal attacker first.

    Rule keys: throw.who, throw.priority.
    """
    ring, defender = ruleset.ring, roles.defender
    clockwise = ring.around(defender)[1:]
    foes = [seat for seat in clockwise if ring.side(seat) != ring.side(defender)]
    against = [seat for seat in foes if seat not in roles.out]
    allowed = {"all": against, "neighbours": [*against[:1], *against[-1:]]}[ruleset["throwers"]]
    return (roles.attacker, *(seat for seat in against if seat in allowed and seat != roles.attacker))


def throw_refusal(
    ruleset: BeatingRuleset,
    roles: Roles,
    table: BoutTable,
    by: Seat,
    cards: Sequence[Card],
    stopped: Collection[Seat] | None = None,
    *,
    over_limit: bool = False,
) -> Refusal | None:
    """Refuse a player who may not attack with these cards now; None if it is allowed.

    `by` attacks with all `cards` at once. `stopped` are the players who have finished attacking, so that the
    next in priority may; without it, players with priority are taken to agree. With `over_limit` there may be
    more cards than the bout may have, for the defender to give some back. Rule keys: throw.who,
    throw.at-once, throw.priority, throw.rank, throw.several, throw.limit, throw.cap, throw.cap-any,
    throw.cap-taker, bout.closed, start.first-card.
    """
    throwers = eligible_throwers(ruleset, roles)
    who = SeatName(by)
    if by not in throwers:
        return Refusal(_why_not_entitled(ruleset, roles, by), "throw.who")
    if by != roles.attacker and not table.any_beaten and not table.picking_up:
        attacker = SeatName(roles.attacker)
        if ruleset["throw_start"] == "first-beaten":
            why = Message("Until the first card is beaten, only {attacker} may attack.", attacker=attacker)
            return Refusal(why, "throw.who")
        if not table.pairs:
            why = Message("{attacker} opens the bout, and the others may add to that.", attacker=attacker)
            return Refusal(why, "throw.at-once")
    if table.picking_up and ruleset["pick_up_ends"]:
        why = Message(
            "{defender} picks up, and here nothing more is given.", defender=SeatName(roles.defender)
        )
        return Refusal(why, "bout.closed")
    before = throwers[: throwers.index(by)]
    waiting = [seat for seat in before if stopped is not None and seat not in stopped]
    if waiting:
        why = Message("{first} goes before {by} and has not stopped.", first=SeatName(waiting[0]), by=who)
        return Refusal(why, "throw.priority")
    refusal = _opening_refusal(roles, table, cards) or _rank_refusal(table, cards)
    if refusal is not None or over_limit:
        return refusal
    assert roles.defender_cards is not None, "who judges an attack knows how many cards the defender holds"
    most = attack_limit(ruleset, roles, roles.defender_cards, table.picking_up)
    if len(table.pairs) + len(cards) > most:
        key, *also = limit_keys(ruleset, roles, table.picking_up)
        return Refusal(_why_over_limit(ruleset, roles, most, table.picking_up), key, tuple(also))
    return None


def _opening_refusal(roles: Roles, table: BoutTable, cards: Sequence[Card]) -> Refusal | None:
    """Refuse to open a bout without the card that has to open it; None if it may (start.first-card)."""
    if table.pairs or roles.opening is None or roles.opening in cards:
        return None
    why = Message(
        "{card} was shown as the lowest trump, and here the first attack is that card.", card=roles.opening
    )
    return Refusal(why, "start.first-card")


def _rank_refusal(table: BoutTable, cards: Sequence[Card]) -> Refusal | None:
    """Refuse to attack with cards of these ranks; None if they may. Jokers are a rank."""
    ranks = {card.rank for card in table.cards} or {cards[0].rank}
    card = next((card for card in cards if card.rank not in ranks), None)
    if card is None:
        return None
    if not table.pairs:
        why = Message(
            "Cards that open a bout together share a rank; {first} and {card} do not.",
            first=cards[0],
            card=card,
        )
        return Refusal(why, "throw.several")
    why = Message(
        "No {rank} lies on the table, so {card} may not be thrown in.", rank=Word(card.rank), card=card
    )
    if card.is_joker:
        why = Message("No joker lies on the table, so {card} may not be thrown in.", card=card)
    return Refusal(why, "throw.rank", ("beat.joker",) * card.is_joker)


def _why_not_entitled(ruleset: BeatingRuleset, roles: Roles, by: Seat) -> Message:
    ring, who, defender = ruleset.ring, SeatName(by), SeatName(roles.defender)
    if by == roles.defender:
        return Message("{by} defends and does not attack in this bout.", by=who)
    if by in roles.out:
        return Message("{by} has no cards left.", by=who)
    if ring.side(by) == ring.side(roles.defender):
        return Message("{by} is a partner of {defender} and only watches.", by=who, defender=defender)
    return Message("Only the neighbours of {defender} may throw in.", defender=defender)


def describe_count(count: int) -> Message:
    """So many cards, in words that fit one card as well."""
    return CountMessage("one card", "{count} cards", count)


def _why_over_limit(ruleset: BeatingRuleset, roles: Roles, most: int, picking_up: bool) -> Message:
    if not most:
        return Message("{defender} holds no card, so none may attack.", defender=SeatName(roles.defender))
    if most == roles.defender_cards:
        facts = {"defender": SeatName(roles.defender), "held": describe_count(most)}
        if roles.transferred:
            return Message(
                "{defender} held {held} when the attack was transferred, so no more may attack.", **facts
            )
        return Message("{defender} held {held} when the bout began, so no more may attack.", **facts)
    first = caps_first_defence(ruleset, roles)
    if attack_cap(ruleset, roles, picking_up) != attack_cap(ruleset, roles):
        return Message("Even after “I take”, a bout has at most {most} attack cards.", most=most)
    if first and roles.first_bout:
        return Message("The first bout of a hand has at most {most} attack cards.", most=most)
    if first:
        return Message(
            "Until a bout is beaten off, there are at most {most} attack cards in each.", most=most
        )
    return Message("A bout has at most {most} attack cards.", most=most)
