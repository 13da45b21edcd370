"""Makes the files of the pocket, from Pyodide, from other packages and from ours."""

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from companion.pocket.app import Address, list_addresses
from companion.settings import LEAD

from .contents import PACKAGE, Contents
from .packing import compress, pack
from .pyodide import read_release

FOLDER = PACKAGE / "pocket" / "files"
"""Where they lie; the server knows it as `companion.web.pocket.files.FOLDER`."""


@dataclass(frozen=True, slots=True)
class Pocket:
    """A pocket as it was made: the version of the app it is of, its name, and its files with their sizes."""

    version: str
    build: str
    sizes: Mapping[str, tuple[int, int, int]]
    """By name: as it is, with gzip, with Brotli."""

    def to_manifest(self) -> str:
        """What browsers read of it."""
        files = [{"name": name, "bytes": br, "raw": raw} for name, (raw, _gz, br) in self.sizes.items()]
        total = sum(br for _raw, _gz, br in self.sizes.values())
        return json.dumps(
            {"version": self.version, "build": self.build, "bytes": total, "files": files}, indent=1
        )

    def describe(self) -> str:
        """Its sizes as a table."""
        rows = [(name, *sizes) for name, sizes in self.sizes.items()]
        sums = [sum(column) for column in zip(*self.sizes.values(), strict=True)]
        lines = [f"pocket {self.build} of version {self.version}, in kB"]
        lines.append(f"{'':20}{'as it is':>10}{'gzip':>10}{'Brotli':>10}")
        lines += [
            f"{name:20}" + "".join(f"{size / 1000:>10,.0f}" for size in sizes)
            for name, *sizes in [*rows, ("all", *sums)]
        ]
        return "\n".join(lines)


def make(environ: Mapping[str, str], folder: Path = FOLDER) -> Pocket | None:
    """Make the files.

    :raises NoPyodide: when Pyodide cannot be had.
    """
    cache = find_cache(environ)
    release = read_release(cache, environ)
    version, addresses, templates = read_app()
    contents = Contents(release["python_stdlib.zip"])
    files = {name: release[name] for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")}
    files["pyodide-lock.json"] = shorten_lock(release["pyodide-lock.json"])
    files["stdlib.zip"] = pack(contents.python())
    files["libs.zip"] = pack(contents.libraries())
    files["app.zip"] = pack(contents.app(templates, addresses, version))
    return write(folder, version, files, cache)


def find_cache(environ: Mapping[str, str]) -> Path:
    """Where downloads and what took long are kept: the user's cache."""
    return Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "companion"


def read_app() -> tuple[str, list[Address], Path]:
    """Of the app as a server has it: its version, its addresses, its pages."""
    from companion.web.app import create_app

    for name in [name for name in os.environ if name.startswith(LEAD)]:
        del os.environ[name]  # it is no server's app: no settings, and least of all its database
    with tempfile.TemporaryDirectory() as instance:
        app = create_app({"INSTANCE": instance})
        return app.extensions["files"].version, list_addresses(app), Path(str(app.template_folder))


def shorten_lock(content: bytes) -> bytes:
    """What Pyodide says of itself, without the packages that it could fetch from elsewhere."""
    return json.dumps(json.loads(content) | {"packages": {}}).encode()


def write(folder: Path, version: str, files: Mapping[str, bytes], cache: Path) -> Pocket:
    """Put the files into a folder of their own, and say there is a pocket when all of them are there."""
    build = name_build(files)
    half = folder / f"{build}.{os.getpid()}"
    half.mkdir(parents=True)
    sizes = {}
    for name, content in files.items():
        packed = compress(content, cache)
        for ending, written in {"": content, **packed}.items():
            (half / f"{name}{ending}").write_bytes(written)
        sizes[name] = (len(content), len(packed[".gz"]), len(packed[".br"]))
    shutil.rmtree(folder / build, ignore_errors=True)
    half.rename(folder / build)
    pocket = Pocket(version, build, sizes)
    manifest = folder / f"manifest.{os.getpid()}"
    manifest.write_text(pocket.to_manifest(), encoding="utf-8")
    manifest.replace(folder / "manifest.json")
    for other in folder.iterdir():
        if other.is_dir() and other.name != build:
            shutil.rmtree(other, ignore_errors=True)
    return pocket


def name_build(files: Mapping[str, bytes]) -> str:
    """The name of a build: it says what is in it."""
    digest = sha256()
    for name, content in sorted(files.items()):
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]
