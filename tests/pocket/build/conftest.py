"""The pocket as it is made of this app."""

import zipfile
from pathlib import Path

import pytest
from pockets import ready_pocket, ready_release


@pytest.fixture(scope="session")
def release() -> dict[str, bytes]:
    """The files of Pyodide, by name."""
    return ready_release()


@pytest.fixture(scope="session")
def pocket() -> Path:
    """The folder with the files of the pocket."""
    return ready_pocket()


@pytest.fixture(scope="session")
def unpacked(pocket: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a phone unpacks of it, beside Python's own."""
    folder = tmp_path_factory.mktemp("unpacked")
    for name in ("libs.zip", "app.zip"):
        with zipfile.ZipFile(pocket / name) as archive:
            archive.extractall(folder)
    return folder
