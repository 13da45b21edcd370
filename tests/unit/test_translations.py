"""The catalogues: whole, up to date, and true to the messages they translate."""

import ast
import re
import shutil
import tomllib
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import CommandLineInterface, parse_keywords, parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from tiers import mostly_at_night

from companion import i18n, library
from companion.i18n import LANGUAGES, UNFINISHED
from companion.rules.texts import TableText
from companion.translations.game_texts import LISTS, TEXTS, texts
from tests.translations.checks import ambiguous

pytestmark = pytest.mark.slow  # any of them may be the first of its process to read all sources

ROOT = Path(__file__).resolve().parents[2]
TRANSLATIONS = ROOT / "companion" / "translations"
GAMES = ROOT / "companion" / "games"
FILES = sorted([*GAMES.glob("*.toml"), *GAMES.glob("parts/*.toml")])
CATALOGUES = sorted(path.parts[-3] for path in TRANSLATIONS.glob("*/LC_MESSAGES/messages.po"))


@cache
def found() -> frozenset[tuple[str, tuple[str, str]]]:
    """Every message that stands in the sources now, with its file: as `./dev translate` finds them."""
    with (TRANSLATIONS / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)
    asked = re.findall(r"-k (\w+)", (ROOT / "dev").read_text("utf-8"))
    read = extract_from_dir(ROOT, methods, options, keywords=DEFAULT_KEYWORDS | parse_keywords(asked))
    return frozenset((file, key(message, context)) for file, _line, message, _comments, context in read)


@cache
def sources() -> frozenset[tuple[str, str]]:
    return frozenset(message for _file, message in found())


def key(message: object, context: object = None) -> tuple[str, str]:
    """A message by its context, and its English: the singular where it has a plural."""
    return str(context or ""), str(message[0]) if isinstance(message, (tuple, list)) else str(message)


@cache
def catalogue(language: str) -> Catalog:
    with (TRANSLATIONS / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


def entries(language: str) -> Iterator[Message]:
    return (entry for entry in catalogue(language) if entry.id)


def test_there_is_a_catalogue_for_every_language_of_the_pages() -> None:
    """English needs none; the others have one each, and it can be asked for."""
    assert CATALOGUES == sorted(set(LANGUAGES) - {i18n.SOURCE})


def test_the_template_holds_what_the_sources_hold() -> None:
    """Whoever adds a sentence runs `./dev translate`."""
    with (TRANSLATIONS / "messages.pot").open("rb") as file:
        stored = {key(entry.id, entry.context) for entry in read_po(file) if entry.id}
    assert stored == sources()


@pytest.mark.parametrize("language", CATALOGUES)
def test_a_catalogue_holds_what_the_sources_hold(language: str) -> None:
    """Every sentence of the sources, and nothing else, whether it is translated or not."""
    stored = {key(entry.id, entry.context) for entry in entries(language)}
    assert sorted(sources() - stored) == []
    assert sorted(stored - sources()) == []
    assert not catalogue(language).obsolete


def test_what_is_unfinished_is_a_language() -> None:
    assert set(LANGUAGES) - {i18n.SOURCE} >= UNFINISHED


@pytest.mark.parametrize("language", CATALOGUES)
def test_a_catalogue_compiles(language: str, tmp_path: Path) -> None:
    """What gettext reads can be made of it, and it has as many forms of a plural as the language."""
    known = catalogue(language)
    assert [str(fault) for entry in entries(language) for fault in entry.check(known)] == []
    with (tmp_path / "messages.mo").open("wb") as file:
        write_mo(file, known)
    assert (tmp_path / "messages.mo").stat().st_size > 0


@mostly_at_night("language", CATALOGUES, {"pl"})
def test_pybabel_finds_nothing_to_update(language: str, tmp_path: Path) -> None:
    """The catalogue on disk is the one that `pybabel update` would write; its `--check` knows no contexts."""
    home = tmp_path / language / "LC_MESSAGES"
    shutil.copytree(TRANSLATIONS / language / "LC_MESSAGES", home, ignore=shutil.ignore_patterns("*.mo"))
    options = ["--ignore-obsolete", "--no-fuzzy-matching", "--ignore-pot-creation-date", "-l", language]
    folders = ["-i", str(TRANSLATIONS / "messages.pot"), "-d", str(tmp_path)]
    assert not CommandLineInterface().run(["pybabel", "-q", "update", *options, *folders])
    known = (TRANSLATIONS / language / "LC_MESSAGES" / "messages.po").read_text("utf-8").splitlines()
    assert (home / "messages.po").read_text("utf-8").splitlines() == known


def test_a_page_says_which_meaning_a_word_has() -> None:
    """Where a game's file says it too, which has no context, translators could not tell them apart."""
    pages = {message for file, message in found() if not file.startswith("companion/games/")}
    assert [text for context, text in pages if text in ambiguous() and not context] == []
    games = {text for file, (_, text) in found() if file.startswith("companion/games/")}
    assert {*ambiguous()} - {*ambiguous(game=True)} <= games, "no game says it in the plain meaning"


def shown(game: str) -> set[str]:
    """Rules, conventions, presets and words of a game, down to the last sentence that a page can show."""
    book = library.read_rulebook(game)
    found = [book.title, book.summary, *book.words.values()]
    for rule in book.rules.values():
        found += [rule.text, rule.chapter, rule.source]
    for convention in book.conventions.values():
        found += [convention.label, convention.text, *convention.texts_for(None).values()]
    for preset in book.presets.values():
        found += [preset.label, preset.text]
        if len(book.presets) > 1:
            found.append(f"{book.title}, {preset.label}")
    sentences = [
        [sentence.text for sentence in text.sentences] if isinstance(text, TableText) else [text]
        for text in found
    ]
    return {*chain.from_iterable(sentences)} - {""}


@pytest.mark.parametrize("game", library.names())
def test_every_text_of_a_game_is_in_the_catalogues(game: str) -> None:
    assert {key(text) for text in shown(game)} <= sources()


def test_who_defends_in_durak_is_not_who_defends_against_a_declarer() -> None:
    """They are two words in most languages, so they are two messages: one English word would be one."""
    words = {game: library.read_rulebook(game).words["defender"] for game in library.names()}
    durak = words.pop("durak")
    assert durak not in words.values()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_text_of_a_file_is_translated_for_nobody(path: Path) -> None:
    """Some game shows it; only a file's own source may be the general one of its rules."""
    game = tomllib.loads(path.read_text("utf-8"))
    game.pop("source", None)
    assert set(texts(game)) <= set().union(*map(shown, library.names()))


def test_a_game_file_is_read_down_to_its_last_text() -> None:
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


def test_no_message_hides_inside_another_text() -> None:
    """What is asked for within an f-string is not found by the collector: it would stay English."""
    hidden = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path in sorted((ROOT / "companion").rglob("*.py"))
        for text in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in ("_", "gettext", "ngettext", "Message")
        and call.args
        and isinstance(call.args[0], ast.Constant)
        and key(call.args[0].value) not in sources()
    ]
    assert hidden == []
