"""What is done with files: an archive is made of matches; files are looked through, and imported."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from companion import archives
from companion.archives import Found, Imported, Plan
from companion.archives.reading import Piece, list_pieces
from companion.i18n import LANGUAGES
from companion.jobs import JobFiles, ReportProgress
from companion.rules.errors import Unreadable
from companion.sheets.common import find_zone
from companion.web.shell.language import in_language
from companion.web.shell.matches import matches
from companion.web.shell.text import requirement

ARCHIVE, NAMES = "matches.zip", "names"
"""Among the files: the archive that is made; the names of those that were uploaded."""


def make_archive(
    files: JobFiles, owner: str, ids: Sequence[str], zone: str | None, progress: ReportProgress
) -> dict[str, Any]:
    """Write matches into one file, by the clock of a time zone, None being this machine's; how large the file
    is, and which matches are not in it.
    """
    named = find_zone(zone) if zone else None
    with files.open(ARCHIVE) as file:
        left_out = archives.write_archive(matches(), owner, ids, file, progress, zone=named)
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
    """The files that were uploaded, each with its name; none once they were thrown away."""
    for n, name in enumerate(files.read(NAMES) or ()):
        yield files.path / f"file-{n}", name


@dataclass(frozen=True)
class ImportLine:
    """A match, or a saved ruling (`what`), in a file: what it is, and what importing it does, or did.

    `plan` is "new", "continued", "skipped", "copy" or "refused"; of a refused one `path` is the place that
    cannot be read, and `why` the reason in every language. `flagged` entries contradict the rules. `named`
    and `follows` are the ids that it says itself, `id` what it goes by here, once it is taken.
    """

    name: str
    plan: str
    what: str
    title: str = ""
    game: str = ""
    players: list[str] = field(default_factory=list)
    started: str = ""
    deals: int = 0
    flagged: int = 0
    named: str = ""
    follows: str = ""
    id: str = ""
    path: str = ""
    why: Mapping[str, str] = field(default_factory=dict)


def describe_found(found: Found) -> dict[str, Any]:
    """What was found in a file, and what importing it would do, as the values of an `ImportLine`."""
    return {
        "name": found.name,
        "plan": found.plan,
        "what": found.what,
        "title": found.title,
        "game": found.game,
        "players": list(found.players),
        "started": found.started,
        "deals": found.deals,
        "flagged": found.flagged,
        "named": found.called,
        "follows": found.follows,
        **_describe_problem(found.problem),
    }


def find_again(piece: Piece, described: Mapping[str, Any]) -> Found:
    """What was found in a piece of a file, as far as importing it needs that."""
    line = ImportLine(**described)
    what: Literal["match", "ruling"] = "ruling" if line.what == "ruling" else "match"
    plan: Plan = "refused" if line.plan == "refused" else "new"  # what becomes of it is decided again
    return Found(piece, plan, what, called=line.named, follows=line.follows)


def describe_imported(imported: Imported, described: Mapping[str, Any]) -> dict[str, Any]:
    """What became of what was found, and was described so."""
    return {**described, "plan": imported.plan, "id": imported.id, **_describe_problem(imported.problem)}


def _describe_problem(problem: Unreadable | None) -> dict[str, Any]:
    if problem is None:
        return {}
    why = {}
    for lang in LANGUAGES:
        with in_language(lang):
            why[lang] = requirement(problem)
    return {"path": problem.path, "why": why}
