"""The operations of the public API, each with its description for the document."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from flask import Response, g, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import UnsupportedMediaType

from companion.matches import NotTheWriter, speaks_for_owner
from companion.web.shell.matches import matches
from companion.web.shell.security import browser

from .answers import NoToken, bp, refuse_unknown_query, speak

View = Callable[..., ResponseReturnValue]
Right = Literal["anyone", "token", "all", "owner", "writer"]
"""The right that an operation needs.

Anyone, any token, one for all matches, one with all rights of its owner, or one that may write so.
"""


@dataclass(frozen=True)
class Operation:
    """One operation, with the names of the schemas of its body and answer.

    `query` are the parameters of its address with their schemas, of which it `asks` always for these; `kind`
    is the type of an answer that is not JSON.
    """

    method: str
    rule: str
    name: str
    about: str
    answers: str = ""
    body: str = ""
    query: tuple[tuple[str, Any], ...] = ()
    asks: tuple[str, ...] = ()
    status: int = 200
    kind: str = "application/json"
    right: Right = "anyone"
    once: bool = False
    takes_time: bool = False

    @property
    def needs_token(self) -> bool:
        """True if it is refused without a token."""
        return self.right != "anyone"

    @property
    def writes(self) -> bool:
        """True if it writes in a match: it then says how long the log was, and has a key."""
        return self.right == "writer"

    @property
    def path(self) -> str:
        """Its address as documents write it, below `/api/v1`: `/matches/{id}`."""
        return re.sub(r"<(?:[^:>]*:)?([^>]+)>", r"{\1}", self.rule)


OPERATIONS: list[Operation] = []
"""All operations, in the order in which they are explained."""


def add_operation(made: Operation, view: View) -> None:
    """Offer an operation: in the document, on the page, and at its address."""
    OPERATIONS.append(made)
    bp.add_url_rule(made.rule, made.name, view, methods=[made.method])


def operation(method: str, rule: str, **more: Any) -> Callable[[View], View]:
    """Offer a view as an operation; its docstring's first line describes it in document and page."""

    def add(view: View) -> View:
        about = (view.__doc__ or "").partition("\n")[0].rstrip(".")
        add_operation(Operation(method, rule, view.__name__, about, **more), view)
        return view

    return add


@bp.url_value_preprocessor
def _begin(endpoint: str | None, values: dict[str, Any] | None) -> None:
    speak()
    sent = request.headers.get("Authorization")
    if sent is None:
        return
    scheme, _blank, secret = sent.partition(" ")
    token = matches().tokens.find(secret.strip()) if scheme.lower() == "bearer" else None
    if token is None:
        raise NoToken
    g.api_token = token
    browser.act_as(token.owner)


@bp.before_request
def _check_request() -> Response | None:
    has_body = bool(request.content_length) or "Transfer-Encoding" in request.headers
    if has_body and request.content_type and not request.is_json:
        raise UnsupportedMediaType
    for made in OPERATIONS:
        if request.endpoint == f"{bp.name}.{made.name}":
            _check_right(made)
    return None


def _check_right(made: Operation) -> None:
    """Refuse a request without the right it needs; a writer is checked with the change to be written.

    :raises NoToken: without a token, before anything else is checked.
    :raises NotTheWriter: if the token is for one match, or has less than its owner's rights.
    """
    asks, token = request.method != "OPTIONS", g.get("api_token")
    if asks and made.needs_token and token is None:
        raise NoToken
    refuse_unknown_query(tuple(name for name, _schema in made.query))
    if asks and made.right == "all" and token.match_id is not None:
        raise NotTheWriter("")
    if asks and made.right == "owner" and not speaks_for_owner(token):
        raise NotTheWriter("")
