"""Cards have the letters that stand on them where a language is spoken."""

import re

import pytest
from derda import deal

from companion import library
from companion.web.shell.text import game_title
from tests.web.browsers import Browser

CLAIM = "trump=H&leader=A&claimer=A&hands.A=9H&hands.A=AS&hands.B=JH&hands.B=7S"
RUN = {"seat": "A", "length": 3, "top": "K", "suit": "H"}


@pytest.mark.parametrize("language", ["ru", "uk"])
def test_cyrillic_letters(client: Browser, language: str) -> None:
    """On the pads, in rulings, in rules, in an entry and on its sheet; the forms send those of a record."""
    id = client.start(deal(90, 77, runs=[RUN]))
    pages = {
        path: client.get(f"/{language}/{path}").get_data(as_text=True)
        for path in (
            f"ask/klaberjass/claim?asked=1&{CLAIM}",
            f"m/{id}/deal",
            f"m/{id}/entries/1",
            f"m/{id}/sheet",
            "rules/derda",
        )
    }
    assert all("К" in page for page in pages.values())
    shown = {path: re.sub(r"<[^>]*>", "", page) for path, page in pages.items()}
    latin = {
        path: re.findall(r"(?<![\w“„«])[KQJ](?: ?[♠♥♦♣]|\b(?= \d))", page) for path, page in shown.items()
    }
    assert not any(latin.values()), latin
    assert 'value="KH"' in pages[f"ask/klaberjass/claim?asked=1&{CLAIM}"]


@pytest.mark.parametrize(("language", "name"), [("ru", "Дурак переводной"), ("uk", "Дурень перевідний")])
def test_a_variety_is_named_with_its_game(client: Browser, language: str, name: str) -> None:
    match = client.match(client.sit())
    game = library.open_game(match.game.name, "perevodnoy")
    with client.application.test_request_context(f"/{language}/"):
        client.application.preprocess_request()
        assert game_title(game) == name
