"""The reading of a deal: bidding, declarations, the points of each side; and the total that follows."""

from collections.abc import Mapping
from dataclasses import replace

from companion.jacknine.entries import Deal, collect_sides, find_foreign_facts, read_entry, sum_false_melds
from companion.jacknine.phases import auction, bidding, contest, count, melds, penalties, play
from companion.jacknine.phases.melds import read_declared_fours, read_declared_run
from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Card, Suit
from companion.rules.errors import Unreadable
from companion.rules.game import CountLine
from companion.rules.message import Message, SeatName, SideName, Word
from companion.rules.seats import Seat, Side

from . import checks, counts
from .reading import DealReading


def read_deal(
    ruleset: JackNineRuleset, deal: Deal, number: int, dealer: Seat, *, asks: bool = True
) -> DealReading:
    """Read a deal, with everything that cannot be right in it.

    `number` is that of the entry, from 1; `dealer` the dealer whose turn it is, or whom the entry names. With
    `asks` a side without points is asked whether it took a trick, if that is open.
    """
    reading = DealReading(ruleset, deal, number, dealer, asks=asks)
    for path, key, why in find_foreign_facts(ruleset, deal):
        reading.flag(path, key, why)
    if reading.problems:
        return reading
    if deal.dealt_wrongly and not ruleset.has_option("misdeal", "after-bid"):
        reading.status, reading.made = "misdealt", None
        return reading
    _read_bidding(reading)
    if deal.dealt_wrongly and reading.status == "contract":
        reading.status = "misdealt"
        return reading
    if reading.status != "contract":
        if deal.play_fields and reading.status != "open":
            why = Message("The cards were thrown in, so nothing was played.")
            key = "bid.passed-out" if reading.status == "thrown-in" else "offer.accepted"
            reading.flag(deal.play_fields[0], key, why)
        return reading
    reading.ruleset = ruleset = ruleset.at(reading.trump)
    checks.check_turned_card(reading)
    if deal.belot is not None:
        reading.status = "belot"
        reading.keys.append("meld.belot")
    elif deal.score_fields:
        _read_made(reading)
    elif deal.penalty is not None and _is_replayed(reading):
        reading.status = "void"
    elif deal.penalty is not None and ruleset.all_dealt:
        _read_penalty(reading)
    else:
        reading.flag("count", "score.made", Message("What each side made is missing."))
    return reading


def _is_replayed(reading: DealReading) -> bool:
    """True if a penalty makes the deal void, so that nothing has to be counted."""
    assert reading.deal.penalty is not None
    offence = reading.deal.penalty
    settled = penalties.settle_penalty(reading.ruleset, offence.side, 0, (), reading.dealer, offence.offence)
    reading.keys += settled.keys
    return settled.result == "void"


def _read_penalty(reading: DealReading) -> None:
    """Read a penalty in games in which cards and last trick have a fixed sum, and need not be counted."""
    ruleset = reading.ruleset
    reading.made = ruleset.zeros() | {ruleset.ring.sides[0]: ruleset.sum_deal(False, reading.suit)}
    declared = _read_declared(reading)
    checks.check_trumps(reading)
    checks.check_declared(reading, declared)
    reading.false_melds = sum_false_melds(ruleset, reading.deal.false_melds)
    _add_melds(reading, declared)


# --- bidding -------------------------------------------------------------------------------------


def _read_bidding(reading: DealReading) -> None:
    """Read the end of the bidding, however it is stated."""
    deal, ruleset = reading.deal, reading.ruleset
    if deal.redeal is not None:
        reading.status = "void"
        reading.keys.append("deal.void")
        if deal.redeal != "misdeal":
            reading.keys.append(f"deal.{deal.redeal}")
            _read_holder(reading, deal.redeal)
    elif deal.thrown_in:
        _read_thrown_in(reading)
    elif deal.offer is not None:
        reading.status, reading.terms = "offer", deal.offer
        reading.keys += ["offer.terms", "offer.accepted"]
        fault = auction.find_terms_fault(ruleset, reading.terms)
        if fault:
            reading.flag("offer", "offer.terms", fault)
    elif deal.contract is not None:
        reading.status = "contract"
        reading.declarer, reading.trump = deal.contract.declarer, deal.contract.trump
        reading.turned = deal.contract.turned
        reading.points, reading.double = deal.contract.points, deal.contract.double
        if reading.declarer not in ruleset.list_callers(reading.elder):
            why = Message("{seat} has to choose trumps here, and nobody bids.", seat=SeatName(reading.elder))
            reading.flag("contract.declarer", "bid.only", why)
        reading.keys += ["bid.redouble"] * (reading.double > 2) or ["bid.double"] * (reading.double > 1)
    else:
        _read_auction(reading)


def _read_holder(reading: DealReading, hand: str) -> None:
    """Read who held a poor hand, or four sevens that bring points."""
    if not reading.ruleset.names_holder(hand):
        return
    key = "deal.poor-hand"
    if hand == "four-sevens":
        key = "deal.four-sevens-points"
        reading.keys.append(key)
    if reading.deal.by is None:
        reading.flag("by", key, Message("Who held that hand is missing."))


def _read_thrown_in(reading: DealReading) -> None:
    """Read a deal that is only said to be thrown in: passed out, or a schmeiss if nobody may pass out."""
    ruleset = reading.ruleset
    reading.status = "thrown-in"
    if not ruleset["last_must"]:
        reading.keys += ["deal.next-thrown-in", "bid.passed-out"]
    elif ruleset.may_schmeiss():
        reading.after_schmeiss = True
        reading.keys += ["deal.next-thrown-in", "bid.schmeiss"]
    else:
        why = Message("The last bidder has to choose a suit, so the cards cannot be thrown in.")
        reading.flag("thrown_in", "bid.obligation", why)


def _read_auction(reading: DealReading) -> None:
    """Read the bidding call by call."""
    deal = reading.deal
    calls = deal.auction or ()
    says_turned = any(call.split()[:1] in (["play"], ["once"], ["force"]) for call in calls)
    if reading.ruleset.turns_suit and deal.turn_up is None and says_turned:
        reading.flag("turn_up", "bid.first", Message("The turned card is missing."))
        return
    if deal.turn_up is not None and not deal.turned_card:
        reading.keys.append("deal.rest")  # a bare suit is preferred where no card is turned
    bid = bidding.follow_auction(reading.ruleset, reading.elder, deal.turn_up, calls)
    reading.keys += dict.fromkeys(bid.keys)
    match bid.status:
        case "illegal":
            reading.flag(f"auction[{(bid.illegal or 1) - 1}]", bid.keys[-1], bid.why)
        case "open":
            why = Message("The bidding is not over: {why}", why=bid.why)
            reading.flag("auction", bid.call_key, why)
        case "thrown-in":
            reading.status, reading.after_schmeiss = bid.status, bid.after_schmeiss
            reading.keys.append("deal.next-thrown-in")
        case _:
            reading.status = bid.status
            reading.declarer, reading.trump, reading.terms = bid.declarer, bid.trump, bid.terms
            reading.turned = bid.turned
            reading.points, reading.double = bid.points, bid.double


# --- what was made -------------------------------------------------------------------------------


def _read_made(reading: DealReading) -> None:
    """Read the points of each side, however they are stated."""
    deal, ruleset = reading.deal, reading.ruleset
    declared = _read_declared(reading)
    checks.check_trumps(reading)
    checks.check_declared(reading, declared)
    taken: tuple[play.TakenTrick, ...] = ()
    if deal.shown is not None:
        reading.keys += ruleset.known_keys("deal.rest")
    reading.last = deal.last
    reading.false_melds = sum_false_melds(ruleset, deal.false_melds)
    match deal.score_fields[0]:
        case "count" if deal.count is not None and deal.count.points is not None:
            _add_points(reading, deal.count.points)
            if reading.made is None:
                return
        case "totals":
            reading.made = dict(deal.totals or {})
        case "count":
            counted = _read_count(reading)
            if counted is None:
                return
            capot = ruleset.find_capot(collect_sides(deal.trickless)) is not None
            _add_count(reading, counted, capot=capot)
        case "tricks":
            tricks = _read_tricks(reading)
            if tricks is None:
                return
            taken = tricks
            reading.taker = ruleset.ring.side(taken[-1].taker)
            checks.check_played_cards(reading, taken, declared)
            takers = {ruleset.ring.side(trick.taker) for trick in taken}
            counted = count.count_tricks(ruleset, taken, reading.suit, reading.declarer)
            _add_count(reading, counted, capot=len(takers) == 1)
    checks.check_trickless(reading, taken)
    _add_melds(reading, declared)
    counts.find_capot(reading)
    counts.check_alone(reading, taken)
    counts.check_meld_side(reading)
    counts.check_bela_known(reading)
    counts.check_counts(reading)
    if deal.penalty is not None:
        _count_last_trick_once(reading)
        return
    if reading.capot:
        reading.keys.append("score.capot")
    _drop_capot_bonus(reading)
    _pass_melds(reading)


def _read_declared(reading: DealReading) -> tuple[melds.Meld, ...]:
    """The melds of the deal."""
    deal, ruleset = reading.deal, reading.ruleset
    declared: tuple[melds.Meld, ...] = tuple(read_declared_run(ruleset, run, "") for run in deal.runs or ())
    return declared + read_declared_fours(ruleset, deal.fours or (), "")


def _add_count(reading: DealReading, counted: count.CardCount, *, capot: bool) -> None:
    """Add cards, honours and last trick of each side, each with a line; `capot`: one side has all tricks."""
    deal, ruleset = reading.deal, reading.ruleset
    capot = capot and reading.deal.penalty is None
    reading.made = ruleset.scale_sides(counted.made(ruleset, reading.suit, capot=capot), reading.suit)
    reading.keys += [*_cite_values(reading), "words.values"]
    if counted.jass is not None:
        reading.keys += ruleset.known_keys("words.jass", "words.jass-once")
    if counted.last is not None:
        if deal.last not in (None, counted.last):
            reading.flag("last", "words.values", Message("{side} took it.", side=SideName(counted.last)))
        reading.last = reading.taker = counted.last
    if ruleset.scales(reading.suit):
        reading.lines += [CountLine(side, "cards", points) for side, points in reading.made.items()]
        return
    for side in ruleset.ring.sides:
        if side in counted.card_points:
            reading.lines.append(CountLine(side, "cards", counted.card_points[side]))
    for word, owner, points in counted.words(ruleset, reading.suit, capot=capot):
        if owner is not None:
            reading.lines.append(CountLine(owner, word, points))


def _cite_values(reading: DealReading) -> tuple[str, ...]:
    """The keys of the rules on the value of cards with these trumps."""
    further = {NO_TRUMPS: ("cards.values", "cards.no-trumps"), ALL_TRUMPS: ("cards.all-trumps",)}
    return further.get(reading.suit, ("cards.values",))


def _add_points(reading: DealReading, points: Mapping[Side, int]) -> None:
    """Add all that the tricks of each side bring, with a line for each; a missing side is flagged.

    During play a caller's points say nothing about the others'.
    """
    ruleset, call = reading.ruleset, reading.deal.call
    reading.keys += _cite_values(reading)
    if call is None:
        made, needed = count.complete_points(ruleset, points, reading.suit), ruleset.ring.sides
        reading.keys += ["score.rest"] if len(made) > len(points) else []
    else:
        made, needed = dict(points), (ruleset.ring.side(call.seat),)
    absent = [side for side in needed if side not in made]
    for side in absent:
        why = Message("The points of {side} are missing.", side=SideName(side))
        reading.flag(f"count.points.{side}", "cards.values", why)
    if absent:
        return
    reading.made = ruleset.scale_sides(ruleset.zeros() | made, reading.suit)
    reading.lines += [CountLine(side, "cards", reading.made[side]) for side in ruleset.ring.sides]


def _read_count(reading: DealReading) -> count.CardCount | None:
    """Read the count; None, with a flag, if a part of it is missing."""
    deal, ruleset = reading.deal, reading.ruleset
    entered, call, ring = deal.count, deal.call, ruleset.ring
    assert entered is not None
    if call is None:
        last, needed = entered.last or deal.last, ring.sides
    elif call.after_trick >= ruleset.hand:
        last, needed = entered.last or deal.last or ring.side(call.seat), (ring.side(call.seat),)
    else:
        last, needed = None, (ring.side(call.seat),)
    cards = dict(entered.card_points)
    if call is None:
        cards = count.complete_card_points(ruleset, entered.card_points, reading.suit)
    if len(cards) > len(entered.card_points):
        reading.keys.append("score.rest")
    absent = [side for side in needed if side not in cards]
    for side in absent:
        why = Message("The card points of {side} are missing.", side=SideName(side))
        reading.flag(f"count.cards.{side}", "cards.values", why)
    if call is None and last is None:
        why = Message(
            "The side that took the last trick is missing: {word} is {points}.",
            word=Word(ruleset.book.words["last"]),
            points=ruleset.last_points,
        )
        reading.flag("count.last", "words.values", why)
        return None
    if ruleset.all_dealt and call is None:
        for word in ruleset.honours(reading.suit):
            if getattr(entered, word) is None:
                why = Message(
                    "The side with {word} is missing: all cards are in play.",
                    word=Word(ruleset.book.words[word]),
                )
                reading.flag(f"count.{word}", "words.taken", why)
    short = [side for side, points in cards.items() if points < 0]
    for side in short:
        why = Message("All cards together count {points}.", points=ruleset.all_cards(reading.suit))
        other = next(other for other in entered.card_points if other != side)
        reading.flag(f"count.cards.{other}", "score.doubtful-count", why)
    return None if absent or short else count.CardCount(cards, entered.jass, entered.nine, last)


def _read_tricks(reading: DealReading) -> tuple[play.TakenTrick, ...] | None:
    """Read the tricks as they fell; None, with a flag, if they cannot be followed to the end."""
    deal, ruleset = reading.deal, reading.ruleset
    tricks = deal.tricks or ()
    repeated = play.find_repeated_card(tricks)
    if repeated is not None:
        number, place, card = repeated
        why = Message("{card} has been played already.", card=card)
        reading.flag(f"tricks[{number}][{place}]", "play.trick", why)
        return None
    for number, trick in enumerate(tricks):
        if len(trick) != ruleset.ring.size:
            why = Message("A trick has {size} cards.", size=ruleset.ring.size)
            reading.flag(f"tricks[{number}]", "play.trick", why)
            return None
    wanted = ruleset.hand if deal.call is None else deal.call.after_trick
    if len(tricks) != wanted:
        why = Message("There must be {wanted} tricks, not {found}.", wanted=wanted, found=len(tricks))
        reading.flag("tricks", "play.trick", why)
        return None
    if deal.penalty is None:
        checks.check_plays(reading, tricks)
    reading.keys += ["play.lead", "play.trick", "words.taken"]
    return play.resolve_tricks(ruleset, tricks, reading.leader, reading.suit)


def _add_melds(reading: DealReading, declared: tuple[melds.Meld, ...]) -> None:
    """Add the melds that stand, and bela, for their sides; `totals` contain them already."""
    deal, ruleset = reading.deal, reading.ruleset
    reading.meld_points = ruleset.zeros()
    declared, reading.excluded = melds.resolve_overlaps(ruleset, declared)
    if deal.penalty is None:
        _add_standing_melds(reading, melds.drop_forfeited_melds(declared, deal.forfeits or ()))
        if deal.forfeits:
            reading.keys.append("run.rost-needless")
    elif penalties.penalty_takes_melds(ruleset):
        for meld in declared:
            _add_meld(reading, meld)
    for side in reading.bela if deal.penalty is None or penalties.penalty_takes_melds(ruleset) else ():
        reading.meld_points[side] += ruleset.bela_points
        reading.lines.append(CountLine(side, "bela", ruleset.bela_points))
        reading.keys += ["bela.say", "bela.free", "bela.value"]
    if len(reading.belas) != len(deal.belas) or (deal.belas and reading.suit == ALL_TRUMPS):
        reading.keys += ruleset.known_keys("bela.contracts")
    if deal.penalty is None:  # a penalty moves every genuine meld, whoever took tricks
        for side in reading.trickless:
            _drop_melds(reading, side)
    _settle_melds_with_counts(reading, declared)


def _settle_melds_with_counts(reading: DealReading, declared: tuple[melds.Meld, ...]) -> None:
    """Add melds to what was counted; from `totals` take those that a penalty leaves to nobody."""
    deal, ruleset, made = reading.deal, reading.ruleset, reading.made
    assert made is not None
    if deal.totals is None:
        for side, points in reading.meld_points.items():
            made[side] += points
    elif deal.penalty is not None and not penalties.penalty_takes_melds(ruleset):
        for meld in declared:
            made[ruleset.ring.side(meld.seat)] -= melds.value_meld(ruleset, meld)
        for side in reading.bela:
            made[side] -= ruleset.bela_points


def _add_standing_melds(reading: DealReading, declared: tuple[melds.Meld, ...]) -> None:
    """Compare the melds, and add those that stand."""
    ruleset = reading.ruleset
    if not declared:
        return
    decision = contest.compare_melds(
        ruleset, declared, reading.elder, reading.suit, reading.trickless, reading.declarer
    )
    reading.keys += decision.keys
    seats = (meld.seat for meld in declared)
    reading.standing = frozenset(seat for seat in seats if decision.points[ruleset.ring.side(seat)])
    if decision.needs is not None and reading.deal.totals is not None:
        reading.melds_known = False  # they are contained in the totals, whosever they are
    elif decision.needs is not None:
        reading.flag("runs", "run.rank", Message("The suit of the runs is missing, and it decides."))
    elif decision.halved:
        for side, points in decision.points.items():
            reading.meld_points[side] += points
            if points:
                reading.lines.append(CountLine(side, "run", points))
    else:
        for meld in declared:
            if decision.points[ruleset.ring.side(meld.seat)]:
                _add_meld(reading, meld)


def _add_meld(reading: DealReading, meld: melds.Meld) -> None:
    """Add a meld for its side, with a line for each of its pieces."""
    side = reading.ruleset.ring.side(meld.seat)
    for piece in melds.split_meld(reading.ruleset, meld):
        reading.meld_points[side] += piece.points
        reading.lines.append(CountLine(side, piece.word, piece.points, _describe_top(piece)))


def _drop_melds(reading: DealReading, side: Side) -> None:
    """Drop the melds of a side without a trick, bela too, if they need one."""
    deal, ruleset = reading.deal, reading.ruleset
    if reading.meld_points[side] or deal.totals:
        reading.keys += ruleset.known_keys("words.need-trick")
    if not ruleset["words_need_trick"]:
        return
    retained, words = ruleset.retained_bela(side, reading.bela), [*count.TRICK_WORDS]
    if retained:
        words.append("bela")
        reading.keys.append("bela.kept")
    reading.lines = [
        line for line in reading.lines if line.side != side or (line.points and line.word in words)
    ]
    reading.meld_points[side] = retained
    if deal.totals is not None and deal.totals[side] > retained and not reading.has_discards(side):
        why = Message("{side} took no trick, so {side:has|have} no words: 0.", side=SideName(side))
        reading.flag(f"totals.{side}", "words.need-trick", why)


def _drop_capot_bonus(reading: DealReading) -> None:
    """Take off what a capot adds if it was not bid, and so counts no more. Rule key: `score.capot-bonus`."""
    side, made = reading.capot, reading.made
    if side is None or reading.points is None or made is None:
        return
    reading.made = bidding.drop_capot_bonus(reading.ruleset, made, reading.points, side, reading.suit)
    more = made[side] - reading.made[side]
    if not more:
        return
    reading.keys.append("score.capot-bonus")
    _lessen_last_trick(reading, side, more)


def _count_last_trick_once(reading: DealReading) -> None:
    """Take off what a capot adds to the last trick: a penalty hands over no more than in any other deal."""
    ruleset, made = reading.ruleset, reading.made
    if made is None or not ruleset.has_capot:
        return
    sweep = counts.find_penalized_sweep(reading)
    if sweep is not None:
        more = ruleset.capot_extra(reading.suit) - sweep.missing
        reading.made = {**made, sweep.side: made[sweep.side] - more}
        _lessen_last_trick(reading, sweep.side, more)


def _lessen_last_trick(reading: DealReading, side: Side, points: int) -> None:
    """Take points from the line of a side that holds its last trick."""
    word = "last" if any(line.word == "last" for line in reading.lines) else "cards"
    reading.lines = [
        replace(line, points=line.points - points) if (line.side, line.word) == (side, word) else line
        for line in reading.lines
    ]


def _pass_melds(reading: DealReading) -> None:
    """Pass the melds of a side without a trick to the others, except for a bela that is kept."""
    ruleset, made = reading.ruleset, reading.made
    if made is None:
        return
    reading.made = contest.pass_meld_points(ruleset, made, reading.bela, reading.trickless)
    for side in reading.trickless:
        if reading.made[side] < made[side]:
            (heir,) = ruleset.ring.others(side)
            keeps = reading.made[side] > 0
            reading.lines = [
                replace(line, side=heir)
                if line.side == side and not (keeps and line.word == "bela")
                else line
                for line in reading.lines
            ]
            reading.keys += ruleset.known_keys("meld.trickless")


def _describe_top(piece: melds.MeldPiece) -> Message:
    """The top card of a piece, with its suit if that is known."""
    suit = piece.meld.suit if isinstance(piece.meld, melds.Run) else None
    if suit is None or suit == NO_TRUMPS:
        return Message("{word}", word=Word(piece.top))
    return Message("{word}", word=Card(piece.top, Suit(suit)))


def infer_total(
    ruleset: JackNineRuleset, entry: Mapping[str, object], dealer: Seat | None
) -> dict[Side, int]:
    """The points left for the one side whose total is missing; empty if nothing follows.

    `entry` is the JSON of a deal, `dealer` its dealer. The points shared out include declared melds; melds
    that are not declared are taken to be none. Rule key: `score.rest`.

    >>> from companion import library
    >>> ruleset = library.open_game("klaberjass-4").family.ruleset
    >>> deal = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 90}}
    >>> infer_total(ruleset, deal, dealer="D")
    {'B': 72}
    """
    stated = entry.get("totals")
    totals = dict(stated) if isinstance(stated, Mapping) else {}
    absent = [side for side in ruleset.ring.sides if side not in totals]
    if not ruleset.all_dealt or len(absent) != 1 or dealer is None or "call" in entry or "penalty" in entry:
        return {}
    try:
        deal = read_entry(ruleset, {**entry, "totals": {**totals, absent[0]: 0}}, "")
    except Unreadable:
        return {}
    assert isinstance(deal, Deal) and deal.totals is not None
    reading = read_deal(ruleset, deal, 1, dealer)
    if reading.trump is None:
        return {}
    melds = reading.meld_points
    tricks = sum(deal.totals.values()) - sum(melds.values())
    if absent[0] in collect_sides(deal.trickless):
        return {absent[0]: melds.get(absent[0], 0)}
    capot = reading.capot is not None or tricks == ruleset.sum_deal(True, reading.suit)
    left = ruleset.sum_deal(capot, reading.suit) - tricks
    return {absent[0]: left} if left >= 0 else {}


def find_doubtful_sides(
    ruleset: JackNineRuleset, entry: Mapping[str, object], dealer: Seat | None
) -> frozenset[Side]:
    """The sides without points for which a deal has to say whether they took a trick.

    `entry` is the JSON of a deal that does not say it, `dealer` its dealer. Rule keys: `score.capot`,
    `meld.trickless`.

    >>> from companion import library
    >>> ruleset = library.open_game("belote").family.ruleset
    >>> deal = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 162, "B": 0}}
    >>> find_doubtful_sides(ruleset, deal, dealer="D")
    frozenset({'B'})
    """
    try:
        deal = read_entry(ruleset, entry, "")
    except Unreadable:
        return frozenset()
    if not isinstance(deal, Deal) or dealer is None:
        return frozenset()
    return read_deal(ruleset, deal, 1, dealer).doubtful
