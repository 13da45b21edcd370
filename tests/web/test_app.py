"""What every page has in common: language, safety, errors that say what would be right, lightness."""

import gzip
import re
import stat
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import create_environ, run_wsgi_app

from companion import create_app
from companion.i18n import LANGUAGES
from companion.web.app import SERVER_PAGES
from companion.web.parts import PAGES
from tests.web.browsers import Browser, token_of, words


def test_the_front_door_speaks_the_readers_language(client: Browser) -> None:
    """`/` leads to the language the browser asks for, to English where it asks for none of ours."""
    assert client.get("/", headers={"Accept-Language": "pl-PL,pl;q=0.9"}).location == "/pl/"
    assert client.get("/", headers={"Accept-Language": "fi"}).location == "/en/"


def test_the_last_choice_of_language_is_remembered(client: Browser) -> None:
    """Whoever once read in Polish comes back to Polish, whatever the browser asks for."""
    client.get("/pl/")
    assert client.get("/", headers={"Accept-Language": "en"}).location == "/pl/"
    assert client.get("/m/abc").location == "/pl/m/abc"


def test_a_link_in_another_language_leaves_the_phone_its_own(client: Browser) -> None:
    """What somebody sent in English is shown in English; from it one goes back to one's own language."""
    polish, id = {"Accept-Language": "pl"}, client.start()
    for page in (f"/en/m/{id}", "/en/rules/derda", "/en/nothing-here"):
        sent = client.get(page, headers=polish)
        assert '<html lang="en"' in sent.text
    board = client.get(f"/en/m/{id}", headers=polish)
    assert '<a class="back" href="/pl/">' in board.text
    assert 'class="back" href="/en/"' not in board.text
    further = client.get("/en/ask", headers=polish | {"Referer": f"http://localhost/en/m/{id}"})
    assert '<a class="back" href="/pl/">' in further.text
    assert client.get("/", headers=polish).location == "/pl/"
    assert client.get(f"/m/{id}", headers=polish).location == f"/pl/m/{id}"


def test_the_switch_is_a_choice(client: Browser) -> None:
    """Who comes from the same page in another language wants this one from now on."""
    polish, id = {"Accept-Language": "pl"}, client.start()
    other_rulings = (
        "http://evil.example/pl/",
        "http://localhost/xx/x",
        "http://[",
        f"http://localhost/en/m/{id}",
    )
    for before in other_rulings:
        client.get(f"/en/m/{id}", headers=polish | {"Referer": before})
        assert client.get("/", headers=polish).location == "/pl/"
    switched = client.get(f"/en/m/{id}", headers=polish | {"Referer": f"http://localhost/pl/m/{id}"})
    assert '<a class="back" href="/en/">' in switched.text
    assert client.get("/", headers=polish).location == "/en/"


def test_what_a_phone_fetches_to_keep_it_is_no_choice(client: Browser) -> None:
    """After an update it fetches all that it has kept, and that may be in many languages."""
    client.get("/de/")
    for name in ("X-Keep", "X-Seen"):
        answer = client.get("/en/", headers={name: "1"})
        assert "lang=de" in answer.headers["X-Chosen"]
        assert client.get("/").location == "/de/"


def test_a_phone_of_no_language_of_ours_stays_where_it_is(client: Browser) -> None:
    """Nothing is known of it but the page it reads."""
    page = client.get(f"/pl/m/{client.start()}", headers={"Accept-Language": "fi"})
    assert '<a class="back" href="/pl/">' in page.text


def test_the_switch_leads_to_the_same_page(client: Browser) -> None:
    """On This phone every language leads to the page one came from, with what is asked of it."""
    id = client.start()
    for path in (f"m/{id}", "?q=ewa"):
        assert 'href="/en/browser"' in client.get(f"/en/{path}").text
        assert f'href="/pl/{path}"' in switches(client, f"/en/{path}")
    assert 'href="/pl/browser"' in client.get("/en/browser").text


def switches(client: Browser, came_from: str) -> str:
    """This phone, as it is seen by who comes from a page."""
    return client.get("/en/browser", headers={"Referer": f"http://localhost{came_from}"}).text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_pages_say_their_language(client: Browser, lang: str) -> None:
    """A page names its language, for those who have it read aloud."""
    assert f'<html lang="{lang}"' in client.get(f"/{lang}/").text
    assert f'<html lang="{lang}"' in client.get(f"/{lang}/nothing-here").text
    switch = rf'<a class="btn" href="/{lang}/rules"[^>]*>{LANGUAGES[lang]}'
    assert re.search(switch, switches(client, "/en/rules")), "it is offered by its own name"


def test_the_secret_key_is_made_once(tmp_path: Path) -> None:
    """The key is made on the first start, readable to its owner alone, and stays."""
    one = create_app({"INSTANCE": str(tmp_path)}).config["SECRET_KEY"]
    two = create_app({"INSTANCE": str(tmp_path)}).config["SECRET_KEY"]
    assert one == two
    assert len(one) >= 32
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600


def test_every_form_is_guarded(tmp_path: Path) -> None:
    """A form without its token is refused in a sentence, and nothing is written."""
    client = create_app({"INSTANCE": str(tmp_path), "TESTING": True}).test_client()
    answer = client.post("/en/new", data={"name-A": "Ewa", "name-B": "Jan", "dealer": "A"})
    assert answer.status_code == 400
    assert "allow this site to keep cookies" in words(answer)
    page = client.get("/en/new")
    answer = client.post("/en/new", data={"name-A": "Ewa", "name-B": "Jan", "dealer": "A"})
    assert answer.status_code == 400
    assert "no longer valid" in words(answer)
    assert 'value="Ewa"' in answer.text
    id = "a" * 22
    assert client.post(f"/en/m/{id}/undo").status_code == 400
    assert "no longer valid" in words(client.post(f"/en/m/{id}/undo"))
    assert "sent no cookie" in words(client.application.test_client().post(f"/en/m/{id}/undo"))
    data = {"name-A": "Ewa", "name-B": "Jan", "dealer": "A", "csrf_token": token_of(page)}
    assert client.post("/en/new", data=data).status_code == 303


def test_a_page_that_a_match_does_not_have_leads_to_the_match(client: Browser) -> None:
    """It is the page that is not found, and not the match."""
    id = client.start()
    for path in (f"/en/m/{id}/nothing", f"/en/m/{id}/entries/77"):
        page = client.get(path)
        assert page.status_code == 404
        assert "Page not found" in words(page)
        assert f'href="/en/m/{id}"' in page.text
    assert "Match not found" in client.read("/en/m/nobody-knows-it/nothing")


def test_other_faults_have_a_page_too(client: Browser) -> None:
    """A wrong method and too large a form are answered in the design, in a sentence."""
    assert client.post("/en/").status_code == 405
    answer = client.post("/en/new", data={"name-A": "x" * 3_000_000})
    assert answer.status_code == 413
    assert "At most 500 kB can be sent at once." in words(answer)


def test_a_fault_of_ours_shows_no_traceback(
    make_app: Callable[..., Flask], caplog: pytest.LogCaptureFixture
) -> None:
    """What breaks is logged, and the page says that everything saved is safe."""
    app = make_app()

    @app.get("/en/broken")
    def broken() -> str:
        raise RuntimeError("secret detail")

    answer = app.test_client().get("/en/broken")
    assert answer.status_code == 500
    assert "Everything saved so far is safe" in words(answer)
    assert "secret detail" not in answer.text
    assert "secret detail" in caplog.text


def test_paper_and_slate(client: Browser) -> None:
    """The chosen paper is kept, and one comes back to where one was; never to another site."""
    answer = client.get("/en/paper/dark?next=/en/new")
    assert answer.location == "/en/new"
    assert 'data-theme="dark"' in client.get("/en/").text
    client.get("/en/paper/auto")
    assert "data-theme" not in client.get("/en/").text
    assert client.get("/en/paper/dark?next=//elsewhere.example/").location == "/en/"
    assert client.get("/en/paper/dark?next=https://elsewhere.example/").location == "/en/"


@pytest.mark.parametrize(
    ("next", "location"),
    [
        ("/pl/?q=ewa+b&all=1", "/pl/?q=ewa+b&all=1"),
        ("/pl/rules/derda?q=1%2B1%26%23#part", "/pl/rules/derda?q=1%2B1%26%23"),
        ("/m/abc", "/m/abc"),
        ("", "/en/"),
        ("elsewhere.example", "/en/"),
        ("//elsewhere.example", "/en/"),
        ("/\\elsewhere.example", "/en/"),
        ("/\t/elsewhere.example", "/en/"),
        ("\t//elsewhere.example", "/en/"),
        ("/\n", "/en/"),
        ("/en/?q=\r\nSet-Cookie: a=b", "/en/?q=%0D%0ASet-Cookie%3A+a%3Db"),
        ("javascript:alert(1)", "/en/"),
        ("/en/?_scheme=javascript&_external=1&_anchor=x&endpoint=y&lang=pl", None),
        ("/en/m/x/undo", "/en/"),
        ("/nothing/here", "/en/"),
        ("/m/%2f%2felsewhere.example", None),
        ("/\0", "/en/"),
    ],
    ids=ascii,
)
def test_one_comes_back_to_a_page_of_ours_or_to_the_front(
    client: Browser, next: str, location: str | None
) -> None:
    """Whatever an address asks for, the way back leads to a page there is, written as we write it."""
    answer = client.get("/en/paper/dark", query_string={"next": next})
    assert answer.status_code == 302
    assert answer.location.startswith(("/en/", "/pl/", "/m/"))
    assert "elsewhere" not in answer.location or answer.location.startswith("/m/%252f")
    assert location in (None, answer.location)


@pytest.mark.parametrize("query", ["_scheme=javascript", "_anchor=x", "_method=POST", "endpoint=x", "self=1"])
def test_an_address_is_made_of_words(client: Browser, query: str) -> None:
    """What stands in a query stays there in links that keep it, and means nothing to their makers."""
    assert client.get(f"/en/?{query}").status_code == 200
    assert f'href="/pl/?{query}"' in switches(client, f"/en/?{query}")
    here = client.get(f"/en/browser?{query}")
    assert here.status_code == 200 and query.replace("=", "%3D") in here.text


@pytest.mark.parametrize("path", ["/en/", "/en/rules", "/en/ask/derda/trick", "/en/m/x", "/nothing"])
def test_bytes_that_are_no_text(client: Browser, path: str) -> None:
    """A query that some program wrote without escapes is read as far as it can be, on pages and by forms."""
    id = client.start()
    for query in ("q=\xff", "\xc3\x28=1&q=\xed\xa0\x80", "%ff=%00"):
        answer = client.get(path, environ_overrides={"QUERY_STRING": query})
        assert answer.status_code == (404 if path in ("/en/m/x", "/nothing") else 200)
        sent = {"seq": "0", "form_key": "k"}
        override = {"QUERY_STRING": query}
        assert client.post(f"/en/m/{id}/undo", data=sent, environ_overrides=override).status_code == 303


@pytest.mark.parametrize("path", ["/", "/pl/", "/m/abc", "/nothing", "/static/icon.svg", "/api/rule"])
def test_a_host_that_is_no_name(client: Browser, path: str) -> None:
    """A request under a name that cannot be one is refused on a page of ours, in the reader's language."""
    for host in ("a..b", "x" * 70, "xn--zz", "a b", "a,b", "ä.example", "a\x00", "[::1"):
        environ = create_environ(path, environ_overrides={"HTTP_HOST": host})
        body, status, _headers = run_wsgi_app(
            client.application, environ
        )  # a test's browser reads names itself
        assert status.startswith("400 "), host
        assert ("pod inną nazwą" if path == "/pl/" else "another name") in b"".join(body).decode(), host
    assert client.get("/en/", environ_overrides={"HTTP_HOST": "[::1]:5000"}).status_code == 200


@pytest.mark.parametrize("named", [["skat.example", ".club.example"], "skat.example, .club.example"])
def test_only_the_hosts_that_were_named(make_app: Callable[..., Flask], named: object) -> None:
    """Where the site's names are set, no other is answered to."""
    client = make_app(TRUSTED_HOSTS=named).test_client()
    for host, status in (("skat.example", 200), ("a.club.example:80", 200), ("elsewhere.example", 400)):
        answer = client.get("/en/", environ_overrides={"HTTP_HOST": host})
        assert answer.status_code == status
    assert "another name" in words(answer)


def test_a_line_break_in_an_address_begins_no_line_of_the_log(
    make_app: Callable[..., Flask], caplog: pytest.LogCaptureFixture
) -> None:
    """What is logged of a request stays on its line."""
    app = make_app()

    @app.get("/en/broken/<rest>")
    def broken(rest: str) -> str:
        raise RuntimeError

    assert app.test_client().get("/en/broken/x%0d%0aERROR%20forged%1b[2J").status_code == 500
    [record] = [record for record in caplog.records if record.exc_info]
    assert record.getMessage() == r"GET '/en/broken/x\r\nERROR forged\x1b[2J'"


def test_the_first_page_is_light(client: Browser) -> None:
    """The front page and all it needs stay under 60 KB, as they are and uncompressed."""
    page = client.get("/en/")
    needed = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
    assert len(needed) >= 4
    sizes = {}
    for address in needed:
        with client.get(address) as answer:
            sizes[address] = len(answer.data)
    assert len(page.data) + sum(sizes.values()) < 60_000, sizes
    assert len(gzip.compress(page.data)) < 8_000


def test_every_page_is_there(app: Flask) -> None:
    """All modules named as bringing pages bring one."""
    all_pages = (*PAGES, *SERVER_PAGES)
    brought = {import_module(f"companion.web.{page}").bp for page in all_pages}
    assert brought <= set(app.blueprints.values())
    assert len(brought) == len(all_pages)


def test_all_templates_can_be_read(app: Flask) -> None:
    """No template has a mistake in its form."""
    for name in app.jinja_env.list_templates(extensions=["html"]):
        app.jinja_env.get_template(name)
