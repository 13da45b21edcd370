"""The limits as a page of the documentation: the figures from the code, with explanations."""

from pathlib import Path

from companion.archives import importer, reading
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
from companion.web.offline.arrivals import MAX_AT_ONCE
from companion.web.offline.guard import MAX_BYTES
from companion.web.shell.security.headers import MAX_ADDRESS, MAX_FIELDS, MAX_FORM
from companion.web.shell.security.limits import ALLOWANCES

FILE = Path(__file__).resolve().parents[3] / "docs" / "hosting" / "limits.md"

_BEGINNING = """\
# Limits

No single browser or network can use up what others need. Whoever reaches a limit is told what it is and
what to do, and nothing that was typed is lost. This page is generated from the code by
`python -m tests.operate.limits`.

## How often

| what | one browser | one address | what is counted |
|---|---|---|---|
"""

_REASONS = """
- A *browser* is an identity, known by its cookie. An *address* is where a request comes from: with IPv6
  the network of one customer (/64). A whole club shares one, so its figures are ten or twenty times those
  of a browser; they also apply to a browser that discards its cookie every time.
- **Why these figures.** A table begins a match every ten minutes, and a director all matches of a night
  from one phone. A table writes one entry a minute; a phone that comes back online after an evening sends
  a hundred at once, and a room of sixty such phones six thousand. A quick thumb taps three times a second.
  A dispute needs three heavy rulings.
- **Wrong links and codes** are counted after they were looked up: the right one works at any time, whatever
  others at the same address have tried. They have at least 77 bits, so that limit is for typing errors, and
  against noise. All phones of an address that have no cookie yet count as one browser.
- **The answer** is `429` with `Retry-After` in seconds: a page that says what was done too often, how
  often it is allowed and when it is possible again, with a button that sends everything typed once more;
  JSON with `error` for the API. The outbox of a phone keeps the entry, says until when it waits, sends it
  by itself then, and sends those of other matches meanwhile.
- A period begins with the first request counted, and the next one after it is over: around the change of
  two periods twice as much is possible for a moment.
- **Where it is counted.** In `limits.sqlite` in the instance folder, which all processes of a server
  share; with PostgreSQL in its unlogged table `limit_count`, which all servers share. It contains neither
  addresses nor tokens, only keyed digests of them; it is part of no backup and may be deleted at any time.
  If it cannot be written, each process counts for itself, says so in the log, and nobody is kept from
  playing.
- **Behind a proxy** all phones have its address unless the server is told about the proxy (see
  [hosting.md](README.md)): until then all of them together are limited like one address.
- `COMPANION_LIMITS=4` lets one address do four times as much (1 to 1000; for a school, say), `off`
  counts only wrong links and codes, `on` is the default.
- Viewing pages, including live updates, is not counted: a board asks every second and a half, and is
  answered from memory. A proxy in front may limit connections.

## How much

| what | at most | more is answered by |
|---|---|---|
"""

_END = """
- There is no limit of its own on how many matches and saved rulings one browser has. It can begin at most
  {day} matches a day, and import what its files contain; lists are shown in pages, and each costs only what
  it shows.
- How much heavy work (rulings, sheets) is done at once, and for how long: `COMPANION_WORKERS` in
  [settings.md](settings.md), 120 seconds for each. A request may take 30 seconds to arrive, and longer
  while it comes at more than 4 kB a second.
"""


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
    ("A request to the API", _size(LIMIT), "413, as JSON"),
    (
        "One delivery of entries recorded without a network",
        f"{_number(MAX_AT_ONCE)} events, {_size(MAX_BYTES)}",
        "413 or 422, as JSON: it sends less",
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
    lines = []
    for allowance in ALLOWANCES:
        what = f"{allowance.what}{' (also with `off`)' if allowance.secret else ''}"
        rates = f"{_say_rates(allowance.browser)} | {_say_rates(allowance.address)}"
        lines.append(f"| {what} | {rates} | {_COUNTED[allowance.name]} |")
    lines += [_REASONS.rstrip("\n")]
    lines += [f"| {what} | {most} | {answer} |" for what, most, answer in SIZES]
    day = next(most for allowance in ALLOWANCES for most, minutes in allowance.browser if minutes == 24 * 60)
    return _BEGINNING + "\n".join(lines) + "\n" + _END.format(day=day)
