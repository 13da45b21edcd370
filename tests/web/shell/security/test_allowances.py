"""Nobody does too much of anything: who does is told what, how much it may be, and when it goes on."""

import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from derda import RIGHT, by_cards
from flask import Flask, url_for
from flask.testing import FlaskClient
from sqlalchemy import text
from stores.postgres import ON_SQLITE

from companion import library
from companion.jobs import AskedTooMuch, Dispatcher, Job
from companion.matches import Role
from companion.rules.question import Question
from companion.store import CannotStart
from companion.store.tables import db
from companion.web.shell.security import limits, rate_limits
from companion.web.shell.security.limits import ALLOWANCES
from tests.web.browsers import Browser, known_browser, words

pytestmark = ON_SQLITE  # where all is counted in a file; for PostgreSQL see test_processes_count_together
Make = Callable[..., Flask]
MATCH = {"name-A": "Ewa", "name-B": "Jan", "dealer": "A"}
FACTS = "trump=H&hand=8H&hand=AH&trick=10H&card=8H&asked=1"


@pytest.fixture
def limited(make_app: Make) -> Flask:
    """The app as it is when nobody says anything about limits."""
    return make_app(LIMITS="on")


def known(app: Flask, token: str = "me") -> Browser:
    """A browser with this token."""
    return known_browser(app, token)


def names_in(counts: Any) -> list[str]:
    """Under which names something was counted."""
    return [name for (name,) in counts._execute(text("SELECT name FROM limit_count"))]


def count_on(app: Flask, name: str, times: int) -> None:
    """Count as if the one browser that has done this before had done it so many times more."""
    with app.app_context():
        counts = app.extensions["counts"]
        for found in names_in(counts):
            if f"/{name}.browser/" in found:
                counts.add(found, 300, times)


def begin(client: FlaskClient, key: str, **more: Any) -> Any:
    """Begin a match."""
    return client.post("/en/new", data=MATCH | {"form_key": key}, **more)


def make_narrow(monkeypatch: pytest.MonkeyPatch, make_app: Make, most: int, **settings: Any) -> Flask:
    """An app in which one address may do everything so often, and one browser a hundred times as often."""
    narrow = tuple(
        replace(allowance, address=((most, 10),), browser=((100 * most, 10),) if allowance.browser else ())
        for allowance in ALLOWANCES
    )
    monkeypatch.setattr(limits, "ALLOWANCES", narrow)
    return make_app(**{"LIMITS": "on"} | settings)


def test_new_matches(limited: Flask) -> None:
    """Sixty in ten minutes; then the answer says so, and when, and keeps what was typed."""
    client = known(limited)
    assert begin(client, "the first").status_code == 303
    count_on(limited, "matches", 58)
    assert begin(client, "the last").status_code == 303
    answer = begin(client, "one more")
    assert answer.status_code == 429
    assert 590 < int(answer.headers["Retry-After"]) <= 600
    assert answer.headers["Cache-Control"] == "no-store"
    assert "New matches: at most 60 from one browser within 10 minutes." in words(answer)
    assert "You can continue in 10 minutes." in words(answer)
    assert "this page keeps what you typed, and sends it again" in words(answer)
    assert '<input type="hidden" name="name-A" value="Ewa">' in answer.text
    polish = client.post("/pl/new", data=MATCH)
    assert "Nowe partie: z jednej przeglądarki najwyżej 60 w ciągu 10 minut." in words(polish)
    assert "one more" not in client.get("/en/").text
    with limited.app_context():
        assert len(limited.extensions["matches"].list_matches("me")) == 2
    assert begin(known(limited, "another"), "of another").status_code == 303
    assert client.get("/en/new").status_code == 200


def test_what_begins_nothing_is_not_counted_as_a_match(limited: Flask) -> None:
    """Choosing among games and mistyping costs nobody a match."""
    client = known(limited)
    begin(client, "the first")
    count_on(limited, "matches", 58)
    assert client.post("/en/new", data=MATCH | {"step": "show", "form_key": "a"}).status_code == 200
    assert client.post("/en/new", data=MATCH | {"name-A": "", "form_key": "b"}).status_code == 422
    assert begin(client, "the last").status_code == 303
    assert begin(client, "one more").status_code == 429


def test_entries(limited: Flask) -> None:
    """Three hundred changes in five minutes, of whatever kind."""
    client = known(limited)
    id = begin(client, "new").location.rsplit("/", 1)[1]
    assert client.post(f"/en/m/{id}/undo", data={"form_key": "first", "seq": "0"}).status_code == 303
    count_on(limited, "writes", 297)
    # what is looked at and refused writes nothing
    assert client.post(f"/en/m/{id}/deal", data={"form_key": "a", "seq": "0"}).status_code == 422
    assert client.post(f"/en/m/{id}/undo", data={"form_key": "next", "seq": "0"}).status_code == 303
    answer = client.post(f"/en/m/{id}/undo", data={"form_key": "last", "seq": "0"})
    assert answer.status_code == 429
    assert "Entries and other changes: at most 300 from one browser within 5 minutes." in words(answer)
    assert f'href="/en/m/{id}"' not in answer.text  # the match was not even opened
    assert client.get(f"/en/m/{id}").status_code == 200


def test_taps(limited: Flask) -> None:
    """What is tapped and looked at on the way to an entry, three times as often."""
    client = known(limited)
    id = begin(client, "new").location.rsplit("/", 1)[1]
    limits_of_browser = {allowance.name: allowance.browser for allowance in ALLOWANCES}
    assert limits_of_browser["forms"] == ((900, 5),)
    count_on(limited, "forms", 898)
    assert client.post(f"/en/m/{id}/deal/preview", data={"seq": "0"}).status_code == 200
    answer = client.post(f"/en/m/{id}/deal/preview", data={"seq": "0"})
    assert (answer.status_code, "Taps and forms sent: at most 900" in words(answer)) == (429, True)


def test_rulings(limited: Flask) -> None:
    """Sixty in five minutes; the form itself, and its steps, are looked at as often as one likes."""
    client = known(limited)
    for _time in range(60):
        assert client.get(f"/en/ask/derda/play?{FACTS}").status_code == 200
    answer = client.get(f"/en/ask/derda/play?{FACTS}")
    assert (answer.status_code, "Rulings asked: at most 60" in words(answer)) == (429, True)
    assert f'href="/en/ask/derda/play?{FACTS.replace("&", "&amp;")}"' in answer.text  # to try again
    assert client.post(f"/en/ask/derda/play/keep?{FACTS}").status_code == 429
    assert client.get("/en/ask/derda/play?trump=H").status_code == 200


def test_heavy_rulings(limited: Flask) -> None:
    """Of those that take seconds half as many."""
    client = known(limited)
    for _time in range(30):
        assert client.get("/en/ask/derda/claim?asked=1").status_code == 422
    answer = client.get("/en/ask/derda/count?asked=1")
    assert (answer.status_code, "Claims, counts, audits, costs of cards: at most 30" in words(answer)) == (
        429,
        True,
    )
    assert client.get(f"/en/ask/derda/play?{FACTS}").status_code == 200


def test_what_cards_cost_counts_as_heavy(limited: Flask) -> None:
    """However often a deal is replayed without."""
    client = known(limited)
    replay = f"/en/m/{client.start(by_cards(RIGHT))}/entries/1/replay"
    client.get("/en/ask/derda/claim?asked=1")
    count_on(limited, "heavy", 29)
    assert client.get(f"{replay}?cost=1").status_code == 429
    assert client.get(replay).status_code == 200


def test_prints(limited: Flask) -> None:
    """Whatever the address ends in: every sheet is counted, made or not."""
    client = known(limited)
    for kind in ("blank", "card", "blank") * 20:
        assert client.get(f"/en/sheets/derda/{kind}.pdf?paper=none").status_code == 400
    answer = client.get("/en/sheets/derda/card.pdf")
    assert (answer.status_code, "Sheets for paper: at most 60" in words(answer)) == (429, True)


def test_everything_that_writes_is_counted(limited: Flask) -> None:
    """No form is without its figures, and none is counted only where it is done."""
    forms = [rule for rule in limited.url_map.iter_rules() if "POST" in (rule.methods or ())]
    assert len(forms) > 30
    for rule in forms:
        values: dict[str, Any] = {
            name: {"event": 1, "entry": 1, "later": 1, "seq": 1}.get(name, "x") for name in rule.arguments
        }
        if "lang" in values:
            values["lang"] = "en"
        with limited.test_request_context():
            path = url_for(rule.endpoint, **values)
        with limited.test_request_context(path, method="POST"):
            asked = [
                allowance
                for allowance in ALLOWANCES
                if allowance.counts is not limits._is_done and allowance.asks()
            ]
        assert asked, rule


def test_every_printed_sheet_is_counted(limited: Flask) -> None:
    """Those that are called so are those that make a PDF."""
    printed = {str(rule) for rule in limited.url_map.iter_rules() if "pdf" in rule.endpoint}
    assert printed == {str(rule) for rule in limited.url_map.iter_rules() if str(rule).endswith(".pdf")}


def test_names_of_pages_are_right(limited: Flask) -> None:
    """A page that was renamed would be limited no more."""
    assert {name.partition(".")[0] for name in limited.view_functions} >= limits._FILES
    named = limits._AUDITS | limits._LINKS | limits._MATCHES | limits._REMARKS | limits._RULINGS
    assert named <= limited.view_functions.keys()


def test_all_heavy_questions_are_known(limited: Flask) -> None:
    """Whatever may take seconds is limited as such."""
    light = Question.__dataclass_fields__["heavy"].default
    questions = [
        question for name in library.names() for question in library.open_game(name).family.questions.values()
    ]
    assert {question.name for question in questions if question.heavy is not light} == rate_limits.HEAVY


def test_what_is_under_way_is_counted_once(monkeypatch: pytest.MonkeyPatch, make_app: Make) -> None:
    """A page that looks again whether the answer is there asks for nothing new."""
    app = make_narrow(monkeypatch, make_app, most=2)
    statuses = iter([202, 202, 202, 200, 202, 200, 200])
    app.view_functions["questions.question"] = lambda **_values: ("", next(statuses))
    client = app.test_client()
    answers = [client.get("/en/ask/derda/claim?asked=1").status_code for _time in range(7)]
    assert answers == [202, 202, 202, 200, 202, 200, 429]


def test_one_address(monkeypatch: pytest.MonkeyPatch, make_app: Make) -> None:
    """Who throws the cookie away each time is met by what one network may; others are not."""
    app = make_narrow(monkeypatch, make_app, most=5)
    statuses = [begin(known(app, f"browser {n}"), str(n)).status_code for n in range(7)]
    assert statuses == [303] * 5 + [429] * 2
    answer = begin(known(app, "one more"), "x")
    assert "from one network within 10 minutes" in words(answer)
    other_rulings = {"REMOTE_ADDR": "192.0.2.7"}
    assert begin(known(app, "far"), "y", environ_base=other_rulings).status_code == 303


def test_new_browsers(monkeypatch: pytest.MonkeyPatch, make_app: Make) -> None:
    """Each gets a cookie, up to so many of one network; who has one goes on."""
    app = make_narrow(monkeypatch, make_app, most=5)
    assert [app.test_client().get("/en/new").status_code for _time in range(6)] == [200] * 5 + [429]
    answer = app.test_client().get("/en/new")
    assert "New browsers: at most 5 from one network within 10 minutes." in words(answer)
    assert known(app).get("/en/new").status_code == 200
    assert app.test_client().get("/en/").status_code == 200


@pytest.mark.parametrize(
    ("one", "another", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("192.0.2.1", "192.0.2.2", False),
    ],
)
def test_what_one_network_is(
    monkeypatch: pytest.MonkeyPatch, make_app: Make, one: str, another: str, same: bool
) -> None:
    """Of IPv6 a customer has 2^64 addresses, and may take another one for each request."""
    app = make_narrow(monkeypatch, make_app, most=1)
    assert begin(known(app, "first"), "x", environ_base={"REMOTE_ADDR": one}).status_code == 303
    status = begin(known(app, "second"), "y", environ_base={"REMOTE_ADDR": another}).status_code
    assert status == (429 if same else 303)


def test_a_program(monkeypatch: pytest.MonkeyPatch, make_app: Make) -> None:
    """It is told in JSON, with the seconds to wait."""
    client = make_narrow(monkeypatch, make_app, most=2).test_client()
    asked = {"game": "derda", "question": "play", "hand": ["8H", "AH"], "trick": ["10H"], "trump": "H"}
    statuses = [client.post("/api/rule", json=asked).status_code for _time in range(3)]
    assert statuses[2] == 429 not in statuses[:2]
    answer = client.post("/api/rule", json=asked)
    assert answer.get_json()["error"].startswith(
        "Rulings asked: at most 2 from one network within 10 minutes."
    )
    assert 590 < int(answer.headers["Retry-After"]) <= 600


def test_a_heavy_question_of_a_program(monkeypatch: pytest.MonkeyPatch, make_app: Make) -> None:
    """What it asks stands in the body: it is counted when that was read, and answered."""
    app = make_narrow(monkeypatch, make_app, most=2)
    wide = tuple(
        replace(allowance, address=((100, 10),)) if allowance.name == "rulings" else allowance
        for allowance in limits.ALLOWANCES
    )
    monkeypatch.setattr(limits, "ALLOWANCES", wide)
    client = make_app(LIMITS="on").test_client()
    app.extensions["counts"].reset()
    ruling = SimpleNamespace(plain=lambda: {"verdict": "yes"})
    monkeypatch.setattr("companion.web.api.views.jobs.rule", lambda *_asked: ruling)
    claims = [client.post("/api/rule", json={"game": "derda", "question": "claim"}) for _time in range(3)]
    assert [claim.status_code for claim in claims] == [200, 200, 429]
    assert "Claims, counts, audits, costs of cards" in claims[2].get_json()["error"]
    assert client.post("/api/rule", json={"game": "derda", "question": "play"}).status_code == 200


def test_a_program_uses_up_its_own(monkeypatch: pytest.MonkeyPatch, make_app: Make) -> None:
    """What it may do is counted by its token: neither its owner's phone nor another program is refused."""
    narrow = tuple(
        replace(allowance, browser=((3, 10),) if allowance.browser else ()) for allowance in ALLOWANCES
    )
    monkeypatch.setattr(limits, "ALLOWANCES", narrow)
    app = make_app(LIMITS="on")
    owner = known(app)
    id = owner.start()
    with app.app_context():
        tokens = app.extensions["matches"].tokens
        watching, writing = (
            tokens.make("me", role, role, match=owner.match(id)) for role in (Role.SPECTATOR, Role.PENCIL)
        )
    program = app.test_client()

    def ask(token: str) -> int:
        sent = {"game": "derda", "question": "trick", "trump": "H", "leader": "A", "trick": ["AS", "7H"]}
        return program.post(
            "/api/v1/questions", json=sent, headers={"Authorization": f"Bearer {token}"}
        ).status_code

    def write(token: str) -> int:
        headers = {"Authorization": f"Bearer {token}", "If-Match": '"0"'}
        deal = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
        path = f"/api/v1/matches/{id}/entries?dry_run=true"
        return program.post(path, json=deal, headers=headers).status_code

    assert [ask(watching) for _time in range(4)] == [200, 200, 200, 429]
    assert [write(writing) for _time in range(4)] == [200, 200, 200, 429]
    assert ask(writing) == 200
    assert owner.get(f"/en/ask/derda/play?{FACTS}").status_code == 200
    assert (
        owner.send(id, {"bid": "A:H", "counting": "totals", "total_A": "82", "total_B": "65"}).status_code
        == 303
    )
    narrow_address = tuple(replace(allowance, address=((3, 10),)) for allowance in ALLOWANCES)
    monkeypatch.setattr(limits, "ALLOWANCES", narrow_address)
    by_address = make_app(LIMITS="on").test_client()
    program = by_address
    assert [ask(token) for token in (watching, writing) * 2][-1] == 429


def test_a_program_waits_for_its_own(monkeypatch: pytest.MonkeyPatch, limited: Flask) -> None:
    """In the queue of heavy questions it has its own turn, not that of its owner."""
    turns = []

    def refuse(_dispatcher: Dispatcher, _job: Job, browser: str) -> bytes:
        turns.append(browser)
        raise AskedTooMuch(1)

    monkeypatch.setattr(Dispatcher, "ask", refuse)
    with limited.app_context():
        tokens = limited.extensions["matches"].tokens
        secrets = [tokens.make("me", role, role) for role in (Role.OWNER, Role.SPECTATOR)]
    hands = {"A": ["JH", "9H", "AH", "10H", "KH"], "B": ["AS", "10S", "KS", "QS", "JS"]}
    sent = {"game": "derda", "question": "claim", "hands": hands, "leader": "A", "trump": "H", "claimer": "A"}
    for secret in secrets:
        headers = {"Authorization": f"Bearer {secret}"}
        assert limited.test_client().post("/api/v1/questions", json=sent, headers=headers).status_code == 503
    assert len({*turns, "me"}) == 3


def test_a_script_learns_when(limited: Flask) -> None:
    """The outbox sees that the app itself answered, whose page it is, and how long to wait."""
    client = known(limited)
    begin(client, "the first")
    count_on(limited, "matches", 59)
    answer = begin(client, "late", headers={"X-Script": "1"})
    assert answer.status_code == 429
    assert {"Retry-After", "X-Version", "X-Browser"} <= {*answer.headers.keys()}
    assert 'data-why="New matches: at most 60 from one browser within 10 minutes.' in answer.text


def test_the_wait_ends(limited: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets shorter, down to seconds; then all is as before."""
    client, began = known(limited), time.time()
    monkeypatch.setattr(time, "time", lambda: began)
    begin(client, "the first")
    count_on(limited, "matches", 59)
    waits = {0: "in 10 minutes.", 400: "in 4 minutes.", 540: "in 60 seconds.", 599: "in 1 second."}
    for later, said in waits.items():
        monkeypatch.setattr(time, "time", lambda later=later: began + later)
        answer = begin(client, "late")
        assert (answer.status_code, answer.headers["Retry-After"]) == (429, str(600 - later))
        assert f"You can continue {said}" in words(answer)
    monkeypatch.setattr(time, "time", lambda: began + 600)
    assert begin(client, "late").status_code == 303


def test_processes_count_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make_app: Make, postgres_address: str
) -> None:
    """Two processes of one server, or two servers of one PostgreSQL, let through what one would."""
    for settings in ({}, {"DATABASE": postgres_address, "SECRET_KEY": "together" * 4}):
        apps = [make_narrow(monkeypatch, make_app, most=6, **settings) for _process in range(2)]
        for app in apps:
            app.extensions["counts"].reset()
        answers = [begin(known(apps[n % 2], f"{n}"), f"{n}").status_code for n in range(9)]
        assert answers == [303] * 6 + [429] * 3
        for app in apps:
            with app.app_context():
                db.engine.dispose()


def test_nobody_can_be_read_in_the_counts(limited: Flask, tmp_path: Path) -> None:
    """Neither address nor token: only what this server can make of them."""
    begin(known(limited, "a very secret token"), "x", environ_base={"REMOTE_ADDR": "192.0.2.77"})
    place = tmp_path / "limits.sqlite"
    with closing(sqlite3.connect(place)) as counts:
        names = [name for (name,) in counts.execute("SELECT name FROM limit_count")]
    assert len(names) > 3
    assert not any("192.0.2" in name or "secret" in name for name in names)
    assert place.stat().st_mode & 0o077 == 0


def test_what_is_over_is_forgotten(limited: Flask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The counts do not grow for ever."""
    clock = time.time
    begin(known(limited, "before"), "x")
    monkeypatch.setattr(time, "time", lambda: clock() + 3 * 24 * 3600)
    begin(known(limited, "after"), "y")
    with closing(sqlite3.connect(tmp_path / "limits.sqlite")) as counts:
        ends = [end for (end,) in counts.execute("SELECT ends_at FROM limit_count")]
    assert ends and min(ends) > time.time()


@pytest.mark.parametrize("fault", ["folder", "nonsense"])
def test_without_a_table_to_count_in(
    monkeypatch: pytest.MonkeyPatch,
    make_app: Make,
    tmp_path: Path,
    fault: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Each process counts for itself then, says so once, and nobody is kept from playing."""
    place = tmp_path / "limits.sqlite"
    if fault == "folder":
        place.mkdir()
    else:
        place.write_text("nonsense " * 1000)
    client = known(make_narrow(monkeypatch, make_app, most=5))
    with caplog.at_level(logging.WARNING):
        assert [begin(client, str(n)).status_code for n in range(5)] == [303] * 5
    assert begin(client, "one more").status_code == 429
    assert client.get("/en/new").status_code == 200
    assert len([record for record in caplog.records if "by this process alone" in record.getMessage()]) == 1


def test_switched_off(monkeypatch: pytest.MonkeyPatch, make_app: Make) -> None:
    """Nothing is counted then but wrong links and codes."""
    for setting in ("off", False):
        app = make_narrow(monkeypatch, make_app, most=2, LIMITS=setting)
        client = known(app)
        assert [begin(client, str(n)).status_code for n in range(4)] == [303] * 4
        assert [client.get(f"/en/join/{n}").status_code for n in range(3)] == [404, 404, 429]
        app.extensions["counts"].reset()


def test_more_for_one_address(monkeypatch: pytest.MonkeyPatch, make_app: Make) -> None:
    """A number says how many times as much one network may; one browser may no more than before."""
    app = make_narrow(monkeypatch, make_app, most=2, LIMITS=3)
    statuses = [begin(known(app, f"{n}"), f"{n}").status_code for n in range(7)]
    assert statuses == [303] * 6 + [429]


@pytest.mark.parametrize("setting", ["none", 0, 0.5, -1, 1001, [1], float("nan")])
def test_a_setting_that_is_none(make_app: Make, setting: Any) -> None:
    """It is refused at the start, and what would be right is said."""
    with pytest.raises(CannotStart, match="COMPANION_LIMITS: must be on, off, or a number from 1 to 1000"):
        make_app(LIMITS=setting)
