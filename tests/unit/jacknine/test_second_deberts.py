"""Deberts for three and four counted a second time, from the rules alone: what is written, and who wins."""

from random import Random
from typing import Any

import pytest
from tiers import is_nightly

from companion import library
from companion.record import record as records

MATCHES = 2_000 if is_nightly() else 60
SEATS = {"deberts-3": "ABC", "deberts-4": "ABCD", "deberts-4-alone": "ABCD"}
CONVENTIONS: dict[str, list[Any]] = {
    "bait_penalty_every": [0, 2],
    "bait_penalty_from": [0, 2],
    "trickless_penalty_every": [0, 1, 2],
    "forced_after": [0, 2],
    "four_sevens": ["redeal"],
    "four_sevens_points": [0, 70],
    "winner_takes_all": [False, True],
    "target": [300],
}


class Paper:
    """A game as a player with a pencil keeps it."""

    def __init__(self, game: str, chosen: dict[str, Any]) -> None:
        self.seats, self.chosen = SEATS[game], chosen
        self.sides = "AB" if game == "deberts-4" else self.seats
        self.totals = dict.fromkeys(self.sides, 0)
        self.baits, self.empty = dict.fromkeys(self.sides, 0), dict.fromkeys(self.sides, 0)
        self.held: list[int] = []
        self.dealer, self.passed, self.winner = "A", 0, ""

    def side(self, seat: str) -> str:
        return seat if len(self.sides) > 2 else "AB"[self.seats.index(seat) % 2]

    def left(self, seat: str, places: int = 1) -> str:
        return self.seats[(self.seats.index(seat) + places) % len(self.seats)]

    def draw(self, random: Random) -> dict[str, Any]:
        """What may happen next, in round numbers so that sides are often equal."""
        what = random.random()
        forced = self.chosen["forced_after"] and self.passed >= self.chosen["forced_after"]
        if what < 0.2 and not forced:
            return {"type": "deal", "thrown_in": True}
        if what < 0.25:
            return {"type": "deal", "redeal": "misdeal"}
        if what < 0.3:
            by = {"by": random.choice(self.seats)} if self.chosen["four_sevens_points"] else {}
            return {"type": "deal", "redeal": "four-sevens", **by}
        declarer = self.dealer if forced else random.choice(self.seats)
        deal: dict[str, Any] = {"type": "deal", "contract": {"declarer": declarer, "trump": "H"}}
        if what < 0.4:
            offence = {"side": random.choice(self.sides), "offence": "revoke"}
            return deal | {"totals": self.share(random, 0), "penalty": offence}
        without = random.sample(self.sides, random.choice([0, 0, 0, 1]))
        totals = self.share(random, len(without))
        points = dict(
            zip(
                [*without, *(side for side in self.sides if side not in without)],
                totals.values(),
                strict=True,
            )
        )
        stated = {"trickless": without[0]} if without else {}
        return deal | {"totals": points} | stated

    def share(self, random: Random, without: int) -> dict[str, int]:
        """162 among the sides, nothing for the first so many."""
        takers = len(self.sides) - without
        while True:
            points = [random.choice([20, 40, 41, 51, 54, 60, 81]) for _ in range(takers - 1)]
            if 10 < 162 - sum(points) < 150 or takers == 1:
                return dict(zip(self.sides, [0] * without + points + [162 - sum(points)], strict=True))

    def write(self, deal: dict[str, Any]) -> None:
        """One deal."""
        if "thrown_in" in deal:
            self.passed, self.dealer = self.passed + 1, self.left(self.dealer)
        elif "redeal" in deal:
            if "by" in deal:
                self.totals[self.side(deal["by"])] += self.chosen["four_sevens_points"]
                self.dealer = self.left(self.dealer)
                self.look()
        else:
            self.passed = 0
            written = self.punished(deal) if "penalty" in deal else self.played(deal)
            self.totals = {side: self.totals[side] + written[side] for side in self.sides}
            self.dealer = self.left(self.dealer)
            last = self.side(deal["contract"]["declarer"]) if len(self.sides) == 2 else ""
            self.look("B" if last == "A" else "A" if last else "")

    def look(self, defender: str = "") -> None:
        """Whether somebody has the target: of two sides the defenders, of more the highest."""
        over = [side for side in self.sides if self.totals[side] >= 300]
        best = [side for side in over if self.totals[side] == max(self.totals.values())]
        if len(over) > 1 and defender:
            best = [defender]
        if len(best) == 1:
            self.winner = best[0]

    def punished(self, deal: dict[str, Any]) -> dict[str, int]:
        """A penalty: the others share everything, what hangs too."""
        offender = deal["penalty"]["side"]
        at = self.sides.index(offender)
        others = [self.sides[(at + n) % len(self.sides)] for n in range(1, len(self.sides))]
        written = dict.fromkeys(self.sides, 0)
        for n in range(162 + sum(self.held)):
            written[others[n % len(others)]] += 1
        self.held = []
        return written

    def played(self, deal: dict[str, Any]) -> dict[str, int]:
        """A deal that was played to its end."""
        made, own = deal["totals"], self.side(deal["contract"]["declarer"])
        written, most = dict(made), max(made.values())
        best = [side for side in self.sides if made[side] == most]
        if own in best and len(best) > 1:
            written[own] = 0
            self.held = [*self.held, most]
        else:
            if own in best and self.chosen["winner_takes_all"]:
                written = dict.fromkeys(self.sides, 0) | {own: sum(made.values())}
            elif own not in best:
                written[own] = 0
                around = [self.left(self.dealer, n) for n in range(1, len(self.seats) + 1)]
                first = [side for side in dict.fromkeys(map(self.side, around)) if side in best]
                for n in range(made[own]):
                    written[first[n % len(first)]] += 1
                self.baits[own] += 1
                written[own] -= self.price(self.baits[own])
            if len(best) == 1:
                written[best[0]] += sum(self.held)
                self.held = []
        if side := deal.get("trickless"):
            self.empty[side] += 1
            every = self.chosen["trickless_penalty_every"]
            written[side] -= 100 if every and self.empty[side] % every == 0 else 0
        return written

    def price(self, bait: int) -> int:
        every, first = self.chosen["bait_penalty_every"], self.chosen["bait_penalty_from"]
        return 100 if (every and bait % every == 0) or (first and bait >= first) else 0


@pytest.mark.parametrize("game", SEATS)
def test_matches_come_to_what_a_second_count_makes_of_them(game: str) -> None:
    random, won = Random(42), 0
    for _ in range(MATCHES):
        chosen = {name: random.choice(values) for name, values in CONVENTIONS.items()}
        chosen |= {"bait_penalty_from": 0} if chosen["bait_penalty_every"] else {}
        chosen |= {"both_over": "defender"} if game == "deberts-4" else {}
        paper, deals, expected = Paper(game, chosen), list[Any](), list[Any]()
        while not paper.winner and len(deals) < 14:
            deals.append(paper.draw(random))
            paper.write(deals[-1])
            expected.append((dict(paper.totals), tuple(paper.held)))
        head = {"format": "companion-match", "version": 1, "game": game, "conventions": chosen}
        players = ["Ewa", "Jan", "Ola", "Piotr"][: len(SEATS[game])]
        head |= {"players": players, "first_dealer": "A", "entries": deals}
        record, opened = records.read_record(head, library.open_game)
        state: Any = records.fold_record(record, opened.family)
        assert not state.problems, (deals, state.problems[0])
        assert [(dict(row.totals), row.held) for row in state.rows] == expected, (chosen, deals)
        assert (state.winner or "") == paper.winner
        won += bool(paper.winner)
    assert won > MATCHES / 4
