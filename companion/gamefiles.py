"""Game files: games/*.toml, and how one is told by its differences from others.

A file may say `extends = ["another", "parts/some"]`. Its parents are joined from left to right and the
file itself last: tables key by key, everything else replaced; rules, conventions and presets one by one,
the same id in the parent's place. `omit_rules`, `omit_conventions`, `omit_presets` and `omit_words` drop
what came before. A key that a file's own rule names is taken from every inherited rule.

`[when."convention=value".table]` overlays a table once that value is chosen (`a=x,b=y`: both).
"""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from .rules.rulebook import Value, json_word

LISTS = {"rules": "id", "conventions": "name", "presets": "name"}
OMITS = {
    "omit_rules": "rules",
    "omit_conventions": "conventions",
    "omit_presets": "presets",
    "omit_words": "words",
}


def names() -> tuple[str, ...]:
    """The ids of all games."""
    found = (one.name for one in _folder().iterdir() if one.name.endswith(".toml"))
    return tuple(sorted(name.removesuffix(".toml") for name in found))


def told(name: str) -> dict[str, Any]:
    """Everything a game's file tells, its parents' telling included."""
    own = tomllib.loads(_folder().joinpath(f"{name}.toml").read_text("utf-8"))
    joined: dict[str, Any] = {}
    for parent in own.get("extends", ()):
        joined = _join(joined, told(parent))
    return _join(joined, own)


def chosen(telling: Mapping[str, Any], conventions: Mapping[str, Value]) -> dict[str, Any]:
    """The tables as they stand with these conventions.

    `options` holds every way of doing things: the game's procedures, the conventions, and what these
    bring with them.
    """
    tables, brought = dict(telling), dict[str, Any]()
    for condition, changes in telling.get("when", {}).items():
        wanted = (one.partition("=") for one in condition.split(","))
        if all(name in conventions and json_word(conventions[name]) == value for name, _, value in wanted):
            brought |= changes.get("procedures", {})
            tables = _overlay(tables, {key: one for key, one in changes.items() if key != "procedures"})
    return tables | {"options": {**telling["procedures"], **conventions, **brought}}


def _folder() -> Any:
    return files("companion") / "games"


def _overlay(base: Mapping[str, Any], top: Mapping[str, Any]) -> dict[str, Any]:
    """Tables key by key; everything else, lists too, is replaced."""
    result = dict(base)
    for key, value in top.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = _overlay(result[key], value) if both else value
    return result


def _join(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    kept = {
        table: _without(base[table], own.get(omit, ()), table)
        for omit, table in OMITS.items()
        if table in base
    }
    plain = {key: value for key, value in own.items() if key not in (*LISTS, *OMITS, "extends")}
    joined = _overlay({**base, **kept}, plain)
    for table, name in LISTS.items():
        mine = {one[name]: one for one in own.get(table, ())}
        taken = {key for one in mine.values() for key in one.get("keys", ())}
        inherited = [_released(one, taken) for one in joined.get(table, ()) if one[name] not in mine]
        places = {one[name]: one for one in inherited} | mine
        order = dict.fromkeys([*(one[name] for one in joined.get(table, ())), *mine])
        joined[table] = [places[which] for which in order]
    # A part leaves out what the parents beside it bring, so its omissions go on with it.
    return joined | {omit: own.get(omit, []) for omit in OMITS}


def _without(table: Any, gone: Any, name: str) -> Any:
    if isinstance(table, dict):
        return {key: value for key, value in table.items() if key not in gone}
    return [one for one in table if one[LISTS[name]] not in gone]


def _released(one: Mapping[str, Any], taken: set[str]) -> dict[str, Any]:
    if "keys" not in one:
        return dict(one)
    return {**one, "keys": [key for key in one["keys"] if key not in taken]}
