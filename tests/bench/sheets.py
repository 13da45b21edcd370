"""How long a sheet of sixty deals takes, beside empty pages of the same paper and number."""

from collections.abc import Callable
from statistics import median
from time import perf_counter

import pypdfium2

from companion import library, sheets
from companion.record import record as records
from companion.sheets import html, pdf

DEALS = 60
ROUNDS = 5


def _record() -> tuple[records.Record, library.Game]:
    """Sixty deals with words and runs."""
    itemised = {
        "type": "deal",
        "contract": {"declarer": "A", "trump": "H"},
        "count": {"cards": {"A": 52, "B": 31}, "jass": "A", "nine": "B", "last": "A"},
        "runs": [{"seat": "B", "length": 3, "top": "K", "suit": "S"}],
    }
    document = {
        "format": "companion-match",
        "version": 1,
        "game": library.names()[0],
        "players": ["Ewa", "Jan"],
        "first_dealer": "A",
        "conventions": {"target": 9999},
        "entries": [itemised] * DEALS,
    }
    return records.read_record(document, library.open_game)


def _seconds(work: Callable[[], object]) -> float:
    """The median of some rounds, after one to warm up."""
    work()
    taken = []
    for _ in range(ROUNDS):
        began = perf_counter()
        work()
        taken.append(perf_counter() - began)
    return median(taken)


def run() -> list[tuple[str, float, str, float]]:
    """Each sheet with its natural limit: name, seconds, name of the limit, its seconds."""
    record, game = _record()
    rows = []
    for paper in ("a4", "a5"):
        document = html.document(sheets.page("match", game, record), "en", paper)
        count = len(pypdfium2.PdfDocument(pdf.render(document, paper)))
        blank = "<p style='break-after: page'></p>" * (count - 1) + "<p></p>"
        empty = f"<!doctype html><html lang='en'><title>x</title><body>{blank}</body></html>"
        rows.append(
            (
                f"a {DEALS}-deal sheet on {paper.upper()}, from record to PDF",
                _seconds(lambda: sheets.print_sheet("match", game, record, paper=paper)),  # noqa: B023
                f"{count} empty pages of {paper.upper()}",
                _seconds(lambda: pdf.render(empty, paper)),  # noqa: B023
            )
        )
    return rows


if __name__ == "__main__":
    for name, seconds, limit, least in run():
        print(f"{name}: {seconds * 1000:.0f} ms; {limit}: {least * 1000:.1f} ms; ×{seconds / least:.1f}")
