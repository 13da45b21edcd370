"""Texts that people type: what nobody can see in them, or what turns the words beside them round, is refused.

Only what is new is looked at so. What was stored before is read as it is.
"""

import unicodedata
from typing import Any

from companion.rules.errors import Unreadable
from companion.rules.message import Message

_TURNING = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
"""Embeddings, overrides and isolates: they change in which order all that follows is shown."""
_BLANK = frozenset(map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x1D159)))
"""Letters, signs and marks that are drawn as nothing."""
_CLINGING = frozenset(map(chr, (0x200C, 0x200D, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""Joiners and selectors: they change how what stands before them is drawn, where that is no Latin letter."""
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")


def check_visible(value: Any, path: str = "") -> None:
    """Look through all texts of a new JSON document; `path` is where it stands.

    :raises Unreadable: at the first that shows nothing although it is not blank, or turns others round; and
        at the first name of a player with anything invisible in it, for two players must look different.
    """
    match value:
        case str():
            _check_text(value, path)
        case dict():
            for key, item in value.items():
                check_visible(item, f"{path}.{key}" if path else str(key))
        case list() | tuple():
            for place, item in enumerate(value):
                check_visible(item, f"{path}[{place}]")
                if path == "players" and isinstance(item, str):
                    check_name(item, f"{path}[{place}]")


def check_name(name: str, path: str) -> None:
    """Look at a player's name.

    :raises Unreadable: when something in it cannot be seen.
    """
    _check_text(name, path)
    if any(_is_unseen(name, place) for place in range(len(name))):
        raise Unreadable(path, Message("a name without invisible characters"), name)


def _check_text(text: str, path: str) -> None:
    if not _TURNING.isdisjoint(text):
        raise Unreadable(path, Message("a text without characters that reverse its direction"), text)
    if text.strip() and not any(_is_drawn(char) for char in text):
        raise Unreadable(path, Message("a text with visible characters"), text)


def _is_drawn(char: str) -> bool:
    """Whether it is something by itself: no space, no control, no mark that needs a letter."""
    return unicodedata.category(char)[0] not in "ZM" and not _is_unseen(char, 0)


def _is_unseen(text: str, place: int) -> bool:
    char = text[place]
    if char in _CLINGING and place:
        return unicodedata.category(text[place - 1]) not in ("Lo", "Mc", "Mn", "Sk", "So")
    return char in _CLINGING or char in _BLANK or unicodedata.category(char) in _UNSEEN
