"""What most tests play: a match of Derda between Ewa and Jan."""

from typing import Any

HEAD: dict[str, Any] = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
RECORD: dict[str, Any] = {"format": "companion-match", "version": 1, **HEAD}


def deal(a: int = 82, b: int = 65, **more: Any) -> dict[str, Any]:
    """A deal that A played with hearts as trumps, by what both sides made."""
    return {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": a, "B": b}, **more}


DEAL = deal()
