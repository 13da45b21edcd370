"""The fields of suits and cards: a suit by its sign, a card from the pad, some cards, a pile in order."""

from typing import Any

from companion.rules.cards import NO_TRUMPS, Suit
from companion.rules.rulebook import Rulebook
from companion.web.support.text import word

from .base import ABSENT, FactField, Options


class TrumpSuit(Options):
    """A suit."""

    widget = "suit"

    def options(self) -> list[tuple[str, str, str]]:
        found = self.unknown() + [(str(one), str(one), "") for one in Suit]
        return [*found, (NO_TRUMPS, no_trumps(self.form.book), "")] if self.no_trumps else found

    @property
    def no_trumps(self) -> bool:
        """Whether no suit at all can be meant."""
        return bool(self.form.ruleset.table.no_trumps)

    def told(self) -> list[tuple[str, Any]]:
        if self.first == NO_TRUMPS:
            return [("text", no_trumps(self.form.book))]
        return [("suit", self.first)] if self.first in tuple(Suit) else FactField.told(self)


class BareSuit(TrumpSuit):
    """A suit by itself, where no card is turned."""

    no_trumps = False


class OneCard(FactField):
    """A card from the pad."""

    widget = "card"

    def told(self) -> list[tuple[str, Any]]:
        return [("cards", self.cards)] if self.cards else []

    @property
    def cards(self) -> list[str]:
        """The cards that lie in the field."""
        return [one.upper() for one in self.typed[:1] if one.upper() in self.pack]

    @property
    def pack(self) -> set[str]:
        """Every card of the pack, as it is written."""
        return {str(card) for card in self.form.ruleset.table.pack}

    @property
    def heap(self) -> str | None:
        """What it shares with the fields among which a card lies only once; None: it shares nothing."""
        return self.place.heap or None

    @property
    def used(self) -> list[str]:
        """The cards that cannot be in it: they lie elsewhere."""
        if self.heap is None:
            return []
        others = (one for each in self.form.fields for one in each.within())
        return [
            card
            for one in others
            if isinstance(one, OneCard) and one is not self and one.heap == self.heap
            for card in one.cards
        ]


class Cards(OneCard):
    """Some cards from the pad, in any order or in that of their taps."""

    @property
    def widget(self) -> str:  # type: ignore[override]  # derived here
        """A pad to tick cards on, or one that notes the order of taps."""
        return "pile" if self.place.ordered else "cards"

    def value(self) -> Any:
        if self.typed:
            return self.typed
        return [] if self.needed and not self.kind.least else ABSENT

    @property
    def cards(self) -> list[str]:
        return [one.upper() for one in self.typed if one.upper() in self.pack]

    @property
    def heap(self) -> str | None:
        """The fields among which a card lies only once: those of the table, those of a list of runs."""
        first, _dot, rest = self.name.partition(".")
        return self.place.heap or (first if rest[:1].isdigit() else "")


def no_trumps(book: Rulebook) -> str:
    """What the game calls a deal without trumps."""
    return word(book, "no-trumps" if "no-trumps" in book.words else NO_TRUMPS)
