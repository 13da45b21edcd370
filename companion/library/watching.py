"""Which options of a rule set an answer rests on: those that were not asked for cannot change it."""

from collections.abc import Iterator, Mapping
from dataclasses import Field, fields, replace
from typing import ClassVar, Generic, Protocol, TypeVar

V = TypeVar("V")


class WatchedOptions(Mapping[str, V], Generic[V]):
    """Options that remember the names by which they were asked, since they were made.

    What has once been read stays in `names_read`: a function of the family may remember its results, and
    then does not ask again.
    """

    def __init__(self, options: Mapping[str, V]) -> None:
        self._options = options
        self.names_read: set[str] = set()

    def __getitem__(self, name: str) -> V:
        self.names_read.add(name)
        return self._options[name]

    def __iter__(self) -> Iterator[str]:
        self.names_read.update(self._options)
        return iter(self._options)

    def __len__(self) -> int:
        self.names_read.update(self._options)
        return len(self._options)


class HasOptions(Protocol):
    """A rule set: a dataclass with options by name, whose other fields are the same for all who choose so."""

    __dataclass_fields__: ClassVar[dict[str, Field[object]]]

    @property
    def options(self) -> Mapping[str, object]:
        """The game's fixed procedures and the table's conventions, by name."""


R = TypeVar("R", bound=HasOptions)


def watch_options(ruleset: R) -> tuple[R, WatchedOptions[object]]:
    """The rule set once more, and its options, which remember what is read of them from now on."""
    options = WatchedOptions(ruleset.options)
    return replace(ruleset, options=options), options


def may_differ(ruleset: HasOptions, other: HasOptions, names_read: frozenset[str]) -> bool:
    """Whether an answer for which these options were read may be another one under the other rule set.

    :param names_read: the options that were read for the answer under the first of the two.
    """
    if any(
        getattr(ruleset, field.name) != getattr(other, field.name)
        for field in fields(ruleset)
        if field.name != "options"
    ):
        return True
    absent = object()
    return any(ruleset.options.get(name, absent) != other.options.get(name, absent) for name in names_read)
