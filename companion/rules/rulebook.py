"""A game's rulebook: its rules with ids, the conventions tables choose among, and named presets."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce

from .errors import Unreadable, contradictions
from .message import Message
from .schema import check_text, join_path

Value = bool | int | str
"""What a convention may be set to."""
OFF = "off"
"""What may be said for 0 where a free number can be 0, which is never, none or no bound."""
PLAYERS = "players"
"""What stands for the number of players in a condition."""
CARDS = ("cards.plain-order", "deck")
"""The keys of the rule that says how the cards rank, or what the pack is."""
RULES_LIMIT = 400_000
"""Characters of a flat copy of a game, in which stands what its file inherits too."""
_RANGE = re.compile(r"([0-9]{1,9})\.\.([0-9]{0,9})")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule in our own words. `keys` are the family's names for it, by which code cites it."""

    id: str
    text: str
    chapter: str
    source: str
    keys: tuple[str, ...] = ()
    only_when: tuple[str, ...] = ()
    """Conditions under one of which it applies, where it does not always; as for a convention."""

    def applies(self, chosen: Mapping[str, Value], players: int | None = None) -> bool:
        """Whether it applies beside these choices."""
        return not self.only_when or any(holds(condition, chosen, players) for condition in self.only_when)


@dataclass(frozen=True, slots=True)
class Convention:
    """A named choice the rules leave to the table.

    `values` are the choices with what each means; empty for a free number from `least` to `most`. `needs`
    names other conventions without whose values it means nothing (`"1.."`: a number of at least 1, `"1..5"`:
    from 1 to 5). With `default_half_of` it is, left out, half of that convention's number, rounded up;
    `default_when` has other defaults for conditions such as `format=individual,players=5`. `sizes` are the
    numbers of players that a value is for, where it is not for all; `only_when` are the conditions under one
    of which it changes anything at all, where it is not all of them. A `default` that is a text, without
    `values`, is free text of at most `most` characters.
    """

    name: str
    label: str
    rule: str
    default: Value
    values: Mapping[Value, str] = field(default_factory=dict)
    text: str = ""
    least: int = 0
    most: int = 9999
    needs: Mapping[str, Value] = field(default_factory=dict)
    default_half_of: str = ""
    default_when: Mapping[str, Value] = field(default_factory=dict)
    sizes: Mapping[Value, tuple[int, ...]] = field(default_factory=dict)
    only_when: tuple[str, ...] = ()
    named: Mapping[Value, str] = field(default_factory=dict)
    """Of a free number those that have a meaning of their own, which other tables may well have chosen."""

    def ways(self, players: int | None) -> tuple[Mapping[str, str], ...]:
        """The choices of others beside which it changes anything where so many play; none: it never does.

        Of each convention the value as conditions have it. Where nobody has counted, any number may play.
        """
        needs = {name: json_word(value) for name, value in self.needs.items()}
        conditions = [dict(split_condition(condition)) for condition in self.only_when or ("",)]
        return tuple(
            {**needs, **{name: value for name, value in parts.items() if name != PLAYERS}}
            for parts in conditions
            if players is None or parts.get(PLAYERS) in (None, str(players))
        )

    def matters(self, chosen: Mapping[str, Value], players: int | None = None) -> bool:
        """Whether it changes anything beside these choices, for so many players where that is known."""
        return any(
            all(name in chosen and matches(chosen[name], value) for name, value in way.items())
            for way in self.ways(players)
        )

    def fits(self, chosen: Mapping[str, Value], players: int | None = None) -> bool:
        """Whether it exists at a table of these choices, whatever it needs beside that."""
        facts = {**chosen, PLAYERS: players}
        return any(
            all(
                (here := facts.get(name)) is None or matches(here, value)
                for name, value in split_condition(condition)
            )
            for condition in self.only_when or ("",)
        )

    def refuse_irrelevant(self, usual: Value) -> Message:
        """What it must be where it changes nothing, and why."""
        return Message("{usual}, as it matters only where {use}", usual=json_word(usual), use=self.use)

    @property
    def use(self) -> Message:
        """Beside which choices, and for how many players, it changes anything."""
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

    def values_for(self, players: int | None) -> dict[Value, str]:
        """The values that so many players may choose, with what each means."""
        return {
            value: text
            for value, text in self.values.items()
            if players is None or players in self.sizes.get(value, (players,))
        }

    def texts_for(self, players: int | None) -> Mapping[Value, str]:
        """The values that so many players may choose, or of a free number those that have a meaning."""
        return self.values_for(players) or self.named

    @property
    def is_text(self) -> bool:
        """Whether it is said in the table's own words."""
        return not self.values and isinstance(self.default, str)

    def check(self, value: object, path: str) -> Value:
        """The value if the convention can take it.

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


def json_word(value: Value) -> str:
    """A convention's value as it is written in a record."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of conventions of one game; what it does not set has the convention's default."""

    name: str
    label: str
    text: str
    sets: Mapping[str, Value]


@dataclass(frozen=True)
class Rulebook:
    """Everything a game's file says in words: rules, conventions, presets, its own vocabulary."""

    game: str
    title: str
    summary: str
    version: str
    rules: Mapping[str, Rule]
    conventions: Mapping[str, Convention]
    presets: Mapping[str, Preset]
    words: Mapping[str, str]
    dated: str = ""
    """The day of this version, as YYYY-MM-DD."""
    writing: str = "table"
    """How the score is pencilled: `tally` marks, a `table` of running totals, or `matchsticks`."""
    rings: bool = False
    """Whether points that hang stand in a ring, not in brackets."""
    half: bool = False
    """Whether a stroke is drawn where a side has half of the target."""
    of_host: str = ""
    """The source of a game of the table's host; empty where it is one of ours."""

    def rules_for(self, chosen: Mapping[str, Value], players: int | None = None) -> tuple[Rule, ...]:
        """The rules that apply beside these choices."""
        return tuple(rule for rule in self.rules.values() if rule.applies(chosen, players))

    @property
    def varieties(self) -> tuple[Preset, ...]:
        """The presets one can choose among: of several names for the same choices the first."""
        return tuple(preset for preset in self.presets.values() if self.variety(preset.name) is preset)

    def variety(self, preset: str) -> Preset:
        """The first preset that makes the same choices as this one. :raises KeyError: for an unknown one."""
        sets = self.presets[preset].sets
        return next(preset for preset in self.presets.values() if preset.sets == sets)

    def in_order(self, rules: Iterable[Rule]) -> list[Rule]:
        """These rules as they are read: the chapter on the cards first, whatever a game inherits."""
        first = {rule.chapter for key, rule in self._by_key.items() if key in CARDS}
        return sorted(rules, key=lambda rule: rule.chapter not in first)

    def cite(self, *keys: str) -> tuple[Rule, ...]:
        """The game's own rules for these family keys, each once, in this order.

        :raises KeyError: for a key that no rule of the game answers to.
        """
        return tuple(dict.fromkeys(self._by_key[key] for key in keys))

    def knows(self, key: str) -> bool:
        """Whether a rule of the game answers to this family key."""
        return key in self._by_key

    @cached_property
    def _by_key(self) -> Mapping[str, Rule]:
        return {key: rule for rule in self.rules.values() for key in rule.keys}

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

        A choice that changes nothing beside the others is refused, unless it only says what is usual, and so
        is a preset at a table for which what it sets does not exist; `strict` False lets both stand.

        :raises Unreadable: for an unknown preset, convention or value, naming the known ones; for a value
            that is not for so many players, or changes nothing.
        """
        values = self._overlay(preset, chosen, path, players)
        sizes = self._possible_sizes(values, players)
        with contradictions():
            for name in chosen if strict else ():
                one = self.conventions[name]
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
        """How many may play by these choices; None where nobody counted and none says, or they disagree."""
        if players is not None:
            return frozenset({players})
        sizes = [
            frozenset(convention.sizes[values[name]])
            for name, convention in self.conventions.items()
            if values[name] in convention.sizes
        ]
        return (frozenset.intersection(*sizes) if sizes else frozenset()) or frozenset({None})

    def irrelevant_facts(self, values: Mapping[str, Value], players: int | None = None) -> frozenset[str]:
        """The conventions that change nothing beside the others, all of which have these values."""
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
        """What a convention is where nobody says it, the others being as chosen."""
        others = {other: value for other, value in chosen.items() if other != name}
        return self._overlay(preset, others, "", players)[name]


def holds(condition: str, chosen: Mapping[str, Value], players: int | None = None) -> bool:
    """Whether `convention=value` is so, or several of them with commas between; `players` may be one.

    `convention=1..` asks for a number of at least 1, `convention=1..5` for one from 1 to 5.
    """
    facts = chosen if players is None else {**chosen, PLAYERS: players}
    return all(name in facts and matches(facts[name], value) for name, value in split_condition(condition))


def split_condition(condition: str) -> list[tuple[str, str]]:
    """The names and values of a condition such as `melds=zensa,zensa_nines=150`."""
    parts = (part.partition("=") for part in condition.split(",") if part)
    return [(name, value) for name, _, value in parts]


def read_range(value: str) -> tuple[int, int | None] | None:
    """The bounds of `1..5`, or of `1..`, which has no upper one; None for any other value of a condition.

    >>> read_range("1..5"), read_range("1.."), read_range("5..1"), read_range("a..b")
    ((1, 5), (1, None), None, None)
    """
    found = _RANGE.fullmatch(value)
    if found is None:
        return None
    least, most = int(found[1]), int(found[2]) if found[2] else None
    return (least, most) if most is None or least <= most else None


def matches(value: Value, wanted: str) -> bool:
    """Whether a value is what a condition asks for: just that, or a number within bounds."""
    bounds = read_range(wanted)
    if bounds is None or isinstance(value, str):
        return json_word(value) == wanted
    least, most = bounds
    return least <= value and (most is None or value <= most)


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
