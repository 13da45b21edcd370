"""The pocket of the very app that is tested, for tests that cannot do without."""

import os
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import pytest
from flask import Flask

from companion.offline_app.build.making import OfflineBuild, find_cache, make, write
from companion.offline_app.build.pyodide import NoPyodide, read_release
from companion.web.offline.app_files import FOLDER, unpack

SMALL = {"pyodide.mjs": b"export", "app.zip": b"PK"}
_HOW = "tests of the pocket need npm and its registry once"


def ready_offline_app() -> Path:
    """The folder with its files, which are made where they are not: once, however many processes ask.

    Where that cannot be done the test fails, and says what is missing.
    """
    try:
        return FOLDER / make(os.environ).build
    except NoPyodide as problem:
        pytest.fail(f"no pocket can be made: {problem}; {_HOW}")


def open_archive(place: Path) -> zipfile.ZipFile:
    """An archive among its files, by the name that phones know; in the folder it is packed."""
    return zipfile.ZipFile(BytesIO(unpack(place.with_name(f"{place.name}.br"))))


def lay_out(app: Flask, folder: Path, files: Mapping[str, bytes] = SMALL) -> OfflineBuild:
    """Give an app a pocket of its own, of its version and of files that are nothing but small."""
    folder.mkdir()
    app.extensions["offline_folder"] = folder
    return write(folder, app.extensions["files"].version, files, folder.with_name("cache"))


def ready_release() -> dict[str, bytes]:
    """The files of Pyodide by name; without them the test fails, and says what is missing."""
    try:
        return read_release(find_cache(os.environ))
    except NoPyodide as problem:
        pytest.fail(f"there is no Pyodide: {problem}; {_HOW}")
