"""What follows from totals of which one is left out."""

from collections.abc import Mapping

from companion.jacknine.entries import Deal, read_entry
from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.errors import Unreadable
from companion.rules.seats import Seat, Side

from .read import read_deal


def infer_total(
    ruleset: JackNineRuleset, entry: Mapping[str, object], dealer: Seat | None
) -> dict[Side, int]:
    """The points that are left for the one side whose total is missing; empty where nothing follows.

    `entry` is the JSON of a deal, `dealer` who dealt it. Declared melds are part of what is shared out;
    melds that are not declared are taken to be none. Rule key: `score.rest`.

    >>> from companion import library
    >>> ruleset = library.open_game("klaberjass-4").family.ruleset
    >>> deal = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 90}}
    >>> infer_total(ruleset, deal, dealer="D")
    {'B': 72}
    """
    stated = entry.get("totals")
    totals = dict(stated) if isinstance(stated, Mapping) else {}
    absent = [side for side in ruleset.ring.sides if side not in totals]
    if not ruleset.all_dealt or len(absent) != 1 or dealer is None or "call" in entry or "penalty" in entry:
        return {}
    try:
        deal = read_entry(ruleset, {**entry, "totals": {**totals, absent[0]: 0}}, "")
    except Unreadable:
        return {}
    assert isinstance(deal, Deal) and deal.totals is not None
    reading = read_deal(ruleset, deal, 1, dealer)
    if reading.trump is None:
        return {}
    honours = {"jass": ruleset.jass_points, "nine": ruleset.nine_points}
    whole = ruleset.all_cards(reading.suit) + sum(honours[word] for word in ruleset.honours(reading.suit))
    left = whole + ruleset.last_points + sum(reading.meld_points.values()) - sum(deal.totals.values())
    return {absent[0]: left} if left >= 0 else {}
