"""Pictures of all components and of twelve pages: in two languages, at three sizes, in both themes."""

import hashlib
import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from browsing import Scheme
from PIL import Image
from playwright.sync_api import Browser, Locator, Page
from werkzeug.serving import WSGIRequestHandler, make_server

from companion import create_app
from companion.web.components import Samples, deal, lost
from companion.web.shell.security.browser import COOKIE

LANGUAGES = ("en", "de")
"""That of the messages, and the one that needs the most room."""
SIZES = {"360": (360, 740), "320": (320, 640), "1280": (1280, 800)}
ROOT = Path(__file__).resolve().parents[3]
THEMES: tuple[Scheme, ...] = ("light", "dark")
LETTERS = "Hamburgefonstiv ÄÖÜß ĄŁŻ 0123456789 › – “ ”"
SHEETS = {"light": "static/shell/base.css", "dark": "static/shell/slate.css"}


@dataclass(frozen=True)
class Sample:
    """One of the twelve pages: its address, what is done on it, and whether a newcomer looks."""

    address: str
    prepare: Callable[[Page], None] = lambda page: None
    is_newcomer: bool = False


def type_totals(page: Page) -> None:
    """Type what both sides made, and wait for what it comes to; on a phone the number pad is open then."""
    for side, points in (("A", "82"), ("B", "65")):
        page.locator(f"#total_{side}").click()
        page.keyboard.type(points)
    page.locator(".comes").wait_for()


def play(samples: Samples) -> dict[str, Sample]:
    """The twelve, with the matches that they show."""
    two, six = ["Ewa", "Jan"], ["Ewa", "Jan", "Ola", "Piotr", "Agnieszka", "Krzysztof"]
    course = [
        ("A", "H", 82, 65),
        ("B", "D", 70, 92),
        ("A", "C", 64, 137),
        ("B", "H", 81, 81),
        ("A", "S", 90, 40),
    ]
    won = samples.play("derda", two, *(deal("A", suit, 130, 40) for suit in "HCSD"))
    ring = samples.play("durak", six, *map(lost, "ABCADFABFF"))
    board, typed = (samples.play("derda", two, *(deal(*played) for played in course)) for _each in range(2))
    return {
        "board": Sample(board),
        "won": Sample(won),
        "ring": Sample(ring),
        "deal-start": Sample(f"{board}/deal"),
        "deal-totals": Sample(f"{typed}/deal?mode=totals&bid=A:H", type_totals),
        "deal-words": Sample(f"{board}/deal?mode=count&bid=A:H"),
        "big-board": Sample(f"{board}/big"),
        "more": Sample(f"{board}/more"),
        "home": Sample("/"),
        "new-match": Sample("/new?game=derda"),
        "ruling": Sample("/ask/derda/play?trump=H&hand=8H&hand=AH&trick=10H&card=8H&asked=1"),
        "home-of-a-newcomer": Sample("/", is_newcomer=True),
    }


class _Quiet(WSGIRequestHandler):
    """Logs no requests."""

    def log(self, type: str, message: str, *args: object) -> None:
        """Nothing is printed."""


@contextmanager
def serve(folder: Path) -> Iterator[tuple[str, Samples]]:
    """An app as it is developed, and the matches in it."""
    app = create_app({"INSTANCE": str(folder), "LIMITS": "off", "DEBUG": True})
    app.debug = False  # from now on it is quick, and has the page of components
    samples = Samples(app)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Quiet)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", samples
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def take_all(browser: Browser, folder: Path, size: str, language: str) -> Iterator[tuple[str, Image.Image]]:
    """Every picture of a size and a language, with its name; a picture for each component."""
    with serve(folder) as (address, samples):
        pages = play(samples)
        page = open_page(browser, address, size)
        page.context.add_cookies([{"name": COOKIE, "value": samples.cookie, "url": address}])
        look(page, f"/{language}/dev/components")
        # On a wide screen its pieces are those of a phone, and one language is enough.
        is_again = size == "1280" and language != LANGUAGES[0]
        for section in [] if is_again else page.locator(".components > section").all():
            yield f"components-{section.get_attribute('id')}-{size}-{language}", take(section)
        for name, sample in pages.items():
            if sample.is_newcomer:
                page.context.clear_cookies()
            look(page, f"/{language}{sample.address}")
            sample.prepare(page)
            for theme in THEMES:
                page.emulate_media(color_scheme=theme)
                yield f"{name}-{size}-{theme}-{language}", take(page, theme)
        page.context.close()


def open_page(browser: Browser, address: str, size: str) -> Page:
    """A browser in which nothing moves, without a service worker."""
    width, height = SIZES[size]
    context = browser.new_context(
        base_url=address,
        viewport={"width": width, "height": height},
        has_touch=width < 1000,
        reduced_motion="reduce",
        service_workers="block",
        timezone_id="Europe/Warsaw",
    )
    context.set_default_timeout(120_000)  # a busy machine takes long over all components
    return context.new_page()


def look(page: Page, address: str) -> None:
    """Open a page, with its scripts, which ask for nothing that changes what is seen."""
    page.emulate_media(color_scheme="light")
    page.goto(address)


def take(shown: Page | Locator, *themes: Scheme) -> Image.Image:
    """A picture in nothing but the colours of its themes, so that it is small."""
    sheets = [(ROOT / SHEETS[theme]).read_text("utf-8") for theme in themes or THEMES]
    colours = dict.fromkeys(re.findall(r"--[\w-]+: #(\w{6})", "".join(sheets)))
    palette = Image.new("P", (1, 1))
    palette.putpalette(bytes.fromhex("".join(colours)))
    picture = Image.open(io.BytesIO(shown.screenshot(animations="disabled", caret="hide"))).convert("RGB")
    return picture.quantize(palette=palette, dither=Image.Dither.NONE)


def describe_letters(browser: Browser) -> dict[str, str]:
    """What draws letters here: the browser, the fonts it takes, and a digest of what they look like."""
    page = browser.new_page()
    page.set_content(
        f"<p style='font: 1rem system-ui'>{LETTERS}<p style='font: 600 1rem system-ui'>{LETTERS}"
    )
    protocol = page.context.new_cdp_session(page)
    protocol.send("DOM.enable")
    protocol.send("CSS.enable")
    root = protocol.send("DOM.getDocument")["root"]["nodeId"]
    body = protocol.send("DOM.querySelector", {"nodeId": root, "selector": "body"})["nodeId"]
    fonts = protocol.send("CSS.getPlatformFontsForNode", {"nodeId": body})["fonts"]
    drawn = hashlib.sha256(take(page).tobytes()).hexdigest()[:16]
    page.close()
    return {
        "browser": f"Chromium {browser.version}",
        "fonts": ", ".join(sorted({font["familyName"] for font in fonts})),
        "letters": drawn,
    }
