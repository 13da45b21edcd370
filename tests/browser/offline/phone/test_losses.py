"""Evenings on a bad line, each another one: what was saved stands in the record once, in its order.

`--runs 200` tries so many evenings; the ordinary tests try a few. `--seed` begins at another one.
"""

import random

import pytest
from browsing import open_match
from entries import record_of
from evenings import expect_all_sent, record
from line import Fate, Line
from phone import Phone, visit
from playwright.sync_api import expect

CHANCES: dict[Fate, int] = {"arrives": 5, "is lost": 3, "is answered in vain": 3, "is too much": 1}
"""How often a form that is sent fares so."""
PAGES: tuple[Fate, ...] = ("arrives", "is lost")


class Evening:
    """A match that is written while the line fails and the phone is closed, dies and comes back."""

    def __init__(self, phone: Phone, line: Line, seed: int) -> None:
        self.phone, self.line, self.random = phone, line, random.Random(seed)
        self.saved: list[str] = []
        line.mend()
        self.page = phone.open()
        self.is_durak = self.random.random() < 0.3
        names = ("Ewa", "Jan", "Ala")
        players = names if self.is_durak else names[:2]
        game, table = ("durak", "3") if self.is_durak else ("derda", "")
        self.match = open_match(self.page, game, players, table=table)
        self.page.goto(self.match)
        form = "hand" if self.is_durak else "deal"
        phone.wait_until_saved(self.page, f"{self.match}/{form}")

    def go_on(self) -> None:
        """Write an entry or two, or have something happen in between."""
        match self.random.randrange(8):
            case 0:
                self.line.cut()
            case 1:
                self.phone.set_offline(self.random.random() < 0.5)
            case 2:
                self.page.close()
                self.page = self.phone.open(self.match)
            case 3 if self.random.random() < 0.3:
                self.phone.kill()
                self.page = self.phone.open(self.match)
            case 4:
                self.page.reload()
            case _:
                self.line.fate = self.fate
        self.write()

    def fate(self, method: str, path: str) -> Fate:
        """What becomes of a request."""
        if method == "GET":
            return self.random.choices(PAGES, [4, 1])[0]
        return self.random.choices(list(CHANCES), list(CHANCES.values()))[0]

    def write(self) -> None:
        """One entry, as a player writes it."""
        if self.is_durak:
            visit(self.page, f"{self.match}/hand")
            fool = self.random.choice(["Ewa", "Jan", "Ala"])
            self.page.get_by_role("button", name=f"{fool} is the fool").click()
            self.saved.append("ABC"[["Ewa", "Jan", "Ala"].index(fool)])
        else:
            points = str(self.random.randrange(82, 99))  # five deals of it end no match
            record(self.page, self.match, "A", points)
            self.saved.append(points)
        expect(self.page.locator("form[data-sent]")).to_have_count(0, timeout=30_000)
        expect(self.page).to_have_url(self.match)

    def end(self) -> list[str]:
        """The network is back for good: what stands in the record then."""
        self.phone.set_offline(False)
        self.line.mend()
        self.page.close()
        self.page = self.phone.open(self.match, controlled=False)  # it reloads when what waited is sent
        expect_all_sent(self.page)
        record, _length = record_of(self.page, self.match)
        assert isinstance(record, dict)
        self.page.close()
        return [str(item["loser"] if self.is_durak else item["totals"]["A"]) for item in record["entries"]]


@pytest.mark.profile
def test_nothing_saved_is_lost_or_doubled(phone: Phone, line: Line, pytestconfig: pytest.Config) -> None:
    """Whatever the line does, and however often the phone is closed, reloaded or dead."""
    first = pytestconfig.getoption("seed")
    for seed in range(first, first + pytestconfig.getoption("runs")):
        evening = Evening(phone, line, seed)
        for _entry in range(evening.random.randrange(2, 6)):
            evening.go_on()
        assert evening.end() == evening.saved, f"evening {seed}"
