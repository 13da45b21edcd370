"""Players, evenings and money: the owner's notes beside the matches; pure."""

from .journal import UNDO, Journal, Note, drop_undone, fold_journal, is_note, make_note, read_note
from .players import Players

__all__ = [
    "UNDO",
    "Journal",
    "Note",
    "Players",
    "drop_undone",
    "fold_journal",
    "is_note",
    "make_note",
    "read_note",
]
