"""The catalogue of games: the one place that knows every game and every family.

The files of games/ are read (`files`), checked (`validation`), and opened for a table (`folder`); `flat`
writes one with everything it inherits.

A game file has the numbers and orders of its family (`[table]`, `[cards]`, `[points]`), each with the rule
that states it (`[stated_in.cards]`), its procedures (`[procedures]`, and `[[conventions]]` where tables
choose), further changes by a choice (`[when."convention=value".cards]`), its own `[words]`, its `[[presets]]`
and its `[[rules]]`. The requirements of a family are in its `game_file.py`. A host may have games of its own
(`host`).
"""

import copyreg
from collections.abc import Mapping
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any

from .files import GameFileError
from .folder import Game, GameFolder, Seating
from .glossary import Glossary, GlossaryWord, Saying
from .host import read_host_folder

GAMES = GameFolder(package_files("companion") / "games")
"""The games that come with the app."""
MAX_FAULTS = 50
"""The most faults of files that are reported singly."""


def take_host_folder(folder: str | None) -> list[str]:
    """Read the games of a host's folder, if there is one; return the faults of those left out."""
    files, unread = read_host_folder(Path(folder)) if folder else ({}, [])
    faults = [*unread, *GAMES.take_host(files)]
    return shorten([name_fault(error, Path(folder or ""), files) for error in faults])


def shorten(faults: list[str]) -> list[str]:
    """Shorten a list of faults: the first, and the number of the others.

    >>> shorten(["a fault"] * 60)[MAX_FAULTS - 1 :]
    ['a fault', 'and 10 more']
    """
    more = len(faults) - MAX_FAULTS
    return [*faults[:MAX_FAULTS], f"and {more} more"] if more > 0 else faults


def name_fault(error: GameFileError, folder: Path, files: Mapping[str, str]) -> str:
    """Name a fault with its file: one of the host's by its path, one of ours by its name."""
    path = f"{error.file}.toml"
    is_ours = path not in files and (GAMES.folder / path).is_file()
    return f"games/{path}: {error.said}" if is_ours else f"{folder / path}: {error.said}"


names = GAMES.names
sizes = GAMES.sizes
read_rulebook = GAMES.read_rulebook
glossary = GAMES.glossary
seatings = GAMES.seatings
seating = GAMES.seating
is_for = GAMES.is_for
open_game = GAMES.open_game
reopen_game = GAMES.reopen_game
flat = GAMES.flat
rules = GAMES.rules
open_request = GAMES.open_request
rule = GAMES.rule


def _reopen(*agreed: Any) -> Game:
    return GAMES.reopen_game(*agreed)


copyreg.pickle(Game, lambda game: (_reopen, game.agreed))  # another process opens it anew
