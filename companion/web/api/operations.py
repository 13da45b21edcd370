"""What the public API can do: each operation with what its document says of it, in one place."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from flask import Response, g, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import UnsupportedMediaType

from companion.web.shell.matches import matches
from companion.web.shell.security import browser

from .answers import NoToken, bp, refuse_unknown_query, speak

View = Callable[..., ResponseReturnValue]


@dataclass(frozen=True)
class Operation:
    """One operation: what it is sent and answers, by the names of schemas in the document.

    `query` are the members of its address with their schemas, and it always `asks` for these of them; `kind`
    is what is answered, where that is no JSON. One that `writes` in a match says how long its log was, and
    has a key.
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
    writes: bool = False
    once: bool = False
    takes_time: bool = False
    needs_token: bool = False

    @property
    def path(self) -> str:
        """Its address as documents write it, below `/api/v1`: `/matches/{id}`."""
        return re.sub(r"<(?:[^:>]*:)?([^>]+)>", r"{\1}", self.rule)


OPERATIONS: list[Operation] = []
"""All of them, in the order in which they are explained."""


def operation(method: str, rule: str, **more: Any) -> Callable[[View], View]:
    """A view of the API: its first line says what it does, in the document and on the page."""

    def add(view: View) -> View:
        about = (view.__doc__ or "").partition("\n")[0].rstrip(".")
        made = Operation(method, rule, view.__name__, about, **more)
        OPERATIONS.append(made)
        bp.add_url_rule(rule, made.name, view, methods=[method])
        return view

    return add


def _list_operations() -> Iterator[Operation]:
    return (made for made in OPERATIONS if request.endpoint == f"{bp.name}.{made.name}")


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
    for made in _list_operations():
        if made.needs_token and request.method == made.method and g.get("api_token") is None:
            raise NoToken
        refuse_unknown_query(tuple(name for name, _schema in made.query))
    return None
