"""Nothing that is sent may be of any size: what is too large is refused, with how large it may be."""

import io

import pytest
from flask import Flask
from stores.postgres import ON_SQLITE
from tiers import is_nightly

from companion.web.shell.security.headers import MAX_ADDRESS
from tests.web.browsers import Browser, words

pytestmark = ON_SQLITE

LARGE = ("9" * 5000, "ż" * 2000, "8H " * 3000, "\u0663" * 9)
"""Values that are no number of ours, no name and no list."""
NAMES = ("q", "page", "players", "rule-target", "hand", "entry", "deal", "preset", "since", "asked", "at")
PAGES = ("", "/history", "/deal", "/names", "/more", "/ask", "/ask/count", "/entries/1", "/news", "/sheet")


@pytest.mark.parametrize("where", ["path", "query", "both"])
def test_a_long_address(client: Browser, where: str) -> None:
    """It is not looked at, and the page that says so does not repeat it."""
    address = {
        "path": f"/en/m/{'x' * MAX_ADDRESS}",
        "query": f"/en/ask/derda/play?hand={'8H+' * (MAX_ADDRESS // 3)}",
        "both": f"/en/{'x' * (MAX_ADDRESS // 2)}?{'y' * (MAX_ADDRESS // 2)}",
    }[where]
    answer = client.get(address)
    assert answer.status_code == 414
    assert "This address is too long" in words(answer)
    assert "An address has at most 16 kB" in words(answer)
    assert len(answer.data) < MAX_ADDRESS
    assert "Ten adres jest za długi" in client.read(f"/pl{address[3:]}")


def test_the_longest_address(client: Browser) -> None:
    """One byte less is looked at."""
    begin = "/en/rules?q="
    assert client.get(begin + "x" * (MAX_ADDRESS - len(begin) + 1)).status_code == 200
    assert client.get(begin + "x" * (MAX_ADDRESS - len(begin) + 2)).status_code == 414


def test_a_large_form(client: Browser) -> None:
    """Half a megabyte, however it is sent."""
    path = f"/en/m/{client.start()}/deal"
    for sent in ({"data": {"note": "x" * 500_000}}, {"data": b"x" * 500_001, "content_type": "text/plain"}):
        answer = client.post(path, **sent)
        assert answer.status_code == 413
        assert "At most 500 kB can be sent at once. Nothing was saved." in words(answer)
    polish = client.post(path.replace("/en/", "/pl/"), data={"note": "x" * 500_000})
    assert "Naraz można wysłać najwyżej 500 kB." in words(polish)


def test_a_form_of_many_parts(client: Browser) -> None:
    """A thousand are more than any page of ours has."""
    parts = {f"x{n}": "1" for n in range(1001)}
    answer = client.post(f"/en/m/{client.start()}/deal", data=parts, content_type="multipart/form-data")
    assert answer.status_code == 413
    assert "A form has at most 1000 fields and 500 kB of text." in words(answer)


def test_a_file_where_none_is_asked_for(client: Browser) -> None:
    """It is not kept, and does no harm."""
    sent = {"file": (io.BytesIO(b"x" * 100_000), "x" * 5000), "seq": "0"}
    answer = client.post(f"/en/m/{client.start()}/deal", data=sent, content_type="multipart/form-data")
    assert answer.status_code == 422


@pytest.mark.parametrize("page", PAGES)
def test_what_no_page_has_in_its_address(client: Browser, page: str) -> None:
    """Numbers without end, texts where numbers are: the page says what is wrong, or looks the other way."""
    id = client.start()
    for name in NAMES:
        for value in LARGE if is_nightly() else LARGE[:1]:
            answer = client.get(f"/en/m/{id}{page}", query_string={name: value})
            assert answer.status_code < 500, (name, value[:20])


@pytest.mark.parametrize(
    "page", ["/en/", "/en/rules/derda", "/en/ask/derda/play", "/en/sheets/derda", "/en/new"]
)
def test_the_same_beside_matches(client: Browser, page: str) -> None:
    """The front page, the rules, a question, a sheet, the form of a new match."""
    for name in NAMES:
        for value in LARGE if is_nightly() else LARGE[:1]:
            answer = client.get(page, query_string={name: value})
            assert answer.status_code < 500, (name, value[:20])


def test_a_house_rule_with_thousands_of_digits(client: Browser) -> None:
    """It is said what it may be, as for any other number that is none."""
    for digits in (9, 10, 5000):
        answer = client.get(f"/en/ask/derda/play?rule-target={'9' * digits}")
        assert answer.status_code == 400
        assert "whole number" in words(answer)


def test_numbers_in_paths(client: Browser) -> None:
    """An entry, an objection, a ruling with such a number there is none."""
    id, number = client.start(), "9" * 5000
    assert client.get(f"/en/m/{id}/entries/{number}").status_code == 404
    assert client.post(f"/en/m/{id}/objections/{number}/withdraw", data={"seq": "0"}).status_code in (
        400,
        404,
    )
    assert client.post(f"/en/m/{id}/rulings/{number}/off", data={"seq": "0"}).status_code in (400, 404)


@pytest.mark.parametrize("path", ["deal", "deal/preview", "more/penalty", "more/mistake", "names", "undo"])
def test_what_no_form_has(client: Browser, path: str) -> None:
    """Every field of every form, as long as it can be sent, and as a number without end."""
    id = client.start()
    fields = (
        "bid total_A offer_chip offer_other tricks calls note do seq form_key counting points wrote should"
    )
    fields += " deal held name-A place amount reason"
    for name in fields.split():
        for value in ("9" * 5000, "8H," * 30_000):
            typed = {
                "seq": "0",
                "do": "save",
                "bid": "A:H",
                "counting": "totals",
                "total_A": "82",
                name: value,
            }
            answer = client.post(f"/en/m/{id}/{path}", data=typed)
            assert answer.status_code < 500, (name, value[:20])


@pytest.mark.parametrize(
    "headers",
    [
        {"Cookie": f"companion-browser={'a' * 50_000}; companion={'b' * 9000}"},
        {"Cookie": "; ".join(f"c{n}=1" for n in range(5000))},
        {"Accept-Language": ",".join(f"x{n};q=0.{n}" for n in range(3000))},
        {"If-None-Match": ",".join(f'"{n}"' for n in range(6000))},
        {"X-Seen": "9" * 30_000},
        {"X-Seen": "9" * 5000 + "." + "9" * 5000},
        {"User-Agent": "x" * 60_000},
        {"Range": "bytes=" + ",".join(f"{n}-{n + 1}" for n in range(5000))},
        {"Content-Length": "9" * 5000},
    ],
)
def test_headers(client: Browser, app: Flask, headers: dict[str, str]) -> None:
    """As many as a server lets through: no page breaks by them."""
    id, browser = client.start(), app.test_client()
    for path in ("/", "/en/", "/en/rules", f"/en/m/{id}", f"/en/m/{id}/news?since=0.0", "/static/icon.svg"):
        with browser.get(path, headers=headers) as answer:
            assert answer.status_code < 500, path
