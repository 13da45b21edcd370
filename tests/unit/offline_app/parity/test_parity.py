"""The phone's app is the same program: it answers every request as the server does."""

import re
from collections.abc import Iterator

import pytest
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from companion.i18n import LANGUAGES
from companion.offline_app.application import create_app
from companion.store.memory import MemoryStore
from companion.web.shell.hosts import Host

from .apps import KEY
from .comparing import OfflineWalks, ServerWalks, compare
from .meant import NOT_ASKED, WAITING, is_about_itself, waits

SAMPLE = (
    "derda, 2 players, standard, en",
    "durak, teams-4 players, standard, pl",
    "deberts, 2 players, moscow, ru",
    "durak, 4 players, perevodnoy, uk",
    "darda, 4 players, standard, cs",
    "belote, 4 players, annonces, pl",
    "klaberjass-3, 3 players, standard, de",
    "questions of durak, uk",
    "questions of deberts, ru",
    "begin, en",
    "begin, cs",
    *(f"rules, {lang}" for lang in LANGUAGES),
    "audits, en",
    "joined, de",
    "hidden, en",
    "addresses",
)
"""Sections that are walked at night; `python -m tests.nightly.offline` walks all of them."""
BEFORE_COMMIT = {"begin, en"}
ALONE = (
    "begin, en",
    SAMPLE[0],
    SAMPLE[1],
    "questions of durak, uk",
    "rules, hr",
    "audits, en",
    "hidden, en",
    "addresses",
)
"""Sections that are walked at night on a phone without a server."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerWalks]:
    walks = ServerWalks(tmp_path_factory.mktemp("parity"))
    yield walks
    walks.close()


@pytest.fixture(scope="module")
def offline(server: ServerWalks) -> Iterator[OfflineWalks]:
    walks = OfflineWalks(server)
    yield walks
    walks.close()


def show_path(rule: str) -> str:
    """A rule as a path: with its own names in its places."""
    return re.sub(r"<any\([a-z, ]+\):lang>", "en", rule).replace("<", "").replace(">", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [name if name in BEFORE_COMMIT else pytest.param(name, marks=pytest.mark.nightly) for name in SAMPLE],
)
def test_the_phone_answers_as_the_server(server: ServerWalks, offline: OfflineWalks, name: str) -> None:
    """Status, headers that a browser goes by, HTML and JSON are the same, step by step."""
    seen = compare(server.walk(name, short=True), offline.walk(name, short=True))
    assert seen.differences == ()
    assert seen.steps >= 20


@pytest.fixture(scope="module")
def alone(server: ServerWalks) -> Iterator[OfflineWalks]:
    walks = OfflineWalks(server, Host.ALONE)
    yield walks
    walks.close()


@pytest.mark.nightly
@pytest.mark.parametrize("name", ALONE)
def test_a_phone_alone_answers_as_the_server(server: ServerWalks, alone: OfflineWalks, name: str) -> None:
    """But for what speaks of the server, of which each is named with its reason."""
    seen = compare(server.walk(name, short=True), alone.walk(name, short=True), Host.ALONE)
    assert seen.differences == ()
    assert seen.steps >= 20


@pytest.mark.nightly
def test_nothing_breaks_and_much_is_written(server: ServerWalks) -> None:
    """A walk is answered by no fault, and its forms do write."""
    statuses = [answer.status for answer in server.walk(SAMPLE[0], short=True)]
    assert max(statuses) < 500
    assert statuses.count(303) > 30 and {400, 409, 422} <= {*statuses}


@pytest.mark.nightly
def test_every_address_of_a_phone_is_walked(server: ServerWalks) -> None:
    """No page that a phone has is left out, nor one that it has to wait for."""
    own = create_app(MemoryStore(), KEY, [], "")
    waiting = own.view_functions["picture.image_png"]
    map_ = server.app.url_map.bind("companion.test")
    met = set()
    for name in SAMPLE:
        for step in server.walk(name, short=True):
            method, path = step.asked.split(" ")
            try:
                met.add((map_.match(path.partition("?")[0], method)[0], method))
            except (HTTPException, RequestRedirect):
                continue
    wanted = {
        (rule.endpoint, method)
        for rule in own.url_map.iter_rules()
        for method in (rule.methods or set()) & {"GET", "POST"}
        if rule.endpoint not in NOT_ASKED and own.view_functions[rule.endpoint] is not waiting
        if not is_about_itself(show_path(rule.rule))
    }
    assert wanted - met == set()


@pytest.mark.nightly
def test_a_phone_waits_only_where_it_is_meant_to(server: ServerWalks) -> None:
    """Whatever address of the server a phone has not is in the list of what waits; what it has is not."""
    assert [path for path in WAITING if not waits(path.replace("ID", "x"))] == []
    own = create_app(MemoryStore(), KEY, [], "")
    waiting = own.view_functions["picture.image_png"]
    for rule in server.app.url_map.iter_rules():
        path = show_path(rule.rule)
        is_own = own.view_functions.get(rule.endpoint, waiting) is not waiting
        if path.startswith("/en/"):
            assert waits(path) != is_own, (path, rule.endpoint)
