"""Texts of a game's file: sentences, some under conditions, with numbers and orders of the table in them.

A placeholder names what the table plays: `{target}` a convention, `{points.last}` or `{order.trump}` a fact
of the family, `{word.bela}` a word of the game. `{deals:words}` spells a number out, and
`{deals:deal|deals}` is the form of a noun that fits it, in the order of the language's plural forms.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from .cards import RANKS
from .conditions import PLAYERS, Value, holds, split_condition
from .message import CountMessage, Message, Translate, Word, in_english, show_rank

PLACEHOLDER = re.compile(r"\{([a-z][\w-]*(?:\.[\w-]+)*)(?::([^{}]+))?\}")
_SPELLED = (*range(1, 13), 18, 24, 27)
_NUMBERS = Message(
    "one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, "
    "eighteen, twenty-four, twenty-seven"
)
"""The numbers that are spelled out; others are written in digits."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A part of a text, under conditions of which one must hold; without any it always stands there."""

    text: str
    when: tuple[str, ...] = ()


Find = Callable[[str], object]
"""Finds a fact of a family by its name at one table; raises KeyError for an unknown one."""


@dataclass(frozen=True, slots=True)
class TableChoice:
    """A convention that changes something at a table: its label, and the values that it may well have."""

    label: str
    values: tuple[Value, ...] = ()


class TableFacts:
    """The values that texts of a game's file may name, at one table.

    `chosen` are its conventions, `choices` those that change anything there, `words` those of the game;
    `open_facts` gives the facts of the family at a table with other choices, once one is asked for.
    """

    def __init__(
        self,
        chosen: Mapping[str, Value],
        players: int | None,
        choices: Mapping[str, TableChoice],
        words: Mapping[str, str],
        open_facts: Callable[[Mapping[str, Value]], Find],
    ) -> None:
        self.chosen, self.players, self.choices = chosen, players, choices
        self._words, self._open_facts = words, open_facts
        self._rests = dict[str, frozenset[str]]()

    @cached_property
    def _find(self) -> Find:
        return cache(self._open_facts(self.chosen))

    def __getitem__(self, name: str) -> object:
        """The value of a placeholder. :raises KeyError: for an unknown one."""
        if name in self.chosen:
            return self.chosen[name]
        if name.startswith("word."):
            return Word(self._words[name.removeprefix("word.")])
        try:
            return self._find(name)
        except (LookupError, ValueError):
            raise KeyError(name) from None

    def get(self, name: str) -> object:
        """The value of a placeholder; None for an unknown one."""
        try:
            return self[name]
        except KeyError:
            return None

    def __contains__(self, name: str) -> bool:
        return self.get(name) is not None

    def holds(self, *conditions: str) -> bool:
        """True if one of these conditions holds at the table, or may hold while nobody knows who plays."""
        if self.players is None:
            conditions = tuple(_leave_out(PLAYERS, condition) for condition in conditions)
        return any(holds(condition, self.chosen, self.players) for condition in conditions)

    def decides(self, name: str, conditions: Sequence[str]) -> bool:
        """True if with the other choices it is this convention on which it depends whether one holds."""
        named = [condition for condition in conditions if name in dict(split_condition(condition))]
        others = [condition for condition in conditions if condition not in named]
        return self.holds(*(_leave_out(name, condition) for condition in named)) and not self.holds(*others)

    def rests_on(self, name: str) -> frozenset[str]:
        """The choices on which the value of a placeholder rests: with another one it would be different."""
        if name in self.choices:
            return frozenset({name})
        if name not in self._rests:
            same = (self.get(name), None)
            self._rests[name] = frozenset(
                convention
                for convention, others in self._other_tables.items()
                if any(other.get(name) not in same for other in others)
            )
        return self._rests[name]

    @cached_property
    def _other_tables(self) -> dict[str, list["TableFacts"]]:
        """The tables with another value of one convention, for each that changes anything."""
        return {
            name: [self.choosing({name: value}) for value in choice.values if value != self.chosen[name]]
            for name, choice in self.choices.items()
        }

    def choosing(self, choices: Mapping[str, Value]) -> "TableFacts":
        """The facts of a table that differs in these conventions."""
        chosen = {**self.chosen, **choices}
        return TableFacts(chosen, self.players, self.choices, self._words, self._open_facts)

    def holding(self, values: Mapping[str, object]) -> "TableFacts":
        """The facts of the same table with only these values of the family."""
        return TableFacts(self.chosen, self.players, self.choices, self._words, lambda _: values.__getitem__)

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process gets the choices; a text brings along the values that it shows."""
        known = (self.chosen, self.players, self.choices, self._words, _open_nothing)
        return TableFacts, known, {"_rests": self._rests}


def _open_nothing(_chosen: Mapping[str, Value]) -> Find:
    return dict[str, object]().__getitem__


def _leave_out(name: str, condition: str) -> str:
    return ",".join(f"{other}={value}" for other, value in split_condition(condition) if other != name)


class TableText(Message):
    """A text of a game's file; at a table it consists of the sentences that hold there."""

    __slots__ = ("sentences", "table")

    def __init__(self, sentences: Sequence[Sentence], table: TableFacts | None = None) -> None:
        self.sentences, self.table = tuple(sentences), table
        super().__init__(" ".join(sentence.text for sentence in self.standing()))

    def __reduce__(self) -> tuple[Any, ...]:
        table, values = self.table, dict[str, object]()
        if table is not None:
            values = {name: table[name] for name in self.placeholders() if name in table}
            for name in values:
                table.rests_on(name)  # which the other process cannot find out
        return _restore_text, (self.sentences, table, values)

    def standing(self) -> Iterator[Sentence]:
        """The sentences that hold at the table; without a table all of them."""
        for sentence in self.sentences:
            if self.table is None or not sentence.when or self.table.holds(*sentence.when):
                yield sentence

    def placeholders(self) -> set[str]:
        """The names that its sentences at the table fill in."""
        return {found[1] for sentence in self.standing() for found in PLACEHOLDER.finditer(sentence.text)}

    def at(self, table: TableFacts) -> "TableText":
        """The text as it stands at a table."""
        return TableText(self.sentences, table)

    def render(self, translate: Translate = in_english, show: Callable[[object], str] | None = None) -> str:
        """Each sentence in a language, with the values of the table; without one the placeholders stay."""
        said = " ".join(translate(sentence.text) for sentence in self.standing())
        return said if self.table is None else fill(said, self.table, translate)


def _restore_text(
    sentences: Sequence[Sentence], table: TableFacts | None, values: Mapping[str, object]
) -> TableText:
    return TableText(sentences, table.holding(values) if table else None)


Text = str | TableText
"""A text of a game's file; plain where it is the same at every table."""


def read_text(text: str | Sequence[str | Mapping[str, Any]]) -> Text:
    """Read a text of a game's file: one text, or a list of sentences, some with their conditions."""
    if isinstance(text, str):
        return TableText([Sentence(text)]) if PLACEHOLDER.search(text) else text
    return TableText([_read_sentence(item) for item in text])


def _read_sentence(item: str | Mapping[str, Any]) -> Sentence:
    if isinstance(item, str):
        return Sentence(item)
    when = item["when"]
    return Sentence(item["text"], (when,) if isinstance(when, str) else tuple(when))


def text_at(text: Text, table: TableFacts) -> Text:
    """A text as it stands at a table."""
    return text.at(table) if isinstance(text, TableText) else text


def fill(sentence: str, table: TableFacts, translate: Translate) -> str:
    """Put the values of a table into a sentence; what has none, as in anybody's copy, stays as it is."""
    return PLACEHOLDER.sub(
        lambda found: _show(table[found[1]], found[2], translate) if found[1] in table else found[0], sentence
    )


def _show(value: object, form: str | None, translate: Translate) -> str:
    match value:
        case Word(text):
            return translate(text)
        case tuple():
            return " ".join(_show(item, None, translate) for item in value)
        case int() if form and "|" in form:
            return _choose_form(form.split("|"), value, translate)
        case int() if form and value in _SPELLED:
            return _NUMBERS.render(translate).split(", ")[_SPELLED.index(value)]
        case str() if value in RANKS:
            return show_rank(value, translate)
        case _:
            return str(value)


def _choose_form(forms: Sequence[str], count: int, translate: Translate) -> str:
    number = CountMessage("0", "1", count).render(translate)  # a catalogue has the number of each form
    return forms[min(int(number), len(forms) - 1)]  # an English sentence has two in any language
