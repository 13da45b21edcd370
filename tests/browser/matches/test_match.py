"""One whole match on a phone, in both languages: bids, words, offers, a tie, a correction, the sheet."""

import re

import pypdfium2
import pytest
from browsing import PHONE, exchange
from playwright.sync_api import Locator, Page, expect

from companion.i18n import translator


class Table:
    """Two players with one phone between them."""

    def __init__(self, page: Page, lang: str) -> None:
        self.page, self.lang, self.say = page, lang, translator(lang)
        self.match = ""

    def sit_down(self, target: int) -> None:
        """Start a match to a short target; Ewa deals first."""
        self.page.goto("/")
        expect(self.page).to_have_url(re.compile(f"/{self.lang}/$"))
        self.page.goto(f"/{self.lang}/new")
        self.page.fill("#name-A", "Ewa Łączyńska")
        self.page.fill("#name-B", "Янко <b>")
        self.pick("dealer", "A")
        self.page.locator("summary", has_text=re.compile("house rules|zasady", re.I)).first.tap()
        self.page.fill('[name="rule-target"]', str(target))
        self.page.locator(".actions .primary").tap()
        expect(self.page).to_have_url(re.compile(r"/m/[\w-]{22}$"))
        self.match = self.page.url

    def pick(self, name: str, value: str) -> None:
        """Tap one of several."""
        self.page.locator("label", has=self.page.locator(f'input[name="{name}"][value="{value}"]')).tap()

    def act(self, action: str) -> None:
        """Tap a button that changes the form in place."""
        button = self.page.locator(f'button[name="do"][value="{action}"]').first
        with exchange(self.page, button):
            button.tap()

    def record(self, mode: str = "count") -> None:
        """Open the page for the next deal."""
        self.page.goto(f"{self.match}/deal?mode={mode}")

    def comes_to(self, *words: str) -> None:
        """What the preview says before anything is saved."""
        for word in words:
            expect(self.page.locator("#comes-to")).to_contain_text(word)

    def save(self, *totals: str) -> None:
        """Save, and see the board."""
        self.page.locator('button[name="do"][value="save"]:visible').last.tap()
        self.board(*totals)

    def board(self, *totals: str) -> None:
        """The totals that stand on the board."""
        expect(self.page).to_have_url(self.match)
        for place, total in enumerate(totals):
            expect(self.totals().nth(place)).to_have_text(total)

    def totals(self) -> Locator:
        """The two large numbers."""
        return self.page.locator(".board .total")


@pytest.mark.parametrize(
    "lang",
    [
        pytest.param("en", marks=pytest.mark.browser_context_args(**PHONE, locale="en-GB")),
        pytest.param("pl", marks=pytest.mark.browser_context_args(**PHONE, locale="pl-PL")),
    ],
)
def test_a_whole_match(page: Page, lang: str) -> None:
    """From the first bid to a printed sheet that tells all of it in the players' language."""
    table = Table(page, lang)
    table.sit_down(300)

    # Elder hand plays and is baited: the spec's second worked number.
    table.record()
    table.pick("bid", "B:H")
    table.act("run:A:3")
    table.pick("runs-0-top", "K")
    table.pick("bela", "A")
    table.pick("jass", "B")
    table.pick("nine", "A")
    table.pick("last", "B")
    page.fill("#cards_B", "11+10+31")
    page.fill("#cards_A", "31")
    table.comes_to("167")
    table.save("167", "0")

    # Call by call: how many times are you passing? Twice.
    table.record()
    table.act("way:calls")
    table.act("turn:9H")
    for call in ("pass", "ask", "twice"):
        table.act(f"call:{call}")
    table.save("167", "0")

    # A commercial offer, accepted.
    table.record()
    table.pick("bid", "offer")
    table.pick("offer_chip", "20")
    table.pick("offer_deals", "1")
    table.comes_to("187")
    table.save("187", "0")

    # Both made the same: the defender writes, the rest is held; then the held points go to the winner.
    table.record("totals")
    table.pick("bid", "A:S")
    page.fill("#total_A", "70")
    page.fill("#total_B", "70")
    table.comes_to("70")
    table.save("187", "70")

    # Counts that no cards can carry are not written, and nothing typed is lost.
    table.record("totals")
    table.pick("bid", "A:D")
    page.fill("#total_A", "1")
    page.fill("#total_B", "90")
    page.locator('button[name="do"][value="save"]:visible').last.tap()
    expect(page.locator("main")).to_contain_text("derda.score.doubtful-count")
    expect(page.locator("#total_B")).to_have_value("90")
    page.fill("#total_A", "95")
    page.fill("#total_B", "60")
    table.comes_to("165")
    table.save("352", "130")

    # The match is won; the sheet shows all of it, and prints.
    expect(page.locator("main")).to_contain_text("Ewa Łączyńska")
    page.goto(f"{table.match}/sheet")
    expect(page.locator("html")).to_have_attribute("lang", lang)
    for paper, sheets in (("a4", 1), ("a5", 2)):
        answer = page.request.get(f"{table.match}/sheet.pdf?paper={paper}")
        assert answer.ok and answer.headers["content-type"] == "application/pdf"
        pdf = pypdfium2.PdfDocument(answer.body())
        assert len(pdf) <= sheets
        text = "\n".join(item.get_textpage().get_text_range() for item in pdf).replace("\xa0", " ")
        for word in ("Ewa Łączyńska", "Янко <b>", "bajt", "sztajnbajt", "352", "Derda"):
            assert word in text, (paper, word, text)
        assert table.say("trump jack") in text
