"""Files with the rows of a phone's store, saved because its program did not start or could not read them."""

import zipfile
from collections.abc import Callable
from io import BytesIO
from typing import Any

from companion.people import is_note
from companion.record.record import PortableRuling, write_ruling
from companion.rules.errors import Unreadable
from companion.rules.message import Message
from companion.rules.schema import MAX_ID
from companion.store import SavedRuling
from companion.store.memory import Tables

from .writing import (
    JOURNAL_FORMAT,
    JOURNAL_VERSION,
    RULING_FORMAT,
    RULING_VERSION,
    format_json,
    write_stored,
)

ROWS_FORMAT, ROWS_VERSION = "companion-rows", 1
UNREAD = Message("rows that this version of the app can read")
_REFUSED = {"format": ROWS_FORMAT}
_DAMAGED = (ValueError, LookupError, TypeError, AttributeError)


def pack_rows(document: Any) -> bytes:
    """Pack the matches, rulings and notes in these rows as an archive of documents that are imported.

    A match that this version cannot read is in it as rows, and so refused. Those of a demo are left out.

    :raises Unreadable: if they are not rows.
    """
    if document.get("version") != ROWS_VERSION:
        raise Unreadable("version", Message("{wanted}", wanted=ROWS_VERSION), document.get("version"))
    tables, content = Tables(), BytesIO()
    try:
        tables.restore(document["rows"], is_lenient=True)
        matches = tables.matches.items()
        own = {id: row for id, row in matches if row.deleted_at is None and not row.is_demo}
        found = {id: _try(write_stored, row.to_stored(id, row.events)) for id, row in own.items()}
        found |= {id: _try(_write_saved, ruling) for id, ruling in tables.rulings.items()}
        found |= {str(row_key[1]): _REFUSED for row_key, _value in tables.unread}
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
            for id, written in found.items():
                archive.writestr(f"{id[:MAX_ID]}.json", format_json(written))  # a longer one is refused
    except _DAMAGED:
        raise Unreadable("rows", UNREAD) from None
    return content.getvalue()


def _try(write: Callable[[Any], dict[str, Any]], stored: Any) -> dict[str, Any]:
    """Write a match or ruling as a document; a damaged one as one that is refused, beside the others."""
    try:
        return write(stored)
    except _DAMAGED:
        return _REFUSED


def _write_saved(saved: SavedRuling) -> dict[str, Any]:
    """Write a saved ruling as a document of its own, or a note as a journal of one."""
    written = write_ruling(PortableRuling(saved.id, saved.at, saved.content))
    if is_note(saved.content):
        return {"format": JOURNAL_FORMAT, "version": JOURNAL_VERSION, "notes": [written]}
    return {"format": RULING_FORMAT, "version": RULING_VERSION, **written}
