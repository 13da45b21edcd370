"""What players are called: renamed, merged and separated, each undone; records keep what was written."""

import re

import pytest
from derda import deal

from tests.web.browsers import Browser, words


@pytest.fixture
def ids(client: Browser) -> list[str]:
    """A match of Ewa and Jan, one of Ewa and Jan K., one of Jan and Ala."""
    return [
        client.start(deal(120, 42)),
        client.start(deal(100, 62), name_B="Jan K."),
        client.start(deal(81, 81), name_A="Ala", name_B="Jan"),
    ]


def change(client: Browser, player: str, do: str, **fields: str) -> str:
    """Send a form of the page; the page that follows."""
    answer = client.post(f"/en/player/names?name={player}", data={"do": do, **fields})
    assert answer.status_code == 303
    return client.read(answer.location)


def list_players(client: Browser) -> str:
    """Who is listed, each with the number of matches."""
    page = re.sub(r"Evenings: \d+ · Matches: (\d+)", r"\1", words(client.get("/en/players")))
    return page[page.index("Players") :]


def undo(client: Browser, name: str) -> str:
    """Undo the last change by its button."""
    page = client.get(f"/en/player/names?name={name}").text
    return change(client, name, "undo", note=page.split('name="note" value="')[1].split('"')[0])


def test_two_spellings_are_one_player(client: Browser, ids: list[str]) -> None:
    """Counted together, found by any spelling, offered by the name; and two players again."""
    page = change(client, "Jan K.", "merge", other="Jan")
    assert "Jan K." in page and "Separate" in page
    assert "Jan 3 " in list_players(client) and "Jan K." not in list_players(client)
    for name in ("Jan", "Jan K."):
        figures = client.get(f"/en/player/figures.json?name={name}").get_json()
        assert (figures["player"], figures["deals"]["played"]) == ("Jan", 3)
    assert '<option value="Jan K.">' not in client.read("/en/new")
    assert "Jan K." in client.read(f"/en/m/{ids[1]}")
    change(client, "Jan", "separate", spelling="Jan K.")
    assert "Jan 2 " in list_players(client) and "Jan K. 1 " in list_players(client)


def test_a_player_is_renamed_and_it_is_undone(client: Browser, ids: list[str]) -> None:
    page = change(client, "Jan", "rename", name=" Janek ")
    assert "Last change: Jan is called Janek." in page
    assert "Janek 2 " in list_players(client)
    undo(client, "Janek")
    assert "Janek" not in list_players(client)
    assert client.get("/en/player/names?name=Janek").status_code == 404


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "40 characters"),
        ("x" * 41, "40 characters"),
        ("J\u200ban", "invisible"),
        ("Jan", "same table"),
    ],
)
def test_what_is_no_name_is_refused(client: Browser, ids: list[str], name: str, why: str) -> None:
    """With a sentence, and what was typed stays; two who sat at one table are two."""
    answer = client.post("/en/player/names?name=Ewa", data={"do": "rename", "name": name})
    assert answer.status_code == 422
    assert why in words(answer)


def test_what_is_not_there_cannot_be_changed(client: Browser, ids: list[str]) -> None:
    for do, fields in (
        ("separate", {"spelling": "Ala"}),
        ("undo", {"note": "x"}),
        ("merge", {"other": "Eva"}),
        ("", {}),
    ):
        assert client.post("/en/player/names?name=Jan", data={"do": do, **fields}).status_code == 409
    assert client.post("/en/player/names?name=Nobody", data={"do": "rename", "name": "x"}).status_code == 404


def test_a_second_tap_is_answered_as_the_first(client: Browser, ids: list[str]) -> None:
    change(client, "Jan K.", "merge", other="Jan")
    for _tap in range(2):
        change(client, "Jan", "separate", spelling="Jan K.", form_key="one form")
