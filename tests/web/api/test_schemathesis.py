"""Whatever fits the document, and what does not, is answered as the document says: sent by schemathesis.

What fits a schema may still break a rule or be late; 409, 412, 422 and 428 are answers there.
"""

from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from companion.matches import Matches, Role
from companion.web.api.page import OPERATIONS

CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
HEAD = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
EXAMPLES = 8
PRINTED = {"read_sheet"}


@pytest.mark.nightly
@pytest.mark.parametrize("name", [made.name for made in OPERATIONS if made.name not in PRINTED])
def test_an_operation_keeps_to_its_document(app: Flask, name: str) -> None:
    """By a token that may do everything, in a match that there is."""
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        token = matches.tokens.make("me", Role.OWNER, "form")
        id = matches.start(HEAD, "me", "form")
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    operation = schema.find_operation_by_id(name)

    @given(case=operation.as_strategy(), in_match=st.booleans())
    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=[*HealthCheck])
    def send(case: Any, in_match: bool) -> None:
        if in_match and "id" in case.path_parameters:
            case.path_parameters["id"] = id
        answer = case.call(headers={"Authorization": f"Bearer {token}"})
        case.validate_response(answer, checks=CHECKS)

    send()
