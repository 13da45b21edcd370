"""Whatever fits the document, and what does not, is answered as the document says: sent by schemathesis.

What fits a schema may still break a rule or be late; 409, 412, 422 and 428 are answers there.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import from_schema
from schemathesis.engine.events import FatalError, NonFatalError, ScenarioFinished
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from stores.postgres import ON_SQLITE
from werkzeug.serving import make_server

from companion.matches import Matches, Role
from companion.web.api.page import OPERATIONS
from tests.web.conftest import Opened

CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
HEAD = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
EXAMPLES, AT_NIGHT = 8, 30
"""Requests to each operation, before a commit and at night."""
MOST = 10
SENT = 20
"""Requests of each phase that makes them up, with all checks."""
WAYS, STEPS = 40, 12
"""Ways through the API, and requests on each."""
SETTINGS, SEED = Path(__file__).with_name("schemathesis.toml"), 1
"""Its own settings, but for the answers that are no faults; the same requests every night."""
LONG = {"begin_match", "ask", "save_ruling", "add_entry", "amend_entry"}
"""Their schemas have so many alternatives that the phase `coverage` would take hours."""
IN_MATCH = {made.name for made in OPERATIONS if made.rule.startswith("/matches/<id>")}
PRINTED = {"read_sheet_pdf"}
BEFORE_A_COMMIT = {"begin_match", "add_entry", "read_log"}
NAMES = [made.name for made in OPERATIONS if made.name not in PRINTED]


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in BEFORE_A_COMMIT else pytest.mark.nightly) for name in NAMES],
)
def test_an_operation_keeps_to_its_document(app: Flask, name: str, request: pytest.FixtureRequest) -> None:
    """By a token that may do everything, in a match that there is."""
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        token = matches.tokens.make("me", Role.OWNER, "form")
        id = matches.start(HEAD, "me", "form")
    operation = _read_document(app).find_operation_by_id(name)

    @given(case=operation.as_strategy(), in_match=st.booleans())
    @settings(
        max_examples=AT_NIGHT if request.config.getoption("--nightly") else EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=[*HealthCheck],
    )
    def send(case: Any, in_match: bool) -> None:
        if in_match and "id" in case.path_parameters:
            case.path_parameters["id"] = id
        answer = case.call(headers={"Authorization": f"Bearer {token}"})
        case.validate_response(answer, checks=CHECKS)

    send()


@pytest.mark.nightly
def test_what_is_made_can_be_gone_on_with(
    shared_apps: Opened, with_empty_database: Callable[[Opened], Flask]
) -> None:
    """By the links of the document: from a match begun to its entries, remarks, rulings, in any order.

    Each way begins with an empty database, so that the same requests have the same answers on another.
    """
    app = with_empty_database(shared_apps)
    done = Counter[tuple[str, int]]()

    class Program(_read_document(app).as_state_machine()):  # type: ignore[misc]
        def setup(self) -> None:
            with with_empty_database(shared_apps).app_context():
                matches: Matches = app.extensions["matches"]
                self.token = matches.tokens.make("me", Role.OWNER, "form")

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"headers": {"Authorization": f"Bearer {self.token}"}}

        def validate_response(self, response: Any, case: Any, *_checks: Any, **_more: Any) -> None:
            done[case.operation.definition.raw["operationId"], response.status_code] += 1
            case.validate_response(response, checks=CHECKS)

        def _repr_step(self, *_step: Any) -> str:
            """Say nothing of a step: Hypothesis fails at one that no link follows, and hides the fault."""
            return ""

    Program.run(
        settings=settings(
            max_examples=WAYS,
            stateful_step_count=STEPS,
            phases=[Phase.generate],  # a fault is said as it was found, with its request
            deadline=None,
            database=None,
            suppress_health_check=[*HealthCheck],
        )
    )
    done_well = {name for name, status in done if status < 300}
    assert "begin_match" in done_well
    assert len(done_well & IN_MATCH) >= 5, done


@ON_SQLITE  # what is read and refused is the same on every database
@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("who", ["owner", "nobody"])
def test_its_own_settings_find_nothing(app: Flask, name: str, who: str) -> None:
    """With all checks: what fits is taken or answered, what does not is refused; in a match that there is."""
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        token = matches.tokens.make("me", Role.OWNER, "form")
        id = matches.start(HEAD, "me", "form")
    config = SchemathesisConfig.from_path(SETTINGS)
    config.update(max_failures=None, seed=SEED)
    project = config.projects.default
    project.update(headers={"Authorization": f"Bearer {token}"} if who == "owner" else {})
    if name in IN_MATCH:
        project.update(parameters={"path.id": id})
    project.generation.update(max_examples=SENT)
    project.phases.update(
        phases=["examples", "fuzzing"] if name in LONG else ["examples", "coverage", "fuzzing"]
    )
    with serve(app) as address:
        document = schemathesis.openapi.from_url(f"{address}/api/v1/openapi.json", config=config)
        found = {*_find_faults(from_schema(document.include(operation_id=name)).execute())}
    assert not found, "\n".join(sorted(found)[:MOST])


def _find_faults(events: Iterable[Any]) -> Iterator[str]:
    for event in events:
        if isinstance(event, NonFatalError | FatalError):
            yield str(getattr(event, "value", event))[:500]
        if not isinstance(event, ScenarioFinished):
            continue
        for id, checks in event.recorder.checks.items():
            sent, answer = event.recorder.cases[id].value, event.recorder.interactions[id].response
            for check in checks:
                if check.failure_info is not None:
                    said = check.failure_info.failure.message[-300:]
                    asked = f"{sent.method} {sent.formatted_path} {sent.query} {str(sent.body)[:300]}"
                    yield f"{said}: {asked}: {answer and answer.text[:300]}"


@contextmanager
def serve(app: Flask) -> Iterator[str]:
    """The app on a port of this machine."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()


def _read_document(app: Flask) -> Any:
    return schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
