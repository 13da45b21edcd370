"""What pages tell of rare hands: how attacks went, who left, who went out when, and corrections in words."""

import re
from typing import Any

import pytest

from companion.web.shell.game_ui import game_ui
from tests.web.browsers import Browser, words
from tests.web.hands.entries import left, lost, misdeal

ALL = {"five_of_a_suit": "redeal", "epaulettes": True}
PICKED_UP: dict[str, Any] = {"attacker": "A", "defender": "B", "result": "picked-up"}


def test_the_page_of_a_hand_lists_its_bouts(client: Browser) -> None:
    """The way of each attack, who showed a trump, who left the table after which bout, who went out when."""
    shown = PICKED_UP | {"transfers": [{"by": "B", "shown": True}]}
    hand = left("C", loser="D", bouts=[shown, *_after_pick_up()], walked_after=1, sixes=2)
    rules = {"transfer": "on", "pass_card": "on", "walk_out": "plays-on", "epaulettes": True}
    said = client.read(f"/en/m/{client.sit(lost('D'), hand, **rules)}/entries/2")
    assert "1 Ewa → then Jan → then Ala : picked up, Jan transferred by showing, Ala left the table" in said
    assert "2 Olek → then Ewa : beaten off, Ewa out" in said
    assert "3 Jan → then Olek : picked up, Jan out" in said
    assert "Went out, in this order: Ewa , Jan" in said
    assert "Olek is the fool. Ala left the table." in said
    assert "2 epaulettes" in said


def _after_pick_up() -> list[dict[str, Any]]:
    """How the three who are left play on: D attacks A, who beats it off and goes out; B then attacks D."""
    return [
        {"attacker": "D", "defender": "A", "result": "beaten-off", "out": ["A"]},
        {"attacker": "B", "defender": "D", "result": "picked-up", "out": ["B"]},
    ]


def test_the_ring_of_a_hand_shows_its_last_attack(client: Browser) -> None:
    """Where it was transferred; any other is described well enough in its line."""
    id = client.sit(lost("D"), lost("B", bouts=[PICKED_UP | {"transfers": [{"by": "B"}]}]), transfer="on")
    page = client.get(f"/en/m/{id}/entries/2")
    assert "The last attack" in words(page)
    assert re.search(r'<li class="attacks" data-seat="B"', page.text)
    assert page.text.count('class="passed"') == 2
    assert "data-seat" not in client.get(f"/en/m/{id}/entries/1").text


@pytest.mark.parametrize(
    ("rules", "before", "after", "says"),
    [
        (
            ALL,
            lost("A"),
            misdeal("B"),
            "Hand 1: Ewa is the fool → Jan was dealt five of one suit: a new deal",
        ),
        (ALL, misdeal("A"), misdeal("B"), "Hand 1: Ewa was dealt five of one suit: a new deal → Jan was"),
        ({}, lost("A"), left("B"), "Hand 1: Ewa is the fool → Jan left the table: Jan lost"),
        ({}, left("A", walked_after=0), left("A"), "Hand 1: bouts before somebody left 0 → –"),
        (ALL, lost("A", sixes=1), lost("A", sixes=3), "Hand 1: sixes of the last attack 1 → 3"),
        ({}, lost("A", order=["B"]), lost("A", order=["C", "B"]), "went out in this order Jan → Ala, Jan"),
    ],
)
def test_the_history_says_it_in_words(
    client: Browser, rules: Any, before: Any, after: Any, says: str
) -> None:
    """What a hand said before a correction, and what it says now."""
    id = client.sit(before, **rules)
    result = {"misdeal": f"five-suited:{after.get('by')}", "left": "left"}.get(
        "misdeal" if "misdeal" in after else "left" if "walked_out" in after else "", after.get("loser")
    )
    facts = {key: after[key] for key in ("walked_out", "sixes", "order") if key in after}
    assert client.fill(id, "entries/1", result=result, do="save", **facts).status_code == 303
    assert says in client.read(f"/en/m/{id}/history")


def test_what_is_held_against_a_new_deal(client: Browser, app: Any) -> None:
    """Nothing was played: there are neither trumps nor cards that were wrong."""
    id = client.sit(misdeal("B"), lost("A"), **ALL)
    with app.test_request_context():
        match = app.extensions["matches"].open(id)
        reasons = [list(game_ui(match.game).objection_reasons(match, entry)) for entry in (1, 2)]
    assert reasons == [["count", "other"], ["count", "trump", "revoke", "other"]]


def test_a_question_about_a_hand_that_somebody_left(client: Browser) -> None:
    """Who left before the last bout is out in it; its roles are those after its transfers."""
    hand = left("C", loser="D", bouts=[PICKED_UP, *_after_pick_up()], walked_after=1)
    id = client.sit(lost("D"), hand, walk_out="plays-on")
    page = client.get(f"/en/m/{id}/ask/turn?entry=2").text
    assert re.search(r'name="attacker" value="B" checked', page)
    assert re.search(r'name="out" value="C" checked', page)


def test_a_question_about_a_hand_with_a_cancelled_bout(client: Browser) -> None:
    """It is about the last bout that was played, and knows who had left by then, and nobody else as out."""
    bouts = [
        {"attacker": "A", "defender": "B", "result": "cancelled", "out": ["D"]},
        {"attacker": "A", "defender": "B", "result": "picked-up"},
        {"attacker": "C", "defender": "A", "result": "cancelled", "out": ["B"]},
    ]
    rules = {"walk_out": "plays-on", "walk_out_bout": "cancelled"}
    id = client.sit(lost("D"), lost("A", bouts=bouts), **rules)
    for question in ("bout", "turn", "throw-in"):
        page = client.get(f"/en/m/{id}/ask/{question}?entry=2").text
        assert re.findall(r'name="(attacker|defender|out)" value="(\w)" checked', page) == [
            ("attacker", "A"),
            ("defender", "B"),
            ("out", "D"),
        ], question


def test_a_question_about_a_hand_that_somebody_left_after_a_cancelled_bout(client: Browser) -> None:
    """The cancelled bout counts among those after which that player left."""
    bouts = [
        {"attacker": "A", "defender": "B", "result": "cancelled", "out": ["D"]},
        {"attacker": "A", "defender": "B", "result": "beaten-off"},
        {"attacker": "B", "defender": "A", "result": "picked-up"},
    ]
    rules = {"walk_out": "plays-on", "walk_out_bout": "cancelled"}
    id = client.sit(lost("D"), left("C", loser="A", bouts=bouts, walked_after=2), **rules)
    page = client.get(f"/en/m/{id}/ask/bout?entry=2").text
    assert re.findall(r'name="out" value="(\w)" checked', page) == ["C", "D"]
