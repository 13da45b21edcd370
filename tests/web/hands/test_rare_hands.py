"""What is seldom recorded of a hand: a new deal, who left the table, epaulettes, the order of going out."""

import re
from typing import Any

import pytest

from tests.web.browsers import Browser, words
from tests.web.hands.entries import left, lost, misdeal

TEAMS = {"format": "teams-4"}
ALL = {"five_of_a_suit": "redeal", "epaulettes": True}
BOUTS: list[dict[str, Any]] = [
    {"attacker": "C", "defender": "D", "result": "beaten-off", "transfers": [{"by": "D", "card": "7D"}]},
    {"attacker": "A", "defender": "B", "result": "picked-up"},
]


def form_fields(page: str) -> dict[str, Any]:
    """What a browser would send if the hand's form were saved as it stands."""
    form = page[page.index('<form id="hand"') :]
    form = form[: form.index("</form>")]
    found: dict[str, Any] = {}
    for tag in re.findall(r"<input\b[^>]*>", form):
        stored = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if stored["type"] not in ("radio", "checkbox") or " checked" in tag:
            found[stored["name"]] = stored["value"]
    for name, options in re.findall(r'<select[^>]*name="(\w+)"[^>]*>(.*?)</select>', form, re.S):
        chosen = re.search(r'<option value="([^"]*)" selected', options)
        found.setdefault(name, []).append(chosen[1] if chosen else "")
    for name, text in re.findall(r'<textarea[^>]*name="(\w+)"[^>]*>(.*?)</textarea>', form, re.S):
        found[name] = text
    return {key: value for key, value in found.items() if key not in ("csrf_token", "form_key", "seq")}


# --- corrections lose nothing ------------------------------------------------------------------


STORED = [
    pytest.param(lost("B", bouts=BOUTS, trump="D"), {"transfer": "on"}, id="transfers"),
    pytest.param(lost("B", sixes=2), ALL, id="sixes"),
    pytest.param(lost("B", sixes=0), ALL, id="no sixes"),
    pytest.param(lost("B", order=["C", "A", "D"]), {}, id="order"),
    pytest.param(lost(None, order=["C", "A", "D", "B"]), {}, id="order of a draw"),
    pytest.param(lost("B", order=["C", "A"], dealer="A", trump="H"), {}, id="some of the order"),
    pytest.param(misdeal("C"), ALL, id="misdeal"),
    pytest.param(misdeal("C", trump="S", dealer="A"), ALL, id="misdeal and trumps"),
    pytest.param(left("C"), {}, id="left"),
    pytest.param(left("C", walked_after=0), {}, id="left at once"),
    pytest.param(
        left("C", loser="B", bouts=[BOUTS[1], BOUTS[1] | {"attacker": "D", "defender": "A"}], walked_after=1),
        {"walk_out": "plays-on"},
        id="left between bouts",
    ),
    pytest.param(left("C", bouts=BOUTS[1:], walked_after=1), {}, id="left after a bout"),
    pytest.param(left("C", loser="C"), {}, id="left, loser said"),
    pytest.param(left("C"), {"walk_out": "void"}, id="left, void"),
    pytest.param(left("C", loser="B", sixes=1), {"walk_out": "plays-on", **ALL}, id="left, played on"),
    pytest.param(left("C", loser=None), {"walk_out": "plays-on"}, id="left, then a draw"),
    pytest.param(left("C"), {"walk_out": "plays-on"}, id="left, one alone"),
    pytest.param(left("C", deals="A"), TEAMS, id="left, team names dealer"),
    pytest.param(left("C"), TEAMS, id="left, dealer open"),
    pytest.param(lost(None, deals="A"), TEAMS, id="draw, dealer said"),
]


@pytest.mark.parametrize(("entry", "rules"), STORED)
def test_a_correction_loses_nothing(client: Browser, entry: dict[str, Any], rules: Any) -> None:
    """A hand that is opened to be corrected, and gets but a note, says all that it said before."""
    id = client.sit(entry, **rules)
    stands = form_fields(client.get(f"/en/m/{id}/entries/1?edit=1").text)
    answer = client.fill(id, "entries/1", **{**stands, "note": "late", "do": "save"})
    assert answer.status_code == 303, answer.text
    assert client.log(id)[-1].payload == {**entry, "note": "late"}


@pytest.mark.parametrize(
    ("before", "typed", "after"),
    [
        (misdeal("C"), {"result": "A"}, lost("A")),
        (lost("A", sixes=2), {"result": "five-suited:B"}, misdeal("B")),
        (lost("A", order=["C"]), {"result": "five-suited:B"}, misdeal("B")),
        (left("C"), {"result": "A"}, lost("A")),
        (lost("A"), {"result": "left", "walked_out": "B"}, left("B")),
        (misdeal("C"), {"result": "left", "walked_out": "B"}, left("B")),
        (left("C"), {"result": "five-suited:B"}, misdeal("B")),
        (lost("A", bouts=BOUTS[1:]), {"result": "five-suited:B", "forget": "1"}, misdeal("B")),
        (
            left("A", bouts=BOUTS[1:], walked_after=1),
            {"result": "left", "walked_out": "A", "walked_after": "1", "forget": "1"},
            left("A"),
        ),
    ],
)
def test_a_hand_that_ended_quite_otherwise(client: Browser, before: Any, typed: Any, after: Any) -> None:
    """What one kind of end says is not carried into another."""
    id = client.sit(before, **ALL)
    answer = client.fill(id, "entries/1", **typed, do="save")
    assert answer.status_code == 303, answer.text
    assert client.log(id)[-1].payload == after


# --- said when the hand is recorded ------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "typed", "entry", "says"),
    [
        (ALL, {"result": "five-suited:C"}, misdeal("C"), "Ala was dealt five of one suit: a new deal."),
        (ALL, {"result": "B", "sixes": "2"}, lost("B", sixes=2), "Jan is the fool. 2 epaulettes"),
        (ALL, {"result": "B", "sixes": "0"}, lost("B", sixes=0), "Jan is the fool."),
        (ALL, {"result": "draw", "sixes": "0"}, lost(None), "A draw: nobody had a card left."),
        ({}, {"result": "left", "walked_out": "C"}, left("C"), "Ala left the table: Ala lost."),
        (TEAMS, {"result": "left", "walked_out": "C"}, left("C"), "Ala left the table: Ewa & Ala lost."),
        (
            {"walk_out": "void"},
            {"result": "left", "walked_out": "C"},
            left("C"),
            "Ala left the table: the hand is void.",
        ),
        (
            {"walk_out": "plays-on"},
            {"result": "B", "walked_out": "C"},
            left("C", loser="B"),
            "Jan is the fool. Ala left the table.",
        ),
        (
            {"walk_out": "plays-on"},
            {"result": "left", "walked_out": "C"},
            left("C"),
            "Ala left the table, and one was left alone: the hand is void.",
        ),
        ({}, {"result": "B", "order": ["C", "A", "D", ""]}, lost("B", order=["C", "A", "D"]), "Jan is the"),
        ({}, {"result": "B", "order": ["C", "", "", ""]}, lost("B", order=["C"]), "Jan is the fool."),
    ],
)
def test_what_a_table_plays_is_recorded(
    client: Browser, rules: Any, typed: Any, entry: Any, says: str
) -> None:
    """Each house rule writes what was seen, the board tells it in words, and one tap takes it back."""
    id = client.sit(**rules)
    page = client.get(f"/en/m/{id}/hand").text
    for name in typed:
        assert f'name="{name}"' in page, name
    assert client.fill(id, **typed).status_code == 303
    assert client.log(id)[-1].payload == entry
    assert says in client.read(f"/en/m/{id}")
    client.fill(id, "undo")
    assert "whoever holds the lowest trump attacks first" in client.read(f"/en/m/{id}")
    assert "No." not in client.read(f"/en/m/{id}")


def test_what_a_table_does_not_play_is_not_shown(client: Browser) -> None:
    """Neither a new deal nor epaulettes; two have no order of going out, and no bouts to leave after."""
    page = client.get(f"/en/m/{client.sit(names=('Ewa', 'Jan'))}/hand").text
    for name in ("five-suited:", 'name="sixes"', 'name="order"', 'name="walked_after"'):
        assert name not in page, name
    assert 'name="walked_out"' in page


def test_all_that_is_rare_is_folded_away(client: Browser) -> None:
    """The first thing on the page is who is the fool; folds are closed while nothing stands in them."""
    page = client.get(f"/en/m/{client.sit(**ALL)}/hand").text
    assert page.count('<details class="fold">') == 3
    assert '<details class="fold" open>' not in page
    assert page.index('name="result" value="A"') < page.index('<details class="fold">')


def test_nothing_is_dealt_by_another_after_a_new_deal(client: Browser) -> None:
    """The same player deals again, and a first hand is still to be played."""
    id = client.sit(**ALL)
    client.fill(id, result="five-suited:B")
    page = client.get(f"/en/m/{id}")
    assert "Ewa deals; whoever holds the lowest trump attacks first." in words(page)
    assert "durak.deal.five-suited" in page.text
    assert "Losses" not in words(page)


def test_somebody_leaves_a_hand_that_was_followed(client: Browser) -> None:
    """After which of the bouts is asked only there; left open, it was after all of them."""
    id = client.sit(lost("B"), walk_out="void")
    client.fill(id, "hand/follow", do="beaten-off")
    client.fill(id, "hand/follow", do="beaten-off")
    page = client.get(f"/en/m/{id}/hand").text
    assert re.findall(r'<option value="(\d)"', page) == ["0", "1", "2"]
    refused = client.fill(id, result="left", walked_out="A", walked_after="1")
    assert refused.status_code == 422  # a bout was played after the hand was over
    assert re.search(r'<option value="1" selected', refused.text)
    assert client.fill(id, result="left", walked_out="A", walked_after="2").status_code == 303
    entry = client.log(id)[-1].payload
    assert (entry["walked_out"], entry["walked_after"], len(entry["bouts"])) == ("A", 2, 2)


def test_a_hand_that_was_followed_is_not_dealt_again(client: Browser) -> None:
    """Who demands a new deal after bouts is refused, and may leave them out."""
    id = client.sit(lost("B"), **ALL)
    client.fill(id, "hand/follow", do="beaten-off")
    refused = client.fill(id, result="five-suited:A")
    assert refused.status_code == 400
    assert "after a misdeal the hand is not played" in words(refused)
    assert "Leave the bouts out" in words(refused)
    assert client.fill(id, result="five-suited:A", forget="1").status_code == 303
    assert client.log(id)[-1].payload == misdeal("A")


@pytest.mark.parametrize(
    ("rules", "typed", "status", "says"),
    [
        ({}, {"result": "left"}, 422, "Tap who left the table."),
        ({}, {"result": "left", "walked_out": "Q"}, 400, "Must be "),
        ({}, {"result": "B", "walked_after": "0"}, 422, "Tap who left the table."),
        ({}, {"result": "left", "walked_out": "C", "walked_after": "x"}, 422, "A whole number."),
        ({}, {"result": "left", "walked_out": "C", "walked_after": "3"}, 400, "the number of bouts"),
        ({}, {"result": "B", "walked_out": "C"}, 422, "Ala left the table, and so lost."),
        ({"walk_out": "void"}, {"result": "B", "walked_out": "C"}, 422, "and so nobody lost"),
        ({"walk_out": "plays-on"}, {"result": "C", "walked_out": "C"}, 422, "and did not lose."),
        ({}, {"result": "five-suited:C"}, 422, "Here five of one suit are played"),
        (ALL, {"result": "five-suited"}, 422, "Tap who demanded the new deal."),
        (ALL, {"result": "five-suited:Q"}, 400, "Must be "),
        (ALL, {"result": "five-suited:C", "walked_out": "B"}, 422, "was not played: take out"),
        (ALL, {"result": "five-suited:C", "order": ["A", "", "", ""]}, 422, "was not played: take out"),
        (ALL, {"result": "five-suited:C", "sixes": "1"}, 422, "Only the loser has epaulettes"),
        (ALL, {"result": "draw", "sixes": "1"}, 422, "Only the loser has epaulettes"),
        (ALL, {"result": "B", "sixes": "5"}, 400, "Must be "),
        (ALL, {"result": "B", "sixes": "²"}, 422, "A whole number."),
        ({}, {"result": "B", "sixes": "1"}, 400, "no epaulettes are written"),
        ({}, {"result": "B", "order": ["A", "A", "", ""]}, 422, "each player goes out only once"),
        ({}, {"result": "B", "order": ["", "A", "", ""]}, 422, "without gaps"),
        ({}, {"result": "B", "order": ["A", "B", "", ""]}, 422, "Jan lost and did not go out."),
        ({}, {"result": "B", "order": ["Q", "", "", ""]}, 400, "Must be "),
        ({}, {"result": "B", "order": ["A"] * 40}, 422, "each player goes out only once"),
    ],
)
def test_what_cannot_be_is_refused(client: Browser, rules: Any, typed: Any, status: int, says: str) -> None:
    """A sentence says why; nothing is written, and what was tapped and typed stands there still."""
    id = client.sit(**rules)
    answer = client.fill(id, **typed, note="typed")
    assert answer.status_code == status
    assert says in words(answer)
    assert client.log(id) == []
    stands = form_fields(answer.text)
    assert stands["note"] == "typed"
    if typed.get("walked_out") in ("B", "C"):
        assert stands["walked_out"] == typed["walked_out"]
    if typed.get("order", [""])[0] in ("A", ""):
        assert stands.get("order", [""])[:4] == typed.get("order", [""])[:4] or "order" not in typed
