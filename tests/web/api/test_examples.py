"""The examples on the page of the API: every operation is run, and its request and answer stand there.

`REGENERATE=1` writes them anew; the difference is then to be read.
"""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from derda import DEAL
from flask import Flask

from companion.matches import Matches, Role
from companion.web.api import page
from companion.web.api.operations import OPERATIONS
from tests.web.browsers import Browser

FILE = Path(page.__file__).with_name("examples.json")
HEAD = {
    "game": "derda",
    "players": ["Ewa", "Jan"],
    "first_dealer": "A",
    "started": "2026-11-20T19:05:00+01:00",
}
ASKED = {"game": "derda", "question": "trick", "trump": "H", "leader": "A", "trick": ["AS", "7H"]}
LINES = 24
"""Of an answer; what is left out is marked."""
M, E = "/matches/{m}", "/matches/{m}/entries/1"
CALLS: list[tuple[str, str, str, Any, int | None]] = [
    ("read_document", "GET", "/openapi.json", None, None),
    ("list_games", "GET", "/games", None, None),
    ("read_game", "GET", "/games/derda?preset=standard", None, None),
    ("read_schema", "GET", "/games/derda/schemas/ruling", None, None),
    ("ask", "POST", "/questions", ASKED, None),
    ("begin_match", "POST", "/matches", HEAD, None),
    ("add_entry", "POST", f"{M}/entries", DEAL, 0),
    ("amend_entry", "PUT", E, DEAL | {"note": "counted again"}, 1),
    ("withdraw_entry", "DELETE", E, None, 2),
    ("restore_entry", "POST", f"{E}/restore", None, 3),
    ("undo", "POST", f"{M}/undo", None, 4),
    ("put_back", "POST", f"{M}/put-back", None, 5),
    ("agree", "POST", f"{E}/agreements", {"side": "B"}, 6),
    ("object_to", "POST", f"{E}/objections", {"side": "B", "reason": "count"}, 7),
    ("withdraw_objection", "POST", f"{M}/objections/8/withdraw", None, 8),
    ("correct_match", "PATCH", M, {"place": "Łódź"}, 9),
    ("save_ruling", "POST", "/rulings", ASKED, None),
    ("attach_ruling", "POST", f"{M}/rulings", {"ruling": "{r}", "entry": 1}, 10),
    ("detach_ruling", "DELETE", f"{M}/rulings/11", None, 11),
    ("insert_entry", "POST", f"{M}/entries/1/before", DEAL, 12),
    ("list_rulings", "GET", "/rulings", None, None),
    ("read_ruling", "GET", "/rulings/{r}", None, None),
    ("list_matches", "GET", "/matches?q=Ewa", None, None),
    ("read_match", "GET", M, None, None),
    ("list_entries", "GET", f"{M}/entries", None, None),
    ("read_entry", "GET", E, None, None),
    ("read_log", "GET", f"{M}/log?after=10", None, None),
    ("read_record", "GET", f"{M}/record.json", None, None),
    ("read_table", "GET", f"{M}/table.csv", None, None),
    ("read_picture", "GET", f"{M}/picture.svg", None, None),
    ("read_figures", "GET", "/figures?name=Ewa", None, None),
    ("put_match", "PUT", f"{M}/place", {"place": "archive"}, None),
]
UNSHOWN = {"read_sheet_pdf"}
"""A PDF: it is printed by a worker, and nothing to read."""


def run_examples(client: Browser, token: str) -> dict[str, list[str]]:
    """Every operation once, in an order in which each has something to do."""
    ids, found = dict[str, str](), dict[str, list[str]]()
    for name, method, path, sent, seq in CALLS:
        at = path.format(**ids)
        body = None if sent is None else json.loads(json.dumps(sent).replace("{r}", ids.get("r", "")))
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": name}
        headers |= {} if seq is None else {"If-Match": f'"{seq}"'}
        answer = client.open(f"/api/v1{at}", method=method, json=body, headers=headers)
        assert answer.status_code in (200, 201), (name, answer.text)
        if name in ("begin_match", "save_ruling"):
            ids[{"begin_match": "m", "save_ruling": "r"}[name]] = answer.get_json()["id"]
        tag = [] if seq is None else [f'If-Match: "{seq}"']
        request = "\n".join([f"{method} /api/v1{at}", *tag, *([] if body is None else [_show(body)])])
        shown = _show(answer.get_json()) if answer.is_json else answer.text.lstrip("\ufeff")
        lines = [line[:100] + ("…" if len(line) > 100 else "") for line in _still(shown, ids).splitlines()]
        shown = "\n".join(lines[:LINES] + ["…"] * (len(lines) > LINES))
        found[name] = [_still(request, ids), f"{answer.status_code}\n{shown}"]
    return found


def _show(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def _still(text: str, ids: dict[str, str]) -> str:
    """The text with what differs from one run to the next always the same."""
    for name, id in ids.items():
        same = {"m": "o3f8K0pQ2mVtXcRzYb1sLw", "r": "k3JmR0n4yQ2x7uVbW9aZcA"}[name]
        text = re.sub(
            f"'?{re.escape(id)}", same, text
        )  # a table writes ' before what begins as a formula does
    return re.sub(r"20\d\d-\d\d-\d\dT[\d:.]+\+00:00", "2026-11-20T18:05:00.000+00:00", text)


@pytest.mark.slow
def test_the_examples_are_what_comes_of_them(client: Browser, app: Flask) -> None:
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        token = matches.tokens.make("me", Role.OWNER, "examples")
    found = run_examples(Browser(app, app.response_class), token)
    if os.environ.get("REGENERATE"):
        FILE.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", "utf-8")
    written = json.loads(FILE.read_text("utf-8"))
    assert [name for name in {**written, **found} if written.get(name) != found.get(name)] == []
    assert found.keys() == {made.name for made in OPERATIONS} - UNSHOWN
