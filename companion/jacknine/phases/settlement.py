"""A settlement, and what all of them share: held points, the next dealer, false melds, rounding."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.message import Message, SideName
from companion.rules.seats import Seat, Side


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


@dataclass(frozen=True, slots=True)
class CountedDeal:
    """A deal that was played and counted, and the score before it.

    `made` are all points of each side, melds included; `held` the points held before the deal, oldest first;
    `dealer` is None if unknown; `bela` has the side of each bela.
    """

    declarer: Seat
    made: Mapping[Side, int]
    held: tuple[int, ...]
    dealer: Seat | None
    bela: Sequence[Side] = ()


def settle_won(
    ruleset: JackNineRuleset,
    deal: CountedDeal,
    result: str,
    scored: Mapping[Side, int],
    why: Message,
    keys: tuple[str, ...],
    winners: Sequence[Side],
) -> Settlement:
    """Settle a deal that these sides won: held points are added to `scored`, and the next dealer is found.

    Rule keys: `score.held`, `score.held-chain`, `score.sides`, `deal.next`.
    """
    written = dict(scored)
    freed, still_held = _release_held(ruleset, deal.held, winners)
    if freed:
        written[winners[0]] += freed
        keys += ("score.held", *(ruleset.known_keys("score.held-chain") if len(deal.held) > 1 else ()))
        why = Message(
            "{what} {held} held points go to {winner}.", what=why, held=freed, winner=SideName(winners[0])
        )
    elif deal.held:
        keys += ("score.held",)
    if ruleset.ring.partnerships:
        keys += ("score.sides",)
    after = rotate_deal(ruleset, deal, result, winners)
    return Settlement(result, written, still_held, after, why, (*keys, "deal.next"), winners[0])


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


def rotate_deal(
    ruleset: JackNineRuleset, deal: CountedDeal, result: str, winners: Sequence[Side]
) -> Seat | None:
    """Find the next dealer; None if that depends on an unknown dealer.

    `winners` are the sides that won the deal; at a tie those that equalled the declarer.
    """
    match ruleset["rotation"]:
        case "alternate":
            return None if deal.dealer is None else ruleset.ring.left(deal.dealer)
        case "winner" | "most-points":
            return find_dealer_among(ruleset, winners, deal, declarer_too=result == "made")
        case unknown:
            raise UnknownOption(unknown)


def find_dealer_among(
    ruleset: JackNineRuleset, sides: Sequence[Side], deal: CountedDeal, *, declarer_too: bool = False
) -> Seat | None:
    """Find the seat that deals for these sides.

    Of single players it is the first from the declarer's left, of partners the first from the dealer's.
    """
    ring = ruleset.ring
    if ring.partnerships:
        if deal.dealer is None:
            return None
        return next(seat for seat in ring.around(ring.left(deal.dealer)) if ring.side(seat) in sides)
    if declarer_too:
        return deal.declarer
    return next(seat for seat in ring.around(ring.left(deal.declarer)) if ring.side(seat) in sides)


def punish_false_melds(
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


def round_written(ruleset: JackNineRuleset, settled: Settlement) -> Settlement:
    """Round the points written if the table does so; held points stay exact. Rule key: `score.rounding`."""
    match ruleset["rounding"]:
        case "off":
            return settled
        case "ten":
            scored = {side: (points + 5) // 10 * 10 for side, points in settled.scored.items()}
            return replace(settled, scored=scored, keys=(*settled.keys, "score.rounding"))
        case unknown:
            raise UnknownOption(unknown)
