"""A session of hands: the board, who is the fool in one tap, the team that names its dealer, the close."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

Words = Callable[[Any], str]
Sit = Callable[..., str]
Log = Callable[[str], list[Any]]
Post = Callable[..., Any]

FOUR = ("Ewa", "Jan", "Ala", "Olek")
TEAMS = {"format": "teams-4"}
DERDA = {"name-A": "Ewa", "name-B": "Jan", "dealer": "A"}


def lost(loser: str | None, **more: Any) -> dict[str, Any]:
    return {"type": "hand", "loser": loser, **more}


# --- the board ---------------------------------------------------------------------------------


def test_an_empty_board(sit: Sit, client: FlaskClient, words: Words) -> None:
    """Before the first hand nobody is known to attack but the holder of the lowest trump."""
    said = words(client.get(f"/en/m/{sit()}"))
    assert "Ewa deals; whoever holds the lowest trump attacks first. § durak.deal.first" in said
    assert "durak.start.lowest-trump" in said
    assert "Tap “Record hand”" in said
    assert "Enough!" not in said


def test_who_deals_and_attacks_after_a_hand(sit: Sit, client: FlaskClient, words: Words) -> None:
    """The loser deals and the left-hand neighbour attacks, by the rules that say so; the ring shows it."""
    page = client.get(f"/en/m/{sit(lost('B'))}")
    assert "Jan deals; Ala attacks Olek. § durak.deal.loser § durak.start.next" in words(page)
    assert re.search(r'<li class=" deals" data-seat="B"', page.text)
    assert re.search(r'<li class=" attacks" data-seat="C"', page.text)
    assert re.search(r'<li class=" defends" data-seat="D"', page.text)
    assert 'class="arrow"' in page.text


def test_matchsticks(sit: Sit, client: FlaskClient) -> None:
    """A matchstick for every loss, drawn, with a text that reads the same; a dot for a draw."""
    page = client.get(f"/en/m/{sit(*[lost('B')] * 6, lost(None))}").text
    assert "6: 5 1" in page
    assert page.count('class="match"') + page.count('class="match new"') == 6
    assert page.count('class="draw"') == 1


def test_who_owes_so_far(sit: Sit, client: FlaskClient, words: Words) -> None:
    """The board says who has lost most, what the forfeit is, and how many losses are left."""
    id = sit(lost("B"), lost("B"), lost("A"), forfeit="sings", session_losses=3)
    said = words(client.get(f"/en/m/{id}"))
    assert (
        "Jan has the most losses so far. The forfeit: sings . The session ends at 3 losses; 1 to go." in said
    )
    equal = words(client.get(f"/en/m/{sit(lost('A'), lost('B'))}"))
    assert "Ewa, Jan have the most losses so far." in equal


def test_a_second_phone_only_looks(
    sit: Sit, other: FlaskClient, client: FlaskClient, post: Post, words: Words
) -> None:
    """Somebody else sees the board without anything to tap, and is refused at every page that writes."""
    id = sit(lost("A"), **TEAMS)
    said = words(other.get(f"/en/m/{id}"))
    assert "Ewa & Ala lost: which of them deals?" in said
    for control in ("Record hand", "Undo", "Follow", "Close the session", "Ewa deals", "More"):
        assert control not in said, control
    for path in ("hand", "hand/dealer", "more/touch", "more/close", "rematch", "undo", "entries/1"):
        assert post(id, path, other, result="draw", deals="A", by="B").status_code == 403, path
    for path in ("hand", "more", "names", "entries/1?edit=1"):
        assert other.get(f"/en/m/{id}/{path}").status_code == 403, path
    for path in ("", "/history", "/entries/1", "/record.json"):
        assert other.get(f"/en/m/{id}{path}").status_code == 200, path


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
def test_one_tap_on_the_page(
    result: str,
    rules: Any,
    entry: Any,
    now: str,
    sit: Sit,
    post: Post,
    log: Log,
    client: FlaskClient,
    words: Words,
) -> None:
    """A tap on who lost writes the hand, and the board says at once how the next one begins."""
    id = sit(**rules)
    assert f'name="result" value="{result}"' in client.get(f"/en/m/{id}/hand").text
    answer = post(id, result=result)
    assert answer.status_code == 303
    assert log(id)[0].payload == {"type": "hand", **entry}
    assert now in words(client.get(answer.location))


def test_trump_and_note(sit: Sit, post: Post, log: Log) -> None:
    """What the fold asks is written with the hand."""
    id = sit()
    post(id, result="A", trump="H", note=" Jan slept.\r\nLong. ")
    assert log(id)[0].payload == lost("A", trump="H", note="Jan slept.\r\nLong.")


def test_a_double_tap_is_one_hand(sit: Sit, post: Post, log: Log) -> None:
    """The same form sent twice writes one hand and leads to the board both times."""
    id = sit()
    for _tap in range(2):
        assert post(id, result="A", form_key="same", seq="0").status_code == 303
    assert len(log(id)) == 1


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
def test_what_cannot_be_written(
    typed: Any, status: int, says: str, sit: Sit, post: Post, log: Log, words: Words
) -> None:
    """Nothing is saved, the page says why, and what was typed is still there."""
    id = sit()
    answer = post(id, **typed)
    assert answer.status_code == status
    assert says in words(answer)
    assert log(id) == []


def test_a_page_gone_stale(sit: Sit, post: Post, log: Log, words: Words) -> None:
    """A hand written meanwhile is shown; the note stays, and a tap on the new page writes after all."""
    id = sit(lost("B"))
    answer = post(id, result="A", note="typed", seq="0")
    assert answer.status_code == 409
    assert "Hand 1 written" in words(answer)
    assert "typed" in answer.text
    key = re.findall(r'name="form_key" value="([^"]+)"', answer.text)[0]
    assert post(id, result="A", note="typed", seq="1", form_key=key).status_code == 303
    assert [event.payload["loser"] for event in log(id)] == ["B", "A"]


def test_a_stale_page_of_a_closed_session(sit: Sit, post: Post, log: Log) -> None:
    """Where the session was closed meanwhile, no form is offered again."""
    id = sit({"type": "close"})
    assert post(id, result="A", seq="0").status_code == 409
    assert post(id, result="A").status_code == 422
    assert len(log(id)) == 1


def test_no_page_after_the_close(sit: Sit, client: FlaskClient, words: Words) -> None:
    """The page of a new hand leads back to the board of a closed session, which says so."""
    id = sit({"type": "close"})
    answer = client.get(f"/en/m/{id}/hand", follow_redirects=True)
    assert answer.request.path == f"/en/m/{id}"
    assert "The session is over." in words(answer)


def test_a_hand_that_was_followed(
    sit: Sit, post: Post, log: Log, client: FlaskClient, other: FlaskClient, words: Words
) -> None:
    """The board leads on to it; recorded from the page instead, it keeps its trump and its bouts."""
    id = sit(lost("B"))
    post(id, "hand/follow", do="trump:H")
    post(id, "hand/follow", do="beaten-off")
    assert "A hand is being followed. Continue" in words(client.get(f"/en/m/{id}"))
    watched = words(other.get(f"/en/m/{id}"))
    assert "A hand is being followed." in watched and "Continue" not in watched
    page = client.get(f"/en/m/{id}/hand")
    assert "Bouts that were followed: 1." in words(page)
    assert re.search(r'name="trump" value="H" checked', page.text)
    post(id, result="A", trump="H")
    bout = {"attacker": "C", "defender": "D", "result": "beaten-off"}
    entry = log(id)[-1].payload
    assert entry == lost("A", trump="H", first_attacker="C", bouts=[bout])
    assert "being followed" not in words(client.get(f"/en/m/{id}"))


# --- teams name their dealer -------------------------------------------------------------------


def test_the_team_names_its_dealer(sit: Sit, post: Post, log: Log, client: FlaskClient, words: Words) -> None:
    """One tap on the board amends the hand that was lost; the history keeps both."""
    id = sit(lost("B", note="kept"), **TEAMS)
    page = client.get(f"/en/m/{id}")
    assert "Jan & Olek lost: which of them deals? § durak.deal.loser" in words(page)
    assert 'name="deals" value="A"' not in page.text
    assert post(id, "hand/dealer", deals="D").status_code == 303
    assert log(id)[1].kind == "amend"
    assert log(id)[1].payload == lost("B", deals="D", note="kept")
    assert "Olek deals; Ewa attacks Jan." in words(client.get(f"/en/m/{id}"))


@pytest.mark.parametrize(("deals", "status"), [("A", 422), ("Z", 400), ("", 400)])
def test_only_a_loser_is_named(deals: str, status: int, sit: Sit, post: Post, log: Log) -> None:
    """A winner is refused by the rule; what is no seat is no answer."""
    id = sit(lost("B"), **TEAMS)
    assert post(id, "hand/dealer", deals=deals).status_code == status
    assert len(log(id)) == 1


def test_naming_without_a_hand(sit: Sit, post: Post) -> None:
    """Before the first hand there is nothing to name; with players on their own nothing either."""
    assert post(sit(**TEAMS), "hand/dealer", deals="A").status_code == 404
    assert post(sit(lost("A")), "hand/dealer", deals="A").status_code == 400


def test_the_dealer_named_twice_from_one_page(sit: Sit, post: Post, log: Log) -> None:
    """The same tap again changes nothing; one from a page gone stale is refused."""
    id = sit(lost("B"), **TEAMS)
    for _tap in range(2):
        assert post(id, "hand/dealer", deals="D", form_key="same", seq="1").status_code == 303
    assert len(log(id)) == 2
    assert post(id, "hand/dealer", deals="B", seq="1").status_code == 409


def test_a_hand_before_the_dealer_was_named(
    sit: Sit, post: Post, log: Log, client: FlaskClient, words: Words
) -> None:
    """The page of the next hand asks who dealt; without it the hand is refused."""
    id = sit(lost("B"), **TEAMS)
    assert "Who dealt this hand" in words(client.get(f"/en/m/{id}/hand"))
    answer = post(id, result="A:C")
    assert answer.status_code == 422
    assert "Say which of the losers dealt. § durak.deal.loser" in words(answer)
    assert post(id, result="A:C", dealer="D").status_code == 303
    assert log(id)[1].payload == lost("A", deals="C", dealer="D")


# --- touched cards and the close ---------------------------------------------------------------


def test_somebody_touched_the_cards(
    sit: Sit, post: Post, log: Log, client: FlaskClient, words: Words
) -> None:
    """Whoever did is the fool and deals; no matchstick where the table does not count it."""
    id = sit(lost("B"))
    assert "Somebody touched the cards" in words(client.get(f"/en/m/{id}/hand"))
    offered = client.get(f"/en/m/{id}/more").text
    assert [seat for seat in "ABCD" if f'name="by" value="{seat}"' in offered] == ["A", "C", "D"]
    assert post(id, "more/touch", by="C", cards="cut", note="saw it").status_code == 303
    assert log(id)[1].payload == {"type": "touch", "by": "C", "cards": "cut", "note": "saw it"}
    said = words(client.get(f"/en/m/{id}"))
    assert "Ala cut the cards, becomes the fool and deals." in said
    assert "Ala deals; Olek attacks Ewa. § durak.deal.touch" in said


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
def test_a_touch_that_is_none(
    typed: Any, rules: Any, status: int, says: str, sit: Sit, post: Post, log: Log, words: Words
) -> None:
    """It is refused, with the sentence and the rule, and the form stays open with what was tapped."""
    id = sit(lost("B"), **rules)
    answer = post(id, "more/touch", **typed)
    assert answer.status_code == status
    assert says in words(answer)
    assert len(log(id)) == 1


def test_the_close(sit: Sit, post: Post, client: FlaskClient, words: Words) -> None:
    """One form closes the session; the board says who pays what, and offers the next session."""
    id = sit(lost("B"), lost("B"), lost("A"), forfeit="fetches the beer")
    assert post(id, "more/close").status_code == 303
    said = words(client.get(f"/en/m/{id}"))
    assert "Jan pays the forfeit fetches the beer The session is closed. § durak.score.tally" in said
    assert "Record hand" not in said
    assert "Next session" in said
    assert post(id, "more/touch", by="A", cards="cut").status_code == 422
    assert "The session is over." in words(client.get(f"/en/m/{id}/more"))


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ((), "Nobody lost"),
        ((lost("A"), lost("C"), lost("D"), lost("C"), lost("A")), "Ewa, Ala share the forfeit"),
    ],
)
def test_who_pays_at_the_end(
    entries: Any, says: str, sit: Sit, post: Post, client: FlaskClient, words: Words
) -> None:
    """Equal losses share the forfeit; without any, nobody pays."""
    id = sit(*entries)
    post(id, "more/close")
    assert says in words(client.get(f"/en/m/{id}"))


def test_the_last_loss_agreed_on(sit: Sit, client: FlaskClient, words: Words) -> None:
    """A session that ends by its losses says so."""
    said = words(client.get(f"/en/m/{sit(lost('B'), lost('B'), session_losses=2)}"))
    assert "Jan pays the forfeit Jan is the fool. That was loss number 2, the last one agreed on." in said


def test_the_next_session(sit: Sit, post: Post, client: FlaskClient, words: Words) -> None:
    """The same players again: the first dealer follows, and the evening adds the losses up."""
    id = sit(lost("B"), lost("C"), {"type": "close"}, forfeit="sings")
    answer = post(id, "rematch")
    record = client.get(f"{answer.location}/record.json").get_json()
    assert record["first_dealer"] == "C"
    assert record["follows"] == id
    assert record["conventions"]["forfeit"] == "sings"
    assert post(id, "rematch").location == answer.location
    assert "Open the next session" in words(client.get(f"/en/m/{id}"))
    after = answer.location.rsplit("/", 1)[1]
    post(after, result="B")
    said = words(client.get(answer.location))
    assert "This evening Session 1 2 Losses Ewa 0 0 0 Jan 1 1 2 Ala 1 0 1 Olek 0 0 0" in said
