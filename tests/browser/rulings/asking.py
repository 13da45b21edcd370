"""Facts for every question, out of the cases, as the address of its form has them."""

import tomllib
from pathlib import Path
from typing import Any

from companion import library
from companion.rules.conditions import json_word
from companion.web.rulings import query_of

CASES = Path(__file__).parents[2] / "cases"
PINNED = ("game", "question", "preset", "conventions")


def asked(game: str, question: str) -> list[tuple[str, str]] | None:
    """The facts of the first case of this question that a form can hold, as an address has them.

    A case of the game as it is usually played, where there is one; else one with house rules.
    """
    with_rules = None
    for path in sorted((CASES / game).glob("*.toml")):
        for case in tomllib.loads(path.read_text("utf-8"))["case"]:
            given: dict[str, Any] = case["given"]
            fits = given.get("question") == question and "extra" not in given and "null" not in str(given)
            if not fits or "verdict" not in case["expect"]:
                continue
            facts = query_of({key: value for key, value in given.items() if key not in PINNED})
            if not {"preset", "conventions"} & given.keys():
                return facts
            rules = {f"rule-{name}": value for name, value in given.get("conventions", {}).items()}
            preset = {"preset": given["preset"]} if "preset" in given else {}
            with_rules = with_rules or [
                *facts,
                *query_of(preset),
                *((k, json_word(v)) for k, v in rules.items()),
            ]
    return with_rules


def once() -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Each question once, the games taking turns."""
    found: dict[str, tuple[str, str, list[tuple[str, str]]]] = {}
    games = list(library.names())
    for turn, name in enumerate(
        dict.fromkeys(q for g in games for q in library.open_game(g).family.questions)
    ):
        order = games[turn % len(games) :] + games[: turn % len(games)]
        for game in order:
            facts = asked(game, name) if name in library.open_game(game).family.questions else None
            if facts is not None:
                found[name] = (game, name, facts)
                break
    return list(found.values())


ONCE = once()
