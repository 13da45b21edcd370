"""The checks of a game file when it is read, so that nothing in it can surprise the fold later.

First the shape of everything (`check_shape`), then, with its rulebook, the references between its parts and
the requirements of the family (`check_meaning`). Both report all faults, each with its file, its key, and the
allowed values.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import product
from math import prod
from typing import Any

from companion.rules.conditions import Value, json_word, read_range, split_condition
from companion.rules.errors import Missing, UnknownKey, Unreadable
from companion.rules.options import NOWHERE, FamilyData, OptionScope, listed
from companion.rules.rulebook import Convention, Rulebook
from companion.rules.schema import Choice, Kind, ListOf, Nested, fields_of, join_path

from .files import LISTS, OMISSIONS, GameFile, GameFileError, KeyPath, overlay, overlays
from .shapes import GameShape

_NUMBER = re.compile(r"[0-9]{1,9}")
_LONGEST = 1000
"""The length of a path up to which its surroundings are looked up; no key of ours has a tenth of it."""
MAX_TABLES = 512
"""The most variants of a game's tables that conventions may make."""


def check_shape(file: GameFile, families: Mapping[str, FamilyData]) -> None:
    """Check that every key is known and has a value of its kind, and that none is missing.

    :raises GameFileError: with every fault.
    """
    refuse(file, _find_shape_faults(file.document, file.name, families))


def check_meaning(file: GameFile, book: Rulebook, data: FamilyData) -> None:
    """Check that names exist, that items are used, and that numbers fit each other.

    :raises GameFileError: with every fault.
    """
    refuse(file, Meaning(file, book, data).check())


def refuse(file: GameFile, faults: Iterable[Unreadable]) -> None:
    """Refuse a file that has faults. :raises GameFileError: with every fault."""
    found = list(dict.fromkeys((error.file, error.path, error.reason) for error in _blame(file, faults)))
    if found:
        raise GameFileError(*found[0], tuple(GameFileError(*other) for other in found[1:]))


def _blame(file: GameFile, faults: Iterable[Unreadable]) -> Iterator[GameFileError]:
    """Give each fault the file that causes it: which sets the wrong value, or omits what is needed."""
    origins = {_shown(path): origin for path, origin in file.origins.items()}
    omitted = {
        name: f"{omission}[{index}]"
        for omission in OMISSIONS
        for index, name in enumerate(file.own.get(omission, ()))
    }
    for fault in faults:
        path = _named_path(file.document, fault.path)
        reason = str(fault).removeprefix(f"{fault.path}: ")
        ends = [len(path), *(mark.start() for mark in reversed([*re.finditer(r"[.\[]", path[:_LONGEST])]))]
        origin = next((origins[path[:end]] for end in ends if path[:end] in origins), "")
        names = [fault.got, *re.findall(r"\[(.*?)\]", path), path.rpartition(".")[2]]
        lost = next((name for name in names if isinstance(name, str) and name in omitted), "")
        if lost and origin != file.name:
            path = "rules" if path == f"rules[{lost}]" else path
            yield GameFileError(file.name, omitted[lost], f"{lost} is needed: {path}: {reason}")
        else:
            yield GameFileError(origin or file.name, path, reason)


def _named_path(document: Mapping[str, Any], path: str) -> str:
    """The path with the id of a rule, convention or preset instead of its index in the list."""
    at = re.match(r"(\w+)\[(\d+)\]", path)
    if at is None or at[1] not in LISTS:
        return path
    item = document[at[1]][int(at[2])]
    return f"{at[1]}[{item[LISTS[at[1]]]}]{path[at.end() :]}"


def _shown(path: KeyPath) -> str:
    """A key path as written in an error."""
    if len(path) > 1 and path[0] in (*LISTS, "when"):
        return ".".join((f"{path[0]}[{path[1]}]", *path[2:]))
    return ".".join(path)


def _find_shape_faults(
    document: Mapping[str, Any], name: str, families: Mapping[str, FamilyData]
) -> list[Unreadable]:
    faults: list[Unreadable] = []
    family = document.get("family")
    if "family" in document:
        faults += _find_faults(Choice(tuple(families)), family, "family")
    sections = families[family].sections if isinstance(family, str) and not faults else {}
    if not sections:  # the family defines which tables a game has
        return faults or [Missing("family")]
    head = {key: item for key, item in document.items() if key not in (*sections, *OMISSIONS)}
    faults += _find_faults(Nested(GameShape), head, "")
    for section, shape in sections.items():
        faults += _find_faults(Nested(shape), document.get(section), section)
    if document.get("game", name) != name:
        faults.append(Unreadable("game", f"{name}, as the file is called", document["game"]))
    for condition, changes in () if faults else document.get("when", {}).items():
        for section, change in changes.items():
            path = f"when[{condition}].{section}"
            if section in sections:
                faults += _find_faults(Nested(sections[section]), overlay(document[section], change), path)
            elif section != "procedures":
                faults.append(UnknownKey(path, (*sections, "procedures")))
    return faults


def _find_faults(kind: Kind, value: Any, path: str) -> list[Unreadable]:
    """Find all faults in a value: in a table field by field, in a list item by item."""
    found: list[Unreadable] = []
    match kind, value:
        case Nested(), dict():
            members = {member.key: member for member in fields_of(kind.shape)}
            found += [UnknownKey(join_path(path, str(key)), members) for key in value if key not in members]
            for key, member in members.items():
                if key in value:
                    found += _find_faults(member.kind, value[key], join_path(path, key))
                elif member.needed:
                    found.append(Missing(join_path(path, key)))
        case ListOf(), list():
            for n, item in enumerate(value):
                found += _find_faults(kind.kind, item, f"{path}[{n}]")
    if not found:
        try:
            kind.read(value, path, NOWHERE)
        except Unreadable as fault:
            found.append(fault)
    return found


class Meaning:
    """The checks of a game file that has the right shape."""

    def __init__(self, file: GameFile, book: Rulebook, data: FamilyData) -> None:
        self.file, self.document, self.book, self.data = file, file.document, book, data
        self._faults: list[Unreadable] = []

    def check(self) -> list[Unreadable]:
        """Find all faults. Options and tables are only combined if they can be read."""
        for name, convention in self.book.conventions.items():
            with self._noting():
                self._check_convention(name, convention)
        self._check_conditions()
        self._check_presets()
        options, tables = self._check_options(), list[dict[str, Any]]()
        with self._noting():
            tables = [field for field, _ in self._check_tables()] if not self._faults else []
        if tables:
            scope = OptionScope(self.book, options, tables)
            self._check_needed_options(scope)
            with self._noting():
                _at_options(self.document, lambda: self.data.check_scope(scope))
            self._check_words(scope)
        self._check_keys()
        if tables:
            self._check_needed_rules(scope)
        self._check_statements()
        return self._faults

    @contextmanager
    def _noting(self) -> Iterator[None]:
        """Collect a fault and go on."""
        try:
            yield
        except Unreadable as fault:
            self._faults.append(fault)

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
        one.check(one.default, f"{at}.default")
        for index, value in enumerate(one.named):
            if not _is_number(one):
                raise Unreadable(f"{at}.named", "left out, as it is for a number without values")
            one.check(value, f"{at}.named[{index}].value")
        for condition, value in one.default_when.items():
            self._check_condition(condition, f"{at}.default_when", players=True)
            one.check(value, join_path(f"{at}.default_when", condition))
        for index, condition in enumerate(one.only_when):
            self._check_condition(condition, f"{at}.only_when[{index}]", players=True)
        for needs in (one.needs, *one.value_needs.values()):
            for other, value in needs.items():
                self._check_condition(f"{other}={json_word(value)}", f"{at}.needs", players=False)
        if one.default_half_of:
            self._check_half(one, f"{at}.default_half_of")

    def _check_half(self, one: Convention, path: str) -> None:
        """Check that a number whose default is half of another can have that value."""
        numbers = [name for name, other in self.book.conventions.items() if _is_number(other)]
        Choice(tuple(numbers)).read(one.default_half_of, path, NOWHERE)
        whole = self.book.conventions[one.default_half_of]
        if not _is_number(one) or one.least > (whole.least + 1) // 2 or one.most < (whole.most + 1) // 2:
            raise Unreadable(path, "a number of which half lies within least and most", whole.name)

    def _check_conditions(self) -> None:
        """Check the conditions of rules, texts and tables.

        An inherited one on an omitted convention never holds.
        """
        for item in self.document["rules"]:
            conditions = {f"only_when[{index}]": each for index, each in enumerate(item.get("only_when", ()))}
            for member, condition in (*conditions.items(), *_list_text_conditions(item["text"])):
                path = f"rules[{item['id']}].{member}"
                with self._noting():
                    self._check_condition(condition, path, players=True, origin=("rules", item["id"]))
        for condition, changes in self.document.get("when", {}).items():
            origin = next(
                (origin for origin in self.file.origins if origin[:2] == ("when", condition)),
                ("when", condition),
            )
            with self._noting():
                self._check_condition(condition, f"when[{condition}]", players=False, origin=origin)
                if not changes:
                    raise Unreadable(f"when[{condition}]", "given: tables that change")
                for name, value in split_condition(condition) if "table" in changes else ():
                    if value not in map(json_word, self.book.conventions[name].values):
                        raise Unreadable(f"when[{condition}].table", f"left out, as {name} lists no values")

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
            number = all(type(each) is int for each in one.values)
            if value not in values and not inherited and not (number and read_range(value)):
                raise Unreadable(path, f"a condition with {one.name} as one of {listed(values)}", value)
        else:
            number = _is_number(one)
            if number and not (read_range(value) or _NUMBER.fullmatch(value)):
                expected = f"a condition with {one.name} as a whole number, or as 1.. or 1..5"
                raise Unreadable(path, expected, value)
        if ".." in value and not (number and read_range(value)):
            raise Unreadable(path, f"a condition with {one.name} as one of its values", value)

    def _check_presets(self) -> None:
        for preset in self.book.presets.values():
            stated = [("sets", *item) for item in preset.sets.items()]
            stated += [("formerly", *item) for item in preset.formerly.items()]
            for where, name, value in stated:
                path = f"presets[{preset.name}].{where}.{name}"
                with self._noting():
                    if name not in self.book.conventions:
                        raise UnknownKey(path, self.book.conventions)
                    self.book.conventions[name].check(value, path)

    # --- options and tables ----------------------------------------------------------------------

    def _check_options(self) -> dict[str, frozenset[Any]]:
        """Collect the possible values of every option; unknown options and values are refused."""
        possible: dict[str, set[Any]] = {}
        deciding = {
            name for condition in self.document.get("when", {}) for name, _ in split_condition(condition)
        }
        procedures = {"procedures": self.document["procedures"]}
        for condition, changes in self.document.get("when", {}).items():
            procedures[f"when[{condition}].procedures"] = changes.get("procedures", {})
        for at, said in procedures.items():
            for name, value in said.items():
                with self._noting():
                    if name not in self.data.options:
                        raise UnknownKey(join_path(at, name), self.data.options)
                    read = self.data.options[name].kind.read(value, join_path(at, name), NOWHERE)
                    if at != "procedures" or name not in self.book.conventions:
                        possible.setdefault(name, set()).add(read)
        for name, convention in self.book.conventions.items():
            at = f"conventions[{name}]"
            with self._noting():
                if name in self.data.options:
                    values = _read_values(convention, self.data.options[name].kind, at)
                    possible.setdefault(name, set()).update(values)
                elif name not in deciding:
                    free = [option for option in self.data.options if option not in self.book.conventions]
                    expected = f"an option of the family, or what a table hangs on: {listed(free)}"
                    raise Unreadable(f"{at}.name", expected, name)
        return {name: frozenset(values) for name, values in possible.items()}

    def _check_needed_options(self, scope: OptionScope) -> None:
        """Check that every option needed by a procedure is stated, whatever conventions bring besides."""
        for name, option in self.data.options.items():
            said = name in self.document["procedures"] or name in self.book.conventions
            if not said and option.needed(scope):
                self._faults.append(Unreadable(f"procedures.{name}", f"given: {_allowed(option.kind)}"))

    def _check_tables(self) -> list[tuple[dict[str, Any], Sequence[int]]]:
        """List the tables in each variant that conventions make, with the sizes for which it exists."""
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
        """List the choices of the conventions that change tables, with the sizes that their values allow."""
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
        if not _is_number(one):
            return [one.default]
        numbers = {one.least, one.most}
        for value in said:
            least, most = read_range(value) or (int(value), int(value))
            numbers |= {least} if most is None else {least, most, most + 1}
        possible = {number for number in numbers if one.least <= number <= one.most}
        return [one.default, *sorted(possible - {one.default})]

    # --- rules, words, statements ----------------------------------------------------------------

    def _check_keys(self) -> None:
        holders: dict[str, str] = {}
        for rule in self.book.rules.values():
            for index, key in enumerate(rule.keys):
                at = f"rules[{rule.id}].keys[{index}]"
                if key not in self.data.keys:
                    chapter = [known for known in self.data.keys if known.split(".")[0] == key.split(".")[0]]
                    expected = f"a key by which rules are cited: {listed(chapter or [*self.data.keys])}"
                    self._faults.append(Unreadable(at, expected, key))
                elif key in holders:
                    self._faults.append(Unreadable(at, f"a key that {holders[key]} has not", key))
                holders[key] = rule.id

    def _check_needed_rules(self, scope: OptionScope) -> None:
        """Check that every rule that is cited exists; where it was omitted, the file that had it is named."""
        held = {key for rule in self.book.rules.values() for key in rule.keys}
        said = {
            key: f"rules[{item['id']}]"
            for item in self.file.inherited.get("rules", ())
            for key in item["keys"]
            if item["id"] not in self.book.rules
        }
        for key, needed in self.data.keys.items():
            if key not in held and needed(scope):
                expected = f"complete: no rule has the key {key}, which is cited"
                self._faults.append(Unreadable(said.get(key, "rules"), expected))

    def _check_words(self, scope: OptionScope) -> None:
        for name in self.book.words:
            if name not in self.data.words:
                self._faults.append(UnknownKey(join_path("words", name), sorted(self.data.words)))
        for name, needed in self.data.words.items():
            if name not in self.book.words and needed(scope):
                self._faults.append(Unreadable(f"words.{name}", "given: the game's word for it"))

    def _check_statements(self) -> None:
        """Check that numbers and orders name the rule that states them."""
        stated = self.document["stated_in"]
        for section, names in stated.items():
            if section not in (*self.data.sections, "procedures"):
                known = (*self.data.sections, "procedures")
                self._faults.append(UnknownKey(f"stated_in.{section}", known))
                continue
            for name, rule in names.items():
                path = f"stated_in.{section}.{name}"
                if name not in self.document[section]:
                    self._faults.append(UnknownKey(path, self.document[section]))
                elif rule not in self.book.rules:
                    self._faults.append(Unreadable(path, "the id of a rule of this game", rule))
        for field in sorted(self.data.stated):
            section, _, name = field.partition(".")
            if self.document[section].get(name) and name not in stated.get(section, {}):
                expected = "given: the id of the rule that states it"
                self._faults.append(Unreadable(f"stated_in.{field}", expected))


def _at_options(document: Mapping[str, Any], check: Callable[[], None]) -> None:
    """Report errors about an option at the path where the file states it."""
    try:
        check()
    except Unreadable as fault:
        convention = any(convention["name"] == fault.path for convention in document["conventions"])
        at = f"conventions[{fault.path}]" if convention else f"procedures.{fault.path}"
        raise Unreadable(at, fault.expected, fault.got) from None


def _changed_at(active: Sequence[tuple[str, Mapping[str, Any]]], path: str) -> str:
    """The path of a value that conventions may have changed: of its last change, or in the usual tables."""
    section, _, rest = path.partition(".")
    name = re.split(r"[.\[]", rest)[0]
    changed = [condition for condition, changes in active if name in changes.get(section, {})]
    return f"when[{changed[-1]}].{path}" if changed else path


def _list_text_conditions(text: str | Sequence[Any]) -> Iterator[tuple[str, str]]:
    """The conditions of a text's sentences, each with its path."""
    for index, sentence in enumerate(text if isinstance(text, list) else ()):
        if isinstance(sentence, dict):
            when = sentence["when"]
            for condition in [when] if isinstance(when, str) else when:
                yield f"text[{index}].when", condition


def _is_number(one: Convention) -> bool:
    return not one.values and type(one.default) is int


def _read_values(one: Convention, kind: Kind, at: str) -> list[Any]:
    """Read a convention's possible values, as the family's procedures know them; for a number, its bounds."""
    if one.values:
        return [kind.read(value, f"{at}.values[{n}].value", NOWHERE) for n, value in enumerate(one.values)]
    if one.is_text:
        return [kind.read(one.default, f"{at}.default", NOWHERE)]
    bounds = {"least": one.least, "most": one.most, "default": one.default}
    return [kind.read(value, f"{at}.{name}", NOWHERE) for name, value in bounds.items()]


def _allowed(kind: Kind) -> str:
    """Describe the values an option may have."""
    try:
        kind.read(None, "", NOWHERE)
    except Unreadable as fault:
        return str(fault.expected)
    raise LookupError(kind)


def _as_list(players: int | Sequence[int]) -> Sequence[int]:
    return [players] if isinstance(players, int) else players
