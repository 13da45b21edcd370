"""How long it takes to judge counts, with a deal found as proof, beside folding a match of sixty deals."""

from collections.abc import Mapping
from typing import Any

from companion import library
from companion.jacknine.solver import construct
from companion.record import record as records

from .core import build_match, measure

COUNTED = {"cards": {"A": 52, "B": 31}, "jass": "A", "nine": "B", "last": "A"}
QUESTIONS: Mapping[str, Mapping[str, Any]] = {
    "counts of two that can be": {"game": "derda", "count": COUNTED},
    "counts of two that cannot": {"game": "derda", "count": COUNTED, "tricks": {"A": 1}},
    "whole counts, nothing known of the words": {"game": "derda", "made": {"A": 200, "B": 60}},
    "counts of three that can be": {
        "game": "klaberjass-3",
        "count": {"cards": {"A": 60, "B": 40, "C": 18}, "jass": "A", "nine": "B", "last": "C"},
    },
    "counts of four that can be": {
        "game": "klaberjass-4",
        "count": {"cards": {"A": 70, "B": 48}, "jass": "A", "nine": "B", "last": "A"},
    },
}
"""Questions about counts."""


def run() -> list[tuple[str, float, str, float]]:
    """Each question asked for the first time, and again."""
    record, opened = records.read_record(build_match("derda"), library.open_game)
    limit = ("folding sixty deals", measure(lambda: records.fold_record(record, opened.family)))
    lines = []
    for name, facts in QUESTIONS.items():
        request = {"question": "count", **facts}

        def cold(request: Mapping[str, Any] = request) -> object:
            construct.forget_searches()
            return library.rule(request)

        def warm(request: Mapping[str, Any] = request) -> object:
            return library.rule(request)

        lines += [(f"{name}, first", measure(cold), *limit), (f"{name}, again", measure(warm), *limit)]
    return lines
