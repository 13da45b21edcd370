"""A session of hands: the board, who is the fool in one tap, the team that names its dealer, the close."""

import re
from typing import Any

import pytest

from tests.web.browsers import Browser, words
from tests.web.hands.entries import lost

TEAMS = {"format": "teams-4"}


# --- the board ---------------------------------------------------------------------------------


def test_an_empty_board(client: Browser) -> None:
    """Before the first hand nobody is known to attack but the holder of the lowest trump."""
    said = client.read(f"/en/m/{client.sit()}")
    assert "Ewa deals; whoever holds the lowest trump attacks first." in said
    assert "durak.deal.first" in said and "durak.start.lowest-trump" in said
    assert "Who is the fool? Tap the seat." in said
    assert "Enough!" not in said


def test_who_deals_and_attacks_after_a_hand(client: Browser) -> None:
    """The loser deals and the left-hand neighbour attacks, by the rules that say so; the ring shows it."""
    page = client.get(f"/en/m/{client.sit(lost('B'))}")
    assert "Jan deals; Ala attacks Olek." in words(page)
    assert page.text.count("<summary>The next hand</summary>") == 1, "one fold for all its rules"
    assert "durak.deal.loser" in words(page) and "durak.start.next" in words(page)
    assert re.search(r'<li class="deals" data-seat="B"', page.text)
    assert re.search(r'<li class="attacks" data-seat="C"', page.text)
    assert re.search(r'<li class="defends" data-seat="D"', page.text)


def test_matchsticks(client: Browser) -> None:
    """A matchstick for every loss, drawn, with a text that reads the same; a dot for a draw."""
    page = client.get(f"/en/m/{client.sit(*[lost('B')] * 6, lost(None))}").text
    assert "6: 5 1" in page
    assert page.count('class="match"') + page.count('class="match new"') == 6
    assert page.count('class="draw"') == 1


def test_who_owes_so_far(client: Browser) -> None:
    """The board says who has lost most, what the forfeit is, and how many losses are left."""
    id = client.sit(lost("B"), lost("B"), lost("A"), forfeit="sings", session_losses=3)
    said = client.read(f"/en/m/{id}")
    assert (
        "Jan has the most losses so far. The forfeit: sings . The session ends at 3 losses; 1 to go." in said
    )
    equal = client.read(f"/en/m/{client.sit(lost('A'), lost('B'), forfeit='sings')}")
    assert "Ewa, Jan have the most losses so far." in equal


def test_a_second_phone_only_looks(client: Browser, other: Browser) -> None:
    """Somebody else sees the board without anything to tap."""
    id = client.sit(lost("A"), **TEAMS)
    said = other.read(f"/en/m/{id}")
    assert "Ewa & Ala lost: which of them deals?" in said
    for control in ("Something else", "Tap the seat.", "Undo", "Follow", "Close the session", "Ewa deals"):
        assert control not in said, control
    assert "Close the session" not in other.read(f"/en/m/{id}/more")


# --- recording ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "rules", "entry", "now"),
    [
        ("C", {}, {"loser": "C"}, "Ala deals; Olek attacks Ewa."),
        ("draw", {}, {"loser": None}, "Ewa deals; Jan attacks Ala."),
        ("B:D", TEAMS, {"loser": "B", "deals": "D"}, "Olek deals; Ewa attacks Jan."),
        ("B", TEAMS, {"loser": "B"}, "Jan & Olek lost: which of them deals?"),
        ("draw", TEAMS, {"loser": None}, "Ewa deals; Jan attacks Ala."),
    ],
)
def test_one_tap_on_the_page(client: Browser, result: str, rules: Any, entry: Any, now: str) -> None:
    """A tap on who lost writes the hand, and the board says at once how the next one begins."""
    id = client.sit(**rules)
    assert f'name="result" value="{result}"' in client.get(f"/en/m/{id}/hand").text
    answer = client.fill(id, result=result)
    assert answer.status_code == 303
    assert client.log(id)[0].payload == {"type": "hand", **entry}
    assert now in client.read(answer.location)


@pytest.mark.parametrize(
    ("rules", "taps"),
    [
        ({}, {"A": "Ewa is the fool", "D": "Olek is the fool"}),
        (TEAMS, {"A": "Ewa & Ala lost", "B": "Jan & Olek lost"}),
    ],
)
def test_one_tap_on_the_board(client: Browser, rules: Any, taps: dict[str, str]) -> None:
    """Each seat sends who lost, in teams its team, as the page of the hand does; so does the dock's draw."""
    id = client.sit(**rules)
    page = client.get(f"/en/m/{id}").text
    assert re.search(rf'<form id="fool"\s+method="post" action="/en/m/{id}/hand"', page)
    for side, says in taps.items():
        label = says.replace("&", "&amp;")
        assert f'<button class="seat" name="result" value="{side}" aria-label="{label}"' in page
    assert 'form="fool" name="result" value="draw"' in page
    assert f'href="/en/m/{id}/hand">Something else' in page
    key, seq = (
        re.search(rf'id="fool".*?name="{name}" value="([^"]+)"', page) for name in ("form_key", "seq")
    )
    assert key and seq
    sent = {"result": "B", "form_key": key[1], "seq": seq[1]}
    assert client.post(f"/en/m/{id}/hand", data=sent).status_code == 303
    assert client.log(id)[0].payload == lost("B")


def test_many_losses_at_a_seat(client: Browser) -> None:
    """A seat has room for twenty matchsticks; those before them are a number in front."""
    page = client.get(f"/en/m/{client.sit(*[lost('B')] * 23)}")
    assert "Losses: 23 20 +" in words(page)
    assert page.text.count('class="match') == 3 + 1  # and the drawing around them


def test_trump_and_note(client: Browser) -> None:
    """What the fold asks is written with the hand."""
    id = client.sit()
    client.fill(id, result="A", trump="H", note=" Jan slept.\r\nLong. ")
    assert client.log(id)[0].payload == lost("A", trump="H", note="Jan slept.\r\nLong.")


@pytest.mark.parametrize(
    ("typed", "status", "says"),
    [
        ({}, 422, "Tap who is the fool"),
        ({"result": ""}, 422, "Tap who is the fool"),
        ({"result": "Z"}, 400, "Must be "),
        ({"result": "A:B"}, 400, "only a team names who deals"),
        ({"result": "A", "trump": "X"}, 400, "Must be "),
        ({"result": "A", "dealer": "Q"}, 400, "Must be "),
        ({"result": "A", "dealer": "B"}, 422, "Ewa deals, not Jan."),
        ({"result": "A", "note": "n" * 501}, 422, "At most 500 characters"),
    ],
)
def test_what_cannot_be_written(client: Browser, typed: Any, status: int, says: str) -> None:
    """Nothing is saved, the page says why, and what was typed is still there."""
    id = client.sit()
    answer = client.fill(id, **typed)
    assert answer.status_code == status
    assert says in words(answer)
    assert client.log(id) == []


def test_a_stale_page_of_a_closed_session(client: Browser) -> None:
    """Where the session was closed meanwhile, no form is offered again."""
    id = client.sit({"type": "close"})
    assert client.fill(id, result="A", seq="0").status_code == 409
    assert client.fill(id, result="A").status_code == 422
    assert len(client.log(id)) == 1


def test_no_page_after_the_close(client: Browser) -> None:
    """The page of a new hand leads back to the board of a closed session, which says so."""
    id = client.sit({"type": "close"})
    answer = client.get(f"/en/m/{id}/hand", follow_redirects=True)
    assert answer.request.path == f"/en/m/{id}"
    assert "The session is over." in words(answer)


def test_a_hand_that_was_followed(client: Browser, other: Browser) -> None:
    """The board leads on to it; recorded from the page instead, it keeps its trump and its bouts."""
    id = client.sit(lost("B"))
    client.fill(id, "hand/follow", do="trump:H")
    client.fill(id, "hand/follow", do="beaten-off")
    followed = client.read(f"/en/m/{id}")
    assert "A hand is being followed." in followed and "Continue" in followed
    watched = other.read(f"/en/m/{id}")
    assert "A hand is being followed." in watched and "Continue" not in watched
    page = client.get(f"/en/m/{id}/hand")
    assert "Bouts that were followed: 1." in words(page)
    assert re.search(r'name="trump" value="H" checked', page.text)
    client.fill(id, result="A", trump="H")
    bout = {"attacker": "C", "defender": "D", "result": "beaten-off"}
    entry = client.log(id)[-1].payload
    assert entry == lost("A", trump="H", first_attacker="C", bouts=[bout])
    assert "being followed" not in client.read(f"/en/m/{id}")


# --- teams name their dealer -------------------------------------------------------------------


def test_the_team_names_its_dealer(client: Browser) -> None:
    """One tap on the board amends the hand that was lost; the history keeps both."""
    id = client.sit(lost("A", deals="C"), lost("B", note="kept"), **TEAMS)
    page = client.get(f"/en/m/{id}")
    assert "Jan & Olek lost: which of them deals?" in words(page) and "durak.deal.loser" in words(page)
    assert 'name="deals" value="A"' not in page.text
    assert client.fill(id, "hand/dealer", deals="D").status_code == 303
    assert (client.log(id)[2].kind, client.log(id)[2].entry) == ("amend", 2)
    assert client.log(id)[2].payload == lost("B", deals="D", note="kept")
    assert "Olek deals; Ewa attacks Jan." in client.read(f"/en/m/{id}")


def test_one_undo_takes_back_a_hand_with_its_dealer(client: Browser) -> None:
    """Who deals next completes the hand; putting it back brings both, and another undo takes both again."""
    first = lost("A", deals="C")
    id = client.sit(first, lost("B"), **TEAMS)
    client.fill(id, "hand/dealer", deals="D")
    before = client.match(id)
    for _time in range(2):
        client.fill(id, "undo")
        assert [entry.payload for entry in client.match(id).standing_entries] == [first]
        assert "Hand 2 taken out Put back" in client.read(f"/en/m/{id}")
        client.fill(id, "put-back")
        assert client.match(id).state == before.state
    client.fill(id, "undo")
    client.fill(id, "undo")
    assert client.match(id).standing_entries == []


@pytest.mark.parametrize(("deals", "status"), [("A", 422), ("Z", 400), ("", 400)])
def test_only_a_loser_is_named(client: Browser, deals: str, status: int) -> None:
    """A winner is refused by the rule; what is no seat is no answer."""
    id = client.sit(lost("B"), **TEAMS)
    assert client.fill(id, "hand/dealer", deals=deals).status_code == status
    assert len(client.log(id)) == 1


def test_naming_without_a_hand(client: Browser) -> None:
    """Before the first hand there is nothing to name; with players on their own nothing either."""
    assert client.fill(client.sit(**TEAMS), "hand/dealer", deals="A").status_code == 404
    assert client.fill(client.sit(lost("A")), "hand/dealer", deals="A").status_code == 400


def test_the_dealer_named_twice_from_one_page(client: Browser) -> None:
    """The second time it has gone stale, and is refused."""
    id = client.sit(lost("B"), **TEAMS)
    assert client.fill(id, "hand/dealer", deals="D").status_code == 303
    assert client.fill(id, "hand/dealer", deals="B", seq="1").status_code == 409


def test_a_hand_before_the_dealer_was_named(client: Browser) -> None:
    """The page of the next hand asks who dealt; without it the hand is refused."""
    id = client.sit(lost("B"), **TEAMS)
    assert "Who dealt this hand" in client.read(f"/en/m/{id}/hand")
    answer = client.fill(id, result="A:C")
    assert answer.status_code == 422
    assert "Say which of the losers dealt. Why durak.deal.loser" in words(answer)
    assert client.fill(id, result="A:C", dealer="D").status_code == 303
    assert client.log(id)[1].payload == lost("A", deals="C", dealer="D")


# --- touched cards and the close ---------------------------------------------------------------


def test_somebody_touched_the_cards(client: Browser) -> None:
    """Whoever did is the fool and deals; no matchstick where the table does not count it."""
    id = client.sit(lost("B"))
    assert "Somebody touched the cards" in client.read(f"/en/m/{id}/hand")
    offered = client.get(f"/en/m/{id}/more").text
    assert [seat for seat in "ABCD" if f'name="by" value="{seat}"' in offered] == ["A", "C", "D"]
    assert client.fill(id, "more/touch", by="C", cards="cut", note="saw it").status_code == 303
    assert client.log(id)[1].payload == {"type": "touch", "by": "C", "cards": "cut", "note": "saw it"}
    said = client.read(f"/en/m/{id}")
    assert "Ala cut the cards, becomes the fool and deals." in said
    assert "Ala deals; Olek attacks Ewa." in said and "durak.deal.touch" in said


@pytest.mark.parametrize(
    ("typed", "rules", "status", "says"),
    [
        ({"by": "B", "cards": "touched"}, {}, 422, "Jan is the dealer and may touch the cards."),
        ({"by": "A", "cards": "cut"}, {"cut": "free"}, 422, "Ewa may cut here: that is no offence."),
        ({"by": "D", "cards": "touched"}, TEAMS, 422, "First say which of the losers deals"),
        ({"cards": "touched"}, {}, 422, "Tap who it was."),
        ({"by": "Z", "cards": "touched"}, {}, 400, "Must be "),
        ({"by": "A", "cards": "eaten"}, {}, 400, "Must be "),
    ],
)
def test_a_touch_that_is_none(client: Browser, typed: Any, rules: Any, status: int, says: str) -> None:
    """It is refused, with the sentence and the rule, and the form stays open with what was tapped."""
    id = client.sit(lost("B"), **rules)
    answer = client.fill(id, "more/touch", **typed)
    assert answer.status_code == status
    assert says in words(answer)
    assert len(client.log(id)) == 1


def test_the_close(client: Browser) -> None:
    """One form closes the session; the board says who pays what, and offers the next session."""
    id = client.sit(lost("B"), lost("B"), lost("A"), forfeit="fetches the beer")
    assert client.fill(id, "more/close").status_code == 303
    said = client.read(f"/en/m/{id}")
    assert "Jan pays the forfeit fetches the beer The session is closed. Why" in said
    assert "Follow the hand" not in said
    assert "Next session" in said
    assert client.fill(id, "more/touch", by="A", cards="cut").status_code == 422
    assert "The session is over." in client.read(f"/en/m/{id}/more")


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ((), "Nobody lost"),
        ((lost("A"), lost("C"), lost("D"), lost("C"), lost("A")), "Ewa, Ala share the forfeit"),
    ],
)
def test_who_pays_at_the_end(client: Browser, entries: Any, says: str) -> None:
    """Equal losses share the forfeit; without any, nobody pays."""
    id = client.sit(*entries)
    client.fill(id, "more/close")
    assert says in client.read(f"/en/m/{id}")


def test_the_last_loss_agreed_on(client: Browser) -> None:
    """A session that ends by its losses says so."""
    said = client.read(f"/en/m/{client.sit(lost('B'), lost('B'), session_losses=2)}")
    assert "Jan pays the forfeit Jan is the fool. That was loss number 2, the last one agreed on." in said


def test_the_next_session(client: Browser) -> None:
    """The same players again: the first dealer follows, and the evening adds the losses up."""
    id = client.sit(lost("B"), lost("C"), {"type": "close"}, forfeit="sings")
    answer = client.fill(id, "rematch")
    record = client.get(f"{answer.location}/record.json").get_json()
    assert record["first_dealer"] == "C"
    assert record["follows"] == id
    assert record["conventions"]["forfeit"] == "sings"
    assert client.fill(id, "rematch").location == answer.location
    assert "Open the next session" in client.read(f"/en/m/{id}")
    after = answer.location.rsplit("/", 1)[1]
    client.fill(after, result="B")
    said = client.read(answer.location)
    assert "This evening Session 1 2 Losses Ewa 0 0 0 Jan 1 1 2 Ala 1 0 1 Olek 0 0 0" in said
