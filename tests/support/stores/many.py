"""A store full of matches, written past its verbs: thousands in a second or two."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Engine, insert, text

from companion.store.search_text import searchable_text
from companion.store.tables import GrantRow, MatchRow

OWNER, OTHER = "bench", "somebody else"
_BEGIN = datetime(2020, 1, 1, 18, tzinfo=UTC)


def id_of(number: int) -> str:
    """The id of a match; the last one was written in last."""
    return f"match-{number:017}"


def fill(
    engine: Engine,
    matches: int,
    deals: int,
    head: dict[str, Any],
    deal: str,
    cache: dict[str, Any] | None = None,
    owned: float = 0.8,
) -> None:
    """Write so many matches of so many deals, each the same deal (JSON), with what lists show of them.

    `OWNER` began a share of them, and joined the others, which `OTHER` began.
    """
    with engine.begin() as connection:
        for rows in _in_parts(_match_rows(matches, deals, head, cache, owned)):
            connection.execute(insert(MatchRow), rows)
        payload = "CAST(:deal AS JSON)" if engine.dialect.name == "postgresql" else ":deal"
        connection.execute(
            text(
                "INSERT INTO event (match_id, seq, kind, payload, author, at, form_key)"
                " WITH RECURSIVE numbers(seq) AS"
                " (SELECT 1 UNION ALL SELECT seq + 1 FROM numbers WHERE seq < :deals)"
                f" SELECT id, seq, 'add', {payload}, owner, changed_at, 'form ' || seq"
                " FROM match CROSS JOIN numbers"
            ),
            {"deals": deals, "deal": deal},
        )
        joined = [
            {
                "match_id": row["id"],
                "browser": OWNER,
                "id": f"grant of {row['id']}",
                "side": "B",
                "has_pencil": True,
                "phone": "a phone",
                "at": row["created_at"],
                "listed_at": row["changed_at"],
            }
            for row in _match_rows(matches, deals, head, cache, owned)
            if row["owner"] == OTHER
        ]
        for rows in _in_parts(iter(joined)):
            connection.execute(insert(GrantRow), rows)
    if engine.dialect.name == "postgresql":
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("VACUUM ANALYZE"))  # as it does by itself a minute later


def _match_rows(
    matches: int, deals: int, head: dict[str, Any], cache: dict[str, Any] | None, owned: float
) -> Iterator[dict[str, Any]]:
    for number in range(matches):
        at = (_BEGIN + timedelta(minutes=number)).isoformat(timespec="milliseconds")
        players = [f"Gracz{number}", *head["players"][1:]]
        is_own = number % 10 < owned * 10
        yield {
            "id": id_of(number),
            "owner": OWNER if is_own else OTHER,
            "head": head | {"players": players},
            "rulebook": "",
            "created_at": at,
            "changed_at": at,
            "cache": None if cache is None else cache | {"players": players},
            "cached": deals if cache else 0,
            "access": 0 if is_own else 1,
            "searched": searchable_text(head | {"players": players}, at),
        }


def _in_parts(rows: Iterator[dict[str, Any]], length: int = 1000) -> Iterator[list[dict[str, Any]]]:
    part: list[dict[str, Any]] = []
    for row in rows:
        part.append(row)
        if len(part) == length:
            yield part
            part = []
    if part:
        yield part
