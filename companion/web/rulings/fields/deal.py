"""The field of a whole deal, which no pad of cards can hold: typed or pasted as a record has it."""

import json
from typing import Any

from .base import ABSENT, FactField


class WholeDeal(FactField):
    """A deal as a record has it, typed or pasted as JSON."""

    widget = "deal"

    def value(self) -> Any:
        if not self.first:
            return ABSENT
        try:
            return json.loads(self.first)
        except (ValueError, RecursionError):
            return self.first  # the core says that a deal is an object

    def told(self) -> list[tuple[str, Any]]:
        deal = self.value()
        tricks = deal.get("tricks") if isinstance(deal, dict) else None
        if not isinstance(tricks, list):
            return FactField.told(self)
        shown = [trick for trick in tricks if isinstance(trick, list) and all(map(self._is_card, trick))]
        return [piece for trick in shown for piece in (("cards", trick), ("line", ""))][:-1]

    def _is_card(self, card: Any) -> bool:
        return isinstance(card, str) and card in {str(one) for one in self.form.ruleset.table.pack}
