"""How long it takes to judge counts, beside folding a match of sixty deals; and how many are decided."""

from collections import Counter
from collections.abc import Mapping
from random import Random
from time import process_time
from typing import Any

from counting import KINDS, draw_counts

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


DRAWN = 300
"""Counts drawn at random for each number of players."""


def judge_drawn(players: int) -> list[float]:
    """Draw counts for so many players, and print how many are proved and refuted; the seconds each took."""
    times, tally = [], Counter[tuple[str, str]]()
    for drawn in draw_counts(Random(players), players, DRAWN):
        construct.forget_searches()
        began = process_time()
        ruling = library.rule(drawn.request)
        times.append(process_time() - began)
        verdict = "proved" if ruling.verdict == "possible" else "refuted"
        tally[drawn.kind, verdict if ruling.answer["proved"] else "not decided"] += 1
    for kind in KINDS:
        found = {verdict: tally[kind, verdict] for verdict in ("proved", "refuted", "not decided")}
        print(f"counts of {players}, {kind}: {found}")
    decided = 1 - sum(n for (_, verdict), n in tally.items() if verdict == "not decided") / DRAWN
    print(f"counts of {players}: {decided:.1%} decided")
    return sorted(times)


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
    for players in (2, 3, 4):
        times = judge_drawn(players)
        for share in (50, 90, 99, 100):
            seconds = times[(len(times) - 1) * share // 100]
            lines.append((f"counts of {players}, drawn, {share} of 100", seconds, "a second", 1.0))
    return lines
