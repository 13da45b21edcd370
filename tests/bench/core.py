"""How long it takes to fold a match of sixty deals, beside parsing the JSON of its record."""

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


def document() -> dict[str, Any]:
    """A match of sixty deals, told in all ways there are."""
    return {
        "format": "companion-match",
        "version": 1,
        "game": library.names()[0],
        "conventions": {"target": 9999},
        "players": ["Ewa", "Jan"],
        "first_dealer": "A",
        "entries": [{"type": "deal"} | WAYS[n % len(WAYS)] for n in range(DEALS)],
    }


def seconds(work: Callable[[], object]) -> float:
    """The median of some rounds, after one to warm up."""
    work()
    taken = []
    for _ in range(ROUNDS):
        began = perf_counter()
        work()
        taken.append(perf_counter() - began)
    return median(taken)


def run() -> list[tuple[str, float, str, float]]:
    """Each piece of work with its natural limit: name, seconds, name of the limit, its seconds."""
    told = document()
    text = json.dumps(told)
    record, game = records.read(told, library.open_game)
    limit = ("parsing the record's JSON", seconds(lambda: json.loads(text)))
    return [
        (f"fold of a {DEALS}-deal match", seconds(lambda: records.fold(record, game.family)), *limit),
        (
            f"fold, read from JSON and shown as JSON, of a {DEALS}-deal match",
            seconds(
                lambda: game.family.show(
                    records.fold(records.read(json.loads(text), library.open_game)[0], game.family)
                )
            ),
            *limit,
        ),
    ]
