"""The fields of suits and cards: a suit by its sign, a card from the pad, some cards, a pile in order."""

from typing import Any

from companion.rules.cards import NO_TRUMPS, Suit
from companion.rules.rulebook import Rulebook
from companion.rules.schema import CardOf, ListOf
from companion.web.shell.text import word

from .base import ABSENT, Absence, Address, Fact, FactField, MacroWidget, Piece, parse_number
from .choices import ChoiceField


class SuitField(ChoiceField):
    """A suit by itself, as where no card is turned."""

    widget = MacroWidget("suits")

    @property
    def has_no_trumps(self) -> bool:
        """Whether no suit at all can be meant."""
        return False

    def list_choices(self) -> list[tuple[str, str, str]]:
        """The four suits, and perhaps none."""
        suits = [(str(suit), str(suit), "") for suit in Suit]
        none = [(NO_TRUMPS, name_no_trumps(self.context.book), "")] if self.has_no_trumps else []
        return self.no_answer() + suits + none

    def describe(self) -> list[Piece]:
        """Its sign."""
        if self.text == NO_TRUMPS:
            return [("text", name_no_trumps(self.context.book))]
        return [("suit", self.text)] if self.text in tuple(Suit) else FactField.describe(self)


class TrumpField(SuitField):
    """The trump suit, or a deal without trumps where the game has such."""

    @property
    def has_no_trumps(self) -> bool:
        """Whether the game has deals without trumps."""
        return self.context.table.no_trumps


class CardField(FactField):
    """A card from the pad."""

    widget = MacroWidget("card")
    is_pad = True
    used: tuple[str, ...] = ()
    """The cards that cannot be in it: they lie elsewhere."""

    @property
    def cards(self) -> list[str]:
        """The cards of the pack that lie in the field."""
        return [text.upper() for text in self.texts[:1] if text.upper() in self.context.cards]

    @property
    def jokers(self) -> tuple[str, ...]:
        """The jokers on its pad."""
        kind = self.place.kind
        return () if isinstance(kind, CardOf) and kind.suited else self.context.jokers

    @property
    def heap(self) -> str | None:
        """What it shares with the fields among which a card lies only once; None: it shares nothing."""
        return self.place.heap or None

    def describe(self) -> list[Piece]:
        """The cards."""
        return [("cards", self.cards)] if self.cards else []


class CardsField(CardField):
    """Some cards from the pad, in any order."""

    widget = MacroWidget("cards")

    @property
    def most(self) -> int:
        """How many there can be."""
        return self.place.kind.most if isinstance(self.place.kind, ListOf) else 1

    @property
    def _least(self) -> int:
        return self.place.kind.least if isinstance(self.place.kind, ListOf) else 1

    def to_fact(self) -> Fact | Absence:
        """The list of the cards."""
        if self.texts:
            return list[Fact](self.texts)
        return [] if self.needed and not self._least else ABSENT

    @property
    def cards(self) -> list[str]:
        """The cards of the pack that lie in the field."""
        return [text.upper() for text in self.texts if text.upper() in self.context.cards]

    @property
    def heap(self) -> str | None:
        """The fields among which a card lies only once: those of the table, those of a list of runs."""
        first, _dot, rest = self.name.partition(".")
        return self.place.heap or (first if rest[:1].isdigit() else "")


class PileField(CardsField):
    """Some cards in the order of their taps."""

    widget = MacroWidget("pile")


class CardOrCardsField(CardsField):
    """One card, or several at once."""

    most = 6

    def to_fact(self) -> Fact | Absence:
        """The card, or the list of them."""
        return self.texts[0] if len(self.texts) == 1 else list[Fact](self.texts) or ABSENT


class HeldCardsField(CardsField):
    """How many cards a player held, or which."""

    widget = MacroWidget("number")
    most = 52
    is_pad = False
    names_cards = False
    """Whether the cards are named, or about to be; else they are counted."""

    def process(self, formdata: Address, *args: Any, **kwargs: Any) -> None:
        """Take what stands in the address: a number, or cards once they are to be named."""
        super().process(formdata, *args, **kwargs)
        if self.cards or f"rows.{self.name}" in formdata:
            self.names_cards, self.widget = True, MacroWidget("cards")
            self._fact = self.to_fact()

    @property
    def heap(self) -> str:
        """The hands of all players."""
        return str(self.name).partition(".")[0]

    def to_fact(self) -> Fact | Absence:
        """The number, or the list of the cards."""
        if self.names_cards:
            return [text for text in self.texts if not text.isdecimal()] or ABSENT
        return parse_number(self.text) if self.text else ABSENT

    def describe(self) -> list[Piece]:
        """The cards, or their number."""
        return super().describe() if self.names_cards else FactField.describe(self)


def name_no_trumps(book: Rulebook) -> str:
    """What the game calls a deal without trumps."""
    return word(book, "no-trumps" if "no-trumps" in book.words else NO_TRUMPS)
