"""Python as browsers run it: one release of Pyodide from the npm registry, known by its hash."""

import base64
import hashlib
import io
import os
import shutil
import subprocess
import tarfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from .packing import keep

RELEASE = "314.0.7"
DIGEST = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""What the registry calls the integrity of the release."""

SECONDS = 180
"""How long npm may take; it tries once more by itself."""
_PACK = ("pack", "--loglevel=error", "--fetch-retries=1", "--fetch-retry-mintimeout=1000")

WANTED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")


class NoPyodide(Exception):
    """The release cannot be had; the message is why, in one line."""


def read_release(cache: Path, environ: Mapping[str, str] = os.environ) -> dict[str, bytes]:
    """The files of the release by name, from the cache or, the first time, from the registry.

    :raises NoPyodide: when the registry cannot be reached, or sends something else.
    """
    archive = cache / f"pyodide-{RELEASE}.tgz"
    content = archive.read_bytes() if archive.is_file() else b""
    if hash_of(content) != DIGEST:
        content = _fetch(environ)
        if hash_of(content) != DIGEST:
            raise NoPyodide(
                f"what npm gave as pyodide {RELEASE} is not the release that is known by its hash"
            )
        keep(archive, content)
    return _unpack(content)


def hash_of(content: bytes) -> str:
    """What the registry calls the integrity of an archive."""
    return f"sha512-{base64.b64encode(hashlib.sha512(content).digest()).decode()}"


def _fetch(environ: Mapping[str, str]) -> bytes:
    """The archive, as npm gets it from whatever registry it is configured with."""
    npm = shutil.which("npm", path=environ.get("PATH"))
    if npm is None:
        raise NoPyodide("npm is not installed, by which Python for browsers is fetched once")
    with TemporaryDirectory() as folder:
        command = [npm, *_PACK, f"--pack-destination={folder}", f"pyodide@{RELEASE}"]
        try:
            done = subprocess.run(
                command, env=dict(environ), cwd=folder, capture_output=True, text=True, timeout=SECONDS
            )
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise NoPyodide(f"npm did not fetch pyodide {RELEASE} ({problem})") from problem
        made = Path(folder) / f"pyodide-{RELEASE}.tgz"
        if done.returncode or not made.is_file():
            raise NoPyodide(f"npm did not fetch pyodide {RELEASE} ({_reason(done.stderr)})")
        return made.read_bytes()


def _reason(output: str) -> str:
    """What npm says is wrong, in one line."""
    lines = [line.removeprefix("npm error").strip() for line in output.splitlines()]
    return next((line for line in lines if "reason:" in line), " ".join(lines) or "it does not say why")


def _unpack(content: bytes) -> dict[str, bytes]:
    found = {}
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for name in WANTED:
            file = archive.extractfile(f"package/{name}")
            assert file is not None, name
            found[name] = file.read()
    return found
