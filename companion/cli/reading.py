"""The input of commands and their answers: files, standard input, JSON line by line."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from traceback import print_exc
from typing import Any

from companion.rules.errors import Explained, Unreadable, explain_system, refuse_duplicates
from companion.rules.message import Message

BAD_INPUT = 2
"""The exit code for input that cannot be used."""


class Refused(Explained):
    """Arguments or a file that cannot be used; the sentence is the line shown after `error:`."""


def report_error(problem: str) -> int:
    """Report an error on standard error; return the exit code."""
    print(f"error: {problem}", file=sys.stderr)
    return BAD_INPUT


def refuse(where: Message | str | Path, requirement: Message | str) -> Refused:
    """Refuse a value as unusable, naming a file or an option."""
    return Refused(Message("{place}: {requirement}", place=where, requirement=requirement))


def _decode(raw: bytes, name: Message | str) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise refuse(name, Message("must be text in UTF-8")) from None


def _parse_json(text: str, name: Message | str) -> Any:
    """Parse the JSON value in a text; `name` says where the text comes from."""
    try:
        return json.loads(text, object_pairs_hook=refuse_duplicates)
    except Unreadable as fault:
        raise refuse(name, fault.requirement) from None
    except json.JSONDecodeError as fault:
        reason = fault.msg.lower()
        where = {"line": fault.lineno, "column": fault.colno, "reason": _JSON_ERRORS.get(reason, reason)}
        raise refuse(name, Message("must be JSON; line {line}, column {column}: {reason}", **where)) from None
    except (ValueError, RecursionError):
        raise refuse(name, Message("must be JSON with numbers and nesting of ordinary size")) from None


_JSON_ERRORS = {
    "expecting value": Message("expecting value"),
    "expecting property name enclosed in double quotes": Message(
        "expecting property name enclosed in double quotes"
    ),
    "expecting ':' delimiter": Message("expecting “:”"),
    "expecting ',' delimiter": Message("expecting “,”"),
    "extra data": Message("extra data"),
    "unterminated string starting at": Message("unterminated string starting at"),
    "invalid control character at": Message("invalid control character at"),
    "invalid \\escape": Message("invalid \\escape"),
    "invalid \\uxxxx escape": Message("invalid \\uxxxx escape"),
    "illegal trailing comma before end of object": Message("illegal trailing comma before end of object"),
    "illegal trailing comma before end of array": Message("illegal trailing comma before end of array"),
}
"""The messages for Python's errors in JSON."""


def read_document(name: str) -> Any:
    """Read the JSON document in a file, or on standard input (`-`)."""
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as fault:
        raise refuse(name, explain_system(fault)) from None
    return _parse_json(_decode(raw, name), Message("standard input") if name == "-" else name)


def answer_lines(answer: Callable[[Any], dict[str, Any]]) -> int:
    """Read a JSON document from each line of standard input and print a JSON line for each.

    A line that cannot be used is answered by `{"error": …}`, in English; blank lines are skipped. Unexpected
    errors are also reported on standard error, and the next line is read.
    """
    for number, raw in enumerate(sys.stdin.buffer, 1):
        if not raw.strip():
            continue
        name = Message("input line {number}", number=number)
        try:
            result = answer(_parse_json(_decode(raw, name), name))
        except (Refused, Unreadable) as refusal:
            result = {"error": str(refusal)}
        except Exception as fault:  # noqa: BLE001  # it ends no other line
            print_exc()
            what = Message("{place}: unexpected error ({fault})", place=name, fault=repr(fault))
            result = {"error": str(what)}
        print_json(result)
        sys.stdout.flush()
    return 0


def print_json(value: Any) -> None:
    """Print a JSON value on a line."""
    print(json.dumps(value, ensure_ascii=False))
