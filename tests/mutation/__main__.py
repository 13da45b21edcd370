"""Plants faults in the rules core and shows those that no test sees: `python -m tests.mutation [PACKAGE …]`.

The faults are those of mutmut's operators. mutmut itself leaves tables and decorated functions alone and
draws no sample, so the mutants are tried here: each in a fork, by the tests that run its line, the shortest
first.
"""

import argparse
import os
import sys
import tempfile
import tomllib
from collections.abc import Iterable
from pathlib import Path
from time import monotonic

from .coverage import TESTS, TestMap, read_test_map, test_paths
from .mutants import ROOT, Mutant, draw_mutants
from .trial import KILLED, SURVIVED, TIMED_OUT, check_trial, try_mutants

EQUIVALENT = Path(__file__).with_name("equivalent.toml")


def read_equivalents() -> dict[tuple[str, str, str], str]:
    """The faults that change nothing anyone could see, each with the reason."""
    known = tomllib.loads(EQUIVALENT.read_text("utf-8"))["mutant"]
    return {(mutant["file"], mutant["was"], mutant["becomes"]): mutant["reason"] for mutant in known}


def stale_equivalents(known: Iterable[tuple[str, str, str]], package: str) -> list[tuple[str, str, str]]:
    """Those of a package whose lines do not stand in its sources any more."""
    stale = []
    for mutant in known:
        path, was, _ = mutant
        file = ROOT / path
        lines = {line.strip() for line in file.read_text("utf-8").splitlines()} if file.exists() else set()
        if path.startswith(f"companion/{package}/") and not lines.issuperset(was.splitlines()):
            stale.append(mutant)
    return stale


def main() -> None:
    """Try a sample of the mutants of each package, and print what became of them."""
    parser = argparse.ArgumentParser(prog="./dev mutate", description=__doc__.partition("\n")[0])
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"of {', '.join(TESTS)} (all)")
    parser.add_argument("--sample", type=int, default=300, help="how many mutants of a package (300; 0: all)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    parser.add_argument("--tests", nargs="+", metavar="PATH", help="ask only these tests")
    chosen = parser.parse_args()
    packages = chosen.packages or list(TESTS)
    if unknown := set(packages) - set(TESTS):
        parser.error(f"no package of these: {', '.join(sorted(unknown))}")
    # What every trial needs, loaded once: a fork has it for nothing.
    import hypothesis.strategies  # noqa: F401

    weak = []
    for name in packages:
        tests = read_test_map(name, chosen.tests or test_paths(name), chosen.jobs)
        if not examine(name, tests, chosen.sample, chosen.seed, chosen.jobs):
            weak.append(name)
    sys.exit(1 if weak else 0)


def examine(package: str, tests: TestMap, size: int, seed: int, jobs: int) -> bool:
    """Whether at least 95 % of a sample that can matter were killed; prints the survivors."""
    start = monotonic()
    drawn = draw_mutants(package, size, seed)
    with tempfile.TemporaryDirectory() as folder:
        check_trial(tests, Path(folder))
        verdicts = try_mutants(drawn, tests, jobs, Path(folder))
    known = read_equivalents()
    for path, was, _ in stale_equivalents(known, package):
        print(f"{path}: no longer there, so strike it from {EQUIVALENT.name}:\n{was}")
    survivors = [mutant for mutant, verdict in verdicts.items() if verdict == SURVIVED]
    equivalent = [survivor for survivor in survivors if _key(survivor) in known]
    for mutant in sorted(set(survivors) - set(equivalent), key=lambda one: (one.path, one.line)):
        print(f"{mutant}\n  (asked {len(tests.tests_of(mutant.path, mutant.line))} tests)")
    counts = {kind: list(verdicts.values()).count(kind) for kind in (KILLED, TIMED_OUT, SURVIVED)}
    mattering = len(drawn) - len(equivalent)
    share = 100 * (counts[KILLED] + counts[TIMED_OUT]) / max(mattering, 1)
    print(
        f"{package}: {len(drawn)} mutants (seed {seed}): {counts[KILLED]} killed, "
        f"{counts[TIMED_OUT]} timed out, {counts[SURVIVED]} survived ({len(equivalent)} cannot matter): "
        f"{share:.1f} % of {mattering}, in {(monotonic() - start) / 60:.1f} min"
    )
    return share >= 95


def _key(mutant: Mutant) -> tuple[str, str, str]:
    return mutant.path, mutant.was, mutant.becomes


if __name__ == "__main__":
    main()
