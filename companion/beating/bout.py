"""One bout: who may throw in, in which order, how many cards, and whether it is beaten off."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from companion.rules.cards import Card
from companion.rules.message import Message, SeatName
from companion.rules.seats import Seat

from .ruleset import BeatingRuleset


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something may not be done: the sentence, and the family's rule key."""

    why: Message
    key: str


@dataclass(frozen=True, slots=True)
class Roles:
    """Who attacks whom in one bout, which seats are out before it, and how much the defender holds."""

    attacker: Seat
    defender: Seat
    out: frozenset[Seat] = frozenset()
    held: int | None = None
    first_bout: bool = False


@dataclass(frozen=True, slots=True)
class OnTable:
    """The cards of a bout on the table: each attack card with the card that beat it, in order of attack."""

    pairs: tuple[tuple[Card, Card | None], ...] = ()
    picking_up: bool = False

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every card on the table."""
        return tuple(card for pair in self.pairs for card in pair if card is not None)

    @property
    def beaten(self) -> bool:
        """Whether any attack card is beaten."""
        return any(beat is not None for _attack, beat in self.pairs)

    @property
    def all_beaten(self) -> bool:
        """Whether there are attack cards, and all of them are beaten."""
        return bool(self.pairs) and all(beat is not None for _attack, beat in self.pairs)

    def add(self, *attacks: Card) -> "OnTable":
        """The table with more attack cards."""
        return OnTable((*self.pairs, *((card, None) for card in attacks)), self.picking_up)

    def beat(self, attack: Card, card: Card) -> "OnTable":
        """The table with one attack card beaten."""
        return OnTable(tuple((one, card if one == attack else by) for one, by in self.pairs), self.picking_up)


def limit(ruleset: BeatingRuleset, roles: Roles) -> int:
    """How many attack cards a bout may see (throw.limit); without `held` the table's limit alone."""
    alone = not ruleset.ring.partnerships and ruleset.ring.size > 3
    most: int = ruleset["first_defence_limit"] if roles.first_bout and alone else ruleset.most
    return most if roles.held is None else min(most, roles.held)


def throwers(ruleset: BeatingRuleset, roles: Roles) -> tuple[Seat, ...]:
    """Who may attack in a bout, in order of priority (throw.who, throw.priority): the principal first."""
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


def may_throw(
    ruleset: BeatingRuleset,
    roles: Roles,
    table: OnTable,
    by: Seat,
    cards: Sequence[Card],
    stopped: Collection[Seat] | None = None,
) -> Refusal | None:
    """Why a player may not attack with these cards now, or None.

    With `stopped`, only these players have stopped; without it, nobody objects.
    """
    order = throwers(ruleset, roles)
    who = SeatName(by)
    if by not in order:
        return Refusal(_not_entitled(ruleset, roles, by), "throw.who")
    if by != roles.attacker and not table.beaten and not table.picking_up:
        why = Message(
            "Until the first card is beaten only {attacker} attacks.", attacker=SeatName(roles.attacker)
        )
        return Refusal(why, "throw.who")
    before = order[: order.index(by)]
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
    most = limit(ruleset, roles)
    if len(table.pairs) + len(cards) > most:
        return Refusal(_over(ruleset, roles, most), "throw.limit")
    return None


def _not_entitled(ruleset: BeatingRuleset, roles: Roles, by: Seat) -> Message:
    ring, who, defender = ruleset.ring, SeatName(by), SeatName(roles.defender)
    if by == roles.defender:
        return Message("{by} defends and does not attack in this bout.", by=who)
    if by in roles.out:
        return Message("{by} has no cards left.", by=who)
    if ring.side(by) == ring.side(roles.defender):
        return Message("{by} is a partner of {defender} and only watches.", by=who, defender=defender)
    return Message("Only the neighbours of {defender} may throw in.", defender=defender)


def _over(ruleset: BeatingRuleset, roles: Roles, most: int) -> Message:
    if roles.held is not None and most == roles.held:
        held = (
            Message(
                "one card",
            )
            if most == 1
            else Message("{count} cards", count=most)
        )
        return Message(
            "{defender} held {held} when the bout began, and no more may attack.",
            defender=SeatName(roles.defender),
            held=held,
        )
    if most < ruleset.most:
        return Message("The first bout of a hand sees {most} attack cards at most.", most=most)
    return Message("A bout sees {most} attack cards at most.", most=most)


def why_not_beaten(ruleset: BeatingRuleset, attack: Card, card: Card, trump: str) -> Refusal | None:
    """Why a card does not beat an attack card, or None when it does (beat.plain, beat.trump)."""
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
class StepTaken:
    """One step of a bout as it happened: an attack, a beat (of the card `beats`), or picking up."""

    seat: Seat
    card: Card | None = None
    beats: Card | None = None


@dataclass(frozen=True, slots=True)
class BoutSoFar:
    """How far a bout has come: the table, who joined in, and the first step that was against the rules."""

    table: OnTable = OnTable()
    joined: tuple[Seat, ...] = ()
    wrong_step: int | None = None
    refusal: Refusal | None = None
    left: dict[Seat, int] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """`beaten-off`, `picked-up`, `open` or `illegal`."""
        if self.refusal is not None:
            return "illegal"
        if self.table.picking_up:
            return "picked-up"
        return "beaten-off" if self.table.all_beaten else "open"


def follow(
    ruleset: BeatingRuleset, roles: Roles, trump: str, held: dict[Seat, int], steps: Sequence[StepTaken]
) -> BoutSoFar:
    """A bout step by step up to its end, or to the first step that was illegal.

    `held` says how many cards everyone had at its beginning; the cards of a beaten-off bout are gone, those
    of a picked-up one lie in the defender's hand (`left`). Who went first by priority is taken as agreed.
    """
    table, joined, left = OnTable(), list[Seat](), dict(held)
    for n, step in enumerate(steps, 1):
        refusal = _wrong(ruleset, roles, table, trump, step)
        if refusal is not None:
            return BoutSoFar(table, tuple(joined), n, refusal, left)
        if step.card is None:
            table = OnTable(table.pairs, True)
            continue
        left[step.seat] -= 1
        if step.beats is not None:
            table = table.beat(step.beats, step.card)
        else:
            table = table.add(step.card)
            joined += [step.seat] * (step.seat not in joined)
    if table.picking_up:
        left[roles.defender] += len(table.cards)
    return BoutSoFar(table, tuple(joined), left=left)


def _wrong(
    ruleset: BeatingRuleset, roles: Roles, table: OnTable, trump: str, step: StepTaken
) -> Refusal | None:
    if step.card is not None and step.beats is None:
        return may_throw(ruleset, roles, table, step.seat, [step.card])
    defender = SeatName(roles.defender)
    if step.seat != roles.defender:
        return Refusal(Message("{defender} defends, and nobody else.", defender=defender), "throw.who")
    if table.picking_up:
        return Refusal(Message("{defender} picks up already.", defender=defender), "bout.picked-up")
    if table.all_beaten and len(table.pairs) >= limit(ruleset, roles):
        why = Message("{defender} has beaten all that may attack, and the bout is over.", defender=defender)
        return Refusal(why, "bout.beaten-off")
    if step.card is None:
        nothing = Message("There is nothing to pick up yet.")
        return None if table.pairs else Refusal(nothing, "bout.picked-up")
    if step.beats not in [attack for attack, by in table.pairs if by is None]:
        why = Message("{attack} does not wait on the table to be beaten.", attack=step.beats)
        return Refusal(why, "bout.wrong-card")
    return why_not_beaten(ruleset, step.beats, step.card, trump)
