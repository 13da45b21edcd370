"""Sheets for the web: ordered by a page, composed and printed by a worker."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from companion.record.record import Record, write_record
from companion.rules.game import PlayedGame

from . import compose_page, html, pdf
from .common import Correction, PlayedPart, RulingNote, WordList


@dataclass(frozen=True, slots=True)
class SheetOrder:
    """A sheet to be printed: what `compose_page` makes it from, and the paper."""

    kind: str
    game: PlayedGame
    record: Record | None = None
    language: str = "en"
    address: str = ""
    corrections: Sequence[Correction] = ()
    rulings: Sequence[RulingNote] = ()
    writing: str | None = None
    words: WordList | None = None
    paper: str = field(default="a4", kw_only=True)
    zone: str = field(default="", kw_only=True)

    def compose(self, played: PlayedPart | None = None) -> html.Page:
        """The sheet, or what is `played` of it, where that is known already."""
        return compose_page(
            self.kind,
            self.game,
            self.record,
            language=self.language,
            address=self.address,
            corrections=self.corrections,
            rulings=self.rulings,
            writing=self.writing,
            played=played,
            words=self.words,
            zone=self.zone,
        )

    def compute_key(self, edition: str) -> str:
        """The key of its print: a hash of all that is on it, and of all that decides how it looks.

        `edition` stands for what composes it.
        """
        record = None if self.record is None else write_record(self.record)
        game = (self.game.book.game, self.game.preset, self.game.conventions, self.game.players)
        facts = [self.kind, game, record, self.language, self.address, self.writing, self.paper, self.zone]
        notes = repr((list(self.corrections), list(self.rulings), self.words))
        parts = ("sheet", edition, pdf.compute_edition(), json.dumps(facts), notes)
        return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:40]

    def to_arguments(self) -> tuple["SheetOrder"]:
        """What `print_order` is called with by a worker: without what it can read again."""
        record = None if self.record is None else replace(self.record, parsed=None)
        return (replace(self, record=record),)


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """A printed sheet: its title, for the name of a file, and the PDF."""

    title: str
    pdf: bytes

    @classmethod
    def read(cls, result: bytes) -> "PrintedSheet":
        """The sheet that a worker has printed."""
        title, _newline, printed = result.partition(b"\n")
        return cls(title.decode(), printed)


def print_order(order: SheetOrder) -> bytes:
    """Print a sheet, here and now; in a worker.

    :raises CannotPrint: where a library of the system is missing.
    """
    page = order.compose()
    printed = pdf.render_pdf(html.write_document(page, order.language, order.paper), order.paper)
    return " ".join(page.title.split()).encode() + b"\n" + printed


def get_ready() -> bytes:
    """Load what is loaded once, so that the first sheet of a worker takes no longer than any other."""
    pdf.warm_up()
    return b""
