"""Writing by programs: matches, entries, remarks, rulings, checked and written like the forms of pages.

The table at the end has every operation with its change and its right.
"""

import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import astuple, dataclass
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

from .answers import EmptyKey, KeyUsed, NoNumber, answer, read_body
from .operations import Operation, Right, add_operation
from .reading import ask_arbiter, serve_page, show_entries, show_match

_LENGTH = 50
"""The number of matches in one answer."""
TABLES = tuple(Table(Ring(players), frozenset()) for players in range(6, 1, -1))
"""Tables of every size, the largest first, for facts about seats and sides alone."""
SEEN = r'(?:"?[0-9]{1,9}"?|\*)'
"""The pattern of `If-Match`: the number of the match, quoted or not, or `*` for any."""
PLACES = ("list", "archive", "bin")


@dataclass(frozen=True)
class PlaceFacts:
    """The place of a match: in the list, the archive or the bin."""

    place: str = field(Choice(PLACES))


@dataclass(frozen=True)
class AgreementFacts:
    """The side that agrees."""

    side: str = field(SideOf())


@dataclass(frozen=True)
class AttachmentFacts:
    """A saved ruling by its id, the entry that it is attached to, and the objection that it settles."""

    ruling: str = field(Text(64, 1))
    entry: int | None = field(Nullable(Integer(1, 999_999)), None)
    objection: int | None = field(Nullable(Integer(1, 999_999)), None)


BODIES = {
    "Place": PlaceFacts,
    "Agreement": AgreementFacts,
    "Attachment": AttachmentFacts,
    "Objection": ObjectionFacts,
}
"""The shapes of bodies, by the names of their schemas; entries, heads and questions have others."""


# --- how a match is written in ------------------------------------------------------------------------


def _serve(made: Operation, make_change: Callable[..., Change]) -> Callable[..., Response]:
    """Make a view that writes a change, built from the numbers in its address and from the body."""

    def view(id: str, **numbers: int) -> Response:
        match = open_match(id)
        change = make_change(*numbers.values(), *_read_sent(made.body, match))
        entry = change if isinstance(change, AddEntry | AmendEntry) else None
        try:
            if entry and request.args.get("dry_run") == "true":
                return _try(match, entry)
            after, seq = _write(match, change)
        except Unreadable as error:
            error.contradicts = error.contradicts or (entry is not None and _fits_some_game(entry))
            raise
        if made.answers == "Match":
            return answer(show_match(after), seq=after.seq)
        if made.answers == "Written":
            return answer({"seq": seq}, made.status, after.seq)
        written = after.entry(numbers.get("entry", seq))
        shown = show_entries(after, [written] if written else [])[0]
        if made.status == 201:
            return _created(shown, "read_entry", after.seq, id=id, entry=seq)
        return answer(shown, seq=after.seq)

    return view


def _read_sent(body: str, match: Match) -> tuple[Any, ...]:
    """Read the body, in the order in which a change takes it.

    :raises Unreadable: if it does not fit.
    """
    if not body:
        return ()
    if body in BODIES:
        return astuple(_read_shape(BODIES[body], Table(match.state.ring, frozenset())))
    sent = _read_object()
    if body == "Correction":
        read_correction(sent, "", len(match.head["players"]))
    return (sent,)


def _read_shape(shape: Any, table: Table = TABLES[0]) -> Any:
    """Read the body as this shape.

    :raises Unreadable: if it does not fit.
    """
    body = read_body()
    check_visible(body)
    try:
        return parse(shape, body, "", table)
    except Unreadable as error:
        error.contradicts = any(_fits(parse, shape, body, "", other) for other in TABLES)
        raise


def _read_object() -> dict[str, Any]:
    body = read_body()
    if not isinstance(body, dict):
        raise Unreadable("", Message("an object"), body)
    return body


def _fits_some_game(change: AddEntry | AmendEntry) -> bool:
    """True if a table of some game can read the entry, so that it fits the document."""
    return any(
        _fits(
            library.open_game(game, None, seating.conventions, seating.players).family.read, change.entry, ""
        )
        for game in library.names()
        for seating in library.seatings(game)
    )


def _fits(read: Callable[..., object], *sent: Any) -> bool:
    try:
        read(*sent)
    except Unreadable as error:
        return error.contradicts
    return True


def _write(match: Match, change: Change) -> tuple[Match, int]:
    """Write a change; return the match and the number of the event. One sent twice is written once."""
    _check_writer(match, change)
    key = _read_key()
    sent = Submission(browser.token(), _read_seen(match), key, token=g.api_token)
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


def _check_writer(match: Match, change: Change) -> None:
    if not access(match).may_make(change, match):
        raise NotTheWriter(match.id)


def _read_seen(match: Match) -> int:
    """The length of the log that was read.

    :raises NoNumber: if the request does not say.
    :raises StaleWrite: if it says anything else than one number, which no log has.
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
    """The key of a write, unique to this token; without one it is a write of its own.

    :raises EmptyKey: for an empty one.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return fresh_key()
    if not key.strip():
        raise EmptyKey
    sent = f"{g.api_token.id} {key}".encode()
    return urlsafe_b64encode(sha256(sent).digest()[:24]).decode()


def _try(match: Match, change: AddEntry | AmendEntry) -> Response:
    """Answer with the result of an entry in its position, if it may be written; nothing is."""
    _check_writer(match, change)
    check_room(match, change)
    tried: TriedEntry[Any, Any] = change.check(match)
    shown: Any = match.game.family.show(tried.after)
    facts = {key: shown[key] for key in ("totals", "status", "next_dealer")}
    n = change.number(match) if isinstance(change, AddEntry) else match.number(change.id) or 0
    entry = {"id": 0, "withdrawn": False, "entry": change.entry, "row": shown["entries"][n - 1]}
    return answer({**entry, "match": facts})


def _created(content: Any, name: str, seq: int | None = None, **values: Any) -> Response:
    response = answer(content, 201, seq)
    response.headers["Location"] = url_for(f"public_api.{name}", **values)
    return response


# --- matches -----------------------------------------------------------------------------------------


def _list_matches() -> Response:
    who, trash = browser.token(), matches().trash
    place = Choice(PLACES).read(request.args.get("place", "list"), "place", TABLES[0])
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


def _begin_match() -> Response:
    body = _read_object()
    refuse_unknown(body, [key for key in HEAD if key != "id"], "")
    started = {"started": matches().local_time()}
    match = open_match(matches().start({**started, **body}, browser.token(), _read_key()))
    begun, added = match.written_head, {*started, "first_dealer", *match.game.pinned} - body.keys()
    if {key: value for key, value in begun.items() if key not in added} != body:
        raise KeyUsed
    return _created(show_match(match), "read_match", match.seq, id=match.id)


def _put_match(id: str) -> Response:
    place = _read_shape(PlaceFacts).place
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


# --- rulings and figures ------------------------------------------------------------------------------


def _list_rulings() -> Response:
    return answer({"rulings": [*map(_show_ruling, matches().list_rulings(browser.token()))]})


def _save_ruling() -> Response:
    game, asked, ruling = ask_arbiter(read_body())
    pinned = {"game": game.name, "preset": game.preset, "conventions": dict(game.conventions), **asked}
    pinned |= game.pinned
    question = game.family.questions[ruling.question]
    words = RulingWords(game.family.ruleset, question, asked)
    content = {
        "request": pinned,
        "query": [],
        "names": {},
        "ruling": json.loads(json.dumps(ruling.plain())),
        "asked": str(question.asks),
        "said": str(words.say_verdict(ruling)),
        "why": str(ruling.why),
        "rulebook": game.book.version,
        "match": None,
    }
    saved = matches().save_ruling(browser.token(), _read_key(), content)
    if saved.content["request"] != json.loads(json.dumps(pinned)):
        raise KeyUsed
    return _created(_show_ruling(saved), "read_ruling", id=saved.id)


def _read_ruling(id: str) -> Response:
    return answer(_show_ruling(_find_ruling(id)))


def _attach_ruling(id: str, entry: int | None, objection: int | None) -> AttachRuling:
    return AttachRuling(log_ruling(_find_ruling(id)), entry, objection)


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


def _read_figures() -> ResponseReturnValue:
    if "name" not in request.args:
        raise Missing("name")
    return serve_page("figures.figures_json")


# --- the table ----------------------------------------------------------------------------------------

_TEXT = {"type": "string"}
_DRY = (("dry_run", {"enum": ["true", "false"], "default": "false"}),)
_SPAN = ("name", "game", "evening", "opponent", "partner", "first", "last")
_MORE: dict[str, dict[str, Any]] = {
    "list_matches": {
        "query": (("q", _TEXT), ("after", _TEXT), ("place", {"enum": list(PLACES), "default": "list"}))
    },
    "begin_match": {"once": True},
    "add_entry": {"query": _DRY},
    "amend_entry": {"query": _DRY},
    "save_ruling": {"once": True, "takes_time": True},
    "read_figures": {"query": tuple((key, _TEXT) for key in _SPAN), "asks": ("name",)},
}
"""The facts of some operations beside the columns of the table."""
_ENTRY = "/matches/<id>/entries/<int:entry>"

# Address, name, right, body, answer and status; the change or view; a description in a line.
_TABLE: tuple[tuple[str, str, Right, str, str, int, Callable[..., Any], str], ...] = (
    ("GET /matches", "list_matches", "all", "", "Matches", 200, _list_matches,
     "Your matches and those you joined, the one last written in first"),
    ("POST /matches", "begin_match", "owner", "Head", "Match", 201, _begin_match,
     "Begin a match: its head, as a record has it"),
    ("PATCH /matches/<id>", "correct_match", "writer", "Correction", "Match", 200, CorrectHead,
     "Correct names, place, stake, beginning or first dealer in the head of a match; null takes one out"),
    ("PUT /matches/<id>/place", "put_match", "token", "Place", "Place", 200, _put_match,
     "Put a match into the list, the archive or the bin"),
    ("POST /matches/<id>/entries", "add_entry", "writer", "NewEntry", "Entry", 201, AddEntry,
     "Add an entry; with dry_run only look at what it would come to"),
    ("POST /matches/<id>/entries/<int:later>/before", "insert_entry", "writer", "NewEntry", "Entry", 201,
     lambda later, entry: AddEntry(entry, before=later),
     "Put an entry that was forgotten before another one; with dry_run only look at what it would come to"),
    (f"PUT {_ENTRY}", "amend_entry", "writer", "NewEntry", "Entry", 200, AmendEntry,
     "Put another content in the place of an entry; with dry_run only look at what it would come to"),
    (f"DELETE {_ENTRY}", "withdraw_entry", "writer", "", "Entry", 200, WithdrawEntry,
     "Withdraw an entry: it no longer counts, and stays in the history"),
    (f"POST {_ENTRY}/restore", "restore_entry", "writer", "", "Entry", 200, RestoreEntry,
     "Let a withdrawn entry count again"),
    ("POST /matches/<id>/undo", "undo", "writer", "", "Match", 200, Undo,
     "Take back the last change of an entry"),
    ("POST /matches/<id>/put-back", "put_back", "writer", "", "Match", 200, PutBack,
     "Bring back what was undone last, if nothing was written since"),
    (f"POST {_ENTRY}/agreements", "agree", "writer", "Agreement", "Written", 201, Agree,
     "Agree to an entry for a side"),
    (f"POST {_ENTRY}/objections", "object_to", "writer", "Objection", "Written", 201, Object,
     "Object to an entry for a side: for what reason, in its words, with what would be right"),
    ("POST /matches/<id>/objections/<int:seq>/withdraw", "withdraw_objection", "writer", "", "Written", 201,
     WithdrawObjection, "Take an objection back, by the number of its event"),
    ("GET /rulings", "list_rulings", "all", "", "Rulings", 200, _list_rulings,
     "The rulings that you saved, oldest first"),
    ("POST /rulings", "save_ruling", "token", "Question", "SavedRuling", 201, _save_ruling,
     "Ask the arbiter, and save the answer: its address shows it later"),
    ("GET /rulings/<id>", "read_ruling", "anyone", "", "SavedRuling", 200, _read_ruling,
     "A saved ruling, for whoever has its id"),
    ("POST /matches/<id>/rulings", "attach_ruling", "writer", "Attachment", "Written", 201, _attach_ruling,
     "Attach a saved ruling to a match, at an entry or none; it settles the objection it was asked for"),
    ("DELETE /matches/<id>/rulings/<int:seq>", "detach_ruling", "writer", "", "Written", 200, DetachRuling,
     "Take a ruling off a match, by the number of the event that attached it"),
    ("GET /figures", "read_figures", "all", "", "Figures", 200, _read_figures,
     "What your matches come to for a player, over all of them or some, as on the pages"),
)  # fmt: skip

for address, name, right, body, answers, status, does, about in _TABLE:
    method, _blank, rule = address.partition(" ")
    more = {"status": status, "right": right, **_MORE.get(name, {})}
    made = Operation(method, rule, name, about, answers, body, **more)
    add_operation(made, _serve(made, does) if made.writes else does)
