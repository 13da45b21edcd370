"""Sheets of every game: running totals, their marks, tallies on request, blank sheets."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from dealing import open_jacknine
from printing import compose_page, print_sheet
from tiers import mostly_at_night

from companion import library, sheets
from companion.i18n import translator
from companion.record import record as records
from companion.sheets import html, match
from companion.sheets.match import RunningTotals
from companion.sheets.model import BlankPage, MatchPage
from tests.unit.sheets.reading import read_pages

pytestmark = pytest.mark.slow  # whole documents are laid out, or every role asks

Played = Callable[..., Any]
POINTS = [game for game in library.names() if library.read_rulebook(game).writing != "matchsticks"]
"""The games that are scored in points."""
NAMES = ["Ala", "Ola", "Iza", "Ewa"]


def deal(declarer: str, trump: str, **more: Any) -> dict[str, Any]:
    return {"type": "deal", "contract": {"declarer": declarer, "trump": trump}, **more}


def made(game: str, played: Played, entries: list[dict[str, Any]], **more: Any) -> MatchPage:
    options = {key: more.pop(key) for key in ("language", "writing") if key in more}
    size = library.open_game(game).family.ruleset.ring.size
    record, opened = played(entries, game=game, **({"players": NAMES[:size]} | more))
    assert not records.fold_record(record, opened.family).problems
    page = compose_page("match", opened, record, **options)
    assert isinstance(page, MatchPage)
    return page


def pencilled(page: MatchPage) -> list[tuple[str, ...]]:
    """The running totals as they are read: number, then marks and totals by side."""
    return [
        (row.number, *(f"{cell.mark} {cell.total}".strip() for cell in row.cells))
        for row in page.running_totals
    ]


HANGING = [
    deal("B", "H", totals={"A": 65, "B": 82}),
    deal("B", "S", totals={"A": 90, "B": 60}),
    deal("A", "C", totals={"A": 70, "B": 70}),
    {"type": "deal", "thrown_in": True},
    deal("B", "D", totals={"A": 66, "B": 66}),
    deal("A", "C", totals={"A": 100, "B": 50}),
]


MARKS = (("BT", "bait"), ("vs", "hanging points"))
RUNNING = [
    ("1", "65", "82"),
    ("2", "215", "BT"),
    ("3", "vs(70)", "152"),
    ("5", "281", "vs(66)"),
    ("6", "517", "202"),
]


@pytest.mark.parametrize(
    ("game", "entries", "more", "legend", "rows"),
    [
        ("deberts", HANGING, {}, MARKS, RUNNING),
        (
            "deberts",
            HANGING[:2],
            {"conventions": {"bait_penalty_every": 1}},
            MARKS[:1],
            [RUNNING[0], ("2", "215", "BT −18")],
        ),
        ("deberts", [HANGING[2]], {"preset": "one-blow"}, (), [("1", "0", "70")]),
        ("klaberjass", HANGING[:3], {}, (), [RUNNING[0], ("2", "215", "bate 82"), ("3", "tie 215", "152")]),
        (
            "klaberjass-4",
            [deal("B", "H", totals={"A": 81, "B": 81})] * 2,
            {"conventions": {"tie": "carry"}},
            (),
            [("1", "0", "(162)"), ("2", "0", "(162)")],
        ),
    ],
    ids=["hanging", "a bait that costs points", "equal in one deal", "words beside totals", "carried ties"],
)
def test_running_totals(
    played: Played, game: str, entries: list[Any], more: dict[str, Any], legend: Any, rows: list[Any]
) -> None:
    """In Deberts bait is BT, hanging points vs; elsewhere a word, or brackets; a throw-in has no line."""
    page = made(game, played, entries, **more)
    assert (pencilled(page), page.legend) == (rows, legend)
    assert page.hangs == any(line.held for line in page.lines)
    if len(entries) == 1:
        assert page.lines[0].mark == "equal"


def test_the_winner_comes_first_and_is_underlined(played: Played) -> None:
    """The result names the winner, so its points and sets come first; the names keep their places."""
    opening = {"type": "opening", "totals": {"A": 200, "B": 460}}
    won = made("deberts", played, [opening, deal("B", "S", totals={"A": 60, "B": 90})], preset="sets")
    assert (won.result.headline, won.result.figures) == ("Ola wins", "550 : 260")
    assert "Sets: 1 : 0." in won.result.details
    assert [side.name for side in won.sides if side.named] == ["Ola"]
    assert '<span class="s-winner">550<svg' in html.write_sheet(won, "en")
    playing = made("deberts", played, [opening])
    assert playing.result.figures == "200 : 460"
    assert "s-winner" not in html.write_sheet(playing, "en")


def test_cyrillic_readers_have_their_own_letters(played: Played) -> None:
    record, game = played(HANGING, game="deberts")
    state, english = records.fold_record(record, game.family), translator("en")
    for language, bait, held in (("ru", "БТ", "вс(70)"), ("uk", "БТ", "вс(70)"), ("pl", "BT", "vs(70)")):
        rows = RunningTotals(game, state, english, language).compose_rows(
            state.rows, {n: n for n in range(1, 9)}
        )
        assert (rows[1].cells[1].mark, rows[2].cells[0].mark) == (bait, held)


def test_three_columns(played: Played) -> None:
    deals = [deal("C", "S", totals={"A": 60, "B": 70, "C": 32})]
    page = made("klaberjass-3", played, deals)
    assert pencilled(page) == [("1", "60", "102", "bate 0")]
    assert (len(page.lines[0].cells), page.result.figures) == (3, "60 : 102 : 0")
    assert html.write_sheet(page, "en").count('<th scope="row"') == 1 + 1  # the deal, and its running total
    tallied = html.write_sheet(made("klaberjass-3", played, deals, writing="tally"), "en")
    assert tallied.count("s-tally-drawing") == tallied.count('class="s-signature"') == 3


def test_partners_have_one_column(played: Played) -> None:
    """Fours, runs and words of both partners stand together, fours first; each of the four signs."""
    count = {"cards": {"A": 70}, "jass": "A", "nine": "B", "last": "B"}
    melds = {"fours": [{"seat": "A", "rank": "K"}], "runs": [{"seat": "C", "length": 3, "top": "A"}]}
    page = made("darda", played, [deal("B", "H", count=count, **melds)])
    assert [side.name for side in page.sides] == ["Ala & Iza", "Ola & Ewa"]
    parts = [cell.parts.replace("\u00a0", " ") for cell in page.lines[0].cells]
    assert html.write_sheet(page, "en").count('class="s-signature"') == 4
    assert parts[0] == "four of a kind K 100 · darda A 20 · jasek 20 · card points 70"


def test_no_trumps_are_named(played: Played) -> None:
    page = made("klaberjass-4", played, [deal("A", "NT", totals={"A": 50, "B": 80})])
    assert page.lines[0].trump == "no-trumps"


def test_dive_and_sets_and_stakes(played: Played) -> None:
    """A dive is a short line with its note below; it doubles sets and stakes."""
    dive = {"type": "dive", "by": "A", "accepted": True, "note": "loudly"}
    house = {"dive": "on", "target": 150}
    stake = {"amount": "5.00", "currency": "PLN"}
    page = made("deberts", played, [dive, HANGING[1]], preset="sets", conventions=house, stake=stake)
    line = page.lines[0]
    assert line.text and not line.counted and line.number == "" and page.footnotes == ("loudly",)
    assert "Sets: 2 : 0." in page.result.details
    assert page.result.details[-1].replace("\u00a0", " ") == "Stakes: Ala +10.00 PLN, Ola −10.00 PLN."
    assert "Stake: 2." in made("deberts", played, [dive], conventions={"dive": "on"}).result.details


def test_a_refused_dive_ends_the_game(played: Played) -> None:
    dive = {"type": "dive", "by": "A", "accepted": False}
    page = made("deberts", played, [dive], conventions={"dive": "on"})
    assert page.result.headline == "Ala wins" and page.result.details[0] == "Doubling was refused."


def test_pencil_and_finish_are_short_lines(played: Played) -> None:
    """A wrong writing moves totals in a line of its own; so does the announced end, which moves none."""
    entries = [HANGING[0], {"type": "pencil", "by": "A", "deal": 1, "wrote": 75, "should": 65}, HANGING[1]]
    page = made("deberts", played, [*entries, {"type": "finish", "side": "A"}], conventions={"target": 200})
    assert [line.number for line in page.lines] == ["1", "", "2", ""]
    assert [cell.scored for cell in page.lines[1].cells] == ["−10", "+10"] and page.lines[1].text
    assert page.lines[3].text and page.result.headline == "Ala wins"
    assert [row.number for row in page.running_totals] == ["1", "", "2"]


def test_one_deal_is_paid_in_kush(played: Played) -> None:
    page = made("deberts", played, [HANGING[1]], preset="one-blow")
    assert page.target is None
    assert page.result.details[-1].replace("\u00a0", " ") == "Stakes: Ala +2 kush, Ola −2 kush."


def test_only_house_rules_that_matter_are_named(played: Played) -> None:
    page = made("deberts", played, [], conventions={"target": 301})
    assert [label for label, _value in page.house_rules] == ["Target"]


@pytest.mark.parametrize("game", POINTS)
def test_a_game_is_written_as_its_file_says_or_as_is_asked(played: Played, game: str) -> None:
    usual = made(game, played, []).writing
    assert usual == ("tally" if game == library.names()[0] else "table")
    for writing in ("tally", "tally-negative", "table"):
        totals = dict.fromkeys(library.open_game(game).family.ruleset.ring.sides, 40)
        page = made(game, played, [{"type": "opening", "totals": totals}], writing=writing)
        text = html.write_sheet(page, "en")
        assert ("s-tally-drawing" in text, "s-totals" in text) == (writing != "table", writing == "table")


PRESETS = [(game, preset) for game in POINTS for preset in library.read_rulebook(game).presets]


@mostly_at_night("preset", PRESETS, {("derda", "standard"), ("darda", "standard")})
def test_a_blank_sheet_of_every_game_is_one_page(preset: tuple[str, str]) -> None:
    """With room for every player, the order of counting in the game's own words, its marks."""
    game = library.open_game(*preset)
    page = compose_page("blank", game)
    assert isinstance(page, BlankPage) and page.players == game.family.ruleset.ring.size
    assert page.order[-1] == game.book.words["cards"] and game.book.words["bela"] in page.order
    holds = open_jacknine(*preset).ruleset.holds_points()
    assert bool(page.held) == holds
    assert (game.book.words.get("held") in dict(page.legend).values()) == (
        holds and "held-mark" in game.book.words
    )
    assert ("four of a kind" in page.order) == bool(open_jacknine(*preset).ruleset.fours)
    assert sum(page.sides) == page.players and len(page.sides) == len(game.family.ruleset.ring.sides)
    text = html.write_sheet(page, "en")
    assert text.count("s-name") == page.players
    assert all(f"<b>{mark}</b> {meaning}" in text for mark, meaning in page.legend)
    for paper in sheets.PAPERS:
        assert len(read_pages(print_sheet("blank", game, paper=paper))) == 1


@pytest.mark.parametrize(
    "blocks", [(0, [0]), (5, [5]), (12, [12]), (13, [7, 6]), (36, [12] * 3), (60, [15] * 4)]
)
def test_long_running_totals_stand_in_blocks(blocks: tuple[int, list[int]]) -> None:
    rows, sizes = blocks
    page: Any = SimpleNamespace(running_totals=tuple(range(rows)))
    assert [len(block) for block in html._split_running_totals(page)] == [size for size in sizes if size]


@pytest.mark.nightly
def test_sixty_deals_of_running_totals_use_their_pages(played: Played) -> None:
    record, game = played([HANGING[0], HANGING[1]] * 30, game="klaberjass", conventions={"target": 9999})
    for paper in ("a4", "a5"):
        texts = read_pages(print_sheet("match", game, record, paper=paper))
        assert len(texts) <= 5 and "215" in texts[0]


def test_makers_who_are_set_have_a_stroke(played: Played) -> None:
    """Running totals of Clabber under We and They; 82 are enough, whatever the others have."""
    deals = [
        deal("A", "S", totals={"A": 80, "B": 82}),
        deal(
            "C", "H", totals={"A": 82, "B": 180}, runs=[{"seat": "B", "length": 5, "top": "A", "suit": "S"}]
        ),
    ]
    page = made("clabber", played, deals)
    assert [side.heading for side in page.sides] == ["We", "They"]
    assert pencilled(page) == [("1", "—", "162"), ("2", "82", "342")]
    blank = match.compose_blank(library.open_game("clabber"), translator("en"), "en", "table")
    assert (blank.headings, blank.legend) == (("We", "They"), (("—", "set"),))


def test_we_and_they(played: Played) -> None:
    """A litige in a ring, a stroke for dedans, capot in letters, a line at half the target."""
    deals = [
        deal("A", "S", totals={"A": 81, "B": 81}),
        deal("B", "H", totals={"A": 62, "B": 100}),
        deal("A", "D", totals={"A": 70, "B": 92}),
        deal("A", "C", totals={"A": 252, "B": 0}),
        deal("C", "C", totals={"A": 162, "B": 0}, trickless=None),
    ]
    page = made("belote", played, deals)
    assert [side.heading for side in page.sides] == [side.short for side in page.sides] == ["We", "They"]
    assert pencilled(page) == [
        ("1", "", "81"),
        ("2", "62", "262"),
        ("3", "—", "424"),
        ("4", "capot 314", "424"),
        ("5", "476", "424"),
    ]
    assert page.running_totals[0].cells[0].ring == "81"
    assert [[cell.half for cell in row.cells].count(True) for row in page.running_totals] == [0, 0, 0, 0, 0]
    longer = made("belote", played, [*deals, deal("B", "S", totals={"A": 62, "B": 100})])
    assert [cell.half for cell in longer.running_totals[-1].cells] == [True, True]
    sheet = html.write_sheet(longer, "en")
    assert sheet.count("s-ring") == 2  # of the totals, and of the deals
    assert sheet.count("s-half") == 2
    game = library.open_game("belote")
    blank = match.compose_blank(game, translator("en"), "en", "table")
    assert blank.headings == ("We", "They")
    assert blank.legend == (("—", "dedans"),)


def test_we_and_you(played: Played) -> None:
    """Bela: pad and štiglja in letters, a wrong deal by itself, a belot as the end."""
    deals = [
        deal("A", "S", totals={"A": 90, "B": 72}),
        {"type": "deal", "penalty": {"side": "A", "offence": "misdeal"}},
        deal("A", "D", totals={"A": 70, "B": 92}),
        deal("B", "C", count={"points": {"A": 252}}),
        deal("C", "H", belot="D"),
    ]
    page = made("bela", played, deals)
    assert [side.heading for side in page.sides] == ["We", "You"]
    assert pencilled(page) == [
        ("1", "90", "72"),
        ("2", "90", "234"),
        ("3", "pad 90", "396"),
        ("4", "štiglja 342", "pad 396"),
    ]
    assert page.result.details[0] == "All cards of a suit were in one hand."
