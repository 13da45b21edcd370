"""The app as a server has it, and as a phone has it: with one key, one clock, and one browser before them."""

import json
from pathlib import Path
from typing import Any

from flask import Flask

from companion.matches import Matches
from companion.web.security.browser import COOKIE, sign

from .http import Browser
from .walk import OWNER, Clock, Table, Walker, list_tables

TESTS = Path(__file__).resolve().parents[2]
KEY = "parity" * 8


def walk_through(app: Flask) -> Walker:
    """A walker at the door of an app, which shows the walk's own clock."""
    clock = Clock()
    matches = Matches(app.extensions["matches"].store, KEY, clock)
    app.extensions["matches"] = matches
    with app.app_context():
        browser = Browser(app, {COOKIE: sign(OWNER)})
    return Walker(app, browser, matches, clock)


def read_tables(folder: Path = TESTS / "golden") -> list[Table]:
    """The tables of all matches that were played to the end, and those where nobody has played yet."""
    told: list[dict[str, Any]] = [json.loads(one.read_text("utf-8")) for one in sorted(folder.glob("*.json"))]
    return list_tables(one["record"] for one in told)
