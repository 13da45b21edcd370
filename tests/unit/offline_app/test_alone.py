"""A phone alone: nothing on it leads nowhere, or speaks of what it has not."""

import re
from html import unescape
from urllib.parse import urljoin, urlsplit

import pytest

from companion.offline_app.application import Address
from companion.offline_app.bridge import Bridge
from companion.web.shell.hosts import Host

from .test_bridge import Visitor, begin, deal, hidden

NEEDS_SERVER = re.compile(r"/\w\w/.*\.pdf(\?|$)")
"""Addresses of sheets, which a phone alone has no program to print with: the page says so."""
SPOKEN_OF = re.compile(r"\b(servers?|networks?|cookies?)\b", re.IGNORECASE)
MEANT = (
    "through a server, and this phone has none",
    "there is no account and no server",
    "no server sees it before",
)
"""Sentences that say what is not there."""
UNSEEN = re.compile(r'<script.*?</script>|<link[^>]*>|<meta[^>]*>|<p class="of-pocket.*?</p>', re.DOTALL)
"""Parts of a page that nobody reads on a phone alone."""
MAX_OF_A_KIND = 3
"""Pages that are opened of those that differ by an id or a query only."""


@pytest.fixture(scope="module")
def alone(addresses: list[Address]) -> Visitor:
    """A browser with a match of each family, a deal and a saved ruling."""
    visitor = Visitor(Bridge(addresses, "v1", Host.ALONE), token="a token")
    match = begin(visitor)
    visitor.post(f"{match}/deal", deal(visitor, match))
    fields = hidden(visitor.get("/en/new?game=durak")[2]) | {"name-A": "Ewa", "name-B": "Jan", "dealer": "A"}
    assert visitor.post("/en/new?game=durak", fields)[0] == 303
    form = visitor.get("/en/ask/derda/first_lead?asked=1")[2]
    visitor.post("/en/ask/derda/first_lead/keep?asked=1", hidden(form))
    return visitor


def kind_of(path: str) -> str:
    """An address without ids, games and numbers."""
    return re.sub(r"/(?:m|evening)/[\w-]{22}|/r/[\w-]+|\d+|/(?:ask|rules|new)/[\w-]+|\?.*", "/…", path)


def crawl(visitor: Visitor, start: str) -> dict[str, tuple[int, str]]:
    """Open every page that links and forms lead to, a few of each kind: status and text by address."""
    found: dict[str, tuple[int, str]] = {}
    waiting, opened = [start], dict[str, int]()
    while waiting:
        path = waiting.pop(0)
        kind = kind_of(path)
        if path in found or opened.get(kind, 0) >= MAX_OF_A_KIND:
            continue
        opened[kind] = opened.get(kind, 0) + 1
        status, headers, page = visitor.get(path)
        found[path] = status, page
        if "Location" in headers:
            waiting.append(urlsplit(headers["Location"])._replace(scheme="", netloc="").geturl())
        if headers["Content-Type"].startswith("text/html"):
            links = re.findall(r'(?:href|src|data-(?:svg|news))="([^"#]+)', page)
            absolute = (urljoin(path, unescape(link)) for link in links)
            waiting += [link for link in absolute if re.match(r"/(en/|m/|r/)", link)]
    return found


@pytest.mark.slow
def test_no_link_leads_nowhere_and_no_sentence_is_of_another_host(alone: Visitor) -> None:
    """From the list of matches to whatever is linked."""
    found = crawl(alone, "/en/")
    assert len(found) > 60
    dead = {path for path, (status, _page) in found.items() if status >= 400 and not NEEDS_SERVER.match(path)}
    assert dead == set()
    said = {}
    for path, (_status, page) in found.items():
        if NEEDS_SERVER.match(path) or not page.startswith("<!doctype html>"):
            continue
        text = UNSEEN.sub("", page)
        text = re.sub(r'\b(?:href|src|class|id|name|for|action|data-data)="[^"]*"', "", unescape(text))
        for sentence in MEANT:
            text = text.replace(sentence, "")
        if found_word := SPOKEN_OF.search(text):
            said[path] = text[max(0, found_word.start() - 80) : found_word.end() + 80]
    assert said == {}


def test_second_phones_are_explained_where_one_looks_for_them(alone: Visitor) -> None:
    """On the page of all that belongs to a match; no code leads to a match that nobody else can open."""
    match = begin(alone)
    page = alone.get(f"{match}/more")[2]
    assert "Second phone" in page
    assert "Other phones see a match, agree and write through a server, and this phone has none." in page
    assert "code.svg" not in page


def test_this_phone_says_what_is_lost_when_it_forgets(alone: Visitor) -> None:
    """There is no copy anywhere, no list to switch to, nothing to sign out."""
    page = alone.get("/en/browser")[2]
    assert "Your matches are deleted for good: they are nowhere else, unless a file has them." in page
    assert "Sign out all others" not in page and "Tokens for programs" not in page
    assert alone.get("/en/pocket")[1]["Location"].endswith("/en/browser")
