"""The shape of all game files, whatever the family: head, rules, conventions and presets."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from companion.rules.conditions import Value
from companion.rules.errors import Unreadable
from companion.rules.schema import (
    Boolean,
    Choice,
    Integer,
    Kind,
    ListOf,
    Nested,
    Table,
    Text,
    check_text,
    field,
    join_path,
)


@dataclass(frozen=True, slots=True)
class ValueOf:
    """A value of a convention: true or false, a whole number, or a word."""

    def read(self, value: Any, path: str, table: Table) -> Value:
        """Check the value. :raises Unreadable: if it has another type."""
        if isinstance(value, str):
            return check_text(value, path, 0, 200)
        if type(value) not in (bool, int) or (type(value) is int and abs(value) > 99_999):
            raise Unreadable(path, "true, false, a whole number or a text", value)
        return value  # type: ignore[no-any-return]  # one of the three


@dataclass(frozen=True, slots=True)
class Keyed:
    """A table with keys of the file's own choosing."""

    kind: Kind

    def read(self, value: Any, path: str, table: Table) -> dict[str, Any]:
        """Check the table and its values. :raises Unreadable: if something does not fit."""
        if not isinstance(value, dict):
            raise Unreadable(path, "a table", value)
        return {key: self.kind.read(item, join_path(path, key), table) for key, item in value.items()}


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A value that is checked later, by other code."""

    def read(self, value: Any, path: str, table: Table) -> Any:
        """Return the value unchanged."""
        return value


@dataclass(frozen=True, slots=True)
class Day:
    """A day as YYYY-MM-DD."""

    def read(self, value: Any, path: str, table: Table) -> str:
        """Check the day. :raises Unreadable: if it is invalid."""
        try:
            return date.fromisoformat(value if isinstance(value, str) else "").isoformat()
        except ValueError:
            raise Unreadable(path, "a day such as 2026-11-21", value) from None


NAME = Text(60, 1)
LINE = Text(300, 1)
PARAGRAPH = Text(2000, 1)
CONDITIONS = ListOf(LINE, 0, 20)


@dataclass(frozen=True, slots=True)
class OneOrSeveral:
    """A value of a kind, or a list of them."""

    kind: Kind

    def read(self, value: Any, path: str, table: Table) -> Any:
        """Check the value. :raises Unreadable: if it does not fit."""
        if isinstance(value, list):
            return ListOf(self.kind, 1, 20).read(value, path, table)
        return self.kind.read(value, path, table)


@dataclass(frozen=True, slots=True)
class SentenceShape:
    """A sentence of a text, and the conditions of which one must hold for it to stand there."""

    text: str = field(PARAGRAPH)
    when: str | tuple[str, ...] = field(OneOrSeveral(LINE))


@dataclass(frozen=True, slots=True)
class SentenceOf:
    """A sentence of a text, plain or under conditions."""

    def read(self, value: Any, path: str, table: Table) -> Any:
        """Check the sentence. :raises Unreadable: if it is neither."""
        kind: Kind = Nested(SentenceShape) if isinstance(value, dict) else PARAGRAPH
        return kind.read(value, path, table)


TEXT = OneOrSeveral(SentenceOf())
"""A text: plain, or a list of sentences, some with a condition."""


@dataclass(frozen=True, slots=True)
class RuleShape:
    """One rule."""

    id: str = field(NAME)
    chapter: str = field(LINE)
    keys: tuple[str, ...] = field(ListOf(NAME, 1))
    text: Any = field(TEXT)
    source: str = field(LINE, "")
    only_when: tuple[str, ...] = field(CONDITIONS, ())


@dataclass(frozen=True, slots=True)
class ValueShape:
    """One value of a convention, and the numbers of players and other choices for which it exists."""

    value: Value = field(ValueOf())
    text: str = field(PARAGRAPH)
    players: tuple[int, ...] | None = field(ListOf(Integer(2, 6), 1, 5), None)
    needs: Mapping[str, Value] | None = field(Keyed(ValueOf()), None)


@dataclass(frozen=True, slots=True)
class NamedShape:
    """A number of a convention that has a meaning of its own."""

    value: Value = field(ValueOf())
    text: str = field(PARAGRAPH)


@dataclass(frozen=True, slots=True)
class ConventionShape:
    """One convention."""

    name: str = field(NAME)
    label: str = field(LINE)
    rule: str = field(NAME)
    default: Value = field(ValueOf())
    values: tuple[ValueShape, ...] = field(ListOf(Nested(ValueShape), 1, 20), ())
    named: tuple[NamedShape, ...] = field(ListOf(Nested(NamedShape), 1, 20), ())
    text: str = field(PARAGRAPH, "")
    least: int = field(Integer(), 0)
    most: int = field(Integer(), 9999)
    needs: Mapping[str, Value] | None = field(Keyed(ValueOf()), None)
    default_half_of: str = field(NAME, "")
    default_when: Mapping[str, Value] | None = field(Keyed(ValueOf()), None)
    only_when: tuple[str, ...] = field(CONDITIONS, ())


@dataclass(frozen=True, slots=True)
class PresetShape:
    """One preset."""

    name: str = field(NAME)
    label: str = field(LINE)
    text: str = field(PARAGRAPH)
    sets: Mapping[str, Value] = field(Keyed(ValueOf()))
    until: int = field(Integer(), 0)
    formerly: Mapping[str, Value] | None = field(Keyed(ValueOf()), None)


@dataclass(frozen=True, slots=True)
class SheetShape:
    """The style in which the score is written."""

    writing: str = field(Choice(("table", "tally", "matchsticks")), "table")
    rings: bool = field(Boolean(), False)
    half: bool = field(Boolean(), False)


@dataclass(frozen=True, slots=True)
class GameShape:
    """A whole game, except the tables of its family."""

    shelf: int = field(Integer(0, 999))
    game: str = field(NAME)
    title: str = field(LINE)
    family: str = field(NAME)
    version: str = field(NAME)
    dated: str = field(Day())
    summary: str = field(PARAGRAPH)
    source: str = field(LINE)
    words: Mapping[str, str] = field(Keyed(NAME))
    procedures: Mapping[str, Any] = field(Keyed(Unchecked()))
    stated_in: Mapping[str, Mapping[str, str]] = field(Keyed(Keyed(NAME)))
    presets: tuple[PresetShape, ...] = field(ListOf(Nested(PresetShape), 1))
    rules: tuple[RuleShape, ...] = field(ListOf(Nested(RuleShape), 1, 400))
    also: tuple[str, ...] = field(ListOf(NAME, 0, 30), ())
    at_home: tuple[str, ...] = field(ListOf(NAME, 0, 30), ())
    conventions: tuple[ConventionShape, ...] = field(ListOf(Nested(ConventionShape)), ())
    when: Mapping[str, Mapping[str, Any]] | None = field(Keyed(Keyed(Keyed(Unchecked()))), None)
    sheet: SheetShape | None = field(Nested(SheetShape), None)
