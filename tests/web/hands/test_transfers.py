"""Following a hand with transfers: who attacks and defends, cards, what may come, what is taken back."""

import re
from typing import Any

import pytest
from endgames import FOUR
from following import Hand, heading

from companion.matches import KeepDraft
from tests.web.browsers import Browser
from tests.web.hands.entries import LOST, sit

ON = {"transfer": "on"}
SHOWS = {"transfer": "on", "pass_card": "on"}


def way(page: str) -> int:
    """How many arrows the ring shows."""
    found = re.search(r'<svg class="arrow".*?</svg>', page, re.S)
    return found[0].count("<path") // 2 if found else 0


def test_a_bout_with_transfers(client: Browser) -> None:
    """Each is one tap; who attacks, defends, throws in and draws follows, and the ring shows the way."""
    id = sit(client, FOUR, LOST, **ON)
    hand = Hand(client, id)
    assert "If it is transferred, East defends." in client.read(hand.at)
    assert way(hand.page) == 1
    assert hand.tap_and_read("transfer") == "North attacks East"
    assert hand.tap_and_read("transfer") == "East attacks South"
    said = client.read(hand.at)
    assert "The attack West North East South" in said and "durak.transfer" in said
    assert "6 at most, and no more than South holds. Laid so far: at least 3; at most 3 more." in said
    assert "If it is transferred again, West defends." in said
    assert "Draw afterwards East West North South Whoever has fewer than 6 cards." in said
    assert way(hand.page) == 3
    assert re.search(r'<li class="attacks" data-seat="C"', hand.page)
    assert re.search(r'<li class="deals defends" data-seat="D"', hand.page)
    assert hand.tap_and_read("beaten-off") == "South attacks West"
    assert way(hand.page) == 1
    hand.tap("lost:A")
    assert client.log(id)[-1].payload["bouts"] == [
        {"attacker": "A", "defender": "B", "result": "beaten-off", "transfers": [{"by": "B"}, {"by": "C"}]}
    ]


def test_a_rank_has_four_cards(client: Browser) -> None:
    """Three are laid to transfer; the fourth tap is not offered, says why, and is refused."""
    hand = Hand(client, sit(client, FOUR, LOST, **ON))
    for _card in range(3):
        assert 'value="transfer"' in hand.page
        hand.tap_and_read("transfer")
    assert hand.now == "South attacks West"
    assert 'value="transfer"' not in hand.page
    assert "Transferring One card of the rank attacked, so at most 3 can be laid" in client.read(hand.at)
    refused = hand.tap("transfer")
    assert refused.status_code == 422
    assert heading(refused.text) == "South attacks West"


def test_where_nothing_is_transferred(client: Browser) -> None:
    """Not in the plain game, and not in the first bout where the table says so, with the reason."""
    plain = Hand(client, sit(client, FOUR, LOST))
    assert "Transferr" not in plain.page
    assert plain.tap("transfer").status_code == 400
    hand = Hand(client, sit(client, FOUR, LOST, **ON, transfer_first="off"))
    said = client.read(hand.at)
    assert (
        "Transferring Here no attack is transferred in the first bout of a hand. Why durak.transfer.first"
        in said
    )
    assert 'value="transfer"' not in hand.page
    assert hand.tap("transfer").status_code == 422
    hand.tap_and_read("picked-up")
    assert 'value="transfer"' in hand.page
    assert (
        Hand(
            client, sit(client, FOUR, {"type": "hand", "loser": "B", "deals": "B"}, format="teams-4")
        ).page.count("Transf")
        == 0
    )


def test_with_which_card(client: Browser) -> None:
    """A card may be recorded for each transfer, taken out again, or left out; one rank, none laid twice."""
    id = sit(client, FOUR, LOST, **ON)
    hand = Hand(client, id)
    assert hand.tap("card:7S").status_code == 400
    hand.tap("transfer")
    hand.tap("transfer")
    assert hand.page.count('value="card:') == 36
    hand.tap_and_read("card:7S")
    assert re.findall(r'value="card:(\w+)"', hand.page) == ["7C", "7D", "7H", "7S"]
    hand.tap_and_read("card:7D")
    hand.tap_and_read("card:7S")
    assert hand.tap("card:8S").status_code == 422
    assert hand.tap("card:2S").status_code == 400
    hand.tap_and_read("card:7H")
    hand.tap_and_read("picked-up")
    hand.tap("lost:A")
    transfers = [{"by": "B", "card": "7H"}, {"by": "C", "card": "7D"}]
    assert client.log(id)[-1].payload["bouts"][0]["transfers"] == transfers


def test_several_cards_transfer(client: Browser) -> None:
    """Where several may be laid at once, a tap adds one to the last transfer, and again takes it out."""
    id = sit(client, FOUR, LOST, **ON, transfer_cards="several")
    hand = Hand(client, id)
    hand.tap("transfer")
    hand.tap_and_read("card:7S")
    hand.tap_and_read("card:7D")
    assert "Laid so far: at least 3; at most 3 more." in client.read(hand.at)
    hand.tap_and_read("card:7H")
    hand.tap_and_read("card:7H")
    hand.tap("transfer")
    hand.tap_and_read("card:7C")
    hand.tap_and_read("picked-up")
    hand.tap("lost:A")
    transfers = [{"by": "B", "card": ["7S", "7D"]}, {"by": "C", "card": "7C"}]
    assert client.log(id)[-1].payload["bouts"][0]["transfers"] == transfers


def test_a_trump_is_shown(client: Browser) -> None:
    """Only where the table plays so: once in a chain, of the suit of trumps, once a hand by one player."""
    assert "transfer:shown" not in Hand(client, sit(client, FOUR, LOST, **ON)).page
    id = sit(client, FOUR, LOST, **SHOWS)
    hand = Hand(client, id)
    hand.tap("trump:H")
    assert hand.tap_and_read("transfer:shown") == "North attacks East"
    assert "Laid so far: at least 1; at most 5 more." in client.read(hand.at)
    assert "a trump shown" in hand.page
    assert 'value="transfer:shown"' not in hand.page
    assert 'value="transfer"' in hand.page
    refused = hand.tap("card:7S")
    assert refused.status_code == 422
    assert "not a trump, and only a trump may be shown" in refused.text
    hand.tap_and_read("card:7H")
    hand.tap_and_read("picked-up")
    assert hand.now == "South attacks West"
    hand.tap_and_read("picked-up")
    assert hand.tap_and_read("transfer:shown") == "East attacks South"
    hand.tap_and_read("picked-up")
    hand.tap_and_read("beaten-off")
    assert hand.now == "North attacks East"
    hand.tap_and_read("beaten-off")
    assert hand.tap_and_read("picked-up") == "West attacks North"
    hand.tap_and_read("transfer:shown")
    refused = hand.tap("card:7H")
    assert refused.status_code == 422
    assert "North has shown" in refused.text
    hand.tap_and_read("untransfer")
    hand.tap("lost:A")
    transfers = [bout.get("transfers") for bout in client.log(id)[-1].payload["bouts"]]
    assert transfers[:3] == [[{"by": "B", "shown": True, "card": "7H"}], None, [{"by": "C", "shown": True}]]


@pytest.mark.parametrize(
    ("rules", "first", "later"),
    [
        ({}, "6 at most, and no more than North holds.", "6 at most, and no more than East holds."),
        (
            {"first_defence_limit": 5},
            "5 at most in the first bout, and no more than North holds.",
            "6 at most, and no more than East holds.",
        ),
        (
            {"first_defence_limit": 5, "first_defence_until": "beaten-off"},
            "5 at most until an attack is beaten off, and no more than North holds.",
            "6 at most, and no more than East holds.",
        ),
        (
            {"attack_cap": 4, "cap_binds_taker": False},
            "4 at most, and no more than North holds. After “I take”, 6.",
            "4 at most, and no more than East holds. After “I take”, 6.",
        ),
        (
            {"attack_cap": 0},
            "No more than North holds.",
            "No more than East holds.",
        ),
    ],
)
def test_how_many_may_come(client: Browser, rules: dict[str, Any], first: str, later: str) -> None:
    """The smaller cap of the first bout, or until one is beaten off; no cap but the hand."""
    hand = Hand(client, sit(client, FOUR, LOST, **ON, **rules))
    assert first in client.read(hand.at)
    hand.tap_and_read("beaten-off")
    assert later in client.read(hand.at)
    if rules.get("attack_cap") == 0:
        hand.tap_and_read("transfer")
        assert "No more than South holds. Laid so far: at least 2." in client.read(hand.at)
    if "first_defence_until" in rules:
        again = Hand(client, sit(client, FOUR, LOST, **ON, **rules))
        again.tap_and_read("picked-up")
        assert "5 at most until an attack is beaten off, and no more than South holds." in client.read(
            again.at
        )


def test_taking_back_loses_nothing(client: Browser) -> None:
    """A result, then transfers one by one; who was ticked, cards and later bouts come back with one tap."""
    id = sit(client, FOUR, LOST, **ON)
    hand = Hand(client, id)
    hand.tap("talon:used-up")
    hand.tap("transfer")
    hand.tap("card:9S")
    hand.tap_and_read("beaten-off", "A", "B")
    hand.tap_and_read("picked-up")
    before = client.log(id)[-1].payload["bouts"]
    assert hand.now == "East attacks South"
    assert hand.tap_and_read("back:0") == "North attacks East"
    assert re.findall(r'name="out" value="(\w)" checked', hand.page) == ["A", "B"]
    assert hand.tap_and_read("again") == "East attacks South"
    assert client.log(id)[-1].payload["bouts"] == before
    hand.tap_and_read("back:0")
    assert hand.tap_and_read("untransfer") == "West attacks North"
    assert "again" not in re.findall(r'value="(again)"', hand.page)
    hand.tap_and_read("transfer")
    hand.tap_and_read("card:9H")
    hand.tap_and_read("beaten-off", "A", "B")
    assert hand.tap_and_read("again") == "East attacks South"
    assert [bout.get("transfers") for bout in client.log(id)[-1].payload["bouts"]] == [
        [{"by": "B", "card": "9H"}],
        None,
    ]


def test_later_bouts_that_fit_no_more(client: Browser) -> None:
    """They are not offered where another would attack, nor where somebody would have gone out before."""
    hand = Hand(client, sit(client, FOUR, LOST, **ON))
    hand.tap("talon:used-up")
    for result in ("beaten-off", "picked-up", "picked-up"):
        hand.tap_and_read(result)
    hand.tap_and_read("back:0")
    hand.tap_and_read("picked-up")
    assert 'value="again"' not in hand.page
    hand.tap_and_read("back:0")
    hand.tap_and_read("beaten-off", "C")
    assert hand.tap("again").status_code == 400
    hand.tap_and_read("back:0")
    assert 'value="again"' in hand.page


def test_ticks_survive_other_taps(client: Browser) -> None:
    """Who was ticked to have gone out stays so in their order, also without a script."""
    id = sit(client, FOUR, LOST, **ON)
    hand = Hand(client, id)
    hand.tap("talon:used-up")
    hand.tap("trump:H", "C", "A")
    assert 'data-order="C A"' in hand.page
    hand.tap("transfer", "C", "A")
    assert 'data-order="C A"' in hand.page
    hand.tap("trump:S")
    assert 'data-order=""' in hand.page
    hand.tap_and_read("beaten-off", "C", "A")
    assert "Went out East West" in " ".join(re.sub(r"<[^>]+>", " ", hand.page).split())
    hand.tap("lost:B")
    assert client.log(id)[-1].payload["bouts"][0]["out"] == ["C", "A"]


def test_drafts_of_house_rules_may_hold_anything(client: Browser) -> None:
    """What is no transfer, no leaving and no bout is passed two."""
    id = sit(client, FOUR, LOST, walk_out="plays-on", **ON)
    for wrong in (
        {"transfers": 3},
        {"transfers": [{"by": "Z"}]},
        {"transfers": [{"by": "B", "card": "1S"}]},
        {"going_out": ["Z"]},
        {"going_out": "A"},
        {"later": [{"attacker": "A"}]},
        {"walked_out": "Z"},
        {"walked_out": "C", "walked_after": -1},
        {"walked_out": "C", "walked_after": "x"},
    ):
        client.change(id, KeepDraft({"type": "hand", **wrong}))
        assert Hand(client, id).now == "West attacks North", wrong
    client.change(id, KeepDraft({"type": "hand", "transfers": [{"by": "C"}]}))
    assert "may transfer, not East" in Hand(client, id).page


@pytest.mark.parametrize(
    "do",
    [
        "transfer",
        "untransfer",
        "card:9S",
        "left:Z",
        "stayed",
        "again",
        "void",
        "five-suited:A",
        "resume",
        "card",
    ],
)
def test_taps_that_no_page_of_these_offers(client: Browser, do: str) -> None:
    """They are no reason to break."""
    assert Hand(client, sit(client, FOUR, LOST)).tap(do).status_code == 400


def test_a_question_begins_with_the_bout_as_it_stands(client: Browser) -> None:
    """About a moment: who faces the attack now; about whose turn it is: the beginning, with the transfers."""
    id = sit(client, FOUR, LOST, **ON)
    hand = Hand(client, id)
    hand.tap("transfer")
    hand.tap("transfer")
    for question, attacker, defender in (("throw-in", "C", "D"), ("turn", "A", "B"), ("bout", "A", "B")):
        page = client.get(f"/en/m/{id}/ask/{question}").text
        assert re.search(rf'name="attacker" value="{attacker}" checked', page), question
        assert re.search(rf'name="defender" value="{defender}" checked', page), question
    page = client.get(f"/en/m/{id}/ask/turn").text
    assert re.search(r'name="transfers.1.by" value="C"', page)
    assert re.search(r'name="defender_cards" value="6" checked', client.get(f"/en/m/{id}/ask/throw-in").text)
    two = Hand(client, sit(client, ("Ewa", "Jan"), {"type": "hand", "loser": "B"}, **ON))
    two.tap("transfer")
    page = client.get(two.at.replace("hand/follow", "ask/throw-in")).text
    assert re.search(r'name="defender" value="A" checked', page)
    assert not re.search(r'name="defender_cards" value="6" checked', page)  # who attacked has laid one
