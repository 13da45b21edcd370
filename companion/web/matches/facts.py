"""What an amendment changed in an entry, in a few words each: "trumps ♥ → ♠", "note “Misdealt”"."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from flask_babel import gettext as _

from companion.matches import EntryChange, Match
from companion.rules.cards import Card, Suit
from companion.rules.message import SideName
from companion.rules.schema import (
    CardOf,
    Integer,
    Kind,
    ListOf,
    MappingOf,
    Nested,
    Nullable,
    SeatOf,
    SideOf,
    Text,
    TrumpOf,
    TurnUp,
    fields_of,
)
from companion.web.shell.game_ui import game_ui
from companion.web.shell.text import isolate_name, name_of, translate

_NOTHING = "–"
_LONGEST = 40
"""Letters of a fact that are shown; what takes more is only named."""
_CODE = 2
"""Texts so short are ranks of cards, which say themselves; longer ones are keys, unless people wrote them."""

Facts = Mapping[str, tuple[Kind, Any]]


def describe_amendment(match: Match, change: EntryChange) -> str:
    """Everything that an amendment changed: what the entry comes to first, where that is another."""
    before, after = change.row_before, change.row_after
    if before is None or after is None:
        return _("another content")
    ui = game_ui(match.game)
    came_to = ui.describe_row(match, before), ui.describe_row(match, after)
    facts = _describe_facts(match, _open(before.entry), _open(after.entry), came_to[0] != came_to[1])
    return ", ".join(([_arrow(*came_to)] if came_to[0] != came_to[1] else []) + list(facts))


def describe_names(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """The players whose names changed: "Ewa → Ewelina"."""
    renamed = zip(before["players"], after["players"], strict=True)
    return ", ".join(_arrow(isolate_name(old), isolate_name(new)) for old, new in renamed if old != new)


def describe_change(before: str | None, after: str | None) -> str:
    """A text that replaced another, or none."""
    return _arrow(before, after) if before else after or _arrow("", "")


def _arrow(before: str | None, after: str | None) -> str:
    return f"{before or _NOTHING} → {after or _NOTHING}"


def _open(value: Any) -> dict[str, tuple[Kind, Any]]:
    places = [(place, getattr(value, place.attribute)) for place in fields_of(cast(Any, type(value)))]
    return {
        place.key: (place.kind, None if fact is place.absent else fact)
        for place, fact in places
        if place.key != "type"
    }


def _describe_facts(match: Match, before: Facts, after: Facts, is_said: bool, of: str = "") -> Iterator[str]:
    """The facts that differ, in the order of the entry, or `of` an object of facts within it.

    Where it `is_said` already that the entry comes to something else, what makes the difference is left out.
    """
    nothing: tuple[None, None] = (None, None)
    for key in dict.fromkeys((*before, *after)):
        (old_kind, old), (new_kind, new) = before.get(key, nothing), after.get(key, nothing)
        kind = old_kind or new_kind
        if kind is None or old == new or (is_said and key in game_ui(match.game).row_facts):
            continue
        label = _name_fact(match, key, of)
        if isinstance(kind, Nested):
            if old is not None and new is not None:
                yield from dict.fromkeys(_describe_facts(match, _open(old), _open(new), is_said, label))
            elif not is_said:
                yield _describe_fact(label, _show(match, kind, old), _show(match, kind, new))
        else:
            yield _describe_fact(label, _show(match, kind, old), _show(match, kind, new))


def _describe_fact(label: str, old: str | None, new: str | None) -> str:
    if old is None or new is None or max(len(old), len(new)) > _LONGEST:
        return label
    return f"{label} {_arrow(old, new) if old else new or _NOTHING}"


def _name_fact(match: Match, key: str, of: str = "") -> str:
    words = match.game.book.words
    return game_ui(match.game).fact_names().get(key) or translate(words.get(key, "")) or of or key


def _show(match: Match, kind: Kind, value: Any) -> str | None:
    """A fact in a few letters; empty for one that is absent, None where it takes more words."""
    if value is None or value in ((), ""):
        return ""
    match kind:
        case Nullable():
            return _show(match, kind.kind, value)
        case SideOf():
            return name_of(match, SideName(value))
        case SeatOf():
            return name_of(match, value)
        case TrumpOf() | TurnUp() | CardOf():
            return _show_card(value)
        case Integer():
            return str(value)
        case Text() if kind.lines:
            return _("“%(text)s”", text=" ".join(value.split()))
        case Text() if kind.most <= _CODE:
            return str(value)
        case ListOf():
            between = ", " if isinstance(kind.kind, (Nested, SeatOf)) else " "
            return _join(between, [_show(match, kind.kind, item) for item in value])
        case MappingOf():
            return _join(":", [_show(match, kind.kind, item) for item in value.values()])
        case Nested():
            shown = [_show(match, *fact) for fact in _open(value).values()]
            return _join(" ", [item for item in shown if item != ""])
        case _:
            return None


def _join(between: str, shown: list[str | None]) -> str | None:
    return None if None in shown else between.join(item or "" for item in shown)


def _show_card(value: Any) -> str:
    match value:
        case Card():
            return value.face
        case Suit():
            return value.sign
        case _:
            return _("no trumps")
