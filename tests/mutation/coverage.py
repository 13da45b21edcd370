"""Which test runs which line of a package, and how much processor time each test takes."""

import ast
import json
import os
import traceback
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from .mutants import ROOT

CACHE = ROOT / ".mutation"
EVERYWHERE = (
    "rules", "record", "library", "test_cases.py", "test_golden.py", "test_anything.py", "test_docs.py",
)  # fmt: skip
TESTS = {
    "rules": ("rules", "record", "test_docs.py"),
    "record": ("rules", "record", "test_docs.py"),
    "jacknine": (*EVERYWHERE, "jacknine"),
    "beating": (*EVERYWHERE, "beating"),
}
"""The tests that are asked about a package: folders and files that need no page.

What all games share is to be held by its own tests; a family by its cases and laws too.
"""
PLUGINS = ("-p", "no:cacheprovider", "-p", "no:playwright", "-p", "no:xdist")
QUIET = ("-q", "--nightly", "--tb=line", *PLUGINS, "-W", "ignore::pytest.PytestAssertRewriteWarning")


@dataclass(frozen=True)
class TestMap:
    """The tests by number, the processor time of each, and the numbers of those that run a line of a file.

    A line that an import runs has None, as it belongs to every test.
    """

    names: Sequence[str]
    seconds: Sequence[float]
    lines: dict[str, dict[int, list[int] | None]]

    def tests_of(self, path: str, line: int) -> list[int]:
        """The tests that run a line, the shortest first; all of them where an import runs it."""
        lines = self.lines.get(path, {})
        if line not in lines:
            line = next((statement for statement in _statement_lines(path, line) if statement in lines), line)
        ran = lines.get(line, [])
        numbers = range(len(self.names)) if ran is None else ran
        return sorted(numbers, key=lambda number: self.seconds[number])


def _statement_lines(path: str, line: int) -> Iterable[int]:
    """The lines of the innermost statement around a line, without the body that it may have."""
    around = range(0)
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno):
            body = getattr(node, "body", None)
            around = range(node.lineno, body[0].lineno if body else (node.end_lineno or node.lineno) + 1)
    return around


def test_paths(package: str) -> list[str]:
    """The folders and files whose tests are asked about a package."""
    return [f"tests/unit/{name}" for name in TESTS[package]]


def read_test_map(package: str, paths: Sequence[str], jobs: int) -> TestMap:
    """The map of a package for these tests; kept in a file until a source or a test changes."""
    place = CACHE / f"{package}-{_state(paths)}.json"
    if not place.exists():
        CACHE.mkdir(exist_ok=True)
        for old in CACHE.glob(f"{package}-*"):
            old.unlink()
        parts = [CACHE / f"{package}-part-{job}" for job in range(jobs)]
        children = [_start(package, paths, job, jobs, part) for job, part in enumerate(parts)]
        codes = [os.waitpid(child, 0)[1] for child in children]
        if any(codes):
            stated = "\n".join(part.with_suffix(".txt").read_text() for part in parts)
            raise SystemExit(f"{stated}\nthe tests do not pass as things are: mend that first")
        place.write_text(json.dumps(_join([json.loads(part.read_text()) for part in parts])))
        for part in parts:
            part.unlink()
            part.with_suffix(".txt").unlink()
    found = json.loads(place.read_text())
    lines = {path: {int(line): ran for line, ran in of.items()} for path, of in found["lines"].items()}
    return TestMap(found["names"], found["seconds"], lines)


def _state(paths: Sequence[str]) -> str:
    """A hash of everything that decides which test runs what."""
    files = [*(ROOT / "companion").rglob("*"), *(ROOT / "tests").rglob("*")]
    kinds = {".py", ".toml", ".json"}
    stated = sha256("\0".join(paths).encode())
    for path in sorted(path for path in files if path.suffix in kinds and "mutation" not in path.parts):
        stated.update(path.read_bytes())
    return stated.hexdigest()[:16]


def _start(package: str, paths: Sequence[str], job: int, jobs: int, place: Path) -> int:
    """A process that runs every so-manieth test under coverage, and writes down what it saw."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        with place.with_suffix(".txt").open("w") as stated:
            os.dup2(stated.fileno(), 1)
            os.dup2(stated.fileno(), 2)
        code = _measure(package, paths, job, jobs, place)
    except Exception:  # noqa: BLE001  # whatever it is, the parent shows it
        traceback.print_exc()
    finally:
        os._exit(code)


def _measure(package: str, paths: Sequence[str], job: int, jobs: int, place: Path) -> int:
    from coverage import Coverage

    coverage = Coverage(data_file=None, source=[str(ROOT / "companion" / package)], config_file=False)
    seen = _Recorder(coverage, job, jobs)
    coverage.start()
    code = pytest.main([*QUIET, *paths], plugins=[seen])
    coverage.stop()
    data = coverage.get_data()
    lines = {
        Path(path).relative_to(ROOT).as_posix(): {
            line: [test for test in tests if test] for line, tests in data.contexts_by_lineno(path).items()
        }
        for path in data.measured_files()
    }
    imported = {
        Path(path).relative_to(ROOT).as_posix(): [
            line for line, tests in data.contexts_by_lineno(path).items() if "" in tests
        ]
        for path in data.measured_files()
    }
    place.write_text(json.dumps({"seconds": seen.seconds, "lines": lines, "imported": imported}))
    return int(code)


class _Recorder:
    """Names the running test to coverage, and takes its processor time."""

    def __init__(self, coverage: Any, job: int, jobs: int) -> None:
        self.seconds: dict[str, float] = {}
        self._coverage, self._job, self._jobs = coverage, job, jobs

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = items[self._job :: self._jobs]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._coverage.switch_context(item.nodeid)
        start = process_time()
        try:
            return (yield)
        finally:
            self.seconds[item.nodeid] = process_time() - start
            self._coverage.switch_context("")


def _join(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One map of the parts."""
    seconds = {name: taken for part in parts for name, taken in part["seconds"].items()}
    number = {name: n for n, name in enumerate(seconds)}
    imported = {(path, str(line)) for part in parts for path, of in part["imported"].items() for line in of}
    lines: dict[str, dict[str, set[int] | None]] = {}
    for part in parts:
        for path, of in part["lines"].items():
            for line, tests in of.items():
                ran = lines.setdefault(path, {}).setdefault(line, set())
                if (path, line) in imported:
                    lines[path][line] = None
                elif ran is not None:
                    ran.update(number[test] for test in tests)
    sorted_lines = {
        path: {line: None if ran is None else sorted(ran) for line, ran in of.items()}
        for path, of in lines.items()
    }
    return {"names": list(seconds), "seconds": list(seconds.values()), "lines": sorted_lines}
