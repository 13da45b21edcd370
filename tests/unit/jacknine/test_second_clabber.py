"""Clabber counted a second time, from its rules alone: deals, and who wins."""

from random import Random
from typing import Any

from tiers import is_nightly

from companion import library
from companion.record import record as records

MATCHES = 1_500 if is_nightly() else 50
LADDER = "AKQJT9"
WORTH = {3: 20, 4: 50, 5: 100, 6: 100}


def draw_deal(random: Random) -> tuple[dict[str, Any], dict[str, int]]:
    """A deal as it is written, hearts trumps, with plain runs; what both sides write of it."""
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


def test_matches_come_to_what_a_second_count_makes_of_them() -> None:
    random = Random(82)
    for _ in range(MATCHES):
        deals, totals, expected = list[Any](), {"A": 0, "B": 0}, list[Any]()
        while max(totals.values()) < 500 or totals["A"] == totals["B"]:
            deal, written = draw_deal(random)
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
