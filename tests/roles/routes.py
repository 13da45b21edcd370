"""Every route of the app: a request to it that is right but for who sends it, and who may send it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from derda import DEAL, RECORD

from companion.archives.giving import pack

from .world import ASKED, ROLES

EVERYBODY = frozenset(ROLES)
RECORDS = frozenset({"owner", "pencil"})
"""Who writes in a match."""
SPEAKS = RECORDS | {"opponent"}
"""Who says something for side B, and settles its objections."""
_SAT = EVERYBODY - {"stranger", "revoked", "nobody"}
"""Who has a match in the list."""
OWNS = frozenset({"owner"})
"""Who shares a match, and says who has the pencil."""

_FACTS = "?trump=H&hand=8H&hand=AH&trick=10H&card=8H&asked=1"
_NOTHING: Mapping[str, str] = {}
_DEAL = {"bid": "A:H", "counting": "totals", "total_A": "82", "total_B": "65", "do": "save"}


@dataclass(frozen=True)
class Route:
    """A request: `rule` and `method` as the app has them, `path` with the places of a world.

    Whoever is in `may` is answered by `status`, everybody else by `refused`, but for those in `but`.
    `what` tells several requests to one rule apart.
    """

    method: str
    rule: str
    path: str
    may: frozenset[str] = EVERYBODY
    form: Mapping[str, str] = field(default_factory=dict)
    status: int = 200
    refused: int = 403
    but: dict[str, int] = field(default_factory=dict)
    what: str = ""
    json: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def expected(self, role: str) -> int:
        """The status of the answer to a role."""
        return self.but.get(role, self.status if role in self.may else self.refused)


def look(rule: str, path: str, may: frozenset[str] = EVERYBODY, **more: Any) -> Route:
    """A page."""
    return Route("GET", rule, path, may, **more)


def send(
    rule: str,
    path: str,
    may: frozenset[str] = EVERYBODY,
    form: Mapping[str, str] = _NOTHING,
    status: int = 303,
    **more: Any,
) -> Route:
    """A form."""
    return Route("POST", rule, path, may, form, status, **more)


AT_ALL = (
    look("/", "/", status=302),
    look("/<lang>/", "/en/"),
    look("/<lang>/ask", "/en/ask"),
    look("/<lang>/ask/<game>", "/en/ask/derda"),
    look("/<lang>/ask/<game>/<question>", "/en/ask/derda/play"),
    send("/<lang>/ask/<game>/<question>/keep", f"/en/ask/derda/play/keep{_FACTS}"),
    look("/<lang>/new", "/en/new"),
    send(
        "/<lang>/new", "/en/new", form={"name-A": "Ewa", "name-B": "Jan", "dealer": "A"}, but={"nobody": 400}
    ),
    look("/<lang>/r/<id>", "/en/r/<r>"),
    look("/<lang>/r/<id>/code.svg", "/en/r/<r>/code.svg"),
    look("/<lang>/rules", "/en/rules"),
    look("/<lang>/rules/<game>", "/en/rules/derda"),
    look("/<lang>/rules/<game>/booklet.pdf", "/en/rules/derda/booklet.pdf"),
    look("/<lang>/rules/<game>/compare", "/en/rules/derda/compare"),
    look("/<lang>/sheets/<game>", "/en/sheets/derda"),
    look("/<lang>/sheets/<game>/blank.pdf", "/en/sheets/derda/blank.pdf"),
    look("/<lang>/sheets/<game>/card", "/en/sheets/derda/card"),
    look("/<lang>/sheets/<game>/card.pdf", "/en/sheets/derda/card.pdf"),
    look("/m/<id>", "/m/<m>", status=302),
    look("/r/<id>", "/r/<r>", status=302),
    look("/join/<secret>", "/join/<secret>", status=302),
    look("/move/<secret>", "/move/<code>", status=302),
    Route("POST", "/api/rule", "/api/rule", json=ASKED),
)
"""What belongs to no match."""

OF_BROWSER = (
    look("/<lang>/browser", "/en/browser"),
    send("/<lang>/browser/anew", "/en/browser/anew"),
    send("/<lang>/browser/renew", "/en/browser/renew", but={"nobody": 403}),
    send("/<lang>/browser/earlier", "/en/browser/earlier"),
    send("/<lang>/browser/move", "/en/browser/move"),
    look("/<lang>/evening/<id>", "/en/evening/<m>", _SAT, refused=404),
    send("/<lang>/evening/<id>", "/en/evening/<m>", _SAT, {"do": "describe", "name": "X"}, refused=404),
    look("/<lang>/evening/<id>/share", "/en/evening/<m>/share", _SAT, refused=404),
    look("/<lang>/evening/<id>/picture.png", "/en/evening/<m>/picture.png", _SAT, refused=404),
    look("/<lang>/evening/<id>/picture.svg", "/en/evening/<m>/picture.svg", _SAT, refused=404),
    look("/<lang>/evening/<id>/sheet.pdf", "/en/evening/<m>/sheet.pdf", _SAT, refused=404),
    look("/<lang>/evenings", "/en/evenings"),
    look("/<lang>/manifest.webmanifest", "/en/manifest.webmanifest"),
    look("/<lang>/move", "/en/move"),
    look("/<lang>/move/<secret>", "/en/move/<code>", status=303),
    look("/<lang>/move/code", "/en/move/code"),
    send("/<lang>/move/code", "/en/move/code"),
    look("/<lang>/move/here", "/en/move/here"),
    send("/<lang>/move/here", "/en/move/here", form={"told": "<code>"}),
    look("/<lang>/move/words", "/en/move/words", but={"stranger": 302, "nobody": 302}),
    send("/<lang>/move/words", "/en/move/words"),
    look("/<lang>/offline", "/en/offline"),
    look("/<lang>/paper/<theme>", "/en/paper/dark", status=302),
    look("/<lang>/player", "/en/player?name=Ewa", _SAT, refused=404),
    look("/<lang>/player/deals", "/en/player/deals?name=Ewa&figure=deals.played", _SAT, refused=404),
    look("/<lang>/player/figures.csv", "/en/player/figures.csv?name=Ewa", _SAT, refused=404),
    look("/<lang>/player/figures.pdf", "/en/player/figures.pdf?name=Ewa", _SAT, refused=404),
    look("/<lang>/player/figures.json", "/en/player/figures.json?name=Ewa", _SAT, refused=404),
    look("/<lang>/player/names", "/en/player/names?name=Ewa", _SAT, refused=404),
    send(
        "/<lang>/player/names",
        "/en/player/names?name=Ewa",
        _SAT,
        {"do": "rename", "name": "Ewa"},
        refused=404,
    ),
    look("/<lang>/players", "/en/players"),
    look("/<lang>/players/season.pdf", "/en/players/season.pdf"),
    look("/<lang>/pocket", "/en/pocket"),
    look("/<lang>/tokens", "/en/tokens"),
    look("/<lang>/tokens", "/en/tokens?match=<m>", OWNS, what="for one match"),
    send("/<lang>/tokens", "/en/tokens", form={"as": "spectator"}, status=200),
    send("/<lang>/tokens", "/en/tokens?match=<m>", OWNS, {"as": "opponent:B"}, 200, what="for one match"),
    send("/<lang>/tokens/<token>/revoke", "/en/tokens/none/revoke"),
    look("/<lang>/resume", "/en/resume", status=302),
    look("/pocket/<build>/<name>", "/pocket/<build>/app.zip"),
    look("/pocket/<build>/<name>", "/pocket/0/app.zip", status=404, what="of another build"),
    look("/pocket/manifest.json", "/pocket/manifest.json"),
    look("/static/<path:filename>", "/static/icon.svg"),
    look("/static/<version>/<path:name>", "/static/0/icon.svg"),
    look("/sw-pocket.js", "/sw-pocket.js"),
    look("/sw.js", "/sw.js"),
)
"""What is the browser's own."""

_M, _ENTRY = "/<lang>/m/<id>", "/<lang>/m/<id>/entries/<int:entry>"
_BEFORE = f"{_M}/entries/<int:later>/before"

LOOKING = (
    look(_M, "/en/m/<m>"),
    look(_M, "/en/m/<h>", what="of hands"),
    look(f"{_M}/ask", "/en/m/<m>/ask"),
    look(f"{_M}/ask/<question>", "/en/m/<m>/ask/play"),
    look(f"{_M}/ask/audit", "/en/m/<m>/ask/audit"),
    look(f"{_M}/big", "/en/m/<m>/big"),
    look(f"{_M}/code.svg", "/en/m/<m>/code.svg"),
    look(_ENTRY, "/en/m/<m>/entries/1"),
    look(f"{_ENTRY}/audit", "/en/m/<a>/entries/1/audit"),
    look(f"{_ENTRY}/replay", "/en/m/<a>/entries/1/replay"),
    look(f"{_M}/history", "/en/m/<m>/history"),
    look(f"{_M}/news", "/en/m/<m>/news?since=0.0", but={"owner": 204}),
    look(f"{_M}/phones", "/en/m/<m>/phones"),
    look(f"{_M}/picture.png", "/en/m/<m>/picture.png"),
    look(f"{_M}/picture.svg", "/en/m/<m>/picture.svg"),
    look(f"{_M}/share", "/en/m/<m>/share"),
    look(f"{_M}/sheet", "/en/m/<m>/sheet"),
    look(f"{_M}/sheet.pdf", "/en/m/<m>/sheet.pdf"),
    look(f"{_M}/turned", "/en/m/<m>/turned"),
)
"""What everybody sees of a match."""

RECORDING = (
    look(f"{_M}/audit", "/en/m/<d>/audit", RECORDS),
    send(f"{_M}/audit", "/en/m/<d>/audit", RECORDS),
    look(f"{_M}/deal", "/en/m/<m>/deal", RECORDS),
    send(f"{_M}/deal", "/en/m/<m>/deal", RECORDS, _DEAL),
    send(f"{_M}/deal", "/en/m/<m>/deal", RECORDS, _DEAL | {"do": "draft"}, what="kept for later"),
    send(f"{_M}/deal/preview", "/en/m/<m>/deal/preview", RECORDS, _DEAL, 200),
    look(f"{_M}/dealer", "/en/m/<m>/dealer", RECORDS),
    send(f"{_M}/dealer", "/en/m/<m>/dealer", RECORDS, {"first_dealer": "B"}),
    look(f"{_M}/enough", "/en/m/<m>/enough", RECORDS),
    send(f"{_M}/enough", "/en/m/<m>/enough", RECORDS, _DEAL | {"do": "draft"}),
    look(_ENTRY, "/en/m/<m>/entries/1?edit=1", RECORDS, what="to correct it"),
    send(_ENTRY, "/en/m/<m>/entries/1", RECORDS, _DEAL | {"total_A": "80", "total_B": "67"}),
    send(_ENTRY, "/en/m/<m>/entries/1", RECORDS, form={"do": "withdraw"}, what="withdrawn"),
    send(_ENTRY, "/en/m/<m>/entries/6", RECORDS, form={"do": "restore"}, what="restored"),
    look(_BEFORE, "/en/m/<m>/entries/1/before", RECORDS),
    send(_BEFORE, "/en/m/<m>/entries/1/before", RECORDS, _DEAL),
    send(f"{_ENTRY}/audit", "/en/m/<a>/entries/1/audit", RECORDS),
    look(f"{_M}/hand", "/en/m/<h>/hand", RECORDS),
    send(f"{_M}/hand", "/en/m/<f>/hand", RECORDS, form={"result": "A"}),
    send(f"{_M}/hand/dealer", "/en/m/<h>/hand/dealer", RECORDS, form={"deals": "D"}),
    look(f"{_M}/hand/follow", "/en/m/<f>/hand/follow", RECORDS),
    send(f"{_M}/hand/follow", "/en/m/<f>/hand/follow", RECORDS, form={"do": "beaten-off"}),
    look(f"{_M}/more", "/en/m/<m>/more"),
    send(f"{_M}/more/<kind>", "/en/m/<m>/more/concede", RECORDS, form={"side": "A"}),
    look(f"{_M}/names", "/en/m/<m>/names", RECORDS),
    send(f"{_M}/names", "/en/m/<m>/names", RECORDS, {"name-A": "Eva", "name-B": "Jan"}),
    send(f"{_M}/put-back", "/en/m/<m>/put-back", RECORDS),
    send(f"{_M}/rematch", "/en/m/<m>/rematch", RECORDS),
    send(f"{_M}/undo", "/en/m/<m>/undo", RECORDS),
)
"""Keeping the score."""

SAYING = (
    send(f"{_ENTRY}/agree", "/en/m/<m>/entries/1/agree", SPEAKS, form={"side": "B"}),
    look(f"{_ENTRY}/object", "/en/m/<m>/entries/1/object", SPEAKS | {"other opponent"}),
    send(f"{_ENTRY}/object", "/en/m/<m>/entries/1/object", SPEAKS, form={"side": "B", "reason": "runs"}),
    send(f"{_M}/objections/<int:seq>/withdraw", "/en/m/<m>/objections/2/withdraw", SPEAKS),
    send(f"{_M}/ask/<question>/keep", f"/en/m/<m>/ask/play/keep{_FACTS}"),
    send(
        f"{_M}/ask/<question>/keep",
        f"/en/m/<m>/ask/play/keep{_FACTS}",
        RECORDS,
        {"attach": "1"},
        what="attached to the match",
    ),
    send(
        f"{_M}/ask/<question>/keep",
        f"/en/m/<m>/ask/play/keep{_FACTS}&entry=1&objection=2",
        SPEAKS,
        {"attach": "1"},
        what="attached to B’s objection",
    ),
    send(f"{_M}/rulings/<int:event>/off", "/en/m/<m>/rulings/3/off", RECORDS),
    send(f"{_M}/rulings/<int:event>/restore", "/en/m/<m>/rulings/4/restore", RECORDS),
)
"""Agreeing, objecting, asking."""

_PHONES, _GRANT = f"{_M}/phones", f"{_M}/phones/<grant>"

SHARING = (
    look("/<lang>/join/<secret>", "/en/join/<secret>"),
    send("/<lang>/join/<secret>", "/en/join/<secret>", but={"nobody": 400}),
    send(f"{_PHONES}/links", "/en/m/<m>/phones/links", OWNS, {"as": "opponent:B", "use": "once"}),
    send(f"{_PHONES}/links/<link>/revoke", "/en/m/<m>/phones/links/<link of opponent>/revoke", OWNS),
    send(
        f"{_GRANT}/pencil",
        "/en/m/<m>/phones/<grant of spectator>/pencil",
        OWNS,
        form={"give": "1"},
        what="given",
    ),
    send(f"{_GRANT}/pencil", "/en/m/<m>/phones/<grant of pencil>/pencil", RECORDS, what="given back"),
    send(f"{_GRANT}/revoke", "/en/m/<m>/phones/<grant of opponent>/revoke", OWNS | {"opponent"}),
)
"""Who takes part, and as what."""

_OWN = {role: 404 for role in ROLES if role != "owner"}
"""What others are answered who ask for a file of the owner's."""

_NOT_JOINED = dict.fromkeys(("stranger", "revoked", "nobody"), 404)
"""Those who are not told that there was a match."""

FILES = (
    look(f"{_M}/export", "/en/m/<m>/export"),
    look(f"{_M}/give", "/en/m/<m>/give"),
    look("/<lang>/given", "/en/given"),
    send("/<lang>/given", "/en/given", form={"link": pack({}, RECORD)}, but={"nobody": 400}),
    look(f"{_M}/record.json", "/en/m/<m>/record.json"),
    look(f"{_M}/table.csv", "/en/m/<m>/table.csv"),
    send(f"{_M}/export/evening", "/en/m/<m>/export/evening", OWNS),
    look("/<lang>/export", "/en/export"),
    send("/<lang>/export", "/en/export"),
    look("/<lang>/export/matches.zip", "/en/export/matches.zip", status=303),
    look("/<lang>/export/<key>", "/en/export/<made>", but=_OWN),
    look("/<lang>/export/<key>/matches.zip", "/en/export/<made>/matches.zip", but=_OWN),
    send("/<lang>/export/<key>/again", "/en/export/<made>/again", but=_OWN),
    look("/<lang>/import", "/en/import"),
    send("/<lang>/import", "/en/import", refused=400, may=frozenset()),
    send("/<lang>/import/shared", "/en/import/shared"),
    look("/<lang>/import/<key>", "/en/import/<file>", but=_OWN),
    send("/<lang>/import/<key>", "/en/import/<file>", but=_OWN),
    send("/<lang>/import/<key>/again", "/en/import/<file>/again", but=_OWN),
    send("/<lang>/import/<key>/discard", "/en/import/<file>/discard", but=_OWN),
)
"""Matches as files; a form without a file is refused."""

CATALOGUE = (
    look("/<lang>/put-away", "/en/put-away"),
    look("/<lang>/bin", "/en/bin"),
    send(f"{_M}/put-away", "/en/m/<m>/put-away", OWNS),
    send(f"{_M}/bring-back", "/en/m/<m>/bring-back", OWNS),
    look(f"{_M}/delete", "/en/m/<m>/delete", OWNS),
    send(f"{_M}/delete", "/en/m/<m>/delete", OWNS),
    look(_M, "/en/m/<b>", OWNS, status=410, refused=410, what="that was deleted", but=_NOT_JOINED),
    send(f"{_M}/bring-back", "/en/m/<b>/bring-back", OWNS, refused=410, what="deleted", but=_NOT_JOINED),
    look(f"{_M}/erase", "/en/m/<b>/erase", but=_OWN),
    send(f"{_M}/erase", "/en/m/<b>/erase", but=_OWN),
)
"""Out of the list, and back."""

_AT = "2026-11-20T19:42:00.000+00:00"


def deliver(match: str, may: frozenset[str], kind: str, more: Mapping[str, Any], **rest: Any) -> Route:
    """An event that a phone recorded without network, behind the seven that there are."""
    event = {"kind": kind, "at": _AT, "key": "form", **more}
    body = {"version": "<version>", "expected": 7, "events": [event]}
    return _report("/matches/<id>/events", f"/matches/{match}/events", body, may=may, **rest)


def _report(rule: str, path: str, body: Any, **more: Any) -> Route:
    """What the app in a phone sends."""
    headers = {"X-Pocket": "1", "Origin": "http://localhost"}
    rest = {"but": {"nobody": 401}} | more
    return Route("POST", f"/offline{rule}", f"/offline{path}", json=body, headers=headers, **rest)


_BEGUN: dict[str, Any] = {
    "head": {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"},
    "at": _AT,
}

IN_OFFLINE_APP = (
    _report("/news", "/news", {"version": "<version>", "have": {}}, but={}),
    deliver("<m>", RECORDS, "draft", {"payload": {"type": "deal"}}, what="a deal"),
    deliver("<m>", SPEAKS, "agree", {"entry": 1, "payload": {"side": "B"}}, what="what B says"),
    deliver("<m>", SPEAKS, "settle", {"entry": 1, "payload": {"objection": 2}}, what="taken back by B"),
    deliver("<m>", RECORDS, "ruling", {"undoes": 3}, what="a ruling taken off"),
    deliver(
        "<b>",
        frozenset(),
        "draft",
        {},
        refused=410,
        what="in one that was deleted",
        but=_NOT_JOINED | {"nobody": 401},
    ),
    _report(
        "/matches/<id>/events",
        "/matches/<new>/events",
        {"version": "<version>", "expected": 0, "events": [], "start": _BEGUN},
        what="of a new match",
    ),
    _report(
        "/matches/<id>/record",
        "/matches/<new>/record",
        {
            "version": "<version>",
            "expected": 0,
            "record": {
                "format": "companion-match",
                "version": 1,
                "id": "<new>",
                **_BEGUN["head"],
                "log": [{"n": 0, "kind": "begin", "at": _AT, "payload": _BEGUN["head"]}],
            },
        },
    ),
    _report(
        "/matches/<id>/visibility",
        "/matches/<m>/visibility",
        {"version": "<version>", "expected": 0, "choice": "archived", "at": _AT},
        may=OWNS,
        refused=404,
    ),
    _report(
        "/rulings",
        "/rulings",
        {"version": "<version>", "rulings": [{"id": "<new>", "at": _AT, "content": {}}]},
    ),
)
"""What was recorded without network, and news for phones that do so."""

_API, _OF = "/api/v1/matches/<id>", "/api/v1/matches/<m>"

_SEVEN = {"If-Match": '"7"'}
_UNKNOWN = {"nobody": 401}


def call(
    method: str, rule: str, path: str, may: frozenset[str] = RECORDS, sent: Any = None, **more: Any
) -> Route:
    """A write by the API, to a match of seven events."""
    usual: dict[str, Any] = {"status": 201, "headers": _SEVEN, "but": _UNKNOWN} | more
    return Route(method, f"/api/v1{rule}", f"/api/v1{path}", may, json=sent or {}, **usual)


_ENTRY_OF = "/matches/<id>/entries/<int:entry>"

API = (
    look("/<lang>/api", "/en/api"),
    look("/api", "/api", status=302),
    look("/api/v1/openapi.json", "/api/v1/openapi.json"),
    look("/api/v1/games", "/api/v1/games"),
    look("/api/v1/games/<game>", "/api/v1/games/derda"),
    look("/api/v1/games/<game>/schemas/<subject>", "/api/v1/games/derda/schemas/record"),
    Route("POST", "/api/v1/questions", "/api/v1/questions", json=ASKED),
    look(_API, _OF),
    look(f"{_API}/entries", f"{_OF}/entries"),
    look(f"{_API}/entries/<int:entry>", f"{_OF}/entries/1"),
    look(f"{_API}/log", f"{_OF}/log?after=2"),
    look(f"{_API}/picture.svg", f"{_OF}/picture.svg"),
    look(f"{_API}/record.json", f"{_OF}/record.json"),
    look(f"{_API}/sheet.pdf", f"{_OF}/sheet.pdf"),
    look(f"{_API}/table.csv", f"{_OF}/table.csv"),
    look("/api/v1/matches", "/api/v1/matches", but=_UNKNOWN),
    look("/api/v1/rulings", "/api/v1/rulings", but=_UNKNOWN),
    look("/api/v1/rulings/<id>", "/api/v1/rulings/<r>"),
    look("/api/v1/figures", "/api/v1/figures?name=Ewa", _SAT, refused=404, but=_UNKNOWN),
    call("POST", "/matches", "/matches", EVERYBODY, _BEGUN["head"]),
    call("POST", "/rulings", "/rulings", EVERYBODY, ASKED),
    call("PATCH", "/matches/<id>", "/matches/<m>", sent={"place": "Łódź"}, status=200),
    call("PUT", "/matches/<id>/place", "/matches/<m>/place", OWNS, {"place": "archive"}, status=200),
    call("POST", "/matches/<id>/entries", "/matches/<m>/entries", sent=DEAL),
    call("POST", "/matches/<id>/entries/<int:later>/before", "/matches/<m>/entries/1/before", sent=DEAL),
    call("PUT", _ENTRY_OF, "/matches/<m>/entries/1", sent=DEAL | {"note": "x"}, status=200),
    call("DELETE", _ENTRY_OF, "/matches/<m>/entries/1", status=200),
    call("POST", f"{_ENTRY_OF}/restore", "/matches/<m>/entries/6/restore", status=200),
    call("POST", "/matches/<id>/undo", "/matches/<m>/undo", status=200),
    call("POST", "/matches/<id>/put-back", "/matches/<m>/put-back", status=200),
    call("POST", f"{_ENTRY_OF}/agreements", "/matches/<m>/entries/1/agreements", SPEAKS, {"side": "B"}),
    call(
        "POST",
        f"{_ENTRY_OF}/objections",
        "/matches/<m>/entries/1/objections",
        SPEAKS,
        {"side": "B", "reason": "runs"},
    ),
    call("POST", "/matches/<id>/objections/<int:seq>/withdraw", "/matches/<m>/objections/2/withdraw", SPEAKS),
    call("POST", "/matches/<id>/rulings", "/matches/<m>/rulings", sent={"ruling": "<r>", "entry": 1}),
    call("DELETE", "/matches/<id>/rulings/<int:seq>", "/matches/<m>/rulings/3", status=200),
)
"""What programs read, ask and write: each with a token of the browser of its role; nobody has none."""

PARTS = (
    ("Looking at a match", LOOKING),
    ("Recording", RECORDING),
    ("Agreeing, objecting, asking", SAYING),
    ("Sharing", SHARING),
    ("Matches as files", FILES),
    ("Put away and deleted", CATALOGUE),
    ("The app in a phone", IN_OFFLINE_APP),
    ("The API", API),
    ("What is no match", AT_ALL),
    ("The browser’s own", OF_BROWSER),
)
ROUTES = tuple(route for _title, part in PARTS for route in part)
