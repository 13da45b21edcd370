"""What every answer tells the browser that it may do, and what it must not."""

import re

import pytest
from stores.postgres import ON_SQLITE

from tests.web.browsers import Browser

pytestmark = ON_SQLITE  # nothing of it is in the database


PAGES = ("/", "/en/", "/en/m/none", "/en/nothing", "/en/rules/derda", "/m/x")
FILES = ("/sw.js", "/en/manifest.webmanifest")


@pytest.mark.parametrize("path", PAGES + FILES)
def test_every_answer(client: Browser, path: str) -> None:
    """Pages, redirects, faults, files."""
    with client.get(path) as answer:
        policy = dict(part.split(" ", 1) for part in answer.headers["Content-Security-Policy"].split("; "))
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        permissions = answer.headers["Permissions-Policy"].split(", ")
    assert policy.pop("img-src") == "'self' data:"
    assert policy["default-src"] == policy["base-uri"] == policy["object-src"] == "'none'"
    assert {*policy.values()} == {"'none'", "'self'"}
    granted = {permission.partition("=")[0] for permission in permissions if not permission.endswith("=()")}
    assert granted == {"clipboard-write", "screen-wake-lock"}
    assert {"camera=()", "geolocation=()", "microphone=()"} <= {*permissions}


def test_files_too(client: Browser) -> None:
    """A script or a picture is for our own pages."""
    page = client.get("/en/").text
    for address in re.findall(r'(?:href|src)="(/static/[^"]+)"', page):
        with client.get(address) as answer:
            assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
