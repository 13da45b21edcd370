"""The letters that are printed: the fonts of the sheets have those of every language."""

from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from companion.i18n import FOLDER, LANGUAGES

pytestmark = pytest.mark.slow  # whole documents are laid out, or every role asks

FONTS = Path(__file__).resolve().parents[3] / "static" / "fonts"
ALPHABETS = {
    "en": "abcdefghijklmnopqrstuvwxyz“”‘’",
    "pl": "ąćęłńóśźż„”",
    "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя«»„“—№",
    "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя«»’—№",
    "cs": "áčďéěíňóřšťúůýž„“‚‘",
    "de": "äöüßẞ„“‚‘",
    "fr": "àâæçéèêëîïôœùûüÿ«»“”’\u202f\u00a0",
    "hr": "čćđšž„”’",
}


@pytest.mark.parametrize("weight", ["regular", "bold"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_sheet_can_be_lettered_in_every_language(lang: str, weight: str) -> None:
    """Small and capital letters, quotes, dashes; and whatever the catalogue says."""
    known = set(TTFont(FONTS / f"companion-{weight}.woff2").getBestCmap())
    said = ALPHABETS[lang] + ALPHABETS[lang].upper() + "–…"
    catalogue = FOLDER / lang / "LC_MESSAGES" / "messages.po"
    said += catalogue.read_text("utf-8") if catalogue.exists() else ""
    assert "".join(sorted({letter for letter in said if ord(letter) not in known and letter != "\n"})) == ""
