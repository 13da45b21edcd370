"""Rulings at the table: the bidding, the play of a card, runs, bela, the seven."""

from collections.abc import Mapping
from typing import Any

from ..rules.cards import Card, Suit
from ..rules.message import Message, SeatName, Word
from ..rules.shapes import Missing, Unreadable
from . import auction, count, melds, play, questions
from .entries import read_declared
from .finding import Found, distinct
from .ruleset import Ruleset, UnknownOption, written


def may_play(ruleset: Ruleset, q: questions.Play) -> Found:
    """Whether a card may be played to the trick."""
    distinct([*q.hand, *q.trick], "hand")
    if q.card not in q.hand:
        raise Unreadable("card", Message("a card of the hand"), str(q.card))
    if len(q.trick) >= ruleset.ring.size:
        raise Unreadable("trick", Message("a trick that is not complete"), len(q.trick))
    due = play.duty(ruleset, q.hand, q.trick, q.trump)
    verdict = "legal" if q.card in due.legal else "illegal"
    beaten = ("cards.trump-order",) if due.key == "play.trump-led" and due.legal != q.hand else ()
    return Found(verdict, {"legal": written(due.legal)}, due.why, (due.key, *beaten))


def who_takes(ruleset: Ruleset, q: questions.Trick) -> Found:
    """Who takes a complete trick, and what it brings."""
    distinct(q.trick, "trick")
    if len(q.trick) != ruleset.ring.size:
        raise Unreadable(
            "trick", Message("a complete trick of {size} cards", size=ruleset.ring.size), len(q.trick)
        )
    place = play.winning(ruleset, q.trick, q.trump)
    seat = ruleset.ring.left(q.leader, place)
    side = ruleset.ring.side(seat)
    brought = count.tally(ruleset, [play.Taken(q.leader, q.trick, seat)], q.trump)
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
    order = "cards.trump-order" if q.trick[place].suit == q.trump else "cards.plain-order"
    keys = ["play.trick", order, "cards.values"]
    if brought.jass or brought.nine:
        keys += ["words.values", "words.taken"]
    if brought.jass and ruleset.trump_points.get(ruleset.jass_rank):
        keys.append("words.jass-as-card")
    if q.last:
        keys.append("words.values")
    return Found(seat, facts, why, tuple(keys))


def whose_runs(ruleset: Ruleset, q: questions.Runs) -> Found:
    """Whose runs stand, and what both players should say."""
    runs = tuple(read_declared(ruleset, one, f"declared[{i}]") for i, one in enumerate(q.declared))
    clash = melds.overlapping(ruleset, runs)
    if clash:
        raise Unreadable("declared", Message("runs that share no card"), str(clash[2]))
    for seat, hand in (q.hands or {}).items():
        distinct(hand, f"hands.{seat}")
    distinct([card for hand in (q.hands or {}).values() for card in hand], "hands")
    false = [run for run in runs if not _holds(ruleset, run, q.hands or {})]
    genuine = tuple(run for run in runs if run not in false)
    found = melds.contest(ruleset, genuine, q.elder)
    if found.needs_elder:
        raise Missing("elder")
    verdict, points, why, keys = found.side or "none", dict(found.points), found.why, list(found.keys)
    if q.hands is not None:
        keys.append("run.show")
    if false:
        keys.append("penalty.false-claim")
        why = Message(
            "{seat} does not hold the run and scores nothing for it. {what}",
            what=why,
            seat=SeatName(false[0].seat),
        )
    if q.trickless is not None and q.trickless == found.side:
        keys.append("words.need-trick")
        if ruleset["words_need_trick"]:
            verdict, points = "none", ruleset.zeros()
            why = Message("{side} took no trick, so the runs count for nobody.", side=SeatName(q.trickless))
    groundless = [seat for seat in q.asked_rost if all(run.seat != seat for run in genuine)]
    if groundless:
        keys.append("penalty.false-claim")
        why = Message(
            "{what} {seat} asked without a run, which costs nothing.", what=why, seat=SeatName(groundless[0])
        )
    said = None
    if q.elder is not None and ruleset.ring.size == 2:
        said = [{"seat": line.seat, "say": line.say} for line in melds.dialogue(ruleset, genuine, q.elder)]
        keys += ["run.declare", "run.answers"]
    forfeits = [
        {"seat": run.seat, "what": "runs", "rule": ruleset.cite_one("penalty.false-claim")} for run in false
    ]
    return Found(verdict, {"points": points, "dialogue": said, "forfeits": forfeits}, why, tuple(keys))


def _holds(ruleset: Ruleset, run: melds.Run, hands: Mapping[str, tuple[Card, ...]]) -> bool:
    """Whether the known hands allow the run: in its holder's hand, and no card of it elsewhere."""
    if run.seat not in hands:
        elsewhere = {card for hand in hands.values() for card in hand}
        return not elsewhere.intersection(run.cards(ruleset))
    hand = hands[run.seat]
    if run.suit is not None:
        return set(run.cards(ruleset)) <= set(hand)
    return any(
        set(melds.Run(run.seat, run.length, run.top, suit).cards(ruleset)) <= set(hand) for suit in Suit
    )


def does_bela_count(ruleset: Ruleset, q: questions.Bela) -> Found:
    """Whether king and queen of trumps were held and said rightly."""
    hand, played = q.hand or (), q.played or ()
    distinct([*hand, *played], "hand")
    known = len(hand) + len(played)
    if known > ruleset.hand:
        raise Unreadable("played", Message("at most {count} cards in all", count=ruleset.hand), known)
    pair = ruleset.bela(q.trump)
    absent = [card for card in pair if card not in hand and card not in played]
    untold = [name for name in ("played", "hand") if getattr(q, name) is None]
    if absent and (known == ruleset.hand or not untold):
        good, why = False, Message("{seat} does not hold {card}.", seat=SeatName(q.seat), card=absent[0])
    else:
        good, why = _said_rightly(ruleset, q, hand, played, pair)
    if good and absent:
        raise Missing(untold[0])
    points, keys = (
        (ruleset.bela_points, ("bela.say", "bela.free", "words.values")) if good else (0, ("bela.say",))
    )
    return Found("counts" if good else "does-not-count", {"points": points}, why, keys)


def _said_rightly(
    ruleset: Ruleset,
    q: questions.Bela,
    hand: tuple[Card, ...],
    played: tuple[Card, ...],
    pair: tuple[Card, ...],
) -> tuple[bool, Message]:
    match ruleset["bela"]:
        case "said":
            return _said(ruleset, q.said_at, hand, played, pair, q.trump)
        case unknown:
            raise UnknownOption(unknown)


def _said(
    ruleset: Ruleset,
    said_at: str | int | tuple[int, ...] | None,
    hand: tuple[Card, ...],
    played: tuple[Card, ...],
    pair: tuple[Card, ...],
    trump: str,
) -> tuple[bool, Message]:
    """Said with a run that holds it, with one of its two cards, or with the last card."""
    word = Word(ruleset.book.words["bela"])
    if said_at is None:
        return False, Message("{word} was never said.", word=word)
    if said_at == "run":
        if len(hand) + len(played) == ruleset.hand:
            shown = melds.in_hand(ruleset, "A", [*hand, *played])
            if not any(set(pair) <= set(run.cards(ruleset)) for run in shown):
                return False, Message(
                    "No run holds both {cards}, so {word} was said at the wrong moment.",
                    cards=pair,
                    word=word,
                )
        return True, Message("{word} was said when showing a run that holds it.", word=word)
    moments = said_at if isinstance(said_at, tuple) else (said_at,)
    for moment in moments:
        if not isinstance(moment, int):
            continue
        if moment == ruleset.hand:
            return True, Message("{word} was said with the last card.", word=word)
        if moment > len(played) + 1:
            raise Unreadable("said_at", Message("a card that has been played"), moment)
        if moment == len(played) + 1:
            raise Missing(f"played[{moment - 1}]")
        if played[moment - 1] in pair:
            return True, Message("{word} was said with {card}.", word=word, card=played[moment - 1])
    card = played[int(moments[0]) - 1]
    return False, Message(
        "{word} was said with {card}, which is neither of {cards}.", word=word, card=card, cards=pair
    )


def may_swap(ruleset: Ruleset, q: questions.Seven) -> Found:
    """Whether the seven may be swapped for the turned card."""
    chosen = q.turn_up.suit == q.trump
    if q.turned is not None and q.turned != chosen:
        raise Unreadable(
            "turned",
            Message("what the turned card and trumps say: {value}", value=str(chosen).lower()),
            q.turned,
        )
    seven = ruleset.seven(q.trump)
    distinct(q.hand or (), "hand")
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
        good, why = _in_time(ruleset, q, told)
    return Found(
        "allowed" if good else "not-allowed",
        {"take": str(q.turn_up) if good else None},
        why,
        ("seven.exchange",),
    )


def _in_time(ruleset: Ruleset, q: questions.Seven, told: Mapping[str, object]) -> tuple[bool, Message]:
    match ruleset["seven"]:
        case "before-lead":
            if q.cards_played == 0:
                return True, Message("{seat} may take {card} for {seven}: nobody has led yet.", **told)
            return False, Message("The first trick has been led to, so it is too late.")
        case unknown:
            raise UnknownOption(unknown)


def how_bidding_stands(ruleset: Ruleset, q: questions.Bidding) -> Found:
    """Who speaks and what may be said, or what the bidding came to."""
    bid = auction.hold(ruleset, q.elder, q.turn_up, q.calls)
    keys = (*bid.keys, bid.due) if bid.status == "open" else bid.keys
    facts: dict[str, Any]
    match bid.status:
        case "open":
            facts = {"speaks": bid.speaker, "round": bid.round, "legal": list(bid.legal())}
        case "contract":
            facts = {"declarer": bid.declarer, "trump": str(bid.trump), "turned": bid.turned}
        case "thrown-in":
            facts = {"next_dealer": auction.next_after(ruleset, bid.dealer, None)}
            keys = (*keys, "deal.next-thrown-in")
        case "offer":
            terms = bid.terms or auction.Offer(0, 0)
            facts = {
                "points": terms.points,
                "deals": terms.deals,
                "to": bid.elder,
                "next_dealer": auction.next_after(ruleset, bid.dealer, terms),
            }
        case _:
            facts = {"call": bid.illegal, "speaks": bid.speaker, "legal": list(bid.legal())}
    return Found(bid.status, facts, bid.why, keys)
