"""Bela for two and for three counted a second time, from their rules alone.

20,000 matches of each:
`COUNTED=20000 ./dev test --nightly --timeout=3600 tests/unit/jacknine/test_second_count_bela_alone.py`.
"""

import os
from random import Random
from typing import Any

import pytest
from tiers import is_nightly

from companion import library
from companion.record import record as records

MATCHES = int(os.environ.get("COUNTED", 2_000 if is_nightly() else 150))
SEATS = {"bela-2": "AB", "bela-3": "ABC"}
CONVENTIONS: dict[str, dict[str, list[Any]]] = {
    "bela-2": {
        "target": [301],
        "belot": ["any-suit", "trumps", "off"],
        "meld_cards": ["shared", "once"],
        "say_bela": ["second", "with-card", "twice"],
        "bela_kept": ["off", "on"],
        "misdeal": ["points", "redeal"],
        "both_over": ["higher-then-declarer", "higher", "declarer"],
    },
    "bela-3": {
        "target": [301],
        "trumped": ["free", "beat"],
        "caller": ["elder", "mus"],
        "belot": ["any-suit", "trumps", "off"],
        "meld_cards": ["shared", "once"],
        "say_bela": ["second", "with-card", "twice"],
        "bela_kept": ["off", "on"],
        "fall_to": ["nobody", "higher"],
    },
}
RUN = "AKQJT987"
FOURS = {"J": 200, "9": 150, "A": 100, "T": 100, "K": 100, "Q": 100}
Points = dict[str, int]


def around(seats: str, first: str) -> str:
    at = seats.index(first)
    return seats[at:] + seats[:at]


def worth(meld: dict[str, Any]) -> int:
    return FOURS[meld["rank"]] if "rank" in meld else {3: 20, 4: 50}.get(meld["length"], 100)


def draw_melds(random: Random, seats: str) -> dict[str, Any]:
    """Zvanja and bela that can lie in these hands together; no card of one stands in another, nor in bela."""
    runs: list[dict[str, Any]] = []
    for seat, suit in zip(random.sample(seats, 2), random.sample("SDC", 2), strict=True):
        length = random.choice([0, 0, 3, 3, 4, 5, 6])
        if length:
            runs.append(
                {"seat": seat, "length": length, "top": random.choice("AKQ"[: 9 - length]), "suit": suit}
            )
    fours = [{"seat": random.choice(seats), "rank": random.choice("J9ATKQ")}] * (random.random() < 0.25)
    for four in fours:
        if any(four["rank"] in RUN[RUN.index(run["top"]) :][: run["length"]] for run in runs):
            fours = []
    bela = random.choice([None, None, *seats])
    if any(four["rank"] in "KQ" for four in fours):
        bela = None
    return {"runs": runs, "fours": fours} | ({"bela": bela} if bela else {})


def find_standing(deal: dict[str, Any], seats: str, elder: str) -> Points:
    """Count zvanja for each player: those of the one with the best, and of that player’s partner."""
    declared = [*deal["runs"], *deal["fours"]]
    points = dict.fromkeys(seats, 0)
    caller, order = deal["contract"]["declarer"], around(seats, elder)

    def height(meld: dict[str, Any]) -> list[int]:
        if "rank" in meld:
            return [worth(meld), 1, -"J9ATKQ".index(meld["rank"]), 0, 0]
        return [worth(meld), 0, min(meld["length"], 5), -RUN.index(meld["top"]), -order.index(meld["seat"])]

    if declared:
        winner = max(declared, key=height)["seat"]
        for meld in declared:
            if (meld["seat"] == caller) == (winner == caller):
                points[meld["seat"]] += worth(meld)
    return points


COUNTED = [(30, 35), (20, 44), (41, 28), (25, 25)]
"""Card points of two players, without jack and nine of trumps."""
SHARED = [(82, 60, 20), (60, 71, 31), (81, 41, 40), (54, 54, 54), (100, 62, 0), (91, 0, 71), (71, 50, 41)]
"""Points of the tricks, for three players."""


def draw_deal(random: Random, game: str, elder: str, chosen: dict[str, Any]) -> dict[str, Any]:
    """A deal as it is known to have been."""
    seats, what = SEATS[game], random.random()
    if what < 0.05:
        return {"redeal": "misdeal"}
    if what < 0.1 and chosen.get("misdeal") == "points":
        return {
            "penalty": {"side": random.choice(seats), "offence": random.choice(["misdeal", "early-look"])}
        }
    caller = elder if chosen.get("caller") == "elder" else random.choice(seats)
    deal: dict[str, Any] = {"contract": {"declarer": caller, "trump": "H"}}
    if what > 0.98 and chosen["belot"] != "off":
        return deal | {"belot": random.choice(seats)}
    deal |= draw_melds(random, seats)
    sweeper = random.choice(seats) if random.random() < 0.1 else None
    if game == "bela-2":
        cards = dict(zip(seats, random.choice(COUNTED), strict=True))
        words = {word: random.choice(seats) for word in ("jass", "nine", "last")}
        if sweeper:
            cards = {seat: sum(cards.values()) * (seat == sweeper) for seat in seats}
            words = dict.fromkeys(words, sweeper)
        deal |= {"cards": cards, "words": words, "sweeper": sweeper}
        if what < 0.2:
            deal |= {"penalty": {"side": random.choice(seats), "offence": "revoke"}, "sweeper": None}
        return deal
    if what < 0.2:
        return deal | {"penalty": {"side": random.choice(seats), "offence": "revoke"}}
    tricks = dict(zip(random.sample(seats, 3), random.choice(SHARED), strict=True))
    if sweeper:
        tricks = {seat: 252 * (seat == sweeper) for seat in seats}
    without = [seat for seat in seats if not tricks[seat]]
    trickless = without if sweeper or random.random() < 0.5 else []
    return deal | {"tricks": tricks, "trickless": trickless}


def tell(random: Random, game: str, deal: dict[str, Any]) -> dict[str, Any]:
    """The entry of a deal."""
    own = ("tricks", "trickless", "cards", "words", "sweeper")
    entry = {"type": "deal", **{key: fact for key, fact in deal.items() if key not in own}}
    for name in ("runs", "fours"):
        if name in entry:
            entry[name] = [{k: "10" if v == "T" else v for k, v in meld.items()} for meld in entry[name]]
    if "cards" in deal:
        entry["count"] = {"cards": deal["cards"], **deal["words"]}
        others = [seat for seat in "AB" if seat != deal["sweeper"]]
        entry["trickless"] = others[0] if deal["sweeper"] else None
    if "tricks" in deal:
        tricks, trickless = dict(deal["tricks"]), deal["trickless"]
        if 252 in tricks.values() and random.random() < 0.5:
            tricks = {seat: min(points, 162) for seat, points in tricks.items()}
        del tricks[random.choice([seat for seat in "ABC" if not tricks[seat]] or ["A", "B", "C"])]
        entry["count"] = {"points": tricks}
        entry["trickless"] = trickless if len(trickless) > 1 else trickless[0] if trickless else None
    return entry


def write(game: str, deal: dict[str, Any], chosen: dict[str, Any], elder: str) -> Points:
    """Settle a deal that was played, or ended by a penalty, for each player."""
    seats = SEATS[game]
    offence = deal.get("penalty", {}).get("offence")
    loser = deal.get("penalty", {}).get("side")
    if offence in ("misdeal", "early-look"):
        return {seat: 0 if seat == loser else 162 for seat in seats}
    bela = {seat: 20 if deal.get("bela") == seat else 0 for seat in seats}
    stays = bela if chosen["bela_kept"] == "on" else dict.fromkeys(seats, 0)
    melds = dict(bela)
    for meld in [*deal["runs"], *deal["fours"]]:
        melds[meld["seat"]] += worth(meld)
    caller = deal["contract"]["declarer"]
    if game == "bela-3":
        if offence:
            return {seat: 0 if seat == loser else 81 + melds[seat] for seat in seats}
        standing, points = find_standing(deal, seats, elder), dict(deal["tricks"])
        for seat in seats:
            without = seat in deal["trickless"]
            points[seat] += stays[seat] if without else bela[seat] + standing[seat]
        return _write_three(points, caller, stays, chosen, around(seats, elder))
    has, other = deal["words"], {"A": "B", "B": "A"}
    last = 100 if deal["sweeper"] else 10
    points = {
        seat: deal["cards"][seat]
        + 20 * (has["jass"] == seat)
        + 14 * (has["nine"] == seat)
        + last * (has["last"] == seat)
        for seat in seats
    }
    if offence:
        whole = sum(points.values()) + sum(melds.values())
        return {loser: stays[loser], other[loser]: whole - stays[loser]}
    standing = find_standing(deal, seats, elder)
    points = {seat: points[seat] + standing[seat] + bela[seat] for seat in seats}
    if deal["sweeper"]:
        beaten = other[deal["sweeper"]]
        points[deal["sweeper"]] += points[beaten] - stays[beaten]
        points[beaten] = stays[beaten]
    if points[caller] > points[other[caller]]:
        return points
    return {caller: stays[caller], other[caller]: sum(points.values()) - stays[caller]}


def _write_three(points: Points, caller: str, stays: Points, chosen: dict[str, Any], order: str) -> Points:
    """Settle what three players made; `order` are the seats from the dealer's right."""
    others = [seat for seat in order if seat != caller]
    if points[caller] > sum(points[seat] for seat in others):
        return points
    written = {**points, caller: stays[caller]}
    if chosen["fall_to"] == "higher":
        lost, (first, second) = points[caller] - stays[caller], others
        if points[first] == points[second]:
            written[first] += lost - lost // 2
            written[second] += lost // 2
        else:
            written[max(others, key=lambda seat: points[seat])] += lost
    return written


def find_winner(game: str, totals: Points, chosen: dict[str, Any], deal: dict[str, Any]) -> str | None:
    over = [seat for seat in totals if totals[seat] >= 301]
    if len(over) < 2:
        return over[0] if over else None
    caller = deal.get("contract", {}).get("declarer")
    if chosen.get("both_over") == "declarer":
        return str(caller)
    best = [seat for seat in over if totals[seat] == max(totals.values())]
    if len(best) == 1:
        return best[0]
    return str(caller) if chosen.get("both_over") == "higher-then-declarer" else None


@pytest.mark.parametrize("game", SEATS)
def test_matches_come_to_what_a_second_count_makes_of_them(game: str) -> None:
    random, ended, seats = Random(game), set(), SEATS[game]
    for _ in range(MATCHES):
        chosen = {name: random.choice(values) for name, values in CONVENTIONS[game].items()}
        deals, expected, dealer = list[Any](), list[Points](), "A"
        totals, winner = dict.fromkeys(seats, 0), None
        while winner is None and len(deals) < 9:
            elder = around(seats, dealer)[1]
            deal = draw_deal(random, game, elder, chosen)
            if "penalty" in deal and "contract" not in deal and max(totals.values()) + 162 >= 301:
                continue  # who called, and so wins if both are over, would be nobody
            deals.append(tell(random, game, deal))
            if "belot" in deal:
                winner = deal["belot"]
            elif "redeal" not in deal:
                written = write(game, deal, chosen, elder)
                totals = {seat: totals[seat] + written[seat] for seat in seats}
                winner = find_winner(game, totals, chosen, deal)
            dealer = dealer if "redeal" in deal else elder
            expected.append(dict(totals))
        head = {"format": "companion-match", "version": 1, "game": game, "conventions": chosen}
        head |= {"players": ["Ana", "Ivo", "Mara"][: len(seats)], "first_dealer": "A", "entries": deals}
        record, opened = records.read_record(head, library.open_game)
        state: Any = records.fold_record(record, opened.family)
        assert not state.problems, (chosen, deals, state.problems[0])
        assert [dict(row.totals) for row in state.rows] == expected, (chosen, deals)
        assert (state.winner, state.next_dealer) == (winner, dealer), (chosen, deals)
        ended.add(state.ended_by)
    assert ended >= {"target", "both-over", "belot"}
