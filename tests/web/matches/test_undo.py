"""What the board says after an undo, and how it is put back."""

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.matches import AmendEntry, AttachRuling, CorrectHead, KeepDraft, WithdrawEntry
from companion.web.shell.forms import fresh_key
from tests.web.browsers import Browser, words


def deal(a: int, b: int) -> dict[str, Any]:
    return {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": a, "B": b}}


MADE, BAIT = deal(82, 65), deal(60, 85)


@pytest.fixture
def tap(client: Browser) -> Callable[..., Any]:
    """Taps a button of the board as it is now."""

    def go(id: str, what: str, browser: FlaskClient = client, **sent: str) -> Any:
        carried = {"seq": str(len(client.log(id))), "form_key": fresh_key()}
        return browser.post(f"/en/m/{id}/{what}", data=carried | sent)

    return go


def test_the_board_says_what_was_taken_out(client: Browser, other: Browser, tap: Any) -> None:
    """On every look, until something is written; whoever looks on is told too, and has no button."""
    id = client.start(MADE, BAIT)
    assert "Put back" not in client.read(f"/en/m/{id}")
    assert tap(id, "undo").status_code == 303
    for _look in range(2):
        page = client.get(f"/en/m/{id}")
        assert 'role="status">Deal 2 taken out</p>' in page.text
        assert "Deal 2 taken out Put back" in words(page)
    watching = other.read(f"/en/m/{id}")
    assert "Deal 2 taken out" in watching and "Put back" not in watching
    assert "Rozdanie 2 – cofnięcie wpisu Przywróć" in client.read(f"/pl/m/{id}")
    client.write(id, BAIT)
    assert "taken out" not in client.read(f"/en/m/{id}")


def test_put_back_brings_back_one_after_the_other(client: Browser, tap: Any) -> None:
    """The last undone first; what was put back can be undone again."""
    id = client.start(MADE, BAIT)
    tap(id, "undo")
    tap(id, "undo")
    assert "Deal 1 taken out Put back" in client.read(f"/en/m/{id}")
    assert tap(id, "put-back").status_code == 303
    page = client.read(f"/en/m/{id}")
    assert "needs 418" in page and "Deal 2 taken out Put back" in page
    tap(id, "put-back")
    page = client.read(f"/en/m/{id}")
    assert "needs 290" in page and "Put back" not in page
    assert [item.kind for item in client.log(id)] == [
        "add",
        "add",
        "withdraw",
        "withdraw",
        "restore",
        "restore",
    ]
    tap(id, "undo")
    assert "Deal 2 taken out Put back" in client.read(f"/en/m/{id}")


def test_a_correction_and_a_withdrawal_are_put_back(client: Browser, tap: Any) -> None:
    """The board says which correction was undone, with the figures, and which withdrawal."""
    id = client.start(MADE)
    client.change(id, AmendEntry(1, deal(84, 63)))
    tap(id, "undo")
    assert "Deal 1: correction undone, 84:63 → 82:65 Put back" in client.read(f"/en/m/{id}")
    tap(id, "put-back")
    assert "needs 416" in client.read(f"/en/m/{id}")
    client.change(id, WithdrawEntry(1))
    tap(id, "undo")
    assert "Deal 1: withdrawal undone Put back" in client.read(f"/en/m/{id}")
    tap(id, "put-back")
    assert "needs 500" in client.read(f"/en/m/{id}")


def test_what_cannot_be_put_back(client: Browser, other: Browser, tap: Any) -> None:
    """Nothing undone: a sentence. A page gone stale: what was written meanwhile. Somebody else: no."""
    id = client.start(MADE, BAIT)
    assert tap(id, "put-back").status_code == 303
    assert "There is nothing to put back." in client.read(f"/en/m/{id}")
    tap(id, "undo", form_key="one page")
    assert tap(id, "put-back", seq="2", form_key="one page").status_code == 409
    assert tap(id, "put-back", other).status_code == 403
    client.write(id, BAIT)
    answer = tap(id, "put-back", seq="3")
    assert answer.status_code == 409
    assert "Deal 2 written" in words(answer)
    assert len(client.log(id)) == 4
    assert client.get(f"/en/m/{id}/put-back").status_code == 405


def test_what_leaves_it_in_place(client: Browser, tap: Any) -> None:
    """A deal in progress, a ruling, another name: the deal that was taken out can still be put back."""
    id = client.start(MADE)
    tap(id, "undo")
    client.change(id, KeepDraft({"type": "deal", "contract": {"declarer": "B", "trump": "S"}}))
    client.change(id, AttachRuling({"id": "r", "question": "play", "verdict": "allowed"}, None))
    client.change(id, CorrectHead({"players": ["Ewelina", "Jan"]}))
    tap(id, "put-back")
    page = client.read(f"/en/m/{id}")
    assert "Ewelina" in page and "needs 418" in page and "There is a deal in progress." in page


def test_only_the_page_after_an_undo_waits(client: Browser, tap: Any) -> None:
    """Its buttons take no taps for a moment; after a form sent twice too, but not at the next look."""
    id = client.start(MADE, BAIT)
    assert " settling" not in client.get(f"/en/m/{id}").text
    for what in ("undo", "undo", "put-back"):
        tap(id, what)
        assert " settling" in client.get(f"/en/m/{id}").text
        assert " settling" not in client.get(f"/en/m/{id}").text
    tap(id, "put-back", seq="5", form_key="same")
    client.get(f"/en/m/{id}")
    tap(id, "put-back", seq="5", form_key="same")
    assert " settling" in client.get(f"/en/m/{id}").text


def test_there_is_no_button_without_anything_to_undo(client: Browser, tap: Any) -> None:
    """Before the first entry, and when all was undone."""
    id = client.start()
    assert f"{id}/undo" not in client.get(f"/en/m/{id}").text
    client.write(id, MADE)
    assert f"{id}/undo" in client.get(f"/en/m/{id}").text
    tap(id, "undo")
    assert f"{id}/undo" not in client.get(f"/en/m/{id}").text


def test_a_session_of_hands(client: Browser, tap: Any) -> None:
    """The other family's board says it as well."""
    id = client.sit({"type": "hand", "loser": "A"}, {"type": "hand", "loser": "B"})
    tap(id, "undo")
    assert "Hand 2 taken out Put back" in client.read(f"/en/m/{id}")
    tap(id, "put-back")
    page = client.read(f"/en/m/{id}")
    assert "Jan is the fool." in page and "Put back" not in page
