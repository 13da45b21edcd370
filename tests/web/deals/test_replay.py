"""A deal looked at again on pages: trick by trick, with the rules, and what each card cost."""

import re

import pytest
from derda import DEAL, RIGHT, by_cards

from tests.web.browsers import Browser, words


@pytest.fixture
def page(client: Browser) -> str:
    """The address of the second deal's replay, which was recorded card by card."""
    id = client.start(DEAL, by_cards(RIGHT))
    return f"/en/m/{id}/entries/2/replay"


def test_the_way_there(client: Browser, page: str) -> None:
    """From the entry of a deal that was recorded card by card, and from no other."""
    entry = page.removesuffix("/replay")
    assert f'href="{page}"' in client.get(entry).text
    other = entry.replace("/2", "/1")
    assert "/replay" not in client.get(other).text
    assert client.get(f"{other}/replay").status_code == 404


def test_trick_by_trick(client: Browser, page: str) -> None:
    """Each card with what bound its player, the hands before it, the points so far; forwards and back."""
    first = client.get(page)
    assert "Trick 1 of 9" in words(first)
    assert "must be followed with" in words(first)
    assert "rules/derda?match=" in first.text and "#derda.play.follow" in first.text
    assert first.text.count('class="card') == 2 + 18
    assert 'rel="prev"' not in first.text
    (forward,) = re.findall(r'href="([^"]*)" rel="next"', first.text)
    second = client.get(forward.replace("&amp;", "&"))
    assert "Trick 2 of 9" in words(second) and second.text.count('class="card') == 2 + 16
    assert 'rel="prev"' in second.text
    assert "Trick 9 of 9" in client.read(f"{page}?trick=99")
    assert "All tricks" in client.read(f"{page}?trick=all")


def test_one_hand_is_open(client: Browser, page: str) -> None:
    shown = client.get(f"{page}?hand=A")
    assert shown.text.count('class="card') == 2 + 9
    assert "All hands" in words(shown) and "Only Jan" in words(shown)


def test_what_each_card_cost(client: Browser, page: str) -> None:
    """On demand: what best play comes to, and the cost of every card that had one."""
    assert "\N{MINUS SIGN}17" not in client.read(page)
    shown = client.read(f"{page}?cost=1&trick=all")
    assert "Best play 83 : 39, made 84 : 38." in shown
    assert "\N{MINUS SIGN}17" in shown and "the players did not" in shown
    assert "\N{MINUS SIGN}17" in client.read(f"{page}?cost=1")
