"""The letters that can be printed here, and the printed form of names that have others.

Letters are looked up where the printer finds them: by Pango in all fonts of the machine, and in our own.
"""

import ctypes
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from re import compile
from string import ascii_uppercase
from threading import Lock
from typing import Any
from unicodedata import category, name, normalize

from companion.rules.message import Message

from .common import has_right_to_left
from .html import find_folder

RARE = compile("[^\0-\u017f\u0400-\u04ff\u2010-\u2027\u2212\u2660-\u2667\u2713]")
"""The letters that few sheets have; all others are in our fonts and need not be looked up."""
_CHINESE = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "HALFWIDTH", "FULLWIDTH")
"""The first words of the Unicode names of letters in fonts of Chinese, Japanese and Korean."""
_EMOJI = range(0x1F1E6, 0x20000)
_MARKS = ("Mn", "Mc", "Me", "Cf")
"""The categories of signs that change the letter before them: without it, they are left out too."""
_EMPTY_BRACKETS = compile(r"\(\s*\)|\[\s*\]")
_LOOSE = " ,;:/|–—-·&+"
"""The signs that join two names; at either end of a shortened name they are dropped."""
_MAX_LETTERS = 30
"""The limit of missing letters beside names that are listed."""


@dataclass(frozen=True, slots=True)
class Unprintable:
    """The `words` of a sheet with letters that no font here has; Debian `packages` that bring such fonts.

    Words are whole names, and missing letters elsewhere.
    """

    words: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words)

    def describe(self) -> Message:
        """Describe in a warning the words, their printed form, and the packages that would help."""
        words = ", ".join(f"\u2068{word}\u2069" if has_right_to_left(word) else word for word in self.words)
        said = Message(
            "No font on the machine that prints has all letters of: {words}. On paper these letters "
            "are left out; a name without any others is printed as the letter of its seat.",
            words=words,
        )
        if not self.packages:
            return said
        packages = ", ".join(self.packages)
        return Message(
            "{sentences} Debian packages with the fonts: {packages}.", sentences=said, packages=packages
        )


def find_unprintable(names: Iterable[str], text: str) -> Unprintable:
    """Find the names, and the letters elsewhere in a sheet (or its HTML), that cannot be printed."""
    words = [word for word in dict.fromkeys(names) if find_missing(word)]
    missing = dict.fromkeys("".join(map(find_missing, words)))
    others = "".join(letter for letter in find_missing(text) if letter not in missing)
    if others:
        words.append(others if len(others) <= _MAX_LETTERS else f"{others[: _MAX_LETTERS - 1]}…")
    packages = {_find_package(letter): None for letter in (*missing, *others)}
    return Unprintable(tuple(words), tuple(filter(None, packages)))


def spell_names(names: Sequence[str], find: Callable[[str], str] | None = None) -> Mapping[str, str]:
    """Spell names for print: without letters that no font here has, or as one letter if none is left.

    It is the letter of the seat, as names stand in the order of the seats. No two look the same. `find`
    finds what cannot be printed, if not `find_missing`.
    """
    find = find or find_missing
    rests = {each: _leave_out(each, find) if find(each) else each for each in names}
    letters = {each: ascii_uppercase[place % 26] * (place // 26 + 1) for place, each in enumerate(rests)}
    shown = [rest or letters[each] for each, rest in rests.items()]
    return {
        each: printed if shown.count(printed) == 1 else f"{printed} {letters[each]}"
        for each, printed in zip(rests, shown, strict=True)
        if printed != each
    }


def respell(text: str, spelled: Mapping[str, str]) -> str:
    """Respell a sentence that was written with names in it, with these as they are printed."""
    for each in sorted(spelled, key=len, reverse=True):
        text = text.replace(each, spelled[each])
    return text


def find_missing(text: str) -> str:
    """Find the letters of a text that no font here has, each once."""
    rare = dict.fromkeys(RARE.findall(normalize("NFC", text)))
    return "".join(letter for letter in rare if not can_print(letter))


@lru_cache(maxsize=1 << 16)
def can_print(letter: str) -> bool:
    """True if a font here has the letter, or if it is invisible and needs none."""
    if category(letter) in ("Cc", "Cf"):
        return True
    if category(letter) == "Cs":  # half a letter
        return False
    counter = _load_counter()
    return counter is None or not counter.count_unknown(letter) or ord(letter) in list_own_letters()


@lru_cache
def list_own_letters() -> frozenset[int]:
    """List the letters that our fonts have; empty if these were left out."""
    from fontTools.ttLib import TTFont

    file = find_folder("static") / "fonts" / "companion-regular.woff2"
    if not file.is_file():
        return frozenset()
    with TTFont(file) as font:
        return frozenset(font.getBestCmap())


def _leave_out(word: str, find: Callable[[str], str]) -> str:
    """Leave out the letters that cannot be printed, or put plain letters for them; empty if none is left."""
    printed, follows = list[str](), True
    for letter in normalize("NFC", word):
        if find(letter):
            plain = [part for part in normalize("NFKD", letter) if part.isalnum() and not find(part)]
            printed += plain
            follows = bool(plain)
        elif follows or category(letter) not in _MARKS:
            printed.append(letter)
            follows = True
    rest = " ".join(_EMPTY_BRACKETS.sub("", "".join(printed)).split()).strip(_LOOSE)
    return rest if any(map(str.isalpha, rest)) else ""


def _find_package(letter: str) -> str:
    """Find the Debian package whose fonts have a letter; empty for a letter of no script."""
    if ord(letter) in _EMOJI:
        return "fonts-noto-color-emoji"
    known = name(letter, "")
    if known.startswith(_CHINESE):
        return "fonts-noto-cjk"
    return "fonts-noto-core" if known else ""


class _GlyphCounter:
    """Pango with the fonts of the machine, as WeasyPrint uses it, but without all that WeasyPrint loads."""

    def __init__(self) -> None:
        pango = _load_library("libpango-1.0")
        ft2 = _load_library("libpangoft2-1.0")
        pointer = ctypes.c_void_p
        make_map = _declare(ft2, "pango_ft2_font_map_new", pointer)
        make_context = _declare(pango, "pango_font_map_create_context", pointer, pointer)
        make_layout = _declare(pango, "pango_layout_new", pointer, pointer)
        self._layout = make_layout(make_context(make_map()))
        self._set = _declare(pango, "pango_layout_set_text", None, pointer, ctypes.c_char_p, ctypes.c_int)
        self._count = _declare(pango, "pango_layout_get_unknown_glyphs_count", ctypes.c_int, pointer)
        self._lock = Lock()

    def count_unknown(self, text: str) -> int:
        """Count the signs of a text that are in no font."""
        with self._lock:
            self._set(self._layout, text.encode(), -1)
            return int(self._count(self._layout))


@lru_cache
def _load_counter() -> _GlyphCounter | None:
    """Load the counter of this process; None if Pango is missing: then nothing is printed at all."""
    try:
        return _GlyphCounter()
    except (OSError, AttributeError):  # no such library; one from before 2007
        return None


def _load_library(name: str) -> ctypes.CDLL:
    """Load a library of the system by its name, in the spelling of the system."""
    endings = {"darwin": (".dylib", ".0.dylib"), "win32": ("-0.dll",)}.get(sys.platform, (".so.0",))
    for ending in endings:
        try:
            return ctypes.CDLL(name + ending)
        except OSError as error:
            fault = error
    raise fault


def _declare(library: ctypes.CDLL, function: str, result: Any, *arguments: Any) -> Any:
    found = getattr(library, function)
    found.restype, found.argtypes = result, arguments
    return found
