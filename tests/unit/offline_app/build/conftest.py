"""The offline app as it is made of this app."""

from pathlib import Path

import pytest
from pockets import open_archive, ready_offline_app, ready_release

from companion.offline_app.build.making import gather_sources


@pytest.fixture(scope="session")
def release() -> dict[str, bytes]:
    """The files of Pyodide, by name."""
    return ready_release()


@pytest.fixture(scope="session")
def offline_files() -> Path:
    """The folder with the files of the offline app."""
    return ready_offline_app()


@pytest.fixture(scope="session")
def unpacked(
    offline_files: Path, release: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """What a phone unpacks of it, beside Python's own; of modules the sources, for any Python to run."""
    folder = tmp_path_factory.mktemp("unpacked")
    sources = gather_sources(release, "any")
    for archive in ("libs.zip", "app.zip"):
        with open_archive(offline_files / archive) as opened:
            opened.extractall(folder)
        for path in folder.rglob("*.pyc"):
            path.unlink()
            name = path.relative_to(folder).with_suffix(".py")
            folder.joinpath(name).write_bytes(sources[archive].pop(name.as_posix()))
        assert [name for name in sources[archive] if name.endswith(".py")] == []
    return folder
