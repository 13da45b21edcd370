"""Matches as files: one as a record with its whole history, several as a ZIP, or a table."""

import csv
import json
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import IO, Any

from companion.matches import Match, Matches
from companion.people import make_note
from companion.record.log import Event
from companion.record.portable_log import PortableLog, write_log
from companion.record.record import FORMAT, VERSION, PortableRuling, write_record, write_ruling
from companion.rules.seats import LETTERS
from companion.store import StoredMatch

RULING_FORMAT, RULING_VERSION = "companion-ruling", 1
JOURNAL_FORMAT, JOURNAL_VERSION = "companion-journal", 1

Progress = Callable[[int, int], None]
"""Called with the number of finished items, and of all."""
PrintSheet = Callable[[Match], bytes]
"""The sheet of a match, as PDF."""


def write_match(matches: Matches, match: Match) -> dict[str, Any]:
    """Write a match as a record in JSON: entries, remarks, its whole history, and its attached rulings.

    Phones are letters in it; tokens and links are left out.
    """
    document = write_record(match.to_record())
    log = PortableLog(match.written_head, match.created_at, match.rulebook, match.events)
    whole = {
        **{key: document.pop(key) for key in ("format", "version")},
        "id": match.id,
        **{key: value for key, value in document.items() if key != "id"},
        "log": write_log(log),
    }
    rulings = list_rulings(matches, match.events)
    return whole | ({"rulings": [write_ruling(ruling) for ruling in rulings]} if rulings else {})


def list_rulings(matches: Matches, events: Iterable[Event]) -> list[PortableRuling]:
    """List the saved rulings that events of a log attached, each once, including detached ones."""
    ids = [event.payload["id"] for event in events if event.kind == "ruling" and event.payload]
    saved = (matches.find_ruling(id) for id in dict.fromkeys(ids))
    return [PortableRuling(ruling.id, ruling.at, ruling.content) for ruling in saved if ruling is not None]


def write_archive(
    matches: Matches,
    owner: str | None,
    ids: Sequence[str],
    file: IO[bytes],
    progress: Progress | None = None,
    print_sheet: PrintSheet | None = None,
    zone: tzinfo | None = UTC,
) -> list[str]:
    """Write matches into a file as one ZIP: `matches/`, with `print_sheet` also `sheets/`.

    In `rulings/` are the `owner`'s saved rulings that none of these matches has, in `journal.json` the
    owner's notes on players and evenings; None is nobody. Days in names of files, and their times, are in the
    `zone`, None being this machine's. The file need not be seekable. One match is in memory at a time.

    Of matches that this version cannot read, `unreadable/` has the log, for one that can.

    :returns: the ids of matches that cannot be read, or do not exist.
    """
    attached, left_out = set[str](), list[str]()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for done, id in enumerate(ids):
            report(progress, done, len(ids))
            match = matches.open_if_readable(id)
            if match is None:
                left_out.append(id)
                _write_unreadable(archive, matches.store.load_match(id), zone)
                continue
            document = write_match(matches, match)
            attached |= {ruling["id"] for ruling in document.get("rulings", ())}
            name, at = f"{name_match(match, zone)}-{match.id[:8]}", _move(match.created_at, zone)
            archive.writestr(_header(f"matches/{name}.json", at), format_json(document))
            if print_sheet is not None:
                archive.writestr(_header(f"sheets/{name}.pdf", at), print_sheet(match))
        for ruling in matches.list_rulings(owner):
            if ruling.id not in attached:
                written = write_ruling(PortableRuling(ruling.id, ruling.at, ruling.content))
                document = {"format": RULING_FORMAT, "version": RULING_VERSION, **written}
                header = _header(f"rulings/{ruling.id}.json", _move(ruling.at, zone))
                archive.writestr(header, format_json(document))
        if notes := matches.list_notes(owner):
            document = {"format": JOURNAL_FORMAT, "version": JOURNAL_VERSION}
            document["notes"] = [
                write_ruling(PortableRuling(note.id, note.at, make_note(note.kind, note.said)))
                for note in notes
            ]
            archive.writestr(_header("journal.json", _move(notes[-1].at, zone)), format_json(document))
    report(progress, len(ids), len(ids))
    return left_out


def _write_unreadable(archive: zipfile.ZipFile, stored: StoredMatch | None, zone: tzinfo | None) -> None:
    """Write the record of a match that is stored, and not deleted."""
    if stored is None or stored.deleted_at is not None:
        return
    header = _header(f"unreadable/{stored.id}.json", _move(stored.created_at, zone))
    archive.writestr(header, format_json(write_stored(stored)))


def write_stored(stored: StoredMatch) -> dict[str, Any]:
    """Write the record of a match from its log alone, without reading what the events say."""
    log = write_log(PortableLog(stored.head, stored.created_at, stored.rulebook, stored.events))
    return {"format": FORMAT, "version": VERSION, "id": stored.id, **stored.head, "log": log}


def report(progress: Progress | None, done: int, total: int) -> None:
    """Report the progress, if anybody wants to know."""
    if progress is not None:
        progress(done, total)


def format_json(document: Mapping[str, Any]) -> bytes:
    """Format a document for a file: a line for each of its keys, and for each item of a list.

    >>> print(format_json({"version": 1, "entries": [{"type": "hand"}, {"type": "close"}]}).decode(), end="")
    {
     "version": 1,
     "entries": [
      {"type": "hand"},
      {"type": "close"}
     ]
    }
    """
    try:
        return _format_lines(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # lone surrogates, stored before they were checked for
        return _format_lines(document, ensure_ascii=True).encode()


def _format_lines(document: Mapping[str, Any], ensure_ascii: bool) -> str:
    write = json.JSONEncoder(ensure_ascii=ensure_ascii).encode
    lines = []
    for key, value in document.items():
        shown = write(value)
        if isinstance(value, list) and value and isinstance(value[0], dict):
            shown = "[\n" + ",\n".join(f"  {write(item)}" for item in value) + "\n ]"
        lines.append(f" {write(key)}: {shown}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def name_match(match: Match, zone: tzinfo | None) -> str:
    """The name of a file with this match, without its ending: game, day and players in plain letters.

    The day is in the `zone`, None being this machine's.
    """
    names = unicodedata.normalize("NFKD", "-".join(match.head["players"]).replace("ł", "l").replace("Ł", "L"))
    plain = re.sub(r"[^A-Za-z0-9]+", "-", names.encode("ascii", "ignore").decode()).strip("-").lower()
    day = _move(match.created_at, zone).date().isoformat()
    return "-".join(part for part in (match.game.name, day, plain[:60]) if part)


def _move(at: str, zone: tzinfo | None) -> datetime:
    """Convert a moment (ISO 8601) to a zone; an invalid one becomes the first that a ZIP knows."""
    try:
        return datetime.fromisoformat(at).astimezone(zone)
    except (ValueError, OverflowError):
        return datetime(1980, 1, 1, tzinfo=zone)


def _header(name: str, at: datetime) -> zipfile.ZipInfo:
    """The header of a file in an archive; the same content makes the same archive."""
    info = zipfile.ZipInfo(name, (max(at.year, 1980), *at.timetuple()[1:6]))
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o600 << 16
    return info


COLUMNS = (
    *("match", "game", "preset", "started", "place", "entry", "type", "deal", "at"),
    *("dealer", "declarer", "trump", "result", "loser"),
    *(f"{fact}_{side}" for fact in ("name", "made", "scored", "total") for side in LETTERS),
    *("held", "note"),
)
"""The columns: `entry` numbers all entries, `deal` the deals or hands; sides are letters."""

_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
"""The characters with which a formula of a spreadsheet begins."""


def write_csv(matches: Iterable[Match], file: IO[str], separator: str = ",") -> None:
    """Write matches into a file of text (opened with `newline=""`), a row for each entry that counts.

    Cells are separated by a comma, or by the separator of a country's spreadsheets.
    """
    writer = csv.writer(file, delimiter=separator)
    writer.writerow(COLUMNS)
    for match in matches:
        for row in _rows(match):
            writer.writerow([guard_cell(row.get(name)) for name in COLUMNS])


def guard_cell(value: Any) -> Any:
    """Make a cell safe: a text that would be a formula gets a leading apostrophe.

    >>> guard_cell("=1+1"), guard_cell("@Ewa"), guard_cell("Ewa"), guard_cell(-20), guard_cell(None)
    ("'=1+1", "'@Ewa", 'Ewa', -20, '')
    """
    if value is None:
        return ""
    if isinstance(value, int):
        return value
    text = str(value)
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


def _rows(match: Match) -> Iterator[dict[str, Any]]:
    ring, head = match.state.ring, match.head
    always = {
        "match": match.id,
        "game": match.game.name,
        "preset": match.game.preset,
        "started": head.get("started") or match.created_at,
        "place": head.get("place"),
        **{f"name_{side}": match.side_name(side) for side in ring.sides},
    }
    shown: Any = match.game.family.show(match.state)["entries"]
    rows = {row["n"]: row for row in shown}
    for n, entry in enumerate(match.standing_entries, 1):
        row = rows.get(n, {})  # entries after the end have no result
        yield always | {
            "entry": n,
            "type": entry.payload["type"],
            "deal": match.counted_number(entry.id),
            "at": entry.events[0].at,
            **{key: row.get(key) for key in ("dealer", "declarer", "trump", "result", "loser")},
            **_by_side("made", row.get("made")),
            **_by_side("scored", row.get("scored")),
            **_by_side("total", row.get("totals")),
            "held": " ".join(map(str, row.get("held") or ())),
            "note": entry.payload.get("note") or entry.payload.get("reason"),
        }


def _by_side(fact: str, values: Any) -> dict[str, int]:
    return {f"{fact}_{side}": value for side, value in (values or {}).items()}
