"""The painted picture: as wide as it is to be, light, and complete."""

import io
import re
from dataclasses import replace

import pytest
from derda import RECORD, deal
from PIL import Image

from companion.library import open_game
from companion.notation.lettering import measure
from companion.notation.picture import Picture, PictureSide, draw_picture
from companion.notation.running import RunningTotalsCell, RunningTotalsRow
from companion.notation.tally import write_tidily
from companion.record.record import read_record
from companion.sheets import png
from companion.sheets.model import MatchPage
from companion.sheets.picture import draw_match
from companion.sheets.printer import SheetOrder

NAMES = ("Ewa", "Wawrzyniec Mazowiecki-Wąż", "Щукин Жмых", "Łucja Öğütçü", "Illi", "MMWW Мышь")


def paint(*names: str) -> Image.Image:
    sides = tuple(
        PictureSide(name, 645, not place, 0, write_tidily(645), (300, 645))
        for place, name in enumerate(names)
    )
    drawing = draw_picture(Picture("t", "Derda", "22 November 2026", sides, "3 : 1", "a match", 500))
    painted = png.paint_png(drawing)
    assert len(painted) < 200_000
    return Image.open(io.BytesIO(painted))


@pytest.mark.parametrize("names", [NAMES[:2], NAMES[2:5], ("日本", "Ελένη")])
def test_a_picture_of_1080_pixels(names: tuple[str, ...]) -> None:
    """On its paper, with graphite on it; also in letters that our fonts have not."""
    image = paint(*names)
    assert image.width == png.WIDTH and image.height > image.width
    ink = image.convert("L").histogram()
    assert sum(ink[250:]) > sum(ink) / 2 and sum(ink[:80]) > sum(ink) / 200


def test_matchsticks_are_painted_too() -> None:
    """Their heads and epaulettes as well."""
    sides = (PictureSide("Ewa", 7, marks=(0, 1, 2, 0, 0, 0, 3)), PictureSide("Jan", 0))
    painted = png.paint_png(draw_picture(Picture("t", "Durak", "", sides, "", "a session")))
    assert Image.open(io.BytesIO(painted)).width == png.WIDTH


def test_running_totals_are_painted_too() -> None:
    """Bids in front of them, rings around them, and words that no hand writes."""
    sides = (PictureSide("Ewa", 181, course=(181,)), PictureSide("Jan", 162, won=True, course=(162,)))
    cells = (RunningTotalsCell("", ring="81"), RunningTotalsCell("162", "štiglja"))
    picture = Picture("t", "Coinche", "", sides, "", "a match")
    rows = (RunningTotalsRow("1", cells, "90 ♥"),)
    inks = [
        sum(Image.open(io.BytesIO(png.paint_png(draw_picture(each)))).convert("L").histogram()[:80])
        for each in (replace(picture, rows=()), replace(picture, rows=rows))
    ]
    assert inks[1] > inks[0] + 2000


@pytest.mark.parametrize("bold", [True, False])
def test_no_words_are_wider_than_they_are_reckoned(bold: bool) -> None:
    """So nothing that was given its room runs over it."""
    for name in NAMES:
        font = png._find_font(name, 100, bold)
        assert font.getlength(name) <= measure(name, 100, bold), name


@pytest.mark.parametrize("inside", ["<image/>", '<path d="M0 0Q1 1 2 2" stroke="#000"/>'])
def test_what_it_does_not_know_is_refused(inside: str) -> None:
    """A drawing is painted whole, or not at all."""
    with pytest.raises(ValueError, match="not"):
        png.paint_png(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{inside}</svg>')


def test_a_name_that_no_font_has_is_painted_as_its_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on paper; the drawing keeps the name, for whoever looks at it has other fonts."""
    painted = list[str]()
    monkeypatch.setattr(png, "_list_other_letters", frozenset)
    find_font = png._find_font

    def note_text(text: str, size: int, bold: bool) -> object:
        painted.append(text)
        return find_font(text, size, bold)

    monkeypatch.setattr(png, "_find_font", note_text)
    names = ["王芳", "Zoë 😀"]
    record, game = read_record(RECORD | {"players": names, "entries": [deal()]}, open_game)
    page = SheetOrder("match", game, record).compose()
    assert isinstance(page, MatchPage)
    drawing = draw_match(page, "22 November 2026", "王芳 wins")
    written = re.findall("<text[^>]*>([^<]*)", drawing)
    png.paint_png(drawing)
    assert {*names, "王芳 wins"} <= set(written)
    assert {"A", "Zoë", "A wins"} <= set(painted) and not png._find_missing("".join(painted))
