"""Which modules a program needs: what it imports at load time, and what those import in turn.

Sources are read, never run. Imports inside functions are not followed: they do not run on a phone, or are
listed in `contents.LATER`. Python's own library may use syntax that the Python running here does not know, so
lines are read, not syntax trees.
"""

import re
from collections.abc import Callable, Iterable, Iterator

_STATEMENT = re.compile(r"(?:from\s+(\.*[\w.]*)\s+import\s+(.+)|import\s+([\w., ]+))")
_INSIDE = re.compile(
    r"(?:async\s+)?def\b|if\s+(?:\w+\.)?TYPE_CHECKING\b|if\s+__name__\s*==|(?:el)?if\s+\w+\.(?:platform|name)\s*=="
)
"""What begins a block in which a browser imports nothing at once: functions, types, other systems."""


def list_imports(source: str, name: str, is_package: bool) -> Iterator[str]:
    """The full names of all that a module imports at once, modules and what may be one inside a package."""
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
    """What stands between commas, as it is called where it comes from."""
    yield from (part.split(" as ")[0].strip() for part in text.split(",") if part.strip())


def _statements(source: str) -> Iterator[str]:
    """The lines that may import, outside functions; those that go over several lines as one."""
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
    """The names of all modules that come with some, packages that they lie in too.

    `find` gives the source of a module and whether it is a package; None for what is no module of ours.
    """
    done, left = set[str](), list(roots)
    while left:
        name = left.pop()
        if name in done or (found := find(name)) is None:
            continue
        done.add(name)
        left += [name.rpartition(".")[0], *list_imports(found[0], name, found[1])]
    return done
