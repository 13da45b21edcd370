"""Belote and its kin, and Clabber, counted a second time, from the rules alone: deals, and who wins."""

from random import Random
from typing import Any

from tiers import is_nightly

from companion import library
from companion.record import record as records

MATCHES = 6_000 if is_nightly() else 200
CONVENTIONS: dict[str, list[Any]] = {
    "tie": ["hang", "bait", "made"],
    "rounding": ["off", "ten"],
    "deals": [0, 3],
    "target": [300],
}
OF_BIDS: dict[str, list[Any]] = CONVENTIONS | {
    "written": ["made-and-bid", "bid"],
    "capot_bonus": ["always", "bid-only"],
    "belote_out": ["trick", "wins"],
    "target": [900],
}
GAMES = {"belote": CONVENTIONS, "contree": OF_BIDS, "coinche": OF_BIDS}


def draw_deal(random: Random) -> dict[str, Any]:
    """A deal as it is written at the table, without annonces; now and then one that is not played."""
    what = random.random()
    if what < 0.1:
        return {"type": "deal", **random.choice([{"thrown_in": True}, {"redeal": "misdeal"}])}
    deal: dict[str, Any] = {"type": "deal", "contract": {"declarer": random.choice("ABCD"), "trump": "H"}}
    bela = random.choice([None, None, *"ABCD"])
    deal |= {"bela": bela} if bela else {}
    if what < 0.2:
        return deal | {"penalty": {"side": random.choice("AB"), "offence": "revoke"}}
    tricks = random.choice(
        [(252, 0), (0, 252), (162, 0), (0, 162), (81, 81), (91, 71), (71, 91)] + [(60, 102), (96, 66)] * 2
    )
    points = dict(zip("AB", tricks, strict=True))
    if 0 in tricks and (162 in tricks or random.random() < 0.5):
        deal["trickless"] = None if 162 in tricks else "AB"[tricks.index(0)]
    if random.random() < 0.3:
        more = max("AB", key=lambda side: points[side])
        return deal | {"count": {"points": {more: points[more]}}}
    if bela:
        points["A" if bela in "AC" else "B"] += 20
    return deal | {"totals": points}


def draw_bid(random: Random, game: str) -> dict[str, Any]:
    """A deal that was played for a bid, perhaps doubled; where there are melds they are within the totals."""
    deal = draw_deal(random)
    if "contract" not in deal:
        return deal
    deal["contract"] |= {
        "points": random.choice([80, 90, 120, "capot"]),
        "double": random.choice([1, 1, 2, 4]),
    }
    if game == "coinche" and "penalty" not in deal:
        points = deal.pop("count", {"points": deal.get("totals")})["points"]
        if len(points) == 1:
            points = add_up(points, {own: 20 * (own == side_of(deal.get("bela"))) for own in "AB"})
        rest = {own: points[own] - 20 * (own == side_of(deal.get("bela"))) for own in "AB"}
        deal["trickless"] = next((own for own in "AB" if not rest[own] and 252 in rest.values()), None)
        points[random.choice("AB")] += random.choice([0, 0, 20, 50, 100])
        deal["totals"] = points
    return deal


def reduce_to_cards(random: Random, deal: dict[str, Any]) -> dict[str, Any]:
    """The deal, every trick now and then told as who counts the cards would: 162 and not 252."""
    if deal.get("trickless") and random.random() < 0.5:
        stated = deal.get("totals") or deal["count"]["points"]
        stated["B" if deal["trickless"] == "A" else "A"] -= 90
    return deal


def count_every_trick(made: dict[str, int], own: dict[str, int], deal: dict[str, Any]) -> dict[str, int]:
    """What was made where every trick counts 252, however it was told."""
    if deal.get("trickless"):
        winner = "B" if deal["trickless"] == "A" else "A"
        over = made[winner] - own[winner] - 252
        return {**made, winner: made[winner] + (90 if over < 0 or over in (10, 30) else 0)}
    return made


def side_of(seat: str | None) -> str | None:
    return None if seat is None else "A" if seat in "AC" else "B"


def write_bid(
    deal: dict[str, Any], chosen: dict[str, Any], held: list[int]
) -> tuple[dict[str, int], list[int], set[str], set[str]]:
    """What both sides write after a bid, what hangs, who was baited, who was without a trick."""
    bid, double = deal["contract"]["points"], deal["contract"]["double"]
    taker, belote = side_of(deal["contract"]["declarer"]) or "", side_of(deal.get("bela"))
    other = "B" if taker == "A" else "A"
    worth, own = 250 if bid == "capot" else bid, {side: 20 * (side == belote) for side in "AB"}
    if "penalty" in deal:
        loser = deal["penalty"]["side"]
        return (*lose(chosen, loser, worth, double, 0, own, held), {loser}, set())
    made = dict(deal.get("totals") or add_up(deal["count"]["points"], own))
    made = count_every_trick(made, own, deal)
    none = {deal["trickless"]} if deal.get("trickless") else set()
    if "trickless" not in deal:
        none = {
            side for side in "AB" if sum(made.values()) - sum(own.values()) == 252 and made[side] == own[side]
        }
    swept = {"B" if side == "A" else "A" for side in none}
    melds = sum(made.values()) - sum(own.values()) - (252 if swept else 162)
    counts = chosen["capot_bonus"] == "always" or chosen["written"] == "bid" or bid == "capot"
    for side in none:
        winner = "B" if side == "A" else "A"
        made = {side: own[side], winner: made[winner] + made[side] - own[side] - (0 if counts else 90)}
    equal = made[taker] == made[other]
    if (
        bid != "capot"
        and made[taker] >= bid
        and equal
        and double == 1
        and chosen["written"] == "made-and-bid"
    ):
        if chosen["tie"] == "hang":
            return {taker: 0, other: made[other]}, [*held, made[taker]], set(), none
        enough = chosen["tie"] == "made"
    else:
        enough = taker in swept if bid == "capot" else made[taker] >= bid and made[taker] > made[other]
    if not enough:
        return (*lose(chosen, taker, worth, double, melds, own, held), {taker}, none)
    if chosen["written"] == "bid":
        written = {taker: worth * double, other: 0}
    elif double == 1:
        written = {taker: made[taker] + worth, other: made[other]}
    else:
        cards = 250 if taker in swept and counts else 160
        written = {taker: (cards + melds + own[taker] + worth) * double, other: own[other]}
    written[taker] += sum(held)
    return written, [], set(), none


def lose(
    chosen: dict[str, Any],
    loser: str,
    worth: int,
    double: int,
    melds: int,
    own: dict[str, int],
    held: list[int],
) -> tuple[dict[str, int], list[int]]:
    """A bid that failed, or a deal that was given away."""
    winner = "B" if loser == "A" else "A"
    if chosen["written"] == "bid":
        return {loser: 0, winner: (160 + worth) * double + sum(held)}, []
    return {loser: own[loser], winner: (160 + melds + own[winner] + worth) * double + sum(held)}, []


def add_up(stated: dict[str, int], belote: dict[str, int]) -> dict[str, int]:
    """The totals that follow from the points of one side's tricks."""
    ((side, points),) = stated.items()
    rest = {side: points, "AB".replace(side, ""): 0 if points == 252 else 162 - points}
    return {own: rest[own] + belote[own] for own in "AB"}


def write(deal: dict[str, Any], chosen: dict[str, Any], held: list[int]) -> tuple[dict[str, int], list[int]]:
    """What both sides write for a deal that was played, and what hangs after it."""
    taker = "A" if deal["contract"]["declarer"] in "AC" else "B"
    belote = {"A": 0, "B": 0}
    if "bela" in deal:
        belote["A" if deal["bela"] in "AC" else "B"] = 20
    loser = taker
    if "penalty" in deal:
        loser, everything = deal["penalty"]["side"], 162 + sum(belote.values())
    else:
        points = deal.get("totals") or add_up(deal["count"]["points"], belote)
        points = count_every_trick(points, belote, deal)
        everything = sum(points.values())
        other = "B" if taker == "A" else "A"
        if points[taker] == points[other] and chosen["tie"] == "hang":
            written, held = {taker: 0, other: points[other]}, [*held, points[taker]]
            return {side: round_off(n, chosen) for side, n in written.items()}, held
        if points[taker] > points[other] or points[taker] == points[other] and chosen["tie"] == "made":
            written = {**points, taker: points[taker] + sum(held)}
            return {side: round_off(n, chosen) for side, n in written.items()}, []
    winner = "B" if loser == "A" else "A"
    written = {loser: belote[loser], winner: everything - belote[loser] + sum(held)}
    return {side: round_off(n, chosen) for side, n in written.items()}, []


def round_off(points: int, chosen: dict[str, Any]) -> int:
    return 10 * int((points + 5) / 10) if chosen["rounding"] == "ten" else points


def test_matches_come_to_what_a_second_count_makes_of_them() -> None:
    random, ended = Random(28), set()
    for number in range(MATCHES):
        game = [*GAMES][number % len(GAMES)]
        chosen = {name: random.choice(values) for name, values in GAMES[game].items()}
        if chosen.get("written") == "bid":  # then all this is idle
            chosen = {name: value for name, value in chosen.items() if name in ("written", "deals", "target")}
        usual = {"tie": "hang", "rounding": "ten", "capot_bonus": "always", "belote_out": "trick"} | chosen
        deals, totals, held, played = list[Any](), {"A": 0, "B": 0}, list[int](), 0
        expected, winner, waiting = list[Any](), None, set[str]()
        while winner is None and len(deals) < 12:
            deal = draw_deal(random) if game == "belote" else draw_bid(random, game)
            deal = reduce_to_cards(random, deal)
            deals.append(deal)
            if "contract" in deal:
                if game == "belote":
                    written, held = write(deal, chosen, held)
                else:
                    written, held, baited, none = write_bid(deal, usual, held)
                    written = {side: round_off(n, usual) for side, n in written.items()}
                played += 1
                totals = {side: totals[side] + written[side] for side in "AB"}
                over = {side for side in "AB" if totals[side] >= chosen["target"]}
                if game != "belote" and usual["belote_out"] == "trick":
                    belote = side_of(deal.get("bela"))
                    alone = {
                        side
                        for side in over & (baited | none)
                        if side == belote and totals[side] - 20 < chosen["target"]
                    }
                    waiting = alone | (waiting & none)
                    over -= waiting
                if chosen["deals"]:
                    over = {"A", "B"} if played >= 3 else set()
                if over and (len(over) == 1 or totals["A"] != totals["B"]):
                    winner = max(over, key=lambda side: totals[side])
            expected.append((dict(totals), tuple(held)))
        idle = ("target", "belote_out") if chosen["deals"] else ()
        agreed = {name: value for name, value in chosen.items() if name not in idle}
        head = {"format": "companion-match", "version": 1, "game": game, "conventions": agreed}
        head |= {"players": ["Ewa", "Jan", "Ola", "Piotr"], "first_dealer": "A", "entries": deals}
        record, opened = records.read_record(head, library.open_game)
        state: Any = records.fold_record(record, opened.family)
        assert not state.problems, (game, deals, state.problems[0])
        assert [(dict(row.totals), row.held) for row in state.rows] == expected, (game, chosen, deals)
        assert state.winner == winner
        ended.add(state.ended_by)
    assert ended >= {"target", "deals"}


# --- Clabber ---------------------------------------------------------------------------------------

LADDER = "AKQJT9"
WORTH = {3: 20, 4: 50, 5: 100, 6: 100}


def draw_clabber_deal(random: Random) -> tuple[dict[str, Any], dict[str, int]]:
    """A deal of Clabber as it is written, hearts trumps, with plain runs; what both sides write of it."""
    runs = []
    for suit in random.sample("SDC", random.randint(0, 3)):
        length = random.randint(3, 6)
        runs.append((random.choice("ABCD"), length, random.randint(0, 6 - length), suit))
    by_side = {side: [run for run in runs if run[0] in pair] for side, pair in (("A", "AC"), ("B", "BD"))}
    best = {side: max([(run[1], -run[2]) for run in own] or [(0, 0)]) for side, own in by_side.items()}
    points = {"A": random.randint(41, 121)}
    points["B"] = 162 - points["A"]
    reneged = random.random() < 0.1
    for side, other in ("AB", "BA"):
        if best[side] > best[other] or reneged:
            points[side] += sum(WORTH[run[1]] for run in by_side[side])
    deal: dict[str, Any] = {"type": "deal", "contract": {"declarer": random.choice("ABCD"), "trump": "H"}}
    if bella := random.choice([None, None, *"ABCD"]):
        deal["bela"] = bella
        points["A" if bella in "AC" else "B"] += 20
    declared = [
        {"seat": seat, "length": length, "top": LADDER[top].replace("T", "10"), "suit": suit}
        for seat, length, top, suit in runs
    ]
    deal |= {"totals": points, "runs": declared, "fours": []}
    loser = "A" if deal["contract"]["declarer"] in "AC" else "B"
    if reneged:
        loser = random.choice("AB")
        deal["penalty"] = {"side": loser, "offence": "revoke"}
    elif points[loser] >= 82:
        return deal, points
    return deal, {side: 0 if side == loser else sum(points.values()) for side in "AB"}


def test_matches_of_clabber_come_to_what_a_second_count_makes_of_them() -> None:
    random = Random(82)
    for _ in range(MATCHES // 4):
        deals, totals, expected = list[Any](), {"A": 0, "B": 0}, list[Any]()
        while max(totals.values()) < 500 or totals["A"] == totals["B"]:
            deal, written = draw_clabber_deal(random)
            deals.append(deal)
            totals = {side: totals[side] + written[side] for side in "AB"}
            expected.append(totals)
        head = {"format": "companion-match", "version": 1, "game": "clabber", "entries": deals}
        head |= {"players": ["Ewa", "Jan", "Ola", "Piotr"], "first_dealer": "A"}
        record, game = records.read_record(head, library.open_game)
        state: Any = records.fold_record(record, game.family)
        assert not state.problems, (deals, state.problems[0])
        assert [dict(row.totals) for row in state.rows] == expected, deals
        assert state.winner == max(totals, key=lambda side: totals[side])
