"""The app as a server has it, and as a phone has it: with one key, one clock, and one browser before them."""

import json
import tomllib
from pathlib import Path
from typing import Any

from flask import Flask

from companion.matches import Matches
from companion.web.security.browser import COOKIE, sign

from .http import Browser
from .plain import Step
from .tour import Section, Tour
from .walk import OWNER, Clock, Walker, list_tables

TESTS = Path(__file__).resolve().parents[2]
KEY = "parity" * 8


def read_tour(short: bool, folder: Path = TESTS) -> Tour:
    """The walk through all matches that were played to the end, and all that cases ask."""
    played: list[dict[str, Any]] = [
        json.loads(one.read_text("utf-8")) for one in sorted((folder / "golden").glob("*.json"))
    ]
    requests = [
        {"game": file.parent.name, **case["given"]}
        for file in sorted((folder / "cases").glob("*/*.toml"))
        for case in tomllib.loads(file.read_text("utf-8")).get("case", ())
        if "question" in case["given"]
    ]
    return Tour(list_tables(one["record"] for one in played), requests, short)


def walk(app: Flask, section: Section) -> list[Step]:
    """Every request of a section and what the app answers, which begins with nothing in it."""
    clock = Clock()
    matches = Matches(app.extensions["matches"].store, KEY, clock)
    app.extensions["matches"] = matches
    with app.app_context():
        browser = Browser(app, {COOKIE: sign(OWNER)})
    walker = Walker(app, browser, matches, clock, section.name)
    section.walk(walker)
    return walker.steps
