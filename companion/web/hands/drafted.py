"""What the draft of a match holds of a hand in progress, read as carefully as anything from outside.

It is the hand's entry so far, and beside it
- `transfers`: how the attack of the bout that comes now was transferred, as a bout of the entry tells it;
- `going_out`: who goes out in that bout, in this order;
- `used_up` (the talon is), `second_trump`, and `shown_after` (how many bouts there were when the last card
  of the talon was shown);
- `later`: bouts that were taken back and may be put back, from the one that comes now;
- `walked_out` with `walked_after`, which may be more than the bouts that are left since some were taken back.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from companion.beating.entries import Bout, Hand, Transfer
from companion.matches import Match
from companion.rules.errors import Unreadable

_ENTRY_KEYS = ("dealer", "first_attacker", "trump", "bouts", "walked_out")
_DRAFT_KEYS = (
    *_ENTRY_KEYS,
    "walked_after",
    "transfers",
    "going_out",
    "later",
    "second_trump",
    "shown_after",
    "used_up",
)


def read_bouts(match: Match, bouts: object) -> Sequence[Bout]:
    """Bouts as the game reads them, from JSON.

    :raises Unreadable: if they are none.
    """
    entry = match.game.family.read({"type": "hand", "loser": None, "bouts": bouts}, "draft")
    return cast(Hand, entry).bouts or ()


def read_transfers(match: Match, transfers: object) -> Sequence[Transfer]:
    """Transfers of one bout as the game reads them, from JSON.

    :raises Unreadable: if they are none.
    """
    return read_bouts(match, [_some_bout(transfers=transfers)])[0].transfers


def _some_bout(**facts: object) -> dict[str, object]:
    """A bout of which only these facts matter."""
    return {"attacker": "A", "defender": "B", "result": "beaten-off", **facts}


def read_draft(match: Match, draft: Any) -> dict[str, Any]:
    """The facts of a hand in a draft; none where it is no hand, for a draft may hold anything."""
    if not isinstance(draft, Mapping) or draft.get("type") != "hand":
        return {}
    facts: dict[str, Any] = {key: draft[key] for key in _DRAFT_KEYS if draft.get(key) is not None}
    entry = {key: fact for key, fact in facts.items() if key in _ENTRY_KEYS}
    try:
        match.game.family.read({"type": "hand", "loser": None, **entry}, "draft")
        read_transfers(match, facts.get("transfers", []))
        read_bouts(match, [_some_bout(out=facts.get("going_out", []))])
        read_bouts(match, facts.get("later", []))
    except Unreadable:
        return {}
    if "walked_out" in facts:
        facts.setdefault("walked_after", len(facts.get("bouts", [])))
    counts = [facts.get(key, 0) for key in ("shown_after", "walked_after")]
    fits = facts.get("second_trump", "S") in ("S", "H", "D", "C")
    return facts if fits and all(type(count) is int and 0 <= count <= 200 for count in counts) else {}
