"""Inspecting files, and importing their contents: ids stay, and nothing is imported twice.

A match that is here already is left alone if it has the same entries or more, continued if the record has a
longer log with the same beginning, and copied if the two differ. It is also copied if its id belongs to
another owner's match, or to an erased one, of which nothing is revealed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from companion.matches import Matches
from companion.matches.match import open_stored, summarize_match
from companion.record.record import PortableRuling
from companion.rules.errors import Unreadable
from companion.rules.message import Message
from companion.store import SavedRuling, StaleWrite, StoredMatch, StoreUnavailable

from .incoming import (
    Incoming,
    fingerprint,
    is_ours,
    read_incoming,
    read_journal,
    read_loose_ruling,
    strip_head,
)
from .reading import Data, Piece, list_pieces, read_pieces
from .rows import ROWS_FORMAT, UNREAD
from .writing import JOURNAL_FORMAT, RULING_FORMAT, Progress, report

Plan = Literal["new", "continued", "skipped", "copy", "refused"]
What = Literal["match", "ruling", "journal"]
MAX_COPIES = 50
"""The most copies of one id."""
_ATTEMPTS = 20
_ID_LENGTH = 22


@dataclass(frozen=True)
class Found:
    """A match, a saved ruling or a journal in a file, and what importing it would do.

    `what` is "match", "ruling" or "journal"; its `plan` is "new", "continued" (a match here gets `more`
    events), "skipped" (it is here already), "copy" (beside one that differs), or "refused", for which
    `problem` gives reason and path. `flagged` entries contradict the rules; they are imported all the same.
    `game` is the game's id, `title` its name, `started` the beginning of the match. `id` is the match's id
    here, now or after the import; `called` its id in the file, `follows` that of the match before it.
    """

    piece: Piece
    plan: Plan
    what: What = "match"
    id: str = ""
    called: str = ""
    follows: str = ""
    game: str = ""
    title: str = ""
    players: tuple[str, ...] = ()
    started: str = ""
    deals: int = 0
    flagged: int = 0
    more: int = 0
    problem: Unreadable | None = None

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.piece.name


@dataclass(frozen=True)
class Imported:
    """The result for a match or ruling that was found; `id` is its id here, empty if refused."""

    found: Found
    plan: Plan
    id: str = ""
    problem: Unreadable | None = None


def look_through(
    matches: Matches, owner: str, data: Data, name: str = "", progress: Progress | None = None
) -> list[Found]:
    """List the contents of a file, in its order, with the effect of importing them for this owner, unwritten.

    An unreadable file is one `Found` with the reason.
    """
    try:
        pieces = list_pieces(data, name)
    except Unreadable as error:
        return [Found(Piece(data, name), "refused", problem=error)]
    found = list(_Importer(matches, owner).look(pieces, progress))
    indexes = {id(piece): index for index, piece in enumerate(pieces)}
    return sorted(found, key=lambda each: indexes[id(each.piece)])


def import_found(
    matches: Matches, owner: str, found: Sequence[Found], progress: Progress | None = None
) -> list[Imported]:
    """Import each match with its rulings whole or not at all; refused ones stay refused.

    A match then belongs to the owner, and nobody else writes in it: its authors are letters. It is planned
    again, as matches here may have changed since.
    """
    return _Importer(matches, owner).import_found(found, progress)


class _Importer:
    """Plans and imports the contents of files for one owner, with the ids that their matches get here."""

    def __init__(self, matches: Matches, owner: str) -> None:
        self._matches, self._store, self._owner = matches, matches.store, owner
        self._now = matches.timestamp()
        self._ids: dict[str, str] = {}
        """The id of each here, by its id in the file."""
        self._next_dealers: dict[str, str | None] = {}
        """While nothing is written: the dealer after each, by its id in the file."""
        self._planned: dict[str, _Standing] = {}
        """While nothing is written: the matches as they would be here, by id."""
        self._taken: set[str] = set()
        """Ids of matches that other owners erased."""

    def look(self, pieces: Sequence[Piece], progress: Progress | None) -> Iterator[Found]:
        """Read each piece. Records that need another one for their first dealer come after it."""
        waiting, is_last, done = list(pieces), False, 0
        while waiting:
            later: list[Piece] = []
            for piece, document in read_pieces(waiting):
                if not is_last and self._lacks_dealer(document):
                    later.append(piece)
                    continue
                report(progress, done, len(pieces))
                done += 1
                yield self._look_at(piece, document)
            waiting, is_last = later, len(later) == len(waiting)
        report(progress, done, len(pieces))

    def import_found(self, found: Sequence[Found], progress: Progress | None) -> list[Imported]:
        """Write the contents; matches that are followed come before those that follow them."""
        ordered, imported = _put_in_order(found), list[Imported]()
        pieces = read_pieces([each.piece for each in ordered])
        for each, (_piece, document) in zip(ordered, pieces, strict=True):
            report(progress, len(imported), len(found))
            imported.append(self._import_piece(each, document))
        report(progress, len(imported), len(found))
        by_found = {id(each.found): each for each in imported}
        return [by_found[id(each)] for each in found]

    # --- each of them ----------------------------------------------------------------------------

    def _look_at(self, piece: Piece, document: Any) -> Found:
        try:
            if _has_format(document, RULING_FORMAT):
                ruling = read_loose_ruling(document)
                return Found(piece, self._plan_ruling(ruling), "ruling", id=ruling.id)
            if _has_format(document, JOURNAL_FORMAT):
                return Found(piece, self._plan_journal(read_journal(document)), "journal")
            incoming = self._read(document)
            destination = self._find_destination(incoming)
        except Unreadable as error:
            return Found(piece, "refused", problem=error)
        if incoming.id:
            self._next_dealers[incoming.id] = incoming.state.next_dealer
        if destination.plan != "skipped":
            self._planned[destination.id] = _Standing(incoming.head, fingerprint(incoming.log))
        return Found(
            piece,
            destination.plan,
            id=destination.id,
            called=incoming.id,
            follows=incoming.follows,
            game=incoming.game.name,
            title=incoming.game.book.title,
            players=tuple(incoming.record.head["players"]),
            started=str(incoming.record.head.get("started") or incoming.begun_at),
            deals=incoming.deals,
            flagged=len(incoming.state.problems),
            more=destination.more,
        )

    def _import_piece(self, found: Found, document: Any) -> Imported:
        if found.plan == "refused":
            return Imported(found, "refused", problem=found.problem)
        try:
            if _has_format(document, RULING_FORMAT):
                ruling = read_loose_ruling(document)
                plan = self._plan_ruling(ruling)
                self._save_rulings([ruling])
                return Imported(found, plan, ruling.id)
            if _has_format(document, JOURNAL_FORMAT):
                return Imported(found, self._import_journal(read_journal(document)))
            return self._import_match(found, self._read(document))
        except Unreadable as error:
            return Imported(found, "refused", problem=error)

    def _import_match(self, found: Found, incoming: Incoming) -> Imported:
        for _attempt in range(_ATTEMPTS):
            destination = self._find_destination(incoming)
            try:
                self._write(destination, incoming)
            except StaleWrite:  # somebody wrote in it just now, or nobody else can have the id: find another
                if self._store.load_match(destination.id) is None:
                    self._taken.add(destination.id)
                continue
            if incoming.id:
                self._ids[incoming.id] = destination.id
            return Imported(found, destination.plan, destination.id)
        raise StoreUnavailable("busy", f"{_ATTEMPTS} others were quicker")

    def _write(self, destination: "_Destination", incoming: Incoming) -> None:
        """Write a match with its rulings. :raises StaleWrite: if others wrote there meanwhile."""
        self._save_rulings(incoming.rulings, {incoming.id: destination.id})
        if destination.is_deleted:
            self._store.set_visibility(destination.id, "listed", self._now)
        if destination.more:
            self._store.append_events(destination.id, destination.length, incoming.log[destination.length :])
        elif not destination.length:
            head = dict(incoming.head)
            if incoming.follows:
                head["follows"] = self._find_id(incoming.follows)
            stored = StoredMatch(
                destination.id, self._owner, head, incoming.log, incoming.begun_at, incoming.rulebook
            )
            match = open_stored(stored)
            self._store.create_match(stored)
            there = self._store.load_match(destination.id)
            if there is None or fingerprint(there.events) != fingerprint(incoming.log):
                raise StaleWrite(
                    destination.id, ()
                )  # one with this id was imported by somebody else at the same moment
            self._store.remember_summary(destination.id, match.seq, summarize_match(match))

    def _save_rulings(self, rulings: Iterable[PortableRuling], ids: Mapping[str, str] | None = None) -> None:
        for ruling in rulings:
            content = dict(ruling.content)
            if ids and content.get("match") in ids:
                content["match"] = ids[content["match"]]
            self._store.save_ruling(SavedRuling(ruling.id, self._owner, ruling.at, content))

    def _import_journal(self, notes: Sequence[PortableRuling]) -> Plan:
        """Write notes that are not here yet; matches they name get their ids here."""
        plan = self._plan_journal(notes)
        for note in notes:
            names = {member: self._find_named(value) for member, value in note.content["said"].items()}
            content = {**note.content, "said": names}
            id = self._find_note_id(note)
            self._store.save_ruling(SavedRuling(id, self._owner, note.at, content))
        return plan

    def _find_named(self, value: Any) -> Any:
        """Translate a match's id in a note, whatever is behind it, to the id here; other values stay."""
        if isinstance(value, str) and value[:_ID_LENGTH] in self._ids:
            return self._ids[value[:_ID_LENGTH]] + value[_ID_LENGTH:]
        return value

    # --- ids and plans ---------------------------------------------------------------------------

    def _read(self, document: Any) -> Incoming:
        if isinstance(document, Unreadable):
            raise document
        if _has_format(document, ROWS_FORMAT):
            raise Unreadable("rows", UNREAD)
        return read_incoming(document, self._now, self._find_next_dealer)

    def _find_destination(self, incoming: Incoming) -> "_Destination":
        """Find the id for a match: its own, or that of the first copy which agrees with it or is free."""
        first = self._find_id(incoming.name) if incoming.id else self._name(incoming.name)
        for n in range(MAX_COPIES + 1):
            id = self._matches.make_id(self._owner, f"copy {n} of {first}") if n else first
            stored = self._store.load_match(id)
            if id in self._taken or (stored is not None and stored.owner != self._owner):
                continue
            standing = self._planned.get(id)
            if standing is None and stored is not None:
                standing = _Standing(stored.head, fingerprint(stored.events), stored)
            if standing is None:
                return _Destination(id, "copy" if n else "new")
            more = standing.count_more(incoming)
            if more is not None:
                is_deleted = stored is not None and stored.deleted_at is not None
                plan: Plan = "new" if is_deleted else "continued" if more > 0 else "skipped"
                return _Destination(id, plan, max(more, 0), len(standing.log), is_deleted)
        raise Unreadable("id", Message("the id of a match with at most {most} copies", most=MAX_COPIES))

    def _find_id(self, name: str) -> str:
        """The id here of a match with this id in the file, unless it is a copy."""
        return self._ids.get(name) or (name if is_ours(name) else self._name(name))

    def _name(self, name: str) -> str:
        return self._matches.make_id(self._owner, f"record {name}")

    def _find_next_dealer(self, follows: str) -> str | None:
        """The dealer after a match that is imported too, or that is the owner's."""
        if follows in self._next_dealers:
            return self._next_dealers[follows]
        match = self._matches.open_if_readable(self._find_id(follows))
        return match.state.next_dealer if match is not None and match.owner == self._owner else None

    def _lacks_dealer(self, document: Any) -> bool:
        """True if a record's first dealer follows only from an earlier match that is not known yet."""
        if not isinstance(document, dict) or "log" in document or "first_dealer" in document:
            return False
        follows = document.get("follows")
        return isinstance(follows, str) and self._find_next_dealer(follows) is None

    def _plan_ruling(self, ruling: PortableRuling) -> Plan:
        return "new" if self._matches.find_ruling(ruling.id) is None else "skipped"

    def _plan_journal(self, notes: Iterable[PortableRuling]) -> Plan:
        is_here = all(self._store.find_ruling(self._find_note_id(note)) is not None for note in notes)
        return "skipped" if is_here else "new"

    def _find_note_id(self, note: PortableRuling) -> str:
        """The id of a note here: its own, unless somebody else's note has it."""
        there = self._store.find_ruling(note.id)
        is_free = there is None or there.owner == self._owner
        return note.id if is_free else self._matches.make_id(self._owner, f"note {note.id}")


@dataclass(frozen=True)
class _Destination:
    """The destination of a match: its id and plan, the number of added events, and that of earlier ones."""

    id: str
    plan: Plan
    more: int = 0
    length: int = 0
    is_deleted: bool = False


@dataclass(frozen=True)
class _Standing:
    """A match here, existing or planned: its head and its events' effects; `stored` if it exists."""

    head: Mapping[str, Any]
    log: tuple[bytes, ...]
    stored: StoredMatch | None = None

    def count_more(self, incoming: Incoming) -> int | None:
        """The number of further events of the same match in the file, negative if it has fewer.

        None if it is another match.
        """
        if strip_head(self.head) != strip_head(incoming.head):
            return None
        if not incoming.has_log and self.stored is not None and self._says_the_same(incoming, self.stored):
            return 0
        log = fingerprint(incoming.log)
        shorter = min(len(log), len(self.log))
        return len(log) - len(self.log) if log[:shorter] == self.log[:shorter] else None

    def _says_the_same(self, incoming: Incoming, stored: StoredMatch) -> bool:
        """True if a record without a history agrees with the match."""
        try:
            there = open_stored(stored).to_record()
        except Unreadable:
            return False
        return (there.entries, there.remarks) == (incoming.record.entries, incoming.record.remarks)


def _has_format(document: Any, name: str) -> bool:
    return isinstance(document, dict) and document.get("format") == name


def _put_in_order(found: Sequence[Found]) -> list[Found]:
    """Sort each match after the one that it follows; those in a circle stay in order."""
    by_id = {each.called: each for each in found if each.called}
    ordered: dict[int, Found] = {}
    for match in found:
        line = [match]
        while (earlier := by_id.get(line[-1].follows)) is not None and earlier not in line:
            line.append(earlier)
        ordered |= {id(each): each for each in reversed(line) if id(each) not in ordered}
    return list(ordered.values())
