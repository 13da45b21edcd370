"""One bout: who may throw in, in which order and how many cards, and whether it is beaten off."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from companion.rules.cards import Card
from companion.rules.message import Message, SeatName
from companion.rules.seats import Seat

from .ruleset import BeatingRuleset


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something may not be done: the sentence `why`, and the family's rule `key`."""

    why: Message
    key: str


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles in one bout: the principal attacker, the defender, and the players who are already out.

    `defender_cards` is how many cards the defender held when the bout began (None: nobody knows).
    """

    attacker: Seat
    defender: Seat
    out: frozenset[Seat] = frozenset()
    defender_cards: int | None = None
    first_bout: bool = False


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
        """Whether any attack card is beaten."""
        return any(beat is not None for _attack, beat in self.pairs)

    @property
    def all_beaten(self) -> bool:
        """Whether there are attack cards, and all of them are beaten."""
        return bool(self.pairs) and all(beat is not None for _attack, beat in self.pairs)

    def add(self, attack: Card) -> "BoutTable":
        """The same cards with one more attack card."""
        return replace(self, pairs=(*self.pairs, (attack, None)))

    def beat(self, attack: Card, card: Card) -> "BoutTable":
        """The same cards with one attack card beaten."""
        pairs = ((other, card if other == attack else beat) for other, beat in self.pairs)
        return replace(self, pairs=tuple(pairs))


def attack_limit(ruleset: BeatingRuleset, roles: Roles) -> int:
    """The most attack cards a bout may have (throw.limit).

    Where nobody knows how many cards the defender holds, only the table's own limit counts.
    """
    limited_first = roles.first_bout and not ruleset.ring.partnerships
    most: int = ruleset["first_defence_limit"] if limited_first else ruleset.most
    return most if roles.defender_cards is None else min(most, roles.defender_cards)


def eligible_throwers(ruleset: BeatingRuleset, roles: Roles) -> tuple[Seat, ...]:
    """The players who may attack in a bout, in order of priority: the principal attacker first.

    Rule keys: throw.who, throw.priority.
    """
    ring, defender = ruleset.ring, roles.defender
    clockwise = ring.around(defender)[1:]
    foes = [seat for seat in clockwise if ring.side(seat) != ring.side(defender)]
    against = [seat for seat in foes if seat not in roles.out]
    match ruleset["throwers"]:
        case "all":
            allowed: Collection[Seat] = against
        case "neighbours":
            allowed = {*against[:1], *against[-1:]}
        case other:
            raise LookupError(f"throwers {other!r}")
    return (roles.attacker, *(seat for seat in against if seat in allowed and seat != roles.attacker))


def throw_refusal(
    ruleset: BeatingRuleset,
    roles: Roles,
    table: BoutTable,
    by: Seat,
    cards: Sequence[Card],
    stopped: Collection[Seat] | None = None,
) -> Refusal | None:
    """Why a player may not attack with these cards now, or None when it is allowed.

    `by` attacks with all `cards` at once. `stopped` are the players who have finished attacking, so that
    the next in priority may; without it, players with priority are taken to agree.
    Rule keys: throw.who, throw.priority, throw.rank, throw.several, throw.limit.
    """
    throwers = eligible_throwers(ruleset, roles)
    who = SeatName(by)
    if by not in throwers:
        return Refusal(_why_not_entitled(ruleset, roles, by), "throw.who")
    if by != roles.attacker and not table.any_beaten and not table.picking_up:
        why = Message(
            "Until the first card is beaten, only {attacker} may attack.", attacker=SeatName(roles.attacker)
        )
        return Refusal(why, "throw.who")
    before = throwers[: throwers.index(by)]
    waiting = [seat for seat in before if stopped is not None and seat not in stopped]
    if waiting:
        why = Message("{first} goes before {by} and has not stopped.", first=SeatName(waiting[0]), by=who)
        return Refusal(why, "throw.priority")
    ranks = {card.rank for card in table.cards} or {cards[0].rank}
    for card in cards:
        if card.rank not in ranks and table.pairs:
            return Refusal(
                Message(
                    "No {rank} lies on the table, so {card} may not be thrown in.", rank=card.rank, card=card
                ),
                "throw.rank",
            )
        if card.rank not in ranks:
            return Refusal(
                Message(
                    "Cards that open a bout together share a rank; {first} and {card} do not.",
                    first=cards[0],
                    card=card,
                ),
                "throw.several",
            )
    most = attack_limit(ruleset, roles)
    if len(table.pairs) + len(cards) > most:
        return Refusal(_why_over_limit(ruleset, roles, most), "throw.limit")
    return None


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
    return Message("one card") if count == 1 else Message("{count} cards", count=count)


def _why_over_limit(ruleset: BeatingRuleset, roles: Roles, most: int) -> Message:
    if roles.defender_cards is not None and most == roles.defender_cards:
        return Message(
            "{defender} held {held} when the bout began, so no more may attack.",
            defender=SeatName(roles.defender),
            held=describe_count(most),
        )
    if most < ruleset.most:
        return Message("The first bout of a hand has at most {most} attack cards.", most=most)
    return Message("A bout has at most {most} attack cards.", most=most)


def beat_refusal(ruleset: BeatingRuleset, attack: Card, card: Card, trump: str) -> Refusal | None:
    """Why a card does not beat an attack card, or None when it does. Rule keys: beat.plain, beat.trump."""
    if ruleset.beats(card, attack, trump):
        return None
    if attack.suit == trump:
        return Refusal(
            Message("{attack} is a trump: only a higher trump beats it.", attack=attack), "beat.trump"
        )
    return Refusal(
        Message(
            "{attack} is beaten by a higher card of its suit or by a trump; {card} is neither.",
            attack=attack,
            card=card,
        ),
        "beat.plain",
    )


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """One step of a bout: an attack with `card`, beating the card `beats` with it, or (None) picking up."""

    seat: Seat
    card: Card | None
    beats: Card | None


@dataclass(frozen=True, slots=True)
class BoutCourse:
    """How far a bout has come.

    `joined` are the players who attacked, in that order; `wrong_step` is the first step against the rules,
    counted from 1, and `refusal` says why; `held` is how many cards every player holds after it, those of a
    picked-up bout in the defender's hand.
    """

    table: BoutTable
    joined: tuple[Seat, ...]
    held: dict[Seat, int]
    wrong_step: int | None = None
    refusal: Refusal | None = None

    @property
    def verdict(self) -> str:
        """How it stands after its last step that was right: `beaten-off`, `picked-up` or `open`."""
        if self.table.picking_up:
            return "picked-up"
        return "beaten-off" if self.table.all_beaten else "open"


def follow_steps(
    ruleset: BeatingRuleset, roles: Roles, trump: str, held: dict[Seat, int], steps: Sequence[PlayedStep]
) -> BoutCourse:
    """Follow a bout step by step, up to its last step or to the first illegal one.

    `held` is how many cards every player had when it began. Players with priority are taken to agree.
    """
    table, joined, after = BoutTable(), list[Seat](), dict(held)
    for n, step in enumerate(steps, 1):
        refusal = _step_refusal(ruleset, roles, table, trump, step)
        if refusal is not None:
            return BoutCourse(table, tuple(joined), after, n, refusal)
        if step.card is None:
            table = replace(table, picking_up=True)
            continue
        after[step.seat] -= 1
        if step.beats is not None:
            table = table.beat(step.beats, step.card)
        else:
            table = table.add(step.card)
            joined += [step.seat] * (step.seat not in joined)
    if table.picking_up:
        after[roles.defender] += len(table.cards)
    return BoutCourse(table, tuple(joined), after)


def _step_refusal(
    ruleset: BeatingRuleset, roles: Roles, table: BoutTable, trump: str, step: PlayedStep
) -> Refusal | None:
    if step.card is not None and step.beats is None:
        return throw_refusal(ruleset, roles, table, step.seat, [step.card])
    defender = SeatName(roles.defender)
    if step.seat != roles.defender:
        return Refusal(Message("Only {defender} defends.", defender=defender), "throw.who")
    if table.picking_up:
        return Refusal(Message("{defender} is already picking up.", defender=defender), "bout.picked-up")
    if table.all_beaten and len(table.pairs) >= attack_limit(ruleset, roles):
        why = Message(
            "{defender} has beaten every card that may attack, and the bout is over.", defender=defender
        )
        return Refusal(why, "bout.beaten-off")
    if step.card is None:
        nothing = Message("There is nothing to pick up yet.")
        return None if table.pairs else Refusal(nothing, "bout.picked-up")
    if step.beats not in [attack for attack, beat in table.pairs if beat is None]:
        why = Message("{attack} is not on the table waiting to be beaten.", attack=step.beats)
        return Refusal(why, "bout.wrong-card")
    return beat_refusal(ruleset, step.beats, step.card, trump)
