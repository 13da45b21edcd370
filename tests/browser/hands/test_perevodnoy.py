"""A hand of perevodnoy followed on a phone from the deal to the fool; its record read back."""

from typing import Any

import pytest
from browsing import PHONE, Accessible, choice, open_match, tap_followed
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)
NAMES = ("Ewa", "Jan", "Ala", "Olek")


class Table:
    """Players at a table of house rules, and a phone whose taps are counted."""

    def __init__(self, page: Page, names: tuple[str, ...] = NAMES) -> None:
        self.page, self.names, self.taps, self.match = page, names, 0, ""

    def sit_down(self, preset: str, lang: str = "en") -> "Table":
        """A session begins, dealt by the first player, and its first hand is followed."""
        page = self.page
        table = str(len(self.names))
        self.match = open_match(page, "durak", self.names, lang, table, preset)
        page.goto(self.match)
        page.locator(".actions a.beside").click()  # to follow a hand
        expect(page.locator("h1")).to_be_visible()
        return self

    def button(self, action: str) -> Locator:
        """The button that says this."""
        return self.page.locator(f'button[name="do"][value="{action}"]').first

    def tap(self, action: str, *out: str) -> None:
        """Tick who went out, in this order, and tap a button; the answer is on the page then."""
        self.taps += 1 + len(out)
        tap_followed(self.page, action, *out)

    def sees(self, attacks: str, defends: str, arrows: int = 1) -> None:
        """Who attacks and who defends, in the sentence and on the ring, and how many arrows the way has."""
        expect(self.page.locator("h1")).to_contain_text(f"{attacks} attacks {defends}")
        expect(self.page.locator(".ring .attacks .player")).to_have_text(attacks)
        expect(self.page.locator(".ring .defends .player")).to_have_text(defends)
        expect(self.page.locator(".ring .arrow path")).to_have_count(2 * arrows)
        expect(self.page.locator(".ring .arrow path:not(.passed)")).to_have_count(2)

    def says(self, words: str) -> None:
        """What stands among the facts of the bout, or above them."""
        expect(self.page.locator("#follow")).to_contain_text(words)

    def end(self, action: str) -> None:
        """Write the hand down."""
        self.button(action).click()
        self.taps += 1
        expect(self.page).to_have_url(self.match)

    def record(self) -> Any:
        """The record of the match, as it is taken along."""
        return self.page.request.get(f"{self.match}/record.json").json()


def test_a_hand_from_the_deal_to_the_fool(page: Page, accessible: Accessible) -> None:
    """Chains of transfers, one that comes back, players out, the fool; then the record."""
    page.set_default_timeout(10_000)
    table = Table(page).sit_down("perevodnoy")
    table.tap("first:A")
    table.tap("trump:H")
    table.sees("Ewa", "Jan")
    table.says("If it is transferred, Ala defends.")

    table.taps = 0
    table.tap("transfer")
    table.sees("Jan", "Ala", arrows=2)
    table.tap("transfer")
    table.sees("Ala", "Olek", arrows=3)
    table.says("6 at most, and no more than Olek holds. Laid so far: at least 3; at most 3 more.")
    expect(page.locator(".facts dd", has=page.locator(".order")).last.locator("li")).to_have_text(
        ["Ala", "Ewa", "Jan", "Olek"]  # who draws
    )
    accessible(page)
    table.tap("beaten-off")
    assert table.taps == 3  # a transfer is one tap more, the bout itself one as ever

    table.sees("Olek", "Ewa")
    table.tap("picked-up")

    table.sees("Jan", "Ala")
    for attacks, defends, arrows in (("Ala", "Olek", 2), ("Olek", "Ewa", 3), ("Ewa", "Jan", 4)):
        table.tap("transfer")
        table.sees(attacks, defends, arrows)
    expect(table.button("transfer")).to_have_count(0)
    table.says("One card of the rank attacked, so at most 3 can be laid to transfer.")
    table.tap("card:9S")
    table.tap("card:9D")
    accessible(page)
    table.tap("picked-up")

    table.sees("Ala", "Olek")
    table.tap("talon:used-up")
    table.tap("transfer")
    table.sees("Olek", "Ewa", arrows=2)
    for seat in ("D", "C"):  # Olek first, then Ala
        choice(page, "out", seat).click()
    expect(page.locator(".dock .choice[data-nth='1']")).to_have_text("Olek")
    expect(page.locator(".dock .choice[data-nth='2']")).to_have_text("Ala")
    table.tap("beaten-off")

    table.sees("Ewa", "Jan")
    expect(page.locator(".ring .gone .player")).to_have_text(["Ala", "Olek"])
    table.tap("transfer")
    table.sees("Jan", "Ewa", arrows=2)
    table.tap("picked-up", "B")
    expect(page.locator("h1")).to_have_text("Ewa is the fool.")
    accessible(page)
    table.end("lost:A")

    entry = table.record()["entries"][0]
    assert entry == {
        "type": "hand",
        "loser": "A",
        "dealer": "A",
        "first_attacker": "A",
        "trump": "H",
        "bouts": [
            bout("A", "B", "beaten-off", {"by": "B"}, {"by": "C"}),
            bout("D", "A", "picked-up"),
            bout("B", "C", "picked-up", {"by": "C", "card": "9S"}, {"by": "D", "card": "9D"}, {"by": "A"}),
            bout("C", "D", "beaten-off", {"by": "D"}, out=["D", "C"]),
            bout("A", "B", "picked-up", {"by": "B"}, out=["B"]),
        ],
    }


def bout(attacker: str, defender: str, result: str, *transfers: Any, out: Any = ()) -> dict[str, Any]:
    """A bout as a record tells it."""
    event: dict[str, Any] = {"attacker": attacker, "defender": defender, "result": result}
    event |= {"out": list(out)} if out else {}
    return event | ({"transfers": list(transfers)} if transfers else {})


@pytest.mark.parametrize("lang", ["en", "pl"])
@pytest.mark.parametrize("size", [(360, 740), (320, 640)])
def test_long_names_and_all_that_can_be_tapped(page: Page, lang: str, size: tuple[int, int]) -> None:
    """Nothing is wider than the screen, every button in the dock is in view and large enough."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    names = ("Wawrzyniec", "Konstantynopolitańczykiewiczówna", "Aleksandra-Maria Kowalewska-Nowak", "Olek")
    table = Table(page, names).sit_down("perevodnoy-pass-card", lang)
    table.tap("first:A")
    table.tap("trump:D")
    for action in ("transfer", "talon:used-up", "transfer:shown"):
        page.evaluate("scrollTo(0, 0)")
        for element in page.locator(".dock .btn").all():
            expect(element).to_be_in_viewport(ratio=1)
            box = element.bounding_box()
            assert box and box["height"] >= 48 and box["width"] >= 48
            assert element.evaluate("element => element.scrollWidth <= element.clientWidth")
        table.tap(action)
    for fold in page.locator("details.fold > summary").all():
        fold.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
