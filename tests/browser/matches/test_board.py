"""The board's figures and strokes on a phone: in one piece, and all of them seen."""

import re

import pytest
from browsing import PHONE, open_match, write_deal
from entries import write_hand
from fitting import LONG, SHORT, SIDEWAYS, SMALL, find_misfits, open_phone
from fitting import PHONE as SCREEN
from playwright.sync_api import Browser, Page, ViewportSize, expect

from companion.i18n import LANGUAGES

pytestmark = pytest.mark.browser_context_args(**PHONE)

WRITTEN = {
    "derda": ("82", "65"),
    "darda": ("81", "80"),
    "belote": ("82", "80"),
    "bela": ("82", "80"),
    "bela-2": ("82", "60"),
    "clabber": ("82", "80"),
    "klaberjass-3": ("82", "60", "20"),
    "klaberjass-4": ("82", "80"),
    "deberts-3": ("82", "60", "20"),
    "deberts-4": ("82", "80"),
    "deberts-4-alone": ("82", "40", "20", "20"),
}
"""The points of each side in a deal."""
NAMES = ("Konstantynopolitańczykiewiczówna", "Wawrzyniec", "Ewa")


@pytest.mark.parametrize("size", [(320, 640), (360, 740), (740, 360), (1280, 800)])
@pytest.mark.parametrize(
    ("game", "totals"), [("derda", ("1247", "98")), ("klaberjass-3", ("1037", "508", "9835"))]
)
def test_long_totals_and_tallies(
    page: Page, game: str, totals: tuple[str, ...], size: tuple[int, int]
) -> None:
    """A total of four digits stays on one line in its column; its strokes are not cut."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    fields = {f"total-{seat}": total for seat, total in zip("ABC", totals, strict=False)}
    page.goto(open_match(page, game, NAMES, fields=fields | {"rule-target": "9999"}))
    expect(page.locator(".board .total")).to_have_text(list(totals[: page.locator(".board .side").count()]))
    for side in page.locator(".board .side").all():
        box = side.bounding_box()
        assert box is not None
        figure = side.locator(".total")
        lines = figure.evaluate(
            """p => { const number = document.createRange(); number.selectNodeContents(p.firstElementChild);
                return new Set([...number.getClientRects()].map(box => box.top)).size }"""
        )
        assert lines == 1
        assert figure.evaluate("p => p.scrollWidth <= p.clientWidth + 1")
        strokes, roles = side.locator(".strokes svg").bounding_box(), side.locator(".roles").bounding_box()
        assert roles is not None
        if strokes is None:
            assert size == (320, 640)  # they go first where there is little room
            continue
        assert strokes["y"] + strokes["height"] <= roles["y"] + 1
        assert strokes["x"] + strokes["width"] <= box["x"] + box["width"] + 1


@pytest.mark.parametrize("game", WRITTEN)
def test_the_log_is_in_view(page: Page, game: str) -> None:
    """However long the names and the language's words: the score leaves room for Undo and the last deal."""
    sides = len(WRITTEN[game])
    match = open_match(page, game, LONG)
    for declarer in ("A:H", "B:D", "A:S", "B:C"):
        totals = {f"total_{seat}": points for seat, points in zip("ABCD", WRITTEN[game], strict=False)}
        write_deal(page, match, bid=declarer, counting="totals", **totals)
    for language in LANGUAGES:
        page.goto(match.replace("/en/", f"/{language}/"))
        room = page.locator("#dock").evaluate("dock => dock.getBoundingClientRect().top")
        for part in (page.locator(".log-top form").last, page.locator(".entries tbody tr").first):
            box = part.bounding_box()
            assert box is not None and box["y"] + box["height"] <= room, (language, box, room)
        score = page.locator(".board").evaluate("board => board.offsetHeight")
        assert game == "derda" or score <= 280, (language, score)
        assert page.locator(".strokes svg").count() == sides


@pytest.mark.parametrize("game", ["derda", "klaberjass-3", "durak"])
@pytest.mark.parametrize("text", [100, 200])
def test_the_whole_row_opens_its_entry(browser: Browser, base_url: str, game: str, text: int) -> None:
    """Also its number and its points; and nothing of it lies beside the page."""
    page = open_phone(browser, base_url, SCREEN, text)
    match = open_match(page, game, SHORT, table="3" if game == "durak" else "")
    if game == "durak":
        write_hand(page, match, "A")
    else:
        write_deal(page, match, bid="A:H", counting="totals", total_A="82", total_B="60", total_C="20")
    for place in (0, -1):
        page.goto(match)
        cell = page.locator(".entries tbody tr").first.locator("td, th").nth(place)
        cell.click(position={"x": 3, "y": 9}, force=True)  # the link lies over it
        expect(page).to_have_url(re.compile(r"/entries/1$"))
    page.goto(match)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.context.close()


@pytest.mark.parametrize("lang", ["en", "pl"])
@pytest.mark.parametrize("game", ["derda", "klaberjass-4", "durak"])
def test_a_phone_on_its_side(page: Page, game: str, lang: str) -> None:
    """What a board is there for can be tapped at once, in one row that leaves the totals in view."""
    page.set_viewport_size(SIDEWAYS)
    match = open_match(page, game, LONG[:2] if game == "derda" else LONG, lang)
    if game != "durak":
        write_deal(page, match, bid="A:H", counting="totals", total_A="82", total_B="80")
    page.goto(match)
    expect(page.locator(".actions .primary")).to_be_in_viewport(ratio=1)
    assert page.locator(".actions").evaluate("it => it.offsetHeight") <= 80
    if game != "durak":  # whose ring takes the height, and shortens names that stand in full below it
        for total in page.locator(".board .total").all():
            expect(total).to_be_in_viewport(ratio=1)
        assert not find_misfits(page)


@pytest.mark.parametrize(("size", "text"), [(SMALL, 100), (SCREEN, 200)], ids=["320", "360 at 200 %"])
def test_the_name_of_the_game_is_in_one_piece(
    browser: Browser, base_url: str, size: ViewportSize, text: int
) -> None:
    """Above a board and above a new match, also where the screen is narrow or the text large."""
    page = open_phone(browser, base_url, size, text, locale="pl-PL")
    page.goto(open_match(page, "klaberjass-4", SHORT, "pl"))
    title = page.locator(".top-title")
    expect(title).to_have_text("Klaberjass we czwórkę, zwykły")
    assert (
        title.evaluate(
            """it => {
            const word = document.createRange();
            word.setStart(it.firstChild, it.textContent.indexOf("K"));
            word.setEnd(it.firstChild, it.textContent.indexOf(" we"));
            return word.getClientRects().length;
        }"""
        )
        == 1
    )
    assert not find_misfits(page)
    page.goto("/pl/new?game=klaberjass-4")
    assert "Klaberjass" in page.locator("details.games > summary").inner_text()
    assert not find_misfits(page)
    page.context.close()


def test_a_name_of_ten_letters_is_whole_at_the_table(page: Page) -> None:
    """Six in two teams: the side with the double border has as much room for names as the other."""
    names = ("Ewa", "Jan", "Ala", "Piotr", "Zofia", "Wawrzyniec")
    page.goto(open_match(page, "durak", names, "pl", "teams-6"))
    shown = page.locator(".ring .player")
    assert sorted(shown.all_inner_texts()) == sorted(names)
    for element in shown.all():
        assert element.evaluate("it => it.scrollWidth <= it.clientWidth"), element.inner_text()


SHARING = """
navigator.canShare = ({ files }) => files.every((file) => file.type === "image/png");
window.shared = new Promise((resolve) => {
  navigator.share = async ({ files, title }) => resolve([title, files[0].name, files[0].size]);
});
"""


def test_the_picture_of_a_won_match_is_shared(page: Page) -> None:
    """By the phone's share sheet, as a file; where there is none, or it fails, the picture is downloaded."""
    match = open_match(page, "derda", ("Ewa", "Jan"), fields={"rule-target": "100"})
    write_deal(page, match, bid="A:H", counting="totals", total_A="120", total_B="42")
    page.goto(match)
    expect(page.locator(".picture")).to_be_in_viewport()
    assert not find_misfits(page)
    expect(page.locator("[data-share-picture]")).to_be_hidden()
    with page.expect_download() as downloading:
        page.locator("#picture-file").tap()
    assert downloading.value.suggested_filename == "Derda Ewa 120 – Jan 42.png"
    page.add_init_script(SHARING)
    page.reload()
    page.locator("[data-share-picture]").tap()
    title, name, size = page.evaluate("window.shared")
    assert (title, name) == ("Derda Ewa 120 – Jan 42", "Derda Ewa 120 – Jan 42.png")
    assert 10_000 < size < 200_000
    page.evaluate("() => { navigator.share = () => Promise.reject(new Error()); }")
    with page.expect_download():
        page.locator("[data-share-picture]").tap()
