"""A name mistyped at the start is put right; what it was stays in the history."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.matches import AddEntry
from companion.store import StoredMatch
from companion.web.shell.forms import fresh_key
from tests.web.browsers import Browser, words


def save(client: FlaskClient, id: str, seq: int, a: str, place: str = "") -> Any:
    data = {"name-A": a, "name-B": "Jan", "place": place, "seq": seq, "form_key": fresh_key()}
    return client.post(f"/en/m/{id}/names", data=data)


def test_a_name_is_corrected(client: Browser) -> None:
    """The new name stands on the board, in the list and in the record, and is found by the search."""
    id = client.start(name_A="Eva", place="<i>Kawiarnia</i>")
    assert 'value="Eva"' in client.get(f"/en/m/{id}/names").text
    assert save(client, id, 0, "Ewa").status_code == 303
    assert "Ewa" in client.read(f"/en/m/{id}")
    assert "Ewa" in client.read("/en/")
    assert "Ewa" in client.read("/en/?q=ewa")
    record = client.get(f"/en/m/{id}/record.json").get_json()
    assert record["players"] == ["Ewa", "Jan"]
    assert "place" not in record
    history = client.get(f"/en/m/{id}/history")
    assert "Names: Eva → Ewa; Place: <i>Kawiarnia</i> → –" in words(history)


def test_a_name_that_cannot_be(client: Browser) -> None:
    """An empty name is refused at its field; what was typed stays, nothing is written."""
    id = client.start()
    answer = save(client, id, 0, "", "Łódź")
    assert answer.status_code == 422
    assert "Required; a single letter will do." in words(answer)
    assert 'value="Łódź"' in answer.text
    assert "Ewa" in client.read(f"/en/m/{id}")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("\u200b", "Must be a text with visible characters."),
        ("Ewa\u200b", "Must be a name without invisible characters."),
        ("Ewa\u202e", "Must be a text without characters that reverse its direction."),
        ("Ewa\x1b[2J", "Must be a text without control characters."),
        ("Ewa\0", "Must be a text without control characters."),
    ],
    ids=ascii,
)
def test_a_name_that_deceives(client: Browser, name: str, sentence: str) -> None:
    """It is refused at its field, in a new match and in an old one, and so is such a place."""
    id = client.start()
    new = {"game": "derda", "name-A": name, "name-B": "Jan", "dealer": "A", "place": "typed"}
    for answer, said in (
        (save(client, id, 0, name, "typed"), 1),
        (client.post("/en/new", data=new), 2),  # beside the button too
    ):
        assert answer.status_code == 422
        assert sentence in words(answer)
        assert answer.text.count(sentence) == said
        assert 'value="typed"' in answer.text
    if "name" not in sentence:
        assert sentence in words(save(client, id, 0, "Ewa", name))
    assert client.get(f"/en/m/{id}/record.json").get_json()["players"] == ["Ewa", "Jan"]


def test_a_name_is_put_on_one_line(client: Browser) -> None:
    """What a name was pasted with becomes one space."""
    id = client.start(name_A=" Ewa\tMaria \r\n Nowak ")
    assert client.get(f"/en/m/{id}/record.json").get_json()["players"][0] == "Ewa Maria Nowak"


@pytest.mark.parametrize("note", ["\u202edlrow", "\u200b"], ids=ascii)
def test_a_note_that_deceives(client: Browser, note: str) -> None:
    """It is refused beside its entry, with all that was typed."""
    deal = {"bid": "A:H", "counting": "totals", "total_A": "82", "total_B": "65", "do": "save"}
    id = client.start()
    for path, form in (("deal", deal), ("more/abandon", {}), ("more/adjust", {"side": "A", "points": "5"})):
        sent = form | {"note": note, "reason": note, "seq": "0", "form_key": fresh_key()}
        answer = client.post(f"/en/m/{id}/{path}", data=sent)
        assert answer.status_code == 400, path
        assert "Must be a text " in words(answer), path
        assert note in answer.text, path
    id = client.sit(names=("Ewa", "Jan"))
    answer = client.post(f"/en/m/{id}/hand", data={"result": "B", "note": note, "seq": "0"})
    assert answer.status_code == 400
    assert "Must be a text " in words(answer)


def test_a_match_of_before_is_still_there(client: Browser, app: Flask) -> None:
    """A name that nobody could enter today does not take its match away, and can be put right."""
    head = {"game": "derda", "players": ["Ewa\u200b", "Jan"], "first_dealer": "A"}
    with app.app_context():
        stored = StoredMatch("m-of-before", "the browser of this test", head, (), "2026-11-20T18:00:00+00:00")
        app.extensions["matches"].store.create_match(stored)
    assert client.get("/en/m/m-of-before").status_code == 200
    client.change("m-of-before", AddEntry({"type": "abandon"}))
    assert save(client, "m-of-before", 1, "Ewa\u200b").status_code == 422
    assert save(client, "m-of-before", 1, "Ewa").status_code == 303
