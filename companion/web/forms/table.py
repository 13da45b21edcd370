"""The table of a form: each field beside the path of the entry that it stands for.

>>> from types import SimpleNamespace
>>> from companion.jacknine.entries import Deal
>>> table = FieldTable(Deal, [("caller", "call.seat"), ("after_trick", "call.after_trick")])
>>> fields = table.fill({"type": "deal", "call": {"seat": "A", "after_trick": 6}})
>>> fields
{'after_trick': '6', 'caller': 'A'}
>>> table.read({name: SimpleNamespace(data=text) for name, text in fields.items()})
{'type': 'deal', 'call': {'seat': 'A', 'after_trick': 6}}
"""

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from companion.rules.schema import Boolean, Choice, Integer, Kind, ListOf, MappingOf, Nested, fields_of

from .values import ABSENT, read_value, spell

Entry = Mapping[str, Any]
"""An entry as JSON."""
Fields = Mapping[str, Any]
"""The data of a form's fields, by name."""


@dataclass(frozen=True)
class FieldLine:
    """One line of a table, for a path such as `count.cards.A`.

    `read` takes facts from a form, by their paths; `fill` returns the data of its fields for an entry.
    """

    path: str
    read: Callable[[Any], Mapping[str, Any]]
    fill: Callable[[Entry], Fields]


class FieldTable:
    """The fields of a form and the paths that they stand for in an entry of this `shape`.

    A line is a pair *field, path*, whose kind the schema gives, or a `FieldLine` if several fields make one
    fact. If two lines fill the same field, the first decides.
    """

    def __init__(self, shape: type, lines: Iterable[tuple[str, str] | FieldLine]) -> None:
        self._type = find_kind(shape, "type")
        self._lines = [line if isinstance(line, FieldLine) else _pair(shape, *line) for line in lines]

    def read(self, form: Any, paths: Iterable[str] | None = None) -> dict[str, Any]:
        """Read the entry in a form; only at these paths, if any are given."""
        assert isinstance(self._type, Choice)
        entry: dict[str, Any] = {"type": self._type.values[0]}
        used = None if paths is None else {*paths}
        for line in self._lines:
            if used is None or _lies_in(line.path, used):
                for path, value in line.read(form).items():
                    *outer, key = path.split(".")
                    inner = entry
                    for step in outer:
                        inner = inner.setdefault(step, {})
                    inner[key] = value
        return entry

    def fill(self, entry: Entry) -> dict[str, Any]:
        """Return the data of the fields for an entry, as far as it has their facts."""
        data: dict[str, Any] = {}
        for line in reversed(self._lines):
            data |= line.fill(entry)
        return data


def keep_unchanged(entry: Entry, shown: Entry, earlier: Entry) -> dict[str, Any]:
    """Correct an earlier entry by a form: what the form has changed is replaced, all else stays as written.

    `entry` is the content of the form now, `shown` its content before anything was changed.
    """
    stays = {key: fact for key, fact in earlier.items() if entry.get(key, ABSENT) == shown.get(key, ABSENT)}
    return stays | {key: fact for key, fact in entry.items() if fact != shown.get(key, ABSENT)}


def find_kind(shape: type, path: str) -> Kind:
    """Find the kind of value at a path, such as `count.cards.A`."""
    kind: Kind = Nested(shape)
    for key in path.split("."):
        match kind:
            case Nested(shape=inner):
                kind = next(field.kind for field in fields_of(inner) if field.key == key)
            case MappingOf(kind=inner_kind):
                kind = inner_kind
    return kind


def _lies_in(path: str, paths: Container[str]) -> bool:
    steps = path.split(".")
    return any(".".join(steps[:n]) in paths for n in range(1, len(steps) + 1))


def _pair(shape: type, field: str, path: str) -> FieldLine:
    kind = find_kind(shape, path)
    return FieldLine(path, partial(_read_field, field, path, kind), partial(_fill_field, field, path, kind))


def _read_field(name: str, path: str, kind: Kind, form: Any) -> Mapping[str, Any]:
    field = form[name]
    value = _read_data(kind, getattr(field, "entered", field.data))
    return {} if value is ABSENT else {path: value}


def _read_data(kind: Kind, data: Any) -> Any:
    """The value of a field's data; absent for a number that the form itself will refuse."""
    match kind:
        case _ if isinstance(data, int):
            return data
        case ListOf(kind=Nested(shape=shape)):
            return [_read_row(shape, row) for row in data] or ABSENT
    texts = [text.strip() for text in ([data] if isinstance(data, str) else data or ()) if text]
    value = read_value(kind, [text for text in texts if text])
    return ABSENT if isinstance(kind, Integer | Boolean) and isinstance(value, str) else value


def _read_row(shape: type, row: Fields) -> dict[str, Any]:
    values = {field.key: _read_data(field.kind, row.get(field.key)) for field in fields_of(shape)}
    return {key: value for key, value in values.items() if value is not ABSENT}


def _fill_field(name: str, path: str, kind: Kind, entry: Entry) -> Fields:
    fact: Any = entry
    for step in path.split("."):
        if step not in fact:
            return {}
        fact = fact[step]
    return {name: _spell_data(kind, fact)}


def _spell_data(kind: Kind, fact: Any) -> Any:
    match kind, fact:
        case _, None:
            return ""
        case ListOf(kind=Integer()), _:
            return " + ".join(map(str, fact))
        case ListOf(kind=Nested() as row_kind), _:
            return [{key: _spell_data(row_kind, value) for key, value in row.items()} for row in fact]
        case _, int():
            return spell(fact)
        case _:
            return fact
