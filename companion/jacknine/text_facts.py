"""The numbers and orders of a game that its texts name by placeholders."""

from collections.abc import Callable, Mapping, Sequence
from itertools import count

from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Card, Suit

from .phases.bidding import LEAST_BID
from .phases.count import find_deal_sums, find_side_sums
from .phases.melds import Run, value_meld
from .ruleset import JackNineRuleset


def find_text_fact(ruleset: JackNineRuleset, name: str) -> object:
    """Find a number, a rank or an order by its name in texts.

    `points.last`, `points.trump.K`, `points.plain.J`, `points.no_trumps.A`, `points.all_trumps.J`, `runs.3`,
    `fours.J`, `no_trumps_fours.A`; `order.plain`, `rank.jass`;
    `cards.hand`, `cards.in_play`, `cards.out` of play, `cards.suit` in a suit, `cards.more` after the first
    ones. A run longer than any named one is worth its pieces: `runs.7`; `runs.bela` is one of three with bela
    in it. Of a whole deal: `pack` is the worth of all cards, `pack.in_play` the most of those in play,
    `pack.words` of jass and nine too, `pack.all` with the last trick, with `no-trumps` or `all-trumps` behind
    it the same without trumps, or with all; `pack.unscaled` what lies on the cards then; `capot` what every
    trick counts, if not all cards are dealt `capot.least` to `capot.most`,
    `least` and `most` what cards, honours and last trick of all sides can come to, `most.melds` with runs and
    bela, `impossible` the lowest number that nobody can have of them. `pack.bela` and
    `capot.bela` hold bela too. `least_bid` is the lowest bid, `needs_points` what the declarer needs.

    `players` is how many play, `plain_error` the error that is simply put right. `order.row` is the
    highest row that holds a longest and a shortest run, in trumps worth `row.cards`, with bela
    `row.bela`, and `row.all` with a plain ace and all of these; `order.seven` the run of three down to
    the seven, `rank.run_top` the highest card of a run. `most.next` is the highest total below `most`,
    `most.never` the highest below it that cannot come about.

    `cards.discards` are laid away by the declarer, `pack.share` is what each of the others has of `pack.all`.
    `cards.left` are over after the first ones; `points.bela_jass` is bela with the jass in it.

    :raises KeyError: for an unknown name.
    """
    kind, _, key = name.partition(".")
    match kind:
        case "points":
            return _find_points(ruleset, key)
        case "runs":
            if key == "bela":
                return _value_run(ruleset, 3) + ruleset.bela_points
            return _value_run(ruleset, int(key))
        case "fours":
            return ruleset.four_points[key]
        case "no_trumps_fours":
            return ruleset.no_trumps_fours[key]
        case "order":
            return _orders(ruleset)[key]
        case "rank":
            return _ranks(ruleset)[key]
        case "row":
            return _find_row_sum(ruleset, key)
        case "cards":
            return _numbers(ruleset)[key]
        case _:
            return _find_sum(ruleset, name)


def _value_run(ruleset: JackNineRuleset, length: int) -> int:
    """Value a run; one longer than the game names by its pieces. :raises KeyError: if no hand holds it."""
    if length not in ruleset.run_points and not max(ruleset.run_points, default=9) < length <= ruleset.hand:
        raise KeyError(length)
    return value_meld(ruleset, Run(ruleset.ring.seats[0], length, ruleset.run_order[0]))


def _find_points(ruleset: JackNineRuleset, key: str) -> int:
    suit, _, rank = key.partition(".")
    if rank:
        values = {
            "trump": ruleset.trump_points,
            "plain": ruleset.plain_points,
            "no_trumps": ruleset.no_trumps_points,
            "all_trumps": ruleset.all_trumps_points,
        }
        return values[suit].get(rank, 0)
    return {
        "jass": ruleset.jass_points,
        "nine": ruleset.nine_points,
        "last": ruleset.last_points,
        "last_all": ruleset.last_all_points,
        "whole": ruleset.whole_points,
        "whole_all": ruleset.whole_all_points,
        "fall": int(str(ruleset.options.get("fall", 0))),  # written for the cards of a bid that failed
        "generale": int(str(ruleset.options.get("generale_bid", 0))),
        "bela": ruleset.bela_points,
        "bela_jass": ruleset.bela_points  # with the jass in it
        + ruleset.jass_points
        + ruleset.trump_points.get(ruleset.jass_rank, 0),
        # As a card and as a word.
        "full_jass": ruleset.jass_points + ruleset.trump_points.get(ruleset.jass_rank, 0),
        "full_nine": ruleset.nine_points + ruleset.trump_points.get(ruleset.nine_rank, 0),
    }[key]


def _orders(ruleset: JackNineRuleset) -> dict[str, Sequence[str]]:
    return {
        "trump": ruleset.orders.trump,
        "plain": ruleset.orders.plain,
        "pack": ruleset.ranks,
        "run": ruleset.run_order,
        "fours": ruleset.fours_order,
        "no_trumps_fours": tuple(ruleset.no_trumps_fours),
        "row": _find_row(ruleset),
        "seven": ruleset.seven_run,
    }


def _find_row(ruleset: JackNineRuleset) -> tuple[str, ...]:
    """Find the ranks of the highest row that is a longest and a shortest run."""
    lengths = ruleset.run_points or {0: 0}
    return ruleset.run_order[: max(lengths) + min(lengths)]


def _find_row_sum(ruleset: JackNineRuleset, name: str) -> int:
    """Find what the cards of the highest row in trumps bring, its bela, or all with runs and a plain ace."""
    row, lengths = _find_row(ruleset), ruleset.run_points
    cards = sum(ruleset.full_points(Card(rank, Suit.HEARTS), Suit.HEARTS) for rank in row)
    bela = ruleset.bela_points if {*ruleset.bela_ranks} <= {*row} else 0
    runs = lengths[max(lengths)] + lengths[min(lengths)] if lengths else 0
    return {"cards": cards, "bela": bela, "all": cards + ruleset.plain_points.get("A", 0) + bela + runs}[name]


def _ranks(ruleset: JackNineRuleset) -> dict[str, str | None]:
    high, low = (*ruleset.bela_ranks, None, None)[:2]
    named = {"jass": ruleset.jass_rank, "nine": ruleset.nine_rank, "seven": ruleset.seven_rank}
    return {**named, "bela_high": high, "bela_low": low, "run_top": ruleset.run_order[0]}


def _numbers(ruleset: JackNineRuleset) -> dict[str, int]:
    return {
        "pack": len(ruleset.pack),
        "first_hand": ruleset.first_hand,
        "hand": ruleset.hand,
        "in_play": ruleset.in_play,
        "suit": len(ruleset.ranks),
        "more": ruleset.hand - ruleset.first_hand,
        "more_turned": ruleset.hand - ruleset.first_hand - 1,  # beside the turned card
        "out": len(ruleset.pack) - ruleset.in_play,
        "discards": ruleset.discards,
        "left": len(ruleset.pack) - ruleset.first_hand * ruleset.ring.size,  # after the first ones
    }


def _find_sum(ruleset: JackNineRuleset, name: str) -> int:
    """Find a sum of a whole deal, or a single number; behind its name stands a contract that is no suit."""
    for contract, trump in ((".no-trumps", NO_TRUMPS), (".all-trumps", ALL_TRUMPS)):
        if name.endswith(contract):
            return _SUMS[name.removesuffix(contract)](ruleset, trump)
    return _SUMS[name](ruleset, Suit.HEARTS)


def _list_deal_sums(ruleset: JackNineRuleset, trump: str) -> list[int]:
    return sorted(find_deal_sums(ruleset, trump=trump, capot=False))


def _find_pack_in_play(ruleset: JackNineRuleset, trump: str) -> int:
    worth = sorted(ruleset.card_points(card, trump) for card in ruleset.pack)
    return sum(worth[-ruleset.in_play :])


def _find_impossible(ruleset: JackNineRuleset, trump: str) -> int:
    possible = find_side_sums(ruleset, None, trump=trump)
    return next(number for number in count(1) if number not in possible)


def _find_never(ruleset: JackNineRuleset, trump: str) -> int:
    sums = _list_deal_sums(ruleset, trump)
    return next(number for number in count(sums[-1], -1) if number not in sums)


_SUMS: Mapping[str, Callable[[JackNineRuleset, str], int]] = {
    "pack": lambda ruleset, trump: ruleset.all_cards(trump),
    "pack.in_play": _find_pack_in_play,
    "pack.words": lambda ruleset, trump: sum(ruleset.full_points(card, trump) for card in ruleset.pack),
    "pack.all": lambda ruleset, trump: ruleset.sum_deal(False, trump),
    "pack.unscaled": lambda ruleset, _trump: ruleset.sum_cards(ALL_TRUMPS) + ruleset.last_points,
    "pack.share": lambda ruleset, trump: ruleset.sum_deal(False, trump) // (len(ruleset.ring.sides) - 1),
    "pack.bela": lambda ruleset, trump: ruleset.sum_deal(False, trump) + ruleset.bela_points,
    "capot": lambda ruleset, trump: ruleset.sum_deal(True, trump),
    "capot.least": lambda ruleset, trump: min(find_deal_sums(ruleset, trump=trump, capot=True)),
    "capot.most": lambda ruleset, trump: max(find_deal_sums(ruleset, trump=trump, capot=True)),
    "capot.bela": lambda ruleset, trump: ruleset.sum_deal(True, trump) + ruleset.bela_points,
    "least_bid": lambda _ruleset, _trump: LEAST_BID,
    "least": lambda ruleset, trump: _list_deal_sums(ruleset, trump)[0],
    "most": lambda ruleset, trump: _list_deal_sums(ruleset, trump)[-1],
    "most.next": lambda ruleset, trump: _list_deal_sums(ruleset, trump)[-2:][0],
    "most.never": _find_never,
    "most.melds": lambda ruleset, _trump: ruleset.max_points,
    "impossible": _find_impossible,
    "players": lambda ruleset, _trump: ruleset.ring.size,
    "needs_points": lambda ruleset, _trump: int(ruleset["needs_points"]),
    "plain_error": lambda ruleset, _trump: int(ruleset["plain_error"]),
}
"""Sums of a whole deal, and single numbers, by their names."""
