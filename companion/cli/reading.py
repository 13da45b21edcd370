"""What commands are given to read, and how they answer: files, standard input, JSON line by line."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.rules.errors import Unreadable


class Refused(Exception):
    """Arguments or a file that cannot be used; the message is the line shown after `error:`."""


def _read_text(name: str) -> str:
    """The text of a file, or of standard input (`-`)."""
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as fault:
        raise Refused(f"{name}: {(fault.strerror or 'cannot be read').lower()}") from None
    return _decode(raw, name)


def _decode(raw: bytes, name: str) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(f"{name}: must be text in UTF-8") from None


def _parse_json(text: str, name: str) -> Any:
    """The JSON value in a text; `name` says where the text comes from."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as fault:
        where = f"line {fault.lineno}, column {fault.colno}: {fault.msg.lower()}"
        raise Refused(f"{name}: must be JSON; {where}") from None
    except (ValueError, RecursionError):
        raise Refused(f"{name}: must be JSON with numbers and nesting of ordinary size") from None


def read_document(name: str) -> Any:
    """The JSON document in a file, or on standard input (`-`)."""
    return _parse_json(_read_text(name), "standard input" if name == "-" else name)


def answer_lines(answer: Callable[[Any], dict[str, Any]]) -> int:
    """Read a JSON document from each line of standard input and print a JSON line for each.

    A line that cannot be used is answered by `{"error": …}`; blank lines are skipped.
    """
    for number, raw in enumerate(sys.stdin.buffer, 1):
        if not raw.strip():
            continue
        try:
            name = f"input line {number}"
            result = answer(_parse_json(_decode(raw, name), name))
        except (Refused, Unreadable) as refusal:
            result = {"error": str(refusal)}
        print_json(result)
        sys.stdout.flush()
    return 0


def print_json(value: Any) -> None:
    """Print a JSON value on a line."""
    print(json.dumps(value, ensure_ascii=False))
