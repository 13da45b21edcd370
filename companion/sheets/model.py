"""What stands on a sheet: strings and whole numbers, ready to be set; no game, no rule, no drawing."""

from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class SheetSide:
    """Who scores together, at the head of their columns, with their tally."""

    name: str
    short: str
    totals: tuple[int, ...]
    """The running total after every entry, in order: what the tally is drawn from."""
    course: tuple[int, ...]
    """The total after every deal, with what was agreed before the next one: the line of the chart."""
    named: bool = False
    """Whether the result names it; then its figures come first there."""
    heading: str = ""
    """What its column is called at such tables, whoever plays; empty where it has the players' names."""

    @property
    def total(self) -> int:
        """What stands in the end."""
        return self.totals[-1] if self.totals else 0

    @property
    def amounts(self) -> tuple[int, ...]:
        """What each entry added."""
        return tuple(after - before for before, after in pairwise((0, *self.totals)))


@dataclass(frozen=True, slots=True)
class SheetCell:
    """What one side has in one deal; an empty string where nothing is known or nothing counts."""

    parts: str = ""
    """Runs, words and cards that the count is made of."""
    made: str = ""
    scored: str = ""
    total: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine:
    """One entry on a sheet: a deal or a hand, or a short line that says what happened."""

    number: str
    """The number of the deal or hand; empty for what is none."""
    dealer: str
    trump: str
    text: str
    """What happened; empty where a count says it."""
    notes: tuple[int, ...]
    agreed: bool
    """Whether a tick stands at it: all agreed, or the other of two sides."""
    agreed_by: str
    """Who agreed, where not all did that might."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLine(EntryLine):
    """One entry in the deal table."""

    declarer: str
    mark: str
    """What the deal is called when it did not go the declarer's way."""
    cells: tuple[SheetCell, ...]
    held: str

    @property
    def counted(self) -> bool:
        """Whether the line has figures of its own, more than a sentence."""
        return any(cell.made or cell.scored for cell in self.cells)

    @property
    def itemised(self) -> bool:
        """Whether it is known what the counts are made of."""
        return any(cell.parts for cell in self.cells)


@dataclass(frozen=True, slots=True)
class RunningTotalsCell:
    """What is pencilled for one side after a deal: the running total, a mark beside it or in its place."""

    total: str
    mark: str = ""
    ring: str = ""
    """Points that hang, where they stand in a ring."""
    half: bool = False
    """Whether the side has come to half of the target, where a stroke is drawn then."""


@dataclass(frozen=True, slots=True)
class RunningTotalsRow:
    """One line of the running totals."""

    number: str
    """The deal's number; empty for what is no deal."""
    cells: tuple[RunningTotalsCell, ...]
    bid: str = ""
    """What was bid, before the line."""


@dataclass(frozen=True, slots=True)
class SheetResult:
    """How the match stands or how it ended."""

    headline: str
    figures: str
    details: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedPage:
    """What the sheets of a match and of a session have in common."""

    title: str
    game: str
    facts: tuple[str, ...]
    """When and where it was played, in this order, as far as it is known."""
    started: str
    """The moment that the first of them says (ISO 8601), for the clock of a phone; empty where it is none."""
    house_rules: tuple[tuple[str, str], ...]
    """Every convention that differs from the preset, with what was agreed."""
    left_out: int
    """Entries before those that are listed."""
    footnotes: tuple[str, ...]
    result: SheetResult
    remarked: bool
    """Whether anybody agreed to anything or doubted it: then there is room for ticks and footnotes."""
    doubts: tuple[str, ...]
    """The entries that are still doubted, each with by whom and why."""
    players: tuple[str, ...]
    check: str
    address: str
    seed: str
    """The seed of the drawing: the same match, the same drawing."""
    writing: str
    """How the score is pencilled: as a `tally`, a `table` of running totals, or in `matchsticks`."""
    lines: tuple[EntryLine, ...]
    origin: str = ""
    """Whose game it is, where it is one of the table's host."""
    respelled: tuple[str, ...] = ()
    """Names that stand here otherwise than they are written, as their letters cannot be printed."""

    @property
    def ticks(self) -> bool:
        """Whether anybody agreed to anything: only then it is said what a tick means."""
        return any(line.agreed or line.agreed_by for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPage(PlayedPage):
    """The sheet of one match."""

    sides: tuple[SheetSide, ...]
    running_totals: tuple[RunningTotalsRow, ...]
    legend: tuple[tuple[str, str], ...]
    """The marks among the running totals, with what they say."""
    lines: tuple[SheetLine, ...]
    held: str
    """The game's word for points that hang."""
    rings: bool
    """Whether points that hang stand in a ring."""
    hangs: bool
    """Whether any points ever hung in this match: only then they have a column."""
    target: int | None

    @property
    def long_names(self) -> bool:
        """Whether a name in the narrow columns needs all the room there is."""
        return any(len(name) > 8 for line in self.lines for name in (line.dealer, line.declarer))

    @property
    def wide_held(self) -> bool:
        """Whether the game's word for points that hang needs a wider column."""
        return max(map(len, self.held.split()), default=0) > 5


@dataclass(frozen=True, slots=True, kw_only=True)
class BlankSheet:
    """What the empty sheets of a match and of a session have in common."""

    title: str
    game: str
    house_rules: tuple[tuple[str, str], ...]
    sides: tuple[int, ...]
    """How many players each side has: a line for each name."""
    headings: tuple[str, ...]
    """What the sides are called until names stand there."""
    players: int
    writing: str
    """Whether there is room for tallies or matchsticks, or more lines for running totals."""
    origin: str
    """Whose game it is, where it is one of the table's host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlankPage(BlankSheet):
    """The sheet of a match, empty, for a pencil."""

    held: str
    """The game's word for points that hang; empty where it has none."""
    order: tuple[str, ...]
    """What is counted in which order, in the game's own words."""
    worth: str
    """What the words are worth, as the game's rule says it."""
    legend: tuple[tuple[str, str], ...]
    """The marks that are written in the columns, with what they say."""

    @property
    def wide_held(self) -> bool:
        """Whether the game's word for points that hang needs a wider column."""
        return max(map(len, self.held.split()), default=0) > 5


@dataclass(frozen=True, slots=True)
class SessionSide:
    """Who loses together, at the head of their column, with their matchsticks."""

    name: str
    short: str
    losses: int
    epaulettes: int = 0
    marks: tuple[int, ...] | None = None
    """The epaulettes beside each of the matchsticks that are drawn; None where the table writes none."""
    named: bool = False
    """Whether the result names it; then its figures come first there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLine(EntryLine):
    """One entry of a session."""

    course: str
    """The bouts, where the hand was followed, and who went out in which order, where that is recorded."""
    marks: str
    """The epaulettes of whoever lost it."""
    losses: tuple[str, ...]
    """The running losses of whoever lost here; empty for the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPage(PlayedPage):
    """The sheet of a session in which losses are counted."""

    sides: tuple[SessionSide, ...]
    draws: int
    lines: tuple[SessionLine, ...]

    @property
    def long_names(self) -> bool:
        """Whether a name in the narrow columns needs all the room there is."""
        return any(len(line.dealer) > 8 for line in self.lines)

    @property
    def epaulettes(self) -> bool:
        """Whether any are written: only then it is said what they are."""
        return any(side.epaulettes for side in self.sides)

    @property
    def trumps(self) -> bool:
        """Whether anybody wrote down what was trumps: only then they have a column."""
        return any(line.trump for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class BlankSession(BlankSheet):
    """The sheet of a session, empty, for a pencil."""

    epaulettes: bool
    """Whether the table writes epaulettes beside the sticks."""


@dataclass(frozen=True, slots=True)
class CardConvention:
    """One convention on a table card: what it is about, how this table has it, whether that is unusual."""

    label: str
    value: str
    unusual: bool


@dataclass(frozen=True, slots=True)
class CardRule:
    """One rule on a table card."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class CardWord:
    """One of the game's own words on a table card, and what it means."""

    word: str
    meaning: str


@dataclass(frozen=True, slots=True)
class CardPage:
    """A game's rules as one table plays them, on one page."""

    title: str
    game: str
    summary: str
    version: str
    origin: str
    """Whose game it is, where it is one of the table's host."""
    house_rules: tuple[CardConvention, ...]
    chapters: tuple[tuple[str, tuple[CardRule, ...]], ...]
    words: tuple[CardWord, ...] = ()
    """At the foot of a printed card, where there is room for them."""

    @property
    def weight(self) -> int:
        """How much there is to print, in characters; what stands on a line of its own counts as one.

        The words of the game are left out, for they may have to be left out of the card.
        """
        agreed = sum(len(rule.label) + len(rule.value) + 20 for rule in self.house_rules)
        rules = sum(len(rule.text) + 30 for _chapter, rules in self.chapters for rule in rules)
        return agreed + rules + 90 * len(self.chapters)


@dataclass(frozen=True, slots=True)
class EveningMatch:
    """One match on the sheet of an evening."""

    number: str
    game: str
    facts: tuple[str, ...]
    players: str
    result: SheetResult
    check: str


@dataclass(frozen=True, slots=True)
class EveningColumn:
    """What every player has of one thing: games won, an amount of money; empty where it was not in play."""

    label: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EveningPage:
    """The sheet of an evening: its matches, how it stands between the players, who pays whom."""

    title: str
    name: str
    """As it was called by hand; empty where it goes by its players."""
    facts: tuple[str, ...]
    """When and where all of it was played; empty where that differs from match to match."""
    note: str
    matches: tuple[EveningMatch, ...]
    columns: tuple[EveningColumn, ...]
    forfeits: tuple[str, ...]
    settled: bool
    """Whether anything was played for money."""
    carried: tuple[str, ...]
    """What was still open of earlier evenings."""
    payments: tuple[str, ...]
    """What is still open."""
    paid: tuple[str, ...]
    players: tuple[str, ...]
    check: str
    respelled: tuple[str, ...] = ()
    """As on the sheet of a match."""


@dataclass(frozen=True, slots=True)
class FiguresSection:
    """Figures of one kind: how each is called, the number, and the share where it has one."""

    label: str
    rows: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class FiguresPage:
    """What matches come to for a player; `facts` say which matches these are."""

    title: str
    name: str
    facts: tuple[str, ...]
    sections: tuple[FiguresSection, ...]
    charts: tuple[tuple[str, str], ...] = ()
    """What each picture shows, and the drawing."""
    others: tuple[str, ...] = ()
    """The other players whom it names."""
    respelled: tuple[str, ...] = ()
    """As on the sheet of a match."""

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody whom it names."""
        return self.name, *self.others


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """How it stands between players after many evenings; `facts` say which matches these are."""

    title: str
    facts: tuple[str, ...]
    players: tuple[str, ...]
    columns: tuple[EveningColumn, ...]
    respelled: tuple[str, ...] = ()
    """As on the sheet of a match."""
