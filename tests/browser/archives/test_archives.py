"""Matches as files, on phones: taken along and brought to another one, bad files, put away and deleted."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browsing import Accessible, Scheme, begin, write_deal
from fitting import LONG, PHONE, SIDEWAYS, SMALL, find_misfits, open_phone
from phone import Phone, Server
from playwright.sync_api import Browser, Page, ViewportSize, expect

HEARTS = {"bid": "A:H", "counting": "totals", "total_A": "90", "total_B": "72"}


@pytest.fixture
def other(browser: Browser, base_url: str) -> Page:
    """Another phone."""
    return open_phone(browser, base_url, PHONE)


def download_all(page: Page, folder: Path) -> Path:
    """All matches of a phone as a file."""
    page.goto("/en/export")
    page.get_by_role("button", name="Make the file").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def hand_in(page: Page, *files: Path) -> None:
    """Choose files and have a look at what is in them."""
    page.goto("/en/import")
    page.set_input_files("#file", list(files))
    page.get_by_role("button", name="Look inside").click()
    expect(page.get_by_role("heading", name="What is in it")).to_be_visible()


def test_to_another_phone_and_back(page: Page, other: Page, tmp_path: Path) -> None:
    """Exported, deleted, erased and imported on another phone: the same board, by an address of its own."""
    board = begin(page)
    for _deal in range(2):
        write_deal(page, board, **HEARTS)
    page.goto(board)
    expect(page.locator(".board .total").first).to_have_text("180")
    shown = page.locator("#standing").inner_text()
    history = page.request.get(f"{board}/record.json").json()
    file = download_all(page, tmp_path)
    assert re.fullmatch(r"companion-\d{4}-\d\d-\d\d\.zip", file.name)
    page.goto(f"{board}/export")
    page.get_by_role("link", name="Delete").click()
    expect(page.get_by_text("2 deals")).to_be_visible()
    page.get_by_role("button", name="Yes, delete").click()
    page.get_by_role("link", name="Erase now").click()
    page.get_by_role("button", name="Yes, erase").click()
    expect(page.get_by_text("The match is erased.")).to_be_visible()
    hand_in(other, file)
    expect(other.get_by_role("heading", name="New: 1")).to_be_visible()
    other.get_by_role("button", name="Import 1 match").click()
    expect(other.get_by_role("heading", name="Imported")).to_be_visible()
    other.get_by_role("link", name="Open").click()
    expect(other).not_to_have_url(board)  # which stays the owner's, on whose sheets it is
    expect(other.locator(".board .total").first).to_have_text("180")
    expect(other.locator("#standing")).to_have_text(shown, use_inner_text=True)
    assert other.request.get(f"{other.url}/record.json").json()["entries"] == history["entries"]
    expect(other.locator(".log-top")).to_contain_text("Undo")


def test_put_away_and_undone(page: Page) -> None:
    """One tap puts it away, the next one undoes that; later it is found at the foot of the list."""
    board = begin(page)
    page.goto("/en/")
    for _time in range(2):
        page.goto(f"{board}/history")
        page.get_by_role("link", name="Take it with you").click()
        page.get_by_role("button", name="Archive").click()
        expect(page.get_by_role("heading", name="Archived matches")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(page).to_have_url(board)
    page.goto(f"{board}/export")
    page.get_by_role("button", name="Archive").click()
    expect(page.get_by_role("heading", name="Archived matches")).to_be_visible()
    page.goto("/en/")
    expect(page.locator("a.resume")).to_have_count(0)
    page.get_by_role("link", name="Archived matches").click()
    page.get_by_role("button", name="Bring back: Ewa, Jan").click()
    expect(page).to_have_url(board)


def test_what_is_shared_with_the_app(make_phone: Callable[..., Phone], server: Server) -> None:
    """A file that another app shares lies in the form, ready to be looked into; nothing was sent yet."""
    phone = make_phone()
    page = phone.open("/en/import")
    record = {"format": "companion-match", "version": 1, "game": "derda", "first_dealer": "A", "entries": []}
    content = json.dumps(record | {"players": ["Ala", "Łucja"]})
    page.evaluate(_SHARE, content)
    expect(page.locator("#file")).to_have_value(re.compile(r"match\.json$"))
    assert page.url == f"{server.address}/en/import"
    names = page.locator("#file").evaluate("field => [...field.files].map(({ name }) => name)")
    assert names == ["Łucja’s match.json"]
    page.get_by_role("button", name="Look inside").click()
    expect(page.get_by_text("Łucja’s match.json")).to_be_visible()
    expect(page.get_by_role("heading", name="New: 1")).to_be_visible()
    page.goto("/en/import")
    assert page.locator("#file").evaluate("field => field.files.length") == 0, "it is handed over once"


_SHARE = """content => {
  const form = document.createElement("form"), field = document.createElement("input");
  const files = new DataTransfer();
  Object.assign(form, { method: "post", enctype: "multipart/form-data", action: "/en/import/shared" });
  form.dataset.plain = "";
  Object.assign(field, { type: "file", name: "file" });
  files.items.add(new File([content], "Łucja’s match.json", { type: "application/json" }));
  field.files = files.files;
  form.append(field);
  document.body.append(form);
  form.submit();
}"""


@pytest.mark.parametrize(
    ("size", "lang", "scheme"),
    [(PHONE, "pl", "dark"), (SMALL, "en", "dark"), (SMALL, "pl", "light"), (SIDEWAYS, "en", "light")],
)
def test_it_fits(
    browser: Browser,
    base_url: str,
    accessible: Accessible,
    size: ViewportSize,
    lang: str,
    scheme: Scheme,
    tmp_path: Path,
) -> None:
    """What is made, found, asked and done, with long names, on every screen; all taps have room."""
    page = open_phone(browser, base_url, size, color_scheme=scheme)
    board = begin(page, lang, (LONG[0], LONG[1]))
    write_deal(page, board, **HEARTS)
    record = page.request.get(f"{board}/record.json").json()
    files = []
    for name, document in (
        ("here.json", record),
        ("new.json", {key: value for key, value in record.items() if key != "log"} | {"id": "x"}),
        (f"{'long-' * 20}.json", record | {"players": [7]}),
    ):
        files.append(tmp_path / name)
        files[-1].write_text(json.dumps(document))

    def check() -> None:
        assert find_misfits(page, whole=12) == [], page.url
        small = page.eval_on_selector_all(
            "#main :is(a.btn, button, summary, .list a, input[type=file]):not([hidden])",
            "all => all.filter((box) => box.offsetParent && box.getBoundingClientRect().height < 48)"
            ".map((box) => box.outerHTML)",
        )
        assert small == [], page.url
        accessible(page)

    page.goto(f"{board}/delete")
    check()
    page.goto(f"/{lang}/export")
    page.locator(".actions .primary").click()
    expect(page.locator(".file-name")).to_be_visible()
    check()
    page.goto(f"/{lang}/import")
    page.set_input_files("#file", files)
    page.locator(".actions .primary").click()
    expect(page.locator(".found").first).to_be_visible()
    check()
    page.locator(".actions .primary").click()
    expect(page.locator(".found a.btn").first).to_be_attached()
    check()
    for question, button in (("export", "form[action$='/put-away'] button"), ("delete", ".actions .red")):
        page.goto(f"{board}/{question}")
        page.locator(button).click()
        expect(page.locator(".notice form")).to_be_visible()
        check()
    page.context.close()
