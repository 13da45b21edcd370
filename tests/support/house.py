"""The drawing of the house: who may import whom, what pure packages stay away from, and what breaks it."""

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOUSE = ROOT / "companion"

# The arrows that are drawn. What they lead to may be imported too, but for the families:
# those only the library names, and what is made for one of them.
ARROWS = {
    "cli": {"sheets", "archives", "operate", "i18n", "wording", "figures"},
    "web": {"sheets", "archives", "operate", "jobs", "i18n", "wording", "offline", "people"},
    "offline": {"matches"},
    "offline_app": {"web"},  # the application in a phone, which mounts the pages
    "offline_app.build": {"offline_app"},  # the tool that makes a phone's files
    "operate": {"store", "jobs"},
    "archives": {"matches"},
    "sheets": {"notation", "i18n", "people"},
    "matches": {"store", "library", "people"},
    "store": {"record"},
    "library": {"jacknine", "beating", "i18n", "wording"},
    "jacknine": {"rules"},
    "beating": {"rules"},
    "record": {"rules"},
    "people": {"figures"},
    "figures": {"record"},
    "i18n": {"rules"},
    "wording": {"rules"},
    "translations": {"library"},  # catalogues, and what pybabel needs to read the games
    "rules": set(),
    "notation": set(),
    "jobs": set(),
}
# Where one comes in, and what may be asked for by the door.
ENTRANCES = {"__init__": {"web", "offline_app.build"}, "__main__": {"cli"}}
DOORS = {
    "cli": {"create_app", "write_site", "__version__"},
    "web": {"create_app"},
    "operate": {"create_app", "web"},
}
FAMILIES = {"jacknine", "beating"}
# Pages and sheets that are made for one family, and know it.
MADE_FOR = {
    "web/deals": "jacknine",
    "web/hands": "beating",
    "sheets/match.py": "jacknine",
    "sheets/session.py": "beating",
}
# The rooms inside the two large packages, from the top down: each may use those below it, none beside it.
ROOMS: dict[str, list[set[str]]] = {
    "jacknine": [
        {"match", "text_facts", "example"},
        {"arbiter"},
        {"deals", "replay"},
        {"solver"},
        {"state"},
        {"entries"},
        {"phases"},
        {"kinds"},
        {"ruleset"},
        {"richest"},
        {"game_file"},
    ],
    "web": [
        {"app"},
        {"parts", "components"},
        {"api"},
        {"matches", "deals", "hands", "archives", "figures", "offline"},
        {"sharing"},
        {"rulebook"},
        {"rulings"},
        {"shell"},
        {"forms"},
    ],
}
# Of a room of pages others see only what its door, its `__init__`, holds out; the app mounts the insides.
OPEN_ROOMS = {"shell", "forms"}
MAKERS = {"app", "parts"}
# Members of JSON that are named after a game, by the file that writes them.
NAMED_AFTER_GAMES = {
    "companion/figures/counting.py": {"durak"},
    "companion/jacknine/arbiter/questions.py": {"by_belote"},
}
# What only those may import who set the application up.
SET_UP = {"companion.store.sql", "companion.store.engine", "companion.store.tables"}
# What knows no page: the application is used by pages, the command line and phones.
WITHOUT_FLASK = {"matches", "offline"}
PURE = {"rules", "jacknine", "beating", "record", "notation", "wording", "figures", "people"}

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


def family_of(path: str) -> set[str]:
    """The family that a file of pages or sheets is made for, if it is for one."""
    inside = path.removeprefix("companion/")
    return {family for place, family in MADE_FOR.items() if inside == place or inside.startswith(f"{place}/")}


def part_of(path: str) -> str:
    """The part of the house a file belongs to: companion/rules/cards.py is of "rules"."""
    return _part(Path(path).with_suffix("").parts)


def _part(names: Sequence[str]) -> str:
    """The part that a module is of, by its names; some parts lie in the folder of another."""
    inner = ".".join(names[1:3])
    return inner if inner in ARROWS else names[1]


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
                match args:
                    case [ast.Constant(value=str(name)), *_]:
                        yield name
                    case _:
                        yield "a computed name"


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
    allowed = {part} | within_reach(part) | family_of(path) | DOORS.get(part, set())
    for name in imports(path, tree):
        top, _, rest = name.partition(".")
        if top == "companion":
            target = _part(name.split(".")) if rest else "companion"
            if target not in allowed:
                found.append(f"{part} imports {target}")
        elif part in PURE and (top in OUTSIDE or top not in sys.stdlib_module_names):
            found.append(f"{part} is pure and imports {top}")
        elif part in WITHOUT_FLASK and top.startswith("flask"):
            found.append(f"{part} imports {top}")
        elif top == "weasyprint" and part != "sheets":
            found.append(f"{part} imports weasyprint")
    found += room_complaints(path, tree)
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
        members = NAMED_AFTER_GAMES.get(path, set())
        texts = (text for text in strings(tree) if text not in members)
        found += [f"{part} names a game: {text!r}" for text in texts if named.search(text)]
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(
            ast.unparse(base).rpartition(".")[2] == "Ruleset" for base in node.bases
        ):
            found.append(f"{node.name} is a subclass of Ruleset")
    return found


def room_of(dotted: str) -> tuple[str, str]:
    """The package and the room of a module: companion.web.deals.page is in "web", "deals"."""
    parts = [*dotted.split("."), "", ""]
    return parts[1], parts[2]


def room_complaints(path: str, tree: ast.AST) -> list[str]:
    """What a file imports from rooms above or beside its own, or from the inside of a room of pages."""
    part, found = part_of(path), []
    own = room_of(".".join(Path(path).with_suffix("").parts))[1]
    levels = {room: n for n, rooms in enumerate(ROOMS.get(part, [])) for room in rooms}
    if levels and own not in levels | {"__init__": 0}:
        found.append(f"{part}.{own} is not in the drawing")
    for name in imports(path, tree):
        if part == "web" and own not in MAKERS and any(name.startswith(f"{inner}.") for inner in SET_UP):
            found.append(f"web.{own} imports {name}")
        target_part, target = room_of(name)
        if target_part != part or target == own or not levels or target not in levels:
            continue
        if levels[target] <= levels.get(own, -1):
            found.append(f"{part}.{own} imports {part}.{target}")
        elif part == "web" and own not in MAKERS and target not in OPEN_ROOMS:
            inside = HOUSE / "web" / target / (name.split(".")[3] if name.count(".") > 2 else "")
            if inside.with_suffix(".py").is_file() or inside.is_dir() and inside.name != target:
                found.append(f"{part}.{own} reaches into {part}.{target}")
    return found


def find_circle(graph: dict[str, set[str]]) -> list[str]:
    """Modules that import each other in a circle, if there are such."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        return circle
    return []


def module_graph(sources: dict[str, str]) -> dict[str, set[str]]:
    """Which modules each module imports, by their dotted names."""
    names = {".".join(Path(path).with_suffix("").parts).removesuffix(".__init__"): path for path in sources}
    graph: dict[str, set[str]] = {}
    for module, path in names.items():
        targets = set()
        for name in imports(path, ast.parse(sources[path])):
            stem = name.rpartition(".")[0]
            targets |= {target for target in (name if name in names else stem,) if target in names}
        graph[module] = targets - {module}
    return graph
