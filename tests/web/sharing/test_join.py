"""Joining by a link: asked first, used once, and what there is to say when it cannot be."""

import gzip
import re
from collections.abc import Callable

import pytest
from flask import Flask

from companion.web.shell.monitoring import describe_browser
from companion.web.shell.security.browser import COOKIE
from tests.web.browsers import Browser, words
from tests.web.sharing.phones import invite, join

Start = Callable[..., str]

PIXEL = "Mozilla/5.0 (Linux; Android 14; Pixel 5) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile/15E148 Safari/604.1"
WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0"


def test_the_code_leads_to_a_question_in_the_readers_language(client: Browser, other: Browser) -> None:
    """The address in the code has no language; the page asks whether to join, as whom."""
    id = client.start()
    path = invite(client, id)
    answer = other.get(path, headers={"Accept-Language": "pl"})
    assert (answer.status_code, answer.location) == (302, f"/pl{path}")
    assert "Join Ewa – Jan as Jan ’s phone?" in other.read(f"/en{path}")
    assert "Dołączyć do partii Ewa – Jan jako telefon strony Jan ?" in other.read(answer.location)


def test_opening_a_link_changes_nothing(client: Browser, other: Browser, app: Flask) -> None:
    """What looks at addresses by itself uses nothing up."""
    id = client.start()
    path = invite(client, id)
    for _time in range(3):
        assert app.test_client().get(f"/en{path}").status_code == 200
        assert other.get(f"/en{path}").status_code == 200
    assert "Continue the match" not in other.get("/en/").text
    assert join(other, path).location == f"/en/m/{id}"
    assert "This phone takes part already." in other.read(f"/en{path}")


@pytest.mark.parametrize(
    ("as_what", "said", "listed"),
    [
        ("opponent:B", "This phone speaks for Jan", "opponent ( Jan )"),
        ("pencil", "This phone has the pencil", "you have the pencil"),
        ("spectator", "This phone is watching", "you are watching"),
    ],
)
def test_who_joined_has_the_match_in_the_own_list(
    client: Browser, other: Browser, as_what: str, said: str, listed: str
) -> None:
    """The board says what the phone is, and the front page goes on with the match."""
    id = client.start()
    answer = join(other, invite(client, id, as_what))
    assert (answer.status_code, answer.location) == (303, f"/en/m/{id}")
    assert said in other.read(answer.location)
    front = other.get("/en/")
    assert "Continue the match" in words(front) and listed in words(front)
    assert "the browser of this test" not in front.text
    assert other.get("/en/resume").location == f"/en/m/{id}"


def test_an_own_match_is_listed_as_before(client: Browser) -> None:
    """Nothing is said of the phone on which a match began."""
    client.start()
    front = client.read("/en/")
    assert "Continue the match" in front
    assert [item for item in ("opponent (", "you are watching", "you have the pencil") if item in front] == []


def test_links_that_are_no_good_are_all_answered_alike(client: Browser, other: Browser, app: Flask) -> None:
    """Revoked, used up, or none at all: one page, which says what to do, opened or sent."""
    id = client.start()
    used, revoked = invite(client, id), invite(client, id, "pencil")
    join(other, used)
    links = re.findall(r"/phones/links/[\w-]+/revoke", client.get(f"/en/m/{id}/phones").text)
    client.post(f"/en/m/{id}{links[0]}")
    answers = []
    for path in (used, revoked, "/join/nothing", "/join/%00%ff"):
        stranger = app.test_client()
        for answer in (stranger.get(f"/en{path}"), stranger.post(f"/en{path}")):
            assert answer.status_code == 404
            answers.append(words(answer))
    assert len(set(answers)) == 1
    assert "This link can no longer be used" in answers[0]
    assert "Ask whoever keeps the score for a new one." in answers[0]
    assert "Ewa" not in answers[0]


def test_the_owners_own_phone_uses_nothing_up(client: Browser, other: Browser) -> None:
    """Who opens an own link is told, and joins nothing."""
    id = client.start()
    path = invite(client, id)
    assert "This match began on this phone" in client.read(f"/en{path}")
    assert client.post(f"/en{path}").location == f"/en/m/{id}"
    assert join(other, path).status_code == 303
    assert "Record deal" in client.read(f"/en/m/{id}")


def test_a_second_link_adds_to_what_a_phone_may(client: Browser, other: Browser) -> None:
    """An opponent’s phone that opens the link of a pencil is asked, and has both."""
    id = client.start()
    join(other, invite(client, id))
    path = invite(client, id, "pencil")
    assert "Join Ewa – Jan as a second pencil?" in other.read(f"/en{path}")
    assert join(other, path).status_code == 303
    assert "This phone has the pencil for Jan" in other.read(f"/en/m/{id}")


def test_without_cookies_nobody_joins(client: Browser, app: Flask) -> None:
    """The link is not used up, and the page says what is missing."""
    path = invite(client, client.start())
    stranger = app.test_client(use_cookies=False)
    assert stranger.get(f"/en{path}").status_code == 200
    answer = stranger.post(f"/en{path}")
    assert answer.status_code == 400
    assert "This browser sent no cookie" in words(answer)
    assert app.test_client().get(f"/en{path}").status_code == 200


def test_a_cookie_that_cannot_be_read(client: Browser, app: Flask) -> None:
    """Nothing is given away: one begins anew and joins in one tap; the old cookie is kept beside."""
    id = client.start()
    path = invite(client, id)
    phone = app.test_client()
    phone.set_cookie(COOKIE, "token.signed-by-a-lost-key", path="/")
    asked = phone.get(f"/en{path}")
    assert "This browser cannot be recognised." in words(asked)
    assert "Start over and join" in words(asked)
    assert phone.post(f"/en{path}").status_code == 403
    answer = phone.post(f"/en{path}", data={"browser": "anew"})
    assert answer.location == f"/en/m/{id}"
    assert "This phone speaks for Jan" in words(phone.get(answer.location))
    assert phone.get_cookie("companion-browser-kept") is not None


def test_the_page_that_asks_is_kept_nowhere(client: Browser, other: Browser) -> None:
    """It holds names, and a secret in its address."""
    answer = other.get(f"/en{invite(client, client.start())}")
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert "X-Keep" not in answer.headers
    assert answer.headers["Referrer-Policy"] == "same-origin"


def test_a_joined_phone_loads_little(client: Browser, app: Flask) -> None:
    """The question, the board after it, and all that both need come to less than 60 KB as they are sent."""
    path = invite(client, client.start())
    phone = app.test_client()
    loaded: dict[str, int] = {}
    left = [f"/en{path}"]
    for first in (True, False):
        while left:
            address = left.pop()
            if address in loaded:
                continue
            with phone.get(address) as answer:
                assert answer.status_code == 200, address
                text = answer.get_data(as_text=True)
                loaded[address] = len(gzip.compress(answer.data, mtime=0))
            left += re.findall(r'(?:<script [^>]*src|<link rel="(?:icon|stylesheet)" href)="([^"]+)"', text)
            if address.endswith(".js"):
                left += [
                    f"{address.rsplit('/', 1)[0]}/{name}"
                    for name in re.findall(r'(?:from|import) "\./([^"]+)"', text)
                ]
        if first:
            left.append(phone.post(f"/en{path}").location)
    assert any(item.endswith("outbox.js") for item in loaded) and any("/m/" in item for item in loaded)
    assert sum(loaded.values()) < 60_000, loaded


@pytest.mark.parametrize(
    ("user_agent", "said"),
    [
        (PIXEL, "Android, Chrome"),
        (IPHONE, "iPhone, Safari"),
        (WINDOWS, "Windows, Firefox"),
        (IPHONE.replace("Version/17.0", "CriOS/130.0"), "iPhone, Chrome"),
        (PIXEL.replace("Safari/537.36", "Safari/537.36 EdgA/130.0"), "Android, Edge"),
        (PIXEL.replace("Chrome/", "SamsungBrowser/27.0 Chrome/"), "Android, Samsung Internet"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/17.0 Safari/605.1.15", "Mac, Safari"),
        ("curl/8.5.0", ""),
        ("", ""),
        ("\x00<script>" + "Android" * 9999, "Android"),
    ],
)
def test_kinds_of_phones(user_agent: str, said: str) -> None:
    """As many words as are known to be true, never more than the store has room for."""
    assert describe_browser(user_agent) == said
    assert len(describe_browser(user_agent)) <= 80
