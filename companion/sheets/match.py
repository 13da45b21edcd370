"""The sheet of one match, composed from its record and the state of the record."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import cast

from babel import Locale
from babel.numbers import format_decimal

from companion.jacknine.phases.bidding import GENERALE, show_bid
from companion.jacknine.ruleset import JackNineRuleset
from companion.jacknine.state import JackNineRow, JackNineState
from companion.notation.running import RunningTotalsCell, RunningTotalsRow
from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Suit
from companion.rules.game import CountLine, GameRow, PlayedGame
from companion.rules.message import Message, Translate
from companion.rules.seats import Side

from . import common
from .common import (
    DEAL_REASONS,
    POINTS_REASONS,
    Correction,
    Reasons,
    list_blank_fields,
    read_former_row,
    read_stake,
)
from .model import (
    BlankPage,
    MatchPage,
    SheetCell,
    SheetLine,
    SheetResult,
    SheetSide,
)
from .writer import Writer

COUNTING = ("four", "run5", "run4", "run3", "bela", "jass", "nine", "last", "cards")
"""The order in which a hand is counted, words first; a game may lack a word for some."""

_PLAIN = ("made", "offer", "thrown-in")
"""Results that need no mark: the figures, or a sentence, say it."""
_STRANGE = ("penalty", "void", "finished", "false-finish")
"""Results of a deal with counts that the counts alone do not explain."""


def rank_word(word: str) -> int:
    """The rank of a word in the order of counting; one that is not in it comes before all."""
    return COUNTING.index(word) if word in COUNTING else -1


class MatchWriter(Writer):
    """The writer of the sheet of a match that is scored in points."""

    state: JackNineState  # tallies and totals are of deals
    rows: Sequence[JackNineRow]

    @property
    def words(self) -> Mapping[str, str]:
        """The game's own words."""
        words: Mapping[str, str] = self.game.book.words
        return words

    def translate_word(self, key: str) -> str:
        """The game's word for a key; the key itself if the game has none."""
        return self.translate(self.words.get(key, key)) if key else ""

    def compose_page(self, address: str, writing: str) -> MatchPage:
        """Compose the page; points and totals are whole numbers, `writing` is any but ``matchsticks``."""
        numbers = self.number_counted()
        totals = RunningTotals(self.game, self.state, self.translate, self.language)
        ends = self._list_ends_of_deals()
        target = self.game.conventions.get("target") if self.state.ruleset.ends_at_target() else None
        return MatchPage(
            lines=tuple(self._compose_line(row, numbers[row.n]) for row in self.rows),
            sides=tuple(self._compose_side(side, ends) for side in self.state.ring.sides),
            writing=writing,
            running_totals=totals.compose_rows(self.rows, numbers),
            legend=totals.list_legend(),
            held=self.translate_word("held"),
            rings=self.game.book.rings,
            hangs=any(row.held for row in self.state.rows) or bool(self.state.held),
            target=target if type(target) is int else None,
            **self.list_common_fields(address),
        )

    # --- sides and their tallies -------------------------------------------------------------

    def _list_ends_of_deals(self) -> list[JackNineRow]:
        """List each deal, or the last of the entries between it and the next one."""
        rows = list(self.state.rows)
        deals = [n for n, row in enumerate(rows) if row.type == "deal"]
        return [rows[n - 1] for n in (*deals[1:], len(rows))] if deals else []

    def _compose_side(self, side: str, ends: Sequence[JackNineRow]) -> SheetSide:
        totals = tuple([row.totals[side] for row in self.state.rows])
        course, named = tuple(row.totals[side] for row in ends), side == self.state.winner
        headings = dict(
            zip(self.state.ring.sides, common.list_headings(self.game, self.translate), strict=False)
        )
        heading = headings.get(side, "")
        short = heading or self.shorten_side(side)
        return SheetSide(self.side_names[side], short, totals, course, named, heading)

    # --- the deal table ----------------------------------------------------------------------

    def _compose_line(self, row: JackNineRow, number: int) -> SheetLine:
        counted = row.made is not None or any((row.scored or {}).values())
        return SheetLine(
            declarer=self.short_names.get(row.declarer or "", ""),
            trump=name_bid(row, self.words, self.translate) or self._name_trump(row.trump),
            mark=self._describe_outcome(row),
            text="" if row.made is not None else self.say(row.why),
            cells=tuple(self._compose_cell(row, side, counted) for side in self.state.ring.sides),
            held=" + ".join(map(str, row.held or ())),
            **self.list_line_fields(row, number),
        )

    def _compose_cell(self, row: JackNineRow, side: str, counted: bool) -> SheetCell:
        scored = row.scored.get(side, 0)
        return SheetCell(
            parts=self._join_parts(line for line in row.lines if line.side == side),
            made="" if row.made is None else _format_figure(row.made.get(side)),
            scored=format_gain(scored) if scored or row.made is not None else "",
            total=_format_figure(row.totals.get(side)) if counted else "",
        )

    def _join_parts(self, lines: Iterable[CountLine]) -> str:
        """Join the parts of a count in the order of counting, runs with their highest card."""
        ordered = sorted(lines, key=lambda line: rank_word(line.word))
        return "\u00a0· ".join(_tie_words(self._describe_part(line)) for line in ordered)

    def _describe_part(self, line: CountLine) -> str:
        word, points = self.translate_word(line.word), str(line.points)
        # A word that is its own number needs not be said twice.
        card = self.say(line.detail) if line.detail is not None else ""
        return " ".join(filter(None, (word, card, points if points != word else "")))

    def _name_trump(self, trump: str | None) -> str:
        return name_trump(trump, self.words, self.translate) if trump else ""

    def _describe_outcome(self, row: JackNineRow) -> str:
        """Describe in the game's short name that the declarer did not make a deal."""
        if row.made is None or row.result in _PLAIN or row.outcome is None:
            return ""
        return self.say(row.outcome, self.short_names)

    def place_entry(self, row: GameRow, counted: int) -> Message:
        if _is_deal(row):
            return Message("deal {number}", number=counted)
        if not counted:
            return Message("what stands before the first deal")
        return Message("what stands after deal {number}", number=counted)

    def list_reasons(self, row: GameRow) -> Reasons:
        return DEAL_REASONS if _is_deal(row) else POINTS_REASONS

    def explain_result(self, row: GameRow) -> Sequence[Message]:
        return (row.why,) if cast(JackNineRow, row).made is not None and row.result in _STRANGE else ()

    def describe_correction(self, row: GameRow, correction: Correction) -> Message:
        """Describe the correction of an entry, with the original counts if they differ."""
        former = read_former_row(self.states[row.n - 1], self.game, correction)
        old = None if former is None else cast(JackNineRow, former).made
        if old is None or old == cast(JackNineRow, row).made:
            return super().describe_correction(row, correction)
        made = " : ".join(_format_figure(old.get(side)) for side in self.state.ring.sides)
        return Message("Corrected afterwards; originally {made}.", made=made)

    # --- how it stands -----------------------------------------------------------------------

    def compose_result(self) -> SheetResult:
        state, _ = self.state, self.translate
        figures = " : ".join(_format_figure(state.totals[side]) for side in self._winner_first)
        if state.status == "playing":
            details = []
            if state.rows:
                dealer = self.full_names.get(state.next_dealer or "", "")
                details = [self.say(Message("{name} deals next.", name=dealer))] if dealer else []
            if state.held:
                held = " + ".join(map(str, state.held))
                details.append(f"{_capitalize(self.translate_word('held'))}: {held}.")
            if state.stake > 1:
                details.append(self.say(Message("Stake: {stake}.", stake=state.stake)))
            return SheetResult(_("Still being played"), figures, tuple(details))
        if state.winner is None:
            return SheetResult(_("Abandoned"), figures, ())
        together = state.ring.partnerships
        headline = (
            Message("{names} win", names=self.side_names[state.winner])
            if together
            else Message("{name} wins", name=self.side_names[state.winner])
        )
        return SheetResult(self.say(headline), figures, tuple(self._describe_ending()))

    @property
    def _winner_first(self) -> list[Side]:
        """List the sides in the order of the result, which names the winner."""
        return sorted(self.state.ring.sides, key=lambda side: side != self.state.winner)

    def _describe_ending(self) -> list[str]:
        state, _ = self.state, self.translate
        how = {
            "target": _("The target was reached."),
            "both-over": _("Both reached the target in the last deal.")
            if len(state.ring.sides) == 2
            else _("More than one reached the target in the last deal."),
            "finish": _("The end was called correctly."),
            "false-finish": _("The end was called too early."),
            "concession": _("The other side conceded."),
            "dive": _("Doubling was refused."),
            "one-deal": _("One deal was to be played."),
            "deals": _("The agreed number of deals was played."),
            "belot": _("All cards of a suit were in one hand."),
            "penalty": _("A penalty decided it."),
        }.get(state.ended_by or "", "")
        sentences = [how] if how else []
        sets = dict(state.sets or {})
        counts = " : ".join(str(sets.get(side, 0)) for side in self._winner_first)
        if self.state.ruleset.counts_sets:
            sentences.append(self.say(Message("Sets: {counts}.", counts=counts)))
        elif any(count > 1 for count in sets.values()):
            sentences.append(self.say(Message("Games: {counts}.", counts=counts)))
        return sentences + self._describe_stakes()

    def _describe_stakes(self) -> list[str]:
        stake, units = read_stake(self.record), dict(self.state.stakes or {})
        where = common.find_locale(self.language)
        if stake is not None:
            sums = {side: format_money(stake[0] * n, stake[1], where) for side, n in units.items()}
        else:
            unit = self.translate_word("kush") if "kush" in self.words else ""
            sums = {side: f"{format_gain(n)}\u00a0{unit}".strip() for side, n in units.items()}
            if set(map(abs, units.values())) <= {0, 1}:
                return []
        text = ", ".join(f"{self.side_names[side]} {amount}" for side, amount in sums.items() if units[side])
        return [self.say(Message("Stakes: {sums}.", sums=text))] if text else []


def _is_deal(row: GameRow) -> bool:
    """True if an entry is a deal, not an event between two deals."""
    return bool(row.type == "deal")


def _format_figure(number: int | None) -> str:
    """Format a number of points with a true minus sign; empty if it is not known."""
    return "" if number is None else str(number).replace("-", "−")


def format_gain(number: int | None) -> str:
    """Format a number of points with its sign; empty if it is not known."""
    return "" if number is None else f"+{number}" if number > 0 else _format_figure(number)


def _tie_words(part: str) -> str:
    """Tie a word to its points, so that no line break separates them."""
    return part.replace(" ", "\u00a0")


def _capitalize(text: str) -> str:
    return text[:1].upper() + text[1:]


def format_money(amount: Decimal, currency: str, where: Locale, *, signed: bool = True) -> str:
    """Format an amount of money to two decimals, as in that locale; with its sign, unless it is 0."""
    text = format_decimal(abs(amount), "#,##0.00", locale=where)
    sign = ("+" if amount > 0 else "−") if signed and amount else ""
    return f"{sign}{text}\u00a0{currency}".strip()


def compose_blank(game: PlayedGame, translate: Translate, language: str, writing: str) -> BlankPage:
    """Compose the empty sheet for a game's number of players, with these conventions."""
    words = game.book.words
    try:
        worth = translate(game.book.cite("words.values")[0].text)
    except KeyError:
        worth = ""
    return BlankPage(
        held=translate(words["held"]) if game.family.ruleset.holds_points() else "",
        order=tuple(translate(words[key]) for key in _list_counted_words(game)),
        worth=worth,
        legend=list_marks(game, translate, language),
        **list_blank_fields(game, translate, writing),
    )


def _list_counted_words(game: PlayedGame) -> list[str]:
    """List the words that this game, with its conventions, counts, in their order."""
    words, ruleset = game.book.words, cast(JackNineRuleset, game.family.ruleset)
    runs = [f"run{length}" for length in ruleset.run_points]
    melds = [*runs, "four"] if ruleset.fours else runs
    words_of_game = (key for key in (*melds, "bela", "jass", "nine", "last", "cards") if key in words)
    return sorted(words_of_game, key=rank_word)


CYRILLIC = ("be", "bg", "kk", "mk", "ru", "sr", "uk")
"""Languages whose readers know the marks in their own letters."""


class Marks:
    """The marks that a game has for failures, and those of them that were used."""

    def __init__(self, game: PlayedGame, translate: Translate, language: str) -> None:
        self.words, self.translate, self.rings = game.book.words, translate, game.book.rings
        self.latin = language.partition("_")[0] not in CYRILLIC
        self.used: dict[str, str] = {}

    def use_mark(self, word: str) -> str:
        """Return the game's mark, in letters of the language; empty if it has none."""
        key = f"{word}-mark-latin" if self.latin else f"{word}-mark"
        mark = self.words.get(key, self.words.get(f"{word}-mark", ""))
        if mark:
            self.used[mark] = self.translate(self.words.get(word, word))
        return mark

    def compose_hanging(self, amount: int) -> RunningTotalsCell:
        """Compose a cell for held points, in a ring or brackets, behind the game's mark for them if any."""
        if self.rings:
            return RunningTotalsCell("", ring=str(amount))
        return RunningTotalsCell("", f"{self.use_mark('held')}({amount})")

    def list_legend(self) -> tuple[tuple[str, str], ...]:
        """List the marks that are not words, with their meanings."""
        return tuple(self.used.items())


class RunningTotals(Marks):
    """The writer of the running totals of one match, in the words of its game."""

    def __init__(self, game: PlayedGame, state: JackNineState, translate: Translate, language: str) -> None:
        super().__init__(game, translate, language)
        self.state = state
        self.one_deal = not state.ruleset.plays_to_target()
        aims = game.book.half and state.ruleset.ends_at_target()
        self.target: int | None = state.ruleset["target"] if aims else None

    def compose_rows(
        self, played: Sequence[JackNineRow], numbers: Mapping[int, int]
    ) -> tuple[RunningTotalsRow, ...]:
        """Compose a row for every entry with figures; entries that came to nothing have none.

        `numbers` are those of deals, by the entries up to which they were counted.
        """
        return tuple(
            self.compose_row(row, str(numbers[row.n]) if row.type == "deal" else "")
            for row in filter(has_figures, played)
        )

    def compose_row(self, row: JackNineRow, number: str = "") -> RunningTotalsRow:
        """Compose the row of an entry with figures, with the number of its deal."""
        last = self.state.rows[row.n - 2] if row.n > 1 else None
        hangs = len(row.held or ()) > len((last.held if last else None) or ())
        cells = tuple(
            replace(self._compose_cell(row, side, hangs), half=self._is_half(last, row, side))
            for side in self.state.ring.sides
        )
        return RunningTotalsRow(number, cells, name_bid(row, self.words, self.translate))

    def _is_half(self, last: JackNineRow | None, row: JackNineRow, side: str) -> bool:
        """True if this entry takes a side past half of the target, in games that mark this."""
        before = last.totals[side] if last else 0
        return self.target is not None and 2 * before < self.target <= 2 * row.totals[side]

    def _compose_cell(self, row: JackNineRow, side: str, hangs: bool) -> RunningTotalsCell:
        total, scored = str(row.totals[side]).replace("-", "−"), row.scored.get(side, 0)
        if row.capot == side:
            return RunningTotalsCell(total, self.translate(self.words["capot"]))
        if not row.declarer or side != self.state.ring.side(row.declarer):
            return RunningTotalsCell(total)
        if hangs:
            return self.compose_hanging(row.held[-1])
        if row.result not in ("bait", "tie"):
            return RunningTotalsCell(total)
        mark = self.use_mark("bait") if row.result == "bait" else ""
        if not mark:
            return RunningTotalsCell(
                total, "" if self.one_deal else self.translate(self.words.get(row.result, ""))
            )
        return RunningTotalsCell(total if scored else "", mark)


def has_figures(row: JackNineRow) -> bool:
    """True if an entry has a line among the running totals."""
    return row.made is not None or any((row.scored or {}).values())


def name_bid(row: JackNineRow, words: Mapping[str, str], translate: Translate) -> str:
    """Name a bid as it is written, `90 ♥ ×2`, `G SA`; empty if no points are bid."""
    if row.points is None or row.trump is None:
        return ""
    points = "G" if row.points == GENERALE else show_bid(words, row.points).render(translate)
    times = [f"×{row.double}"] if row.double != 1 else []
    trump = translate(row.trump) if row.trump in (NO_TRUMPS, ALL_TRUMPS) else Suit(row.trump).sign
    return "\u00a0".join([points, trump, *times])


def name_trump(trump: str, words: Mapping[str, str], translate: Translate) -> str:
    """Name trumps as they are written: the sign of a suit, or the word for no-trumps or all trumps."""
    name = {NO_TRUMPS: "no-trumps", ALL_TRUMPS: "all-trumps"}.get(trump)
    if name is None:
        return Suit(trump).sign
    return _tie_words(translate(words[name])) if name in words else trump


def list_marks(game: PlayedGame, translate: Translate, language: str) -> tuple[tuple[str, str], ...]:
    """List every mark that the game has, for an empty sheet."""
    marks = Marks(game, translate, language)
    marks.use_mark("bait")
    if game.family.ruleset.holds_points():
        marks.use_mark("held")
    return marks.list_legend()
