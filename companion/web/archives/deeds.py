"""What is done aside, with the app at hand: a file is made of matches, files are looked through and taken."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from companion import archives
from companion.web.support.matches import matches

from .found import describe_found, describe_taken
from .trays import Progress, Tray

ARCHIVE, NAMES = "matches.zip", "names"
"""In a tray: the file that is made; the names of the files that were handed in."""


def make_archive(tray: Tray, owner: str, ids: Sequence[str], progress: Progress) -> dict[str, Any]:
    """Write matches into one file; how large it is, and which matches are not in it."""
    with tray.open(ARCHIVE) as file:
        left_out = archives.write_archive(matches(), owner, ids, file, progress)
        size = file.tell()
    return {"size": size, "count": len(ids) - len(left_out), "left_out": left_out}


def look_through(tray: Tray, owner: str, progress: Progress) -> list[dict[str, Any]]:
    """What is in the files of a tray, and what taking it would do."""
    return [describe_found(one) for one in _find(tray, owner, progress)]


def take_found(tray: Tray, owner: str, progress: Progress) -> list[dict[str, Any]]:
    """Take what is in the files of a tray; what became of it."""
    found = _find(tray, owner, lambda count, total: None)
    return [describe_taken(one) for one in archives.take(matches(), owner, found, progress)]


def _find(tray: Tray, owner: str, progress: Progress) -> list[archives.Found]:
    found = []
    for place, name in list_files(tray):
        found += archives.look_through(matches(), owner, place, name, progress)
    return found


def list_files(tray: Tray) -> Iterator[tuple[Path, str]]:
    """The files that were handed in, each with its name."""
    for n, name in enumerate(tray.read(NAMES)):
        yield tray.path / f"file-{n}", name
