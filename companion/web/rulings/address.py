"""A question as an address: the query string that fills its form, and what a button does to it.

A fact's field is called as its place in the request, with dots for steps into it (`totals.A`,
`declared.0.top`); lists repeat their name. So an address is a question, and whoever is sent it sees the same
answer.
"""

import json
from collections.abc import Mapping
from typing import Any

from werkzeug.datastructures import MultiDict

from .fields.base import Address
from .fields.bout import ATTACKER, DEFENDER
from .fields.calls import TERMS

BUTTONS = ("add", "drop", "clear", "more", "say", "lay", "play", "pass", "undo")
"""What a button may do to the facts instead of asking: `add.trick=10H`, `more.declared=1`."""


def press_button(address: Address) -> tuple[Address, str | None]:
    """The address as a button leaves it, and the name of the field that it changed, if there is one."""
    after = MultiDict(address)
    changed: str | None = None
    for key in list(after):
        verb, _dot, name = key.partition(".")
        if verb not in BUTTONS or not name:
            continue
        value = after.poplist(key)[0]
        if changed is None:
            changed = name
            _change_field(after, verb, name, value)
    return after, changed


def _change_field(address: Address, verb: str, name: str, value: str) -> None:
    match verb:
        case "add":
            address.add(name, value)
        case "drop":
            _drop_last(address, name, value)
        case "clear":
            address.poplist(name)
            for key in _row_keys(address, name):
                address.poplist(key)
        case "more":
            address[f"rows.{name}"] = value
        case "lay":
            _lay_card(address, name, value)
        case "play":
            _play_step(address, name, value)
        case "pass" if value:
            address.add(f"{name}.{_count_rows(address, name)}.by", value)
        case "undo":
            _take_back(address, name)
        case "say":
            words = " ".join(value.split()) + _read_terms(address, name) if value in TERMS else value
            address.add(name, words)
            address.poplist(f"points.{name}")
            address.poplist(f"deals.{name}")


def _drop_last(address: Address, name: str, value: str) -> None:
    values = address.getlist(name)
    if value in values:
        del values[len(values) - 1 - values[::-1].index(value)]
        address.setlist(name, values)


def _read_terms(address: Address, name: str) -> str:
    """The terms of an offer as they are written in a record, from its two fields: ` 20+1`."""
    points, deals = (address.get(f"{key}.{name}", "").strip() for key in ("points", "deals"))
    terms = points + (f"+{deals}" if deals not in ("", "0") else "")
    return f" {terms}" if terms else ""


def _lay_card(address: Address, name: str, card: str) -> None:
    """Put a card on the table: as an attack, or upon the attack card that is to be beaten."""
    pairs, onto = address.getlist(name), "".join(address.poplist(f"next.{name}")[:1])
    if onto and onto in pairs:
        pairs[pairs.index(onto)] = f"{onto} {card}"
        address.setlist(name, pairs)
    else:
        address.add(name, card)


def _play_step(address: Address, name: str, step: str) -> None:
    """One more step: a card by whoever plays next, or a whole step; a role stands for whoever has it."""
    chosen = "".join(address.poplist(f"next.{name}")[:1]) or ATTACKER
    who, _blank, what = (step if " " in step else f"{chosen.partition(' ')[0]} {step}").partition(" ")
    onto = "" if " " in step else chosen.partition(" ")[2]
    seat = address.get(who, "") if who in (ATTACKER, DEFENDER) else who
    if seat and what:
        address.add(name, f"{seat} {what} {onto}".strip())


def _row_keys(address: Address, name: str) -> list[str]:
    """The keys of the rows of a field: `transfers.0.by`."""
    return [key for key in address if key.startswith(f"{name}.") and key.split(".")[1].isdecimal()]


def _count_rows(address: Address, name: str) -> int:
    """How many rows of a field there are, by the highest number of one."""
    return max((int(key.split(".")[1]) + 1 for key in _row_keys(address, name)), default=0)


def _take_back(address: Address, name: str) -> None:
    """Take the last card or row back: what beat another on the table leaves that one there."""
    end = f"{name}.{_count_rows(address, name) - 1}."
    for key in [key for key in _row_keys(address, name) if key.startswith(end)]:
        address.poplist(key)
    values = address.poplist(name)
    last = values.pop().split() if values else []
    is_pair = len(last) == 2 and len(last[0]) > 1  # two cards, not a player with one
    for value in [*values, *(last[:1] if is_pair else [])]:
        address.add(name, value)


def query_of(facts: Mapping[str, Any], before: str = "") -> list[tuple[str, str]]:
    """Facts of a request (JSON) as the query string that fills the form with them.

    >>> query_of({"trump": "H", "trick": ["AH", "KS"], "totals": {"A": 82}, "last": True})
    [('trump', 'H'), ('trick', 'AH'), ('trick', 'KS'), ('totals.A', '82'), ('last', 'yes')]
    """
    return [pair for key, value in facts.items() for pair in _spell_fact(f"{before}{key}", value)]


def _spell_fact(name: str, value: Any) -> list[tuple[str, str]]:
    match value:
        case dict() if any(isinstance(item, list) and _is_nested(item) for item in value.values()):
            return [(name, json.dumps(value, ensure_ascii=False))]
        case dict():
            return query_of(value, f"{name}.")
        case list() | tuple():
            spelled = [
                [(name, " ".join(map(str, item)))]
                if isinstance(item, list | tuple)
                else _spell_fact(f"{name}.{i}" if isinstance(item, dict) else name, item)
                for i, item in enumerate(value)
            ]
            return [pair for pairs in spelled for pair in pairs]
        case bool():
            return [(name, "yes" if value else "no")]
        case None:
            return [(name, "none")]
        case _:
            return [(name, str(value))]


def _is_nested(value: list[Any]) -> bool:
    """Whether a list holds lists, as the tricks of a deal do: an address can spell that as JSON only."""
    return any(isinstance(item, list) for item in value)
