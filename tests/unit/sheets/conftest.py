from collections.abc import Callable
from typing import Any

import pytest
from derda import RECORD

from companion import library
from companion.record import record as records

Played = tuple[Any, Any]


FIRST: list[dict[str, Any]] = [
    {
        "type": "deal",
        "turn_up": "9H",
        "auction": ["pass", "ask", "once"],
        "count": {"cards": {"A": 31, "B": 52}, "jass": "B", "nine": "A", "last": "B"},
        "runs": [{"seat": "A", "length": 3, "top": "K", "suit": "S"}],
    },
    {"type": "deal", "contract": {"declarer": "A", "trump": "S"}, "totals": {"A": 70, "B": 70}},
    {"type": "deal", "thrown_in": True},
    {
        "type": "deal",
        "contract": {"declarer": "A", "trump": "C"},
        "count": {"cards": {"A": 61, "B": 30}, "jass": "A", "nine": None, "last": "A"},
        "bela": "A",
        "runs": [{"seat": "A", "length": 4, "top": "A", "suit": "C"}],
        "note": "Belo <powiedziane> późno; zgoda.",
    },
    {"type": "deal", "offer": {"points": 20, "deals": 1}},
]
WON = {"type": "deal", "contract": {"declarer": "A", "trump": "D"}, "totals": {"A": 152, "B": 40}}


def _read(entries: list[dict[str, Any]], **head: Any) -> Played:
    played = {"place": "Łódź", "started": "2026-11-20T19:05:00+01:00", **head, "entries": entries}
    return records.read_record(RECORD | played, library.open_game)


@pytest.fixture
def played() -> Callable[..., Played]:
    return _read


@pytest.fixture
def five() -> Played:
    """Five deals: a bajt, a sztajnbajt, a throw-in, a deal with a note, an accepted offer."""
    return _read(FIRST)


@pytest.fixture
def won() -> Played:
    return _read([*FIRST, WON, WON], stake={"amount": "10.00", "currency": "PLN"})


@pytest.fixture
def sixty() -> Played:
    turn = [FIRST[0] | {"turn_up": "9H"}, FIRST[3], FIRST[1]]
    return _read([turn[n % 3] for n in range(60)], conventions={"target": 9999})
