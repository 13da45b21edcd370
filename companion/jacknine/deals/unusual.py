"""Counts that are rare, so that whoever wrote them counts again."""

from functools import lru_cache

from companion.jacknine.entries import Deal
from companion.jacknine.phases.count import TRICK_WORDS, find_deal_sums
from companion.jacknine.ruleset import JackNineRuleset
from companion.jacknine.state import JackNineRow
from companion.rules.cards import Suit
from companion.rules.message import Message, SideName

RARE = 10_000
"""One random deal in so many has fewer points than usual, and one in so many has more."""
_FRACTION = 6
"""Next to nothing is less than one part in so many of the points of cards, words and bela."""


def explain_unusual(ruleset: JackNineRuleset, row: JackNineRow) -> Message | None:
    """Find the reason to check the count of a deal played to its end again; None if it is ordinary.

    Either all sides together have more or less than all but rare deals bring, or one has more than cards,
    words and bela hold while the others have next to nothing. Declared melds explain their own points.

    >>> from companion import library
    >>> game = library.open_game("derda").family
    >>> head = {"players": ["Ewa", "Jan"], "first_dealer": "A"}
    >>> deal = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 258, "B": 2}}
    >>> row = game.apply(game.start(head), game.read(deal, "")).rows[-1]
    >>> explain_unusual(game.ruleset, row).render()
    'Together 260; more than 216 is rare.'
    """
    deal = row.entry
    if not isinstance(deal, Deal) or row.made is None or deal.call or deal.penalty or deal.tricks:
        return None
    sides = ruleset.ring.sides
    melds = {
        side: sum(line.points for line in row.lines if line.side == side and line.word not in TRICK_WORDS)
        for side in sides
    }
    made, trump = {side: row.made[side] - melds[side] for side in sides}, row.trump or Suit.HEARTS
    if row.capot is not None:
        made[row.capot] -= ruleset.capot_extra(trump)
    unknown = 0
    if deal.totals is not None:
        unknown += 0 if deal.belas else ruleset.bela_points
        unknown += 0 if deal.runs else max(ruleset.run_points.values(), default=0)
    least, most = find_usual_sums(ruleset)
    if not ruleset.all_dealt and not least <= sum(made.values()) <= most + unknown:
        return _compare(sum(made.values()), least, most + unknown, any(melds.values()))
    plenty = max(find_deal_sums(ruleset, trump=trump)) + ruleset.bela_points * len(ruleset.pairs(trump))
    high = max(sides, key=lambda side: made[side])
    rest = sum(row.made[side] for side in sides if side != high)
    if made[high] > plenty and rest * _FRACTION < plenty and not deal.trickless:
        return Message(
            "{found} for {side} needs runs, with almost nothing for the other side.",
            found=row.made[high],
            side=SideName(high),
        )
    return None


def _compare(found: int, least: int, most: int, declared: bool) -> Message:
    """Compare the sum of the sides, without anything declared, with the usual sums."""
    if found < least and declared:
        return Message(
            "Together {found} without what was declared; less than {least} is rare.", found=found, least=least
        )
    if found < least:
        return Message("Together {found}; less than {least} is rare.", found=found, least=least)
    if declared:
        return Message(
            "Together {found} without what was declared; more than {most} is rare.", found=found, most=most
        )
    return Message("Together {found}; more than {most} is rare.", found=found, most=most)


@lru_cache(maxsize=64)
def find_usual_sums(ruleset: JackNineRuleset) -> tuple[int, int]:
    """The least and the most points of cards, honours and last trick in all but rare deals.

    >>> from companion import library
    >>> find_usual_sums(library.open_game("derda").family.ruleset)
    (44, 146)
    """
    # ways[k][n]: how many choices of k cards come to n points.
    ways: list[dict[int, int]] = [{0: 1}, *({} for _ in range(ruleset.in_play))]
    for card in ruleset.pack:
        points = ruleset.full_points(card, Suit.HEARTS)
        for chosen in range(ruleset.in_play, 0, -1):
            for total, choices in ways[chosen - 1].items():
                ways[chosen][total + points] = ways[chosen].get(total + points, 0) + choices
    deals = ways[ruleset.in_play]
    return _bound(deals, sorted(deals)) + ruleset.last_points, _bound(
        deals, sorted(deals, reverse=True)
    ) + ruleset.last_points


def _bound(deals: dict[int, int], totals: list[int]) -> int:
    """The first of these totals that is not rare, coming from one end."""
    beyond, all_deals = 0, sum(deals.values())
    for total in totals:
        beyond += deals[total]
        if beyond * RARE >= all_deals:
            return total
    return totals[-1]
