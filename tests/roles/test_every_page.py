"""One look at every page: the quickest test that all of them open."""

import pytest

from tests.roles.routes import ROUTES
from tests.roles.world import ROLES, World


@pytest.mark.slow
def test_every_page_opens() -> None:
    """Each route is asked once, by the first role that may see it."""
    world = World()
    world.begin()
    failed = []
    for route in ROUTES:
        if route.method != "GET":
            continue
        role = next(role for role in ROLES if role in route.may)
        answer = world.browser(role).get(world.places.fill(route.path), headers=dict(route.headers))
        if answer.status_code != route.expected(role):
            failed.append((route.path, role, answer.status_code))
        answer.close()
    world.close()
    assert failed == []
