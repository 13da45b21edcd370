"""What a player's page costs with ten thousand deals: looked at first, and again; and what a deal costs.

What counts is the time that processors work, on SQLite and PostgreSQL. Lists and figures are made from the
same summary of a match, so the last row of each is what making one anew costs beside writing a deal.
"""

import tempfile
from collections.abc import Iterator

from sqlalchemy import text
from stores.many import id_of

from companion.matches.match import summarize_match
from companion.store.tables import db

from . import many
from ._shared import COUNTED, Row

MATCHES, LOOKS = 334, 9
PAGE = "/en/player?name=Jan"


def run() -> Iterator[Row]:
    """On both databases."""
    for kind in ("SQLite", "PostgreSQL"):
        with many.databases(kind) as (address, _other), tempfile.TemporaryDirectory() as instance:
            store = many.FilledStore(address, instance, MATCHES)
            store.find_backends()
            yield from _look(f"{kind}, {MATCHES * many.DEALS} deals", store)
            with store.app.app_context():
                db.session.remove()
                db.engine.dispose()


def _look(name: str, store: many.FilledStore) -> Iterator[Row]:
    with store.app.app_context(), db.engine.begin() as connection:
        connection.execute(text("UPDATE match SET cache = NULL, cached = 0"))
    yield f"{name}: a player looked at first", _measure(store), "what it may take", 5.0
    again = sorted(_measure(store) for _look in range(LOOKS))[LOOKS // 4]
    yield f"{name}: looked at again", again, "what it may take", 0.1
    board = f"/en/m/{id_of(0)}"
    page = store.get(f"{board}/deal")
    begun = store.seconds()
    store.post(f"{board}/deal", page, COUNTED)
    writing = store.seconds() - begun
    with store.app.app_context():
        match = store.app.extensions["matches"].open(id_of(0))
        begun = store.seconds()
        for _time in range(LOOKS):
            summarize_match(match)
        yield f"{name}: a match summed up anew", (store.seconds() - begun) / LOOKS, "writing a deal", writing
        db.session.remove()


def _measure(store: many.FilledStore) -> float:
    begun = store.seconds()
    store.get(PAGE)
    return store.seconds() - begun
