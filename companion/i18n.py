"""The languages of Companion, and translation outside a web request: by commands and on sheets.

Messages are written in English and are their own keys; a message missing in a catalogue stays in English.
"""

import gettext
import json
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from .rules.message import Message, Translate

FOLDER = Path(__file__).parent / "translations"
DOMAIN = "messages"
SOURCE = "en"
"""The language that messages are written in."""
LANGUAGES: Mapping[str, str] = {
    "en": "English",
    "pl": "Polski",
    "ru": "Русский",
    "uk": "Українська",
    "cs": "Čeština",
    "de": "Deutsch",
    "fr": "Français",
    "hr": "Hrvatski",
}
"""The available languages, each by its own name; the first is the fallback."""
UNFINISHED: frozenset[str] = frozenset()
"""Languages that may still lack messages, and then say so; the check requires all messages of the others."""


@lru_cache
def progress(folder: Path = FOLDER) -> Mapping[str, int]:
    """The percentage of a language that is translated, counted when the catalogues were compiled.

    It is 100 for English, complete and uncounted languages.
    """
    file = folder / "progress.json"
    counted = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return {language: counted.get(language, 100) for language in LANGUAGES}


@lru_cache
def catalogue(language: str, folder: Path = FOLDER) -> gettext.NullTranslations:
    """The catalogue of a language; an empty one if missing, which leaves messages in English."""
    return gettext.translation(DOMAIN, str(folder), [language], fallback=True)


def translator(language: str) -> Translate:
    """The function that puts one message into a language."""
    messages = catalogue(language)

    def translate(message: str | Message, several: str = "", count: int = 1, /) -> str:
        if isinstance(message, Message):
            return message.render(translate)
        if several:
            return messages.ngettext(message, several, count)
        # The empty message is a catalogue's own header, and means nothing to a reader.
        return messages.gettext(message) if message else ""

    return translate


_LATIN = "a b c d e f g h i j k l m n o p q r s t u v w x y z"
_ALPHABETS: Mapping[str, str] = {
    "en": _LATIN,
    "de": _LATIN,  # ä, ö and ü are looked for under a, o and u, and ß as ss
    "fr": _LATIN,  # é is looked for under e, œ as oe
    "hr": "a b c č ć d dž đ e f g h i j k l lj m n nj o p q r s š t u v w x y z ž",
    "pl": "a ą b c ć d e ę f g h i j k l ł m n ń o ó p q r s ś t u v w x y z ź ż",
    "cs": "a b c č d e f g h ch i j k l m n o p q r ř s š t u v w x y z ž",
    "ru": "а б в г д е ж з и й к л м н о п р с т у ф х ц ч ш щ ъ ы ь э ю я",
    "uk": "а б в г ґ д е є ж з и і ї й к л м н о п р с т у ф х ц ч ш щ ь ю я",
}
"""The letters with a position of their own, `ch` of Czech among them; ё is sorted as е."""

_JOINED = str.maketrans({"œ": "oe", "æ": "ae"})

SortKey = tuple[tuple[tuple[int, int], ...], str, str]
_SPACE, _DIGIT, _OWN, _OTHER = range(4)


@lru_cache
def _order(language: str) -> Mapping[str, int]:
    return {letter: n for n, letter in enumerate(_ALPHABETS.get(language, _LATIN).split())}


def alphabetical(text: str, language: str) -> SortKey:
    """The sort key of a word in the alphabet of a language; small enough for a phone's browser.

    A letter outside the alphabet is sorted as that letter without its marks; other scripts come last.

    Capitals, marks without a position of their own and punctuation count only between words that are
    otherwise equal. A word comes before its continuations: `last`, `last trick`, `lastly`.

    >>> sorted(["idle", "chlap", "cena", "hrad"], key=lambda word: alphabetical(word, "cs"))
    ['cena', 'hrad', 'chlap', 'idle']
    """
    order, small = _order(language), unicodedata.normalize("NFC", text.casefold()).translate(_JOINED)
    keys, at = [], 0
    while at < len(small):
        length = 2 if small[at : at + 2] in order else 1
        keys += [_key(small[at : at + length], order)] if length == 2 else _keys_of(small[at], order)
        at += length
    return tuple(keys), small, text


def _keys_of(letter: str, order: Mapping[str, int]) -> list[tuple[int, int]]:
    """The positions of a letter, or of the letters left without its marks; empty for punctuation."""
    if letter in order:
        return [_key(letter, order)]
    plain = unicodedata.normalize("NFKD", letter)
    return [_key(part, order) for part in plain if part.isalnum() or part.isspace()]


def _key(letter: str, order: Mapping[str, int]) -> tuple[int, int]:
    if letter in order:
        return _OWN, order[letter]
    kind = _SPACE if letter.isspace() else _DIGIT if letter.isdigit() else _OTHER
    return kind, 0 if kind == _SPACE else ord(letter)
