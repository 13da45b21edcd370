"""Tables of three and four: the page of a deal asks nothing that only two players would have."""

from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion import library

Words = Callable[[Any], str]
Start = Callable[..., str]


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int, bool], None]]:
    """Puts a game on an otherwise empty shelf: one we know, for another number of players."""
    caches = (library.names, library.shelf, library._told, library._open)

    def put(players: int, partnerships: bool, *without: str) -> None:
        known = next(one for one in (files("companion") / "games").iterdir() if one.name.endswith(".toml"))
        text = known.read_text("utf-8")
        text = text.replace("players = 2", f"players = {players}")
        text = text.replace("partnerships = false", f"partnerships = {str(partnerships).lower()}")
        text = text.replace("hand = 9", "hand = 8")
        for line in without:
            text = text.replace(f"{line} = true", f"{line} = false")
        folder = tmp_path / "games"
        folder.mkdir()
        (folder / known.name).write_text(text, "utf-8")
        monkeypatch.setattr(library, "_folder", lambda: folder)
        for one in caches:
            one.cache_clear()

    yield put
    monkeypatch.undo()
    for one in caches:
        one.cache_clear()


def test_partners_count_together(
    shelf: Any, start: Start, send: Any, log: Any, client: FlaskClient, words: Words
) -> None:
    """Four seats bid and declare, two sides count; a trick has four cards."""
    shelf(4, True)
    id = start(name_C="Ala", name_D="Olek")
    page = client.get(f"/en/m/{id}/deal")
    assert page.text.count('name="bid" value="D:') == 4
    assert "Ewa & Ala" in words(page)
    assert 'name="cards_C"' not in page.text
    typed = {"bid": "C:H", "counting": "totals", "total_A": "120", "total_B": "90", "bela": "D"}
    assert "Ewa & Ala +120 = 120" in words(send(id, typed, path="deal/preview"))
    assert send(id, typed).status_code == 303
    assert log(id)[0].payload["contract"] == {"declarer": "C", "trump": "H"}
    cards = {"bid": "C:H", "counting": "cards", "tricks": "AS KS 7S 10S JH"}
    assert "Trick 2" in words(send(id, cards, do="look", seq=1))


def test_three_players_are_asked_for_one_by_one(
    shelf: Any, start: Start, client: FlaskClient, words: Words
) -> None:
    """Three sides stand in one row, nobody after them."""
    shelf(3, False)
    id = start(name_C="Ala")
    page = client.get(f"/en/m/{id}/deal")
    assert "trump jack Ewa Jan Ala out" in words(page)
    assert 'name="cards_C"' in page.text


def test_a_game_without_a_thing_does_not_ask_for_it(
    shelf: Any, start: Start, client: FlaskClient, words: Words
) -> None:
    """No offers, no question: the page does not know them."""
    shelf(2, False, "offers", "ask")
    page = words(client.get(f"/en/m/{start()}/deal"))
    assert "Offer" not in page
    assert "Passed out" in page
