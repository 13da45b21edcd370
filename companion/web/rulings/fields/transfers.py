"""How an attack was transferred in a bout: who passed it on, one after another.

In an address each transfer has its number: `transfers.0.by=B`, and where it was told `transfers.0.card=7D`
and `transfers.0.shown=yes`. Who may transfer follows from who attacked whom: a tap is enough for each.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from flask_babel import gettext as _

from companion.rules.errors import Unreadable

from .base import ABSENT, Absence, Address, Fact, FactField, MacroWidget, Piece

ONLY_PLAYED = 3
"""So many cards of a rank may be laid to transfer, as one of the four has attacked; one more may be shown."""


class TransferText(NamedTuple):
    """A transfer as it is read from an address."""

    by: str
    card: str
    shown: bool

    def to_fact(self) -> Fact:
        """The transfer as JSON."""
        facts: dict[str, Fact] = {"by": self.by, "card": self.card, "shown": self.shown}
        return {key: fact for key, fact in facts.items() if fact}


class TransfersField(FactField):
    """The transfers of a bout, in order."""

    widget = MacroWidget("transfers")
    rows: tuple[TransferText, ...] = ()
    candidates: tuple[str, ...] = ()
    """Who may have transferred next: the defender of that moment, and before it whoever is out by now."""

    def process(self, formdata: Address, *args: Any, **kwargs: Any) -> None:
        """Take what stands in the address."""
        super().process(formdata, *args, **kwargs)
        rows: dict[int, dict[str, str]] = {}
        for key in formdata:
            at = re.fullmatch(rf"{re.escape(self.name)}\.(\d{{1,2}})\.(by|card|shown)", key)
            if at:
                rows.setdefault(int(at[1]), {})[at[2]] = formdata.getlist(key)[0].strip()
        self.rows = tuple(
            TransferText(row.get("by", ""), row.get("card", "").upper(), row.get("shown") == "yes")
            for _n, row in sorted(rows.items())
        )
        self._fact = self.to_fact()

    def to_fact(self) -> Fact | Absence:
        """The list of the transfers."""
        return [row.to_fact() for row in self.rows] or ABSENT

    def connect(self, facts: Mapping[str, Fact]) -> None:
        """Note who may have transferred next."""
        ring, defender, out = self.context.ring, facts.get("defender"), facts.get("out")
        if facts.get("attacker") not in ring.seats or defender not in ring.seats:
            return
        if not self.rows:
            self.candidates = (str(defender),)
            return
        gone = [str(seat) for seat in out] if isinstance(out, list) else []
        last = self.rows[-1].by
        around = ring.around(last)[1:] if last in ring.seats else ()
        staying = next((n for n, seat in enumerate(around) if seat not in gone), len(around))
        self.candidates = tuple(around[: staying + 1])

    @property
    def has_room(self) -> bool:
        """Whether it may have been transferred once more."""
        return bool(len(self.rows) < ONLY_PLAYED + self.context.family_rules.shows_trumps())

    @property
    def lines(self) -> list[tuple[str, list[str]]]:
        """The transfers, to be seen: words, and the card where it was told."""
        pack = self.context.cards
        return [(self._phrase(row), [row.card] if row.card in pack else []) for row in self.rows]

    def _phrase(self, row: TransferText) -> str:
        name = self.context.name_of(row.by)
        return _("%(name)s shows", name=name) if row.shown else _("%(name)s transfers", name=name)

    def locate_fault(self, fault: Unreadable) -> str:
        """The transfer, by its number."""
        at = re.match(rf"{re.escape(self.name)}\[(\d+)\]", fault.path)
        return _("No. %(number)s", number=int(at[1]) + 1) + ": " if at else ""

    def describe(self) -> list[Piece]:
        """The transfers, one a line."""
        pieces: list[Piece] = []
        for words, cards in self.lines:
            pieces += [("line", "")] if pieces else []
            pieces += [("text", words), *([("cards", cards)] if cards else [])]
        return pieces
