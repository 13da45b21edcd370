"""The app as a server has it, and as a phone has it: with one key, one clock, and one browser before them."""

import json
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any

from flask import Flask

from companion.matches import Matches
from companion.matches.matches import IdMaker
from companion.offline_app.bridge import Bridge
from companion.web.shell.security.browser import COOKIE, sign

from .http import BridgeBrowser, Browser, Sender
from .plain import Step
from .tour import Section, Tour
from .walk import Clock, Walker, list_tables

TESTS = Path(__file__).resolve().parents[3]
KEY = "parity" * 8
OWNER = "the-browser-of-this-walk"


def read_tour(short: bool, folder: Path = TESTS) -> Tour:
    """The walk through all matches that were played to the end, and all that cases ask."""
    played: list[dict[str, Any]] = [
        json.loads(item.read_text("utf-8")) for item in sorted((folder / "golden").glob("*.json"))
    ]
    requests = [
        {"game": file.parent.name, **case["given"]}
        for file in sorted((folder / "cases").glob("*/*.toml"))
        for case in tomllib.loads(file.read_text("utf-8")).get("case", ())
        if "question" in case["given"]
    ]
    return Tour(list_tables(item["record"] for item in played), requests, short)


def walk_server(app: Flask, section: Section) -> list[Step]:
    """Every request of a section, and what the server answers a browser."""
    with app.app_context():
        browser = Browser(app, **{COOKIE: sign(OWNER)})
    return _walk(app, browser, OWNER, section)


def walk_offline_app(bridge: Bridge, section: Section) -> list[Step]:
    """Every request of a section, and what the phone answers the same browser, of which it knows nothing."""
    me = sha256(f"mark:{OWNER}".encode()).hexdigest()[:12]
    seed = IdMaker([KEY]).seed(OWNER)
    version = bridge._app.config["VERSION"]
    reported = {"root": "", "me": me, "key": KEY, "seed": seed, "token": "told", "server": version}
    bridge.restore(json.dumps(reported | {"cookies": {}, "rows": []}))
    return _walk(bridge._app, BridgeBrowser(bridge), me, section)


def _walk(app: Flask, browser: Sender, me: str, section: Section) -> list[Step]:
    matches: Matches = app.extensions["matches"]
    clock = Clock()
    matches._now = matches.trash._now = matches.moves._now = clock
    walker = Walker(app, browser, matches, clock, me, section.name)
    section.walk(walker)
    return walker.steps
