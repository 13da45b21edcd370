"""A phone's own Python is another one, newer and of another width; it comes to the same: a sample of that.

`python -m tests.nightly.offline` compares all cases, all matches that were played, and all pages.
"""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.nightly.offline.chromium import Phone, start_phone
from tests.nightly.offline.judging import judge, list_work
from tests.unit.offline_app.parity.apps import TESTS
from tests.unit.offline_app.parity.comparing import ServerWalks, compare

_EVERY = 25
"""Of so many cases one is judged here."""


@pytest.fixture(scope="module")
def phone(browser: Browser, app_files: None) -> Iterator[Phone]:
    """A phone whose clocks show the time of Greenwich."""
    with start_phone(browser, "UTC") as started:
        yield started


def test_the_rules_come_to_the_same(phone: Phone) -> None:
    """Rulings, folds and matches, to the letter and in the same order."""
    work = list_work(TESTS, _EVERY)
    assert len(work) > 80
    here = judge(work, 0, len(work))
    assert phone.judge(_EVERY, 0, len(work)) == here


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerWalks]:
    """A server where the phone is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        server = ServerWalks(tmp_path_factory.mktemp("server"))
        yield server
        server.close()
    time.tzset()


@pytest.mark.parametrize(
    "section",
    [
        "begin, pl",
        "derda, 2 players, standard, en",
        "durak, 4 players, perevodnoy, uk",
        "questions of deberts, ru",
        "rules, cs",
        "addresses",
    ],
)
def test_pages_are_the_same(phone: Phone, server: ServerWalks, section: str) -> None:
    """Of matches, with what is wrong in them, questions and rulebooks: the HTML of the server."""
    seen = compare(server.walk(section, short=True), phone.walk(section, short=True))
    assert seen.differences == ()
    assert seen.pages > 20
