"""Counts of a deal: what they tell of tricks, melds and capot; impossible ones refused."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.jacknine.entries import Deal
from companion.jacknine.phases import capot, count, melds, play
from companion.jacknine.phases.bidding import EVERY_TRICK, GENERALE
from companion.jacknine.solver import plausibility
from companion.jacknine.solver.facts import UNKNOWN, FaceUpCards, RecordedFacts
from companion.rules.cards import Card
from companion.rules.message import Message, SeatName, SideName, Word
from companion.rules.seats import Side

from .reading import DealReading


def find_capot(reading: DealReading) -> None:
    """Find a capot in the counts; ask whether a side had a trick if that is open and costs points.

    Rule keys: `score.capot`, `score.trickless-penalty`.
    """
    deal, ruleset, made = reading.deal, reading.ruleset, reading.made
    if made is None or deal.tricks or deal.penalty or deal.call:
        return
    if not ruleset.has_capot:
        _ask_for_penalty(reading, made)
        return
    if not ruleset.all_dealt:
        _ask_for_trick(reading, made)
        return
    known = _find_known_melds(reading)
    if deal.totals is None:
        known = replace(known, runs=True, bela=True)
    elif not reading.belas:
        known = replace(known, bela=False)
    if len(ruleset.ring.sides) > 2:
        _find_capot_of_several(reading, made, known)
        return
    takers = () if reading.last is None else (reading.last,)
    sweep = capot.find_sweep(ruleset, made, known, reading.suit, takers)
    if sweep is None:
        return
    if deal.trickless != ():
        if reading.trickless == sweep.others:
            _add_last_of_all(reading, sweep.side, sweep.missing)
    elif sweep.is_capot:
        reading.trickless = sweep.others
        _add_last_of_all(reading, sweep.side, sweep.missing)
    elif _must_ask(reading, sweep, made):
        why = Message("{what}.", what=capot.explain_sweep(ruleset, sweep, reading.suit))
        reading.flag("trickless", "score.capot", why)
        reading.doubtful, reading.made = sweep.others, None


def _ask_for_penalty(reading: DealReading, made: Mapping[Side, int]) -> None:
    """Ask whether a side without points took a trick, if every so many deals without one cost points."""
    if not reading.ruleset.asks_trickless or reading.deal.trickless != ():
        return
    for side in reading.ruleset.ring.sides:
        if made[side] <= reading.meld_points[side] and side != reading.last:
            why = Message("Whether {side} took a trick is missing.", side=SideName(side))
            reading.flag("trickless", "score.trickless-penalty", why)
            return


def _ask_for_trick(reading: DealReading, made: Mapping[Side, int]) -> None:
    """Ask whether a side without points from cards took a trick, if no sum can tell.

    Rule key: `score.capot`.
    """
    if reading.deal.trickless != ():
        return
    for side in reading.ruleset.ring.sides:
        if made[side] <= reading.meld_points[side] and side != reading.last:
            why = Message("{what}.", what=capot.explain_unknown_tricks(reading.ruleset, [side]))
            reading.flag("trickless", "score.capot", why)
            reading.doubtful, reading.made = frozenset({side}), None
            return


def _find_capot_of_several(reading: DealReading, made: Mapping[Side, int], known: count.KnownMelds) -> None:
    """Count a capot among several sides in full; ask who took no trick if that costs points.

    Rule keys: `score.capot`, `meld.trickless`.
    """
    ruleset, sides, melds = reading.ruleset, reading.ruleset.ring.sides, reading.meld_points
    plain, every = capot.fit_last_trick(ruleset, made, known, reading.suit)
    if reading.deal.trickless != ():
        if reading.capot is not None and plain and not every:
            _add_last_of_all(reading, reading.capot, ruleset.capot_extra(reading.suit))
        return
    bare = [side for side in sides if made[side] <= melds[side] and side != reading.last]
    losing = [side for side in bare if melds[side] > ruleset.retained_bela(side, reading.bela)]
    if len(bare) == len(sides) - 1 and every and not plain and not losing:
        reading.trickless = frozenset(bare)
    elif len(bare) == len(sides) - 1:
        why = Message("{what}.", what=capot.explain_unknown_tricks(ruleset, bare))
        reading.flag("trickless", "score.capot", why)
        reading.doubtful, reading.made = frozenset(bare), None
    elif losing:
        why = Message("Whether {side} took a trick is missing.", side=SideName(losing[0]))
        reading.flag("trickless", "meld.trickless", why)
        reading.doubtful, reading.made = frozenset(losing), None


def _must_ask(reading: DealReading, sweep: capot.Sweep, made: Mapping[Side, int]) -> bool:
    """True if the score depends on a trick of the side without points, and nothing else is asked first.

    Earlier rulebooks asked only if every trick may be counted in, or cards were counted.
    """
    deal, ruleset = reading.deal, reading.ruleset
    if not capot.hangs_on_tricks(ruleset, sweep, made, reading.points, reading.bela):
        return False
    if sweep.shared and asks_for_bela(reading):
        return False
    by_cards = deal.count is not None and deal.count.points is None
    return reading.asks or by_cards or sweep.as_capot


def _add_last_of_all(reading: DealReading, side: Side, missing: int) -> None:
    """Add the `missing` part of the extra points for every trick to a side's count."""
    assert reading.made is not None
    reading.made = capot.add_last_of_all(reading.made, side, missing)
    reading.last_of_all = missing
    reading.lines = [
        replace(line, points=line.points + missing) if (line.side, line.word) == (side, "cards") else line
        for line in reading.lines
    ]


def find_penalized_sweep(reading: DealReading) -> capot.Sweep | None:
    """Find the side that was counted as having every trick in a deal settled by a penalty; else None."""
    ruleset, made = reading.ruleset, reading.made
    assert made is not None
    known = _find_known_melds(reading)
    if reading.deal.totals is None:
        known = replace(known, runs=True, bela=True)
    sweep = capot.find_sweep(ruleset, made, known, reading.suit)
    return sweep if sweep is not None and sweep.as_capot else None


def _find_known_melds(reading: DealReading) -> count.KnownMelds:
    """Find the known melds and bela in whole counts."""
    deal, ruleset = reading.deal, reading.ruleset
    declared = deal.runs is not None and (not ruleset.fours or deal.fours is not None)
    bela = bool(reading.belas) or (ruleset["bela_kept"] == "on" and not ruleset.run_points)
    runs = (declared or not ruleset.run_points) and reading.melds_known
    return count.KnownMelds(reading.meld_points, runs=runs, bela=bela)


def asks_for_bela(reading: DealReading) -> bool:
    """True if whole counts contain a bela that its side keeps, and do not name that side."""
    deal, ruleset = reading.deal, reading.ruleset
    if deal.totals is None or ruleset.run_points or ruleset["bela_kept"] == "off":
        return False
    sums, stated = count.find_deal_sums(ruleset, (), (), reading.suit), len(reading.belas)
    more = range(stated + 1, len(ruleset.pairs(reading.suit)) + 1)
    return sum(deal.totals.values()) in {
        points + number * ruleset.bela_points for points in sums for number in more
    }


def check_alone(reading: DealReading, taken: Sequence[play.TakenTrick]) -> None:
    """Find out whether the declarer took every trick alone, after such a bid. Rule key: `score.generale`."""
    deal, declarer = reading.deal, reading.declarer or ""
    if reading.points != GENERALE and deal.alone is not None:
        reading.flag_contradiction("alone", Message("Nothing hangs on who took the tricks after this bid."))
    if reading.points != GENERALE or deal.penalty is not None or reading.made is None:
        return
    every = reading.capot == reading.ruleset.ring.side(declarer)
    reading.alone = {trick.taker for trick in taken} == {declarer} if taken else deal.alone
    if deal.alone is not None and (deal.alone and not every or taken and deal.alone != reading.alone):
        why = Message("{seat} did not take every trick alone.", seat=SeatName(declarer))
        if reading.alone and not deal.alone:
            why = Message("{seat} took every trick alone.", seat=SeatName(declarer))
        reading.flag("alone", "score.generale", why)
    elif every and reading.alone is None:
        why = Message("Whether {seat} took every trick alone is missing.", seat=SeatName(declarer))
        reading.flag("alone", "score.generale", why)
        reading.made = None


def check_meld_side(reading: DealReading) -> None:
    """Require the melds in whole counts if they do not help to reach the bid. Rule key: `score.needs`."""
    deal, ruleset, made = reading.deal, reading.ruleset, reading.made
    if made is None or deal.totals is None or deal.penalty is not None or reading.standing:
        return
    if reading.bid is None or reading.points in EVERY_TRICK or ruleset["helps_bid"] != "cards":
        return
    if reading.bid.melds and deal.runs is None and deal.fours is None:
        reading.flag("runs", "score.needs", Message("Whose melds are in it is missing."))
        reading.made = None


def check_bela_known(reading: DealReading) -> None:
    """Require the side of a bela in whole counts, if that side keeps it. Rule key: `bela.kept`."""
    if asks_for_bela(reading):
        bela = Word(reading.ruleset.book.words["bela"])
        reading.flag("bela", "bela.kept", Message("Whose {bela} is in it is missing.", bela=bela))
        if reading.asks:
            reading.made = None


def check_counts(reading: DealReading) -> None:
    """Refuse counts that no deal can have, unless the deal was broken off by a call."""
    deal, ruleset, trump = reading.deal, reading.ruleset, reading.suit
    if deal.call is not None or reading.made is None or reading.problems:
        return
    out, whole = reading.out(), True
    shared = deal.trickless is None and reading.asks
    owners: dict[Card, Side | None] = {}
    if deal.totals is not None:
        if deal.penalty is not None and deal.runs is None:
            return  # both sides' runs are in it, and nobody has said which
        if _leaves_melds_out(reading):
            return
        trickless = reading.trickless if deal.penalty is None else ()  # a penalty moves every meld
        known = _find_known_melds(reading)
        whole = known.runs and known.bela
        bound, path = (
            count.check_whole_counts(
                ruleset, reading.made, known, reading.last, out, trump, trickless, shared=shared
            ),
            "totals",
        )
    elif deal.count is not None and deal.count.points is not None:
        alone = {side: reading.made[side] - reading.meld_points[side] for side in ruleset.ring.sides}
        trickless = reading.trickless if deal.penalty is None else ()
        nothing = count.KnownMelds(ruleset.zeros(), runs=True, bela=True)
        bound, path = (
            count.check_whole_counts(
                ruleset, alone, nothing, reading.last, out, trump, trickless, shared=shared
            ),
            "count.points",
        )
    elif deal.count is not None:
        for word, card in ruleset.honours(trump).items():
            owners[card] = getattr(deal.count, word)
            if card in out and owners[card] is not None:
                reading.flag(f"count.{word}", "words.taken", Message("{card} was out of play.", card=card))
                return
        cards = count.complete_card_points(ruleset, deal.count.card_points, trump)
        counted = replace(deal.count, cards=cards, last=reading.last)
        bound, path = (
            count.check_card_count(ruleset, counted, out, trump, capot=reading.capot is not None),
            "count.cards",
        )
    else:
        return
    if bound is None and whole and deal.penalty is None:
        _check_playable(reading, path, owners)
    if bound is not None:
        reading.flag(_locate_bound(deal, path, bound), "score.doubtful-count", bound.reason)


def _locate_bound(deal: Deal, path: str, bound: count.CountBound) -> str:
    """The field of an impossible count: a side's own, or the only one that was stated."""
    stated = deal.count.points if deal.count is not None else None
    if stated is not None and len(stated) == 1:
        return f"{path}.{next(iter(stated))}"
    return path if bound.what == "sum" else f"{path}.{bound.what}"


def _leaves_melds_out(reading: DealReading) -> bool:
    """True if a total leaves out melds that stand, as it may only without a trick; that has to be stated."""
    deal, ruleset, made = reading.deal, reading.ruleset, reading.made
    assert made is not None
    if deal.penalty is not None or not melds.loses_melds_without_trick(ruleset):
        return False
    for side in ruleset.ring.sides:
        least = 0 if ruleset["words_need_trick"] else ruleset.bela_points * reading.bela.count(side)
        if side not in (*reading.trickless, reading.last) and made[side] == least < reading.meld_points[side]:
            why = Message(
                "{found} for {side} leaves out {points} declared points, lost only without a trick.",
                found=made[side],
                side=SideName(side),
                points=reading.meld_points[side] - least,
            )
            reading.flag("trickless", "meld.trickless", why)
    return bool(reading.problems)


def _check_playable(reading: DealReading, path: str, owners: Mapping[Card, Side | None]) -> None:
    """Check that counts within every bound can come from cards that can be dealt and taken.

    Declared melds are left out: whether they were genuine is another question than the count.
    """
    deal, ruleset, made = reading.deal, reading.ruleset, reading.made
    assert made is not None
    seen = FaceUpCards(deal.turned_card, deal.shown, deal.exchanged or UNKNOWN)
    recorded = RecordedFacts(reading.suit, reading.last, frozenset(owners.items()), seen)
    meld_points = tuple(reading.meld_points[side] for side in ruleset.ring.sides)
    points = tuple(made[side] - reading.meld_points[side] for side in ruleset.ring.sides)
    inconsistency = plausibility.find_inconsistency(ruleset, points, recorded, meld_points)
    if inconsistency is not None:
        side, why = inconsistency
        reading.flag(f"{path}.{side}" if side else path, "score.doubtful-count", why)
