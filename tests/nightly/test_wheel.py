"""The wheel that `./dev wheel` builds, installed where there is nothing else."""

import http.client
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from email import message_from_bytes
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import urlencode
from zipfile import ZipFile

import pytest

from companion import __version__
from tests.operate.serve.conftest import free_port

ROOT = Path(__file__).resolve().parents[2]
LONG = 120
LARGEST = 15_000_000
"""Bytes that a wheel may have, with all that phones run."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, as `./dev wheel` builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(["./dev", "wheel", "-d", str(folder)], cwd=ROOT, check=True)
    [wheel] = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def bin_folder(wheel: Path) -> Path:
    """The programs of an environment that has nothing but the wheel and what it requires."""
    folder = wheel.parent
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    programs = folder / "venv" / "bin"
    subprocess.run([programs / "python", "-m", "pip", "install", "-q", str(wheel)], cwd=folder, check=True)
    return programs


@pytest.fixture
def port(bin_folder: Path, tmp_path: Path) -> Iterator[int]:
    """The port of a server that was installed so, and runs outside the checkout."""
    port = free_port()
    outside = {
        name: value for name, value in os.environ.items() if not name.startswith(("COMPANION_", "PYTHON"))
    }
    server = subprocess.Popen(
        [bin_folder / "companion", "serve", "--host", "127.0.0.1", "--port", str(port)],
        cwd=tmp_path,
        env=outside | {"XDG_DATA_HOME": str(tmp_path)},
    )
    try:
        until = time.monotonic() + LONG
        while True:
            try:
                ask(port, "GET", "/healthz")
                break
            except OSError:
                assert server.poll() is None and time.monotonic() < until
                time.sleep(0.2)
        yield port
    finally:
        server.terminate()
        server.wait(LONG)


def ask(
    port: int, method: str, path: str, form: dict[str, str] | None = None, cookies: str = ""
) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)
    try:
        headers = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}
        connection.request(method, path, urlencode(form or {}), headers)
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


def test_a_package_index_shows_it(wheel: Path) -> None:
    """It is small, its metadata is whole, and pictures and links of its README lead somewhere from there."""
    assert wheel.stat().st_size < LARGEST
    subprocess.run([sys.executable, "-m", "twine", "check", "--strict", str(wheel)], check=True)
    with ZipFile(wheel) as opened:
        metadata = message_from_bytes(opened.read(f"companion-{__version__}.dist-info/METADATA"))
    named = dict(url.split(", ") for url in metadata.get_all("Project-URL", ()))
    assert named.keys() >= {"Homepage", "Source", "Documentation", "Changes"}
    links = re.findall(r"\]\(([^)#][^)]*)\)", str(metadata.get_payload()))
    assert f"{named['Source']}/raw/v{__version__}/static/readme/companion.webp" in links
    assert [link for link in links if not link.startswith("https://")] == []


def test_an_installed_wheel_serves_and_prints(port: int, tmp_path: Path) -> None:
    """A match is begun by its form, and its sheet comes as PDF: templates and games are there.

    It is stored among the data of the user, who may delete the environment.
    """
    answer, page = ask(port, "GET", "/en/new")
    cookies = SimpleCookie("; ".join(answer.headers.get_all("Set-Cookie") or ()))
    sent = "; ".join(f"{name}={cookie.value}" for name, cookie in cookies.items())
    hidden = dict(re.findall(r'name="(form_key|csrf_token|owner)"[^>]*value="([^"]*)"', page.decode()))
    for place in set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page.decode())):
        assert ask(port, "GET", place)[0].status == 200, place
    answer, page = ask(
        port, "POST", "/en/new", {"name-A": "Ewa", "name-B": "Jan", "dealer": "A"} | hidden, sent
    )
    assert answer.status == 303, page.decode()
    assert (tmp_path / "companion" / "companion.sqlite").is_file()
    match = answer.headers["Location"].partition("?")[0]
    until = time.monotonic() + LONG
    while True:
        answer, sheet = ask(port, "GET", f"{match}/sheet.pdf", cookies=sent)
        if answer.status == 200:
            break
        assert answer.status == 202 and time.monotonic() < until, sheet.decode()
        time.sleep(1)
    assert answer.headers["Content-Type"] == "application/pdf"
    assert sheet.startswith(b"%PDF")


def test_an_installed_wheel_writes_the_app_as_files(bin_folder: Path, tmp_path: Path) -> None:
    """Without Node.js, which is not on the path, within five seconds of processor."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [str(bin_folder / "companion"), "site", str(tmp_path / "site"), "--at", "/cards/"]
    subprocess.run(command, cwd=tmp_path, env={"PATH": str(bin_folder)}, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 5
    assert 8_000_000 < sum(path.stat().st_size for path in tmp_path.rglob("*.packed")) < 12_000_000
