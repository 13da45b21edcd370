"""Running totals as they are pencilled, a line for every deal, with the marks for failures."""

from collections.abc import Mapping, Sequence

from companion.jacknine.state import JackNineRow, JackNineState
from companion.rules.game import PlayedGame
from companion.rules.message import Translate

from .model import RunningTotalsCell, RunningTotalsRow

CYRILLIC = ("be", "bg", "kk", "mk", "ru", "sr", "uk")
"""Languages whose readers know the marks in their own letters."""


class Marks:
    """The marks that a game has for failures, and which of them were used."""

    def __init__(self, game: PlayedGame, translate: Translate, language: str) -> None:
        self.words, self.translate = game.book.words, translate
        self.latin = language.partition("_")[0] not in CYRILLIC
        self.used: dict[str, str] = {}

    def use_mark(self, word: str) -> str:
        """The game's mark for a thing, in letters that are read here; empty where it has none."""
        key = f"{word}-mark-latin" if self.latin else f"{word}-mark"
        mark = self.words.get(key, self.words.get(f"{word}-mark", ""))
        if mark:
            self.used[mark] = self.translate(self.words.get(word, word))
        return mark

    def list_legend(self) -> tuple[tuple[str, str], ...]:
        """The marks that are no words, with what they say."""
        return tuple(self.used.items())


class RunningTotals(Marks):
    """Writes the running totals of one match in the words of its game."""

    def __init__(self, game: PlayedGame, state: JackNineState, translate: Translate, language: str) -> None:
        super().__init__(game, translate, language)
        self.state = state
        self.one_deal = not state.ruleset.plays_to_target()

    def compose_rows(
        self, played: Sequence[JackNineRow], numbers: Mapping[int, int]
    ) -> tuple[RunningTotalsRow, ...]:
        """A row for everything that was written down; what came to nothing has none.

        `numbers` are those of deals, by the entries up to which they were counted.
        """
        rows = []
        for row in played:
            if row.made is not None or any((row.scored or {}).values()):
                before = self.state.rows[row.n - 2].held if row.n > 1 else ()
                hangs = len(row.held or ()) > len(before or ())
                cells = tuple(self._compose_cell(row, side, hangs) for side in self.state.ring.sides)
                rows.append(RunningTotalsRow(str(numbers[row.n]) if row.type == "deal" else "", cells))
        return tuple(rows)

    def _compose_cell(self, row: JackNineRow, side: str, hangs: bool) -> RunningTotalsCell:
        total, scored = str(row.totals[side]).replace("-", "−"), row.scored.get(side, 0)
        if not row.declarer or side != self.state.ring.side(row.declarer):
            return RunningTotalsCell(total)
        if hangs:
            return self._compose_hanging(row.held[-1])
        if row.result not in ("bait", "tie"):
            return RunningTotalsCell(total)
        mark = self.use_mark("bait") if row.result == "bait" else ""
        if not mark:
            return RunningTotalsCell(
                total, "" if self.one_deal else self.translate(self.words.get(row.result, ""))
            )
        return RunningTotalsCell(total if scored else "", mark)

    def _compose_hanging(self, amount: int) -> RunningTotalsCell:
        """Points that hang, in brackets, behind the game's mark for them if it has one."""
        return RunningTotalsCell("", f"{self.use_mark('held')}({amount})")


def list_marks(game: PlayedGame, translate: Translate, language: str) -> tuple[tuple[str, str], ...]:
    """Every mark that the game has, for an empty sheet."""
    marks = Marks(game, translate, language)
    for word in ("bait", "held"):
        marks.use_mark(word)
    return marks.list_legend()
