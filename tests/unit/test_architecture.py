"""The house stands as it was drawn: who may import whom, and what the pure packages stay away from."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from house import HOUSE, PURE, ROOT, complaints, find_circle, module_graph, part_of

# --- the house -------------------------------------------------------------------------------

SOURCES = sorted(str(path.relative_to(ROOT)) for path in HOUSE.rglob("*.py"))
# But for bela, which is also what king and queen of trumps are called.
GAMES = {path.stem for path in (HOUSE / "games").glob("*.toml")} - {"bela"}


@pytest.mark.slow
def test_files_keep_to_the_drawing() -> None:
    found = {path: complaints(path, (ROOT / path).read_text(encoding="utf-8"), GAMES) for path in SOURCES}
    assert {path: complaint for path, complaint in found.items() if complaint} == {}


def test_no_modules_import_each_other_in_a_circle() -> None:
    sources = {path: (ROOT / path).read_text(encoding="utf-8") for path in SOURCES}
    assert find_circle(module_graph(sources)) == []


def test_what_a_game_is_asked_is_typed() -> None:
    """The base classes of games say the type of everything; mypy checks that the families keep to it."""
    source = (HOUSE / "rules/game.py").read_text(encoding="utf-8")
    assert not re.search(r"\bAny\b", source)


def loaded_by(*modules: str) -> set[str]:
    """The names of what a fresh interpreter has loaded after importing these."""
    program = f"""
import sys
before = set(sys.modules)
import {", ".join(modules)}
print(*set(sys.modules) - before)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {name.partition(".")[0] for name in done.stdout.split()}


def modules_of(part: str) -> list[str]:
    files = [path for path in SOURCES if part_of(path) == part]
    return [".".join(Path(path).with_suffix("").parts).removesuffix(".__init__") for path in files]


@pytest.mark.parametrize("part", sorted(part for part in PURE if modules_of(part)))
def test_a_pure_package_loads_nothing_but_the_standard_library(part: str) -> None:
    assert loaded_by(*modules_of(part)) - set(sys.stdlib_module_names) == {"companion"}


def test_the_app_is_ready_without_the_renderer_of_sheets() -> None:
    shells = [f"companion.{part}" for part in ("cli", "web", "sheets") if modules_of(part)]
    assert "weasyprint" not in loaded_by("companion", *shells)


def test_matches_become_files_where_no_database_is_installed() -> None:
    """On a phone, that is; a backup of an instance alone needs one."""
    assert "sqlalchemy" not in loaded_by("companion.archives", "companion.store.memory")


# --- the test itself, on houses that do not stand ---------------------------------------------

SOUND = {
    "companion/__init__.py": "def __getattr__(name):\n    from companion.web import create_app",
    "companion/__main__.py": "from companion.cli import main",
    "companion/cli.py": "from companion import create_app, library\nfrom companion.record.log import fold",
    "companion/i18n.py": "import gettext\nfrom companion.rules.message import Message",
    "companion/library/__init__.py": "import tomllib\nfrom companion import beating, jacknine",
    "companion/rules/cards.py": "from dataclasses import dataclass\nfrom .seats import Ring",
    "companion/jacknine/match.py": '"""Derda."""\nfrom ..rules.cards import Card\nfrom .phases import play',
    "companion/record/log.py": "from datetime import datetime\nwhen = datetime.fromisoformat",
    "companion/operate/server.py": "import waitress\nfrom companion import create_app",
    "companion/sheets/pdf.py": "from weasyprint import HTML\nfrom companion.notation import svg",
    "companion/store/tables.py": "import sqlalchemy, os\nfrom companion.record import log",
    "companion/wording/rulings.py": "from companion.rules.message import Message",
    "companion/web/app.py": "from companion.store.sql import SqlStore\nfrom .deals import views",
    "companion/web/deals/page.py": "from companion.web.rulings import query_of\nfrom ..shell import text",
    "companion/web/deals/ui.py": "from companion.jacknine.state import JackNineRow",
    "companion/web/hands/ui.py": "from companion.beating.entries import Bout",
    "companion/sheets/session.py": "from companion.beating.state import BeatingState",
    "companion/matches/open.py": "from companion import library\nfrom companion.store import Store",
}
BROKEN = {
    "a family seen from the web": ("companion/web/shell/a.py", "from companion.jacknine import play"),
    "the other family seen from a room of pages": ("companion/web/deals/a.py",
        "from companion.beating import entries"),
    "a family seen from a sheet of all": ("companion/sheets/common.py", "import companion.jacknine.state"),
    "a family seen from the command line": ("companion/cli.py", "import companion.beating.bout"),
    "a family seen from the record": ("companion/record/a.py", "from ..beating import match"),
    "one family seen from the other": ("companion/jacknine/phases/a.py", "from companion import beating"),
    "and the other way round": ("companion/beating/a.py", "import companion.jacknine"),
    "a command line that reaches into the web": ("companion/cli.py", "from companion.web import forms"),
    "rules that know the record": ("companion/rules/a.py", "from companion.record import log"),
    "wording that knows the record": ("companion/wording/a.py", "from companion.record import log"),
    "a drawing that knows cards": ("companion/notation/a.py", "from companion.rules.cards import Card"),
    "a database that knows games": ("companion/store/a.py", "from companion import library"),
    "sheets that reach up": ("companion/sheets/a.py", "from companion.store import load"),
    "a library that reaches up": ("companion/library/__init__.py", "from companion.web import create_app"),
    "a core that asks for the app": ("companion/rules/a.py", "from companion import create_app"),
    "an arrow in a function": ("companion/rules/a.py", "def f():\n    from ..web import app"),
    "a core that could import by name": ("companion/rules/a.py", "from importlib import import_module"),
    "an arrow by a name": ("companion/store/a.py", "importlib.import_module('companion.web')"),
    "a room that was not drawn": ("companion/helpers.py", ""),
    "a core with a web framework": ("companion/rules/a.py", "import flask"),
    "a core with files": ("companion/rules/a.py", "from pathlib import Path"),
    "a core that opens": ("companion/rules/a.py", "open('a')"),
    "a core that prints": ("companion/notation/a.py", "print('a')"),
    "a core with chance": ("companion/beating/a.py", "import random"),
    "a core with a clock": ("companion/record/a.py", "import time"),
    "a core with a date": ("companion/record/a.py", "from datetime import datetime\ndatetime.now()"),
    "a core with a longer date": ("companion/record/a.py", "import datetime\ndatetime.date.today()"),
    "a renderer outside sheets": ("companion/web/shell/a.py", "import weasyprint"),
    "a game in a condition": ("companion/web/shell/a.py", "def f(game):\n    game == 'derda'"),
    "a game in a longer string": ("companion/store/a.py", "key = f'DERDA_{1}'"),
    "a phase that knows the arbiter": ("companion/jacknine/phases/a.py",
        "from companion.jacknine.arbiter import audit"),
    "a room of pages beside another": ("companion/web/deals/a.py", "from companion.web.hands import FAMILY"),
    "the inside of a room of pages": ("companion/web/deals/a.py",
        "from companion.web.rulings.form import query_of"),
    "pages that open a database": ("companion/web/deals/a.py", "from companion.store.sql import SqlStore"),
    "an application that knows pages": ("companion/matches/a.py", "from companion.web.shell import text"),
    "a rule set by inheritance": ("companion/jacknine/phases/a.py", "class Mine(ruleset.Ruleset): ..."),
}  # fmt: skip


def test_what_is_drawn_passes() -> None:
    assert [complaint for path in SOUND for complaint in complaints(path, SOUND[path], {"derda"})] == []


def test_what_is_not_drawn_fails() -> None:
    counts = {case: len(complaints(path, source, {"derda"})) for case, (path, source) in BROKEN.items()}
    assert {case: count for case, count in counts.items() if count != 1} == {}


def test_a_circle_is_found() -> None:
    sources = {
        "companion/a.py": "from . import b",
        "companion/b.py": "from companion.c import f",
        "companion/c.py": "import companion.a",
        "companion/d.py": "from . import a",
    }
    assert {*find_circle(module_graph(sources))} == {"companion.a", "companion.b", "companion.c"}


def test_no_two_classes_have_one_name() -> None:
    """One thing, one name: whoever meets a class knows which it is."""
    names: dict[str, str] = {}
    for path in SOURCES:
        for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                assert names.setdefault(node.name, path) == path, node.name
