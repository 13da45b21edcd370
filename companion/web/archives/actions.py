"""What is done with files: an archive is made of matches; files are looked through, and imported."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion import archives
from companion.archives.reading import list_pieces
from companion.jobs import JobFiles, ReportProgress
from companion.rules.errors import Unreadable
from companion.web.shell.matches import matches

from .found import describe_found, describe_imported, find_again

ARCHIVE, NAMES = "matches.zip", "names"
"""Among the files: the archive that is made; the names of those that were uploaded."""


def make_archive(files: JobFiles, owner: str, ids: Sequence[str], progress: ReportProgress) -> dict[str, Any]:
    """Write matches into one file; how large it is, and which matches are not in it."""
    with files.open(ARCHIVE) as file:
        left_out = archives.write_archive(matches(), owner, ids, file, progress)
        size = file.tell()
    return {"size": size, "count": len(ids) - len(left_out), "left_out": left_out}


def look_through(files: JobFiles, owner: str, progress: ReportProgress) -> list[list[dict[str, Any]]]:
    """What is in each uploaded file, and what importing it would do."""
    return [
        [describe_found(found) for found in archives.look_through(matches(), owner, place, name, progress)]
        for place, name in list_files(files)
    ]


def import_files(
    files: JobFiles, owner: str, looked: list[list[dict[str, Any]]], progress: ReportProgress
) -> list[list[dict[str, Any]]]:
    """Import what was found in uploaded files; what became of it."""
    found, places = [], []
    for n, (place, name) in enumerate(list_files(files)):
        with suppress(Unreadable):  # an archive that is none: that is all that was found in it
            for m, (piece, line) in enumerate(zip(list_pieces(place, name), looked[n], strict=True)):
                found.append(find_again(piece, line))
                places.append((n, m))
    became = [list(lines) for lines in looked]
    for (n, m), imported in zip(
        places, archives.import_found(matches(), owner, found, progress), strict=True
    ):
        became[n][m] = describe_imported(imported, looked[n][m])
    return became


def list_files(files: JobFiles) -> Iterator[tuple[Path, str]]:
    """The files that were uploaded, each with its name."""
    for n, name in enumerate(files.read(NAMES)):
        yield files.path / f"file-{n}", name
