"""What the writers of both kinds of sheet share: names, sentences, facts of the head, footnotes at a line."""

from collections.abc import Mapping, Sequence

from companion.record.portable_remarks import read_opinions
from companion.record.record import Record
from companion.rules.game import GameRow, GameState, PlayedGame
from companion.rules.message import Message

from . import names
from .common import Correction, Footnotes, RulingNote, describe_removal
from .doubts import Reasons, describe_doubt, name_doubt
from .names import Translate


class Writer:
    """Turns one state into a page; a sheet of its own says what was there before a correction."""

    def __init__(
        self,
        record: Record,
        game: PlayedGame,
        state: GameState,
        translate: Translate,
        language: str,
        rulings: Sequence[RulingNote] = (),
    ) -> None:
        self.record, self.game, self.state = record, game, state
        self.translate, self.language = translate, language
        self.full_names = names.name_seats(state.ring, record.head["players"])
        self.short_names = names.shorten_names(self.full_names)
        self.side_names = names.name_sides(state.ring, self.full_names)
        self.footnotes, self.rulings = Footnotes(), rulings
        self.opinions = read_opinions(record.remarks)

    def say(self, message: Message, others: Mapping[str, str] | None = None) -> str:
        """A sentence of the core with the players' full names, or others by seat."""
        sides = names.name_sides(self.state.ring, others) if others else self.side_names
        return message.render(self.translate, names.make_namer(others or self.full_names, sides))

    @property
    def players(self) -> str:
        """Who plays against whom, in a line."""
        return " – ".join(self.side_names.values())

    @property
    def facts(self) -> tuple[str, ...]:
        """When and where it was played, as far as it is known."""
        head = self.record.head
        started, place = names.format_day(head.get("started"), self.language), head.get("place") or ""
        return tuple(fact for fact in (started, place) if fact)

    @property
    def seed(self) -> str:
        """What the hand that draws is seeded with: the same match, the same drawing."""
        head = self.record.head
        return str(head.get("id") or f"{head.get('started')} {self.players}")

    def describe_correction(self, row: GameRow, correction: Correction) -> Message:
        """What is said of an entry that was put right afterwards."""
        return Message("Corrected afterwards.")

    def explain_result(self, row: GameRow) -> Sequence[Message]:
        """What else has to be said of an entry."""
        return ()

    def number_notes(self, row: GameRow, corrections: Sequence[Correction]) -> tuple[int, ...]:
        """The numbers of the footnotes at an entry."""
        sentences = [
            self.describe_correction(row, one)
            for one in corrections
            if one.entry == row.n and one.before is not None
        ]
        sentences += describe_removal(row.n, corrections)
        sentences += [one.reason for one in self.state.problems if one.entry == row.n]
        sentences += self.explain_result(row)
        numbers = [self.footnotes.add(self.say(one)) for one in sentences]
        note = self.record.entries[row.n - 1].get("note")
        numbers += [self.footnotes.add(str(note).strip())] if note else []
        numbers += self.footnotes.add_rulings(self.rulings, row.n)
        doubts = (one for one in self.opinions.doubts if one.objection.entry == row.n)
        for one in doubts:
            told = describe_doubt(one, self.list_reasons(row), self.state.ring.sides)
            numbers.append(self.footnotes.add(self.say(told)))
        return tuple(dict.fromkeys(numbers))

    def place_entry(self, row: GameRow, counted: int) -> Message:
        """Where an entry stands, in few words; so many deals or hands are `counted` up to it."""
        raise NotImplementedError

    def list_reasons(self, row: GameRow) -> Reasons:
        """What may be wrong with an entry, in the words of what is played."""
        raise NotImplementedError

    def list_doubts(self) -> tuple[str, ...]:
        """The entries that are doubted still, each with by whom and why."""
        objections = [one.objection for one in self.opinions.doubts if one.is_open]
        listed, counted = [], 0
        for row in self.state.rows if objections else ():
            counted += row.type == self.game.family.counted_entry
            here = (name_doubt(one, self.list_reasons(row)) for one in objections if one.entry == row.n)
            why = dict.fromkeys(map(self.say, here))
            if why:
                place = self.say(self.place_entry(row, counted)).replace(" ", "\u00a0")
                listed.append(f"{place} ({'; '.join(why)})")
        return tuple(listed)

    def has_agreed(self, n: int) -> bool:
        """Whether the nth entry was agreed to by all, or by one of two: the other one wrote it."""
        agreed, sides = self.opinions.agreed(n), self.state.ring.sides
        return bool(agreed) and (len(sides) == 2 or len(agreed) == len(sides))

    def name_agreed(self, n: int) -> str:
        """Who agreed to the nth entry, by their short names, where that has to be said."""
        if self.has_agreed(n):
            return ""
        agreed, ring = self.opinions.agreed(n), self.state.ring
        return ", ".join(
            "+".join(self.short_names[seat] for seat in ring.seats if ring.side(seat) == side)
            for side in ring.sides
            if side in agreed
        )

    def add_general_notes(self) -> None:
        """The footnotes that stand at no entry: what is wrong with the head, rulings about no entry."""
        for one in self.state.problems:
            if one.entry == 0:
                self.footnotes.add(self.say(one.reason))
        self.footnotes.add_rulings(self.rulings, None)
