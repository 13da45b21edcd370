"""A server that has small files in place of an offline app; and phones that deliver to it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.matches import Matches

FILES = {"pyodide.mjs": b"python" * 500, "app.zip": b"companion" * 900}
PACKED = {"pyodide.mjs": 1_000_000, "app.zip": 3_950_000}
"""What the manifest says of them, packed: as much as of real ones."""


@pytest.fixture
def offline_files(app: Flask, tmp_path: Path) -> dict[str, Any]:
    """The manifest of the offline app that the app has, made of its version."""
    folder = tmp_path / "pocket"
    (folder / "b1").mkdir(parents=True)
    for name, content in FILES.items():
        (folder / "b1" / name).write_bytes(content)
    files = [{"name": name, "bytes": PACKED[name], "raw": len(FILES[name])} for name in FILES]
    manifest = {"version": app.extensions["files"].version, "build": "b1", "files": files}
    (folder / "manifest.json").write_text(json.dumps(manifest | {"bytes": sum(PACKED.values())}), "utf-8")
    app.extensions["offline_folder"] = folder
    return manifest


OURS = {"X-Pocket": "1", "Origin": "http://localhost"}
AT = "2026-11-20T19:42:00.000+00:00"
HEAD: dict[str, Any] = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
DEAL: dict[str, Any] = {
    "type": "deal",
    "contract": {"declarer": "A", "trump": "H"},
    "totals": {"A": 82, "B": 65},
}


def event(kind: str, key: Any, payload: Any = None, **more: Any) -> dict[str, Any]:
    """An event as a phone sends it."""
    return {"kind": kind, "entry": None, "payload": payload, "undoes": None, "at": AT, "key": key} | more


def deals(*keys: str) -> list[dict[str, Any]]:
    """Deals, each with the key of its form."""
    return [event("add", key, DEAL) for key in keys]


@dataclass
class Phone:
    """The worker of a phone, in one browser."""

    app: Flask
    browser: FlaskClient

    def send(self, path: str, body: Any, headers: dict[str, str] = OURS) -> Any:
        """What the server answers."""
        return self.browser.post(f"/offline/{path}", json=body, headers=headers)

    def deliver(
        self, id: str, events: list[Any], expected: int = 0, start: Any = None, status: int = 200
    ) -> dict[str, Any]:
        """Deliver events of a match; what the server told, with this status."""
        body = {"version": self.version, "expected": expected, "events": events, "start": start}
        answer = self.send(f"matches/{id}/events", body)
        assert answer.status_code == status, answer.text
        reported: dict[str, Any] = answer.get_json()
        return reported

    def ask(self, have: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
        """The news."""
        answer = self.send("news", {"version": self.version, "have": have or {}, **more})
        assert answer.status_code == 200, answer.text
        reported: dict[str, Any] = answer.get_json()
        return reported

    @property
    def version(self) -> str:
        """That of the app which the phone has."""
        return str(self.app.extensions["files"].version)


@pytest.fixture
def phone(app: Flask, client: FlaskClient) -> Phone:
    """The phone of whoever keeps the score."""
    return Phone(app, client)


@pytest.fixture
def stranger(app: Flask, other: FlaskClient) -> Phone:
    """The phone of somebody else."""
    return Phone(app, other)


@pytest.fixture
def join(app: Flask) -> Callable[..., None]:
    """Lets a browser, known by its token, take part in a match."""

    def go(id: str, token: str, role: str, side: str | None = None) -> None:
        with app.app_context():
            matches: Matches = app.extensions["matches"]
            match = matches.open(id)
            phones, owner = matches.invitations, matches.access(match, match.owner)
            link = phones.make_link(match, owner, role, side, False, f"{role} {side}")  # type: ignore[arg-type]
            phones.join(str(link.secret), token, "a phone")

    return go
