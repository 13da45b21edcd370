"""The fields of suits and cards: a suit by its sign, a card or some from the pad, a whole deal as typed."""

import json

from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Suit
from companion.rules.rulebook import Rulebook
from companion.rules.schema import CardOf, ListOf, TrumpOf
from companion.web.forms.values import ABSENT, Absence, Fact, parse_number
from companion.web.shell.text import word

from .base import Address, FactField, Piece, join_lines
from .choices import ChoiceField, FieldOption

FURTHER_TRUMPS = {NO_TRUMPS: "no-trumps", ALL_TRUMPS: "all-trumps"}
"""The words of what can be chosen instead of a trump suit."""


class SuitField(ChoiceField):
    """A suit alone: of trumps, or turned without a card; or no trumps, or all, if the game has such deals."""

    macro = "suits"

    def list_choices(self) -> list[FieldOption]:
        options = [FieldOption(str(suit), str(suit)) for suit in Suit]
        if isinstance(self.place.kind, TrumpOf):
            book, further = self.context.book, self.context.table.further_trumps
            options += [FieldOption(trump, name_further_trumps(book, trump)) for trump in further]
        return options

    def describe(self) -> list[Piece]:
        if self.text in FURTHER_TRUMPS:
            return [("text", name_further_trumps(self.context.book, self.text))]
        return [("suit", self.text)] if self.text in tuple(Suit) else FactField.describe(self)


class CardField(FactField):
    """A card from the pad."""

    macro = "card"
    is_pad = True
    used: tuple[str, ...] = ()
    """Cards that cannot be chosen in it, because other fields hold them."""

    @property
    def cards(self) -> list[str]:
        """The cards of the pack in the field."""
        return [text.upper() for text in self.texts[:1] if text.upper() in self.context.cards]

    @property
    def jokers(self) -> tuple[str, ...]:
        """The jokers on its pad."""
        kind = self.place.kind
        return () if isinstance(kind, CardOf) and kind.suited else self.context.jokers

    @property
    def heap(self) -> str | None:
        """The name it shares with other fields if a card is only once in all of them; else None."""
        return self.place.heap or None

    def describe(self) -> list[Piece]:
        return [("cards", self.cards)] if self.cards else []


class CardsField(CardField):
    """Some cards from the pad, in any order, or in the order of the taps if that matters."""

    macro = "cards"

    def read(self, address: Address) -> None:
        match self.place.kind:
            case ListOf(kind=CardOf()) if self.place.ordered:
                self.macro = "pile"

    @property
    def most(self) -> int:
        """The most cards there can be."""
        return self.place.kind.most if isinstance(self.place.kind, ListOf) else 1

    @property
    def fact(self) -> Fact | Absence:
        may_be_none = isinstance(self.place.kind, ListOf) and not self.place.kind.least
        if not self.texts and self.place.needed and may_be_none:
            return []
        return list[Fact](self.texts) or ABSENT

    @property
    def cards(self) -> list[str]:
        return [text.upper() for text in self.texts if text.upper() in self.context.cards]

    @property
    def heap(self) -> str | None:
        """The name shared by fields with each card only once: that of a heap, or of a list of runs."""
        first, _dot, rest = self.name.partition(".")
        return self.place.heap or (first if rest[:1].isdigit() else "")


class CardOrCardsField(CardsField):
    """One card, or several at once."""

    most = 6

    @property
    def fact(self) -> Fact | Absence:
        return self.texts[0] if len(self.texts) == 1 else list[Fact](self.texts) or ABSENT


class HeldCardsField(CardsField):
    """The cards a player held: their number, or which."""

    macro = "number"
    most = 52
    is_pad = False
    names_cards = False
    """True if the cards are named, or about to be; False if they are counted."""

    def read(self, address: Address) -> None:
        if self.cards or f"rows.{self.name}" in address:
            self.names_cards, self.macro = True, "cards"

    @property
    def heap(self) -> str:
        return self.name.partition(".")[0]

    @property
    def fact(self) -> Fact | Absence:
        if self.names_cards:
            return [text for text in self.texts if not text.isdecimal()] or ABSENT
        return parse_number(self.text) if self.text else ABSENT

    def describe(self) -> list[Piece]:
        return super().describe() if self.names_cards else FactField.describe(self)


class DealField(FactField):
    """A deal as a record has it, typed or pasted as JSON."""

    macro = "deal"

    @property
    def fact(self) -> Fact | Absence:
        if not self.text:
            return ABSENT
        try:
            fact: Fact = json.loads(self.text)
        except (ValueError, RecursionError):
            return self.text  # the core says that a deal is an object
        return fact

    def describe(self) -> list[Piece]:
        """Describe the tricks, one a line; without a list of tricks, the text as it was typed."""
        deal = self.fact
        tricks = deal.get("tricks") if isinstance(deal, dict) else None
        if not isinstance(tricks, list):
            return super().describe()
        written = [trick for trick in tricks if isinstance(trick, list)]
        whole = [trick for trick in written if all(card in self.context.cards for card in map(str, trick))]
        return join_lines([("cards", list(map(str, trick)))] for trick in whole)


def name_further_trumps(book: Rulebook, trump: str) -> str:
    """The game's name for what can be chosen instead of a trump suit."""
    return word(book, FURTHER_TRUMPS[trump] if FURTHER_TRUMPS[trump] in book.words else trump)
