"""What players say of entries: agree, object, withdraw; who may, where it is seen, what it never blocks."""

import re
from typing import Any

import pytest

from companion.matches import Role
from companion.web.shell.forms import fresh_key
from tests.web.browsers import Browser, words
from tests.web.sharing.phones import opponent

HEARTS = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
SPADES = {"type": "deal", "contract": {"declarer": "B", "trump": "S"}, "totals": {"A": 60, "B": 102}}


def test_an_opponent_agrees_in_one_tap(client: Browser) -> None:
    """The dock names the newest entry with its figures; a tap is an event, and the line is ticked."""
    id = client.start(SPADES, HEARTS)
    jan = opponent(client, id)
    text = jan.read(f"/en/m/{id}")
    assert "Deal 2: 82:65 Object Agree" in text
    assert jan.fill(id, "entries/2/agree", side="B").status_code == 303
    assert (client.log(id)[-1].kind, client.log(id)[-1].entry, client.log(id)[-1].payload) == (
        "agree",
        2,
        {"side": "B"},
    )
    board = jan.read(f"/en/m/{id}")
    assert "Deal 1: 60:102 Object Agree" in board and "Jan agreed" in board
    assert jan.fill(id, "entries/1/agree", side="B").status_code == 303
    assert "Agree" not in jan.read(f"/en/m/{id}").replace("Jan agreed", "")
    assert "Jan agreed" in client.read(f"/en/m/{id}")


def test_an_objection_is_in_view_until_it_is_withdrawn(client: Browser) -> None:
    """Reason, figures and words stand on both boards and at the entry; its end too, at the entry."""
    id = client.start(HEARTS)
    jan = opponent(client, id)
    page = jan.read(f"/en/m/{id}/entries/1/object")
    for part in ("Deal 1: what is wrong?", "82:65", "Wrong count", "Wrong runs", "Wrong trumps", "A revoke"):
        assert part in page
    typed = {"reason": "count", "total_A": "80", "total_B": "67", "text": "bela <forgotten>"}
    assert jan.fill(id, "entries/1/object", **typed).status_code == 303
    assert client.log(id)[-1].payload == {
        "side": "B",
        "reason": "count",
        "text": "bela <forgotten>",
        "totals": {"A": 80, "B": 67},
    }
    for browser in (client, jan):
        for path in ("", "/entries/1"):
            text = browser.read(f"/en/m/{id}{path}")
            for part in (
                "Wrong count",
                "says Jan",
                "should be 80:67",
                "“bela <forgotten>”",
                "Ask for a ruling",
            ):
                assert part in text, path
            assert ("Correct" in text) == (browser is client)
            assert "Withdraw the objection" in text
        assert "doubted by Jan" in browser.read(f"/en/m/{id}")
    edit = client.read(f"/en/m/{id}/entries/1?edit=1")
    assert "Deal 1: Jan objected – wrong count; should be 80:67" in edit
    assert jan.fill(id, "objections/2/withdraw").status_code == 303
    assert "Wrong count" not in client.read(f"/en/m/{id}")
    entry = client.read(f"/en/m/{id}/entries/1")
    assert "Settled: Deal 1: Jan withdrew the objection" in entry
    assert jan.fill(id, "objections/2/withdraw").status_code == 303
    assert [event.kind for event in client.log(id)] == ["add", "object", "settle"]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({}, "Tap what is wrong."),
        ({"reason": "weather"}, "Tap what is wrong."),
        ({"reason": "count", "total_A": "80"}, "Fill in every side, or none."),
        ({"reason": "count", "total_A": "x", "total_B": "67"}, "Must be a whole number from 0 to 9999."),
        ({"reason": "count", "text": "a" * 301}, "At most 300 characters; the rest would be lost."),
    ],
)
def test_what_cannot_be_an_objection_is_said_at_its_field(client: Browser, typed: Any, said: str) -> None:
    """Nothing is written, and nothing that was typed is lost."""
    id = client.start(HEARTS)
    answer = opponent(client, id).fill(id, "entries/1/object", **{"text": "typed before", **typed})
    assert answer.status_code == 422 and said in words(answer)
    assert ("typed before" in answer.text) == ("text" not in typed)
    for key in ("total_A", "text"):
        assert typed.get(key, "") in answer.text
    assert len(client.log(id)) == 1


def test_the_scorekeeper_speaks_for_those_opposite(client: Browser) -> None:
    """With one phone only: the history says on whose phone it was said, and who objects is asked for."""
    id = client.start(HEARTS)
    assert "Agree" not in client.read(f"/en/m/{id}")
    assert client.fill(id, "entries/1/agree", side="B", back="turned").location.endswith(f"/m/{id}/turned")
    assert "Deal 1: Jan agreed (on the scorekeeper’s phone)" in client.read(f"/en/m/{id}/history")
    answer = client.fill(id, "entries/1/object", reason="runs")
    assert answer.status_code == 422 and "Tap who objects." in words(answer)
    assert client.fill(id, "entries/1/object", reason="runs", side="A").status_code == 303
    said = "Deal 1: Ewa objected – wrong runs (on the scorekeeper’s phone)"
    assert said in client.read(f"/en/m/{id}/history")


def test_an_objection_to_what_was_corrected_meanwhile(client: Browser) -> None:
    """Keep a typed doubt beside the newer entry; a withdrawn entry cannot be doubted."""
    id = client.start(HEARTS, SPADES)
    jan = opponent(client, id)
    changed = {"do": "save", "bid": "A:H", "counting": "totals", "total_A": "84", "total_B": "63"}
    carried = {"form_key": fresh_key(), "seq": "2"}
    assert client.post(f"/en/m/{id}/entries/1", data=carried | changed).status_code == 303
    typed = {"form_key": fresh_key(), "seq": "2", "reason": "count", "text": "no"}
    answer = jan.post(f"/en/m/{id}/entries/1/object", data=typed)
    assert answer.status_code == 409 and "82:65 → 84:63" in words(answer) and 'value="no"' in answer.text
    again = dict(re.findall(r'name="(form_key|seq)"[^>]*value="([^"]*)"', answer.text))
    assert jan.post(f"/en/m/{id}/entries/1/object", data=typed | again).status_code == 303
    # another entry makes it no less right
    assert jan.post(f"/en/m/{id}/entries/2/agree", data={"form_key": "k", "seq": "2"}).status_code == 303
    assert client.post(f"/en/m/{id}/undo", data={"form_key": fresh_key(), "seq": "5"}).status_code == 303
    assert [event.kind for event in client.log(id)[2:]] == ["amend", "object", "agree", "amend"]


def test_the_form_of_an_objection_is_kept_for_the_time_without_network(client: Browser) -> None:
    """With an opponent's board the phone keeps it, for the entry that the board asks about."""
    id = client.start()
    jan = opponent(client, id)
    assert "/object" not in jan.get(f"/en/m/{id}").headers["X-Keep-Anew"]
    client.write(id, HEARTS, SPADES)
    address = f"/en/m/{id}/entries/2/object"
    board = jan.get(f"/en/m/{id}")
    assert address in board.headers["X-Keep-Anew"].split() and f'href="{address}"' in board.text
    assert jan.get(address).headers["X-Keep"] == "page"
    assert address not in client.get(f"/en/m/{id}").headers["X-Keep-Anew"]


def test_the_turned_board_asks_every_side(client: Browser, other: Browser) -> None:
    """Who keeps the score turns it to those opposite; it says what was changed since one of them agreed."""
    id = client.start(HEARTS)
    assert "Ewa Object Agree Jan Object Agree" in client.read(f"/en/m/{id}/turned")
    assert "Agree" not in other.read(f"/en/m/{id}/turned")
    client.fill(id, "entries/1/agree", side="B", back="turned")
    assert "Jan ✓ agreed" in client.read(f"/en/m/{id}/turned")
    changed = {"bid": "A:H", "counting": "totals", "total_A": "84", "total_B": "63"}
    assert client.send(id, changed, path="entries/1", seq=2).status_code == 303
    text = client.read(f"/en/m/{id}/turned")
    assert "Deal 1 was changed after Jan agreed: 82:65 → 84:63 Object Agree again" in text
    answer = client.fill(id, "entries/1/object", side="B", reason="count", back="turned")
    assert answer.location.endswith("/turned")
    text = client.read(f"/en/m/{id}/turned")
    assert "Jan ? objects" in text and "Withdraw the objection" in text and "Correct" not in text


def test_the_history_says_who_said_it_on_whose_phone(client: Browser) -> None:
    """The newest first; nothing is said of the phone where it is the side's own."""
    id = client.start(HEARTS)
    ewa, jan = opponent(client, id, "A", Role.PENCIL, "Ewa"), opponent(client, id)
    client.fill(id, "entries/1/agree", side="A")
    jan.fill(id, "entries/1/agree", side="B")
    ewa.fill(id, "entries/1/object", side="B", reason="other", text="why?")
    ewa.fill(id, "objections/4/withdraw")
    text = client.read(f"/en/m/{id}/history")
    lines = (
        "Deal 1: Jan withdrew the objection (on Ewa’s phone)",
        "Deal 1: Jan objected – another reason; “why?” (on Ewa’s phone)",
        "Deal 1: Jan agreed",
        "Deal 1: Ewa agreed (on the scorekeeper’s phone)",
    )
    places = [text.index(line) for line in lines]
    assert places == sorted(places)
    assert re.search(re.escape(lines[2]) + r" \d\d:\d\d", text)
