"""What every sheet of a match has: its game and house rules, a check code, footnotes, corrections."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation

from companion.record import record as records
from companion.rules.game import GameRow, PlayedGame
from companion.rules.message import Message
from companion.rules.rulebook import Convention, Value, json_word

from .names import Translate

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""For check codes: no letter that could be taken for another or for a digit."""


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
    for one, text in convention.values.items():
        if one == value and type(one) is type(value):
            return translate(text)
    return json_word(value)


class Footnotes:
    """The footnotes of a sheet, each said once, however many lines it stands at."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def add(self, text: str) -> int:
        """The number of a footnote."""
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text) + 1

    def add_rulings(self, rulings: Sequence[RulingNote], entry: int | None) -> list[int]:
        """The numbers of the rulings on the nth entry, or of those about none."""
        return [self.add(one.text) for one in rulings if one.entry == entry]


def describe_removal(after: int, corrections: Sequence[Correction]) -> list[Message]:
    """What is said at the entry after which another stood that was struck out."""
    if not any(one.entry == after and one.before is None for one in corrections):
        return []
    return [Message("An entry that stood after this one was struck out.")]


def read_former_row(
    record: records.Record, game: PlayedGame, n: int, correction: Correction
) -> GameRow | None:
    """The row of the nth entry as it was before it was corrected, or None."""
    entries = list(record.entries)
    entries[n - 1] = dict(correction.before or {})
    state = records.fold_record(replace(record, entries=tuple(entries)), game.family)
    return next((one for one in state.rows if one.n == n), None)
