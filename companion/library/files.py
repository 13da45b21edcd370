"""Game files: TOML, joined with the files they extend, remembering the origin of each value.

A file may say `extends = ["another", "parts/some"]`. Its parents are joined from left to right and the
file itself last: tables key by key, everything else replaced; rules, conventions and presets one by one,
the same id in the parent's place; a convention with nothing but a name and a default keeps all else that its
parent says of it. `omit_rules`, `omit_conventions`, `omit_presets`, `omit_words` and
`omit_procedures` drop what came before. A key that a file's own rule names is taken from every inherited
rule.
"""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Any

from companion.rules.conditions import Value, holds, matches, split_condition
from companion.rules.rulebook import Convention, Preset, Rule, Rulebook
from companion.rules.texts import read_text

LISTS = {"rules": "id", "conventions": "name", "presets": "name"}
OMISSIONS = {
    "omit_rules": "rules",
    "omit_conventions": "conventions",
    "omit_presets": "presets",
    "omit_words": "words",
    "omit_procedures": "procedures",
}
JOINING = ("extends", *OMISSIONS)

KeyPath = tuple[str, ...]
"""The path of a value in a game file: the keys that lead to it; an item of a list by its id or name."""


PATH = re.compile(r"[\w-]+(/[\w-]+){0,2}\.toml")
"""The path of a file: in the folder itself, or below it; no other path is accepted."""
MAX_PARTS = 16
"""The most parts of a dotted key of TOML; no game has a third of it."""
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?)"""
_KEYS = re.compile(
    rf"""\#[^\n]*+
    |\"{{3}}(?:[^"\\]|\\.|"(?!""))*+"*+
    |'{{3}}(?:[^']|'(?!''))*+'*+
    |(?P<key>{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+)""",
    re.DOTALL | re.VERBOSE,
)
"""Keys and whatever resembles them, except in comments and multi-line texts; each letter is read once."""


class GameFileError(Exception):
    """A game file that cannot be used: the file, the path of the key, and what is wrong or allowed there.

    `others` are the other faults of the game that were found at the same time.
    """

    def __init__(self, file: str, path: str, reason: str, others: "tuple[GameFileError, ...]" = ()) -> None:
        self.file, self.path, self.reason, self.others = file, path, reason, others
        super().__init__(f"games/{file}.toml: {self.said}")

    @property
    def said(self) -> str:
        """The fault without the file."""
        return f"{self.path}: {self.reason}" if self.path else self.reason


@dataclass(frozen=True)
class FilesBeside:
    """Our folder with a host's files behind it, by path; `at` is a path in both."""

    ours: Traversable
    host: Mapping[str, str]
    at: str = ""

    def __truediv__(self, name: str) -> "FilesBeside":
        return FilesBeside(self.ours, self.host, f"{self.at}/{name}".strip("/"))

    def is_file(self) -> bool:
        """True if the file exists, ours or the host's."""
        return bool(PATH.fullmatch(self.at)) and (self.at in self.host or (self.ours / self.at).is_file())

    def read_text(self, encoding: str) -> str:
        """Read the file; ours, if both have one."""
        ours = self.ours / self.at
        return ours.read_text(encoding) if ours.is_file() else self.host[self.at]


Folder = Traversable | FilesBeside
"""A folder with files of games."""


@dataclass(frozen=True)
class GameFile:
    """A game file with everything it inherits: the joined document, and the file that sets each value.

    `own` is the file's document alone, `ancestors` every file that went into it, itself last; `inherited` is
    the joined document of the others.
    """

    name: str
    document: Mapping[str, Any]
    origins: Mapping[KeyPath, str]
    own: Mapping[str, Any]
    ancestors: tuple[str, ...]
    inherited: Mapping[str, Any] = field(default_factory=dict)

    def origin(self, path: Sequence[str]) -> str:
        """The file that sets the value at a path; for a missing value, or a whole table, the game's own."""
        for end in range(len(path), 0, -1):
            if tuple(path[:end]) in self.origins:
                return self.origins[tuple(path[:end])]
        return self.name


def read_game_file(folder: Folder, name: str, before: Sequence[str] = ()) -> GameFile:
    """Read a game file and all it extends from a folder.

    `before` are the files that extend it, the first of them first.

    :raises GameFileError: if a file is missing, invalid TOML, extends itself, or omits a missing item.
    """
    return join_game_file(folder, name, _read(folder, name, before), before)


def join_game_file(folder: Folder, name: str, own: Mapping[str, Any], before: Sequence[str] = ()) -> GameFile:
    """Join a parsed file with what it extends; see `read_game_file`.

    :raises GameFileError: if a file is missing, invalid TOML, extends itself, or omits a missing item.
    """
    document: dict[str, Any] = {}
    origins: dict[KeyPath, str] = {}
    ancestors: list[str] = []
    for index, parent in enumerate(_names(own, "extends", name)):
        if parent in (name, *before):
            raise GameFileError(name, f"extends[{index}]", f"{parent} extends this file already")
        part = read_game_file(folder, parent, (*before, name))
        document = join(document, part.document)
        origins |= part.origins
        ancestors += [ancestor for ancestor in part.ancestors if ancestor not in ancestors]
    for omission, table in OMISSIONS.items():
        _check_omissions(name, document, own, omission, table)
    _check_lists(name, own)
    inherited, document = document, _without_irrelevant_tables(join(document, own), own)
    origins |= dict.fromkeys(key_paths(own), name)
    left = set(key_paths(document))
    origins = {path: file for path, file in origins.items() if path in left}
    return GameFile(name, document, origins, own, (*ancestors, name), inherited)


def _read(folder: Folder, name: str, before: Sequence[str]) -> dict[str, Any]:
    file = folder / f"{name}.toml"
    if file.is_file():
        return read_toml(file, name)
    at = (before[-1], "extends") if before else (name, "")
    raise GameFileError(*at, f"there is no games/{name}.toml")


def read_toml(file: Folder, name: str) -> dict[str, Any]:
    """Read a TOML file. :raises GameFileError: if it is invalid; `name` is the file's name."""
    try:
        return parse_toml(file.read_text("utf-8"), name)
    except UnicodeDecodeError as fault:
        raise GameFileError(name, "", f"must be TOML: {fault}") from None


def parse_toml(text: str, name: str) -> dict[str, Any]:
    """Parse TOML. :raises GameFileError: if it is invalid, or has keys of very many parts."""
    # The parser takes time by the square of a key's parts, and once more for every line below a heading.
    keys = (found["key"] or "" for found in _KEYS.finditer(text))
    if any("." in key and len(re.findall(_PART, key)) > MAX_PARTS for key in keys):
        raise GameFileError(name, "", f"must have keys of at most {MAX_PARTS} parts with dots between them")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as fault:  # ValueError: also a number of thousands of digits
        raise GameFileError(name, "", f"must be TOML: {fault}") from None


def _names(own: Mapping[str, Any], key: str, file: str) -> list[str]:
    names = own.get(key, [])
    if not isinstance(names, list) or not all(isinstance(other, str) for other in names):
        raise GameFileError(file, key, "must be a list of names")
    return names


def _check_omissions(
    file: str, document: Mapping[str, Any], own: Mapping[str, Any], omission: str, table: str
) -> None:
    """Check that whatever a game omits exists; a part cannot know the files beside it."""
    inherited = (
        [row[LISTS[table]] for row in document.get(table, ())] if table in LISTS else document.get(table, ())
    )
    for index, omitted in enumerate(_names(own, omission, file)):
        if document and omitted not in inherited:
            raise GameFileError(
                file, f"{omission}[{index}]", f"{omitted} is not among the {table} it inherits"
            )


def _check_lists(file: str, own: Mapping[str, Any]) -> None:
    """Check that rules, conventions and presets are lists of tables with unique names, and words a table."""
    if not isinstance(own.get("words", {}), dict):
        raise GameFileError(file, "words", "must be a table")
    for table, name in LISTS.items():
        items = own.get(table, [])
        if not isinstance(items, list):
            raise GameFileError(file, table, f"must be tables, each begun by [[{table}]]")
        seen: set[str] = set()
        for index, item in enumerate(items):
            if not isinstance(item, dict) or not isinstance(item.get(name), str):
                raise GameFileError(file, f"{table}[{index}].{name}", "required")
            if item[name] in seen:
                raise GameFileError(file, f"{table}[{item[name]}]", f"this {name} is used twice")
            keys = item.get("keys", [])
            if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
                raise GameFileError(file, f"{table}[{item[name]}].keys", "must be a list of keys")
            seen.add(item[name])


def key_paths(document: Mapping[str, Any]) -> Iterator[KeyPath]:
    """List the paths of all values of a document, table by table; rules, conventions, presets are whole."""
    for key, value in document.items():
        if key in LISTS:
            yield from ((key, item[LISTS[key]]) for item in value)
        elif key not in JOINING:
            yield from _leaves(value, (key,))


def _leaves(value: Any, path: KeyPath) -> Iterator[KeyPath]:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _leaves(item, (*path, key))
    else:
        yield path


def overlay(base: Mapping[str, Any], top: Mapping[str, Any]) -> dict[str, Any]:
    """Overlay tables key by key; everything else is replaced, including lists."""
    result = dict(base)
    for key, value in top.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = overlay(result[key], value) if both else value
    return result


def join(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Join a document with another one over it, as described in this module."""
    left = {
        table: _without(base[table], own.get(omission, ()), table)
        for omission, table in OMISSIONS.items()
        if table in base
    }
    stated = base.get("stated_in")
    if isinstance(stated, dict) and isinstance(stated.get("procedures"), dict):
        named = _without(stated["procedures"], own.get("omit_procedures", ()), "procedures")
        left["stated_in"] = {**stated, "procedures": named}
    plain = {key: value for key, value in own.items() if key not in (*LISTS, *JOINING)}
    joined = overlay({**base, **left}, plain)
    for table, name in LISTS.items():
        before = {row[name]: row for row in joined.get(table, ())}
        items = {row[name]: _complete(row, before.get(row[name], {})) for row in own.get(table, ())}
        claimed = {key for item in items.values() for key in item.get("keys", ())}
        others = {which: _release_keys(row, claimed) for which, row in before.items() if which not in items}
        joined[table] = [(others | items)[which] for which in before | items]
    # A part leaves out what the parents beside it bring, so its omissions go on with it.
    return joined | {omission: own.get(omission, []) for omission in OMISSIONS}


def _complete(row: Mapping[str, Any], inherited: Mapping[str, Any]) -> Mapping[str, Any]:
    """Complete a row that is only another default of a convention: all else is as its parent says."""
    return {**inherited, **row} if row.keys() == {"name", "default"} else row


def _without_irrelevant_tables(document: dict[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """Drop inherited tables for conventions or values that have been omitted.

    The conditions of rules lose such conventions too.
    """
    values = {item["name"]: item.get("values") for item in document["conventions"]}
    stated = {item["id"] for item in own.get("rules", ())}
    rules = [
        item
        if item["id"] in stated or "only_when" not in item
        else _without_conditions(item, {"players", *values})
        for item in document.get("rules", ())
    ]
    document = {**document, "rules": rules}

    def may_be(name: str, value: str) -> bool:
        rows = values.get(name)
        rows = rows if isinstance(rows, list) else []
        listed = [item.get("value", "") for item in rows if isinstance(item, dict)]
        return name in values and (not listed or any(matches(each, value) for each in listed))

    when = document.get("when", {})
    if not isinstance(when, dict) or not isinstance(own.get("when", {}), dict):
        return document
    left = {
        condition: tables
        for condition, tables in when.items()
        if condition in own.get("when", {})
        or all(may_be(name, value) for name, value in split_condition(condition))
    }
    return document | ({"when": left} if "when" in document else {})


def _without_conditions(rule: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """Keep those conditions of a rule that are on the known conventions, or on the number of players."""
    left = ([pair for pair in split_condition(text) if pair[0] in known] for text in rule["only_when"])
    conditions = [",".join(map("=".join, pairs)) for pairs in left if pairs]
    return {**rule, "only_when": conditions}


def _without(table: Any, omitted: Sequence[str], name: str) -> Any:
    if isinstance(table, dict):
        return {key: value for key, value in table.items() if key not in omitted}
    return [row for row in table if row[LISTS[name]] not in omitted]


def _release_keys(item: Mapping[str, Any], claimed: set[str]) -> dict[str, Any]:
    if "keys" not in item:
        return dict(item)
    return {**item, "keys": [key for key in item["keys"] if key not in claimed]}


def read_book(document: Mapping[str, Any]) -> Rulebook:
    """Read the rulebook of a game."""
    return Rulebook(
        game=document["game"],
        title=document["title"],
        summary=read_text(document["summary"]),
        version=document["version"],
        dated=document["dated"],
        rules={item["id"]: _read_rule(item, document) for item in document["rules"]},
        conventions={item["name"]: _read_convention(item) for item in document["conventions"]},
        presets={item["name"]: _read_preset(item) for item in document["presets"]},
        words=_name_runs(document),
        also=tuple(document.get("also", ())),
        at_home=tuple(document.get("at_home", ())),
        **document.get("sheet", {}),
    )


def _name_runs(document: Mapping[str, Any]) -> dict[str, str]:
    """The words of a game; a run that is called by a number is called by what it is worth."""
    worth = {
        f"run{length}": str(points) for length, points in document.get("points", {}).get("runs", {}).items()
    }
    return {
        key: worth.get(key, word) if word.isdecimal() else word for key, word in document["words"].items()
    }


def _read_rule(item: Mapping[str, Any], document: Mapping[str, Any]) -> Rule:
    return Rule(
        item["id"],
        read_text(item["text"]),
        item["chapter"],
        item.get("source", document["source"]),
        tuple(item["keys"]),
        tuple(item.get("only_when", ())),
    )


def _read_convention(item: Mapping[str, Any]) -> Convention:
    values = {value["value"]: read_text(value["text"]) for value in item.get("values", ())}
    named = {value["value"]: read_text(value["text"]) for value in item.get("named", ())}
    sizes = {
        value["value"]: tuple(value["players"]) for value in item.get("values", ()) if "players" in value
    }
    needs = {value["value"]: value["needs"] for value in item.get("values", ()) if "needs" in value}
    only_when = tuple(item.get("only_when", ()))
    facts = {"values": values, "named": named, "sizes": sizes, "value_needs": needs, "only_when": only_when}
    return Convention(**{**item, **facts, "text": read_text(item.get("text", ""))})


def _read_preset(item: Mapping[str, Any]) -> Preset:
    more = {key: item[key] for key in ("until", "formerly") if key in item}
    return Preset(item["name"], item["label"], read_text(item["text"]), item["sets"], **more)


def overlays(
    document: Mapping[str, Any], conventions: Mapping[str, Value]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """List the tables that these conventions lay over the usual ones, each with its condition, in order."""
    for condition, changes in document.get("when", {}).items():
        if holds(condition, conventions):
            yield condition, changes


def choose_tables(document: Mapping[str, Any], conventions: Mapping[str, Value]) -> dict[str, Any]:
    """Choose the tables of a game for these conventions.

    `options` holds every option: the game's procedures, the conventions, and the procedures that these
    change.
    """
    tables, brought = dict(document), dict[str, Any]()
    for _, changes in overlays(document, conventions):
        brought |= changes.get("procedures", {})
        tables = overlay(tables, {key: change for key, change in changes.items() if key != "procedures"})
    return tables | {"options": {**document["procedures"], **conventions, **brought}}
