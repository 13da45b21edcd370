"""Whoever looks for English on a page or on paper finds what was planted there, and nothing else."""

import pytest
from printing import print_sheet

from companion import library
from companion.i18n import translator
from companion.record import record as records

from .english import English
from .paper import Paper


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Save deal", "English: save deal"),
        ("Dealer", "English: dealer"),
        ("Jörg announces the end", "English: announces the end"),
        ("Jörg %(name)s", "a place that nothing filled: jörg %(name)s"),
        ("{winner} gewinnt", "a place that nothing filled: {winner} gewinnt"),
    ],
)
def test_what_was_left_in_english_is_found(said: str, found: str) -> None:
    """A whole message, a sentence around a name, a place that nothing filled."""
    assert English("de").find([said], []) == [found]


def test_names_and_what_is_said_alike_are_no_english() -> None:
    """Somebody may be called as a message is; a word that both languages have is the language's own."""
    german = English("de")
    assert german.find(["Ruling", "Jörg"], [], ["Ruling", "Jörg"]) == []
    assert german.find(["Name", "Standard", translator("de")("Save deal")], []) == []
    assert English("en").find(["Save deal"], []) == []


def test_latin_letters_are_found_among_cyrillic_ones() -> None:
    """But for names, signs of rules, check codes, and what is called so everywhere."""
    russian = English("ru")
    assert russian.find(["Сдаёт dealer"], []) == ["Latin letters: dealer in сдаёт dealer"]
    assert russian.find(["§ score.bait", "Код AMAZ GTAD", "PDF A4", "Ewelina сдаёт"], [], ["Ewelina"]) == []


@pytest.mark.parametrize(("name", "printable"), [("Świętosława Їжакевич", True), ("漢字", False)])
def test_a_letter_that_cannot_be_printed_is_noticed(name: str, printable: bool) -> None:
    """It is on the sheet as text, and a box to the eye."""
    head = {"format": "companion-match", "version": 1, "game": "derda", "first_dealer": "A"}
    record, game = records.read_record({**head, "players": [name, "Jan"]}, library.open_game)
    paper = Paper(print_sheet("match", game, record, language="pl"))
    assert paper.find_undrawn() == (set() if printable else set(name))
    assert paper.find_foreign_fonts() == set() and paper.says(name)
