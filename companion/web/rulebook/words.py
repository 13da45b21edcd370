"""The glossary on the page of a rulebook: every word of the game, its meaning, and what others call it."""

from dataclasses import dataclass

from companion import library
from companion.alphabet import alphabetical
from companion.i18n import LANGUAGES
from companion.web.shell.text import translate

from .search import RuleSearch


@dataclass(frozen=True)
class ShownWord:
    """A word of the game as the page shows it."""

    id: str
    language: str
    """In which the word and its meaning are: English where the page's language has none yet."""
    word: str
    meaning: str
    also: tuple[str, ...]
    others: tuple[tuple[str, str, str], ...]
    """What it is called elsewhere: the language's code and name, and the word."""
    sources: tuple[str, ...]
    rules: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """Its id on the page."""
        return f"word-{self.id}"


def find_words(game: str, language: str, search: RuleSearch) -> list[ShownWord]:
    """The words of a game that match a search in any language, in this one's alphabetical order."""
    shown = [
        _show(word, language)
        for word in library.glossary(game).words
        if search.finds(
            *(text for said in word.sayings.values() for text in (said.word, *said.also, said.meaning))
        )
    ]
    return sorted(shown, key=lambda word: alphabetical(word.word, language))


def _show(word: library.GlossaryWord, language: str) -> ShownWord:
    spoken, said = word.said(language)
    others = [(code, LANGUAGES[code], other.word) for code, other in word.sayings.items() if code != spoken]
    sources = [translate(fromkey) for fromkey in dict.fromkeys((said.source, word.source)) if fromkey]
    return ShownWord(
        word.id, spoken, said.word, said.meaning, said.also, tuple(others), tuple(sources), word.rules
    )
