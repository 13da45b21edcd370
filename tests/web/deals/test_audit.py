"""The audit of a deal: found on the match, described in words, written with one tap, and never unasked."""

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from derda import RIGHT, WRONG, by_cards

from companion.web.shell.forms import fresh_key
from tests.web.browsers import Browser, words

RUN = {"runs-0-seat": "A", "runs-0-length": "3", "runs-0-top": "9", "runs-0-suit": "H"}


@pytest.fixture
def drafted(client: Browser) -> Callable[..., str]:
    """A match with a deal in progress, recorded card by card; its id."""

    def go(cards: str, **typed: str) -> str:
        id = client.start()
        form = {"bid": "A:H", "counting": "cards", "tricks": cards, "bela": "B", **RUN, **typed}
        answer = client.fill(id, "deal", seq=0, do="audit", **form)
        assert (answer.status_code, answer.location) == (303, f"/en/m/{id}/audit")
        return id

    return go


def test_a_deal_with_a_revoke_is_not_saved_and_leads_to_its_audit(client: Browser) -> None:
    """The form of a deal in which a wrong card fell refuses it as it fell, and offers the audit."""
    id = client.start()
    form = {"bid": "A:H", "counting": "cards", "tricks": WRONG, "bela": "B", **RUN}
    answer = client.fill(id, "deal", seq=0, do="save", **form)
    assert answer.status_code == 422
    assert 'value="audit"' in answer.text
    half = client.fill(id, "deal", seq=0, do="look", **{**form, "tricks": " ".join(WRONG.split()[:8])})
    assert 'value="audit"' not in half.text
    assert "tap the others too" in words(half)


def test_the_audit_of_the_deal_in_progress_says_what_was_wrong(client: Browser, drafted: Any) -> None:
    """What fell, what was due, when it could be known, what it costs, by which rules."""
    id = drafted(WRONG)
    said = client.read(f"/en/m/{id}/audit")
    assert "1 mistake was found." in said
    assert "Trick 2: Jan could not play A" in said
    assert "It could first be known in trick 3." in said
    assert "It costs the whole deal: Ewa 122, Jan 0." in said
    assert "derda.play.trump-led" in said and "derda.penalty.revoke" in said
    assert "Write the penalty" in said


def test_one_tap_saves_the_deal_as_its_penalty_settles_it(client: Browser, drafted: Any) -> None:
    """The whole deal is written to the opponent, who deals; the draft is gone; the form sent twice is one."""
    id = drafted(WRONG)
    key = fresh_key()
    for _tap in range(2):
        answer = client.fill(id, "audit", seq=1, form_key=key)
        assert (answer.status_code, answer.location) == (303, f"/en/m/{id}")
    said = client.read(f"/en/m/{id}")
    assert "122" in said
    assert "Saved as the audit decided." in said
    entry = client.read(f"/en/m/{id}/entries/2")
    assert "Jan revoked: the whole deal, 122, goes to Ewa." in entry
    assert client.get(f"/en/m/{id}/audit").status_code == 302


def test_a_deal_in_progress_that_is_clean_can_be_saved_from_there(client: Browser, drafted: Any) -> None:
    """Nothing was wrong: the deal is saved as it fell."""
    id = drafted(RIGHT)
    said = client.read(f"/en/m/{id}/audit")
    assert "Nothing was wrong." in said
    assert "Save deal" in said
    assert client.fill(id, "audit", seq=1).status_code == 303
    assert "Ewa makes it, 84 to 38." in client.read(f"/en/m/{id}/entries/2")


def test_a_deal_in_progress_of_which_cards_are_missing_says_so(client: Browser, drafted: Any) -> None:
    """Without all cards there is no audit, but a way back; and nothing can be written."""
    id = drafted(" ".join(RIGHT.split()[:6]))
    answer = client.get(f"/en/m/{id}/audit")
    assert answer.status_code == 422
    assert "Not every card of this deal was recorded" in words(answer)
    assert f'href="/en/m/{id}/deal"' in answer.text
    assert client.fill(id, "audit", seq=1).status_code == 422
    assert client.get(f"/en/m/{id}/ask/audit").status_code == 200


def test_without_a_deal_in_progress_there_is_nothing_to_audit(client: Browser) -> None:
    """The address leads back to the board."""
    id = client.start()
    answer = client.get(f"/en/m/{id}/audit")
    assert (answer.status_code, answer.location) == (302, f"/en/m/{id}")


def test_a_deal_that_stands_is_audited_by_anyone(client: Browser, other: Browser) -> None:
    """The page of a deal recorded by its cards links to its audit; one recorded by its count does not."""
    id = client.start()
    plain = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 84, "B": 38}}
    client.write(id, by_cards(RIGHT), plain)
    assert "Audit this deal" in client.read(f"/en/m/{id}/entries/1")
    assert "Audit this deal" not in client.read(f"/en/m/{id}/entries/2")
    for browser in (client, other):
        assert "Nothing was wrong." in words(browser.get(f"/en/m/{id}/entries/1/audit"))
    assert client.get(f"/en/m/{id}/entries/2/audit").status_code == 422
    assert client.get(f"/en/m/{id}/entries/9/audit").status_code == 404
    assert other.post(f"/en/m/{id}/entries/1/audit").status_code == 403


def test_an_undeclared_run_is_shown_and_changes_nothing(client: Browser) -> None:
    """What was left unsaid costs nothing, so nothing is offered to be written."""
    id = client.start({key: value for key, value in by_cards(RIGHT).items() if key != "runs"})
    page = client.get(f"/en/m/{id}/entries/1/audit")
    assert "did not declare it." in words(page)
    assert "It cannot be counted now, and costs nothing more." in words(page)
    assert f'method="post" action="/en/m/{id}/entries/1/audit"' not in page.text
    assert client.fill(id, "entries/1/audit", seq=1).status_code == 422


def test_a_deal_that_a_correction_made_wrong_is_corrected(client: Browser) -> None:
    """An earlier deal is taken out, so the hands are the other way round: one tap mends what is flagged."""
    id = client.start()
    run = {"seat": "B", "cards": ["9H", "8H", "7H"]}
    swapped = {"contract": {"declarer": "B", "trump": "H"}, "runs": [run], "bela": "A"}
    client.write(id, {"type": "deal", "thrown_in": True}, {**by_cards(RIGHT), **swapped})
    assert "Nothing was wrong." in client.read(f"/en/m/{id}/entries/2/audit")
    assert client.fill(id, "entries/1", seq=2, do="withdraw").status_code == 303
    assert "Jan did not hold" in client.read(f"/en/m/{id}/entries/2")
    said = client.read(f"/en/m/{id}/entries/2/audit")
    assert "Jan declared what was not there." in said
    assert "It does not count, and costs nothing more." in said
    answer = client.fill(id, "entries/2/audit", seq=3)
    assert (answer.status_code, answer.location) == (303, f"/en/m/{id}/entries/2")
    said = client.read(f"/en/m/{id}/entries/2")
    assert "did not hold" not in said
    assert "Deal 2 written" in said and re.search(r"Deal 1: \d+:\d+ → 64:18", said)


def test_what_was_written_on_paper_is_compared(client: Browser) -> None:
    """Counts that do not match the cards are named, each side's by itself."""
    id = client.start(by_cards(RIGHT))
    said = client.read(f"/en/m/{id}/entries/1/audit?made.A=84&made.B=20%2B28")
    assert "Jan made 38, and 48 was written." in said
    assert "Corrected: Jan −10." in said
    wrong = client.get(f"/en/m/{id}/entries/1/audit?made.A=84&made.B=x")
    assert "Whole numbers" in words(wrong)


def test_an_audit_of_a_deal_that_moved_on_is_shown_again(client: Browser, drafted: Any) -> None:
    """Somebody wrote meanwhile: nothing is saved, the audit of what stands now is there, and what changed."""
    id = drafted(WRONG)
    form = {"bid": "A:H", "counting": "cards", "tricks": RIGHT, "bela": "B", **RUN}
    assert client.fill(id, "deal", seq=1, do="draft", **form).status_code == 303
    answer = client.fill(id, "audit", seq=1)
    assert answer.status_code == 409
    assert "The match has moved on." in words(answer)
    assert "Nothing was wrong." in words(answer)
    assert client.fill(id, "audit", seq=2).status_code == 303


def test_the_questions_of_a_match_lead_to_the_deals_that_can_be_audited(
    client: Browser, other: Browser, drafted: Any
) -> None:
    """The deal in progress and those recorded card by card are listed; without any, the page says how."""
    id = drafted(WRONG)
    assert f"/en/m/{id}/ask/audit" in client.get(f"/en/m/{id}/ask").text
    assert f"/en/m/{id}/audit" in client.get(f"/en/m/{id}/ask/audit").text
    assert f"/en/m/{id}/audit" not in other.get(f"/en/m/{id}/ask/audit").text.replace("ask/audit", "")
    empty = client.start()
    said = client.read(f"/en/m/{empty}/ask/audit")
    assert "No deal of this match was recorded card by card" in said
    assert "Record a deal card by card" in said


def test_on_its_own_a_deal_is_pasted(client: Browser) -> None:
    """The question alone takes a record's entry; what it is not is said at the field."""
    page = client.read("/en/ask/derda/audit")
    assert "record the deal card by card, open it and tap" in page
    deal = {**by_cards(WRONG), "dealer": "A"}
    answer = client.get(f"/en/ask/derda/audit?{urlencode({'deal': json.dumps(deal), 'asked': '1'})}")
    assert answer.status_code == 200
    said = words(answer)
    assert "Not everything was right." in said
    assert "It costs the whole deal: Player A 122, Player B 0." in said
    for typed in ("nonsense", "[]", "{", "[" * 5000, '{"dealer": 3}'):
        wrong = client.get(f"/en/ask/derda/audit?{urlencode({'deal': typed, 'asked': '1'})}")
        assert wrong.status_code == 400, typed[:20]
        assert "No answer yet." in words(wrong)
    empty = client.get("/en/ask/derda/audit?asked=1")
    assert empty.status_code == 422


def test_an_audit_is_saved_and_attached_to_its_deal(client: Browser, other: Browser) -> None:
    """The page's own form keeps it, facts and all; attached it stands at that deal, not at the last one."""
    id = client.start(by_cards(RIGHT), {"type": "deal", "thrown_in": True})
    page = client.get(f"/en/m/{id}/entries/1/audit").text
    (address,) = re.findall(r'action="(/en/m/[^"]+/ask/audit/keep[^"]+)"', page)
    assert "Keep and share" in other.read(f"/en/m/{id}/entries/1/audit")
    typed = {"form_key": fresh_key(), "seq": "2", "attach": "1"}
    answer = client.post(unescape(address), data=typed)
    assert answer.status_code == 303
    assert "Nothing was wrong." in other.read(answer.location)
    assert "Nothing was wrong. What was wrong in this deal?" in client.read(f"/en/m/{id}/entries/1")
    assert "Rulings" not in client.read(f"/en/m/{id}/entries/2")
