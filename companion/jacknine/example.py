"""An example of a deal, for any table of the family."""

from collections.abc import Iterator, Mapping
from typing import Any

from companion.rules.cards import Card, parse_card

from .ruleset import JackNineRuleset


def write_example_deals(ruleset: JackNineRuleset, deal: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Write an example of a deal as entries of a record, one for each of its `declarers`.

    `first` and `others` are cards from the top of a pile: the others have a minority of the tricks, the side
    of the first declarer the rest. What the game has no place for, bid, bela or runs, is left out. The first
    seat is elder hand, unless `dealer` says otherwise, because only elder hand may choose trumps.
    """
    ring, trump = ruleset.ring, deal["trump"]
    first = ring.side(deal["declarers"][0])
    tricks = (ruleset.hand - 1) // 2 // (len(ring.sides) - 1)
    size = tricks * ring.size
    others = [card for card in map(parse_card, deal["others"]) if card in ruleset.pack]
    piles: dict[str, list[Card]] = {}
    for place, side in enumerate(ring.others(first)):
        piles[side] = others[place * size : (place + 1) * size]
    taken = {card for pile in piles.values() for card in pile}
    known = [card for card in map(parse_card, deal["first"]) if card in ruleset.pack]
    rest = [card for card in dict.fromkeys([*known, *ruleset.pack]) if card not in taken]
    piles[first] = rest[: ruleset.in_play - len(taken)]
    runs = [run for run in deal["runs"] if ruleset.run_points and {*map(parse_card, run["cards"])} <= {*rest}]
    entry = {
        "type": "deal",
        "count": {
            "cards": {
                side: sum(ruleset.card_points(card, trump) for card in piles[side]) for side in ring.sides
            },
            **dict.fromkeys(("jass", "nine", "last"), first),
        },
        **({"runs": runs} if runs else {}),
        **({"fours": []} if ruleset.fours else {}),
        **({"bela": deal["bela"]} if ruleset.bela_points else {}),
    }
    for declarer in deal["declarers"]:
        contract = {"declarer": declarer, "trump": trump}
        elder = declarer in ruleset.list_callers(ring.seats[0])
        dealt = {} if elder else {"dealer": ring.left(declarer, -1)}
        yield (
            entry | dealt | {"contract": contract | ({"points": deal["bid"]} if ruleset.bids_points else {})}
        )
