"""Reading by programs: games, matches with entries and history, sheets; and asking the arbiter."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from flask import Response, current_app, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound, ServiceUnavailable

from companion import library
from companion.matches import Match, NoSuchEntry, schemas
from companion.matches.plain import describe_game, show_state
from companion.record.log import LoggedEntry
from companion.rules.errors import Unreadable, contradictions, refuse_duplicates
from companion.rules.message import Message
from companion.rules.ruling import Ruling
from companion.rules.schema import Integer, Table
from companion.rules.seats import Ring
from companion.web.shell import jobs
from companion.web.shell.matches import open_match
from companion.web.shell.security.rate_limits import HEAVY, count_toward_limit
from companion.web.shell.text import translate

from .answers import answer, read_body, read_number, write_events
from .operations import operation

MOST = 500
"""The most events or entries in one answer; more have a link `next`."""
AFTER = {"type": "integer", "minimum": -1, "maximum": 999_999_999, "default": -1}
_TEXT = {"type": "string"}
_AGREED = (
    ("preset", _TEXT),
    ("players", {"type": "integer", "minimum": 2, "maximum": 6}),
    ("conventions", {"type": "string", "contentMediaType": "application/json", "pattern": r"^\{.*\}$"}),
)


# --- games -------------------------------------------------------------------------------------------


@operation("GET", "/games", answers="Games")
def list_games() -> Response:
    """All games, with their varieties, house rules and questions."""
    return answer({"games": [_describe(name) for name in library.names()]})


@operation("GET", "/games/<game>", answers="Game", query=_AGREED)
def read_game(game: str) -> Response:
    """One game: house rules, words in your language, the rules of a table by what it has agreed on."""
    try:
        chosen = json.loads(request.args.get("conventions", "{}"), object_pairs_hook=refuse_duplicates)
    except (ValueError, RecursionError):
        with contradictions():  # its form is that of a text
            raise Unreadable("conventions", Message("an object")) from None
    if not isinstance(chosen, dict):
        raise Unreadable("conventions", Message("an object"), chosen)
    players = None
    if "players" in request.args:
        players = Integer(2, 6).read(read_number("players", 0), "players", Table(Ring(6), frozenset()))
    with contradictions():  # what is agreed on may be another game's
        opened = library.open_game(_find_game(game), request.args.get("preset"), chosen, players)
    book = opened.book
    rules = [
        {
            "id": rule.id,
            "chapter": translate(rule.chapter),
            "text": translate(rule.text),
            "source": rule.source,
        }
        for rule in book.rules_for(opened.conventions, opened.players)
    ]
    words = {word: translate(text) for word, text in book.words.items()}
    agreed = {"preset": opened.preset, "agreed": dict(opened.conventions)}
    return answer({**_describe(game), **agreed, "words": words, "rules": rules})


@operation("GET", "/games/<game>/schemas/<any(record, entry, question, ruling):subject>", answers="Schema")
def read_schema(game: str, subject: str) -> Response:
    """The JSON Schema of a game’s records, entries, questions or rulings."""
    return answer(schemas.describe(subject, _find_game(game)))


def _describe(game: str) -> dict[str, Any]:
    described = describe_game(game)
    named = {convention["name"]: convention for convention in described["conventions"]}
    for name, convention in library.read_rulebook(game).conventions.items():
        named[name]["label"] = translate(convention.label)
    texts = {"title": translate(described["title"]), "summary": translate(described["summary"])}
    return {**described, **texts}


def _find_game(game: str) -> str:
    if game not in library.names():
        raise NotFound
    return game


# --- the arbiter -------------------------------------------------------------------------------------


@operation("POST", "/questions", body="Question", answers="Ruling", takes_time=True)
def ask() -> Response:
    """Ask the arbiter; nothing is written."""
    return answer(ask_arbiter(read_body())[-1].plain())


def ask_arbiter(sent: Any) -> tuple[library.Game, Mapping[str, Any], Ruling]:
    """Rule on a request; return its game, its facts, and the ruling.

    :raises Unreadable: if it cannot be understood.
    """
    game, asked = library.open_request(sent)
    ruling = jobs.rule(game, asked, "")
    if ruling.question in HEAVY:
        count_toward_limit("heavy")
    return game, asked, ruling


# --- matches -----------------------------------------------------------------------------------------


@operation("GET", "/matches/<id>", answers="Match")
def read_match(id: str) -> Response:
    """A match: its head, totals, who deals next, how it stands, what is wrong in it."""
    match = open_match(id)
    return answer(show_match(match), seq=match.seq)


def show_match(match: Match) -> dict[str, Any]:
    """A match as JSON, without its entries."""
    shown = show_state(match.game, match.to_record(), match.state)
    del shown["entries"]
    return {"id": match.id, "seq": match.seq, "begun_at": match.created_at, "head": dict(match.head), **shown}


@operation("GET", "/matches/<id>/entries", answers="Entries", query=(("after", AFTER),))
def list_entries(id: str) -> Response:
    """The entries of a match, withdrawn ones too, with what each came to."""
    match = open_match(id)
    after = _read_after()
    later = [entry for entry in match.log.entries if entry.id > after]
    return answer(
        _page("entries", "list_entries", id, later, "id", show_entries(match, later[:MOST])), seq=match.seq
    )


@operation("GET", "/matches/<id>/entries/<int:entry>", answers="Entry")
def read_entry(id: str, entry: int) -> Response:
    """One entry, by its id: the number of the event that added it."""
    match = open_match(id)
    logged = match.entry(entry)
    if logged is None:
        raise NoSuchEntry(entry)
    return answer(show_entries(match, [logged])[0], seq=match.seq)


def show_entries(match: Match, entries: Iterable[LoggedEntry]) -> list[dict[str, Any]]:
    """Entries as JSON: the content and the result of each."""
    rows: Any = match.game.family.show(match.state)["entries"]
    shown = []
    for entry in entries:
        n = match.number(entry.id)
        row = rows[n - 1] if n is not None and n <= len(rows) else None
        shown.append({"id": entry.id, "withdrawn": entry.withdrawn, "entry": entry.payload, "row": row})
    return shown


@operation("GET", "/matches/<id>/log", answers="Log", query=(("after", AFTER),))
def read_log(id: str) -> Response:
    """What was written in a match after a number; 304 while nothing was (If-None-Match)."""
    match = open_match(id)
    after = _read_after()
    later = [event for event in write_events(match) if event["n"] > after]
    return answer(_page("events", "read_log", id, later, "n", later[:MOST]), seq=match.seq)


def _read_after() -> int:
    return Integer(-1, 999_999_999).read(read_number("after", -1), "after", Table(Ring(6), frozenset()))


def _page(what: str, name: str, id: str, later: Sequence[Any], key: str, shown: list[Any]) -> dict[str, Any]:
    """A page of a long list, with the address of the next one."""
    if len(later) <= MOST:
        return {what: shown}
    return {what: shown, "next": url_for(f"public_api.{name}", id=id, after=shown[-1][key])}


# --- sheets and tables -------------------------------------------------------------------------------


def serve_page(endpoint: str, **values: Any) -> ResponseReturnValue:
    """Answer with a file of ours that is no page: a sheet, a picture, a table."""
    page: Any = current_app.view_functions[endpoint](**values)
    made = current_app.make_response(page)
    if made.mimetype == "text/html":  # nothing but the browser can print or paint it
        raise ServiceUnavailable
    return made


_PAPER = (("paper", {"enum": ["a4", "a5", "letter"], "default": "a4"}),)


@operation("GET", "/matches/<id>/sheet.pdf", kind="application/pdf", query=_PAPER, takes_time=True)
def read_sheet_pdf(id: str) -> ResponseReturnValue:
    """The sheet of a match on paper; 202 while it is printed."""
    return serve_page("sheets.sheet_pdf", id=id)


@operation("GET", "/matches/<id>/picture.svg", kind="image/svg+xml")
def read_picture(id: str) -> ResponseReturnValue:
    """The picture of a match, with its tally."""
    return serve_page("picture.drawing", id=id)


@operation("GET", "/matches/<id>/table.csv", kind="text/csv")
def read_table(id: str) -> ResponseReturnValue:
    """A row for each entry, for a spreadsheet."""
    return serve_page("exports.table", id=id)


@operation("GET", "/matches/<id>/record.json", answers="Record")
def read_record(id: str) -> ResponseReturnValue:
    """The whole match as a record: entries, remarks, history, rulings."""
    return serve_page("exports.record", id=id)
