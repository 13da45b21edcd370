"""The files of the offline app, which its tests need."""

import pytest
from offline_app import build


@pytest.fixture(scope="session")
def app_files() -> None:
    """The files of the pocket of this very app, made if they are not there."""
    problem = build()
    if problem:
        pytest.fail(f"tests of the pocket need its files: {problem}")
