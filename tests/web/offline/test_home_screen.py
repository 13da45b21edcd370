"""The app on the home screen: its manifest, its colours, and the match it takes up."""

import re
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from house import ROOT
from PIL import Image

from companion.i18n import LANGUAGES
from companion.web.offline.home_screen import PAPER, SLATE
from tests.web.browsers import Browser


@pytest.mark.parametrize(("lang", "first"), [("en", "Running match"), ("pl", "Trwająca partia")])
def test_the_manifest(client: FlaskClient, lang: str, first: str) -> None:
    """One app in every language, begun and described in the reader's; all its addresses lead somewhere."""
    answer = client.get(f"/{lang}/manifest.webmanifest")
    assert answer.mimetype == "application/manifest+json"
    reported = answer.get_json()
    assert (reported["id"], reported["scope"]) == ("/", "/")
    assert (reported["lang"], reported["start_url"], reported["display"]) == (lang, f"/{lang}/", "standalone")
    assert reported["shortcuts"][0]["name"] == first
    for item in reported["shortcuts"]:
        assert client.get(item["url"], follow_redirects=True).status_code == 200
    assert f'rel="manifest" href="/{lang}/manifest.webmanifest"' in client.get(f"/{lang}/").text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_files_are_shared_with_it(client: FlaskClient, lang: str) -> None:
    """Records and archives; the address takes such a form, and leads to the page where files are chosen."""
    target = client.get(f"/{lang}/manifest.webmanifest").get_json()["share_target"]
    assert (target["method"], target["enctype"]) == ("POST", "multipart/form-data")
    [files] = target["params"]["files"]
    assert {".json", ".zip"} <= {*files["accept"]}
    shared = client.post(target["action"], data={files["name"]: (BytesIO(b"{}"), "a.json")})
    assert (shared.status_code, shared.location) == (303, f"/{lang}/import?again=1")
    assert f'name="{files["name"]}"' in client.get(shared.location).text


def test_icons_are_what_they_say(client: FlaskClient) -> None:
    """Each is there, as large as it says; the maskable one fills its square, with the sign in the middle."""
    icons = client.get("/en/manifest.webmanifest").get_json()["icons"]
    assert {(icon["sizes"], icon["purpose"]) for icon in icons} == {
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
        ("any", "any"),
    }
    for icon in icons:
        with client.get(icon["src"]) as answer:
            assert answer.mimetype == icon["type"]
            if icon["type"] == "image/png":
                image = Image.open(BytesIO(answer.data)).convert("RGBA")
                assert f"{image.width}x{image.height}" == icon["sizes"]
                assert (image.getchannel("A").tobytes()[0] == 255) == (icon["purpose"] == "maskable")


def test_the_sign_is_in_the_safe_zone() -> None:
    """Whatever shape a phone cuts out of the maskable icon, nothing of the pencil's strokes is lost."""
    image = Image.open(ROOT / "static/offline/icons/maskable-512.png").convert("L")
    dark = [(at % 512, at // 512) for at, value in enumerate(image.tobytes()) if value < 100]
    assert dark
    assert max((x - 256) ** 2 + (y - 256) ** 2 for x, y in dark) ** 0.5 < 0.4 * 512


def test_the_colours_are_those_of_the_papers(client: FlaskClient) -> None:
    """The browser's bars go with the page: with both papers, or with the one that was chosen."""
    for name, color in (("base", PAPER), ("slate", SLATE)):
        style = Path(ROOT, f"static/shell/{name}.css").read_text(encoding="utf-8")
        assert re.findall(r"--paper: (#\w+);", style)[:1] == [color]
    bars = re.compile(r'<meta name="theme-color" content="(#\w+)"( media=[^>]+)?>')
    assert [found[0] for found in bars.findall(client.get("/en/").text)] == [PAPER, SLATE]
    client.set_cookie("paper", "dark")
    assert bars.findall(client.get("/en/").text) == [(SLATE, "")]


def test_the_running_match(client: Browser) -> None:
    """It leads to the match last written in, as long as one is running; else to the front page."""
    assert client.get("/en/resume").location == "/en/"
    first, second = client.start(), client.start()
    client.write(
        first, {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 82, "B": 65}}
    )
    assert client.get("/en/resume").location == f"/en/m/{first}"
    client.write(first, {"type": "abandon"})
    assert client.get("/en/resume").location == f"/en/m/{second}"


def test_an_iphone_gets_its_hints(client: Browser) -> None:
    """Hidden until a script finds such a phone: matches come along, and an empty app asks for them."""
    empty = client.get("/en/").text
    assert 'data-home-screen="true" hidden' in empty
    assert 'id="home-screen-line"' not in empty
    assert "opens in the browser, not in this app" in client.get("/en/move/here").text
    client.start()
    assert 'id="home-screen-line"' in client.get("/en/").text
    page = client.get("/en/browser").text
    assert 'id="home-screen" data-home-screen="false"' in page
    assert 'id="take-along"' in page
    code = client.post("/en/move/code", follow_redirects=True).text
    assert "Add to Home Screen" in code
    assert '<svg class="icon" viewBox="0 0 24 24" role="img" aria-label="Share">' in code


def test_what_waits_is_never_sent_to_the_home_screen(client: Browser) -> None:
    """Its storage is another one: a board with entries waiting asks for a network, and no more."""
    match = client.start()
    for path in ("/en/", f"/en/m/{match}"):
        [advice] = re.findall(r'id="at-risk"[^>]*data-week="([^"]+)"', client.get(path).text)
        assert "Come back within seven days, with a network" in advice
        assert "home screen" not in advice
    line = client.get("/en/").text.split('id="home-screen-line"')[1].split("</p>")[0]
    assert "data-unless-waiting" in line
    assert "Your matches stay; what waits to be sent, and the program, do not." in line


def test_the_steps_are_numbered(client: Browser) -> None:
    """On This phone and beside a code."""
    client.start()
    code = client.post("/en/move/code", follow_redirects=True).text
    for page in (client.get("/en/browser").text, code):
        assert re.search(r'<ol class="steps[^"]*">(?:(?!</ol>).)*since iOS 26', page, re.DOTALL)
    assert ".steps { list-style: decimal;" in (ROOT / "static/shell/base.css").read_text("utf-8")
