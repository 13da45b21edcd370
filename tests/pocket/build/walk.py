"""Walks through the app of a pocket, with nothing but what is in its archives: `python -I -S walk.py FOLDER`.

FOLDER is where they were unpacked. Matches are begun and recorded, then every link is followed, until each
page was seen in each language. Prints as JSON how each was answered, and all modules that were loaded by then.
"""

import io
import json
import re
import sys
from html import unescape
from urllib.parse import unquote, urlencode, urljoin, urlsplit

FOLDER = sys.argv[1] if len(sys.argv) > 1 else "/app"
sys.path.insert(0, FOLDER)

from companion.pocket.app import Address, create_app  # noqa: E402
from companion.store.memory import MemoryStore  # noqa: E402

with open(f"{FOLDER}/addresses.json", encoding="utf-8") as file:
    addresses = [Address(**one) for one in json.load(file)]
with open(f"{FOLDER}/version.txt", encoding="utf-8") as file:
    version = file.read()
app = create_app(MemoryStore(), "k" * 32, addresses, version)
app.config["WTF_CSRF_ENABLED"] = False
jar: dict[str, str] = {}


def call(method, address, form=None):
    """Ask for a page: status, headers, text."""
    url, body = urlsplit(address), urlencode(form or {}, doseq=True).encode()
    found = []
    environ = {
        "REQUEST_METHOD": method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote(url.path).encode().decode("latin-1"),
        "QUERY_STRING": url.query,
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "HTTP_HOST": "localhost",
        "HTTP_ACCEPT_LANGUAGE": "pl, en;q=0.5",
        "HTTP_ACCEPT_ENCODING": "br",
        "HTTP_COOKIE": "; ".join(f"{name}={value}" for name, value in jar.items()),
        "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_LENGTH": str(len(body)),
        "CONTENT_TYPE": "application/x-www-form-urlencoded",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": False,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    answer = app.wsgi_app(environ, lambda status, headers, *_info: found.extend([status, headers]))
    text = b"".join(answer).decode("utf-8", "replace")
    status, headers = found
    for name, value in headers:
        if name.lower() == "set-cookie":
            cookie, _equals, content = value.partition(";")[0].partition("=")
            jar[cookie] = content
    return int(status[:3]), dict(headers), text


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

endpoints = app.url_map.bind("localhost")
todo, asked, counts = ["/", "/en/", "/pl/", "/en/nowhere", deals, hands], set(), {}
while todo:
    address = todo.pop(0).partition("#")[0]
    if address in asked:
        continue
    asked.add(address)
    try:
        name, arguments = endpoints.match(urlsplit(address).path)
    except Exception:
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
