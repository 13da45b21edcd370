"""Penalties for a whole deal: for a revoke, for a wrong deal, for whatever else the game punishes."""

from collections.abc import Mapping, Sequence

from companion.jacknine.game_file import DEALING_OFFENCES
from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.message import Message, SideName
from companion.rules.seats import Seat, Side

from .bidding import Bid
from .settle_bid import write_bid
from .settlement import Settlement, punish_false_melds, round_written
from .shares import split_points


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
        written = write_bid(ruleset, others[0], None, bela, bid)
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
    return round_written(ruleset, punish_false_melds(ruleset, settled, false_melds or {}))


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
    (other,) = ruleset.ring.others(offender)
    points = ruleset.sum_deal(capot=False)
    if bid is not None:
        points = write_bid(ruleset, other, None, (), bid)[other]
    names: dict[str, object] = {"offence": describe_offence(offender, offence), "other": SideName(other)}
    match ruleset["misdeal"]:
        case "points" | "after-bid":
            scored = ruleset.zeros() | {other: points}
            after = _find_dealer_after_penalty(ruleset, [other], dealer)
            why = Message("{offence}: {other} {other:writes|write} {points}.", points=points, **names)
            keys = (f"penalty.{offence}", "deal.next")
            return round_written(ruleset, Settlement("penalty", scored, tuple(held), after, why, keys, other))
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
