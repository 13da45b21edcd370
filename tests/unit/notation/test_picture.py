"""The picture of a match: complete, steady, and without words that run into each other."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import accumulate
from xml.etree import ElementTree

import pytest

from companion.notation.lettering import fit, measure
from companion.notation.picture import COLOURS, WIDE, Picture, PictureSide, draw_picture, draw_standing
from companion.notation.running import RunningTotalsCell, RunningTotalsRow
from companion.notation.svg import SQUARE
from companion.notation.tally import write_last_page

SVG = "{http://www.w3.org/2000/svg}"


def play(name: str, *amounts: int, won: bool = False) -> PictureSide:
    carried, page = write_last_page(0, amounts)
    return PictureSide(name, sum(amounts), won, carried, page.tally, tuple(accumulate(amounts)))


MATCH = Picture(
    "Ewa wins",
    "Derda",
    "22 November 2026",
    (play("Ewa", 120, 0, 300, 225, won=True), play("Jan", 65, 102, 80, 213)),
    "3 : 1 tonight, longest streak 2",
    "a match",
    500,
)
SESSION = replace(
    MATCH, sides=tuple(PictureSide(name, losses) for name, losses in {"Ewa": 3, "Jan": 12, "Ala": 0}.items())
)
LONG = "Конституция & Wolfeschlegelsteinhausenbergerdorff"


def words(picture: Picture) -> list[str]:
    root = ElementTree.fromstring(draw_picture(picture))
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def test_it_has_all_that_one_shows_around() -> None:
    """Game, day, names, totals, target, tallies, one double stroke, the evening."""
    assert words(MATCH) == ["Derda", "22 November 2026", "Ewa", "645", "Jan", "460", "500", MATCH.evening]
    drawn = draw_picture(MATCH)
    assert drawn.count('class="tally"') == 2 and drawn.count('class="underline"') == 1
    assert draw_picture(MATCH) == drawn
    assert draw_picture(replace(MATCH, seed="another")) != drawn


def test_losses_stand_below_each_other() -> None:
    """Who has none has no matchsticks."""
    assert words(SESSION)[2:-1] == ["Ewa", "3", "Jan", "12", "Ala", "0"]
    assert draw_picture(SESSION).count('class="matchsticks"') == 2


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_names_of_any_length_stay_in_their_columns(sides: int) -> None:
    """Neither a name nor the game or the evening takes more room than there is."""
    players = tuple(play(LONG, 300, 4000, won=not place) for place in range(sides))
    crowded = replace(MATCH, game=LONG, evening=LONG * 2, sides=players)
    root = ElementTree.fromstring(draw_picture(crowded))
    shown = list(root.iter(f"{SVG}text"))
    column = WIDE / sides
    for element in shown:
        if (element.text or "").startswith("Кон") and float(element.get("y", "0")) > 60:
            size = float(element.attrib["font-size"])
            is_name = element.get("text-anchor") is None
            room = column if is_name else WIDE
            assert measure(element.text or "", size, is_name) <= room
            assert (element.text or "").endswith("…")
    game, day = shown[0], shown[1]
    taken = measure(game.text or "", float(game.attrib["font-size"]), True) + measure(day.text or "", 14)
    assert taken < WIDE - 24


def test_words_become_smaller_before_they_are_cut() -> None:
    """A word that nearly fits is not cut."""
    wide = measure("Krzysztof", 18)
    assert fit("Krzysztof", 18, wide * 0.8)[0] == "Krzysztof"
    cut, size = fit("Krzysztof", 18, wide * 0.5)
    assert cut.startswith("Krzy") and cut.endswith("…") and 12 < size < 18


def test_all_shapes_are_of_one_size() -> None:
    """In a short tally they are as small as in a long one beside it, and clear of the double stroke."""
    many = (play("Ewa", *[87] * 12, won=True), play("Jan", 100))
    root = ElementTree.fromstring(draw_picture(replace(MATCH, sides=many)))
    scales = set()
    for drawn in (svg for svg in root.iter(f"{SVG}svg") if svg.get("class") == "tally"):
        scale = float(drawn.attrib["width"]) / float(drawn.attrib["viewBox"].split()[2])
        scales.add(round(scale, 2))
        [line] = (svg for svg in root.iter(f"{SVG}svg") if svg.get("class") == "underline")
        end = float(line.attrib["y"]) + float(line.attrib["height"])
        assert float(drawn.attrib["y"]) + scale * SQUARE > end + 4
    assert len(scales) == 1 and min(scales) < 1


def test_running_totals_stand_in_columns() -> None:
    """The last twelve of a long match, and the last three while it is played; none before the first deal."""
    rows = tuple(
        RunningTotalsRow(str(n), (RunningTotalsCell(str(n)), RunningTotalsCell("0", "pad")))
        for n in range(1, 21)
    )
    sides = tuple(replace(side, tally=None) for side in MATCH.sides)
    drawn = draw_picture(replace(MATCH, sides=sides, rows=rows))
    assert ">9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20</title>" in drawn and "Ewa" in drawn
    assert ">18, 19, 20</title>" in draw_standing("Ewa leads", sides, "a match", rows)
    assert 'class="tally"' not in draw_picture(replace(MATCH, sides=sides, rows=()))


def test_names_are_escaped() -> None:
    """They stand in the drawing as they are written."""
    assert "<b>&" in words(replace(MATCH, sides=(play("<b>&", 10), play("Jan", 5))))
    assert ElementTree.fromstring(draw_picture(replace(MATCH, title='"<'))).get("aria-label") == '"<'


def test_it_is_in_its_own_colours() -> None:
    """A page finds them by class; nothing has a style of its own."""
    drawn = draw_picture(MATCH) + draw_picture(SESSION)
    colours = set(re.findall(r'(?:stroke|fill|color)="([^"]+)"', drawn))
    assert colours <= {*COLOURS.values(), "#f2ecdd", "none", "currentColor"}
    assert " style=" not in drawn


def test_a_long_match_keeps_its_format() -> None:
    """Thousands of points over hundreds of deals do not make it higher."""
    long = replace(MATCH, sides=(play("Ewa", *[25] * 300, won=True), play("Jan", *[24] * 300)), target=7500)
    assert float(ElementTree.fromstring(draw_picture(long)).attrib["height"]) < 2 * WIDE


def test_a_match_of_nothing_is_drawn() -> None:
    """Closed before the first deal."""
    assert words(replace(MATCH, sides=(play("Ewa"), play("Jan")), target=None))[2:6] == [
        "Ewa",
        "0",
        "Jan",
        "0",
    ]
