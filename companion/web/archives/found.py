"""What pages say of matches and rulings in a file: JSON, in every language, as a worker writes it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from companion.archives import Found, Imported, Plan
from companion.archives.reading import Piece
from companion.i18n import LANGUAGES
from companion.rules.errors import Unreadable
from companion.web.shell.language import in_language
from companion.web.shell.text import requirement


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
