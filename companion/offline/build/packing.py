"""Packs and compresses reproducibly: the output depends only on the input, not on time or machine."""

import gzip
import hashlib
import io
import os
import tempfile
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import brotli

_DATE = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive: the earliest one there is."""


def pack(files: Mapping[str, bytes]) -> bytes:
    """An archive of files, in the order of their names; a name with a `/` at its end is an empty folder.

    They lie in it as they are: the archive is compressed as a whole, which makes less of it.
    """
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as opened:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system = 3
            entry.external_attr = (0o40755 if name.endswith("/") else 0o100644) << 16
            opened.writestr(entry, files[name])
    return archive.getvalue()


def compress(content: bytes, cache: Path) -> dict[str, bytes]:
    """What browsers are sent, by the ending of its file: Brotli, which takes long and is cached, and gzip."""
    return {".br": _compress_with_brotli(content, cache), ".gz": gzip.compress(content, 9, mtime=0)}


def _compress_with_brotli(content: bytes, cache: Path) -> bytes:
    cached = cache / f"{hashlib.sha256(content).hexdigest()[:32]}.br"
    with suppress(OSError, brotli.error):
        found = cached.read_bytes()
        if brotli.decompress(found) == content:
            return found
    made: bytes = brotli.compress(content, quality=11)
    keep(cached, made)
    return made


def keep(file: Path, content: bytes) -> None:
    """Put something into the cache; what cannot be stored is downloaded or made again next time."""
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        put(file, content)


def put(file: Path, content: bytes) -> None:
    """Write a file atomically."""
    descriptor, half = tempfile.mkstemp(prefix=f"{file.name}-", dir=file.parent)
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(content)
        os.chmod(half, 0o644)
        os.replace(half, file)
    except OSError:
        os.unlink(half)
        raise
