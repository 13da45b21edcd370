"""A match on a phone, in any language, from the front page to the sheet: by the names and values of forms."""

import json
import re
from collections.abc import Callable
from typing import Any

from browsing import BOARD, step, tap_followed
from playwright.sync_api import Locator, Page, expect

from .plans import NAMES, PLACES, DealPlan, MatchPlan


class Player:
    """Somebody with a phone, who looks at every page that is opened."""

    def __init__(self, page: Page, plan: MatchPlan, lang: str, look: Callable[[Page], None]) -> None:
        self.page, self.plan, self.look = page, plan, look
        self.names = NAMES[lang][: plan.players]
        self.place = PLACES[lang]
        self.match = ""

    def begin(self) -> None:
        """From the front page to the board of a new match, which the first player deals."""
        page, plan = self.page, self.plan
        page.goto("/")
        self.look(page)
        self.follow("/new")
        self.choose("game", plan.game)
        expect(page.locator('input[name="shown-game"]')).to_have_value(plan.game)
        if plan.preset:
            usual_table = page.locator(f'[name="step"][value="as-{plan.preset}"]')
            self.open(usual_table)
            usual_table.tap()
            expect(page.locator('input[name="shown-preset"]')).to_have_value(plan.preset)
        if page.locator('input[type="radio"][name="table"]').count():
            self.choose("table", str(plan.players))
            expect(page.locator("input[data-seat]")).to_have_count(plan.players)
        for name, item in zip(self.names, page.locator("input[data-seat]").all(), strict=True):
            item.fill(name)
        self.choose("dealer", "A")
        for rule, value in plan.rules.items():
            self.agree(f"rule-{rule}", value)
        self.agree("place", self.place)
        self.look(page)
        page.locator('button[name="step"][value="start"]').tap()
        expect(page).to_have_url(BOARD)
        self.match = page.url
        self.look(page)

    def play(self) -> None:
        """All that is planned of the match, to its end."""
        for deal in self.plan.deals:
            self.record(deal)
        if self.plan.followed:
            self.follow_hand()
        for fool in self.plan.fools:
            self.lose(fool)
        expect(self.page.locator(".winner")).to_be_visible()

    def agree(self, name: str, value: str) -> None:
        """What stands in a fold of the form: typed, or one of several."""
        field = self.page.locator(f'input[name="{name}"]').first
        self.open(field)
        if field.get_attribute("type") == "radio":
            self.choose(name, value)
        else:
            field.fill(value)

    def follow(self, path: str) -> None:
        """Tap the link that leads to an address with such an end."""
        self.page.locator(f'main a[href$="{path}"]:visible, .top a[href$="{path}"]:visible').first.tap()
        expect(self.page).to_have_url(re.compile(re.escape(path) + "$"))
        self.look(self.page)

    def choose(self, name: str, value: str) -> None:
        """Tap one of several, in whatever fold it is."""
        choice = self.page.locator(f'input[name="{name}"][value="{value}"]')
        self.open(choice)
        self.page.locator("label", has=choice).first.tap()

    def open(self, element: Locator) -> None:
        """Open the folds that something is in, from the outside in."""
        closed = self.page.locator("details:not([open])", has=element)
        while closed.count():
            closed.first.locator("summary").first.tap()

    def step(self, action: str) -> None:
        """Tap a button that changes the deal's page in place."""
        step(self.page, action)

    def record(self, deal: DealPlan) -> None:
        """One deal from the board and back to it."""
        page = self.page
        page.goto(self.match)
        if deal.words:
            page.locator("#dock a.primary").tap()
        else:
            page.goto(f"{self.match}/deal?mode=totals")
        expect(page.locator("#deal")).to_be_attached()
        if deal.calls:
            self.step("way:calls")
            for call in deal.calls:
                self.step(call)
        else:
            self.choose("bid", deal.bid)
        for n, run in enumerate(deal.runs):
            seat, length, top = run.split(":")
            self.step(f"run:{seat}:{length}")
            self.choose(f"runs-{n}-top", top)
        for n, four in enumerate(deal.fours):
            seat, rank = four.split(":")
            self.step(f"four:{seat}")
            self.choose(f"fours-{n}-rank", rank)
        if deal.words:  # or totals are asked for, as in the deal before
            tab = page.locator('button.tab[value="counting:count"]')
            tab.tap()
            expect(tab).to_have_attribute("aria-pressed", "true")
        for word, side in deal.words.items():
            self.choose(word, side)
        kind = "cards" if deal.words else "total"
        for side, points in deal.counts.items():
            page.fill(f"#{kind}_{side}", points)
        expect(page.locator("#comes-to")).not_to_be_empty()
        self.look(page)
        page.locator('button[name="do"][value="save"]:visible').last.tap()
        self.board()
        finish = page.locator('#standing .announce button[name="side"]')
        if finish.count():
            finish.first.tap()
            expect(page.locator(".winner")).to_be_visible()
            self.look(page)

    def lose(self, ending: str) -> None:
        """A hand that ended so, from the board and back to it, by the page that has all endings."""
        self.page.goto(self.match)
        self.follow("/hand")
        self.page.locator(f'button[name="result"][value="{ending}"]').first.tap()
        self.board()

    def follow_hand(self) -> None:
        """A hand from its deal to its fool, every bout of it, from the board and back to it."""
        page = self.page
        page.goto(self.match)
        self.follow("/hand/follow")
        for tap in self.plan.followed:
            tap_followed(page, *tap.split())
            self.look(page)
        page.locator('button[name="do"][value^="lost:"]').first.tap()
        self.board()

    def board(self) -> None:
        """The board is back."""
        expect(self.page).to_have_url(self.match)
        self.look(self.page)

    def ask(self) -> None:
        """A question about this match, from the board; its answer is attached to the match."""
        page, plan = self.page, self.plan
        page.goto(self.match)
        self.follow("/ask")
        self.follow(f"/ask/{plan.asked}")
        for name, value in plan.taps.items():
            self.choose(name, value)
        for name, value in plan.typed.items():
            page.locator(f'[name="{name}"]').fill(value)
        page.locator('.actions button[name="asked"]').tap()
        expect(page.locator(".verdict-line")).to_be_visible()
        self.look(page)
        page.locator('button[name="attach"]').tap()
        expect(page).to_have_url(re.compile(r"/r/[\w-]{22}$"))
        self.look(page)
        page.goto(self.match)
        self.board()

    def print(self) -> bytes:
        """The sheet as PDF, from the board."""
        self.page.goto(self.match)
        self.follow("/sheet")
        printed = self.page.locator('nav.actions a[href*="paper=a4"]').get_attribute("href")
        assert printed
        answer = self.page.request.get(printed, timeout=60_000)
        assert answer.ok, answer.status
        return answer.body()

    def take_along(self) -> Any:
        """The record of the match."""
        return json.loads(self.page.request.get(f"{self.match}/record.json").text())
