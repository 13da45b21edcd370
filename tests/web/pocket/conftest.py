"""A server that has a pocket: small files in the place of a whole Python."""

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

FILES = {"pyodide.mjs": b"python" * 500, "app.zip": b"companion" * 900}
PACKED = {"pyodide.mjs": 1_000_000, "app.zip": 3_950_000}
"""What the manifest says of them, packed: as much as of real ones."""


@pytest.fixture
def pocket(app: Flask, tmp_path: Path) -> dict[str, Any]:
    """The manifest of the pocket that the app has, made of its version."""
    folder = tmp_path / "pocket"
    (folder / "b1").mkdir(parents=True)
    for name, content in FILES.items():
        (folder / "b1" / name).write_bytes(content)
    files = [{"name": name, "bytes": PACKED[name], "raw": len(FILES[name])} for name in FILES]
    manifest = {"version": app.extensions["files"].version, "build": "b1", "files": files}
    (folder / "manifest.json").write_text(json.dumps(manifest | {"bytes": sum(PACKED.values())}), "utf-8")
    app.extensions["pocket_folder"] = folder
    return manifest
