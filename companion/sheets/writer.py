"""What the writers of both kinds of sheet share: names, sentences, facts of the head, footnotes at a line."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.message import Message

from . import names
from .common import Correction, Footnotes, Noted, struck
from .names import Translate


class Writer:
    """Turns one state into a page; a sheet of its own says what was there before a correction."""

    def __init__(
        self,
        record: Any,
        game: Any,
        state: Any,
        translate: Translate,
        language: str,
        rulings: Sequence[Noted] = (),
    ) -> None:
        self.record, self.game, self.state = record, game, state
        self.translate, self.language = translate, language
        self.full = names.full(state.ring, record.head["players"])
        self.short = names.short(self.full)
        self.sides = names.sides(state.ring, self.full)
        self.footnotes, self.rulings = Footnotes(), rulings

    def say(self, message: Message, called: Mapping[str, str] | None = None) -> str:
        """A sentence of the core with the players' names, or as they are `called`."""
        return message.render(self.translate, names.shown(called or self.full, self.sides))

    @property
    def players(self) -> str:
        """Who plays against whom, in a line."""
        return " – ".join(self.sides.values())

    @property
    def facts(self) -> tuple[str, ...]:
        """When and where it was played, as far as it is known."""
        head = self.record.head
        started, place = names.day(head.get("started"), self.language), head.get("place") or ""
        return tuple(fact for fact in (started, place) if fact)

    @property
    def seed(self) -> str:
        """What the hand that draws is seeded with: the same match, the same drawing."""
        head = self.record.head
        return str(head.get("id") or f"{head.get('started')} {self.players}")

    def corrected(self, row: Any, correction: Correction) -> Message:
        """What is said of an entry that was put right afterwards."""
        return Message("Corrected afterwards.")

    def unusual(self, row: Any) -> Sequence[Message]:
        """What else has to be said of an entry."""
        return ()

    def notes(self, row: Any, corrections: Sequence[Correction]) -> tuple[int, ...]:
        """The numbers of the footnotes at an entry."""
        said = [
            self.corrected(row, one) for one in corrections if one.entry == row.n and one.before is not None
        ]
        said += struck(row.n, corrections)
        said += [one.reason for one in self.state.problems if one.entry == row.n]
        said += self.unusual(row)
        marked = [self.footnotes.add(self.say(one)) for one in said]
        note = self.record.entries[row.n - 1].get("note")
        marked += [self.footnotes.add(str(note).strip())] if note else []
        return (*marked, *self.footnotes.settled(self.rulings, row.n))

    def notes_of_the_whole(self) -> None:
        """The footnotes that stand at no entry: what is wrong with the head, rulings about no entry."""
        for one in self.state.problems:
            if one.entry == 0:
                self.footnotes.add(self.say(one.reason))
        self.footnotes.settled(self.rulings, None)
