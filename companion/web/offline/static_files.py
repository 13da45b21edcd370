"""Files for browsers, under addresses that change with the app: no page ever has half of an update."""

import gzip
import json
import mimetypes
import re
from collections.abc import Iterator, Set
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, current_app, request, send_from_directory
from werkzeug.security import safe_join

from companion import library

bp = Blueprint("files", __name__)

_PACKED = {".css", ".js", ".svg"}
"""The types of files that are sent packed: they hold no secret that their length could reveal."""
_MADE = ("offline_app/files",)
"""The folders of the package that are built from all the rest."""
_NOT_IN_PAGES = ("offline/icons", "readme")
"""The folders that no page of the app shows: for the home screen, for pages before the app."""
_FOR_READERS = {".md", ".txt"}
"""The types of files beside the fonts that say whose they are."""
_COMMENT = re.compile(
    rb"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n"
    rb"|/\*\*(?:[^*]|\*(?!/))*\*/ ?"
    rb"|[ \t]+// [^\"'`\n]*$"
    rb"|^[ \t]+",
    re.MULTILINE,
)
"""Comments, types and indentation of a script; no string of ours spans several lines."""
_STYLE = re.compile(rb"""("[^"]*")|/\*.*?\*/|\s*([{};,])\s*|(:)\s+|\s+""", re.DOTALL)
"""Comments of a style sheet, and space around punctuation, but not in strings."""


class Files:
    """The addresses of static files, and the `version` of the app: a mark that changes whenever it does.

    An app built from another one has the other's (`VERSION`). A host's own games change it too; `built` is
    the version without them.
    """

    def __init__(self, app: Flask) -> None:
        self._app = app
        self.version: str = app.config.get("VERSION", "")
        self.built = self.version
        self.host_games = b""
        """The host's own games for a phone, with the version of the app; empty without any."""
        if not self.version:
            self.renew()

    def renew(self) -> None:
        """Compute the version of the present files, while the app is worked on."""
        self.built = compute_version(self._app)
        self.version, self.host_games = self.built, b""
        if library.GAMES.host:
            games = json.dumps(library.GAMES.host, sort_keys=True)
            self.version = sha256((self.built + games).encode()).hexdigest()[:10]
            self.host_games = f'{{"files": {games}, "version": "{self.version}"}}'.encode()

    def address(self, name: str) -> str:
        """The address of a static file."""
        return self._app.url_for("files.versioned", version=self.version, name=name)

    def describe_all(self) -> list[dict[str, Any]]:
        """Describe the files that pages use: `name`, `bytes` as sent packed, and `raw`, unpacked."""
        folder = Path(str(self._app.static_folder))
        left_out = {folder / page for page in _NOT_IN_PAGES}
        shown = (path for path in sorted(_walk(folder, left_out)) if path.suffix not in _FOR_READERS)
        return [_describe(path, folder) for path in shown]


def init_app(app: Flask) -> None:
    """Serve static files by version; templates get `asset(name)` and `version`."""
    files = Files(app)
    app.extensions["files"] = files
    if app.debug:
        app.before_request(files.renew)
    app.register_blueprint(bp)
    app.context_processor(lambda: {"asset": files.address, "version": files.version})


def app_version() -> str:
    """The version of the app that answers."""
    files: Files = current_app.extensions["files"]
    return files.version


@bp.get("/static/<version>/<path:name>")
def versioned(version: str, name: str) -> Response:
    """Send a static file; under another version it may be another file, so it is not cached then."""
    folder = str(current_app.static_folder)
    place = safe_join(folder, name)
    may_be_packed = place is not None and Path(place).suffix in _PACKED and Path(place).is_file()
    if may_be_packed:
        content, packs = read_short(Path(str(place))), bool(request.accept_encodings["gzip"])
        response = Response(_pack(content) if packs else content, mimetype=mimetypes.guess_type(name)[0])
        if packs:
            response.headers["Content-Encoding"] = "gzip"
    else:
        response = send_from_directory(folder, name)
    if may_be_packed:
        response.vary.add("Accept-Encoding")
    is_ours = version == app_version()
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable" if is_ours else "no-store"
    return response


def _describe(file: Path, folder: Path) -> dict[str, Any]:
    content = read_short(file)
    packed = _pack(content) if file.suffix in _PACKED else content
    return {"name": file.relative_to(folder).as_posix(), "bytes": len(packed), "raw": len(content)}


def read_short(file: Path) -> bytes:
    """Read a file; scripts and styles without comments and indentation."""
    content = file.read_bytes()
    if file.suffix == ".css":
        return _STYLE.sub(lambda found: found[1] or found[2] or found[3] or b" ", content)
    return _COMMENT.sub(b"", content) if file.suffix == ".js" else content


@lru_cache(maxsize=200)
def _pack(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def compute_version(app: Flask) -> str:
    """Compute the version of an app: a digest of all that its pages depend on."""
    digest = sha256()
    for name, path in _sources(app):
        digest.update(name.encode() + path.read_bytes())
    return digest.hexdigest()[:10]


def _sources(app: Flask) -> Iterator[tuple[str, Path]]:
    """The files that pages depend on, with paths that are the same in a checkout and when installed."""
    templates, static = Path(str(app.template_folder)), Path(str(app.static_folder))
    left_out = {templates, static, *(Path(app.root_path) / made for made in _MADE)}
    for folder in (Path(app.root_path), templates, static):
        for path in sorted(_walk(folder, left_out - {folder})):
            if path.suffix not in {".pyc", ".po", ".pot"} and "fonts" not in path.parts:
                yield path.relative_to(folder).as_posix(), path


def _walk(folder: Path, left_out: Set[Path]) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_dir() and path not in left_out:
            yield from _walk(path, left_out)
        elif path.is_file():
            yield path
