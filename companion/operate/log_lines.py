"""The log as lines of JSON, one for each request and each fault; it never contains who plays or what."""

import json
import logging
import sys
from datetime import UTC, datetime
from pathlib import Path
from traceback import extract_tb
from types import TracebackType
from typing import Any

_HOUSE = Path(__file__).resolve().parents[2]
_DEEPEST = 12
"""How many places of the code are reported for a fault."""


class JsonLines(logging.Formatter):
    """Writes each record as one object.

    For a fault it gives its kind and where it happened. The error message and the values of the request are
    left out, because they may contain names and tokens.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"time": at, "level": record.levelname.lower()}
        fields = getattr(record, "fields", None)
        if fields is None:
            # Where there is an error, what it was made of is left out as well.
            text = str(record.msg) if record.exc_info else record.getMessage()
            fields = {"event": "fault" if record.exc_info else "told", "logger": record.name, "text": text}
        line |= fields
        if record.exc_info and record.exc_info[0] is not None:
            line |= {"error": record.exc_info[0].__name__, "at": _list_places(record.exc_info[2])}
        return json.dumps(line, ensure_ascii=False)


def write_json_lines() -> None:
    """Make this process log lines of JSON to standard output."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers = [handler]
    logger = logging.getLogger("companion")
    logger.handlers, logger.propagate = [], True
    logger.setLevel(logging.INFO)


def _list_places(trace: TracebackType | None) -> list[str]:
    """The places of the code where it happened, the innermost last."""
    places = extract_tb(trace)[-_DEEPEST:]
    return [f"{_shorten(place.filename)}:{place.lineno} {place.name}" for place in places]


def _shorten(name: str) -> str:
    place = Path(name)
    if place.is_relative_to(_HOUSE / "companion"):
        return place.relative_to(_HOUSE).as_posix()
    return "/".join(place.parts[-2:])
