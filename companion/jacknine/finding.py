"""What a ruling finds, before the game's own rules are put to it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..rules.cards import Card
from ..rules.message import Message
from ..rules.shapes import Unreadable


@dataclass(frozen=True, slots=True)
class Found:
    """What a question's function finds: verdict, facts, why, and the family's rule keys."""

    verdict: str
    answer: Mapping[str, Any]
    why: Message
    keys: tuple[str, ...]


def distinct(cards: Iterable[Card], path: str) -> None:
    """Refuse a card that is named twice. :raises Unreadable: if one is."""
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            raise Unreadable(path, Message("every card once"), str(card))
        seen.add(card)
