"""An archive of a thousand matches out of one instance and into another, every fold compared; a backup.

Beside the least that is to be done: packing and parsing the same JSON, folding the same matches, copying the
file of the database.
"""

import io
import json
import resource
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from companion import archives, create_app
from companion.matches import Matches
from companion.matches.match import open_stored
from companion.record.log import Event
from companion.store import StoredMatch
from companion.store.tables import db

from .core import WAYS

MATCHES, DEALS = 1000, 30
ME, OTHER = "token-of-one-browser-x", "token-of-another-phone"
AT = "2026-11-20T{:02}:{:02}:00.000+00:00"
HEAD = {"game": "derda", "players": ["Ewa", "Łucja"], "first_dealer": "A", "conventions": {"target": 9999}}
Row = tuple[str, float, str, float]
T = TypeVar("T")


def run() -> Iterator[Row]:
    """Measure it; nothing is measured that was not compared."""
    with tempfile.TemporaryDirectory() as folder:
        here, there = Path(folder) / "here", Path(folder) / "there"
        with opened(here) as matches:
            ids = [make_match(matches, n) for n in range(MATCHES)]
            folds = [matches.open(id).state.totals for id in ids]
            documents = [archives.format_json(archives.write_match(matches, matches.open(id))) for id in ids]
            packed, file = timed(lambda: pack(documents)), io.BytesIO()
            stored = [matches.store.load_match(id) for id in ids]
            folded = timed(lambda: [open_stored(item) for item in stored if item])
            written = timed(lambda: archives.write_archive(matches, ME, ids, file))
        parsed = timed(lambda: [json.loads(document) for document in documents])
        name = f"{MATCHES} matches of {DEALS} deals"
        yield (
            f"an archive of {name}, {len(file.getvalue()) >> 10} kB",
            written,
            "folding and packing them",
            packed + folded,
        )
        data, least = file.getvalue(), parsed + folded
        with opened(there) as matches:
            found: list[archives.Found] = []
            looked = timed(lambda: found.extend(archives.look_through(matches, OTHER, data)))
            yield f"looking through {name}", looked, "parsing and folding them", least
            taken: list[archives.Imported] = []
            took = timed(lambda: taken.extend(archives.import_found(matches, OTHER, found)))
            yield f"taking {name}", took, "parsing and folding them", least
            assert [(item.plan, item.id) for item in taken] == [("new", id) for id in ids]
            assert [matches.open(id).state.totals for id in ids] == folds
            again = timed(lambda: taken.extend(archives.import_found(matches, OTHER, found)))
            yield f"taking {name} once more", again, "parsing and folding them", least
            assert {item.plan for item in taken[MATCHES:]} == {"skipped"}
            assert len(matches.store.list_ids()) == MATCHES
        database, copy = there / "companion.sqlite", Path(folder) / "copy"
        copied = timed(lambda: shutil.copyfile(database, Path(folder) / "plain"))
        backed_up = timed(lambda: archives.back_up(database, copy, None))
        yield f"a backup of them, {copy.stat().st_size >> 20} MB", backed_up, "copying the file", copied
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        yield "most memory of all this, as GB in seconds", memory, "one GB", 1.0


@contextmanager
def opened(folder: Path) -> Iterator[Matches]:
    app = create_app({"INSTANCE": str(folder), "LIMITS": "off"})
    with app.app_context():
        yield app.extensions["matches"]
        db.session.remove()
        db.engine.dispose()


def make_match(matches: Matches, n: int) -> str:
    """A match with deals told in every way, one of them corrected, that takes no other's time."""
    id = matches.make_id(ME, f"match {n}")
    deals = islice(cycle([{"type": "deal", **way} for way in WAYS]), DEALS)
    log = [Event(0, "add", payload=deal, author=ME, at=AT.format(19, i)) for i, deal in enumerate(deals)]
    log.append(Event(0, "amend", 1, {"type": "deal", **WAYS[n % 3]}, ME, AT.format(20, n % 60)))
    matches.store.create_match(StoredMatch(id, ME, HEAD, tuple(log), AT.format(n % 19, n % 60), "1"))
    return id


def pack(documents: list[bytes]) -> None:
    with zipfile.ZipFile(io.BytesIO(), "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for n, document in enumerate(documents):
            archive.writestr(f"{n}.json", document)


def timed(work: Callable[[], object]) -> float:
    """How long it takes, once: it is long enough."""
    start = perf_counter()
    work()
    return perf_counter() - start
