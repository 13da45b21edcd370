"""Searching the rules, whatever the case and accents of words, and marking what was found."""

import unicodedata
from dataclasses import dataclass

from markupsafe import Markup, escape

from companion import library
from companion.i18n import alphabetical

PLAIN_LETTERS = str.maketrans("łøđħı’‘“”„–—", 'lodhi\'\'"""--')
"""Letters whose accents cannot be taken off, and marks that no keyboard has."""
SHORTEST_PART = 3
"""The fewest letters of a part of a word; shorter ones are found nearly everywhere."""


def fold_text(text: str) -> tuple[str, list[int]]:
    """The text in small letters without accents, and the index in the text of each of these letters."""
    letters, places = [], []
    for place, letter in enumerate(text):
        for part in unicodedata.normalize("NFKD", letter.casefold()):
            if not unicodedata.combining(part):
                letters.append(part.translate(PLAIN_LETTERS))
                places.append(place)
    return "".join(letters), places


@dataclass(frozen=True)
class RuleSearch:
    """The words searched for; without words it finds everything."""

    text: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The words in the form in which they are compared."""
        return tuple(dict.fromkeys(fold_text(self.text)[0].split()))

    def finds(self, *texts: str) -> bool:
        """True if these texts together contain all the words."""
        hay = fold_text(" ".join(texts))[0]
        return all(word in hay for word in self.words)

    def mark(self, text: str) -> Markup:
        """The whole text, with the words marked."""
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


def find_words(game: str, language: str, search: RuleSearch) -> list[library.GlossaryWord]:
    """The words of a game that match a search in any language, in this one's alphabetical order."""
    found = [
        word
        for word in library.glossary(game).words
        if search.finds(
            *(text for said in word.sayings.values() for text in (said.word, *said.also, said.meaning))
        )
    ]
    return sorted(found, key=lambda word: alphabetical(word.said(language)[1].word, language))
