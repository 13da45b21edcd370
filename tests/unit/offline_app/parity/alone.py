"""A phone's app in a process of its own, from which the libraries of a server are banned.

`python -m tests.unit.offline_app.parity.alone ADDRESSES VERSION HOST` reads names of sections, a line each,
and prints the steps of each as JSON; `ADDRESSES` are those of the server, as JSON; `HOST` is the phone's.
"""

import importlib.abc
import json
import sys
from collections.abc import Sequence
from types import ModuleType

BANNED = {
    "alembic", "brotli", "mnemonic", "multiprocessing", "pebble",
    "prometheus_client", "psycopg", "sqlalchemy", "sqlite3", "waitress", "weasyprint",
}  # fmt: skip
"""What no phone has."""


class Ban(importlib.abc.MetaPathFinder):
    """Finds nothing of what is banned, and says so."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        """Refuse a module. :raises ImportError: where it is a banned one."""
        if name.partition(".")[0] in BANNED:
            raise ImportError(f"a phone has no {name}")


def main(addresses: str, version: str, host: str) -> None:
    from companion.offline_app.application import Address
    from companion.offline_app.bridge import Bridge
    from companion.web.shell.hosts import Host

    from .apps import read_tour, walk_offline_app

    bridge = Bridge([Address(**load) for load in json.loads(addresses)], version, Host(host))
    tours = {short: read_tour(short) for short in (False, True)}
    for line in sys.stdin:
        asked = json.loads(line)
        steps = walk_offline_app(bridge, tours[asked["short"]].sections[asked["section"]])
        print(json.dumps([step.to_json() for step in steps]), flush=True)


if __name__ == "__main__":
    sys.meta_path.insert(0, Ban())
    main(*sys.argv[1:])
