"""Coinche and Contrée counted a second time, from the rules alone, with all house rules of what counts."""

from math import floor
from random import Random
from typing import Any

import pytest
from naive import ALL_TRUMPS, NO_TRUMPS, WAYS, value
from tiers import is_nightly

from companion import library
from companion.record import record as records
from companion.rules.cards import pack

MATCHES = 6_000 if is_nightly() else 60
DEALS = 8
CHOICES: dict[str, list[Any]] = {
    "contracts": ["suits", "all"],
    "no_trumps_jack": [2, 0],
    "all_trumps_values": ["ffb", "jack-14", "ten-4", "scaled"],
    "all_trumps_belote": ["each", "none"],
    "lowest_bid": [80, 82],
    "bid_step": [10, 5],
    "generale": ["off", "on"],
    "needs_more": [True, False],
    "towards_bid": ["all", "without-belote", "cards"],
    "written": ["made-and-bid", "made-and-bid", "bid"],
    "doubled": ["all", "bid"],
    "fall": [160, 162, 0],
    "capot_bid": [250, 500],
    "generale_bid": [500, 1000],
    "capot_points": [252, 250],
    "capot_bonus": ["always", "bid-only"],
    "tie": ["hang", "bait", "made"],
    "rounding": ["ten", "off"],
    "trickless": ["runs-pass", "runs-count"],
    "misdeal": ["redeal", "points"],
    "passed_out": ["next", "same"],
    "redouble": [4, 3],
}
OF_POINTS = ("doubled", "capot_bid", "generale_bid", "capot_points", "capot_bonus", "tie", "rounding")
OF_CONTRACTS = ("no_trumps_jack", "all_trumps_values", "all_trumps_belote")
CARDS = pack(("A", "K", "Q", "J", "10", "9", "8", "7"))
RUNS = {20: (3, "9"), 50: (4, "10"), 100: (5, "J")}

Facts = dict[str, Any]
Points = dict[str, int]


def draw_table(random: Random, game: str) -> Facts:
    """The choices of a table that change something beside each other; the others are as usual."""
    usual: Facts = {name: values[0] for name, values in CHOICES.items()}
    table = {name: random.choice(values) for name, values in CHOICES.items()}
    idle = {
        *(OF_POINTS if table["written"] == "bid" else ["fall"] if table["fall"] == 0 else []),
        *(OF_CONTRACTS if table["contracts"] == "suits" else []),
        *([] if table["needs_more"] else ["tie"]),
        *(["generale_bid"] if table["generale"] == "off" else []),
    }
    if game == "contree":
        idle |= {"trickless"} | ({"towards_bid"} if table["towards_bid"] == "cards" else set())
    return table | {name: usual[name] for name in idle}


def other(side: str) -> str:
    return "B" if side == "A" else "A"


def side_of(seat: str) -> str:
    return "A" if seat in "AC" else "B"


def value_cards(table: Facts, trump: str) -> dict[Any, int]:
    """The points of each card on the table, honours in it."""
    way = WAYS["coinche"]
    if trump == "NT":
        return {card: (NO_TRUMPS | {"J": table["no_trumps_jack"]}).get(card.rank, 0) for card in CARDS}
    if trump == "AT":
        return {card: ALL_TRUMPS[table["all_trumps_values"]].get(card.rank, 0) for card in CARDS}
    honours = {"J": 20, "9": 14}
    return {
        card: value(way, card, trump) + (honours.get(card.rank, 0) if card.suit == trump else 0)
        for card in CARDS
    }


def draw_deal(random: Random, game: str, table: Facts) -> Facts:
    """A deal as everybody saw it."""
    what = random.random()
    if what < 0.08:
        return {"passed_out": True} if what < 0.05 else {"redealt": True}
    trump = random.choice("SHDC" if table["contracts"] == "suits" else ["S", "H", "NT", "AT"])
    bids = [table["lowest_bid"], 90, 100, 120, "capot"]
    bids += [85] if table["bid_step"] == 5 else []
    bids += ["generale", "generale"] if table["generale"] == "on" else []
    deal: Facts = {"declarer": random.choice("ABCD"), "trump": trump, "points": random.choice(bids)}
    deal["double"] = random.choice([1, 1, 1, 2, table["redouble"]])
    most = {"NT": 0, "AT": 4}.get(trump, 1)
    deal["belas"] = [random.choice("ABCD") for _ in range(random.randint(0, most))]
    deal["melds"] = (random.choice("ABCD"), random.choice([20, 50, 100]), random.choice("SHDC"))
    if game == "contree" or random.random() < 0.5:
        deal["melds"] = None
    if what < 0.14:
        return deal | {"offence": "revoke", "by": random.choice("AB")}
    if what < 0.2 and table["misdeal"] == "points":
        return deal | {"offence": "misdeal", "by": random.choice("AB")}
    tricks = random.choice([0, 8, 8, *range(1, 8)])
    values = value_cards(table, trump)
    mine = random.sample(CARDS, 4 * tricks)
    cards = {"A": sum(values[card] for card in mine)}
    cards["B"] = sum(values.values()) - cards["A"]
    last = random.choice([side for side, taken in (("A", tricks), ("B", 8 - tricks)) if taken])
    cards[last] += 10
    swept = {0: "B", 8: "A"}.get(tricks)
    return deal | {"cards": cards, "swept": swept, "alone": random.random() < 0.5}


def scale(table: Facts, deal: Facts, cards: Points) -> Points:
    """The points of both sides as they are written, without what every trick counts more."""
    if deal["trump"] != "AT" or table["all_trumps_values"] != "scaled":
        return cards
    first = floor(cards["A"] * 162 / 258 + 0.5)
    return {"A": first, "B": 162 - first}


def count_belas(table: Facts, deal: Facts) -> Points:
    seats = [] if deal["trump"] == "AT" and table["all_trumps_belote"] == "none" else deal["belas"]
    return {side: 20 * sum(side_of(seat) == side for seat in seats) for side in "AB"}


def tell(random: Random, game: str, table: Facts, deal: Facts) -> Facts:
    """The entry of a deal, told in one of the ways of a table."""
    if "passed_out" in deal:
        return {"type": "deal", "thrown_in": True}
    if "redealt" in deal:
        return {"type": "deal", "redeal": "misdeal"}
    contract = {name: deal[name] for name in ("declarer", "trump", "points", "double")}
    entry: Facts = {"type": "deal", "contract": contract}
    if deal.get("offence"):
        entry["penalty"] = {"side": deal["by"], "offence": deal["offence"]}
    if deal.get("offence") != "misdeal":
        note_melds(game, deal, entry)
    return entry if deal.get("offence") else note_count(random, table, deal, entry)


def note_melds(game: str, deal: Facts, entry: Facts) -> None:
    """Add melds and belotes to an entry."""
    if deal["belas"]:
        entry["bela"] = deal["belas"] if len(deal["belas"]) > 1 else deal["belas"][0]
    if game == "coinche":
        entry |= {"runs": [], "fours": []}
        if deal["melds"]:
            seat, points, suit = deal["melds"]
            length, top = RUNS[points]
            entry["runs"] = [{"seat": seat, "length": length, "top": top, "suit": suit}]


def note_count(random: Random, table: Facts, deal: Facts, entry: Facts) -> Facts:
    """The entry with what each side made, by the points of its tricks or by whole counts."""
    written = scale(table, deal, deal["cards"])
    if deal["swept"]:
        entry["trickless"] = other(deal["swept"])
    elif 0 in deal["cards"].values():
        entry["trickless"] = None
    if deal["points"] == "generale" and deal["swept"] == side_of(deal["declarer"]):
        entry["alone"] = deal["alone"]
    if random.random() < 0.5:
        more = max("AB", key=lambda side: deal["cards"][side])
        return entry | {"count": {"points": {more: deal["cards"][more]}}}
    belas = count_belas(table, deal)
    totals = {side: written[side] + belas[side] for side in "AB"}
    if deal["melds"]:
        totals[side_of(deal["melds"][0])] += deal["melds"][1]
    return entry | {"totals": totals}


def value_bid(table: Facts, bid: Any) -> tuple[int, bool]:
    """The worth of a bid, and whether that is all that is written of cards, fall and bid."""
    if table["written"] == "bid":
        return {"capot": 250, "generale": 500}.get(bid, bid), False
    worth = {"capot": table["capot_bid"], "generale": table["generale_bid"]}.get(bid, bid)
    return worth, (bid, worth) in (("capot", 500), ("generale", 1000))


def lose(table: Facts, deal: Facts, loser: str, melds: int, belas: Points) -> Points:
    """The points that both sides write if one of them has lost the deal."""
    worth, whole = value_bid(table, deal["points"])
    winner, double = other(loser), deal["double"]
    if table["written"] == "bid":
        return {loser: 0, winner: (table["fall"] + worth) * double}
    beside = (0 if whole else table["fall"]) + melds + belas[winner]
    times = double if table["doubled"] == "all" else 1
    return {loser: belas[loser], winner: beside * times + worth * double}


def make(table: Facts, deal: Facts) -> tuple[Points, Points, int, bool]:
    """The points of both sides, the melds of each, what every trick counts, and whether it counts more."""
    belas, cards, swept = count_belas(table, deal), scale(table, deal, deal["cards"]), deal["swept"]
    bonus = table["written"] == "bid" or table["capot_bonus"] == "always"
    counts = bonus or deal["points"] in ("capot", "generale")
    every = 250 if table["capot_points"] == 250 else sum(cards.values()) + 90
    melds = {"A": 0, "B": 0}
    if deal["melds"]:
        melds[side_of(deal["melds"][0])] = deal["melds"][1]
    if swept and counts:
        cards = {swept: every, other(swept): 0}
    if swept and table["trickless"] == "runs-pass":
        melds = {swept: sum(melds.values()), other(swept): 0}
    return {side: cards[side] + belas[side] + melds[side] for side in "AB"}, melds, every, counts


def decide(table: Facts, deal: Facts, made: Points, melds: Points) -> str:
    """The end of a bid: it was made, failed, or both sides have as much and the takers' points hang."""
    taker, bid = side_of(deal["declarer"]), deal["points"]
    against = other(taker)
    if bid in ("capot", "generale"):
        enough = deal["swept"] == taker and (bid == "capot" or deal["alone"])
        return "made" if enough else "failed"
    helps = made[taker]
    helps -= count_belas(table, deal)[taker] if table["towards_bid"] != "all" else 0
    helps -= melds[taker] if table["towards_bid"] == "cards" else 0
    if helps < bid:
        return "failed"
    if not table["needs_more"] or made[taker] > made[against]:
        return "made"
    if made[taker] < made[against] or deal["double"] > 1 or table["written"] == "bid":
        return "failed"
    return {"hang": "hangs", "bait": "failed", "made": "made"}[table["tie"]]


def write(table: Facts, deal: Facts, held: list[int]) -> tuple[Points, list[int]]:
    """The points that both sides write for a deal, before they are rounded, and what hangs after it."""
    taker, double, belas = side_of(deal["declarer"]), deal["double"], count_belas(table, deal)
    against, (worth, whole) = other(taker), value_bid(table, deal["points"])
    if deal.get("offence") == "misdeal":
        return lose(table, deal, deal["by"], 0, {"A": 0, "B": 0}), held
    if deal.get("offence"):
        written = lose(table, deal, deal["by"], deal["melds"][1] if deal["melds"] else 0, belas)
        return add(written, other(deal["by"]), held), []
    made, melds, every, counts = make(table, deal)
    match decide(table, deal, made, melds):
        case "hangs":
            return {taker: 0, against: made[against]}, [*held, made[taker]]
        case "failed":
            return add(lose(table, deal, taker, sum(melds.values()), belas), against, held), []
    if table["written"] == "bid":
        written = {taker: worth * double, against: 0}
    elif double == 1 or table["doubled"] == "bid":
        written = {taker: made[taker] - (every if whole else 0) + worth * double, against: made[against]}
    else:
        taken = 0 if whole else 250 if deal["swept"] == taker and counts else 160
        beside = taken + sum(melds.values()) + belas[taker]
        written = {taker: (beside + worth) * double, against: belas[against]}
    return add(written, taker, held), []


def add(written: Points, side: str, held: list[int]) -> Points:
    return {**written, side: written[side] + sum(held)}


@pytest.mark.slow
def test_matches_come_to_what_a_second_count_makes_of_them() -> None:
    random = Random(160)
    for number in range(MATCHES):
        game = ["coinche", "contree"][number % 2]
        table = draw_table(random, game)
        totals, held, dealer = {"A": 0, "B": 0}, list[int](), "A"
        deals, expected = list[Facts](), list[Any]()
        for _ in range(DEALS):
            deal = draw_deal(random, game, table)
            deals.append(tell(random, game, table, deal))
            if "declarer" in deal:
                written, held = write(table, deal, held)
                if table["rounding"] == "ten" and table["written"] != "bid":
                    written = {side: (points + 5) // 10 * 10 for side, points in written.items()}
                totals = {side: totals[side] + written[side] for side in "AB"}
            stays = "redealt" in deal or ("passed_out" in deal and table["passed_out"] == "same")
            dealer = dealer if stays else "BCDA"["ABCD".index(dealer)]
            expected.append((dict(totals), tuple(held)))
        unknown = {"trickless", "towards_bid"} if game == "contree" else set()
        usual = {name: values[0] for name, values in CHOICES.items()}
        agreed = {name: value for name, value in table.items() if name not in unknown or value != usual[name]}
        head = {"format": "companion-match", "version": 1, "game": game, "first_dealer": "A"}
        head |= {"players": ["Ewa", "Jan", "Ola", "Piotr"], "conventions": {**agreed, "deals": 99}}
        record, opened = records.read_record({**head, "entries": deals}, library.open_game)
        state: Any = records.fold_record(record, opened.family)
        assert not state.problems, (game, table, deals, state.problems[0])
        assert [(dict(row.totals), row.held) for row in state.rows] == expected, (game, table, deals)
        assert state.next_dealer == dealer, (table, deals)
