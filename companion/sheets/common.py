"""What every sheet of a match has: its game and house rules, a check code, footnotes, corrections."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Protocol, TypeVar

from companion.record import record as records
from companion.rules.errors import Unreadable
from companion.rules.game import GameRow, GameState, PlayedGame
from companion.rules.message import Message, Translate
from companion.rules.rulebook import Convention, Value, json_word

EntryNoteT = TypeVar("EntryNoteT")
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""For check codes: no letter that could be taken for another or for a digit."""


class ExplainedWord(Protocol):
    """A word of a game in one language, and what it means."""

    @property
    def word(self) -> str:
        """As it is said."""

    @property
    def meaning(self) -> str:
        """What it means, in the same language."""


class WordList(Protocol):
    """The glossary of a game."""

    def said_in(self, text: str, language: str) -> Sequence[ExplainedWord]:
        """Those of its words that a text in a language says."""


@dataclass(frozen=True, slots=True)
class Correction:
    """An entry that was changed after it had been written.

    `entry` counts from 1 among those that count. `before` is what had been written there first; None says
    that a whole entry was struck out after this one.
    """

    entry: int
    before: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class RulingNote:
    """A dispute that was settled, in the sheet's language with the players' names, for a footnote.

    `entry` counts as a correction's does; None for a ruling about no entry that counts.
    """

    entry: int | None
    text: str


@dataclass(frozen=True, slots=True)
class PlayedPart:
    """What a record comes to, where that is known, and how many of its first entries the sheet leaves out.

    `states` are those before its first entry, after it, after the second and so on.
    """

    states: Sequence[GameState]
    since: int = 0


def compute_check_code(record: records.Record) -> str:
    """Eight characters that any change of the record would change."""
    document = json.dumps(
        records.write_record(record), sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    return compute_code(document)


def compute_code(text: str) -> str:
    """Eight characters that any change of a text would change."""
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:5], "big")
    code = "".join(_LETTERS[number >> shift & 31] for shift in range(35, -1, -5))
    return f"{code[:4]} {code[4:]}"


def read_stake(record: records.Record) -> tuple[Decimal, str] | None:
    """What a unit is worth, and in which currency; None where nobody said, or it is no amount."""
    stake = record.head.get("stake") or {}
    try:
        amount = Decimal(str(stake["amount"]))
    except (KeyError, InvalidOperation):
        return None
    return (amount, str(stake.get("currency", ""))) if amount.is_finite() else None


def list_house_rules(game: PlayedGame, translate: Translate) -> tuple[tuple[str, str], ...]:
    """Every convention that differs from the preset, with what was agreed, in words."""
    return tuple(
        (translate(convention.label), describe_choice(convention, value, translate))
        for convention, value in game.deviations()
        if convention.matters(game.conventions, game.players)
    )


def name_game(game: PlayedGame, translate: Translate) -> str:
    """The game, and the preset where it is not the plain one."""
    title = translate(game.book.title)
    preset = game.book.presets.get(game.preset)
    plain = next(iter(game.book.presets.values()), None)
    return title if preset is None or preset is plain else f"{title}, {translate(preset.label)}"


def describe_choice(convention: Convention, value: Value, translate: Translate) -> str:
    """What a table has chosen of a convention, in words."""
    for choice, text in convention.values.items():
        if choice == value and type(choice) is type(value):
            return translate(text)
    return json_word(value)


class Footnotes:
    """The footnotes of a sheet, each said once, however many lines it stands at."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    @property
    def texts(self) -> tuple[str, ...]:
        """The footnotes in their order."""
        return tuple(self._numbers)

    def add(self, text: str) -> int:
        """The number of a footnote."""
        return self._numbers.setdefault(text, len(self._numbers) + 1)


def describe_removal(corrections: Sequence[Correction]) -> list[Message]:
    """What is said at the entry after which another stood that was struck out."""
    if all(correction.before is not None for correction in corrections):
        return []
    return [Message("An entry that stood after this one was struck out.")]


def read_former_row(before: GameState, game: PlayedGame, correction: Correction) -> GameRow | None:
    """The row of an entry as it was before it was corrected; `before` is the state that it stood on.

    None where what stood there is no entry by the rules of today.
    """
    try:
        former = game.family.read(dict(correction.before or {}), f"entries[{correction.entry - 1}]")
    except Unreadable:
        return None
    return game.family.apply(before, former).rows[-1]


def group_by_entry(
    notes: Iterable[EntryNoteT], find_entry: Callable[[EntryNoteT], int | None]
) -> dict[int | None, list[EntryNoteT]]:
    """Notes by the number of their entry."""
    groups: dict[int | None, list[EntryNoteT]] = {}
    for note in notes:
        groups.setdefault(find_entry(note), []).append(note)
    return groups
