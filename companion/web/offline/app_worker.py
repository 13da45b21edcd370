"""The worker of a phone that has the offline app: one for all its pages, made of modules of one build."""

import json

from flask import Blueprint, Flask, Response, abort

from companion.web.shell.security.headers import POLICY

from .app_files import NoOfflineApp, describe_offer

bp = Blueprint("offline_worker", __name__)
"""What has no language."""

_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
"""Python is WebAssembly; no page of ours is."""
_SCRIPT = """\
import {{ loadPyodide }} from "./pocket/{build}/pyodide.mjs";
import createPyodideModule from "./pocket/{build}/pyodide.asm.mjs";
import {{ begin }} from "./static/{version}/offline/app/worker.js";
begin({kit}, {{ loadPyodide, createPyodideModule }});
"""
"""What it imports it imports at once, as workers must; addresses are as seen from where it lies."""


def init_app(app: Flask) -> None:
    """Serve the worker."""
    app.register_blueprint(bp)


@bp.get("/sw-pocket.js")
def script() -> Response:
    """The service worker, another one with every build. Its address says what it is in charge of: all."""
    try:
        manifest = describe_offer()
    except NoOfflineApp:
        abort(404)
    build, version = manifest["build"], manifest["version"]
    files = [f"pocket/{build}/{file['name']}" for file in manifest["files"]]
    files += [f"static/{version}/{file['name']}" for file in manifest["static"]]
    kit = {"build": build, "version": version, "files": files}
    text = _SCRIPT.format(build=build, version=version, kit=json.dumps(kit))
    response = Response(text, mimetype="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Security-Policy"] = _POLICY
    return response
