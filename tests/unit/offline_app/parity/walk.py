"""A walk through the whole app, as a browser takes it: the same on a server and in a phone, step by step.

Entries come from matches that were played, by way of the forms in which they are corrected; so each is
recorded as a player records it, whatever its game. Nothing here is a server's: it runs in a phone's Python.
"""

import re
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode, urlsplit

from companion import library
from companion.matches import AddEntry, KeepDraft, Matches, Role, Submission
from companion.record.log import Event
from companion.store import Grant, StoredMatch
from companion.web.shell.hosts import Host

from .http import Answer, Pairs, Sender
from .meant import is_about_itself, waits
from .plain import Names, Step
from .reading import FilledPage, fill

NAMES = ("Ewa", "Wawrzyniec", "Ala", "Konstantynopolitańczykiewicz", "Zoë", "Олекса")
RECORDED = {"deal": "deal", "hand": "hand"}
"""The page on which an entry of a type is recorded; all others are on *More*."""
OF_A_MATCH = (
    "", "/turned", "/big", "/history", "/picture.svg", "/sheet", "/names", "/more", "/give", "/ask",
    "/ask/audit", "/news?since=0.0", "/news?since=1.0&role=spectator", "/code.svg", "/deal",
    "/deal?mode=count", "/deal?mode=totals", "/deal?mode=cards", "/enough", "/audit", "/hand", "/hand/follow",
    "/export", "/record.json", "/table.csv",
)  # fmt: skip


@dataclass(frozen=True)
class Table:
    """A game as it is played by some people, with the entries of a match of theirs."""

    game: str
    seating: str
    preset: str
    players: int
    conventions: Mapping[str, Any]
    entries: tuple[Mapping[str, Any], ...]


class Clock:
    """A clock that goes on by a minute with every request."""

    def __init__(self) -> None:
        self._now = datetime(2025, 3, 1, 18, 0, 0, 250_000, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self._now

    def go_on(self) -> None:
        self._now += timedelta(minutes=1)


@dataclass
class Walker:
    """Somebody who walks through an app, and writes down what it answers."""

    app: Any
    browser: Sender
    matches: Matches
    clock: Clock
    me: str
    section: str
    names: Names = field(default_factory=Names)
    steps: list[Step] = field(default_factory=list)
    _keys: int = 0
    _token: str = ""
    _seen: set[str] = field(default_factory=set)

    # --- single requests --------------------------------------------------------------------------

    def get(self, path: str, **headers: str) -> Answer:
        return self._send("GET", path, None, headers)

    def post(self, path: str, form: Pairs, **headers: str) -> Answer:
        """A form; its key is the walk's own, so that ids are the same in all walks, its token the latest."""
        self._keys += 1
        fresh = {"form_key": f"{self.section} {self._keys}", "csrf_token": self._token}
        sent = [(name, fresh.get(name, value)) for name, value in form]
        return self._send("POST", path, sent, headers)

    def read(self, path: str) -> FilledPage:
        return FilledPage(path, self.get(path).text)

    def submit(self, page: str, action: str, button: str = "", **typed: str) -> Answer | None:
        """Send the form of a page that posts to `action`, if it has one."""
        form = self.read(page).find(action, button)
        if form is None:
            return None
        named = [pair for pair in form.buttons if pair[1] == button][:1]
        query = f"?{urlencode(form.query)}" if form.query else ""
        return self.post(action + query, [*fill(form, **typed), *named])

    def _send(self, method: str, path: str, form: Pairs | None, headers: Mapping[str, str]) -> Answer:
        self.clock.go_on()
        answer = self.browser.send(
            method, path, form, {name.replace("_", "-"): header for name, header in headers.items()}
        )
        self.steps.append(self.names.step(method, path, answer))
        token = re.search(r'name="csrf_token"[^>]*value="([^"]*)"', answer.text)
        self._token = token[1] if token else self._token
        return answer

    # --- a match ----------------------------------------------------------------------------------

    def begin(self, table: Table, lang: str) -> str:
        query = urlencode({"game": table.game, "preset": table.preset, "table": table.seating})
        page = self.read(f"/{lang}/new?{query}")
        form = page.forms["new"]
        seats = "ABCDEF"[: table.players]
        typed = {f"name-{seat}": name for seat, name in zip(seats, NAMES, strict=False)}
        typed |= {"dealer": "A"}
        for name, value in table.conventions.items():
            word = str(value).lower() if isinstance(value, bool) else str(value)
            if f"rule-{name}" in dict(form.form) or any(value == f"rule-{name}" for value, _ in form.choices):
                typed[f"rule-{name}"] = word
        answer = self.post(f"/{lang}/new", fill(form, **typed))
        assert answer.status == 303, answer.text
        return urlsplit(answer.headers["Location"]).path

    def play(self, table: Table, lang: str) -> tuple[str, int]:
        """Play a match to its end, every entry by its form; its address, and how many were recorded so."""
        source, target = self.write_match(table), self.begin(table, lang)
        recorded = 0
        for id, entry in enumerate(table.entries, 1):
            recorded += self._record(entry, f"/{lang}/m/{source}/entries/{id}", target)
            if id % 3 == 1:
                self.look_at(target, ("", "/turned", "/big", "/news?since=1.0"))
        return target, recorded

    def write_match(self, table: Table, owner: str = "") -> str:
        """A match that has its entries already, and by no form; its id."""
        self._keys += 1
        id = (
            urlsafe_b64encode(sha256(f"{self.section} {self._keys}".encode()).digest()[:16])
            .decode()
            .rstrip("=")
        )
        head = {
            "game": table.game,
            "preset": table.preset,
            "conventions": dict(table.conventions),
            "players": list(NAMES[: table.players]),
            "first_dealer": "A",
            "started": "2025-03-01T19:00:00+01:00",
        }
        who, at = owner or self.me, self.matches.timestamp()
        with self.app.app_context():
            version = library.read_rulebook(table.game).version
            self.matches.store.create_match(StoredMatch(id, who, head, (), at, version))
            for n, entry in enumerate(table.entries):
                match = self.matches.open(id)
                self.matches.write(match, AddEntry(dict(entry)), Submission(who, n, f"{id}-{n}"))
        return id

    def be_joined(self, id: str, role: Role, side: str | None) -> None:
        """Let this browser take part in a match of another's."""
        grant = Grant(
            sha256(id.encode()).hexdigest()[:16],
            id,
            self.me,
            side,
            role is Role.PENCIL,
            "Android, Chrome",
            self.matches.timestamp(),
        )
        with self.app.app_context():
            self.matches.store.add_grants([grant])
        self.names.add(grant.id, f"GRANT-{role}-{side}")

    def add_unasked(self, id: str, entry: Mapping[str, Any]) -> None:
        """Put an entry at the end of a match that no page would let one write today; an older one did."""
        with self.app.app_context():
            match = self.matches.open(id)
            at = self.matches.timestamp()
            event = Event(0, "add", payload=dict(entry), author=match.owner, at=at)
            self.matches.store.append_event(id, match.seq, event, f"{id} {match.seq}")

    def keep_draft(self, id: str, draft: Mapping[str, Any]) -> None:
        with self.app.app_context():
            match = self.matches.open(id)
            sent = Submission(match.owner, match.seq, f"{id} {match.seq}")
            self.matches.write(match, KeepDraft(dict(draft)), sent)

    def settle(self, match: str) -> None:
        """Have the deals of a match audited, and corrected by what the audit says."""
        for page in (f"{match}/audit", f"{match}/entries/1/audit"):
            self.get(page)
            self.get(f"{page}?made.A=84&made.B=60")
            self.get(f"{page}?made.A=eighty")
            self.post(page, self._carried(match))
        self.look_at(
            match,
            (
                "",
                "/entries/1",
                "/entries/1/replay",
                "/entries/1/replay?trick=all",
                "/ask/audit",
                "/deal",
                "/history",
                "/sheet",
            ),
        )

    def _length(self, match: str) -> int:
        """How long the log of a match is."""
        with self.app.app_context():
            return self.matches.open(match.rsplit("/", 1)[1]).seq

    def _record(self, entry: Mapping[str, Any], source: str, target: str) -> int:
        """Record an entry in a match by the form in which another match corrects it."""
        editing = self.read(f"{source}?edit=1").find(source)
        kind = str(entry["type"])
        action = f"{target}/{RECORDED.get(kind, f'more/{kind}')}"
        page = action if kind in RECORDED else f"{target}/more?open={kind}"
        fresh = self.read(page).find(action)
        if editing is None or fresh is None:
            return 0
        carried = {name: value for name, value in fresh.form if name in ("form_key", "seq", "csrf_token")}
        sent = fill(editing, **carried)
        if kind == "hand":  # that one was followed bout by bout, this one is told when it is over
            sent = [(name, value) for name, value in sent if name != "walked_after"]
        if kind == "deal":
            self.post(f"{target}/deal/preview", [*sent, ("do", "preview")])
        return int(self.post(action, [*sent, ("do", "save")]).status == 303)

    def look_at(self, match: str, paths: Iterable[str] = OF_A_MATCH) -> None:
        """Look at pages of a match; at its board again, too, as a page asks that follows it."""
        for path in paths:
            self.get(match + path)
        board = self.get(match)
        seen = re.search(r'data-seen="([^"]*)"', board.text)
        for age in ("0.0", seen[1] if seen else ""):
            self.get(match, X_Seen=age)

    def dispute(self, match: str) -> None:
        """Agree to an entry, object to it, take that back, ask about it, and put the answer at the match."""
        entry = f"{match}/entries/1"
        self.submit(entry, f"{entry}/agree") or self.post(f"{entry}/agree", self._carried(match, side="A"))
        self.get(f"{entry}/object")
        self.post(f"{entry}/object", self._carried(match, side="Q", reason="none", text="x" * 400))
        self.post(f"{entry}/object", self._carried(match, side="B", reason="other", text="who knows"))
        self.look_at(match, ("", "/entries/1", "/history", "/turned", "/sheet"))
        seq = self._length(match)
        self.post(f"{match}/objections/{seq}/withdraw", self._carried(match))
        self.look_at(match, ("/entries/1", "/history"))

    def attach_rulings(self, match: str, asked: Mapping[str, list[str]]) -> None:
        """Ask what is asked in a match, save the answer, take it off again and put it back."""
        for question, queries in asked.items():
            for query in queries[:1]:
                page = f"{match}/ask/{question}"
                self.get(f"{page}?{query}")
                stored = self.post(f"{page}/keep?{query}", self._carried(match, attach="1"))
                if stored.status != 303:
                    continue
                seq = self._length(match)
                self.get(urlsplit(stored.headers["Location"]).path)
                self.get(urlsplit(stored.headers["Location"]).path + "/code.svg")
                self.get(match)
                self.post(f"{match}/rulings/{seq}/off", self._carried(match))
                self.post(f"{match}/rulings/{seq}/restore", self._carried(match))

    def correct(self, match: str) -> None:
        """Correct an entry, withdraw it, restore it, take that back, put it back; send what is wrong, too."""
        entry = f"{match}/entries/1"
        self.submit(f"{entry}?edit=1", entry, note="said again")
        self.look_at(match, ("", "/entries/1", "/history"))
        for do in ("withdraw", "restore", "withdraw"):
            self.post(entry, self._carried(match, do=do))
            self.look_at(match, ("", "/entries/1", "/entries/1?edit=1", "/history"))
        for path in ("undo", "undo", "put-back", "undo", "put-back"):
            self.post(f"{match}/{path}", self._carried(match))
            self.get(match)
        for dealer in ("Q", "B"):
            self.submit(f"{match}/dealer", f"{match}/dealer", dealer=dealer)
        forgotten = f"{match}/entries/1/before"
        self.get(forgotten)
        self.post(forgotten, self._carried(match, do="save"))
        self.post(
            forgotten,
            self._carried(match, do="save", bid="A:H", counting="totals", total_A="82", total_B="80"),
        )
        self.look_at(match, ("", "/history"))
        stale = [pair if pair[0] != "seq" else ("seq", "0") for pair in self._carried(match)]
        self.post(f"{match}/undo", stale)
        self.post(f"{match}/undo", [("csrf_token", "")])
        self.post(f"{match}/more/adjust", self._carried(match, side="A", points="wrong", reason=""))
        self.post(f"{match}/more/adjust", self._carried(match, side="A", points="-20", reason="zażółć"))
        self.post(f"{match}/more/concede", self._carried(match, side="Q"))

    def send_wrong_entries(self, match: str) -> None:
        """What no entry is: an empty form, one that breaks rules, one for later."""
        for path, typed in (
            ("deal", {"do": "save"}),
            ("deal", {"do": "save", "bid": "A:H", "counting": "totals", "total_A": "1", "total_B": "2"}),
            ("deal", {"do": "draft", "bid": "A:H", "counting": "totals", "total_A": "80"}),
            ("deal", {"do": "save", "bid": "A:H", "counting": "totals", "total_A": "eighty"}),
            ("deal/preview", {"bid": "A:H", "counting": "totals", "total_A": "80"}),
            ("enough", {"do": "save"}),
            ("audit", {"do": "save"}),
            ("hand", {"result": ""}),
            ("hand", {"result": "Z"}),
            ("hand/dealer", {"deals": "B"}),
            ("hand/follow", {"do": "beaten-off"}),
            ("hand/follow", {"trump": "H"}),
        ):
            self.post(f"{match}/{path}", self._carried(match, **typed))
        self.look_at(match, ("", "/deal", "/enough", "/audit", "/hand/follow", "/history"))

    def rename(self, match: str) -> None:
        """Correct the names and the place; wrongly, too."""
        page, action = f"{match}/names", f"{match}/names"
        self.submit(page, action, **{"name-A": "", "name-B": "Ewa"})
        self.submit(page, action, **{"name-A": "Żaneta", "place": "Zakątek"})
        self.look_at(match, ("", "/history", "/names", "/sheet"))

    def play_evening(self, match: str) -> str:
        """Play on: a game after this one, its pages, and those of the evening."""
        answer = self.post(f"{match}/rematch", self._carried(match))
        if answer.status != 303:
            return match
        next_one = urlsplit(answer.headers["Location"]).path
        self.look_at(next_one)
        self.look_at(match, ("", "/sheet", "/history"))
        return next_one

    def _carried(self, match: str, **typed: str) -> Pairs:
        """What a form carries that was made just now."""
        seq = str(self._length(match))
        return [("csrf_token", ""), ("form_key", ""), ("seq", seq), *typed.items()]

    # --- everything that is linked ----------------------------------------------------------------

    def follow_links(self, start: str, most: int = 10**6, again: int = 2) -> None:
        """Go wherever links lead that every host has, and ask what forms ask that look something up.

        An address is looked at once, and with no more than so many queries.
        """
        left, queries = [start], dict[str, int]()
        while left and most > 0:
            path = left.pop(0)
            bare = urlsplit(path).path
            if path in self._seen or (path != bare and queries.get(bare, 0) >= again):
                continue
            queries[bare] = queries.get(bare, 0) + (path != bare)
            self._seen.add(path)
            most -= 1
            answer = self.get(path)
            is_page = answer.headers.get("Content-Type", "").startswith("text/html")
            if not is_page:
                continue
            left += [way for way in self._find_ways(path, answer) if way not in self._seen]

    def _find_ways(self, path: str, answer: Answer) -> Iterator[str]:
        page = FilledPage(path, answer.text)
        looking = [form for form in page.forms.values() if form.method == "GET"]
        for way in [*page.links, *looking]:
            pairs = way.query + way.form
            is_everywhere = not waits(way.path) and not is_about_itself(way.path, Host.ALONE)
            if way.path.startswith("/") and not way.path.startswith("/static/") and is_everywhere:
                yield f"{way.path}?{urlencode(pairs)}" if pairs else way.path


def list_tables(records: Iterable[Mapping[str, Any]]) -> list[Table]:
    """A table for each number of players of every game, and one more for each of these records."""
    records = list(records)
    tables = [
        Table(
            record["game"],
            library.seating(record["game"], record.get("conventions", {}), len(record["players"])).name,
            record.get("preset", next(iter(library.read_rulebook(record["game"]).presets))),
            len(record["players"]),
            record.get("conventions") or {},
            tuple(record["entries"]),
        )
        for record in records
    ]
    seated = {(table.game, table.seating) for table in tables}
    for game in library.names():
        for seating in library.seatings(game):
            if (game, seating.name) not in seated:
                preset = next(iter(library.read_rulebook(game).presets))
                entries = tuple(_lose_hand(item, seating.partnerships) for item in ("B", None, "A"))
                tables.append(
                    Table(game, seating.name, preset, seating.players, dict(seating.conventions), entries)
                )
    return tables


def _lose_hand(loser: str | None, in_teams: bool) -> Mapping[str, Any]:
    """A hand that a player or a team lost, of which somebody deals next."""
    return {"type": "hand", "loser": loser, **({"deals": loser} if in_teams and loser else {})}
