"""Counting: what tricks bring, and which counts the cards of a deal can carry at all."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import NO_TRUMPS, Card, Suit
from companion.rules.message import Message, SideName
from companion.rules.seats import Side

from .play import TakenTrick


@dataclass(frozen=True, slots=True)
class CardCount:
    """What was counted at the table: card points by side, and who holds jass, nine and last trick."""

    cards: Mapping[Side, int]
    jass: Side | None = None
    nine: Side | None = None
    last: Side | None = None

    def words(self, ruleset: JackNineRuleset) -> tuple[tuple[str, Side | None, int], ...]:
        """Jass, nine and last trick: the word, its side, its points."""
        return (
            ("jass", self.jass, ruleset.jass_points),
            ("nine", self.nine, ruleset.nine_points),
            ("last", self.last, ruleset.last_points),
        )

    def made(self, ruleset: JackNineRuleset) -> dict[Side, int]:
        """Points by side, without runs and bela."""
        made = {side: self.cards.get(side, 0) for side in ruleset.ring.sides}
        for _, side, points in self.words(ruleset):
            if side is not None:
                made[side] += points
        return made


def count_tricks(ruleset: JackNineRuleset, taken: Sequence[TakenTrick], trump: str) -> CardCount:
    """What tricks bring; `last` only where all tricks of the deal are there.

    Rule keys: `cards.values`, `words.taken`.
    """
    cards = ruleset.zeros()
    jass = nine = None
    for trick in taken:
        side = ruleset.ring.side(trick.taker)
        for card in trick.cards:
            cards[side] += ruleset.card_points(card, trump)
            jass = side if ruleset.is_jass(card, trump) else jass
            nine = side if ruleset.is_nine(card, trump) else nine
    last = ruleset.ring.side(taken[-1].taker) if len(taken) == ruleset.hand else None
    return CardCount(cards, jass, nine, last)


def complete_card_points(ruleset: JackNineRuleset, cards: Mapping[Side, int], trump: str) -> dict[Side, int]:
    """Card points by side; where every card is dealt, the side left out has what the others leave.

    Rule key: `score.rest`.
    """
    absent = [side for side in ruleset.ring.sides if side not in cards]
    if not ruleset.all_dealt or len(absent) != 1:
        return dict(cards)
    return {**cards, absent[0]: ruleset.all_cards(trump) - sum(cards.values())}


@dataclass(frozen=True, slots=True)
class CountBound:
    """A count that cannot be: of what (`sum` or a side), its least and most, and the nearest that can."""

    what: str
    least: int
    most: int
    nearest: int
    found: int

    @property
    def reason(self) -> Message:
        """The bound in words."""
        if self.what == "sum":
            if self.least <= self.found <= self.most:
                return Message(
                    "{found} together cannot be made from these cards; {nearest} could.",
                    found=self.found,
                    nearest=self.nearest,
                )
            return Message(
                "{found} together cannot be: the cards in play carry {least} to {most}.",
                found=self.found,
                least=self.least,
                most=self.most,
            )
        return Message(
            "{found} for {side} cannot be; {nearest} could.",
            found=self.found,
            side=SideName(self.what),
            nearest=self.nearest,
        )


def find_deal_sums(
    ruleset: JackNineRuleset, inside: Iterable[Card] = (), out: Iterable[Card] = (), trump: str = Suit.HEARTS
) -> frozenset[int]:
    """Every total that cards, honours and last trick of one deal can come to.

    `inside` are cards known to be in play, `out` cards known to be out of it. Which suit is trumps
    does not matter while only trumps are named.
    """
    most = ruleset.in_play
    return _find_card_sums(ruleset, frozenset(inside), frozenset(out), trump, most, most, ruleset.last_points)


def find_side_sums(
    ruleset: JackNineRuleset,
    last: bool | None,
    inside: Iterable[Card] = (),
    out: Iterable[Card] = (),
    trump: str = Suit.HEARTS,
) -> frozenset[int]:
    """Every total that one side can have from cards and honours, with or without the last trick.

    `inside` are cards known to be in its tricks, `out` cards known not to be.
    """
    known = (ruleset, frozenset(inside), frozenset(out), trump, 0)
    found: frozenset[int] = frozenset()
    if last is not True:
        found |= _find_card_sums(*known, ruleset.in_play - ruleset.ring.size, 0)
    if last is not False:
        found |= _find_card_sums(*known, ruleset.in_play, ruleset.last_points)
    return found


@lru_cache(maxsize=512)
def _find_card_sums(
    ruleset: JackNineRuleset,
    inside: frozenset[Card],
    out: frozenset[Card],
    trump: str,
    least: int,
    most: int,
    beside: int,
) -> frozenset[int]:
    """Every sum of the cards inside, enough others to be `least` to `most` in all, and what stands beside."""
    wanted = max(most - len(inside), 0)
    # Bit n of reach[k] says that k of the other cards so far can come to n.
    reach = [1] + [0] * wanted
    for card in ruleset.pack:
        if card in inside or card in out:
            continue
        for chosen in range(wanted, 0, -1):
            reach[chosen] |= reach[chosen - 1] << ruleset.full_points(card, trump)
    bits = 0
    for chosen in range(max(least - len(inside), 0), wanted + 1):
        bits |= reach[chosen]
    base = beside + sum(ruleset.full_points(card, trump) for card in inside)
    return frozenset(base + n for n in range(bits.bit_length()) if bits >> n & 1)


def find_nearest(can: Collection[int], found: int) -> int:
    """The number that can be which stands nearest; of two as near, the higher one."""
    return min(can, key=lambda n: (abs(n - found), -n))


def check_sum(can: Collection[int], found: int) -> CountBound | None:
    """What is wrong with a total of both sides, if it cannot be made."""
    if found in can or not can:
        return None
    return CountBound("sum", min(can), max(can), find_nearest(can, found), found)


def check_card_count(
    ruleset: JackNineRuleset, counted: CardCount, out: Collection[Card] = (), trump: str = Suit.HEARTS
) -> CountBound | None:
    """What is wrong with an itemised count of a whole deal: first the sum, then each side's cards.

    Rule key: `score.doubtful-count`.
    """
    top = ruleset.honours(trump)
    owner = {top[word]: side for word, side, _ in counted.words(ruleset) if word in top}
    inside = {card for card, side in owner.items() if side is not None}
    gone = set(out) | (owner.keys() - inside)
    made = counted.made(ruleset)
    found = check_sum(find_deal_sums(ruleset, inside, gone, trump), sum(made.values()))
    if found:
        return found
    for side in ruleset.ring.sides:
        own = {card for card in inside if owner[card] == side}
        last = None if counted.last is None else counted.last == side
        can = find_side_sums(ruleset, last, own, gone | (inside - own), trump)
        if made[side] not in can:
            return _bound_side(side, can, made[side])
    return None


@dataclass(frozen=True, slots=True)
class KnownMelds:
    """What is known of the melds and bela in whole counts: by side, and whether it is all there is."""

    words: Mapping[Side, int]
    runs: bool
    bela: bool


def check_whole_counts(
    ruleset: JackNineRuleset,
    made: Mapping[Side, int],
    known: KnownMelds,
    last: Side | None,
    out: Collection[Card] = (),
    trump: str = Suit.HEARTS,
) -> CountBound | None:
    """What is wrong with whole counts, words and all; unknown words may be anything that a deal can hold.

    Rule key: `score.doubtful-count`.
    """
    words, total = sum(known.words.values()), sum(made.values())
    if known.runs and known.bela:
        found = check_sum(find_deal_sums(ruleset, (), out, trump), total - words)
    else:
        found = check_sum(
            _find_whole_sums(ruleset, frozenset(out), trump, words, known.runs, known.bela), total
        )
    if found:
        return found
    coins = [] if known.runs else [*ruleset.run_points.values(), *ruleset.fours.values()]
    coins += [] if known.bela else [ruleset.bela_points]
    least = min((coin // 2 if ruleset["run_tie"] == "split" else coin for coin in coins), default=None)
    for side in ruleset.ring.sides:
        alone = find_side_sums(ruleset, None if last is None else last == side, trump=trump)
        rest = made[side] - known.words[side]
        if rest not in alone and (least is None or rest < least):
            return _bound_side(side, {n + known.words[side] for n in alone}, made[side])
    return None


@lru_cache(maxsize=512)
def _find_whole_sums(
    ruleset: JackNineRuleset, out: frozenset[Card], trump: str, words: int, runs: bool, bela: bool
) -> frozenset[int]:
    """Every total of a deal with so many points for known words; unknown ones may be what a deal can hold.

    `runs` and `bela` say which of them are known.
    """
    most = ruleset.all_told_most - (ruleset.bela_points if bela and not words else 0)
    cards, unknown = (
        find_deal_sums(ruleset, (), out, trump),
        _find_unknown_sums(ruleset, trump, runs=runs, bela=bela),
    )
    return frozenset(n + words + one for n in cards for one in unknown if runs or n + words + one <= most)


def find_meld_sums(ruleset: JackNineRuleset) -> Collection[int]:
    """Every sum that melds can add to a deal, bela left out."""
    return _find_unknown_sums(ruleset, NO_TRUMPS, runs=False, bela=True)


def _find_unknown_sums(ruleset: JackNineRuleset, trump: str, *, runs: bool, bela: bool) -> Collection[int]:
    """Every sum that melds and bela, as far as they are not known, can add to a deal."""
    found = {0}
    if not runs:
        for coin in (*ruleset.run_points.values(), *ruleset.fours.values()):
            found |= {one + n * coin for one in found for n in range(ruleset.all_told_most // coin + 1)}
    if not bela and trump != NO_TRUMPS:
        found |= {one + ruleset.bela_points for one in found}
    return {one for one in found if one <= ruleset.all_told_most}


def _bound_side(side: Side, can: Collection[int], found: int) -> CountBound:
    least = min(can) if found > max(can) else min(n for n in can if n >= found)
    return CountBound(side, least, max(can), find_nearest(can, found), found)
