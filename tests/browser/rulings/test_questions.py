"""Every question asked once on a phone, in English and in Polish: the form, one tap, the answer."""

import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from browsing import Accessible
from playwright.sync_api import Page, expect

from companion import library
from companion.rules.rulebook import json_word
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
            facts = query_of({key: one for key, one in given.items() if key not in PINNED})
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


def test_none_is_left_out() -> None:
    """There is a case for the form of every question that any game knows."""
    known = {name for game in library.names() for name in library.open_game(game).family.questions}
    assert {name for _game, name, _facts in ONCE} == known
    assert len({game for game, _name, _facts in ONCE}) > 5


@pytest.mark.parametrize("lang", ["en", "pl"])
@pytest.mark.parametrize(("game", "name", "facts"), ONCE, ids=[f"{name}-{game}" for game, name, _ in ONCE])
def test_asked_on_a_phone(
    page: Page, accessible: Accessible, lang: str, game: str, name: str, facts: list[tuple[str, str]]
) -> None:
    """What is known is filled in; one tap gives a verdict, why, and the rules, for every reader."""
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"/{lang}/ask/{game}/{name}?{urlencode(facts)}")
    expect(page.locator("html")).to_have_attribute("lang", lang)
    expect(page.locator(".verdict-line")).to_have_count(0)
    page.locator('.actions button[name="asked"]').tap()
    expect(page.locator(".verdict-line")).not_to_be_empty()
    expect(page.locator(".why")).not_to_be_empty()
    assert page.locator(".cited .rule-id").count() >= 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    accessible(page)
