"""What programs send as JSON: questions to the arbiter, and what phones recorded without network."""

import json
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from random import Random
from typing import Any

from flask import Flask

from companion.matches import Match, Matches, Role
from companion.record.log import Event
from companion.web.api.page import OPERATIONS

from .seeds import OWNER, golden_records, ruling_requests
from .values import BYTES, HUGE, TEXTS, spoil_json

AT = "2026-11-20T19:42:00.000+00:00"
_OURS = {"HTTP_X_POCKET": "1", "HTTP_ORIGIN": "http://localhost"}
_RULING = {"question": "Whose?", "verdict": "Ewa’s", "why": "", "rules": ["x.y"], "rulebook": "1"}

_TAGS = ['""', 'W/"1"', '"1", "2"', '"', '"x"', "²", "-1", "*, *", '"' + "9" * 5000 + '"']
"""What is no number of a match, and may stand where one belongs."""
_COPIES = ["a." * 20_000 + "a = 1", "[" + "a." * 9_000 + "a]\n" + "b = 1\n" * 3_000, "a = " + "1" * 5_000]
"""What is no copy of a game, and may keep who reads it busy."""


@dataclass(frozen=True)
class ProgramRequest:
    path: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    who: str = OWNER
    method: str = "POST"


class Programs:
    """Makes right requests, most of them with something else somewhere in them."""

    def __init__(self, app: Flask, random: Random, phones: Sequence[str]) -> None:
        self._app, self._random, self._phones = app, random, phones
        self._questions, self._records = ruling_requests(), golden_records()
        self._begun: list[str] = []

    def make(self, ids: Sequence[str]) -> ProgramRequest:
        """Any of them; about one of these matches, if it is about one."""
        random = self._random
        who = random.choice([OWNER, OWNER, OWNER, OWNER, *self._phones])
        with self._app.app_context():
            version = self._app.extensions["files"].version
        kind = random.randrange(10)
        if kind < 2:
            question = deepcopy(random.choice(self._questions))
            return ProgramRequest("/api/rule", self._write(question))
        if kind == 2:
            have = {id: [random.randrange(9), random.randrange(9)] for id in random.sample([*ids], 2)}
            asked = {"version": version, "have": have, "rulings": random.choice(["", "1~x", "0~"])}
            return ProgramRequest("/offline/news", self._write(asked), self._headers(), who)
        if kind == 3:
            rulings = [
                {"id": f"{random.getrandbits(60):022}", "at": AT, "content": {"match": random.choice(ids)}}
                for _number in range(random.randrange(4))
            ]
            body = self._write({"version": version, "rulings": rulings})
            return ProgramRequest("/offline/rulings", body, self._headers(), who)
        if kind == 4:
            return self._begin(version, who)
        if kind > 7:
            return self._call(random.choice(ids), who)
        id = random.choice(ids)
        if kind == 5:
            choice = random.choice(["listed", "archived", "archived", "shown"])
            chosen = {"version": version, "expected": random.randrange(9), "choice": choice, "at": AT}
            return ProgramRequest(
                f"/offline/matches/{id}/visibility", self._write(chosen), self._headers(), who
            )
        sent = {"version": version, **self._deliver(id)}
        return ProgramRequest(f"/offline/matches/{id}/events", self._write(sent), self._headers(), who)

    # --- the public API ------------------------------------------------------------------------------

    def _call(self, id: str, who: str) -> ProgramRequest:
        """An operation in a match, by a token of whoever asks, mostly right."""
        random = self._random
        operation = random.choice(
            [made for made in OPERATIONS if made.name not in ("put_match", "read_sheet_pdf")]
        )
        with self._app.app_context():
            matches: Matches = self._app.extensions["matches"]
            token, match = matches.tokens.make(who, Role.OWNER, "fuzz"), matches.open_if_readable(id)
        values = {"id": id, "game": "derda", "subject": "record"}
        path = re.sub(
            r"<(?:[^:>]*:)?([^>]+)>",
            lambda found: values.get(found[1]) or str(random.randrange(6)),
            operation.rule,
        )
        body: Any = random.choice([{"side": "A"}, {"side": "B", "reason": "count"}, {"place": "Łódź"}])
        if operation.body == "Question":
            body = deepcopy(random.choice(self._questions))
            body |= random.choice([{}] * 9 + [{"rules": random.choice(_COPIES)}])
        elif operation.body == "NewEntry" and match is not None:
            body = self._choose_entry(match)
        seen = (match.seq if match is not None else 0) - random.choice([0, 0, 0, 1, -1])
        headers = {"HTTP_AUTHORIZATION": f"Bearer {token}", "HTTP_IF_MATCH": f'"{max(seen, 0)}"'}
        if random.random() < 0.5:
            headers["HTTP_IDEMPOTENCY_KEY"] = random.choice(TEXTS[:5])
        if random.random() < 0.1:
            headers["HTTP_IF_MATCH"] = random.choice(_TAGS)
        return ProgramRequest(f"/api/v1{path}", self._write(body), headers, who, operation.method)

    # --- deliveries ----------------------------------------------------------------------------------

    def _begin(self, version: str, who: str) -> ProgramRequest:
        """A match that began without network, or one of another phone that did."""
        random = self._random
        record = random.choice(self._records)
        head = {key: value for key, value in record.items() if key not in ("format", "version", "entries")}
        if not self._begun or random.random() < 0.8:
            self._begun.append(f"{random.getrandbits(70):022}")
        events = [self._sign("add", payload=item) for item in record["entries"][: random.randrange(5)]]
        start = {"head": {"first_dealer": "A"} | head, "at": AT}
        body = self._write({"version": version, "expected": 0, "start": start, "events": events})
        return ProgramRequest(f"/offline/matches/{self._begun[-1]}/events", body, self._headers(), who)

    def _deliver(self, id: str) -> dict[str, Any]:
        """What follows in a match, as a phone would have recorded it."""
        with self._app.app_context():
            matches: Matches = self._app.extensions["matches"]
            match = matches.open_if_readable(id)
        if match is None:
            return {"expected": 0, "events": [self._sign("draft")]}
        found = (self._make_event(match, what) for what in self._random.choices("aadgohwmrupst", k=3))
        events = [item for item in found if item is not None][: self._random.choice([1, 1, 2, 3])]
        behind = self._random.choice([0, 0, 1, -1])
        return {"expected": max(match.seq + behind, 0), "events": events}

    def _make_event(self, match: Match, what: str) -> dict[str, Any] | None:
        """An event of this kind that could be the next; None where there is nothing to be changed."""
        random = self._random
        ids = {
            withdrawn: [entry.id for entry in match.log.entries if entry.withdrawn is withdrawn]
            for withdrawn in (0, 1)
        }
        counts = random.choice(ids[0] or [0])
        logged = match.entry(counts)
        payload = logged.payload if logged is not None else None
        side = random.choice(match.state.ring.sides)
        doubts, rulings = match.remarks.open, match.log.rulings
        match what:
            case "a":
                return self._sign("add", payload=self._choose_entry(match))
            case "d":
                return self._sign("draft", payload=dict(payload or {"type": "deal"}))
            case "h":
                return self._sign("head", payload={"players": [*match.head["players"]], "place": "Łódź"})
            case "g" | "o" if counts:
                said = {"side": side} if what == "g" else {"side": side, "reason": "count", "text": "so?"}
                return self._sign("agree" if what == "g" else "object", counts, said)
            case "w" | "m" if counts:
                return self._sign("withdraw", counts) if what == "w" else self._sign("amend", counts, payload)
            case "r" if ids[1]:
                return self._sign("restore", random.choice(ids[1]))
            case "u" | "p":
                made = match.log.undo_event() if what == "u" else match.log.put_back_event()
                return None if made is None else self._copy(made)
            case "s" if doubts:
                return self._sign("settle", doubts[0].entry, {"objection": doubts[0].seq})
            case "t" if rulings and random.random() < 0.3:
                return self._sign("ruling", undoes=rulings[0].seq)
            case "t":
                ruling = _RULING | {"id": f"{random.getrandbits(60):022}"}
                return self._sign("ruling", counts or None, ruling)
        return None

    def _choose_entry(self, match: Match) -> dict[str, Any]:
        """What came next in a game like this one."""
        like = [record for record in self._records if record["game"] == match.game.name]
        entries = self._random.choice(like or self._records)["entries"]
        place = self._random.choice([len(match.standing_entries), self._random.randrange(len(entries))])
        return dict(entries[min(place, len(entries) - 1)])

    def _copy(self, event: Event) -> dict[str, Any]:
        return self._sign(event.kind, event.entry, event.payload, event.undoes)

    def _sign(
        self, kind: str, entry: int | None = None, payload: Any = None, undoes: int | None = None
    ) -> dict[str, Any]:
        key = f"{self._random.getrandbits(self._random.choice([4, 60]))}"
        said = {"kind": kind, "entry": entry, "payload": payload, "undoes": undoes}
        return {**said, "at": AT, "key": key}

    # --- and what is wrong with them -------------------------------------------------------------------

    def _headers(self) -> dict[str, str]:
        headers = dict(_OURS)
        if self._random.random() < 0.03:
            headers[self._random.choice([*headers])] = self._random.choice(["", "null", "x", "http://[", "²"])
        return headers

    def _write(self, document: Any) -> bytes:
        """The document as it is sent, with something else somewhere in it."""
        random = self._random
        document = json.loads(json.dumps(document))
        for _change in range(random.choice([0, 0, 0, 1, 1, 2])):
            document = spoil_json(random, document)
        body = json.dumps(document, ensure_ascii=random.random() < 0.5).encode("utf-8", "surrogatepass")
        body = body.replace(json.dumps(HUGE).encode(), b"9" * 5000)
        if random.random() < 0.05:
            place = random.randrange(len(body) + 1)
            wrong = random.choice(
                [*BYTES, b"[" * 3000, b"", random.choice(TEXTS)[:50].encode("utf-8", "replace")]
            )
            body = body[:place] + wrong + body[place + 1 :]
        return body
