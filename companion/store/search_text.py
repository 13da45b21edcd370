"""What a search in a list looks into: names, place, game and day of a match, in small letters."""

from collections.abc import Iterable, Mapping
from typing import Any

LIMIT = 2000
"""Bytes of it that are stored: PostgreSQL's indexes allow little more."""


def make_searched(head: Mapping[str, Any], created_at: str, later: Iterable[Mapping[str, Any]] = ()) -> str:
    """What is looked into, of a match's head as first written, and of `later` corrections of it.

    Names and places that were put right are found as they were, and as they are.

    >>> make_searched({"game": "any", "players": ["Żaneta"]}, "2026-11-20T18:00:00", [{"place": "Łódź"}])
    'żaneta any 2026-11-20 łódź'
    """
    parts = [*_words(head), head.get("game"), created_at[:10]]
    for correction in later:
        parts += _words(correction)
    return fold(" ".join(dict.fromkeys(str(part) for part in parts if part)))


def add_names(searched: str, names: Iterable[Any]) -> str:
    """The same with these names, where they are missing."""
    missing = [name for name in dict.fromkeys(map(str, names)) if fold(name) not in searched]
    return fold(" ".join([searched, *missing]))


def fold(text: str) -> str:
    """Text as it is compared: case-folded, in any script."""
    return text.casefold().replace("\0", "").encode("utf-8", "ignore")[:LIMIT].decode("utf-8", "ignore")


def _words(head: Mapping[str, Any]) -> list[Any]:
    return [*(head.get("players") or ()), head.get("place")]
