"""The log as lines of JSON, one for each request and each fault; who plays, and what, stands in none."""

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
"""Places of the code that are reported of a fault."""


class JsonLines(logging.Formatter):
    """Writes each record as one object.

    Of a fault it says its kind and where it happened. What an error itself says, and what was being asked for
    with which values, is left out: names and tokens may stand in that.
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
    """Let all that this process logs be lines of JSON, on its standard output."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers = [handler]
    logger = logging.getLogger("companion")
    logger.handlers, logger.propagate = [], True
    logger.setLevel(logging.INFO)


def _list_places(trace: TracebackType | None) -> list[str]:
    """Where it happened, the innermost place last."""
    places = extract_tb(trace)[-_DEEPEST:]
    return [f"{_shorten(place.filename)}:{place.lineno} {place.name}" for place in places]


def _shorten(name: str) -> str:
    place = Path(name)
    if place.is_relative_to(_HOUSE / "companion"):
        return place.relative_to(_HOUSE).as_posix()
    return "/".join(place.parts[-2:])
