"""How much script a page brings along, packed as it is sent."""

import gzip
import re
from urllib.parse import urljoin

import pytest
from flask.testing import FlaskClient

from tests.web.browsers import Browser

LIMIT = 26_500
"""Bytes of all scripts of a page of a match, packed."""


def scripts_of(client: FlaskClient, address: str) -> dict[str, int]:
    """The size, packed, of every script that a page loads, and of those that these import, at once or later.

    Those of the offline app are fetched only by devices that have it.
    """
    page = client.get(address)
    assert page.status_code == 200
    left = re.findall(r'<script [^>]*src="([^"]+)"', page.text)
    sizes: dict[str, int] = {}
    while left:
        script = left.pop()
        if script not in sizes:
            with client.get(script) as answer:
                assert answer.status_code == 200, script
                text = answer.get_data(as_text=True)
                sizes[script] = len(gzip.compress(answer.data, mtime=0))
                left += [urljoin(script, name) for name in re.findall(r'from "(\./[^"]+|\.\./[^"]+)"', text)]
                left += [urljoin(script, name) for name in re.findall(r'import(?: |\()"(\./[^"]+)"', text)]
                left = [name for name in left if "/offline/app/" not in name]
    return sizes


@pytest.mark.parametrize(
    "path", ["", "/deal", "/enough", "/more", "/names", "/history", "/ask/count", "/phones"]
)
def test_the_scripts_of_a_match_are_small(client: Browser, path: str) -> None:
    """Each page of a match brings at most 26.5 KB of script, whatever it needs of it."""
    sizes = scripts_of(client, f"/en/m/{client.start()}{path}")
    for name in ("outbox", "live", "exchange"):
        assert any(size.endswith(f"/offline/{name}.js") for size in sizes)
    assert sum(sizes.values()) <= LIMIT, sizes


@pytest.mark.parametrize("path", ["", "/hand", "/hand/follow"])
def test_those_of_a_session_too(client: Browser, path: str) -> None:
    """The pages of Durak the same."""
    sizes = scripts_of(client, f"/en/m/{client.sit()}{path}")
    assert sum(sizes.values()) <= LIMIT, sizes
