"""A client that a public generator makes of the document, with its usual settings, plays whole matches."""

import json
import re
import subprocess
import sys
from importlib import import_module
from os import environ, pathsep
from pathlib import Path
from typing import Any

import httpx
import pytest
from cases import own_catalogue, write_letters
from flask import Flask

from companion import library
from companion.matches import Matches, Role
from companion.web.api.document import make_document
from companion.web.api.page import OPERATIONS

from .test_program import GOLDEN, SLOW

NOT_JSON = {made.path for made in OPERATIONS if made.kind in ("application/pdf", "image/svg+xml")}
"""What the generator has no types for; all else of such an operation is there."""
MODELS = "companion_client.models"

pytestmark = pytest.mark.nightly


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The package, where it can be imported; the answer is what the generator said."""
    folder = tmp_path_factory.mktemp("client")
    document = folder / "openapi.json"
    document.write_text(json.dumps({**make_document(), "servers": [{"url": "/api/v1"}]}), "utf-8")
    tools = Path(sys.executable).parent
    said = subprocess.run(
        [tools / "openapi-python-client", "generate", "--path", document, "--output-path", folder / "made"],
        capture_output=True,
        text=True,
        env={**environ, "PATH": f"{tools}{pathsep}{environ.get('PATH', '')}"},
    )
    assert said.returncode == 0, said.stderr[:2000]
    sys.path.insert(0, str(folder / "made"))
    return said.stdout + said.stderr


@pytest.fixture
def client(generated: str, app: Flask) -> Any:
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        token = matches.tokens.make("me", Role.OWNER, "form")
    made: Any = import_module("companion_client")
    address, transport = "http://localhost/api/v1", httpx.WSGITransport(app=app)
    return made.AuthenticatedClient(base_url=address, token=token, httpx_args={"transport": transport})


def call(name: str, *places: Any, **more: Any) -> Any:
    """One operation by its generated function: the whole answer."""
    return import_module(f"companion_client.api.default.{name}").sync_detailed(*places, **more)


def fit(offered: str, value: dict[str, Any]) -> Any:
    """The value as one of the generated types that a schema offers."""
    schemas = make_document()["components"]["schemas"]
    described = schemas[offered]
    for part in described.get("anyOf", [{"$ref": offered}]):
        name = "".join(word[0].upper() + word[1:] for word in re.findall(r"\w+", part["$ref"].split("/")[-1]))
        made = getattr(import_module(MODELS), name)
        try:
            fitting = made.from_dict(value)
        except (KeyError, TypeError, ValueError, AttributeError):
            continue
        if fitting.to_dict() == value:
            return fitting
    raise AssertionError(f"{offered} has no type for {value}")


def test_the_generator_leaves_no_operation_out(generated: str) -> None:
    assert {*re.findall(r"parsing \w+ (\S+)", generated)} == NOT_JSON
    assert "Unable" not in generated
    for made in OPERATIONS:
        assert import_module(f"companion_client.api.default.{made.name}").sync_detailed


@pytest.mark.parametrize("game", library.names())
def test_a_match_is_played_by_the_client(client: Any, game: str) -> None:
    """Begun, played to its end, a question asked on the way: it comes to what the golden record does."""
    golden: dict[str, Any] = json.loads(GOLDEN[game].read_text("utf-8"))
    unsent = ("format", "version", "entries")
    head = {key: value for key, value in golden["record"].items() if key not in unsent}
    begun = call("begin_match", client=client, body=fit(f"Head-{game}", head))
    assert begun.status_code == 201, begun.content
    id = begun.parsed.id
    for seq, entry in enumerate(golden["record"]["entries"]):
        sent = {"body": fit(f"NewEntry-{game}", entry), "if_match": f'"{seq}"'}
        added = call("add_entry", id, client=client, **sent, idempotency_key=f"entry {seq}")
        assert added.status_code == 201, added.content
        assert added.parsed.entry.to_dict() == entry
    shown, last = call("read_match", id, client=client).parsed, golden["after"][-1]
    assert (shown.totals.to_dict(), shown.status) == (last["totals"], last["status"])
    late = call("add_entry", id, client=client, **sent)
    assert (late.status_code, late.parsed.status) == (412, 412)


@pytest.mark.parametrize("game", library.names())
def test_a_question_of_each_kind_is_asked_by_the_client(client: Any, game: str) -> None:
    cases = [case for case in own_catalogue().cases if case.game == game and case.file not in SLOW]
    asked = {case.given["question"]: case for case in cases if "question" in case.given}
    for case in asked.values():
        if "error" not in case.expect:
            given = write_letters({"game": game, **case.given})
            ruling = call("ask", client=client, body=fit(f"Question-{game}", given))
            assert ruling.status_code == 200, ruling.content
            assert ruling.parsed.verdict == library.rule(given).verdict
