"""Bela counted a second time, from its rules alone: whose zvanja stand, what is written, and who wins.

20,000 matches:
`COUNTED=20000 ./dev test --nightly --timeout=3600 tests/unit/jacknine/test_second_count_bela.py`.
"""

import os
from random import Random
from typing import Any

from tiers import is_nightly

from companion import library
from companion.record import record as records

MATCHES = int(os.environ.get("COUNTED", 3_000 if is_nightly() else 80))
CONVENTIONS: dict[str, list[Any]] = {
    "target": [301],
    "deal": ["talon", "turn-up"],
    "trumped": ["free", "beat"],
    "say_bela": ["second", "with-card", "twice"],
    "tie": ["bait", "hang"],
    "bela_kept": ["off", "on"],
    "belot": ["any-suit", "trumps", "off"],
    "meld_cards": ["shared", "once"],
    "misdeal": ["points", "redeal"],
    "both_over": ["higher-then-declarer", "higher", "declarer"],
}
RUN = "AKQJ10987".replace("10", "T")
FOURS = {"J": 200, "9": 150, "A": 100, "T": 100, "K": 100, "Q": 100}


def side(seat: str) -> str:
    return "A" if seat in "AC" else "B"


def other(of: str) -> str:
    return "B" if of == "A" else "A"


def cards(meld: dict[str, Any]) -> set[str]:
    if "rank" in meld:
        return {meld["rank"] + suit for suit in "SHDC"}
    at = RUN.index(meld["top"])
    return {rank + meld["suit"] for rank in RUN[at : at + meld["length"]]}


def draw_melds(random: Random, chosen: dict[str, Any]) -> dict[str, Any]:
    """Zvanja and bela that can lie in four hands together, as they are told."""
    runs: list[dict[str, Any]] = []
    for seat, suit in zip(random.sample("ABCD", 2), random.sample("SHDC", 2), strict=True):
        length = random.choice([0, 0, 3, 3, 4, 5])
        if length:
            top = random.choice(RUN[: 8 - length + 1])
            runs.append({"seat": seat, "length": length, "top": top, "suit": suit})
    if not runs:
        longest = 8 if chosen["belot"] == "off" else 7
        runs = [{"seat": "B", "length": random.randint(6, longest), "top": "A", "suit": "S"}]
        runs *= random.random() < 0.2
    fours = [{"seat": random.choice("ABCD"), "rank": random.choice("J9ATKQ")}] * (random.random() < 0.3)
    bela = random.choice([None, None, *"ABCD"])
    for four in fours:
        shares = [run["seat"] for run in runs if cards(run) & cards(four)]
        alone = chosen["meld_cards"] == "once" or any(run["length"] > 5 for run in runs)
        if (
            shares
            and (alone or set(shares) != {four["seat"]})
            or bela != four["seat"]
            and four["rank"] in "KQ"
        ):
            fours = []
    if any(run["seat"] != bela and cards(run) & {"KH", "QH"} for run in runs):
        bela = None
    return {"runs": runs, "fours": fours} | ({"bela": bela} if bela else {})


def worth(meld: dict[str, Any]) -> int:
    if "rank" in meld:
        return FOURS[meld["rank"]]
    return {3: 20, 4: 50, 8: 120}.get(meld["length"], 100)


def find_standing(deal: dict[str, Any], elder: str) -> dict[str, int]:
    """Count zvanja for each side: all of the side of the best one."""
    points = {"A": 0, "B": 0}
    declared = [*deal["runs"], *deal["fours"]]

    def height(meld: dict[str, Any]) -> list[int]:
        turn = -("ABCD".index(meld["seat"]) - "ABCD".index(elder)) % 4
        if "rank" in meld:
            return [worth(meld), 1, -"J9ATKQ".index(meld["rank"]), 0, 0, -((4 - turn) % 4)]
        length = min(meld["length"], 5)
        trumps = int(meld["suit"] == "H")
        return [min(worth(meld), 100), 0, length, -RUN.index(meld["top"]), trumps, -((4 - turn) % 4)]

    if declared:
        winner = side(max(declared, key=height)["seat"])
        points[winner] = sum(worth(meld) for meld in declared if side(meld["seat"]) == winner)
    return points


def draw_deal(random: Random, chosen: dict[str, Any]) -> dict[str, Any]:
    """A deal as it is known to have been: the points of the tricks, zvanja and bela."""
    what = random.random()
    if what < 0.05:
        return {"redeal": "misdeal"}
    if what < 0.1 and chosen["misdeal"] == "points":
        offence = random.choice(["misdeal", "early-look"] if chosen["deal"] == "talon" else ["misdeal"])
        return {"penalty": {"side": random.choice("AB"), "offence": offence}}
    deal: dict[str, Any] = {"contract": {"declarer": random.choice("ABCD"), "trump": "H"}}
    if what > 0.99 and chosen["belot"] != "off":
        return deal | {"belot": random.choice("ABCD")}
    deal |= draw_melds(random, chosen)
    if what < 0.2:
        return deal | {"penalty": {"side": random.choice("AB"), "offence": "revoke"}}
    tricks = random.choice([(252, 0), (0, 252), (162, 0), (81, 81), (71, 91)] + [(60, 102), (96, 66)] * 2)
    return deal | {"tricks": dict(zip("AB", tricks, strict=True))}


def tell(random: Random, deal: dict[str, Any], elder: str) -> dict[str, Any]:
    """The entry of a deal: by the points of tricks of one side, or by whole counts."""
    ten = {"top": {"T": "10"}, "rank": {"T": "10"}}
    entry = {"type": "deal", **{key: fact for key, fact in deal.items() if key != "tricks"}}
    for name in ("runs", "fours"):
        if name in entry:
            entry[name] = [
                {key: ten.get(key, {}).get(fact, fact) for key, fact in meld.items()} for meld in entry[name]
            ]
    if "tricks" not in deal:
        return entry
    tricks, by_points = dict(deal["tricks"]), random.random() < 0.5
    more = max("AB", key=lambda own: tricks[own])
    if tricks[more] == 162:
        entry["trickless"] = None
    if tricks[more] == 252:
        tricks[more] = random.choice([252, 162])
        if not by_points or tricks[more] == 162 or random.random() < 0.5:
            entry["trickless"] = other(more)
    if by_points:
        own = more if random.random() < 0.7 or tricks[more] == 252 else other(more)
        return entry | {"count": {"points": {own: tricks[own]}}}
    standing = find_standing(deal, elder)
    totals = {own: tricks[own] + standing[own] for own in "AB"}
    if "bela" in deal:
        totals[side(deal["bela"])] += 20
    return entry | {"totals": totals}


Written = tuple[dict[str, int], list[int]]


def write(deal: dict[str, Any], chosen: dict[str, Any], held: list[int], elder: str) -> Written:
    """What both sides write for a deal, and what hangs after it."""
    offence = deal.get("penalty", {}).get("offence")
    if offence in ("misdeal", "early-look"):
        return {deal["penalty"]["side"]: 0, other(deal["penalty"]["side"]): 162}, held
    bela = {"A": 0, "B": 0} | ({side(deal["bela"]): 20} if "bela" in deal else {})
    stays = bela if chosen["bela_kept"] == "on" else {"A": 0, "B": 0}
    if offence == "revoke":
        loser = deal["penalty"]["side"]
        whole = 162 + sum(bela.values()) + sum(map(worth, [*deal["runs"], *deal["fours"]]))
        return {loser: stays[loser], other(loser): whole - stays[loser] + sum(held)}, []
    standing, tricks = find_standing(deal, elder), deal["tricks"]
    points = {own: tricks[own] + standing[own] + bela[own] for own in "AB"}
    for own in "AB":
        if tricks[other(own)] == 252:
            points[other(own)] += points[own] - stays[own]
            points[own] = stays[own]
    caller = side(deal["contract"]["declarer"])
    against = other(caller)
    if points[caller] > points[against]:
        return {caller: points[caller] + sum(held), against: points[against]}, []
    if points[caller] == points[against] and chosen["tie"] == "hang":
        return {caller: 0, against: points[against]}, [*held, points[caller]]
    return {caller: stays[caller], against: sum(points.values()) - stays[caller] + sum(held)}, []


def find_winner(totals: dict[str, int], chosen: dict[str, Any], deal: dict[str, Any]) -> str | None:
    if max(totals.values()) < 301:
        return None
    if min(totals.values()) >= 301 and chosen["both_over"] == "declarer":
        return side(deal["contract"]["declarer"])
    if totals["A"] != totals["B"]:
        return max(totals, key=lambda own: totals[own])
    return side(deal["contract"]["declarer"]) if chosen["both_over"] != "higher" else None


def test_matches_come_to_what_a_second_count_makes_of_them() -> None:
    random, ended = Random(42), set()
    for _ in range(MATCHES):
        chosen = {name: random.choice(values) for name, values in CONVENTIONS.items()}
        deals, expected, held, dealer = list[Any](), list[Any](), list[int](), "A"
        totals, winner = {"A": 0, "B": 0}, None
        while winner is None and len(deals) < 9:
            deal = draw_deal(random, chosen)
            if "penalty" in deal and "contract" not in deal and max(totals.values()) + 162 >= 301:
                continue  # who called, and so wins if both are over, would be nobody
            elder = "BCDA"["ABCD".index(dealer)]
            deals.append(tell(random, deal, elder))
            if "belot" in deal:
                winner = side(deal["belot"])
            elif "redeal" not in deal:
                written, held = write(deal, chosen, held, elder)
                totals = {own: totals[own] + written[own] for own in "AB"}
                winner = find_winner(totals, chosen, deal)
            dealer = dealer if "redeal" in deal else elder
            expected.append((dict(totals), tuple(held)))
        head = {"format": "companion-match", "version": 1, "game": "bela", "conventions": chosen}
        head |= {"players": ["Ana", "Ivo", "Mara", "Luka"], "first_dealer": "A", "entries": deals}
        record, game = records.read_record(head, library.open_game)
        state: Any = records.fold_record(record, game.family)
        assert not state.problems, (deals, state.problems[0])
        assert [(dict(row.totals), row.held) for row in state.rows] == expected, (chosen, deals)
        assert (state.winner, state.next_dealer) == (winner, dealer), (chosen, deals)
        ended.add(state.ended_by)
    assert ended >= {"target", "both-over", "belot"}
