"""What most tests play: a match of Derda between Ewa and Jan."""

from typing import Any

HEAD: dict[str, Any] = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
RECORD: dict[str, Any] = {"format": "companion-match", "version": 1, **HEAD}


def deal(a: int = 82, b: int = 65, **more: Any) -> dict[str, Any]:
    """A deal that A played with hearts as trumps, by what both sides made."""
    return {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": a, "B": b}, **more}


def by_cards(fell: str, **more: Any) -> dict[str, Any]:
    """A deal that A played with hearts as trumps, by the cards as they fell."""
    cards = fell.split()
    tricks = [cards[at : at + 2] for at in range(0, len(cards), 2)]
    contract, run = {"declarer": "A", "trump": "H"}, {"seat": "A", "cards": ["9H", "8H", "7H"]}
    return {"type": "deal", "contract": contract, "tricks": tricks, "runs": [run], "bela": "B", **more}


RIGHT = "9C KC 7H KH 7S AH 9H QH 8H AS AC 10C 7D JD 9S 9D 8D JC"
WRONG = "9C KC 7H AS 9H QH AH KH 8H 7S AC 10C 7D JD 9S 9D 8D JC"
"""In the second trick B does not beat the seven, though he has the king."""
DEAL = deal()
