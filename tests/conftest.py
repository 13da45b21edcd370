"""What tests of every folder share: one profile of examples, and empty databases of both kinds."""

import os
from collections.abc import Callable, Generator, Iterator
from itertools import count
from pathlib import Path
from time import process_time

import pytest
from hypothesis import HealthCheck, settings
from jinja2 import FileSystemBytecodeCache
from stores import postgres

from companion import library
from companion.jobs import job
from companion.store import engine
from companion.web import parts

# The same examples on every machine, however slow it is: a failure here is a failure anywhere.
PATIENT = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("commit", PATIENT)
settings.register_profile("nightly", PATIENT, max_examples=200)
settings.register_profile("release", PATIENT, max_examples=500)

# No test cuts the power: what is written need not have reached the disk.
engine.PRAGMAS = (*engine.PRAGMAS, "synchronous=OFF")

# Commands speak English, whatever the machine does; the tests of other languages say so.
os.environ["LANGUAGE"] = "en"

# What is heavy is waited for, unless a test is about that; and one worker does it.
job.PAGE_TIMEOUT = 110
os.environ.setdefault("COMPANION_WORKERS", "1")


MAX_SECONDS = 2.0
"""Processor time of a test that is not marked `slow`, in the commit tier, on a machine as quick as ours."""
TOLERANCE = 1.5
"""How many times as long a test may take before it fails: two that run at once slow each other."""
PROBE_SECONDS = 0.033
"""What such a machine takes for the work by which the speed of this one is measured."""
MAX_LINES, MAX_WIDTH = 200, 1000
"""Lines that a failure prints, and characters of each."""
TESTS = Path(__file__).parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """Which tiers are run beside that of a commit, and how much is tried at random."""
    parser.addoption("--nightly", action="store_true", help="also what is marked nightly")
    parser.addoption("--release", action="store_true", help="also what is marked release")
    parser.addoption("--runs", type=int, default=3, help="evenings on a bad line (3)")
    parser.addoption("--seed", type=int, default=1, help="the first of them (1)")


def pytest_configure(config: pytest.Config) -> None:
    """The process that starts the others says where the server of all lies."""
    tiers = (tier for tier in ("release", "nightly") if config.getoption(f"--{tier}"))
    settings.load_profile(next(tiers, "commit"))
    if not hasattr(config, "workerinput"):
        postgres.begin_run()


def pytest_unconfigure(config: pytest.Config) -> None:
    """The last one stops it."""
    if not hasattr(config, "workerinput"):
        postgres.end_run()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what belongs to later tiers; before a commit only journeys start a browser."""
    for item in items:
        in_browser = "playwright" in getattr(item, "fixturenames", ())
        if item.path.is_relative_to(TESTS / "nightly") or (
            in_browser and item.get_closest_marker("journey") is None
        ):
            item.add_marker(pytest.mark.nightly)
    later = {tier for tier in ("nightly", "release") if not config.getoption(f"--{tier}")}
    left_out = [item for item in items if any(item.get_closest_marker(tier) for tier in later)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Cut short what a failure prints, however much was compared or printed."""
    report = yield
    if report.failed:
        report.longrepr = _cut(str(report.longrepr), MAX_LINES // 2)
        report.sections = [(title, _cut(text, MAX_LINES // 8)) for title, text in report.sections[-3:]]
    return report


def _cut(text: str, most: int) -> str:
    """Keep the first and the last lines of a long text, and the beginning of each."""
    lines = [line[:MAX_WIDTH] for line in text.splitlines()]
    left_out = len(lines) - most
    if left_out > 0:
        lines[most // 2 : -(most // 2)] = [f"[{left_out} lines left out]"]
    return "\n".join(lines)


@pytest.fixture(scope="session", autouse=True)
def _shared_caches(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Open every game once for each process, compile every template once for all: no test pays for it."""
    for game in library.names():
        library.open_game(game)
    of_process = tmp_path_factory.getbasetemp()
    folder = (of_process.parent if "PYTEST_XDIST_WORKER" in os.environ else of_process) / "templates"
    folder.mkdir(exist_ok=True)
    parts.JINJA_OPTIONS["bytecode_cache"] = FileSystemBytecodeCache(str(folder))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """In the commit tier a test that takes long fails, unless it is marked `slow`."""
    # What its children used is counted when they are waited for, perhaps in another test: left out.
    before = process_time()
    yield
    if item.config.getoption("--nightly") or item.get_closest_marker("slow"):
        return
    taken = process_time() - before
    if taken > MAX_SECONDS * TOLERANCE and taken > MAX_SECONDS * TOLERANCE * _slowness():
        pytest.fail(f"took {taken:.1f} s of processor time; mark it slow or nightly, or make it faster")


def _slowness() -> float:
    """How many times slower than ours this machine is just now; others may be at work on it."""
    before = process_time()
    sum(n * n % 7 for n in range(600_000))
    return max(1.0, (process_time() - before) / PROBE_SECONDS)


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file that the migrations have made and nothing was written in; to be copied, never opened."""
    from stores.bare import open_bare

    folder = tmp_path_factory.mktemp("empty")
    open_bare(folder)
    return folder / "companion.sqlite"


@pytest.fixture(scope="session")
def postgres_address() -> str:
    """A PostgreSQL database for this process of the run; who uses it brings it up to date, and empties it."""
    return postgres.shared_cluster().add_database(os.environ.get("PYTEST_XDIST_WORKER", "alone"))


@pytest.fixture
def postgres_addresses() -> Iterator[Callable[[], str]]:
    """Makes PostgreSQL databases in which there is nothing yet, no table either, for one test."""
    cluster, made = postgres.shared_cluster(), list[str]()

    def add() -> str:
        name = f"{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}-{next(_numbers)}"
        made.append(name)
        return cluster.add_database(name)

    yield add
    for name in made:
        cluster.drop_database(name)


_numbers = count()
