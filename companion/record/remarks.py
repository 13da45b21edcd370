"""The players' remarks on entries: agreements, objections, and how these ended.

Remarks never change a score. An agreement is to the content of the entry: once that changes, it no longer
holds. An objection is open until the entry is corrected, a ruling on it is attached, or it is withdrawn. None
of this is stored; it follows from the log.

>>> log = [
...     Event(1, "add", payload={"type": "deal", "totals": {"A": 82, "B": 65}}),
...     Event(2, "agree", 1, {"side": "A"}),
...     Event(3, "object", 1, {"side": "B", "reason": "count", "totals": {"A": 80, "B": 67}}),
... ]
>>> read_remarks(log).open[0].side
'B'
>>> remarks = read_remarks([*log, Event(4, "amend", 1, {"type": "deal", "totals": {"A": 80, "B": 67}})])
>>> remarks.objections[0].settled.how, remarks.agreements[0].holds
('amended', False)
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import Any, Literal

from companion.rules.schema import Choice, Integer, Nullable, SideOf, Text, by_side, field

from .log import Event, read_log

REASONS = ("count", "runs", "trump", "revoke", "other")
"""The reasons for objecting to an entry."""

REMARKS = frozenset({"agree", "object", "settle"})
"""The kinds of events that are remarks; they change no entry, so they make no form stale."""


@dataclass(frozen=True, slots=True)
class ObjectionFacts:
    """The payload of an objection: the `side`, the `reason`, and optional details."""

    side: str = field(SideOf())
    reason: str = field(Choice(REASONS))
    text: str = field(Text(300), "")
    totals: Mapping[str, int] | None = field(Nullable(by_side(Integer(0, 9999))), None)


@dataclass(frozen=True, slots=True)
class ObjectionEnd:
    """The end of an objection: how, and the event, which has author and time."""

    how: Literal["amended", "ruled", "withdrawn"]
    event: Event


@dataclass(frozen=True, slots=True)
class Objection:
    """A side's doubt about an entry: the reason, its words, and the `totals` it holds to be right, if any.

    `seq` is the number of the event that made it, `entry` the id of the entry.
    """

    seq: int
    entry: int
    side: str
    reason: str
    text: str
    totals: Mapping[str, int] | None
    author: str
    at: str
    settled: ObjectionEnd | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """A side's agreement to an entry's content. `ended` is the event after which it no longer held."""

    seq: int
    entry: int
    side: str
    author: str
    at: str
    ended: Event | None = None

    @property
    def holds(self) -> bool:
        """True while the entry's content is what was agreed to, and the side has not objected to it since."""
        return self.ended is None

    @property
    def is_stale(self) -> bool:
        """True if it no longer holds because the entry's content changed."""
        return self.ended is not None and self.ended.kind != "object"


@dataclass(frozen=True, slots=True)
class EntryRemarks:
    """All remarks on one entry, oldest first; of each side only the last agreement."""

    objections: tuple[Objection, ...] = ()
    agreements: tuple[Agreement, ...] = ()

    @property
    def agreed(self) -> tuple[str, ...]:
        """The sides that agree to its present content."""
        return tuple(agreement.side for agreement in self.agreements if agreement.holds)


@dataclass(frozen=True, slots=True)
class Remarks:
    """The remarks of a match by the ids of their entries.

    `open` are the objections that are not settled, oldest first, and `changed` the agreements that no longer
    hold since their entry's content changed. `said` are the events behind the remarks on each entry, and
    `subjects` the entries of the objections, and of the rulings on them, by their numbers.
    """

    by_entry: Mapping[int, EntryRemarks] = dataclass_field(default_factory=dict)
    open: tuple[Objection, ...] = ()
    changed: tuple[Agreement, ...] = ()
    said: Mapping[int, tuple[Event, ...]] = dataclass_field(default_factory=dict)
    subjects: Mapping[int, int] = dataclass_field(default_factory=dict)

    @property
    def objections(self) -> tuple[Objection, ...]:
        """All objections, oldest first."""
        every = (objection for remarks in self.by_entry.values() for objection in remarks.objections)
        return tuple(sorted(every, key=_seq))

    @property
    def agreements(self) -> tuple[Agreement, ...]:
        """All agreements, oldest first; of each side and entry only the last one."""
        every = (agreement for remarks in self.by_entry.values() for agreement in remarks.agreements)
        return tuple(sorted(every, key=_seq))

    def of_entry(self, entry: int) -> EntryRemarks:
        """The remarks on one entry."""
        return self.by_entry.get(entry, EntryRemarks())

    def agreed(self, entry: int) -> tuple[str, ...]:
        """The sides that agree to an entry's present content."""
        return self.of_entry(entry).agreed

    def objection(self, seq: int) -> Objection | None:
        """The objection with this number."""
        of_entry = self.of_entry(self.subjects.get(seq, 0))
        return next((objection for objection in of_entry.objections if objection.seq == seq), None)

    def follow(
        self,
        events: Iterable[Event],
        find_changes: Callable[[int], Sequence[Event]],
        later_facts: Collection[str] = (),
    ) -> "Remarks":
        """The remarks after further events of their log.

        `find_changes` gives all events that changed an entry, these among them; for `later_facts` see
        `read_remarks`.
        """
        said, subjects, touched = dict(self.said), dict(self.subjects), set[int]()
        for event in events:
            entry, is_remark = _find_subject(event, subjects)
            if entry is None or not (is_remark or entry in said):
                continue
            touched.add(entry)
            if is_remark:
                said[entry] = (*said.get(entry, ()), event)
                subjects |= {event.seq: entry} if event.kind in ("object", "ruling") else {}
        if not touched:
            return self
        fresh = {
            entry: _read_entry(sorted((*find_changes(entry), *said[entry]), key=_seq), later_facts)
            for entry in touched
        }
        still_open = [objection for objection in self.open if objection.entry not in touched]
        still_changed = [agreement for agreement in self.changed if agreement.entry not in touched]
        for remarks in fresh.values():
            still_open += [objection for objection in remarks.objections if objection.settled is None]
            still_changed += [agreement for agreement in remarks.agreements if agreement.is_stale]
        return Remarks(
            {**self.by_entry, **fresh},
            tuple(sorted(still_open, key=_seq)),
            tuple(sorted(still_changed, key=_seq)),
            said,
            subjects,
        )


def _seq(one: Event | Objection | Agreement) -> int:
    return one.seq


def read_remarks(events: Iterable[Event], later_facts: Collection[str] = ()) -> Remarks:
    """The remarks of a log, and their present state.

    Adding facts with the keys `later_facts` to an entry later is no correction.
    """
    log = tuple(events)
    changes = {entry.id: entry.events for entry in read_log(log).entries}
    return Remarks().follow(log, lambda entry: changes.get(entry, ()), later_facts)


def _find_subject(event: Event, subjects: Mapping[int, int]) -> tuple[int | None, bool]:
    """The entry that an event is about, if remarks are possible on it; and true if the event is a remark."""
    match event.kind:
        case "agree" | "object":
            return event.entry or 0, True
        case "settle":
            return subjects.get(event.payload["objection"]), True
        case "ruling" if event.undoes:
            return subjects.get(event.undoes), True
        case "ruling":
            return subjects.get((event.payload or {}).get("objection", 0)), True
        case "amend" | "withdraw" | "restore":
            return event.entry or 0, False
        case _:
            return None, False


def _read_entry(log: Sequence[Event], later_facts: Collection[str]) -> EntryRemarks:
    """The remarks on one entry, from all events about it."""
    objections: dict[int, Objection] = {}
    agreements: dict[str, Agreement] = {}
    content: Any = None
    said: dict[int, Any] = {}  # the entry's content at the time of a remark, by the number of the remark
    for event in log:
        match event.kind:
            case "add" | "amend" | "withdraw" | "restore":
                content = _content_after(event, content)
                differs = {seq: _is_corrected(then, content, later_facts) for seq, then in said.items()}
                for seq, objection in objections.items():
                    objections[seq] = _follow_objection(objection, event, differs[seq])
                for side, agreement in agreements.items():
                    agreements[side] = _follow_agreement(agreement, event, differs[agreement.seq])
            case "agree":
                side = event.payload["side"]
                said[event.seq] = content
                agreements.pop(side, None)
                agreements[side] = Agreement(event.seq, event.entry or 0, side, event.author, event.at)
                objections |= {
                    seq: _settle(objection, "withdrawn", event)
                    for seq, objection in objections.items()
                    if objection.side == side
                }
            case "object":
                objection = _read_objection(event)
                said[event.seq], objections[event.seq] = content, objection
                earlier = agreements.get(objection.side)
                if earlier is not None and earlier.holds:
                    said[earlier.seq] = None  # corrected or not, it is no longer agreed to
                    agreements[objection.side] = replace(earlier, ended=event)
            case "settle" if event.payload["objection"] in objections:
                settled = event.payload["objection"]
                objections[settled] = _settle(objections[settled], "withdrawn", event)
    for event in read_log(log).rulings:
        ruled = (event.payload or {}).get("objection")
        if ruled in objections:
            objections[ruled] = _settle(objections[ruled], "ruled", event)
    return EntryRemarks(tuple(objections.values()), tuple(agreements.values()))


def _content_after(event: Event, before: Any) -> Any:
    """The content of an entry after an event about it, and true if the entry counts."""
    match event.kind:
        case "add" | "amend":
            return event.payload, before is None or before[1]
        case _:
            return (before or (None, True))[0], event.kind == "restore"


def _is_corrected(said: Any, now: Any, later_facts: Collection[str]) -> bool:
    """True if an entry's content, or whether it counts, changed apart from facts only added later."""
    if said is None or not later_facts or not isinstance(said[0], Mapping) or not isinstance(now[0], Mapping):
        return bool(said != now)
    unchanged = {key: fact for key, fact in now[0].items() if key in said[0] or key not in later_facts}
    return bool((dict(said[0]), said[1]) != (unchanged, now[1]))


def _read_objection(event: Event) -> Objection:
    said = event.payload
    return Objection(
        event.seq,
        event.entry or 0,
        said["side"],
        said["reason"],
        said.get("text", ""),
        said.get("totals"),
        event.author,
        event.at,
    )


def _follow_objection(objection: Objection, event: Event, differs: bool) -> Objection:
    """The objection after a change of its entry: settled as long as the content differs."""
    if differs:
        return _settle(objection, "amended", event)
    if objection.settled is not None and objection.settled.how == "amended":
        return replace(objection, settled=None)
    return objection


def _follow_agreement(agreement: Agreement, event: Event, differs: bool) -> Agreement:
    """The agreement after a change of its entry: it holds while the content is what was agreed to."""
    return replace(agreement, ended=(agreement.ended or event) if differs else None)


def _settle(objection: Objection, how: Literal["amended", "ruled", "withdrawn"], event: Event) -> Objection:
    """The objection with its end; the first end stays."""
    if objection.settled is not None and objection.settled.event.seq < event.seq:
        return objection
    return replace(objection, settled=ObjectionEnd(how, event))
