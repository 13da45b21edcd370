"""Entries of a session put right, the wall between the families, and what stands beside the board."""

import re

import pytest

from tests.web.browsers import Browser, words
from tests.web.hands.entries import lost

TEAMS = {"format": "teams-4"}


def test_an_entry_by_itself(client: Browser) -> None:
    """Its name, its sentence, losses, rules, and what was changed."""
    bouts = [{"attacker": "C", "defender": "D", "result": "beaten-off"}]
    id = client.sit(
        lost("B"),
        lost("A", trump="S", bouts=bouts),
        {"type": "touch", "by": "C", "cards": "touched"},
        {"type": "close"},
    )
    said = client.read(f"/en/m/{id}/entries/2")
    assert "Hand 2 Jan dealt" in said and "Ewa is the fool. Trumps:" in said
    assert "1 Ala → then Olek : beaten off" in said
    assert "durak.end.fool" in said
    assert "Hand 2 written" in said
    assert "Ala touched the cards" in client.read(f"/en/m/{id}/entries/3")
    assert "The session is closed." in client.read(f"/en/m/{id}/entries/4")
    history = client.read(f"/en/m/{id}/history")
    for sentence in ("Hand 1 written", "Touched cards written", "The end of the session written"):
        assert sentence in history


def test_a_hand_is_amended(client: Browser) -> None:
    """The form comes filled; the followed bouts stay; the board and the history show the correction."""
    bouts = [{"attacker": "C", "defender": "D", "result": "beaten-off"}]
    id = client.sit(lost("B"), lost("A", trump="S", bouts=bouts, note="old"))
    page = client.get(f"/en/m/{id}/entries/2?edit=1").text
    assert re.search(r'value="A" checked', page)
    assert re.search(r'value="S" checked', page)
    assert "old" in page
    answer = client.fill(id, "entries/2", result="C", trump="D", note="new", do="save")
    assert answer.status_code == 303
    assert client.log(id)[2].payload == lost("C", trump="D", bouts=bouts, note="new")
    said = client.read(f"/en/m/{id}")
    assert "Ala is the fool. corrected" in said
    history = client.read(f"/en/m/{id}/history")
    assert "Hand 2: Ewa is the fool → Ala is the fool, trumps → , note “old” → “new”" in history


def test_bouts_that_contradict_a_correction(client: Browser) -> None:
    """Bouts that ended with another fool refuse it, and can be left out by those who know better."""
    bouts = [{"attacker": "A", "defender": "B", "result": "beaten-off", "out": ["A"]}]
    two = ("Ewa", "Jan")
    id = client.sit(lost("B"), lost("B", bouts=bouts), names=two)
    answer = client.fill(id, "entries/2", result="A", do="save")
    assert answer.status_code == 422
    assert "Leave the bouts out" in words(answer)
    assert client.fill(id, "entries/2", result="A", forget="1", do="save").status_code == 303
    assert client.log(id)[2].payload == lost("A")


def test_a_team_corrected(client: Browser) -> None:
    """In teams the loser and who deals are put right together."""
    id = client.sit(lost("A", deals="C"), **TEAMS)
    assert re.search(r'value="A:C" checked', client.get(f"/en/m/{id}/entries/1?edit=1").text)
    client.fill(id, "entries/1", result="B:D", do="save")
    assert client.log(id)[1].payload == lost("B", deals="D")


def test_a_later_contradiction_is_flagged(client: Browser) -> None:
    """A correction that makes a later entry impossible is saved; that entry is marked, not lost."""
    id = client.sit(lost("B"), {"type": "touch", "by": "C", "cards": "touched"})
    assert client.fill(id, "entries/1", result="C", do="save").status_code == 303
    said = client.read(f"/en/m/{id}")
    assert "do not fit what comes before them" in said
    assert "Ala is the dealer and may touch the cards. Why durak.deal.touch" in said


def test_a_recorded_dealer_stays(client: Browser) -> None:
    """Where the record says who dealt, the form does too; it can follow again."""
    id = client.sit(lost("B"), lost("A", dealer="B"))
    assert "Who dealt this hand" in client.read(f"/en/m/{id}/entries/2?edit=1")
    client.fill(id, "entries/2", result="A", dealer="", do="save")
    assert client.log(id)[2].payload == lost("A")


def test_a_hand_is_withdrawn_and_restored(client: Browser) -> None:
    """A hand withdrawn counts for nothing, and can count again."""
    id = client.sit(lost("B"), lost("C"))
    assert client.fill(id, "entries/2", do="withdraw").status_code == 303
    assert "Jan deals; Ala attacks Olek." in client.read(f"/en/m/{id}")
    assert client.get(f"/en/m/{id}/entries/2?edit=1").status_code == 200
    assert client.fill(id, "entries/2", result="A", do="save").status_code == 404
    client.fill(id, "entries/2", do="restore")
    assert "Ala deals; Olek attacks Ewa." in client.read(f"/en/m/{id}")


def test_a_touch_is_amended(client: Browser) -> None:
    """Entries beside hands have their form too, filled with what they say."""
    id = client.sit(lost("B"), {"type": "touch", "by": "C", "cards": "touched"})
    page = client.get(f"/en/m/{id}/entries/2?edit=1").text
    assert re.search(r'value="C" checked', page)
    answer = client.fill(id, "entries/2", by="B", cards="touched", do="save")
    assert answer.status_code == 422
    assert "Jan is the dealer and may touch the cards." in words(answer)
    assert client.fill(id, "entries/2", by="D", cards="cut", do="save").status_code == 303
    assert client.log(id)[2].payload == {"type": "touch", "by": "D", "cards": "cut"}


def test_a_close_is_amended(client: Browser) -> None:
    """The close has but its note."""
    id = client.sit({"type": "close"})
    assert client.fill(id, "entries/1", note="late", do="save").status_code == 303
    assert client.log(id)[1].payload == {"type": "close", "note": "late"}


# --- the wall ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["deal", "deal/preview", "enough", "more/adjust", "more/concede", "more/abandon", "more/hand"]
)
def test_pages_of_deals_lead_nowhere(client: Browser, path: str) -> None:
    """An address of the other family is none for this match."""
    id = client.sit()
    assert client.fill(id, path).status_code == 404
    if path in ("deal", "enough"):
        assert client.get(f"/en/m/{id}/{path}").status_code == 404


@pytest.mark.parametrize("path", ["hand", "hand/dealer", "hand/follow", "more/touch", "more/close"])
def test_pages_of_hands_lead_nowhere(client: Browser, path: str) -> None:
    """And the other way round."""
    id = client.start()
    assert client.fill(id, path, result="A").status_code == 404
    if path in ("hand", "hand/follow"):
        assert client.get(f"/en/m/{id}/{path}").status_code == 404


# --- beside it ---------------------------------------------------------------------------------


def test_names_are_corrected(client: Browser) -> None:
    """Every seat's name can be mended, whatever the number of players."""
    six = ("a", "b", "c", "d", "e", "f")
    id = client.sit(names=six)
    assert client.get(f"/en/m/{id}/names").text.count('name="name-') == 6
    typed = {f"name-{seat}": name.upper() for seat, name in zip("ABCDEF", six, strict=True)}
    assert client.fill(id, "names", **typed).status_code == 303
    assert "A deals; whoever" in client.read(f"/en/m/{id}")


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6])
def test_every_number_of_players(client: Browser, count: int) -> None:
    """A hand can be recorded with any number, and the ring seats everybody."""
    id = client.sit(names=("Ewa", "Jan", "Ala", "Olek", "Zofia", "Max")[:count])
    client.fill(id, result="B")
    page = client.get(f"/en/m/{id}")
    assert page.text.count("data-seat=") == count
    assert "Jan deals;" in words(page)
