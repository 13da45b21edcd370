"""Makes a folder of files as this version writes them; see README.md.

`PYTHONPATH=.:tests/support .venv/bin/python -m tests.compatibility.making tests/compatibility/VERSION`
"""

import json
import random
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hosting import DEAL, FOOL, HARBOUR, HEAD
from stores.behind import list_rows

from companion import archives, create_app, library
from companion.matches import AddEntry, Change, Matches, Submission
from companion.matches.changes import (
    Agree,
    AmendEntry,
    AttachRuling,
    CorrectHead,
    DetachRuling,
    KeepDraft,
    Object,
    RestoreEntry,
    Undo,
    WithdrawEntry,
    WithdrawObjection,
)
from companion.matches.sharing.access import Role
from companion.store import Visibility
from companion.store.memory import MemoryStore
from companion.store.sql import SqlStore
from companion.store.tables import db
from tests.unit.offline.table import EWA, JAN, TOKENS, Clock, Phone, Server, deal

GOLDEN = Path(__file__).parents[1] / "golden"
FURTHER = Path(__file__).with_name("further.json")
"""What no golden match has: one taken over from paper and given up, one broken off, teams."""
HOSTED: dict[str, dict[str, Any]] = {
    "hosted-harbour": {**HEAD, "entries": [DEAL]},
    "hosted-fool": {
        "game": "fool",
        "players": ["Ewa", "Jan", "Ola"],
        "first_dealer": "A",
        "entries": [{"type": "hand", "loser": "C"}],
    },
}
"""A host's own games, one of each family: their copies name no option of a later version."""
OWNER, OTHER = TOKENS[EWA], TOKENS[JAN]
SECRET = "a key of that time, 32 bytes long"
RULING: dict[str, Any] = {
    "request": {"game": "derda", "question": "trick", "leader": "A", "trump": "H", "trick": ["AH", "JH"]},
    "query": [["leader", "A"], ["trump", "H"]],
    "names": {"A": "Ewa", "B": "Jan"},
    "ruling": {"verdict": "B takes it", "rules": [{"id": "derda.play.trick", "text": "…"}]},
    "asked": "Who takes the trick?",
    "said": "Jan takes it.",
    "why": "The highest trump takes it: J♥.",
    "rulebook": "1",
    "match": None,
}
ATTACHED = {
    "question": RULING["asked"],
    "verdict": RULING["said"],
    "why": RULING["why"],
    "rules": ["derda.play.trick"],
    "rulebook": "1",
}


def main(folder: Path) -> None:
    """Write everything."""
    random.seed(1)
    (folder / "records").mkdir(parents=True)
    expected: dict[str, Any] = {}
    memory = Matches(MemoryStore(), SECRET, Clock())
    records = _read_records()
    library.GAMES.take_host({"harbour.toml": HARBOUR, "fool.toml": FOOL})
    ids = {name: _write(memory, records[name]) for name in sorted(records)}
    for name, id in ids.items():
        match = memory.open(id)
        (folder / f"records/{name}.json").write_bytes(
            archives.format_json(archives.write_match(memory, match))
        )
        expected[f"records/{name}.json"] = outcome(memory, id)
    with TemporaryDirectory() as instance:
        app = create_app({"INSTANCE": instance, "SECRET_KEY": SECRET, "LIMITS": "off"})
        with app.app_context():
            matches = Matches(SqlStore(), SECRET, Clock())
            id, doubtful = _fill(matches)
            (folder / "archive.zip").write_bytes(b"")
            with (folder / "archive.zip").open("wb") as file:
                archives.write_archive(matches, OWNER, [id], file)
            expected["archive.zip"] = {id: outcome(matches, id)}
        phone = _carry(Server(app), id, doubtful)
        with app.app_context():
            expected["instance.sql"] = {
                found: outcome(matches, found) for found in matches.server_store.list_ids()
            }
            erased = matches.start(matches.open(id).head, OWNER, "erased")
            matches.server_store.set_visibility(erased, "deleted", matches.timestamp())
            matches.server_store.erase_match(erased)
            db.session.remove()
            db.engine.dispose()
        with closing(sqlite3.connect(Path(instance) / "companion.sqlite")) as database:
            (folder / "instance.sql").write_text("\n".join(database.iterdump()) + "\n", "utf-8")
    stored, expected["phone.json"] = phone
    (folder / "phone.json").write_text(_lines(stored), "utf-8")
    (folder / "alone.json").write_text(_lines(record_alone(folder / "archive.zip")), "utf-8")
    (folder / "expected.json").write_text(_lines(expected), "utf-8")


def outcome(matches: Matches, id: str) -> dict[str, Any]:
    """What a match comes to, as far as a later version must find the same."""
    match = matches.open(id)
    shown: Any = match.game.family.show(match.state)
    facts = ("totals", "status", "winner", "next_dealer", "losers", "losses", "held")
    return {
        "players": match.head["players"],
        "events": match.seq,
        "entries": len(match.standing_entries),
        "results": [row["result"] for row in shown["entries"]],
        **{key: shown[key] for key in facts if key in shown},
    }


def _read_records() -> dict[str, dict[str, Any]]:
    """The records that are written, with a note at each entry."""
    records = {file.stem: json.loads(file.read_text("utf-8"))["record"] for file in GOLDEN.glob("*.json")}
    records |= json.loads(FURTHER.read_text("utf-8")) | HOSTED
    for record in records.values():
        record["entries"] = [{"note": f"note {n}", **entry} for n, entry in enumerate(record["entries"])]
    return records


def _write(matches: Matches, record: Mapping[str, Any]) -> str:
    """Write a match as its pages do, an entry at a time; its id."""
    head = {key: value for key, value in record.items() if key not in ("format", "version", "entries")}
    first, *later = record["entries"]
    is_opening = first["type"] == "opening"
    id = matches.start(head, OWNER, json.dumps(head), first if is_opening else None)
    _make(matches, id, *(AddEntry(entry) for entry in (later if is_opening else [first, *later])))
    return id


def _make(matches: Matches, id: str, *changes: Change, author: str = OWNER) -> None:
    for change in changes:
        match = matches.open(id)
        matches.write(match, change, Submission(author, match.seq, f"{id[:6]} {match.seq + 1}"))


def _fill(matches: Matches) -> tuple[str, str]:
    """An instance with everything that is stored; ids of a match with all kinds of events, and of another."""
    head = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A", "place": "Łódź"}
    id = matches.start(head, OWNER, "start")
    match = matches.open(id)
    link = matches.invitations.make_link(match, matches.access(match, OWNER), Role.PENCIL, "B", True, "link")
    assert link.secret is not None
    matches.invitations.join(link.secret, OTHER, "Jan's phone")
    ruling = matches.save_ruling(OWNER, "ruling", RULING)
    _make(matches, id, KeepDraft({"type": "deal", "note": "half"}), KeepDraft(None), AddEntry(deal(82, 65)))
    _make(matches, id, AddEntry(deal(62, 100)), AmendEntry(3, deal(83, 64, note="counted again")))
    _make(
        matches,
        id,
        Agree(4, "B"),
        Object(3, "B", "count", "the last trick", {"A": 80, "B": 67}),
        author=OTHER,
    )
    _make(matches, id, AttachRuling({"id": ruling.id, **ATTACHED}, 3, 7))
    _make(matches, id, Object(4, "A", "runs"), WithdrawObjection(9))
    _make(matches, id, WithdrawEntry(4), RestoreEntry(4), AddEntry(deal(100, 62)), Undo())
    _make(matches, id, AttachRuling({"id": ruling.id, **ATTACHED}, None), DetachRuling(15))
    _make(matches, id, CorrectHead({"players": ["Ewelina", "Jan"], "place": None}))
    matches.save_ruling(OWNER, "of no match", RULING)
    matches.moves.make_words(OWNER)
    matches.tokens.make(OWNER, Role.PENCIL, "token", None, match, matches.access(match, OWNER))
    matches.identities.renew("somebody signed out", 0, "form")
    hidden: tuple[Visibility, ...] = ("archived", "deleted")
    for visibility in hidden:
        other = matches.start(head, OWNER, visibility)
        _make(matches, other, AddEntry(deal(90, 72)))
        matches.server_store.set_visibility(other, visibility, matches.timestamp())
    return id, matches.start(head, OWNER, "doubtful")


def record_alone(archive: Path) -> dict[str, Any]:
    """Rows of a phone alone: a match whose first entry is in a file, hidden matches, imported ones."""
    store = MemoryStore()
    matches = Matches(store, now=Clock(), seed="5eed" * 16)
    head = {"game": "derda", "players": ["Ewa", "Jan"], "first_dealer": "A"}
    own, put_away, deleted = (matches.start(head, EWA, form) for form in ("own", "put away", "deleted"))
    for id in (own, put_away, deleted):
        _make(matches, id, AddEntry(deal(82, 65)), AddEntry(deal(62, 100)), author=EWA)
    store.tables.matches[own].filed = 1
    store.set_visibility(put_away, "archived", matches.timestamp())
    store.set_visibility(deleted, "deleted", matches.timestamp())
    matches.save_ruling(EWA, "ruling", RULING)
    archives.import_found(matches, EWA, archives.look_through(matches, EWA, archive))
    known = {"key": "k" * 32, "seed": "5eed" * 16, "token": "a token", "server": "1", "cookies": {}}
    expected = {id: outcome(matches, id) for id in store.list_ids()}
    rows = [[[EWA, *row_key], value] for row_key, value in list_rows(store.tables)]
    return {"pocket": {"meta": known, "rows": json.loads(json.dumps(rows))}, "expected": expected}


def _carry(server: Server, id: str, doubtful: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a phone with the whole app stores: of the server's matches, and of what it recorded by itself."""
    phone, other = Phone(server, EWA, Clock()), Phone(server, EWA, Clock(), 1001)
    phone.hear()
    other.hear()
    phone.record(doubtful, deal(60, 102))
    other.record(doubtful, deal(61, 101))
    other.meet()
    phone.hear()  # what it recorded is in conflict now
    other.record(doubtful, deal(100, 62))
    other.meet()
    unread = server.report(EWA, phone.delivery.have())
    own = phone.begin(started="2026-11-20T19:00:00+01:00")
    phone.record(own, deal(82, 65))
    phone.record(id, deal(70, 77))
    hidden = phone.begin()
    phone.record(hidden, deal(90, 57))
    (archived,), (deleted,) = phone.store.list_put_away(EWA), phone.store.list_deleted(EWA)
    phone.choose(hidden, "archived")
    phone.choose(archived.id, "deleted")
    phone.choose(deleted.id, "erased")
    rows = json.loads(json.dumps(list_rows(phone.store.tables)))
    state = {"have": phone.delivery.have(), "cookies": {}, "chosen": "", "aside": 1}
    state["unsent"] = phone.delivery.count_unsent()
    known = {"key": "k" * 32, "seed": "5eed" * 16, "token": "a token", "server": "1", **state}
    seq = phone.matches.open(id).seq
    fields = [
        ["seq", str(seq)],
        ["form_key", "a form that waited"],
        ["counting", "totals"],
        ["bid", "A:H"],
        ["total_A", "90"],
        ["total_B", "72"],
        ["do", "save"],
    ]
    at = "2026-11-20T21:40:00.000Z"
    page = f"/en/m/{id}/deal"
    waiting = {
        "id": 1,
        "mark": EWA,
        "match": id,
        "action": page,
        "page": page,
        "fields": fields,
        "name": "Deal",
        "text": "90 : 72",
        "at": at,
        "opened": 1795200000000,
        "state": "new",
    }
    draft = {
        "key": f"{EWA} {page}",
        "mark": EWA,
        "at": at,
        "fields": fields,
        "search": "",
        "seq": str(seq),
        "opened": 1795200000000,
        "version": "1",
        "lang": "en",
    }
    written = {"key": f"{EWA} {id}", "id": 1, "match": id, "at": at, "seen": seq - 1, "seq": seq}
    stored = {
        "companion": {"drafts": [draft], "waiting": [waiting], "written": [written]},
        "pocket": {
            "meta": [[["", "mark"], EWA], *([[EWA, name], value] for name, value in known.items())],
            "rows": [[[EWA, *place], value] for place, value in rows],
            "news": [[[EWA, 1], json.dumps(unread)]],
        },
    }
    return stored, {found: outcome(phone.matches, found) for found in (id, own, doubtful)}


def _lines(document: Mapping[str, Any]) -> str:
    """JSON with a line for each thing of the second level."""
    parts = []
    for key, value in document.items():
        items = ",\n".join(
            f"  {json.dumps(name)}: {json.dumps(item, ensure_ascii=False)}" for name, item in value.items()
        )
        parts.append(f" {json.dumps(key)}: {{\n{items}\n }}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
