"""A host's own games: the files of a folder, read once, and the flat copy that a match of one keeps.

Besides games the folder has `parts/`, `words/` and `cases/`, as ours has. Nothing else is read, inside or
outside.
"""

from collections.abc import Mapping, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.rules.message import Message

from .files import (
    JOINING,
    PATH,
    FilesBeside,
    GameFile,
    GameFileError,
    join_game_file,
    parse_toml,
    read_toml,
)
from .glossary import ID

MAX_FILES, MAX_BYTES = 200, 256 * 1024
"""The most files of a folder, and the most bytes of each."""
HOUSE_RULES = str(Message("house rules"))
"""The source of a game that names none."""
_FOLDERS = ("", "parts/", "words/", "words/parts/", "cases/")
_MAX_ID = 40
_ID_SAID = f"small letters, digits and hyphens, {_MAX_ID} at most"
_OF_COPY = "copy"
"""The origin of all values in a flat copy: not the game's own file, as its conditions are inherited."""


def read_host_folder(folder: Path) -> tuple[dict[str, str], list[GameFileError]]:
    """Read the files of a host's folder, by path, with the faults of those left out."""
    found: dict[str, str] = {}
    faults: list[GameFileError] = []
    paths = [path for below in _FOLDERS for path in sorted(folder.glob(f"{below}*.toml"))]
    for n, path in enumerate(paths):
        name = path.relative_to(folder).as_posix()
        try:
            if n >= MAX_FILES:
                raise GameFileError(name, "", f"must be one of at most {MAX_FILES} files")
            found[name] = _read_file(folder, path, name)
        except GameFileError as error:
            faults.append(GameFileError(name.removesuffix(".toml"), "", error.reason))
    return found, faults


def _read_file(folder: Path, path: Path, name: str) -> str:
    if not PATH.fullmatch(name):
        raise GameFileError(name, "", "must have a name of letters, digits and hyphens")
    try:
        if not path.resolve(strict=True).is_relative_to(folder.resolve()):
            raise GameFileError(name, "", "must lie in the folder, and be no link out of it")
        if not path.is_file():  # opening a pipe would block until somebody writes to it
            raise GameFileError(name, "", "must be a file")
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise GameFileError(name, "", f"must have at most {MAX_BYTES // 1024} KiB")
        return content.decode("utf-8")
    except (OSError, RuntimeError, UnicodeDecodeError) as error:  # RuntimeError: links in a circle
        raise GameFileError(name, "", f"must be text that can be read: {error}") from None


def find_games(files: Mapping[str, str]) -> list[str]:
    """The names of the games among a host's files."""
    return [name.removesuffix(".toml") for name in files if "/" not in name]


def find_hidden(folder: FilesBeside) -> list[GameFileError]:
    """Report the parts and words of a host that are never read, as ours have the same name."""
    hidden = [name for name in folder.host if "/" in name and (folder.ours / name).is_file()]
    reason = "must have another name: there is a file of Companion of this name"
    return [GameFileError(name.removesuffix(".toml"), "", reason) for name in hidden]


def read_host_file(folder: FilesBeside, name: str, known: Set[str]) -> GameFile:
    """Read a host's game with all it extends; `known` are the ids of all rules of ours.

    :raises GameFileError: if it cannot be joined, or takes a name of ours.
    """
    if (folder.ours / f"{name}.toml").is_file():
        raise GameFileError(name, "", "must have another name: there is a game of Companion of this name")
    if not ID.fullmatch(name) or len(name) > _MAX_ID:
        raise GameFileError(name, "", f"must be called by {_ID_SAID}")
    own = {"source": HOUSE_RULES, **read_toml(folder / f"{name}.toml", name)}
    file = _join(folder, name, own)
    inherited = {item["id"] for item in file.inherited.get("rules", ())}
    taken = [item["id"] for item in own.get("rules", ()) if item["id"] in known - inherited]
    faults = [
        GameFileError(
            name, f"rules[{id}].id", "must be another id: a rule of Companion that it does not inherit"
        )
        for id in taken
    ]
    if faults:
        raise GameFileError(name, faults[0].path, faults[0].reason, tuple(faults[1:]))
    # A rule that is inherited keeps the source of the file that says it.
    source = {"source": file.inherited["source"]} if "source" in file.inherited else {}
    said = {item["id"] for item in own.get("rules", ())}
    rules = [item if item["id"] in said else source | item for item in file.document["rules"]]
    return replace(file, document={**file.document, "rules": rules})


def read_copy(text: str, game: str) -> GameFile:
    """Read a flat copy of a game. :raises GameFileError: if it is invalid."""
    if not ID.fullmatch(game) or len(game) > _MAX_ID:
        raise GameFileError(game, "game", f"must be {_ID_SAID}")
    own = parse_toml(text, game)
    joining = [key for key in JOINING if key in own]
    if joining:
        raise GameFileError(game, joining[0], "must be left out of a flat copy")
    file = _join(FilesBeside(Path(), {}), game, own)
    return GameFile(game, file.document, dict.fromkeys(file.origins, _OF_COPY), own, file.ancestors)


def _join(folder: FilesBeside, name: str, own: Mapping[str, Any]) -> GameFile:
    try:
        return join_game_file(folder, name, own)
    except RecursionError:
        raise GameFileError(name, "", "must be nested less deeply") from None
