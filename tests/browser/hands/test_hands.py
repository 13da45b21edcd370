"""An evening of five hands on a phone, four in teams: recorded, followed, mended, closed, printed."""

import pypdfium2
import pytest
from browsing import PHONE, choice, open_match
from playwright.sync_api import Locator, Page, expect
from typed import discard_drafts

pytestmark = pytest.mark.browser_context_args(**PHONE)
NAMES = ("Ewa", "Jan", "Ala", "Olek", "Zofia", "Max")
LONG = ("Konstantynopolitańczykowianeczka Ewelina"[:40], "W" * 40, "محمد", "A", "B" * 40, "C")
LONG_NAMES = (
    "Aleksandra-Maria Kowalewska-Nowakowska",
    "Александра Константиновна Преображенская",
    "Krzysztof Brzęczyszczykiewicz-Łukasz",
    "Иннокентий Святославович Рождественский",
)


class Table:
    """A table with one phone, whose taps are counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps, self.match = page, 0, ""

    def sit_down(self, table: str, names: tuple[str, ...] = NAMES, forfeit: str = "") -> "Table":
        """Start a session; the first player deals."""
        fields = {"rule-forfeit": forfeit} if forfeit else {}
        self.match = open_match(self.page, "durak", names, table=table, fields=fields)
        self.page.goto(self.match)
        return self

    def pick(self, name: str, value: str) -> None:
        """One of several."""
        choice(self.page, name, value).click()

    def tap(self, target: Locator) -> None:
        """A tap that is counted."""
        target.click()
        self.taps += 1

    def button(self, name: str) -> None:
        """Tap a button by its words."""
        self.tap(self.page.get_by_role("button", name=name, exact=True))

    def lost(self, team: str, dealer: str = "") -> None:
        """On the board: a team lost and says who of it deals, each in a tap."""
        asked = f"{team} lost: which of them deals?"
        self.tap(self.page.get_by_role("button", name=f"{team} lost", exact=True).first)
        self.next(asked)
        if dealer:
            self.button(dealer)
            expect(self.page.locator(".next")).not_to_contain_text(asked)

    def board(self) -> None:
        """The board is shown."""
        expect(self.page).to_have_url(self.match)

    def next(self, words: str) -> None:
        """What the board says of the hand that comes."""
        expect(self.page.locator(".next")).to_contain_text(words)

    def losses(self, *counts: str) -> None:
        """The losses at the seats of the first players, one of each team."""
        for seat, count in zip("AB", counts, strict=False):
            card = self.page.locator(f".ring [data-seat={seat}]")
            expect(card).to_contain_text(f"Losses: {count}") if count != "0" else expect(
                card
            ).not_to_contain_text("Losses")


def test_an_evening_of_five_hands(page: Page) -> None:
    """A tap records a hand; a followed hand writes itself; touched cards, a slip, the close, the sheet."""
    table = Table(page).sit_down("teams-4", forfeit="fetch the beer")
    table.next("Ewa deals; whoever holds the lowest trump attacks first.")

    table.taps = 0
    table.lost("Jan & Olek", "Jan deals")
    assert table.taps == 2
    table.next("Jan deals; Ala attacks Olek.")
    table.losses("0", "1")

    # The team says later who of it deals: the board asks, one tap answers.
    table.lost("Jan & Olek")
    page.reload()
    table.button("Olek deals")
    table.next("Olek deals; Ewa attacks Jan.")
    table.losses("0", "2")

    # Followed bout by bout to its end.
    page.get_by_role("link", name="Follow the hand").click()
    heading = page.locator(".now h1")
    expect(heading).to_contain_text("Ewa attacks Jan")
    page.get_by_role("button", name="Beaten off").click()
    expect(heading).to_contain_text("Jan attacks Ala")
    page.get_by_role("button", name="The talon is used up").click()
    expect(page.get_by_text("Went out in this bout")).to_be_visible()
    page.get_by_role("button", name="Picked up").click()
    expect(heading).to_contain_text("Olek attacks Ewa")
    table.pick("out", "D")
    page.get_by_role("button", name="Beaten off").click()
    expect(heading).to_contain_text("Ewa attacks Jan")
    table.pick("out", "B")
    page.get_by_role("button", name="Beaten off").click()
    expect(heading).to_contain_text("Ewa & Ala")
    page.locator('button[name="do"][value="lost:A:A"]').first.click()
    table.board()
    table.next("Ewa deals; Jan attacks Ala.")
    table.losses("1", "2")

    # Somebody touches the cards, and is the fool without a matchstick.
    page.get_by_role("link", name="More").click()
    page.get_by_text("Somebody touched the cards").click()
    table.pick("by", "C")
    page.get_by_role("button", name="Write it down").click()
    table.board()
    table.next("Ala deals; Olek attacks Ewa.")
    table.losses("1", "2")

    table.taps = 0
    table.button("Draw")
    assert table.taps == 1
    expect(page.locator(".entries tbody tr").first).to_contain_text("draw")
    table.next("Ala deals; Olek attacks Ewa.")

    # A slip of the thumb: undone, then the right one.
    table.lost("Ewa & Ala", "Ewa deals")
    table.next("Ewa deals")
    table.losses("2", "2")
    page.get_by_role("button", name="Undo").click()
    table.losses("1", "2")
    table.next("Ala deals; Olek attacks Ewa.")
    table.lost("Jan & Olek", "Olek deals")
    table.losses("1", "3")
    expect(page.locator(".entries .n").first).to_have_text("5")

    # The first hand gets a note; the correction is marked.
    page.get_by_role("link", name="Jan & Olek lost.").last.click()
    page.get_by_role("link", name="Correct").click()
    page.locator("summary", has_text="More").click()
    page.fill("#note", "Two sixes too late.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("h1")).to_have_text("Hand 1")
    expect(page.locator(".came-to")).to_contain_text("corrected")

    page.goto(table.match)
    page.get_by_role("link", name="Close the session").click()
    page.get_by_role("button", name="Close the session").click()
    table.board()
    expect(page.locator(".outcome")).to_contain_text("Jan & Olek pay the forfeit")
    expect(page.locator(".outcome")).to_contain_text("fetch the beer")

    answer = page.request.get(f"{table.match}/sheet.pdf", timeout=60_000)
    assert answer.ok
    with pypdfium2.PdfDocument(answer.body()) as printed:
        text = " ".join(sheet.get_textpage().get_text_bounded() for sheet in printed)
    for name in (*NAMES[:4], "fetch the beer"):
        assert name in text

    page.get_by_role("button", name="Next session").click()
    expect(page).not_to_have_url(table.match)
    table.next("Olek deals; whoever holds the lowest trump attacks first.")
    expect(page.locator(".evening")).to_be_visible()


@pytest.mark.parametrize("size", ["100%", "200%"])
def test_nothing_has_to_be_pushed_sideways(page: Page, size: str) -> None:
    """At 320 pixels, with long names and with text twice as large, no page is wider than the screen."""
    page.set_viewport_size({"width": 320, "height": 640})
    for seating, result in (("6", "B"), ("teams-6", "B:B")):
        table = Table(page).sit_down(seating, LONG)
        for _hand in range(2):
            page.goto(f"{table.match}/hand")
            page.locator(f'button[name="result"][value="{result}"]').click()
            table.board()
        for path in ("", "/hand", "/entries/1", "/entries/1?edit=1", "/more?open=touch"):
            page.goto(table.match + path)
            page.evaluate("size => { document.documentElement.style.fontSize = size }", size)
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, path


@pytest.mark.parametrize("lang", ["en", "pl"])
def test_nothing_is_cut_or_runs_over(page: Page, lang: str) -> None:
    """On a phone the game's whole title stands at the top, and long names stay inside what is tapped."""
    page.set_viewport_size({"width": 360, "height": 740})
    cut = "el => el.scrollWidth > el.clientWidth + 1 || el.scrollHeight > el.clientHeight + 1"
    table = Table(page).sit_down("4", LONG_NAMES)
    for path in ("", "/hand", "/more?open=touch"):
        page.goto((table.match + path).replace("/en/", f"/{lang}/"))
        if not path:
            assert not page.locator(".top-title").evaluate(cut)
        for element in page.locator(".btn.fool, .choice > span").all():
            assert not element.evaluate(cut), element.inner_text()
    for game in ("derda", "klaberjass-3", "durak"):
        discard_drafts(page)  # or what was typed for the game before is taken up meanwhile
        page.goto(f"/{lang}/new?game={game}")
        for name, field in zip(LONG_NAMES, page.locator("input[data-seat]").all(), strict=False):
            field.fill(name)
        whole = page.locator(".who .choice > span")
        assert whole.evaluate_all(f"all => all.filter({cut}).map((element) => element.textContent)") == []
        assert whole.count() >= 3


@pytest.mark.parametrize("names", [NAMES, (*LONG_NAMES, "Wawrzyniec", "Konstantynopolitańczykowianeczka")])
@pytest.mark.parametrize("table", ["4", "6", "teams-4", "teams-6"])
def test_all_losses_are_in_view_with_the_table(page: Page, table: str, names: tuple[str, ...]) -> None:
    """However small the phone and long the names: every seat with its losses, above the buttons."""
    for width, height in ((360, 740), (320, 640)):
        page.set_viewport_size({"width": width, "height": height})
        Table(page).sit_down(table, names)
        page.locator("button.seat").first.click()
        of_team = "teams" in table
        expect(page.locator(".ring .matchsticks")).to_have_count(int(table[-1]) // 2 if of_team else 1)
        page.wait_for_load_state()
        losses = page.locator(".ring li")
        assert losses.count() == int(table[-1])
        bottom = page.locator(".actions").bounding_box()
        assert bottom is not None
        for element in losses.all():
            box = element.bounding_box()
            assert box is not None and box["y"] >= 0 and box["x"] + box["width"] <= width
            assert box["y"] + box["height"] <= bottom["y"], (table, width)
