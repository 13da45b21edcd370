"""Faults of a deal: cards in two places, wrong plays, impossible counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from companion.jacknine.entries import Deal, collect_sides
from companion.jacknine.phases import auction, capot, contest, count, melds, play
from companion.jacknine.phases.bela import explain_pairs
from companion.jacknine.phases.bidding import EVERY_TRICK, GENERALE, Bid
from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.jacknine.solver import plausibility
from companion.jacknine.solver.facts import UNKNOWN, FaceUpCards, RecordedFacts
from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Card
from companion.rules.game import CountLine
from companion.rules.message import Message, SeatName, SideName, Word
from companion.rules.ruling import Problem
from companion.rules.seats import Seat, Side


@dataclass
class DealReading:
    """A deal as it is read step by step: the contract, the counts, the faults found.

    `status` is the end of the bidding: `contract`, `thrown-in` (`after_schmeiss`, or not), `offer` or `void`;
    `open` if it did not end. `made` are all points by side, None while they are unknown; `meld_points` is the
    part of them from melds and bela; `melds_known` is false if the missing suit of declared runs would decide
    whose they are; `points` and `double` are of the bid; `standing` are the players whose melds count,
    `excluded` melds that share a card with better ones of their hand. `last` is the side of the deal's last
    trick, `taker` that of the last trick stated. `keys` are the rules it went by, `lines` how `made` adds up.
    `doubtful` are the sides that may or may not have taken a trick; `alone` is whether the declarer took all
    tricks, None if nobody says. `asks` is false in a match that began
    before a side without points was asked whether it took a trick: left out, that says that it did; and a
    bela that is nobody's is flagged there, and the deal counted.
    """

    ruleset: JackNineRuleset
    deal: Deal
    number: int
    dealer: Seat
    problems: list[Problem] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    lines: list[CountLine] = field(default_factory=list)
    status: str = "open"
    declarer: Seat | None = None
    trump: str | None = None
    turned: bool | None = None
    points: int | str | None = None
    double: int = 1
    terms: auction.OfferTerms | None = None
    after_schmeiss: bool = False
    made: dict[Side, int] | None = None
    meld_points: dict[Side, int] = field(default_factory=dict)
    melds_known: bool = True
    standing: frozenset[Seat] = frozenset()
    excluded: tuple[melds.Meld, ...] = ()
    trickless: frozenset[Side] = frozenset()
    last: Side | None = None
    taker: Side | None = None
    false_melds: dict[Side, int] = field(default_factory=dict)
    doubtful: frozenset[Side] = frozenset()
    asks: bool = True
    last_of_all: int = 0
    alone: bool | None = None

    @property
    def leader(self) -> Seat:
        """The seat that leads to the first trick."""
        return play.find_first_leader(self.ruleset, self.elder, self.declarer, self.points)

    @property
    def elder(self) -> Seat:
        """The seat that speaks first."""
        return self.ruleset.ring.left(self.dealer)

    @property
    def capot(self) -> Side | None:
        """The side that took every trick, if that counts more."""
        return self.ruleset.find_capot(self.trickless)

    @property
    def belas(self) -> tuple[Seat, ...]:
        """The seats whose bela counts, one for each pair; at some tables none counts with all trumps."""
        return self.deal.belas[: len(self.ruleset.pairs(self.suit))]

    @property
    def bela(self) -> tuple[Side, ...]:
        """The side of each bela that counts."""
        return tuple(map(self.ruleset.ring.side, self.belas))

    def has_discards(self, side: Side) -> bool:
        """True if a side has card points without a trick: of cards that it laid away."""
        lays = self.ruleset.discards > 0 and self.declarer is not None
        return lays and self.ruleset.ring.side(self.declarer or "") == side

    @property
    def bid(self) -> Bid | None:
        """The bid that was played, with what its amount depends on; None if no points are bid."""
        if self.points is None or self.made is None:
            return None
        melds = sum(self.meld_points.values())
        if self.deal.totals is not None and self.deal.penalty is not None:
            melds = sum(self.made.values()) - self.ruleset.sum_deal(False, self.suit)
        elif self.deal.totals is not None:
            total = sum(self.deal.totals.values()) + self.last_of_all
            melds = total - self.ruleset.sum_deal(self.capot is not None, self.suit)
        melds -= self.ruleset.bela_points * len(self.belas)
        discounted = self._find_discounted(melds)
        whole = self.ruleset.sum_deal(True, self.suit)
        return Bid(self.points, self.double, melds, self.capot, bool(self.alone), discounted, whole)

    def _find_discounted(self, melds: int) -> int:
        """The points of the takers that do not help to reach the bid; `melds` are those that stood.

        Rule key: `score.needs`.
        """
        side = self.ruleset.ring.side(self.declarer or "")
        belas = self.ruleset.bela_points * self.bela.count(side)
        match self.ruleset["helps_bid"]:
            case "all":
                return 0
            case "without-bela":
                return belas
            case "cards":
                pass_on = self.trickless and self.ruleset["trickless"] == "runs-pass"
                return belas + melds * (self.capot == side if pass_on else self.meld_side == side)
            case unknown:
                raise UnknownOption(unknown)

    @property
    def meld_side(self) -> Side | None:
        """The side whose melds stood; None without any, or if nobody says."""
        return self.ruleset.ring.side(min(self.standing)) if self.standing else None

    @property
    def suit(self) -> str:
        """The trump suit of a deal that was played."""
        assert self.trump is not None
        return self.trump

    def flag(self, path: str, key: str, reason: Message) -> None:
        """Flag something that cannot be right: the field of the entry, the key of the rule, and why."""
        self.problems.append(self.ruleset.find_problem(self.number, path, key, reason))

    def flag_contradiction(self, path: str, reason: Message) -> None:
        """Flag facts that cannot all be true, at the field of the entry; no rule is about that."""
        self.problems.append(self.ruleset.find_contradiction(self.number, path, reason))

    def turned_suit(self) -> str | None:
        """The suit of the turned card, if it is known."""
        card = self.deal.turn_up
        return card.suit if isinstance(card, Card) else card

    def out(self) -> set[Card]:
        """Cards known to be out of play: the card shown, and the turned one or the seven swapped for it."""
        deal = self.deal
        cards = {deal.shown} if deal.shown else set()
        if deal.exchanged is not None:
            seven = self.ruleset.seven(self.suit)
            cards |= {seven} if seven else set()
        elif deal.turned_card and not self.turned and self.ruleset.turned_card == "out":
            cards.add(deal.turned_card)  # in the turned suit a swap may simply not have been written down
        return cards


def check_turned_card(reading: DealReading) -> None:
    """Check the turned card against the suit that was chosen, and against a swap of the seven."""
    deal, trump, ruleset = reading.deal, reading.suit, reading.ruleset
    if deal.turn_up is not None:
        turned = trump == reading.turned_suit()
        if reading.turned not in (None, turned):
            facts = {"card": deal.turn_up, "suit": auction.show_suit(trump)}
            if turned:
                why = Message("The turned card is {card}, so {suit} is the turned suit.", **facts)
            else:
                why = Message("The turned card is {card}, so {suit} is not the turned suit.", **facts)
            reading.flag("contract.turned", "bid.second" if turned else "bid.first", why)
        reading.turned = turned
    if deal.exchanged is None:
        return
    if ruleset["seven"] == "never":
        reading.flag("exchanged", "seven.exchange", Message("The seven is never swapped here."))
    elif reading.turned is False:
        why = Message("The seven can be swapped only when the turned suit is trumps.")
        reading.flag("exchanged", "seven.exchange", why)
    elif ruleset["seven_by"] == "declarer" and deal.exchanged != reading.declarer:
        reading.flag("exchanged", "seven.who", Message("Only whoever chose trumps may swap the seven here."))
    elif deal.turn_up is not None and deal.turn_up == ruleset.seven(trump):
        reading.flag("exchanged", "seven.exchange", Message("The turned card is the seven itself."))


def check_trumps(reading: DealReading) -> None:
    """Check that without a trump suit there is no jass and no nine, and no more bela than pairs of trumps."""
    deal, ruleset = reading.deal, reading.ruleset
    if reading.suit != ALL_TRUMPS and len(deal.belas) > len(ruleset.pairs(reading.suit)):
        why, key = explain_pairs(ruleset, reading.suit)
        reading.flag("bela", key, why)
    if reading.suit == NO_TRUMPS:
        key, why = "cards.no-trumps", Message("In no-trumps there is no jass and no nine.")
    elif reading.suit == ALL_TRUMPS:
        key, why = "cards.all-trumps", Message("In all trumps no jack and no nine is counted by itself.")
    else:
        return
    for name in ("jass", "nine"):
        if deal.count is not None and getattr(deal.count, name) is not None:
            reading.flag(f"count.{name}", key, why)


def _name_bela(ruleset: JackNineRuleset) -> Word:
    return Word(ruleset.book.words["bela"])


def check_declared(reading: DealReading, declared: Sequence[melds.Meld]) -> None:
    """Check that no card is in two runs, and no card that is out of play in a run or in bela."""
    deal, ruleset = reading.deal, reading.ruleset
    announced = (*declared, *melds.find_worthless_fours(ruleset, deal.fours or ()))
    _check_shared_cards(reading, declared, announced)
    for number, meld in enumerate(declared):
        if melds.is_belot(ruleset, meld, reading.suit):
            why = Message("All cards of a suit win the match, so nothing is counted.")
            reading.flag(_locate_meld(reading, number, meld), "meld.belot", why)
        held_by_others = _find_cards_of_others(reading, meld.seat)
        absent = next((card for card in meld.cards(ruleset) if card in held_by_others), None)
        if absent is not None:
            at = _locate_meld(reading, number, meld)
            _flag_not_held(reading, at, "penalty.false-claim", meld.seat, absent)
    for seat in dict.fromkeys(reading.belas):
        others = {card for meld in announced if meld.seat != seat for card in meld.cards(ruleset)}
        others |= _find_cards_of_others(reading, seat)
        pairs = ruleset.pairs(reading.suit)
        missing = [card for pair in pairs for card in [card for card in pair if card in others][:1]]
        if len(pairs) - len(missing) < reading.belas.count(seat):
            _flag_not_held(reading, "bela", "bela.say", seat, missing[0])
        elif deal.count is not None:
            _check_bela_company(reading, seat, deal.count)


def _check_shared_cards(
    reading: DealReading, declared: Sequence[melds.Meld], announced: Sequence[melds.Meld]
) -> None:
    """Check that no card is in two hands, nor, unless that is judged, in two melds of one.

    `announced` are the declared melds and those that count nothing.
    """
    ruleset = reading.ruleset
    twice, overlap = melds.find_card_in_two_hands(ruleset, announced), None
    if not ruleset.book.knows("meld.set-aside"):
        overlap = melds.find_overlap(ruleset, declared)
    if twice:
        reading.flag_contradiction("runs", melds.explain_two_hands(*twice))
    elif overlap:
        why = Message("{card} is in two runs; it counts in only one.", card=overlap[2])
        if any(isinstance(meld, melds.Four) for meld in overlap[:2]):
            why = Message("{card} is in two melds; it counts in only one.", card=overlap[2])
        reading.flag("runs", "run.disjoint", why)


def _check_bela_company(reading: DealReading, seat: Seat, counted: count.CardCount) -> None:
    """Check that the side of a bela with the top trump, which takes every trick it is played to, has that.

    A call during play may come before it was played.
    """
    ruleset, side = reading.ruleset, reading.ruleset.ring.side(seat)
    if ruleset.jass_rank not in ruleset.bela_ranks or counted.jass == side:
        return
    if counted.jass is None and reading.deal.call is not None:
        return
    words = {name: Word(ruleset.book.words[name]) for name in ("bela", "jass")}
    why = Message(
        "{side} said {bela}, and {jass} is part of it: count it for {side} too.", side=SideName(side), **words
    )
    reading.flag("count.jass", "bela.value", why)


def _find_cards_of_others(reading: DealReading, seat: Seat) -> set[Card]:
    """Cards that a seat cannot have: those out of play, and the turned one if another took it."""
    card, by = reading.deal.turned_card, reading.deal.exchanged
    taken = {card} if card and by not in (None, seat) else set()
    return taken | reading.out()


def check_played_cards(
    reading: DealReading, taken: Sequence[play.TakenTrick], declared: Sequence[melds.Meld]
) -> None:
    """Check cards that were declared, turned up or swapped against the cards that were played."""
    deal, ruleset, trump = reading.deal, reading.ruleset, reading.suit
    hands = play.collect_hands(ruleset, taken)
    played = {card for hand in hands.values() for card in hand}
    whole = len(taken) == ruleset.hand
    for number, meld in enumerate(declared):
        why = contest.explain_false_meld(ruleset, meld, hands, whole)
        if why is not None:
            reading.flag(_locate_meld(reading, number, meld), "penalty.false-claim", why)
    for seat in dict.fromkeys(reading.belas):
        absent = [contest.find_card_not_held(pair, seat, hands, whole) for pair in ruleset.pairs(trump)]
        if absent.count(None) < reading.belas.count(seat):
            _flag_not_held(reading, "bela", "bela.say", seat, next(filter(None, absent)))
    if deal.shown in played:
        why = Message("{card} lay face up, so nobody can have played it.", card=deal.shown)
        reading.flag("shown", "play.trick", why)
    if ruleset.turned_card == "out" and deal.exchanged is None and deal.turn_up in played:
        why = Message("{card} was played, so somebody must have swapped the seven for it.", card=deal.turn_up)
        reading.flag("turn_up", "seven.exchange", why)
    if whole and deal.turned_card:
        _check_turned_card_taken(reading, hands, deal.turned_card)
    if deal.exchanged is not None:
        seven = ruleset.seven(trump)
        if seven in played:
            why = Message("{card} was played, so it was not swapped.", card=seven)
            reading.flag("exchanged", "seven.exchange", why)
        elif deal.turned_card and contest.find_card_not_held(
            (deal.turned_card,), deal.exchanged, hands, whole
        ):
            names = {"seat": SeatName(deal.exchanged), "card": deal.turned_card}
            why = Message("{seat} did not play {card}, so did not take it.", **names)
            reading.flag("exchanged", "seven.exchange", why)


def _check_turned_card_taken(reading: DealReading, hands: play.Hands, card: Card) -> None:
    """Check that the turned card went to the declarer, or to the dealer, if one of them gets it."""
    taker = {"declarer": reading.declarer, "dealer": reading.dealer}.get(reading.ruleset.turned_card)
    if taker is not None and card not in hands[taker]:
        why = Message("{seat} took {card} and did not play it.", seat=SeatName(taker), card=card)
        reading.flag("turn_up", "deal.rest", why)


def _locate_meld(reading: DealReading, number: int, meld: melds.Meld) -> str:
    """The field of a declared meld, with the number that it has among the runs."""
    if isinstance(meld, melds.Run):
        return f"runs[{number}]"
    return f"fours[{[four.rank for four in reading.deal.fours or ()].index(meld.rank)}]"


def _flag_not_held(reading: DealReading, path: str, key: str, seat: Seat, card: Card) -> None:
    """Flag that a seat cannot have held a card."""
    reading.flag(path, key, Message("{seat} did not hold {card}.", seat=SeatName(seat), card=card))


def check_plays(reading: DealReading, tricks: Sequence[Sequence[Card]]) -> None:
    """Check that every card was one that its holder could play."""
    for revoke in play.find_revokes(reading.ruleset, tricks, reading.leader, reading.suit):
        why = Message(
            "{seat} could not play {card}: {why}",
            seat=SeatName(revoke.seat),
            card=revoke.card,
            why=revoke.due.why,
        )
        reading.flag(f"tricks[{revoke.trick}][{revoke.place}]", revoke.due.key, why)


def check_trickless(reading: DealReading, taken: Sequence[play.TakenTrick]) -> None:
    """Find the sides without a trick, by the tricks or as stated; tricks bring them no points.

    Rule keys: `score.capot`, `end.trickless`.
    """
    deal, ruleset = reading.deal, reading.ruleset
    stated = collect_sides(deal.trickless)
    takers = {ruleset.ring.side(trick.taker) for trick in taken}
    wrong = [side for side in stated if side in takers or _has_tricks(reading, side)]
    for side in wrong:
        why = Message("{side} {side:has|have} points from tricks, so took at least one.", side=SideName(side))
        reading.flag("trickless", "score.capot" if ruleset.has_capot else "end.trickless", why)
    reading.trickless = stated - set(wrong)
    if len(taken) == ruleset.hand:
        reading.trickless = frozenset(side for side in ruleset.ring.sides if side not in takers)


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
        reading.made = None
    elif losing:
        why = Message("Whether {side} took a trick is missing.", side=SideName(losing[0]))
        reading.flag("trickless", "meld.trickless", why)
        reading.made = None


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
    """Add what every trick counts more for a side, as far as its count leaves that out."""
    assert reading.made is not None
    reading.made = capot.add_last_of_all(reading.made, side, missing)
    reading.last_of_all = missing
    reading.lines = [
        replace(line, points=line.points + missing) if (line.side, line.word) == (side, "cards") else line
        for line in reading.lines
    ]


def find_penalized_sweep(reading: DealReading) -> capot.Sweep | None:
    """The side that was counted as having every trick, if a penalty settled the deal; else None."""
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


def _has_tricks(reading: DealReading, side: Side) -> bool:
    """True if a side has the last trick, or points from tricks."""
    has_points = any(line.side == side and line.points for line in reading.lines)
    return reading.last == side or (has_points and not reading.has_discards(side))


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
