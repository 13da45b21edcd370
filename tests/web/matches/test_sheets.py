"""Sheets in the browser: to look at, as PDF, and empty."""

import re
from urllib.parse import unquote

import chores
import pytest
from flask import Flask, Response

from companion.jobs import results
from companion.matches import Agree, AmendEntry, Object, Undo, WithdrawEntry
from companion.sheets import html, lettering
from companion.sheets.common import format_day
from companion.sheets.printer import SheetOrder
from companion.web.matches import sheets as sheet_pages
from companion.web.shell import jobs, printing
from tests.web.browsers import Browser

DEAL = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
PHONE = "http://192.168.1.7:5000"


@pytest.fixture
def id(client: Browser) -> str:
    """A match of two deals."""
    made = client.start(DEAL, DEAL | {"note": "Nasz rekord"})
    return made


def test_anyone_may_look_at_the_sheet(other: Browser, id: str) -> None:
    """The page shows the sheet and leads to its PDF on every paper."""
    answer = other.get(f"/en/m/{id}/sheet")
    assert answer.status_code == 200
    for said in ("Ewa", "Jan", "164", "130", "Nasz rekord", "sheet.pdf?paper=a4", "paper=a5", "paper=letter"):
        assert said in answer.text
    assert 'style="' not in answer.text and "<style" not in answer.text


def test_the_sheet_is_dated_by_the_phone(client: Browser, id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So is its print; of a phone that told no zone it is dated by the server."""
    match = client.match(id)
    zones = list[str]()

    def note_zone(order: SheetOrder) -> str:
        zones.append(order.zone)
        return ""

    monkeypatch.setattr(sheet_pages, "print_sheet", note_zone)
    for zone in ("", "Pacific/Kiritimati"):
        client.set_cookie("zone", zone)
        client.read(f"/en/m/{id}/sheet")
        client.get(f"/en/m/{id}/sheet.pdf")
    assert zones == ["local", "Pacific/Kiritimati"]
    client.set_cookie("zone", "Pacific/Kiritimati")
    there = format_day(match.head["started"], "en", "Pacific/Kiritimati")
    assert there in client.read(f"/en/m/{id}/sheet")


def test_a_match_is_begun_by_the_clock_of_the_phone(client: Browser) -> None:
    """So is the next one; its sheet need not name the zone."""
    client.set_cookie("zone", "Pacific/Kiritimati")
    id = client.start()
    client.fill(id, "more/abandon", seq=0, note="the train arrived")
    again = client.fill(id, "rematch").headers["Location"].rpartition("/")[2]
    assert again != id
    for begun in (id, again):
        assert client.match(begun).head["started"].endswith("+14:00")
        assert "Kiritimati" not in client.read(f"/en/m/{begun}/sheet")


def test_the_square_code_leads_to_the_match(client: Browser, id: str) -> None:
    """It holds the short address, but for an address that only this machine knows."""
    assert f"<title>{PHONE}/m/{id}</title>" in client.get(f"/en/m/{id}/sheet", base_url=PHONE).text
    assert "s-code" not in client.get(f"/en/m/{id}/sheet", base_url="http://127.0.0.1:5000").text
    said = "Another phone cannot open this"
    assert said in client.get(f"/en/m/{id}/more", base_url="http://127.0.0.1:5000").text
    assert said not in client.get(f"/en/m/{id}/more", base_url="https://club.example").text
    assert "s-code" not in client.get(f"/en/m/{id}/sheet").text


def test_the_pdf_is_kept_until_something_changes(client: Browser, id: str) -> None:
    """A browser that has a sheet without names is told so; it never has one with names."""
    address = "/en/sheets/derda/blank.pdf?paper=a5"
    answer = client.get(address)
    assert answer.status_code == 200 and answer.mimetype == "application/pdf"
    assert answer.headers["Cache-Control"] == "private, no-cache"
    tag = answer.headers["ETag"]
    again = client.get(address, headers={"If-None-Match": tag})
    assert again.status_code == 304 and not again.data and again.headers["ETag"] == tag
    other = client.get(f"{address}&tally=0", headers={"If-None-Match": tag})
    assert other.status_code == 200 and other.headers["ETag"] != tag
    for _time in range(2):
        answer = client.get(f"/en/m/{id}/sheet.pdf?paper=a5", headers={"If-None-Match": "*"})
        assert answer.status_code == 200 and answer.data.startswith(b"%PDF")
        assert "Ewa" in answer.headers["Content-Disposition"]
        assert answer.headers["Cache-Control"] == "private, no-store" and "ETag" not in answer.headers
        client.write(id, DEAL)


def test_a_corrected_deal_is_footnoted(client: Browser, id: str) -> None:
    """What stood there first is told; what was undone is not."""
    match = client.change(id, AmendEntry(1, DEAL | {"totals": {"A": 90, "B": 65}}))
    client.change(id, WithdrawEntry(match.standing_entries[1].id))
    text = client.get(f"/en/m/{id}/sheet").text
    assert "originally 82 : 65" in text and "struck out" in text
    for _n in range(2):
        client.change(id, Undo())
    client.write(id, DEAL)
    client.change(id, Undo())
    text = client.get(f"/en/m/{id}/sheet").text
    assert "stood here first" not in text and "struck out" not in text


def test_what_was_said_of_a_deal_is_on_the_sheet_and_in_the_record(client: Browser, id: str) -> None:
    """A tick, a footnote with the end of the objection, and what is doubted; the record has both too."""
    client.change(id, Agree(2, "B"))
    client.change(id, Object(1, "B", "count", totals={"A": 80, "B": 67}))
    text = client.get(f"/en/m/{id}/sheet").text
    assert "2<sup>2</sup>" in text and 's-agreed" title="agreed"> ✓' in text
    assert "Jan objected: wrong count, 80 : 67 claimed to be right; not settled." in text
    assert "Still doubted:" in text and "deal\u00a01 (Jan: wrong count)" in text
    client.change(id, AmendEntry(1, DEAL | {"totals": {"A": 80, "B": 67}}))
    text = client.get(f"/en/m/{id}/sheet").text
    assert "originally 82 : 65" in text and "80 : 67 claimed to be right; corrected." in text
    assert "doubted" not in text
    said = client.get(f"/en/m/{id}/record.json").get_json()["remarks"]
    assert all(item.pop("at") for item in said)
    assert said == [
        {"entry": 2, "by": "B", "kind": "agree"},
        {"entry": 1, "by": "B", "kind": "object", "reason": "count", "totals": {"A": 80, "B": 67}},
        {"entry": 1, "by": "B", "kind": "settled", "how": "amended"},
    ]


def test_a_paper_that_does_not_exist_is_refused(client: Browser, id: str) -> None:
    """The answer names the papers there are."""
    answer = client.get(f"/en/m/{id}/sheet.pdf?paper=a3")
    assert answer.status_code == 400 and "one of a4, a5, letter" in answer.text


def test_an_empty_sheet_can_be_chosen(client: Browser) -> None:
    """A page to choose the paper on, and the PDF itself."""
    answer = client.get("/en/sheets/derda")
    assert answer.status_code == 200 and "blank.pdf?paper=letter" in answer.text and "minela" in answer.text
    assert client.get("/pl/sheets/derda/blank.pdf?paper=letter").data.startswith(b"%PDF")


def test_an_unknown_preset_is_refused(client: Browser) -> None:
    """The answer names the presets there are."""
    answer = client.get("/en/sheets/derda?preset=mine")
    assert answer.status_code == 400 and "standard" in answer.text


def test_where_no_pdf_can_be_made_the_browser_prints(
    client: Browser, app: Flask, id: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The same addresses lead to the sheet to print; the log says once which library is missing."""
    monkeypatch.setattr(app, "extensions", {**app.extensions})  # which remember it
    monkeypatch.setattr(printing, "print_order", chores.lack_library)
    for _time in range(2):
        answer = client.get(f"/en/m/{id}/sheet.pdf?paper=a5")
        assert answer.status_code == 200 and "sheets/print.js" in answer.text
    assert caplog.text.count("libpango-1.0-0") == 1
    page = client.get(f"/en/m/{id}/sheet").text
    assert "sheet.pdf?paper=a5" in page and "PDF" not in page.split('class="actions papers"')[1]


def test_the_browser_prints_what_the_pdf_has(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same HTML and style, but for running text: the title is in it, whatever its letters are."""
    orders: list[SheetOrder] = []

    def note_order(order: SheetOrder) -> Response:
        orders.append(order)
        return printing.print_sheet(order)

    monkeypatch.setattr(sheet_pages, "print_sheet", note_order)
    id = client.start(DEAL, name_B='Jan </style> \\ "X"')
    answer = client.get(f"/en/m/{id}/sheet.pdf?paper=a5&tally=0&by=browser")
    assert answer.status_code == 200 and answer.headers["Cache-Control"] == "private, no-store"
    sheet = html.write_sheet(orders[0].compose(), "en", html.PAPERS["a5"])
    assert " ".join(sheet.split()) in " ".join(answer.text.split())  # pages are sent with fewer spaces
    nonce, style = re.findall(r'<style nonce="([\w-]{22})">(.*?)</style>', answer.text, re.DOTALL)[0]
    assert "size: 148mm 210mm" in style and '"' not in style.split('content: "')[1].split('"; font')[0]
    assert f"style-src 'self' 'nonce-{nonce}';" in answer.headers["Content-Security-Policy"]
    assert nonce not in client.get(f"/en/m/{id}/sheet.pdf?by=browser").text
    papers = re.findall(r'href="([^"]*paper=[^"]*)"', answer.text)
    path = f"/en/m/{id}/sheet.pdf?paper={{}}&amp;tally=0&amp;by=browser"
    assert papers == [path.format(paper) for paper in ("a4", "a5", "letter")]
    assert f'<a href="/en/m/{id}/sheet?tally=0">Back</a>' in answer.text


def test_an_odd_address_of_a_sheet_is_no_fault(client: Browser) -> None:
    """What nobody asked for is passed on as it came."""
    odd = "endpoint=x&_external=1&_scheme=javascript&lang=xx&paper=a5&by=browser"
    answer = client.get(f"/en/sheets/derda/blank.pdf?{odd}")
    assert answer.status_code == 200 and 'href="javascript' not in answer.text


@pytest.mark.nightly
def test_a_print_that_is_killed_can_be_asked_for_again(
    client: Browser, id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says when to try again, and then the sheet comes: a process that died is replaced."""
    with monkeypatch.context() as killing:
        killing.setattr(printing, "print_order", chores.die)
        answer = client.get(f"/pl/m/{id}/sheet.pdf?paper=a5")
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert "Praca została przerwana" in answer.text
    assert f'href="/pl/m/{id}/sheet.pdf?paper=a5"' in answer.text
    monkeypatch.setattr(results, "_ERROR_SECONDS", 0)  # it is some seconds later
    assert client.get(f"/pl/m/{id}/sheet.pdf?paper=a5").data.startswith(b"%PDF")


def test_a_tally_can_be_asked_for_and_left(client: Browser) -> None:
    """Deberts is written as running totals unless tallies are asked for; Derda the other way round."""
    made = client.start(game="deberts", preset="moscow")
    assert "s-tally-drawing" not in client.get(f"/en/m/{made}/sheet").text
    asked = client.get(f"/en/m/{made}/sheet?tally=1").text
    assert "s-tally-drawing" in asked and "sheet.pdf?paper=a4&amp;tally=1" in asked
    assert client.get(f"/en/m/{made}/sheet.pdf?tally=1").data.startswith(b"%PDF")
    assert "s-tally-drawing" not in client.get("/en/sheets/derda?tally=0").text
    assert "s-tally-drawing" in client.get("/en/sheets/derda").text


def test_a_tally_may_have_negative_units(client: Browser) -> None:
    """Offered where a sheet is looked at, and printed so: 8 and 9 as the next ten less two or one."""
    made = client.start(DEAL | {"totals": {"A": 88, "B": 49}})
    page = client.get(f"/en/m/{made}/sheet").text
    assert "As tallies, 18 as 20 − 2" in page and "88: 80, 8" in page and "49: 20 20, 9" in page
    page = client.get(f"/en/m/{made}/sheet?tally=2").text
    assert "88: 80 10, −2" in page and "49: 50, −1" in page and "sheet.pdf?paper=a4&amp;tally=2" in page
    assert "As tallies</a>" in page and "18 as 20" not in page


@pytest.mark.parametrize("testing", [True, False])
def test_the_printer_gets_ready_while_a_sheet_is_looked_at(
    client: Browser, app: Flask, id: str, monkeypatch: pytest.MonkeyPatch, testing: bool
) -> None:
    """On every page that offers a PDF; under test only what is printed starts a process."""
    warmed: list[object] = []
    monkeypatch.setattr(jobs, "prepare", warmed.append)
    monkeypatch.setattr(app, "testing", testing)
    pages = (f"/en/m/{id}/sheet", "/en/sheets/derda", "/en/sheets/derda/card")
    assert all(client.get(page).status_code == 200 for page in pages)
    assert len(warmed) == (0 if testing else len(pages))


UNUSED = "\U0010fffd"
"""A letter that no font has: it is nobody's, for good."""


def test_a_name_that_cannot_be_printed_is_said(client: Browser) -> None:
    """On the page before the PDF, in its language; the PDF comes, and its headers say so too."""
    id = client.start(DEAL, **{"name_B": f"Jan{UNUSED}"})
    text = client.get(f"/en/m/{id}/sheet").text
    assert (
        f"No font on the machine that prints has all letters of: Jan{UNUSED}." in text
        and "Debian" not in text
    )
    answer = client.get(f"/en/m/{id}/sheet.pdf")
    assert answer.data.startswith(b"%PDF") and "Ewa – Jan" in unquote(answer.headers["Content-Disposition"])
    assert unquote(answer.headers["Unprintable"]) == f"Jan{UNUSED}" and answer.headers["Missing-Fonts"] == ""
    for address in ("players", f"player?name=Jan{UNUSED}"):
        assert "No font on" in client.get(f"/en/{address}").text


def test_packages_are_named(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each that brings a font for a letter; nothing is said of names that can be printed."""
    with monkeypatch.context() as fonts:
        fonts.setattr(lettering, "can_print", lambda letter: letter not in "王芳")
        text = client.read(f"/en/m/{client.start(DEAL, name_A='王芳')}/sheet")
        assert "letters of: 王芳." in text and "fonts: fonts-noto-cjk." in text
        found = re.search(r'"(/en/evening/[^"]+)"', client.get("/en/evenings").text)
        assert found and "letters of: 王芳." in client.read(found[1])
        assert "No font" not in client.read(f"/en/m/{client.start(DEAL)}/sheet")
