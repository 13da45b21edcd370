"""What became of each request is logged and counted where somebody asks for it, and nobody is named by it."""

import json
import logging
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from stores.postgres import ON_SQLITE
from tiers import is_nightly

from companion.matches import Role
from companion.operate.server import JsonLines
from companion.store.tables import db
from companion.web.shell.forms import fresh_key
from companion.web.shell.language import PREFIX
from companion.web.shell.monitoring import digest
from companion.web.shell.security.browser import COOKIE, sign
from tests.nightly.fuzz.trial import Trial

pytestmark = ON_SQLITE  # nothing of it is in the database
Make = Callable[..., Flask]
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 5) AppleWebKit/537 Chrome/130.0 Safari/537"


class Lines(logging.Handler):
    """Keeps what is logged, as it is written."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JsonLines())
        self.written: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.written.append(self.format(record))

    def read(self) -> list[dict[str, Any]]:
        """Every line, which is JSON."""
        return [json.loads(line) for line in self.written]


@pytest.fixture
def lines() -> Iterator[Lines]:
    """All that the app logs meanwhile."""
    handler, logger = Lines(), logging.getLogger("companion")
    before = (logger.level, logger.propagate, logger.handlers)
    logger.handlers = [handler]
    logger.setLevel(logging.INFO)
    logger.propagate = False
    yield handler
    logger.level, logger.propagate, logger.handlers = before
    logger.manager._clear_cache()  # type: ignore[attr-defined]


def test_one_line_a_request(make_app: Make, lines: Lines) -> None:
    """Which page, of which match, how it was answered, how long it took, how large it was, to whom."""
    app = make_app(LOG="json")
    client = app.test_client()
    with app.app_context():
        client.set_cookie(COOKIE, sign("me"))
    data = {"game": "derda", "name-A": "Ewa", "name-B": "Jan", "dealer": "A", "form_key": fresh_key()}
    board = client.post("/en/new", data=data, headers={"User-Agent": ANDROID}).location
    page = client.get(board)
    client.get("/nothing/here")
    client.open("/en/", method="EWA")
    begun, looked, missing, strange = lines.read()
    assert {"POST", "new.start", 303, "Android, Chrome"} <= {*begun.values()}
    id = board.rpartition("/")[2]
    assert looked["match"] == digest(id) != id
    assert looked["bytes"] == len(page.data)
    assert (looked["endpoint"], looked["lang"], looked["status"]) == ("scoreboard.scoreboard", "en", 200)
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", looked["time"])
    assert 0 < looked["ms"] < 60_000
    assert (missing["endpoint"], missing["status"]) == ("none", 404)
    assert strange["method"] == "other"


def test_nothing_is_logged_unasked(make_app: Make, lines: Lines) -> None:
    """Nor are the questions of machines that look after the server."""
    make_app().test_client().get("/en/")
    client = make_app(LOG="json").test_client()
    client.get("/healthz")
    client.get("/readyz")
    assert lines.written == []


def test_a_fault(make_app: Make, lines: Lines) -> None:
    """Its kind and where it happened; what it says itself may hold names."""
    app = make_app(LOG="json")

    @app.get(f"{PREFIX}/broken/<id>")
    def broken(id: str) -> str:
        raise RuntimeError(f"Wawrzyniec wrote {id}")

    assert app.test_client().get("/en/broken/an-id-of-a-match?q=Konstancja").status_code == 500
    fault, answered = lines.read()
    assert (fault["event"], fault["error"], fault["level"]) == ("fault", "RuntimeError", "error")
    assert fault["at"][-1].endswith(" broken")
    assert fault["match"] == answered["match"] == digest("an-id-of-a-match")
    assert not re.search("Wawrzyniec|Konstancja|an-id", "".join(lines.written))


@pytest.mark.slow
def test_whatever_is_sent_nobody_is_named(make_app: Make, lines: Lines, monkeypatch: Any) -> None:
    """Names, notes, tokens, codes and addresses were sent by hundreds, and none stands in any line."""
    app = make_app(LOG="json", TESTING=False)
    trial = Trial(app, seed=3)
    app.logger.handlers = [lines]
    monkeypatch.setattr("tests.nightly.fuzz.trial.QUESTIONS", 2)
    trial.run(200 if is_nightly() else 60)
    client = app.test_client()
    with app.app_context():
        cookie = sign("token-of-somebody")
        client.set_cookie(COOKIE, cookie)
    names = ("Wawrzyniec", "Konstancja")
    data = {"game": "derda", "name-A": names[0], "name-B": names[1], "dealer": "A", "form_key": "a-form-key"}
    board = client.post("/en/new", data=data).location
    client.post(f"{board}/phones/links", data={"as": "spectator", "form_key": "another-key"})
    secrets = re.findall(r"/join/([\w-]+)", client.get(f"{board}/phones").text)
    client.post("/en/move/code")
    secrets += re.findall(r"/move/([\w-]{22})", client.get("/en/move/code").text)
    assert len({*secrets}) >= 1
    for secret in secrets:
        client.get(f"/en/join/{secret}")
        client.get(f"/en/move/{secret}")
    client.post(f"{board}/more/note", data={"note": "a note of ours", "form_key": "k", "seq": "0"})
    client.get("/en/", query_string={"q": names[0]}, headers={"Referer": f"http://localhost{board}"})
    planted = [*names, *secrets, "token-of-somebody", cookie, board.rpartition("/")[2], "a-form-key"]
    planted += ["another-key", "a note of ours", "sends-anything", *trial._ids, *trial._given["secret"]]
    planted += ["Ewa", "Olek", *trial._cookies.values()]
    text = "\n".join(lines.written)
    assert len(lines.written) > 200
    assert [item for item in planted if item in text] == []
    kinds = {*lines.read()[0]}
    allowed = kinds | {"error", "at", "logger", "text"}
    assert all({*item} <= allowed for item in lines.read())
    with app.app_context():
        db.engine.dispose()


def value(shown: str, name: str, **labels: str) -> float:
    """A figure of the text that Prometheus reads; 0 where it is not told."""
    for line in shown.splitlines():
        reported, _space, number = line.rpartition(" ")
        if reported.partition("{")[0] == name and all(
            f'{key}="{label}"' in reported for key, label in labels.items()
        ):
            return float(number)
    return 0


def test_what_is_counted(make_app: Make) -> None:
    """Requests and how long they took, what was written, refused and asked; and figures of others."""
    app = make_app(METRICS_PORT=9100)
    metrics = app.extensions["metrics"]
    metrics.add_gauge("cards", "Cards on the table.", lambda: 32, "max")
    client = app.test_client()
    with app.app_context():
        client.set_cookie(COOKIE, sign("me"))
    data = {"game": "derda", "name-A": "Ewa", "name-B": "Jan", "dealer": "A", "form_key": fresh_key()}
    board = client.post("/en/new", data=data).location
    deal = {"bid": "A:H", "counting": "totals", "total_A": "82", "total_B": "65", "do": "save"}
    for key in ("one", "one", "two"):  # a second tap, and somebody on an old page
        client.post(f"{board}/deal", data=deal | {"form_key": key, "seq": "0"})
    client.get("/en/ask/derda/trick?trump=H&leader=A&trick=AH&trick=JH&asked=1")
    client.get("/en/ask/derda/trick")
    client.post("/api/rule", json={"game": "derda"})
    client.get("/en/m/none")
    shown = metrics.show()
    assert value(shown, "companion_events_total", kind="add") == 1
    assert value(shown, "companion_matches_total") == 1
    assert value(shown, "companion_stale_writes_total") == 1
    assert value(shown, "companion_rulings_total") == 1
    assert value(shown, "companion_cards") == 32
    asked = {"endpoint": "deals.record", "method": "POST"}
    assert value(shown, "companion_requests_total", status="303", **asked) == 2
    assert value(shown, "companion_requests_total", status="409", **asked) == 1
    assert value(shown, "companion_request_seconds_count", endpoint="deals.record") == 3
    assert value(shown, "companion_requests_total", endpoint="scoreboard.scoreboard", status="404") == 1
    assert not re.search(f'Ewa|Jan|me"|{board.rpartition("/")[2]}', shown)


def test_what_programs_do_is_counted_too(make_app: Make) -> None:
    """Matches begun, entries written once and refused, rulings asked and saved."""
    app = make_app(METRICS_PORT=9100)
    client, metrics = app.test_client(), app.extensions["metrics"]
    with app.app_context():
        token = app.extensions["matches"].tokens.make("me", Role.OWNER, "f")
    headers = {"Authorization": f"Bearer {token}", "If-Match": '"0"'}
    head = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
    id = client.post("/api/v1/matches", json=head, headers=headers).get_json()["id"]
    client.post("/api/v1/matches", json={}, headers=headers)
    deal = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
    for key in ("one", "one", "two"):
        sent = headers | {"Idempotency-Key": key}
        client.post(f"/api/v1/matches/{id}/entries", json=deal, headers=sent)
    asked = {"game": "derda", "question": "trick", "trump": "H", "leader": "A", "trick": ["AS", "7H"]}
    for path in ("questions", "rulings"):
        client.post(f"/api/v1/{path}", json=asked, headers=headers)
        client.post(f"/api/v1/{path}", json={}, headers=headers)
    shown = metrics.show()
    assert value(shown, "companion_events_total", kind="add") == 1
    assert value(shown, "companion_matches_total") == 1
    assert value(shown, "companion_stale_writes_total") == 1
    assert value(shown, "companion_rulings_total") == 2
    assert not re.search(f"Ewa|Jan|{token}|{id}", shown)


def test_no_label_grows_without_end(make_app: Make) -> None:
    """Whatever is asked for: an address that is none, a method that is none."""
    app = make_app(METRICS_PORT=9100)
    client = app.test_client()
    for n in range(20):
        client.open(f"/nothing/{n}", method=f"M{n}")
        client.get(f"/en/m/{n}")
    shown = app.extensions["metrics"].show()
    labels = {*re.findall(r"^companion_requests_total.*(?= )", shown, re.MULTILINE)}
    assert len(labels) <= 3


def test_it_counts_nothing_unasked(make_app: Make) -> None:
    """No figure is kept."""
    assert make_app().extensions["metrics"] is None
