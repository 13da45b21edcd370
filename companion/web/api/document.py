"""The OpenAPI document, built from the operations and the schemas that read records and questions."""

import re
from functools import cache
from typing import Any

from flask import Response, jsonify, request

from companion import library
from companion.matches import schemas
from companion.rules.schema import MappingOf, describe_shape, fields_of, name_schema, share_schemas

from .answers import PROBLEM
from .operations import OPERATIONS, Operation, operation
from .writing import BODIES, SEEN, TABLES

_TEXT, _NUMBER, _OBJECT = {"type": "string"}, {"type": "integer"}, {"type": "object"}
_ANY = {"type": "object", "additionalProperties": True}
_MANY = {"type": "array", "items": _ANY}


_SCHEMAS = "#/components/schemas/"


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"{_SCHEMAS}{name}"}


def _name(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Give a schema this name, unless it refers to one already."""
    return schema if schema.keys() == {"$ref"} else name_schema(name, schema)


def _open(**members: Any) -> dict[str, Any]:
    """An object that has at least these members; later versions may add others."""
    return {"type": "object", "properties": members, "required": list(members)}


def _list(**items: Any) -> dict[str, Any]:
    (name, item), *more = items.items()
    listed = {"type": "array", "items": item}
    return {"type": "object", "properties": {name: listed, "next": _TEXT, **dict(more)}, "required": [name]}


_PROBLEM = _open(type=_TEXT, title=_TEXT, status=_NUMBER, detail=_TEXT)
_PROBLEM["properties"] |= {
    "pointer": _TEXT,
    "rule": _TEXT,
    "retry_after": _NUMBER,
    "seq": _NUMBER,
    "problems": {"type": "array", "items": _open(pointer=_TEXT, rule=_TEXT, detail=_TEXT)},
    "events": {"type": "array", "items": _ref("Event")},
}
_HEADERS: dict[str, Any] = {
    "Seen": {
        "name": "If-Match",
        "in": "header",
        "required": True,
        "schema": {
            "type": "string",
            "pattern": f"^{SEEN}$",
            "description": "The number of the match as it was read, or * to write whatever it is now.",
        },
    },
    "Key": {
        "name": "Idempotency-Key",
        "in": "header",
        "schema": {"type": "string", "minLength": 1, "pattern": r"\S"},
    },
}
_ANSWERS: dict[str, Any] = {
    "Problem": _PROBLEM,
    "UnderWay": _open(
        status=_TEXT, seconds={"type": "number"}, before={"type": ["integer", "null"]}, retry_after=_NUMBER
    ),
    "Schema": _ANY,
    "Record": _ANY,
    "Game": _open(game=_TEXT, title=_TEXT, version=_TEXT, presets=_MANY, conventions=_MANY),
    "Games": _list(games=_ref("Game")),
    "Match": _open(
        id=_TEXT, seq=_NUMBER, begun_at=_TEXT, head=_OBJECT, game=_TEXT, totals=_OBJECT, status=_TEXT
    ),
    "Entry": _open(
        id=_NUMBER, withdrawn={"type": "boolean"}, entry=_OBJECT, row={"type": ["object", "null"]}
    ),
    "Entries": _list(entries=_ref("Entry")),
    "Event": _open(n=_NUMBER, kind=_TEXT),
    "Log": _list(events=_ref("Event")),
    "Written": _open(seq=_NUMBER),
    "Figures": _ANY,
    "Ruling": _open(
        question=_TEXT,
        verdict=_TEXT,
        answer=_OBJECT,
        why=_TEXT,
        rules={"type": "array", "minItems": 1, "items": _open(id=_TEXT, text=_TEXT)},
    ),
    "SavedRuling": _open(id=_TEXT, at=_TEXT, request=_OBJECT, ruling=_OBJECT),
    "Rulings": _list(rulings=_ref("SavedRuling")),
    "Matches": _list(matches=_open(id=_TEXT, changed_at=_TEXT, players={"type": "array", "items": _TEXT})),
}


@cache
def make_document() -> dict[str, Any]:
    """The whole document, except for the address where it is served."""
    games, components, shared = library.names(), dict(_ANSWERS), dict[str, Any]()
    for name, describe in (
        ("Question", schemas.describe_question),
        ("NewEntry", schemas.describe_entry),
        ("Head", schemas.describe_head),
    ):
        components[name] = {"anyOf": [_name(f"{name}-{game}", describe(game)) for game in games]}
    components |= {name: _describe_body(name, shape) for name, shape in BODIES.items()}
    components["Correction"] = schemas.describe_correction()
    paths: dict[str, dict[str, Any]] = {}
    for made in OPERATIONS:
        paths.setdefault(made.path, {})[made.method.lower()] = _describe(made)
    components = share_schemas(components, _SCHEMAS, shared)
    paths = share_schemas(paths, _SCHEMAS, shared)
    return {
        "openapi": "3.1.0",
        "jsonSchemaDialect": schemas.DIALECT,
        "info": {
            "title": "Companion",
            "version": "1",
            "description": "Within v1 things are only added.",
        },
        "paths": paths,
        "components": {
            "schemas": components | shared,
            "parameters": _HEADERS,
            "responses": {
                "Problem": {"description": "A problem.", "content": {PROBLEM: {"schema": _ref("Problem")}}}
            },
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _describe_body(name: str, shape: Any) -> dict[str, Any]:
    """The schema of a shape at tables of each size; a single one if it names no sides."""
    described = {table.ring.size: describe_shape(shape, table) for table in TABLES}
    largest = described[max(described)]
    kinds = [getattr(place.kind, "kind", place.kind) for place in fields_of(shape)]
    if not any(isinstance(kind, MappingOf) for kind in kinds):
        return largest
    return {"anyOf": [name_schema(f"{name}-{size}", part) for size, part in described.items()]}


def _describe(made: Operation) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": made.name,
        "summary": made.about,
        "parameters": [*_list_parameters(made)],
    }
    if made.body:
        content = {"application/json": {"schema": _ref(made.body)}}
        described["requestBody"] = {"required": True, "content": content}
    schema = _ref(made.answers) if made.answers else _TEXT
    answers: dict[str, Any] = {str(made.status): {"description": made.about}}
    if made.status != 204:
        answers[str(made.status)]["content"] = {made.kind: {"schema": schema}}
    if links := _list_links(made):
        answers[str(made.status)]["links"] = links
    if made.status == 201 and made.query:
        content = answers["201"]["content"]
        answers["200"] = {"description": "What it would come to; nothing was written.", "content": content}
    if made.method == "GET" and made.answers and "<id>" in made.rule:
        answers["304"] = {"description": "Nothing has changed since it was read."}
    if made.takes_time:
        content = {"application/json": {"schema": _ref("UnderWay")}}
        answers["202"] = {"description": "Being worked out: send the same request again.", "content": content}
    answers["default"] = {"$ref": "#/components/responses/Problem"}
    described["responses"] = answers
    described["security"] = [{"token": []}] if made.needs_token else [{}, {"token": []}]
    return described


_NEW = "$response.body#/id"
_LEADS: dict[str, tuple[str, dict[str, str]]] = {
    "begin_match": ("/matches/<id>", {"path.id": _NEW}),
    "add_entry": ("/matches/<id>/entries/<int:entry>", {"path.id": "$request.path.id", "path.entry": _NEW}),
    "save_ruling": ("/rulings/<id>", {"path.id": _NEW}),
}
"""The operations that create something: the addresses below which it is found, with values of the answer."""


def _list_links(made: Operation) -> dict[str, Any]:
    """The links from an operation to those on the thing that it has created."""
    below, places = _LEADS.get(made.name, ("", {}))
    links = {}
    for other in OPERATIONS if below else ():
        if other.rule.startswith(below) and other.rule.count("<") == len(places):
            seen = {"header.If-Match": "$response.header.ETag"} if other.writes else {}
            links[other.name] = {"operationId": other.name, "parameters": places | seen}
    return links


def _list_parameters(made: Operation) -> Any:
    for kind, name in re.findall(r"<(?:([^:>]*):)?([^>]+)>", made.rule):
        choices = re.fullmatch(r"any\((.*)\)", kind)
        schema: dict[str, Any] = {"type": "string", "minLength": 1}
        if kind == "int":
            schema = {"type": "integer", "minimum": 0}
        if choices:
            schema = {"enum": choices[1].split(", ")}
        if name == "game":
            schema = {"enum": list(library.names())}
        yield {"name": name, "in": "path", "required": True, "schema": schema}
    for name, schema in made.query:
        needed = {"required": True} if name in made.asks else {}
        yield {"name": name, "in": "query", **needed, "schema": schema}
    if made.writes:
        yield {"$ref": "#/components/parameters/Seen"}
    if made.writes or made.once:
        yield {"$ref": "#/components/parameters/Key"}


@operation("GET", "/openapi.json", answers="Schema")
def read_document() -> Response:
    """This document."""
    return jsonify({**make_document(), "servers": [{"url": f"{request.script_root}/api/v1"}]})
