"""A name mistyped at the start is put right; what it was stays in the history."""

from collections.abc import Callable
from typing import Any

from flask.testing import FlaskClient

from companion.web.support.forms import fresh_key

Words = Callable[[Any], str]
Start = Callable[..., str]


def save(client: FlaskClient, id: str, seq: int, a: str, place: str = "") -> Any:
    data = {"name-A": a, "name-B": "Jan", "place": place, "seq": seq, "form_key": fresh_key()}
    return client.post(f"/en/m/{id}/names", data=data)


def test_a_name_is_corrected(client: FlaskClient, start: Start, words: Words) -> None:
    """The new name stands on the board, in the list and in the record, and is found by the search."""
    id = start(name_A="Eva", place="Kawiarnia")
    assert 'value="Eva"' in client.get(f"/en/m/{id}/names").text
    assert save(client, id, 0, "Ewa").status_code == 303
    assert "Ewa deals." in words(client.get(f"/en/m/{id}"))
    assert "Ewa" in words(client.get("/en/"))
    assert "Ewa" in words(client.get("/en/?q=ewa"))
    record = client.get(f"/en/m/{id}/record.json").get_json()
    assert record["players"] == ["Ewa", "Jan"]
    assert "place" not in record
    assert "were corrected" in words(client.get(f"/en/m/{id}/history"))


def test_a_name_that_cannot_be(client: FlaskClient, start: Start, words: Words) -> None:
    """An empty name is refused at its field; what was typed stays, nothing is written."""
    id = start()
    answer = save(client, id, 0, "", "Łódź")
    assert answer.status_code == 422
    assert "Required; a single letter will do." in words(answer)
    assert 'value="Łódź"' in answer.text
    assert "Ewa" in words(client.get(f"/en/m/{id}"))


def test_an_old_page_keeps_what_was_entered(client: FlaskClient, start: Start, words: Words) -> None:
    """When the match has moved on, the page says what changed, keeps the typing, and can be saved again."""
    id = start()
    save(client, id, 0, "Ola")
    answer = save(client, id, 0, "Ula")
    assert answer.status_code == 409
    assert "Names, place or stake were corrected." in words(answer)
    assert 'value="Ula"' in answer.text
    assert 'name="seq" value="1"' in answer.text
    assert save(client, id, 1, "Ula").status_code == 303


def test_nobody_else_renames(client: FlaskClient, other: FlaskClient, start: Start) -> None:
    """Only the browser that keeps the score changes names."""
    id = start()
    assert other.get(f"/en/m/{id}/names").status_code == 403
    assert save(other, id, 0, "Ola").status_code == 403
