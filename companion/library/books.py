"""From a validated document: the rulebook, and the tables and options for chosen conventions."""

from collections.abc import Iterator, Mapping
from typing import Any

from companion.rules.rulebook import Convention, Preset, Rule, Rulebook, Value, holds

from .files import overlay, split_condition


def read_book(document: Mapping[str, Any]) -> Rulebook:
    """The rulebook of a game."""
    return Rulebook(
        game=document["game"],
        title=document["title"],
        summary=document["summary"],
        version=document["version"],
        dated=document["dated"],
        rules={item["id"]: _read_rule(item, document) for item in document["rules"]},
        conventions={item["name"]: _read_convention(item) for item in document["conventions"]},
        presets={item["name"]: Preset(**item) for item in document["presets"]},
        words=document["words"],
        writing=document.get("sheet", {}).get("writing", "table"),
    )


def _read_rule(item: Mapping[str, Any], document: Mapping[str, Any]) -> Rule:
    """A rule of a game; of the conditions of one it inherits, those count whose conventions it has."""
    known = {"players", *(convention["name"] for convention in document["conventions"])}
    conditions = (
        ",".join(f"{name}={value}" for name, value in split_condition(condition) if name in known)
        for condition in item.get("only_when", ())
    )
    return Rule(
        item["id"],
        item["text"],
        item["chapter"],
        item.get("source", document["source"]),
        tuple(item["keys"]),
        tuple(condition for condition in conditions if condition),
    )


def _read_convention(item: Mapping[str, Any]) -> Convention:
    values = {value["value"]: value["text"] for value in item.get("values", ())}
    sizes = {
        value["value"]: tuple(value["players"]) for value in item.get("values", ()) if "players" in value
    }
    only_when = tuple(item.get("only_when", ()))
    return Convention(**{**item, "values": values, "sizes": sizes, "only_when": only_when})


def overlays(
    document: Mapping[str, Any], conventions: Mapping[str, Value]
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The tables that these conventions lay over the usual ones, each with its condition, in order."""
    for condition, changes in document.get("when", {}).items():
        if holds(condition, conventions):
            yield condition, changes


def choose_tables(document: Mapping[str, Any], conventions: Mapping[str, Value]) -> dict[str, Any]:
    """The tables of a game as they stand with these conventions.

    `options` holds every way of doing things: the game's procedures, the conventions, and what these
    bring with them.
    """
    tables, brought = dict(document), dict[str, Any]()
    for _, changes in overlays(document, conventions):
        brought |= changes.get("procedures", {})
        tables = overlay(tables, {key: change for key, change in changes.items() if key != "procedures"})
    return tables | {"options": {**document["procedures"], **conventions, **brought}}
