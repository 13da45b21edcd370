"""Matches to begin with: of every game, at their beginning, in the middle, over, with a draft."""

import json
import tomllib
from pathlib import Path
from random import Random
from typing import Any

from flask import Flask

from companion.matches import (
    AddEntry,
    Agree,
    KeepDraft,
    Match,
    Matches,
    Object,
    Role,
    Submission,
    WithdrawEntry,
)
from companion.web.shell.forms import fresh_key

TESTS = Path(__file__).resolve().parents[2]
OWNER = "sends-anything"


def golden_records() -> list[dict[str, Any]]:
    files = sorted((TESTS / "golden").glob("*.json"))
    return [json.loads(file.read_text("utf-8"))["record"] for file in files]


def ruling_requests() -> list[dict[str, Any]]:
    """The requests of all cases, each a question that can be answered."""
    cases = []
    for file in sorted((TESTS / "cases").glob("*/*.toml")):
        shared: dict[str, Any] = {"game": file.parent.name}
        for case in tomllib.loads(file.read_text("utf-8")).get("case", ()):
            given = case["given"]
            if "question" in given:
                cases.append({**shared, **given})
    return cases


class Seeder:
    """Writes matches into an app's store."""

    def __init__(self, app: Flask, random: Random) -> None:
        self._random = random
        self._records = golden_records()
        self._matches: Matches = app.extensions["matches"]

    def write_match(self, game: str = "") -> str:
        """A match of this game, or of any, in any state; its id."""
        record = self._random.choice([record for record in self._records if record["game"].startswith(game)])
        head = {key: value for key, value in record.items() if key not in ("format", "version", "entries")}
        head.setdefault("first_dealer", "A")
        entries, ending = record["entries"], self._random.choice([0, 0, 1, 2, 2, 2, 3, 3])
        standing = entries[: {0: 0, 1: len(entries)}.get(ending, self._random.randrange(len(entries)))]
        id = self._matches.start(head, OWNER, fresh_key())
        for entry in standing:
            self.change(id, AddEntry(entry))
        if ending == 3 and standing:
            self.change(id, WithdrawEntry(1))
        if ending == 2:
            self.change(id, KeepDraft(self._make_draft(entries)))
        return id

    def invite(self, id: str) -> dict[str, list[str]]:
        """Let everybody join a match, one of whom is put out again; secrets and ids of what was given."""
        match, phones = self._matches.open(id), self._matches.invitations
        owner = self._matches.access(match, OWNER)
        sides = match.state.ring.sides
        given = {
            "pencil": (Role.PENCIL, None),
            "side-A": (Role.OPPONENT, sides[0]),
            "side-B": (Role.OPPONENT, sides[1]),
            "spectator": (Role.SPECTATOR, None),
            "revoked": (Role.PENCIL, sides[1]),
        }
        found: dict[str, list[str]] = {"secret": [], "link": [], "grant": []}
        for who, (role, side) in given.items():
            made = phones.make_link(match, owner, role, side, False, fresh_key())
            grant = phones.join(made.secret or "", who, "Android, Chrome")
            if who == "revoked":
                phones.revoke(match, owner, grant.id)
            found["secret"].append(made.secret or "")
            found["link"].append(made.link.id)
            found["grant"].append(grant.id)
        for use in (True, False):
            once = phones.make_link(match, owner, Role.OPPONENT, sides[-1], use, fresh_key())
            found["secret"].append(once.secret or "")
        return found

    def speak(self, id: str) -> None:
        """Let the sides say something of an entry that counts, if there is one."""
        standing = self._matches.open(id).standing_entries
        if standing:
            entry = self._random.choice(standing).id
            self.change(id, Object(entry, "A", "other", "why"))
            self.change(id, Object(entry, "B", "count"))
            self.change(id, Agree(entry, "A"))

    def make_code(self) -> str:
        """A code by which another phone becomes the owner's."""
        return self._matches.moves.make_code(OWNER).secret

    def change(self, id: str, change: Any) -> Match:
        match = self._matches.open(id)
        return self._matches.write(match, change, Submission(OWNER, match.seq, fresh_key()))

    def length(self, id: str) -> int:
        """How long the log of a match is; nothing where it was deleted meanwhile."""
        match = self._matches.open_if_readable(id)
        return match.seq if match is not None else 0

    def _make_draft(self, entries: list[dict[str, Any]]) -> dict[str, Any]:
        """An entry that was broken off."""
        draft = dict(self._random.choice(entries))
        if draft.get("tricks"):
            return {**draft, "tricks": draft["tricks"][: self._random.randrange(len(draft["tricks"]))]}
        if draft.get("bouts"):
            bouts = draft["bouts"][: self._random.randrange(len(draft["bouts"]))]
            return {
                key: value for key, value in draft.items() if key in ("dealer", "first_attacker", "trump")
            } | {"bouts": bouts}
        return draft
