"""Glossaries are judged when they are read: what is wrong is refused, with what is allowed there."""

from pathlib import Path

import pytest

from companion import library
from companion.library import GameFileError
from companion.library.glossary import find_beginning, read_glossary

RULES = ("game.cards", "game.end")
GOOD = """
[[words]]
id = "menel"
rules = ["game.cards"]
source = "a book"
[words.en]
word = "menel"
meaning = "The nine of trumps."
[words.ru]
word = "манелла"
also = ["манела"]
forms = ["манелл"]
meaning = "Козырная девятка."
source = "another book"
"""


def read(tmp_path: Path, **files: str) -> library.Glossary:
    for name, text in files.items():
        (tmp_path / f"{name}.toml").write_text(text, "utf-8")
    return read_glossary(tmp_path, "game", RULES)


def test_a_word_is_read_with_all_its_languages(tmp_path: Path) -> None:
    """What a language lacks is English, and says so."""
    (menel,) = read(tmp_path, game=GOOD).words
    assert (menel.id, menel.rules, menel.source) == ("menel", ("game.cards",), "a book")
    language, said = menel.said("ru")
    assert (language, said.word, said.also, said.source) == ("ru", "манелла", ("манела",), "another book")
    assert menel.said("uk")[0] == "en"
    assert said.is_in("С манеллой") and not said.is_in("С маной")


def test_a_game_without_a_file_has_no_words(tmp_path: Path) -> None:
    assert read(tmp_path).words == ()


def test_a_file_extends_others_language_by_language(tmp_path: Path) -> None:
    """In the order of the first; what they say of rules that the game has not is left out."""
    parent = GOOD.replace('["game.cards"]', '["parent.cards"]')
    parent += GOOD.replace('id = "menel"', 'id = "x"')
    own = """
extends = ["parent"]
omit = ["x"]
[[words]]
id = "menel"
[words.ru]
word = "менель"
meaning = "Козырная девятка."
"""
    (menel,) = read(tmp_path, parent=parent, game=own).words
    assert (menel.rules, menel.said("en")[1].word, menel.said("ru")[1].word) == ((), "menel", "менель")


@pytest.mark.parametrize(
    ("old", "new", "refused"),
    [
        ("[[words]]", "colour = 1\n[[words]]", "colour: unknown key; known keys are"),
        ("[[words]]", "[words]", "words: must be tables, each begun by [[words]]"),
        ('id = "menel"\n', "", "words[0].id: required"),
        ('"menel"\nrules', '"Menel"\nrules', "words[0].id: must be small letters, digits and hyphens"),
        ('source = "a book"\n', "", "words[menel].source: required"),
        ("[words.en]", "[words.de]", "words[menel].en: required"),
        ("[words.ru]", "[words.fi]", "words[menel].fi: unknown key; known keys are id,"),
        ("meaning = \"The", "meening = \"The", "words[menel].en.meening: unknown key"),
        ("meaning = \"The nine of trumps.\"", "", "words[menel].en.meaning: required"),
        ("nine of trumps.", "nine of trumps, for 14.", "words[menel].en.meaning: must be without digits"),
        ('["game.cards"]', '["game.cars"]', "words[menel].rules: must be ids of rules of this game, not"),
        ('["манелл"]', '["менел"]', "words[menel].ru.forms: must be with one that манелла begins with"),
        ("also =", 'avoid = ["манел"]\nalso =', "words[menel].ru.avoid[0]: must be none of what the word"),
        ("also =", "also = 1\nmore =", "words[menel].ru.more: unknown key"),
        ("[[words]]", 'extends = ["game"]\n[[words]]', "extends[0]: game extends this file already"),
        ("[[words]]", 'extends = ["other"]\n[[words]]', "extends: there is no games/words/other.toml"),
        ("[[words]]", 'omit = ["x"]\n[[words]]', "omit[0]: x is not among the words it extends"),
        ("[[words]]", "[[words", "must be TOML: "),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused(tmp_path: Path, old: str, new: str, refused: str) -> None:
    assert old in GOOD
    with pytest.raises(GameFileError) as fault:
        read(tmp_path, game=GOOD.replace(old, new, 1))
    assert str(fault.value).startswith(f"games/words/game.toml: {refused}")


def test_an_id_stands_once(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match="an id that no other word has"):
        read(tmp_path, game=GOOD + GOOD)


@pytest.mark.parametrize(
    ("beginnings", "text", "found"),
    [
        (("манелл",), "Две Манеллы", "Манеллы"),
        (("манелл",), "неманелла", None),
        (("bait", "bait on the cards"), "a bait on the cards", "bait on the cards"),
        (("belo$",), "belong to belo.", "belo"),
        ((), "anything", None),
        (("derda",), "pagat.com/jass/derda.html, 7 November 2024", None),
        (("derda",), "see pagat.com/derda.html on a derda", "derda"),
        (("derda",), "derda/50 or derda.", "derda"),
    ],
)
def test_a_word_is_found_by_its_beginning(beginnings: tuple[str, ...], text: str, found: str | None) -> None:
    match = find_beginning(beginnings, text)
    assert (match and match.group()) == found


@pytest.mark.parametrize("game", library.names())
def test_every_game_has_its_words(game: str) -> None:
    words = library.glossary(game).words
    assert len(words) > 4
    assert all(word.said("en")[1].meaning.endswith(".") for word in words)
