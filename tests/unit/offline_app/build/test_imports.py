"""Which modules a module imports at once: read from its lines, whatever Python they are written for."""

import pytest

from companion.offline_app.build.contents import follow, list_imports


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import a", ["a"]),
        ("import a, b.c as d", ["a", "b.c"]),
        ("import a  # not b, c", ["a"]),
        ("from a import b as c, d", ["a", "a.b", "a.d"]),
        ("from a import (\n    b,  # (not c)\n    d as e,\n)", ["a", "a.b", "a.d"]),
        ("from a import (b, d)", ["a", "a.b", "a.d"]),
        ("from a import b, \\\n    d", ["a", "a.b", "a.d"]),
        ("from .a import b", ["top.in.a", "top.in.a.b"]),
        ("from . import a", ["top.in", "top.in.a"]),
        ("from ..a import b", ["top.a", "top.a.b"]),
        ("try:\n    import a\nexcept ImportError:\n    import b", ["a", "b"]),
        ("class A:\n    import a\n    def f(self):\n        import b\n    import c", ["a", "c"]),
        ("def f():\n    if x:\n        import a\nimport b", ["b"]),
        ("async def f():\n    import a\n\n\nimport b", ["b"]),
        ("if TYPE_CHECKING:\n    import a\nelse:\n    import b", ["b"]),
        ("if t.TYPE_CHECKING:  # pragma: no cover\n    import a", []),
        ('if __name__ == "__main__":\n    import a', []),
        ('if sys.platform == "win32":\n    import a\nelif os.name == "nt":\n    import b', []),
        ('if sys.platform == "win32":\n    import a\nelse:\n    import b', ["b"]),
        ("important = 1\nfrom_here = 2", []),
        ("type X[T] = T\nimport a\nexcept A, B:", ["a"]),
    ],
)  # fmt: skip
def test_what_is_imported_at_once(source: str, found: list[str]) -> None:
    """Neither what only a function imports, nor what is there for types or other systems."""
    assert list(list_imports(source, "top.in.module", is_package=False)) == found


def test_a_package_imports_from_itself() -> None:
    """A dot in the `__init__` of a package is that package, not what it lies in."""
    assert list(list_imports("from .a import b", "top.in", is_package=True)) == ["top.in.a", "top.in.a.b"]


def test_imports_are_followed_to_their_end() -> None:
    """Packages come along in which a module lies, circles end, what is not there is left out."""
    sources = {
        "a": ("import b.c, nowhere", False),
        "b": ("", True),
        "b.c": ("from .d import e\nimport a", False),
        "b.d": ("", False),
        "b.unused": ("", False),
    }
    assert follow(["a"], sources.get) == {"a", "b", "b.c", "b.d"}
