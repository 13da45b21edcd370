"""Counting: the points of tricks, and the counts that the cards of a deal can come to."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import NO_TRUMPS, Card, Suit
from companion.rules.message import Message, SideName, Word
from companion.rules.schema import Integer, Nullable, SideOf, by_side, field
from companion.rules.seats import Seat, Side

from .melds import loses_melds_without_trick
from .play import TakenTrick

POINTS = Integer(0, 999)
"""The points that one side can be stated to have made in a deal."""

TRICK_WORDS = ("cards", "jass", "nine", "last")
"""The words of a count for what tricks bring, melds and bela left out."""


@dataclass(frozen=True, slots=True)
class CardCount:
    """A count at the table: card points by side, and the sides with jass, nine and last trick.

    Jass and nine are apart from the card points, unless the game counts them as cards. A side is None if
    nobody has the item, or nobody says who. Alternatively `points` are all that a side's tricks bring,
    honours and last trick included; one side is enough.
    """

    cards: Mapping[Side, int] | None = field(
        by_side(POINTS, whole=False), None, label=Message("{word}", word=Word("cards"))
    )
    jass: Side | None = field(Nullable(SideOf()), None, label=Message("{word}", word=Word("jass")))
    nine: Side | None = field(Nullable(SideOf()), None, label=Message("{word}", word=Word("nine")))
    last: Side | None = field(Nullable(SideOf()), None, label=Message("{word}", word=Word("last")))
    points: Mapping[Side, int] | None = field(by_side(POINTS, whole=False), None)

    @property
    def card_points(self) -> Mapping[Side, int]:
        """The card points of the sides whose cards were counted."""
        return self.cards or {}

    def words(
        self, ruleset: JackNineRuleset, trump: str = Suit.HEARTS, *, capot: bool = False
    ) -> tuple[tuple[str, Side | None, int], ...]:
        """List jass, nine and last trick: word, side, and points in this game; `capot`: of all tricks."""
        return (
            ("jass", self.jass, ruleset.jass_points),
            ("nine", self.nine, ruleset.nine_points),
            ("last", self.last, ruleset.last_trick(capot, trump)),
        )

    def made(
        self, ruleset: JackNineRuleset, trump: str = Suit.HEARTS, *, capot: bool = False
    ) -> dict[Side, int]:
        """Add up the points by side, without runs and bela; `capot`: one side has every trick."""
        made = {side: self.card_points.get(side, 0) for side in ruleset.ring.sides}
        for _, side, points in self.words(ruleset, trump, capot=capot):
            if side is not None:
                made[side] += points
        return made


def count_tricks(
    ruleset: JackNineRuleset, taken: Sequence[TakenTrick], trump: str, declarer: Seat | None = None
) -> CardCount:
    """Count the tricks of each side; `last` is known only if all tricks of the deal are given.

    `declarer` has the cards laid away, which are those that nobody played. Rule keys: `cards.values`,
    `words.taken`.
    """
    cards = ruleset.zeros()
    jass = nine = None
    piles = [(trick.taker, trick.cards) for trick in taken]
    if ruleset.discards and declarer is not None:
        played = {card for _, pile in piles for card in pile}
        piles.append((declarer, tuple(card for card in ruleset.pack if card not in played)))
    for taker, pile in piles:
        side = ruleset.ring.side(taker)
        for card in pile:
            cards[side] += ruleset.card_points(card, trump)
            jass = side if ruleset.is_jass(card, trump) else jass
            nine = side if ruleset.is_nine(card, trump) else nine
    last = ruleset.ring.side(taken[-1].taker) if len(taken) == ruleset.hand else None
    return CardCount(cards, jass, nine, last)


def complete_card_points(ruleset: JackNineRuleset, cards: Mapping[Side, int], trump: str) -> dict[Side, int]:
    """Complete card points by side; if every card is dealt, sides left out get the rest.

    Sides stay left out if their shares are open. Rule key: `score.rest`.

    >>> from companion import library
    >>> ruleset = library.open_game("klaberjass-4").family.ruleset
    >>> complete_card_points(ruleset, {"A": 71}, trump="H")
    {'A': 71, 'B': 47}
    """
    if not ruleset.all_dealt:
        return dict(cards)
    return _share_out(ruleset, cards, ruleset.all_cards(trump) - sum(cards.values()))


def complete_points(ruleset: JackNineRuleset, points: Mapping[Side, int], trump: str) -> dict[Side, int]:
    """Complete all points of tricks by side; sides left out get the rest, at a capot nothing.

    Sides stay left out if their shares are open. If too much is stated, nothing is left. In all trumps they
    are the points on the cards, before they are scaled. Rule keys: `score.rest`, `score.capot`.

    >>> from companion import library
    >>> ruleset = library.open_game("deberts-4-alone").family.ruleset
    >>> complete_points(ruleset, {"A": 42, "B": 40, "C": 40}, trump="H")
    {'A': 42, 'B': 40, 'C': 40, 'D': 40}
    >>> complete_points(ruleset, {"A": 42, "B": 40}, trump="H")
    {'A': 42, 'B': 40}
    """
    whole = ruleset.sum_cards(trump) + ruleset.last_points
    return _share_out(ruleset, points, max(whole - sum(points.values()), 0))


def _share_out(ruleset: JackNineRuleset, stated: Mapping[Side, int], left: int) -> dict[Side, int]:
    """Complete the stated points: a single side left out gets the rest."""
    absent = [side for side in ruleset.ring.sides if side not in stated]
    if len(absent) > 1 and left:
        return dict(stated)
    shared = {**stated, **dict.fromkeys(absent, left)}
    return {side: shared[side] for side in ruleset.ring.sides}


@dataclass(frozen=True, slots=True)
class CountBound:
    """A count that is impossible: `what` is counted (`sum` or a side), and the possible counts.

    `found` is the impossible count, `least` and `most` what is possible, `nearest` the possible count that is
    closest to it. All are points; `number` is how many counts are possible, many if it is not given.
    """

    what: str
    least: int
    most: int
    nearest: int
    found: int
    number: int = 99

    @property
    def _worth(self) -> Message:
        """Name the possible points: one number, one of two, or from one to the other."""
        if self.least == self.most:
            return Message("{points}", points=self.least)
        if self.number == 2:
            return Message("{least} or {most}", least=self.least, most=self.most)
        return Message("{least} to {most}", least=self.least, most=self.most)

    @property
    def reason(self) -> Message:
        """Explain in words why the count is impossible."""
        if self.what == "sum":
            if self.number > 2 and self.least <= self.found <= self.most:
                return Message(
                    "{found} together cannot be made from these cards; {nearest} could.",
                    found=self.found,
                    nearest=self.nearest,
                )
            return Message(
                "{found} together is not possible: the cards in play are worth {worth}.",
                found=self.found,
                worth=self._worth,
            )
        return Message(
            "{found} for {side} is not possible; {nearest} is.",
            found=self.found,
            side=SideName(self.what),
            nearest=self.nearest,
        )


def find_deal_sums(
    ruleset: JackNineRuleset,
    inside: Iterable[Card] = (),
    out: Iterable[Card] = (),
    trump: str = Suit.HEARTS,
    capot: bool | None = None,
    *,
    scaled: bool = True,
) -> frozenset[int]:
    """Find every total that cards, honours and last trick of one deal can come to.

    `inside` are cards known to be in play, `out` cards known to be out of it. Which suit is trumps does not
    matter while only trumps are named. `capot`: one side has every trick; None: it may have. Without `scaled`
    they are the points on the cards.
    """
    most, cards = ruleset.in_play, (ruleset, frozenset(inside), frozenset(out), trump)
    lasts = {ruleset.last_trick(every, trump) for every in ((True, False) if capot is None else (capot,))}
    sums = frozenset().union(*(_find_card_sums(*cards, most, most, last) for last in lasts))
    return frozenset(ruleset.scale(points, trump) for points in sums) if scaled else sums


def find_side_sums(
    ruleset: JackNineRuleset,
    last: bool | None,
    inside: Iterable[Card] = (),
    out: Iterable[Card] = (),
    trump: str = Suit.HEARTS,
    *,
    scaled: bool = True,
) -> frozenset[int]:
    """Find every total that one side can have from cards and honours, with or without the last trick.

    `inside` are cards known to be in its tricks, `out` cards known not to be. Without `scaled` they are the
    points on the cards.
    """
    known = (ruleset, frozenset(inside), frozenset(out), trump)
    most, fewer = ruleset.in_play, ruleset.in_play - ruleset.ring.size
    sums: frozenset[int] = frozenset()
    if last is not True:
        sums |= _find_card_sums(*known, 0, fewer, 0)
    if last is not False:
        sums |= _find_card_sums(*known, 0, fewer if ruleset.has_capot else most, ruleset.last_points)
    if last is not False and ruleset.has_capot:
        sums |= _find_card_sums(*known, most - ruleset.discards, most, ruleset.last_trick(True, trump))
    return frozenset(ruleset.scale(points, trump) for points in sums) if scaled else sums


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
    """Find every sum of cards `inside` and others, `least` to `most` in all, plus points `beside`."""
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


def find_nearest(possible: Collection[int], found: int) -> int:
    """Find the nearest possible number; of two at the same distance, the higher one."""
    return min(possible, key=lambda n: (abs(n - found), -n))


def check_sum(possible: Collection[int], found: int) -> CountBound | None:
    """Find what is wrong with a total of all sides; None if it is possible."""
    if found in possible or not possible:
        return None
    nearest, number = find_nearest(possible, found), len(set(possible))
    return CountBound("sum", min(possible), max(possible), nearest, found, number)


def check_card_count(
    ruleset: JackNineRuleset,
    counted: CardCount,
    out: Collection[Card] = (),
    trump: str = Suit.HEARTS,
    *,
    capot: bool = False,
) -> CountBound | None:
    """Find what is wrong with an itemised count of a whole deal: first the sum, then each side's cards.

    `out` are cards known to be out of play; `capot`: one side has every trick. None if nothing is wrong. Rule
    key: `score.doubtful-count`.
    """
    honours = ruleset.honours(trump)
    owner = {honours[word]: side for word, side, _ in counted.words(ruleset) if word in honours}
    inside = {card for card, side in owner.items() if side is not None}
    outside = set(out) | (owner.keys() - inside)
    made = counted.made(ruleset, trump, capot=capot)
    sums = find_deal_sums(ruleset, inside, outside, trump, capot, scaled=False)
    bound = check_sum(sums, sum(made.values()))
    if bound is not None:
        return bound
    for side in ruleset.ring.sides:
        own = {card for card in inside if owner[card] == side}
        last = None if counted.last is None else counted.last == side
        possible = find_side_sums(ruleset, last, own, outside | (inside - own), trump, scaled=False)
        if made[side] not in possible:
            return _bound_side(side, possible, made[side])
    return None


@dataclass(frozen=True, slots=True)
class KnownMelds:
    """Known melds and bela in whole counts: their `points` by side.

    `runs`: all melds are known; `bela`: whether there is bela is known.
    """

    points: Mapping[Side, int]
    runs: bool
    bela: bool


def check_whole_counts(
    ruleset: JackNineRuleset,
    made: Mapping[Side, int],
    known: KnownMelds,
    last: Side | None,
    out: Collection[Card] = (),
    trump: str = Suit.HEARTS,
    trickless: Collection[Side] = (),
    *,
    shared: bool = False,
) -> CountBound | None:
    """Find what is wrong with whole counts, melds included; unknown melds may be any that a deal can hold.

    `made` are points by side, `last` the side of the last trick if that is known, `trickless` the sides known
    to have taken no trick; `shared`: every side is known to have taken one. None if nothing is wrong. Rule
    key: `score.doubtful-count`.
    """
    for side in trickless:
        possible = find_trickless_sums(ruleset, side, known, trump)
        if made[side] not in possible:
            return _bound_side(side, possible, made[side])
    meld_points, total = sum(known.points.values()), sum(made.values())

    def check(capot: bool | None) -> CountBound | None:
        if known.runs and known.bela:
            return check_sum(find_deal_sums(ruleset, (), out, trump, capot), total - meld_points)
        sums = _find_whole_sums(ruleset, frozenset(out), trump, meld_points, known.runs, known.bela, capot)
        return check_sum(sums, total)

    capot = ruleset.find_capot(trickless) is not None
    bound = check(capot if trickless else False if shared else None)
    if bound is not None and trickless and ruleset.all_dealt:
        bound = check(None) or bound  # cards alone may be told too
    if bound is not None:
        return bound
    unknown = [] if known.runs else [*ruleset.run_points.values(), *ruleset.fours.values()]
    unknown += [] if known.bela else [ruleset.bela_points]
    least = min(
        (points // 2 if ruleset["run_tie"] == "split" else points for points in unknown), default=None
    )
    for side in ruleset.ring.sides:
        alone = find_side_sums(ruleset, None if last is None else last == side, trump=trump)
        rest = made[side] - known.points[side]
        if rest not in alone and (least is None or rest < least):
            return _bound_side(side, {n + known.points[side] for n in alone}, made[side])
    return None


def find_trickless_sums(
    ruleset: JackNineRuleset, side: Side, known: KnownMelds, trump: str = Suit.HEARTS
) -> Collection[int]:
    """List what a side without a trick can have made: bela, melds unless they are lost, cards laid away.

    Rule keys: `meld.trickless`, `words.need-trick`, `bela.kept`.
    """
    most = ruleset.discards
    cards = _find_card_sums(ruleset, frozenset(), frozenset(), trump, 0, most, 0) if most else {0}
    if ruleset["words_need_trick"]:
        melds: Collection[int] = {0, *((ruleset.bela_points,) if ruleset["bela_kept"] == "on" else ())}
    else:
        melds_known = known.runs or loses_melds_without_trick(ruleset)
        unknown = _find_unknown_sums(ruleset, trump, runs=melds_known, bela=known.bela)
        melds = {known.points[side] + points for points in unknown}
    return {points + more for points in melds for more in cards}


@lru_cache(maxsize=512)
def _find_whole_sums(
    ruleset: JackNineRuleset,
    out: frozenset[Card],
    trump: str,
    meld_points: int,
    runs: bool,
    bela: bool,
    capot: bool | None,
) -> frozenset[int]:
    """Find every total of a deal with given points of known melds; unknown ones may be any possible.

    `runs` and `bela` say which of them are known.
    """
    most = ruleset.max_points
    if bela and not meld_points:
        most -= ruleset.bela_points * len(ruleset.pairs(trump))
    card_sums = find_deal_sums(ruleset, (), out, trump, capot)
    more = _find_unknown_sums(ruleset, trump, runs=runs, bela=bela)
    return frozenset(
        cards + meld_points + unknown
        for cards in card_sums
        for unknown in more
        if runs or cards + meld_points + unknown <= most
    )


def find_meld_sums(ruleset: JackNineRuleset) -> Collection[int]:
    """Find every sum that melds can add to a deal, bela left out."""
    return _find_unknown_sums(ruleset, NO_TRUMPS, runs=False, bela=True)


@lru_cache(maxsize=512)
def _find_unknown_sums(ruleset: JackNineRuleset, trump: str, *, runs: bool, bela: bool) -> frozenset[int]:
    """Find every sum that the unknown melds and bela can add to a deal."""
    sums = {0}
    if not runs:
        for points in (*ruleset.run_points.values(), *ruleset.fours.values()):
            often = ruleset.max_points // points
            sums |= {so_far + n * points for so_far in sums for n in range(often + 1)}
    if not bela:
        pairs = range(1, len(ruleset.pairs(trump)) + 1)
        sums |= {so_far + number * ruleset.bela_points for so_far in sums for number in pairs}
    return frozenset(points for points in sums if points <= ruleset.max_points)


def _bound_side(side: Side, possible: Collection[int], found: int) -> CountBound:
    """Bound a side's impossible count; `least` is the next possible count above it, or the lowest of all."""
    least = min(possible) if found > max(possible) else min(n for n in possible if n >= found)
    return CountBound(side, least, max(possible), find_nearest(possible, found), found)
