"""Irregularities of a deal of which every card is known: plays, declarations, the swap, the counts."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from companion.jacknine.entries import Contract, Deal
from companion.jacknine.phases import contest, play
from companion.jacknine.phases.melds import Meld, resolve_overlaps
from companion.jacknine.ruleset import JackNineRuleset, write_cards
from companion.rules.cards import Card, Suit
from companion.rules.errors import Unreadable
from companion.rules.message import Message, SeatName, SideName, Word
from companion.rules.seats import Seat, Side


def deal_path(field: str) -> str:
    """The path of a field in the deal that is audited."""
    return f"deal.{field}"


@dataclass(frozen=True, slots=True)
class Irregularity:
    """One irregularity: its kind and facts, the key of the broken rule, and what happened, in words.

    `by` is the seat that did it, or the side for a wrong count. `offence` is the game's name for it if it may
    cost something, `cost_key` the rule if it does not. `trick` is when it was done, from 1; 0 before the
    play. With `mends` the deal is corrected by taking it out. `wrote` and `should` are the points of a wrong
    count.
    """

    kind: str
    facts: Mapping[str, object]
    key: str
    why: Message
    by: Seat
    cost_key: str
    offence: str = ""
    trick: int = 0
    mends: bool = False
    wrote: int = 0
    should: int = 0


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A deal that is audited: as it was read, with its tricks and every hand.

    `declared` are the melds declared, `held` each of them as it was held, None if it was not.
    """

    ruleset: JackNineRuleset
    deal: Deal
    dealer: Seat
    elder: Seat
    leader: Seat
    trump: str
    turned: bool | None
    contract: Contract
    taken: tuple[play.TakenTrick, ...]
    hands: play.Hands
    declared: tuple[Meld, ...]
    held: tuple[Meld | None, ...]

    @property
    def genuine(self) -> tuple[Meld, ...]:
        """The melds that were declared and held, in their suits."""
        return tuple(meld for meld in self.held if meld is not None)

    @property
    def trickless(self) -> frozenset[Side]:
        """The sides without a trick."""
        takers = {self.ruleset.ring.side(trick.taker) for trick in self.taken}
        return frozenset(side for side in self.ruleset.ring.sides if side not in takers)

    def find_player(self, card: Card | None) -> Seat | None:
        """Find the player of a card; None without one."""
        return next((seat for seat, hand in self.hands.items() if card in hand), None)


def find_irregularities(inquiry: Inquiry, asked: Collection[Seat]) -> list[Irregularity]:
    """Find everything that was wrong before the count; `asked` are the seats that asked how high runs are."""
    return [
        *_find_revokes(inquiry),
        *_find_false_melds(inquiry, asked),
        *_find_undeclared_melds(inquiry, asked),
        *_find_rost_faults(inquiry, asked),
        *_find_bela_faults(inquiry),
        *_find_exchange_faults(inquiry),
    ]


def _find_revokes(inquiry: Inquiry) -> Iterator[Irregularity]:
    """Find cards that were not due. Rule keys: those of the duties, such as `play.follow`."""
    tricks = [trick.cards for trick in inquiry.taken]
    for revoke in play.find_revokes(inquiry.ruleset, tricks, inquiry.leader, inquiry.trump):
        why = Message(
            "Trick {trick}: {seat} could not play {card}: {why}",
            trick=revoke.trick + 1,
            seat=SeatName(revoke.seat),
            card=revoke.card,
            why=revoke.due.why,
        )
        facts = {
            "seat": revoke.seat,
            "trick": revoke.trick + 1,
            "card": str(revoke.card),
            "due": write_cards(revoke.due.legal),
            "known": revoke.known + 1,
        }
        key, cost = revoke.due.key, "penalty.revoke"
        yield Irregularity("revoke", facts, key, why, revoke.seat, cost, "revoke", revoke.trick + 1)


def _find_false_melds(inquiry: Inquiry, asked: Collection[Seat]) -> Iterator[Irregularity]:
    """Find melds that were declared and not held.

    Rule keys: `penalty.false-claim`, `penalty.false-declaration`, `run.rost-false`.
    """
    strict = inquiry.ruleset["rost"] == "strict"
    for meld, held in zip(inquiry.declared, inquiry.held, strict=True):
        if held is None:
            why = contest.explain_false_meld(inquiry.ruleset, meld, inquiry.hands, True)
            facts = {"seat": meld.seat, "cards": write_cards(meld.cards(inquiry.ruleset))}
            what = Message("{seat} declared what was not there.", seat=SeatName(meld.seat))
            key = contest.cite_false_run(meld.seat, asked) if strict else "penalty.false-claim"
            yield _make_false("run-false", facts, key, _join(what, why), meld.seat)


def _make_false(kind: str, facts: Mapping[str, object], key: str, why: Message, seat: Seat) -> Irregularity:
    """Make the irregularity of a false declaration."""
    return Irregularity(
        kind, facts, key, why, seat, "penalty.false-claim", "false-declaration", 1, mends=True
    )


def _join(first: Message, second: Message | None) -> Message:
    """Join two sentences, of which the second may be missing."""
    return first if second is None else Message("{what} {more}", what=first, more=second)


def _find_undeclared_melds(inquiry: Inquiry, asked: Collection[Seat]) -> Iterator[Irregularity]:
    """Find melds that would have stood and that nobody declared. Rule key: `run.declare`."""
    lost = {*(inquiry.deal.forfeits or ()), *_list_forfeiting(inquiry, asked)}
    counting, _excluded = resolve_overlaps(inquiry.ruleset, inquiry.genuine)
    left = contest.find_undeclared_melds(
        inquiry.ruleset,
        counting,
        inquiry.hands,
        inquiry.elder,
        inquiry.trump,
        inquiry.trickless,
        lost,
        inquiry.contract.declarer,
    )
    for meld in left:
        cards = meld.cards(inquiry.ruleset)
        why = Message("{seat} held {cards} and did not declare it.", seat=SeatName(meld.seat), cards=cards)
        facts = {"seat": meld.seat, "cards": write_cards(cards)}
        yield Irregularity("run-unsaid", facts, "run.declare", why, meld.seat, "run.declare", trick=1)


def _judge_rost(inquiry: Inquiry, seat: Seat) -> tuple[str, str] | None:
    """Find the cost of asking how high runs are; None if it is free."""
    return contest.judge_rost(inquiry.ruleset, inquiry.genuine, inquiry.declared, seat, inquiry.trump)


def _list_forfeiting(inquiry: Inquiry, asked: Collection[Seat]) -> Iterator[Seat]:
    """The seats that asked for the height without need, if that costs their runs."""
    if inquiry.ruleset["rost"] == "strict":
        for seat in asked:
            lost = _judge_rost(inquiry, seat)
            if lost is not None and lost[0] == "runs":
                yield seat


def _find_rost_faults(inquiry: Inquiry, asked: Collection[Seat]) -> Iterator[Irregularity]:
    """Find questions for the height that were not needed, or had no ground.

    Rule keys: `run.rost-needless`, `run.rost-false`, `penalty.false-claim`.
    """
    forfeits = inquiry.deal.forfeits or ()
    for seat in dict.fromkeys((*asked, *forfeits)):
        facts, name = {"seat": seat}, SeatName(seat)
        groundless = Message("{seat} asked how high without a run of that kind.", seat=name)
        if inquiry.ruleset["rost"] == "free":
            key = "penalty.false-claim"
            if all(meld.seat != seat for meld in inquiry.genuine):
                yield Irregularity("rost-false", facts, key, groundless, seat, key)
            continue
        lost = _judge_rost(inquiry, seat)
        if lost is None and seat in forfeits:
            raise Unreadable(deal_path("forfeits"), Message("a seat that asked without need"), seat)
        if lost is None:
            continue
        what, key = lost
        if what == "runs":
            why, mends = Message("{seat} asked how high without need.", seat=name), seat not in forfeits
            yield Irregularity("rost-needless", facts, key, why, seat, key, "rost-needless", 1, mends)
        else:
            yield Irregularity("rost-false", facts, key, groundless, seat, key, "false-declaration", 1)


def _find_bela_faults(inquiry: Inquiry) -> Iterator[Irregularity]:
    """Find a bela that was said and not held, or held and not said. Rule key: `bela.say`."""
    ruleset, said = inquiry.ruleset, inquiry.deal.belas
    pairs, word = ruleset.pairs(inquiry.trump), Word(ruleset.book.words["bela"])
    for seat in dict.fromkeys(said if pairs else ()):
        absent = [contest.find_card_not_held(pair, seat, inquiry.hands, True) for pair in pairs]
        false = max(said.count(seat) - absent.count(None), 0)
        for card in [card for card in absent if card][:false]:
            why = Message(
                "{seat} said {word} and did not hold {card}.", seat=SeatName(seat), word=word, card=card
            )
            yield _make_false("bela-false", {"seat": seat}, "bela.say", why, seat)
    for seat, hand in inquiry.hands.items():
        held = [pair for pair in pairs if set(pair) <= set(hand)]
        for pair in held[said.count(seat) :]:
            why = Message(
                "{seat} held {cards} and {word} was not said.", seat=SeatName(seat), cards=pair, word=word
            )
            yield Irregularity("bela-unsaid", {"seat": seat}, "bela.say", why, seat, "bela.say")


def _find_exchange_faults(inquiry: Inquiry) -> Iterator[Irregularity]:
    """Find a swap of the seven that is not allowed, or not for the turned card.

    Rule key: `seven.exchange`.
    """
    seat, why = _explain_wrong_exchange(inquiry)
    if seat is not None and why is not None:
        key, cost = "seven.exchange", "penalty.false-claim"
        yield Irregularity(
            "wrong-exchange", {"seat": seat}, key, why, seat, cost, "wrong-exchange", mends=True
        )


def _explain_wrong_exchange(inquiry: Inquiry) -> tuple[Seat | None, Message | None]:
    """Find a wrong swap; facts that no swap can explain are left to the checks."""
    deal, ruleset, swapped = inquiry.deal, inquiry.ruleset, inquiry.deal.exchanged
    lying = deal.turned_card if ruleset.turned_card == "out" else None
    taker, seven = inquiry.find_player(lying), ruleset.seven(inquiry.trump)
    names: dict[str, object] = {"seat": SeatName(swapped or taker or ""), "card": lying, "seven": seven}
    if swapped is not None and ruleset["seven"] == "never":
        return swapped, Message("{seat} swapped the seven, which is never done here.", **names)
    if swapped is not None and inquiry.turned is False:
        return swapped, Message("{seat} swapped the seven though the turned suit is not trumps.", **names)
    if swapped is not None and ruleset["seven_by"] == "declarer" and swapped != inquiry.contract.declarer:
        return swapped, Message("{seat} swapped the seven though another chose trumps.", **names)
    if swapped is not None and taker is None and deal.shown and inquiry.find_player(deal.shown) == swapped:
        return swapped, Message("{seat} took {shown} and not the turned card.", shown=deal.shown, **names)
    if taker is None or swapped not in (None, taker):
        return None, None
    if inquiry.turned is False:
        return taker, Message("{seat} took {card} though the turned suit is not trumps.", **names)
    if inquiry.find_player(seven) is not None and lying != seven:
        return taker, Message("{seat} took {card} and did not give {seven} for it.", **names)
    return None, None


def find_wrong_counts(
    ruleset: JackNineRuleset,
    wrote: Mapping[Side, int] | None,
    made: Mapping[Side, int],
    capot: Side | None = None,
    *,
    counts_more: bool = True,
    trump: str = Suit.HEARTS,
) -> Iterator[Irregularity]:
    """Find counts that differ from what the cards bring: what each side wrote, and made.

    `capot` is the side that took every trick, if that can count more, and `counts_more` is true if it did
    after this bid. Rule keys: `cards.values`, or `score.capot` or `score.capot-bonus` if it was written the
    other way.
    """
    short = ruleset.capot_extra(trump) * (1 if counts_more else -1)
    for side in ruleset.ring.sides:
        if wrote is not None and wrote[side] != made[side]:
            counts = {"wrote": wrote[side], "should": made[side]}
            why = Message("{side} made {should}, and {wrote} was written.", side=SideName(side), **counts)
            key, facts = "cards.values", {"side": side, **counts}
            if side == capot and made[side] - wrote[side] == short:
                key = "score.capot" if counts_more else "score.capot-bonus"
            yield Irregularity(
                "wrong-count", facts, key, why, side, key, wrote=wrote[side], should=made[side]
            )
