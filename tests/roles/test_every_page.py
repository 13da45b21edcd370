"""One look at every page: that all of them open, are as the policy wants them, and none is of nothing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest

from companion.web.shell.forms import fresh_key
from tests.roles.routes import ROUTES
from tests.roles.world import ROLES, World

TOKEN = re.compile(r'name="csrf_token"[^>]*value="[^"]{20,}"')
KEY = re.compile(r'name="form_key"[^>]*value="[\w-]{10,}"')
NUMBER = re.compile(r'name="seq"[^>]*value="\d+"')
ACTION = re.compile(r'<form[^>]*action="([^"]*)"')
NO_ENTRY = re.compile("/en/(?!m/)|/en/m/[^/]+/(phones/|put-away|bring-back|delete|erase)")
"""Where forms go that write nothing into the log of a match."""
MAKES = re.compile("/en/(new|tokens|evening/[^/]+|browser/renew|m/[^/]+/phones/links)([?]|$)")
"""Those of them that must not do it twice."""

INLINE = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>|<[^>]*\s(?:style|on\w+)=\"|<style|javascript:")
"""What the policy would have to let in."""
UNKNOWN = (
    (r"<[mhfdabr]>|<made>|<file>", "A" * 22),
    (r"(entries|objections|rulings)/\d", r"\1/77"),
    ("/derda", "/nothing"),
    ("ask/play", "ask/nothing"),
)
"""What addresses speak of, and something in its place that there is not."""


VOID = frozenset(("area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"))
"""The elements that have no end."""
COMPONENTS = frozenset(
    [
        "act",
        "board",
        "btn",
        "cardkey",
        "chip",
        "choice",
        "entries",
        "fold",
        "gloss",
        "list",
        "log-top",
        "numkeys",
        "resume",
        "seat",
        "tab",
    ]
)
"""Classes of components that look like an action or hold actions."""
UNSEEN = frozenset(("unseen", "rule-id"))
"""Classes of words that are only read aloud, and of the id below a rule."""
REFERENCES = ("/<lang>/rules/<game>",)
"""The pages that are read like a book, and have references."""


@dataclass
class _Element:
    """An element that is open, with what was found in it."""

    tag: str
    classes: set[str]
    is_action: bool = False
    has_words: bool = False
    loose: list[str] = field(default_factory=list)
    quiet: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The element as a selector."""
        return ".".join([self.tag, *sorted(self.classes)])


class FieldReader(HTMLParser):
    """Collects the fields of a page that stand in no label, and what labels name."""

    def __init__(self) -> None:
        super().__init__()
        self.fields, self.named, self.depth = list[dict[str, str | None]](), set[str | None](), 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "label":
            self.depth += 1
            self.named.add(attributes.get("for"))
        elif tag in ("input", "select", "textarea") and attributes.get("type") not in ("hidden", "submit"):
            has_name = not {"aria-label", "aria-labelledby", "title"}.isdisjoint(attributes)
            self.fields += [] if self.depth or has_name else [attributes]

    def handle_endtag(self, tag: str) -> None:
        self.depth -= tag == "label"


class LooseActionFinder(HTMLParser):
    """Collects the actions of a page's matter that are no component, but only words in blue.

    A link within a sentence is a part of it. Several quiet links in a row are loose words, too, unless they
    turn the pages of something.
    """

    def __init__(self) -> None:
        super().__init__()
        self.open = list[_Element]()
        self.found = list[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.open.append(_Element(tag, {*(attributes.get("class") or "").split()}))
        if tag in VOID:
            self.open.pop()
        elif tag == "button" or (tag == "a" and "href" in attributes):
            self.open[-1].is_action = True

    def handle_data(self, data: str) -> None:
        if self.open and not any(element.is_action for element in self.open):
            self.open[-1].has_words = self.open[-1].has_words or bool(re.search(r"\w{2}", data))

    def handle_endtag(self, tag: str) -> None:
        while self.open and (element := self.open.pop()).tag != tag:
            pass
        if not self.open or not any(of.tag == "main" for of in self.open):
            return
        above = self.open[-1]
        if element.is_action and not any(of.classes & (COMPONENTS | UNSEEN) for of in (*self.open, element)):
            above.loose.append(element.name)
        if element.tag == "a" and "quiet" in element.classes:
            above.quiet.append(element.name)
        if not element.has_words and element.tag != "nav":
            self.found += element.loose + (element.quiet if len(element.quiet) > 2 else [])
        if element.tag in ("span", "b", "small", "bdi"):
            above.loose += element.loose
            above.has_words = above.has_words or element.has_words


def find_loose_actions(page: str) -> list[str]:
    """List the links and buttons of a page that look like words left lying about."""
    finder = LooseActionFinder()
    finder.feed(page)
    return finder.found


def find_unlabelled(page: str) -> list[dict[str, str | None]]:
    """List the fields of a page that have no name for a screen reader."""
    reader = FieldReader()
    reader.feed(page)
    return [field for field in reader.fields if field.get("id") not in reader.named - {None}]


def carries_all(form: str, path: str) -> bool:
    """True if a form has its token, and, if it writes, its own key and the number of the last event."""
    action = ACTION.match(form)
    to = action[1] if action else path
    is_logged = not NO_ENTRY.match(to)
    has_key = KEY.search(form) or not (is_logged or MAKES.match(to))
    return bool(TOKEN.search(form) and has_key and (NUMBER.search(form) or not is_logged))


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """A table at which everything has begun."""
    begun = World()
    begun.begin()
    yield begun
    begun.close()


@pytest.mark.slow
def test_every_page_opens(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each route is asked once, by the first role that may see it; every form that writes has its token."""
    monkeypatch.setitem(world.app.config, "WTF_CSRF_ENABLED", True)
    failed = list[tuple[str, str, object]]()
    for route in ROUTES:
        if route.method != "GET":
            continue
        role = next(role for role in ROLES if role in route.may)
        answer = world.browser(role).get(world.places.fill(route.path), headers=dict(route.headers))
        if answer.status_code != route.expected(role):
            failed.append((route.path, role, answer.status_code))
        if answer.mimetype == "text/html":
            forms = re.findall(r'<form[^>]*method="post".*?</form>', answer.text, re.S)
            failed += [(route.path, role, form) for form in forms if not carries_all(form, route.path)]
            failed += [(route.path, role, unlabelled) for unlabelled in find_unlabelled(answer.text)]
            failed += [(route.path, role, inline) for inline in INLINE.findall(answer.text)]
            loose = [] if route.rule in REFERENCES else find_loose_actions(answer.text)
            failed += [(route.path, role, action) for action in loose]
        answer.close()
    assert failed == []


@pytest.mark.slow
@pytest.mark.parametrize(("known", "unknown"), UNKNOWN)
def test_what_there_is_not_is_not_found(world: World, known: str, unknown: str) -> None:
    """A match, an entry, a game, a question: whatever is looked at or sent, to whoever owns the others."""
    statuses = {}
    for route in ROUTES:
        path = re.sub(known, unknown, route.path)
        if path == route.path or route.rule in ("/m/<id>", "/r/<id>") or route.json is not None:
            continue
        form = {name: world.places.fill(value) for name, value in route.form.items()}
        form |= {"form_key": fresh_key(), "seq": str(world.length(world.places.values["m"]))}
        sent = form if route.method == "POST" else None
        answer = world.browser("owner").open(world.places.fill(path), method=route.method, data=sent)
        statuses[route.method, path] = answer.status_code
        answer.close()
    assert statuses
    assert {request: status for request, status in statuses.items() if status != 404} == {}
