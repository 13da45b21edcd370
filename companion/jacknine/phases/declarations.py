"""What was declared beside what was held: false melds and bela, melds left unsaid, questions without need."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Card, Suit
from companion.rules.message import Message, SeatName
from companion.rules.seats import Seat, Side

from . import melds
from .melds import Four, Meld, Run
from .play import Hands


def find_card_not_held(cards: Sequence[Card], seat: Seat, hands: Hands, whole: bool) -> Card | None:
    """A card that the seat cannot have held: another had it or, its `whole` hand being known, it had not."""
    others = {card for who, hand in hands.items() if who != seat for card in hand}
    return next((card for card in cards if card in others or (whole and card not in hands[seat])), None)


def explain_false_meld(ruleset: JackNineRuleset, meld: Meld, hands: Hands, whole: bool) -> Message | None:
    """Why a seat cannot have held the meld; None where it can. Rule key: `penalty.false-claim`."""
    seat = SeatName(meld.seat)
    gone = [find_card_not_held(one.cards(ruleset), meld.seat, hands, whole) for one in list_suits(meld)]
    if None in gone:
        return None
    if len(gone) > 1:
        return Message("{seat} did not hold such a run.", seat=seat)
    return Message("{seat} did not hold {card}.", seat=seat, card=gone[0])


def list_suits(meld: Meld) -> tuple[Meld, ...]:
    """The meld, in each suit it may be in."""
    if isinstance(meld, Run) and meld.suit is None:
        return tuple(replace(meld, suit=suit) for suit in Suit)
    return (meld,)


def find_held_melds(
    ruleset: JackNineRuleset, told: Sequence[Meld], hands: Hands, trump: str
) -> tuple[Meld | None, ...]:
    """Each declared meld as it was held, its suit put to it; None for one that was not. Hands are whole.

    A run of which nobody told the suit is taken for one in trumps where there is one.
    """
    found: list[Meld | None] = []
    for meld in told:
        ways = [one for one in list_suits(meld) if explain_false_meld(ruleset, one, hands, True) is None]
        if len(list_suits(meld)) > 1:
            before = [one for one in found if one is not None]
            ways = [one for one in ways if melds.find_overlap(ruleset, [*before, one]) is None]
            ways.sort(key=lambda one: not isinstance(one, Run) or one.suit != trump)
        found.append(ways[0] if ways else None)
    return tuple(found)


def find_undeclared_melds(
    ruleset: JackNineRuleset,
    told: Sequence[Meld],
    hands: Hands,
    elder: Seat,
    trump: str,
    trickless: Collection[Side],
    forfeits: Collection[Seat] = (),
) -> tuple[Meld, ...]:
    """The melds of whole hands that nobody told and that would have stood, had everybody told everything.

    Rule keys: `run.declare`, `run.all`.
    """
    held = tuple(one for seat, hand in hands.items() for one in melds.find_melds(ruleset, seat, hand))
    held = melds.drop_forfeited_melds(held, forfeits)
    found = melds.compare_melds(ruleset, held, elder, trump, trickless)
    standing = [one for one in held if found.points[ruleset.ring.side(one.seat)]]
    if found.halved:
        heights = {one: melds.rank_piece(ruleset, melds.split_meld(ruleset, one)[0]) for one in held}
        standing = [one for one in standing if heights[one] == max(heights.values())]
    return tuple(one for one in standing if not _is_declared(ruleset, one, held, told))


def _is_declared(ruleset: JackNineRuleset, meld: Meld, held: Sequence[Meld], told: Sequence[Meld]) -> bool:
    """Whether a meld was told, by itself or, of a long row, in other pieces that are worth as much."""
    if isinstance(meld, Four):
        return meld in told
    row = [one for one in told if isinstance(one, Run) and (one.seat, one.suit) == (meld.seat, meld.suit)]
    alike = [one for one in held if isinstance(one, Run) and (one.seat, one.suit) == (meld.seat, meld.suit)]
    within = [one for one in row if set(one.cards(ruleset)) <= set(meld.cards(ruleset))]
    return _value_melds(ruleset, row) >= _value_melds(ruleset, alike) or _value_melds(
        ruleset, within
    ) >= _value_melds(ruleset, [meld])


def _value_melds(ruleset: JackNineRuleset, those: Sequence[Meld]) -> int:
    return sum(melds.value_meld(ruleset, one) for one in those)


def judge_rost(
    ruleset: JackNineRuleset, told: Sequence[Meld], seat: Seat, trump: str
) -> tuple[str, str] | None:
    """What asking for the height costs a seat, `runs` or `bait-on-cards`, and the rule key; None: nothing."""
    asked = melds.find_best_piece(ruleset, told, ruleset.ring.left(seat))
    mine = melds.find_best_piece(ruleset, told, seat)
    if mine is None or asked is None or mine.points < asked.points:
        return "bait-on-cards", "run.rost-false"
    return (
        ("runs", "run.rost-needless") if melds.is_certain_to_win(ruleset, mine, asked.points, trump) else None
    )
