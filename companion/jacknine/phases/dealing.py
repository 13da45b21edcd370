"""The first dealer, and the dealer after a deal that was not played."""

from collections.abc import Mapping

from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Card
from companion.rules.seats import Seat

from .auction import OfferTerms


def find_first_dealer(ruleset: JackNineRuleset, drawn: Mapping[Seat, Card]) -> Seat | None:
    """Find the first dealer by the drawn cards: the holder of the highest rank, or of the lowest.

    None if two such are equal, so that the cards have to be drawn again, and if the game leaves the first
    deal to the lot. Rule key: `deal.first`.
    """
    order = {
        "trump": ruleset.orders.trump,
        "run": ruleset.run_order,
        "run-lowest": ruleset.run_order[::-1],
        "lot": (),
    }[ruleset["first_deal_order"]]
    if not order:
        return None
    best = min(order.index(card.rank) for card in drawn.values())
    holders = [seat for seat, card in drawn.items() if order.index(card.rank) == best]
    return holders[0] if len(holders) == 1 else None


def find_next_dealer(
    ruleset: JackNineRuleset, dealer: Seat, terms: OfferTerms | None = None, *, after_schmeiss: bool = False
) -> Seat:
    """Find the dealer after a throw-in, or after an accepted offer.

    An offer with further deals leaves the deal with the same dealer, and so does at some tables a deal that
    was passed out. `after_schmeiss`: it was thrown in after a schmeiss. Rule key: `deal.next-thrown-in`.
    """
    same = ruleset.has_option("passed_out", "same") if terms is None else terms.deals > 0
    if after_schmeiss:
        same = same or ruleset["schmeiss_redeal"] == "same"
    return dealer if same else ruleset.ring.left(dealer)
