"""Sends requests to the app, in process: right ones with one or two things wrong in them."""

import re
import traceback
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from io import BytesIO
from random import Random
from typing import Any
from urllib.parse import quote, unquote_to_bytes, urlencode

from derda import RECORD
from flask import Flask, request, request_started
from werkzeug.test import EnvironBuilder, run_wsgi_app

from companion import library
from companion.archives.giving import pack
from companion.i18n import LANGUAGES
from companion.store.tables import db
from companion.web.rulings import query_of
from companion.web.shell.security.browser import ARCHIVED, COOKIE, sign

from .faults import Failure, FaultHandler
from .pages import PageReader, SentForm
from .programs import Programs
from .seeds import OWNER, Seeder, ruling_requests
from .values import BYTES, COOKIES, HEADERS, NAMES, NUMBERS, TEXTS, TYPES
from .witness import Witness

ROUND = 1500
"""Requests that are sent to the same matches."""
GAMES = ("durak", "derda", "", "", "")
"""The matches of a round; some are of any game."""
QUESTIONS = 8
"""Questions of the cases that are asked in a round."""
MAX_FORMS = 900
"""Requests to choose from; when there are more, some are forgotten."""
PHONES = ("pencil", "side-A", "side-B", "spectator", "revoked", "stranger")
"""Who is at the table beside the owner."""
RECORDING = ("/deal", "/enough", "/hand", "/follow", "/agree", "/object", "/withdraw", "/pencil", "/links")
"""Where most is tapped and typed."""
FORM = "application/x-www-form-urlencoded"
_FACTS: tuple[dict[str, Any], ...] = (
    {},
    {"id": "x" * 22},
    {"id": "\0"},
    {"follows": "\0"},
    {"players": 7},
    {"log": [{}]},
)
LINKS = [pack({}, RECORD | facts) for facts in _FACTS]
"""Matches that come by a link, right and wrong ones."""
_SLOW = re.compile(r"\.pdf$|/ask/[^/]*/?claim")
_LONG = re.compile(r"^/\w\w/rules")
"""Pages that are long and ask for little."""
_ID = re.compile(r"^/\w\w/m/([^/]+)")


@dataclass
class Trial:
    """A run of requests against one app, the same for the same seed but for the ids of matches."""

    app: Flask
    seed: int
    statuses: Counter[int] = field(default_factory=Counter)
    endpoints: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    share_of_programs: float = 0.2
    programs: Counter[int] = field(default_factory=Counter)
    """How what phones brought was answered."""

    def __post_init__(self) -> None:
        self._random = Random(self.seed)
        self._questions = ruling_requests()
        self._faults: list[str] = []
        self._forms: list[SentForm] = []
        self._values: dict[str, list[str]] = {}
        self._ids: list[str] = []
        self._given: dict[str, list[str]] = {}
        self._witness, self._programs = Witness(self.app), Programs(self.app, self._random, PHONES)
        self.app.logger.handlers = [FaultHandler(self._faults)]
        self.app.logger.propagate = False
        request_started.connect(self._note_endpoint, self.app)
        with self.app.app_context():
            self._seeder = Seeder(self.app, self._random)
            self._cookies = {who: sign(who) for who in (OWNER, *PHONES)}
        self._tokens = {cookie: who for who, cookie in self._cookies.items()}

    @property
    def count(self) -> int:
        return sum(self.statuses.values())

    def run(self, count: int, most_failures: int = 20) -> None:
        """Send so many requests; stop when so many of them have failed."""
        while self.count < count and len(self.failures) < most_failures:
            self._begin_round()
            for _n in range(min(ROUND, count - self.count)):
                self._send_any()
            self._witness.check_all()
            self._report("")

    @property
    def written(self) -> dict[str, int]:
        """How many events of each kind the requests wrote."""
        return self._witness.counts

    @property
    def unreached(self) -> list[str]:
        """The pages that no request came to."""
        return sorted({*self.app.view_functions} - {*self.endpoints})

    def _note_endpoint(self, _sender: Flask, **_more: Any) -> None:
        self.endpoints[request.endpoint or ""] += 1

    # --- what is right -----------------------------------------------------------------------------

    def _begin_round(self) -> None:
        """New matches, and all that the pages lead to, two links deep."""
        with self.app.app_context():
            self._ids = [self._seeder.write_match(game) for game in GAMES]
            self._given = {"secret": [self._seeder.make_code()], "link": ["none"], "grant": ["none"]}
            for id in self._ids:
                for name, values in self._seeder.invite(id).items():
                    self._given[name] += values
                self._seeder.speak(id)
            db.session.remove()
        self._witness.ids = self._ids
        self._forms = [*self._every_question()]
        for item in self._every_rule():
            self._forms.append(item)
            if not _SLOW.search(item.path):
                self._send(item.method, quote(item.path), b"", urlencode(item.form).encode(), FORM)
        seen: set[str] = set()
        lang = self._random.choice([*LANGUAGES])
        waiting = [SentForm("GET", f"/{lang}/{path}") for path in ("", "new", "rules", "ask", "browser")]
        waiting += [SentForm("GET", f"/{lang}/m/{id}") for id in self._ids]
        for depth in range(3):
            found = []
            for link in waiting:
                key = re.sub(r"/entries/\d+", "/entries/n", link.path)
                if key in seen or link.path.startswith("/static"):
                    continue
                seen.add(key)
                self._forms.append(link)
                if depth < 2 and not _SLOW.search(link.path) and self._random.random() < (1, 0.5)[depth]:
                    found += self._read_page(link)
            waiting = found
        for id in self._ids:
            self._look_around(id)
        self._random.shuffle(self._forms)

    def _look_around(self, id: str) -> None:
        """What the pages of a match let each of the others send."""
        self._forms += [SentForm("POST", f"/en/join/{secret}") for secret in self._given["secret"]]
        for who in PHONES:
            for path in ("", "/phones", "/entries/1/object", "/history"):
                address = f"/en/m/{id}{path}"
                cookies = {COOKIE: self._cookies[who]}
                status, text, _headers = self._send("GET", address, cookies=cookies)
                if status == 200:
                    self._learn_forms(address, text, 2)

    def _every_rule(self) -> Iterator[SentForm]:
        """Each address there is, as it would be for something that exists."""
        addresses = self.app.url_map.bind("")
        for rule in self.app.url_map.iter_rules():
            for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} & (rule.methods or set()):
                values = {
                    "lang": "en",
                    "id": self._random.choice(self._ids),
                    "entry": self._random.randrange(1, 4),
                    "later": self._random.randrange(1, 4),
                    "event": self._random.randrange(1, 4),
                    "mark": "0" * 12,
                    "key": "x" * 22,
                    "kind": self._random.choice(["adjust", "concede", "pencil", "touch", "finish", "dive"]),
                    "game": self._random.choice(library.names()),
                    "question": self._random.choice(["play", "auction", "count", "beat", "attack"]),
                    "theme": "dark",
                    "filename": "icon.svg",
                    "version": "0",
                    "build": "0",
                    "name": "icon.svg",
                    "seq": self._random.randrange(1, 9),
                    "subject": "question",
                    "token": "x" * 12,
                    **{name: self._random.choice(values) for name, values in self._given.items()},
                }
                path = addresses.build(rule.endpoint, {name: values[name] for name in rule.arguments})
                carried = [("form_key", "x"), ("seq", "0"), ("link", self._random.choice(LINKS))]
                yield SentForm(method, path, form=carried if method != "GET" else [])

    def _every_question(self) -> Iterator[SentForm]:
        """Some questions of the cases, as their pages ask them and save the answers, and at matches."""
        pinned = ("game", "preset", "conventions", "players", "question")
        for asked in self._random.sample(self._questions, QUESTIONS):
            facts = {key: value for key, value in asked.items() if key not in pinned}
            query = [*query_of(facts), ("asked", "1")]
            saving = [("form_key", "x"), ("seq", "0"), ("attach", "1")]
            places = [f"/en/ask/{asked['game']}", *(f"/en/m/{id}/ask" for id in self._ids)]
            for place in places:
                path = f"{place}/{asked['question']}"
                yield SentForm("GET", path, query)
                yield SentForm("POST", f"{path}/keep", query, saving)

    def _read_page(self, link: SentForm) -> list[SentForm]:
        status, text, _headers = self._send("GET", quote(link.path), urlencode(link.query).encode())
        if status != 200:
            return []
        return self._learn_forms(link.path, text)

    def _learn_forms(self, path: str, text: str, weight: int = 6) -> list[SentForm]:
        """Take what a page lets one send; the links it has."""
        page = PageReader(path, text)
        for form in page.forms.values():
            self._forms += [form] * (weight * 3 if form.path.endswith(RECORDING) else weight)
            if form.path.endswith("/deal"):  # what a script asks for while one types
                self._forms.append(replace(form, path=f"{form.path}/preview"))
            for name, value in [*form.form, *form.choices, *form.buttons]:
                values = self._values.setdefault(name, [])
                if len(values) < 60 and value not in values:
                    values.append(value)
        return page.links

    # --- what is wrong -----------------------------------------------------------------------------

    def _send_any(self) -> None:
        self.app.extensions["counts"].reset()  # or soon all are answered that there were too many wrong ones
        if self._random.random() < self.share_of_programs:
            return self._ask_as_program()
        chosen = deepcopy(self._random.choice(self._forms))
        if _SLOW.search(chosen.path) and self._random.random() < 0.99:
            return self._send_any()
        if _LONG.search(chosen.path) and self._random.random() < 0.8:
            return self._send_any()
        self._fill_in(chosen)
        headers: dict[str, str] = {}
        who = self._random.choice([OWNER, OWNER, OWNER, *PHONES])
        cookies = {COOKIE: self._cookies[who]}
        method, content_type = chosen.method, FORM
        path = "/".join(quote(part) for part in chosen.path.split("/"))
        raw: dict[str, bytes] = {}
        for _change in range(self._random.choice([0, 1, 1, 1, 2, 2, 4])):
            match self._random.randrange(24):
                case 0:
                    parts = path.split("/")
                    parts[self._random.randrange(len(parts))] = quote(self._text(), safe="")
                    path = "/".join(parts)
                case 1:
                    path += quote(self._random.choice(BYTES))
                case 2:
                    method = self._random.choice(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"])
                case 3:
                    name, values = self._random.choice(HEADERS)
                    headers[name] = self._random.choice(values)
                case 4:
                    content_type = self._random.choice(TYPES)
                case 5:
                    name = self._random.choice([COOKIE, ARCHIVED, "companion", "lang", "paper"])
                    cookies[name] = self._random.choice(COOKIES)
                case 6:
                    raw["query"] = b"&" + quote(self._text()).encode() + b"=" + self._random.choice(BYTES)
                case 7:
                    raw["form"] = (
                        b"&" + quote(self._name(chosen)).encode() + b"=" + self._random.choice(BYTES)
                    )
                case 8 | 9 | 10:
                    self._spoil(chosen.query)
                case _:
                    self._spoil(chosen.query if chosen.method == "GET" else chosen.form)
        if chosen.method == "GET":
            chosen.query += chosen.form
            chosen.form = []
        query = urlencode(chosen.query).encode() + raw.get("query", b"")
        body = urlencode(chosen.form, errors="surrogatepass").encode() + raw.get("form", b"")
        status, text, sent = self._send(method, path, query, body, content_type, headers, cookies)
        if status == 303 and "/r/" in sent["Location"]:
            page = SentForm("GET", sent["Location"])
            self._forms += [page, replace(page, path=f"{page.path}/code.svg"), *self._read_page(page)]
        if method == "POST" and status in (200, 409, 422) and self._random.random() < 0.2:
            if len(self._forms) > MAX_FORMS:
                del self._forms[:: self._random.randrange(2, 6)]
            self._learn_forms(chosen.path, text, 1)  # so that the next tap goes on from here

    def _fill_in(self, chosen: SentForm) -> None:
        """Tap some choices and one button, and make the form as fresh as it would be."""
        random, match = self._random, _ID.match(chosen.path)
        names = {name for name, _value in chosen.choices}
        for name in names:
            if random.random() < 0.5:
                values = [pair for pair in chosen.choices if pair[0] == name]
                chosen.form = [pair for pair in chosen.form if pair[0] != name] + [random.choice(values)]
        for place, (name, value) in enumerate(chosen.form):
            if name == "form_key" and random.random() < 0.9:
                chosen.form[place] = (name, f"{random.getrandbits(60):x}")
            elif name == "seq" and match and match[1] in self._ids and random.random() < 0.9:
                with self.app.app_context():
                    chosen.form[place] = (name, str(self._seeder.length(match[1])))
            elif not value and name in self._values and random.random() < 0.4:
                chosen.form[place] = (name, random.choice(self._values[name]))
            elif not value and random.random() < 0.4:
                chosen.form[place] = (
                    name,
                    random.choice(["40", "82", "65", "Ewa", "Jan", f"{random.getrandbits(30):x}"]),
                )
        if chosen.buttons:
            actions = sorted({value.partition(":")[0] for _name, value in chosen.buttons})
            action = random.choice(actions)  # a page has many cards, and few of what one does seldom
            tapped = [button for button in chosen.buttons if button[1].partition(":")[0] == action]
            chosen.form.append(random.choice(tapped))
        elif random.random() < 0.1:
            chosen.form.append(("do", self._text()))

    def _spoil(self, pairs: list[tuple[str, str]]) -> None:
        """One field with another value, under another name, twice, or not at all."""
        random = self._random
        kind = random.randrange(10)
        if not pairs or kind == 0:
            name = random.choice([*NAMES, *self._values]) if self._values else random.choice(NAMES)
            pairs.append((name, self._text()))
            return
        place = random.choice([len(pairs) - 1, *[random.randrange(len(pairs))] * 3])  # a button comes last
        name, value = pairs[place]
        if kind == 1:
            del pairs[place]
        elif kind == 2:
            pairs.append((name, self._text()))
        elif kind == 3 and self._values.get(name):
            pairs[place] = (name, random.choice(self._values[name]))
        elif ":" in value and kind < 8:
            parts = value.split(":")
            part = random.randrange(len(parts))
            parts[part] = random.choice(NUMBERS) if parts[part].isdecimal() else self._text()
            pairs[place] = (name, ":".join(parts))
        elif value.isdecimal() and kind < 8:
            pairs[place] = (name, random.choice(NUMBERS))
        else:
            pairs[place] = (name, self._text())

    def _name(self, chosen: SentForm) -> str:
        names = [name for name, _value in chosen.form]
        return self._random.choice(names or NAMES)

    def _text(self) -> str:
        random = self._random
        if self._values and random.random() < 0.2:
            return random.choice(self._values[random.choice([*self._values])] or [""])
        text = random.choice(TEXTS)
        return text if random.random() < 0.9 else text + random.choice(TEXTS)[:99]

    def _ask_as_program(self) -> None:
        """What no page sends; one of the matches changes by it, perhaps."""
        sent = self._programs.make(self._ids)
        cookies = {COOKIE: self._cookies[sent.who]}
        headers, kind = dict(sent.headers), "application/json"
        status, _text, _sent = self._send(sent.method, sent.path, b"", sent.body, kind, headers, cookies)
        self.programs[status] += sent.path.startswith(("/api/v1/", "/offline/"))

    # --- sending -----------------------------------------------------------------------------------

    def _report(self, answer: str) -> None:
        """Take what the witness saw for failures."""
        self.failures += [Failure(403, answer, complaint) for complaint in self._witness.complaints]
        self._witness.complaints.clear()

    def _send(
        self,
        method: str,
        path: str,
        query: bytes = b"",
        body: bytes = b"",
        content_type: str = "",
        headers: dict[str, str] | None = None,
        cookies: dict[str, str] | None = None,
    ) -> tuple[int, str, Any]:
        stored = {COOKIE: self._cookies[OWNER]} if cookies is None else cookies
        environ = EnvironBuilder(method=method).get_environ()
        environ |= {
            "PATH_INFO": _unquote_to_wsgi(path),
            "QUERY_STRING": query.decode("latin-1"),
            "wsgi.input": BytesIO(body),
            "CONTENT_LENGTH": str(len(body)),
            "CONTENT_TYPE": content_type,
            "HTTP_COOKIE": "; ".join(f"{name}={value}" for name, value in stored.items())
            .encode()
            .decode("latin-1"),
            **{name: value.encode().decode("latin-1") for name, value in (headers or {}).items()},
        }
        self._faults.clear()
        before = self._witness.look(path) if method == "POST" else {}
        try:
            answer, status_line, sent = run_wsgi_app(self.app, environ, buffered=True)
            status, text = int(status_line.split()[0]), b"".join(answer).decode("utf-8", "replace")
        except Exception as error:  # noqa: BLE001  # it is what is being looked for
            status, text, sent = 599, "", None
            self._faults.append("".join(traceback.format_exception(error)))
        self.statuses[status] += 1
        who = self._tokens.get(stored.get(COOKIE, ""))
        self._witness.compare(before, who, f"{method} {path[:200]} {body[:300]!r}", "/join/" in path)
        self._report(f"{status} by {who}")
        if status >= 500:
            reported = f"{method} {path[:300]}?{query[:600]!r} {content_type} {headers} {body[:1500]!r}"
            self.failures.append(Failure(status, reported, "\n".join(self._faults) or text[:300]))
        return status, text, sent


def _unquote_to_wsgi(path: str) -> str:
    return unquote_to_bytes(path).decode("latin-1")
