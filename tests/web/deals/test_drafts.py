"""A deal in progress that came with a record may say anything: pages show of it what they can."""

from typing import Any

from derda import DEAL
from flask import Flask

from companion import archives
from companion.matches import Matches
from companion.web.shell.security import browser
from tests.web.browsers import Browser

STRANGE: list[dict[str, Any]] = [
    {"contract": {}},
    {"contract": {"declarer": ["A"], "trump": {}}, "note": {"a": "b"}},
    {"tricks": 1.5, "note": "Żółw"},
    {"tricks": [["AH"], 7]},
    {"runs": [{"cards": ["XX"]}, 5]},
    {"fours": ["x"] * 20, "trickless": {"A": 1}},
    {"totals": [1, 2], "count": {}},
    {"auction": [[]], "redeal": [[]]},
    {"call": 5, "penalty": []},
    {"offer": {"points": [], "deals": {}}},
]


def test_a_strange_deal_in_progress_breaks_no_page(client: Browser, app: Flask) -> None:
    """What fits its field stands there all the same."""
    id = client.start()
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        document, owner = archives.write_match(matches, matches.open(id)), matches.open(id).owner
    for n, draft in enumerate(STRANGE, 1):
        payload = {"type": "deal", "dealer": "A", **draft}
        document["log"].append({"n": n, "kind": "draft", "payload": payload})
        with app.app_context():
            found = archives.look_through(matches, owner, archives.format_json(document))
            assert [planned.plan for planned in archives.import_found(matches, owner, found)] == ["continued"]
        for page in ("", "/deal", "/enough", "/audit", "/ask/meld"):
            assert client.get(f"/en/m/{id}{page}").status_code < 500, (page, draft)
        assert ("Żółw" in client.get(f"/en/m/{id}/deal").text) == (draft.get("note") == "Żółw")


def test_what_came_with_a_record_is_described_by_the_letter_of_its_phone(client: Browser, app: Flask) -> None:
    """The phone that wrote is nobody's here; the history tells it apart from the others."""
    id = client.start(DEAL)
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        document = archives.write_match(matches, matches.open(id))
        found = archives.look_through(matches, "somebody else", archives.format_json(document))
        (taken,) = archives.import_found(matches, "somebody else", found)
    with app.test_client() as other:
        other.set_cookie(browser.COOKIE, sign_in(app, "somebody else"))
        page = other.get(f"/en/m/{taken.id}/history").text
    assert (taken.plan, "phone A" in page) == ("copy", True)


def sign_in(app: Flask, token: str) -> str:
    with app.app_context():
        return browser.sign(token)
