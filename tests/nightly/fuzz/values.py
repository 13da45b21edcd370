"""What nobody types, and somebody sends."""

from random import Random
from typing import Any

# fmt: off
TEXTS = [
    "", " ", "0", "-1", "1", "7", "99", "²", "①", "٣", "१२", "½", "Ⅷ", "−5", "+5", "1e5", "1_000", "0x10",
    "007", "9" * 10, "9" * 20, "9" * 5000, "-" + "9" * 5000, "2147483648", "9223372036854775808", "inf",
    "nan", "-Infinity", "1.5", "\0", "a\0b", "A\0", "\r\nSet-Cookie: x=1", "\n", "\t", "\x1b[2J", "\x7f",
    "\u202eabc", "\u2066abc\u2069", "\u200b", "\u200b" * 50, "\u00ad", "\ufeff", "\u3164", "\ufffd",
    "\uffff", "\U0010ffff", "\U0001f469\u200d\U0001f692", "é" * 200, "e\u0301" * 100, "x" * 70, "x" * 501,
    "x" * 100_000, "A" * 2, "AS", "10H", "TH", "♠", "A♠", "NT", "H", "A", "B", "F", "A:H", "A:", ":H",
    ":::::", "A:H:B", "none", "null", "true", "yes", "draw", "offer", "counter 9", "offer 9999+99",
    "pass,pass,pass", "pass," * 500, ",", "play H,play S", "AS AS", "AS " * 200, "11+4+10", "+", "++",
    "1+" * 30, "{}", "[]", '{"A":1}', "[" * 2000, '{"cards":' * 500, "<script>alert(1)</script>",
    "'\"><img src=x>", "' OR 1=1 --", "%s%n%(x)s", "{{7*7}}", "{seat}", "{0.__class__}",
    "../../../etc/passwd", "..", ".", "/", "//evil.example", "/\t/evil.example", "/\n", "\\", "?", "#",
    "&", "=", ";", "%", "%zz", "%00", "%ff", "match:", "match:x", "teams-4", "4", "6", "standard", "derda",
    "durak", "totals", "cards", "calls", "outcome", "_external", "save", "draft", "drop", "audit",
    "withdraw", "restore", "unrun:²", "unrun:" + "9" * 5000, "unfour:①", "back:²", "back:-1",
    "back:" + "9" * 5000, "run:A:3", "run:A:²", "four:A", "card:AS", "call:pass", "meld:x", "lost:A:B",
    "lost:", "beaten-off", "picked-up",
]
"""Texts for fields, addresses and queries."""
# fmt: on

_DIGITS = [text for text in TEXTS if text.strip("+-−_.")[:1].isnumeric()]
NUMBERS = [*_DIGITS, "", "x", "-0", "1 ", "1\0"]
"""What may stand in the place of a number."""

BYTES = [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88", b"\x00", b"%", b"%u0041", b"\xc0\xaf", b"a\xffb"]
"""What is no UTF-8, and what is none once it is taken out of its escapes."""

NAMES = [
    "_scheme", "_external", "_anchor", "_method", "endpoint", "values", "self", "lang", "id", "\0", "²",
    "",
]  # fmt: skip
"""Names for fields that nobody asked for."""

HEADERS = [
    (
        "HTTP_HOST",
        ["a..b", "x" * 300, "xn--zz", "", "[::1", "a b", "evil.example:x", "ä", "\x00", "localhost"],
    ),
    ("HTTP_ACCEPT_LANGUAGE", ["pl", "xx;q=nan", "en;q=²", ",;,", "*", "x" * 5000, "pl-PL;q=1e999"]),
    ("HTTP_X_PART", ["form", "²"]),
    ("HTTP_X_SCRIPT", ["1", "", "²"]),
    ("HTTP_X_KEEP", ["1", "", "²"]),
    ("HTTP_REFERER", ["//", "http://[::1", "javascript:1"]),
    ("HTTP_IF_NONE_MATCH", ["*", '"x', "²", 'W/"a", "b"']),
    ("HTTP_IF_MODIFIED_SINCE", ["x", "Thu, 01 Jan 99999 00:00:00 GMT"]),
    ("HTTP_RANGE", ["bytes=0-", "bytes=-1", "bytes=9-1", "bytes=²-"]),
    ("HTTP_X_FORWARDED_FOR", ["x"]),
    ("CONTENT_LENGTH", ["", "0", "-1", "x", "²", "5", "99999999999"]),
    ("HTTP_ACCEPT", ["\xff", "application/json"]),
]
"""Headers, by their names in WSGI, and what may stand in them."""

TYPES = [
    "application/json", "text/plain", "", "multipart/form-data", "multipart/form-data; boundary=",
    "multipart/form-data; boundary=x", "application/x-www-form-urlencoded; charset=utf-7",
    "application/x-www-form-urlencoded; charset=nonsense", "\xff",
]  # fmt: skip
"""Kinds of content that a form is not."""

COOKIES = [
    "", "x", ".", "..", "a.b.c", ".eJx.x.x", "\xff", '"', "x" * 5000, "eyJvd25lciI6MX0.aaaa.bbbb", "²",
    "\\303\\50",
]  # fmt: skip
"""What browsers never keep as a cookie."""


HUGE = "a number of 5,000 digits"
"""What stands for one, as Python would not write it."""


def any_json(random: Random, depth: int = 0) -> Any:
    """Any value of JSON, and some that Python alone takes for JSON."""
    kind = random.randrange(12)
    if kind == 0:
        return random.choice([float("nan"), float("inf"), -float("inf"), 1e308, 1.5, -0.0])
    if kind == 1:
        return random.choice([HUGE, 10**20, -(10**20), 2**31, 2**63, 0, -1, 1, 99])
    if kind == 2:
        return random.choice([None, True, False])
    if kind == 3 and depth < 3:
        return [any_json(random, depth + 1) for _n in range(random.randrange(4))]
    if kind == 4 and depth < 3:
        return {random.choice(TEXTS)[:50]: any_json(random, depth + 1) for _n in range(random.randrange(4))}
    if kind == 5:
        return random.choice(["\ud800", "a\udfffb", "\ud83d"])
    if kind == 6:
        return random.choice([["AS"] * 200, [[]], [[[[[]]]]], {"": {}}, [None]])
    return random.choice(TEXTS)


def spoil_json(random: Random, value: Any) -> Any:
    """The value with something else somewhere in it."""
    if random.random() < 0.15 or not isinstance(value, dict | list) or not value:
        return any_json(random)
    key: Any = random.choice([*value]) if isinstance(value, dict) else random.randrange(len(value))
    if random.random() < 0.15:
        del value[key]
    elif isinstance(value, dict) and random.random() < 0.15:
        value[random.choice([*NAMES, "note", "tricks", "made"])] = any_json(random)
    else:
        value[key] = spoil_json(random, value[key])
    return value
