"""The actions on files: matches are written into an archive; files are looked through, and imported."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from companion import archives
from companion.archives import Found, Plan, What
from companion.archives.reading import Piece, list_pieces
from companion.i18n import LANGUAGES
from companion.jobs import JobFiles, ReportProgress
from companion.rules.errors import Unreadable
from companion.sheets.common import find_zone
from companion.web.shell.language import in_language
from companion.web.shell.matches import matches
from companion.web.shell.text import requirement

ARCHIVE, NAMES = "matches.zip", "names"
"""The names of job files: the archive that is written, and the names of uploaded files."""


def make_archive(
    files: JobFiles, owner: str, ids: Sequence[str], zone: str | None, progress: ReportProgress
) -> dict[str, Any]:
    """Write matches into one file; return its size, the number of matches, and those left out.

    Times are by the clock of `zone`; None is that of this machine.
    """
    named = find_zone(zone) if zone else None
    with files.open(ARCHIVE) as file:
        left_out = archives.write_archive(matches(), owner, ids, file, progress, zone=named)
        size = file.tell()
    return {"size": size, "count": len(ids) - len(left_out), "left_out": left_out}


def look_through(files: JobFiles, owner: str, progress: ReportProgress) -> list[list[dict[str, Any]]]:
    """Look through the uploaded files; return their content, and what importing it would do."""
    return [
        [describe_found(found) for found in archives.look_through(matches(), owner, place, name, progress)]
        for place, name in list_files(files)
    ]


def import_files(
    files: JobFiles, owner: str, looked: list[list[dict[str, Any]]], progress: ReportProgress
) -> list[list[dict[str, Any]]]:
    """Import what was found in uploaded files; return what became of it."""
    found, places = [], []
    for n, (place, name) in enumerate(list_files(files)):
        with suppress(Unreadable):  # an invalid archive: nothing else was found in it
            for m, (piece, line) in enumerate(zip(list_pieces(place, name), looked[n], strict=True)):
                found.append(find_again(piece, line))
                places.append((n, m))
    became = [list(lines) for lines in looked]
    for (n, m), imported in zip(
        places, archives.import_found(matches(), owner, found, progress), strict=True
    ):
        result = {"plan": imported.plan, "id": imported.id, **_describe_problem(imported.problem)}
        became[n][m] = looked[n][m] | result
    return became


def list_files(files: JobFiles) -> Iterator[tuple[Path, str]]:
    """The uploaded files, each with its name; empty once they were discarded."""
    for n, name in enumerate(files.read(NAMES) or ()):
        yield files.path / f"file-{n}", name


def describe_found(found: Found) -> dict[str, Any]:
    """Describe a match, or a saved ruling (`what`), in a file, and what importing it does.

    `plan` is "new", "continued", "skipped", "copy" or "refused"; of a refused one `path` is the path that
    cannot be read, and `why` the reason in every language. `named` and `follows` are the ids in the file;
    `id`, its id here, is added once it is imported.
    """
    keys = ("name", "plan", "what", "title", "game", "started", "deals", "flagged", "follows")
    facts = {key: getattr(found, key) for key in keys}
    facts |= {"players": list(found.players), "named": found.called}
    return facts | _describe_problem(found.problem)


def find_again(piece: Piece, described: Mapping[str, Any]) -> Found:
    """The finding for a piece of a file, as far as importing it needs that."""
    what = cast(What, described["what"])
    plan: Plan = "refused" if described["plan"] == "refused" else "new"  # what becomes of it is decided again
    return Found(piece, plan, what, called=described["named"], follows=described["follows"])


def _describe_problem(problem: Unreadable | None) -> dict[str, Any]:
    if problem is None:
        return {}
    why = {}
    for lang in LANGUAGES:
        with in_language(lang):
            why[lang] = requirement(problem)
    return {"path": problem.path, "why": why}
