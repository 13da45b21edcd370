"""Firefox and WebKit, driven through the commands of WebDriver, which both know.

Firefox takes them over Marionette (a socket), WebKitGTK over its WebKitWebDriver (HTTP). A phone is a browser
of 360 by 740 pixels with a profile on the disk.
"""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO
from urllib.error import HTTPError

WIDTH, HEIGHT = 360, 740
WAIT = 60
"""Seconds until what is waited for has not come: these browsers are slow on a busy machine."""
TIMEZONE = "Europe/Warsaw"
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_FOLDER = Path(__file__).parent
_PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "devtools.console.stdout.content": True,
    "intl.accept_languages": "en-GB",
    "toolkit.legacyUserProfileCustomizations.stylesheets": True,
    "services.settings.server": "data:,",
    "ui.useOverlayScrollbars": 1,
    "widget.gtk.overlay-scrollbars.enabled": True,
}
"""Of Firefox: it fetches nothing of its own, prints errors of pages, has narrow windows and thin bars."""


class DriverError(Exception):
    """A browser refused a command."""


class Phone(ABC):
    """A browser with a profile: closed and opened again with the same folder it is the same phone."""

    needs: tuple[str, ...]
    """The programs without which it cannot be driven."""

    def __init__(self, folder: Path, server: str) -> None:
        for program in self.needs:
            assert shutil.which(program), f"no {program}: run ./dev test nightly, or install it"
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.server = folder, server
        self.console = folder / "console.txt"
        self._processes: list[subprocess.Popen[bytes]] = []
        try:
            with self.console.open("ab") as output:
                self._start(output)
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def _start(self, output: BinaryIO) -> None:
        """Start the browser; what it prints goes to `output`."""

    @abstractmethod
    def _send(self, name: str, method: str, path: str, content: dict[str, Any]) -> Any:
        """Send a command by its name (Marionette), or by method and path (WebDriver)."""

    @abstractmethod
    def errors(self) -> list[str]:
        """What scripts of pages failed with."""

    def _run(self, command: list[str], output: BinaryIO, **more: str) -> None:
        self._processes.append(
            subprocess.Popen(
                command,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, "TZ": TIMEZONE, "LANG": "C.UTF-8", **more},
                start_new_session=True,
            )
        )

    def close(self) -> None:
        """End the browser, as somebody who swipes it away."""
        for process in reversed(self._processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, 15)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.wait(20)
        self._processes.clear()

    # --- what is done with a page ---

    def goto(self, path: str) -> None:
        """Open an address, below the server's or whole."""
        address = path if "://" in path else self.server + path
        self._send("WebDriver:Navigate", "POST", "/url", {"url": address})

    def run(self, script: str, *words: object) -> Any:
        """The result of a script (`return …`) in the page."""
        content = {"script": script, "args": list(words)}
        return self._send("WebDriver:ExecuteScript", "POST", "/execute/sync", content)

    def wait_for(self, script: str, *words: object, seconds: float = WAIT) -> Any:
        """What a script returns, as soon as that is something."""
        until = time.monotonic() + seconds
        while True:
            found = None
            with contextlib.suppress(DriverError):  # the page may be about to be left
                found = self.run(f"return ({script})", *words)
            if found:
                return found
            if time.monotonic() > until:
                seen = self.run("return [location.href, document.body.innerText.slice(0, 1500)]")
                raise AssertionError(f"never: {script} {words}\n{seen}")
            time.sleep(0.2)

    def add_cookie(self, name: str, value: str) -> None:
        """A cookie of the server's, as if it had been set there."""
        cookie = {"name": name, "value": value, "path": "/", "httpOnly": True}
        self._send("WebDriver:AddCookie", "POST", "/cookie", {"cookie": cookie})

    def see(self, css: str, text: str = "", seconds: float = WAIT) -> Any:
        """Wait until something is in view on the page, with that text."""
        seen = """[...document.querySelectorAll(arguments[0])].some((element) =>
          element.checkVisibility() && element.textContent.replace(/\\s+/g, " ").includes(arguments[1]))"""
        return self.wait_for(seen, css, text, seconds=seconds)

    def tap(self, css: str) -> None:
        """Tap the first that is visible."""
        self._tap(
            "[...document.querySelectorAll(arguments[0])].find((element) => element.checkVisibility())", css
        )

    def tap_button(self, *texts: str) -> None:
        """Tap the button, or the link, with exactly one of these texts."""
        found = """((...texts) => [...document.querySelectorAll("button, a.btn")].find((element) =>
          element.checkVisibility() && texts.includes(element.textContent.trim().replace(/\\s+/g, " "))
        ))(...arguments)"""
        self._tap(found, *texts)

    def _tap(self, script: str, *words: str) -> None:
        """In the middle of the screen; once more where the page is being changed by what others wrote."""
        until = time.monotonic() + WAIT
        while True:
            found = self.wait_for(script, *words)
            try:
                self.run("arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", found)
                id = found[_ELEMENT]
                self._send("WebDriver:ElementClick", "POST", f"/element/{id}/click", {"id": id})
            except DriverError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.2)
            else:
                return

    def choose(self, name: str, value: str) -> None:
        """Tap a choice by what it sends."""
        self.tap(f'label:has(> input[name="{name}"][value="{value}"])')

    def type(self, css: str, text: str) -> None:
        """Type into a field, in place of what is in it."""
        self.see(css)
        query = {"using": "css selector", "value": css}
        id = self._send("WebDriver:FindElement", "POST", "/element", query)[_ELEMENT]
        self._send("WebDriver:ElementClear", "POST", f"/element/{id}/clear", {"id": id})
        content = {"id": id, "text": text, "value": list(text)}
        self._send("WebDriver:ElementSendKeys", "POST", f"/element/{id}/value", content)


class Firefox(Phone):
    """Debian's `firefox-esr`, headless."""

    needs = ("firefox-esr",)

    def _start(self, output: BinaryIO) -> None:
        port = _free_port()
        wanted = {**_PREFERENCES, "marionette.port": port}
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in wanted.items()]
        (self.folder / "user.js").write_text("\n".join(lines), "utf-8")
        (self.folder / "chrome").mkdir(exist_ok=True)
        (self.folder / "chrome/userChrome.css").write_text(":root { min-width: 0 !important; }", "utf-8")
        command = ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", str(self.folder)]
        self._run(
            command, output, MOZ_HEADLESS_WIDTH="1200", MOZ_HEADLESS_HEIGHT="1200", HOME=str(self.folder)
        )
        self._socket = _until(lambda: socket.create_connection(("127.0.0.1", port), 5), self._processes)
        self._socket.settimeout(WAIT * 3)
        self._number = 0
        self._receive()  # what it says of itself
        self._send("WebDriver:NewSession", "", "", {"capabilities": {}})
        for _attempt in range(3):
            inner, outer = self.run("return [[innerWidth, innerHeight], [outerWidth, outerHeight]]")
            size = {"width": WIDTH + outer[0] - inner[0], "height": HEIGHT + outer[1] - inner[1]}
            self._send("WebDriver:SetWindowRect", "", "", size)
        assert self.run("return innerWidth") == WIDTH

    def _receive(self) -> Any:
        length = b""
        while not length.endswith(b":"):
            length += self._socket.recv(1)
        left, parts = int(length[:-1]), []
        while left:
            parts.append(self._socket.recv(left))
            left -= len(parts[-1])
        return json.loads(b"".join(parts))

    def _send(self, name: str, method: str, path: str, content: dict[str, Any]) -> Any:
        self._number += 1
        sent = json.dumps([0, self._number, name, content]).encode()
        self._socket.sendall(b"%d:%s" % (len(sent), sent))
        _kind, _number, error, answer = self._receive()
        if error:
            raise DriverError(f"{error['error']}: {error['message']}")
        return answer["value"] if isinstance(answer, dict) and "value" in answer else answer

    def errors(self) -> list[str]:
        lines = self.console.read_text("utf-8", "replace").splitlines()
        return [line for line in lines if "JavaScript error: http" in line]

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._send("Marionette:Quit", "", "", {"flags": ["eForceQuit"]})
        with contextlib.suppress(AttributeError):  # it was never reached
            self._socket.close()
        super().close()


class WebKit(Phone):
    """Debian's WebKitGTK, the engine of Safari, in a window of our own on a screen that nobody sees."""

    needs = ("WebKitWebDriver", "Xvfb")

    def _start(self, output: BinaryIO) -> None:
        display = f":{_free_port() % 1000 + 100}"
        self._run(["Xvfb", display, "-screen", "0", "800x900x24", "-nolisten", "tcp"], output)
        port = _free_port()
        self._run(
            ["WebKitWebDriver", f"--port={port}"],
            output,
            DISPLAY=display,
            PHONE_PROFILE=str(self.folder),
            GTK_A11Y="none",
            NO_AT_BRIDGE="1",
        )
        self._base = f"http://127.0.0.1:{port}"
        _until(lambda: self._ask("GET", "/status", None), self._processes)
        options = {"binary": str(_FOLDER / "webkit_window.py"), "args": []}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        made = self._ask("POST", "/session", wanted)
        self._base += f"/session/{made['sessionId']}"
        assert self.run("return innerWidth") == WIDTH

    def _ask(self, method: str, path: str, content: dict[str, Any] | None) -> Any:
        data = None if content is None else json.dumps(content).encode()
        request = urllib.request.Request(self._base + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=WAIT * 3) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            with error:
                raise DriverError(error.read().decode()) from None

    def _send(self, name: str, method: str, path: str, content: dict[str, Any]) -> Any:
        return self._ask(method, path, content)

    def errors(self) -> list[str]:
        lines = self.console.read_text("utf-8", "replace").splitlines()
        # A request that leaving the page ends is no error of it.
        return [line for line in lines if "CONSOLE JS ERROR" in line and "access control" not in line]

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._ask("DELETE", "", None)
        super().close()


ENGINES: dict[str, type[Phone]] = {"firefox": Firefox, "webkit": WebKit}


def _free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def _until(attempt: Callable[[], Any], processes: list[subprocess.Popen[bytes]]) -> Any:
    """What an attempt gives, once it does not fail."""
    until = time.monotonic() + WAIT * 2
    while True:
        try:
            return attempt()
        except OSError:
            assert processes[-1].poll() is None, "the browser has ended"
            assert time.monotonic() < until, "the browser does not answer"
            time.sleep(0.2)
