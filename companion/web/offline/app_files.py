"""The files of the offline app, which a phone fetches once to have the whole app in it.

`./dev offline` builds them (`companion.offline_app.build`), for one version of the app. A browser reads the
manifest whenever it wants to know which ones there are; a file never changes under its address.
"""

import gzip
import json
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, abort, current_app, jsonify, request, send_file

from companion.web.shell.security.headers import POLICY

FOLDER = Path(__file__).resolve().parents[2] / "offline_app" / "files"
"""The folder of the built files."""

_KINDS = {
    ".mjs": "text/javascript",
    ".wasm": "application/wasm",
    ".json": "application/json",
    ".zip": "application/zip",
}
HOST_GAMES = "host-games.json"
"""The file of a host's own games, beside the built ones."""
_FOREVER = "public, max-age=31536000, immutable"
_PACKED = ("br", "gzip")
"""The ways in which files can be sent packed, best first."""

bp = Blueprint("offline_files", __name__)
worker_bp = Blueprint("offline_worker", __name__)

_WORKER_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
"""The policy of the worker: Python is WebAssembly; no page of ours is."""
_WORKER = """\
import {{ loadPyodide }} from "./pocket/{build}/pyodide.mjs";
import createPyodideModule from "./pocket/{build}/pyodide.asm.mjs";
import {{ begin }} from "./static/{version}/offline/app/worker.js";
begin({kit}, {{ loadPyodide, createPyodideModule }});
"""
"""The worker's script: workers must import everything at once; addresses are relative to its own."""


class NoOfflineApp(Exception):
    """There is no offline app for this version; the message is why."""


def init_app(app: Flask, folder: Path = FOLDER) -> None:
    """Serve the files in a folder, and the worker that is built from them."""
    app.extensions["offline_folder"] = folder
    app.register_blueprint(bp)
    app.register_blueprint(worker_bp)


def read_manifest() -> dict[str, Any]:
    """The manifest of the files: version, build, bytes, files.

    :raises NoOfflineApp: if no offline app was built, or one of another version.
    """
    try:
        manifest: dict[str, Any] = json.loads((_folder() / "manifest.json").read_bytes())
        version = manifest["version"]
    except (OSError, ValueError, TypeError, KeyError):  # nothing, or not whole
        raise NoOfflineApp("The offline app was not made: ./dev offline makes it") from None
    files = current_app.extensions["files"]
    if version != files.built:
        raise NoOfflineApp("The offline app is of another version: ./dev offline makes it again")
    if files.host_games:
        size = len(files.host_games)
        manifest |= {"version": files.version, "build": f"{manifest['build']}-{files.version}"}
        manifest |= {"bytes": manifest["bytes"] + size}
        manifest["files"] = [*manifest["files"], {"name": HOST_GAMES, "bytes": size, "raw": size}]
    return manifest


def describe_offer() -> dict[str, Any]:
    """The manifest, with the static files of pages under `static`: all that a phone fetches.

    :raises NoOfflineApp: like `read_manifest`.
    """
    return read_manifest() | {"static": current_app.extensions["files"].describe_all()}


@bp.get("/pocket/manifest.json")
def manifest() -> Response:
    """Send the manifest of all that a phone would fetch; without an offline app, the reason."""
    try:
        answer = jsonify(describe_offer())
    except NoOfflineApp as reason:
        answer = jsonify(error=str(reason))
        answer.status_code = 404
    answer.headers["Cache-Control"] = "no-store"
    return answer


def unpack(file: Path) -> bytes:
    """The content of a built file: in the folder it is packed, as `NAME.br`."""
    import brotli  # phones have none, and serve no files

    content: bytes = brotli.decompress(file.read_bytes())
    return content


@lru_cache(maxsize=8)  # all files of one build: few browsers cannot read Brotli
def _gzip(file: Path) -> bytes:
    return gzip.compress(unpack(file), 6, mtime=0)


@bp.get("/pocket/<build>/<name>")
def file(build: str, name: str) -> Response:
    """Send a file, packed as small as the browser can read it."""
    try:
        there = read_manifest()
    except NoOfflineApp:
        abort(404)
    if build != there["build"] or all(name != file["name"] for file in there["files"]):
        abort(404)
    if name == HOST_GAMES:
        response = Response(current_app.extensions["files"].host_games, mimetype="application/json")
        response.headers["Cache-Control"] = _FOREVER
        return response
    accepted = request.accept_encodings
    way = next((kind for kind in _PACKED if accepted.quality(kind) > 0), "")
    place = _folder() / build.partition("-")[0] / f"{name}.br"
    if not place.is_file():  # an update has just taken it away
        abort(404)
    answer = send_file(
        place if way == "br" else BytesIO(_gzip(place) if way else unpack(place)),
        mimetype=_KINDS[Path(name).suffix],
        conditional=True,
        etag=f"{build}-{name}-{way}-{place.stat().st_size}",  # packed quickly or well
        max_age=31536000,
    )
    answer.headers["Cache-Control"] = _FOREVER
    if way:
        answer.headers["Content-Encoding"] = way
    answer.vary.add("Accept-Encoding")
    return answer


@worker_bp.get("/sw-pocket.js")
def script() -> Response:
    """Send the service worker, another one with every build. Its address puts it in charge of all pages."""
    try:
        manifest = describe_offer()
    except NoOfflineApp:
        abort(404)
    build, version = manifest["build"], manifest["version"]
    files = [f"pocket/{build}/{file['name']}" for file in manifest["files"]]
    files += [f"static/{version}/{file['name']}" for file in manifest["static"]]
    kit = {"build": build, "version": version, "files": files}
    text = _WORKER.format(build=build, version=version, kit=json.dumps(kit))
    response = Response(text, mimetype="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Security-Policy"] = _WORKER_POLICY
    return response


def _folder() -> Path:
    folder: Path = current_app.extensions["offline_folder"]
    return folder
