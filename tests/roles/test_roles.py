"""Every route is sent by everybody at the table, and answers each as the table of roles says."""

import json
import re
from collections.abc import Iterator

import pytest
from werkzeug.test import TestResponse

from companion.web.shell.forms import fresh_key
from companion.web.shell.security.headers import SEEN
from tests.roles.routes import ROUTES, Route
from tests.roles.table import FILE, describe, make_table
from tests.roles.world import ROLES, World

pytestmark = pytest.mark.slow  # whole documents are laid out, or every role asks

LIVE = ("owner", "opponent", "spectator")
"""Those who also ask as an open page does: whoever records, agrees, looks on."""
MAKES_ANOTHER = {"/<lang>/m/<id>/export/evening", "/<lang>/m/<id>/erase"}
"""Of these forms a second tap makes another file, or finds nothing any more."""


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    made = World()
    yield made
    made.close()


@pytest.fixture(scope="module")
def looked_at(world: World) -> World:
    """The same with everything that pages can show."""
    world.begin()
    return world


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


@pytest.mark.parametrize("route", [route for route in ROUTES if route.method != "GET"], ids=describe)
def test_who_may_send_it(world: World, route: Route) -> None:
    """Refused or done, as the table says; what was refused has changed nothing, nor has a second tap."""
    answers = {}
    world.begin(route.path)
    for role in ROLES:
        places, id = world.places, match_of(world, route)
        before = world.state(id)
        browser, path = world.browser(role), places.fill(route.path)
        if route.json is not None:
            sent = json.loads(places.fill(json.dumps(route.json)))
            answer = browser.open(path, method=route.method, json=sent, headers=dict(route.headers))
        else:
            form = {name: places.fill(value) for name, value in route.form.items()}
            carried = {"form_key": fresh_key(), "seq": str(world.length(id) if id else 0)}
            answer = browser.post(path, data=carried | form)
            if id and role == "owner" and route.status == 303 and route.rule not in MAKES_ANOTHER:
                after = world.state(id)
                again = browser.post(path, data=carried | form)
                assert (again.status_code, again.location) == (303, answer.location), "a second tap"
                assert world.state(id) == after
        answers[role] = answer.status_code
        answer.close()
        if answer.status_code < 400:
            world.begin(route.path)  # it is done: the next one comes to a new table
        elif role not in route.may:
            assert world.state(id) == before, f"{role} was refused, and changed something"
    assert answers == {role: route.expected(role) for role in ROLES}


@pytest.mark.parametrize("route", [route for route in ROUTES if route.method == "GET"], ids=describe)
def test_who_may_look(looked_at: World, route: Route) -> None:
    """Shown or not, as the table says: it changes nothing, and tells nobody's token.

    Who asks whether a page of a match has changed is shown that page as far as it may see it.
    """
    id, path = match_of(looked_at, route), looked_at.places.fill(route.path)
    before, answers = looked_at.state(id), {}
    for role in ROLES:
        answer = looked_at.browser(role).get(path)
        answers[role] = answer.status_code
        assert tokens_in(answer, looked_at, role) == []
        if role in LIVE and route.rule.startswith("/<lang>/m/<id>"):
            live = looked_at.browser(role).get(path, headers={SEEN: "0.0"})
            assert live.status_code == answer.status_code, role
            if live.mimetype == "text/html" and live.status_code == 200:
                assert buttons(live.text) == buttons(answer.text), role
        answer.close()
        assert looked_at.state(id) == before, f"{role} has changed something by looking"
    assert answers == {role: route.expected(role) for role in ROLES}


def match_of(world: World, route: Route) -> str:
    """The match that a route is about, if it is about one."""
    named = (key for key in "mhfdab" if re.search(rf"/(m|matches)/<{key}>", route.path))
    return next((world.places.values[key] for key in named), "")


def tokens_in(answer: TestResponse, world: World, asking: str) -> list[str]:
    """Whose tokens an answer tells: whoever has one is that person. One's own is in one's own cookie only."""
    cookies = "".join(answer.headers.getlist("Set-Cookie"))
    headers = "".join(value for name, value in answer.headers if name != "Set-Cookie")
    found = []
    for role in ROLES:
        token = world.token(role)
        in_cookie = token in cookies and role != asking
        if token.encode() in answer.data or token in headers or in_cookie:
            found.append(role)
    return found


def buttons(page: str) -> list[str]:
    """What a page lets one send."""
    return sorted(re.findall(r'<form[^>]*method="post"[^>]*action="([^"]*)"', page))
