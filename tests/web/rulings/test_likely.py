"""In a match the questions come first that are most likely where the deal stands."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion import library
from companion.matches import Change, KeepDraft, Match

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
def test_first_comes_what_is_likely(
    client: FlaskClient,
    start: Callable[..., str],
    change: Callable[[str, Change], Match],
    draft: Any,
    first: str,
) -> None:
    """Before the play the bidding, in it the cards, after it the audit; whatever the draft may hold."""
    id = start()
    if draft is not None:
        change(id, KeepDraft(draft))
    assert questions(client, id)[0] == first


def test_all_of_them_stay(client: FlaskClient, start: Callable[..., str]) -> None:
    """None is left out by where the deal stands."""
    id = start()
    assert sorted(questions(client, id)) == sorted(library.open_game("derda").family.questions)


def test_after_the_game(client: FlaskClient, start: Callable[..., str], write: Callable[..., None]) -> None:
    """When it is over, who has won."""
    id = start()
    write(id, {"type": "concede", "side": "A"})
    assert questions(client, id)[0] == "winner"
