"""The common writer of both kinds of sheet: names, sentences, facts of the head, footnotes."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.record.portable_remarks import read_reviews
from companion.record.record import Record, list_states, problems_of
from companion.rules.game import GameRow, PlayedGame
from companion.rules.message import Message, Translate
from companion.rules.seats import Side

from . import common
from .common import (
    Correction,
    PlayedPart,
    Reasons,
    RulingNote,
    compute_check_code,
    describe_doubt,
    group_by_entry,
    list_house_rules,
    name_doubt,
    name_game,
)
from .lettering import respell
from .model import MatchPage, SessionPage, SheetResult


class Writer:
    """A writer that turns one state into a page; subclasses describe corrections.

    `spelled` maps names to their printed form, if that differs.
    """

    def __init__(
        self,
        record: Record,
        game: PlayedGame,
        translate: Translate,
        language: str,
        corrections: Sequence[Correction] = (),
        rulings: Sequence[RulingNote] = (),
        played: PlayedPart | None = None,
        zone: str = "",
        spelled: Mapping[str, str] | None = None,
    ) -> None:
        part = played or PlayedPart(list_states(record, game.family))
        self.record, self.game, self.state = record, game, part.states[-1]
        self.states, self.part = part.states, part
        self.rows = self.state.rows[part.since :]
        self.translate, self.language, self.zone = translate, language, zone
        self.spelled = spelled or {}
        self.players = tuple(self.spelled.get(name, name) for name in record.head["players"])
        self.full_names = common.name_seats(self.state.ring, self.players)
        self.short_names = common.shorten_names(self.full_names)
        self.side_names = common.name_sides(self.state.ring, self.full_names)
        reviews = read_reviews(record.remarks)
        self.doubts = reviews.doubts
        self.footnotes: dict[str, int] = {}
        """The footnotes with their numbers, each given once, however many lines refer to it."""
        self.corrections = group_by_entry(corrections, lambda note: note.entry)
        self.rulings = group_by_entry(rulings, lambda note: note.entry)
        self.agreements = group_by_entry(reviews.agreements, lambda note: note.entry)
        self.doubted = group_by_entry(reviews.doubts, lambda doubt: doubt.objection.entry)

    def compose_page(self, address: str, writing: str) -> MatchPage | SessionPage:
        """Compose the sheet; `address` is the address of the match, if it has one.

        `writing` is one of `printer.WRITINGS`.
        """
        raise NotImplementedError

    def list_common_fields(self, address: str) -> dict[str, Any]:
        """List the fields of a `PlayedPage`.

        Those of lines must be listed before: their footnotes come first.
        """
        self.add_general_notes()
        head = self.record.head
        started = common.format_day(head.get("started"), self.language, self.zone)
        return {
            "title": f"{self.translate(self.game.book.title)}: {self.opponents}",
            "game": name_game(self.game, self.translate),
            "facts": tuple(fact for fact in (started, head.get("place")) if fact),
            "started": common.read_moment(head.get("started")),
            "house_rules": list_house_rules(self.game, self.translate),
            "origin": common.describe_origin(self.game, self.translate),
            "left_out": self.part.since,
            "footnotes": tuple(self.footnotes),
            "result": self.compose_result(),
            "remarked": bool(self.record.remarks),
            "doubts": self.list_doubts(),
            "players": self.list_signers(),
            "respelled": tuple(self.spelled),
            "check": "" if self.part.since else compute_check_code(self.record),
            "address": address,
            "seed": str(head.get("id") or f"{head.get('started')} {self.opponents}"),
        }

    def list_line_fields(self, row: GameRow, number: int) -> dict[str, Any]:
        """List the fields of an `EntryLine` except its text; `number` counts the deals or hands up to it."""
        return {
            "number": str(number) if row.type == self.game.family.counted_entry else "",
            "dealer": self.short_names.get(row.dealer or "", ""),
            "notes": self.number_notes(row),
            "agreed": self.has_agreed(row.n),
            "agreed_by": self.name_agreed(row.n),
        }

    def shorten_side(self, side: Side) -> str:
        """Join the short names of those who play on a side."""
        ring = self.state.ring
        return "+".join(self.short_names[seat] for seat in ring.seats if ring.side(seat) == side)

    def list_signers(self) -> tuple[str, ...]:
        """List the players as they sign: partners beside each other."""
        ring = self.state.ring
        return tuple(
            self.full_names[seat] for side in ring.sides for seat in ring.seats if ring.side(seat) == side
        )

    def add_footnote(self, text: str) -> int:
        """Add a footnote, and return its number."""
        text = respell(text, self.spelled)
        return self.footnotes.setdefault(text, len(self.footnotes) + 1)

    def compose_result(self) -> SheetResult:
        """Compose the standing of the match, or its end."""
        raise NotImplementedError

    def say(self, message: Message, others: Mapping[str, str] | None = None) -> str:
        """Write a sentence of the core with the players' full names, or others by seat."""
        sides = common.name_sides(self.state.ring, others) if others else self.side_names
        return message.render(self.translate, common.make_namer(others or self.full_names, sides))

    @property
    def opponents(self) -> str:
        """List all sides in a line."""
        return " – ".join(self.side_names.values())

    def describe_correction(self, row: GameRow, correction: Correction) -> Message:
        """Describe the correction of an entry."""
        return Message("Corrected afterwards.")

    def explain_result(self, row: GameRow) -> Sequence[Message]:
        """List further sentences for the footnotes of an entry."""
        return ()

    def number_counted(self) -> dict[int, int]:
        """Number the deals, or hands, up to each entry that is on the sheet."""
        kind = self.game.family.counted_entry
        counted = sum(row.type == kind for row in self.state.rows[: self.part.since])
        numbers = {}
        for row in self.rows:
            counted += row.type == kind
            numbers[row.n] = counted
        return numbers

    def number_notes(self, row: GameRow) -> tuple[int, ...]:
        """Number the footnotes at an entry."""
        corrections = self.corrections.get(row.n, ())
        sentences = [
            self.describe_correction(row, correction)
            for correction in corrections
            if correction.before is not None
        ]
        if len(sentences) < len(corrections):
            sentences.append(Message("An entry that stood after this one was struck out."))
        sentences += [problem.reason for problem in problems_of(self.state, row.n)]
        sentences += self.explain_result(row)
        numbers = [self.add_footnote(self.say(sentence)) for sentence in sentences]
        note = self.record.entries[row.n - 1].get("note")
        numbers += [self.add_footnote(str(note).strip())] if note else []
        numbers += [self.add_footnote(ruling.text) for ruling in self.rulings.get(row.n, ())]
        for doubt in self.doubted.get(row.n, ()):
            sentence = describe_doubt(doubt, self.list_reasons(row), self.state.ring.sides)
            numbers.append(self.add_footnote(self.say(sentence)))
        return tuple(dict.fromkeys(numbers))

    def place_entry(self, row: GameRow, counted: int) -> Message:
        """Name an entry in few words; `counted` are the deals or hands up to it."""
        raise NotImplementedError

    def list_reasons(self, row: GameRow) -> Reasons:
        """List the possible faults of an entry, in words that suit it."""
        raise NotImplementedError

    def list_doubts(self) -> tuple[str, ...]:
        """List the entries that are still doubted, each with the objectors and the reason."""
        if all(not doubt.is_open for doubt in self.doubts):
            return ()
        listed, numbers = [], self.number_counted()
        for row in self.rows:
            doubts = [doubt.objection for doubt in self.doubted.get(row.n, ()) if doubt.is_open]
            why = dict.fromkeys(self.say(name_doubt(doubt, self.list_reasons(row))) for doubt in doubts)
            if why:
                place = self.say(self.place_entry(row, numbers[row.n])).replace(" ", "\u00a0")
                listed.append(f"{place} ({'; '.join(why)})")
        return tuple(listed)

    def _list_agreed(self, n: int) -> tuple[str, ...]:
        return tuple(agreement.by for agreement in self.agreements.get(n, ()))

    def has_agreed(self, n: int) -> bool:
        """True if all agreed to the nth entry, or one of two sides: the other one wrote it."""
        agreed, sides = self._list_agreed(n), self.state.ring.sides
        return bool(agreed) and (len(sides) == 2 or len(agreed) == len(sides))

    def name_agreed(self, n: int) -> str:
        """Join the short names of those who agreed to the nth entry; empty if all did."""
        if self.has_agreed(n):
            return ""
        agreed = self._list_agreed(n)
        return ", ".join(self.shorten_side(side) for side in self.state.ring.sides if side in agreed)

    def add_general_notes(self) -> None:
        """Add the footnotes that belong to no entry: faults of the head, rulings about no entry."""
        for problem in problems_of(self.state, 0):
            self.add_footnote(self.say(problem.reason))
        for ruling in self.rulings.get(None, ()):
            self.add_footnote(ruling.text)
