"""The picture of a finished match: on its board, and at addresses of its own."""

import io
from collections.abc import Callable
from time import monotonic, sleep
from typing import Any

import pytest
from PIL import Image

from companion.sheets.common import format_day
from companion.web.matches import picture
from tests.web.browsers import Browser, known_browser


def deal(a: int, b: int) -> dict[str, Any]:
    return {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": a, "B": b}}


@pytest.fixture
def id(client: Browser) -> str:
    """A match that Ewa has won."""
    made = client.start(deal(110, 40), rule_target="100")
    return made


def test_the_board_of_a_finished_match_is_its_picture(client: Browser, other: Browser, id: str) -> None:
    """Whoever looks sees it, with the ways to take it along; a match that is played has none."""
    for browser in (client, other):
        page = browser.get(f"/en/m/{id}").text
        assert 'class="picture"' in page and 'class="board' not in page
        assert f"/en/m/{id}/picture.png" in page and f"/en/m/{id}/sheet" in page
        assert "1 deal</text>" in page
    playing = client.start(deal(82, 65))
    assert 'class="picture"' not in client.get(f"/en/m/{playing}").text


def test_pages_draw_it_once(client: Browser, id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For all who look, on the board and on the front page; anew once something was written, undone too."""
    running, drawn = client.start(), list[str]()

    def count(name: str, draw: Callable[..., Any]) -> Callable[..., Any]:
        def drawing(*said: Any) -> Any:
            drawn.append(name)
            return draw(*said)

        return drawing

    for name in ("draw_match", "draw_running_match"):
        monkeypatch.setattr(picture, name, count(name, getattr(picture, name)))
    seen = [client.get(path).text for path in ("/en/", f"/en/m/{id}") * 2]
    assert sorted(drawn) == ["draw_match", "draw_running_match"]
    client.write(running, deal(82, 65))
    assert seen[0].count("picture-0") < client.get("/en/").text.count("picture-0")
    client.get("/pl/")
    assert drawn[2:] == ["draw_running_match"] * 2


def test_what_can_be_sent_around(client: Browser, other: Browser, id: str) -> None:
    """From the board and its list: the result as text, beside picture and sheet; for whoever looks too."""
    for path in ("", "/more"):
        assert f'href="/en/m/{id}/share"' in client.get(f"/en/m/{id}{path}").text
    page = other.get(f"/en/m/{id}/share").text
    assert ">Derda: Ewa 110, Jan 40. Ewa wins.</textarea>" in page
    assert f"/en/m/{id}/picture.png" in page and f"/en/m/{id}/sheet" in page
    assert ">Derda: Ewa 110, Jan 40. Wygrywa Ewa.</textarea>" in client.get(f"/pl/m/{id}/share").text


def test_its_addresses(other: Browser, id: str) -> None:
    """A drawing and an image, which no cache of others keeps."""
    drawn, painted = (other.get(f"/en/m/{id}/picture.{kind}") for kind in ("svg", "png"))
    assert drawn.mimetype == "image/svg+xml" and drawn.text.startswith("<svg")
    assert painted.mimetype == "image/png" and Image.open(io.BytesIO(painted.data)).width == 1080
    assert {answer.headers["Cache-Control"] for answer in (drawn, painted)} == {"private, no-store"}
    assert other.get("/en/m/none/picture.svg").status_code == 404


@pytest.mark.nightly
def test_it_is_painted_by_a_worker(make_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not while the page is made: whoever is too early comes again, and another state is another picture."""
    monkeypatch.setattr("companion.jobs.job.PAGE_TIMEOUT", 0)
    app = make_app(WORKERS=1)
    client = known_browser(app, "me")
    id = client.start(deal(110, 40), rule_target="100")
    for path in (f"/en/m/{id}/picture.png", f"/pl/m/{id}/picture.png"):
        early = client.get(path)
        assert (early.status_code, early.mimetype) == (202, "text/html")
        assert early.headers["Retry-After"] == early.headers["Refresh"] == "1"
        until = monotonic() + 60
        while client.get(path).status_code == 202 and monotonic() < until:
            sleep(0.05)
        painted = client.get(path)
        assert (painted.status_code, painted.mimetype) == (200, "image/png")
    monkeypatch.setattr("companion.sheets.png.paint_png", None)
    assert client.get(path).data == painted.data
    app.extensions["dispatcher"].close()


def test_it_is_dated_by_the_phone_that_looks(client: Browser, id: str) -> None:
    """By the day alone, in the language of the page."""
    started = client.match(id).head["started"]
    for zone in ("Pacific/Kiritimati", "Pacific/Niue"):
        client.set_cookie("zone", zone)
        for language in ("en", "pl"):
            day = format_day(started, language, zone, with_time=False)
            assert f">{day}</text>" in client.get(f"/{language}/m/{id}/picture.svg").text


def test_it_says_how_the_evening_stands(client: Browser, id: str) -> None:
    """Wins of each side, and the most in a row."""
    for a, b in ((40, 110), (110, 40), (120, 30)):
        id = client.fill(id, "rematch").headers["Location"].rpartition("/")[2]
        client.write(id, deal(a, b))
    assert "3 : 1 tonight, longest streak 2</text>" in client.get(f"/en/m/{id}/picture.svg").text


def test_a_name_is_no_markup(client: Browser) -> None:
    """On the board the picture is part of the page."""
    id = client.start(deal(110, 40), rule_target="100", name_A="<i>Ewa", name_B="Jan & Co")
    page = client.get(f"/en/m/{id}").text
    assert "<i>Ewa" not in page and "&lt;i&gt;Ewa</text>" in page
