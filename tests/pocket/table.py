"""A server and phones with a pocket at one table, without a network between them but what tests carry."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

from companion.matches import Change, Match, Matches, NotTheWriter, Submission
from companion.matches.arrivals import read_change
from companion.matches.changes import AddEntry
from companion.pocket.apart import Group, open_groups
from companion.pocket.deciding import Apart
from companion.pocket.delivery import Delivery
from companion.record.log import Event
from companion.rules.errors import Unreadable
from companion.rules.ruling import RuleViolation
from companion.store import Grant, SavedRuling, StaleWrite, StoredMatch
from companion.store.memory import MemoryStore

VERSION = "1"
EWA, JAN = "ewa", "jan"
"""Two browsers; the server knows them by their marks, as phones do."""
HEAD = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}


def deal(a: int, b: int, **more: Any) -> dict[str, Any]:
    return {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": a, "B": b}, **more}


class Clock:
    """Goes on by a minute at every look."""

    def __init__(self) -> None:
        self._minutes = count()

    def __call__(self) -> datetime:
        return datetime(2026, 11, 20, 19, 0, tzinfo=UTC) + timedelta(minutes=next(self._minutes))


class Server:
    """What the addresses of the server answer, in the plainest way."""

    def __init__(self, clock: Clock) -> None:
        self.store = MemoryStore()
        self.matches = Matches(self.store, "secret", clock)
        self.version = VERSION
        self.most = 1000
        self.gone: set[str] = set()
        self.writers_only = True

    def tell(self, who: str, have: Mapping[str, Any]) -> dict[str, Any]:
        """The news for a browser."""
        told, room = [], self.most
        for id, row in self.store.tables.matches.items():
            grant = self.store.find_grant(id, who)
            is_in = (row.owner == who or grant is not None) and id not in self.gone
            length, access = have.get(id, (0, None))
            if not is_in or [length, access] == [len(row.events), row.access]:
                continue
            start = min(length, len(row.events))
            shown = [
                {
                    "kind": event.kind,
                    "entry": event.entry,
                    "payload": event.payload,
                    "author": event.author,
                    "at": event.at,
                    "undoes": event.undoes,
                    "arrived": event.arrived or None,
                    "key": key,
                }
                for event, key in zip(row.events, row.form_keys, strict=True)
            ][start : start + room]
            room -= len(shown)
            told.append(
                {
                    "id": id,
                    "owner": row.owner,
                    "head": dict(row.head),
                    "created_at": row.created_at,
                    "changed_at": row.changed_at,
                    "rulebook": row.rulebook,
                    "put_away_at": row.put_away_at,
                    "access": row.access,
                    "grant": None if grant is None else {"side": grant.side, "has_pencil": grant.has_pencil},
                    "from": start,
                    "events": shown,
                }
            )
            if room <= 0:
                break
        matches = self.store.tables.matches
        mine = {id for id, row in matches.items() if row.owner == who or self.store.find_grant(id, who)}
        rulings = [one for one in self.store.tables.rulings.values() if one.owner == who]
        return {
            "version": self.version,
            "me": who,
            "seed": "00",
            "token": "token",
            "more": room <= 0,
            "matches": told,
            "gone": [id for id in have if id not in mine - self.gone],
            "rulings": [{"id": one.id, "at": one.at, "content": one.content} for one in rulings],
        }

    def take(self, who: str, path: str, body: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """The answer to a delivery."""
        if body["version"] != self.version:
            return 426, {"version": self.version}
        if path == "pocket":
            return 200, self.tell(who, body["have"])
        if path == "pocket/rulings":
            for one in body["rulings"]:
                self.store.save_ruling(SavedRuling(one["id"], who, one["at"], one["content"]))
            return 200, {"taken": len(body["rulings"])}
        id = path.split("/")[-2]
        if id in self.gone:
            return 410, {}
        if body["start"]:
            start = body["start"]
            self.store.create_match(StoredMatch(id, who, start["head"], (), start["at"], ""))
        if id not in self.store.tables.matches:
            return 404, {}
        return self._take_events(who, id, body["expected"], body["events"])

    def _take_events(
        self, who: str, id: str, expected: int, events: list[dict[str, Any]]
    ) -> tuple[int, dict[str, Any]]:
        for n, one in enumerate(events):
            row, match = self.store.tables.matches[id], self.matches.open(id)
            if len(row.events) > expected + n and row.form_keys[expected + n] == one["key"]:
                continue
            if len(row.events) != expected + n:
                return 409, self._say_what_stands(id, expected, n)
            event = Event(0, one["kind"], one["entry"], one["payload"], undoes=one["undoes"])
            try:
                # A stale one is stale, whatever else is wrong with it.
                change = read_change(match, event)
                self.matches.write(match, change, Submission(who, expected + n, one["key"], one["at"]))
            except StaleWrite:
                return 409, self._say_what_stands(id, expected, n)
            except NotTheWriter:
                return 403, {"taken": n, "length": len(row.events)}
            except (Unreadable, RuleViolation, LookupError) as error:
                return 422, {"taken": n, "length": len(row.events), "problem": str(error)}
        return 200, {"taken": len(events), "length": len(self.store.tables.matches[id].events)}

    def _say_what_stands(self, id: str, expected: int, taken: int) -> dict[str, Any]:
        row = self.store.tables.matches[id]
        shown = [
            {
                "kind": event.kind,
                "entry": event.entry,
                "payload": event.payload,
                "author": event.author,
                "at": event.at,
                "undoes": event.undoes,
                "arrived": event.arrived or None,
                "key": key,
            }
            for event, key in zip(row.events, row.form_keys, strict=True)
        ]
        return {"taken": taken, "length": len(row.events), "stands": shown[expected + taken :]}

    def list_ids(self) -> list[str]:
        """The matches it has."""
        return sorted(self.store.tables.matches)

    def show_log(self, id: str) -> list[tuple[Any, ...]]:
        """A log, but for its times."""
        return show_log(self.store, id) if id in self.store.tables.matches else []

    def give_pencil(self, id: str, who: str, has_pencil: bool) -> None:
        """Let a browser write, or no longer."""
        self.store.give_pencil(id, f"{id}-{who}", has_pencil)

    def join(self, id: str, who: str, side: str | None = None, has_pencil: bool = True) -> None:
        """Let a browser take part."""
        if self.store.tables.matches[id].owner == who:
            return
        self.store.add_grants([Grant(f"{id}-{who}", id, who, side, has_pencil, "", "")])


class Phone:
    """A phone with a pocket; it hears of the server only when it is told to."""

    def __init__(self, server: Server, me: str, clock: Clock, first_key: int = 1) -> None:
        self.server, self.me, self._clock = server, me, clock
        self.store = MemoryStore()
        self.start()
        self._keys = count(first_key)

    def hear(self) -> None:
        """Fetch all the news."""
        while True:
            news = self.server.tell(self.me, self.delivery.have())
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
            if not self.delivery.unsent() or self.delivery.is_outdated:
                break
        self.hear()

    def begin(self, **head: Any) -> str:
        """Begin a match."""
        return self.matches.start({**HEAD, **head}, self.me, f"{self.me} begins {next(self._keys)}")

    def record(self, id: str, *changes: Change | Mapping[str, Any]) -> Match:
        """Write changes, or entries, as the pages do."""
        match = self.matches.open(id)
        for one in changes:
            change = AddEntry(one) if isinstance(one, Mapping) else one
            key = f"{self.me} writes {next(self._keys)}"
            match = self.matches.write(match, change, Submission(self.me, match.seq, key))
        return match

    def log(self, id: str) -> list[tuple[Any, ...]]:
        """The log in this phone, but for its times."""
        return show_log(self.store, id)

    def apart(self, id: str) -> Apart:
        """What was set aside of a match."""
        return Apart(self.store, id)

    def open_groups(self, id: str) -> list[Group]:
        """What is to be decided of it."""
        return list(open_groups(self.apart(id).collisions))

    def decide(self, id: str, *choices: Any) -> None:
        """Choose for each in turn."""
        for choice in choices:
            apart = self.apart(id)
            apart.decide(next(open_groups(apart.collisions)), choice)

    def restart(self) -> None:
        """Be started anew of what was kept."""
        self.store.restore(self.store.tables.list_rows())
        self.start()

    def start(self) -> None:
        """Be what the store makes of it."""
        self.matches = Matches(self.store, seed="00" * 32, now=self._clock)
        self.delivery = Delivery(self.store, VERSION, self.me)


def show_log(store: MemoryStore, id: str) -> list[tuple[Any, ...]]:
    """A log without its times."""
    row = store.tables.matches[id]
    return [
        (event.kind, event.entry, event.payload, event.undoes, event.author, key)
        for event, key in zip(row.events, row.form_keys, strict=True)
    ]
