"""Compiles modules once, so that no phone has to.

Run by the phone's own Python, which `compiling` starts: it cannot use what another version compiles.
"""

import marshal
from importlib.util import MAGIC_NUMBER
from zipfile import ZipFile

_UNCHECKED = 1
"""The flags of compiled modules that are used without checking their sources."""


def compile_archive(sources: str, compiled: str) -> None:
    """Make an archive with every module of another one, under its name, compiled."""
    with ZipFile(sources) as read, ZipFile(compiled, "w") as written:
        for name in sorted(read.namelist()):
            written.writestr(name, compile_module(read.read(name), name))


def compile_module(source: bytes, name: str) -> bytes:
    """A module as Python loads it, without docstrings and assertions; `name` is what errors in it show."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    return MAGIC_NUMBER + _UNCHECKED.to_bytes(4, "little") + bytes(8) + marshal.dumps(code)
