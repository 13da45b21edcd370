"""What the sides said of entries, on paper: ticks, footnotes, and what is doubted beside the signatures."""

import io
import json
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from derda import DEAL
from printing import compose_page, print_sheet
from tiers import mostly_at_night

from companion import cli, sheets
from companion.record import record as records
from companion.sheets import html
from companion.sheets.model import MatchPage, SessionLine, SessionPage, SheetLine
from tests.unit.sheets.reading import read_pages

pytestmark = pytest.mark.slow  # whole documents are laid out, or every role asks

CASES = tomllib.loads((Path(__file__).parent / "remarks.toml").read_text("utf-8"))["case"]
NAMES = ["Ewa", "Jan", "Ola", "Bo"]
LONG = ["Wawrzyniec Brzęczyszczykiewicz", "Konstantynopolitańczykiewiczówna", "Aleksandra Ż.", "Bo"]
HAND = {"type": "hand", "loser": "B"}
Played = Callable[..., tuple[records.Record, Any]]


def deal(players: int) -> dict[str, Any]:
    totals = {"A": 92, "B": 30, "C": 40} if players == 3 else {"A": 102, "B": 60} if players == 4 else None
    return DEAL | ({"totals": totals} if totals else {})


def play(played: Played, case: dict[str, Any]) -> tuple[records.Record, Any]:
    players, game = case.get("players", 2), case.get("game", "derda")
    session = game == "durak"
    entries = [HAND if session else deal(players)] * 3
    if case.get("adjusted"):
        between = {"type": "touch", "by": "A", "cards": "cut"} if session else None
        entries.insert(2, between or {"type": "adjust", "side": "B", "points": -5, "reason": "fine"})
    return played(entries, game=game, players=NAMES[:players], remarks=case["remarks"])


@mostly_at_night("language", ["en", "pl"], {"pl"})
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_case(played: Played, case: dict[str, Any], language: str) -> None:
    """Each case is on the sheet as it says: on the page that is made, and in what is read off the PDF."""
    record, game = play(played, case)
    page = compose_page("match", game, record, language=language)
    assert isinstance(page, MatchPage | SessionPage)
    lines: Sequence[SheetLine | SessionLine] = page.lines
    ticks = {n: ("✓ " + line.agreed_by) if line.agreed_by else "✓" if line.agreed else ""
             for n, line in enumerate(lines, 1)}  # fmt: skip
    own = "" if language == "en" else f"_{language}"
    assert {str(n): tick for n, tick in ticks.items() if tick} == case.get("ticks", {})
    assert {str(n): [*line.notes] for n, line in enumerate(lines, 1) if line.notes} == case.get("notes", {})
    assert page.footnotes == tuple(case.get(f"footnotes{own}", []))
    doubts = tuple(doubt.replace("\u00a0", " ") for doubt in page.doubts)
    assert doubts == tuple(case.get(f"doubts{own}", []))
    text = " ".join(read_pages(print_sheet("match", game, record, language=language)))
    for said in (*page.footnotes, *doubts, *case.get("ticks", {}).values()):
        assert said in text, said
    legend, heading = ("✓ agreed", "Still doubted:") if language == "en" else ("✓ zgoda", "Nadal sporne:")
    assert (legend in text) == case.get("legend", False)
    assert (heading in text) == bool(doubts)


def test_a_sheet_without_remarks_is_as_it_was(five: Any) -> None:
    text = html.write_document(compose_page("match", five[1], five[0]), "en")
    assert not any(mark in text for mark in ("s-agreed", "s-doubted", "s-remarked", "✓"))


def test_remarks_are_text_never_markup(played: Played) -> None:
    """Markup in what was said is shown as it is; a name from right to left keeps to itself."""
    evil = "<script>alert(1)</script>"
    said = [
        {"entry": 1, "by": "B", "kind": "object", "reason": "other", "text": evil},
        {"entry": 2, "by": "B", "kind": "object", "reason": "count"},
    ]
    record, game = played([deal(2), deal(2)], players=[evil, "אווה"], remarks=said)
    text = html.write_document(compose_page("match", game, record), "en")
    assert "<script" not in text and "“&lt;script&gt;" in text
    assert "<bdi>\u2068אווה\u2069 objected: wrong count; not settled.</bdi>" in text


def test_the_sheet_of_an_evening_is_of_scores_alone(played: Played, tmp_path: Path) -> None:
    """Neither ticks nor doubts are on it, only the check code of each match, as its own sheet has it."""
    record, game = played(
        [deal(2)] * 7, remarks=[{"entry": 1, "by": "B", "kind": "object", "reason": "count"}]
    )
    file, out = tmp_path / "one.json", tmp_path / "evening.pdf"
    file.write_text(json.dumps(records.write_record(record)), encoding="utf-8")
    assert cli.main(["sheet", "--kind", "evening", str(file), "-o", str(out)]) == 0
    [text] = read_pages(out.read_bytes())
    page = compose_page("match", game, record)
    assert isinstance(page, MatchPage)
    assert page.check in text and "objected" not in text and "doubted" not in text


# --- room -------------------------------------------------------------------------------------


def all_said(sides: str, entries: int) -> list[dict[str, Any]]:
    """A remark or more of every side on every entry, with texts as long as they can be."""
    said: list[dict[str, Any]] = []
    for n in range(1, entries + 1):
        for place, side in enumerate(sides):
            reason = ["count", "runs", "trump", "revoke", "other"][(n + place) % 5]
            text = (f"{n} {side} " + "opowiedziane całymi zdaniami " * 10)[:300] if n % 4 == 0 else ""
            said.append({"entry": n, "by": side, "kind": "object", "reason": reason, "text": text})
            if (n + place) % 3:
                said.append({"entry": n, "by": side, "kind": "settled", "how": "withdrawn"})
                said.append({"entry": n, "by": side, "kind": "agree"})
    return said


def boxes(page: Any) -> list[tuple[str, float, float, float, float]]:
    """Every character that is drawn, with its left, bottom, right and top in points."""
    text = page.get_textpage()
    drawn = ((text.get_text_range(at, 1), text.get_charbox(at)) for at in range(text.count_chars()))
    return [(char, *box) for char, box in drawn if char.strip()]


@pytest.mark.nightly
@pytest.mark.parametrize("paper", sheets.PAPERS)
@pytest.mark.parametrize(
    "table", [("derda", 2), ("klaberjass-3", 3), ("klaberjass-4", 4), ("durak", 4)], ids=str
)
def test_there_is_room_for_all_of_it(played: Played, table: tuple[str, int], paper: str) -> None:
    """With long names and a footnote for everything nothing leaves the page, and nothing lies on anything."""
    game, players = table
    entries = [HAND if game == "durak" else deal(players)] * 24
    sides = "AB" if game == "klaberjass-4" else "ABCD"[:players]
    record, opened = played(
        entries, game=game, players=LONG[:players], remarks=all_said(sides, 24), conventions={}
    )
    made = print_sheet("match", opened, record, paper=paper, address="https://x.example/m/abcdefgh")
    text = "".join(read_pages(made)).replace(" ", "")
    for said in ("Stilldoubted:", "notsettled.", "takenback.", "24("):
        assert said in text
    document = pypdfium2.PdfDocument(io.BytesIO(made))
    try:
        for page in document:
            width, height = page.get_size()
            margin = (10 if paper == "a5" else 15) / 25.4 * 72 - 1
            found = boxes(page)
            assert all(margin <= left and right <= width - margin for _c, left, _b, right, _t in found)
            assert all(0 < bottom and top < height for _c, _l, bottom, _r, top in found)
            assert covered(found) == []
    finally:
        document.close()


def covered(drawn: list[tuple[str, float, float, float, float]]) -> list[tuple[str, str]]:
    """Pairs of characters of which one lies on the other by more than a third of the smaller."""
    rows: dict[int, list[tuple[str, float, float, float, float]]] = {}
    for each in drawn:
        rows.setdefault(int(each[2] // 4), []).append(each)
    pairs = []
    for row, there in rows.items():
        near = [*there, *rows.get(row + 1, [])]
        for each in there:
            for other in near:
                if each is other:
                    continue
                wide = min(each[3], other[3]) - max(each[1], other[1])
                tall = min(each[4], other[4]) - max(each[2], other[2])
                least = min((box[3] - box[1]) * (box[4] - box[2]) for box in (each, other))
                if wide > 0 and tall > 0 and wide * tall > least / 3:
                    pairs.append((each[0], other[0]))
    return pairs


@mostly_at_night("paper", sheets.PAPERS, {"a5"})
@mostly_at_night("language", ["en", "pl"], {"pl"})
def test_four_sign_side_by_side(played: Played, paper: str, language: str) -> None:
    """Their lines stand in one row beside the code, however wide its letters are."""
    record, game = played([deal(4)], game="klaberjass-4", players=NAMES)
    page = compose_page("match", game, record, language=language, address="https://x.example/m/abcd")
    assert isinstance(page, MatchPage)
    made = sheets.print_sheets([replace(page, check="MWMW WMWM")], paper=paper, language=language)
    document = pypdfium2.PdfDocument(io.BytesIO(made))
    try:
        text = document[0].get_textpage()
        heads = []
        for name in NAMES:
            finder, found = text.search(name, match_case=True), []
            while place := finder.get_next():
                found.append(round(text.get_charbox(place[0])[3]))
            heads.append(min(found))  # they sign below all else
        assert max(heads) - min(heads) <= 1
    finally:
        document.close()
