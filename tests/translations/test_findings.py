"""Faults planted in messages: each is found, in one line that says what would be right."""

import pytest
from babel.messages.catalog import Catalog

from companion.i18n import LANGUAGES
from companion.library import Glossary, GlossaryWord, Saying

from . import __main__ as reported
from .checks import ambiguous
from .findings import (
    Entry,
    Finding,
    find_meanings,
    find_places,
    find_plurals,
    find_untranslated,
    in_english,
    read_entries,
)
from .typography import RULES, faults_of, find_foreign
from .words import find_lacking, find_unlike


def entry(english: str | tuple[str, str], *forms: str, context: str = "", fuzzy: bool = False) -> Entry:
    """A message with its translation."""
    return Entry(context, (english,) if isinstance(english, str) else english, forms, fuzzy)


def test_a_finding_is_one_line() -> None:
    """Language, message, what is wrong, what would be right; a long message is cut."""
    finding = Finding("pl", "a\nb" + "c" * 100, "no translation", "a msgstr")
    assert str(finding).startswith("pl: a bcc")
    assert str(finding).endswith("c…: no translation: a msgstr")
    assert "\n" not in str(finding)


def test_a_catalogue_is_read_with_contexts_and_plurals() -> None:
    """As Babel reads it; a message without translation has an empty form."""
    known = Catalog("pl")
    known.add("out", "brak", context="of a card")
    known.add(("%(num)s card", "%(num)s cards"), ("%(num)s karta", "%(num)s karty", "%(num)s kart"))
    known.add("Sheet", "")
    assert read_entries(known) == [
        entry("out", "brak", context="of a card"),
        entry(("%(num)s card", "%(num)s cards"), "%(num)s karta", "%(num)s karty", "%(num)s kart"),
        entry("Sheet", ""),
    ]
    assert read_entries(known)[0].name == "[of a card] out"


def test_a_message_without_translation_is_found() -> None:
    found = [*find_untranslated("pl", [entry("a", ""), entry("b", "b", fuzzy=True), entry("c", "c")])]
    assert [(item.message, item.wrong) for item in found] == [
        ("a", "no translation"),
        ("b", "translated by guess"),
    ]


def test_a_missing_plural_form_is_found() -> None:
    cards = ("%(num)s card", "%(num)s cards")
    one_lacks = [*find_plurals("pl", [entry(cards, "%(num)s karta", "", "%(num)s kart")], 3)]
    assert [(lack.wrong, lack.right) for lack in one_lacks] == [
        ("1 of the plural forms missing", "3 forms, msgstr[0] to msgstr[2]")
    ]
    assert [*find_plurals("pl", [entry(cards, "%(num)s karta", "%(num)s karty", "%(num)s kart")], 3)] == []
    assert [*find_plurals("pl", [entry(cards, "", "", "")], 3)] == []


@pytest.mark.parametrize(
    ("english", "text", "wrong", "right"),
    [
        ("%(name)s deals", "rozdaje", "the places are none", "%(name)s"),
        ("%(name)s deals", "%(nmae)s rozdaje", "the places are %(nmae)s", "%(name)s"),
        ("{a} beats {b}", "{a} bije", "the places are {a}", "{a} {b}"),
        ("{w} {w:wins|win}", "{w} {w:wygrywa}", "{w:wygrywa} has not 2 forms", "{w:one|several}"),
        ("{w} {w:wins|win}", "{w} {v:a|b}", "the verb of {v} stands without it", "{v} in the same sentence"),
        ("{w} {w:wins|win}", "{w:wygrywa|wygrywają}", "the places are none", "{w}"),
    ],
)
def test_a_lost_place_is_found(english: str, text: str, wrong: str, right: str) -> None:
    assert [(place.wrong, place.right) for place in find_places("pl", [entry(english, text)])][:1] == [
        (wrong, right)
    ]


def test_places_that_are_there_are_right() -> None:
    """In any order, as often as one likes; of a plural each form as its own."""
    cards = ("One card of %(name)s", "%(num)s cards of %(name)s")
    right = [
        entry("{a} beats {b}", "{b} bije {a}, {a}"),
        entry(cards, "Karta: %(name)s", "%(num)s karty: %(name)s", "%(num)s kart: %(name)s"),
        entry("a", ""),
    ]
    assert [*find_places("pl", right)] == []


def test_a_game_says_a_word_of_its_own_for_one_that_english_has_for_all() -> None:
    """Only in the texts of games, and only beside another place: without one nothing is filled in."""
    own = "{n} fois si c’est {word.doubled}"
    assert [*find_places("fr", [entry("{n} times if doubled", own)], in_games=True)] == []
    assert [*find_places("fr", [entry("{n} times if doubled", own)])] != []
    assert [*find_places("fr", [entry("if doubled", "si c’est {word.doubled}")], in_games=True)] != []
    assert [*find_places("fr", [entry("{n} times", "{word.doubled}")], in_games=True)] != []


def test_the_noun_of_a_number_has_the_forms_of_its_language() -> None:
    """A number that English spells out may be written in digits."""
    english = "{n.hand:words} cards"
    assert [*find_places("pl", [entry(english, "{n.hand} {n.hand:karta|karty|kart}")], 3)] == []
    (lack,) = find_places("pl", [entry(english, "{n.hand} {n.hand:karta|kart}")], 3)
    assert lack.wrong == "{n.hand:karta|kart} has not 3 forms"
    assert lack.right == "{n.hand:one|two to four|five}"


def test_a_word_of_two_meanings_needs_a_context() -> None:
    """Only where it is the whole message."""
    known = {"Turn": ["turn the board", "whose turn it is"]}
    found = [*find_meanings([entry("Turn"), entry("Turn", context="the board"), entry("Turn back")], known)]
    assert [(item.message, item.wrong) for item in found] == [
        ("Turn", "it may mean “turn the board” or “whose turn it is”")
    ]
    assert all(len(meanings) > 1 for meanings in ambiguous().values())


@pytest.mark.parametrize(
    ("language", "text", "wrong"),
    [
        ("en", "Say \"enough\"", "a foreign quotation mark \""),
        ("en", "the dealer's left", "a straight apostrophe"),
        ("pl", "Mówi “koniec”", "a foreign quotation mark “"),
        ("pl", "Mówi „koniec", "„ and ” do not match"),
        ("ru", "Скажите “конец”", "a foreign quotation mark ”"),
        ("uk", "Скажіть \"кінець\"", "a foreign quotation mark \""),
        ("cs", "Řekni „konec”", "a foreign quotation mark ”"),
        ("de", "Sag „Schluss”", "a foreign quotation mark ”"),
        ("ru", "Байт – наказание", "a foreign dash –"),
        ("pl", "Bajt — kara", "a foreign dash —"),
        ("de", "Bait - Strafe", "a hyphen for a dash"),
        ("de", "Bait -- Strafe", "a hyphen for a dash"),
        ("de", "Bait--Strafe", "a hyphen for a dash"),
        ("ru", "от 3—5", "a long dash between numbers"),
        ("cs", "Čekejte...", "three points"),
        ("ru", "Что дальше ?", "a space before a sign, “е ?”"),
        ("pl", "Koniec .", "a space before a sign, “c .”"),
        ("pl", "dwie  spacje", "two spaces"),
        ("pl", "koniec ", "a space at an end"),
        ("de", "1.5 Punkte", "a decimal point"),
        ("ru", "козирі", "the letter і, which this language has not"),
        ("uk", "козырь", "the letter ы, which this language has not"),
        ("ru", "козыpь", "letters of two alphabets in “козыpь”"),
        ("uk", "дев'ятка", "a straight apostrophe"),
    ],
)  # fmt: skip
def test_foreign_typography_is_found(language: str, text: str, wrong: str) -> None:
    assert wrong in [what for what, _right in faults_of(language, text)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Say “enough” – at the dealer’s left, 3–5 players, 1.5"),
        ("pl", "Mówi „koniec” – od 3–5 graczy, 1,5; {a} {a:gra|grają}."),
        ("ru", "Скажите «конец» — от 3–5 игроков, 1,5; №\u00a03, версия 1.2.3."),
        ("uk", "Скажіть «кінець» — дев’ятка, 1,5"),
        ("cs", "Řekni „konec“ – 1,5 bodu"),
        ("cs", "místo toho --all"),
        ("de", "Sag „Schluss“ – 1,5 Punkte, wie man’s nimmt"),
        ("ru", "Записывают BT"),
    ],
)
def test_what_is_written_so_is_right(language: str, text: str) -> None:
    assert [*faults_of(language, text)] == []


@pytest.mark.parametrize(
    ("english", "text", "wrong"),
    [
        ("Sure?", "Na pewno", "it ends otherwise than the English"),
        ("Sure", "Na pewno?", "it ends otherwise than the English"),
        ("Go", "Dalej!", "an exclamation mark"),
    ],
)
def test_a_question_stays_a_question(english: str, text: str, wrong: str) -> None:
    assert [item.wrong for item in find_foreign("pl", [entry(english, text)])] == [wrong]


def test_every_language_has_its_typography() -> None:
    """And what is shown as it is typed is let alone."""
    assert set(RULES) - {"as_is"} == set(LANGUAGES)
    assert [*find_foreign("en", in_english([entry(text) for text in RULES["as_is"]]))] == []


MENEL = GlossaryWord(
    "menel",
    (),
    "a book",
    {
        "en": Saying("menel", "The nine.", forms=("menel$", "menels$")),
        "ru": Saying("манелла", "Девятка.", forms=("манелл",), avoid=("менел",)),
    },
)


def test_a_word_that_differs_from_the_glossary_is_found() -> None:
    """What is to be avoided, and what is not said where English says it; other words are nobody's concern."""
    glossary = Glossary("game", (MENEL,))
    said = {
        "The menel is 14.": "Манеллой берут 14.",
        "Two menels.": "Две девятки.",
        "The nine.": "Это менель.",
        "Menelaos.": "Менелай.",
        "Not yet, menel.": "",
    }
    entries = {english: entry(english, text) for english, text in said.items()}
    found = [*find_unlike("ru", glossary, set(said), entries)]
    assert [(item.message, item.wrong, item.right) for item in found] == [
        ("Menelaos.", "“Менелай” for “menel” of game", "манелла"),
        ("The nine.", "“менель” for “menel” of game", "манелла"),
        ("Two menels.", "“menel” of game is not said as its glossary says it", "манелл…"),
    ]
    assert [*find_unlike("ru", glossary, set(), entries)] == []


def test_an_address_says_no_word_of_a_game() -> None:
    """Neither in English nor in the translation."""
    said = {
        "cards.example/menel.html, 1 May": "cards.example/menel.html, 1 мая",
        "The menel is 14: cards.example": "14: cards.example/манелла",
    }
    entries = {english: entry(english, text) for english, text in said.items()}
    found = [*find_unlike("ru", Glossary("game", (MENEL,)), set(said), entries)]
    assert [item.message for item in found] == ["The menel is 14: cards.example"]


def test_words_that_lack_a_language_are_found() -> None:
    assert [str(item) for item in find_lacking("uk", Glossary("game", (MENEL,)))] == [
        "uk: games/words/game.toml: menel: a word lacks this language: [words.uk]"
    ]
    assert [item.wrong for item in find_lacking("uk", Glossary("game"))] == ["the game has no glossary"]
    assert [*find_lacking("ru", Glossary("game", (MENEL,)))] == []


def test_an_unfinished_language_is_only_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing that it lacks fails the check, until it is asked for."""
    lacking = Finding("de", "Deal", "no translation", "one in the catalogue")
    monkeypatch.setattr(reported, "check_language", lambda language: [lacking] if language == "de" else [])
    monkeypatch.setattr(reported, "UNFINISHED", frozenset({"de"}))
    assert reported.main([]) == 0
    assert "1 findings; unfinished" in capsys.readouterr().out
    assert reported.main(["de"]) == 1
    assert str(lacking) in capsys.readouterr().out
    monkeypatch.setattr(reported, "UNFINISHED", frozenset())
    assert reported.main([]) == 1
