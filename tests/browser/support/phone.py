"""A phone that stores what it is given, and a server that comes and goes: for what happens between the two.

The phone is a browser with a profile on the disk: closed, killed and opened again it is the same phone. Other
contexts of the tests have no profile, and no service worker.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from threading import Timer
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Playwright, Request
from playwright.sync_api import Error as PlaywrightError
from serving import change_constants, serve_command

ROOT = Path(__file__).resolve().parents[3]
_PARTS = ("companion", "templates", "static")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


class Server:
    """The real server on a port and a folder of its own: stopped and started, it is the same one.

    Its pages wait for what is heavy, `page_timeout` seconds.
    """

    def __init__(self, folder: Path, port: int, page_timeout: str = "50", **settings: str) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self._folder, self._port = folder, port
        # All phones of the tests come from one address, and nobody there takes his time.
        chosen = {"LIMITS": "off"} | settings
        self._settings = {f"COMPANION_{name}": value for name, value in chosen.items()}
        self._settings |= change_constants({"companion.jobs.job.PAGE_TIMEOUT": float(page_timeout)})
        self._process: subprocess.Popen[bytes] | None = None
        self._updates = 0
        self._source = ROOT

    @property
    def source(self) -> Path:
        """Where the app lies that it serves."""
        return self._source

    @property
    def is_running(self) -> bool:
        """Whether it has been started, and neither stopped nor killed."""
        return self._process is not None

    @property
    def is_updated(self) -> bool:
        """Whether it serves another app than the one it began with."""
        return self._source != ROOT

    def start(self) -> None:
        """Serve, and come back as soon as there are answers."""
        if self._process is not None:
            return
        self._take_port()  # fails where another one still serves
        printed = self._folder / "output.txt"
        outside = {name: value for name, value in os.environ.items() if not name.startswith("COMPANION_")}
        with printed.open("wb") as output:
            self._process = subprocess.Popen(
                serve_command(self._port),
                cwd=self._source,
                env=outside | self._settings | {"COMPANION_INSTANCE": str(self._folder / "instance")},
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        until = time.monotonic() + 60
        while not self._answers():
            assert self._process.poll() is None, f"the server did not start:\n{printed.read_text()}"
            assert time.monotonic() < until, f"the server does not answer:\n{printed.read_text()}"
            time.sleep(0.1)

    def stop(self) -> None:
        """Serve no more: whoever asks is refused."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(30)
            self._process = None

    def kill(self) -> None:
        """End it at once, amid whatever it does."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(30)
            self._process = None
            until = time.monotonic() + 30
            while True:  # those that it started need a moment to end
                try:
                    return self._take_port()
                except OSError:
                    if time.monotonic() > until:
                        raise
                    time.sleep(0.02)

    def restart(self) -> None:
        """The same app once more."""
        self.stop()
        self.start()

    def restart_updated(
        self, worker: str = "", prepare: Callable[[Path], object] = lambda source: None
    ) -> str:
        """Another version of the app on the same instance; gives the mark that is on all of it.

        `prepare` is called with the folder of that app before it is served.

        Every page says `<meta name="update" content="MARK">`, and the style sheet of all sets `--update`
        to "MARK", so that a page of one version with files of another is noticed. `worker` is added to the
        service worker, which is then another one.
        """
        self._updates += 1
        mark = f"update-{self._updates}"
        source = self._folder / mark
        for part in _PARTS:
            shutil.copytree(ROOT / part, source / part, ignore=shutil.ignore_patterns("__pycache__"))
        base = source / "templates/shell/base.html"
        text = base.read_text(encoding="utf-8")
        assert "<head>" in text
        base.write_text(text.replace("<head>", f'<head>\n<meta name="update" content="{mark}">', 1), "utf-8")
        with (source / "static/shell/base.css").open("a", encoding="utf-8") as style:
            style.write(f'\n:root {{ --update: "{mark}"; }}\n')
        with (source / "static/offline/worker.js").open("a", encoding="utf-8") as script:
            script.write(worker)
        prepare(source)
        self.stop()
        self._source = source
        self.start()
        return mark

    def restart_original(self) -> None:
        """The app it began with, as far as it is not served anyway."""
        if self.is_updated:
            self.stop()
            self._source = ROOT
        self.start()

    def _take_port(self) -> None:
        with socket.socket() as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            trial.bind(("127.0.0.1", self._port))

    def _answers(self) -> bool:
        try:
            urllib.request.urlopen(f"{self.address}/en/", timeout=5).close()
        except (URLError, ConnectionError, TimeoutError):
            return False
        return True


class Phone:
    """A browser with a profile. What its pages throw or ask of other machines is written down.

    With `browser` it is a context of that one: as quick to have, but nothing is left of it when it is closed.
    """

    def __init__(
        self,
        playwright: Playwright,
        profile: Path,
        server: Server,
        launch: dict[str, Any],
        screen: dict[str, Any],
        browser: Browser | None = None,
    ) -> None:
        self.server = server
        self.thrown: list[str] = []
        self.foreign: list[str] = []
        self._playwright, self._profile, self._browser = playwright, profile, browser
        self._options = {"base_url": server.address} | screen | {"service_workers": "allow"}
        if browser is None:
            self._options |= launch | {"args": [*launch["args"], *screen.get("args", ())]}
        self._context: BrowserContext | None = None
        self._cookies: list[Any] = []

    @property
    def context(self) -> BrowserContext:
        """The running browser; it is started where it does not run."""
        if self._context is None:
            if self._browser:
                self._context = self._browser.new_context(**self._options)
            else:
                chromium = self._playwright.chromium
                self._context = chromium.launch_persistent_context(str(self._profile), **self._options)
            self._context.on("page", self._watch)
            if self._cookies:
                self._context.add_cookies(self._cookies)
            for page in self._context.pages:
                self._watch(page)
        return self._context

    def open(self, address: str = "/en/", controlled: bool = True) -> Page:
        """A page in a tab of its own, by default with the service worker in charge of it.

        Without `controlled` the page is taken as it comes, as on the very first visit.
        """
        context = self.context
        page = context.new_page()
        page.goto(address)
        if controlled:
            assert page.evaluate(_IN_CHARGE), "no worker is in charge of the page"
        return page

    def restart(self, address: str = "/en/") -> Page:
        """Close the browser as one does, and open it again."""
        assert self._browser is None, "mark the test: @pytest.mark.profile"
        self.close()
        return self.open(address, controlled=False)

    def kill(self, amid: Callable[[], object] = lambda: None, after: float = 0) -> None:
        """The battery is empty: the browser ends at once, without a chance to put anything in order.

        That is so many seconds after it began to do what `amid` does, which may come to nothing then. Its
        cookies are there again afterwards: it would take half a minute until they are on the disk.
        """
        assert self._browser is None, "mark the test: @pytest.mark.profile"
        context = self.context
        self._cookies = [*context.cookies()]
        assert context.browser
        running = context.browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")
        pid = next(int(item["id"]) for item in running["processInfo"] if item["type"] == "browser")
        battery = Timer(after, os.kill, (pid, signal.SIGKILL))
        battery.start()
        with contextlib.suppress(PlaywrightError):  # it is gone
            amid()
        battery.join()
        with contextlib.suppress(PlaywrightError):
            context.close()
        self._context = None
        # Of two browsers with one profile the second gives way to the first, which is dead.
        for name in ("SingletonLock", "SingletonSocket", "SingletonCookie"):
            (self._profile / name).unlink(missing_ok=True)

    def close(self) -> None:
        """Close the browser, as one does."""
        if self._context is not None:
            self._cookies = [*self._context.cookies()]
            self._context.close()
            self._context = None

    def copy_profile(self, folder: Path) -> Path:
        """All of it once more, for another browser; it must be closed."""
        assert self._context is None
        return Path(shutil.copytree(self._profile, folder, ignore=shutil.ignore_patterns("Singleton*")))

    def identity(self) -> list[Any]:
        """The cookie that the server knows it by, to make another phone the same."""
        return [cookie for cookie in self.context.cookies() if cookie["name"] == "companion-browser"]

    def wait_until_saved(self, page: Page, address: str) -> None:
        """Until a page is there without network; it may take a busy machine half a minute."""
        assert page.evaluate(_UNTIL_STORED, address), f"not kept within 30 seconds: {address}"

    def set_offline(self, offline: bool) -> None:
        """Take the network away, or give it back."""
        self.context.set_offline(offline)

    def _watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.thrown.append(str(error)))
        page.on("request", self._look)

    def _look(self, request: Request) -> None:
        if urlsplit(request.url).hostname not in {"127.0.0.1", "table.test", None}:
            self.foreign.append(request.url)


def visit(page: Page, address: str) -> None:
    """Open a page, though the one that is shown may just be loading itself anew."""
    for _again in range(3):
        with contextlib.suppress(PlaywrightError):
            page.goto(address)
            return
    page.goto(address)


_IN_CHARGE = """async () => {
  for (const until = Date.now() + 60_000; Date.now() < until; ) {
    if (navigator.serviceWorker.controller) return true;
    await new Promise((go) => setTimeout(go, 50));
  }
  return false;
}"""

_UNTIL_STORED = """async (address) => {
  for (const until = Date.now() + 30_000; Date.now() < until; ) {
    if (await caches.match(address)) return true;
    await new Promise((go) => setTimeout(go, 50));
  }
  return false;
}"""
