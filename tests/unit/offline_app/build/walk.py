"""Walks through the offline app with nothing but what is in its archives: `python -I -S walk.py FOLDER HOST`.

FOLDER is where they were unpacked. Matches are begun and recorded, then every link is followed, until each
page was seen in each language; on the host "alone" a match is also erased, and imported again. Prints as JSON
how each was answered, and all modules that were loaded then.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Mapping
from html import unescape
from urllib.parse import urlencode, urljoin, urlsplit

FOLDER, HOST = sys.argv[1:] or ["/app", "phone"]
sys.path.insert(0, FOLDER)

from werkzeug.exceptions import HTTPException  # noqa: E402

from companion.offline_app.bridge import Bridge, start  # noqa: E402

Heads = dict[str, str]
"""The headers of an answer, or what is typed into a form."""

DEAL = {"bid": "A:H", "counting": "totals", "total_A": "82", "total_B": "65", "do": "save"}
MINE = {"me": "mark-of-a-phone", "key": "k" * 32, "seed": "5eed" * 16}
HEADERS = json.dumps({"Accept-Language": "pl, en;q=0.5"})
TYPED = json.dumps({"Accept-Language": "pl", "Content-Type": "application/x-www-form-urlencoded"})


class Walk:
    """A phone that is walked through; `seen` has what was asked, of which page, and how it was answered."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge
        self._endpoints = bridge._app.url_map.bind("localhost")
        self.seen: list[tuple[str, str, str, int]] = []

    def ask(self, method: str, address: str, form: Heads | None = None) -> tuple[int, Heads, str]:
        """Status, headers, text of the answer."""
        body = urlencode(form or {}).encode()
        reported = TYPED if method == "POST" else HEADERS
        status, headers, content = self._bridge.handle(method, f"http://localhost{address}", body, reported)
        self.seen.append((method, address, self._find(address, method)[0], status))
        return status, dict(json.loads(headers)), content.decode("utf-8", "replace")

    def fill_in(self, address: str, form: Heads) -> tuple[int, Heads, str]:
        """Send the form of a page, with what it carries along."""
        page = self.ask("GET", address)[2]
        hidden = dict(re.findall(r'name="(form_key|seq)"[^>]*value="([^"]*)"', page))
        return self.ask("POST", address, hidden | form)

    def begin(self, game: str) -> str:
        shown = {"shown-game": game, "shown-preset": "standard", "shown-table": "2"}
        chosen = {"game": game, "preset": "standard", "table": "2"}
        form = {"name-A": "Wawrzyniec", "name-B": "Zoë", "dealer": "A", **shown, **chosen}
        status, headers, text = self.fill_in(f"/en/new?game={game}", form)
        assert status == 303, re.sub(r"\s*<[^>]*>\s*", " ", text[text.index("<main") :])
        return headers["Location"]

    def bring_back(self, match: str) -> None:
        """Erase a match that was taken along, and import it again."""
        packed = self._bridge.handle("GET", "http://localhost/en/export/matches.zip", b"", HEADERS)[2]
        for step in ("delete", "erase"):
            self.ask("POST", f"{match}/{step}")
        name = 'Content-Disposition: form-data; name="file"; filename="all.zip"'
        body = f"--between\r\n{name}\r\n\r\n".encode() + packed + b"\r\n--between--\r\n"
        sent = json.dumps({"Content-Type": "multipart/form-data; boundary=between"})
        _status, headers, _text = self._bridge.handle("POST", "http://localhost/en/import", body, sent)
        looked = dict(json.loads(headers))["Location"]
        for method, page in (("GET", looked), ("POST", looked), ("GET", looked), ("GET", match)):
            self.ask(method, page)

    def follow(self, left: list[str]) -> None:
        """Follow every link from some pages, of each kind of page the first two."""
        asked, counts = set(), Counter[object]()
        while left:
            address = left.pop(0).partition("#")[0]
            kind = self._kind(address)
            if address in asked or counts[kind] == 2:
                continue
            asked.add(address)
            counts[kind] += 1
            _status, headers, text = self.ask("GET", address)
            links = re.findall(r'(?:href|src)="([^"]+)"', text)
            found = [urljoin(address, unescape(link)) for link in (headers.get("Location", address), *links)]
            left += [item for item in found if item.startswith("/") and not item.startswith("/static/")]

    def _kind(self, address: str) -> object:
        name, parts = self._find(address)
        return name, *(parts.get(part) for part in ("lang", "id", "question"))

    def _find(self, address: str, method: str = "GET") -> tuple[str, Mapping[str, object]]:
        """The name of a page, and what its address speaks of."""
        try:
            return self._endpoints.match(urlsplit(address).path, method)
        except HTTPException:
            return "", {}


def main() -> None:
    """Begin two matches, record, and look at everything."""
    bridge = start(FOLDER, HOST)
    with open(f"{FOLDER}/version.txt", encoding="utf-8") as file:
        version = file.read()
    reported = {"root": "", "token": "told", "server": version, "cookies": {}, "rows": []}
    bridge.restore(json.dumps(MINE | reported))
    walk = Walk(bridge)
    deals, hands = walk.begin("derda"), walk.begin("durak")
    walk.fill_in(f"{deals}/deal", DEAL)
    walk.fill_in(f"{deals}/deal", DEAL | {"total_A": "7", "total_B": "8"})
    walk.fill_in(f"{deals}/deal", DEAL | {"do": "draft"})
    walk.ask("POST", f"{deals}/deal", DEAL | {"seq": "0", "form_key": "other"})
    walk.fill_in(f"{hands}/hand", {"result": "A"})
    walk.follow(["/", "/en/", "/pl/", "/en/nowhere", deals, hands])
    walk.bring_back(deals)
    print(json.dumps({"seen": walk.seen, "modules": sorted(sys.modules)}))


main()
