"""One entry by itself: what it came to, putting it right, taking it out; entries that are no deals."""

import re
from typing import Any

import pytest

from tests.web.browsers import Browser, fields, words

FIRST = {
    "type": "deal",
    "contract": {"declarer": "B", "trump": "H"},
    "count": {"cards": {"A": 31, "B": 52}, "jass": "B", "last": "B"},
    "runs": [{"seat": "A", "length": 3, "top": "K"}],
}
OUT = {"type": "deal", "thrown_in": True, "dealer": "B"}


def test_above_a_new_deal_every_line_says_what_it_is(client: Browser) -> None:
    """Also where nobody played: an offer and a deal that was thrown in."""
    id = client.start(FIRST | {"dealer": "A"}, OUT, {"type": "deal", "offer": {"points": 20}})
    assert "Offer: Jan +20 0 20 Thrown in; Jan dealt 0 0 Jan made it 51 82" in client.read(f"/en/m/{id}/deal")


def test_an_entry_says_what_it_came_to(client: Browser) -> None:
    """The page of a deal has its sentence, its count word by word, the totals after it, rules and changes."""
    id = client.start(FIRST, FIRST)
    said = client.read(f"/en/m/{id}/entries/1")
    assert "Jan makes it, 82 to 51." in said
    assert "running total 51 82" in said
    assert "trump jack 20" in said
    assert "derda 20" in said
    assert "derda.score.made" in said
    assert "Deal 1 written" in said


def test_anybody_may_look_and_the_owner_mends(client: Browser, other: Browser) -> None:
    """Another browser sees the entry without its buttons, and may not open the form or send it."""
    id = client.start(FIRST)
    said = other.read(f"/en/m/{id}/entries/1")
    assert "Jan makes it" in said
    assert "Correct" not in said
    assert other.get(f"/en/m/{id}/entries/1?edit=1").status_code == 403
    assert other.post(f"/en/m/{id}/entries/1", data={"do": "withdraw"}).status_code == 403


def test_a_deal_is_corrected(client: Browser) -> None:
    """The form comes filled; saved with other points, the deal is corrected, folded again, and says so."""
    id = client.start(FIRST, OUT)
    typed = fields(client.get(f"/en/m/{id}/entries/1?edit=1").text)
    assert typed["cards_A"] == "31"
    answer = client.send(id, typed | {"cards_A": "24", "cards_B": "39", "jass": "A"}, path="entries/1", seq=2)
    assert answer.status_code == 303
    said = client.read(f"/en/m/{id}/entries/1")
    assert "Jan: bajt, 49 to 64" in said
    assert "Deal 1 written" in said
    assert (
        "Jan makes it, 82 to 51." in said[said.index("Deal 1 written") : said.index("Deal 1: 51:82 → 64:49")]
    )


def test_a_later_contradiction_is_flagged_where_it_is(client: Browser) -> None:
    """A correction that makes a later deal's dealer wrong is saved; the later deal is flagged, not lost."""
    id = client.start(FIRST, OUT)
    typed = fields(client.get(f"/en/m/{id}/entries/1?edit=1").text)
    preview = client.post(f"/en/m/{id}/deal/preview?entry=1", data=typed | {"jass": "A", "cards_B": "10"})
    assert "Ewa deals next." in words(preview)
    client.send(id, typed | {"cards_A": "24", "cards_B": "39", "jass": "A"}, path="entries/1", seq=2)
    assert "Ewa deals here, not Jan." in client.read(f"/en/m/{id}/entries/2")
    typed = fields(client.get(f"/en/m/{id}/entries/2?edit=1").text)
    assert typed["dealer"] == "B"
    assert client.send(id, typed, path="entries/2", seq=3).status_code == 422
    assert client.send(id, typed | {"dealer": ""}, path="entries/2", seq=3).status_code == 303
    assert "Ewa deals here" not in client.read(f"/en/m/{id}/entries/2")


def test_a_correction_sees_the_state_it_stands_on(client: Browser) -> None:
    """The preview of an old deal counts on from the totals before it, and says where the match ends up."""
    id = client.start()
    totals = {"type": "deal", "contract": {"declarer": "A", "trump": "S"}, "totals": {"A": 82, "B": 65}}
    client.write(id, FIRST, totals)
    typed = {"bid": "B:H", "counting": "totals", "total_A": "65", "total_B": "92"}
    asked = re.search(r'data-preview="([^"]+)"', client.get(f"/en/m/{id}/entries/1?edit=1").text)
    assert asked is not None
    said = words(client.post(asked[1], data=typed))
    assert "Jan +92 = 92" in said
    assert "After all deals: Ewa 147 · Jan 157" in said


def test_an_entry_is_withdrawn_and_restored(client: Browser) -> None:
    """A withdrawn entry counts no longer and can count again; its history tells both."""
    id = client.start(FIRST)
    assert client.fill(id, "entries/1", seq=1, do="withdraw").status_code == 303
    said = client.read(f"/en/m/{id}/entries/1")
    assert "it does not count" in said
    assert "Restore" in said
    assert client.get(f"/en/m/{id}/entries/1?edit=1").status_code == 200
    assert client.fill(id, "entries/1", seq=2, do="save").status_code == 404
    assert client.fill(id, "entries/1", seq=2, do="restore").status_code == 303
    said = client.read(f"/en/m/{id}/entries/1")
    assert "Deal 1 withdrawn" in said
    assert "Deal 1 restored" in said


def test_a_total_is_adjusted_and_the_adjustment_amended(client: Browser) -> None:
    """An agreed adjustment needs its reason, stands by itself, and can be put right."""
    id = client.start()
    assert (
        client.fill(id, "more/adjust", seq=0, side="A", points="-50", reason="spilt the tea").status_code
        == 303
    )
    entry = {"type": "adjust", "side": "A", "points": -50, "reason": "spilt the tea"}
    assert client.log(id)[0].payload == entry
    assert 'value="-50"' in client.get(f"/en/m/{id}/entries/1?edit=1").text
    assert (
        client.fill(id, "entries/1", seq=1, side="B", points="-40", reason="spilt the tea").status_code == 303
    )
    assert client.log(id)[1].payload == entry | {"side": "B", "points": -40}
    assert "Jan −40" in client.read(f"/en/m/{id}/entries/1")


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
def test_an_adjustment_says_what_it_lacks(client: Browser, typed: Any, said: str) -> None:
    """Each thing missing or wrong is said at its field, and what was typed stays."""
    id = client.start()
    answer = client.fill(id, "more/adjust", seq=0, **typed)
    assert answer.status_code == 422
    assert said in answer.text
    assert answer.text.count('aria-invalid="true"') == ("side" in typed), (
        "the field that is wrong, not a choice"
    )
    for place in " ".join(re.findall(r'aria-describedby="([^"]+)"', answer.text)).split():
        assert f'id="{place}"' in answer.text, "the sentence is tied to its field"
    if typed.get("reason") == "why not":
        assert 'value="why not"' in answer.text
    assert client.log(id) == []


def test_a_side_nobody_has_is_refused(client: Browser) -> None:
    """A side that does not exist is unreadable, whatever page sent it."""
    id = client.start()
    assert client.fill(id, "more/concede", seq=0, side="Q").status_code == 400
    assert client.log(id) == []


def test_the_game_is_broken_off(client: Browser) -> None:
    """Broken off, a game has no winner; the note is kept."""
    id = client.start()
    assert client.fill(id, "more/abandon", seq=0, note="the train arrived").status_code == 303
    assert "the train arrived" in client.read(f"/en/m/{id}/entries/1")


def test_a_match_from_paper_is_corrected(client: Browser) -> None:
    """What was taken over from paper can be corrected: totals, held points, dealer."""
    id = client.start({"type": "opening", "totals": {"A": 240, "B": 310}, "held": [30], "dealer": "B"})
    page = client.get(f"/en/m/{id}/entries/1?edit=1").text
    assert 'value="240"' in page
    answer = client.fill(id, "entries/1", seq=1, total_A="250", total_B="310", held="30 + 20", dealer="A")
    assert answer.status_code == 303
    assert client.log(id)[1].payload == {
        "type": "opening", "totals": {"A": 250, "B": 310}, "held": [30, 20], "dealer": "A",
    }  # fmt: skip
    assert client.fill(id, "entries/1", seq=2, total_A="", total_B="310").status_code == 422
