"""Parts of every sheet of a match: its game and house rules, a check code, footnotes, corrections."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import Any, Protocol, TypeVar
from unicodedata import bidirectional
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_time

from companion.record import record as records
from companion.record.portable_remarks import Doubt, Remark
from companion.rules.conditions import Value, json_word
from companion.rules.errors import Unreadable
from companion.rules.game import GameRow, GameState, PlayedGame
from companion.rules.message import Message, Names, SeatName, SideName, Translate, join_names
from companion.rules.rulebook import Convention
from companion.rules.seats import Ring

EntryNoteT = TypeVar("EntryNoteT")
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""The characters of check codes, without letters that look like another or like a digit."""


class ExplainedWord(Protocol):
    """A word of a game in one language, with its meaning."""

    @property
    def word(self) -> str:
        """The word as it is said."""

    @property
    def meaning(self) -> str:
        """Its meaning, in the same language."""


class WordList(Protocol):
    """The glossary of a game."""

    def said_in(self, text: str, language: str) -> Sequence[ExplainedWord]:
        """The words that occur in a text in a language."""

    def said_by(self, language: str) -> Sequence[ExplainedWord]:
        """All its words in a language, in English where that lacks one."""


@dataclass(frozen=True, slots=True)
class Correction:
    """An entry that was changed after it had been written.

    `entry` counts from 1 among those that count. `before` is the original text; None says that a whole entry
    was struck out after this one.
    """

    entry: int
    before: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class RulingNote:
    """A dispute that was settled, in the sheet's language with the players' names, for a footnote.

    `entry` counts as in a correction; None for a ruling that is not about an entry that counts.
    """

    entry: int | None
    text: str


@dataclass(frozen=True, slots=True)
class PlayedPart:
    """The states of a record, if already known, and the number of first entries that the sheet leaves out.

    `states` are those before its first entry, after it, after the second and so on.
    """

    states: Sequence[GameState]
    since: int = 0


def compute_check_code(record: records.Record) -> str:
    """Compute eight characters that any change of the record would change."""
    document = json.dumps(
        records.write_record(record), sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    return compute_code(document)


def compute_code(text: str) -> str:
    """Compute eight characters that any change of a text would change."""
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:5], "big")
    code = "".join(_LETTERS[number >> shift & 31] for shift in range(35, -1, -5))
    return f"{code[:4]} {code[4:]}"


def read_stake(record: records.Record) -> tuple[Decimal, str] | None:
    """Read the worth of a unit and its currency; None if it is not stated, or no amount."""
    stake = record.head.get("stake") or {}
    try:
        amount = Decimal(str(stake["amount"]))
    except (KeyError, InvalidOperation):
        return None
    return (amount, str(stake.get("currency", ""))) if amount.is_finite() else None


def list_house_rules(game: PlayedGame, translate: Translate) -> tuple[tuple[str, str], ...]:
    """List the conventions that differ from the preset, each with the choice in words."""
    return tuple(
        (translate(convention.label), describe_choice(convention, value, translate))
        for convention, value in game.deviations()
        if convention.matters(game.conventions, game.players)
    )


def list_blank_fields(game: PlayedGame, translate: Translate, writing: str) -> dict[str, Any]:
    """List the fields of a `BlankSheet`, for the game's number of players and with its conventions."""
    _, ring = translate, game.family.ruleset.ring
    sheet = _("score sheet")
    return {
        "title": f"{translate(game.book.title)}: {sheet}",
        "game": name_game(game, translate),
        "house_rules": list_house_rules(game, translate),
        "headings": list_headings(game, translate) or ring.sides,
        "sides": tuple(sum(ring.side(seat) == side for seat in ring.seats) for side in ring.sides),
        "players": ring.size,
        "writing": writing,
        "origin": describe_origin(game, translate),
    }


def list_headings(game: PlayedGame, translate: Translate) -> tuple[str, ...]:
    """List the usual headings of two sides, *we* and *they*; empty if the game has none."""
    return tuple(translate(game.book.words[key]) for key in ("us", "them") if key in game.book.words)


def describe_origin(game: PlayedGame, translate: Translate) -> str:
    """Describe the origin of a game of the host's, with its source; empty for one of ours."""
    if not game.book.of_host:
        return ""
    source = translate(game.book.of_host)
    return Message("A game of this table’s host. Source: {source}", source=source).render(translate)


def name_game(game: PlayedGame, translate: Translate) -> str:
    """Name the game, with the preset if that is not the plain one."""
    title = translate(game.book.title)
    preset = game.book.presets.get(game.preset)
    plain = next(iter(game.book.presets.values()), None)
    return title if preset is None or preset is plain else translate(f"{game.book.title}, {preset.label}")


def describe_choice(convention: Convention, value: Value, translate: Translate) -> str:
    """Describe the table's choice for a convention."""
    for choice, text in (convention.values or convention.named).items():
        if choice == value and type(choice) is type(value):
            return translate(text)
    return json_word(value)


def describe_choices(game: PlayedGame, choices: Mapping[str, Value], translate: Translate) -> str:
    """Describe choices of a table on a line, each with its name: `Target: 500; Jokers: None`."""
    _, chosen = translate, ((game.book.conventions[name], value) for name, value in choices.items())
    described = (
        (convention.label, describe_choice(convention, value, translate) or _("None"))
        for convention, value in chosen
    )
    return "; ".join(f"{translate(label)}: {text.removesuffix('.')}" for label, text in described)


def read_former_row(before: GameState, game: PlayedGame, correction: Correction) -> GameRow | None:
    """Read the row of an entry before its correction; `before` is the state before the entry.

    None if the original is not an entry by the rules of today.
    """
    try:
        former = game.family.read(dict(correction.before or {}), f"entries[{correction.entry - 1}]")
    except Unreadable:
        return None
    return game.family.apply(before, former).rows[-1]


def group_by_entry(
    notes: Iterable[EntryNoteT], find_entry: Callable[[EntryNoteT], int | None]
) -> dict[int | None, list[EntryNoteT]]:
    """Group notes by the number of their entry."""
    groups: dict[int | None, list[EntryNoteT]] = {}
    for note in notes:
        groups.setdefault(find_entry(note), []).append(note)
    return groups


Reasons = Mapping[str, Message]
"""Possible faults of an entry, as parts of a sentence, by the reasons of objections."""

DEAL_REASONS: Reasons = {
    "count": Message("wrong count"),
    "runs": Message("wrong runs"),
    "trump": Message("wrong trumps"),
    "revoke": Message("a revoke"),
    "other": Message("another reason"),
}
POINTS_REASONS: Reasons = {**DEAL_REASONS, "count": Message("wrong points")}
"""The reasons for entries that are not deals."""
HAND_REASONS: Reasons = {
    "count": Message("it ended differently"),
    "trump": DEAL_REASONS["trump"],
    "revoke": Message("a wrong card was played"),
    "other": DEAL_REASONS["other"],
}
NO_HAND_REASONS: Reasons = {**HAND_REASONS, "count": Message("it was different")}
"""The reasons for entries that are not hands, or hands that nobody lost."""


def describe_doubt(doubt: Doubt, reasons: Reasons, sides: Sequence[str]) -> Message:
    """Describe an objection in a sentence, and how it ended; figures are in the order of the `sides`."""
    objection = doubt.objection
    quoted = [_quote(objection)] if objection.text.strip() else []
    # Their own words say more than that there was another reason.
    what = [] if quoted and objection.reason == "other" else [_name_reason(objection, reasons)]
    if objection.totals is not None:
        totals = " : ".join(str(objection.totals[side]) for side in sides)
        what.append(Message("{totals} claimed to be right", totals=totals))
    sentence = _describe_end(doubt, {"side": SideName(objection.by), "what": what + quoted})
    if doubt.ended is None or not doubt.ended.text.strip():
        return sentence
    return Message("{sentence} {quoted}", sentence=sentence, quoted=_quote(doubt.ended))


def name_doubt(objection: Remark, reasons: Reasons) -> Message:
    """Name an objection in very few words: who made it, and why."""
    side = SideName(objection.by)
    return Message("{side}: {reason}", side=side, reason=_name_reason(objection, reasons))


def _name_reason(objection: Remark, reasons: Reasons) -> Message:
    return reasons.get(objection.reason or "") or reasons["other"]


def _quote(remark: Remark) -> Message:
    return Message("“{text}”", text=remark.text.strip())


def _describe_end(doubt: Doubt, facts: Mapping[str, object]) -> Message:
    if doubt.is_open:
        return Message("{side} objected: {what}; not settled.", **facts)
    match doubt.how:
        case "amended":
            return Message("{side} objected: {what}; corrected.", **facts)
        case "ruled":
            return Message("{side} objected: {what}; ruled.", **facts)
        case "withdrawn":
            return Message("{side} objected: {what}; taken back.", **facts)
        case _:
            return Message("{side} objected: {what}; settled.", **facts)


ROOM = 10
"""Characters that a name may have in a narrow column."""


def name_seats(ring: Ring, players: Sequence[str]) -> dict[str, str]:
    """Name every seat and every side: partners are named together."""
    seats = dict(zip(ring.seats, players, strict=False))
    sides = {
        side: join_names([seats[seat] for seat in ring.seats if ring.side(seat) == side and seat in seats])
        for side in ring.sides
    }
    return seats if ring.partnerships else seats | sides


def name_sides(ring: Ring, names: Mapping[str, str]) -> dict[str, str]:
    """Name each side at the head of its columns."""
    return {
        side: join_names([names.get(seat, seat) for seat in ring.seats if ring.side(seat) == side])
        for side in ring.sides
    }


def shorten_names(names: Mapping[str, str]) -> dict[str, str]:
    """Cut each name to fit a narrow column; two that would look the same get their letter."""
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
    """Build a function that names seats and sides in a sentence of the core by their players."""

    def name_fact(fact: object) -> str:
        if isinstance(fact, SideName):
            return _isolate(sides.get(fact.seat, fact.seat))
        letter = fact.seat if isinstance(fact, SeatName) else str(fact)
        return _isolate(names.get(letter, letter))

    return name_fact


def _isolate(name: str) -> str:
    """Isolate a name in a sentence, if it is written right to left."""
    many = isinstance(name, Names) and name.many
    return Names(f"\u2068{name}\u2069", many) if has_right_to_left(name) else name


def has_right_to_left(name: str) -> bool:
    """True if a name has letters that are read from right to left."""
    return any(bidirectional(letter) in ("R", "AL") for letter in name)


def find_locale(language: str) -> Locale:
    """Find the conventions for dates and money of a language; British ones if none are known."""
    try:
        return Locale.parse(language) if language != "en" else Locale("en", "GB")
    except (UnknownLocaleError, ValueError):
        return Locale("en", "GB")


LOCAL = "local"
"""The time zone of this machine, in place of a name."""


def find_zone(name: str) -> ZoneInfo | None:
    """Find a time zone by its name, such as ``Europe/Warsaw``; None if it is not known here."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a part of a name is a folder
        return None


def format_day(started: object, language: str, zone: str = "", *, with_time: bool = True) -> str:
    """Format the day of a match, and its hour unless left out; empty if unknown.

    The clock is the one of the match, or that of a time `zone`, which is named if that clock differs. So is
    UTC, unless somebody chose a zone of that clock: few tables live by it, but many servers.
    """
    try:
        moment = datetime.fromisoformat(str(started))
    except ValueError:
        return ""
    shown, named = _move_to_zone(moment, zone)
    date = format_date(shown.date(), "long", locale=find_locale(language))
    if len(str(started)) <= 10 or not with_time:
        return date
    time = format_time(shown.time(), "short", locale=find_locale(language))
    return f"{date}, {time} ({named})" if named else f"{date}, {time}"


def read_moment(started: object) -> str:
    """Read the moment a match was begun (ISO 8601); empty for a mere day, or for a time without its zone."""
    try:
        moment = datetime.fromisoformat(str(started))
    except ValueError:
        return ""
    return moment.isoformat() if moment.tzinfo else ""


def _move_to_zone(moment: datetime, zone: str) -> tuple[datetime, str]:
    """Move a moment to a time zone; return it with the name of the zone if that has to be shown."""
    if moment.tzinfo is None:
        return moment, ""
    is_chosen = zone not in ("", LOCAL)
    try:
        there = moment.astimezone(ZoneInfo(zone) if is_chosen else None) if zone else moment
    except OverflowError:  # in the first hours of all years, or the last ones
        return moment, ""
    if not is_chosen and not there.utcoffset():
        return there, "UTC"
    if there.utcoffset() == moment.utcoffset():
        return there, ""
    return there, zone if is_chosen else there.tzname() or ""
