"""The application without its pages: matches are opened, written in, listed and chained into evenings.

Pages, the API and the command line call it; it is handed a `Store`, and knows no Flask and no language.
"""

from companion.record.told import EntryChange, EntryRemark, HeadChange, OtherEvent, ToldEvent

from .access import Access, Role
from .arrivals import read_change
from .bin import Bin
from .changes import (
    AddEntry,
    Agree,
    AmendEntry,
    AttachRuling,
    Change,
    CorrectHead,
    DetachRuling,
    KeepDraft,
    Object,
    PutBack,
    RestoreEntry,
    Undo,
    WithdrawEntry,
    WithdrawObjection,
)
from .errors import DeletedMatch, NoSuchEntry, NoSuchMatch, NotTheWriter, TooMany
from .history import tell_history
from .match import EntryPlace, Match
from .matches import Matches, Submission
from .moves import Code, Moves, NoSuchMove, UnreadableWords
from .phones import Invitation, NoSuchLink, Phones
from .summaries import MatchSummary

__all__ = [
    "Access",
    "AddEntry",
    "Agree",
    "AmendEntry",
    "AttachRuling",
    "Bin",
    "Change",
    "Code",
    "CorrectHead",
    "DeletedMatch",
    "DetachRuling",
    "EntryChange",
    "EntryPlace",
    "EntryRemark",
    "HeadChange",
    "Invitation",
    "KeepDraft",
    "Match",
    "MatchSummary",
    "Matches",
    "Moves",
    "NoSuchEntry",
    "NoSuchLink",
    "NoSuchMatch",
    "NoSuchMove",
    "NotTheWriter",
    "Object",
    "OtherEvent",
    "Phones",
    "PutBack",
    "RestoreEntry",
    "Role",
    "Submission",
    "ToldEvent",
    "TooMany",
    "Undo",
    "UnreadableWords",
    "WithdrawEntry",
    "WithdrawObjection",
    "read_change",
    "tell_history",
]
