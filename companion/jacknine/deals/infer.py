"""What follows from a count that is only half told: the cards and totals of the other side."""

from collections.abc import Mapping
from typing import Any

from companion.jacknine.entries import Deal, read_entry
from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.schema import Unreadable
from companion.rules.seats import Seat

from .read import read_deal


def infer_total(ruleset: JackNineRuleset, entry: Mapping[str, Any], dealer: Seat | None) -> dict[str, int]:
    """The whole count that is left for the one side whose total is not told; empty where nothing follows.

    The melds that were told are part of what is shared out; melds that nobody told are none.
    Rule key: `score.rest`.
    """
    told = entry.get("totals") or {}
    absent = [side for side in ruleset.ring.sides if side not in told]
    if not ruleset.all_dealt or len(absent) != 1 or dealer is None or "call" in entry or "penalty" in entry:
        return {}
    try:
        deal = read_entry(ruleset, {**entry, "totals": {**told, absent[0]: 0}}, "")
    except Unreadable:
        return {}
    assert isinstance(deal, Deal)
    reading = read_deal(ruleset, deal, 1, dealer)
    if reading.trump is None:
        return {}
    honours = {"jass": ruleset.jass_points, "nine": ruleset.nine_points}
    whole = ruleset.all_cards(reading.suit) + sum(honours[word] for word in ruleset.honours(reading.suit))
    left = whole + ruleset.last_points + sum(reading.words.values()) - sum(told.values())
    return {absent[0]: left} if left >= 0 else {}
