"""Every verb of the store, asked once for something it has to do: for tests of what holds for all of them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlalchemy import delete

from companion.record.log import Event
from companion.store import Grant, Link, Move, Renewal, SavedRuling, ServerStore, StoredMatch, Token
from companion.store.sql import SqlStore
from companion.store.tables import Base, db

NOON, LATER = "2026-11-20T12:00:00.000+00:00", "2026-11-20T12:10:00.000+00:00"
HEAD = {"game": "any", "players": ["Ewa", "Jan"]}
LINK = Link("link", "match", "digest of link", "opponent", "B", False, NOON)
GRANT = Grant("grant-x", "match", "x", "B", False, "a phone", NOON)
TOKEN = Token("digest of token", "token", "owner", None, "owner", None, NOON)
DEAL = Event(0, "add", None, {"type": "deal"}, "owner", LATER)
NAMES = Event(0, "head", None, {"players": ["Ala", "Jan"]}, "owner", LATER)


def prepare(store: ServerStore) -> None:
    """A match with an entry, a link, a phone that joined by it, a ruling and words."""
    store.create_match(StoredMatch("match", "owner", HEAD, (DEAL,), NOON))
    store.create_match(StoredMatch("next", "owner", {**HEAD, "follows": "match"}, (), NOON))
    store.create_match(StoredMatch("binned", "owner", HEAD, (DEAL,), NOON))
    store.set_visibility("binned", "deleted", NOON)
    store.add_link(LINK)
    store.join(LINK, GRANT)
    store.save_ruling(SavedRuling("ruling", "owner", NOON, {"verdict": "legal"}))
    store.add_move(Move("words", "owner", "words", NOON))
    store.add_token(TOKEN)


def begin() -> SqlStore:
    """A store with this in it, and nothing else."""
    db.session.rollback()
    for table in reversed(Base.metadata.sorted_tables):
        db.session.execute(delete(table))
    db.session.commit()
    store = SqlStore()
    prepare(store)
    db.session.remove()
    return store


VERBS: dict[str, Callable[[ServerStore], Any]] = {
    "create_match": lambda store: store.create_match(StoredMatch("new", "owner", HEAD, (DEAL,), NOON)),
    "append_event": lambda store: store.append_event("match", 1, NAMES, "form"),
    "append_events": lambda store: store.append_events("match", 1, [NAMES, DEAL]),
    "find_event": lambda store: store.find_event("match", "match-1"),
    "load_match": lambda store: store.load_match("match"),
    "list_matches": lambda store: [*store.list_matches("owner", "ewa", 1), *store.list_matches("x")],
    "count_matches": lambda store: store.count_matches("x"),
    "find_successor": lambda store: store.find_successor("match", "owner"),
    "remember_summary": lambda store: store.remember_summary("match", 1, {"players": ["Ewa", "Ola"]}),
    "recall_summary": lambda store: store.recall_summary("match", 1),
    "list_rulings": lambda store: store.list_rulings("owner"),
    "save_ruling": lambda store: store.save_ruling(SavedRuling("new", "owner", NOON, {})),
    "find_ruling": lambda store: store.find_ruling("ruling"),
    "add_link": lambda store: store.add_link(Link("new", "match", "new", "pencil", None, True, NOON)),
    "find_link": lambda store: store.find_link("digest of link"),
    "list_links": lambda store: store.list_links("match"),
    "list_users": lambda store: store.list_users("match"),
    "revoke_link": lambda store: store.revoke_link("match", "link", LATER),
    "join": lambda store: store.join(LINK, Grant("grant-y", "match", "y", "B", False, "", NOON)),
    "add_grants": lambda store: store.add_grants([Grant("grant-z", "match", "z", None, False, "", NOON)]),
    "find_grant": lambda store: store.find_grant("match", "x"),
    "list_grants": lambda store: store.list_grants("match"),
    "give_pencil": lambda store: store.give_pencil("match", "grant-x", True),
    "revoke_grant": lambda store: store.revoke_grant("match", "grant-x", LATER, may_return=True),
    "load_version": lambda store: store.load_version("match"),
    "count_change": lambda store: store.count_change("match"),
    "add_token": lambda store: store.add_token(replace(TOKEN, digest="new", id="new")),
    "find_token": lambda store: store.find_token(TOKEN.digest),
    "list_tokens": lambda store: store.list_tokens("owner"),
    "change_token": lambda store: store.change_token(replace(TOKEN, used_at=LATER)),
    "list_token_owners": lambda store: store.list_token_owners(),
    "find_renewals": lambda store: store.find_renewals(["owner", "x"]),
    "renew": lambda store: store.renew(Renewal("owner", 1, "form", LATER)),
    "add_move": lambda store: store.add_move(Move("new words", "owner", "words", NOON)),
    "find_move": lambda store: store.find_move("words", NOON),
    "use_move": lambda store: store.use_move("words", NOON, Move("again", "", "again", NOON)),
    "find_words": lambda store: store.find_words("owner"),
    "owns_anything": lambda store: store.owns_anything("owner"),
    "set_visibility": lambda store: [
        store.set_visibility("match", "archived", LATER),
        store.set_visibility("match", "deleted", LATER, LATER),
        store.set_visibility("binned", "listed", LATER),
    ],
    "list_put_away": lambda store: store.list_put_away("owner"),
    "list_deleted": lambda store: store.list_deleted("owner"),
    "erase_deleted": lambda store: store.erase_deleted(LATER),
    "erase_match": lambda store: store.erase_match("binned"),
    "list_ids": lambda store: list(store.list_ids("owner")),
}


SERVER_VERBS: dict[str, Callable[[SqlStore], Any]] = {
    **VERBS,
    "list_versions": lambda store: [*store.list_versions("owner"), *store.list_versions("x")],
    "list_keys": lambda store: store.list_keys("match", "owner", 0),
    "list_ruling_places": lambda store: store.list_ruling_places("owner"),
}
"""With what only the store of a server is asked, on behalf of phones."""


def all_verbs(*asked: type) -> set[str]:
    return {name for kind in asked for name in dir(kind) if not name.startswith("_")}
