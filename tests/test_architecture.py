"""The house stands as it was drawn: who may import whom, and what the pure packages stay away from."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).resolve().parent.parent
HOUSE = ROOT / "companion"

# The arrows that are drawn. What they lead to may be imported too, but for the families:
# those only the library names.
ARROWS = {
    "cli": {"sheets", "store", "library", "i18n"},
    "web": {"sheets", "store", "library", "i18n"},
    "sheets": {"notation", "record", "i18n"},
    "store": {"record"},
    "library": {"jacknine", "beating"},
    "jacknine": {"rules"},
    "beating": {"rules"},
    "record": {"rules"},
    "i18n": {"rules"},
    "translations": set(),  # catalogues, and what pybabel needs to read the games
    "rules": set(),
    "notation": set(),
}
# Where one comes in, and what may be asked for by the door.
ENTRANCES = {"__init__": {"web"}, "__main__": {"cli"}, "serve": {"create_app", "web"}}
DOORS = {"cli": {"create_app", "serve"}, "web": {"create_app"}}
FAMILIES = {"jacknine", "beating"}
PURE = {"rules", "jacknine", "beating", "record", "notation"}

# In the standard library, and yet clock, chance, file, environment, logger or another world outside.
# fmt: off
OUTSIDE = {
    "asyncio", "builtins", "concurrent", "contextvars", "getpass", "gettext", "glob", "http", "importlib",
    "io", "locale", "logging", "mmap", "multiprocessing", "os", "pathlib", "pickle", "platform", "posix",
    "queue", "random", "runpy", "secrets", "select", "shelve", "shutil", "signal", "socket", "sqlite3",
    "ssl", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid", "warnings", "zoneinfo",
}
# fmt: on
OUTSIDE_CALLS = {"__import__", "breakpoint", "compile", "eval", "exec", "input", "open", "print"}
CLOCK_CALLS = {"now", "utcnow", "today"}


def within_reach(part: str) -> set[str]:
    """The parts of the house this one may import."""
    if part in ENTRANCES:
        return ENTRANCES[part]
    reached, todo = set[str](), [part]
    while todo:
        for target in ARROWS[todo.pop()] - reached:
            reached.add(target)
            todo.append(target)
    return reached if part == "library" else reached - FAMILIES


# --- reading a source ------------------------------------------------------------------------


def part_of(path: str) -> str:
    """The part of the house a file belongs to: companion/rules/cards.py is of "rules"."""
    return Path(path).with_suffix("").parts[1]


def imports(path: str, tree: ast.AST) -> Iterator[str]:
    """The full dotted name of everything imported, relative imports and import_module() included."""
    package = Path(path).parent.parts
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                base = [*package[: len(package) - level + 1]] if level else []
                stem = ".".join([*base, *([module] if module else [])])
                yield from (f"{stem}.{alias.name}" for alias in names)
            case ast.Call(func=ast.Attribute(attr="import_module") | ast.Name(id="import_module"), args=args):
                yield args[0].value if args and isinstance(args[0], ast.Constant) else "a computed name"


def strings(tree: ast.AST) -> Iterator[str]:
    """Every string constant that is no docstring."""
    docstrings = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            docstrings.add(id(node.value))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield node.value


def complaints(path: str, source: str, games: set[str]) -> list[str]:
    """What one file does that the drawing does not allow."""
    part, tree, found = part_of(path), ast.parse(source), []
    if part not in ARROWS | ENTRANCES:
        return [f"{part} is not in the drawing"]
    allowed = {part} | within_reach(part) | DOORS.get(part, set())
    for name in imports(path, tree):
        top, _, rest = name.partition(".")
        if top == "companion":
            target = rest.partition(".")[0] or "companion"
            if target not in allowed:
                found.append(f"{part} imports {target}")
        elif part in PURE and (top in OUTSIDE or top not in sys.stdlib_module_names):
            found.append(f"{part} is pure and imports {top}")
        elif top == "weasyprint" and part != "sheets":
            found.append(f"{part} imports weasyprint")
    if part in PURE:
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id=name)) if name in OUTSIDE_CALLS:
                    found.append(f"{part} is pure and calls {name}()")
                case ast.Attribute(attr=name, value=ast.Name(id="datetime" | "date") | ast.Attribute()) if (
                    name in CLOCK_CALLS
                ):
                    found.append(f"{part} is pure and reads the clock by {name}()")
    if games:
        any_game = "|".join(map(re.escape, sorted(games)))
        named = re.compile(rf"(?<![^\W_])(?:{any_game})(?![^\W_])", re.IGNORECASE)
        found += [f"{part} names a game: {text!r}" for text in strings(tree) if named.search(text)]
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(
            ast.unparse(base).rpartition(".")[2] == "Ruleset" for base in node.bases
        ):
            found.append(f"{node.name} is a subclass of Ruleset")
    return found


def members(source: str, name: str) -> list[str]:
    """The public members a class declares."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and node.name == name:
            declared = []
            for statement in node.body:
                match statement:
                    case ast.FunctionDef(name=member) | ast.AsyncFunctionDef(name=member):
                        declared.append(member)
                    case ast.AnnAssign(target=ast.Name(id=member)):
                        declared.append(member)
                    case ast.Assign(targets=targets):
                        declared += [target.id for target in targets if isinstance(target, ast.Name)]
            return [member for member in declared if not member.startswith("_")]
    raise LookupError(name)


# --- the house -------------------------------------------------------------------------------

SOURCES = sorted(str(path.relative_to(ROOT)) for path in HOUSE.rglob("*.py"))
GAMES = {path.stem for path in (HOUSE / "games").glob("*.toml")}


@pytest.mark.parametrize("path", SOURCES)
def test_a_file_keeps_to_the_drawing(path: str) -> None:
    assert complaints(path, (ROOT / path).read_text(encoding="utf-8"), GAMES) == []


def test_a_family_owes_the_log_five_things_at_most() -> None:
    assert len(members((HOUSE / "rules/game.py").read_text(encoding="utf-8"), "Family")) <= 5


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


# --- the test itself, on houses that do not stand ---------------------------------------------

SOUND = {
    "companion/__init__.py": "def __getattr__(name):\n    from companion.web import create_app",
    "companion/__main__.py": "from companion.cli import main",
    "companion/cli.py": "from companion import create_app, library\nfrom companion.record.log import fold",
    "companion/i18n.py": "import gettext\nfrom companion.rules.message import Message",
    "companion/library/__init__.py": "import tomllib\nfrom companion import beating, jacknine",
    "companion/rules/cards.py": "from dataclasses import dataclass\nfrom .seats import Ring",
    "companion/jacknine/match.py": '"""Derda."""\nfrom ..rules.cards import Card\nfrom . import play',
    "companion/record/log.py": "from datetime import datetime\nwhen = datetime.fromisoformat",
    "companion/serve.py": "import gunicorn\nfrom companion import create_app",
    "companion/sheets/pdf.py": "from weasyprint import HTML\nfrom companion.notation import svg",
    "companion/store/tables.py": "import sqlalchemy, os\nfrom companion.record import log",
    "companion/web/table.py": "import flask\nfrom ..store import load\nfrom companion.rules import ruling",
}
BROKEN = {
    "a family seen from the web": ("companion/web/a.py", "from companion.jacknine import play"),
    "a family seen from the command line": ("companion/cli.py", "import companion.beating.bout"),
    "a family seen from the record": ("companion/record/a.py", "from ..beating import match"),
    "one family seen from the other": ("companion/jacknine/a.py", "from companion import beating"),
    "and the other way round": ("companion/beating/a.py", "import companion.jacknine"),
    "a command line that reaches into the web": ("companion/cli.py", "from companion.web import forms"),
    "rules that know the record": ("companion/rules/a.py", "from companion.record import log"),
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
    "a renderer outside sheets": ("companion/web/a.py", "import weasyprint"),
    "a game in a condition": ("companion/web/a.py", "def f(game):\n    '''Derda.'''\n    game == 'derda'"),
    "a game in a longer string": ("companion/store/a.py", "key = f'DERDA_{1}'"),
    "a rule set by inheritance": ("companion/jacknine/a.py", "class Mine(ruleset.Ruleset): ..."),
}


@pytest.mark.parametrize("path", SOUND)
def test_what_is_drawn_passes(path: str) -> None:
    assert complaints(path, SOUND[path], {"derda"}) == []


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_not_drawn_fails(case: str) -> None:
    path, source = BROKEN[case]
    assert len(complaints(path, source, {"derda"})) == 1


def test_the_members_of_a_class_are_counted() -> None:
    source = """
        class Family(Protocol):
            name: str
            other = 1
            def fold(self): ...
            def _own(self): ...
        """
    assert members(dedent(source), "Family") == ["name", "other", "fold"]
