"""Python as browsers run it: one release of Pyodide from the npm registry, known by its hash."""

import base64
import hashlib
import io
import os
import tarfile
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from .packing import keep

RELEASE = "314.0.7"
DIGEST = "sha512-0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
"""What the registry calls the integrity of the release."""

REGISTRY = "https://registry.example"
SECONDS = 60
"""How long the registry may be silent."""
MOST = 40_000_000
"""Bytes of a release: what is longer is none."""

WANTED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip")


class NoPyodide(Exception):
    """The release cannot be had; says why in one line."""


def read_release(cache: Path, environ: Mapping[str, str] = os.environ) -> dict[str, bytes]:
    """The files of the release by name, from the cache or, the first time, from the registry.

    :raises NoPyodide: when the registry cannot be reached, or sends something else.
    """
    archive = cache / f"pyodide-{RELEASE}.tgz"
    content = archive.read_bytes() if archive.is_file() else b""
    if hash_of(content) != DIGEST:
        address = find_address(environ)
        content = _fetch(address)
        if hash_of(content) != DIGEST:
            raise NoPyodide(f"{address} is not the release that is known by its hash")
        keep(archive, content)
    return _unpack(content)


def find_address(environ: Mapping[str, str]) -> str:
    """Where the release lies: in the registry that npm was told of, or in the public one."""
    told = environ.get("npm_config_registry") or environ.get("NPM_CONFIG_REGISTRY") or REGISTRY
    return f"{told.rstrip('/')}/pyodide/-/pyodide-{RELEASE}.tgz"


def hash_of(content: bytes) -> str:
    """What the registry calls the integrity of an archive."""
    return f"sha512-{base64.b64encode(hashlib.sha512(content).digest()).decode()}"


def _fetch(address: str) -> bytes:
    try:
        with urllib.request.urlopen(address, timeout=SECONDS) as answer:
            content: bytes = answer.read(MOST)
    except (OSError, ValueError) as problem:  # no network, no such address, no certificate that is trusted
        reason = problem.reason if isinstance(problem, urllib.error.URLError) else problem
        raise NoPyodide(f"{address} cannot be reached ({reason})") from problem
    return content


def _unpack(content: bytes) -> dict[str, bytes]:
    found = {}
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        for name in WANTED:
            file = archive.extractfile(f"package/{name}")
            assert file is not None, name
            found[name] = file.read()
    return found
