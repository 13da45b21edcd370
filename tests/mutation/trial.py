"""The trial of a mutant: a process of its own that imports it in place of the real module."""

import importlib.util
import os
import resource
import signal
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from math import ceil
from pathlib import Path
from time import sleep
from types import CodeType
from typing import Any

import pytest

from .coverage import QUIET, TestMap
from .mutants import ROOT, Mutant

KILLED, SURVIVED, TIMED_OUT = "killed", "survived", "timed out"
VERDICTS = {0: SURVIVED, -signal.SIGXCPU: TIMED_OUT}
"""By how the process of a trial ended; in every other way it was killed."""
MEMORY = 2 * 1024**3
ALLOWANCE, FACTOR = 20, 4
"""A mutant may take so many seconds of processor time, and so many times what its tests take without it."""
QUICK = 2.0
"""A file whose tests take so many seconds at most is asked first: most mutants die without the others."""


def try_mutants(mutants: Sequence[Mutant], tests: TestMap, jobs: int, folder: Path) -> dict[Mutant, str]:
    """What became of each mutant, tried so many at a time; the progress is told as it goes."""
    verdicts: dict[Mutant, str] = {}
    waiting = list(reversed(mutants))
    running: dict[int, Mutant] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            wanted = tests.tests_of(mutant.path, mutant.line)
            if not wanted:
                verdicts[mutant] = SURVIVED
                continue
            limit = ALLOWANCE + FACTOR * sum(tests.seconds[number] for number in wanted)
            child = _start(mutant, _rounds(tests, wanted), folder / str(len(verdicts) + len(running)), limit)
            running[child] = mutant
        for child in list(running):
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                verdicts[running.pop(child)] = VERDICTS.get(os.waitstatus_to_exitcode(status), KILLED)
                _show_progress(verdicts, len(mutants))
        sleep(0.02)
    return verdicts


def check_trial(tests: TestMap, folder: Path) -> None:
    """Make sure that a mutant without a fault survives: otherwise every death would prove nothing.

    :raises SystemExit: when it does not.
    """
    lines = [(path, line) for path, of in tests.lines.items() for line, ran in of.items() if ran]
    path, line = max(lines, key=lambda one: len(tests.lines[one[0]][one[1]] or ()))
    sound = Mutant(path, line, (ROOT / path).read_text("utf-8"), "", "")
    verdict = try_mutants([sound], tests, 1, folder)[sound]
    if verdict != SURVIVED:
        print((folder / "0.txt").read_text(), file=sys.stderr)
        raise SystemExit(f"{path} without a fault is {verdict} by its tests in a trial")


def _show_progress(verdicts: dict[Mutant, str], many: int) -> None:
    done, survivors = len(verdicts), list(verdicts.values()).count(SURVIVED)
    if many > 1 and (done % 20 == 0 or done == many):
        print(f"{done} of {many} tried, {survivors} survived", file=sys.stderr, flush=True)


def _rounds(tests: TestMap, wanted: Sequence[int]) -> list[list[str]]:
    """The names of the tests that are wanted: those of files that are soon done, then the others."""
    taken: dict[str, float] = {}
    for number in wanted:
        file = _file_of(tests.names[number])
        taken[file] = taken.get(file, 0) + tests.seconds[number]
    names = [tests.names[number] for number in wanted]
    quick = [name for name in names if taken[_file_of(name)] <= QUICK]
    slow = [name for name in names if taken[_file_of(name)] > QUICK]
    return [part for part in (quick, slow) if part]


def _file_of(name: str) -> str:
    return name.partition("::")[0]


def _start(mutant: Mutant, rounds: Sequence[Sequence[str]], folder: Path, seconds: float) -> int:
    """A process that tries a mutant, and writes beside the folder of its tests what they print."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        with folder.with_suffix(".txt").open("w") as output:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(seconds), ceil(seconds) + 1))
        sys.meta_path.insert(0, _Planted(mutant))
        for names in rounds:
            arguments = [*QUIET, "-x", f"--basetemp={folder}", *dict.fromkeys(map(_file_of, names))]
            code = int(pytest.main(arguments, plugins=[_Chosen(names)]))
            if code:
                break
    finally:
        os._exit(code)


class _Planted(MetaPathFinder):
    """Finds the mutant where its module is asked for."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name != self._mutant.module:
            return None
        place = str(ROOT / self._mutant.path)
        return importlib.util.spec_from_file_location(name, place, loader=_Loader(self._mutant, place))


class _Loader(SourceFileLoader):
    def __init__(self, mutant: Mutant, place: str) -> None:
        super().__init__(mutant.module, place)
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._mutant.source, self.path, "exec", dont_inherit=True)


class _Chosen:
    """Of what was collected, runs only the tests that are named, in that order."""

    def __init__(self, names: Sequence[str]) -> None:
        self._rank = {name: rank for rank, name in enumerate(names)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._rank), key=lambda item: self._rank[item.nodeid]
        )
