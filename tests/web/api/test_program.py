"""A program plays a match of every game by the document alone; the bot of the documentation follows one."""

import json
import re
import shlex
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from cases import own_catalogue
from derda import DEAL
from flask import Flask
from tiers import FOUR_GAMES, mostly_at_night
from werkzeug.serving import make_server

from companion import library
from companion.matches import AddEntry, Matches, Role, Submission

from .program import DocumentedClient

ROOT = Path(__file__).parents[3]
CASES = own_catalogue().cases
SLOW = ("audits", "claims", "counts")
GOLDEN = {
    json.loads(path.read_text("utf-8"))["record"]["game"]: path for path in (ROOT / "tests/golden").glob("*")
}


@pytest.fixture
def program(app: Flask) -> DocumentedClient:
    return DocumentedClient(app, make_token(app))


@pytest.mark.parametrize("game", library.names())
def test_a_match_of_every_game(program: DocumentedClient, game: str) -> None:
    """Begun, looked at before each entry, played to its end: it comes to what the golden record does."""
    golden: dict[str, Any] = json.loads(GOLDEN[game].read_text("utf-8"))
    head = {
        key: value for key, value in golden["record"].items() if key not in ("format", "version", "entries")
    }
    begun = program.call("begin_match", head).get_json()
    id = begun["id"]
    for seq, entry in enumerate(golden["record"]["entries"]):
        if seq < 3:
            tried = program.call("add_entry", entry, seq, id=id, dry_run="true")
            assert tried.status_code == 200, tried.text
        added = program.call("add_entry", entry, seq, id=id)
        assert added.status_code == 201, added.text
    shown = program.call("read_match", id=id).get_json()
    last = golden["after"][-1]
    assert {key: shown[key] for key in ("totals", "status", "problems")} == {
        key: last[key] for key in ("totals", "status", "problems")
    }
    entries = program.call("list_entries", id=id).get_json()["entries"]
    assert [item["row"] for item in entries] == [after["entry"] for after in golden["after"]]


@mostly_at_night("game", library.names(), FOUR_GAMES)
def test_every_question_is_asked(program: DocumentedClient, game: str) -> None:
    """A case of each question, answered as the library does."""
    asked = dict[str, Any]()
    for case in CASES:
        if (
            case.game == game
            and "question" in case.given
            and "error" not in case.expect
            and case.file not in SLOW
        ):
            asked.setdefault(case.given["question"], {"game": game, **case.given})
    assert asked
    for request in asked.values():
        answer = program.call("ask", request)
        assert answer.get_json() == json.loads(json.dumps(library.rule(request).plain()))


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """The app on a port of this machine."""
    server = make_server("127.0.0.1", 0, app)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()


def make_token(app: Flask) -> str:
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        return matches.tokens.make("me", Role.OWNER, "form")


def run_commands(text: str, token: str) -> list[tuple[int, Any]]:
    """What a shell would be answered by these lines: variables, and calls by curl."""
    named, answers, id = dict[str, str](), list[tuple[int, Any]](), ""
    text = text.replace("\\\n", "").replace("$(companion token --owner new)", token).replace("ct_…", token)
    for line in text.splitlines():
        for name, value in named.items():
            line = line.replace(f"${name}", value)
        command, *words = shlex.split(line.replace("/ID", f"/{id}"))
        if command != "curl":
            name, _equals, value = command.partition("=")
            named[name] = value
            continue
        headers = dict(words[place + 1].split(": ", 1) for place, word in enumerate(words) if word == "-H")
        sent = words[words.index("-d") + 1].encode() if "-d" in words else None
        [asked] = [word for word in words if word.startswith("http")]
        try:
            with urlopen(Request(asked, sent, headers)) as answer:
                answers.append((answer.status, json.load(answer)))
        except HTTPError as problem:
            answers.append((problem.code, None))
        id = id or answers[0][1].get("id", "")
    return answers


def test_the_beginning_of_the_documentation(app: Flask, address: str) -> None:
    """The commands of docs/using/api.md, one after the other."""
    text = (ROOT / "docs/using/api.md").read_text("utf-8").replace("http://127.0.0.1:5000", address)
    begun, added, shown, log, ruling = run_commands(
        "".join(re.findall(r"```sh\n(.*?)```", text, re.S)), make_token(app)
    )
    assert [status for status, _content in (begun, added, shown, log, ruling)] == [201, 201, 200, 304, 200]
    assert shown[1]["totals"] == added[1]["row"]["totals"] == {"A": 82, "B": 65}
    assert ruling[1]["verdict"] == "illegal"


def test_the_beginning_on_the_page(app: Flask, address: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The same by curl and in Python, as they stand on /api."""
    with urlopen(f"{address}/en/api") as answer:
        page = unescape(answer.read().decode())
    commands, program = re.findall(r"<pre[^>]*><code>(.*?)</code></pre>", page, re.S)[:2]
    token = make_token(app)
    assert [status for status, _content in run_commands(commands, token)] == [201, 201, 200]
    exec(compile(program.replace("ct_…", token), "page", "exec"), {})
    assert capsys.readouterr().out == "{'A': 82, 'B': 65}\n"


def test_the_bot_says_who_won(app: Flask, address: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The program of docs/howto/bot.md, as it stands there: at most sixty lines."""
    source = re.search(r"```python\n(.*?)```", (ROOT / "docs/howto/bot.md").read_text("utf-8"), re.S)
    assert source is not None and source[1].count("\n") <= 60
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        head = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
        id = matches.start(head, "me", "form")
        for seq, entry in enumerate([DEAL, {"type": "concede", "side": "B"}]):
            matches.write(matches.open(id), AddEntry(entry), Submission("me", seq, str(seq)))
    bot: dict[str, Any] = {"__name__": "bot"}
    exec(compile(source[1], "bot.md", "exec"), bot)
    bot["follow"](address, id)
    said = capsys.readouterr().out.splitlines()
    assert said == ["Ewa 82, Jan 65", "Ewa 82, Jan 65", "Ewa has won."]
