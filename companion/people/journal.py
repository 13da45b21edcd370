"""The journal of a browser's owner: append-only notes, and their result."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from .evenings import Evenings, describe, put_match, settle, stake
from .players import Players

UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Note:
    """One note: its `kind` and content; one of the kind `undo` names the one it `undoes`.

    `at` is an ISO time in UTC.
    """

    id: str
    at: str
    kind: str
    said: Mapping[str, Any]


def make_note(kind: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """Make a note as it is saved, beside rulings."""
    return {"note": kind, "said": dict(said)}


def is_note(content: Mapping[str, Any]) -> bool:
    """True if the saved content is a note, and not a ruling."""
    return "note" in content


def read_note(id: str, at: str, content: Mapping[str, Any]) -> Note:
    """Parse a saved note."""
    said = content.get("said")
    return Note(id, at, str(content["note"]), said if isinstance(said, dict) else {})


@dataclass(frozen=True, slots=True)
class Journal:
    """The result of all notes."""

    players: Players = Players()
    evenings: Evenings = Evenings()


_Step = Callable[[Journal, Note], Journal]
_STEPS: Mapping[str, _Step] = {
    "rename": lambda journal, note: replace(
        journal, players=journal.players.rename(_read_name(note, "player"), _read_name(note, "name"))
    ),
    "separate": lambda journal, note: replace(
        journal, players=journal.players.separate(_read_name(note, "spelling"))
    ),
    "evening": lambda journal, note: replace(journal, evenings=describe(journal.evenings, note.said)),
    "evening-match": lambda journal, note: replace(journal, evenings=put_match(journal.evenings, note.said)),
    "stakes": lambda journal, note: replace(journal, evenings=stake(journal.evenings, note.said)),
    "settled": lambda journal, note: replace(
        journal, evenings=settle(journal.evenings, note.said, note.id, note.at)
    ),
}
"""The changes made by each kind of note."""


def fold_journal(notes: Iterable[Note]) -> Journal:
    """Fold notes. Those that were undone, and those that this version cannot read, are skipped."""
    journal = Journal()
    for note in drop_undone(notes):
        try:
            journal = _STEPS[note.kind](journal, note)
        except (AttributeError, KeyError, TypeError, ValueError):
            continue
    return journal


def drop_undone(notes: Iterable[Note]) -> list[Note]:
    """The notes that count, in order; an undo that was undone itself undoes nothing."""
    undone, counting = set[object](), list[Note]()
    for note in sorted(notes, key=lambda note: (note.at, note.id), reverse=True):
        if note.id not in undone:
            if note.kind == UNDO:
                undone.add(str(note.said.get("undoes")))
            else:
                counting.append(note)
    return counting[::-1]


def _read_name(note: Note, member: str) -> str:
    name = note.said[member]
    if not isinstance(name, str) or not name:
        raise ValueError(member)
    return name
