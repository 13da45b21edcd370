"""A server and phones with the offline app at one table; between them only what tests carry."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from itertools import count
from types import SimpleNamespace
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import delete, update
from stores.behind import Behind, list_rows

from companion.matches import AddEntry, Change, Match, Matches, Submission, VisibilityChoice
from companion.offline.conflicts import ConflictGroup, open_groups
from companion.offline.delivery import Delivery
from companion.offline.resolution import MatchConflicts
from companion.record.log import Event
from companion.store import Grant, SavedRuling
from companion.store.memory import MemoryStore
from companion.store.tables import Base, MatchRow, db
from companion.web.offline.arrivals import name_author
from companion.web.shell.security.browser import COOKIE, sign

AT = "2026-11-20T19:00:00.000+00:00"
TOKENS = {
    sha256(f"mark:{token}".encode()).hexdigest()[:12]: token
    for token in ("the browser of Ewa", "the browser of Jan")
}
EWA, JAN = TOKENS
"""Two browsers by their marks, as phones know them; the server knows their tokens."""
_phones = count()
RULING = {"id": "r1", "question": "Who leads?", "verdict": "Ewa.", "why": "", "rules": [], "rulebook": "1"}
HEAD = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}


def deal(a: int, b: int, **more: Any) -> dict[str, Any]:
    return {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": a, "B": b}, **more}


def known_browser(app: Flask, token: str) -> FlaskClient:
    browser = app.test_client()
    with app.app_context():
        browser.set_cookie(COOKIE, sign(token), path="/")
    return browser


def empty(app: Flask) -> None:
    with app.app_context():
        for table in reversed(Base.metadata.sorted_tables):
            db.session.execute(delete(table))
        db.session.commit()


class Clock:
    """Goes on by a minute at every look."""

    def __init__(self) -> None:
        self._minutes = count()

    def __call__(self) -> datetime:
        return datetime(2026, 11, 20, 19, 0, tzinfo=UTC) + timedelta(minutes=next(self._minutes))


class Server:
    """The real server on an empty database, as phones ask it."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self.matches: Matches = app.extensions["matches"]
        self._browsers = {mark: known_browser(app, token) for mark, token in TOKENS.items()}
        self.be_version(app.extensions["files"].version)

    def be_version(self, version: str) -> None:
        self.version = version
        self._app.extensions["files"] = SimpleNamespace(version=version)

    def report(self, who: str, have: Mapping[str, Any], version: str = "") -> dict[str, Any]:
        status, news = self.take(who, "news", {"version": version or self.version, "have": have})
        assert status == 200, news
        return news

    def take(self, who: str, path: str, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """The answer to what a phone sends, which is JSON."""
        headers = {"X-Pocket": "1", "Origin": "http://localhost"}
        answer = self._browsers[who].post(f"/offline/{path}", json=body, headers=headers)
        return answer.status_code, answer.get_json()

    # --- behind it ---

    def list_ids(self) -> list[str]:
        """The matches it has."""
        with self._app.app_context():
            return [*self.matches.server_store.list_ids()]

    def show_log(self, id: str) -> list[tuple[Any, ...]]:
        """A log, but for its times and keys."""
        with self._app.app_context():
            stored = self.matches.store.load_match(id)
            events = stored.events if stored is not None else ()
            return [_show(event, name_author(event.author)) for event in events]

    def visibility(self, id: str) -> str:
        """The visibility of a match; "erased" if there is none."""
        with self._app.app_context():
            return find_visibility(self.matches, id)

    def list_keys(self, id: str, who: str) -> list[str]:
        with self._app.app_context():
            return [*self.matches.server_store.list_keys(id, TOKENS[who], 0).values()]

    def version_of(self, id: str) -> str | None:
        """What its pages about a match are known by."""
        with self._app.app_context():
            return self.matches.invitations.version(id)

    def find_ruling(self, id: str) -> SavedRuling | None:
        with self._app.app_context():
            return self.matches.find_ruling(id)

    def save_ruling(self, who: str) -> SavedRuling:
        with self._app.app_context():
            return self.matches.save_ruling(TOKENS[who], "a form of the server", {"said": "Ewa."})

    def do(self, verb: str, id: str, *words: Any) -> None:
        """Do with a match what a verb of the store does."""
        with self._app.app_context():
            getattr(self.matches.server_store, verb)(id, *words)

    def erase_old(self) -> int:
        """Erase what was in the trash for too long."""
        with self._app.app_context():
            return self.matches.trash.erase_old()

    def forget_choices(self) -> None:
        """Know no time of a choice, as what an earlier version wrote."""
        with self._app.app_context():
            db.session.execute(update(MatchRow).values(visibility_at=None))
            db.session.commit()

    def cut_log(self, id: str, length: int) -> None:
        """Have less than it had, as when it was put back to what it was."""
        with self._app.app_context():
            Behind(self.matches.store).end_log(id, length)

    def give_pencil(self, id: str, who: str, has_pencil: bool) -> None:
        """Let a browser write, or no longer."""
        self.do("give_pencil", id, f"{id}-{who}", has_pencil)

    def join(self, id: str, who: str, side: str | None = None, has_pencil: bool = True) -> None:
        """Let a browser take part."""
        with self._app.app_context():
            if self.matches.open(id).owner != TOKENS[who]:
                grant = Grant(f"{id}-{who}", id, TOKENS[who], side, has_pencil, "", AT)
                self.matches.store.add_grants([grant])


class Phone:
    """A phone with the offline app; it hears of the server only when it is told to."""

    def __init__(self, server: Server, me: str, clock: Clock, first_key: int = 1) -> None:
        self.server, self.me, self.version, self._clock = server, me, server.version, clock
        self._seed = sha256(f"phone {next(_phones)}".encode()).hexdigest()
        self.store = MemoryStore(has_server=True)
        self.start()
        self._keys = count(first_key)

    def hear(self) -> None:
        while True:
            news = self.server.report(self.me, self.delivery.have())
            self.delivery.take_news(news)
            if not news["more"]:
                return

    def send(self, is_answer_lost: bool = False) -> list[int]:
        """Deliver what there is, until there is no more, or an answer is lost; what was answered."""
        answered = []
        while (sent := self.delivery.next()) is not None:
            status, answer = self.server.take(self.me, sent["path"], sent["body"])
            answered.append(status)
            if is_answer_lost:
                self.delivery.take_answer(sent["id"], 0)
                return answered
            if not self.delivery.take_answer(sent["id"], status, answer):
                break
        return answered

    def meet(self) -> None:
        """Be in the network until both know all."""
        for _n in range(20):
            self.hear()
            self.send()
            if not self.delivery.count_unsent() or self.delivery.is_outdated:
                break
        self.hear()

    def begin(self, **head: Any) -> str:
        return self.matches.start({**HEAD, **head}, self.me, f"{self.me} begins {next(self._keys)}")

    def record(self, id: str, *changes: Change | Mapping[str, Any]) -> Match:
        """Write changes, or entries, as the pages do."""
        match = self.matches.open(id)
        for item in changes:
            change = AddEntry(item) if isinstance(item, Mapping) else item
            key = f"{self.me} writes {next(self._keys)}"
            match = self.matches.write(match, change, Submission(self.me, match.seq, key))
        return match

    def log(self, id: str) -> list[tuple[Any, ...]]:
        """The log in this phone, but for its times."""
        return show_log(self.store, id)

    def choose(self, id: str, choice: VisibilityChoice) -> None:
        """Archive, delete, erase or bring back, as the pages do."""
        trash, now = self.matches.trash, self.visibility(id)
        if choice == "erased":
            trash.erase(id, self.me)
        elif now == "deleted":
            trash.bring_back(id, self.me)
        else:
            match = self.matches.open(id)
            verb = {"listed": trash.take_out, "archived": trash.put_away, "deleted": trash.delete}[choice]
            verb(match, self.matches.access(match, self.me))

    def visibility(self, id: str) -> str:
        """The visibility of a match in this phone; "erased" if there is none."""
        return find_visibility(self.matches, id)

    def conflicts(self, id: str) -> MatchConflicts:
        return MatchConflicts(self.store, id)

    def open_groups(self, id: str) -> list[ConflictGroup]:
        return list(open_groups(self.conflicts(id).conflicts))

    def decide(self, id: str, *choices: Any) -> None:
        """Choose for each in turn."""
        for choice in choices:
            conflicts = self.conflicts(id)
            conflicts.resolve(next(open_groups(conflicts.conflicts)), choice)

    def restart(self, version: str = "") -> None:
        """Be started anew of what was kept, perhaps as another version."""
        self.version = version or self.version
        self.store.tables.restore(list_rows(self.store.tables))
        self.start()

    def start(self) -> None:
        """Be what the store makes of it."""
        self.matches = Matches(self.store, seed=self._seed, now=self._clock)
        self.delivery = Delivery(self.store, self.version, self.me)


def find_visibility(matches: Matches, id: str) -> str:
    stored = matches.store.load_match(id)
    owner = stored.owner if stored is not None else ""
    lists = {"archived": matches.store.list_put_away(owner), "deleted": matches.store.list_deleted(owner)}
    hidden = next((name for name, listed in lists.items() if id in [match.id for match in listed]), None)
    if hidden is None and stored is not None and stored.deleted_at is None:
        return "listed"
    return hidden or "erased"


def collide(ewa: Phone, jan: Phone, match: str, mine: Sequence[Any], theirs: Sequence[Any]) -> None:
    """Both write without network; the other one is in it first."""
    ewa.record(match, *mine)
    jan.record(match, *theirs)
    jan.meet()
    ewa.meet()


def show_log(store: MemoryStore, id: str) -> list[tuple[Any, ...]]:
    """The log in a phone, but for its times and keys."""
    row = store.tables.matches.get(id)
    return [] if row is None else [_show(event, event.author) for event in row.events]


def kinds(log: list[tuple[Any, ...]]) -> list[str]:
    """What the events of a log did."""
    return [item[0] for item in log]


def contents(phone: Phone, match: str) -> list[Any]:
    """What the deals say that count."""
    return [entry.payload["totals"]["A"] for entry in phone.matches.open(match).standing_entries]


def kinds_of(phone: Phone, match: str) -> list[str]:
    return [item[0] for item in phone.log(match)]


def _show(event: Event, author: str) -> tuple[Any, ...]:
    return event.kind, event.entry, event.payload, event.undoes, author
