"""The limits as a page of the documentation: what the code says, with what one has to know about it."""

from pathlib import Path

from companion.archives import importer, reading
from companion.matches.changes import MAX_REMARKS
from companion.matches.matches import MAX_GAMES
from companion.matches.sharing.invitations import MAX_LINKS, MAX_PHONES
from companion.operate.process import MAX_BODY, MAX_HEAD
from companion.record.head import NAME_LIMIT
from companion.record.sizes import MAX_BESIDE, MAX_ENTRIES, MAX_EVENTS, MAX_RULINGS
from companion.rules.schema import Integer, ListOf, Text
from companion.web.api.views import LIMIT
from companion.web.archives import importing
from companion.web.matches.new_form import PLACE_LIMIT
from companion.web.offline.arrivals import MAX_AT_ONCE
from companion.web.offline.guard import MAX_BYTES
from companion.web.shell.security.addresses import MAX_ADDRESS, MAX_FIELDS, MAX_FORM
from companion.web.shell.security.limits import ALLOWANCES

FILE = Path(__file__).resolve().parents[3] / "docs" / "hosting" / "limits.md"

_BEGINNING = """\
# What is limited

No one browser, and no one network, can take from others what they need. Whoever meets a limit is told
in words what it is and what to do, and nothing that was typed is lost. This page is written from the code by
`python -m tests.operate.limits`.

## How often

| what | one browser | one address | what is counted |
|---|---|---|---|
"""

_REASONS = """
- A *browser* is an identity, by its cookie. An *address* is what the server is called from: with IPv6
  the network of one customer (/64). A whole club sits behind one, so its figures are ten or twenty
  times those of a browser; a browser that throws its cookie away each time is met by them.
- **Why these figures.** A table begins a match every ten minutes, and a director all of a night from
  one phone. It writes one entry a minute; a phone that comes back with its evening sends a hundred at
  once, and a room of sixty such phones six thousand. A quick thumb taps three times a second. A dispute
  needs three heavy rulings. Links and codes have at least 77 bits: that limit is for who mistypes, and
  against noise.
- **The answer** is `429` with `Retry-After` in seconds: a page that says what was done too often, how
  often it may be and when it goes on, with a button that sends all that was typed once more; JSON with
  `error` for the API. The outbox of a phone keeps the entry, says until when it waits, sends it by
  itself then, and other matches’ meanwhile.
- Time begins with the first that is counted and is counted anew when it is over: at the change of two
  such spans twice as much is possible for a moment.
- **Where it is counted.** In `limits.sqlite` in the instance folder, which all processes of a server
  share; with PostgreSQL in its table `limit_count`, unlogged, which all servers share. Neither
  addresses nor tokens are in it, only what the server’s key makes of them; it belongs to no backup and
  may be deleted at any time. Where it cannot be written each process counts for itself, says so in the
  log, and nobody is kept from playing.
- **Behind a proxy** all phones have its address unless the server is told of it (see
  [hosting.md](README.md)): then all of them together may do what one address may.
- `COMPANION_LIMITS=4` lets one address do four times as much (1 to 1000; for a school, say), `off`
  counts nothing but wrong links and codes, `on` is usual.
- Pages to look at, live updates too, are not counted: a board asks every second and a half, and is
  answered from memory. A proxy in front may limit connections.

## How much

| what | at most | more is answered by |
|---|---|---|
"""

_END = """
- What has no limit of its own: how many matches and saved rulings one browser has. One begins {day}
  matches a day at most, and takes in what its files hold; lists are shown in pages, and each costs what
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
    ("Entries of a match, withdrawn ones too", _number(MAX_ENTRIES), "422: go on in a new match"),
    ("Changes in the history of a match", _number(MAX_EVENTS), "422: go on in a new match"),
    (
        "… of which drafts, remarks and rulings begin no more after",
        _number(MAX_BESIDE),
        "422: the rest is for entries",
    ),
    ("Rulings attached to a match", _number(MAX_RULINGS), "422"),
    ("What one side says of one entry, yes and no", _number(MAX_REMARKS), "422"),
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
    ("An address, with what stands behind the `?`", _size(MAX_ADDRESS), "414"),
    ("A form", f"{_size(MAX_FORM)}; {_number(MAX_FIELDS)} parts of one with files", "413"),
    ("A request to the API", _size(LIMIT), "413, as JSON"),
    (
        "What a phone brings at once that recorded without network",
        f"{_number(MAX_AT_ONCE)} events, {_size(MAX_BYTES)}",
        "413 or 422, as JSON: it sends less",
    ),
    (
        "Files that are taken in at once",
        f"{importing.MAX_FILES} of {_size(importing.MAX_BYTES)} together",
        "413",
    ),
    ("A file of the command line, or in an archive", _size(reading.MAX_BYTES), "refused with its name"),
    (
        "An archive",
        f"{_number(reading.MAX_FILES)} files, {_size(reading.MAX_UNPACKED)} unpacked",
        "refused before it is unpacked",
    ),
    ("Copies of one match", str(importer.MAX_COPIES), "refused with its name"),
    ("All headers of a request", _size(MAX_HEAD), "431, by the server itself"),
    ("A body, whatever for", _size(MAX_BODY), "413, by the server itself"),
)
"""What may be how large."""


def make_page() -> str:
    """The whole page."""
    lines = []
    for allowance in ALLOWANCES:
        what = f"{allowance.what}{' (also with `off`)' if allowance.secret else ''}"
        rates = f"{_say_rates(allowance.browser)} | {_say_rates(allowance.address)}"
        lines.append(f"| {what} | {rates} | {_COUNTED[allowance.name]} |")
    lines += [_REASONS.rstrip("\n")]
    lines += [f"| {what} | {most} | {answer} |" for what, most, answer in SIZES]
    day = next(most for allowance in ALLOWANCES for most, minutes in allowance.browser if minutes == 24 * 60)
    return _BEGINNING + "\n".join(lines) + "\n" + _END.format(day=day)
