"""Every route is sent by everybody at the table, and answers each as the table of roles says."""

import json
import re
from collections.abc import Iterator

import pytest

from companion.web.shell.forms import fresh_key
from companion.web.shell.security.caching import SEEN
from tests.roles.routes import ROUTES, Route
from tests.roles.table import FILE, describe, make_table
from tests.roles.world import ROLES, World

pytestmark = pytest.mark.slow  # whole documents are laid out, or every role asks


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    made = World()
    made.begin()
    yield made
    made.close()


def test_every_route_has_a_row(world: World) -> None:
    """A route that is new says in tests/roles/routes.py who may send what to it."""
    there = {
        (method, re.sub(r"<any\([^>]*\):(\w+)>", r"<\1>", rule.rule))
        for rule in world.app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    rows = {(route.method, route.rule) for route in ROUTES}
    missing, gone = sorted(there - rows), sorted(rows - there)
    assert not missing, f"without a row in tests/roles/routes.py: {missing}"
    assert not gone, f"rows of routes that are gone: {gone}"


def test_the_page_is_the_table() -> None:
    """The page of the documentation is what was tested."""
    assert FILE.read_text(encoding="utf-8") == make_table(), "run: python -m tests.roles"


@pytest.mark.parametrize("route", ROUTES, ids=describe)
def test_who_may_send_it(world: World, route: Route) -> None:
    """Refused or done, as the table says; what was refused has changed nothing."""
    answers = {}
    for role in ROLES:
        places = world.places
        named = (key for key in "mhfdab" if re.search(rf"/(m|matches)/<{key}>", route.path))
        id = next((places.values[key] for key in named), "")
        before = world.state(id)
        form = {name: places.fill(value) for name, value in route.form.items()}
        carried = {"form_key": fresh_key(), "seq": str(world.length(id) if id else 0)}
        browser, path = world.browser(role), places.fill(route.path)
        if route.json is not None:
            sent = json.loads(places.fill(json.dumps(route.json)))
            answer = browser.post(path, json=sent, headers=dict(route.headers))
        elif route.method == "POST":
            answer = browser.post(path, data=carried | form)
        else:
            answer = browser.get(path)
        answers[role] = answer.status_code
        answer.close()
        if route.method == "POST" and answer.status_code < 400:
            world.begin()  # it is done: the next one comes to a new table
        elif role not in route.may or route.method == "GET":
            assert world.state(id) == before, f"{role} was refused, and changed something"
    assert answers == {role: route.expected(role) for role in ROLES}


PAGES = [route for route in ROUTES if route.method == "GET" and route.rule.startswith("/<lang>/m/<id>")]


@pytest.mark.parametrize("route", PAGES, ids=describe)
def test_a_live_request_is_a_request(world: World, route: Route) -> None:
    """Who asks whether a page has changed is shown that page as far as it may see it, and nothing else."""
    for role in ROLES:
        path = world.places.fill(route.path)
        live = world.browser(role).get(path, headers={SEEN: "0.0"})
        assert live.status_code == route.expected(role), role
        bare = world.browser(role).get(path)
        if live.mimetype == "text/html" and live.status_code == 200:
            assert buttons(live.text) == buttons(bare.text), role


def buttons(page: str) -> list[str]:
    """What a page lets one send."""
    return sorted(re.findall(r'<form[^>]*method="post"[^>]*action="([^"]*)"', page))
