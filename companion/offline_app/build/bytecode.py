"""Compilation of modules, done once so that no phone has to.

It runs in the phones' own Python, which `compile.mjs` starts: that cannot use what another version compiles.
"""

import marshal
from importlib.util import MAGIC_NUMBER
from zipfile import ZipFile

_UNCHECKED = 1
"""The flags of compiled modules that are used without checking their sources."""


def compile_archive(sources: str, compiled: str) -> None:
    """Write an archive with every module of another one, compiled, under its name."""
    with ZipFile(sources) as read, ZipFile(compiled, "w") as written:
        for name in sorted(read.namelist()):
            written.writestr(name, compile_module(read.read(name), name))


def compile_module(source: bytes, name: str) -> bytes:
    """Compile a module as Python loads it, without docstrings and assertions; errors in it show `name`."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    return MAGIC_NUMBER + _UNCHECKED.to_bytes(4, "little") + bytes(8) + marshal.dumps(code)
