"""The contents of the offline app's archives: of Python's library, of other packages, and of ours."""

import dataclasses
import gettext
import importlib.util
import io
import json
import pickle
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path

from babel.core import get_global

from companion.i18n import LANGUAGES
from companion.offline_app.application import Address
from companion.sheets.common import find_locale
from companion.web.parts import PAGES

_STATEMENT = re.compile(r"(?:from\s+(\.*[\w.]*)\s+import\s+(.+)|import\s+([\w., ]+))")
_INSIDE = re.compile(
    r"(?:async\s+)?def\b|if\s+(?:\w+\.)?TYPE_CHECKING\b|if\s+__name__\s*==|(?:el)?if\s+\w+\.(?:platform|name)\s*=="
)
"""The beginning of a block whose imports a browser does not run: functions, types, other systems."""


# Sources are read, never run. Imports inside functions are not followed: they do not run on a phone, or are
# listed in LATER. Python's own library may use syntax that the Python running here does not know, so lines
# are read, not syntax trees.


def list_imports(source: str, name: str, is_package: bool) -> Iterator[str]:
    """The full names of all that a module imports at once, possible modules of packages included."""
    package = name.split(".") if is_package else name.split(".")[:-1]
    for line in _statements(source):
        if not (found := _STATEMENT.match(line)):
            continue
        origin, names, plain = found.groups()
        if plain:
            yield from _names(plain)
            continue
        dots = len(origin) - len(origin.lstrip("."))
        base = package[: len(package) - dots + 1] if dots else []
        stem = ".".join([*base, *filter(None, [origin.lstrip(".")])])
        yield stem
        yield from (f"{stem}.{name}" for name in _names(names.strip("()")))


def _names(text: str) -> Iterator[str]:
    """The names between commas, as they are called in their module."""
    yield from (part.split(" as ")[0].strip() for part in text.split(",") if part.strip())


def _statements(source: str) -> Iterator[str]:
    """The lines outside functions that may import; those that span several lines are joined."""
    hidden: int | None = None
    lines = iter(source.splitlines())
    for line in lines:
        text = line.split("#")[0].rstrip() if "import" in line else line
        bare = text.lstrip()
        if not bare:
            continue
        depth = len(text) - len(bare)
        if hidden is not None and depth > hidden:
            continue
        hidden = depth if _INSIDE.match(bare) else None
        if not bare.startswith(("import ", "from ")):
            continue
        while "(" in bare and ")" not in bare:
            bare += " " + next(lines, ")").split("#")[0].strip()
        while bare.endswith("\\"):
            bare = bare[:-1] + next(lines, "").strip()
        yield bare


def follow(roots: Iterable[str], find: Callable[[str], tuple[str, bool] | None]) -> set[str]:
    """The names of all modules that come with some, and of the packages around them.

    `find` returns the source of a module and whether it is a package; None for a module that is left out.
    """
    done, left = set[str](), list(roots)
    while left:
        name = left.pop()
        if name in done or (found := find(name)) is None:
            continue
        done.add(name)
        left += [name.rpartition(".")[0], *list_imports(found[0], name, found[1])]
    return done


PACKAGE = Path(__file__).resolve().parents[2]
LIBRARIES = (
    "babel", "blinker", "click", "flask", "flask_babel", "flask_wtf", "itsdangerous", "jinja2", "markupsafe",
    "pytz", "segno", "werkzeug", "wtforms",
)  # fmt: skip
"""The packages that pages are made with; all others are used by a server alone."""

ENCODINGS = (
    "ascii", "cp437", "idna", "iso8859_1", "latin_1", "punycode", "raw_unicode_escape", "unicode_escape",
    "utf_16", "utf_16_be", "utf_16_le", "utf_8", "utf_8_sig",
)  # fmt: skip
"""The encodings that need no table, and those of the names in archives and of Western Europe."""
OF_PYTHON = ("site", "_pylong", "_strptime", *(f"encodings.{name}" for name in ENCODINGS))
"""The modules that Python itself loads."""
OF_PYODIDE = (
    "_pyodide._future_helper",
    "_pyodide.docstring",
    "_pyodide.jsbind",
    "pyodide._package_loader",
    "pyodide.code",
    "pyodide.common",
    "pyodide.ffi",
    "pyodide.webloop",
)
"""The modules that JavaScript calls."""
LATER = (
    "_sysconfigdata__emscripten_wasm32-emscripten",
    "calendar",
    "csv",
    "importlib.metadata._adapters",
    "importlib.metadata._text",
    "importlib.readers",
    "importlib.resources._adapters",
    "jinja2.debug",
    "jinja2.ext",
)
"""Modules imported inside functions that may run on a phone."""

UNSAID = frozenset({
    # of a language
    "compact_currency_formats", "compact_decimal_formats", "compound_unit_patterns", "currency_names",
    "currency_names_plural", "date_fields", "datetime_skeletons", "interval_formats", "languages",
    "meta_zones", "scripts", "territories", "time_zones", "unit_display_names", "unit_patterns", "variants",
    # of the world
    "all_currencies", "language_aliases", "likely_subtags", "territory_aliases", "territory_currencies",
    "territory_languages", "territory_zones", "windows_zone_mapping", "zone_aliases", "zone_territories",
})  # fmt: skip
"""Babel's data that no page shows.

Names of territories, languages, time zones, currencies, units; relative times; the languages, currencies and
zones of territories; other names of languages and zones that we do not have.
"""

Source = tuple[str, bool]


class Contents:
    """The modules of the offline app, found from its own, and the files around them.

    `library` is Python's library as Pyodide has it, an archive.
    """

    def __init__(self, library: bytes) -> None:
        self._library = zipfile.ZipFile(io.BytesIO(library))
        self._names = frozenset(self._library.namelist())
        roots = (*_own_modules(), *OF_PYTHON, *OF_PYODIDE, *LATER)
        self.modules = follow(roots, lru_cache(maxsize=None)(self._find))

    def python(self) -> dict[str, bytes]:
        """The part of Python's library that is imported."""
        names = (self._place(module) for module in self.modules)
        return {name: self._library.read(name) for name in names if name}

    def libraries(self) -> dict[str, bytes]:
        """The part of the packages that is imported, and their data of our languages."""
        found = self._modules_of(LIBRARIES)
        babel = _folder("babel")
        for name in ("global", *(f"locale-data/{name}" for name in _locales())):
            found[f"babel/{name}.dat"] = _drop_unsaid((babel / f"{name}.dat").read_bytes())
        forms = _folder("wtforms")
        for language in LANGUAGES:
            # Found as it will be at run time: the folder of Czech names the country, too.
            if spoken := gettext.find("wtforms", str(forms / "locale"), [language]):
                path = Path(spoken)
                found[f"wtforms/{path.relative_to(forms).as_posix()}"] = path.read_bytes()
        return found

    def app(self, templates: Path, addresses: Iterable[Address], version: str) -> dict[str, bytes]:
        """Our own modules, games, translations and templates; the server's addresses, and its version."""
        found = self._modules_of(["companion"])
        data = [
            *PACKAGE.glob("games/**/*.toml"),
            *PACKAGE.glob("translations/*/LC_MESSAGES/*.mo"),
            *PACKAGE.glob("translations/progress.json"),
        ]
        for path in data:
            found[f"companion/{path.relative_to(PACKAGE).as_posix()}"] = path.read_bytes()
        for path in templates.rglob("*.*"):
            place = path.relative_to(templates).as_posix()
            if not place.startswith("dev/"):
                found[f"templates/{place}"] = path.read_bytes()
        listed = [dataclasses.asdict(address) for address in addresses]
        found["addresses.json"] = json.dumps(listed, sort_keys=True).encode()
        found["version.txt"] = version.encode()
        found["static/"] = b""
        return found

    def _find(self, name: str) -> Source | None:
        """The source of a module, and whether it is a package; None for a module that is left out."""
        top = name.partition(".")[0]
        if top == "companion" or top in LIBRARIES:
            path = _path(name)
            return (path.read_text(encoding="utf-8"), path.name == "__init__.py") if path else None
        place = self._place(name)
        return (self._library.read(place).decode(), place.endswith("/__init__.py")) if place else None

    def _place(self, name: str) -> str | None:
        base = name.replace(".", "/")
        return next((name for name in (f"{base}/__init__.py", f"{base}.py") if name in self._names), None)

    def _modules_of(self, packages: Iterable[str]) -> dict[str, bytes]:
        found = {}
        for name in self.modules:
            top = name.partition(".")[0]
            if top in packages and (path := _path(name)):
                found[path.relative_to(_folder(top).parent).as_posix()] = path.read_bytes()
        return found


def _own_modules() -> Iterator[str]:
    """The modules to start from: those only in a phone, and the pages, which are mounted by name."""
    for folder in (PACKAGE / "offline_app", PACKAGE / "store" / "memory"):
        for path in folder.glob("*.py"):
            yield ".".join(("companion", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(
                ".__init__"
            )
    yield from (f"companion.web.{name}" for name in PAGES)


def _path(name: str) -> Path | None:
    """The file of a module of a package that lies in a folder."""
    top, *parts = name.split(".")
    base = _folder(top).joinpath(*parts)
    files = (base / "__init__.py", base.with_name(f"{base.name}.py"))
    return next((file for file in files if file.is_file()), None)


@cache
def _folder(package: str) -> Path:
    """The folder of a package, found without importing it."""
    if package == "companion":
        return PACKAGE
    found = importlib.util.find_spec(package)
    assert found is not None and found.submodule_search_locations, package
    return Path(next(iter(found.submodule_search_locations)))


def _drop_unsaid(data: bytes) -> bytes:
    """Babel's data of a language or of the world, emptied of what no page shows."""
    known = pickle.loads(data)
    return pickle.dumps({key: {} if key in UNSAID else value for key, value in known.items()}, 2)


def _locales() -> set[str]:
    """The names of Babel's data for our languages and for sheets, with those that they are derived from."""
    found = {"root"}
    for name in (*LANGUAGES, *(str(find_locale(language)) for language in LANGUAGES)):
        while name not in found:
            found.add(name)
            name = get_global("parent_exceptions").get(name) or name.rpartition("_")[0] or "root"
    return found
