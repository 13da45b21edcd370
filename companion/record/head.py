"""The head of a record: game, players, conventions and all other facts from before the first entry.

Also the checks that apply to all JSON in a record.
"""

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.rules.errors import Missing, UnknownKey, Unreadable, contradictions
from companion.rules.message import Message
from companion.rules.rulebook import RULES_LIMIT
from companion.rules.schema import check_text, join_path

NAME_LIMIT = 40
MAX_NESTED, LONGEST = 30, RULES_LIMIT
"""The deepest nesting of JSON that is stored unread, and the most characters of a text in it."""


def _text_reader(most: int) -> Callable[[Any, str], str]:
    return lambda value, path: check_text(value, path, 1, most)


def _read_players(value: Any, path: str) -> list[str]:
    if not isinstance(value, list) or not value:
        raise Unreadable(path, Message("a list of names"), value)
    return [_text_reader(NAME_LIMIT)(name, f"{path}[{i}]") for i, name in enumerate(value)]


def _read_stake(value: Any, path: str) -> dict[str, str]:
    if not isinstance(value, dict) or set(value) - {"amount", "currency"}:
        raise Unreadable(path, Message("an object with the keys {keys}", keys=["amount", "currency"]), value)
    for key in ("amount", "currency"):
        if key not in value:
            raise Missing(f"{path}.{key}")
    return {key: _text_reader(20)(value[key], f"{path}.{key}") for key in ("amount", "currency")}


def _read_object(value: Any, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Unreadable(path, Message("an object"), value)
    return value


def _read_rules(value: Any, path: str) -> str:
    """The flat copy of a host's game; the library checks its content."""
    return check_text(value, path, 1, RULES_LIMIT, lines=True)


HEAD: Mapping[str, Callable[[Any, str], Any]] = {
    "game": _text_reader(40),
    "preset": _text_reader(40),
    "conventions": _read_object,
    "players": _read_players,
    "first_dealer": _text_reader(1),
    "stake": _read_stake,
    "place": _text_reader(200),
    "started": _text_reader(40),
    "id": _text_reader(80),
    "follows": _text_reader(80),
    "rules": _read_rules,
}
"""The keys of a head, each with the function that reads its value at a path."""
CORRECTABLE = ("players", "stake", "place", "started", "first_dealer")
"""The keys that can be corrected in the head of a match that was begun."""


def read_head(document: Mapping[str, Any], known: Iterable[str] = HEAD, path: str = "") -> dict[str, Any]:
    """Read the keys of a head from an object at this path, which has only `known` ones.

    :raises Unreadable: if one does not fit, or is unknown.
    """
    refuse_unknown(document, known, path)
    head = {key: check(document[key], join_path(path, key)) for key, check in HEAD.items() if key in document}
    for key in ("game", "players"):
        if key not in head:
            raise Missing(join_path(path, key))
    return head


def read_correction(values: Mapping[str, Any], path: str, players: int) -> None:
    """Check a correction of the head of a match with so many players; None removes a value.

    :raises Unreadable: if the head cannot be corrected so.
    """
    refuse_unknown(values, CORRECTABLE, path)
    for key, value in values.items():
        if value is not None or key == "players":
            HEAD[key](value, join_path(path, key))
    if len(values.get("players", range(players))) != players:
        many = Message("a list of {least} to {most} items", least=players, most=players)
        with contradictions():
            raise Unreadable(join_path(path, "players"), many, values["players"])


def refuse_unknown(given: Mapping[str, Any], known: Iterable[str], path: str) -> None:
    """Refuse an object with an unknown key. :raises UnknownKey: at the first."""
    for key in given:
        if key not in known:
            raise UnknownKey(join_path(path, str(key)), known)


def check_plain(value: Any, path: str, depth: int = 0) -> None:
    """Check that every store can hold this JSON, which is stored unread.

    :raises Unreadable: at a text with invalid characters, and if it is nested too deeply.
    """
    if depth > MAX_NESTED:
        raise Unreadable(path, Message("nested at most {most} deep", most=MAX_NESTED))
    match value:
        case str():
            check_text(value, path, 0, LONGEST, lines=True)
        case dict():
            for key, part in value.items():
                check_text(key, path, 0, LONGEST)
                check_plain(part, join_path(path, key), depth + 1)
        case list():
            for index, item in enumerate(value):
                check_plain(item, f"{path}[{index}]", depth + 1)


_TURNING = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))
"""Embeddings, overrides and isolates: they reorder the text that follows when it is shown."""
_BLANK = frozenset(map(chr, (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x1D159)))
"""Letters, signs and marks that are drawn as nothing."""
_CLINGING = frozenset(map(chr, (0x200C, 0x200D, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
"""Joiners and selectors: they change how the character before them is drawn, unless it is a Latin letter."""
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")


def check_visible(value: Any, path: str = "") -> None:
    """Check all texts of a new JSON document for invisible characters; stored ones are read unchecked.

    `path` locates it.

    :raises Unreadable: at the first text that shows nothing although it is not blank, or reorders others; and
        at the first player's name with an invisible character, for two players must look different.
    """
    match value:
        case str():
            _check_text(value, path)
        case dict():
            for key, item in value.items():
                check_visible(item, f"{path}.{key}" if path else str(key))
        case list() | tuple():
            for index, item in enumerate(value):
                check_visible(item, f"{path}[{index}]")
                if path == "players" and isinstance(item, str):
                    check_name(item, f"{path}[{index}]")


def check_name(name: str, path: str) -> None:
    """Check a player's name.

    :raises Unreadable: if it has an invisible character.
    """
    _check_text(name, path)
    if any(_is_unseen(name, index) for index in range(len(name))):
        with contradictions():
            raise Unreadable(path, Message("a name without invisible characters"), name)


def _check_text(text: str, path: str) -> None:
    with contradictions():
        if not _TURNING.isdisjoint(text):
            raise Unreadable(path, Message("a text without characters that reverse its direction"), text)
        if text.strip() and not any(_is_drawn(char) for char in text):
            raise Unreadable(path, Message("a text with visible characters"), text)


def _is_drawn(char: str) -> bool:
    """True for a character that is drawn by itself: no space, no control, no mark that needs a letter."""
    return unicodedata.category(char)[0] not in "ZM" and not _is_unseen(char, 0)


def _is_unseen(text: str, index: int) -> bool:
    char = text[index]
    if char in _CLINGING and index:
        return unicodedata.category(text[index - 1]) not in ("Lo", "Mc", "Mn", "Sk", "So")
    return char in _CLINGING or char in _BLANK or unicodedata.category(char) in _UNSEEN
