"""Judging a game file when it is read, so that nothing in it can surprise the fold later.

First the shape of everything (`check_shape`), then, with the rulebook made of it, what the parts say of each
other and what the family asks for (`check_meaning`). Both refuse the first thing that is wrong with its file,
its key, and what is allowed there.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from companion.rules.errors import UnknownKey, Unreadable
from companion.rules.options import NOWHERE, FamilyData, OptionScope, listed
from companion.rules.rulebook import Convention, Rulebook, Value, json_word, split_condition
from companion.rules.schema import Choice, Kind, join_path, parse

from .files import LISTS, OMISSIONS, GameFile, GameFileError, KeyPath, overlay, overlays
from .shapes import GameShape

_RANGE = re.compile(r"\d+\.\.\d*")
MAX_TABLES = 512
"""In how many ways conventions may change a game's tables."""


def check_shape(file: GameFile, families: Mapping[str, FamilyData]) -> None:
    """Every key is known and has a value of its kind, and none is missing.

    :raises GameFileError: at the first that is not so.
    """
    _refusing(file, lambda: _check_shape(file.document, file.name, families))


def check_meaning(file: GameFile, book: Rulebook, data: FamilyData) -> None:
    """What is named is there, what is there is asked for, and numbers fit each other.

    :raises GameFileError: at the first thing that is not so.
    """
    _refusing(file, lambda: Meaning(file, book, data).check())


def _refusing(file: GameFile, check: Callable[[], None]) -> None:
    try:
        check()
    except Unreadable as fault:
        path = _named_path(file.document, fault.path)
        origins = {_shown(path): origin for path, origin in file.origins.items()}
        holding = [
            origin for origin in origins if path == origin or path.startswith((f"{origin}.", f"{origin}["))
        ]
        origin = origins[max(holding, key=len)] if holding else file.name
        raise GameFileError(origin, path, str(fault).removeprefix(f"{fault.path}: ")) from None


def _named_path(document: Mapping[str, Any], path: str) -> str:
    """The path with the id of a rule, convention or preset for its number in the list."""
    at = re.match(r"(\w+)\[(\d+)\]", path)
    if at is None or at[1] not in LISTS:
        return path
    item = document[at[1]][int(at[2])]
    return f"{at[1]}[{item[LISTS[at[1]]]}]{path[at.end() :]}"


def _shown(path: KeyPath) -> str:
    """A key path as it is written in an error."""
    if len(path) > 1 and path[0] in (*LISTS, "when"):
        return ".".join((f"{path[0]}[{path[1]}]", *path[2:]))
    return ".".join(path)


def _check_shape(document: Mapping[str, Any], name: str, families: Mapping[str, FamilyData]) -> None:
    family = document.get("family")
    if "family" in document:
        Choice(tuple(families)).read(family, "family", NOWHERE)
    sections = families[family].sections if isinstance(family, str) else {}
    head = {key: item for key, item in document.items() if key not in (*sections, *OMISSIONS)}
    parse(GameShape, head, "", NOWHERE)
    for section, shape in sections.items():
        parse(shape, document.get(section), section, NOWHERE)
    if document["game"] != name:
        raise Unreadable("game", f"{name}, as the file is called", document["game"])
    for condition, changes in document.get("when", {}).items():
        for section, change in changes.items():
            path = f"when[{condition}].{section}"
            if section in sections:
                parse(sections[section], overlay(document[section], change), path, NOWHERE)
            elif section != "procedures":
                raise UnknownKey(path, (*sections, "procedures"))


class Meaning:
    """A game file of the right shape, and what has to be true of it."""

    def __init__(self, file: GameFile, book: Rulebook, data: FamilyData) -> None:
        self.file, self.document, self.book, self.data = file, file.document, book, data

    def check(self) -> None:
        """Refuse the first thing that is wrong. :raises Unreadable: if anything is."""
        for name, convention in self.book.conventions.items():
            self._check_convention(name, convention)
        self._check_conditions()
        self._check_presets()
        options = self._check_options()
        tables = [field for field, _ in self._check_tables()]
        scope = OptionScope(self.book, options, tables)
        self._check_needed_options(scope)
        _at_options(self.document, lambda: self.data.check_scope(scope))
        self._check_rules(scope)
        self._check_words(scope)
        self._check_statements()

    # --- conventions -----------------------------------------------------------------------------

    def _check_convention(self, name: str, one: Convention) -> None:
        at = f"conventions[{name}]"
        if one.rule not in self.book.rules:
            raise Unreadable(f"{at}.rule", "the id of a rule of this game", one.rule)
        items = next(item for item in self.document["conventions"] if item["name"] == name).get("values", ())
        if len({json_word(item["value"]) for item in items}) < len(items) or len(one.values) < len(items):
            raise Unreadable(f"{at}.values", "different values")
        if not one.values and isinstance(one.default, bool):
            raise Unreadable(f"{at}.values", "given: the values true and false")
        if one.least > one.most:
            raise Unreadable(f"{at}.least", f"at most {one.most}", one.least)
        for value in (one.default, *one.named):
            one.check(value, f"{at}.default")
        for condition, value in one.default_when.items():
            self._check_condition(condition, f"{at}.default_when", players=True)
            one.check(value, join_path(f"{at}.default_when", condition))
        for place, condition in enumerate(one.only_when):
            self._check_condition(condition, f"{at}.only_when[{place}]", players=True)
        for other, value in one.needs.items():
            self._check_condition(f"{other}={json_word(value)}", f"{at}.needs", players=False)
        if one.default_half_of:
            self._check_half(one, f"{at}.default_half_of")

    def _check_half(self, one: Convention, path: str) -> None:
        """A number that is usually half of another has to be able to."""
        numbers = [name for name, other in self.book.conventions.items() if _is_number(other)]
        Choice(tuple(numbers)).read(one.default_half_of, path, NOWHERE)
        whole = self.book.conventions[one.default_half_of]
        if not _is_number(one) or one.least > (whole.least + 1) // 2 or one.most < (whole.most + 1) // 2:
            raise Unreadable(path, "a number of which half lies within least and most", whole.name)

    def _check_conditions(self) -> None:
        """What rules and tables hang on; of an inherited one, what the game left out holds never."""
        for item in self.document["rules"]:
            for place, condition in enumerate(item.get("only_when", ())):
                path = f"rules[{item['id']}].only_when[{place}]"
                self._check_condition(condition, path, players=True, origin=("rules", item["id"]))
        for condition, changes in self.document.get("when", {}).items():
            origin = next(
                (origin for origin in self.file.origins if origin[:2] == ("when", condition)),
                ("when", condition),
            )
            self._check_condition(condition, f"when[{condition}]", players=False, origin=origin)
            if not changes:
                raise Unreadable(f"when[{condition}]", "given: tables that change")

    def _check_condition(self, condition: str, path: str, *, players: bool, origin: KeyPath = ()) -> None:
        inherited = self.file.origin(origin) != self.file.name if origin else False
        parts = split_condition(condition)
        for name, value in parts:
            if name == "players" and players:
                Choice(tuple("23456")).read(value, path, NOWHERE)
            elif name in self.book.conventions:
                self._check_condition_value(self.book.conventions[name], value, path, inherited)
            elif not inherited:
                known = [*self.book.conventions, *(["players"] if players else [])]
                raise Unreadable(path, f"a condition on one of {listed(known)}", name)
        if not parts:
            raise Unreadable(path, "a condition such as convention=value", condition)

    def _check_condition_value(self, one: Convention, value: str, path: str, inherited: bool) -> None:
        if one.values:
            values = [json_word(each) for each in one.values]
            if value not in values and not inherited:
                raise Unreadable(path, f"a condition with {one.name} as one of {listed(values)}", value)
            number = all(type(each) is int for each in one.values)
        else:
            number = _is_number(one)
            if number and not (_RANGE.fullmatch(value) or value.isdecimal()):
                expected = f"a condition with {one.name} as a whole number, or as 1.. or 1..5"
                raise Unreadable(path, expected, value)
        if _RANGE.fullmatch(value) and not number:
            raise Unreadable(path, f"a condition with {one.name} as one of its values", value)

    def _check_presets(self) -> None:
        for preset in self.book.presets.values():
            for name, value in preset.sets.items():
                path = f"presets[{preset.name}].sets.{name}"
                if name not in self.book.conventions:
                    raise UnknownKey(path, self.book.conventions)
                self.book.conventions[name].check(value, path)

    # --- options and tables ----------------------------------------------------------------------

    def _check_options(self) -> dict[str, frozenset[Any]]:
        """What every option can come to; one that the family does not know, or a value of it, is refused."""
        possible: dict[str, set[Any]] = {}
        deciding = {
            name for condition in self.document.get("when", {}) for name, _ in split_condition(condition)
        }
        procedures = {"procedures": self.document["procedures"]}
        for condition, changes in self.document.get("when", {}).items():
            procedures[f"when[{condition}].procedures"] = changes.get("procedures", {})
        for at, said in procedures.items():
            for name, value in said.items():
                if name not in self.data.options:
                    raise UnknownKey(join_path(at, name), self.data.options)
                read = self.data.options[name].kind.read(value, join_path(at, name), NOWHERE)
                if at != "procedures" or name not in self.book.conventions:
                    possible.setdefault(name, set()).add(read)
        for name, convention in self.book.conventions.items():
            if name in self.data.options:
                at = f"conventions[{name}]"
                possible.setdefault(name, set()).update(
                    _read_values(convention, self.data.options[name].kind, at)
                )
            elif name not in deciding:
                free = [option for option in self.data.options if option not in self.book.conventions]
                expected = f"an option of the family, or what a table hangs on: {listed(free)}"
                raise Unreadable(f"conventions[{name}].name", expected, name)
        return {name: frozenset(values) for name, values in possible.items()}

    def _check_needed_options(self, scope: OptionScope) -> None:
        """What procedures will ask must be said, whatever conventions bring besides."""
        for name, option in self.data.options.items():
            said = name in self.document["procedures"] or name in self.book.conventions
            if not said and option.needed(scope):
                raise Unreadable(f"procedures.{name}", f"given: {_allowed(option.kind)}")

    def _check_tables(self) -> list[tuple[dict[str, Any], Sequence[int]]]:
        """The tables in every way in which conventions change them, and the sizes for which they do."""
        tables_by_size: list[tuple[dict[str, Any], Sequence[int]]] = []
        for chosen, allowed in self._ways():
            tables = {name: self.document[name] for name in self.data.sections}
            active = list(overlays(self.document, chosen))
            for _, changes in active:
                tables |= {name: overlay(tables[name], changes.get(name, {})) for name in tables}
            players = tables["table"]["players"]
            sizes = [size for size in _as_list(players) if allowed is None or size in allowed]
            if not sizes:
                continue
            try:
                self.data.check_tables(tables, sizes)
            except Unreadable as fault:
                raise Unreadable(_changed_at(active, fault.path), fault.expected, fault.got) from None
            tables_by_size.append((tables, sizes))
        if not tables_by_size:
            raise Unreadable("table.players", "a number for which conventions have values")
        return tables_by_size

    def _ways(self) -> Iterator[tuple[dict[str, Value], frozenset[int] | None]]:
        """Every choice of the conventions that change tables, and the sizes that its values are for."""
        conditions = [
            condition
            for condition, changes in self.document.get("when", {}).items()
            if {*changes} - {"procedures"}
        ]
        names = dict.fromkeys(name for condition in conditions for name, _ in split_condition(condition))
        choices = {name: self._values(name, conditions) for name in names if name in self.book.conventions}
        count = prod(map(len, choices.values()))
        if count > MAX_TABLES:
            raise Unreadable("when", f"at most {MAX_TABLES} ways in which tables change", count)
        for values in product(*choices.values()):
            chosen = dict(zip(choices, values, strict=True))
            allowed = [
                frozenset(self.book.conventions[name].sizes.get(option, ()))
                for name, option in chosen.items()
            ]
            limits = [option for option in allowed if option]
            yield chosen, frozenset.intersection(*limits) if limits else None

    def _values(self, name: str, conditions: Sequence[str]) -> list[Value]:
        """The values of a convention that may make a difference to these conditions."""
        one = self.book.conventions[name]
        if one.values:
            return list(one.values)
        said = {
            value for condition in conditions for other, value in split_condition(condition) if other == name
        }
        numbers = {int(value) for value in said if value.isdecimal()} | {one.least, one.most}
        return [one.default, *sorted(numbers - {one.default})] if _is_number(one) else [one.default]

    # --- rules, words, statements ----------------------------------------------------------------

    def _check_rules(self, scope: OptionScope) -> None:
        holders: dict[str, str] = {}
        for rule in self.book.rules.values():
            for place, key in enumerate(rule.keys):
                at = f"rules[{rule.id}].keys[{place}]"
                if key not in self.data.keys:
                    chapter = [known for known in self.data.keys if known.split(".")[0] == key.split(".")[0]]
                    expected = f"a key by which rules are cited: {listed(chapter or [*self.data.keys])}"
                    raise Unreadable(at, expected, key)
                if key in holders:
                    raise Unreadable(at, f"a key that {holders[key]} has not", key)
                holders[key] = rule.id
        for key, needed in self.data.keys.items():
            if key not in holders and needed(scope):
                raise Unreadable("rules", f"complete: no rule has the key {key}, which is cited")

    def _check_words(self, scope: OptionScope) -> None:
        for name in self.book.words:
            if name not in self.data.words:
                raise UnknownKey(join_path("words", name), sorted(self.data.words))
        for name, needed in self.data.words.items():
            if name not in self.book.words and needed(scope):
                raise Unreadable(f"words.{name}", "given: the game's word for it")

    def _check_statements(self) -> None:
        """Numbers and orders name the rule that states them."""
        stated = self.document["stated_in"]
        for section, names in stated.items():
            if section not in (*self.data.sections, "procedures"):
                raise UnknownKey(f"stated_in.{section}", (*self.data.sections, "procedures"))
            for name, rule in names.items():
                path = f"stated_in.{section}.{name}"
                if name not in self.document[section]:
                    raise UnknownKey(path, self.document[section])
                if rule not in self.book.rules:
                    raise Unreadable(path, "the id of a rule of this game", rule)
        for field in sorted(self.data.stated):
            section, _, name = field.partition(".")
            if self.document[section].get(name) and name not in stated.get(section, {}):
                raise Unreadable(f"stated_in.{field}", "given: the id of the rule that states it")


def _at_options(document: Mapping[str, Any], check: Callable[[], None]) -> None:
    """Errors about an option, at the place where the file says it."""
    try:
        check()
    except Unreadable as fault:
        convention = any(convention["name"] == fault.path for convention in document["conventions"])
        at = f"conventions[{fault.path}]" if convention else f"procedures.{fault.path}"
        raise Unreadable(at, fault.expected, fault.got) from None


def _changed_at(active: Sequence[tuple[str, Mapping[str, Any]]], path: str) -> str:
    """Where a value stands that conventions may have changed: the last change of it, or the usual tables."""
    section, _, rest = path.partition(".")
    name = re.split(r"[.\[]", rest)[0]
    changed = [condition for condition, changes in active if name in changes.get(section, {})]
    return f"when[{changed[-1]}].{path}" if changed else path


def _is_number(one: Convention) -> bool:
    return not one.values and type(one.default) is int


def _read_values(one: Convention, kind: Kind, at: str) -> list[Any]:
    """The values a convention can have, as the family's procedures know them; of a number the bounds."""
    if one.values:
        return [kind.read(value, f"{at}.values[{n}].value", NOWHERE) for n, value in enumerate(one.values)]
    if one.is_text:
        return [kind.read(one.default, f"{at}.default", NOWHERE)]
    bounds = {"least": one.least, "most": one.most, "default": one.default}
    return [kind.read(value, f"{at}.{name}", NOWHERE) for name, value in bounds.items()]


def _allowed(kind: Kind) -> str:
    """What an option may be set to, in words."""
    try:
        kind.read(None, "", NOWHERE)
    except Unreadable as fault:
        return str(fault.expected)
    raise LookupError(kind)


def _as_list(players: int | Sequence[int]) -> Sequence[int]:
    return [players] if isinstance(players, int) else players
