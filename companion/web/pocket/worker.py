"""The worker of a phone that has the pocket: one for all its pages, made of modules of one build."""

import json

from flask import Blueprint, Flask, Response, abort, url_for

from companion.web.security.headers import POLICY

from .files import NoPocket, describe_offer

bp = Blueprint("pocket_worker", __name__)
"""What has no language."""

_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
"""Python is WebAssembly; no page of ours is."""
_SCRIPT = """\
import {{ loadPyodide }} from {pyodide};
import createPyodideModule from {machine};
import {{ begin }} from {worker};
begin({{ ...{kit}, loadPyodide, createPyodideModule }});
"""


def init_app(app: Flask) -> None:
    """Serve the worker."""
    app.register_blueprint(bp)


@bp.get("/sw-pocket.js")
def script() -> Response:
    """The service worker, which is another one with every build. Its address says what it is in charge of: all."""
    try:
        manifest = describe_offer()
    except NoPocket:
        abort(404)
    build, version = manifest["build"], manifest["version"]
    base = f"{url_for('short_addresses.front_page', _external=True)}pocket/{build}/"
    statics = [
        url_for("files.versioned", version=version, name=one["name"], _external=True)
        for one in manifest["static"]
    ]
    files = [f"{base}{one['name']}" for one in manifest["files"]]
    kit = {"build": build, "version": version, "base": base, "files": [*files, *statics]}
    text = _SCRIPT.format(
        pyodide=json.dumps(f"{base}pyodide.mjs"),
        machine=json.dumps(f"{base}pyodide.asm.mjs"),
        worker=json.dumps(url_for("files.versioned", version=version, name="pocket/worker.js")),
        kit=json.dumps(kit),
    )
    response = Response(text, mimetype="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Security-Policy"] = _POLICY
    return response
