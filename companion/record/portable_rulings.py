"""The saved rulings that go along with a record, in its list `rulings`, or in a file of their own.

Each has its id, when it was given, and all that was saved with it: the question as it was asked, the answer
as it was given.

>>> parse_ruling({"id": "k3JmR0n4yQ2x7uVbW9aZcA", "at": "2026-11-20T19:10:00+00:00", "content": {}}, "").id
'k3JmR0n4yQ2x7uVbW9aZcA'
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.errors import Missing, Unreadable
from companion.rules.message import Message
from companion.rules.schema import check_text, join_path

from .head import check_plain, refuse_unknown
from .sizes import MAX_RULINGS

_KEYS = ("id", "at", "content")
_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")


@dataclass(frozen=True, slots=True)
class PortableRuling:
    """One saved ruling: `content` is what was saved, as JSON."""

    id: str
    at: str
    content: Mapping[str, Any]


def write_ruling(ruling: PortableRuling) -> dict[str, Any]:
    """The ruling as a JSON object."""
    return {"id": ruling.id, "at": ruling.at, "content": dict(ruling.content)}


def parse_rulings(value: Any) -> tuple[PortableRuling, ...]:
    """The rulings in the list `rulings` of a record. :raises Unreadable: at the first that is none."""
    if not isinstance(value, list) or len(value) > MAX_RULINGS:
        raise Unreadable("rulings", Message("a list of {least} to {most} items", least=0, most=MAX_RULINGS))
    return tuple(parse_ruling(item, f"rulings[{i}]") for i, item in enumerate(value))


def parse_ruling(value: Any, path: str) -> PortableRuling:
    """One saved ruling. :raises Unreadable: when it is none."""
    if not isinstance(value, dict):
        raise Unreadable(path, Message("an object"), value)
    refuse_unknown(value, _KEYS, path)
    for key in _KEYS:
        if key not in value:
            raise Missing(join_path(path, key))
    id = check_text(value["id"], join_path(path, "id"), 1, 64)
    if _ID.fullmatch(id) is None:
        raise Unreadable(join_path(path, "id"), Message("the id of a saved ruling"), id)
    at = check_text(value["at"], join_path(path, "at"), 1, 32)
    if not isinstance(value["content"], dict):
        raise Unreadable(join_path(path, "content"), Message("an object"), value["content"])
    check_plain(value["content"], join_path(path, "content"))
    return PortableRuling(id, at, value["content"])
