"""The page of what was set aside, and the marks of what is not yet at the server."""

import re
from html import unescape
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.matches import Agree, AmendEntry, KeepDraft, Undo
from tests.unit.offline.table import AT, Phone, Server, collide, deal


def words(page: Any) -> str:
    """The text of the matter of a page."""
    matter = page.text[page.text.index("<main") : page.text.index("</main>")]
    matter = re.sub(r"<svg.*?</svg>", " ", matter, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", matter)).split())


def forms(page: Any) -> list[dict[str, str]]:
    """The forms of a page, each by its hidden fields and its button."""
    found = []
    for form in re.findall(r"<form\b.*?</form>", page.text, re.S):
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
        text = re.search(r"<button[^>]*>(.*?)</button>", form, re.S)
        assert text is not None
        found.append({**fields, "text": unescape(text.group(1)).strip()})
    return found


def tap(screen: FlaskClient, address: str, text: str, n: int = 0, lang: str = "en") -> Any:
    """Send the nth form with this button, and look at the page that follows."""
    form = [form for form in forms(screen.get(address)) if form["text"] == text][n]
    answer = screen.post(address, data={key: value for key, value in form.items() if key != "text"})
    assert (answer.status_code, answer.location) == (303, address)
    return screen.get(address)


@pytest.fixture
def conflicts(collided: str) -> str:
    """The address of the page, where two deals collide with one of Jan's."""
    return f"/en/m/{collided}/pocket/apart"


def test_both_logs_are_shown_with_a_tap_for_each_entry(screen: FlaskClient, conflicts: str) -> None:
    page = screen.get(conflicts)
    text = words(page)
    assert "While this phone had no network, others wrote in the match." in text
    theirs, mine = text.index("Deal 2 written: 61:84"), text.index("Deal 2 written: 60:85")
    assert text.index("Others wrote") < theirs < text.index("This phone recorded") < mine
    assert "There now: Deal 2: 61:84" in text
    assert all(form["csrf_token"] for form in forms(page))
    assert [form["text"] for form in forms(page)] == [
        "Write it too",
        "In place of theirs",
        "Leave it out",
        "Write it too",
        "Leave it out",
        "Write all, in this order",
    ]


def test_each_is_decided_by_a_plain_form(screen: FlaskClient, ewa: Phone, match: str, conflicts: str) -> None:
    after = tap(screen, conflicts, "In place of theirs")
    assert "Deal 2 written: 60:85" not in words(after)
    after = tap(screen, conflicts, "Write it too")
    assert "Everything is decided." in words(after)
    deals = [entry.payload["totals"]["A"] for entry in ewa.matches.open(match).standing_entries]
    assert deals == [82, 60, 70]
    assert ewa.delivery.count_unsent() == 2


def test_all_are_written_in_one_tap(screen: FlaskClient, ewa: Phone, match: str, conflicts: str) -> None:
    assert "Everything is decided." in words(tap(screen, conflicts, "Write all, in this order"))
    assert len(ewa.matches.open(match).standing_entries) == 4


def test_what_was_left_out_can_be_put_back(screen: FlaskClient, ewa: Phone, conflicts: str) -> None:
    after = tap(screen, conflicts, "Leave it out")
    assert words(after).index("Left out") < words(after).index("Deal 2 written: 60:85")
    after = tap(screen, conflicts, "Leave it out")
    assert "Everything is decided." in words(after) and ewa.delivery.count_conflicts() == 0
    after = tap(screen, conflicts, "Put back", 1)
    assert "Everything is decided." not in words(after) and ewa.delivery.count_conflicts() == 1


def test_two_taps_are_one(screen: FlaskClient, ewa: Phone, match: str, conflicts: str) -> None:
    form = forms(screen.get(conflicts))[0]
    for _n in range(2):
        assert screen.post(conflicts, data={"do": "write", "key": form["key"]}).status_code == 303
    assert len(ewa.matches.open(match).standing_entries) == 3


def test_what_both_wrote_alike_is_said(screen: FlaskClient, ewa: Phone, jan: Phone, match: str) -> None:
    """The usual case: two at the table kept the score."""
    collide(ewa, jan, match, [deal(60, 85)], [deal(60, 85)])
    page = screen.get(f"/en/m/{match}/pocket/apart")
    assert "The same entry is already there." in words(page)
    assert [form["text"] for form in forms(page)] == ["Write it too", "Leave it out"]


def test_a_correction_is_shown_beside_what_stands(
    screen: FlaskClient, ewa: Phone, jan: Phone, match: str
) -> None:
    collide(
        ewa,
        jan,
        match,
        [AmendEntry(1, deal(80, 67)), KeepDraft({"type": "deal"})],
        [AmendEntry(1, deal(81, 66))],
    )
    text = words(screen.get(f"/en/m/{match}/pocket/apart"))
    assert "Deal 1: 82:65 → 80:67" in text
    assert "There now: Deal 1: 81:66" in text
    assert "A deal in progress was saved." in text
    assert text.count("Write it anyway") == 2


def test_what_breaks_a_rule_by_now_says_so(screen: FlaskClient, ewa: Phone, jan: Phone, match: str) -> None:
    collide(ewa, jan, match, [deal(60, 85)], [deal(147, 0)] * 3)
    address = f"/en/m/{match}/pocket/apart"
    page = screen.get(address)
    assert "It cannot be added after the other entries: The game is over, so nothing follows." in words(page)
    assert [form["text"] for form in forms(page)] == ["In place of theirs", "Leave it out"]
    key = forms(page)[0]["key"]
    screen.post(address, data={"do": "write", "key": key})
    assert "The game is over, so nothing follows." in screen.get(address).text
    assert ewa.delivery.count_conflicts() == 1


def test_a_match_without_pencil_and_one_that_is_gone_say_so(
    screen: FlaskClient, ewa: Phone, server: Server, match: str
) -> None:
    ewa.record(match, deal(60, 85))
    assert ewa.delivery.next() is not None
    ewa.delivery.take_answer(match, 403, {"taken": 0, "length": 1})
    address = f"/en/m/{match}/pocket/apart"
    assert "This phone no longer had the pencil" in words(screen.get(address))
    server.do("set_visibility", match, "deleted", AT)
    ewa.hear()
    page = screen.get(address)
    assert "This match was deleted" in words(page)
    assert [form["text"] for form in forms(page)] == ["Leave it out"]
    assert screen.get(f"/en/m/{match}").status_code == 410


def test_the_sentence_of_the_server_is_shown(screen: FlaskClient, ewa: Phone, match: str) -> None:
    ewa.record(match, deal(60, 85))
    assert ewa.delivery.next() is not None
    ewa.delivery.take_answer(match, 422, {"taken": 0, "problem": "Such a deal <b>cannot</b> be."})
    text = words(screen.get(f"/en/m/{match}/pocket/apart"))
    assert "The server did not accept the following." in text
    assert "Such a deal <b>cannot</b> be." in text


def test_one_address_leads_to_what_is_set_aside_wherever_that_is(
    screen: FlaskClient, ewa: Phone, jan: Phone, match: str, conflicts: str
) -> None:
    answer = screen.get("/en/pocket/apart")
    assert (answer.status_code, answer.location) == (302, conflicts)
    other = ewa.begin()
    ewa.record(other, deal(82, 65))
    assert ewa.delivery.next() is not None
    ewa.delivery.take_answer(other, 422, {"taken": 0, "problem": "No."})
    page = screen.get("/en/pocket/apart")
    assert "2 to be decided" in words(page) and "1 to be decided" in words(page)
    ewa.decide(match, "leave", "leave")
    ewa.decide(other, "leave")
    assert "Everything is decided." in words(screen.get("/en/pocket/apart"))


def test_a_page_of_no_match_and_a_tap_on_nothing_are_refused(screen: FlaskClient, conflicts: str) -> None:
    assert screen.get("/en/m/0123456789012345678901/pocket/apart").status_code == 404
    assert screen.post(conflicts, data={"do": "everything"}).status_code == 400
    assert screen.post(conflicts, data={"do": "write", "key": "none"}).status_code == 303


# --- marks -----------------------------------------------------------------------------------------


def test_what_is_not_yet_at_the_server_is_marked(screen: FlaskClient, ewa: Phone, match: str) -> None:
    history, board = f"/en/m/{match}/history", f"/en/m/{match}"
    assert "not yet on the server" not in words(screen.get(history)) + words(screen.get(board))
    ewa.record(match, deal(60, 85), Undo(), Agree(1, "A"))
    assert words(screen.get(history)).count("not yet on the server") == 3
    assert "3 changes are not yet on the server" in words(screen.get(board))
    ewa.meet()
    assert "not yet on the server" not in words(screen.get(history)) + words(screen.get(board))
