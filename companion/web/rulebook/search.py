"""Searching the rules, whatever the case and accents of words, and marking what was found."""

import unicodedata
from dataclasses import dataclass

from markupsafe import Markup, escape

from companion import library
from companion.i18n import LANGUAGES, alphabetical
from companion.web.shell.text import translate

PLAIN_LETTERS = str.maketrans("łøđħı’‘“”„–—", 'lodhi\'\'"""--')
"""Letters that have no accent to take off, and marks that no keyboard has."""
SHORTEST_PART = 3
"""A part of a word with fewer letters is found nearly everywhere."""


def fold_text(text: str) -> tuple[str, list[int]]:
    """The text in small letters without accents, and for each of these its place in the text."""
    letters, places = [], []
    for place, letter in enumerate(text):
        for part in unicodedata.normalize("NFKD", letter.casefold()):
            if not unicodedata.combining(part):
                letters.append(part.translate(PLAIN_LETTERS))
                places.append(place)
    return "".join(letters), places


@dataclass(frozen=True)
class RuleSearch:
    """The words searched for; none find everything."""

    text: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The words, as they are compared."""
        return tuple(dict.fromkeys(fold_text(self.text)[0].split()))

    def finds(self, *texts: str) -> bool:
        """Whether all the words stand in these texts together."""
        hay = fold_text(" ".join(texts))[0]
        return all(word in hay for word in self.words)

    def mark(self, text: str) -> Markup:
        """The whole text, with the words marked where they stand."""
        if not self.words:
            return escape(text)
        hay, places = fold_text(text)
        hit = {
            places[at + step]
            for word in self.words
            for at in range(len(hay))
            if hay.startswith(word, at)
            for step in range(len(word))
        }
        pieces, start = [], 0
        for place in range(1, len(text) + 1):
            if place == len(text) or (place in hit) != (start in hit):
                piece = escape(text[start:place])
                pieces.append(Markup("<mark>{}</mark>").format(piece) if start in hit else piece)
                start = place
        return Markup("").join(pieces)

    def shorter_searches(self) -> list["RuleSearch"]:
        """Searches that find more: each word alone, then without more and more of its end."""
        alone = self.words if len(self.words) > 1 else ()
        parts = (word[:end] for word in self.words for end in range(len(word) - 1, SHORTEST_PART - 1, -1))
        return [RuleSearch(fromkey) for fromkey in dict.fromkeys((*alone, *parts))]


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
