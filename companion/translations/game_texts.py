"""Collects the texts of a game's file for the catalogues; called by pybabel through babel.cfg."""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from companion.library.files import read_game_file

Found = tuple[int, None, str, list[str]]
"""The form required by pybabel: line (unknown here), no gettext function, text, comments for translators."""

TEXTS = ("title", "summary", "source")
LISTS: Mapping[str, tuple[str, ...]] = {
    "conventions": ("label", "text"),
    "presets": ("label", "text"),
    "rules": ("chapter", "text", "source"),
}
"""The lists of a game's file, and the texts of each item that players read."""


def extract(
    file: IO[bytes], keywords: Mapping[str, Any], tags: Collection[str], options: Mapping[str, str]
) -> Iterator[Found]:
    """Every text of one game: the names of it and its varieties, its words, conventions and rules."""
    game, path = tomllib.load(file), Path(file.name)
    varieties = titles(read_game_file(path.parent, path.stem).document) if "title" in game else ()
    for text in (*texts(game), *varieties):
        yield 0, None, text, []


def titles(game: Mapping[str, Any]) -> Iterator[str]:
    """The names of a game's varieties, if it has several; `game` has all that it inherits."""
    labels = [item["label"] for item in game["presets"]]
    yield from (f"{game['title']}, {label}" for label in labels if labels[1:])


def texts(game: Mapping[str, Any]) -> Iterator[str]:
    """The texts of a parsed file, except empty ones; of sentences under conditions each by itself."""
    found = [game.get(key) for key in TEXTS] + list(game.get("words", {}).values())
    for name, keys in LISTS.items():
        for item in game.get(name, ()):
            found += [item.get(key) for key in keys]
            found += [value.get("text") for key in ("values", "named") for value in item.get(key, ())]
    for text in found:
        sentences = text if isinstance(text, list) else [text]
        yield from (item["text"] if isinstance(item, dict) else item for item in sentences if item)
