"""The application without its pages: matches are opened, written in, listed and chained into evenings.

Pages, the API and the command line call it; it is handed a `Store`, and knows no Flask and no language.
"""

from .changes import (
    AddEntry,
    AmendEntry,
    AttachRuling,
    Change,
    CorrectHead,
    DetachRuling,
    KeepDraft,
    PutBack,
    RestoreEntry,
    Undo,
    WithdrawEntry,
)
from .errors import NoSuchEntry, NoSuchMatch, NotTheWriter
from .history import EntryChange, HeadChange, OtherEvent, ToldEvent, tell_history
from .match import EntryPlace, Match
from .matches import Matches, Submission
from .summaries import MatchSummary

__all__ = [
    "AddEntry",
    "AmendEntry",
    "AttachRuling",
    "Change",
    "CorrectHead",
    "DetachRuling",
    "EntryChange",
    "EntryPlace",
    "HeadChange",
    "KeepDraft",
    "Match",
    "MatchSummary",
    "Matches",
    "NoSuchEntry",
    "NoSuchMatch",
    "NotTheWriter",
    "OtherEvent",
    "PutBack",
    "RestoreEntry",
    "Submission",
    "ToldEvent",
    "Undo",
    "WithdrawEntry",
    "tell_history",
]
