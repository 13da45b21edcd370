"""The languages of Companion, and how they are spoken outside a web request: by commands and on sheets.

Messages are written in English and are their own keys; a catalogue that is missing, or lacks a message,
leaves it in English.
"""

import gettext
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from companion.rules.message import Translate

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
}
"""The languages there are, each by its own name; the first is spoken where none fits."""
UNFINISHED: frozenset[str] = frozenset()
"""Those that may lack messages still, and then say so; of the others the check wants every one."""


@lru_cache
def progress(folder: Path = FOLDER) -> Mapping[str, int]:
    """How many per cent of a language are translated, as it was counted when the catalogues were compiled.

    English, what is whole, and what nobody has counted are 100.
    """
    file = folder / "progress.json"
    counted = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    return {language: counted.get(language, 100) for language in LANGUAGES}


@lru_cache
def catalogue(language: str, folder: Path = FOLDER) -> gettext.NullTranslations:
    """The catalogue of a language; where there is none, an empty one, which leaves messages in English."""
    return gettext.translation(DOMAIN, str(folder), [language], fallback=True)


def translator(language: str) -> Translate:
    """The function that puts one message into a language."""
    messages = catalogue(language)

    def translate(message: str, several: str = "", count: int = 1, /) -> str:
        if several:
            return messages.ngettext(message, several, count)
        # The empty message is a catalogue's own heading, and means nothing to a reader.
        return messages.gettext(message) if message else ""

    return translate
