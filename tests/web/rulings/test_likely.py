"""In a match the questions come first that are most likely where the deal stands."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion import library
from companion.matches import KeepDraft
from tests.web.browsers import Browser

CONTRACT = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}}
TRICK = ["AS", "7S"]
PACK = [f"{rank}{suit}" for suit in "SHDC" for rank in ("A", "K", "Q", "J", "10", "9", "8", "7")]


def questions(client: FlaskClient, id: str) -> list[str]:
    """The questions of a match by name, as they stand on the page."""
    page = client.get(f"/en/m/{id}/ask").text
    return re.findall(rf'href="/en/m/{id}/ask/([a-z-]+)"', page)


@pytest.mark.parametrize(
    ("draft", "first"),
    [
        (None, "auction"),
        ({"type": "deal", "auction": ["pass"], "turn_up": "9H"}, "auction"),
        (CONTRACT, "play"),
        ({**CONTRACT, "tricks": [TRICK]}, "play"),
        ({**CONTRACT, "tricks": [PACK[at : at + 2] for at in range(0, 18, 2)]}, "audit"),
        ({"type": "deal", "contract": "nonsense", "tricks": 3}, "auction"),
    ],
)
def test_first_comes_what_is_likely(client: Browser, draft: Any, first: str) -> None:
    """Before the play the bidding, in it the cards, after it the audit; whatever the draft may hold."""
    id = client.start()
    if draft is not None:
        client.change(id, KeepDraft(draft))
    assert questions(client, id)[0] == first


def test_all_of_them_stay(client: Browser) -> None:
    """None is left out by where the deal stands."""
    id = client.start()
    assert sorted(questions(client, id)) == sorted(library.open_game("derda").family.questions)


def test_after_the_game(client: Browser) -> None:
    """When it is over, who has won."""
    id = client.start({"type": "concede", "side": "A"})
    assert questions(client, id)[0] == "winner"
