"""Send the app faulty requests: `python -m tests.nightly.fuzz --requests 100000 --database postgresql`.

Prints now and then how the requests were answered, and every 5xx with what was sent and what broke.
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
from companion.jobs import job

sys.path.append(str(Path(__file__).resolve().parents[2] / "support"))
from stores.postgres import postgresql

from .trial import ROUND, Trial


@contextmanager
def served(database: str, limits: str) -> Iterator[Flask]:
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "INSTANCE": folder,
            "LIMITS": limits,
            "WTF_CSRF_ENABLED": False,
            "SECRET_KEY": "fuzz" * 10,
        }
        if database == "sqlite":
            yield create_app(settings)
        else:
            with postgresql() as address:
                yield create_app(settings | {"DATABASE": address})


def main() -> int:
    """Run it; 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="tests.nightly.fuzz", description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--limits", default="off", help="on: refuse what comes too often (off)")
    parser.add_argument("--programs", type=float, default=0.2, help="the share of what no page sends")
    parser.add_argument("--failures", type=int, default=20, help="stop after so many")
    arguments = parser.parse_args()
    began = monotonic()
    job.PAGE_TIMEOUT = 50.0  # a slow answer is waited for; it would be a 503 to a form
    with served(arguments.database, arguments.limits) as app:
        trial, reported = Trial(app, arguments.seed, share_of_programs=arguments.programs), 0
        while trial.count < arguments.requests and len(trial.failures) < arguments.failures:
            trial.run(min(trial.count + 4 * ROUND, arguments.requests), arguments.failures)
            for failure in trial.failures[reported:]:
                print(f"{failure.status} {failure.request}\n{failure.fault}\n")
            reported = len(trial.failures)
            answers = ", ".join(f"{count} × {status}" for status, count in sorted(trial.statuses.items()))
            how = f"on {arguments.database}, seed {arguments.seed}, in {monotonic() - began:.0f} s"
            print(f"{trial.count} requests {how}: {answers}", flush=True)
        print(f"written: {trial.written}; brought by phones: {dict(trial.programs)}")
        print(f"never reached: {', '.join(trial.unreached) or 'nothing'}")
    return 1 if trial.failures else 0


if __name__ == "__main__":
    sys.exit(main())
