"""The application without its pages: opens, writes, lists matches and chains them into evenings.

Pages, the API and the command line call it; it is given a `Store`, and knows no Flask and no language.
"""

from companion.record.log import EntryChange, EntryRemark, HeadChange, HistoryEvent, OtherEvent

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
from .history import describe_history
from .match import (
    DeletedMatch,
    EntryPlace,
    Match,
    MatchSummary,
    NoSuchEntry,
    NoSuchMatch,
    NotTheWriter,
    TooMany,
)
from .matches import Matches, Submission, limit_time
from .sharing.access import (
    Access,
    Role,
    find_agreeable_entry,
    list_changed_agreements,
    speaks_for_owner,
)
from .sharing.identities import Identities, RenewedMeanwhile
from .sharing.invitations import Invitation, Invitations, NoSuchLink
from .sharing.moves import Code, Moves, NoSuchMove, UnreadableWords
from .sharing.tokens import TokenEnded, Tokens
from .trash import Trash, VisibilityChoice
