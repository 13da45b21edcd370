"""The arbiter: one function per question, each from a situation to verdict, why, and rules."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ..rules.cards import Card, Suit
from ..rules.message import Message, SeatName, Word
from ..rules.ruling import Ruling
from ..rules.shapes import Choice, Missing, Unreadable, read
from . import auction, count, melds, play, questions, settle
from .entries import read_declared
from .ruleset import Ruleset, written


@dataclass(frozen=True, slots=True)
class Question:
    """One question: in the players' words, the facts it takes, who answers it, and which games know it."""

    name: str
    asks: Message
    shape: type
    answer: Callable[[Ruleset, Any], "Found"]
    known: Callable[[Ruleset], bool] = lambda ruleset: True


@dataclass(frozen=True, slots=True)
class Found:
    """What a question's function finds: verdict, facts, why, and the family's rule keys."""

    verdict: str
    answer: Mapping[str, Any]
    why: Message
    keys: tuple[str, ...]


def answer(ruleset: Ruleset, request: Mapping[str, Any]) -> Ruling:
    """The ruling on a request, which names its question.

    :raises Unreadable: for an unknown question, with those the game knows, and for facts that do not fit.
    """
    known = known_questions(ruleset)
    name = Choice(tuple(known)).read(request.get("question"), "question", ruleset.table)
    question = known[name]
    facts = {key: value for key, value in request.items() if key != "question"}
    found = question.answer(ruleset, read(question.shape, facts, "", ruleset.table))
    return Ruling(name, found.verdict, found.answer, found.why, ruleset.cite(*found.keys))


def known_questions(ruleset: Ruleset) -> Mapping[str, Question]:
    """The questions this game can answer, in the order in which they are usually asked."""
    return {name: one for name, one in QUESTIONS.items() if one.known(ruleset)}


def _distinct(cards: Collection[Card], path: str) -> None:
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            raise Unreadable(path, Message("every card once"), str(card))
        seen.add(card)


def _rule_play(ruleset: Ruleset, q: questions.Play) -> Found:
    _distinct([*q.hand, *q.trick], "hand")
    if q.card not in q.hand:
        raise Unreadable("card", Message("a card of the hand"), str(q.card))
    if len(q.trick) >= ruleset.ring.size:
        raise Unreadable("trick", Message("a trick that is not complete"), len(q.trick))
    due = play.duty(ruleset, q.hand, q.trick, q.trump)
    verdict = "legal" if q.card in due.legal else "illegal"
    return Found(verdict, {"legal": written(due.legal)}, due.why, (due.key,))


def _rule_trick(ruleset: Ruleset, q: questions.Trick) -> Found:
    _distinct(q.trick, "trick")
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
    jass = ("words.jass-as-card",) if brought.jass and ruleset.trump_points.get(ruleset.jass_rank) else ()
    return Found(seat, facts, why, ("play.trick", "cards.values", "words.taken", *jass))


def _rule_runs(ruleset: Ruleset, q: questions.Runs) -> Found:
    runs = tuple(read_declared(ruleset, one, f"declared[{i}]") for i, one in enumerate(q.declared))
    clash = melds.overlapping(ruleset, runs)
    if clash:
        raise Unreadable("declared", Message("runs that share no card"), str(clash[2]))
    for seat, hand in (q.hands or {}).items():
        _distinct(hand, f"hands.{seat}")
    _distinct([card for hand in (q.hands or {}).values() for card in hand], "hands")
    false = [run for run in runs if not _holds(ruleset, run, q.hands or {})]
    genuine = tuple(run for run in runs if run not in false)
    found = melds.contest(ruleset, genuine, q.elder)
    if found.needs_elder:
        raise Missing("elder")
    verdict, points, why, keys = found.side or "none", dict(found.points), found.why, list(found.keys)
    if false:
        keys.append("penalty.false-claim")
        why = Message(
            "{seat} does not hold the run and scores nothing for it. {what}",
            what=why,
            seat=SeatName(false[0].seat),
        )
    if q.trickless is not None and q.trickless == found.side and ruleset["words_need_trick"]:
        keys.append("words.need-trick")
        verdict, points = "none", ruleset.zeros()
        why = Message("{side} took no trick, so the runs count for nobody.", side=SeatName(q.trickless))
    said = None
    if q.elder is not None and ruleset.ring.size == 2:
        said = [{"seat": line.seat, "say": line.say} for line in melds.dialogue(ruleset, genuine, q.elder)]
        keys.append("run.answers")
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


def _rule_bela(ruleset: Ruleset, q: questions.Bela) -> Found:
    if q.hand is None and q.played is None:
        raise Missing("played")
    hand, played = q.hand or (), q.played or ()
    _distinct([*hand, *played], "hand")
    if len(hand) + len(played) > ruleset.hand:
        raise Unreadable(
            "played", Message("at most {count} cards in all", count=ruleset.hand), len(hand) + len(played)
        )
    pair, points = ruleset.bela(q.trump), ruleset.bela_points
    absent = [card for card in pair if card not in hand and card not in played]
    if absent:
        if len(hand) + len(played) < ruleset.hand and q.hand is None:
            raise Missing("hand")
        why = Message("{seat} does not hold {card}.", seat=SeatName(q.seat), card=absent[0])
        return Found("does-not-count", {"points": 0}, why, ("bela.say",))
    good, why = _said_rightly(ruleset, q, hand, played, pair)
    verdict = "counts" if good else "does-not-count"
    return Found(verdict, {"points": points if good else 0}, why, ("bela.say", "bela.free"))


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
            raise settle.UnknownOption(unknown)


def _said(
    ruleset: Ruleset,
    said_at: None | str | int | tuple[int, ...],
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


def _rule_seven(ruleset: Ruleset, q: questions.Seven) -> Found:
    chosen = q.turn_up.suit == q.trump
    if q.turned is not None and q.turned != chosen:
        raise Unreadable(
            "turned",
            Message("what the turned card and trumps say: {value}", value=str(chosen).lower()),
            q.turned,
        )
    seven = ruleset.seven(q.trump)
    _distinct(q.hand or (), "hand")
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
            raise settle.UnknownOption(unknown)


def _rule_auction(ruleset: Ruleset, q: questions.Bidding) -> Found:
    bid = auction.hold(ruleset, q.elder, q.turn_up, q.calls)
    keys = tuple(dict.fromkeys(bid.keys)) or ("bid.first",)
    if bid.status == "open" and bid.phase == "first" and bid.speaker == bid.dealer:
        keys = tuple(dict.fromkeys((*keys, "bid.dealer-options")))
    elif bid.status == "open":
        keys = tuple(
            dict.fromkeys(
                (
                    *keys,
                    {
                        "first": "bid.first",
                        "ask": "bid.ask",
                        "second": "bid.second",
                        "haggle": "offer.haggle",
                        "must": "offer.refused",
                    }[bid.phase],
                )
            )
        )
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


def _rule_outcome(ruleset: Ruleset, q: questions.Outcome) -> Found:
    totals = q.totals or ruleset.zeros()
    made = dict(q.made)
    settled = settle.settle(ruleset, q.declarer, made, q.held, q.dealer)
    after = {side: totals[side] + settled.scored[side] for side in ruleset.ring.sides}
    ended = settle.ending(ruleset, after, q.declarer, q.trickless)
    assert ended is not None  # the declarer is known
    result, scored, held, dealer = settled.result, settled.scored, settled.held, settled.next_dealer
    keys, why = (*settled.keys, *ended.keys), settled.why
    if ended.verdict == "void":
        result, scored, held, dealer, after = "void", ruleset.zeros(), q.held, q.dealer, dict(totals)
        keys, why = (*ended.keys, "deal.void"), ended.why
    if dealer is None:
        raise Missing("dealer")
    if ended.winner is not None:
        why = Message("{what} {end}", what=why, end=ended.why)
    facts = {
        "scored": dict(scored),
        "totals": after,
        "held": list(held),
        "next_dealer": dealer,
        "status": "finished" if ended.winner else "playing",
        "winner": ended.winner,
        "ended_by": ended.ended_by,
        "may_finish": [],
        "stakes": None,
    }
    return Found(result, facts, why, keys)


def _rule_finish(ruleset: Ruleset, q: questions.Finish) -> Found:
    side = ruleset.ring.side(q.caller)
    needed = ruleset["target"]
    if q.at == "result":
        why = Message("A call is made during play; written totals speak for themselves.")
        return Found(
            "no-call", {"came_to": None, "needed": needed, "winner": None}, why, ("end.finish-when",)
        )
    for name in ("after_trick", "took_trick"):
        if getattr(q, name) is None:
            raise Missing(name)
    tricks = q.after_trick or 0
    made, keys = 0, ()
    timely = bool(q.took_trick) and not q.next_card and tricks > 0
    if timely:
        if q.cards is None:
            raise Missing("cards")
        made = q.cards + q.jass * ruleset.jass_points + q.nine * ruleset.nine_points
        made += q.bela * ruleset.bela_points + q.runs + (ruleset.last_points if tricks == ruleset.hand else 0)
    called = settle.finish_call(
        ruleset,
        side,
        q.totals[side],
        made,
        took_trick=bool(q.took_trick) and tricks > 0,
        next_card=q.next_card,
    )
    facts = {"came_to": called.came_to, "needed": called.needed, "winner": called.winner}
    return Found(called.verdict, facts, called.why, (*called.keys, *keys))


def _rule_winner(ruleset: Ruleset, q: questions.Winner) -> Found:
    ended = settle.ending(ruleset, q.totals, q.declarer, q.trickless)
    if ended is None:
        raise Missing("declarer")
    facts = {"winner": ended.winner, "ended_by": ended.ended_by, "may_finish": [], "sets": None}
    return Found(ended.verdict, facts, ended.why, ended.keys)


def _rule_penalty(ruleset: Ruleset, q: questions.Penalty) -> Found:
    Choice(tuple(ruleset["offences"])).read(q.offence, "offence", ruleset.table)
    if q.taken_back:
        facts = {"scored": None, "held": list(q.held), "next_dealer": None}
        why = Message("The card was taken back before the trick was turned, so it costs nothing.")
        return Found("no-penalty", facts, why, ("penalty.revoke",))
    points = q.points.cards + q.points.runs + q.points.bela
    settled = settle.penalty(ruleset, q.by, points, q.held, q.dealer)
    void = settled.result == "void"
    facts = {
        "scored": ruleset.zeros() if void else dict(settled.scored),
        "held": list(settled.held),
        "next_dealer": settled.next_dealer,
    }
    return Found("replay" if void else "bait-on-cards", facts, settled.why, settled.keys)


def _rule_count(ruleset: Ruleset, q: questions.Counts) -> Found:
    if (q.made is None) == (q.count is None):
        raise Unreadable("made", Message("either made or count"))
    _distinct(q.out, "out")
    trump = _trump_for(q)
    runs = tuple(read_declared(ruleset, one, f"runs[{i}]") for i, one in enumerate(q.runs or ()))
    known_runs = sum(melds.worth(ruleset, run) for run in runs if q.runs is not None)
    made = q.made
    total: int | None
    if q.count is not None:
        for side in ruleset.ring.sides:
            if side not in q.count.cards:
                raise Missing(f"count.cards.{side}")
        told = count.Tally(q.count.cards, q.count.jass, q.count.nine, q.count.last or q.last)
        if told.last is None:
            raise Missing("count.last")
        made = told.made(ruleset)
        total = sum(made.values())
        bound = count.check_tally(ruleset, told, q.out, trump)
    else:
        bela = None if q.bela == questions.UNKNOWN else (ruleset.bela_points if q.bela else 0)
        standing = melds.contest(ruleset, runs, None)
        if q.runs is not None and not standing.needs_elder:
            known_runs = sum(standing.points.values())
        runs_told = None if q.runs is None else known_runs
        total = sum(made.values()) - runs_told - bela if runs_told is not None and bela is not None else None
        bound = count.check_made(ruleset, made, runs_told, bela, q.last, q.out, trump)
    facts = {
        "sum": total,
        "bound": None if bound is None else {"what": bound.what, "min": bound.least, "max": bound.most},
        "nearest": None if bound is None else bound.nearest,
        "made": dict(made) if q.count is not None else None,
    }
    why = bound.reason if bound else Message("Cards that come to these counts can have been played.")
    return Found("impossible" if bound else "possible", facts, why, ("score.doubtful-count",))


def _trump_for(q: questions.Counts) -> str:
    """The trump suit; where cards are known to be out of play, it has to be given."""
    if q.trump is None and q.out:
        raise Missing("trump")
    return q.trump or Suit.HEARTS


QUESTIONS: Mapping[str, Question] = {
    one.name: one
    for one in (
        Question("play", Message("May I play this?"), questions.Play, _rule_play),
        Question("trick", Message("Who takes this trick?"), questions.Trick, _rule_trick),
        Question("runs", Message("Whose run stands?"), questions.Runs, _rule_runs),
        Question("bela", Message("Does {word} count?", word=Word("bela")), questions.Bela, _rule_bela),
        Question("seven", Message("May the seven be swapped?"), questions.Seven, _rule_seven),
        Question("auction", Message("Is this bid allowed?"), questions.Bidding, _rule_auction),
        Question("outcome", Message("What does this deal come to?"), questions.Outcome, _rule_outcome),
        Question(
            "finish",
            Message("Is it enough?"),
            questions.Finish,
            _rule_finish,
            lambda ruleset: ruleset["finish"] == "enough",
        ),
        Question("winner", Message("Who has won?"), questions.Winner, _rule_winner),
        Question("count", Message("Can these counts be right?"), questions.Counts, _rule_count),
        Question("penalty", Message("What does a revoke cost?"), questions.Penalty, _rule_penalty),
    )
}
