"""Has modules compiled by the phones' own Python, so that phones need not do it at each start.

Node.js, which npm comes with, runs it as browsers do.
"""

import hashlib
import io
import shutil
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from .packing import keep, pack
from .pyodide import RELEASE, NoPyodide

_HERE = Path(__file__).resolve().parent
_SCRIPT, _PROGRAM = _HERE / "compile.mjs", _HERE / "bytecode.py"
SECONDS = 180
"""How long it may take: some seconds, on a machine that has nothing else to do."""


def compile_modules(
    files: Mapping[str, bytes], release: Mapping[str, bytes], cache: Path, environ: Mapping[str, str]
) -> dict[str, bytes]:
    """Files by name, each module among them compiled, `.pyc` in the place of `.py`.

    `release` are the files of Pyodide by name. What was compiled once is in the cache.

    :raises NoPyodide: when Node.js is not there, or does not run it.
    """
    sources = pack({name: content for name, content in files.items() if name.endswith(".py")})
    digest = hashlib.sha256(sources)
    for part in (RELEASE.encode(), _SCRIPT.read_bytes(), _PROGRAM.read_bytes()):
        digest.update(part)
    cached = cache / f"{digest.hexdigest()[:32]}.zip"
    compiled = _read(cached)
    if not compiled:
        made = _compile(sources, release, environ)
        keep(cached, made)
        compiled = _unpack(made)
    return {f"{name}c" if name in compiled else name: compiled.get(name, files[name]) for name in files}


def _read(archive: Path) -> dict[str, bytes]:
    """What is in an archive of the cache; nothing, where it is not whole."""
    try:
        return _unpack(archive.read_bytes())
    except (OSError, zipfile.BadZipFile):
        return {}


def _unpack(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _compile(sources: bytes, release: Mapping[str, bytes], environ: Mapping[str, str]) -> bytes:
    node = shutil.which("node", path=environ.get("PATH"))
    if node is None:
        raise NoPyodide("Node.js is not installed, by which modules are compiled for phones")
    with TemporaryDirectory() as made:
        folder = Path(made)
        for name, content in {**release, "sources.zip": sources}.items():
            (folder / name).write_bytes(content)
        command: list[str | Path] = [
            node,
            _SCRIPT,
            folder,
            _PROGRAM,
            folder / "sources.zip",
            folder / "compiled.zip",
        ]
        plain = {name: value for name, value in environ.items() if name != "NODE_OPTIONS"}
        try:
            done = subprocess.run(
                command, env=plain, cwd=folder, capture_output=True, text=True, timeout=SECONDS
            )
            if done.returncode == 0:
                return (folder / "compiled.zip").read_bytes()
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise NoPyodide(f"Node.js did not compile for phones ({problem})") from problem
    raise NoPyodide(f"Node.js did not compile for phones ({_reason(done.stderr)})")


def _reason(output: str) -> str:
    """What Node.js, or Python in it, says is wrong, in one line: the last one."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "it does not say why"
