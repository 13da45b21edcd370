"""The possible readings of a deal's stated counts: each a hypothesis that a deal must fit.

Facts not stated may be anything: trumps, the suit of a run, the side of the last trick, whether the seven was
swapped, and in whole counts the holders of melds.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, combinations, combinations_with_replacement, permutations, product

from companion.jacknine.phases import contest, count, melds
from companion.jacknine.phases.melds import read_declared_fours, read_declared_run
from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import ALL_TRUMPS, Card, Suit
from companion.rules.seats import Seat, Side

from .facts import UNKNOWN, CountFacts, DealFacts, FaceUpCards, RecordedFacts, knows_melds

Held = frozenset[tuple[Card, Seat]]
"""Cards with the seats that were dealt them, or took them for the seven, as far as known."""
Melds = tuple[Mapping[Side, int], Held, str]
"""The points of melds by side, the cards that must be in a hand for them, and their source."""


@dataclass(frozen=True, slots=True)
class MeldReading:
    """The points of melds and bela by side, and the facts they depend on.

    `hands` are cards that have to be in a hand, `takers` sides that have to have a trick; `tricks` by side as
    far as they are known, `known` the source of the melds.
    """

    points: Mapping[Side, int]
    hands: Held
    takers: frozenset[Side]
    tricks: Mapping[Side, int] | None
    known: str


def list_hypotheses(ruleset: JackNineRuleset, facts: CountFacts) -> Iterator[DealFacts]:
    """List every way to read the facts of a question, the simplest first.

    Of cards that the declarer laid away only some that count nothing are tried.
    """
    if ruleset.discards:
        yield from _list_with_discards(ruleset, facts)
        return
    sides = ruleset.ring.sides
    last = facts.last or (facts.count.last if facts.count else None)
    lasts = [last] if last else list(sides)
    usual = ruleset
    for trump in _list_trumps(ruleset, facts):
        ruleset = usual.at(trump)
        honours = _find_honours(ruleset, facts, trump)
        absent = {card for card, side in honours.items() if side is None}
        pinned = {(card, side) for card, side in honours.items() if side is not None}
        pinned |= {(card, side) for side, cards in (facts.taken or {}).items() for card in cards}
        for out, swapped in _place_face_up_cards(
            ruleset, trump, FaceUpCards(facts.turn_up, facts.shown, facts.exchanged), facts.out
        ):
            outside = frozenset(out | absent)
            if not _is_consistent(pinned, outside):
                continue
            for declared in _list_declared(ruleset, facts):
                shown = frozenset((card, meld.seat) for meld in declared for card in meld.cards(ruleset))
                for read in _list_meld_readings(ruleset, facts, trump, declared):
                    tricks, hands = read.tricks, shown | read.hands | swapped
                    if not _is_consistent(hands, outside):
                        continue
                    for side, known_tricks, takers in _list_last_tricks(ruleset, lasts, tricks, read.takers):
                        every = known_tricks == {**ruleset.zeros(), side: ruleset.hand}
                        for points in _list_card_points(ruleset, facts, side, every, trump, read.points):
                            if points is None or _can_add_up(ruleset, points, outside, pinned, trump):
                                yield DealFacts(
                                    trump,
                                    side,
                                    points,
                                    None if known_tricks is None else tuple(map(known_tricks.get, sides)),
                                    outside,
                                    frozenset(pinned),
                                    hands,
                                    takers,
                                    read.known,
                                )


def _list_with_discards(ruleset: JackNineRuleset, facts: CountFacts) -> Iterator[DealFacts]:
    """List the ways to read the facts with plain cards without points laid away: they lie out of play."""
    for trump in _list_trumps(ruleset, facts):
        counted = facts.count
        if counted is not None:
            cards = count.complete_card_points(ruleset, counted.card_points, trump)
            counted = replace(counted, cards=cards)
        worthless = [
            card for card in ruleset.pack if card.suit != trump and not ruleset.full_points(card, trump)
        ]
        for discarded in combinations(worthless, ruleset.discards):
            stated = replace(facts, trump=trump, count=counted, out=(*facts.out, *discarded))
            yield from list_hypotheses(ruleset.without_discards, stated)


def _is_consistent(owners: Collection[tuple[Card, str]], outside: Collection[Card]) -> bool:
    """True if no card has two owners, and none has one though it was out of play."""
    cards = {card for card, _ in owners}
    return len(cards) == len(set(owners)) and cards.isdisjoint(outside)


def _list_trumps(ruleset: JackNineRuleset, facts: CountFacts) -> list[str]:
    """List the possible trumps; while no card is named, one suit stands for all."""
    if facts.trump:
        return [facts.trump]
    named = _names_cards(facts)
    return [*(Suit if named else [Suit.HEARTS]), *ruleset.table.further_trumps]


def _find_honours(ruleset: JackNineRuleset, facts: CountFacts, trump: str) -> dict[Card, Side | None]:
    """Map jass and nine to the side whose tricks hold them, None: out of play; empty if nobody says."""
    if facts.count is None:
        return {}
    return {card: getattr(facts.count, word) for word, card in ruleset.honours(trump).items()}


def _list_last_tricks(
    ruleset: JackNineRuleset,
    lasts: Collection[Side],
    tricks: Mapping[Side, int] | None,
    takers: frozenset[Side],
) -> Iterator[tuple[Side, Mapping[Side, int] | None, frozenset[Side]]]:
    """List the side of the last trick, tricks by side, and takers; with and without a capot if it counts."""
    for side in lasts:
        if not ruleset.has_capot:
            yield side, tricks, takers
            continue
        for other in ruleset.ring.others(side):
            if (tricks or {}).get(side) != 0 and (tricks or {}).get(other) != 0:
                yield side, tricks, takers | {side, other}
        every = {**ruleset.zeros(), side: ruleset.hand}
        if takers <= {side} and all(every[own] == n for own, n in (tricks or {}).items()):
            yield side, every, takers


def _list_card_points(
    ruleset: JackNineRuleset,
    facts: CountFacts,
    side_of_last: Side,
    every: bool,
    trump: str,
    meld_points: Mapping[Side, int],
) -> Iterator[tuple[int, ...] | None]:
    """Add up cards and honours by side, melds and last trick taken off; None if no count is stated.

    `every`: the side of the last trick took all of them.
    """
    sides = ruleset.ring.sides
    if facts.count is not None:
        cards = count.complete_card_points(ruleset, facts.count.card_points, trump)
        made = count.CardCount(cards, facts.count.jass, facts.count.nine).made(ruleset)
        yield tuple(made[side] for side in sides)
    elif facts.made is None:
        yield None
    else:
        written = tuple(facts.made[side] - meld_points[side] for side in sides)
        yield from _take_off_last_trick(ruleset, written, side_of_last, every, trump)


def _take_off_last_trick(
    ruleset: JackNineRuleset, written: tuple[int, ...], side_of_last: Side, every: bool, trump: str
) -> Iterator[tuple[int, ...]]:
    """List the points of cards and honours by side for these points with the last trick.

    If points were scaled, several come to the same.
    """
    ways, last = [written], ruleset.last_trick(every, trump)
    if ruleset.scales(trump):
        whole = ruleset.sum_cards(trump) + last
        ways = [(points, whole - points) for points in range(whole + 1)]
        ways = [way for way in ways if tuple(ruleset.scale(points, trump) for points in way) == written]
    sides = ruleset.ring.sides
    for way in ways:
        yield tuple(n - last * (side == side_of_last) for side, n in zip(sides, way, strict=True))


def _can_add_up(
    ruleset: JackNineRuleset,
    points: tuple[int, ...],
    out: frozenset[Card],
    pinned: Collection[tuple[Card, Side]],
    trump: str,
) -> bool:
    """True if the sum is possible, and no side has less than the cards in its tricks: a quick check.

    If all cards in play are known to be in somebody's tricks, no side has more either.
    """
    left = dict(zip(ruleset.ring.sides, points, strict=True))
    for card, side in pinned:
        left[side] -= ruleset.full_points(card, trump)
    if len(pinned) == ruleset.in_play and any(left.values()):
        return False
    return min(left.values()) >= 0 and sum(points) + ruleset.last_points in count.find_deal_sums(
        ruleset, (), out, trump, False, scaled=False
    )


# --- cards that lay face up ----------------------------------------------------------------------


def _place_face_up_cards(
    ruleset: JackNineRuleset, trump: str, seen: FaceUpCards, others: Collection[Card] = ()
) -> Iterator[tuple[set[Card], Held]]:
    """List the cards out of play, with the turned card in the hand that took it for the seven.

    If nobody says whether the seven was swapped, it may have been.
    """
    out = {*others, *([seen.shown] if seen.shown else [])}
    seven, turned, by = ruleset.seven(trump), seen.turn_up, seen.exchanged
    if ruleset.turned_card != "out":
        yield out, frozenset()
        return
    if by is None or by == UNKNOWN:
        yield (out | {turned} if turned else out), frozenset()
    if by is None or (by == UNKNOWN and turned is None) or seven is None or ruleset["seven"] == "never":
        return
    swapped = [card for card in ruleset.pack if card.suit == trump and card not in (seven, seen.shown)]
    for card in swapped if turned is None else [card for card in swapped if card == turned]:
        for seat in ruleset.ring.seats if by == UNKNOWN else (by,):
            yield out | {seven}, frozenset({(card, seat)})


def list_recorded_hypotheses(
    ruleset: JackNineRuleset, points: tuple[int, ...], recorded: RecordedFacts
) -> Iterator[DealFacts]:
    """List the ways to read a recorded deal; `points` by side are of cards, honours and last trick."""
    sides = ruleset.ring.sides
    absent = {card for card, side in recorded.honours if side is None}
    pinned = frozenset((card, side) for card, side in recorded.honours if side is not None)
    lasts = [recorded.last] if recorded.last else sides
    for last, tricks, takers in _list_last_tricks(ruleset, lasts, None, frozenset()):
        known = None if tricks is None else tuple(map(tricks.get, sides))
        for (out, swapped), left in product(
            _place_face_up_cards(ruleset, recorded.trump, recorded.seen),
            _take_off_last_trick(ruleset, points, last, tricks is not None, recorded.trump),
        ):
            if min(left) >= 0:
                outside = frozenset(out | absent)
                yield DealFacts(recorded.trump, last, left, known, outside, pinned, swapped, takers)


# --- melds ---------------------------------------------------------------------------------------


def _list_declared(ruleset: JackNineRuleset, facts: CountFacts) -> Iterator[tuple[melds.Meld, ...]]:
    """List the declared melds, runs in every suit that they may be in."""
    declared = [read_declared_run(ruleset, run, f"runs[{i}]") for i, run in enumerate(facts.runs or ())]
    fours = read_declared_fours(ruleset, facts.fours or (), "fours")
    for suits in product(*([run.suit] if run.suit else list(Suit) for run in declared)):
        runs = tuple(replace(run, suit=suit) for run, suit in zip(declared, suits, strict=True))
        if melds.find_overlap(ruleset, (*runs, *fours)) is None:
            yield (*runs, *fours)


def _list_meld_readings(
    ruleset: JackNineRuleset, facts: CountFacts, trump: str, declared: tuple[melds.Meld, ...]
) -> Iterator[MeldReading]:
    """List the possible melds and bela in whole counts; other counts state them apart."""
    if facts.made is None:
        for belas in _list_belas(ruleset, replace(facts, bela=facts.belas), trump):
            sides = _find_takers(ruleset, facts)
            yield MeldReading(ruleset.zeros(), _hold_belas(belas), sides, facts.known_tricks, "known")
        return
    for belas, tricks in product(_list_belas(ruleset, facts, trump), _list_tricks(ruleset, facts)):
        trickless = find_trickless_sides(ruleset, tricks)
        bela = _hold_belas(belas)
        readings = _compare_declared(ruleset, trump, declared, trickless)
        if not knows_melds(ruleset, facts):
            readings = chain(readings, _list_further_melds(ruleset, facts, trump, declared))
        for standing, held, known in readings:
            points = dict(standing)
            takers = {side for side, n in points.items() if n and melds.loses_melds_without_trick(ruleset)}
            takers |= _find_takers(ruleset, facts)
            for seat, _pair in belas:
                side = ruleset.ring.side(seat)
                points[side] += ruleset.bela_points
                if ruleset["words_need_trick"] and side not in trickless:
                    takers.add(side)
            if ruleset["words_need_trick"]:
                points |= dict.fromkeys(trickless, 0)
            yield MeldReading(points, bela | held, frozenset(takers), tricks, known)


Belas = tuple[tuple[Seat, tuple[Card, ...]], ...]
"""The pairs of trumps that were declared as bela, each with its seat."""


def _list_belas(ruleset: JackNineRuleset, facts: CountFacts, trump: str) -> Iterator[Belas]:
    """List the pairs that may have been declared; while no card is named, those of some suits stand for all.

    None, if more were declared than there are.
    """
    pairs, seats = ruleset.pairs(trump), ruleset.ring.seats
    stated = [facts.belas[: len(pairs)] if trump == ALL_TRUMPS else facts.belas]
    if facts.bela == UNKNOWN:
        stated = [own for n in range(len(pairs) + 1) for own in combinations_with_replacement(seats, n)]
    for own in stated:
        if len(own) <= len(pairs):
            ways = permutations(pairs, len(own)) if _names_cards(facts) else [pairs[: len(own)]]
            yield from (tuple(zip(own, way, strict=True)) for way in ways)


def _names_cards(facts: CountFacts) -> bool:
    """True if a card is named, so that suits differ."""
    return bool(facts.out or facts.runs or facts.turn_up or facts.shown or facts.taken)


def _hold_belas(belas: Belas) -> Held:
    return frozenset((card, seat) for seat, pair in belas for card in pair)


def _find_takers(ruleset: JackNineRuleset, facts: CountFacts) -> frozenset[Side]:
    """Find the sides known to have taken a trick: all, if it is stated that none was without one."""
    return frozenset(ruleset.ring.sides if facts.trickless is None else ())


def _list_tricks(ruleset: JackNineRuleset, facts: CountFacts) -> Iterator[Mapping[Side, int] | None]:
    """List the tricks as stated; if melds are lost without one, also with none for sides with few points."""
    yield facts.known_tricks
    if facts.made is None or facts.trickless is None or not melds.loses_melds_without_trick(ruleset):
        return
    tricks = facts.known_tricks or {}
    poor = [side for side, n in facts.made.items() if n <= ruleset.bela_points and side not in tricks]
    for number in range(1, len(ruleset.ring.sides)):
        for sides in combinations(poor, number):
            yield {**tricks, **dict.fromkeys(sides, 0)}


def find_trickless_sides(ruleset: JackNineRuleset, tricks: Mapping[Side, int] | None) -> tuple[Side, ...]:
    """Find the sides without a trick, by the tricks known: they have none, or the others have all."""
    tricks = tricks or {}
    rest = None if sum(tricks.values()) < ruleset.hand else 0
    return tuple(side for side in ruleset.ring.sides if tricks.get(side, rest) == 0)


def _compare_declared(
    ruleset: JackNineRuleset, trump: str, declared: tuple[melds.Meld, ...], trickless: Collection[Side]
) -> Iterator[Melds]:
    """List the possible points of the declared melds, for each elder hand and declarer if they decide."""
    anybody: tuple[Seat | None, ...] = (None, *ruleset.ring.seats)
    known = set[tuple[int, ...]]()
    for elder, declarer in product(anybody, repeat=2):
        decision = contest.compare_melds(ruleset, declared, elder, trump, trickless, declarer)
        points = tuple(decision.points.values())
        if decision.needs is None and points not in known:
            known.add(points)
            yield decision.points, frozenset(), "known"
        if decision.needs not in ("elder", "declarer") and elder is declarer is None:
            break


def _list_further_melds(
    ruleset: JackNineRuleset, facts: CountFacts, trump: str, declared: tuple[melds.Meld, ...]
) -> Iterator[Melds]:
    """List the possible points of melds beside those declared."""
    base = {
        side: sum(
            melds.value_meld(ruleset, meld) for meld in declared if ruleset.ring.side(meld.seat) == side
        )
        for side in ruleset.ring.sides
    }
    zeros, made = ruleset.zeros(), facts.made or ruleset.zeros()
    sums = count.find_deal_sums(ruleset, trump=trump)

    def can_have(side: Side, points: int) -> bool:
        rest = sum(made.values()) - points
        belas = range(len(ruleset.pairs(trump)) + 1)
        return points <= made[side] and any(rest - n * ruleset.bela_points in sums for n in belas)

    examples = _pick_examples(ruleset, facts.runs is not None, _find_playable_cards(ruleset, facts))
    for (value, holdings), seat in product(sorted(examples.items()), ruleset.ring.seats):
        side = ruleset.ring.side(seat)
        points = value + base[side]
        for cards in holdings if can_have(side, points) else ():
            yield {**zeros, side: points}, frozenset((card, seat) for card in cards), "example"
    if facts.runs is None and ruleset["run_tie"] == "split":
        for points in ruleset.run_points.values():
            yield dict.fromkeys(ruleset.ring.sides, points // 2), frozenset(), "assumed"
    for value, side in product(sorted(count.find_meld_sums(ruleset)), ruleset.ring.sides):
        if value and can_have(side, value + base[side]):
            yield {**zeros, side: value + base[side]}, frozenset(), "assumed"


def _find_playable_cards(ruleset: JackNineRuleset, facts: CountFacts) -> frozenset[Card]:
    """Find the cards that may have been in a hand: only those in tricks, if all in play are known to be."""
    taken = frozenset(card for cards in (facts.taken or {}).values() for card in cards)
    return taken if len(taken) == ruleset.in_play else frozenset(ruleset.pack) - frozenset(facts.out)


@lru_cache(maxsize=64)
def _pick_examples(
    ruleset: JackNineRuleset, fours_only: bool, playable: frozenset[Card]
) -> Mapping[int, tuple[frozenset[Card], ...]]:
    """Pick a few examples for each value of runs and fours: cards of one hand, of the playable ones.

    Not every value is among them; a value without an example is looked at without cards.
    """
    examples = {
        value: [cards for cards in holdings if cards <= playable]
        for value, holdings in _find_examples(ruleset, fours_only).items()
    }
    return {value: _pick_some(holdings) for value, holdings in examples.items() if holdings}


@lru_cache(maxsize=16)
def _find_examples(ruleset: JackNineRuleset, fours_only: bool) -> Mapping[int, Sequence[frozenset[Card]]]:
    """Find cards of one hand by their worth as runs and fours."""
    pieces: list[tuple[int, frozenset[Card], bool]] = [
        (points, frozenset(Card(rank, suit) for suit in Suit), True) for rank, points in ruleset.fours.items()
    ]
    for (length, points), top, suit in product(ruleset.run_points.items(), ruleset.run_order, Suit):
        if not fours_only and melds.is_possible_run(ruleset, length, top):
            pieces.append((points, frozenset(melds.Run("A", length, top, suit).cards(ruleset)), False))
    examples: dict[int, list[frozenset[Card]]] = {}
    for number in (1, 2) if ruleset.fours else (1, 2, 3):
        for chosen in combinations(pieces, number):
            runs = [cards for _, cards, four in chosen if not four]
            cards = frozenset().union(*(cards for _, cards, _ in chosen))
            if len(cards) <= ruleset.hand and len(frozenset().union(*runs)) == sum(map(len, runs)):
                examples.setdefault(sum(points for points, _, _ in chosen), []).append(cards)
    return examples


def _pick_some(holdings: Sequence[frozenset[Card]]) -> tuple[frozenset[Card], ...]:
    """Pick a few, spread over the whole list."""
    return tuple(dict.fromkeys(holdings[n * (len(holdings) - 1) // 5] for n in range(6)))
