"""From a file to PostgreSQL: every row, for everybody, with the key; all of it or nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from derda import deal
from sqlalchemy import select

from companion import cli, create_app
from companion.matches import AddEntry, Matches, Object, Role, Submission
from companion.store.tables import Base, db

HEAD = {"game": "derda", "players": ["Ewa", "Zażółć ☃"], "first_dealer": "B"}
DEAL = deal(note="½")


@pytest.fixture
def backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A backup of an instance in which there is something of each kind."""
    monkeypatch.delenv("COMPANION_DATABASE", raising=False)
    monkeypatch.setenv("COMPANION_INSTANCE", str(tmp_path / "before"))
    app = create_app()
    with app.app_context():
        matches: Matches = app.extensions["matches"]
        for number in range(3):
            match = matches.open(matches.start(HEAD, "owner", f"form-{number}"))
            match = matches.write(match, AddEntry(DEAL), Submission("owner", 0, "deal"))
            match = matches.write(match, Object(1, "A", "count", "ß"), Submission("owner", 1, "object"))
            made = matches.invitations.make_link(
                match, matches.access(match, "owner"), Role.OPPONENT, "B", False, "link"
            )
            assert made.secret is not None
            matches.invitations.join(made.secret, f"phone-{number}", "Android")
            matches.list_matches("owner")
        matches.save_ruling("owner", "ruling", {"game": "derda", "why": "½"})
        matches.moves.make_words("owner")
        db.session.remove()
        db.engine.dispose()
    assert cli.main(["backup", "-o", str(tmp_path / "backup.sqlite")]) == 0
    return tmp_path / "backup.sqlite"


def read_rows() -> dict[str, list[dict[str, Any]]]:
    app = create_app()
    found = {}
    with app.app_context():
        for table in Base.metadata.sorted_tables:
            rows = [dict(row) for row in db.session.execute(select(table)).mappings()]
            found[table.name] = sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))
        db.session.remove()
        db.engine.dispose()
    return found


def test_everything_is_there_and_nothing_twice(
    backup: Path,
    postgres_addresses: Callable[[], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Each row of each table, and the key; a second time is refused, and changes nothing."""
    before = read_rows()
    assert {name for name, rows in before.items() if rows} >= {"match", "event", "ruling", "move", "link"}
    key = (tmp_path / "before" / "secret-key").read_text()
    monkeypatch.setenv("COMPANION_INSTANCE", str(tmp_path / "after"))
    monkeypatch.setenv("COMPANION_DATABASE", postgres_addresses())
    assert cli.main(["restore", str(backup)]) == 0
    assert "3 matches were recomputed" in capsys.readouterr().out
    assert read_rows() == before
    assert (tmp_path / "after" / "secret-key").read_text() == key
    assert cli.main(["restore", str(backup)]) == 2
    assert "must be empty, but has rows in match" in capsys.readouterr().err
    assert read_rows() == before
