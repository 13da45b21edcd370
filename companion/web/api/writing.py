"""What programs write: matches, entries, remarks, rulings; each checked and written as what a page sends."""

import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from flask import Response, g, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

from companion import library
from companion.matches import (
    AddEntry,
    Agree,
    AmendEntry,
    AttachRuling,
    Change,
    CorrectHead,
    DeletedMatch,
    DetachRuling,
    Match,
    NotTheWriter,
    Object,
    PutBack,
    RestoreEntry,
    Submission,
    Undo,
    WithdrawEntry,
    WithdrawObjection,
    speaks_for_owner,
)
from companion.matches.changes import check_room
from companion.record.head import HEAD, check_visible, read_correction, refuse_unknown
from companion.record.record import TriedEntry
from companion.record.remarks import ObjectionFacts
from companion.rules.errors import Missing, Unreadable
from companion.rules.message import Message
from companion.rules.schema import Choice, Integer, Nullable, SideOf, Table, Text, field, parse
from companion.rules.seats import Ring
from companion.store import ListedMatch, ListPlace, SavedRuling, StaleWrite
from companion.web.rulings import log_ruling
from companion.web.shell.forms import fresh_key
from companion.web.shell.matches import access, matches, open_match
from companion.web.shell.monitoring import count_event
from companion.web.shell.security import browser
from companion.wording import RulingWords

from .answers import EmptyKey, KeyUsed, NoNumber, NoToken, answer, read_body
from .operations import operation
from .reading import ask_arbiter, serve_page, show_entries, show_match

_LENGTH = 50
"""Matches in one answer."""
TABLES = tuple(Table(Ring(players), frozenset()) for players in range(6, 1, -1))
"""Any table that there is, for what is said of its seats and sides alone; the largest first."""
SEEN = r'(?:"?[0-9]{1,9}"?|\*)'
"""What `If-Match` may say: the number of the match, quoted or not, or whatever it is."""
_NOBODY = TABLES[0]
_TEXT = {"type": "string"}
PLACES = ("list", "archive", "bin")
_DRY = (("dry_run", {"enum": ["true", "false"], "default": "false"}),)
_MINE: dict[str, Any] = {"needs_token": True}
_WRITES: dict[str, Any] = {"needs_token": True, "writes": True}


@dataclass(frozen=True)
class PlaceFacts:
    """Where a match lies."""

    place: str = field(Choice(PLACES))


@dataclass(frozen=True)
class AgreementFacts:
    """Which side agrees."""

    side: str = field(SideOf())


@dataclass(frozen=True)
class AttachmentFacts:
    """A saved ruling by its id, the entry that it is put at, and the objection that it settles."""

    ruling: str = field(Text(64, 1))
    entry: int | None = field(Nullable(Integer(1, 999_999)), None)
    objection: int | None = field(Nullable(Integer(1, 999_999)), None)


BODIES = {
    "Place": PlaceFacts,
    "Agreement": AgreementFacts,
    "Attachment": AttachmentFacts,
    "Objection": ObjectionFacts,
}
"""The shapes of what is sent, by the names of their schemas; entries, heads and questions have others."""


# --- how a write is sent -----------------------------------------------------------------------------


def _write(match: Match, change: Change) -> tuple[Match, int]:
    """The match after a change, and the number of its event; one sent twice is written once."""
    if not access(match).may_make(change, match):
        _require_token()
        raise NotTheWriter(match.id)
    key = _read_key()
    sent = Submission(browser.token(), _read_seen(match), key, token=g.get("api_token"))
    try:
        after = matches().write(match, change, sent)
    except StaleWrite:
        if matches().find_written(match, key) is None:
            raise
        raise KeyUsed from None
    written = matches().find_written(after, key)
    if written is None:
        return after, after.seq
    if match.seq < written.seq == after.seq:
        count_event(written.kind)
    elif not matches().is_repeated(after, change, written):
        raise KeyUsed
    return after, written.seq


def _require_token() -> None:
    if g.get("api_token") is None:
        raise NoToken


def _read_seen(match: Match) -> int:
    """The length of the log that was read.

    :raises NoNumber: where the request does not say.
    :raises StaleWrite: where it says anything else than one number, which no log has.
    """
    sent = request.headers.get("If-Match", "").strip()
    if not sent:
        raise NoNumber
    if re.fullmatch(SEEN, sent) is None:
        raise StaleWrite(match.id, ())
    if sent == "*":
        return match.seq
    return int(sent.strip('"'))


def _read_key() -> str:
    """The key of a write, which is this token's alone; without one it is a write of its own.

    :raises EmptyKey: for an empty one.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return fresh_key()
    if not key.strip():
        raise EmptyKey
    sent = f"{g.api_token.id} {key}".encode()
    return urlsafe_b64encode(sha256(sent).digest()[:24]).decode()


def _read_whole() -> str:
    """The owner of a token that is good for all that is theirs.

    :raises NoToken: without one.
    :raises NotTheWriter: where it is for one match, or for less than its owner.
    """
    _require_token()
    if not speaks_for_owner(g.api_token):
        raise NotTheWriter("")
    return browser.token()


def _read_everywhere() -> str:
    """The owner of a token that is good for all matches. Raises like `_read_whole`."""
    _require_token()
    if g.api_token.match_id is not None:
        raise NotTheWriter("")
    return browser.token()


def _dry_run() -> bool:
    return request.args.get("dry_run") == "true"


def _read_shape(shape: Any, ring: Ring | None = None) -> Any:
    """The body as one of these shapes. :raises Unreadable: when it is none."""
    body = read_body()
    check_visible(body)
    try:
        return parse(shape, body, "", Table(ring, frozenset()) if ring is not None else _NOBODY)
    except Unreadable as error:
        error.contradicts = any(_fits(shape, body, table) for table in TABLES)
        raise


def _fits(shape: Any, body: Any, table: Table) -> bool:
    with suppress(Unreadable):
        parse(shape, body, "", table)
        return True
    return False


# --- matches -----------------------------------------------------------------------------------------


_LISTED = (("q", _TEXT), ("after", _TEXT), ("place", {"enum": list(PLACES), "default": "list"}))


@operation("GET", "/matches", answers="Matches", query=_LISTED, **_MINE)
def list_matches() -> Response:
    """Your matches and those you joined, the one last written in first."""
    who, trash = _read_everywhere(), matches().trash
    place = Choice(PLACES).read(request.args.get("place", "list"), "place", _NOBODY)
    if place != "list":
        found = trash.list_put_away(who) if place == "archive" else trash.list_deleted(who)
        return answer({"matches": [_describe(listed) for listed in found]})
    at, mark, id = request.args.get("after", "")[:120].partition("~")
    after = ListPlace(at, id) if mark else None
    search = request.args.get("q", "").strip()[:80]
    page = matches().list_page(who, search, _LENGTH, after)
    shown: dict[str, Any] = {"matches": [_describe(listed) for listed in page.listed]}
    if page.has_older:
        last = page.listed[-1].place
        shown["next"] = url_for("public_api.list_matches", q=search or None, after=f"{last.at}~{last.id}")
    return answer(shown)


def _describe(listed: ListedMatch) -> dict[str, Any]:
    facts = {"id": listed.id, "changed_at": listed.changed_at, "players": listed.head.get("players", [])}
    summary = matches().summary(listed)
    if summary is not None:
        facts |= {key: getattr(summary, key) for key in ("game", "sides", "totals", "status", "winner")}
    return facts


@operation("POST", "/matches", body="Head", answers="Match", status=201, once=True, **_MINE)
def begin_match() -> Response:
    """Begin a match: its head, as a record has it."""
    owner, body = _read_whole(), read_body()
    if not isinstance(body, dict):
        raise Unreadable("", Message("an object"), body)
    refuse_unknown(body, [key for key in HEAD if key != "id"], "")
    started = {"started": matches().local_time()}
    match = open_match(matches().start({**started, **body}, owner, _read_key()))
    begun, added = match.written_head, {*started, "first_dealer", *match.game.pinned} - body.keys()
    if {key: value for key, value in begun.items() if key not in added} != body:
        raise KeyUsed
    return _created(show_match(match), match, "read_match", id=match.id)


@operation("PATCH", "/matches/<id>", body="Correction", answers="Match", **_WRITES)
def correct_match(id: str) -> Response:
    """Correct names, place, stake or beginning in the head of a match; null takes one out."""
    match, values = open_match(id), read_body()
    if not isinstance(values, dict):
        raise Unreadable("", Message("an object"), values)
    read_correction(values, "", len(match.head["players"]))
    after, _seq = _write(match, CorrectHead(values))
    return answer(show_match(after), seq=after.seq)


@operation("PUT", "/matches/<id>/place", body="Place", answers="Place", **_MINE)
def put_match(id: str) -> Response:
    """Put a match into the list, the archive or the bin."""
    place = _read_shape(PlaceFacts).place
    _require_token()
    trash = matches().trash
    try:
        match = open_match(id)
    except DeletedMatch:
        if place == "bin" or not speaks_for_owner(g.api_token, id):
            raise
        trash.bring_back(id, browser.token())
        match = open_match(id)
    {"list": trash.take_out, "archive": trash.put_away, "bin": trash.delete}[place](match, access(match))
    return answer({"place": place})


# --- entries -----------------------------------------------------------------------------------------


@operation(
    "POST", "/matches/<id>/entries", body="NewEntry", answers="Entry", status=201, query=_DRY, **_WRITES
)
def add_entry(id: str) -> Response:
    """Add an entry; with dry_run only look at what it would come to."""
    match, entry = open_match(id), _read_entry()
    if _dry_run():
        with _say_of_other_tables(entry):
            return _try(match, AddEntry(entry), len(match.standing_entries) + 1)
    with _say_of_other_tables(entry):
        after, seq = _write(match, AddEntry(entry))
    return _created(_show(after, seq), after, "read_entry", id=id, entry=seq)


@operation(
    "PUT", "/matches/<id>/entries/<int:entry>", body="NewEntry", answers="Entry", query=_DRY, **_WRITES
)
def amend_entry(id: str, entry: int) -> Response:
    """Put another content in the place of an entry; with dry_run only look at what it would come to."""
    match, content = open_match(id), _read_entry()
    if _dry_run():
        with _say_of_other_tables(content):
            return _try(match, AmendEntry(entry, content), match.number(entry) or 0)
    with _say_of_other_tables(content):
        return _answer_entry(match, AmendEntry(entry, content), entry)


@operation("DELETE", "/matches/<id>/entries/<int:entry>", answers="Entry", **_WRITES)
def withdraw_entry(id: str, entry: int) -> Response:
    """Withdraw an entry: it no longer counts, and stays in the history."""
    return _answer_entry(open_match(id), WithdrawEntry(entry), entry)


@operation("POST", "/matches/<id>/entries/<int:entry>/restore", answers="Entry", **_WRITES)
def restore_entry(id: str, entry: int) -> Response:
    """Let a withdrawn entry count again."""
    return _answer_entry(open_match(id), RestoreEntry(entry), entry)


@operation("POST", "/matches/<id>/undo", answers="Match", **_WRITES)
def undo(id: str) -> Response:
    """Take back the last change of an entry."""
    after, _seq = _write(open_match(id), Undo())
    return answer(show_match(after), seq=after.seq)


@operation("POST", "/matches/<id>/put-back", answers="Match", **_WRITES)
def put_back(id: str) -> Response:
    """Bring back what was undone last, if nothing was written since."""
    after, _seq = _write(open_match(id), PutBack())
    return answer(show_match(after), seq=after.seq)


def _read_entry() -> Mapping[str, Any]:
    body = read_body()
    if not isinstance(body, dict):
        raise Unreadable("", Message("an object"), body)
    return body


@contextmanager
def _say_of_other_tables(entry: Mapping[str, Any]) -> Iterator[None]:
    """Say of an entry that cannot be read in this match, but at another table: it fits the document."""
    try:
        yield
    except Unreadable as error:
        error.contradicts = error.contradicts or any(
            _can_read(game, seating, entry) for game in library.names() for seating in library.seatings(game)
        )
        raise


def _can_read(game: str, seating: library.Seating, entry: Mapping[str, Any]) -> bool:
    family = library.open_game(game, None, seating.conventions, seating.players).family
    try:
        family.read(entry, "")
    except Unreadable as error:
        return error.contradicts
    return True


def _try(match: Match, change: AddEntry | AmendEntry, n: int) -> Response:
    """What an entry would come to in its place, where it may be written."""
    if not access(match).may_make(change, match):
        _require_token()
        raise NotTheWriter(match.id)
    check_room(match, change)
    tried: TriedEntry[Any, Any] = change.check(match)
    shown: Any = match.game.family.show(tried.after)
    facts = {key: shown[key] for key in ("totals", "status", "next_dealer")}
    entry = {"id": 0, "withdrawn": False, "entry": change.entry, "row": shown["entries"][n - 1]}
    return answer({**entry, "match": facts})


def _answer_entry(match: Match, change: Change, entry: int) -> Response:
    after, _seq = _write(match, change)
    return answer(_show(after, entry), seq=after.seq)


def _show(match: Match, id: int) -> dict[str, Any]:
    logged = match.entry(id)
    return show_entries(match, [logged] if logged is not None else [])[0]


def _created(content: Any, match: Match, name: str, **values: Any) -> Response:
    response = answer(content, 201, seq=match.seq)
    response.headers["Location"] = url_for(f"public_api.{name}", **values)
    return response


# --- remarks -----------------------------------------------------------------------------------------


def _answer_remark(match: Match, change: Change) -> Response:
    after, seq = _write(match, change)
    return answer({"seq": seq}, 201, seq=after.seq)


@operation(
    "POST",
    "/matches/<id>/entries/<int:entry>/agreements",
    body="Agreement",
    answers="Written",
    status=201,
    **_WRITES,
)
def agree(id: str, entry: int) -> Response:
    """Agree to an entry for a side."""
    match = open_match(id)
    return _answer_remark(match, Agree(entry, _read_shape(AgreementFacts, match.state.ring).side))


@operation(
    "POST",
    "/matches/<id>/entries/<int:entry>/objections",
    body="Objection",
    answers="Written",
    status=201,
    **_WRITES,
)
def object_to(id: str, entry: int) -> Response:
    """Object to an entry for a side: for what reason, in its words, with what would be right."""
    match = open_match(id)
    said = _read_shape(ObjectionFacts, match.state.ring)
    return _answer_remark(match, Object(entry, said.side, said.reason, said.text, said.totals))


@operation("POST", "/matches/<id>/objections/<int:seq>/withdraw", answers="Written", status=201, **_WRITES)
def withdraw_objection(id: str, seq: int) -> Response:
    """Take an objection back, by the number of its event."""
    return _answer_remark(open_match(id), WithdrawObjection(seq))


# --- rulings -----------------------------------------------------------------------------------------


@operation("GET", "/rulings", answers="Rulings", **_MINE)
def list_rulings() -> Response:
    """The rulings that you saved, oldest first."""
    return answer({"rulings": [*map(_show_ruling, matches().list_rulings(_read_everywhere()))]})


@operation(
    "POST",
    "/rulings",
    body="Question",
    answers="SavedRuling",
    status=201,
    once=True,
    takes_time=True,
    **_MINE,
)
def save_ruling() -> Response:
    """Ask the arbiter, and save the answer: its address shows it later."""
    _require_token()
    game, asked, ruling = ask_arbiter(read_body())
    pinned = {"game": game.name, "preset": game.preset, "conventions": dict(game.conventions), **asked}
    pinned |= game.pinned
    question = game.family.questions[ruling.question]
    words = RulingWords(game.family.ruleset, question, asked)
    sentence = words.find_verdict(ruling)
    content = {
        "request": pinned,
        "query": [],
        "names": {},
        "ruling": json.loads(json.dumps(ruling.plain())),
        "asked": str(question.asks),
        "said": ruling.verdict if sentence is None else str(words.fill(sentence, ruling)),
        "why": str(ruling.why),
        "rulebook": game.book.version,
        "match": None,
    }
    saved = matches().save_ruling(browser.token(), _read_key(), content)
    if saved.content["request"] != json.loads(json.dumps(pinned)):
        raise KeyUsed
    response = answer(_show_ruling(saved), 201)
    response.headers["Location"] = url_for("public_api.read_ruling", id=saved.id)
    return response


@operation("GET", "/rulings/<id>", answers="SavedRuling")
def read_ruling(id: str) -> Response:
    """A saved ruling, for whoever has its id."""
    return answer(_show_ruling(_find_ruling(id)))


@operation("POST", "/matches/<id>/rulings", body="Attachment", answers="Written", status=201, **_WRITES)
def attach_ruling(id: str) -> Response:
    """Attach a saved ruling to a match, at an entry or none; it settles the objection it was asked for."""
    match, sent = open_match(id), _read_shape(AttachmentFacts)
    payload = log_ruling(_find_ruling(sent.ruling))
    return _answer_remark(match, AttachRuling(payload, sent.entry, sent.objection))


@operation("DELETE", "/matches/<id>/rulings/<int:seq>", answers="Written", **_WRITES)
def detach_ruling(id: str, seq: int) -> Response:
    """Take a ruling off a match, by the number of the event that attached it."""
    after, written = _write(open_match(id), DetachRuling(seq))
    return answer({"seq": written}, seq=after.seq)


def _find_ruling(id: str) -> SavedRuling:
    found = matches().find_ruling(id)
    if found is None:
        raise NotFound
    return found


def _show_ruling(saved: SavedRuling) -> dict[str, Any]:
    content = saved.content
    return {
        "id": saved.id,
        "at": saved.at,
        **{key: content.get(key) for key in ("request", "ruling", "match")},
    }


# --- figures -----------------------------------------------------------------------------------------

_SPAN = ("name", "game", "evening", "opponent", "partner", "first", "last")


@operation(
    "GET", "/figures", answers="Figures", query=tuple((key, _TEXT) for key in _SPAN), asks=("name",), **_MINE
)
def read_figures() -> ResponseReturnValue:
    """What your matches come to for a player, over all of them or some, as on the pages."""
    _read_everywhere()
    if "name" not in request.args:
        raise Missing("name")
    return serve_page("figures.figures_json")
