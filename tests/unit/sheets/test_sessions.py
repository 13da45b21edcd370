"""Sheets of games that count losses: matchsticks, a line for every hand, who pays; and the empty one."""

from collections.abc import Callable
from typing import Any

import pytest
from printing import compose_page, print_sheet
from tiers import is_nightly, mostly_at_night

from companion import library, sheets
from companion.sheets import html
from companion.sheets.model import BlankPage, SessionPage
from tests.unit.sheets.reading import read_pages

pytestmark = pytest.mark.slow  # whole documents are laid out, or every role asks

Played = Callable[..., Any]
NAMES = ["Ewa", "Żółć", "Оля", "Jan", "Ala", "Bo"]
TEAMS = {"format": "teams-4", "forfeit": "crow under the table"}
EVENING: list[dict[str, Any]] = [
    {"type": "hand", "loser": "B", "deals": "D", "trump": "H"},
    {"type": "touch", "by": "A", "cards": "cut"},
    {
        "type": "hand",
        "loser": "A",
        "deals": "C",
        "bouts": [
            {"attacker": "B", "defender": "C", "result": "beaten-off"},
            {"attacker": "C", "defender": "D", "result": "picked-up", "out": ["A"]},
        ],
    },
    {"type": "hand", "loser": None, "note": "the last trump"},
    {"type": "hand", "loser": "B", "deals": "B"},
    {"type": "close"},
]


def made(played: Played, entries: list[dict[str, Any]], players: int = 4, **more: Any) -> SessionPage:
    options = {key: more.pop(key) for key in ("language", "corrections", "rulings") if key in more}
    seated = more.pop("names", NAMES[:players])
    head = {"game": "durak", "players": seated, "conventions": TEAMS} | more
    record, game = played(entries, **head)
    page = compose_page("match", game, record, **options)
    assert isinstance(page, SessionPage)
    return page


def test_an_evening_in_teams(played: Played) -> None:
    """Losses by team, hands numbered, what was no hand in lines of its own, the course of a followed hand."""
    page = made(played, EVENING)
    assert [(side.name, side.total) for side in page.sides] == [("Ewa & Оля", 1), ("Żółć & Jan", 2)]
    assert [line.number for line in page.lines] == ["1", "", "2", "3", "4", ""]
    assert [line.losses for line in page.lines[:3]] == [("", "1"), ("", ""), ("1", "")]
    assert page.lines[1].text == "Ewa cut the cards, becomes the fool and deals."
    assert page.lines[2].course.replace("\u00a0", " ") == ("Żółć–Оля beaten off · Оля–Jan picked up, Ewa out")
    assert page.draws == 1 and page.trumps and page.lines[0].trump == "♥"
    assert page.footnotes == ("the last trump",) and page.lines[3].notes == (1,)
    corrected = sheets.Correction(1, {"type": "hand", "loser": "A", "deals": "A"})
    noted = [sheets.RulingNote(4, "May I? No."), sheets.RulingNote(None, "Whose? Jan.")]
    page = made(played, EVENING, corrections=[corrected], rulings=noted)
    said = "Corrected afterwards; originally: Ewa & Оля lost."
    assert page.footnotes == (said, "the last trump", "May I? No.", "Whose? Jan.")
    assert (page.result.headline, page.result.figures) == ("Żółć & Jan lost most often", "2 : 1")
    assert page.result.details == ("Forfeit: crow under the table",)


def test_the_bouts_of_a_hand_name_players_shortly(played: Played) -> None:
    """Where names are long, bouts are told by the names at the head of the columns; a hand's end in full."""
    bouts = [{"attacker": "A", "defender": "B", "result": "picked-up"}]
    long = ["Александра Константиновна Преображенская", "Wilhelmina Konstancja Zet"]
    page = made(
        played, [{"type": "hand", "loser": "B", "bouts": bouts}], players=2, conventions={}, names=long
    )
    assert page.lines[0].course.replace("\u00a0", " ") == "Александра–Wilhelmina picked up"
    assert page.lines[0].text == "Wilhelmina Konstancja Zet is the fool."


def test_equal_losses_share_the_forfeit(played: Played) -> None:
    """Whoever lost equally often pays together; with nothing agreed they share that."""
    entries = [{"type": "hand", "loser": "B"}, {"type": "hand", "loser": "C"}, {"type": "close"}]
    shared = made(played, entries, 3, conventions={"forfeit": "the dishes"})
    assert shared.result.headline == "Żółć, Оля lost most often"
    assert shared.result.details == ("Shared forfeit: the dishes",)
    assert made(played, entries, 3, conventions={}).result.details == (
        "Equal losses: they share the forfeit.",
    )
    assert made(played, entries[2:], 3, conventions={}).result.headline == "Nobody has lost"
    playing = made(played, entries[:2], 3, conventions={}).result
    assert (playing.headline, playing.details) == ("Still being played", ("Оля deals next.",))


@mostly_at_night("players", [2, 3, 4, 5, 6], {6})
@mostly_at_night("paper", sheets.PAPERS, {"a5"})
def test_a_long_evening_on_paper(played: Played, players: int, paper: str) -> None:
    """Seventy hands break between lines, repeat their head, and every name and match is on the page."""
    seats = "ABCDEF"[:players]
    entries = [{"type": "hand", "loser": seats[n * n % players]} for n in range(70)]
    page = made(played, entries, players, conventions={})
    text = html.write_sheet(page, "en")
    assert text.count('class="match"') == 70
    record, game = played(entries, game="durak", players=NAMES[:players], conventions={})
    texts = read_pages(print_sheet("match", game, record, paper=paper))
    assert 2 <= len(texts) <= 4
    assert all(name in texts[0] for name in NAMES[:players])
    assert "What happened" in texts[0] and "What happened" in texts[1]
    assert " 70 " in " ".join(texts)


@pytest.mark.parametrize(
    ("players", "conventions", "sides"),
    [
        (2, {}, (1, 1)),
        (4, {"epaulettes": True}, (1,) * 4),
        (5, {}, (1,) * 5),
        (None, {"format": "teams-6"}, (3, 3)),
        (6, {"deck": 52}, (1,) * 6),
    ],
)
def test_a_blank_sheet_is_one_page(
    players: int | None, conventions: dict[str, Any], sides: tuple[int, ...]
) -> None:
    game = library.open_game("durak", None, conventions, players)
    page = compose_page("blank", game)
    assert isinstance(page, BlankPage) and page.sides == sides and page.players == sum(sides)
    for paper in sheets.PAPERS if is_nightly() else ["a4"]:
        assert len(read_pages(print_sheet("blank", game, paper=paper))) == 1


HOUSE = {"transfer": "on", "walk_out": "plays-on", "five_of_a_suit": "redeal", "epaulettes": True}
ATTACK = {"attacker": "B", "defender": "C"}
PEREVODNOY: list[dict[str, Any]] = [
    {"type": "hand", "misdeal": "five-suited", "by": "C"},
    {
        "type": "hand",
        "loser": "D",
        "sixes": 2,
        "bouts": [
            ATTACK | {"result": "picked-up", "transfers": [{"by": "C"}, {"by": "D"}]},
            ATTACK | {"result": "beaten-off", "out": ["C", "B"]},
        ],
        "walked_out": "A",
        "walked_after": 1,
    },
    {"type": "hand", "loser": "B", "order": ["C", "A", "D"]},
    {"type": "hand", "walked_out": "B"},
    {"type": "hand", "loser": "D", "sixes": 4},
]


def test_house_rules_on_the_sheet(played: Played) -> None:
    """A new deal and a void hand in lines of their own, how attacks went, epaulettes, who went out when."""
    page = made(played, PEREVODNOY, conventions=HOUSE)
    assert [line.text for line in page.lines] == [
        "Оля was dealt five of one suit: a new deal.",
        "Jan is the fool. Ewa left the table.",
        "Żółć is the fool.",
        "Żółć left the table, and one was left alone: the hand is void.",
        "Jan is the fool.",
    ]
    assert [line.course.replace("\u00a0", " ") for line in page.lines] == [
        "",
        "Żółć–Оля–Jan–Ewa picked up, Ewa left the table · Żółć–Оля beaten off, Оля, Żółć out",
        "Went out in this order: Оля, Ewa, Jan",
        "",
        "",
    ]
    assert [line.marks for line in page.lines] == ["", "––", "", "", "––––"]
    sides = [(side.total, side.epaulettes, side.marks) for side in page.sides]
    assert sides == [(0, 0, ()), (1, 0, (0,)), (0, 0, ()), (2, 6, (2, 4))]
    drawn = html.write_sheet(page, "en")
    assert drawn.count('class="epaulette"') == 6 and "Jan: 2: 2, ––––––" in drawn
    assert "A dash is an epaulette" in drawn


def test_epaulettes_are_explained_where_they_are_written(played: Played) -> None:
    """On an empty sheet too, for a table that writes them; no other table reads of them."""
    lost = [{"type": "hand", "loser": "D"}]
    assert "epaulette" not in html.write_sheet(made(played, lost, conventions=HOUSE), "en").split("<style")[0]
    for conventions, said in (({"epaulettes": True}, True), ({}, False)):
        page = compose_page("blank", library.open_game("durak", None, conventions, 4))
        assert ("A dash beside it" in html.write_sheet(page, "en")) is said
