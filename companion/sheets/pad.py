"""The pad: running totals as they are pencilled, a line for every deal, with the marks for failures."""

from collections.abc import Mapping
from typing import Any

from .model import PadCell, PadRow
from .names import Translate

CYRILLIC = ("be", "bg", "kk", "mk", "ru", "sr", "uk")
"""Languages whose readers know the marks in their own letters."""


class Pad:
    """Writes the pad of one match in the words of its game."""

    def __init__(self, game: Any, state: Any, translate: Translate, language: str) -> None:
        self.words: Mapping[str, str] = game.book.words
        self.state, self.translate = state, translate
        self.latin = language.partition("_")[0] not in CYRILLIC
        self.one_deal = game.conventions.get("party", "target") != "target"
        self.used: dict[str, str] = {}

    def rows(self) -> tuple[PadRow, ...]:
        """A row for everything that was written down; what came to nothing has none."""
        found, number, before = [], 0, 0
        for row in self.state.rows:
            number += row.type == "deal"
            if row.made is not None or any((row.scored or {}).values()):
                hangs = len(row.held or ()) > before
                cells = tuple(self._cell(row, side, hangs) for side in self.state.ring.sides)
                found.append(PadRow(str(number) if row.type == "deal" else "", cells))
            before = len(row.held or ())
        return tuple(found)

    def legend(self) -> tuple[tuple[str, str], ...]:
        """The marks of the pad that are no words, with what they say."""
        return tuple(self.used.items())

    def _cell(self, row: Any, side: str, hangs: bool) -> PadCell:
        total, scored = str(row.totals[side]).replace("-", "−"), row.scored.get(side, 0)
        if not row.declarer or side != self.state.ring.side(row.declarer):
            return PadCell(total)
        if hangs:
            return self._hanging(row.held[-1])
        if row.result not in ("bait", "tie"):
            return PadCell(total)
        mark = self.mark("bait") if row.result == "bait" else ""
        if not mark:
            return PadCell(total, "" if self.one_deal else self.translate(self.words.get(row.result, "")))
        return PadCell(total if scored else "", mark)

    def _hanging(self, amount: int) -> PadCell:
        """Points that hang, in brackets, behind the game's mark for them if it has one."""
        return PadCell("", f"{self.mark('held')}({amount})")

    def mark(self, word: str) -> str:
        """The game's mark for a thing, in letters that are read here; empty where it has none."""
        key = f"{word}-mark-latin" if self.latin else f"{word}-mark"
        mark = self.words.get(key, self.words.get(f"{word}-mark", ""))
        if mark:
            self.used[mark] = self.translate(self.words.get(word, word))
        return mark


def marks(game: Any, translate: Translate, language: str) -> tuple[tuple[str, str], ...]:
    """Every mark that the game has, for an empty sheet."""
    pad = Pad(game, None, translate, language)
    for word in ("bait", "held"):
        pad.mark(word)
    return pad.legend()
