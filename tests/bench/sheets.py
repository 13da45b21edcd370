"""Sheets: a long one beside a bare table of the same cells, the first beside a later one."""

from collections.abc import Callable
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

from printing import compose_page, print_sheet

from companion import library, sheets
from companion.jobs import Dispatcher, Job, WorkerLimits
from companion.record import record as records
from companion.sheets import html, pdf
from companion.sheets.paper import write_style
from companion.sheets.printer import SheetOrder, get_ready, print_order

DEALS = 60
ROUNDS = 7
STARTS = 3


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


class _BareTable(HTMLParser):
    """Copies the rows and cells of a sheet's deal table, their spans and their text, and nothing else."""

    def __init__(self) -> None:
        super().__init__()
        self.cells, self.copy = 0, ""
        self._table = self._cell = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Copy a row or a cell with the lines and columns it goes over."""
        named = dict(attrs)
        self._table |= tag == "table" and "s-deals" in (named.get("class") or "")
        if self._table and tag in ("table", "thead", "tr", "th", "td"):
            self._cell = tag in ("th", "td")
            self.cells += self._cell
            spans = "".join(f' {key}="{named[key]}"' for key in ("rowspan", "colspan") if key in named)
            self.copy += f"<{tag}{spans}>"

    def handle_endtag(self, tag: str) -> None:
        """Close what was copied."""
        if self._table and tag in ("table", "thead", "tr", "th", "td"):
            self.copy += f"</{tag}>"
            self._table, self._cell = tag != "table", self._cell and tag not in ("th", "td")

    def handle_data(self, data: str) -> None:
        """Copy the text of a cell."""
        if self._cell:
            self.copy += escape(data)


def _print_bare(table: str, paper: str) -> bytes:
    """A table without any style, printed by the same WeasyPrint with the same font on the same paper."""
    kit = pdf._get_kit(paper)
    style = kit.parse_style(write_style(paper))
    document = f"<!doctype html><html lang='en'><title>x</title><body>{table}</body></html>"
    return bytes(
        kit.parse_document(document).write_pdf(
            stylesheets=[style], font_config=kit.fonts, pdf_variant="pdf/ua-1", pdf_identifier=None
        )
    )


def _seconds(*works: Callable[[], object]) -> list[float]:
    """The least processor time of each work over some rounds, turn and turn about, after one to warm up.

    Whatever else the machine does adds to it, and never takes away.
    """
    taken: list[list[float]] = [[] for _ in works]
    for round_ in range(ROUNDS + 1):
        for work, times in zip(works, taken, strict=True):
            began = process_time()
            work()
            if round_:
                times.append(process_time() - began)
    return [*map(min, taken)]


def _start(order: SheetOrder) -> tuple[float, float, float]:
    """Seconds of the call that gets a worker ready, of the first sheet then, and of one printed after it."""
    with TemporaryDirectory() as folder:
        dispatcher = Dispatcher(Path(folder), WorkerLimits(workers=1, page_timeout=50))
        try:
            moments = [perf_counter()]
            dispatcher.prepare(get_ready)
            moments.append(perf_counter())
            dispatcher.ask(Job("queue", bytes), "bench")  # it stands in the queue behind the warming up
            for n in range(3):
                moments.append(perf_counter())
                sheet = replace(order, address=str(n))
                dispatcher.ask(Job(sheet.compute_key(""), print_order, sheet.to_arguments()), "bench")
            moments.append(perf_counter())
        finally:
            dispatcher.close()
    return moments[1] - moments[0], moments[3] - moments[2], moments[5] - moments[4]


def run() -> list[tuple[str, float, str, float]]:
    """Each work with its natural limit: name, seconds, name of the limit, its seconds."""
    record, game = _record()
    rows = []
    for paper in sheets.PAPERS:
        bare = _BareTable()
        bare.feed(html.write_document(compose_page("match", game, record), "en", paper))
        sheet, least = _seconds(
            lambda: print_sheet("match", game, record, paper=paper),  # noqa: B023
            lambda: _print_bare(bare.copy, paper),  # noqa: B023
        )
        name = f"a {DEALS}-deal sheet on {paper.upper()}, from record to PDF"
        rows.append((name, sheet, f"a bare table of the same {bare.cells} cells", least))
    record, game = records.read_record(
        records.write_record(record) | {"entries": records.write_record(record)["entries"][:5]},
        library.open_game,
    )
    starts = [_start(SheetOrder("match", game, record)) for _ in range(STARTS)]
    asked, first, later = (median(times) for times in zip(*starts, strict=True))
    rows.append(("the first 5-deal sheet, its page having been looked at", first, "a later one", later))
    rows.append(("what warming up adds to the page", asked, "a later sheet", later))
    return rows
