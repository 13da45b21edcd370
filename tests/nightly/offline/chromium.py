"""The files of the offline app, started in a page of a headless Chromium."""

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route

from companion.web.offline.app_files import FOLDER, unpack
from companion.web.offline.static_files import compute_version
from companion.web.parts import make_flask
from tests.unit.offline_app.parity.comparing import read_steps
from tests.unit.offline_app.parity.plain import Step

ROOT = Path(__file__).resolve().parents[3]
ORIGIN = "http://localhost:5997"
"""Nobody listens there: all is answered by the test itself."""
_TAKEN = (
    "tests/nightly/offline/inside.py",
    "tests/nightly/offline/judging.py",
    "tests/unit/offline_app/parity/*.py",
    "tests/nightly/fuzz/pages.py",
    "tests/support/cases.py",
    "tests/cases/*/*.toml",
    "tests/golden/*.json",
)
"""What a phone needs to be tested, beside its own files."""
_ONLY_TESTS = ("html/parser.py", "_markupbase.py")
"""Of Python's library what a test reads pages with, and no page is made with."""
_CASES = "companion/cli/cases.py"
"""Runs cases; the command line it belongs to is not among what a phone has."""
_BEGIN = """async ({base, tests}) => {
  const { loadPyodide } = await import(`${base}pyodide.mjs`);
  const read = async (name) => (await fetch(name)).arrayBuffer();
  const python = self.python = await loadPyodide({
    indexURL: base,
    stdLibURL: `${base}stdlib.zip`,
    lockFileContents: await (await fetch(`${base}pyodide-lock.json`)).text(),
  });
  for (const name of ["libs.zip", "app.zip"]) {
    python.unpackArchive(await read(`${base}${name}`), "zip", { extractDir: "/app" });
  }
  python.unpackArchive(await read(tests), "zip", { extractDir: "/work" });
  python.runPython(`
import sys
sys.path[:0] = ["/app", "/work", "/work/tests/support", "/work/spare"]
import html
html.__path__.append("/work/spare/html")
import companion
companion.__path__.append("/work/spare/companion")
from tests.nightly.offline.inside import Inside
inside = Inside("/app")
`);
}"""


class Phone:
    """Python in a page, with the app in it."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def walk(self, name: str, short: bool) -> list[Step]:
        return read_steps(self._ask("walk", name, short))

    def judge(self, every: int, first: int, most: int) -> list[tuple[str, str]]:
        """What some of the cases and matches come to."""
        return [(name, reported) for name, reported in json.loads(self._ask("judge", every, first, most))]

    def describe(self) -> str:
        return self._ask("describe")

    def _ask(self, verb: str, *arguments: Any) -> str:
        reported: str = self._page.evaluate(
            "([verb, given]) => python.globals.get('inside')[verb](...given)", [verb, list(arguments)]
        )
        return reported


@contextmanager
def start_phone(browser: Browser, zone: str) -> Iterator[Phone]:
    """A phone in this time zone, on which the offline app of this checkout has started.

    :raises AssertionError: when there is no offline app: `./dev offline` makes it.
    """
    manifest = FOLDER / "manifest.json"
    reported = json.loads(manifest.read_text("utf-8")) if manifest.is_file() else {}
    version = compute_version(make_flask({}, None))
    assert reported.get("version") == version, "no offline app of this version: run ./dev offline"
    build = reported["build"]
    with browser.new_context(timezone_id=zone, service_workers="block") as context:
        page = context.new_page()
        tests = pack_tests()

        def answer(route: Route) -> None:
            name = route.request.url.rsplit("/", 1)[1]
            file = FOLDER / build / f"{name}.br"
            if name == "tests.zip":
                route.fulfill(body=tests, content_type="application/zip")
            elif name and file.is_file():
                kinds = {".mjs": "text/javascript", ".wasm": "application/wasm"}
                kind = kinds.get(Path(name).suffix, "application/octet-stream")
                route.fulfill(body=unpack(file), content_type=kind)
            else:
                route.fulfill(status=200 if not name else 404, body="", content_type="text/html")

        page.route("**/*", answer)
        page.goto(f"{ORIGIN}/")
        page.evaluate(_BEGIN, {"base": f"{ORIGIN}/pocket/", "tests": f"{ORIGIN}/tests.zip"})
        yield Phone(page)


def pack_tests() -> bytes:
    """What the phone is asked to do, and the cases."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for pattern in _TAKEN:
            for path in sorted(ROOT.glob(pattern)):
                archive.write(path, path.relative_to(ROOT))
        library = Path(io.__file__).parent
        for name in _ONLY_TESTS:
            archive.write(library / name, f"spare/{name}")
        archive.write(ROOT / _CASES, f"spare/{_CASES}")
    return packed.getvalue()
