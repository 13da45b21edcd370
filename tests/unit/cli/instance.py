"""An instance that commands work on, and what is done there beside them."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import derda
import pytest
from derda import DEAL, HEAD
from sqlalchemy import text

from companion import create_app
from companion.matches import AddEntry, Match, Matches, Submission
from companion.store.tables import db

ME = "token-of-my-browser-xx"
RECORD = derda.RECORD | {"entries": [DEAL]}
Run = Callable[..., tuple[int, str, str]]
Write = Callable[..., str]
Feed = Callable[[str | Sequence[object]], None]


@contextmanager
def opened() -> Iterator[Matches]:
    """The matches of the instance, as a server has them."""
    app = create_app()
    with app.app_context():
        yield app.extensions["matches"]
        db.session.remove()
        db.engine.dispose()


def add_deal(matches: Matches, id: str) -> Match:
    match = matches.open(id)
    return matches.write(match, AddEntry(DEAL), Submission(match.owner, match.seq, f"form {match.seq}"))


def move_to(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_INSTANCE", str(folder))
    return folder


def spoil(id: str) -> None:
    with opened():
        head = json.dumps(HEAD | {"game": "whist"})
        db.session.execute(text("UPDATE match SET head = :head WHERE id = :id"), {"head": head, "id": id})
        db.session.commit()
