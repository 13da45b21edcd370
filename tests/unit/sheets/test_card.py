"""The table card: every rule that applies at a table, and what it has agreed, on one page."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from printing import compose_page, print_sheet
from tiers import mostly_at_night

from companion import cli, library
from companion.i18n import LANGUAGES, alphabetical, translator
from companion.rules.game import PlayedGame
from companion.sheets.model import CardPage
from tests.unit.sheets.reading import read_pages

pytestmark = pytest.mark.slow  # whole documents are laid out, or every role asks


def list_presets() -> Iterator[Any]:
    """One before a commit, at night the first of each game, all for a version."""
    for game in library.names():
        for n, preset in enumerate(library.read_rulebook(game).presets):
            mark = pytest.mark.release if n else pytest.mark.nightly
            yield pytest.param((game, preset), marks=[] if (game, n) == ("durak", 0) else mark)


@pytest.mark.parametrize("table", [*list_presets()], ids=str)
def test_a_card_is_one_page(table: tuple[str, str]) -> None:
    opened = library.open_game(*table)
    made = compose_page("rules", opened)
    assert isinstance(made, CardPage)
    rules = {rule.id for _chapter, rules in made.chapters for rule in rules}
    assert rules == {rule.id for rule in opened.book.rules_for(opened.conventions)}
    assert len(read_pages(print_sheet("rules", opened))) == 1


def print_with_words(game: PlayedGame, language: str = "en", paper: str = "a4") -> str:
    """A card with the words of its game, if it has room for them; its pages as one text."""
    words = library.glossary(game.book.game)
    return " ".join(read_pages(print_sheet("rules", game, words=words, language=language, paper=paper)))


@pytest.mark.nightly
@pytest.mark.parametrize("language", ["en", "pl"])
@pytest.mark.parametrize("game", ["belote", "bulka"])
def test_the_words_of_the_game_stand_at_the_foot(game: str, language: str) -> None:
    """Those that the card says, by the alphabet, still on one page; without them it is as before."""
    opened, glossary = library.open_game(game), library.glossary(game)
    made = compose_page("rules", opened, words=glossary, language=language)
    assert isinstance(made, CardPage)
    said = [word.word for word in made.words]
    assert said == sorted(said, key=lambda word: alphabetical(word, language)) and len(said) > 5
    assert {word.word for word in made.words} <= {word.said(language)[1].word for word in glossary.words}
    (text,) = read_pages(print_sheet("rules", opened, words=glossary, language=language))
    at = [text.rindex(f"{word.word}: {word.meaning[:9]}") for word in made.words]
    assert at == sorted(at)
    assert compose_page("rules", opened, language=language) == replace(made, words=())


@pytest.mark.nightly
def test_words_that_would_make_a_card_too_small_are_left_out() -> None:
    game = library.open_game("durak", "perevodnoy", UNUSUAL, 6)
    (bare,) = read_pages(print_sheet("rules", game, language="pl"))
    assert print_with_words(game, "pl") == bare


@pytest.mark.nightly
def test_long_words_are_divided() -> None:
    text = print_with_words(library.open_game("derda"), "pl")
    assert len(re.findall("\\w[\u2010\ufffe\x02]\\w?", text)) > 5


@pytest.mark.nightly
@pytest.mark.parametrize("game", ["deberts", "klaberjass-3"])
def test_a_card_on_other_papers(game: str) -> None:
    """The richest rulebook and the shortest: one page on Letter, on A5 the two sides of a leaf at most."""
    opened = library.open_game(game)
    assert len(read_pages(print_sheet("rules", opened, paper="letter"))) == 1
    pages = read_pages(print_sheet("rules", opened, paper="a5"))
    assert len(pages) <= 2
    assert len(pages[-1]) > 1000, "the second side is worth its paper"


@mostly_at_night("paper", ["a4", "letter"], {"a4"})
@mostly_at_night("game", ["bulka", "deberts", "durak"], {"bulka"})
def test_a_card_fills_its_page(game: str, paper: str) -> None:
    """Lettered as large as there is room: the rules go down to the last tenth of the page, in no margin."""
    document = pypdfium2.PdfDocument(print_sheet("rules", library.open_game(game), paper=paper))
    text = document[0].get_textpage()
    width, height = document[0].get_size()
    boxes = [text.get_charbox(at) for at, value in enumerate(text.get_text_range()) if value.strip()]
    above_the_number = [bottom for _left, bottom, _right, _top in boxes if bottom > 27]
    assert min(above_the_number) < height * 0.12
    assert all(15 < left and right < width - 15 for left, _bottom, right, _top in boxes)
    document.close()


def test_what_is_agreed_stands_in_front() -> None:
    """Every convention that matters with its value; what differs from the preset has a star."""
    game = library.open_game("derda", conventions={"target": 300})
    page = compose_page("rules", game)
    assert isinstance(page, CardPage)
    listed = {rule.label: (rule.value, rule.unusual) for rule in page.house_rules}
    assert listed["Target"] == ("300", True)
    assert [label for label, (_value, unusual) in listed.items() if unusual] == ["Target"]
    (text,) = read_pages(print_sheet("rules", game))
    assert "Target: 300 *" in text and "other than usual" in text and "Rulebook 2" in text


@pytest.mark.nightly
def test_the_command_line_prints_a_card(tmp_path: Path) -> None:
    out = tmp_path / "card.pdf"
    command = ["sheet", "--kind", "rules", "--game", "deberts", "--preset", "kharkov", "-o", str(out)]
    assert cli.main(command) == 0
    assert "kharkov" in read_pages(out.read_bytes())[0].casefold()


UNUSUAL = {
    "deck": 52, "jokers": 2, "pass_card": "on", "transfer_first": "off", "no_trump_start": "lot",
    "first_attack": "teach-the-fool", "throwers": "all", "attack_cap": 0, "first_defence_limit": 5,
    "first_defence_until": "beaten-off", "lowest_beats_ace": "on",
    "spades_by_spades": True, "wrong_card": "fool", "six_exchange": "ace-only", "cut": "required",
    "five_of_a_suit": "redeal", "walk_out": "plays-on", "touch_counts": True, "severnyi": True,
    "epaulettes": True, "transfer_cards": "several", "cap_binds_taker": False, "trump_joker": "highest-trump",
    "first_card": "lowest-trump", "ace_turned": "again", "spade_turned": "again", "six_of_a_colour": "redeal",
    "walk_out_bout": "cancelled", "session_losses": 7,
    "forfeit": "coffee and cake for all, sung for under the table",
}  # fmt: skip
"""Everything about Durak that a table may agree on, and none of it as usual."""


@pytest.mark.nightly
@pytest.mark.parametrize(
    "language",
    [pytest.param(code, marks=[] if code in ("en", "uk") else pytest.mark.release) for code in LANGUAGES],
)
def test_the_card_of_the_most_unusual_table_is_one_page(language: str) -> None:
    """Perevodnoy for six with every house rule there is: all of it, starred, on one page of either paper."""
    game = library.open_game("durak", "perevodnoy", UNUSUAL, 6)
    page = compose_page("rules", game, language=language)
    assert isinstance(page, CardPage)
    assert len([rule for rule in page.house_rules if rule.unusual]) == len(UNUSUAL)
    for paper in ("a4", "letter"):
        (text,) = read_pages(print_sheet("rules", game, language=language, paper=paper))
        assert "coffee and cake" in text
        assert f"{translator(language)('Rulebook')} {game.book.version}" in text
