"""A whole match of every game on a phone, and its sheet, read back: at night in a language that plays it; for
a version in each."""

import re
from typing import Any

import pytest
from browsing import SCREEN
from fitting import find_misfits, open_phone
from playwright.sync_api import Browser, Page, expect

from companion import library
from companion.i18n import translator
from companion.notation.tally import format_number
from companion.record import record as records

from .english import English
from .paper import Paper
from .plans import LOCALES, MATCHES, MatchPlan
from .playing import Player

CHECK_CODE = re.compile(r"\b[0-9A-Z]{4}(?=\s[0-9A-Z]{4}\b)|(?<=[0-9A-Z]{4}\s)[0-9A-Z]{4}\b")
"""The halves of a code, which stand below each other in the seal."""
NUMBER = re.compile("\N{MINUS SIGN}?[0-9]+")

PLAYED = [
    pytest.param(
        match, lang, id=f"{match.name}-{lang}", marks=[pytest.mark.release] * (lang != match.languages[0])
    )
    for match in MATCHES
    for lang in match.languages
]


@pytest.mark.parametrize(("plan", "lang"), PLAYED)
def test_a_whole_match(browser: Browser, live_app: str, plan: MatchPlan, lang: str) -> None:
    """From the front page to the sheet: all that is said is said in that language, and nothing is cut."""
    page = open_phone(browser, live_app, SCREEN, locale=LOCALES[lang])
    page.set_default_timeout(15_000)
    english, wrong = English(lang), list[str]()
    page.on("pageerror", lambda error: wrong.append(f"thrown: {error}"))

    def look(page: Page) -> None:
        expect(page.locator("form[data-sent]")).to_have_count(0)
        wrong.extend(english.look(page, *player.names, player.place))
        misfits = [misfit for misfit in find_misfits(page) if not _is_long_name(misfit, player.names)]
        wrong.extend(f"{page.url}: {misfit}" for misfit in misfits)

    player = Player(page, plan, lang, look)
    player.begin()
    player.play()

    record, game = records.read_record(player.take_along(), library.open_game)
    state = records.fold_record(record, game.family)
    assert state.status != "playing" and not state.problems
    totals = [format_number(state.totals[side]) for side in state.ring.sides]
    numbers = [text for text in page.locator(".picture text").all_text_contents() if NUMBER.fullmatch(text)]
    assert numbers[: len(totals)] == totals
    player.ask()

    paper = Paper(player.print())
    own = [game.book.title, *(["Losses so far"] if not plan.deals else [])]
    own += [game.book.words["last"]] if plan.counts_words else []
    for words in (*player.names, player.place, *map(translator(lang), own), order_result(state)):
        assert paper.says(words), (words, paper.text)
    own_words = (*player.names, player.place, *CHECK_CODE.findall(paper.text))
    said = english.find(paper.runs, [paper.text], own_words)
    wrong.extend(f"on paper: {item}" for item in said)
    assert (paper.find_undrawn(), paper.find_foreign_fonts()) == (set(), set())
    page.context.close()
    assert wrong == []


def order_result(state: Any) -> str:
    """The totals as a sheet has them: first of who won, or of who lost most, and then as they sit."""
    totals = [state.totals[side] for side in state.ring.sides]
    named = {getattr(state, "winner", None)} & {*state.ring.sides} or {
        side for side in state.ring.sides if state.totals[side] == max(totals)
    }
    ordered = sorted(state.ring.sides, key=lambda side: side not in named)
    return " : ".join(str(state.totals[side]) for side in ordered)


def _is_long_name(misfit: str, names: tuple[str, ...]) -> bool:
    """A name may be cut short on purpose, and a long one broken."""
    kind, _, text = misfit.partition(": ")
    broken = {word for name in names for word in re.split("[ -]", name) if len(word) > 7}
    return text.split(" in ")[0] in (broken if kind == "broken" else names)
