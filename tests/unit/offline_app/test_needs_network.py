"""What waits for the network: each with its own sentence, and a way back."""

import re

import pytest
from flask import Flask

ID = "0123456789012345678901"
BOARD = f"/en/m/{ID}"


@pytest.mark.parametrize(
    ("path", "heading", "back"),
    [
        (f"{BOARD}/picture.png", "This needs the network", BOARD),
        (f"{BOARD}/phones", "Other phones need the network", BOARD),
        ("/en/join/secret", "Other phones need the network", "/en/"),
        ("/en/move", "Moving to another phone needs the network", "/en/"),
    ],
)
def test_each_says_what_waits(phone_app: Flask, path: str, heading: str, back: str) -> None:
    """It is tried again by one tap, and one more leads back."""
    answer = phone_app.test_client().get(path)
    assert answer.status_code == 503
    assert re.search(r"<h1>(.*?)</h1>", answer.text, re.DOTALL) is not None
    assert f"<h1>{heading}</h1>" in answer.text
    actions = answer.text.split('class="actions"')[1].split("</main>")[0]
    assert re.findall(r'href="([^"]+)"', actions)[0] == back
    again = re.search(r'id="again" href="([^"]+)"', actions)
    assert again is not None and again[1].replace("&amp;", "&").rstrip("?") == path


def test_nothing_that_only_a_server_has_is_a_fault(phone_app: Flask) -> None:
    """Whatever address it is, of people or programs, with a page to print or without."""
    client = phone_app.test_client()
    asked = 0
    for rule in phone_app.url_map.iter_rules():
        values = dict.fromkeys(rule.arguments, "abc") | {"lang": "en", "entry": "1", "seq": "1", "n": "1"}
        path = rule.rule
        for name, value in values.items():
            path = re.sub(rf"<(?:[^:>]*:)?{name}>", value, path)
        for method in (rule.methods or set()) - {"OPTIONS", "HEAD"}:
            answer = client.open(path, method=method)
            assert answer.status_code != 500, (method, path)
            answer.close()
            asked += 1
    assert asked > 100
    assert client.get("/api/v1/matches/abc/sheet.pdf").status_code == 503
    assert client.get("/api/v1/nothing").status_code == 404


def test_a_form_was_not_sent(phone_app: Flask) -> None:
    """It says so; what was typed is still there, one step back. It cannot be tried again by a link."""
    answer = phone_app.test_client().post("/en/browser/anew")
    assert answer.status_code == 503
    assert "Nothing was sent. Go back: what you typed is still there." in answer.text
    assert 'id="again"' not in answer.text


@pytest.mark.parametrize(
    ("path", "back"),
    [
        ("/en/sheets/derda/blank.pdf?paper=a5&tally=0", "/en/sheets/derda?tally=0"),
        ("/en/sheets/derda/card.pdf", "/en/sheets/derda/card"),
        ("/en/rules/derda/booklet.pdf?players=2", "/en/rules/derda?players=2"),
    ],
)
def test_a_phone_prints_by_its_browser(phone_app: Flask, path: str, back: str) -> None:
    """The address of a PDF leads to the sheet, which its script prints; one tap leads back."""
    answer = phone_app.test_client().get(path)
    assert answer.status_code == 200 and answer.mimetype == "text/html"
    assert '<article class="sheet' in answer.text and "sheets/print.js" in answer.text
    assert f'<a href="{back}">Back</a>' in answer.text


def test_a_phone_offers_to_print(phone_app: Flask) -> None:
    """Beside the sizes of paper: no PDF, and nothing that waits for a network."""
    page = phone_app.test_client().get("/en/sheets/derda").text
    papers = page.split('class="actions papers"')[1].split("</nav>")[0]
    assert 'aria-label="Print A5"' in papers and "PDF" not in papers and "by=browser" not in papers


def test_this_phone_opens_without_network(phone_app: Flask) -> None:
    """What it keeps can be looked at, and thrown away; the program too."""
    page = phone_app.test_client().get("/en/browser")
    assert page.status_code == 200 and 'id="in-phone"' in page.text
    assert phone_app.test_client().get("/en/pocket").status_code == 200
