"""A game's whole file: everything it inherits, and the origin of each value.

The result is TOML again; a comment after each value names the file that sets it and, for numbers and orders,
the rule that states it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.rules.conditions import PLAYERS, matches, split_condition

from .files import JOINING, LISTS, GameFile

WIDTH = 48
"""The column in which comments begin, if the value leaves room."""


def flatten(file: GameFile) -> str:
    """Write the file with all it inherits, as TOML with comments.

    >>> from companion import library
    >>> print(library.flat("bulka").splitlines()[0])
    # bulka: what klaberjass, parts/czech and bulka say together.
    """
    return "\n".join(_lines(file)) + "\n"


def _lines(file: GameFile) -> Iterator[str]:
    *before, last = file.ancestors
    joined = f"{', '.join(before)} and {last} say together" if before else f"everything is said in {last}"
    yield f"# {file.name}: what {joined}." if before else f"# {file.name}: {joined}."
    document = {key: value for key, value in file.document.items() if key not in JOINING}
    tables = [
        key for key, value in document.items() if isinstance(value, dict) and key not in ("stated_in", "when")
    ]
    for key, value in document.items():
        if key not in LISTS and not isinstance(value, dict):
            yield _line(file, (key,), value)
    for key in tables:
        yield from _table(file, (key,), document[key])
    yield from _table(file, ("stated_in",), document.get("stated_in", {}))
    for condition, changes in document.get("when", {}).items():
        for section, values in changes.items():
            yield from _table(file, ("when", condition, section), values)
    for key, name in LISTS.items():
        for item in document[key]:
            yield ""
            yield f"# {file.origin((key, item[name]))}"
            yield f"[[{key}]]"
            yield from _item(drop_dead_sentences(document, item) if key == "rules" else item)


def _table(file: GameFile, path: tuple[str, ...], values: Mapping[str, Any]) -> Iterator[str]:
    """Write a table, its inner tables after it."""
    inner = {key: value for key, value in values.items() if isinstance(value, dict)}
    plain = {key: value for key, value in values.items() if key not in inner}
    if plain or not inner:
        yield ""
        yield f"[{'.'.join(map(_key, path))}]"
        for key, value in plain.items():
            yield _line(file, (*path, key), value)
    for key, value in inner.items():
        yield from _table(file, (*path, key), value)


def _line(file: GameFile, path: tuple[str, ...], value: Any) -> str:
    said = f"{_key(path[-1])} = {_value(value)}"
    rule = _stated_in(file.document, path)
    return f"{said:{WIDTH}}  # {file.origin(path)}" + (f", {rule}" if rule else "")


def _stated_in(document: Mapping[str, Any], path: Sequence[str]) -> str:
    """The rule that states a value; for a value changed by a convention, the convention's rule."""
    if path[0] == "when":
        rules = {item["name"]: item["rule"] for item in document["conventions"]}
        cited = dict.fromkeys(rules[name] for name, _ in split_condition(path[1]) if name in rules)
        return ", ".join(cited)
    section = document.get("stated_in", {}).get(path[0], {})
    return str(section.get(path[1], "")) if len(path) > 1 else ""


def drop_dead_sentences(document: Mapping[str, Any], rule: Mapping[str, Any]) -> dict[str, Any]:
    """The rule without inherited sentences under conditions on conventions or values that were omitted."""
    if isinstance(rule["text"], str):
        return dict(rule)
    allowed = {
        item["name"]: [value["value"] for value in item.get("values", ())] for item in document["conventions"]
    }

    def can_hold(name: str, wanted: str) -> bool:
        values = allowed.get(name)
        known = name == PLAYERS or values is not None
        return known and (not values or any(matches(value, wanted) for value in values))

    text = list[Any]()
    for sentence in rule["text"]:
        if isinstance(sentence, dict):
            when = [sentence["when"]] if isinstance(sentence["when"], str) else sentence["when"]
            when = [each for each in when if all(can_hold(*part) for part in split_condition(each))]
            text += [{**sentence, "when": when}] if when else []
        else:
            text.append(sentence)
    return {**rule, "text": text}


def _item(item: Mapping[str, Any]) -> Iterator[str]:
    for key, value in item.items():
        if isinstance(value, list) and any(isinstance(item, dict) for item in value):
            yield f"{_key(key)} = ["
            yield from (f"  {_value(item)}," for item in value)
            yield "]"
        else:
            yield f"{_key(key)} = {_value(value)}"


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


def _value(value: Any) -> str:
    """Write a value as TOML."""
    match value:
        case dict():
            inner = ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items())
            return f"{{ {inner} }}" if inner else "{}"
        case list():
            return f"[{', '.join(map(_value, value))}]"
        case _:
            return json.dumps(value, ensure_ascii=False)
