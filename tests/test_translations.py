"""The catalogues: whole, up to date, and true to the messages they translate."""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_keywords, parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from companion import i18n, library
from companion.i18n import LANGUAGES
from companion.translations.game_texts import LISTS, TEXTS, texts

ROOT = Path(__file__).resolve().parent.parent
TRANSLATIONS = ROOT / "companion" / "translations"
GAMES = ROOT / "companion" / "games"
FILES = sorted([*GAMES.glob("*.toml"), *GAMES.glob("parts/*.toml")])
CATALOGUES = sorted(path.parts[-3] for path in TRANSLATIONS.glob("*/LC_MESSAGES/messages.po"))

PLACE = re.compile(r"%\(\w+\)\w|\{\w*\}")
VERB = re.compile(r"\{(\w+):([^{}]*)\}")


@cache
def sources() -> frozenset[str]:
    """Every message that stands in the sources now: found as `./dev translate` finds them."""
    with (TRANSLATIONS / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)
    asked = re.findall(r"-k (\w+)", (ROOT / "dev").read_text("utf-8"))
    found = extract_from_dir(ROOT, methods, options, keywords=DEFAULT_KEYWORDS | parse_keywords(asked))
    return frozenset(key(message) for _file, _line, message, _comments, _context in found)


def key(message: object) -> str:
    """A message by its English, the singular where it has a plural."""
    return str(message[0]) if isinstance(message, (tuple, list)) else str(message)


@cache
def catalogue(language: str) -> Catalog:
    """A catalogue as it is committed."""
    with (TRANSLATIONS / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


def entries(language: str) -> Iterator[Message]:
    """Every entry of a catalogue but its heading."""
    return (entry for entry in catalogue(language) if entry.id)


def forms_of(entry: Message) -> tuple[str, ...]:
    """What an entry is translated to: several forms where it has a plural."""
    string = entry.string or ""
    return (string,) if isinstance(string, str) else tuple(string)


def test_there_is_a_catalogue_for_every_language_of_the_pages() -> None:
    """English needs none; the others have one each, and it can be asked for."""
    assert CATALOGUES == sorted(set(LANGUAGES) - {i18n.SOURCE})
    assert set(i18n.languages()) == set(LANGUAGES)


def test_the_template_holds_what_the_sources_hold() -> None:
    """Whoever adds a sentence runs `./dev translate`."""
    with (TRANSLATIONS / "messages.pot").open("rb") as file:
        kept = {key(entry.id) for entry in read_po(file) if entry.id}
    assert kept == sources()


@pytest.mark.parametrize("language", CATALOGUES)
def test_a_catalogue_is_whole(language: str) -> None:
    """Every sentence of the sources is translated, none by guess, and nothing else is kept."""
    found = {key(entry.id): entry for entry in entries(language)}
    assert sorted(sources() - set(found)) == []
    assert sorted(set(found) - sources()) == []
    assert [name for name, entry in found.items() if entry.fuzzy or not all(forms_of(entry))] == []
    assert not catalogue(language).obsolete


@pytest.mark.parametrize("language", CATALOGUES)
def test_what_stands_in_a_sentence_stands_in_its_translation(language: str) -> None:
    """The same named places, each as often as one likes; nothing that could not be filled in."""
    wrong = [
        (entry.id, text)
        for entry in entries(language)
        for text in forms_of(entry)
        if set(PLACE.findall(text)) != set(PLACE.findall(key(entry.id)))
    ]
    assert wrong == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_a_verb_has_a_form_for_one_and_one_for_several(language: str) -> None:
    """A place such as `{winner:wins|win}` goes with names of the same sentence, in English and elsewhere."""
    verbs = [
        (text, name, forms)
        for entry in entries(language)
        for text in (key(entry.id), *forms_of(entry))
        for name, forms in VERB.findall(text)
    ]
    assert verbs
    assert [one for one in verbs if len(list(filter(None, one[2].split("|")))) != 2] == []
    assert [one for one in verbs if f"{{{one[1]}}}" not in one[0]] == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_a_sentence_ends_as_it_does_in_english(language: str) -> None:
    """A point, a colon or a question mark that was lost is a slip; so is a blank at either end."""
    slips = [
        (entry.id, text)
        for entry in entries(language)
        for text in forms_of(entry)
        if text != text.strip() or (text[-1] == "?") != (key(entry.id)[-1] == "?") or "!" in text.strip("!")
    ]
    assert slips == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_a_catalogue_compiles(language: str, tmp_path: Path) -> None:
    """What gettext reads can be made of it, and it has as many forms of a plural as the language."""
    known = catalogue(language)
    assert [str(fault) for entry in entries(language) for fault in entry.check(known)] == []
    with (tmp_path / "messages.mo").open("wb") as file:
        write_mo(file, known)
    assert (tmp_path / "messages.mo").stat().st_size > 0


@pytest.mark.parametrize("language", CATALOGUES)
def test_pybabel_finds_nothing_to_update(language: str) -> None:
    """The catalogue on disk is the one that `pybabel update` would write."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "babel.messages.frontend", "-q", "update", "--check"),
            *("--ignore-pot-creation-date", "--no-fuzzy-matching", "-i", TRANSLATIONS / "messages.pot"),
            *("-d", TRANSLATIONS, "-l", language),
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def shown(game: str) -> set[str]:
    """Rules, conventions, presets and words of a game, down to the last one that a page can show."""
    book = library.shelf(game)
    found = {book.title, book.summary, *book.words.values()}
    for rule in book.rules.values():
        found |= {rule.text, rule.chapter, rule.source}
    for convention in book.conventions.values():
        found |= {convention.label, convention.text, *convention.values.values()}
    for preset in book.presets.values():
        found |= {preset.label, preset.text}
    return found - {""}


@pytest.mark.parametrize("game", library.names())
def test_every_text_of_a_game_is_in_the_catalogues(game: str) -> None:
    """Its own and those it has from the games it extends."""
    assert shown(game) <= sources()
    for language in CATALOGUES:
        assert shown(game) <= {key(entry.id) for entry in entries(language)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_text_of_a_file_is_translated_for_nobody(path: Path) -> None:
    """Some game shows it; only a file's own source may be the general one of its rules."""
    game = tomllib.loads(path.read_text("utf-8"))
    game.pop("source", None)
    assert set(texts(game)) <= set().union(*map(shown, library.names()))


def test_a_game_file_is_read_down_to_its_last_text() -> None:
    """What the collector of a game's texts looks at, on a game of one of each."""
    game = {
        "title": "a",
        "summary": "b",
        "source": "c",
        "words": {"jass": "d"},
        "conventions": [{"label": "e", "text": "f", "values": [{"value": 1, "text": "g"}]}, {"label": "h"}],
        "presets": [{"label": "i", "text": "j"}],
        "rules": [{"id": "x", "chapter": "k", "text": "l", "source": "m"}],
    }
    assert sorted(texts(game)) == list("abcdefghijklm")
    assert (set(TEXTS), set(LISTS)) == ({"title", "summary", "source"}, {"conventions", "presets", "rules"})
