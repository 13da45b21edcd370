"""An update as the documents have it: whoever plays meanwhile is served, or told to come again in a moment.

The commands of sections 1 and 6 are run as they stand, on two folders with the program in them, while a
browser asks for pages and saves deals. In place of `git clone` and `./dev setup` the folders are copied and
given a `.venv` that uses the packages of the tests; in that of systemd the shell starts and stops the server.
nginx and Caddy are those of this machine, with their examples from docs/hosting but names, ports and
certificates.
"""

import contextlib
import http.client
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.operate.serve.conftest import ask, free_port, wait_until

from .containerfile import ROOT
from .documented import FOLDER, find_block, run

pytestmark = pytest.mark.slow
INSTALL, SWITCH = find_block("1 Install", "ln -s"), find_block("6 Update", "ln -s")
FIRST_SWITCH = find_block("6 Update", "companion-before")
SETUP = """#!/bin/sh
mkdir -p .venv/bin && cat >.venv/bin/companion <<END
#!/bin/sh
PYTHONPATH=$(pwd -P) exec {python} -m companion.cli "\\$@"
END
chmod +x .venv/bin/companion
"""


def make_version(folder: Path, moved: bool = False) -> Path:
    """A folder with the program, as an archive has it; in one that has `moved`, pages have other names."""
    for name in ("companion", "static", "templates"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("files"))
    (folder / "dev").write_text(SETUP.format(python=sys.executable))
    (folder / "dev").chmod(0o755)
    if moved:
        (folder / "templates/deals").rename(folder / "templates/dealt")
        for path in [*folder.glob("templates/**/*.html"), *folder.glob("companion/**/*.py")]:
            text = path.read_text()
            path.write_text(re.sub(r"(?<=[\"'])deals/(?=[\w/]+\.html)", "dealt/", text))
    return folder


class Service:
    """A machine with two versions of the program, and its service, which the documents' commands start."""

    def __init__(self, root: Path) -> None:
        self.root, self.port = root, free_port()
        make_version(root / "old")
        make_version(root / "new", moved=True)
        start = f"{root}/opt/companion/.venv/bin/companion serve --host 127.0.0.1 --port {self.port}"
        begin = f"COMPANION_INSTANCE={root}/instance setsid {start} >>{root}/log 2>&1 & echo $! >{root}/pid"
        end = f"kill $(cat {root}/pid); while kill -0 $(cat {root}/pid); do sleep 0.1; done 2>/dev/null"
        self.programs = {
            "systemctl": f'case "$*" in "stop companion") {end};; "start companion") {begin};;'
            f' "restart companion") sleep 1; {end}; {begin};; esac; true',
            "curl": ":",
        }

    def do(self, script: str, version: str) -> str:
        """Run commands of the documents, which fetch this version; what they print."""
        fetched = {"git": f'cp -a {self.root}/{version} "$3"', "date": f"echo {version}"}
        return run(
            script, self.root, {**self.programs, **fetched}, COMPANION_LIMITS="off", COMPANION_PROXIES="0"
        )

    def end(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            os.killpg(int((self.root / "pid").read_text()), signal.SIGKILL)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """The old version, installed as section 1 has it, and serving."""
    service = Service(tmp_path)
    service.do(INSTALL, "old")
    service.do("systemctl start companion", "old")
    try:
        wait_until(lambda: is_reached(service.port))
        yield service
    finally:
        service.end()


def start_nginx(folder: Path, port: int, to: int) -> list[str]:
    """The command that starts it with its example."""
    text = (FOLDER / "nginx.conf").read_text().replace("127.0.0.1:5000", f"127.0.0.1:{to}")
    upstream, _redirecting, server = re.split(r"^server \{\n", text, flags=re.MULTILINE)
    server = re.sub(r"^ *(ssl_.*|listen \[.*)\n", "", server, flags=re.MULTILINE)
    server = server.replace("listen 443 ssl http2", f"listen 127.0.0.1:{port}")
    temporary = "".join(
        f"{name}_temp_path {folder}; " for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root; " if os.geteuid() == 0 else ""
    (folder / "conf").write_text(
        f"{user}daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log; events {{}}\n"
        f"http {{ {temporary}\n{upstream}server {{\n{server}}}\n"
    )
    return ["nginx", "-e", f"{folder}/nginx.log", "-c", f"{folder}/conf"]


def start_caddy(folder: Path, port: int, to: int) -> list[str]:
    text = (FOLDER / "Caddyfile").read_text().replace("127.0.0.1:5000", f"127.0.0.1:{to}")
    text = re.sub(r"^club\.example \{", f"http://127.0.0.1:{port} {{", text, flags=re.MULTILINE)
    (folder / "conf").write_text("{\n\tadmin off\n}\n" + text)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", f"{folder}/conf"]


PROXIES = {"nginx": start_nginx, "caddy": start_caddy}


@pytest.fixture
def address(request: pytest.FixtureRequest, service: Service) -> Iterator[int]:
    """The port at which browsers find the service: that of a proxy, or its own."""
    if request.param == "none":
        yield service.port
        return
    port = free_port()
    command = PROXIES[request.param](service.root, port, service.port)
    with (service.root / "proxy.log").open("w") as log:
        proxy = subprocess.Popen(command, cwd=service.root, stdout=log, stderr=log)
    try:
        wait_until(lambda: is_reached(port))
        yield port
    finally:
        proxy.terminate()
        proxy.wait()


def is_reached(port: int) -> bool:
    try:
        return ask(port, "/readyz")[0].status == 200
    except OSError:
        return False


PLAYED = ("{}/deal", "{}", "/en/")
SELDOM = (
    "/en/rules",
    "/en/ask",
    "/en/browser",
    "{}/more",
    "{}/history",
    "{}/names",
    "{}/phones",
    "{}/sheet",
    "{}/ask",
)
"""Pages whose templates and modules no process may have read yet."""


class Table:
    """A browser that looks at pages, and saves deals, one after the other, until it is told to stop."""

    def __init__(self, port: int) -> None:
        self.port, self.statuses, self.wrong = port, list[int](), list[str]()
        self._cookies: dict[str, str] = {}
        self._match = self._begin()
        self.paths: tuple[str, ...] = PLAYED
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._play)

    def __enter__(self) -> "Table":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()

    def _ask(self, path: str, fields: str | None = None) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items())}
            if fields is not None:
                headers["Content-Type"] = "application/x-www-form-urlencoded"
            connection.request("GET" if fields is None else "POST", path, fields, headers)
            answer = connection.getresponse()
            self.body = answer.read().decode()
            for cookie in answer.headers.get_all("Set-Cookie", ()):
                name, _equals, value = cookie.partition(";")[0].partition("=")
                self._cookies[name] = value
            return answer
        finally:
            connection.close()

    def _begin(self) -> str:
        self._ask("/en/new")
        answer = self._ask("/en/new", f"{self._carried()}&name-A=Ewa&name-B=Jan&dealer=A")
        assert answer.status == 303, self.body
        return answer.headers["Location"]

    def _carried(self) -> str:
        """What a page's form carries along by itself."""
        names = ("csrf_token", "form_key", "seq")
        found = ((name, re.search(rf'name="{name}"[^>]*value="([^"]*)"', self.body)) for name in names)
        return "&".join(f"{name}={value[1]}" for name, value in found if value)

    def _play(self) -> None:
        while not self._is_over.is_set():
            for path in (path.format(self._match) for path in self.paths):
                self._note(path, None)
                if path.endswith("/deal") and self.statuses[-1] == 200:
                    typed = "way=outcome&bid=A:H&counting=totals&total_A=82&total_B=65&do=save"
                    self._note(path, f"{self._carried()}&{typed}")
                time.sleep(0.02)

    def _note(self, path: str, fields: str | None) -> None:
        try:
            answer = self._ask(path, fields)
        except OSError:  # only where there is no proxy: nobody listens
            self.statuses.append(0)
            return
        self.statuses.append(answer.status)
        is_announced = answer.status == 503 and answer.headers["Retry-After"]
        if answer.status >= 500 and not is_announced:
            self.wrong.append(f"{path}: {answer.status} {self.body[:200]}")


@pytest.mark.parametrize(
    "address",
    ["none", *(pytest.param(name, marks=pytest.mark.nightly) for name in PROXIES)],
    indirect=True,
)
def test_nobody_meets_a_fault_while_one_version_follows_another(service: Service, address: int) -> None:
    """The new version serves from its folder, the old one is whole; in between 503 says when to try again."""
    with Table(address) as table:
        wait_until(lambda: len(table.statuses) > 20)
        table.paths += SELDOM
        service.do(SWITCH, "new")
        wait_until(lambda: is_reached(service.port))
        done = len(table.statuses)
        wait_until(lambda: len(table.statuses) > done + 20)
    assert table.wrong == []
    assert {200, 303} <= {*table.statuses}
    assert (0 in table.statuses) == (address == service.port)
    assert address == service.port or 503 in table.statuses
    assert os.readlink(service.root / "opt/companion") == f"{service.root}/opt/companion-new"
    assert (service.root / "opt/companion-old/templates/deals").is_dir()
    assert "Traceback" not in (service.root / "log").read_text()


def test_the_first_switch_of_a_folder(service: Service) -> None:
    """Where the program lay in /opt/companion itself: nothing is linked into it by mistake."""
    place = service.root / "opt/companion"
    service.do("systemctl stop companion", "old")
    place.unlink()
    (service.root / "opt/companion-old").rename(place)
    service.do(SWITCH.partition("ln -s")[0], "new")
    switch = "ln -sfT" + SWITCH.partition("ln -sfT")[2]
    assert "cannot overwrite directory" in service.do(f"NEW=/opt/companion-new\n{switch}", "new")
    service.do(f"NEW=/opt/companion-new\n{FIRST_SWITCH.partition('systemctl stop companion')[2]}", "new")
    wait_until(lambda: is_reached(service.port))
    assert os.readlink(place) == f"{service.root}/opt/companion-new"
    assert (service.root / "opt/companion-before/templates/deals").is_dir()
