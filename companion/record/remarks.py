"""What the players say of the entries: who agrees to one, who objects to one, and how that ended.

Remarks never change a score. An agreement is to what the entry said: once it says something else, it no
longer holds. An objection is open until the entry was corrected, a ruling on it was attached, or it was taken
back. Nothing of this is written down; it follows from the log.

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

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from companion.rules.schema import Choice, Integer, Nullable, SideOf, Text, by_side, field

from .log import Event, attached_rulings

REASONS = ("count", "runs", "trump", "revoke", "other")
"""What an entry may be objected to for."""

REMARKS = frozenset({"agree", "object", "settle"})
"""The kinds of events that are remarks; they change no entry, so they make no form stale."""


@dataclass(frozen=True, slots=True)
class ObjectionFacts:
    """What the event of an objection holds: the `side`, for what `reason`, and what it may say besides."""

    side: str = field(SideOf())
    reason: str = field(Choice(REASONS))
    text: str = field(Text(300), "")
    totals: Mapping[str, int] | None = field(Nullable(by_side(Integer(0, 9999))), None)


@dataclass(frozen=True, slots=True)
class ObjectionEnd:
    """How an objection ended, and by which event: who wrote that when stands there."""

    how: Literal["amended", "ruled", "withdrawn"]
    event: Event


@dataclass(frozen=True, slots=True)
class Objection:
    """A side's doubt about an entry: why, in what words, and the `totals` it holds to be right, if it says.

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
    """A side's yes to an entry, as it stood then. `ended` is the event after which it no longer held."""

    seq: int
    entry: int
    side: str
    author: str
    at: str
    ended: Event | None = None

    @property
    def holds(self) -> bool:
        """Whether the entry says what was agreed to, and the side has not objected to just that since."""
        return self.ended is None


@dataclass(frozen=True, slots=True)
class Remarks:
    """All remarks of a match, oldest first; of each side and entry only the last agreement."""

    objections: tuple[Objection, ...] = ()
    agreements: tuple[Agreement, ...] = ()

    @property
    def open(self) -> tuple[Objection, ...]:
        """The objections that are not settled."""
        return tuple(one for one in self.objections if one.settled is None)

    def of_entry(self, entry: int) -> "Remarks":
        """Those about one entry."""
        return Remarks(
            tuple(one for one in self.objections if one.entry == entry),
            tuple(one for one in self.agreements if one.entry == entry),
        )

    def agreed(self, entry: int) -> tuple[str, ...]:
        """The sides that agree to an entry as it stands."""
        return tuple(one.side for one in self.agreements if one.entry == entry and one.holds)


def read_remarks(events: Iterable[Event], later_facts: Collection[str] = ()) -> Remarks:
    """The remarks of a log, and what has become of each.

    `later_facts` are the keys of what may be told of an entry later, which corrects nothing.
    """
    log = tuple(events)
    if not any(event.kind in REMARKS for event in log):
        return Remarks()
    objections: dict[int, Objection] = {}
    agreements: dict[tuple[int, str], Agreement] = {}
    contents: dict[int, Any] = {}
    said: dict[int, Any] = {}  # what an entry said when a remark was made, by the number of the remark
    for event in log:
        match event.kind:
            case "add" | "amend" | "withdraw" | "restore":
                id = event.seq if event.kind == "add" else event.entry or 0
                contents[id] = _content_after(event, contents.get(id))
                for seq, objection in objections.items():
                    if objection.entry == id:
                        differs = _is_corrected(said[seq], contents[id], later_facts)
                        objections[seq] = _follow_objection(objection, event, differs)
                for key, agreement in agreements.items():
                    if agreement.entry == id:
                        differs = _is_corrected(said[agreement.seq], contents[id], later_facts)
                        ended = (agreement.ended or event) if differs else None
                        agreements[key] = replace(agreement, ended=ended)
            case "agree":
                side, id = event.payload["side"], event.entry or 0
                said[event.seq] = contents.get(id)
                agreements.pop((id, side), None)
                agreements[id, side] = Agreement(event.seq, id, side, event.author, event.at)
                for seq, objection in objections.items():
                    if (objection.entry, objection.side) == (id, side):
                        objections[seq] = _settle(objection, "withdrawn", event)
            case "object":
                objection = _read_objection(event)
                said[event.seq], objections[event.seq] = contents.get(objection.entry), objection
                earlier = agreements.get((objection.entry, objection.side))
                if earlier is not None and earlier.holds:
                    said[earlier.seq] = None  # corrected or not, it is no longer agreed to
                    agreements[objection.entry, objection.side] = replace(earlier, ended=event)
            case "settle" if event.payload["objection"] in objections:
                settled = event.payload["objection"]
                objections[settled] = _settle(objections[settled], "withdrawn", event)
    for event in attached_rulings(log):
        ruled = (event.payload or {}).get("objection")
        if ruled in objections:
            objections[ruled] = _settle(objections[ruled], "ruled", event)
    return Remarks(tuple(objections.values()), tuple(agreements.values()))


def _content_after(event: Event, before: Any) -> Any:
    """What an entry says and whether it counts, after an event about it."""
    match event.kind:
        case "add" | "amend":
            return event.payload, before is None or before[1]
        case _:
            return (before or (None, True))[0], event.kind == "restore"


def _is_corrected(said: Any, now: Any, later_facts: Collection[str]) -> bool:
    """Whether an entry says or counts otherwise than it did, but for what was only told later."""
    if said is None or not later_facts or not isinstance(said[0], Mapping) or not isinstance(now[0], Mapping):
        return bool(said != now)
    kept = {key: one for key, one in now[0].items() if key in said[0] or key not in later_facts}
    return bool((dict(said[0]), said[1]) != (kept, now[1]))


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
    """The objection after a change of its entry: settled as long as the entry says something else."""
    if differs:
        return _settle(objection, "amended", event)
    if objection.settled is not None and objection.settled.how == "amended":
        return replace(objection, settled=None)
    return objection


def _settle(objection: Objection, how: Literal["amended", "ruled", "withdrawn"], event: Event) -> Objection:
    """The objection with its end; what settled it first stays what did."""
    if objection.settled is not None and objection.settled.event.seq < event.seq:
        return objection
    return replace(objection, settled=ObjectionEnd(how, event))
