"""Rulings at the table: the bidding, the play of a card, the trick, melds, bela, the seven."""

from collections.abc import Iterator, Mapping, Sequence

from companion.jacknine.entries import collect_sides
from companion.jacknine.phases import auction, bela, bidding, contest, count, dealing, melds, play
from companion.jacknine.phases.melds import describe_worthless_fours, read_declared_fours, read_declared_run
from companion.jacknine.ruleset import JackNineRuleset, write_cards
from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Card, Suit
from companion.rules.errors import Missing, MissingFact, Unreadable
from companion.rules.message import Message, SeatName, Word
from companion.rules.question import Judgement, check_distinct
from companion.rules.seats import Seat

from . import questions


def rule_on_play(ruleset: JackNineRuleset, facts: questions.PlayFacts) -> Judgement:
    """Rule on whether a card may be played to the trick.

    Rule keys: those of `find_duty`, `cards.trump-order`.
    """
    check_distinct([*facts.hand, *facts.trick], "hand")
    if facts.card not in facts.hand:
        raise Unreadable("card", Message("a card of the hand"), str(facts.card))
    if len(facts.trick) >= ruleset.ring.size:
        raise Unreadable("trick", Message("an incomplete trick"), len(facts.trick))
    due = play.find_duty(ruleset, facts.hand, facts.trick, facts.trump)
    verdict = "legal" if facts.card in due.legal else "illegal"
    order = ("cards.trump-order",) if due.key == "play.trump-led" and due.legal != facts.hand else ()
    return Judgement(verdict, {"legal": write_cards(due.legal)}, due.why, (*due.keys, *order))


def rule_on_trick(ruleset: JackNineRuleset, facts: questions.TrickFacts) -> Judgement:
    """Rule on who takes a complete trick, and on its points.

    Rule keys: `play.trick`, the order that decides, `cards.values`, `words.values`, `words.taken`.
    """
    check_distinct(facts.trick, "trick")
    if len(facts.trick) != ruleset.ring.size:
        raise Unreadable(
            "trick", Message("a complete trick of {size} cards", size=ruleset.ring.size), len(facts.trick)
        )
    place = play.find_winning_place(ruleset, facts.trick, facts.trump)
    seat = ruleset.ring.left(facts.leader, place)
    side = ruleset.ring.side(seat)
    brought = count.count_tricks(
        ruleset, [play.TakenTrick(facts.leader, tuple(facts.trick), seat)], facts.trump
    )
    points = sum(brought.made(ruleset).values()) + (ruleset.last_points if facts.last else 0)
    answer = {
        "side": side,
        "points": points,
        "cards": brought.card_points[side],
        "jass": brought.jass is not None,
        "nine": brought.nine is not None,
    }
    why = Message(
        "{seat} takes it with {card}: {points}.", seat=SeatName(seat), card=facts.trick[place], points=points
    )
    order = "cards.trump-order" if facts.trick[place].suit == facts.trump else "cards.plain-order"
    keys = ["play.trick", order, "cards.values"]
    if facts.trump in (NO_TRUMPS, ALL_TRUMPS):
        keys[:1] = ruleset.known_keys("play.trick-in-suit") or keys[:1]
    if facts.trump == NO_TRUMPS:
        keys.append("cards.no-trumps")
    if facts.trump == ALL_TRUMPS:
        keys[1:] = ["cards.all-trumps"]
    if brought.jass or brought.nine:
        keys += ["words.values", "words.taken"]
    if brought.jass:
        keys += ruleset.known_keys("words.jass", "words.jass-once")
    if brought.jass and ruleset.trump_points.get(ruleset.jass_rank):
        keys.append("words.jass-as-card")
    if facts.last:
        keys.append("words.values")
    return Judgement(seat, answer, why, tuple(keys))


def rule_on_look(ruleset: JackNineRuleset, facts: questions.LookFacts) -> Judgement:
    """Rule on whether a gathered trick may be looked at. Rule key: `trick.look`."""
    closed = ruleset.has_option("last_trick", "closed")
    allowed = facts.back == 1 and not closed
    if closed:
        why = Message("At this table nobody looks at a gathered trick.")
    elif allowed:
        why = Message("It is the last trick, which each player may look at.")
    else:
        why = Message("Only the last trick may be looked at.")
    return Judgement("allowed" if allowed else "not-allowed", {}, why, ("trick.look",))


def rule_on_runs(ruleset: JackNineRuleset, facts: questions.RunsFacts) -> Judgement:
    """Rule on whose melds stand, and on what both players should say.

    Rule keys: those of `compare_melds`, `run.show`, `run.declare`, `run.answers`, and what a false
    declaration or a needless question breaks.

    :raises MissingFact: for elder hand, the declarer or the suit of a run, if it decides.
    """
    ruleset = ruleset.at(facts.trump)
    declared, fours = _read_declared(ruleset, facts)
    hands = facts.hands or {}
    false = [
        meld for meld in declared if contest.explain_false_meld(ruleset, meld, hands, meld.seat in hands)
    ]
    genuine = tuple(meld for meld in declared if meld not in false)
    forfeits = dict(_find_forfeits(ruleset, genuine, false, facts))
    trickless = collect_sides(facts.trickless)
    standing = melds.drop_forfeited_melds(genuine, forfeits)
    standing, excluded = melds.resolve_overlaps(ruleset, standing)
    decision = contest.compare_melds(ruleset, standing, facts.elder, facts.trump, trickless, facts.declarer)
    decision = contest.pass_melds(ruleset, decision, trickless)
    if decision.needs is not None:
        raise MissingFact(_find_unknown_suit(genuine) if decision.needs == "suit" else decision.needs)
    keys = [*decision.keys]
    if facts.hands is not None:
        keys += ruleset.known_keys("run.show")
    if facts.asked_rost:
        keys += ruleset.known_keys("run.rost")
    why = _explain_false_claims(ruleset, false, forfeits, decision.why, keys)
    if trickless:
        keys += ruleset.known_keys("meld.trickless") or ruleset.known_keys("end.trickless")
    why = _explain_groundless_question(ruleset, genuine, facts.asked_rost, why, keys)
    why, of_fours = describe_worthless_fours(ruleset, facts.fours, why)
    why, of_excluded = melds.describe_excluded(ruleset, excluded, why)
    keys += (*of_fours, *of_excluded)
    if facts.trump in (NO_TRUMPS, ALL_TRUMPS):
        keys += ruleset.known_keys("meld.contracts")
    dialogue = None
    if facts.elder is not None and ruleset.ring.size == 2 and not fours:
        runs = [meld for meld in genuine if isinstance(meld, melds.Run)]
        lines = contest.suggest_dialogue(ruleset, runs, facts.elder, facts.trump)
        dialogue = [{"seat": line.seat, "say": line.say} for line in lines]
        keys += ["run.declare", "run.answers"]
    answer = {
        "points": dict(decision.points),
        "dialogue": dialogue,
        "forfeits": [
            {"seat": seat, "what": what, "rule": ruleset.cite_one(key)}
            for seat, (what, key) in forfeits.items()
        ],
        "set_aside": [_name_meld(ruleset, meld) for meld in excluded],
    }
    return Judgement(decision.side or "none", answer, why, tuple(dict.fromkeys(keys)))


def _name_meld(ruleset: JackNineRuleset, meld: melds.Meld) -> dict[str, object]:
    """A meld in an answer: a run by its cards, if they are known."""
    cards = meld.cards(ruleset)
    if isinstance(meld, melds.Four) or not cards:
        return dict(meld.to_entry())
    return {"seat": meld.seat, "cards": write_cards(cards)}


def _read_declared(
    ruleset: JackNineRuleset, facts: questions.RunsFacts
) -> tuple[tuple[melds.Meld, ...], tuple[melds.Four, ...]]:
    """Read all melds declared, and the fours among them.

    :raises Unreadable: if cards are named twice.
    """
    runs = [read_declared_run(ruleset, run, f"declared[{i}]") for i, run in enumerate(facts.declared)]
    fours = read_declared_fours(ruleset, facts.fours, "fours")
    worthless = melds.find_worthless_fours(ruleset, facts.fours)
    melds.refuse_shared_cards(ruleset, (*runs, *fours), worthless, "declared")
    hands = facts.hands or {}
    for seat, hand in hands.items():
        check_distinct(hand, f"hands.{seat}")
    check_distinct([card for hand in hands.values() for card in hand], "hands")
    return (*runs, *fours), fours


def _explain_false_claims(
    ruleset: JackNineRuleset,
    false: Sequence[melds.Meld],
    forfeits: Mapping[Seat, tuple[str, str]],
    why: Message,
    keys: list[str],
) -> Message:
    """Put the cost of false runs and needless questions before the reason, their rule keys into `keys`."""
    if false:
        if ruleset["rost"] == "free":
            keys.append("penalty.false-claim")
        name = SeatName(false[0].seat)
        why = Message("{seat} does not hold the run and scores nothing for it. {what}", what=why, seat=name)
    for seat, (what, key) in forfeits.items():
        keys.append(key)
        if key != "penalty.false-claim":
            why = _explain_forfeit(seat, what, why)
    return why


def _explain_groundless_question(
    ruleset: JackNineRuleset,
    genuine: Sequence[melds.Meld],
    asked: Sequence[Seat],
    why: Message,
    keys: list[str],
) -> Message:
    """Explain, after the reason, who asked to see runs without holding one; its rule key goes into `keys`."""
    groundless = [seat for seat in asked if all(meld.seat != seat for meld in genuine)]
    if not groundless or ruleset["rost"] != "free":
        return why
    keys.append("penalty.false-claim")
    name = SeatName(groundless[0])
    return Message("{what} {seat} asked without a run, which costs nothing.", what=why, seat=name)


def _find_unknown_suit(declared: Sequence[melds.Meld]) -> str:
    """The path of the suit of the first run whose suit is unknown."""
    place = next(i for i, meld in enumerate(declared) if isinstance(meld, melds.Run) and meld.suit is None)
    return f"declared[{place}].suit"


def _explain_forfeit(seat: Seat, what: str, why: Message) -> Message:
    """Put the forfeits before the reason for the ruling."""
    if what == "runs":
        return Message(
            "{seat} asked without need and forfeits the runs. {what}", seat=SeatName(seat), what=why
        )
    return Message(
        "{seat} declared what was not there and loses the whole deal. {what}", seat=SeatName(seat), what=why
    )


def _find_forfeits(
    ruleset: JackNineRuleset,
    genuine: Sequence[melds.Meld],
    false: Sequence[melds.Meld],
    facts: questions.RunsFacts,
) -> Iterator[tuple[Seat, tuple[str, str]]]:
    """List the losses of sides, each with its rule key, for false runs or a needless question."""
    if ruleset["rost"] == "free":
        for meld in false:
            yield meld.seat, ("runs", "penalty.false-claim")
        return
    for meld in false:
        yield meld.seat, ("bait-on-cards", contest.cite_false_run(meld.seat, facts.asked_rost))
    for seat in facts.asked_rost:
        lost = contest.judge_rost(ruleset, genuine, [*genuine, *false], seat, facts.trump)
        if lost is not None:
            yield seat, lost


def rule_on_bela(ruleset: JackNineRuleset, facts: questions.BelaFacts) -> Judgement:
    """Rule on whether king and queen of trumps were held and said rightly.

    With all trumps any of the pairs may be meant. Rule keys: `bela.say`, `bela.say-second`, `bela.free`,
    `bela.value`, `cards.no-trumps`, `bela.contracts`.

    :raises MissingFact: for the cards played or the hand, if they decide.
    """
    if facts.trump == NO_TRUMPS:
        why = Message("In no-trumps there is no {word}.", word=Word(ruleset.book.words["bela"]))
        key = (*ruleset.known_keys("bela.contracts"), "cards.no-trumps")[0]
        return Judgement("does-not-count", {"points": 0}, why, (key,))
    pairs = ruleset.pairs(facts.trump)
    if not pairs:
        why = Message("With all trumps {word} counts nothing here.", word=Word(ruleset.book.words["bela"]))
        return Judgement("does-not-count", {"points": 0}, why, ("bela.contracts",))
    hand, played = facts.hand or (), facts.played or ()
    check_distinct([*hand, *played], "hand")
    known = len(hand) + len(played)
    if known > ruleset.hand:
        raise Unreadable("played", Message("at most {count} cards in all", count=ruleset.hand), known)
    pair = _pick_pair(pairs, [*hand, *played])
    absent = [card for card in pair if card not in hand and card not in played]
    unknown = [name for name in ("played", "hand") if getattr(facts, name) is None]
    if absent and (known == ruleset.hand or not unknown):
        counts, why = (
            False,
            Message("{seat} does not hold {card}.", seat=SeatName(facts.seat), card=absent[0]),
        )
    else:
        counts, why = bela.judge_bela(ruleset, facts.said_at, hand, played, pair)
    if counts and absent:
        raise MissingFact(unknown[0])
    said = ("bela.say", *ruleset.known_keys("bela.say-second"))
    if facts.trump == ALL_TRUMPS:
        said += ("bela.contracts",)
    if not counts:
        return Judgement("does-not-count", {"points": 0}, why, said)
    keys = (*said, "bela.free", "bela.value")
    if ruleset.jass_rank in ruleset.bela_ranks:
        own = ruleset.full_points(pair[ruleset.bela_ranks.index(ruleset.jass_rank)], facts.trump)
        worth = {"what": why, "jass": Word(ruleset.book.words["jass"]), "own": own}
        why = Message(
            "{what} That makes {all}: {jass} brings {own} of it.", **worth, all=ruleset.bela_points + own
        )
    return Judgement("counts", {"points": ruleset.bela_points}, why, keys)


def _pick_pair(pairs: Sequence[tuple[Card, ...]], cards: Sequence[Card]) -> tuple[Card, ...]:
    """Pick the pair that bela was said for: that of which most cards are known to be held."""
    return max(pairs, key=lambda pair: len(set(pair) & set(cards)))


def rule_on_seven(ruleset: JackNineRuleset, facts: questions.SevenFacts) -> Judgement:
    """Rule on whether the seven may be swapped for the turned card, and what the hand loses by it.

    Rule keys: `seven.exchange`, `seven.who`, `seven.ask`.
    """
    allowed, why, key = _judge_swap(ruleset, facts)
    answer: dict[str, object] = {"take": str(facts.turn_up) if allowed else None}
    answer |= dict.fromkeys(("breaks", "runs", "may_ask"))
    if not allowed or facts.hand is None:
        return Judgement("allowed" if allowed else "not-allowed", answer, why, (key,))
    seven, turn_up = ruleset.seven(facts.trump), facts.turn_up
    assert seven is not None and turn_up is not None
    broken = melds.find_run_around(ruleset, facts.seat, facts.hand, seven)
    swapped = [turn_up if card == seven else card for card in facts.hand]
    before, after = (
        sum(
            melds.value_meld(ruleset, meld)
            for meld in melds.find_melds(ruleset, facts.seat, hand)
            if isinstance(meld, melds.Run)
        )
        for hand in (facts.hand, swapped)
    )
    asked = {Card(rank, Suit(facts.trump)) for rank in ruleset.seven_run}
    may_ask = ruleset.book.knows("seven.ask") and asked <= {*facts.hand}
    answer |= {
        "breaks": [] if broken is None else [write_cards(broken.cards(ruleset))],
        "runs": {"kept": before, "swapped": after},
        "may_ask": may_ask,
    }
    if broken is not None:
        worth = {"what": why, "cards": broken.cards(ruleset), "before": before, "after": after}
        why = Message(
            "{what} The run {cards} goes with the seven: the runs in hand are worth {before} with it, "
            "{after} without.",
            **worth,
        )
    return Judgement("allowed", answer, why, (key, *(("seven.ask",) if may_ask else ())))


def _judge_swap(ruleset: JackNineRuleset, facts: questions.SevenFacts) -> tuple[bool, Message, str]:
    """Judge whether the seven may be swapped, and why, with the rule key."""
    never = Message("The seven is never swapped here.")
    if facts.turn_up is None and ruleset["seven"] == "never":
        return False, never, "seven.exchange"
    if facts.turn_up is None:
        raise MissingFact("turn_up")
    turned = facts.turn_up.suit == facts.trump
    if facts.turned is not None and facts.turned != turned:
        raise Unreadable(
            "turned",
            Message("what the turned card and trumps say: {value}", value=str(turned).lower()),
            facts.turned,
        )
    seven = ruleset.seven(facts.trump)
    if ruleset["seven"] == "never" or seven is None:
        return False, never, "seven.exchange"
    check_distinct(facts.hand or (), "hand")
    if facts.turn_up in (facts.hand or ()):
        raise Unreadable("hand", Message("a hand without the turned card"), str(facts.turn_up))
    taken = facts.with_ or facts.turn_up
    names: dict[str, object] = {"seat": SeatName(facts.seat), "seven": seven, "card": taken}
    allowed, key = False, "seven.exchange"
    if not turned:
        why = Message("The turned suit is not trumps, so the seven stays.")
    elif facts.turn_up == seven:
        why = Message("The turned card is the seven itself.")
    elif facts.hand is not None and seven not in facts.hand:
        why = Message("{seat} does not hold {seven}.", **names)
    elif taken != facts.turn_up:
        why = Message("Only the turned card may be taken, not {card}.", **names)
    elif ruleset["seven_by"] == "declarer" and facts.declarer != facts.seat:
        if facts.declarer is None:
            raise MissingFact("declarer")
        key, why = "seven.who", Message("Only whoever chose trumps may swap the seven here.")
    else:
        allowed, why = _judge_time(ruleset, facts, names)
    return allowed, why, key


def _judge_time(
    ruleset: JackNineRuleset, facts: questions.SevenFacts, names: Mapping[str, object]
) -> tuple[bool, Message]:
    """Judge whether it is the time for the swap, and why: nobody has led, or its holder has not played.

    The seven may have to be one of the cards dealt before the bidding.
    """
    if ruleset["seven"] == "first-hand" and not facts.first_six:
        if facts.first_six is None:
            raise MissingFact("first_six")
        return False, Message(
            "{seven} was not among the cards dealt before the bidding, so it stays.", **names
        )
    if ruleset["seven"] in ("before-lead", "first-hand"):
        if facts.cards_played == 0:
            return True, Message("{seat} may take {card} for {seven}: nobody has led yet.", **names)
        return False, Message("The first trick has been led to, so it is too late.")
    early = Message("{seat} may take {card} for {seven}: {seat} has not played yet.", **names)
    late = Message("{seat} has played a card, so it is too late.", **names)
    if facts.cards_played == 0:
        return True, early
    if facts.cards_played >= ruleset.ring.size:
        return False, late
    if facts.elder is None:
        raise MissingFact("elder")
    place = ruleset.ring.around(facts.elder).index(facts.seat)
    return (True, early) if facts.cards_played <= place else (False, late)


def rule_on_auction(ruleset: JackNineRuleset, facts: questions.AuctionFacts) -> Judgement:
    """Rule on who speaks and which calls may be made, or on the result of the bidding.

    Rule keys: those of the calls so far and of the one to be made.
    """
    if ruleset.turns_suit and facts.turn_up is None:
        raise Missing("turn_up")
    if facts.turn_up is not None and not ruleset.turns_suit:
        raise Unreadable("turn_up", Message("left out, as no card is turned"), str(facts.turn_up))
    bid = bidding.follow_auction(ruleset, facts.elder, facts.turn_up, facts.calls)
    keys = (*bid.keys, *bid.speaker_keys) if bid.status == "open" else bid.keys
    answer: dict[str, object]
    match bid.status:
        case "open":
            answer = {"speaks": bid.speaker, "round": bid.round, "legal": list(bid.legal())}
        case "contract":
            answer = {"declarer": bid.declarer, "trump": str(bid.trump), "turned": bid.turned}
            answer |= {"points": bid.points, "double": bid.double} if ruleset.bids_points else {}
        case "thrown-in":
            answer = {
                "next_dealer": dealing.find_next_dealer(
                    ruleset, bid.dealer, after_schmeiss=bid.after_schmeiss
                )
            }
            keys = (*keys, "deal.next-thrown-in")
        case "offer":
            terms = bid.terms or auction.OfferTerms(0, 0)
            answer = {
                "points": terms.points,
                "deals": terms.deals,
                "to": bid.elder,
                "next_dealer": dealing.find_next_dealer(ruleset, bid.dealer, terms),
            }
        case _:
            answer = {"call": bid.illegal, "speaks": bid.speaker, "legal": list(bid.legal())}
    if ruleset.bids_points and bid.status in ("open", "illegal"):
        answer["least"] = bid.least
    return Judgement(bid.status, answer, bid.why, keys)
