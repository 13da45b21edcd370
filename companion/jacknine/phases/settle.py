"""The settlement of a deal: made, bait, tie; held points; penalties; the next dealer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.jacknine.game_file import DEALING_OFFENCES
from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.message import Message, SideName, Word
from companion.rules.seats import Seat, Side

from .bidding import CAPOT, EVERY_TRICK, Bid, counts_every_trick


@dataclass(frozen=True, slots=True)
class Settlement:
    """The settlement of a deal: points written, points held after it, and the next dealer.

    `result` is `made`, `bait`, `tie`, `penalty` or `void`; `scored` and `held` are points; `next_dealer` is
    None if it depends on an unknown dealer. `winner` is the side that won the deal; None at a tie, and if
    nobody did. `keys` are the rules applied.
    """

    result: str
    scored: Mapping[Side, int]
    held: tuple[int, ...]
    next_dealer: Seat | None
    why: Message
    keys: tuple[str, ...]
    winner: Side | None = None


def settle_deal(
    ruleset: JackNineRuleset,
    declarer: Seat,
    made: Mapping[Side, int],
    held: Sequence[int],
    dealer: Seat | None,
    baits: Mapping[Side, int] | None = None,
    bela: Sequence[Side] = (),
    false_melds: Mapping[Side, int] | None = None,
    bid: Bid | None = None,
    trickless: Mapping[Side, int] | None = None,
) -> Settlement:
    """Settle a deal that was played to its end.

    `made` are all points of each side, melds included; `held` the points held before the deal, oldest
    first; `baits` how often each side was baited before, where a game counts that; `bela` has the side of
    each bela; `false_melds` points that a side claimed for melds it could not show; `bid` what was bid, where
    points are; `trickless` are the sides that took no trick, with how many such deals they have had. Rule
    keys: `score.made`, `score.all`, `score.needs`, `score.doubled`, `score.bait`, `score.bait-penalty`,
    `score.bait-from`, `score.trickless-penalty`, `score.tie`, `score.held`, `score.halves`, `score.sides`,
    `score.rounding`, `bela.kept`, `meld.false`, `deal.next`, `deal.next-tie`.

    >>> from companion import library
    >>> ruleset = library.open_game("derda").family.ruleset
    >>> settlement = settle_deal(ruleset, "A", {"A": 70, "B": 77}, held=[50], dealer="B")
    >>> settlement.result, settlement.scored, settlement.held, settlement.next_dealer
    ('bait', {'A': 0, 'B': 197}, (), 'B')
    """
    match ruleset["needs"]:
        case "bid" if bid is not None:
            settled = _settle_bid(ruleset, declarer, made, held, dealer, bela, bid)
        case "half":
            settled = _settle_half(ruleset, declarer, made, held, dealer, bela)
        case "more" | "points" | "bid":
            capot = ruleset.find_capot(trickless or ())
            settled = _settle_made(ruleset, declarer, made, held, dealer, baits, bela, capot)
        case unknown:
            raise UnknownOption(unknown)
    settled = _punish_false_melds(ruleset, settled, false_melds or {})
    return _round(ruleset, _charge_trickless(ruleset, settled, trickless or {}))


def _settle_made(
    ruleset: JackNineRuleset,
    declarer: Seat,
    made: Mapping[Side, int],
    held: Sequence[int],
    dealer: Seat | None,
    baits: Mapping[Side, int] | None,
    bela: Sequence[Side],
    capot: Side | None,
) -> Settlement:
    """Settle a deal before points are rounded; `capot` is the side that took every trick."""
    ring = ruleset.ring
    side = ring.side(declarer)
    others = _order_others(ruleset, side, dealer)
    best = max(made[other] for other in others)
    leaders = [other for other in others if made[other] == best]
    lead = _find_lead(ruleset, made[side], best)
    equal = lead == 0
    tied = _settle_tie(ruleset, declarer, leaders, made, tuple(held), dealer) if equal else None
    if tied is not None:
        return tied
    facts: dict[str, object] = {
        "bait": Word(ruleset.book.words["bait"]),
        "declarer": SideName(side),
        "own": made[side],
        "against": ", ".join(str(made[other]) for other in others),
        "defender": [SideName(leader) for leader in leaders],
    }
    keys: tuple[str, ...]
    if lead > 0 or (equal and ruleset["tie"] == "made"):
        winners, result = [side], "made"
        scored, why, keys = _score_made(ruleset, side, made, facts)
    else:
        # Only the side that took every trick writes more for it.
        more = ruleset.capot_extra() if capot == side else 0
        lost = {**made, side: made[side] - more}
        scored, result, winners = _score_bait(side, leaders, lost), "bait", leaders
        why, keys = _explain_bait(len(leaders), len(others), facts)
        number = (baits or {}).get(side, 0) + 1
        costs = None if baits is None else _find_bait_penalty(ruleset, number)
        if costs is not None:
            points = ruleset["bait_penalty_points"]
            names = {"side": SideName(side), "bait": facts["bait"], "number": number, "points": points}
            why = Message("{what} {side}: {bait} no. {number} costs {points}.", what=why, **names)
            scored[side] -= points
            keys += (costs,)
        retained = ruleset.retained_bela(side, bela)
        if retained:
            scored[side] += retained
            scored[leaders[0]] -= retained
            word = Word(ruleset.book.words["bela"])
            why = Message("{what} {side} {side:keeps|keep} {bela}.", what=why, side=SideName(side), bela=word)
            keys += ("bela.kept",)
    keys += ("score.tie",) if equal else ()
    keys += ("score.needs",) if ruleset["needs"] == "points" else ()
    return _add_held(ruleset, declarer, Settlement(result, scored, tuple(held), dealer, why, keys), winners)


def _settle_half(
    ruleset: JackNineRuleset,
    declarer: Seat,
    made: Mapping[Side, int],
    held: Sequence[int],
    dealer: Seat | None,
    bela: Sequence[Side],
) -> Settlement:
    """Settle a deal in which the declarer needs more than all others together, who write their own.

    Rule keys: `score.made`, `score.bait`, `score.tie`, `score.halves`, `bela.kept`.
    """
    side = ruleset.ring.side(declarer)
    others = _order_others(ruleset, side, dealer)
    against = sum(made[other] for other in others)
    best = max(made[other] for other in others)
    leaders = [other for other in others if made[other] == best]
    facts: dict[str, object] = {
        "bait": Word(ruleset.book.words["bait"]),
        "declarer": SideName(side),
        "own": made[side],
        "against": against,
        "defender": [SideName(leader) for leader in leaders],
    }
    if made[side] > against:
        why = Message("{declarer} {declarer:makes|make} it, {own} to {against}.", **facts)
        settled = Settlement("made", dict(made), tuple(held), dealer, why, ("score.made",))
        return _add_held(ruleset, declarer, settled, [side])
    own = ruleset.retained_bela(side, bela)
    scored, keys = {**made, side: own}, ("score.bait", *(("score.tie",) if made[side] == against else ()))
    match ruleset["fall_to"]:
        case "nobody":
            why = Message("{declarer}: {bait}, {own} to {against}, which nobody writes.", **facts)
        case "higher":
            for leader, share in zip(leaders, split_points(made[side] - own, len(leaders)), strict=True):
                scored[leader] += share
            why, of_halves = _explain_bait(len(leaders), len(others), facts)
            keys += tuple(key for key in of_halves if key not in keys)
        case unknown:
            raise UnknownOption(unknown)
    if own:
        names = {"side": SideName(side), "bela": Word(ruleset.book.words["bela"])}
        why = Message("{what} {side} {side:keeps|keep} {bela}.", what=why, **names)
        keys += ("bela.kept",)
    return _add_held(ruleset, declarer, Settlement("bait", scored, tuple(held), dealer, why, keys), leaders)


def _add_held(
    ruleset: JackNineRuleset, declarer: Seat, settled: Settlement, winners: Sequence[Side]
) -> Settlement:
    """Add the points held before to a deal that was won, and turn its dealer into the next dealer."""
    scored, held, why, keys = dict(settled.scored), settled.held, settled.why, settled.keys
    freed, still_held = _release_held(ruleset, held, winners)
    if freed:
        scored[winners[0]] += freed
        keys += ("score.held", *(ruleset.known_keys("score.held-chain") if len(held) > 1 else ()))
        why = Message(
            "{what} {held} held points go to {winner}.", what=why, held=freed, winner=SideName(winners[0])
        )
    elif held:
        keys += ("score.held",)
    if ruleset.ring.partnerships:
        keys += ("score.sides",)
    after = _rotate_deal(ruleset, declarer, settled.result, winners, settled.next_dealer)
    return Settlement(settled.result, scored, still_held, after, why, (*keys, "deal.next"), winners[0])


def _settle_bid(
    ruleset: JackNineRuleset,
    declarer: Seat,
    made: Mapping[Side, int],
    held: Sequence[int],
    dealer: Seat | None,
    bela: Sequence[Side],
    bid: Bid,
) -> Settlement:
    """Settle a deal that was played for a bid, before points are rounded."""
    side = ruleset.ring.side(declarer)
    (defender,) = ruleset.ring.others(side)
    needed = find_needed(ruleset, made, bid)
    reached = needed is not None and made[side] >= int(bid.points) + bid.discounted
    equal = reached and made[side] == made[defender] and ruleset["needs_more"]
    tied = _settle_tie(ruleset, declarer, [defender], made, tuple(held), dealer) if equal else None
    if tied is not None and bid.double == 1:
        return replace(tied, keys=("score.needs", *tied.keys))
    makes = made[side] >= needed if needed is not None else _takes_every_trick(side, bid)
    if makes and (bid.double == 1 or ruleset["written"] == "bid"):
        key = "score.made"
    else:
        key = "score.doubled" if makes else "score.bait"
    winner = side if makes else defender
    scored = _write_bid(ruleset, winner, made if makes else None, bela, bid)
    facts: dict[str, object] = {
        "bait": Word(ruleset.book.words["bait"]),
        "declarer": SideName(side),
        "bid": bid.show(ruleset),
        "own": made[side],
        "against": made[defender],
        "winner": SideName(winner),
        "points": scored[winner],
    }
    why = Message("{declarer} {declarer:makes|make} {bid}, {own} to {against}.", **facts)
    if not makes:
        why = Message("{declarer}: {bait}, {bid} with {own} to {against}.", **facts)
    if key != "score.made":
        why = Message("{what} {winner} {winner:writes|write} {points}.", what=why, **facts)
    keys: tuple[str, ...] = ("score.needs", key, *(("score.tie",) if equal else ()))
    if bid.points in EVERY_TRICK:
        keys += ("score.capot-bid" if bid.points == CAPOT else "score.generale",)
    if bid.double > 1 and ruleset["doubled"] == "bid" and ruleset["written"] != "bid":
        keys += ("score.doubled-bid",)
    loser = defender if makes else side
    if loser in bela and scored[loser]:
        word = Word(ruleset.book.words["bela"])
        why = Message("{what} {side} {side:keeps|keep} {bela}.", what=why, side=SideName(loser), bela=word)
        keys += ("bela.kept",)
    result = "made" if makes else "bait"
    return _add_held(ruleset, declarer, Settlement(result, scored, tuple(held), dealer, why, keys), [winner])


def find_needed(ruleset: JackNineRuleset, made: Mapping[Side, int], bid: Bid | None = None) -> int | None:
    """Find the least count that makes the deal for the declarer, of the same sum; None if tricks decide.

    Rule keys: `score.made`, `score.needs`.
    """
    if ruleset["needs"] == "points":
        return int(ruleset["needs_points"])
    ahead = 0 if ruleset["tie"] == "made" and (bid is None or bid.double == 1) else 1
    more = (sum(made.values()) + ahead + 1) // 2
    if bid is None:
        return more
    if bid.points in EVERY_TRICK:
        return None
    needed = int(bid.points) + bid.discounted
    return max(more, needed) if ruleset["needs_more"] else needed


def _takes_every_trick(side: Side, bid: Bid) -> bool:
    """True if a bid of every trick is made: by the side, or by the bidder alone."""
    return bid.capot == side and (bid.points == CAPOT or bid.alone)


def _write_bid(
    ruleset: JackNineRuleset, winner: Side, made: Mapping[Side, int] | None, bela: Sequence[Side], bid: Bid
) -> dict[Side, int]:
    """Score a bid without points held; `made` is None if it failed.

    Rule keys: `score.made`, `score.doubled`, `score.bait`, `score.doubled-bid`, `score.capot-bid`,
    `score.generale`.
    """
    worth, in_one_sum = _value_bid(ruleset, bid.points)
    if ruleset["written"] == "bid":
        fall = ruleset["fall"] if made is None else 0
        return ruleset.zeros() | {winner: (fall + worth) * bid.double}
    all_doubled = {"all": True, "bid": False}[ruleset["doubled"]]
    if made is not None and (bid.double == 1 or not all_doubled):
        return {**made, winner: made[winner] - bid.whole * in_one_sum + worth * bid.double}
    if made is None:
        cards = ruleset["fall"]
    else:
        cards = ruleset.round_deal(bid.capot == winner and counts_every_trick(ruleset, bid.points))
    own = {side: ruleset.bela_points * bela.count(side) for side in ruleset.ring.sides}
    beside = bid.melds + own[winner] + (0 if in_one_sum else cards)
    return own | {winner: beside * (bid.double if all_doubled else 1) + worth * bid.double}


def _value_bid(ruleset: JackNineRuleset, points: int | str) -> tuple[int, bool]:
    """Value a bid, and tell whether that is written for cards, fall and bid in one sum."""
    match points:
        case "generale":
            return ruleset["generale_bid"], ruleset["generale_bid"] == 1000
        case "capot" if ruleset["capot_bid"] == 500:
            return 500, True
        case "capot":
            return ruleset.round_deal(True), False
        case _:
            return int(points), False


def _find_lead(ruleset: JackNineRuleset, own: int, best: int) -> int:
    """Count the declarer's lead over the best of the others; 1 or -1 if a number of points is needed."""
    if ruleset["needs"] != "points":
        return own - best
    return 1 if own >= ruleset["needs_points"] else -1


def _order_others(ruleset: JackNineRuleset, side: Side, dealer: Seat | None) -> Sequence[Side]:
    """List the sides beside the declarer's, in the order in which odd points go to them."""
    others = ruleset.ring.others(side)
    if len(others) == 1 or dealer is None:
        return others
    match ruleset["odd_point"]:
        case "declarer-left":
            return others
        case "elder":
            return [own for own in ruleset.ring.around(ruleset.ring.left(dealer)) if own != side]
        case unknown:
            raise UnknownOption(unknown)


def _score_made(
    ruleset: JackNineRuleset, side: Side, made: Mapping[Side, int], facts: Mapping[str, object]
) -> tuple[dict[Side, int], Message, tuple[str, ...]]:
    """Score a deal that the declarer's side made: points, the reason, and the rule keys."""
    if ruleset["winner_takes_all"]:
        why = Message(
            "{declarer} {declarer:makes|make} it, {own} to {against}, and {declarer:writes|write} it all.",
            **facts,
        )
        return ruleset.zeros() | {side: sum(made.values())}, why, ("score.made", "score.all")
    why = Message("{declarer} {declarer:makes|make} it, {own} to {against}.", **facts)
    return dict(made), why, ("score.made",)


def _find_bait_penalty(ruleset: JackNineRuleset, number: int) -> str | None:
    """Find the rule by which the bait of this number in a game costs points; None if it costs none."""
    every, first = ruleset["bait_penalty_every"], ruleset["bait_penalty_from"]
    if every:
        return None if number % every else "score.bait-penalty"
    return "score.bait-from" if first and number >= first else None


def _charge_trickless(
    ruleset: JackNineRuleset, settled: Settlement, trickless: Mapping[Side, int]
) -> Settlement:
    """Charge a side for its deals without a trick. Rule key: `score.trickless-penalty`."""
    every, scored, why = ruleset["trickless_penalty_every"], dict(settled.scored), settled.why
    charged = {side: number for side, number in trickless.items() if every and number % every == 0}
    for side, number in charged.items():
        points = ruleset["trickless_penalty_points"]
        scored[side] -= points
        facts = {"side": SideName(side), "number": number, "points": points}
        why = Message("{what} {side}: deal no. {number} without a trick costs {points}.", what=why, **facts)
    keys = (*settled.keys, "score.trickless-penalty") if charged else settled.keys
    return replace(settled, scored=scored, why=why, keys=keys)


def _punish_false_melds(
    ruleset: JackNineRuleset, settled: Settlement, false_melds: Mapping[Side, int]
) -> Settlement:
    """Give the others the points of melds that a side could not show. Rule key: `meld.false`."""
    scored, why = dict(settled.scored), settled.why
    for side, points in false_melds.items():
        (other,) = ruleset.ring.others(side)
        scored[other] += points
        facts = {"side": SideName(side), "other": SideName(other), "points": points}
        why = Message(
            "{what} {other} {other:writes|write} {points} more, which {side} could not show.",
            what=why,
            **facts,
        )
    keys = (*settled.keys, "meld.false") if false_melds else settled.keys
    return replace(settled, scored=scored, why=why, keys=keys)


def _round(ruleset: JackNineRuleset, settled: Settlement) -> Settlement:
    """Round the points written if the table does so; held points stay exact. Rule key: `score.rounding`."""
    match ruleset["rounding"]:
        case "off":
            return settled
        case "ten":
            scored = {side: (points + 5) // 10 * 10 for side, points in settled.scored.items()}
            return replace(settled, scored=scored, keys=(*settled.keys, "score.rounding"))
        case unknown:
            raise UnknownOption(unknown)


def _score_bait(side: Side, leaders: Sequence[Side], made: Mapping[Side, int]) -> dict[Side, int]:
    """Give a baited declarer's points to the side with most, or halve them among equals."""
    scored = {**made, side: 0}
    for leader, share in zip(leaders, split_points(made[side], len(leaders)), strict=True):
        scored[leader] += share
    return scored


def _explain_bait(leaders: int, others: int, facts: Mapping[str, object]) -> tuple[Message, tuple[str, ...]]:
    """Explain who gets a baited declarer's points, by the number of others who share them."""
    if leaders > 1:
        halved = Message("{declarer}: {bait}, {own} to {against}; {defender} halve it.", **facts)
        return halved, ("score.bait", "score.halves")
    why = Message(
        "{declarer}: {bait}, {own} to {against}; {defender} {defender:writes|write} it all.", **facts
    )
    if others > 1:
        why = Message(
            "{declarer}: {bait}, {own} to {against}; {defender} {defender:writes|write} it too.", **facts
        )
    return why, ("score.bait",)


def split_points(points: int, count: int) -> list[int]:
    """Split points into equal parts, odd ones to the first."""
    return [points // count + (place < points % count) for place in range(count)]


def _settle_tie(
    ruleset: JackNineRuleset,
    declarer: Seat,
    leaders: Sequence[Side],
    made: Mapping[Side, int],
    held: tuple[int, ...],
    dealer: Seat | None,
) -> Settlement | None:
    """Settle a deal in which the declarer's side has as much as the best of the others, the `leaders`.

    None if that is a bait, or makes the deal.
    """
    side = ruleset.ring.side(declarer)
    facts: dict[str, object] = {
        "word": Word(ruleset.book.words["tie"]),
        "points": made[side],
        "both": sum(made.values()),
        "declarer": SideName(side),
        "defender": [SideName(leader) for leader in leaders],
    }
    keys: tuple[str, ...] = ("score.tie", "deal.next-tie")
    scored, after = {**made, side: 0}, held
    match ruleset["tie"]:
        case "hang":
            after, keys = (*held, made[side]), ("score.tie", "score.held", "deal.next-tie")
            why = Message(
                "{declarer}: {word}, {points} each; "
                "{defender} {defender:writes|write} {points}, {points} are held.",
                **facts,
            )
        case "carry":
            scored, after = ruleset.zeros(), (*held, sum(made.values()))
            keys = ("score.tie", "score.held", "deal.next-tie")
            why = Message("{declarer}: {word}, {points} each; nobody writes, {both} are held.", **facts)
        case "declarer-loses":
            why = Message("{declarer}: {word}, {points} each, and {declarer:writes|write} nothing.", **facts)
        case "defender-wins":
            keys = ("score.tie", "deal.next-tie", "end.one-deal")
            why = Message(
                "{declarer} {declarer:has|have} only as much, {points} each: {defender} {defender:wins|win}.",
                **facts,
            )
        case "bait" | "made":
            return None
        case unknown:
            raise UnknownOption(unknown)
    next_dealer = _find_dealer_after_tie(ruleset, declarer, leaders, dealer)
    return Settlement("tie", scored, after, next_dealer, why, keys)


def _find_dealer_after_tie(
    ruleset: JackNineRuleset, declarer: Seat, leaders: Sequence[Side], dealer: Seat | None
) -> Seat | None:
    """Find the dealer after a tie; None if that depends on an unknown dealer. Rule key: `deal.next-tie`."""
    match ruleset["tie_dealer"]:
        case "defender":
            return _find_dealer_among(ruleset, leaders, declarer, dealer)
        case "opponent-of-dealer":
            return None if dealer is None else ruleset.ring.left(dealer)
        case "rotation":
            return _rotate_deal(ruleset, declarer, "tie", leaders, dealer)
        case unknown:
            raise UnknownOption(unknown)


def _release_held(
    ruleset: JackNineRuleset, held: tuple[int, ...], winners: Sequence[Side]
) -> tuple[int, tuple[int, ...]]:
    """Split the held points: those for the winner of a deal, and those that stay held."""
    match ruleset["hanging"]:
        case "all-at-once":
            count = len(held)
        case "in-turn":
            count = 1
        case "next-best":
            count = len(held) if len(winners) == 1 else 0
        case unknown:
            raise UnknownOption(unknown)
    return sum(held[:count]), held[count:]


def _rotate_deal(
    ruleset: JackNineRuleset, declarer: Seat, result: str, winners: Sequence[Side], dealer: Seat | None
) -> Seat | None:
    """Find the next dealer; None if that depends on an unknown dealer.

    `winners` are the sides that won the deal; at a tie those that equalled the declarer.
    """
    match ruleset["rotation"]:
        case "alternate":
            return None if dealer is None else ruleset.ring.left(dealer)
        case "winner" | "most-points":
            return _find_dealer_among(ruleset, winners, declarer, dealer, declarer_too=result == "made")
        case unknown:
            raise UnknownOption(unknown)


def _find_dealer_among(
    ruleset: JackNineRuleset,
    sides: Sequence[Side],
    declarer: Seat,
    dealer: Seat | None,
    *,
    declarer_too: bool = False,
) -> Seat | None:
    """Find the seat that deals for these sides.

    Of single players it is the first from the declarer's left, of partners the first from the dealer's.
    """
    ring = ruleset.ring
    if ring.partnerships:
        if dealer is None:
            return None
        return next(seat for seat in ring.around(ring.left(dealer)) if ring.side(seat) in sides)
    if declarer_too:
        return declarer
    return next(seat for seat in ring.around(ring.left(declarer)) if ring.side(seat) in sides)


def settle_penalty(
    ruleset: JackNineRuleset,
    offender: Side,
    points: int,
    held: Sequence[int],
    dealer: Seat | None,
    offence: str = "revoke",
    bela: Sequence[Side] = (),
    bid: Bid | None = None,
    false_melds: Mapping[Side, int] | None = None,
    melds: Mapping[Side, int] | None = None,
) -> Settlement:
    """Settle a deal by a penalty for an offence of one side; `points` are all that the deal holds.

    `offence` is the game's name for it, such as `revoke`; `held` and `dealer` are as before the deal, `bela`
    has the side of each bela, `bid` is the bid if points are bid; `false_melds` are as for `settle_deal`;
    `melds` are the points of each side from melds and bela. Rule keys: `bela.kept`, `meld.false`,
    `score.rounding`, `penalty.bait-on-cards`, `penalty.halves` and the offence's own, such as
    `penalty.revoke`, `penalty.misdeal`, `penalty.early-look`.
    """
    ring = ruleset.ring
    others = ring.others(offender)
    if offence in DEALING_OFFENCES:
        return _settle_misdeal(ruleset, offender, held, dealer, offence, bid)
    names: dict[str, object] = {
        "offence": describe_offence(offender, offence),
        "other": [SideName(other) for other in others],
    }
    match ruleset["penalty"]:
        case "replay":
            return deal_again(ruleset, offender, held, dealer, offence)
        case "share-cards":
            return _share_cards(ruleset, offender, held, dealer, offence, melds or {})
        case "bait-on-cards":
            pass
        case unknown:
            raise UnknownOption(unknown)
    if bid is None:
        own = ruleset.retained_bela(offender, bela)
        whole = points - own
    else:
        written = _write_bid(ruleset, others[0], None, bela, bid)
        own, whole = written[offender], written[others[0]]
    whole += sum(held)
    shares = zip(others, split_points(whole, len(others)), strict=True)
    scored = ruleset.zeros() | {offender: own} | dict(shares)
    keys: tuple[str, ...] = (f"penalty.{offence}", "penalty.bait-on-cards")
    why = Message("{offence}: the whole deal, {points}, goes to {other}.", points=whole, **names)
    if len(others) > 1:
        keys += ("penalty.halves",)
        why = Message("{offence}: {other} halve the whole deal, {points}.", points=whole, **names)
    keys += ("score.held",) if held else ()
    keys += ("bela.kept",) if own else ()
    after = _find_dealer_after_penalty(ruleset, others, dealer)
    settled = Settlement("penalty", scored, (), after, why, keys, others[0])
    return _round(ruleset, _punish_false_melds(ruleset, settled, false_melds or {}))


def _share_cards(
    ruleset: JackNineRuleset,
    offender: Side,
    held: Sequence[int],
    dealer: Seat | None,
    offence: str,
    melds: Mapping[Side, int],
) -> Settlement:
    """Share all card points and the last trick among the others, who add their own melds; held ones go on."""
    others = ruleset.ring.others(offender)
    whole = ruleset.sum_deal(capot=False)
    shares = zip(others, split_points(whole, len(others)), strict=True)
    scored = ruleset.zeros() | {other: share + melds.get(other, 0) for other, share in shares}
    why = Message(
        "{offence}: {other} halve all cards, {points}, and write their own melds.",
        offence=describe_offence(offender, offence),
        other=[SideName(other) for other in others],
        points=whole,
    )
    after = _find_dealer_after_penalty(ruleset, others, dealer)
    keys = (f"penalty.{offence}", "penalty.bait-on-cards", "penalty.halves")
    return Settlement("penalty", scored, tuple(held), after, why, keys, others[0])


def _settle_misdeal(
    ruleset: JackNineRuleset,
    offender: Side,
    held: Sequence[int],
    dealer: Seat | None,
    offence: str,
    bid: Bid | None,
) -> Settlement:
    """Settle a deal ended by an offence before the play: cards and last trick, or as the bid had failed.

    Held points stay held.
    """
    match ruleset["misdeal"]:
        case "points" | "after-bid":
            (other,) = ruleset.ring.others(offender)
            points = ruleset.sum_deal(capot=False)
            if bid is not None:
                points = _write_bid(ruleset, other, None, (), bid)[other]
            what = describe_offence(offender, offence)
            scored = ruleset.zeros() | {other: points}
            after = _find_dealer_after_penalty(ruleset, [other], dealer)
            why = Message(
                "{offence}: {other} {other:writes|write} {points}.",
                offence=what,
                other=SideName(other),
                points=points,
            )
            keys = (f"penalty.{offence}", "deal.next")
            return _round(ruleset, Settlement("penalty", scored, tuple(held), after, why, keys, other))
        case "redeal":
            return deal_again(ruleset, offender, held, dealer, offence)
        case unknown:
            raise UnknownOption(unknown)


def deal_again(
    ruleset: JackNineRuleset, offender: Side, held: Sequence[int], dealer: Seat | None, offence: str
) -> Settlement:
    """Declare a deal void by an offence; held points stay held."""
    what = describe_offence(offender, offence)
    why = Message("{offence}: the deal is void and dealt again by the same player.", offence=what)
    return Settlement("void", ruleset.zeros(), tuple(held), dealer, why, (f"penalty.{offence}", "deal.void"))


def describe_offence(offender: Side, offence: str) -> Message:
    """Describe an offence of a side, `offence` being the game's name for it."""
    who = SideName(offender)
    match offence:
        case "revoke":
            return Message("{who} revoked", who=who)
        case "false-declaration":
            return Message("{who} declared falsely", who=who)
        case "extra-card":
            return Message("{who} took a card too many", who=who)
        case "wrong-exchange":
            return Message("{who} swapped wrongly", who=who)
        case "misdeal":
            return Message("{who} dealt wrongly", who=who)
        case "early-look":
            return Message("{who} looked at cards too early", who=who)
        case _:
            return Message("{who} broke the rules", who=who)


def describe_penalty(settlement: Settlement) -> tuple[str, dict[str, object]]:
    """Describe a penalty for rulings: the verdict, and in JSON points written and held, and next dealer."""
    facts: dict[str, object] = {
        "scored": dict(settlement.scored),
        "held": list(settlement.held),
        "next_dealer": settlement.next_dealer,
    }
    return "replay" if settlement.result == "void" else "bait-on-cards", facts


def penalty_takes_melds(ruleset: JackNineRuleset) -> bool:
    """True if a penalty for the whole deal hands over runs and bela with the cards."""
    return bool(ruleset["bait_cards"] == "all")


def _find_dealer_after_penalty(
    ruleset: JackNineRuleset, others: Sequence[Side], dealer: Seat | None
) -> Seat | None:
    """Find the dealer after a penalty; `others` are the innocent sides, the offender's left first."""
    ring = ruleset.ring
    if ruleset["penalty_dealer"] == "rotation" and ruleset["rotation"] == "alternate":
        return None if dealer is None else ring.left(dealer)
    if not ring.partnerships:
        return others[0]
    if dealer is None:
        return None
    return next(seat for seat in ring.around(ring.left(dealer)) if ring.side(seat) in others)
