"""Searches in lists, and the text they search: names, place, game and day of a match, in small letters."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

LIMIT = 2000
"""Bytes of the text that are stored: PostgreSQL's indexes allow little more."""
_DAY = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Search:
    """A search: words, after `fold`, and days or months, each by its beginning and its end.

    These are moments in UTC, as texts that sort before all those beginning with them: `2026-11-19T23:00:00`.
    """

    words: tuple[str, ...] = ()
    days: tuple[tuple[str, str], ...] = ()

    def finds(self, searched: str, *moments: str) -> bool:
        """True if a match is found, by its searchable text and the moments when it was begun and changed."""
        return all(word in searched for word in self.words) and all(
            any(begin <= at < end for at in moments) for begin, end in self.days
        )


def read_search(text: str, zone: tzinfo | None = None) -> Search:
    """Parse a search; days are those of the `zone`, or else of this machine.

    >>> from zoneinfo import ZoneInfo
    >>> read_search("Ewa 2026-11-20 2026-12", ZoneInfo("Europe/Warsaw")).days
    (('2026-11-19T23:00:00', '2026-11-20T23:00:00'), ('2026-11-30T23:00:00', '2026-12-31T23:00:00'))
    """
    words, days = list[str](), list[tuple[str, str]]()
    for word in text.split():
        day = _read_day(word, zone)
        if day is None:
            words.append(fold(word))
        else:
            days.append(day)
    return Search(tuple(words), tuple(days))


def _read_day(word: str, zone: tzinfo | None) -> tuple[str, str] | None:
    """The moments in UTC between which a day or month lies; None for any other word."""
    found = _DAY.fullmatch(word)
    if found is None:
        return None
    year, month, day = (int(part or 1) for part in found.groups())
    try:
        first = datetime(year, month, day)  # noqa: DTZ001  (of the zone, once it is known which days)
        after = first + timedelta(days=1) if found[3] else (first + timedelta(days=31)).replace(day=1)
        begin, end = (moment.replace(tzinfo=zone).astimezone(UTC) for moment in (first, after))
    except (ValueError, OverflowError):
        return None
    return begin.isoformat()[:19], end.isoformat()[:19]


def searchable_text(head: Mapping[str, Any], created_at: str, later: Iterable[Mapping[str, Any]] = ()) -> str:
    """The searchable text of a match: its head as first written, and `later` corrections.

    Corrected names and places are found in both forms.

    >>> searchable_text({"game": "any", "players": ["Żaneta"]}, "2026-11-20T18:00:00", [{"place": "Łódź"}])
    'żaneta any 2026-11-20 łódź'
    """
    parts = [*_words(head), head.get("game"), created_at[:10]]
    for correction in later:
        parts += _words(correction)
    return fold(" ".join(dict.fromkeys(str(part) for part in parts if part)))


def add_names(searched: str, names: Iterable[Any]) -> str:
    """Add those of the names that are missing."""
    missing = [name for name in dict.fromkeys(map(str, names)) if fold(name) not in searched]
    return fold(" ".join([searched, *missing]))


def fold(text: str) -> str:
    """Prepare a text for comparison: case-folded, in any script."""
    return text.casefold().replace("\0", "").encode("utf-8", "ignore")[:LIMIT].decode("utf-8", "ignore")


def _words(head: Mapping[str, Any]) -> list[Any]:
    return [*(head.get("players") or ()), head.get("place")]
