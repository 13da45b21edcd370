"""`./dev setup` makes the offline app when something has changed, and goes on where it cannot be made."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]
MADE = "companion/offline_app/files/manifest.json"
SOURCES = ("run.lock", "companion/app.py", "templates/page.html", "static/page.css")
LONG_AGO, AGO = 1_000_000_000, 1_100_000_000


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """One in which it was made of what lies there."""
    for name in (*SOURCES, MADE, "companion/offline_app/files/0123/app.zip", "companion/__pycache__/app.pyc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / ".venv").mkdir()
    for path in tmp_path.rglob("*"):
        os.utime(path, (LONG_AGO, LONG_AGO))
    os.utime(tmp_path / MADE, (AGO, AGO))
    return tmp_path


def set_up(checkout: Path, status: int = 0, command: str = "offline") -> tuple[int, list[str]]:
    """What setup does for it: its exit status, and what was called; making it ends with `status`."""
    wanted = r"^OFFLINE=.*\n|^say\(\) .*\n|^(?:\w+_)?offline(?:_\w+)?\(\) \{\n(?:.*\n)*?\}\n"
    functions = "".join(re.findall(wanted, (ROOT / "dev").read_text(), re.MULTILINE))
    program = checkout / ".venv" / "python"
    program.write_text(f'#!/bin/sh\necho "$*" >>.venv/called\nexit {status}\n')
    program.chmod(0o755)
    done = subprocess.run(["sh", "-euc", f"BIN=.venv\n{functions}{command}\n"], cwd=checkout, check=False)
    called = checkout / ".venv" / "called"
    return done.returncode, called.read_text().splitlines() if called.exists() else []


def test_nothing_is_done_while_nothing_changes(checkout: Path) -> None:
    """Not even Python is started; what Python itself lays down, and the files themselves, are no change."""
    for name in ("companion/__pycache__/app.pyc", "companion/offline_app/files/0123/app.zip", ".venv"):
        os.utime(checkout / name)
    assert set_up(checkout) == (0, [])


@pytest.mark.parametrize("name", [*SOURCES, "templates"])
def test_a_change_is_seen(checkout: Path, name: str) -> None:
    """In anything that it is made of, also that a file is gone; once it was looked at it is no news."""
    os.utime(checkout / name)
    assert set_up(checkout) == (0, ["-m companion.offline_app.build --quiet"])
    (checkout / ".venv" / "called").unlink()
    assert set_up(checkout) == (0, [])


def test_it_is_made_where_there_is_none(checkout: Path) -> None:
    """And again the next time, where it could not be: setup goes on."""
    (checkout / MADE).unlink()
    assert set_up(checkout, status=3) == (0, ["-m companion.offline_app.build --quiet"])
    assert len(set_up(checkout, status=3)[1]) == 2
    assert not (checkout / MADE).exists()


def test_a_fault_in_making_it_is_no_small_thing(checkout: Path) -> None:
    """Anything else that goes wrong ends setup."""
    os.utime(checkout / "run.lock")
    assert set_up(checkout, status=1)[0] == 1
    assert len(set_up(checkout, status=1)[1]) == 2


def test_a_server_does_not_wait_for_it(checkout: Path) -> None:
    """It is made beside the server, by a process that leaves it the processor, and packed quickly."""
    os.utime(checkout / "run.lock")
    for pipe in ("served", "made"):
        os.mkfifo(checkout / ".venv" / pipe)
    serve = checkout / ".venv" / "companion"
    serve.write_text(
        "#!/bin/sh\nexec >>.venv/called\necho serve; echo >.venv/served; read _ <.venv/made; echo made\n"
    )
    serve.chmod(0o755)
    [run] = re.findall(r"^    run\)\n((?: {8}.*\n)+?) {8};;", (ROOT / "dev").read_text(), re.MULTILINE)
    beside = 'nice() { read _ <.venv/served; [ "$*" = "./dev beside" ]; offline_beside; echo >.venv/made; }'
    called = ["serve", "-m companion.offline_app.build --quiet --quick", "made"]
    assert set_up(checkout, command=f"prepare() {{ :; }}; {beside}\n{run}") == (0, called)


@pytest.mark.parametrize(
    ("wanted", "named", "not_named"),
    [("npm libpango-1.0-0", "without a network", "tests"), ("postgresql", "tests of the store", "sheets")],
)
def test_a_hint_names_what_is_missing_alone(checkout: Path, wanted: str, named: str, not_named: str) -> None:
    """Whoever may not install packages is told what each of them is for, and of no others."""
    parts = re.findall(
        r"^(?:say|purpose|system)\(\) (?:\{ .*\n|\{\n(?:.*\n)*?\}\n)",
        (ROOT / "dev").read_text(),
        re.MULTILINE,
    )
    without = f'command() {{ :; }}\nas_root() {{ return 1; }}\nmissing() {{ echo "$*"; }}\n{"".join(parts)}'
    script = ["sh", "-euc", f"{without}system {wanted}"]
    said = subprocess.run(script, cwd=checkout, capture_output=True, text=True, check=True).stderr
    assert f"apt-get install {wanted}" in said
    assert named in said and not_named not in said
