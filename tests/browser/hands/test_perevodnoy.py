"""A hand of perevodnoy followed on a phone from the deal to the fool; its sheet and its record read back."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from browsing import PHONE, Accessible
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser_context_args(**PHONE)
NAMES = ("Ewa", "Jan", "Ala", "Olek")
BOARD = re.compile(r"/m/[\w-]{22}$")


class Table:
    """Players at a table of house rules, and a phone whose taps are counted."""

    def __init__(self, page: Page, names: tuple[str, ...] = NAMES) -> None:
        self.page, self.names, self.taps, self.match = page, names, 0, ""

    def sit_down(self, preset: str = "", lang: str = "en", **rules: str) -> "Table":
        """A session begins, dealt by the first player, and its first hand is followed."""
        page = self.page
        page.goto(f"/{lang}/new?game=durak&table={len(self.names)}&preset={preset or 'standard'}")
        for name, field in zip(self.names, page.locator("input[data-seat]").all(), strict=True):
            field.fill(name)
        page.locator("label", has=page.locator('input[name="dealer"][value="A"]')).click()
        for fold in page.locator("details.fold > summary").all() if rules else ():
            fold.click()
        for rule, value in rules.items():
            choice = page.locator(f'input[name="rule-{rule}"][value="{value}"]')
            for fold in page.locator("details:not([open])", has=choice).all():
                fold.locator("summary").first.click()
            page.locator("label", has=choice).click()
        page.locator(".actions .primary").click()
        expect(page).to_have_url(BOARD)
        self.match = page.url
        page.locator(".actions a.beside").click()  # to follow a hand
        expect(page.locator("h1")).to_be_visible()
        return self

    def button(self, action: str) -> Locator:
        """The button that says this."""
        return self.page.locator(f'button[name="do"][value="{action}"]').first

    def tap(self, action: str, *out: str) -> None:
        """Tick who went out, in this order, and tap a button; the answer is on the page then."""
        for seat in out:
            tick = self.page.locator(f'input[name="out"][value="{seat}"]')
            self.page.locator("label", has=tick).click()
        fold = self.page.locator("details:not([open])", has=self.button(action))
        if fold.count():
            fold.locator("summary").first.click()
        self.taps += 1 + len(out)
        key = self.page.locator('#follow input[name="form_key"]')
        before = key.input_value()
        self.button(action).click()
        expect(key).not_to_have_value(before)

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

    def score(self, tmp_path: Path) -> Any:
        """What the command line makes of that record."""
        file = tmp_path / "match.json"
        file.write_text(json.dumps(self.record()))
        run = [sys.executable, "-m", "companion.cli", "score", str(file), "--json"]
        done = subprocess.run(run, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def test_a_hand_from_the_deal_to_the_fool(page: Page, accessible: Accessible, tmp_path: Path) -> None:
    """Chains of transfers, one that comes back, players out, the fool; then the sheet and the record."""
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
        page.locator("label", has=page.locator(f'input[name="out"][value="{seat}"]')).click()
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
    score = table.score(tmp_path)
    row = score["entries"][0]
    assert (row["result"], row["loser"], row["order"]) == ("loss", "A", ["D", "C", "B"])
    assert (score["totals"], score["next_dealer"]) == ({"A": 1, "B": 0, "C": 0, "D": 0}, "A")
    assert "problems" not in score or score["problems"] == []

    answer = page.request.get(f"{table.match}/sheet.pdf", timeout=60_000)
    assert answer.ok
    with pypdfium2.PdfDocument(answer.body()) as printed:
        text = " ".join(sheet.get_textpage().get_text_bounded() for sheet in printed)
    for words in (*NAMES, "Ewa is the fool"):
        assert words in text, text


def bout(attacker: str, defender: str, result: str, *transfers: Any, out: Any = ()) -> dict[str, Any]:
    """A bout as a record tells it."""
    event: dict[str, Any] = {"attacker": attacker, "defender": defender, "result": result}
    event |= {"out": list(out)} if out else {}
    return event | ({"transfers": list(transfers)} if transfers else {})


def test_two_taps_a_hand_as_before(page: Page) -> None:
    """Whoever does not follow a hand of perevodnoy records it as any other."""
    table = Table(page).sit_down("perevodnoy")
    page.goto(table.match)
    page.get_by_role("link", name="Record hand").click()
    page.get_by_role("button", name="Jan is the fool").click()
    expect(page).to_have_url(table.match)
    assert table.record()["entries"] == [{"type": "hand", "loser": "B"}]


def test_a_trump_that_is_shown(page: Page, accessible: Accessible, tmp_path: Path) -> None:
    """With a pass card: shown and kept, nothing is added to the attack."""
    table = Table(page).sit_down("perevodnoy-pass-card")
    table.tap("first:B")
    table.tap("trump:S")
    table.tap("transfer:shown")
    table.sees("Ala", "Olek", arrows=2)
    table.says("Laid so far: at least 1; at most 5 more.")
    expect(table.button("transfer:shown")).to_have_count(0)
    table.tap("card:7S")
    table.tap("transfer")
    table.sees("Olek", "Ewa", arrows=3)
    accessible(page)
    table.tap("picked-up")
    table.sees("Jan", "Ala")
    table.button("lost:D").evaluate("element => { element.closest('details').open = true }")
    table.end("lost:D")
    shown = {"by": "C", "shown": True, "card": "7S"}
    assert table.record()["entries"][0]["bouts"] == [bout("B", "C", "picked-up", shown, {"by": "D"})]
    assert table.score(tmp_path)["totals"]["D"] == 1


def test_as_played_online(page: Page) -> None:
    """At most five until an attack is beaten off, whatever was transferred; six from then on."""
    table = Table(page).sit_down("online")
    table.tap("first:A")
    for _bout in range(2):
        table.says("5 at most until an attack is beaten off")
        table.tap("transfer")
        table.says("Laid so far: at least 2; at most 3 more.")
        table.tap("picked-up")
    table.tap("beaten-off")
    table.says("6 at most, and no more than")


def test_somebody_leaves_and_the_others_play_on(page: Page, accessible: Accessible, tmp_path: Path) -> None:
    """Who left is passed over; a bout before it is corrected without telling the rest anew."""
    table = Table(page).sit_down("perevodnoy", walk_out="plays-on", epaulettes="true")
    table.tap("first:A")
    table.tap("beaten-off")
    table.tap("left:C")
    table.sees("Jan", "Olek")
    expect(page.locator('.ring [data-seat="C"]')).to_contain_text("has left")
    table.tap("transfer")
    table.sees("Olek", "Ewa", arrows=2)
    table.tap("picked-up")
    table.tap("back:0")
    table.says("After bout 1 Ala leaves the table.")
    table.tap("transfer")
    table.tap("untransfer")
    accessible(page)
    table.tap("again")
    table.sees("Jan", "Olek")
    table.tap("talon:used-up")
    table.tap("beaten-off", "B")
    table.sees("Olek", "Ewa")
    table.tap("picked-up", "D")
    expect(page.locator("h1")).to_have_text("Ewa is the fool. Ala left the table.")
    page.locator("label", has=page.locator('input[name="sixes"][value="2"]')).click()
    accessible(page)
    table.end("lost:A")
    entry = table.record()["entries"][0]
    assert (entry["walked_out"], entry["walked_after"], entry["sixes"]) == ("C", 1, 2)
    score = table.score(tmp_path)
    assert (score["entries"][0]["order"], score["epaulettes"]["A"]) == (["B", "D"], 2)


def test_a_new_deal(page: Page) -> None:
    """Five of one suit: two taps, a fold and a name; the same player deals again."""
    table = Table(page).sit_down(five_of_a_suit="redeal")
    table.tap("first:A")
    page.locator("summary", has_text="Five cards of one suit").click()
    table.end("redeal:B")
    assert table.record()["entries"] == [
        {"type": "hand", "dealer": "A", "misdeal": "five-suited", "by": "B"},
    ]
    expect(page.locator(".next")).to_contain_text("Ewa deals; whoever holds the lowest trump")


def test_a_transfer_without_network(page: Page) -> None:
    """It waits where it was tapped, and is sent once when the network is back."""
    table = Table(page).sit_down("perevodnoy")
    table.tap("first:A")
    page.context.set_offline(True)
    table.button("transfer").click()
    expect(page.locator(".not-sent")).to_contain_text("Not saved yet: there is no network.")
    page.context.set_offline(False)
    table.sees("Jan", "Ala", arrows=2)
    page.reload()
    table.sees("Jan", "Ala", arrows=2)


def test_a_page_gone_stale(page: Page) -> None:
    """Somebody transferred on another page: this one says so, keeps its ticks, and shows how it stands."""
    table = Table(page).sit_down("perevodnoy")
    table.tap("first:A")
    table.tap("talon:used-up")
    other = page.context.new_page()
    other.goto(page.url)
    other.locator('button[value="transfer"]').click()
    expect(other.locator("h1")).to_contain_text("Jan attacks Ala")
    table.tap("beaten-off", "A")
    table.says("The match has moved on.")
    table.sees("Jan", "Ala", arrows=2)
    expect(page.locator('input[name="out"][value="A"]')).to_be_checked()


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
