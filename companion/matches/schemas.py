"""JSON Schemas (2020-12) of records, questions and rulings.

They are generated from the descriptions used for parsing. `x-rule` names the rule behind a choice.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from companion import library
from companion.library import Game, Seating
from companion.record.head import CORRECTABLE, NAME_LIMIT
from companion.record.log import MAX_ENTRIES, MAX_EVENTS, MAX_RULINGS
from companion.record.portable_log import KINDS
from companion.record.portable_remarks import Remark
from companion.record.record import FORMAT, VERSION
from companion.rules.conditions import OFF
from companion.rules.errors import Unreadable
from companion.rules.question import Question
from companion.rules.rulebook import RULES_LIMIT, Convention
from companion.rules.schema import (
    MAX_ID,
    SeatOf,
    Table,
    describe_object,
    describe_shape,
    describe_text,
    name_schema,
    share_schemas,
)

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SUBJECTS = ("record", "question", "ruling", "entry")
"""The subjects of schemas."""
_MORE: Mapping[str, Any] = {
    "stake": name_schema(
        "Stake",
        describe_object(dict.fromkeys(("amount", "currency"), describe_text(1, 20)), ("amount", "currency")),
    ),
    "place": describe_text(1, 200),
    "started": describe_text(1, 40),
    "id": describe_text(1, 80),
    "follows": describe_text(1, 80),
}
"""The members of a head that are the same in every game."""
_SOMEBODY_DEALS = {"if": {"required": ["follows"]}, "else": {"required": ["first_dealer"]}}
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
    games, shared = library.names() if game is None else (game,), dict[str, Any]()
    described = _any(_DESCRIBE[subject](name) for name in games)
    return {
        "$schema": DIALECT,
        "title": f"{game or 'any game'}: {subject}",
        **share_schemas(described, "#/$defs/", shared),
        "$defs": shared,
    }


def _any(schemas: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """A schema for any of several schemas, each different one once."""
    different: list[Mapping[str, Any]] = []
    for schema in schemas:
        for part in schema.get("anyOf", ()) if schema.keys() == {"anyOf"} else (schema,):
            if part not in different:
                different.append(part)
    return dict(different[0]) if len(different) == 1 else {"anyOf": different}


@cache
def describe_record(game: str) -> dict[str, Any]:
    """The schema of a whole record: its head, entries, remarks, history and rulings."""
    return _any(
        describe_object(
            {"format": {"const": FORMAT}, "version": {"const": VERSION}, **head, **_list_rest(table, game)},
            ("format", "version", *_NEEDED, *_need_agreed(game, seating)),
        )
        for seating, table, head in _list_heads(game)
    )


@cache
def describe_head(game: str) -> dict[str, Any]:
    """The schema of a new match's head: it has no id yet, and somebody deals first.

    Generators of clients leave `if` aside: `anyOf` beside its members would be too much for them.
    """
    return _any(
        name_schema(
            f"Head-{game}{_name_seating(game, seating)}",
            {
                **describe_object(
                    {key: kind for key, kind in head.items() if key != "id"},
                    (*_NEEDED, *_need_agreed(game, seating)),
                ),
                **_SOMEBODY_DEALS,
            },
        )
        for seating, _table, head in _list_heads(game)
    )


def describe_correction() -> dict[str, Any]:
    """The schema of corrections to a head; null removes a value."""
    players = {"type": "array", "items": describe_text(1, NAME_LIMIT), "minItems": 1}
    other = {key: {"anyOf": [_MORE[key], {"type": "null"}]} for key in CORRECTABLE if key in _MORE}
    return describe_object({"players": players, **other})


@cache
def describe_entry(game: str) -> dict[str, Any]:
    """The schema of an entry."""
    return _any(_describe_entry(table, game) for _seating, table in _list_tables(game))


@cache
def describe_question(game: str) -> dict[str, Any]:
    """The schema of a question to the arbiter: the table's agreements, the question and its facts."""
    return _any(
        name_schema(
            f"Question-{game}-{name}{_name_seating(game, seating)}",
            {
                "allOf": [asking, _describe_asked(game, question, table)],
                **({"required": ["players"]} if _needs_players(game, question, seating) else {}),
            },
        )
        for seating, table in _list_tables(game)
        for asking in [_describe_asking(game, seating)]
        for name, question in _list_questions(game).items()
    )


def _needs_players(game: str, question: Question, seating: Seating) -> bool:
    """True if the number of players must be given: neither the game nor its conventions determine it."""
    is_open = _has_sizes(game) and not _need_agreed(game, seating)
    return is_open and question.name not in library.open_game(game).family.unseated


def _describe_asking(game: str, seating: Seating) -> dict[str, Any]:
    """The schema of the table: so many players with these agreements; other members are left open."""
    size = {"players": {"const": seating.players}} if _has_sizes(game) else {}
    needed = ["game", *_need_agreed(game, seating)]
    agreed = {
        "type": "object",
        "properties": {**_describe_agreed(game, seating), **size},
        "required": needed,
    }
    return name_schema(f"Agreed-{game}{_name_seating(game, seating)}", agreed)


def _describe_asked(game: str, question: Question, table: Table) -> dict[str, Any]:
    """The schema of a question's facts, the same in all games with such a table."""
    facts = describe_shape(question.shape, table)
    agreed: dict[str, Any] = {key: {} for key in (*_AGREED, *(["players"] if _has_sizes(game) else []))}
    asked = {"question": {"const": question.name, "description": str(question.asks)}}
    return name_schema(
        f"Asked-{question.name}",
        describe_object(
            {**agreed, **asked, **facts["properties"]}, ("game", "question", *facts.get("required", ()))
        ),
    )


def _has_sizes(game: str) -> bool:
    """True if the game is for more than one number of players."""
    return len(library.sizes(game)) > 1


@cache
def describe_ruling(game: str) -> dict[str, Any]:
    """The schema of a ruling: the answer to a question, with its rules."""
    book = library.read_rulebook(game)
    choice = {
        "name": {"enum": list(book.conventions)},
        "value": {"type": ["boolean", "integer", "string"]},
        "label": {"type": "string"},
    }
    said = {key: {"type": "string"} for key in ("text", "chapter", "source")}
    table = {"type": "array", "items": describe_object(choice, choice)}
    rule = describe_object({"id": {"enum": list(book.rules)}, **said, "table": table}, ("id", "text"))
    members = {
        "question": {"enum": list(_list_questions(game))},
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
_AGREED = ("game", "preset", "conventions")


@cache
def _open_all(game: str) -> tuple[Game, ...]:
    """The game with default conventions, and with each other value in turn."""
    book, opened = library.read_rulebook(game), [library.open_game(game)]
    for name, convention in book.conventions.items():
        for value in convention.values:
            conventions = {**convention.needs, name: value} if convention.needs else {name: value}
            with suppress(Unreadable):  # it needs a table of another size
                opened.append(library.reopen_game(game, None, conventions))
    return tuple(opened)


@cache
def _list_tables(game: str) -> tuple[tuple[Seating, Table], ...]:
    """The seatings with their tables: the pack has the cards of every possible convention."""
    pack = frozenset(card for found in _open_all(game) for card in found.family.ruleset.pack)
    rulesets = [found.family.ruleset for found in _open_all(game)]
    further = any(rules.no_trumps for rules in rulesets), any(rules.all_trumps for rules in rulesets)
    return tuple((seating, Table(seating.ring, pack, *further)) for seating in library.seatings(game))


@cache
def _list_questions(game: str) -> dict[str, Question]:
    """The questions that can be asked with any conventions."""
    return {name: asked for found in _open_all(game) for name, asked in found.family.questions.items()}


@cache
def _list_entries(game: str) -> dict[str, type]:
    """The shapes of entries that can be written with any conventions."""
    known = {name for found in _open_all(game) for name in found.family.entries}
    shapes = library.open_game(game).family.entry_shapes
    return {name: shape for name, shape in shapes.items() if name in known}


def _name_seating(game: str, seating: Seating) -> str:
    """The suffix of a seating's schemas, in a game that has several."""
    return f"-{seating.name}" if len(library.seatings(game)) > 1 else ""


def _need_agreed(game: str, seating: Seating) -> list[str]:
    """The required members for a seating: its conventions, unless they are defaults."""
    usual = library.read_rulebook(game).conventions
    is_usual = all(usual[name].default == value for name, value in seating.conventions.items())
    return [] if is_usual else ["conventions"]


def _describe_agreed(game: str, seating: Seating) -> dict[str, Any]:
    """The schema of a seating's agreements: the game, its variety, its house rules."""
    book = library.read_rulebook(game)
    described = {name: describe_convention(convention) for name, convention in book.conventions.items()}
    conventions = name_schema(f"Conventions-{game}", describe_object(described))
    if seating.conventions:
        conventions["properties"] = {name: {"const": value} for name, value in seating.conventions.items()}
        conventions |= {"required": [*seating.conventions]} if _need_agreed(game, seating) else {}
    return {
        "game": {"const": game},
        "preset": {"enum": [preset for preset in book.presets if library.is_for(game, preset, seating)]},
        "conventions": conventions,
    }


def describe_convention(convention: Convention) -> dict[str, Any]:
    """The schema of a convention: its possible values and its rule."""
    about = {"description": convention.label, "default": convention.default, "x-rule": convention.rule}
    if set(convention.values) == {False, True}:
        return {"type": "boolean", **about}
    if convention.values:
        return {"enum": list(convention.values), **about}
    if convention.is_text:
        return {**describe_text(0, 200), **about}
    number = {"type": "integer", "minimum": convention.least, "maximum": convention.most}
    # No `const`: generated clients would take that for the only value.
    return {**(number if convention.least else {"anyOf": [number, {"enum": [OFF]}]}), **about}


def _list_heads(game: str) -> Iterable[tuple[Seating, Table, dict[str, Any]]]:
    for seating, table in _list_tables(game):
        size = {"minItems": seating.players, "maxItems": seating.players}
        players = {"type": "array", "items": describe_text(1, NAME_LIMIT), **size}
        dealer = SeatOf().describe(table)
        copy = {"rules": describe_text(1, RULES_LIMIT, lines=True)} if library.rules(game) else {}
        agreed = _describe_agreed(game, seating)
        yield seating, table, {**agreed, "players": players, "first_dealer": dealer, **_MORE, **copy}


def _describe_entry(table: Table, game: str) -> dict[str, Any]:
    shapes = _list_entries(game).values()
    return {"anyOf": [name_schema(shape.__name__, describe_shape(shape, table)) for shape in shapes]}


def _list_rest(table: Table, game: str) -> dict[str, Any]:
    """The members of a record after its head."""
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
