"""Playing to a trick: what may be played, who takes it, and whether a whole deal was played rightly."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.cards import NO_TRUMPS, Card
from companion.rules.message import Message
from companion.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Duty:
    """What a hand may play to a trick: the legal cards in hand order, why, and the family's rule keys."""

    legal: tuple[Card, ...]
    why: Message
    key: str
    further: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all rules that it rests on, the deciding one first."""
        return (self.key, *self.further)


def find_duty(ruleset: JackNineRuleset, hand: Sequence[Card], trick: Sequence[Card], trump: str) -> Duty:
    """The duty of a player holding `hand` when `trick` lies on the table, leader first."""
    if not trick:
        return Duty(tuple(hand), Message("Any card may be led."), "play.lead")
    led = trick[0].suit
    same = tuple(card for card in hand if card.suit == led)
    trumps = tuple(card for card in hand if card.suit == trump)
    best = trick[find_winning_place(ruleset, trick, trump)]
    if led == trump:
        higher = tuple(card for card in trumps if ruleset.beats(card, best, trump))
        if higher:
            return Duty(
                higher,
                Message("{best} must be beaten by {cards}.", best=best, cards=higher),
                "play.trump-led",
            )
        if trumps:
            why = Message("No trump here beats {best}, so any trump may be played.", best=best)
            return Duty(trumps, why, "play.trump-led")
        return Duty(tuple(hand), Message("Without a trump, any card may be played."), "play.trump-led")
    if same:
        why = Message("{suit} was led and must be followed with {cards}.", suit=led.sign, cards=same)
        return Duty(same, why, "play.follow")
    if trump == NO_TRUMPS:
        why = Message("Without {suit}, any card may be played: there are no trumps.", suit=led.sign)
        return Duty(tuple(hand), why, "play.ruff", ("play.no-trumps",))
    if not trumps:
        why = Message("Without {suit} and without a trump, any card may be played.", suit=led.sign)
        return Duty(tuple(hand), why, "play.ruff")
    bare = all(ruleset.is_jass(card, trump) for card in trumps)
    match ruleset["bare_jass"]:
        case "on" if bare:
            why = Message("{card} is the only trump and need not be played to a plain lead.", card=trumps[0])
            return Duty(tuple(hand), why, "play.bare-jass")
        case "on" | "off":
            further = ruleset.known("play.bare-jass") if bare else ()
        case unknown:
            raise UnknownOption(unknown)
    if best.suit == trump:
        return _find_overruff_duty(ruleset, hand, trumps, best, trump)
    why = Message("Without {suit}, a trump must be played: {cards}.", suit=led.sign, cards=trumps)
    return Duty(trumps, why, "play.ruff", further)


def _find_overruff_duty(
    ruleset: JackNineRuleset, hand: Sequence[Card], trumps: tuple[Card, ...], best: Card, trump: str
) -> Duty:
    """The duty of a hand with trumps that cannot follow a plain lead which `best` has trumped."""
    higher = tuple(card for card in trumps if ruleset.beats(card, best, trump))
    match ruleset["play"]:
        case "beat-trumps":
            legal, key = trumps, "play.ruff"
        case "over-ruff":
            legal, key = higher or trumps, "play.over-ruff"
        case "ruff-if-higher":
            legal, key = higher or tuple(hand), "play.over-ruff"
        case unknown:
            raise UnknownOption(unknown)
    if higher and legal == higher:
        return Duty(legal, Message("{best} must be beaten by {cards}.", best=best, cards=higher), key)
    if legal == trumps:
        why = Message(
            "A trump must be played, though none here beats {best}: {cards}.", best=best, cards=trumps
        )
        return Duty(legal, why, key)
    return Duty(legal, Message("No trump here beats {best}, so any card may be played.", best=best), key)


def find_winning_place(ruleset: JackNineRuleset, trick: Sequence[Card], trump: str) -> int:
    """Which card of the trick takes it, counted from the leader's as 0."""
    best = 0
    for place, card in enumerate(trick):
        if ruleset.beats(card, trick[best], trump):
            best = place
    return best


@dataclass(frozen=True, slots=True)
class TakenTrick:
    """One trick as it fell: who led, the cards, and who took it."""

    leader: Seat
    cards: tuple[Card, ...]
    taker: Seat

    def by_seat(self, ruleset: JackNineRuleset) -> dict[Seat, Card]:
        """Who played which card."""
        return dict(zip(ruleset.ring.around(self.leader), self.cards, strict=False))


def resolve_tricks(
    ruleset: JackNineRuleset, tricks: Sequence[Sequence[Card]], elder: Seat, trump: str
) -> tuple[TakenTrick, ...]:
    """Complete tricks in order, elder hand leading the first, each taker the next."""
    taken: list[TakenTrick] = []
    leader = elder
    for cards in tricks:
        taker = ruleset.ring.left(leader, find_winning_place(ruleset, cards, trump))
        taken.append(TakenTrick(leader, tuple(cards), taker))
        leader = taker
    return tuple(taken)


@dataclass(frozen=True, slots=True)
class Revoke:
    """A card that was not the one due: trick and place count from 0, `due` is what the seat still held.

    `known` is the trick, from 0, to which the seat played the card that shows it.
    """

    trick: int
    place: int
    seat: Seat
    card: Card
    due: Duty
    known: int


def find_revokes(
    ruleset: JackNineRuleset, tricks: Sequence[Sequence[Card]], elder: Seat, trump: str
) -> tuple[Revoke, ...]:
    """Every play that the cards shown later prove wrong; the last trick may be incomplete.

    What a seat plays later it held before, so a hand is known as far as it has been played: a card
    that was wrong on those alone was wrong whatever else was held.
    """
    whole = [trick for trick in tricks if len(trick) == ruleset.ring.size]
    taken = resolve_tricks(ruleset, whole, elder, trump)
    leaders = [one.leader for one in taken] + [taken[-1].taker if taken else elder]
    plays: list[tuple[int, int, Seat, Card]] = [
        (number, place, seat, card)
        for number, trick in enumerate(tricks)
        for place, (seat, card) in enumerate(zip(ruleset.ring.around(leaders[number]), trick, strict=False))
    ]
    found = []
    for at, (number, place, seat, card) in enumerate(plays):
        held = [later for _, _, who, later in plays[at:] if who == seat]
        lying = tricks[number][:place]
        due = find_duty(ruleset, held, lying, trump)
        if card not in due.legal:
            shown = (held[:count] for count in range(1, len(held) + 1))
            later = next(
                n for n, known in enumerate(shown) if _breaks_duty(ruleset, card, known, lying, trump)
            )
            found.append(Revoke(number, place, seat, card, due, number + later))
    return tuple(found)


def _breaks_duty(
    ruleset: JackNineRuleset, card: Card, held: Sequence[Card], trick: Sequence[Card], trump: str
) -> bool:
    return card not in find_duty(ruleset, held, trick, trump).legal


@dataclass(frozen=True, slots=True)
class PlaySoFar:
    """The play of a deal so far: complete tricks, the cards of an unfinished one, who plays next."""

    taken: tuple[TakenTrick, ...]
    open: tuple[Card, ...]
    leader: Seat
    next: Seat | None
    wrong: tuple[Revoke, ...]


def follow_play(
    ruleset: JackNineRuleset, tricks: Sequence[Sequence[Card]], elder: Seat, trump: str
) -> PlaySoFar:
    """How the play stands; `next` is None when every card of the deal has been played."""
    size = ruleset.ring.size
    taken = resolve_tricks(ruleset, [trick for trick in tricks if len(trick) == size], elder, trump)
    unfinished = tuple(tricks[-1]) if tricks and len(tricks[-1]) < size else ()
    leader = taken[-1].taker if taken else elder
    following = None if len(taken) >= ruleset.hand else ruleset.ring.left(leader, len(unfinished))
    return PlaySoFar(taken, unfinished, leader, following, find_revokes(ruleset, tricks, elder, trump))


Hands = Mapping[Seat, tuple[Card, ...]]
"""Cards by seat."""


def collect_hands(ruleset: JackNineRuleset, taken: Sequence[TakenTrick]) -> Hands:
    """What each seat played, in order."""
    return {seat: tuple(one.by_seat(ruleset)[seat] for one in taken) for seat in ruleset.ring.seats}


def find_repeated_card(tricks: Sequence[Sequence[Card]]) -> tuple[int, int, Card] | None:
    """The first card that falls a second time: trick and place from 0."""
    seen: set[Card] = set()
    for number, trick in enumerate(tricks):
        for place, card in enumerate(trick):
            if card in seen:
                return number, place, card
            seen.add(card)
    return None
