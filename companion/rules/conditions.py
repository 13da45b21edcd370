"""Conditions on the conventions of a table, as game files write them."""

import re
from collections.abc import Mapping

Value = bool | int | str
"""The value of a convention."""
OFF = "off"
"""The word for 0 in a free number where 0 means never, none or no bound."""
PLAYERS = "players"
"""The name of the number of players in a condition."""
_RANGE = re.compile(r"([0-9]{1,9})\.\.([0-9]{0,9})")


def holds(condition: str, chosen: Mapping[str, Value], players: int | None = None) -> bool:
    """True if `convention=value` holds, or all of several joined by commas; `players` may be one.

    `convention=1..` asks for a number of at least 1, `convention=1..5` for one from 1 to 5.
    """
    facts = chosen if players is None else {**chosen, PLAYERS: players}
    return all(name in facts and matches(facts[name], value) for name, value in split_condition(condition))


def split_condition(condition: str) -> list[tuple[str, str]]:
    """Split a condition such as `melds=zensa,zensa_nines=150` into names and values."""
    parts = (part.partition("=") for part in condition.split(",") if part)
    return [(name, value) for name, _, value in parts]


def read_range(value: str) -> tuple[int, int | None] | None:
    """Parse the bounds of `1..5`, or of `1..`, which has no upper one; None for any other value.

    >>> read_range("1..5"), read_range("1.."), read_range("5..1"), read_range("a..b")
    ((1, 5), (1, None), None, None)
    """
    found = _RANGE.fullmatch(value)
    if found is None:
        return None
    least, most = int(found[1]), int(found[2]) if found[2] else None
    return (least, most) if most is None or least <= most else None


def matches(value: Value, wanted: str) -> bool:
    """True if a value fits a condition: equal to it, or a number within its bounds."""
    bounds = read_range(wanted)
    if bounds is None or isinstance(value, str):
        return json_word(value) == wanted
    least, most = bounds
    return least <= value and (most is None or value <= most)


def json_word(value: Value) -> str:
    """Write a convention's value as in a record."""
    return str(value).lower() if isinstance(value, bool) else str(value)
