"""How long it takes to fold a match of sixty deals or hands, beside parsing the JSON of its record."""

import json
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

from companion import library
from companion.record import record as records

DEALS = 60
ROUNDS = 15

CONTRACT = {"declarer": "A", "trump": "H", "turned": True}
WAYS: list[dict[str, Any]] = [
    {"contract": CONTRACT, "totals": {"A": 82, "B": 65}},
    {
        "contract": CONTRACT,
        "turn_up": "8H",
        "count": {"cards": {"A": 52, "B": 31}, "jass": "A", "nine": "B", "last": "A"},
        "runs": [{"seat": "B", "cards": ["KS", "QS", "JS"]}],
        "bela": "A",
    },
    {"auction": ["pass", "pass", "offer 20+1", "counter 5+1", "accept"], "turn_up": "9H"},
    {"auction": ["pass", "ask", "once"], "turn_up": "9H", "totals": {"A": 70, "B": 80}},
    {"auction": ["pass", "pass", "pass", "pass"], "turn_up": "9S"},
    {
        "contract": {"declarer": "B", "trump": "H"},
        "tricks": [
            *(["JH", "7H"], ["9H", "8H"], ["AH", "QH"], ["AS", "7S"], ["10S", "8S"]),
            *(["KS", "9S"], ["7D", "AD"], ["10D", "8D"], ["AC", "7C"]),
        ],
    },
]


NO_TRUMPS = {"declarer": "C", "trump": "NT", "turned": False}
FOUR_HANDED: list[dict[str, Any]] = [
    {"contract": CONTRACT, "totals": {"A": 102, "B": 60}},
    {
        "contract": CONTRACT,
        "count": {"cards": {"A": 71}, "jass": "A", "nine": "B", "last": "A"},
        "runs": [{"seat": "D", "cards": ["KS", "QS", "JS"]}, {"seat": "A", "cards": ["AC", "KC", "QC"]}],
        "bela": "C",
    },
    {"contract": NO_TRUMPS, "count": {"cards": {"B": 64}, "last": "B"}},
    {"auction": [*["pass"] * 5, "play S"], "turn_up": "9H", "totals": {"A": 70, "B": 92}},
    {"auction": [*["pass"] * 7, "play"], "turn_up": "9S", "totals": {"A": 70, "B": 92}},
    {
        "contract": {"declarer": "B", "trump": "H"},
        "tricks": [
            *(["JH", "7H", "8H", "10H"], ["9H", "QH", "AH", "KH"], ["AS", "7S", "8S", "9S"]),
            *(["10S", "KS", "QS", "JS"], ["AD", "7D", "8D", "9D"], ["10D", "KD", "QD", "JD"]),
            *(["AC", "7C", "8C", "9C"], ["10C", "KC", "QC", "JC"]),
        ],
    },
]


def _make_bout(attacker: str, defender: str, result: str, *out: str) -> dict[str, Any]:
    return {"attacker": attacker, "defender": defender, "result": result, "out": list(out)}


TALON = [
    *(
        _make_bout("D", "A", "beaten-off"),
        _make_bout("A", "B", "picked-up"),
        _make_bout("C", "D", "picked-up"),
    ),
    *(
        _make_bout("A", "B", "beaten-off"),
        _make_bout("B", "C", "picked-up"),
        _make_bout("D", "A", "picked-up"),
    ),
    *(_make_bout("B", "C", "beaten-off"), _make_bout("C", "D", "picked-up")),
]
ENDGAME = [
    *(
        _make_bout("A", "B", "beaten-off", "B"),
        _make_bout("C", "D", "picked-up"),
        _make_bout("A", "C", "picked-up", "A"),
    ),
    _make_bout("D", "C", "picked-up", "D"),
]
HANDS: list[dict[str, Any]] = [
    {"loser": "C", "trump": "H", "first_attacker": "D", "bouts": TALON + ENDGAME},
    {"loser": "C", "trump": "S"},
    {"loser": "C"},
]
MATCHES = {"derda": WAYS, "klaberjass-4": FOUR_HANDED, "durak": HANDS}
"""Deals or hands of some games, stated in all ways there are."""


def build_match(game: str) -> dict[str, Any]:
    """A match of sixty deals or hands."""
    opened = library.open_game(game)
    names = ["Ewa", "Jan", "Ola", "Piotr"][: opened.family.ruleset.ring.size]
    ways, kind = MATCHES[game], "deal" if "deal" in opened.family.entries else "hand"
    return {
        "format": "companion-match",
        "version": 1,
        "game": game,
        "conventions": {"target": 9999} if "target" in opened.book.conventions else {},
        "players": names,
        "first_dealer": "A",
        "entries": [{"type": kind} | ways[n % len(ways)] for n in range(DEALS)],
    }


def measure(work: Callable[[], object]) -> float:
    """The seconds that some work takes: the median of some rounds, after one to warm up."""
    work()
    times = []
    for _ in range(ROUNDS):
        began = perf_counter()
        work()
        times.append(perf_counter() - began)
    return median(times)


def run() -> list[tuple[str, float, str, float]]:
    """Each piece of work with its natural limit: name, seconds, name of the limit, its seconds."""
    return [line for game in MATCHES for line in _measure_folds(game)]


def _measure_folds(game: str) -> list[tuple[str, float, str, float]]:
    document = build_match(game)
    text = json.dumps(document)
    record, opened = records.read_record(document, library.open_game)
    family = opened.family
    assert records.fold_record(record, family).problems == ()
    limit = ("parsing the record's JSON", measure(lambda: json.loads(text)))

    def read_and_fold() -> object:
        return family.show(
            records.fold_record(records.read_record(json.loads(text), library.open_game)[0], family)
        )

    return [
        (f"{game}: fold of {DEALS} entries", measure(lambda: records.fold_record(record, family)), *limit),
        (f"{game}: read from JSON, folded and shown, {DEALS} entries", measure(read_and_fold), *limit),
    ]
