"""Python as browsers run it: one release of Pyodide from the npm registry, known by its hash."""

import base64
import hashlib
import io
import os
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import brotli

from companion.jobs import write_file

RELEASE = "314.0.7"
DIGEST = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""The integrity of the release in the registry."""

SECONDS = 180
"""The most seconds that npm may take; it tries once more by itself."""
_PACK = ("pack", "--loglevel=error", "--fetch-retries=1", "--fetch-retry-mintimeout=1000")

WANTED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")


class NoPyodide(Exception):
    """The release cannot be had; the message is the reason, in one line."""


def read_release(cache: Path, environ: Mapping[str, str] = os.environ) -> dict[str, bytes]:
    """Read the files of the release by name, from the cache or, the first time, from the registry.

    :raises NoPyodide: if the registry cannot be reached, or sends something else.
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
    """The integrity of an archive, as the registry computes it."""
    return f"sha512-{base64.b64encode(hashlib.sha512(content).digest()).decode()}"


def _fetch(environ: Mapping[str, str]) -> bytes:
    """Fetch the archive with npm, from whatever registry it is configured with."""
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
    """The reason in the output of npm, in one line."""
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


_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive: the earliest one possible."""


def pack(files: Mapping[str, bytes]) -> bytes:
    """Pack files into an archive, in the order of their names; a name ending in `/` is an empty folder.

    They are stored as they are: the archive is compressed as a whole, which makes it smaller.
    """
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as opened:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system = 3
            entry.external_attr = (0o40755 if name.endswith("/") else 0o100644) << 16
            opened.writestr(entry, files[name])
    return archive.getvalue()


def compress(content: bytes, cache: Path, quickly: bool = False) -> bytes:
    """Compress a file with Brotli, which takes long and is cached.

    Packed `quickly` it is a fifth larger, in a small part of the time.
    """
    cached = cache / f"{hashlib.sha256(content).hexdigest()[:32]}.br"
    with suppress(OSError, brotli.error):
        found = cached.read_bytes()
        if brotli.decompress(found) == content:
            return found
    if quickly:
        return bytes(brotli.compress(content, quality=5))
    made: bytes = brotli.compress(content, quality=11)
    keep(cached, made)
    return made


def keep(file: Path, content: bytes) -> None:
    """Put a file into the cache; what cannot be stored is downloaded or built again next time."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, content, 0o644)
