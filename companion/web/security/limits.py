"""How often somebody may be wrong: the secrets of links and codes are not to be found by trying."""

import time
from collections.abc import Callable
from math import ceil
from typing import Any, TypeVar, cast

from flask import Flask, Response
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

GUESSES = "20 per 10 minutes"
"""Wrong secrets that one address may send; a whole table may sit behind one."""

ViewT = TypeVar("ViewT", bound=Callable[..., Any])

_limiter = Limiter(get_remote_address, storage_uri="memory://", headers_enabled=True)


def init_app(app: Flask) -> None:
    """Count for this app."""
    _limiter.init_app(app)


def limit_guesses(view: ViewT) -> ViewT:
    """A view that answers 404 to a wrong secret, and 429 to all once there were too many of them."""
    guessing = _limiter.shared_limit(GUESSES, scope="guesses", deduct_when=_is_wrong)
    return cast(ViewT, guessing(view))


def count_wait() -> int:
    """The minutes, one at least, until an address that was wrong too often may try again."""
    limit = _limiter.current_limit
    return 1 if limit is None else max(1, ceil(int(limit.reset_at - time.time()) / 60))


def _is_wrong(response: Response) -> bool:
    return response.status_code == 404
