"""Remarks in a portable record: one JSON object each, in its list `remarks`.

A side agrees to an entry or objects to it, or its objection is settled; entries are named by their numbers in
the record. A later remark replaces an earlier one: an objection ends the side's agreement, an agreement its
objections.

>>> from companion.rules.seats import Ring
>>> table = Table(Ring(2), frozenset())
>>> said = [{"entry": 1, "by": "B", "kind": "object", "reason": "count", "totals": {"A": 80, "B": 67}}]
>>> read_reviews(parse_remarks(said, 1, table)).doubts[0].is_open
True
>>> settled = {"entry": 1, "by": "B", "kind": "settled", "how": "amended"}
>>> read_reviews(parse_remarks([*said, settled], 1, table)).doubts[0].how
'amended'
>>> parse_remarks([settled], 1, table)
Traceback (most recent call last):
    ...
companion.rules.errors.Unreadable: remarks[0]: must be preceded by an objection of B to entry 1 that is open
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.rules.errors import Missing, Unreadable
from companion.rules.message import Message
from companion.rules.schema import Choice, Integer, SideOf, Table, Text, by_side, field, parse

from .remarks import REASONS, Remarks

ENDS = ("amended", "ruled", "withdrawn")
"""The ends of an objection: the entry was corrected, a ruling was attached, or it was withdrawn."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A side's remark on the nth entry of a record, or the end of an objection of its own to it.

    An objection has a `reason`, and may say in a `text` and in `totals` what would be right; a settled one
    may have `how`. `at` is the time as it was written, empty if unknown.
    """

    entry: int = field(Integer(1))
    by: str = field(SideOf())
    kind: str = field(Choice(("agree", "object", "settled")))
    reason: str | None = field(Choice(REASONS), None)
    text: str = field(Text(300), "")
    totals: Mapping[str, int] | None = field(by_side(Integer(0, 9999)), None)
    how: str | None = field(Choice(ENDS), None)
    at: str = field(Text(40), "")


_NEEDLESS: Mapping[str, tuple[str, ...]] = {
    "agree": ("reason", "text", "totals", "how"),
    "object": ("how",),
    "settled": ("totals",),
}
"""The fields that a remark of a kind cannot have. A settled one may name the objection's reason."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """An objection, and the remark that `ended` it: a settlement, or a later agreement of the side."""

    objection: Remark
    ended: Remark | None = None

    @property
    def is_open(self) -> bool:
        """True until it is ended."""
        return self.ended is None

    @property
    def how(self) -> str | None:
        """Its end, one of `ENDS`; None while it is open, and if unknown."""
        if self.ended is None:
            return None
        return "withdrawn" if self.ended.kind == "agree" else self.ended.how


@dataclass(frozen=True, slots=True)
class Reviews:
    """The reviews of a record's entries by the sides: every doubt, and the agreements that hold."""

    doubts: tuple[Doubt, ...] = ()
    agreements: tuple[Remark, ...] = ()

    def agreed(self, entry: int) -> tuple[str, ...]:
        """The sides that agree to the nth entry."""
        return tuple(agreement.by for agreement in self.agreements if agreement.entry == entry)


def parse_remarks(value: Any, entries: int, table: Table) -> tuple[Remark, ...]:
    """Parse the list `remarks` of a record with so many entries.

    :raises Unreadable: at the first that cannot be read, or is not possible there.
    """
    if not isinstance(value, list):
        raise Unreadable("remarks", Message("a list of remarks"), value)
    remarks = tuple(parse(Remark, item, f"remarks[{i}]", table) for i, item in enumerate(value))
    for i, remark in enumerate(remarks):
        _check_remark(remark, f"remarks[{i}]", entries)
    read_reviews(remarks)
    return remarks


def _check_remark(remark: Remark, path: str, entries: int) -> None:
    if remark.entry > entries:
        raise Unreadable(
            f"{path}.entry", Message("the number of an entry, at most {most}", most=entries), remark.entry
        )
    if remark.kind == "object" and remark.reason is None:
        raise Missing(f"{path}.reason")
    for key in _NEEDLESS[remark.kind]:
        if getattr(remark, key):
            needless = Message("left out in a remark of the kind {kind}", kind=remark.kind)
            raise Unreadable(f"{path}.{key}", needless, getattr(remark, key))


def read_reviews(remarks: Iterable[Remark]) -> Reviews:
    """Collect the effect of remarks in this order; settling ends the side's last open objection.

    :raises Unreadable: if no objection is open.
    """
    doubts: list[Doubt] = []
    agreements: dict[tuple[int, str], Remark] = {}
    indexes: dict[tuple[int, str], list[int]] = {}
    for i, remark in enumerate(remarks):
        whose = (remark.entry, remark.by)
        still_open = [at for at in indexes.get(whose, ()) if doubts[at].is_open]
        match remark.kind:
            case "object":
                agreements.pop(whose, None)
                indexes.setdefault(whose, []).append(len(doubts))
                doubts.append(Doubt(remark))
            case "agree":
                agreements[whose] = remark
                for at in still_open:
                    doubts[at] = replace(doubts[at], ended=remark)
            case _:
                meant = [at for at in still_open if remark.reason in (None, doubts[at].objection.reason)]
                if not meant:
                    raise Unreadable(
                        f"remarks[{i}]",
                        Message(
                            "preceded by an objection of {side} to entry {entry} that is open",
                            side=remark.by,
                            entry=remark.entry,
                        ),
                    )
                doubts[meant[-1]] = replace(doubts[meant[-1]], ended=remark)
    return Reviews(tuple(doubts), tuple(agreements.values()))


def make_portable(remarks: Remarks, find_number: Callable[[int], int | None]) -> tuple[Remark, ...]:
    """Convert the remarks of a log to those of a record, oldest first, each objection followed by its end.

    `find_number` gives the number of an entry that counts, by its id; remarks on other entries are left out,
    and agreements that no longer hold.
    """
    said: list[tuple[int, Remark]] = []
    for agreement in remarks.agreements:
        n = find_number(agreement.entry)
        if agreement.holds and n is not None:
            said.append((agreement.seq, Remark(n, agreement.side, "agree", at=agreement.at)))
    for doubt in remarks.objections:
        n = find_number(doubt.entry)
        if n is None:
            continue
        objection = Remark(n, doubt.side, "object", doubt.reason, doubt.text, doubt.totals, at=doubt.at)
        said.append((doubt.seq, objection))
        if doubt.settled is not None:
            end = Remark(n, doubt.side, "settled", how=doubt.settled.how, at=doubt.settled.event.at)
            said.append((doubt.seq, end))
    return tuple(remark for _seq, remark in sorted(said, key=lambda one: one[0]))
