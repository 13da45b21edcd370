"""Values as the texts of a field, by the kinds of a schema."""

import re
from collections.abc import Sequence
from enum import Enum
from typing import Final

from companion.library.kinds import BidPoints, LengthOf
from companion.rules.schema import Boolean, Integer, Kind, ListOf

Fact = bool | int | str | list["Fact"] | dict[str, "Fact"] | None
"""A fact as JSON."""


class Absence(Enum):
    """The state of a field in which nothing was entered."""

    ABSENT = "absent"


ABSENT: Final = Absence.ABSENT
"""The value of an empty field: the entry, or the request, leaves it out."""

_YES_NO = {"yes": True, "no": False}


def parse_number(text: str) -> int | str:
    """A whole number as typed; anything else stays as it is, for the core to refuse."""
    text = text.replace("−", "-")
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,9}", text) else text


def read_value(kind: Kind, texts: Sequence[str]) -> Fact | Absence:
    """Read the texts of one field; what does not fit the kind stays as it is, for the core to refuse.

    >>> read_value(Integer(), ["20"]), read_value(Boolean(), ["no"]), read_value(ListOf(Integer()), ["3 + 2"])
    (20, False, [3, 2])
    """
    if isinstance(kind, ListOf):
        parts = list[Fact](texts)
        if isinstance(kind.kind, Integer):
            parts = [parse_number(part) for text in texts for part in re.split(r"[\s,;+]+", text) if part]
        return parts or ABSENT
    text = texts[0] if texts else ""
    if not text:
        return ABSENT
    if isinstance(kind, Boolean):
        return _YES_NO.get(text, text)
    return parse_number(text) if isinstance(kind, Integer | LengthOf | BidPoints) else text


def spell(value: bool | int | str) -> str:
    """Write a value as `read_value` reads it."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
