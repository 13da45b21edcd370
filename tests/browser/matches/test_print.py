"""Sheets that the browser prints, beside the PDF of the server: the same pages with the same on each."""

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from playwright.sync_api import Page, Route

from companion import create_app, sheets
from companion.store.tables import db
from tests.web.browsers import TOKEN, Browser, known_browser

GOLDEN = Path(__file__).parents[2] / "golden"
LONG, CARD, BOOKLET = "long derda-standard", "a table card", "a booklet"
MATCHES = (
    "derda-standard",
    "deberts-moscow",
    "deberts-3-standard",
    "deberts-4-alone-standard",
    "bulka-standard",
    "durak-podkidnoy",
    "klaberjass-standard",
    LONG,
)
"""Matches, by the name of their record; the long one has its first nine entries six times."""
OTHERS = {
    "an empty sheet": "/en/sheets/derda/blank.pdf?",
    CARD: "/pl/sheets/derda/card.pdf?",
    "an evening": "evening",
    "a season": "/en/players/season.pdf?",
    "figures": "/en/player/figures.pdf?name=Ewa&",
    BOOKLET: "/en/rules/derda/booklet.pdf?",
}


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, dict[str, str]]]:
    """A browser of a server with these matches, and the addresses of their sheets."""
    folder = str(tmp_path_factory.mktemp("printing"))
    app = create_app({"INSTANCE": folder, "TESTING": True, "LIMITS": "off", "WTF_CSRF_ENABLED": False})
    client = known_browser(app, TOKEN)
    found = dict(OTHERS)
    for name in MATCHES:
        path = GOLDEN / f"{name.removeprefix('long ')}.json"
        head: dict[str, Any] = json.loads(path.read_text("utf-8"))["record"]
        entries = head.pop("entries")
        if name == LONG:
            head["conventions"], entries = {"target": 9999}, entries[:9] * 6
        del head["format"], head["version"]
        found[name] = f"/en/m/{client.begin(head, *entries)}/sheet.pdf?"
    evening = re.search(r'"(/en/evening/[^"?]+)"', client.get("/en/evenings").text)
    assert evening is not None
    found["an evening"] = f"{evening[1]}/sheet.pdf?"
    yield client, found
    with app.app_context():
        db.engine.dispose()


@pytest.fixture
def printing(page: Page, addresses: tuple[Browser, dict[str, str]]) -> Callable[[str], Iterator[bytes]]:
    """Print an address by both, the server's PDF first."""
    client, _found = addresses

    def serve(route: Route) -> None:
        path = "/" + route.request.url.split("/", 3)[3]  # at the host for which the browser has its cookie
        with client.get(path) as answer:
            headers = {name: value for name, value in answer.headers.items() if name != "Content-Length"}
            route.fulfill(status=answer.status_code, headers=headers, body=answer.data)

    def print_both(address: str) -> Iterator[bytes]:
        while (answer := client.get(address)).status_code == 202:
            time.sleep(0.2)
        yield answer.data
        page.goto(f"{address}&by=browser")
        page.wait_for_function("window.isPrinted")
        yield page.pdf(prefer_css_page_size=True)  # and without backgrounds

    page.route("**/*", serve)
    page.add_init_script("window.print = () => { window.isPrinted = true; }")
    return print_both


def count_letters(printed: bytes) -> list[Counter[str]]:
    """The letters of each page, but for where words are divided."""
    with pypdfium2.PdfDocument(printed) as document:
        texts = [page.get_textpage().get_text_range() for page in document]
    return [Counter(re.sub("[\\s\ufffe\x02\xad\u2010-]+", "", text)) for text in texts]


@pytest.mark.parametrize("paper", sheets.PAPERS)
@pytest.mark.parametrize("name", [*MATCHES, *OTHERS])
def test_a_browser_prints_the_same_pages(
    page: Page, printing: Any, addresses: Any, name: str, paper: str
) -> None:
    """As many pages as the PDF has, and on each the same lines."""
    pdf, printed = map(count_letters, printing(f"{addresses[1][name]}paper={paper}"))
    assert len(printed) == len(pdf)
    if name == CARD:  # whose columns may break elsewhere
        assert sum(printed, Counter()) == sum(pdf, Counter())
    elif name not in (LONG, BOOKLET):  # in which lines may go to the next page
        unseen = page.locator(".s-unseen").all_inner_texts()  # a PDF has it for readers of the screen
        assert printed == [pdf[0] - Counter("".join(unseen).replace(" ", "")), *pdf[1:]]


def test_squares_are_printed_without_backgrounds(printing: Any, addresses: Any) -> None:
    """They are lines, where browsers leave out backgrounds."""
    _pdf, printed = printing(f"{addresses[1]['derda-standard']}paper=a4")
    with pypdfium2.PdfDocument(printed) as document:
        picture = document[0].render(scale=4).to_pil().convert("L")
    width, height = picture.size
    row = [picture.getpixel((x, height // 4)) for x in range(width)]
    assert sum(value < 235 for value in row) > 20
