"""A match in a link: its record is packed into the fragment, which browsers send to no host.

Packed is JSON with two members: `shown`, what a page shows before anything is imported (`sides`, each with
its name and total; the number of `entries`), and `record`, the match itself. Whoever imports it computes the
score anew.
"""

import json
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from typing import Any

from companion.matches import Match, Matches
from companion.record.record import FORMAT
from companion.rules.errors import Unreadable
from companion.rules.message import Message

from .reading import parse_document
from .writing import write_match

_PACKED = re.compile(r"#give=([\w-]+)", re.ASCII)
_MAX_BYTES = 1024 * 1024
"""Limit of an unpacked link, in bytes; the longest link made here unpacks to a third of it."""


def write_fragment(matches: Matches, match: Match, with_history: bool = True) -> str:
    """Write a match as the fragment of a link, with its whole history or only with what counts."""
    left_out = ("log", "rulings")
    if with_history:
        left_out = ("entries", "remarks")  # they follow from the log
    record = {key: value for key, value in write_match(matches, match).items() if key not in left_out}
    if match.agreed and not with_history:
        record["conventions"] = match.agreed
    sides = [[match.side_name(side), match.state.totals[side]] for side in match.state.ring.sides]
    return pack({"sides": sides, "entries": len(match.standing_entries)}, record)


def pack(shown: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    """Pack a record, and what is shown of it, as a fragment: JSON in UTF-8, deflate (zlib), base64url.

    >>> pack({"sides": [["Ewa", 82]], "entries": 1}, {"game": "derda"})[:10]
    '#give=eNqr'
    """
    text = json.dumps({"shown": shown, "record": record}, ensure_ascii=False, separators=(",", ":"))
    content = text.encode(errors="backslashreplace")  # lone surrogates become escapes of JSON
    return f"#give={urlsafe_b64encode(zlib.compress(content, 9)).decode().rstrip('=')}"


def unpack(link: str) -> dict[str, Any]:
    """Unpack the record of a link, alone or in a text, without validating it.

    :raises Unreadable: if no link is there, or it is damaged, not whole, or holds something else.
    """
    found = _PACKED.search(link)
    if found is None:
        raise Unreadable("", Message("a link to a match, with “#give=” in it"))
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(urlsafe_b64decode(found[1] + "=" * (-len(found[1]) % 4)), _MAX_BYTES)
        document = parse_document(content)
    except (ValueError, zlib.error, Unreadable):
        document = None
    record = document.get("record") if isinstance(document, dict) else None
    if not isinstance(record, dict) or not unpacker.eof or unpacker.unused_data:
        raise Unreadable("", Message("a whole link: this one is damaged, or its end is missing"))
    if record.get("format") != FORMAT:
        raise Unreadable("format", FORMAT, record.get("format"))
    return record
