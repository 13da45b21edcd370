"""The app from a folder of static files, in Firefox and in WebKit: a tap, then evenings without its host."""

import pytest
from static_host import StaticHost

from tests.browser.engines.driving import ENGINES, Phone

from .test_journeys import BOTH, READY, begin, write


@pytest.fixture(params=list(ENGINES))
def make(request: pytest.FixtureRequest) -> type[Phone]:
    return ENGINES[request.param]


def test_an_evening_without_a_host(
    make: type[Phone], host: StaticHost, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """First visit, a match, the host stopped, the browser closed and opened again."""
    host.start()
    profile = tmp_path_factory.mktemp("phone")
    phone = make(profile, host.site.rstrip("/"))
    try:
        phone.goto("/")
        phone.tap("button[data-does=fetch]")
        phone.wait_for("location.pathname === '/cards/en/'", seconds=READY)
        match = begin(phone).removeprefix("/cards")
        write(phone, match, 82, 65)
        phone.wait_for(BOTH, "82 65")
        host.stop()
        phone.goto("/en/rules/derda")
        phone.see("h1", seconds=READY)
        phone.close()
        phone = make(profile, host.site.rstrip("/"))
        phone.goto(match)
        phone.wait_for(BOTH, "82 65", seconds=READY)
        write(phone, match, 90, 72)
        phone.wait_for(BOTH, "172 137")
    finally:
        phone.close()
        host.stop()
    assert phone.errors() == []
