"""The bridge between a phone's browser and its app: requests and answers are plain data.

The browser's worker stores the result of `Bridge.take_state`, and returns it to `Bridge.restore` at the next
start. Before that the app has no identity, so that a memory snapshot of it can be used for any start.
"""

import io
import json
import random
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from flask import Response, g, request
from flask_babel import gettext as _

from companion import archives, library
from companion.i18n import LANGUAGES, SOURCE
from companion.matches import Matches
from companion.offline.delivery import Delivery, Exchange, NoExchange
from companion.store.memory import MemoryStore
from companion.web.shell.errors import page_to_try_again
from companion.web.shell.game_ui import game_ui
from companion.web.shell.hosts import Host
from companion.web.shell.security import browser

from .application import Address, create_app

_READ = ("/", "/new", "/rules", "/ask")
"""Pages in every language that need no match."""
_WRITTEN = ("", "/history", "/more", "/names", "/ask", "/sheet")
"""Pages of a match, beside its forms."""
_NOBODY = "nobody"
_WAIT = 30
"""Seconds until a form may be sent again after an update of the server."""

DEMO = "demo.json"
"""The file of a demo's matches, beside the built ones: a list of records."""

Answer = tuple[int, str, bytes]


class Bridge:
    """The app of a phone, together with what a browser would otherwise store: its cookies and identity."""

    def __init__(
        self,
        addresses: Iterable[Address],
        version: str,
        host: Host = Host.PHONE,
        demo: Iterable[Mapping[str, Any]] = (),
    ) -> None:
        """The app on a host; a phone that begins has the matches of a `demo`, records as JSON values."""
        self._host, self._store, self._demo = host, MemoryStore(host.has_server), demo
        self._delivery: Exchange = Delivery(self._store, version) if host.has_server else NoExchange()
        self._app = create_app(self._store, "nobody", addresses, version, host=host)
        self._matches: Matches = self._app.extensions["matches"]
        self._app.config["WTF_CSRF_METHODS"] = ()  # all requests here come from this phone
        self._app.before_request_funcs.setdefault(None, []).insert(0, self._prepare)
        self._token = ""
        self._cookies: dict[str, str] = {}
        self._chosen = ""
        self._root = ""

    def warm_up(self, wanted: str = "[]") -> Iterator[float]:
        """Render pages of all kinds, so that everything they need is loaded; their contents are dropped.

        Yields the share that is done after each page: a browser gives up a worker that is busy for long.

        The pages are in the languages of the phone: `wanted` are its browser's language tags, a list in JSON.
        Each language adds 2 to 3 MB to the memory that every start reads.
        """
        self._delivery.me = _NOBODY
        tags = {tag.partition("-")[0].lower() for tag in json.loads(wanted)}
        languages = [language for language in LANGUAGES if language in tags] or [SOURCE]
        paths = [*_READ, *(path for id in self._begin_one_of_each() for path in self._list_pages(id))]
        pages = [f"{language}{path}" for language in languages for path in paths]
        for n, page in enumerate(pages, 1):
            self.handle("GET", f"http://localhost/{page}", b"", "{}")
            if n < len(pages):
                yield n / len(pages)
        self._delivery.me = ""
        self._store.tables.restore(())
        self._cookies.clear()
        yield 1.0

    def _begin_one_of_each(self) -> list[str]:
        """Begin a match of each family, for nobody; return their ids."""
        with self._app.app_context():
            games = {library.open_game(name).family_name: name for name in reversed(library.names())}
            heads = [_make_head(game) for game in games.values()]
            return [self._matches.start(head, _NOBODY, head["game"]) for head in heads]

    def _list_pages(self, id: str) -> list[str]:
        with self._app.request_context(self._describe("GET", "http://localhost/", b"", {})):
            match = self._matches.open(id)
            forms = game_ui(match.game).recording_forms(match)
        without_language = (form.partition("/m/")[2] for form in forms)
        rules = f"/rules/{match.game.name}?match={id}"
        return [*(f"/m/{id}{page}" for page in _WRITTEN), *(f"/m/{form}" for form in without_language), rules]

    # --- what the phone stores ---------------------------------------------------------------------

    def restore(self, state: str) -> None:
        """Become the app of one browser: `state` is JSON.

        `root` is the path below which the app is; `me` the browser's mark, `key` a secret of this phone,
        `seed` the seed of the server's ids; `token` the server's token for forms, `server` its version;
        `cookies`, `chosen` and `rows` are as `take_state` returned them last, but with all rows; `first` is
        true if nothing was ever stored.

        :raises ValueError: if the rows are not those of a whole store.
        """
        saved: dict[str, Any] = json.loads(state)
        self._root, self._delivery.me = saved["root"], saved["me"]
        self._app.secret_key = self._app.config["WTF_CSRF_SECRET_KEY"] = saved["key"]
        self._cookies, self._chosen = dict(saved["cookies"]), saved.get("chosen", "")
        self.hear(saved["seed"], saved["token"], saved["server"])
        self._store.tables.restore(saved["rows"], is_lenient=not self._host.has_server)
        random.seed()  # another start from the same memory would draw the same random numbers
        if saved.get("first"):
            self._bring_demo()

    def _bring_demo(self) -> None:
        """Import the matches of the demo, marked as such."""
        for record in self._demo:
            found = archives.look_through(self._matches, self._delivery.me, archives.format_json(record))
            for match in archives.import_found(self._matches, self._delivery.me, found):
                if match.id:
                    self._store.tables.matches[match.id].is_demo = True

    def hear(self, seed: str, token: str, server: str) -> None:
        """Take over the seed, the token and the version that a server sends with its news."""
        self._matches.ids.take_seed(seed)
        self._token = token
        self._delivery.server_version = server

    def choose(self, chosen: str) -> None:
        """Adopt the display choices of the server (`X-Chosen`).

        Choices made here since the server's last change stay.
        """
        if chosen == self._chosen:
            return
        self._chosen = chosen
        for name, value in parse_qsl(chosen, keep_blank_values=True):
            for held in [
                cookie for cookie in self._cookies if cookie.removeprefix("__Host-").split(".")[0] == name
            ]:
                del self._cookies[held]
            if value:
                self._cookies[name] = value

    def take_state(self) -> str:
        """The state to be stored, as JSON.

        `rows` that have changed since the last call, each a key and a value (None if it is gone); `cookies`;
        `chosen`, the server's display choices; `have`, the state of the server's matches in the phone; the
        number of `unsent` events and of open conflicts (`aside`); and the deliveries by which all that is
        unsent can be sent without this program (`outgoing`).
        """
        delivery = self._delivery
        state = {
            "rows": self._store.tables.take_changes(),
            "have": delivery.have(),
            "cookies": self._cookies,
            "chosen": self._chosen,
            "unsent": delivery.count_unsent(),
            "aside": delivery.count_conflicts(),
            "outgoing": delivery.list_outgoing(),
        }
        return json.dumps(state)

    # --- to and from the server --------------------------------------------------------------------

    def take_news(self, text: str) -> None:
        """Take in the server's answer to a request for news."""
        news = json.loads(text)
        self.hear(news["seed"], news["token"], news["version"])
        self._delivery.take_news(news)

    def next_delivery(self) -> str | None:
        """The next delivery, as JSON (`id`, `path`, `body`), or None."""
        found = self._delivery.next()
        return None if found is None else json.dumps(found)

    def take_answer(self, id: str, status: int, text: str) -> bool:
        """Take the server's answer to a delivery; True if the next can be sent now."""
        try:
            answer = json.loads(text)
        except ValueError:  # it is not an answer of our server
            status, answer = 0, None
        return self._delivery.take_answer(id, status, answer)

    # --- requests ----------------------------------------------------------------------------------

    def handle(self, method: str, url: str, body: bytes, headers: str) -> Answer:
        """Answer a request: with its status, its headers as a list in JSON, and its body.

        `headers` are JSON, by name. An internal error is answered by an error page.
        """
        answered: list[Any] = []

        def start_response(status: str, headers: list[tuple[str, str]], *_error: Any) -> Any:
            answered[:] = status, headers

        described = self._describe(method, url, bytes(body), json.loads(headers))
        parts = self._app.wsgi_app(described, start_response)
        try:
            content = b"".join(parts)
        finally:
            getattr(parts, "close", lambda: None)()
        status, said = answered
        self._keep_cookies(value for name, value in said if name.lower() == "set-cookie")
        passed_on = [pair for pair in said if pair[0].lower() not in ("set-cookie", "content-length", "vary")]
        return int(status[:3]), json.dumps(passed_on), content

    def _describe(self, method: str, url: str, body: bytes, headers: Mapping[str, str]) -> dict[str, Any]:
        """The request as a server would pass it to the app."""
        parts = urlsplit(url)
        port = parts.port or {"https": 443}.get(parts.scheme, 80)
        path = unquote(parts.path).removeprefix(self._root)
        named = {name.upper().replace("-", "_"): value for name, value in headers.items()}
        return {
            **{f"HTTP_{name}": value for name, value in named.items()},
            "CONTENT_LENGTH": str(len(body)),
            "CONTENT_TYPE": named.get("CONTENT_TYPE", ""),
            "HTTP_COOKIE": "; ".join(f"{name}={value}" for name, value in self._list_cookies()),
            "HTTP_HOST": parts.netloc,
            "PATH_INFO": path.encode().decode("latin-1"),
            "QUERY_STRING": parts.query,
            "REMOTE_ADDR": "127.0.0.1",
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": self._root.encode().decode("latin-1"),
            "SERVER_NAME": parts.hostname or "localhost",
            "SERVER_PORT": str(port),
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.errors": sys.stderr,
            "wsgi.input": io.BytesIO(body),
            "wsgi.multiprocess": False,
            "wsgi.multithread": False,
            "wsgi.run_once": False,
            "wsgi.url_scheme": parts.scheme,
            "wsgi.version": (1, 0),
        }

    def _list_cookies(self) -> Iterator[tuple[str, str]]:
        """The cookies of the browser, and the one of its identity."""
        yield from self._cookies.items()
        if self._delivery.me:
            with self._app.app_context():
                yield browser.COOKIE, browser.sign(self._delivery.me)

    def _keep_cookies(self, sent: Iterable[str]) -> None:
        for cookie in sent:
            pair, *attributes = cookie.split("; ")
            name, _, value = pair.partition("=")
            if browser.COOKIE in name:  # the identity is not for a page to change
                continue
            if "Max-Age=0" in attributes:
                self._cookies.pop(name, None)
            else:
                self._cookies[name] = value

    def _prepare(self) -> Response | None:
        """Give forms the server's token, in case they are sent there; refuse forms after an update."""
        g.csrf_valid = True
        if self._token:
            g.csrf_token = self._token
        if self._delivery.is_outdated and request.method == "POST":
            what = _("The app was updated: it needs the network once")
            return page_to_try_again(
                503, what, _("This phone is running the version from before the update."), _WAIT, what
            )
        return None


def _make_head(game: str) -> dict[str, Any]:
    """The head of a match of a game between seats without names."""
    seats = library.open_game(game).family.ruleset.ring.seats
    return {"game": game, "players": [*seats], "first_dealer": seats[0]}


def start(folder: str, host: str) -> Bridge:
    """Create the app on a host from the files in a folder, as `build` packed them, without an identity."""
    base = Path(folder)
    addresses = [Address(**load) for load in json.loads((base / "addresses.json").read_text("utf-8"))]
    version, games = (base / "version.txt").read_text("utf-8"), base / "host-games.json"
    if games.is_file():  # it was fetched from a host that has games of its own
        taken = json.loads(games.read_text("utf-8"))
        version = taken["version"]
        library.GAMES.take_host(taken["files"])
    demo = base / DEMO
    return Bridge(
        addresses, version, Host(host), json.loads(demo.read_text("utf-8")) if demo.is_file() else ()
    )
