"""The limits as a page of the documentation: its figures, from the code."""

import re
from pathlib import Path

from companion import library
from companion.archives import importer, reading
from companion.library.files import MAX_PARTS
from companion.matches.changes import MAX_REMARKS
from companion.matches.matches import MAX_GAMES
from companion.matches.sharing.invitations import MAX_LINKS, MAX_PHONES
from companion.operate.process import MAX_BODY, MAX_HEAD
from companion.record.head import NAME_LIMIT
from companion.record.log import MAX_BESIDE, MAX_ENTRIES, MAX_EVENTS, MAX_RULINGS
from companion.rules.schema import Integer, ListOf, Text
from companion.web.api.views import LIMIT
from companion.web.archives import importing
from companion.web.matches.new_form import PLACE_LIMIT
from companion.web.offline.arrivals import MAX_AT_ONCE, MAX_RECORD
from companion.web.offline.guard import MAX_BYTES
from companion.web.shell.security.headers import MAX_ADDRESS, MAX_FIELDS, MAX_FORM
from companion.web.shell.security.limits import ALLOWANCES

FILE = Path(__file__).resolve().parents[3] / "docs" / "hosting" / "limits.md"

_RATES = "| what | one browser | one address | what is counted |\n|---|---|---|---|\n"
_SIZES = "| what | at most | more is answered by |\n|---|---|---|\n"


def _number(number: int) -> str:
    return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


def _size(size: int) -> str:
    step = 1000 if size % 1024 else 1024
    for power, unit in ((3, "GB"), (2, "MB")):
        if size >= step**power:
            return f"{size // step**power} {unit}"
    return f"{size // step} kB"


def _say_rates(rates: tuple[tuple[int, int], ...]) -> str:
    said = []
    for most, minutes in rates:
        span = f"{minutes // 60} h" if minutes % 60 == 0 else f"{minutes} min"
        said.append(f"{_number(most)} in {span}")
    return ", ".join(said) or "–"


_COUNTED = {
    "matches": "begun",
    "writes": "written",
    "forms": "sent",
    "rulings": "answered",
    "heavy": "answered",
    "prints": "answered",
    "files": "sent",
    "links": "made",
    "remarks": "sent",
    "saved": "saved",
    "arrivals": "sent",
    "news": "asked",
    "identities": "made",
    "guesses": "wrong",
}

SIZES = (
    ("Entries of a match, withdrawn ones too", _number(MAX_ENTRIES), "422: continue in a new match"),
    ("Changes in the history of a match", _number(MAX_EVENTS), "422: continue in a new match"),
    (
        "… after which no more drafts, remarks and rulings are accepted",
        _number(MAX_BESIDE),
        "422: the rest is for entries",
    ),
    ("Rulings attached to a match", _number(MAX_RULINGS), "422"),
    ("Remarks of one side on one entry", _number(MAX_REMARKS), "422"),
    ("Links of a match that can be used", _number(MAX_LINKS), "422: revoke one"),
    ("Phones that take part in a match", _number(MAX_PHONES), "422: let one go"),
    ("Matches that follow each other, looked back on", _number(MAX_GAMES + 1), "earlier ones are left out"),
    ("A name", f"{NAME_LIMIT} characters", "422 at its field"),
    ("A place", f"{PLACE_LIMIT} characters", "422 at its field"),
    ("A note", f"{Text().most} characters", "422 at its field"),
    ("A number in an entry or a question", _number(Integer().most), "refused with its path"),
    (
        "A list of facts, where the game sets no lower number",
        f"{ListOf(Integer()).most} items",
        "refused with its path",
    ),
    ("An address, including its query", _size(MAX_ADDRESS), "414"),
    ("A form", f"{_size(MAX_FORM)}; {_number(MAX_FIELDS)} parts of one with files", "413"),
    ("A request to the API", _size(LIMIT), "413, as a problem document"),
    (
        "A dotted key in the file, or a copy, of a host's game",
        f"{MAX_PARTS} parts",
        "refused before it is read",
    ),
    ("Faults of a host's games that are said one by one", str(library.MAX_FAULTS), "how many more there are"),
    (
        "One delivery of entries recorded without a network",
        f"{_number(MAX_AT_ONCE)} events, {_size(MAX_BYTES)}",
        "413 or 422, as JSON: it sends less",
    ),
    (
        "A match imported without a network",
        _size(MAX_RECORD),
        "413, as JSON: it stays on that phone, for a decision",
    ),
    ("Files uploaded at once", f"{importing.MAX_FILES}, {_size(importing.MAX_BYTES)} together", "413"),
    ("A file of the command line, or in an archive", _size(reading.MAX_BYTES), "refused with its name"),
    (
        "An archive",
        f"{_number(reading.MAX_FILES)} files, {_size(reading.MAX_UNPACKED)} unpacked",
        "refused before it is unpacked",
    ),
    ("Copies of one match", str(importer.MAX_COPIES), "refused with its name"),
    ("All headers of a request", _size(MAX_HEAD), "431, by the server itself"),
    ("Any request body", _size(MAX_BODY), "413, by the server itself"),
)
"""How large things may be."""


def make_page() -> str:
    """The page with the figures that the code has now; all else in it is written there."""
    rates = []
    for allowance in ALLOWANCES:
        what = f"{allowance.what}{' (also with `off`)' if allowance.secret else ''}"
        allowed = f"{_say_rates(allowance.browser)} | {_say_rates(allowance.address)}"
        rates.append(f"| {what} | {allowed} | {_COUNTED[allowance.name]} |")
    sizes = [f"| {what} | {most} | {answer} |" for what, most, answer in SIZES]
    page = FILE.read_text("utf-8")
    for head, rows in ((_RATES, rates), (_SIZES, sizes)):
        before, _head, after = page.partition(head)
        page = before + head + "\n".join(rows) + "\n\n" + after.partition("\n\n")[2]
    day = next(most for allowance in ALLOWANCES for most, minutes in allowance.browser if minutes == 24 * 60)
    return re.sub(r"\d+(?= matches a day)", str(day), page)
