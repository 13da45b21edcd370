"""Whether the texts of a game say the words of its glossary."""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from companion import library
from companion.i18n import SOURCE
from companion.library import Glossary
from companion.library.glossary import find_beginning
from companion.rules.texts import PLACEHOLDER
from companion.translations.game_texts import texts

from .findings import Entry, Finding

GAMES = Path(__file__).resolve().parents[2] / "companion" / "games"


def own_texts(game: str) -> set[str]:
    """What a game's own file says, without what it inherits: that has the words of whom it is from."""
    return set(texts(tomllib.loads((GAMES / f"{game}.toml").read_text("utf-8"))))


def find_lacking(language: str, glossary: Glossary) -> Iterator[Finding]:
    """A game without words, and words without this language."""
    file = f"games/words/{glossary.game}.toml"
    if not glossary.words:
        yield Finding(language, file, "the game has no glossary", f"{file} with its words")
    for word in glossary.lacking(language):
        yield Finding(language, f"{file}: {word.id}", "a word lacks this language", f"[words.{language}]")


def find_unlike(
    language: str, glossary: Glossary, said: set[str], entries: Mapping[str, Entry]
) -> Iterator[Finding]:
    """Texts of a game that say a word otherwise than its glossary.

    :param said: the texts of the game in English.
    :param entries: the translations of messages without context, by their English.
    """
    for text in sorted(said):
        entry = entries.get(text)
        if entry is None or not entry.is_done:
            continue
        for word in glossary.words:
            if language not in word.sayings:
                continue
            saying = word.sayings[language]
            if found := find_beginning(saying.avoid, entry.forms[0]):
                wrong = f"“{found.group()}” for “{word.sayings[SOURCE].word}” of {glossary.game}"
                yield Finding(language, text, wrong, saying.word)
            if language == SOURCE or not saying.beginnings or saying.is_in(entry.forms[0]):
                continue
            if word.sayings[SOURCE].is_in(PLACEHOLDER.sub("", text)):
                wrong = (
                    f"“{word.sayings[SOURCE].word}” of {glossary.game} is not said as its glossary says it"
                )
                yield Finding(
                    language, text, wrong, " or ".join(f"{beginning}…" for beginning in saying.beginnings)
                )


def check_games(language: str, entries: Mapping[str, Entry]) -> Iterator[Finding]:
    """All games of the house, in one language."""
    for game in library.names():
        glossary = library.glossary(game)
        yield from find_lacking(language, glossary)
        yield from find_unlike(language, glossary, own_texts(game), entries)
