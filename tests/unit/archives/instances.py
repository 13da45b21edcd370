"""Instances in memory, and what is taken from one to the other."""

import io
import json
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import derda
from derda import DEAL

from companion import archives
from companion.matches import Match, Matches
from companion.store import Store
from companion.store.memory import MemoryStore

ME, JAN, OTHER = "token-of-my-browser-xx", "token-of-jans-phone-xx", "token-of-somebody-else"
Write = Callable[..., Match]
RECORD = derda.RECORD | {"entries": [DEAL]}
OTHER_DEAL = DEAL | {"totals": {"A": 100, "B": 47}}


def make_matches(secret: str = "secret", store: Store | None = None) -> Matches:
    """An instance whose clock goes on by a minute at every look."""
    minutes, begin = count(), datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
    return Matches(store or MemoryStore(), secret, lambda: begin + timedelta(minutes=next(minutes)))


def zip_of(files: dict[str, Any], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of documents, by their names."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", packing) as archive:
        for name, document in files.items():
            archive.writestr(name, document if isinstance(document, bytes) else json.dumps(document))
    return content.getvalue()


def take(
    matches: Matches, document: Any, owner: str = ME, name: str = "match.json"
) -> tuple[archives.Found, archives.Imported]:
    """What is in a document, and what became of it."""
    data = document if isinstance(document, bytes) else archives.format_json(document)
    found = archives.look_through(matches, owner, data, name)
    taken = archives.import_found(matches, owner, found)
    assert len(found) == len(taken) == 1
    return found[0], taken[0]
