"""Belote and Clabber counted a second time, from their rules alone: random matches, and who wins them."""

from random import Random
from typing import Any

from tiers import is_nightly

from companion import library
from companion.record import record as records

MATCHES = 20_000 if is_nightly() else 200
CONVENTIONS: dict[str, list[Any]] = {
    "tie": ["hang", "bait", "made"],
    "rounding": ["off", "ten"],
    "deals": [0, 3],
    "target": [300],
}


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
    tricks = random.choice([(252, 0), (0, 252), (81, 81), (91, 71), (71, 91)] + [(60, 102), (96, 66)] * 2)
    points = dict(zip("AB", tricks, strict=True))
    if random.random() < 0.3:
        more = max("AB", key=lambda side: points[side])
        return deal | {"count": {"points": {more: points[more]}}}
    if bela:
        points["A" if bela in "AC" else "B"] += 20
    return deal | {"totals": points}


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
    for _ in range(MATCHES):
        chosen = {name: random.choice(values) for name, values in CONVENTIONS.items()}
        deals, totals, held, played = list[Any](), {"A": 0, "B": 0}, list[int](), 0
        expected, winner = list[Any](), None
        while winner is None and len(deals) < 12:
            deal = draw_deal(random)
            deals.append(deal)
            if "contract" in deal:
                written, held = write(deal, chosen, held)
                played += 1
                totals = {side: totals[side] + written[side] for side in "AB"}
                over = played >= 3 if chosen["deals"] else max(totals.values()) >= 300
                if over and totals["A"] != totals["B"]:
                    winner = max(totals, key=lambda side: totals[side])
            expected.append((dict(totals), tuple(held)))
        head = {"format": "companion-match", "version": 1, "game": "belote", "conventions": chosen}
        head |= {"players": ["Ewa", "Jan", "Ola", "Piotr"], "first_dealer": "A", "entries": deals}
        record, game = records.read_record(head, library.open_game)
        state: Any = records.fold_record(record, game.family)
        assert not state.problems, (deals, state.problems[0])
        assert [(dict(row.totals), row.held) for row in state.rows] == expected, (chosen, deals)
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
    told = [
        {"seat": seat, "length": length, "top": LADDER[top].replace("T", "10"), "suit": suit}
        for seat, length, top, suit in runs
    ]
    deal |= {"totals": points, "runs": told, "fours": []}
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
