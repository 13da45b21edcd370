"""One look at every page: the quickest test that all of them open."""

import re

import pytest

from tests.roles.routes import ROUTES
from tests.roles.world import ROLES, World

TOKEN = re.compile(r'name="csrf_token"[^>]*value="[^"]{20,}"')


@pytest.mark.slow
def test_every_page_opens() -> None:
    """Each route is asked once, by the first role that may see it; every form that writes has its token."""
    world = World()
    world.begin()
    world.app.config["WTF_CSRF_ENABLED"] = True
    failed = []
    for route in ROUTES:
        if route.method != "GET":
            continue
        role = next(role for role in ROLES if role in route.may)
        answer = world.browser(role).get(world.places.fill(route.path), headers=dict(route.headers))
        if answer.status_code != route.expected(role):
            failed.append((route.path, role, answer.status_code))
        if answer.mimetype == "text/html":
            forms = re.findall(r'<form[^>]*method="post".*?</form>', answer.text, re.S)
            failed += [(route.path, role, form) for form in forms if not TOKEN.search(form)]
        answer.close()
    world.close()
    assert failed == []
