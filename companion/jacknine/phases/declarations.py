"""What was declared beside what was held: false melds and bela, undeclared melds, needless questions."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Card, Suit
from companion.rules.message import Message, SeatName
from companion.rules.seats import Seat, Side

from .contest import compare_melds, find_best_piece, is_certain_to_win
from .melds import Four, Meld, Run, drop_forfeited_melds, find_melds, find_overlap, rank_meld, value_meld
from .play import Hands


def find_card_not_held(cards: Sequence[Card], seat: Seat, hands: Hands, whole: bool) -> Card | None:
    """The first card that the seat cannot have held; None where it may have held all of them.

    Another seat had it, or it is not in the seat's own hand, which is known `whole`.
    """
    others = {card for holder, hand in hands.items() if holder != seat for card in hand}
    return next((card for card in cards if card in others or (whole and card not in hands[seat])), None)


def explain_false_meld(ruleset: JackNineRuleset, meld: Meld, hands: Hands, whole: bool) -> Message | None:
    """Why a seat cannot have held the meld; None where it can. Rule key: `penalty.false-claim`."""
    seat = SeatName(meld.seat)
    absent = [
        find_card_not_held(option.cards(ruleset), meld.seat, hands, whole) for option in list_in_suits(meld)
    ]
    if None in absent:
        return None
    if len(absent) > 1:
        return Message("{seat} did not hold such a run.", seat=seat)
    return Message("{seat} did not hold {card}.", seat=seat, card=absent[0])


def list_in_suits(meld: Meld) -> tuple[Meld, ...]:
    """The meld, in each suit it may be in."""
    if isinstance(meld, Run) and meld.suit is None:
        return tuple(replace(meld, suit=suit) for suit in Suit)
    return (meld,)


def find_held_melds(
    ruleset: JackNineRuleset, declared: Sequence[Meld], hands: Hands, trump: str
) -> tuple[Meld | None, ...]:
    """Each declared meld as it was held, in its suit; None for one that was not. Hands are whole.

    A run declared without its suit counts as a run of trumps where there is one.
    """
    held: list[Meld | None] = []
    for meld in declared:
        options = [
            option
            for option in list_in_suits(meld)
            if explain_false_meld(ruleset, option, hands, True) is None
        ]
        if len(list_in_suits(meld)) > 1:
            before = [other for other in held if other is not None]
            options = [option for option in options if find_overlap(ruleset, [*before, option]) is None]
            options.sort(key=lambda option: not isinstance(option, Run) or option.suit != trump)
        held.append(options[0] if options else None)
    return tuple(held)


def find_undeclared_melds(
    ruleset: JackNineRuleset,
    declared: Sequence[Meld],
    hands: Hands,
    elder: Seat,
    trump: str,
    trickless: Collection[Side],
    forfeits: Collection[Seat] = (),
) -> tuple[Meld, ...]:
    """The melds of whole hands that nobody declared and that would have stood, had all been declared.

    `forfeits` are seats that lose their melds anyway. Rule keys: `run.declare`, `run.all`.
    """
    held = tuple(meld for seat, hand in hands.items() for meld in find_melds(ruleset, seat, hand))
    held = drop_forfeited_melds(held, forfeits)
    contest = compare_melds(ruleset, held, elder, trump, trickless)
    standing = [meld for meld in held if contest.points[ruleset.ring.side(meld.seat)]]
    if contest.halved:
        highest = max(rank_meld(ruleset, meld) for meld in held)
        standing = [meld for meld in standing if rank_meld(ruleset, meld) == highest]
    return tuple(meld for meld in standing if not _is_declared(ruleset, meld, held, declared))


def _is_declared(
    ruleset: JackNineRuleset, meld: Meld, held: Sequence[Meld], declared: Sequence[Meld]
) -> bool:
    """Whether a meld was declared, by itself or, of a long run, in other pieces that are worth as much."""
    if isinstance(meld, Four):
        return meld in declared

    def value_runs(runs: Sequence[Run]) -> int:
        return sum(value_meld(ruleset, run) for run in runs)

    def of_same_suit(melds: Sequence[Meld]) -> list[Run]:
        runs = (other for other in melds if isinstance(other, Run))
        return [run for run in runs if (run.seat, run.suit) == (meld.seat, meld.suit)]

    named = of_same_suit(declared)
    if value_runs(named) >= value_runs(of_same_suit(held)):
        return True
    within = [run for run in named if set(run.cards(ruleset)) <= set(meld.cards(ruleset))]
    return value_runs(within) >= value_meld(ruleset, meld)


def cite_false_run(seat: Seat, asked: Collection[Seat]) -> str:
    """The key of the rule that a false kind of run breaks, where a needless question has a price.

    `asked` are the seats that asked how high: what is said in answer to that breaks a rule of its own. Rule
    keys: `run.rost-false`, `penalty.false-declaration`.
    """
    return "run.rost-false" if any(other != seat for other in asked) else "penalty.false-declaration"


def judge_rost(
    ruleset: JackNineRuleset, held: Sequence[Meld], declared: Sequence[Meld], seat: Seat, trump: str
) -> tuple[str, str] | None:
    """What it costs a seat to have asked how high the other's run is; None where it costs nothing.

    `held` are the melds that were declared and held, `declared` those that were not held as well: it is what
    the other said that was asked about. What is lost, `runs` or `bait-on-cards`, and the rule key. Rule keys:
    `run.rost-needless`, `run.rost-false`.
    """
    theirs = find_best_piece(ruleset, declared, ruleset.ring.left(seat), trump)
    mine = find_best_piece(ruleset, held, seat, trump)
    if mine is None or theirs is None or mine.points < theirs.points:
        return "bait-on-cards", "run.rost-false"
    if is_certain_to_win(ruleset, mine, theirs.points, trump):
        return "runs", "run.rost-needless"
    return None
