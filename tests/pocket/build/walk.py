"""Walks through the app of a pocket, with nothing but what is in its archives: `python -I -S walk.py FOLDER`.

FOLDER is where they were unpacked. Matches are begun and recorded, then every link is followed, until each
page was seen in each language. Prints as JSON how each was answered, and all modules that were loaded by then.
"""

import json
import re
import sys
from html import unescape
from urllib.parse import urlencode, urljoin, urlsplit

FOLDER = sys.argv[1] if len(sys.argv) > 1 else "/app"
sys.path.insert(0, FOLDER)

from werkzeug.exceptions import HTTPException  # noqa: E402

from companion.pocket.bridge import start as start_bridge  # noqa: E402

bridge = start_bridge(FOLDER)
OF_A_BROWSER = {"me": "mark-of-a-phone", "key": "k" * 32, "seed": "5eed" * 16, "token": "told", "server": "told"}
bridge.restore(json.dumps({"root": "", "cookies": {}, "rows": [], **OF_A_BROWSER}))
HEADERS = json.dumps({"Accept-Language": "pl, en;q=0.5"})
TYPED = json.dumps({"Accept-Language": "pl", "Content-Type": "application/x-www-form-urlencoded"})


def call(method, address, form=None):
    """Ask for a page: status, headers, text."""
    body = urlencode(form or {}, doseq=True).encode()
    told = TYPED if method == "POST" else HEADERS
    status, headers, content = bridge.handle(method, f"http://localhost{address}", body, told)
    return status, dict(json.loads(headers)), content.decode("utf-8", "replace")


def hidden(page):
    """What a form of a page carries along."""
    return dict(re.findall(r'name="(form_key|seq)"[^>]*value="([^"]*)"', page))


seen = []


def ask(method, address, form=None):
    """Ask, and write down how it was answered."""
    status, headers, text = call(method, address, form)
    seen.append([method, address, status])
    return status, headers, text


def start(game, **form):
    """Begin a match: its address."""
    page = ask("GET", f"/en/new?game={game}")[2]
    status, headers, text = ask("POST", f"/en/new?game={game}", hidden(page) | form)
    assert status == 303, text
    return headers["Location"]


def record(address, **form):
    """Fill in a form of a match."""
    page = ask("GET", address)[2]
    return ask("POST", address, hidden(page) | form)


deals = start("derda", **{"name-A": "Wawrzyniec", "name-B": "Zoë", "dealer": "A"})
deal = {"bid": "A:H", "counting": "totals", "total_A": "82", "total_B": "65", "do": "save"}
record(f"{deals}/deal", **deal)
record(f"{deals}/deal", **deal | {"total_A": "83"})
record(f"{deals}/deal", **deal | {"do": "draft"})
ask("POST", f"{deals}/deal", deal | {"seq": "0", "form_key": "other"})
hands = start("durak", **{"name-A": "Ewa", "name-B": "Jan", "dealer": "A"})
record(f"{hands}/hand", result="A")

endpoints = bridge._app.url_map.bind("localhost")
todo, asked, counts = ["/", "/en/", "/pl/", "/en/nowhere", deals, hands], set(), {}
while todo:
    address = todo.pop(0).partition("#")[0]
    if address in asked:
        continue
    asked.add(address)
    try:
        name, arguments = endpoints.match(urlsplit(address).path)
    except HTTPException:
        name, arguments = "none", {}
    kind = (name, arguments.get("lang"), arguments.get("question"), deals in address)
    counts[kind] = counts.get(kind, 0) + 1
    if counts[kind] > 2:
        continue
    status, headers, text = ask("GET", address)
    if "Location" in headers:
        todo.append(urljoin(address, headers["Location"]))
    for link in re.findall(r'(?:href|src)="([^"]+)"', text):
        link = urljoin(address, unescape(link))
        if link.startswith("/") and not link.startswith("/static/"):
            todo.append(link)

print(json.dumps({"seen": seen, "modules": sorted(sys.modules)}))
