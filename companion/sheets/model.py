"""The contents of sheets: strings and whole numbers, ready to be set; no game, no rule, no drawing."""

from dataclasses import dataclass
from itertools import pairwise

from companion.notation.running import RunningTotalsRow


@dataclass(frozen=True, slots=True)
class SheetSide:
    """Players who score together, with their tally."""

    name: str
    short: str
    totals: tuple[int, ...]
    """The running total after every entry, in order: the data of the tally."""
    course: tuple[int, ...]
    """The total after every deal, with the points agreed before the next one: the line of the chart."""
    named: bool = False
    """True for a side that the result names; its figures come first there."""
    heading: str = ""
    """The usual heading of its column, such as *we*; empty if the players' names stand there."""

    @property
    def total(self) -> int:
        """The total at the end."""
        return self.totals[-1] if self.totals else 0

    @property
    def amounts(self) -> tuple[int, ...]:
        """The amount that each entry added."""
        return tuple(after - before for before, after in pairwise((0, *self.totals)))


@dataclass(frozen=True, slots=True)
class SheetCell:
    """The figures of one side in one deal; an empty string if nothing is known or nothing counts."""

    parts: str = ""
    """Runs, words and cards of the count."""
    made: str = ""
    scored: str = ""
    total: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine:
    """One entry on a sheet: a deal or a hand, or a short line about an event."""

    number: str
    """The number of the deal or hand; empty if it has no number."""
    dealer: str
    trump: str
    text: str
    """A sentence on the event; empty if a count says it."""
    notes: tuple[int, ...]
    agreed: bool
    """True if a tick stands at it: all agreed, or the other of two sides."""
    agreed_by: str
    """Those who agreed, unless all did."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLine(EntryLine):
    """One entry in the deal table."""

    declarer: str
    mark: str
    """The game's name for a deal that the declarer did not make."""
    cells: tuple[SheetCell, ...]
    held: str

    @property
    def counted(self) -> bool:
        """True if the line has figures, more than a sentence."""
        return any(cell.made or cell.scored for cell in self.cells)

    @property
    def itemised(self) -> bool:
        """True if the parts of any count are known."""
        return any(cell.parts for cell in self.cells)


@dataclass(frozen=True, slots=True)
class SheetResult:
    """The standing or the end of a match."""

    headline: str
    figures: str
    details: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedPage:
    """The sheet of a match or of a session."""

    title: str
    game: str
    facts: tuple[str, ...]
    """Time and place, in this order, as far as they are known."""
    started: str
    """The first of them as a moment (ISO 8601), for the clock of a phone; empty if it is only a day."""
    house_rules: tuple[tuple[str, str], ...]
    """The conventions that differ from the preset, each with the choice."""
    left_out: int
    """Entries before those that are listed."""
    footnotes: tuple[str, ...]
    result: SheetResult
    remarked: bool
    """True if anybody agreed or objected: then there is room for ticks and footnotes."""
    doubts: tuple[str, ...]
    """The entries that are still doubted, each with the objectors and the reason."""
    players: tuple[str, ...]
    """The players in the order in which they sign: partners beside each other."""
    check: str
    address: str
    seed: str
    """The seed of the drawing: the same match, the same drawing."""
    writing: str
    """The way of scoring: a `tally`, `tally-negative` (with negative units), a `table` or `matchsticks`."""
    lines: tuple[EntryLine, ...]
    origin: str = ""
    """The source of a game of the table's host; empty for others."""
    respelled: tuple[str, ...] = ()
    """Names printed otherwise than written, as their letters cannot be printed."""

    @property
    def ticks(self) -> bool:
        """True if any tick is on the sheet: only then it is explained."""
        return any(line.agreed or line.agreed_by for line in self.lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPage(PlayedPage):
    """The sheet of one match."""

    sides: tuple[SheetSide, ...]
    running_totals: tuple[RunningTotalsRow, ...]
    legend: tuple[tuple[str, str], ...]
    """The marks among the running totals, with their meanings."""
    lines: tuple[SheetLine, ...]
    held: str
    """The game's word for points that are held."""
    rings: bool
    """True if held points stand in a ring."""
    hangs: bool
    """True if any points were held in this match: only then they have a column."""
    target: int | None

    @property
    def long_names(self) -> bool:
        """True if a name in the narrow columns needs all its room."""
        return any(len(name) > 8 for line in self.lines for name in (line.dealer, line.declarer))


@dataclass(frozen=True, slots=True, kw_only=True)
class BlankPage:
    """The empty sheet of a match or of a session, for a pencil."""

    title: str
    game: str
    house_rules: tuple[tuple[str, str], ...]
    sides: tuple[int, ...]
    """The number of players of each side: a line for each name."""
    headings: tuple[str, ...]
    """Headings of the sides until names stand there."""
    players: int
    writing: str
    """The way of scoring, as of a sheet that was played."""
    origin: str
    """The source of a game of the table's host; empty for others."""
    held: str = ""
    """The game's word for points that are held; empty if it has none."""
    order: tuple[str, ...] = ()
    """The order in which words of a hand are counted."""
    worth: str = ""
    """The game's rule on the worth of the words."""
    legend: tuple[tuple[str, str], ...] = ()
    """The marks that are written in the columns, each with its meaning."""
    epaulettes: bool = False
    """True if the table writes epaulettes beside the sticks."""


@dataclass(frozen=True, slots=True)
class SessionSide:
    """Players who lose together, with their matchsticks."""

    name: str
    short: str
    total: int
    """The number of their losses."""
    epaulettes: int = 0
    marks: tuple[int, ...] | None = None
    """The epaulettes beside each of the matchsticks that are drawn; None if the table writes none."""
    named: bool = False
    """True for a side that the result names; its figures come first there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLine(EntryLine):
    """One entry of a session."""

    course: str
    """The bouts, if the hand was followed, and the order of going out, if that is recorded."""
    marks: str
    """The epaulettes of the seat that lost it."""
    losses: tuple[str, ...]
    """The running losses of each side that lost here; empty for the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPage(PlayedPage):
    """The sheet of a session in which losses are counted."""

    sides: tuple[SessionSide, ...]
    draws: int
    lines: tuple[SessionLine, ...]

    @property
    def long_names(self) -> bool:
        """True if a name in the narrow columns needs all its room."""
        return any(len(line.dealer) > 8 for line in self.lines)

    @property
    def epaulettes(self) -> bool:
        """True if any are written: only then they are explained."""
        return any(side.epaulettes for side in self.sides)

    @property
    def trumps(self) -> bool:
        """True if trumps were recorded in any line: only then they have a column."""
        return any(line.trump for line in self.lines)


@dataclass(frozen=True, slots=True)
class CardConvention:
    """One convention on a table card: its subject, the choice of this table, and whether that is unusual."""

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
    """One of the game's own words on a table card, with its meaning."""

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
    """The source of a game of the table's host; empty for others."""
    house_rules: tuple[CardConvention, ...]
    chapters: tuple[tuple[str, tuple[CardRule, ...]], ...]
    words: tuple[CardWord, ...] = ()
    """Words at the foot of a printed card, if there is room for them."""

    @property
    def weight(self) -> int:
        """The amount of text, in characters; short parts count as if they filled their lines.

        The words of the game are not counted, for they may have to be left out of the card.
        """
        agreed = sum(len(rule.label) + len(rule.value) + 20 for rule in self.house_rules)
        rules = sum(len(str(rule.text)) + 30 for _chapter, rules in self.chapters for rule in rules)
        return agreed + rules + 90 * len(self.chapters)


@dataclass(frozen=True, slots=True)
class CardRow:
    """Cards in a row, such as `10H`, with the name of the row."""

    name: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExampleRow:
    """A row of the count of an example: what was counted, and the points of each side."""

    label: str
    cells: tuple[str, ...]
    is_sum: bool = False


@dataclass(frozen=True, slots=True)
class ExampleText:
    """An example for a rule, in words: how it begins, cards, calls, a count by `sides`, and the outcome.

    `shown` are cards with the name of the player whose they are, `said` calls with the speaker; `points` are
    those of each side that has some, where there is no count.
    """

    begins: str
    shown: tuple[CardRow, ...]
    said: tuple[tuple[str, str], ...]
    sides: tuple[str, ...]
    rows: tuple[ExampleRow, ...]
    sentence: str
    points: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class BookletRule:
    """One rule of a booklet, with cards and examples; `unusual` if the table's own choices shaped it.

    `source` is empty for one from the main source.
    """

    id: str
    text: str
    unusual: bool
    source: str
    orders: tuple[CardRow, ...]
    examples: tuple[ExampleText, ...]


@dataclass(frozen=True, slots=True)
class BookletPage:
    """A game's whole rulebook as one table plays it, a booklet of many pages."""

    title: str
    game: str
    table: str
    """The variety of the game; empty for the plain one."""
    also: tuple[str, ...]
    summary: str
    version: str
    origin: str
    """The source of a game of the table's host; empty for others."""
    house_rules: tuple[CardConvention, ...]
    chapters: tuple[tuple[str, tuple[BookletRule, ...]], ...]
    words: tuple[CardWord, ...]
    sources: tuple[str, ...]
    """The works that the rules follow, the main one first."""


@dataclass(frozen=True, slots=True)
class EveningMatch:
    """One match on the sheet of an evening."""

    number: str
    game: str
    facts: tuple[str, ...]
    players: str
    result: SheetResult
    check: str
    line: str
    """The whole in a line, to be sent around."""


@dataclass(frozen=True, slots=True)
class EveningColumn:
    """A column of the standings: games won, an amount of money; empty for players without any."""

    label: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EveningPage:
    """The sheet of an evening: its matches, the standings of the players, and the payments."""

    title: str
    name: str
    """The name given by hand; empty if its players name it."""
    facts: tuple[str, ...]
    """Time and place; empty if they differ from match to match."""
    note: str
    matches: tuple[EveningMatch, ...]
    columns: tuple[EveningColumn, ...]
    """The standings; the first of them, what each player won or lost, is written large."""
    leaders: tuple[str, ...]
    """Those who won most, unless all did."""
    streak: str
    """The longest streak in a sentence; empty if nobody won twice running."""
    forfeits: tuple[str, ...]
    settled: bool
    """True if anything was played for money."""
    carried: tuple[str, ...]
    """Payments still open from earlier evenings."""
    payments: tuple[str, ...]
    """Payments still open."""
    paid: tuple[str, ...]
    players: tuple[str, ...]
    check: str
    respelled: tuple[str, ...] = ()
    """Names printed otherwise than written, as on the sheet of a match."""


@dataclass(frozen=True, slots=True)
class FiguresSection:
    """Figures of one kind: the name of each, the number, and the share if it has one."""

    label: str
    rows: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class FiguresPage:
    """A player's figures; `facts` describe the matches."""

    title: str
    name: str
    facts: tuple[str, ...]
    sections: tuple[FiguresSection, ...]
    charts: tuple[tuple[str, str], ...] = ()
    """The subject and the drawing of each picture."""
    others: tuple[str, ...] = ()
    """The other players it names."""
    respelled: tuple[str, ...] = ()
    """Names printed otherwise than written, as on the sheet of a match."""

    @property
    def players(self) -> tuple[str, ...]:
        """All players it names."""
        return self.name, *self.others


@dataclass(frozen=True, slots=True)
class SeasonPage:
    """The standings of players after many evenings; `facts` describe the matches."""

    title: str
    facts: tuple[str, ...]
    players: tuple[str, ...]
    columns: tuple[EveningColumn, ...]
    respelled: tuple[str, ...] = ()
    """Names printed otherwise than written, as on the sheet of a match."""
