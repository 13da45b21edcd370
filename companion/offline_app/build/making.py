"""Building the files of the offline app, from Pyodide, from other packages and from ours."""

import fcntl
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version as version_of
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.jobs import write_file
from companion.offline_app.application import Address, list_addresses
from companion.operate.settings import LEAD
from companion.web import parts
from companion.web.app import create_app
from companion.web.offline.app_files import FOLDER
from companion.web.offline.static_files import compute_version

from . import pyodide
from .contents import LIBRARIES, Contents
from .pyodide import RELEASE, NoPyodide, compress, keep, pack

_HERE = Path(__file__).resolve().parent
_SCRIPT, _PROGRAM = _HERE / "compile.mjs", _HERE / "bytecode.py"
SECONDS = 180
"""The most seconds that compiling may take: it is some seconds on an idle machine."""


def compile_modules(
    files: Mapping[str, bytes], release: Mapping[str, bytes], cache: Path, environ: Mapping[str, str]
) -> dict[str, bytes]:
    """Compile the modules among the files; return all of them by name, with `.pyc` in place of `.py`.

    They are compiled by the phones' own Python, which Node.js runs as browsers do, so that phones need not do
    it at each start. `release` are the files of Pyodide by name. Compiled modules are cached.

    :raises NoPyodide: if Node.js is missing, or does not run it.
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
    """The files in a cached archive; empty if it is missing or broken."""
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
    """The last line of the output of Node.js, or of Python in it, which has the reason."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "it does not say why"


_MADE_OF = "made-of.json"
"""The file beside the manifest that describes the sources of the files."""
_QUICK = {"packed": "quickly"}
"""The addition to it for files that are not as small as they could be."""


@dataclass(frozen=True, slots=True)
class OfflineBuild:
    """The built files: version of the app, name of the build, and the sizes of the files."""

    version: str
    build: str
    sizes: Mapping[str, tuple[int, int]]
    """The sizes by name, in bytes: as it is, and packed."""

    def to_manifest(self) -> str:
        """The manifest, which browsers read."""
        files = [{"name": name, "bytes": packed, "raw": raw} for name, (raw, packed) in self.sizes.items()]
        total = sum(packed for _raw, packed in self.sizes.values())
        return json.dumps(
            {"version": self.version, "build": self.build, "bytes": total, "files": files}, indent=1
        )

    def describe(self) -> str:
        """Describe its sizes as a table."""
        sums = [sum(column) for column in zip(*self.sizes.values(), strict=True)]
        rows = [*self.sizes.items(), ("all", sums)]
        lines = [f"{name:18}" + "".join(f"{size / 1000:>10,.1f}" for size in sizes) for name, sizes in rows]
        head = f"offline app {self.build} of version {self.version}, in kB"
        return "\n".join([head, f"{'':18}{'as it is':>10}{'packed':>10}", *lines])


def make(environ: Mapping[str, str], folder: Path = FOLDER, quickly: bool = False) -> OfflineBuild:
    """Build the files if they do not exist yet, one process at a time, and report the progress.

    Files that were packed `quickly` are built again unless that is asked for.

    :raises NoPyodide: if Pyodide cannot be had.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return find_made(folder, quickly) or _make_now(environ, folder, quickly)


def _make_now(environ: Mapping[str, str], folder: Path, quickly: bool) -> OfflineBuild:
    made_of = describe_sources()
    cache = find_cache(environ)
    _say("1 of 3, fetching Python for browsers")
    release = pyodide.read_release(cache, environ)
    _say("2 of 3, compiling")
    files = gather(release, made_of["version"], cache, environ)
    _say("3 of 3, packing")
    build = write(folder, made_of["version"], files, cache, quickly)
    write_file(folder / _MADE_OF, json.dumps(made_of | (_QUICK if quickly else {})).encode(), 0o644)
    return build


def _say(step: str) -> None:
    print(f"offline app: {step}", file=sys.stderr)


def find_made(folder: Path = FOLDER, quickly: bool = False) -> OfflineBuild | None:
    """The files already built from these same sources, or None; `quickly` packed ones only on demand."""
    try:
        made_of = json.loads((folder / _MADE_OF).read_bytes())
        sources = describe_sources()
        if made_of != sources and not (quickly and made_of == sources | _QUICK):
            return None
        manifest = json.loads((folder / "manifest.json").read_bytes())
        where = folder / manifest["build"]
        sizes = {
            file["name"]: (file["raw"], (where / f"{file['name']}.br").stat().st_size)
            for file in manifest["files"]
        }
    except (OSError, ValueError, KeyError):
        return None
    return OfflineBuild(manifest["version"], manifest["build"], sizes)


def gather(
    release: Mapping[str, bytes], version: str, cache: Path, environ: Mapping[str, str]
) -> dict[str, bytes]:
    """All files of a build by name, from the files of Pyodide and the version of the app.

    :raises NoPyodide: if modules cannot be compiled.
    """
    files = {name: release[name] for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")}
    lock = json.loads(release["pyodide-lock.json"]) | {"packages": {}}  # none can be downloaded
    files["pyodide-lock.json"] = json.dumps(lock).encode()
    for name, found in gather_sources(release, version).items():
        files[name] = pack(compile_modules(found, release, cache, environ))
    return files


def gather_sources(release: Mapping[str, bytes], version: str) -> dict[str, dict[str, bytes]]:
    """The contents of each archive, by its name: modules as sources, and all else."""
    addresses, templates = read_app()
    contents = Contents(release["python_stdlib.zip"])
    return {
        "stdlib.zip": contents.python(),
        "libs.zip": contents.libraries(),
        "app.zip": contents.app(templates, addresses, version),
    }


def describe_sources() -> dict[str, str]:
    """The versions that the files depend on: of the app, which covers this package, and of the others."""
    version = compute_version(parts.make_flask({}, None))
    return {"version": version, "pyodide": pyodide.DIGEST, **{name: version_of(name) for name in LIBRARIES}}


def find_cache(environ: Mapping[str, str]) -> Path:
    """The user's cache, for downloads and slow results."""
    return Path(environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "companion"


def read_app() -> tuple[list[Address], Path]:
    """Read the addresses and the folder of templates of the app on a server."""
    with _no_settings(), tempfile.TemporaryDirectory() as instance:
        app = create_app({"INSTANCE": instance})
        return list_addresses(app), Path(str(app.template_folder))


@contextmanager
def _no_settings() -> Iterator[None]:
    """Ignore settings of the environment: this is not a server, and has no database."""
    saved = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(LEAD)}
    try:
        yield
    finally:
        os.environ.update(saved)


def write(
    folder: Path, version: str, files: Mapping[str, bytes], cache: Path, quickly: bool = False
) -> OfflineBuild:
    """Put the files into a folder of their own, and write the manifest once all of them are there."""
    build = name_build(files)
    half = Path(tempfile.mkdtemp(prefix=f"{build}-", dir=folder))
    half.chmod(0o755)
    with ThreadPoolExecutor() as pool:
        packed = dict(
            zip(
                files,
                pool.map(lambda content: compress(content, cache, quickly), files.values()),
                strict=True,
            )
        )
    for name, content in packed.items():
        (half / f"{name}.br").write_bytes(content)
    if (folder / build).is_dir():
        for file in half.iterdir():  # packed otherwise, perhaps
            file.replace(folder / build / file.name)
    else:
        half.rename(folder / build)
    sizes = {name: (len(content), len(packed[name])) for name, content in files.items()}
    made = OfflineBuild(version, build, sizes)
    write_file(folder / "manifest.json", made.to_manifest().encode(), 0o644)
    for other in folder.iterdir():
        if other.is_dir() and other.name != build:
            shutil.rmtree(other, ignore_errors=True)
    return made


def name_build(files: Mapping[str, bytes]) -> str:
    """The name of a build: a digest of its contents."""
    digest = sha256()
    for name, content in sorted(files.items()):
        digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]
