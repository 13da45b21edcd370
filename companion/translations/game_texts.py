"""Collects what players read in a game's file, for the catalogues: pybabel calls it, by babel.cfg."""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from companion.library.files import read_game_file

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
    """Every text of one game: what it and its varieties are called, its words, conventions and rules."""
    game, path = tomllib.load(file), Path(file.name)
    varieties = titles(read_game_file(path.parent, path.stem).document) if "title" in game else ()
    for text in (*texts(game), *varieties):
        yield 0, None, text, []


def titles(game: Mapping[str, Any]) -> Iterator[str]:
    """What the varieties of a game are called, where it has several; `game` with all that it inherits."""
    labels = [item["label"] for item in game["presets"]]
    yield from (f"{game['title']}, {label}" for label in labels if labels[1:])


def texts(game: Mapping[str, Any]) -> Iterator[str]:
    """The texts of a file that has been read; nothing that is empty."""
    found = [game.get(key) for key in TEXTS] + list(game.get("words", {}).values())
    for name, keys in LISTS.items():
        for item in game.get(name, ()):
            found += [item.get(key) for key in keys]
            found += [value.get("text") for key in ("values", "named") for value in item.get(key, ())]
    yield from (text for text in found if text)
