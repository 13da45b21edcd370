"""What goes into the offline app: all that its pages need, and little else."""

import gettext
import io
import json
import os
import pickle
import subprocess
import sys
import zipfile
from collections import Counter
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from pockets import open_archive

from companion.i18n import LANGUAGES
from companion.offline_app.build.contents import LIBRARIES, UNSAID
from companion.web.parts import PAGES

WALK = Path(__file__).with_name("walk.py")
WRITE = """
import sys
sys.path.insert(0, sys.argv[1])
from datetime import UTC, datetime
from babel import Locale, dates, numbers
MOMENT = datetime(2026, 3, 1, 20, 5, 9, tzinfo=UTC)
for name in sys.argv[2:]:
    locale = Locale.parse(name)
    print(ascii((
        [dates.format_date(MOMENT, form, locale) for form in ("short", "medium", "long", "full")],
        [dates.format_time(MOMENT, form, locale=locale) for form in ("short", "medium", "h B")],
        [numbers.format_decimal(number, locale=locale) for number in (-0.5, 1234567.891)],
        numbers.format_percent(0.125, "0.0%", locale),
        numbers.format_currency(1234.5, "EUR", locale=locale),
        [locale.plural_form(number) for number in (0, 1, 2, 5, 11, 21, 22, 1.5)],
        locale.text_direction, locale.first_week_day,
    )))
"""
"""A program that writes one line for each language, with the packages of a folder."""
OF_SERVERS = (
    "archives/backup", "cli", "serve", "store/sql", "store/migrations", "store/engine.py",
    "store/tables.py", "web/app.py", "web/shell/security/limits.py", "jobs/worker.py",
    "offline_app/build", "offline_app/files", "__main__.py",
)  # fmt: skip


def names_in(archive: Path) -> list[str]:
    with open_archive(archive) as opened:
        return opened.namelist()


def modules_in(archive: Path) -> list[str]:
    """The names of what they were compiled from."""
    return [name.removesuffix("c") for name in names_in(archive) if name.endswith(".pyc")]


IMPORTED = [303, 303, 200, 303, 200, 200]
"""The end of a walk: a match that was taken along is erased and imported again."""


@pytest.fixture(scope="module")
def walked(unpacked: Path) -> dict[str, Any]:
    return walk(unpacked, "phone")


def walk(unpacked: Path, host: str) -> dict[str, Any]:
    """How the pages of the offline app were answered with nothing but what is in it, and what was loaded."""
    environ = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error::ImportWarning", WALK, unpacked, host],
        env=environ,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_every_page_is_there(walked: dict[str, Any]) -> None:
    """In each language, of both families; what only a server has says that it waits for the network."""
    counts = Counter(status for *_asked, status in walked["seen"])
    assert set(counts) == {200, 302, 303, 404, 409, 422, 503}, walked["seen"]
    assert counts[200] > 150 and counts[404] == counts[409] == counts[422] == 1
    of_phones = {import_module(f"companion.web.{name}").bp.name for name in PAGES}
    waiting = {page for _method, _address, page, status in walked["seen"] if status == 503}
    assert {"moving.choose", "picture.image_png"} <= waiting
    assert {
        page for page in waiting if page.partition(".")[0] in of_phones and not page.endswith("_png")
    } == set()
    assert [status for *_asked, status in walked["seen"][-6:]] == IMPORTED


def test_a_phone_alone_never_waits_for_a_network(unpacked: Path) -> None:
    seen = walk(unpacked, "alone")["seen"]
    assert [(page, status) for *_asked, page, status in seen if status >= 500] == []
    assert [status for *_asked, status in seen[-6:]] == IMPORTED


def test_what_is_loaded_goes_along(
    walked: dict[str, Any], offline_files: Path, release: dict[str, bytes]
) -> None:
    """Of Python's library what Pyodide has of it; of all else everything, for there was nothing else."""
    packed = set(modules_in(offline_files / "stdlib.zip"))
    with zipfile.ZipFile(io.BytesIO(release["python_stdlib.zip"])) as library:
        whole = set(library.namelist())
    loaded = {
        place
        for module in walked["modules"]
        for place in (f"{module.replace('.', '/')}.py", f"{module.replace('.', '/')}/__init__.py")
    }
    types = {"tomllib/_types.py"}  # which an older Python reads, and that of a phone does not
    assert (loaded & whole) - packed - types == set()
    assert len(loaded & whole) > 100
    assert len(packed) < len(whole) / 2


def test_python_itself_starts_with_it(offline_files: Path) -> None:
    """What no page of ours asks for, but Pyodide: its own modules, and how texts are read."""
    packed = set(modules_in(offline_files / "stdlib.zip"))
    assert {"_pyodide/_base.py", "pyodide/code.py", "encodings/utf_8.py", "zipfile/__init__.py"} <= packed
    for unused in ("test", "unittest", "sqlite3", "tkinter", "idlelib", "pydoc", "turtle"):
        assert not any(name.startswith((f"{unused}/", f"{unused}.py")) for name in packed), unused


def test_nothing_goes_along_that_only_a_server_uses(offline_files: Path) -> None:
    """Neither of ours, nor tests, types, sources of catalogues and of modules, what tests are."""
    ours = names_in(offline_files / "app.zip")
    assert [name for name in ours for server in OF_SERVERS if name.startswith(f"companion/{server}")] == []
    for name in (*ours, *names_in(offline_files / "libs.zip"), *names_in(offline_files / "stdlib.zip")):
        assert not name.endswith((".po", ".pot", ".cfg", ".pyi", ".py", ".so", ".md")), name
        assert not {"tests", "test", "testing", "__pycache__"} & set(name.split("/")[:-1]), name


def test_what_is_ours_goes_along(offline_files: Path) -> None:
    """Games, catalogues, pages, the addresses of the server, its version; a folder for what is not there."""
    ours = set(names_in(offline_files / "app.zip"))
    assert {
        "companion/games/derda.toml",
        "companion/translations/pl/LC_MESSAGES/messages.mo",
        "companion/offline_app/bridge.pyc",
        "templates/shell/base.html",
        "templates/offline/needs_server.html",
        "static/",
    } <= ours
    assert not [name for name in ours if name.startswith("templates/dev/")]
    with open_archive(offline_files / "app.zip") as archive:
        listed = json.loads(archive.read("addresses.json"))
        version = archive.read("version.txt").decode()
    assert version == json.loads((offline_files.parent / "manifest.json").read_text())["version"]
    assert {"rule", "endpoint", "methods", "defaults"} == set(listed[0])
    assert "importing.choose" in {item["endpoint"] for item in listed}


def test_babel_knows_our_languages(offline_files: Path) -> None:
    """And none of the other thousand; dates on English sheets are British."""
    found = {
        Path(name).stem
        for name in names_in(offline_files / "libs.zip")
        if name.startswith("babel/locale-data/")
    }
    assert found == {"root", "en_001", "en_GB", *LANGUAGES}


def test_babel_says_what_pages_say(offline_files: Path) -> None:
    """Days, months and numbers as on the server; nothing is in the place of what no page says."""
    with open_archive(offline_files / "libs.zip") as archive:
        for name in (
            name for name in archive.namelist() if name.startswith("babel/") and name.endswith(".dat")
        ):
            whole = files("babel").joinpath(name.removeprefix("babel/")).read_bytes()
            here, there = pickle.loads(archive.read(name)), pickle.loads(whole)
            assert here.keys() == there.keys()
            left_out = {key for key, value in here.items() if repr(value) != repr(there[key])}
            assert left_out <= UNSAID and not any(here[key] for key in left_out)


def test_babel_writes_as_on_the_server(unpacked: Path) -> None:
    """In every language, and as on English sheets: dates, times, numbers, money, plurals."""
    names = [*LANGUAGES, "en_GB"]
    here, there = (
        subprocess.run([sys.executable, "-c", WRITE, folder, *names], capture_output=True, text=True)
        for folder in (unpacked, str(files("babel").joinpath("..")))
    )
    assert here.returncode == there.returncode == 0, here.stderr + there.stderr
    assert len(here.stdout.splitlines()) == len(names)
    assert here.stdout == there.stdout


@pytest.mark.parametrize("language", LANGUAGES)
def test_forms_say_what_is_wrong_as_on_the_server(unpacked: Path, language: str) -> None:
    """What our own sentences do not cover is said by the package that reads forms, in its languages."""
    there = gettext.find("wtforms", str(files("wtforms").joinpath("locale")), [language])
    here = gettext.find("wtforms", str(unpacked / "wtforms" / "locale"), [language])
    assert (here is None) == (there is None)
    assert here is None or there is None or Path(here).read_bytes() == Path(there).read_bytes()


def test_packages_are_those_of_pages(offline_files: Path) -> None:
    """No database, no printer, no time zones but those that are computed."""
    names = names_in(offline_files / "libs.zip")
    assert {name.split("/")[0] for name in names} == set(LIBRARIES)
    assert [name for name in names if name.startswith("pytz/zoneinfo")] == []
