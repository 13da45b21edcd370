"""The verbs of the application: start a match, open it, write in it, list them, save rulings."""

import base64
import hmac
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from itertools import count
from random import uniform
from time import monotonic, sleep
from typing import Any, cast

from companion import library
from companion.people import Note, is_note, make_note, read_note
from companion.record.log import Event, is_same_form
from companion.record.record import read_record, try_entry, with_first_dealer
from companion.rules.errors import Unreadable, contradictions
from companion.rules.message import Message
from companion.store import (
    ListedMatch,
    ListPlace,
    SavedRuling,
    ServerStore,
    StaleWrite,
    Store,
    StoredMatch,
    StoreUnavailable,
    Token,
)

from .changes import Change, changes_nothing, check_room
from .match import (
    DeletedMatch,
    Match,
    MatchMemory,
    MatchSummary,
    NoSuchMatch,
    NotTheWriter,
    continue_match,
    is_complete,
    make_document,
    open_stored,
    read_summary,
    summarize_match,
)
from .sharing.access import Access, decide_access
from .sharing.identities import Identities
from .sharing.invitations import Invitations
from .sharing.moves import Moves
from .sharing.tokens import Tokens
from .trash import Trash

_FIRST = "2026"
"""The year before which no phone had this app: a clock that was ever set shows a later time, as text."""


def limit_time(at: str, now: str, since: str = "") -> str:
    """Limit a time by a phone's clock, which may be wrong, to the past.

    It is not before the preceding event, `since`; without one, a clock older than the app was never set, and
    the result is now.

    >>> limit_time("2026-11-20", "2026-11-21"), limit_time("2026-11-22", "2026-11-21")
    ('2026-11-20', '2026-11-21')
    >>> limit_time("2020-02-29", "2026-11-21", "2026-11-20"), limit_time("2020-02-29", "2026-11-21")
    ('2026-11-20', '2026-11-21')
    """
    return min(max(at, since), now) if since or at >= _FIRST else now


class IdMaker:
    """Makes the ids of things created by owners' forms: unguessable, and equal on server and phone.

    The server's secret and the owner give a seed; seed and form key give the id. The owner's phone may know
    the seed, so that a form it writes by itself gets the same id as on the server. `secrets` are the present
    one and former ones; instead a phone has its owner's `seed`, as hex digits.

    >>> ids = IdMaker(["secret"])
    >>> ids.make("me", "form")[0] == IdMaker([], ids.seed("me")).make("whoever", "form")[0]
    True
    >>> ids.make("me", "form")[0] == ids.make("you", "form")[0]
    False
    """

    def __init__(self, secrets: Sequence[str], seed: str = "") -> None:
        self._secrets, self._seed = secrets, seed

    def seed(self, owner: str) -> str:
        """The seed for the ids of this owner's forms, and nobody else's; as hex digits."""
        return self._seed or _digest(self._secrets[0].encode(), f"seed of {owner}").hex()

    def take_seed(self, seed: str) -> None:
        """Make ids from another seed from now on."""
        self._seed = seed

    def make(self, owner: str, form_key: str) -> list[str]:
        """The id of the thing that one form creates, followed by the ids from former methods.

        Those are former secrets, and all secrets without a seed.
        """
        if self._seed:
            return [_encode(_digest(bytes.fromhex(self._seed), form_key))]
        keys = [secret.encode() for secret in self._secrets]
        seeds = [_digest(key, f"seed of {owner}") for key in keys]
        ids = [_digest(seed, form_key) for seed in seeds]
        return [*map(_encode, ids), *(_encode(_digest(key, f"{owner}:{form_key}")) for key in keys)]


def _digest(key: bytes, content: str) -> bytes:
    return hmac.digest(key, content.encode(), "sha256")


def _encode(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


MAX_GAMES = 40
"""The most earlier games of one evening."""
_END = 2**31 - 1
"""A number after all events of any log."""
_MAX_RETRY_DELAY = 0.05
"""Seconds between two attempts, at most; the delay is random, so that the same writers do not meet again."""


@dataclass(frozen=True)
class Submission:
    """A form as it was sent: the author, the log's length (`seq`) when it was made, and its own key.

    A form sent twice has the same key, and writes once. One that a device recorded offline has the time `at`,
    as in logs; it arrives now. A program sends it with a `token` of its author.
    """

    author: str
    seq: int
    key: str
    at: str = ""
    token: Token | None = None


@dataclass(frozen=True)
class MatchListPage:
    """A page of a list of matches, and whether there are newer and older ones."""

    listed: list[ListedMatch]
    has_newer: bool
    has_older: bool


class _LostRace(StaleWrite):
    """Another write came first that does not affect this change: it can be tried again."""


class Matches:
    """All matches of one store. `secret` makes unguessable ids; `now` is the clock, in UTC.

    `former` are earlier secrets, by whose ids things are still found. A phone that keeps its own matches
    knows no secret, but its owner's `seed`.
    """

    retry_seconds = 10.0
    """Seconds for which a change is tried again while others, who comment on the match, are quicker."""

    def __init__(
        self,
        store: Store,
        secret: str = "",
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        former: Sequence[str] = (),
        seed: str = "",
    ) -> None:
        self.store, self._now = store, now
        self.ids = IdMaker((secret, *former), seed)
        self._memory = MatchMemory()
        self.list_matches, self.count_matches = store.list_matches, store.count_matches
        self.trash = Trash(store, now)
        self.invitations = Invitations(self.server_store, self.ids.make, self.timestamp)
        self.moves = Moves(self.server_store, now)
        self.tokens = Tokens(self.server_store, self.ids.make, now)
        self.identities = Identities(self.server_store, self.timestamp)

    @property
    def server_store(self) -> ServerStore:
        """The store of a server; a phone's has less, as it does not share matches."""
        return cast(ServerStore, self.store)

    # --- opening ---------------------------------------------------------------------------------

    def open(self, id: str) -> Match:
        """Open the match: the cached one, with events written since.

        :raises NoSuchMatch: if it does not exist; `DeletedMatch` if it is in the trash.
        :raises Unreadable: if this version cannot read its log.
        """
        remembered = self._memory.recall(id)
        match = self._reopen(id) if remembered is None else self._bring_up_to_date(remembered)
        self._memory.remember(match)
        return match

    def _reopen(self, id: str) -> Match:
        stored = self.store.load_match(id)
        if stored is None:
            raise NoSuchMatch(id)
        if stored.deleted_at is not None:
            raise DeletedMatch(id, stored.owner)
        return open_stored(stored)

    def _bring_up_to_date(self, match: Match) -> Match:
        """Add the events written since to a cached match."""
        last = match.events[-1:]
        stored = self.store.load_match(match.id, after=match.seq - len(last))
        # The last event is read once more, as a store may have been restored to an earlier state.
        if stored is None or stored.deleted_at is not None or stored.events[: len(last)] != last:
            self._memory.forget(match.id)
            return self._reopen(match.id)
        later = stored.events[len(last) :]
        return continue_match(match, later) if later else match

    def open_if_readable(self, id: Any) -> Match | None:
        """The match with this id; None if it does not exist, or can no longer be read."""
        if not isinstance(id, str):
            return None
        try:
            return self.open(id)
        except (NoSuchMatch, Unreadable):
            return None

    def evening(self, match: Match) -> list[Match]:
        """The matches of an evening up to this one, oldest first: each follows the one before it.

        They go back as far as the same seats are filled in games of one family, by one owner.
        """
        games, ids = [match], {match.id}
        while len(games) <= MAX_GAMES:
            earlier = self.open_if_readable(games[-1].head.get("follows"))
            if earlier is None or earlier.id in ids or earlier.owner != match.owner:
                break
            if earlier.game.family_name != match.game.family_name or earlier.state.ring != match.state.ring:
                break
            ids.add(earlier.id)
            games.append(earlier)
        return games[::-1]

    def successor(self, match: Match) -> str | None:
        """The id of the game that was begun after this one, by the same owner; None without one."""
        return None if match.playing else self.store.find_successor(match.id, match.owner)

    # --- writing ---------------------------------------------------------------------------------

    def start(
        self, head: Mapping[str, Any], owner: str, form_key: str, opening: Mapping[str, Any] | None = None
    ) -> str:
        """Begin a match, perhaps one taken over from paper; return its id. One form makes one match.

        The first dealer follows from the previous match if the head does not say.

        :raises Unreadable: if the head is invalid.
        :raises RuleViolation: if the opening entry breaks a rule.
        """
        record, game = read_record(make_document(head), library.open_game)
        if "first_dealer" not in head:
            earlier = self.open_if_readable(head.get("follows"))
            with contradictions():
                record = with_first_dealer(record, earlier.state.next_dealer if earlier is not None else None)
                game.family.start(record.head)  # which refuses a seat that this table does not have
            head = {**head, "first_dealer": record.head["first_dealer"]}
        at = self.timestamp()
        events: tuple[Event, ...] = ()
        if opening is not None:
            try_entry(game.family, 1, opening, game.family.start(record.head)).check()
            events = (Event(1, "add", payload=dict(opening), author=owner, at=at),)
        return self._create(
            StoredMatch("", owner, {**head, **game.pinned}, events, at, game.book.version), form_key
        )

    def take_start(self, id: str, head: Mapping[str, Any], who: str, at: str) -> None:
        """Begin a match that a phone began without network at that time, under the id from the phone.

        It belongs to whoever began it, or to the owner of the match that it continues, if they may write in
        that. The same match again changes nothing.

        :raises Unreadable: if the head is invalid.
        :raises StaleWrite: if the id is another owner's.
        """
        _record, game = read_record(make_document(head), library.open_game)
        earlier, now = self._find_earlier(head, who), self.timestamp()
        owner = earlier.owner if earlier is not None else who
        begun = StoredMatch(
            id, owner, {**head, **game.pinned}, (), limit_time(at, now), game.book.version, arrived=now
        )
        self.store.create_match(begun)
        if earlier is not None:
            self._lead_on(earlier, id)

    def _find_earlier(self, head: Mapping[str, Any], who: str) -> Match | None:
        """The match that this head continues by the same rules, if `who` may write in it."""
        earlier, agreed = self.open_if_readable(head.get("follows")), ("game", "preset", "conventions")
        if earlier is None or any(head.get(key) != earlier.head.get(key) for key in agreed):
            return None
        return earlier if self.access(earlier, who).may_record else None

    def _create(self, match: StoredMatch, form_key: str) -> str:
        id = self.make_id(match.owner, form_key)
        self.store.create_match(replace(match, id=id))
        return id

    def start_again(self, match: Match, zone: tzinfo | None = None) -> str:
        """The id of the game after a finished one: same players and rules, with the dealer they require.

        A game has one successor, however often this is called. It begins by the clock of the zone.

        :raises Unreadable: if the host has removed or changed the game.
        """
        successor = self.successor(match)
        if successor is not None:
            return successor
        if match.game_now != "same":
            raise Unreadable(
                "game", Message("a game that its host has neither changed nor removed since"), match.game.name
            )
        head = {key: value for key, value in match.head.items() if key not in ("id", "follows", "started")}
        head |= {"follows": match.id, "started": self.local_time(zone)}
        if match.state.next_dealer is not None:
            head["first_dealer"] = match.state.next_dealer
        if match.agreed:
            head["conventions"] = match.agreed
        # Names are taken unchanged, though they might be refused today. The key depends on the game: two
        # requests at once make the same match.
        again = StoredMatch("", match.owner, head, (), self.timestamp(), match.game.book.version)
        id = self._create_again(again, match.id)
        self._lead_on(match, id)
        return id

    def _lead_on(self, match: Match, id: str) -> None:
        """Give the phones of a match the same rights in the one that follows it."""
        self.invitations.take_along(match, id)
        self.store.count_change(match.id)  # its pages link to the new one

    def _create_again(self, match: StoredMatch, earlier: str) -> str:
        """Begin the match that follows an earlier one, besides any deleted successors."""
        for n in count():
            id = self._create(match, f"after {earlier}" + (f", {n} deleted" if n else ""))
            stored = self.store.load_match(id)
            if stored is None or stored.deleted_at is None:
                return id
        raise AssertionError("unreachable")

    def access(self, match: Match, who: str | None, token: Token | None = None) -> Access:
        """The access of this browser to the match, or of a program with this token."""
        is_known = who is not None and who != match.owner
        grant = self.store.find_grant(match.id, who) if is_known and who else None
        return decide_access(match, who, grant, token)

    def find_written(self, match: Match, form_key: str) -> Event | None:
        """The event that this form wrote, if any."""
        return self.store.find_event(match.id, form_key)

    def is_repeated(self, match: Match, change: Change, written: Event) -> bool:
        """True if the change at the event's position would have written the same event."""
        before = open_stored(replace(match.to_stored(), events=match.events[: written.seq - 1]))
        event = change.event(before)
        return event is not None and is_same_form(written, event) and written.undoes == event.undoes

    def write(self, match: Match, change: Change, sent: Submission) -> Match:
        """Apply a change; return the match after it. All writing goes this way, and is refused in this order:

        :raises NotTheWriter: if the author may not write.
        :raises StaleWrite: if others have since written something that changes its meaning, or were always
            first; a form that was written before is not refused again.
        :raises NoSuchEntry: if the entry or ruling does not exist.
        :raises TooMany: if the match is full, or the side has reached the limit of remarks on the entry.
        :raises Unreadable: if an entry or a head is invalid.
        :raises RuleViolation: if an entry breaks a rule.
        """
        if not self.access(match, sent.author, sent.token).may_make(change, match):
            raise NotTheWriter(match.id)
        until = monotonic() + self.retry_seconds
        while True:
            try:
                return self._write(match, change, sent)
            except _LostRace:
                if monotonic() > until:
                    raise
            sleep(uniform(0, _MAX_RETRY_DELAY))
            match = self.open(match.id)

    def _write(self, match: Match, change: Change, sent: Submission) -> Match:
        # A form made at the newest event was not written before: that would have added an event.
        is_first = sent.seq == match.seq and sent.token is None and not sent.at
        again, tried = None if is_first else self.store.find_event(match.id, sent.key), None
        if again is None:
            later = match.events[sent.seq :]
            # Before any rule: a change made for an older state breaks rules it cannot know.
            if sent.seq > match.seq or any(change.is_made_stale_by(event) for event in later):
                raise StaleWrite(match.id, later)
            check_room(match, change)
            tried = change.check(match)
        # An undo's event follows from the log, which has grown since it was first sent.
        event = change.event(match) if again is None or again.undoes is None else again
        # A device numbers all its events, even those without effect: each one it sends is written.
        if event is None or (not sent.at and changes_nothing(match, event)):
            return match
        now = self.timestamp()
        before = match.events[-1].at if match.events else match.created_at
        at, arrived = (limit_time(sent.at, now, before), now) if sent.at else (now, "")
        signed = replace(event, seq=0, author=sent.author, at=at, arrived=arrived)
        try:
            written = self.store.append_event(match.id, match.seq, signed, sent.key)
        except KeyError:  # deleted at this very moment
            self.open(match.id)
            raise NoSuchMatch(match.id) from None
        except StaleWrite as stale:
            if again is None and stale.events and not any(map(change.is_made_stale_by, stale.events)):
                raise _LostRace(match.id, (*match.events[sent.seq :], *stale.events)) from None
            raise
        if written.seq != match.seq + 1:  # written before, or by the other of two taps
            return self.open(match.id)
        after = continue_match(match, (written,), tried)
        self._memory.remember(after)
        return after

    # --- lists -----------------------------------------------------------------------------------

    def list_page(
        self,
        owner: str | None,
        search: str,
        length: int,
        after: ListPlace | None = None,
        before: ListPlace | None = None,
        zone: tzinfo | None = None,
    ) -> MatchListPage:
        """A page of a browser's list: its start, the matches `after` a position, or those just `before` one.

        Days in a search are in the `zone`, or else this machine's. Matches that were in the owner's trash for
        too long are erased now.
        """
        if owner is not None:
            self.trash.erase_old(owner)
        listed = self.store.list_matches(owner, search, length + 1, after, before, zone)
        has_more = len(listed) > length
        if before is not None:
            return MatchListPage(listed[-length:], has_newer=has_more, has_older=True)
        return MatchListPage(listed[:length], has_newer=after is not None, has_older=has_more)

    def summary(self, listed: ListedMatch) -> MatchSummary | None:
        """The summary of a match for lists; None if its log cannot be read any more."""
        values = listed.summary
        if values is None or not is_complete(values):  # it may be by an older version, with fewer values
            match = self._open_listed(listed)
            if match is None:
                return None
            values = summarize_match(match)
            with suppress(StoreUnavailable):  # only what would have to be computed again
                self.store.remember_summary(listed.id, match.seq, values)
        return read_summary(listed, values)

    def _open_listed(self, listed: ListedMatch) -> Match | None:
        """The match in a list, of the trash too; None if its log cannot be read any more."""
        if listed.hidden_at is None:
            return self.open_if_readable(listed.id)
        stored = self.store.load_match(listed.id)
        try:
            return None if stored is None else open_stored(stored)
        except Unreadable:
            return None

    # --- rulings and notes -----------------------------------------------------------------------

    def find_ruling(self, id: str) -> SavedRuling | None:
        """The ruling saved under this id, or None."""
        found = self.store.find_ruling(id)
        return None if found is None or is_note(found.content) else found

    def save_ruling(self, owner: str, form_key: str, content: Mapping[str, Any]) -> SavedRuling:
        """Save a ruling; the same form sent again is the same ruling, whatever its question is now."""
        id, *former = self.ids.make(owner, form_key)
        for made in former:
            found = self.store.find_ruling(made)
            if found is not None and found.owner == owner:
                return found
        ruling = SavedRuling(id, owner, self.timestamp(), content)
        self.store.save_ruling(ruling)
        return self.store.find_ruling(id) or ruling

    def list_rulings(self, owner: str | None) -> list[SavedRuling]:
        """The rulings that a browser saved, oldest first."""
        saved = [] if owner is None else self.store.list_rulings(owner)
        return [ruling for ruling in saved if not is_note(ruling.content)]

    def add_note(self, owner: str, form_key: str, kind: str, said: Mapping[str, Any]) -> None:
        """Write a note into the owner's journal; the same form sent again is the same note."""
        self.save_ruling(owner, f"note {form_key}", make_note(kind, said))

    def has_note(self, owner: str, form_key: str) -> bool:
        """True if this form was written into the owner's journal before: a second tap."""
        return any(map(self.store.find_ruling, self.ids.make(owner, f"note {form_key}")))

    def list_notes(self, owner: str | None) -> list[Note]:
        """The journal of an owner, oldest first."""
        saved = [] if owner is None else self.store.list_rulings(owner)
        return [read_note(note.id, note.at, note.content) for note in saved if is_note(note.content)]

    # --- ids and times ---------------------------------------------------------------------------

    def make_id(self, owner: str, form_key: str) -> str:
        """The id of the match that one form makes, or that a former method made of it."""
        id, *former = self.ids.make(owner, form_key)
        for made in former:
            found = self.store.load_match(made, after=_END)
            if found is not None and found.owner == owner:
                return made
        return id

    def timestamp(self) -> str:
        """The present moment in the form of logs: ISO 8601 in UTC, to the millisecond."""
        return self._now().isoformat(timespec="milliseconds")

    def local_time(self, zone: tzinfo | None = None) -> str:
        """The present moment in the form of a record's head: by the clock of the zone, or this machine's."""
        return self._now().astimezone(zone).isoformat(timespec="seconds")
