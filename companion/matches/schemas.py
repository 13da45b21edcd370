"""What records, questions and rulings look like, as JSON Schemas (2020-12).

They are made from the descriptions by which these are read. `x-rule` names the rule that a choice rests on.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from companion import library
from companion.record.head import CORRECTABLE, NAME_LIMIT
from companion.record.log import MAX_ENTRIES, MAX_EVENTS, MAX_RULINGS
from companion.record.portable_log import KINDS
from companion.record.portable_remarks import Remark
from companion.record.record import FORMAT, VERSION
from companion.rules.errors import Unreadable
from companion.rules.rulebook import OFF, RULES_LIMIT, Convention
from companion.rules.schema import MAX_ID, Table, describe_object, describe_shape, describe_text

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SUBJECTS = ("record", "question", "ruling", "entry")
"""What there are schemas of."""
_MORE: Mapping[str, Any] = {
    "stake": describe_object(
        dict.fromkeys(("amount", "currency"), describe_text(1, 20)), ("amount", "currency")
    ),
    "place": describe_text(1, 200),
    "started": describe_text(1, 40),
    "id": describe_text(1, 80),
    "follows": describe_text(1, 80),
}
"""Members of a head that are the same in every game."""
_OBJECT = {"type": "object"}
_WHOLE = {"type": "integer", "minimum": 0}
_EVENT = {
    "n": _WHOLE,
    "kind": {"enum": ["begin", *KINDS]},
    "entry": {"type": ["integer", "null"]},
    "payload": {},
    "author": {"type": "string"},
    "at": {"type": "string"},
    "undoes": {"type": ["integer", "null"]},
    "arrived": {"type": "string"},
    "head": _OBJECT,
    "rulebook": {"type": "string"},
}


def describe(subject: str, game: str | None = None) -> dict[str, Any]:
    """The schema of a subject in one game, or in any; `subject` is one of SUBJECTS.

    :raises Unreadable: for an unknown game, naming the known ones.
    """
    games = library.names() if game is None else (game,)
    return {
        "$schema": DIALECT,
        "title": f"{game or 'any game'}: {subject}",
        **_any(_DESCRIBE[subject](name) for name in games),
    }


def _any(schemas: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What fits one of several schemas, each different one once."""
    different: list[Mapping[str, Any]] = []
    for schema in schemas:
        for part in schema.get("anyOf", ()) if schema.keys() == {"anyOf"} else (schema,):
            if part not in different:
                different.append(part)
    return dict(different[0]) if len(different) == 1 else {"anyOf": different}


@cache
def describe_record(game: str) -> dict[str, Any]:
    """A whole record: its head, entries, remarks, history and rulings."""
    return _any(
        describe_object(
            {"format": {"const": FORMAT}, "version": {"const": VERSION}, **head, **_list_rest(table, game)},
            ("format", "version", *_NEEDED),
        )
        for table, head in _list_heads(game)
    )


@cache
def describe_head(game: str) -> dict[str, Any]:
    """The head of a match, as it is begun: it has no id yet, and somebody deals first."""
    return _any(
        describe_object({key: kind for key, kind in head.items() if key != "id"}, (*_NEEDED, "first_dealer"))
        for _table, head in _list_heads(game)
    )


def describe_correction() -> dict[str, Any]:
    """What can be corrected in a head; null takes a value out."""
    players = {"type": "array", "items": describe_text(1, NAME_LIMIT)}
    other = {key: {"anyOf": [_MORE[key], {"type": "null"}]} for key in CORRECTABLE if key in _MORE}
    return describe_object({"players": players, **other})


@cache
def describe_entry(game: str) -> dict[str, Any]:
    """One entry."""
    return _any(_describe_entry(table, game) for table in _list_tables(game))


@cache
def describe_question(game: str) -> dict[str, Any]:
    """A question to the arbiter with its facts."""
    several, questions = len(library.sizes(game)) > 1, library.open_game(game).family.family_questions
    agreed = _describe_agreed(game)
    return _any(
        describe_object(
            {
                **agreed,
                "question": {"const": name, "description": str(question.asks)},
                **({"players": {"const": table.ring.size}} if several else {}),
                **(facts := describe_shape(question.shape, table))["properties"],
            },
            ("game", "question", *facts.get("required", ())),
        )
        for name, question in questions.items()
        for table in _list_tables(game)
    )


@cache
def describe_ruling(game: str) -> dict[str, Any]:
    """The answer to a question, with the rules it rests on."""
    book = library.read_rulebook(game)
    rule = describe_object({"id": {"enum": list(book.rules)}, "text": {"type": "string"}}, ("id", "text"))
    members = {
        "question": {"enum": list(library.open_game(game).family.family_questions)},
        "verdict": describe_text(1, 200),
        "answer": _OBJECT,
        "why": {"type": "string"},
        "rules": {"type": "array", "minItems": 1, "items": rule},
    }
    return describe_object(members, members)


_DESCRIBE = {
    "record": describe_record,
    "question": describe_question,
    "ruling": describe_ruling,
    "entry": describe_entry,
}
_NEEDED = ("game", "players")


@cache
def _list_tables(game: str) -> tuple[Table, ...]:
    """What names mean at each way to sit down: cards that any agreement brings into the pack are in it."""
    book, opened = library.read_rulebook(game), [library.open_game(game)]
    for name, convention in book.conventions.items():
        for value in convention.values:
            conventions = {**convention.needs, name: value} if convention.needs else {name: value}
            with suppress(Unreadable):  # it needs a table of another size
                opened.append(library.reopen_game(game, None, conventions))
    pack = frozenset(card for found in opened for card in found.family.ruleset.pack)
    no_trumps = any(found.family.ruleset.no_trumps for found in opened)
    return tuple(Table(seating.ring, pack, no_trumps) for seating in library.seatings(game))


def _describe_agreed(game: str) -> dict[str, Any]:
    """What a table has agreed on: the game, its variety, its house rules."""
    book = library.read_rulebook(game)
    conventions = {name: describe_convention(convention) for name, convention in book.conventions.items()}
    return {
        "game": {"const": game},
        "preset": {"enum": list(book.presets)},
        "conventions": describe_object(conventions),
    }


def describe_convention(convention: Convention) -> dict[str, Any]:
    """The values that a convention can have, and the rule it is about."""
    about = {"description": convention.label, "default": convention.default, "x-rule": convention.rule}
    if convention.values:
        return {"enum": list(convention.values), **about}
    if convention.is_text:
        return {**describe_text(0, 200), **about}
    number = {"type": "integer", "minimum": convention.least, "maximum": convention.most}
    return {**(number if convention.least else {"anyOf": [number, {"const": OFF}]}), **about}


def _list_heads(game: str) -> Iterable[tuple[Table, dict[str, Any]]]:
    for table in _list_tables(game):
        size = {"minItems": table.ring.size, "maxItems": table.ring.size}
        players = {"type": "array", "items": describe_text(1, NAME_LIMIT), **size}
        dealer = {"enum": list(table.ring.seats)}
        copy = {"rules": describe_text(1, RULES_LIMIT, lines=True)} if library.rules(game) else {}
        head = {**_describe_agreed(game), "players": players, "first_dealer": dealer, **_MORE, **copy}
        yield table, head


def _describe_entry(table: Table, game: str) -> dict[str, Any]:
    shapes = library.open_game(game).family.entry_shapes
    return {"anyOf": [describe_shape(shape, table) for shape in shapes.values()]}


def _list_rest(table: Table, game: str) -> dict[str, Any]:
    """The members of a record behind its head."""
    ruling = describe_object(
        {"id": describe_text(16, MAX_ID), "at": describe_text(1, 32), "content": _OBJECT}
    )

    def many(item: Mapping[str, Any], most: int) -> dict[str, Any]:
        return {"type": "array", "items": item, "maxItems": most}

    return {
        "entries": many(_describe_entry(table, game), MAX_ENTRIES),
        "remarks": many(describe_shape(Remark, table), MAX_EVENTS),
        "log": many({"type": "object", "properties": _EVENT, "required": ["n", "kind"]}, MAX_EVENTS + 1),
        "rulings": many(ruling | {"required": ["id", "at", "content"]}, MAX_RULINGS),
    }
