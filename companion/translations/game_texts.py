"""Collects what players read in a game's file, for the catalogues: pybabel calls it, by babel.cfg."""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from typing import IO, Any

Found = tuple[int, None, str, list[str]]
"""As pybabel wants it: a line (not known here), no gettext function, the text, comments for translators."""

TEXTS = ("title", "summary", "source")
LISTS: Mapping[str, tuple[str, ...]] = {
    "conventions": ("label", "text"),
    "presets": ("label", "text"),
    "rules": ("chapter", "text", "source"),
}
"""The lists of a game's file, and what of each thing in them is read by players."""


def extract(
    file: IO[bytes], keywords: Mapping[str, Any], tags: Collection[str], options: Mapping[str, str]
) -> Iterator[Found]:
    """Every text of one game: what it is called, its words, its conventions, presets and rules."""
    for text in texts(tomllib.load(file)):
        yield 0, None, text, []


def texts(game: Mapping[str, Any]) -> Iterator[str]:
    """The same from a file that has been read; nothing that is empty."""
    found = [game.get(key) for key in TEXTS] + list(game.get("words", {}).values())
    for name, keys in LISTS.items():
        for item in game.get(name, ()):
            found += [item.get(key) for key in keys]
            found += [value.get("text") for key in ("values", "named") for value in item.get(key, ())]
    presets = [item["label"] for item in game.get("presets", ()) if item.get("label")]
    if presets[1:]:
        found += [f"{game['title']}, {label}" for label in presets]
    yield from (text for text in found if text)
