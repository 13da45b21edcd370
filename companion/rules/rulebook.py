"""A game's rulebook: its rules with ids, the conventions tables choose among, and named presets."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from types import MappingProxyType
from typing import Generic, TypeVar

from .conditions import OFF, PLAYERS, Value, holds, json_word, matches, read_range, split_condition
from .errors import Unreadable, contradictions
from .message import Message
from .schema import check_text, join_path
from .texts import TableFacts, TableText, Text, text_at

CARDS = ("cards.plain-order", "deck")
"""The keys of the rules on the order of the cards and the pack."""
RULES_LIMIT = 400_000
"""The most characters of a flat copy of a game, which includes what its file inherits."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule in our own words. `keys` are the family's names for it, by which code cites it."""

    id: str
    text: Text
    chapter: str
    source: str
    keys: tuple[str, ...] = ()
    only_when: tuple[str, ...] = ()
    """Conditions of which one must hold for the rule to apply, as for a convention; empty: it always does."""
    table: TableFacts | None = field(default=None, compare=False, repr=False)
    """The table at which it stands, if it does not stand for all."""

    def applies(self, chosen: Mapping[str, Value], players: int | None = None) -> bool:
        """True if it applies with these choices."""
        return not self.only_when or any(holds(condition, chosen, players) for condition in self.only_when)

    def at(self, table: TableFacts) -> "Rule":
        """The rule as it stands at a table."""
        return replace(self, text=text_at(self.text, table), table=table)

    @property
    def choices(self) -> dict[str, Value]:
        """The choices of its table, by convention, on which its text rests or that it applies at all.

        Those that change nothing beside the others are not among them.
        """
        if self.table is None:
            return {}
        said, conditions = frozenset[str](), [self.only_when]
        if isinstance(self.text, TableText):
            said = said.union(*map(self.table.rests_on, self.text.placeholders()))
            conditions += [sentence.when for sentence in self.text.sentences]
        return {
            name: value
            for name, value in self.table.chosen.items()
            if name in self.table.choices
            and (name in said or any(self.table.decides(name, several) for several in conditions))
        }


@dataclass(frozen=True, slots=True)
class Convention:
    """A named choice the rules leave to the table.

    `values` are the choices with their meanings; empty for a free number from `least` to `most`. `needs`
    names other conventions without whose values it has no meaning (`"1.."`: a number of at least 1, `"1..5"`:
    from 1 to 5). With `default_half_of` its default is half of that convention's number, rounded up;
    `default_when` has other defaults for conditions such as `format=individual,players=5`. `sizes` are the
    numbers of players for which a value exists, if not all, `value_needs` the choices without which it does
    not exist; `only_when` are the conditions of which one must hold for it to change anything, if it does not
    always. A `default` that is a text, without `values`, is free text of at most `most` characters.
    """

    name: str
    label: str
    rule: str
    default: Value
    values: Mapping[Value, Text] = field(default_factory=dict)
    text: Text = ""
    least: int = 0
    most: int = 9999
    needs: Mapping[str, Value] = field(default_factory=dict)
    default_half_of: str = ""
    default_when: Mapping[str, Value] = field(default_factory=dict)
    sizes: Mapping[Value, tuple[int, ...]] = field(default_factory=dict)
    value_needs: Mapping[Value, Mapping[str, Value]] = field(default_factory=dict)
    only_when: tuple[str, ...] = ()
    named: Mapping[Value, Text] = field(default_factory=dict)
    """For a free number, the values with a meaning of their own, which other tables may well have chosen."""

    def at(self, table: TableFacts) -> "Convention":
        """The convention with its texts as they stand at a table; those of a value as if it were chosen."""
        if all(isinstance(text, str) for text in (self.text, *self.values.values(), *self.named.values())):
            return self
        values, named = (
            {value: text_at(text, table.choosing({self.name: value})) for value, text in texts.items()}
            for texts in (self.values, self.named)
        )
        return replace(self, text=text_at(self.text, table), values=values, named=named)

    def listed(self) -> list[Value]:
        """Its values; of a free number the default, the least, and those with a meaning of their own."""
        if self.values or self.is_text:
            return list(self.values)
        return list(dict.fromkeys((self.default, self.least, *self.named)))

    def ways(self, players: int | None) -> tuple[Mapping[str, str], ...]:
        """The choices of others with which it changes anything for so many players; empty if it never does.

        Each convention's value is written as in conditions. With unknown `players` any number may play.
        """
        needs = {name: json_word(value) for name, value in self.needs.items()}
        conditions = [dict(split_condition(condition)) for condition in self.only_when or ("",)]
        return tuple(
            {**needs, **{name: value for name, value in parts.items() if name != PLAYERS}}
            for parts in conditions
            if players is None or parts.get(PLAYERS) in (None, str(players))
        )

    def matters(self, chosen: Mapping[str, Value], players: int | None = None) -> bool:
        """True if it changes anything with these choices, for so many players if that is known."""
        return any(
            all(name in chosen and matches(chosen[name], value) for name, value in way.items())
            for way in self.ways(players)
        )

    def fits(self, chosen: Mapping[str, Value], players: int | None = None) -> bool:
        """True if it exists at a table of these choices, apart from its `needs`."""
        facts = {**chosen, PLAYERS: players}
        return any(
            all(
                (here := facts.get(name)) is None or matches(here, value)
                for name, value in split_condition(condition)
            )
            for condition in self.only_when or ("",)
        )

    def refuse_irrelevant(self, usual: Value) -> Message:
        """Say what it must be where it changes nothing, and why."""
        return Message("{usual}, as it matters only where {use}", usual=json_word(usual), use=self.use)

    def check_needs(self, chosen: Mapping[str, Value], path: str) -> None:
        """Check that these choices are those that its value needs. :raises Unreadable: if they are not."""
        value = chosen[self.name]
        for other, needed in self.value_needs.get(value, {}).items():
            if chosen[other] != needed:
                expected = Message(
                    "one of {values}, as {value} exists only where {use}",
                    values=[json_word(each) for each in self.values if each not in self.value_needs],
                    value=json_word(value),
                    use=_describe_choice(other, json_word(needed)),
                )
                raise Unreadable(f"{path}conventions.{self.name}", expected, value)

    @property
    def use(self) -> Message:
        """The choices, and the numbers of players, for which it changes anything."""
        sizes: dict[tuple[tuple[str, str], ...], list[str]] = {}
        for condition in self.only_when:
            parts = dict(split_condition(condition))
            count = parts.pop(PLAYERS, None)
            sizes.setdefault(tuple(parts.items()), []).extend([] if count is None else [count])
        ways = []
        for choices, counts in sizes.items():
            clauses = [_describe_choice(name, value) for name, value in choices]
            ways.append(reduce(_both, clauses + [_describe_sizes(counts)] * bool(counts)))
        needs = [_describe_choice(name, json_word(value)) for name, value in self.needs.items()]
        return reduce(_both, [*needs, *([reduce(_either, ways)] if ways else [])])

    def values_for(self, players: int | None) -> dict[Value, Text]:
        """The values that so many players may choose, with their meanings."""
        return {
            value: text
            for value, text in self.values.items()
            if players is None or players in self.sizes.get(value, (players,))
        }

    def texts_for(self, players: int | None) -> Mapping[Value, Text]:
        """The values that so many players may choose, or those of a free number that have a meaning."""
        return self.values_for(players) or self.named

    @property
    def is_text(self) -> bool:
        """True if its value is free text, in the table's own words."""
        return not self.values and isinstance(self.default, str)

    def check(self, value: object, path: str) -> Value:
        """Check that the convention can take a value, and return it.

        :raises Unreadable: with the values that it can take.
        """
        if self.values:
            if any(value == allowed and type(value) is type(allowed) for allowed in self.values):
                return value  # type: ignore[return-value]  # one of the declared values
            expected = Message("one of {values}", values=[json_word(value) for value in self.values])
            raise Unreadable(path, expected, value)
        if self.is_text:
            return check_text(value, path, 0, self.most)
        if value == OFF and self.least == 0:
            return 0
        if type(value) is int and self.least <= value <= self.most:
            return value
        expected = Message("a whole number from {least} to {most}", least=self.least, most=self.most)
        raise Unreadable(path, expected, value)


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of conventions of one game; all others have their defaults.

    `formerly` are the values that some conventions had up to version `until` of the rulebook.
    """

    name: str
    label: str
    text: Text
    sets: Mapping[str, Value]
    until: int = 0
    formerly: Mapping[str, Value] = field(default_factory=dict)


def number_version(rulebook: str) -> int:
    """The whole number of a rulebook's version; 0 if it was not stored.

    >>> number_version("3"), number_version("2.1-0f3a"), number_version("")
    (3, 2, 0)
    """
    number = rulebook.partition("-")[0].partition(".")[0]
    return int(number) if number.isdecimal() else 0


T = TypeVar("T")


class _AtTable(Mapping[str, T], Generic[T]):
    """Rules or conventions as they stand at a table: each once it is asked for, as few ever are."""

    def __init__(self, everywhere: Mapping[str, T], move: Callable[[T], T]) -> None:
        self._everywhere: Mapping[str, T] = everywhere
        self._move: Callable[[T], T] = move
        self._here: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._here:
            self._here[name] = self._move(self._everywhere[name])
        return self._here[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._everywhere)

    def __len__(self) -> int:
        return len(self._everywhere)

    def __reduce__(self) -> tuple[type, tuple[dict[str, T]]]:
        """Go to another process as plain texts."""
        return dict, (dict(self),)


@dataclass(frozen=True)
class Rulebook:
    """The rulebook of a game: rules, conventions, presets, its own vocabulary."""

    game: str
    title: str
    summary: Text
    version: str
    rules: Mapping[str, Rule]
    conventions: Mapping[str, Convention]
    presets: Mapping[str, Preset]
    words: Mapping[str, str]
    dated: str = ""
    """The day of this version, as YYYY-MM-DD."""
    writing: str = "table"
    """The style of writing the score: `tally` marks, a `table` of running totals, or `matchsticks`."""
    rings: bool = False
    """True if points that hang are drawn in a ring, not in brackets."""
    also: tuple[str, ...] = ()
    """Other names by which people know the game."""
    at_home: tuple[str, ...] = ()
    """The languages of the countries where it is played."""
    half: bool = False
    """True if a stroke is drawn when a side has half of the target."""
    of_host: str = ""
    """The source of a game of the table's host; empty for our own games."""
    everywhere: "Rulebook | None" = field(default=None, compare=False, repr=False)
    """The rulebook of which this is the one at a table."""

    def at(self, table: TableFacts) -> "Rulebook":
        """The rulebook with the summary and the texts of rules and conventions as they stand at a table.

        One that does not apply there has the text of the nearest table where it does.
        """
        plain = self._plain

        def move_rule(rule: Rule) -> Rule:
            return rule.at(plain._move(table, rule.only_when))

        def move_convention(convention: Convention) -> Convention:
            return convention.at(plain._move(table, convention.only_when, convention.needs))

        rules, conventions = _AtTable(plain.rules, move_rule), _AtTable(plain.conventions, move_convention)
        summary = text_at(plain.summary, table)
        return replace(self, summary=summary, rules=rules, conventions=conventions, everywhere=plain)

    @property
    def _plain(self) -> "Rulebook":
        return self.everywhere or self

    def _move(
        self, table: TableFacts, conditions: Sequence[str], needs: Mapping[str, Value] = MappingProxyType({})
    ) -> TableFacts:
        """The table itself if one of these conditions and all needs hold; else one with such choices."""
        needed = ",".join(f"{name}={json_word(value)}" for name, value in needs.items())
        ways = [f"{needed},{condition}".strip(",") for condition in conditions or ("",)]
        if table.holds(*ways):
            return table
        choices = self.choose(ways[0])
        return table.choosing(choices[0]) if choices else table

    def choose(self, *conditions: str) -> tuple[dict[str, Value], int | None] | None:
        """Choices with which all these conditions hold, and the number of players; None if none do."""
        wanted: dict[str, list[str]] = {}
        for name, word in (part for condition in conditions for part in split_condition(condition)):
            wanted.setdefault(name, []).append(word)
        players = wanted.pop(PLAYERS, [])
        if len({*players}) > 1 or not wanted.keys() <= self.conventions.keys():
            return None
        chosen = dict[str, Value]()
        for name, words in wanted.items():
            bounds = map(int, re.findall(r"[0-9]+", " ".join(words)))
            values = [*self.conventions[name].listed(), *bounds]
            fitting = [value for value in values if all(matches(value, word) for word in words)]
            if not fitting:
                return None
            chosen[name] = fitting[0]
        return chosen, int(players[0]) if players else None

    def rules_for(self, chosen: Mapping[str, Value], players: int | None = None) -> tuple[Rule, ...]:
        """The rules that apply with these choices."""
        return tuple(rule for rule in self.rules.values() if rule.applies(chosen, players))

    @property
    def varieties(self) -> tuple[Preset, ...]:
        """The presets one can choose among: the first of several names for the same choices."""
        return tuple(preset for preset in self.presets.values() if self.variety(preset.name) is preset)

    def variety(self, preset: str) -> Preset:
        """The first preset with the same choices as this one. :raises KeyError: for an unknown one."""
        sets = self.presets[preset].sets
        return next(preset for preset in self.presets.values() if preset.sets == sets)

    def list_former(self, preset: str, version: str | None) -> Mapping[str, Value]:
        """The conventions of a preset that were others up to this version; None: today's.

        A host's game has none: each match keeps a copy of its own.
        """
        named = self.presets[preset]
        is_former = version is not None and not self.of_host and number_version(version) <= named.until
        return named.formerly if is_former else {}

    def in_order(self, rules: Iterable[Rule]) -> list[Rule]:
        """Sort rules for reading: the chapter on the cards first, even in a game that inherits it."""
        first = {rule.chapter for rule in self.cite(*filter(self.knows, CARDS))}
        return sorted(rules, key=lambda rule: rule.chapter not in first)

    def cite(self, *keys: str) -> tuple[Rule, ...]:
        """The game's own rules for these family keys, each once, in this order.

        :raises KeyError: for a key that no rule of the game answers to.
        """
        return tuple(self.rules[id] for id in dict.fromkeys(self._plain._ids[key] for key in keys))

    def knows(self, key: str) -> bool:
        """True if a rule of the game has this family key."""
        return key in self._plain._ids

    @cached_property
    def _ids(self) -> Mapping[str, str]:
        return {key: rule.id for rule in self.rules.values() for key in rule.keys}

    def resolve(
        self,
        preset: str | None,
        chosen: Mapping[str, object],
        path: str,
        players: int | None = None,
        *,
        strict: bool = True,
    ) -> dict[str, Value]:
        """All conventions of the game: defaults, overlaid by the preset, overlaid by the choices.

        A choice that changes nothing with the others is refused unless it is the default, and so is a preset
        whose conventions do not exist at this table; `strict` False accepts both.

        :raises Unreadable: for an unknown preset, convention or value, naming the known ones; for a value
            that does not exist for so many players, or changes nothing.
        """
        values = self._overlay(preset, chosen, path, players)
        sizes = self._possible_sizes(values, players)
        with contradictions():
            for name in chosen if strict else ():
                one = self.conventions[name]
                one.check_needs(values, path)
                if any(one.matters(values, size) for size in sizes):
                    continue
                usual = self.usual(name, preset, chosen, players)
                if values[name] not in (usual, one.default):
                    raise Unreadable(f"{path}conventions.{name}", one.refuse_irrelevant(usual), values[name])
            for name in self.presets[preset].sets if strict and preset else ():
                one = self.conventions[name]
                if values[name] != one.default and not one.fits(values, players):
                    raise Unreadable(
                        f"{path}conventions.{name}", one.refuse_irrelevant(one.default), values[name]
                    )
        return values

    def _overlay(
        self, preset: str | None, chosen: Mapping[str, object], path: str, players: int | None
    ) -> dict[str, Value]:
        if preset is not None and preset not in self.presets:
            raise Unreadable(f"{path}preset", Message("one of {values}", values=list(self.presets)), preset)
        named = self.presets[preset] if preset is not None else next(iter(self.presets.values()))
        values = {name: convention.default for name, convention in self.conventions.items()}
        values |= named.sets
        for name, value in chosen.items():
            if name not in self.conventions:
                known = Message("a convention of this game: {names}", names=list(self.conventions))
                raise Unreadable(join_path(f"{path}conventions", name), known)
            values[name] = self.conventions[name].check(value, f"{path}conventions.{name}")
        counts = None if players is None else {players}
        for name, convention in self.conventions.items():
            sizes = convention.sizes.get(values[name])
            if sizes is not None and counts is not None and counts.isdisjoint(sizes):
                fitting = {
                    json_word(value): None for count in counts for value in convention.values_for(count)
                }
                facts = {"values": [*fitting], "count": ", ".join(map(str, sorted(counts)))}
                expected = Message("one of {values} for {count} players", **facts)
                with contradictions():
                    raise Unreadable(f"{path}conventions.{name}", expected, values[name])
            if sizes is not None:
                counts = {*sizes} if counts is None else counts.intersection(sizes)
            if name in chosen or name in named.sets:
                continue
            if convention.default_half_of:
                values[name] = (int(values[convention.default_half_of]) + 1) // 2
            for condition, default in convention.default_when.items():
                if holds(condition, values, players):
                    values[name] = default
        return values

    def _possible_sizes(
        self, values: Mapping[str, Value], players: int | None
    ) -> frozenset[int] | frozenset[None]:
        """Numbers of players these choices allow; None if unknown and no choice says, or they disagree."""
        if players is not None:
            return frozenset({players})
        sizes = [
            frozenset(convention.sizes[values[name]])
            for name, convention in self.conventions.items()
            if values[name] in convention.sizes
        ]
        return (frozenset.intersection(*sizes) if sizes else frozenset()) or frozenset({None})

    def irrelevant_facts(self, values: Mapping[str, Value], players: int | None = None) -> frozenset[str]:
        """The conventions that change nothing with the others, all of which have these values."""
        acting = dict(values)
        sizes = self._possible_sizes(values, players)
        while idle := [
            name for name in acting if not any(self.conventions[name].matters(acting, size) for size in sizes)
        ]:
            for name in idle:  # what hangs on one of them is idle too
                del acting[name]
        return frozenset(values.keys() - acting.keys())

    def usual(
        self, name: str, preset: str | None, chosen: Mapping[str, object], players: int | None = None
    ) -> Value:
        """The default of a convention with these other choices."""
        others = {other: value for other, value in chosen.items() if other != name}
        return self._overlay(preset, others, "", players)[name]


def _describe_choice(name: str, value: str) -> Message:
    bounds = read_range(value)
    if bounds is None:
        return Message("{name} is {value}", name=name, value=value)
    least, most = bounds
    if most is None:
        return Message("{name} is at least {least}", name=name, least=str(least))
    return Message("{name} is {least} to {most}", name=name, least=str(least), most=str(most))


def _describe_sizes(counts: Sequence[str]) -> Message:
    unbroken = len(counts) > 2 and int(counts[-1]) - int(counts[0]) == len(counts) - 1
    return Message("{counts} play", counts=f"{counts[0]}–{counts[-1]}" if unbroken else list(counts))


def _both(one: Message, other: Message) -> Message:
    return Message("{one} and {other}", one=one, other=other)


def _either(one: Message, other: Message) -> Message:
    return Message("{one} or {other}", one=one, other=other)
