"""Sends the app what nobody should: `python -m tests.fuzz --requests 100000 --database postgresql --seed 1`.

Prints how the requests were answered, and every 5xx with what was sent and what broke.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from flask import Flask

from companion import create_app

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from stores import postgresql

from .trial import Trial


@contextmanager
def served(database: str) -> Iterator[Flask]:
    """The app with an empty database of this kind."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"INSTANCE": folder, "WTF_CSRF_ENABLED": False, "SECRET_KEY": "fuzz" * 10}
        if database == "sqlite":
            yield create_app(settings)
        else:
            with postgresql() as address:
                yield create_app(settings | {"DATABASE": address})


def main() -> int:
    """Run it; 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="tests.fuzz", description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--failures", type=int, default=20, help="stop after so many")
    arguments = parser.parse_args()
    began = monotonic()
    with served(arguments.database) as app:
        trial = Trial(app, arguments.seed)
        trial.run(arguments.requests, arguments.failures)
    for failure in trial.failures:
        print(f"{failure.status} {failure.request}\n{failure.fault}\n")
    answers = ", ".join(f"{count} × {status}" for status, count in sorted(trial.statuses.items()))
    took = monotonic() - began
    print(
        f"{trial.count} requests on {arguments.database}, seed {arguments.seed}, in {took:.0f} s: {answers}"
    )
    return 1 if trial.failures else 0


if __name__ == "__main__":
    sys.exit(main())
