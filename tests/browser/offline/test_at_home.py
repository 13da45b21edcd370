"""A server at home, by the steps of docs/using/at-home.md: HTTPS of Caddy, whose certificate phones fetch.

What a phone asks its owner about certificates is not tested: the test's own client trusts the one fetched,
and Chromium is told to take any.
"""

import http.client
import os
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import begin
from device_storage import wait_for_cached
from phone import ROOT, Phone, Server, free_port
from playwright.sync_api import Playwright, expect

from tests.operate.hosting.documented import find_block
from tests.operate.serve.conftest import wait_until

GUIDE = ROOT / "docs" / "using" / "at-home.md"
EXAMPLE = "192.168.1.20"
"""The address of the laptop in the guide."""
PORT, PUBLIC = "5000", "8443"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """The server as step 3 starts it, but on a port of its own."""
    assert find_block("3 HTTPS", "./dev run", GUIDE) == "COMPANION_PROXIES=1 ./dev run --host 127.0.0.1\n"
    server = Server(tmp_path, free_port(), PROXIES="1")
    try:
        server.start()
        yield server
    finally:
        server.stop()


@pytest.fixture
def port(server: Server, tmp_path: Path) -> Iterator[int]:
    """The port of Caddy, started by the command of step 3 with ports of the test."""
    port, command = free_port(), find_block("3 HTTPS", "caddy run", GUIDE)
    configuration = (ROOT / "docs/hosting/Caddyfile.home").read_text()
    configuration = configuration.replace(f"127.0.0.1:{PORT}", server.address.removeprefix("http://"))
    (tmp_path / "Caddyfile.home").write_text(configuration.replace(f":{PUBLIC} ", f":{port} "))
    command = command.replace("docs/hosting/", f"{tmp_path}/").replace(EXAMPLE, "127.0.0.1")
    with (tmp_path / "caddy.log").open("w") as log:
        caddy = subprocess.Popen(
            ["sh", "-c", command.replace(" caddy ", " exec caddy ")],
            env={**os.environ, "HOME": str(tmp_path)},
            stdout=log,
            stderr=log,
        )
    try:
        wait_until(lambda: _is_reached(port))
        yield port
    finally:
        caddy.terminate()
        caddy.wait()


def _is_reached(port: int) -> bool:
    try:
        return ask(port, "/readyz", ssl._create_unverified_context())[0].status == 200
    except OSError:
        return False


def ask(port: int, path: str, trusted: ssl.SSLContext) -> tuple[http.client.HTTPResponse, bytes]:
    """The answer at the address of phones, as a client that trusts these certificates."""
    connection = http.client.HTTPSConnection("127.0.0.1", port, context=trusted, timeout=60)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def test_a_phone_that_fetched_the_certificate_trusts_the_address(port: int, tmp_path: Path) -> None:
    """Step 4: without it the address is not trusted, with it it is; the key of Caddy is not to be had."""
    with pytest.raises(ssl.SSLCertVerificationError):
        ask(port, "/en/", ssl.create_default_context())
    answer, certificate = ask(port, "/root.crt", ssl._create_unverified_context())
    assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
    trusted = ssl.create_default_context(cadata=certificate.decode())
    answer, _page = ask(port, "/en/", trusted)
    assert answer.status == 200 and answer.headers["Strict-Transport-Security"]
    key = (tmp_path / ".local/share/caddy/pki/authorities/local/root.key").read_bytes()
    for path in ("/root.key", "/root.crt/../root.key", "/root.crt/", "/root.crt/root.key"):
        assert key not in ask(port, path, trusted)[1]


def test_a_phone_keeps_its_pages(
    playwright: Playwright,
    server: Server,
    port: int,
    tmp_path: Path,
    browser_type_launch_args: dict[str, Any],
    phone_screen: dict[str, Any],
) -> None:
    """Step 5: the laptop sleeps, and the board is there."""
    screen = phone_screen | {"base_url": f"https://127.0.0.1:{port}/", "ignore_https_errors": True}
    screen |= {"args": ["--ignore-certificate-errors"]}
    phone = Phone(playwright, tmp_path / "phone", server, browser_type_launch_args, screen)
    try:
        page = phone.open("en/")
        board = begin(page)
        wait_for_cached(page, board)
        server.stop()
        page.reload()
        expect(page.locator(".board .names").first).to_have_text("Ewa")
        expect(page.locator("#kept")).to_be_visible()
    finally:
        phone.close()
