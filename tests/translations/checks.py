"""All that is looked at in a language: its catalogue as it is committed, and the glossaries of the games."""

import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from companion import i18n, library
from companion.translations.game_texts import texts

from .findings import (
    Finding,
    find_meanings,
    find_places,
    find_plurals,
    find_untranslated,
    in_english,
    read_entries,
)
from .typography import find_foreign
from .words import check_games, own_texts

MEANINGS = Path(__file__).with_name("meanings.toml")


@cache
def read_catalogue(language: str) -> Catalog:
    """The catalogue of a language as it is committed; of English the template."""
    path = i18n.FOLDER / language / "LC_MESSAGES" / "messages.po"
    with (i18n.FOLDER / "messages.pot" if language == i18n.SOURCE else path).open("rb") as file:
        return read_po(file, locale=None if language == i18n.SOURCE else language)


@cache
def ambiguous(game: bool = False) -> dict[str, list[str]]:
    """The English words that mean several things here; in the file of a `game` some of them mean but one."""
    said = tomllib.loads(MEANINGS.read_text("utf-8"))["word"]
    return {item["word"]: item["meanings"] for item in said if not (game and "plain" in item)}


def check_language(language: str) -> Iterator[Finding]:
    """Everything that is wrong in a language."""
    catalogue = read_catalogue(language)
    entries = read_entries(catalogue)
    if language == i18n.SOURCE:
        entries = in_english(entries)
        said = {text for game in library.names() for text in own_texts(game)}
        yield from find_meanings((entry for entry in entries if entry.english[0] not in said), ambiguous())
        yield from find_meanings(
            (entry for entry in entries if entry.english[0] in said), ambiguous(game=True)
        )
    else:
        yield from find_untranslated(language, entries)
        yield from find_plurals(language, entries, catalogue.num_plurals)
    printed = {text for game in library.names() for text in texts(library.GAMES.entry(game).file.document)}
    counted = [entry for entry in entries if entry.english[0] in printed]
    yield from find_places(language, [entry for entry in entries if entry not in counted])
    forms = 2 if language == i18n.SOURCE else catalogue.num_plurals
    yield from find_places(language, counted, forms, in_games=True)
    yield from find_foreign(language, entries)
    yield from check_games(language, {entry.english[0]: entry for entry in entries if not entry.context})


def count_done(language: str) -> tuple[int, int]:
    """How many messages of a language are translated, and how many there are."""
    entries = read_entries(read_catalogue(language))
    return sum(entry.is_done for entry in entries), len(entries)
