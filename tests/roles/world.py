"""A table at which everybody sits: matches with something of each kind in them, a browser of every role."""

import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from derda import DEAL, WRONG, by_cards
from flask import Flask
from flask.testing import FlaskClient

from companion import create_app, library
from companion.jobs import JobFilesStore
from companion.matches import (
    AddEntry,
    AttachRuling,
    DetachRuling,
    KeepDraft,
    Match,
    Matches,
    Object,
    Role,
    Submission,
    Undo,
)
from companion.matches.match import MatchMemory
from companion.offline_app.build.making import write as write_offline_app
from companion.record.log import Event
from companion.store.sql import SqlStore
from companion.store.tables import db
from companion.web.shell.forms import fresh_key
from companion.web.shell.security.browser import COOKIE, sign

ROLES = ("owner", "pencil", "opponent", "other opponent", "spectator", "stranger", "revoked", "nobody")
"""Who asks: the opponent is of the side that objected, the other one of another; a spectator has joined, a
stranger only knows the address; one was revoked, one has no cookie."""

_PLAYERS = ["Ewa", "Jan", "Ala", "Olek"]
REVOKE = by_cards(WRONG)
_PLAY = {"trump": "H", "hand": ["8H", "AH"], "trick": ["10H"], "card": "8H"}
ASKED = {"game": "derda", "question": "play", **_PLAY}


@dataclass
class Places:
    """What the addresses of a world speak of, by the names that the routes have for them."""

    values: dict[str, str]

    def fill(self, text: str) -> str:
        """A path or a value of a form with these in their places."""
        for name, value in self.values.items():
            text = text.replace(f"<{name}>", value)
        return text


@dataclass
class Begun:
    """A table as it was begun: its database, its number, the secrets of its tokens, and its addresses."""

    database: sqlite3.Connection
    count: int
    secrets: dict[str, str]
    places: Places


class World:
    """An app with a database of its own; `begin` sets the table anew."""

    def __init__(self, database: str | None = None, **settings: Any) -> None:
        usual = {"LIMITS": "off", "SECRET_KEY": "roles" * 8, "TESTING": True, "WTF_CSRF_ENABLED": False}
        self.app: Flask = create_app({"INSTANCE": mkdtemp(), "DATABASE": database, **usual, **settings})
        self._matches: Matches = self.app.extensions["matches"]
        self._build = self._lay_out_offline_app()
        self._file = Path(self.app.instance_path) / "companion.sqlite"
        self._begun: dict[tuple[frozenset[str], bool], Begun] = {}
        self._begins = self._count = 0
        self._secrets: dict[str, str] = {}
        self.places = Places({})

    def begin(self, path: str = "") -> None:
        """New matches, and new people at them; `places` is what is needed to speak of what is in them.

        What was begun before, without files, is put back from a copy of the database.

        :param path: beside the match `<m>` only what this speaks of is made; without it, everything.
        """
        self.app.extensions["counts"].reset()
        parts = {
            "h": self._begin_hands,
            "f": self._begin_followed_hands,
            "d": self._begin_audit_of_draft,
            "a": self._begin_audit,
            "b": self._delete_match,
            "made": self._make_file,
            "file": self._upload_file,
        }
        wanted = frozenset(name for name in parts if not path or f"<{name}>" in path)
        has_tokens = not path or path.startswith("/api/v1")
        if (wanted, has_tokens) in self._begun:
            self._put_back(self._begun[wanted, has_tokens])
            return
        self._begin(has_tokens, {name: parts[name] for name in wanted})
        if wanted.isdisjoint({"made", "file"}) and self._file.exists():
            self._begun[wanted, has_tokens] = self._copy()

    def _copy(self) -> "Begun":
        copy = sqlite3.connect(":memory:", check_same_thread=False)
        with closing(sqlite3.connect(self._file)) as file:
            file.backup(copy)
        return Begun(copy, self._count, self._secrets, self.places)

    def _put_back(self, begun: "Begun") -> None:
        with closing(sqlite3.connect(self._file)) as file:
            begun.database.backup(file)
        # A log that only grows is never behind the caches; this one has lost what was added.
        self._matches._memory = MatchMemory()
        self.app.extensions["fragments"].clear()
        self._count, self._secrets, self.places = begun.count, begun.secrets, begun.places

    def _begin(self, has_tokens: bool, parts: Mapping[str, Callable[[], str]]) -> None:
        self._begins += 1
        self._count = self._begins
        with self.app.app_context():
            values = self._begin_deals()
            values |= {name: make() for name, make in parts.items()}
            values |= {
                "build": self._build,
                "code": self._matches.moves.make_code(self.token("owner")).secret,
            }
            self._secrets = {}
            if has_tokens:
                self._secrets = {role: self._make_token(role) for role in ROLES if role != "nobody"}
            db.session.remove()
        values |= {"version": self.app.extensions["files"].version, "new": f"{self._count:022}"}
        self.places = Places(values)

    def close(self) -> None:
        """Let the database go."""
        with self.app.app_context():
            db.engine.dispose()

    def token(self, role: str) -> str:
        """What the browser of a role is known by at this table; nobody else is it at another."""
        return f"token-of-{role.replace(' ', '-')}-{self._count}"

    def browser(self, role: str) -> FlaskClient:
        """The browser of a role, as it comes to the page; the API sees its token."""
        client = self.app.test_client()
        if role in self._secrets:
            client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {self._secrets[role]}"
        if role != "nobody":
            with self.app.app_context():
                client.set_cookie(COOKIE, sign(self.token(role)), path="/")
        return client

    def _make_token(self, role: str) -> str:
        return self._matches.tokens.make(self.token(role), Role.OWNER, "roles")

    def length(self, id: str) -> int:
        """How long the log of a match is."""
        with self.app.app_context():
            stored = SqlStore().load_match(id)
            return len(stored.events) if stored else 0

    def last_event(self, id: str) -> Event:
        """What was written last in a match."""
        with self.app.app_context():
            return self._matches.open(id).events[-1]

    def state(self, id: str) -> object:
        """All that a request could change of a match: its log, its links and grants."""
        if not id:
            return None
        with self.app.app_context():
            store = SqlStore()
            return store.load_match(id), store.list_links(id), store.list_grants(id)

    def _start(self, game: str, players: int, **conventions: str) -> Match:
        head: dict[str, Any] = {"game": game, "players": _PLAYERS[:players], "first_dealer": "A"}
        if conventions:
            head["conventions"] = conventions
        return self._matches.open(self._matches.start(head, self.token("owner"), fresh_key()))

    def _write(self, id: str, *changes: Any) -> Match:
        for change in changes:
            match = self._matches.open(id)
            self._matches.write(match, change, Submission(match.owner, match.seq, fresh_key()))
        return self._matches.open(id)

    def _begin_deals(self) -> dict[str, str]:
        """Deal 1, objected to by B (event 2); a ruling at it (3), another taken off (4); one undone."""
        match = self._start("derda", 2)
        answer = library.rule(ASKED).plain()
        content = {
            "request": {**ASKED, "conventions": {}},
            "query": [],
            "names": {},
            "ruling": answer,
            "asked": "May the card be played?",
            "said": "No",
            "why": "",
            "rulebook": match.rulebook,
            "match": match.id,
        }
        rulings = [
            self._matches.save_ruling(self.token("owner"), fresh_key(), content) for _number in range(2)
        ]
        attached = [
            {
                "id": ruling.id,
                "question": "q",
                "verdict": "v",
                "why": "",
                "rules": [],
                "rulebook": match.rulebook,
            }
            for ruling in rulings
        ]
        self._write(
            match.id,
            AddEntry(DEAL),
            Object(1, "B", "count"),
            AttachRuling(attached[0], 1),
            AttachRuling(attached[1], 1),
            DetachRuling(4),
            AddEntry(DEAL),
            Undo(),
        )
        return {"m": match.id, "r": rulings[0].id, **self._invite(match)}

    def _begin_hands(self) -> str:
        """A hand that Jan lost, in teams, of which nobody has said who deals next."""
        match = self._start("durak", 4, format="teams-4")
        self._write(match.id, AddEntry({"type": "hand", "loser": "B"}))
        self._invite(match)
        return match.id

    def _begin_followed_hands(self) -> str:
        """A hand that was lost by one of four, so that the next can be followed."""
        match = self._start("durak", 4)
        self._write(match.id, AddEntry({"type": "hand", "loser": "D"}))
        self._invite(match)
        return match.id

    def _begin_audit_of_draft(self) -> str:
        """A deal in progress in which a player revoked, as it fell."""
        match = self._start("derda", 2)
        self._write(match.id, KeepDraft(REVOKE))
        self._invite(match)
        return match.id

    def _begin_audit(self) -> str:
        """The same deal, which stands. No page lets one write this; a match of before may hold it."""
        match = self._start("derda", 2)
        SqlStore().append_event(match.id, 0, Event(0, "add", payload=REVOKE, at="2026"), fresh_key())
        self._invite(match)
        return match.id

    def _delete_match(self) -> str:
        """A match in the owner's trash."""
        match = self._start("derda", 2)
        self._invite(match)
        self._matches.trash.delete(match, self._matches.access(match, match.owner))
        return match.id

    def _make_file(self) -> str:
        """A file that the owner made."""
        store: JobFilesStore = self.app.extensions["job_files"]
        made = store.create("export", self.token("owner"))
        made.write("wanted", {"ids": [], "name": "matches.zip", "at": self._matches.timestamp()})
        made.results.put("made", json.dumps({"size": 0, "count": 0, "left_out": []}).encode())
        made.open("matches.zip").close()
        return made.key

    def _upload_file(self) -> str:
        """A file that the owner uploaded."""
        store: JobFilesStore = self.app.extensions["job_files"]
        file = store.create("import", self.token("owner"))
        file.write("names", [])
        return file.key

    def _lay_out_offline_app(self) -> str:
        """A pocket, of a file that is none: its build."""
        folder = Path(mkdtemp())
        self.app.extensions["offline_folder"] = folder  # whatever was made on this machine
        version = self.app.extensions["files"].version
        return write_offline_app(folder, version, {"app.zip": b"app"}, Path(mkdtemp())).build

    def _invite(self, match: Match) -> dict[str, str]:
        """Everybody joins; the links and grants that addresses speak of."""
        phones, owner = self._matches.invitations, self._matches.access(match, match.owner)
        asked = {
            "pencil": (Role.PENCIL, None),
            "opponent": (Role.OPPONENT, "B"),
            "other opponent": (Role.OPPONENT, "A"),
            "spectator": (Role.SPECTATOR, None),
            "revoked": (Role.PENCIL, "B"),
        }
        values: dict[str, str] = {}
        for role, (given, side) in asked.items():
            made = phones.make_link(match, owner, given, side, False, fresh_key())
            grant = phones.join(made.secret or "", self.token(role), "Android, Chrome")
            values |= {f"grant of {role}": grant.id, f"link of {role}": made.link.id}
        phones.revoke(match, owner, values["grant of revoked"])
        lasting = phones.make_link(match, owner, Role.SPECTATOR, None, False, fresh_key())
        return {**values, "secret": lasting.secret or ""}
