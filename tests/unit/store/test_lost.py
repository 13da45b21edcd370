"""A PostgreSQL server that is started anew, or away for a while, costs nobody more than that while."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import text
from stores.bare import in_context, open_bare
from stores.postgres import Cluster, empty_tables, own_cluster

from companion.record.log import Event
from companion.store import CannotStart, StoredMatch, StoreUnavailable, engine
from companion.store.sql import SqlStore
from companion.store.tables import db

store = SqlStore()
DEAL = Event(0, "add", payload={"type": "deal"}, author="me", at="2026-11-20T19:00:00+00:00")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with own_cluster() as made:
        yield made


@pytest.fixture
def postgresql(cluster: Cluster, tmp_path: Path) -> Iterator[Flask]:
    with in_context(open_bare(tmp_path, cluster.address())) as app:
        empty_tables(db.engine)
        store.create_match(StoredMatch("match-1", "me", {"game": "any"}, (), DEAL.at))
        yield app


def length() -> int:
    match = store.load_match("match-1")
    assert match is not None
    return len(match.events)


@pytest.mark.usefixtures("postgresql")
def test_a_restart_between_two_requests_is_not_noticed(cluster: Cluster) -> None:
    assert length() == 0
    db.session.remove()  # as at the end of a request
    cluster.stop()
    cluster.start()
    assert store.append_event("match-1", 0, DEAL, "a").seq == 1
    db.session.remove()
    cluster.stop()
    cluster.start()
    assert length() == 1


@pytest.mark.usefixtures("postgresql")
def test_a_restart_within_a_request_is_not_noticed_either(cluster: Cluster) -> None:
    """What was read before it is forgotten; what is asked next is asked anew."""
    assert length() == 0
    cluster.stop()
    cluster.start()
    assert length() == 0
    assert store.append_event("match-1", 0, DEAL, "a").seq == 1


@pytest.mark.usefixtures("postgresql")
def test_a_server_that_is_away(cluster: Cluster) -> None:
    cluster.stop()
    try:
        with pytest.raises(StoreUnavailable, match="away"):
            length()
        with pytest.raises(StoreUnavailable, match="away"):
            store.append_event("match-1", 0, DEAL, "a")
        with pytest.raises(StoreUnavailable, match="away"):
            store.list_matches("me")
    finally:
        cluster.start()
    assert store.append_event("match-1", 0, DEAL, "a").seq == 1


@pytest.mark.usefixtures("postgresql")
def test_a_match_that_others_keep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who cannot write for too long is told that the database is busy; reading goes on."""
    monkeypatch.setattr(engine, "_LONGEST_WAIT", 100)
    db.session.remove()
    db.engine.dispose()
    with db.engine.connect() as other:
        other.execute(text("SELECT 1 FROM match FOR UPDATE"))
        with pytest.raises(StoreUnavailable, match="busy"):
            store.append_event("match-1", 0, DEAL, "a")
        assert length() == 0
    assert store.append_event("match-1", 0, DEAL, "a").seq == 1


@pytest.mark.usefixtures("postgresql")
def test_a_server_without_a_connection_to_spare(cluster: Cluster) -> None:
    with db.engine.connect() as connection:
        connection.execute(text("CREATE ROLE club LOGIN CONNECTION LIMIT 0"))
        connection.commit()
    with pytest.raises(CannotStart, match="too many connections"):
        open_bare(Path("/"), cluster.address().replace("postgres@", "club@"))


def test_a_database_that_is_not_there(cluster: Cluster) -> None:
    with pytest.raises(
        CannotStart, match='"scores" does not exist; create it, or correct COMPANION_DATABASE'
    ):
        open_bare(Path("/"), cluster.address().replace("/postgres?", "/scores?"))
