"""Rulings at the table: the bidding, the play of a card, runs, bela, the seven."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.jacknine.entries import collect_sides
from companion.jacknine.phases import auction, bela, contest, count, declarations, melds, play
from companion.jacknine.phases.declared_melds import read_declared_fours, read_declared_run
from companion.jacknine.ruleset import JackNineRuleset, UnknownOption, written
from companion.rules.cards import NO_TRUMPS
from companion.rules.message import Message, SeatName, Word
from companion.rules.question import Judgement, check_distinct
from companion.rules.schema import MissingFact, Unreadable

from . import questions


def rule_on_play(ruleset: JackNineRuleset, q: questions.PlayFacts) -> Judgement:
    """Whether a card may be played to the trick."""
    check_distinct([*q.hand, *q.trick], "hand")
    if q.card not in q.hand:
        raise Unreadable("card", Message("a card of the hand"), str(q.card))
    if len(q.trick) >= ruleset.ring.size:
        raise Unreadable("trick", Message("a trick that is not complete"), len(q.trick))
    due = play.find_duty(ruleset, q.hand, q.trick, q.trump)
    verdict = "legal" if q.card in due.legal else "illegal"
    beaten = ("cards.trump-order",) if due.key == "play.trump-led" and due.legal != q.hand else ()
    return Judgement(verdict, {"legal": written(due.legal)}, due.why, (*due.keys, *beaten))


def rule_on_trick(ruleset: JackNineRuleset, q: questions.TrickFacts) -> Judgement:
    """Who takes a complete trick, and what it brings."""
    check_distinct(q.trick, "trick")
    if len(q.trick) != ruleset.ring.size:
        raise Unreadable(
            "trick", Message("a complete trick of {size} cards", size=ruleset.ring.size), len(q.trick)
        )
    place = play.find_winning_place(ruleset, q.trick, q.trump)
    seat = ruleset.ring.left(q.leader, place)
    side = ruleset.ring.side(seat)
    brought = count.count_tricks(ruleset, [play.TakenTrick(q.leader, tuple(q.trick), seat)], q.trump)
    points = sum(brought.made(ruleset).values()) + (ruleset.last_points if q.last else 0)
    facts = {
        "side": side,
        "points": points,
        "cards": brought.cards[side],
        "jass": brought.jass is not None,
        "nine": brought.nine is not None,
    }
    why = Message(
        "{seat} takes it with {card}: {points}.", seat=SeatName(seat), card=q.trick[place], points=points
    )
    none = ("cards.no-trumps",) if q.trump == NO_TRUMPS else ()
    order = "cards.trump-order" if q.trick[place].suit == q.trump else "cards.plain-order"
    keys = ["play.trick", order, "cards.values", *none]
    if brought.jass or brought.nine:
        keys += ["words.values", "words.taken"]
    if brought.jass:
        keys += ruleset.known("words.jass", "words.jass-once")
    if brought.jass and ruleset.trump_points.get(ruleset.jass_rank):
        keys.append("words.jass-as-card")
    if q.last:
        keys.append("words.values")
    return Judgement(seat, facts, why, tuple(keys))


def rule_on_runs(ruleset: JackNineRuleset, q: questions.RunsFacts) -> Judgement:
    """Whose melds stand, and what both players should say."""
    if q.fours and not ruleset.fours:
        raise Unreadable("fours", Message("no fours, for this game has none"))
    told: tuple[melds.Meld, ...] = tuple(
        read_declared_run(ruleset, one, f"declared[{i}]") for i, one in enumerate(q.declared)
    )
    told += read_declared_fours(q.fours, "fours", ruleset.fours)
    clash = melds.find_overlap(ruleset, told)
    if clash:
        raise Unreadable("declared", Message("runs that share no card"), str(clash[2]))
    for seat, hand in (q.hands or {}).items():
        check_distinct(hand, f"hands.{seat}")
    check_distinct([card for hand in (q.hands or {}).values() for card in hand], "hands")
    hands = q.hands or {}
    false = [
        meld for meld in told if declarations.explain_false_meld(ruleset, meld, hands, meld.seat in hands)
    ]
    genuine = tuple(meld for meld in told if meld not in false)
    lost = dict(_find_forfeits(ruleset, genuine, false, q))
    found = contest.compare_melds(
        ruleset, melds.drop_forfeited_melds(genuine, lost), q.elder, q.trump, collect_sides(q.trickless)
    )
    if found.needs is not None:
        raise MissingFact("elder" if found.needs == "elder" else _find_unknown_suit(genuine))
    why, keys = found.why, [*found.keys]
    if q.hands is not None:
        keys.append("run.show")
    if q.asked_rost:
        keys += ruleset.known("run.rost")
    if false:
        keys.append("penalty.false-claim")
        who = SeatName(false[0].seat)
        why = Message("{seat} does not hold the run and scores nothing for it. {what}", what=why, seat=who)
    for seat, (what, key) in lost.items():
        keys.append(key)
        if key != "penalty.false-claim":
            why = _explain_forfeit(seat, what, why)
    if collect_sides(q.trickless):
        keys.append("meld.trickless")
    groundless = [seat for seat in q.asked_rost if all(meld.seat != seat for meld in genuine)]
    if groundless and ruleset["rost"] == "free":
        keys.append("penalty.false-claim")
        who = SeatName(groundless[0])
        why = Message("{what} {seat} asked without a run, which costs nothing.", what=why, seat=who)
    said = None
    if q.elder is not None and ruleset.ring.size == 2 and not q.fours:
        runs = [meld for meld in genuine if isinstance(meld, melds.Run)]
        said = [
            {"seat": one.seat, "say": one.say}
            for one in contest.suggest_dialogue(ruleset, runs, q.elder, q.trump)
        ]
        keys += ["run.declare", "run.answers"]
    forfeits = [
        {"seat": seat, "what": what, "rule": ruleset.cite_one(key)} for seat, (what, key) in lost.items()
    ]
    facts = {"points": dict(found.points), "dialogue": said, "forfeits": forfeits}
    return Judgement(found.side or "none", facts, why, tuple(dict.fromkeys(keys)))


def _find_unknown_suit(told: Sequence[melds.Meld]) -> str:
    """Where the first run stands of which the suit is not known."""
    place = next(i for i, meld in enumerate(told) if isinstance(meld, melds.Run) and meld.suit is None)
    return f"declared[{place}].suit"


def _explain_forfeit(seat: str, what: str, why: Message) -> Message:
    if what == "runs":
        return Message(
            "{seat} asked without need and forfeits the runs. {what}", seat=SeatName(seat), what=why
        )
    return Message(
        "{seat} declared what was not there: bait on the cards. {what}", seat=SeatName(seat), what=why
    )


def _find_forfeits(
    ruleset: JackNineRuleset,
    genuine: Sequence[melds.Meld],
    false: Sequence[melds.Meld],
    q: questions.RunsFacts,
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Who loses what over runs that are false, or over a question that was not needed."""
    match ruleset["rost"]:
        case "free":
            for meld in false:
                yield meld.seat, ("runs", "penalty.false-claim")
        case "strict":
            for meld in false:
                yield meld.seat, ("bait-on-cards", "penalty.false-declaration")
            for seat in q.asked_rost:
                lost = declarations.judge_rost(ruleset, genuine, seat, q.trump)
                if lost is not None:
                    yield seat, lost
        case unknown:
            raise UnknownOption(unknown)


def rule_on_bela(ruleset: JackNineRuleset, q: questions.BelaFacts) -> Judgement:
    """Whether king and queen of trumps were held and said rightly."""
    if q.trump == NO_TRUMPS:
        why = Message("In no-trumps there is no {word}.", word=Word(ruleset.book.words["bela"]))
        return Judgement("does-not-count", {"points": 0}, why, ("cards.no-trumps",))
    hand, played = q.hand or (), q.played or ()
    check_distinct([*hand, *played], "hand")
    known = len(hand) + len(played)
    if known > ruleset.hand:
        raise Unreadable("played", Message("at most {count} cards in all", count=ruleset.hand), known)
    pair = ruleset.bela(q.trump)
    absent = [card for card in pair if card not in hand and card not in played]
    untold = [name for name in ("played", "hand") if getattr(q, name) is None]
    if absent and (known == ruleset.hand or not untold):
        good, why = False, Message("{seat} does not hold {card}.", seat=SeatName(q.seat), card=absent[0])
    else:
        good, why = bela.judge_bela(ruleset, q.said_at, hand, played, q.trump)
    if good and absent:
        raise MissingFact(untold[0])
    points, keys = (
        (ruleset.bela_points, ("bela.say", "bela.free", "bela.value")) if good else (0, ("bela.say",))
    )
    return Judgement("counts" if good else "does-not-count", {"points": points}, why, keys)


def rule_on_seven(ruleset: JackNineRuleset, q: questions.SevenFacts) -> Judgement:
    """Whether the seven may be swapped for the turned card."""
    chosen = q.turn_up.suit == q.trump
    if q.turned is not None and q.turned != chosen:
        raise Unreadable(
            "turned",
            Message("what the turned card and trumps say: {value}", value=str(chosen).lower()),
            q.turned,
        )
    seven = ruleset.seven(q.trump)
    if ruleset["seven"] == "never" or seven is None:
        why = Message("The seven is never swapped here.")
        return Judgement("not-allowed", {"take": None}, why, ("seven.exchange",))
    check_distinct(q.hand or (), "hand")
    if q.turn_up in (q.hand or ()):
        raise Unreadable("hand", Message("a hand without the turned card"), str(q.turn_up))
    taken = q.with_ or q.turn_up
    told = {"seat": SeatName(q.seat), "seven": seven, "card": taken}
    good = False
    if not chosen:
        why = Message("The turned suit is not trumps, so the seven stays.")
    elif q.turn_up == seven:
        why = Message("The turned card is the seven itself.")
    elif q.hand is not None and seven not in q.hand:
        why = Message("{seat} does not hold {seven}.", **told)
    elif taken != q.turn_up:
        why = Message("Only the turned card may be taken, not {card}.", **told)
    else:
        good, why = _judge_time(ruleset, q, told)
    return Judgement(
        "allowed" if good else "not-allowed",
        {"take": str(q.turn_up) if good else None},
        why,
        ("seven.exchange",),
    )


def _judge_time(
    ruleset: JackNineRuleset, q: questions.SevenFacts, told: Mapping[str, object]
) -> tuple[bool, Message]:
    match ruleset["seven"]:
        case "before-lead":
            if q.cards_played == 0:
                return True, Message("{seat} may take {card} for {seven}: nobody has led yet.", **told)
            return False, Message("The first trick has been led to, so it is too late.")
        case "own-card":
            return _judge_before_own_card(ruleset, q, told)
        case unknown:
            raise UnknownOption(unknown)


def _judge_before_own_card(
    ruleset: JackNineRuleset, q: questions.SevenFacts, told: Mapping[str, object]
) -> tuple[bool, Message]:
    """In time as long as its holder has not played a card of the first trick."""
    early = Message("{seat} may take {card} for {seven}: {seat} has not played yet.", **told)
    late = Message("{seat} has played a card, so it is too late.", **told)
    if q.cards_played == 0:
        return True, early
    if q.cards_played >= ruleset.ring.size:
        return False, late
    if q.elder is None:
        raise MissingFact("elder")
    place = ruleset.ring.around(q.elder).index(q.seat)
    return (True, early) if q.cards_played <= place else (False, late)


def rule_on_auction(ruleset: JackNineRuleset, q: questions.AuctionFacts) -> Judgement:
    """Who speaks and what may be said, or what the bidding came to."""
    bid = auction.follow_auction(ruleset, q.elder, q.turn_up, q.calls)
    keys = (*bid.keys, *bid.speaker_keys) if bid.status == "open" else bid.keys
    facts: dict[str, Any]
    match bid.status:
        case "open":
            facts = {"speaks": bid.speaker, "round": bid.round, "legal": list(bid.legal())}
        case "contract":
            facts = {"declarer": bid.declarer, "trump": str(bid.trump), "turned": bid.turned}
        case "thrown-in":
            facts = {
                "next_dealer": auction.find_next_dealer(
                    ruleset, bid.dealer, after_schmeiss=bid.after_schmeiss
                )
            }
            keys = (*keys, "deal.next-thrown-in")
        case "offer":
            terms = bid.terms or auction.OfferTerms(0, 0)
            facts = {
                "points": terms.points,
                "deals": terms.deals,
                "to": bid.elder,
                "next_dealer": auction.find_next_dealer(ruleset, bid.dealer, terms),
            }
        case _:
            facts = {"call": bid.illegal, "speaks": bid.speaker, "legal": list(bid.legal())}
    return Judgement(bid.status, facts, bid.why, keys)
