"""Players' names where there is little room, sentences with names in them, and dates as they are read."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from unicodedata import bidirectional

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_time

from companion.rules.message import Names, SeatName, SideName, join_names
from companion.rules.seats import Ring

ROOM = 10
"""How many characters a name may have in a narrow column."""


def name_seats(ring: Ring, players: Sequence[str]) -> dict[str, str]:
    """The name of every seat and of every side: partners are named together."""
    seats = dict(zip(ring.seats, players, strict=False))
    sides = {
        side: join_names([seats[seat] for seat in ring.seats if ring.side(seat) == side and seat in seats])
        for side in ring.sides
    }
    return seats if ring.partnerships else seats | sides


def name_sides(ring: Ring, names: Mapping[str, str]) -> dict[str, str]:
    """What each side is called at the head of its columns."""
    return {
        side: join_names([names.get(seat, seat) for seat in ring.seats if ring.side(seat) == side])
        for side in ring.sides
    }


def shorten_names(names: Mapping[str, str]) -> dict[str, str]:
    """Each name cut to what a narrow column holds; two that would look the same get their letter."""
    cut = {letter: _cut_name(name) for letter, name in names.items()}
    return {
        letter: f"{name[: ROOM - 2]} {letter}" if list(cut.values()).count(name) > 1 else name
        for letter, name in cut.items()
    }


def _cut_name(name: str) -> str:
    name = " ".join(name.split())
    if len(name) <= ROOM:
        return name
    first = name.split(" ")[0]
    return first if len(first) <= ROOM else name[: ROOM - 1].rstrip() + "…"


def make_namer(names: Mapping[str, str], sides: Mapping[str, str]) -> Callable[[object], str]:
    """How a sentence of the core names seats and sides: as their players are called."""

    def name_fact(fact: object) -> str:
        if isinstance(fact, SideName):
            return _isolate(sides.get(fact.seat, fact.seat))
        letter = fact.seat if isinstance(fact, SeatName) else str(fact)
        return _isolate(names.get(letter, letter))

    return name_fact


def _isolate(name: str) -> str:
    """A name for the middle of a sentence: one written right to left keeps to itself."""
    many = isinstance(name, Names) and name.many
    return Names(f"\u2068{name}\u2069", many) if has_right_to_left(name) else name


def has_right_to_left(name: str) -> bool:
    """Whether a name has letters that are read from right to left."""
    return any(bidirectional(letter) in ("R", "AL") for letter in name)


def find_locale(language: str) -> Locale:
    """The way dates and money are written in a language; the British way if nothing is known of it."""
    try:
        return Locale.parse(language) if language != "en" else Locale("en", "GB")
    except (UnknownLocaleError, ValueError):
        return Locale("en", "GB")


def format_day(started: object, language: str) -> str:
    """The day and hour of a match as people write them, by the clock it was played by; empty if unknown."""
    try:
        moment = datetime.fromisoformat(str(started))
    except ValueError:
        return ""
    date = format_date(moment.date(), "long", locale=find_locale(language))
    if len(str(started)) <= 10:
        return date
    return f"{date}, {format_time(moment.time(), 'short', locale=find_locale(language))}"
