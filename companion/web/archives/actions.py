"""What is done aside, with the app at hand: a file is made of matches, files are looked through and taken."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion import archives
from companion.archives.reading import list_pieces
from companion.rules.errors import Unreadable
from companion.web.shell.matches import matches

from .found import describe_found, describe_taken, find_again
from .job_files import Progress, Tray

ARCHIVE, NAMES = "matches.zip", "names"
"""In a tray: the file that is made; the names of the files that were handed in."""


def make_archive(tray: Tray, owner: str, ids: Sequence[str], progress: Progress) -> dict[str, Any]:
    """Write matches into one file; how large it is, and which matches are not in it."""
    with tray.open(ARCHIVE) as file:
        left_out = archives.write_archive(matches(), owner, ids, file, progress)
        size = file.tell()
    return {"size": size, "count": len(ids) - len(left_out), "left_out": left_out}


def look_through(tray: Tray, owner: str, progress: Progress) -> list[list[dict[str, Any]]]:
    """What is in each file of a tray, and what taking it would do."""
    return [
        [describe_found(one) for one in archives.look_through(matches(), owner, place, name, progress)]
        for place, name in list_files(tray)
    ]


def take_found(
    tray: Tray, owner: str, looked: list[list[dict[str, Any]]], progress: Progress
) -> list[list[dict[str, Any]]]:
    """Take what was found in the files of a tray; what became of it."""
    found, places = [], []
    for n, (place, name) in enumerate(list_files(tray)):
        with suppress(Unreadable):  # an archive that is none: that is all that was found in it
            for m, (piece, line) in enumerate(zip(list_pieces(place, name), looked[n], strict=True)):
                found.append(find_again(piece, line))
                places.append((n, m))
    became = [list(lines) for lines in looked]
    for (n, m), taken in zip(places, archives.take(matches(), owner, found, progress), strict=True):
        became[n][m] = describe_taken(taken, looked[n][m])
    return became


def list_files(tray: Tray) -> Iterator[tuple[Path, str]]:
    """The files that were handed in, each with its name."""
    for n, name in enumerate(tray.read(NAMES)):
        yield tray.path / f"file-{n}", name
