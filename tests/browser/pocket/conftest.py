"""A server with the pocket of just this app; its files are made where they are not there yet."""

import os

import pytest

from companion.pocket.build.making import make
from companion.pocket.build.pyodide import NoPyodide


@pytest.fixture(scope="session", autouse=True)
def pocket_files() -> None:
    """What a phone fetches."""
    try:
        make(os.environ)
    except NoPyodide as problem:
        pytest.fail(f"no pocket to test: {problem}")
