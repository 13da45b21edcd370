"""Play to a trick: the cards allowed, the card that takes it, and breaches of the rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Card
from companion.rules.message import Message
from companion.rules.seats import Seat

from .bidding import GENERALE


@dataclass(frozen=True, slots=True)
class Duty:
    """The cards that a hand may play to a trick, in hand order; the reason; and the keys of the rules.

    `key` is of the rule that decides, `further` of those it rests on.
    """

    legal: tuple[Card, ...]
    why: Message
    key: str
    further: tuple[str, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all rules that apply, the deciding one first."""
        return (self.key, *self.further)


def find_duty(ruleset: JackNineRuleset, hand: Sequence[Card], trick: Sequence[Card], trump: str) -> Duty:
    """Find the cards of `hand` that may be played to `trick`, the leader's card first.

    `trump` is a suit, `NT` or `AT`. Rule keys: `play.lead`, `play.trump-led`, `play.trump-led-free`,
    `play.follow`, `play.beat`, `play.trumped`, `play.ruff`, `play.partner`, `play.over-ruff`,
    `play.no-trumps`, `play.all-trumps`, `play.bare-jass`.

    >>> from companion import library
    >>> from companion.rules.cards import parse_card
    >>> ruleset = library.open_game("derda").family.ruleset
    >>> hand, trick = [[parse_card(card) for card in line.split()] for line in ("KS 9S 7H", "10S")]
    >>> duty = find_duty(ruleset, hand, trick, trump="H")
    >>> duty.key, [str(card) for card in duty.legal], str(duty.why)
    ('play.follow', ['KS', '9S'], '♠ was led and must be followed with K♠, 9♠.')
    """
    if not trick:
        return Duty(tuple(hand), Message("Any card may be led."), "play.lead")
    led = trick[0].suit
    of_suit = tuple(card for card in hand if card.suit == led)
    trumps = tuple(card for card in hand if card.suit == trump)
    winning = find_winning_place(ruleset, trick, trump)
    best = trick[winning]
    if trump == ALL_TRUMPS:
        return _find_duty_in_all_trumps(ruleset, hand, of_suit, best)
    if led == trump:
        return _find_trump_duty(ruleset, hand, trumps, best, trump)
    if of_suit:
        return _find_follow_duty(ruleset, of_suit, trick, best, trump)
    if trump == NO_TRUMPS:
        why = Message("Without {suit}, any card may be played: there are no trumps.", suit=led.sign)
        return Duty(tuple(hand), why, "play.ruff", ("play.no-trumps",))
    if not trumps:
        why = Message("Without {suit} and without a trump, any card may be played.", suit=led.sign)
        return Duty(tuple(hand), why, "play.ruff")
    if _is_freed(ruleset, len(trick) - winning):
        why = Message("The partner’s {best} is winning, so any card may be played.", best=best)
        return Duty(tuple(hand), why, "play.partner")
    bare = all(ruleset.is_jass(card, trump) for card in trumps)
    if bare and ruleset["bare_jass"] == "on":
        why = Message("{card} is the only trump and need not be played to a plain lead.", card=trumps[0])
        return Duty(tuple(hand), why, "play.bare-jass")
    if best.suit == trump:
        return _find_overruff_duty(ruleset, hand, trumps, best, trump)
    why = Message("Without {suit}, a trump must be played: {cards}.", suit=led.sign, cards=trumps)
    return Duty(trumps, why, "play.ruff", ruleset.known_keys("play.bare-jass") if bare else ())


def _find_trump_duty(
    ruleset: JackNineRuleset, hand: Sequence[Card], trumps: tuple[Card, ...], best: Card, trump: str
) -> Duty:
    """Find the duty of a hand if a trump was led and `best` is winning."""
    key = {"beat": "play.trump-led", "follow": "play.trump-led-free"}[ruleset["trump_led"]]
    if not trumps:
        return Duty(tuple(hand), Message("Without a trump, any card may be played."), key)
    if key == "play.trump-led-free":
        why = Message("{suit} was led and must be followed with {cards}.", suit=best.suit.sign, cards=trumps)
        return Duty(trumps, why, key)
    higher = tuple(card for card in trumps if ruleset.beats(card, best, trump))
    if higher:
        return Duty(higher, Message("{best} must be beaten by {cards}.", best=best, cards=higher), key)
    why = Message("No trump here beats {best}, so any trump may be played.", best=best)
    return Duty(trumps, why, key)


def _find_duty_in_all_trumps(
    ruleset: JackNineRuleset, hand: Sequence[Card], of_suit: tuple[Card, ...], best: Card
) -> Duty:
    """Find the duty of a hand if every suit is trumps: beat `best`, the best card of the suit led."""
    key = "play.all-trumps"
    if not of_suit:
        why = Message("Without {suit}, any card may be played: nothing ruffs.", suit=best.suit.sign)
        return Duty(tuple(hand), why, key)
    higher = tuple(card for card in of_suit if ruleset.beats(card, best, ALL_TRUMPS))
    if higher:
        return Duty(higher, Message("{best} must be beaten by {cards}.", best=best, cards=higher), key)
    why = Message(
        "{suit} must be followed with {cards}; none of them beats {best}.",
        suit=best.suit.sign,
        cards=of_suit,
        best=best,
    )
    return Duty(of_suit, why, key)


def _find_follow_duty(
    ruleset: JackNineRuleset, of_suit: tuple[Card, ...], trick: Sequence[Card], best: Card, trump: str
) -> Duty:
    """Find the duty of a hand that can follow a plain lead, `best` winning so far."""
    led = of_suit[0].suit
    why = Message("{suit} was led and must be followed with {cards}.", suit=led.sign, cards=of_suit)
    if ruleset["play"] != "beat-all":
        return Duty(of_suit, why, "play.follow")
    further: tuple[str, ...] = ()
    if best.suit == trump:
        further = ("play.trumped",)
        match ruleset["trumped"]:
            case "free":
                return Duty(of_suit, why, "play.follow", further)
            case "beat":
                of_led = [card for card in trick if card.suit == of_suit[0].suit]
                best = of_led[find_winning_place(ruleset, of_led, trump)]
            case unknown:
                raise UnknownOption(unknown)
    higher = tuple(card for card in of_suit if ruleset.beats(card, best, trump))
    if not higher:
        return Duty(of_suit, why, "play.follow", ("play.beat", *further))
    why = Message("{best} must be beaten by {cards}.", best=best, cards=higher)
    return Duty(higher, why, "play.beat", ("play.follow", *further))


def _is_freed(ruleset: JackNineRuleset, places: int) -> bool:
    """True if nobody has to ruff the card of the player that many seats before: the partner."""
    ring = ruleset.ring
    return ring.partnerships and ruleset["partner_frees"] and places % len(ring.sides) == 0


def _find_overruff_duty(
    ruleset: JackNineRuleset, hand: Sequence[Card], trumps: tuple[Card, ...], best: Card, trump: str
) -> Duty:
    """Find the duty of a hand with trumps that cannot follow a plain lead trumped by `best`."""
    higher = tuple(card for card in trumps if ruleset.beats(card, best, trump))
    legal, key = {
        "beat-trumps": (trumps, "play.ruff"),
        "over-ruff": (higher or trumps, "play.over-ruff"),
        "beat-all": (higher or trumps, "play.over-ruff"),
        "ruff-if-higher": (higher or tuple(hand), "play.over-ruff"),
    }[ruleset["play"]]
    under = next(iter(ruleset.known_keys("play.under-trump")), key)
    if higher and legal == higher:
        return Duty(legal, Message("{best} must be beaten by {cards}.", best=best, cards=higher), key)
    if legal == trumps:
        why = Message(
            "A trump must be played, though none here beats {best}: {cards}.", best=best, cards=trumps
        )
        return Duty(legal, why, under)
    why = Message("No trump here beats {best}, so any card may be played.", best=best)
    return Duty(legal, why, under)


def find_winning_place(ruleset: JackNineRuleset, trick: Sequence[Card], trump: str) -> int:
    """Find the index of the card that takes the trick, the leader's being 0; also of an unfinished trick."""
    best = 0
    for place, card in enumerate(trick):
        if ruleset.beats(card, trick[best], trump):
            best = place
    return best


@dataclass(frozen=True, slots=True)
class TakenTrick:
    """One trick as it fell: the leader, the cards from the leader on, and the taker."""

    leader: Seat
    cards: tuple[Card, ...]
    taker: Seat

    def by_seat(self, ruleset: JackNineRuleset) -> dict[Seat, Card]:
        """Map each seat to its card."""
        return dict(zip(ruleset.ring.around(self.leader), self.cards, strict=False))


def find_first_leader(
    ruleset: JackNineRuleset, elder: Seat, declarer: Seat | None, points: int | str | None
) -> Seat:
    """Find who leads to the first trick: elder hand, or at some tables the declarer; `points` is the bid.

    Rule key: `play.lead`.
    """
    if declarer is None or not ruleset.bids_points:
        return elder
    match ruleset["first_lead"]:
        case "elder":
            return elder
        case "declarer":
            return declarer
        case "generale":
            return declarer if points == GENERALE else elder
        case unknown:
            raise UnknownOption(unknown)


def resolve_tricks(
    ruleset: JackNineRuleset, tricks: Sequence[Sequence[Card]], leader: Seat, trump: str
) -> tuple[TakenTrick, ...]:
    """Find leader and taker of complete tricks: `leader` leads to the first, then the taker of the last.

    Rule keys: `play.lead`, `play.trick`.
    """
    taken: list[TakenTrick] = []
    for cards in tricks:
        taker = ruleset.ring.left(leader, find_winning_place(ruleset, cards, trump))
        taken.append(TakenTrick(leader, tuple(cards), taker))
        leader = taker
    return tuple(taken)


@dataclass(frozen=True, slots=True)
class Revoke:
    """A card that its seat was not allowed to play; `due` are the cards allowed of those it still held.

    `trick` counts from 0, and so does `place` in it. `known` is the trick, from 0, to which the seat played
    the card that proves it.
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
    """Find every play that the cards shown later prove wrong; the last trick may be unfinished.

    A seat held before what it plays later, so a hand is known as far as it has been played: a card that was
    wrong by those alone was wrong whatever else was held.
    """
    complete = [trick for trick in tricks if len(trick) == ruleset.ring.size]
    taken = resolve_tricks(ruleset, complete, elder, trump)
    leaders = [trick.leader for trick in taken] + [taken[-1].taker if taken else elder]
    plays: list[tuple[int, int, Seat, Card]] = [
        (number, place, seat, card)
        for number, trick in enumerate(tricks)
        for place, (seat, card) in enumerate(zip(ruleset.ring.around(leaders[number]), trick, strict=False))
    ]
    revokes = []
    for at, (number, place, seat, card) in enumerate(plays):
        held = [later for _, _, player, later in plays[at:] if player == seat]
        lying = tricks[number][:place]
        due = find_duty(ruleset, held, lying, trump)
        if card not in due.legal:
            shown = (held[:count] for count in range(1, len(held) + 1))
            duties = (find_duty(ruleset, known, lying, trump) for known in shown)
            later = next(n for n, duty in enumerate(duties) if card not in duty.legal)
            revokes.append(Revoke(number, place, seat, card, due, number + later))
    return tuple(revokes)


@dataclass(frozen=True, slots=True)
class PlaySoFar:
    """The play of a deal so far: complete tricks, the cards of an unfinished one, the next seat.

    `leader` led, or leads, to the `open` trick; `next` is None when every card of the deal has been played;
    `wrong` are the plays that were not allowed, as far as they can be known.
    """

    taken: tuple[TakenTrick, ...]
    open: tuple[Card, ...]
    leader: Seat
    next: Seat | None
    wrong: tuple[Revoke, ...]


def follow_play(
    ruleset: JackNineRuleset, tricks: Sequence[Sequence[Card]], elder: Seat, trump: str
) -> PlaySoFar:
    """Follow the play through these tricks, of which the last may be unfinished."""
    size = ruleset.ring.size
    taken = resolve_tricks(ruleset, [trick for trick in tricks if len(trick) == size], elder, trump)
    unfinished = tuple(tricks[-1]) if tricks and len(tricks[-1]) < size else ()
    leader = taken[-1].taker if taken else elder
    following = None if len(taken) >= ruleset.hand else ruleset.ring.left(leader, len(unfinished))
    return PlaySoFar(taken, unfinished, leader, following, find_revokes(ruleset, tricks, elder, trump))


Hands = Mapping[Seat, tuple[Card, ...]]
"""The cards of each seat."""


def collect_hands(ruleset: JackNineRuleset, taken: Sequence[TakenTrick]) -> Hands:
    """Collect the cards of each seat in these tricks, in order."""
    return {seat: tuple(trick.by_seat(ruleset)[seat] for trick in taken) for seat in ruleset.ring.seats}


def find_repeated_card(tricks: Sequence[Sequence[Card]]) -> tuple[int, int, Card] | None:
    """Find the first card that falls a second time: its trick, its index there, both from 0, and the card."""
    seen: set[Card] = set()
    for number, trick in enumerate(tricks):
        for place, card in enumerate(trick):
            if card in seen:
                return number, place, card
            seen.add(card)
    return None
