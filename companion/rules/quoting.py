"""Values from outside, repeated in an error."""

import json

_MOST = 60
"""How many characters of a value are repeated."""


def quote_json(value: object) -> str:
    """A value as JSON, on one line and cut short.

    >>> quote_json(["AS", None, True])
    '["AS", null, true]'
    """
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):  # nested too deeply, or a number with thousands of digits
        text = "…"
    text = text if len(text) <= _MOST else text[: _MOST - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
