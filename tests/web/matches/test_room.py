"""A match that is full says so on every page that writes, and keeps what was typed."""

import pytest

from companion.matches import changes
from tests.web.browsers import Browser, words

DEAL = {"bid": "A:H", "counting": "totals", "total_A": "82", "total_B": "80"}


def test_no_entry_more(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which limit it is, and what to do; going back, what was typed is there."""
    monkeypatch.setattr(changes, "MAX_ENTRIES", 1)
    id = client.start()
    assert client.send(id, DEAL).status_code == 303
    answer = client.send(id, DEAL, seq=1)
    assert answer.status_code == 422
    assert "Limit reached" in words(answer)
    assert "A match has at most 1 entry: continue in a new one." in words(answer)
    assert "Nothing was saved. Go back: what you typed is still there." in words(answer)
    polish = client.post(f"/pl/m/{id}/deal", data=DEAL | {"do": "save", "seq": "1", "form_key": "x"})
    assert "Partia ma najwyżej 1 wpis: grajcie dalej w nowej." in words(polish)


def test_a_script_keeps_the_page(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """It puts the reason on top of the form that was sent."""
    monkeypatch.setattr(changes, "MAX_EVENTS", 1)
    id = client.start()
    assert client.send(id, DEAL).status_code == 303
    sent = DEAL | {"do": "save", "seq": "1", "form_key": "y"}
    answer = client.post(f"/en/m/{id}/deal", data=sent, headers={"X-Script": "1"})
    assert answer.status_code == 422
    assert 'id="refused"' in answer.text
    assert "The history of a match has at most 1 change" in words(answer)
    assert "What you typed is still here." in words(answer)


def test_a_draft_leaves_room(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The deal itself can still be written."""
    monkeypatch.setattr(changes, "MAX_BESIDE", 0)
    id = client.start()
    answer = client.send(id, DEAL, do="draft")
    assert answer.status_code == 422
    assert "the room that is left is reserved for entries" in words(answer)
    assert client.send(id, DEAL).status_code == 303
