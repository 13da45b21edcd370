"""The field of a whole deal, which no pad of cards can hold: typed or pasted as a record has it."""

import json

from .base import ABSENT, Absence, Fact, FactField, MacroWidget, Piece


class DealField(FactField):
    """A deal as a record has it, typed or pasted as JSON."""

    widget = MacroWidget("deal")

    def to_fact(self) -> Fact | Absence:
        """The JSON that was typed."""
        if not self.text:
            return ABSENT
        try:
            fact: Fact = json.loads(self.text)
        except (ValueError, RecursionError):
            return self.text  # the core says that a deal is an object
        return fact

    def describe(self) -> list[Piece]:
        """The tricks, one a line; what is no list of tricks, as it was typed."""
        tricks = self.data.get("tricks") if isinstance(self.data, dict) else None
        if not isinstance(tricks, list):
            return super().describe()
        pieces: list[Piece] = []
        for trick in tricks:
            if isinstance(trick, list):
                cards = [card for card in trick if isinstance(card, str) and card in self.context.cards]
                pieces += [("cards", cards), ("line", "")] if len(cards) == len(trick) else []
        return pieces[:-1]
