"""How remarks end: amended, ruled, withdrawn; what correcting takes from an agreement."""

import re

import pytest
from derda import RIGHT, by_cards

from companion.web.shell.forms import fresh_key
from tests.web.browsers import Browser, words
from tests.web.sharing.phones import opponent

HEARTS = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
SPADES = {"type": "deal", "contract": {"declarer": "B", "trump": "S"}, "totals": {"A": 60, "B": 102}}


def test_correcting_what_was_agreed_to_is_said_on_both_phones(client: Browser) -> None:
    """Before and after it on the saver's, on the other's until it is agreed to again; undone, it holds."""
    id = client.start(HEARTS, SPADES)
    jan = opponent(client, id)
    jan.fill(id, "entries/1/agree", side="B")
    assert "Jan has agreed to it as it stands; if you change it, that agreement" in client.read(
        f"/en/m/{id}/entries/1?edit=1"
    )
    changed = {"bid": "A:H", "counting": "totals", "total_A": "84", "total_B": "63"}
    saved = client.send(id, changed, path="entries/1", seq=3)
    assert saved.status_code == 303
    assert "Deal 1 is no longer agreed: Jan agreed to the earlier version." in client.read(saved.location)
    assert "no longer agreed" not in client.read(f"/en/m/{id}")
    reported = "Deal 1 was changed after Jan agreed: 82:65 → 84:63"
    assert f"{reported} Object Agree again" in jan.read(f"/en/m/{id}")
    assert reported not in client.read(f"/en/m/{id}")
    assert "No longer: Deal 1: 82:65 → 84:63" in client.read(f"/en/m/{id}/entries/1")
    client.post(f"/en/m/{id}/undo", data={"form_key": fresh_key(), "seq": "4"})
    assert client.match(id).remarks.agreed(1) == ("B",)
    assert reported not in jan.read(f"/en/m/{id}")
    client.post(f"/en/m/{id}/put-back", data={"form_key": fresh_key(), "seq": "5"})
    assert client.match(id).remarks.agreed(1) == ()
    jan.fill(id, "entries/1/agree", side="B")
    assert client.match(id).remarks.agreed(1) == ("B",) and reported not in jan.read(f"/en/m/{id}")


def test_an_entry_withdrawn_after_it_was_agreed_to(client: Browser) -> None:
    """It is told until something else is written."""
    id = client.start(HEARTS)
    jan = opponent(client, id)
    jan.fill(id, "entries/1/agree", side="B")
    assert client.fill(id, "undo").status_code == 303
    reported = "A deal was withdrawn after Jan agreed."
    assert reported in jan.read(f"/en/m/{id}")
    client.write(id, SPADES)
    assert reported not in jan.read(f"/en/m/{id}")


def test_an_amendment_settles_an_objection(client: Browser) -> None:
    """At the entry stands who corrected it, before and after."""
    id = client.start(HEARTS)
    opponent(client, id).fill(id, "entries/1/object", reason="count")
    assert "Doubted" in client.read(f"/en/m/{id}")
    changed = {"bid": "A:H", "counting": "totals", "total_A": "80", "total_B": "67"}
    assert client.send(id, changed, path="entries/1", seq=2).status_code == 303
    assert "Doubted" not in client.read(f"/en/m/{id}")
    assert "Settled: Deal 1: 82:65 → 80:67" in client.read(f"/en/m/{id}/entries/1")


@pytest.mark.parametrize(
    ("reason", "path", "filled"),
    [
        ("count", "/ask/count?", ('name="made.A" value="82"', 'name="trump" value="H" checked')),
        ("runs", "/ask/runs?", ('name="trump" value="H" checked', 'name="elder" value="B" checked')),
        ("trump", "/ask/auction?", ('name="elder" value="B" checked',)),
        ("revoke", "/ask/penalty?", ('name="dealer" value="A" checked',)),
        ("other", "/ask?", ()),
    ],
)
def test_the_question_fits_the_reason(
    client: Browser, reason: str, path: str, filled: tuple[str, ...]
) -> None:
    """It opens with what the doubted deal says, not the newest; what is asked is about the objection."""
    id = client.start(HEARTS, SPADES)
    jan = opponent(client, id)
    jan.fill(id, "entries/1/object", reason=reason)
    board = jan.get(f"/en/m/{id}").text
    address = re.search(rf'href="(/en/m/{id}{re.escape(path)}[^"]*)"', board)
    assert address is not None
    place = address[1].replace("&amp;", "&")
    assert "entry=1" in place and "objection=3" in place
    page = jan.get(place)
    assert page.status_code == 200
    for item in filled:
        assert item in page.text, item
    if reason == "other":
        assert "/ask/count?entry=1&amp;objection=3" in page.text
    else:
        assert 'name="objection" value="3"' in page.text


def test_a_ruling_settles_an_objection(client: Browser, other: Browser) -> None:
    """The objector may attach it to the own objection, and to nothing else; nobody else may."""
    id = client.start(HEARTS, SPADES)
    jan = opponent(client, id)
    jan.fill(id, "entries/1/object", reason="count")
    facts = "made.A=82&made.B=80&trump=H&asked=1"
    assert "Attach to the match" in jan.read(f"/en/m/{id}/ask/count?{facts}&entry=1&objection=3")
    for browser, about in ((jan, "entry=1"), (jan, "entry=2&objection=99"), (other, "entry=1&objection=3")):
        assert "Attach to the match" not in browser.read(f"/en/m/{id}/ask/count?{facts}&{about}")
        answer = browser.fill(id, f"ask/count/keep?{facts}&{about}", attach="1")
        assert answer.status_code == 403
    answer = jan.fill(id, f"ask/count/keep?{facts}&entry=1&objection=3", attach="1")
    assert answer.status_code == 303
    event = client.log(id)[-1]
    assert (event.kind, event.entry, event.payload["objection"]) == ("ruling", 1, 3)
    assert "That settles the objection." in jan.read(answer.location)
    assert "Withdraw" not in jan.read(answer.location)
    assert "Doubted" not in client.read(f"/en/m/{id}")
    entry = client.get(f"/en/m/{id}/entries/1")
    assert "Settled: a ruling was attached" in words(entry) and answer.location in entry.text
    assert client.fill(id, "rulings/4/off").status_code == 303
    assert "Doubted" in client.read(f"/en/m/{id}")


def test_an_objection_by_cards_is_settled_by_the_audit(client: Browser) -> None:
    """A deal that was recorded card by card is audited; the audit goes to the objection."""
    id = client.start(by_cards(RIGHT))
    jan = opponent(client, id)
    jan.fill(id, "entries/1/object", reason="revoke")
    answer = jan.get(f"/en/m/{id}/ask/audit?entry=1&objection=2")
    assert answer.status_code == 302 and answer.location.endswith("/entries/1/audit?objection=2")
    page = jan.get(answer.location)
    assert "Attach to the match" in words(page)
    action = re.search(r'action="(/en/m/[^"]*/ask/audit/keep[^"]*)"', page.text)
    assert action is not None
    path = action[1].replace("&amp;", "&").partition(f"/m/{id}/")[2]
    assert jan.fill(id, path, attach="1").status_code == 303
    assert (client.log(id)[-1].kind, client.log(id)[-1].payload["objection"]) == ("ruling", 2)


def test_in_a_game_of_hands_it_is_asked_otherwise(client: Browser) -> None:
    """Nobody counts points there: no runs, no figures; a wrong card asks about the bout."""
    id = client.sit({"type": "hand", "loser": "B", "trump": "S"})
    jan = opponent(client, id)
    assert "Hand 1: Jan is the fool Object Agree" in jan.read(f"/en/m/{id}")
    page = jan.read(f"/en/m/{id}/entries/1/object")
    for part in ("It ended differently", "Wrong trumps", "A wrong card was played", "Something else"):
        assert part in page
    assert "runs" not in page.lower() and "What it should be" not in page
    assert jan.fill(id, "entries/1/object", reason="runs").status_code == 422
    assert jan.fill(id, "entries/1/object", reason="revoke", total_A="1").status_code == 303
    text = client.get(f"/en/m/{id}").text
    assert f"/m/{id}/ask/bout?entry=1&amp;objection=2" in text
    assert 'name="trump" value="S" checked' in client.get(f"/en/m/{id}/ask/bout?entry=1&objection=2").text
    assert "Hand 1: Jan objected – a wrong card was played" in client.read(f"/en/m/{id}/history")


def test_nothing_is_asked_where_nobody_joined(client: Browser, other: Browser) -> None:
    """The boards of scorekeeper and onlookers have no word of it."""
    id = client.start(HEARTS)
    for browser in (client, other):
        text = browser.read(f"/en/m/{id}")
        for part in ("Agreed", "agreed", "Agree ", "oubt", "Object"):
            assert part not in text


def test_what_was_said_meanwhile_is_told(client: Browser) -> None:
    """Remarks stand in the list of what was written meanwhile, and make no form of recording stale."""
    id = client.start(HEARTS)
    jan = opponent(client, id)
    jan.fill(id, "entries/1/agree", side="B")
    deal = {"do": "save", "bid": "B:S", "counting": "totals", "total_A": "60", "total_B": "102"}
    carried = {"form_key": fresh_key(), "seq": "1"}
    assert client.post(f"/en/m/{id}/deal", data=carried | deal).status_code == 303
    answer = client.post(f"/en/m/{id}/deal", data=deal | {"form_key": fresh_key(), "seq": "1"})
    assert answer.status_code == 409 and "Deal 1: Jan agreed" in words(answer)
