"""One entry by itself: what it came to, putting it right, taking it out; entries that are no deals."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.web.shell.forms import fresh_key

Words = Callable[[Any], str]
Start = Callable[..., str]

FIRST = {
    "type": "deal",
    "contract": {"declarer": "B", "trump": "H"},
    "count": {"cards": {"A": 31, "B": 52}, "jass": "B", "last": "B"},
    "runs": [{"seat": "A", "length": 3, "top": "K"}],
}
OUT = {"type": "deal", "thrown_in": True, "dealer": "B"}


@pytest.fixture
def post(client: FlaskClient) -> Callable[..., Any]:
    """Sends a form to a page of a match, as that page just loaded would."""

    def go(id: str, path: str, seq: int, **typed: str) -> Any:
        return client.post(f"/en/m/{id}/{path}", data={"form_key": fresh_key(), "seq": str(seq)} | typed)

    return go


def test_above_a_new_deal_every_line_says_what_it_is(
    start: Start, write: Any, client: FlaskClient, words: Words
) -> None:
    """Also where nobody played: an offer and a deal that was thrown in."""
    id = start()
    write(id, FIRST | {"dealer": "A"}, OUT, {"type": "deal", "offer": {"points": 20}})
    assert "Jan 51 82 Thrown in; Jan dealt 0 0 Offer: Jan +20 0 20" in words(client.get(f"/en/m/{id}/deal"))


def test_an_entry_says_what_it_came_to(start: Start, write: Any, client: FlaskClient, words: Words) -> None:
    """The page of a deal has its sentence, its count word by word, its rules and its changes."""
    id = start()
    write(id, FIRST)
    said = words(client.get(f"/en/m/{id}/entries/1"))
    assert "Jan makes it, 82 to 51." in said
    assert "trump jack 20" in said
    assert "derda 20" in said
    assert "derda.score.made" in said
    assert "Deal 1 written" in said


def test_anybody_may_look_and_the_owner_mends(
    start: Start, write: Any, other: FlaskClient, words: Words
) -> None:
    """Another browser sees the entry without its buttons, and may not open the form or send it."""
    id = start()
    write(id, FIRST)
    said = words(other.get(f"/en/m/{id}/entries/1"))
    assert "Jan makes it" in said
    assert "Correct" not in said
    assert other.get(f"/en/m/{id}/entries/1?edit=1").status_code == 403
    assert other.post(f"/en/m/{id}/entries/1", data={"do": "withdraw"}).status_code == 403


def test_a_deal_is_corrected(
    start: Start, write: Any, send: Any, fields: Any, client: FlaskClient, words: Words
) -> None:
    """The form comes filled; saved with other points, the deal is corrected, folded again, and says so."""
    id = start()
    write(id, FIRST, OUT)
    typed = fields(client.get(f"/en/m/{id}/entries/1?edit=1").text)
    assert typed["cards_A"] == "31"
    answer = send(id, typed | {"cards_A": "24", "cards_B": "39", "jass": "A"}, path="entries/1", seq=2)
    assert answer.status_code == 303
    said = words(client.get(f"/en/m/{id}/entries/1"))
    assert "Jan: bajt, 49 to 64" in said
    assert "Deal 1 written" in said
    assert (
        "Jan makes it, 82 to 51." in said[said.index("Deal 1 written") : said.index("Deal 1: 51:82 → 64:49")]
    )


def test_a_later_contradiction_is_flagged_where_it_is(
    start: Start, write: Any, send: Any, fields: Any, client: FlaskClient, words: Words
) -> None:
    """A correction that makes a later deal's dealer wrong is saved; the later deal is flagged, not lost."""
    id = start()
    write(id, FIRST, OUT)
    typed = fields(client.get(f"/en/m/{id}/entries/1?edit=1").text)
    preview = client.post(f"/en/m/{id}/deal/preview?entry=1", data=typed | {"jass": "A", "cards_B": "10"})
    assert "Ewa deals next." in words(preview)
    send(id, typed | {"cards_A": "24", "cards_B": "39", "jass": "A"}, path="entries/1", seq=2)
    assert "Ewa deals here, not Jan." in words(client.get(f"/en/m/{id}/entries/2"))
    typed = fields(client.get(f"/en/m/{id}/entries/2?edit=1").text)
    assert typed["dealer"] == "B"
    assert send(id, typed, path="entries/2", seq=3).status_code == 422
    assert send(id, typed | {"dealer": ""}, path="entries/2", seq=3).status_code == 303
    assert "Ewa deals here" not in words(client.get(f"/en/m/{id}/entries/2"))


def test_a_correction_sees_the_state_it_stands_on(
    start: Start, write: Any, client: FlaskClient, words: Words
) -> None:
    """The preview of an old deal counts on from the totals before it, and says where the match ends up."""
    id = start()
    totals = {"type": "deal", "contract": {"declarer": "A", "trump": "S"}, "totals": {"A": 82, "B": 65}}
    write(id, FIRST, totals)
    typed = {"bid": "B:H", "counting": "totals", "total_A": "65", "total_B": "92"}
    asked = re.search(r'data-preview="([^"]+)"', client.get(f"/en/m/{id}/entries/1?edit=1").text)
    assert asked is not None
    said = words(client.post(asked[1], data=typed))
    assert "Jan +92 = 92" in said
    assert "After all deals: Ewa 147 · Jan 157" in said


def test_an_entry_is_withdrawn_and_restored(
    start: Start, write: Any, post: Any, client: FlaskClient, words: Words
) -> None:
    """A withdrawn entry counts no longer and can count again; its history tells both."""
    id = start()
    write(id, FIRST)
    assert post(id, "entries/1", 1, do="withdraw").status_code == 303
    said = words(client.get(f"/en/m/{id}/entries/1"))
    assert "it does not count" in said
    assert "Restore" in said
    assert client.get(f"/en/m/{id}/entries/1?edit=1").status_code == 200
    assert post(id, "entries/1", 2, do="save").status_code == 404
    assert post(id, "entries/1", 2, do="restore").status_code == 303
    said = words(client.get(f"/en/m/{id}/entries/1"))
    assert "Deal 1 withdrawn" in said
    assert "Deal 1 restored" in said


def test_there_is_no_such_entry(start: Start, client: FlaskClient) -> None:
    """The number of an entry that was never written leads to a plain 404."""
    id = start()
    assert client.get(f"/en/m/{id}/entries/7").status_code == 404
    assert client.post(f"/en/m/{id}/entries/7", data={"do": "withdraw"}).status_code == 404


def test_a_total_is_adjusted_and_the_adjustment_amended(
    start: Start, post: Any, log: Any, client: FlaskClient, words: Words
) -> None:
    """An agreed adjustment needs its reason, stands by itself, and can be put right."""
    id = start()
    assert post(id, "more/adjust", 0, side="A", points="-50", reason="spilt the tea").status_code == 303
    entry = {"type": "adjust", "side": "A", "points": -50, "reason": "spilt the tea"}
    assert log(id)[0].payload == entry
    assert 'value="-50"' in client.get(f"/en/m/{id}/entries/1?edit=1").text
    assert post(id, "entries/1", 1, side="B", points="-40", reason="spilt the tea").status_code == 303
    assert log(id)[1].payload == entry | {"side": "B", "points": -40}
    assert "Jan −40" in words(client.get(f"/en/m/{id}/entries/1"))


@pytest.mark.parametrize(
    "typed, said",
    [
        ({"points": "20", "reason": "why not"}, "Tap whose points they are."),
        ({"side": "A", "reason": "why not"}, "Required."),
        ({"side": "A", "points": "many", "reason": "why not"}, "A whole number"),
        ({"side": "A", "points": "20"}, "Required: the sheet shows the reason."),
        ({"side": "A", "points": "20", "reason": "x" * 501}, "At most 500"),
        ({"side": "A", "points": "20", "reason": " "}, "Required: the sheet shows the reason."),
    ],
)
def test_an_adjustment_says_what_it_lacks(typed: Any, said: str, start: Start, post: Any, log: Any) -> None:
    """Each thing missing or wrong is said at its field, and what was typed stays."""
    id = start()
    answer = post(id, "more/adjust", 0, **typed)
    assert answer.status_code == 422
    assert said in answer.text
    assert answer.text.count('aria-invalid="true"') == ("side" in typed), (
        "the field that is wrong, not a choice"
    )
    if typed.get("reason") == "why not":
        assert 'value="why not"' in answer.text
    assert log(id) == []


def test_a_side_nobody_has_is_refused(start: Start, post: Any, log: Any) -> None:
    """A side that does not exist is unreadable, whatever page sent it."""
    id = start()
    assert post(id, "more/concede", 0, side="Q").status_code == 400
    assert log(id) == []


def test_the_game_is_conceded(start: Start, post: Any, client: FlaskClient, words: Words) -> None:
    """A side that gives up loses the game."""
    id = start()
    assert post(id, "more/concede", 0, side="A").status_code == 303
    assert "Jan wins" in words(client.get(f"/en/m/{id}"))
    assert "The game is over" in words(client.get(f"/en/m/{id}/more"))


def test_the_game_is_broken_off(start: Start, post: Any, client: FlaskClient, words: Words) -> None:
    """Broken off, a game has no winner; the note is kept."""
    id = start()
    assert post(id, "more/abandon", 0, note="the train arrived").status_code == 303
    assert "the train arrived" in words(client.get(f"/en/m/{id}/entries/1"))


def test_a_stale_adjustment_says_what_changed(start: Start, post: Any, send: Any, words: Words) -> None:
    """Sent from an old page, the adjustment is held back; what changed is shown, what was typed stays."""
    id = start()
    send(id, {"bid": "thrown-in"})
    answer = post(id, "more/adjust", 0, side="A", points="20", reason="agreed")
    assert answer.status_code == 409
    assert "Deal 1 written" in words(answer)
    assert 'value="agreed"' in answer.text
    assert 'name="seq" value="1"' in answer.text


def test_a_match_from_paper_is_corrected(
    start: Start, write: Any, post: Any, log: Any, client: FlaskClient
) -> None:
    """What was taken over from paper can be corrected: totals, held points, dealer."""
    id = start()
    write(id, {"type": "opening", "totals": {"A": 240, "B": 310}, "held": [30], "dealer": "B"})
    page = client.get(f"/en/m/{id}/entries/1?edit=1").text
    assert 'value="240"' in page
    answer = post(id, "entries/1", 1, total_A="250", total_B="310", held="30 + 20", dealer="A")
    assert answer.status_code == 303
    assert log(id)[1].payload == {
        "type": "opening", "totals": {"A": 250, "B": 310}, "held": [30, 20], "dealer": "A",
    }  # fmt: skip
    assert post(id, "entries/1", 2, total_A="", total_B="310").status_code == 422
