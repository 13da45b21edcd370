"""One clock on every page, near midnight: that of the phone, or of the machine if no phone names its zone."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.matches import Matches
from companion.web.shell import text
from tests.roles.routes import ROUTES
from tests.roles.world import World
from tests.web.browsers import words

pytestmark = pytest.mark.slow  # a whole world, twice

AT = datetime(2026, 11, 22, 23, 46, tzinfo=UTC)
"""When everything was done and is looked at: in Warsaw 00:46 on the 23rd."""
UTC_WORDS = re.compile(r"\b22 Nov|2026-11-22|23:46")
"""What only the clock of a server in UTC says."""
SHOWN = (
    ("/en/", " · 00:46 "),
    ("/en/", "Derda · 00:46"),
    ("/en/?q=2026-11-23", "Derda · 00:46"),
    ("/en/?q=2026-11-22", "No match found"),
    ("/en/m/<m>/history", "The match was started. 00:46"),
    ("/en/m/<m>/entries/1", "00:46"),
    ("/en/m/<m>/phones", "made 00:46"),
    ("/en/m/<m>/export", "Ewa – Jan · 23 Nov 2026"),
    ("/en/m/<mine>/sheet", "23 November 2026, 00:46 "),
    ("/en/r/<r>", "Given 23 Nov 2026, 00:46"),
    ("/en/put-away", "Derda · 23 Nov 2026"),
    ("/en/bin", "Erased on 23 Dec 2026 ."),
    ("/en/m/<b>/erase", "23 Nov 2026"),
    ("/en/move/words", "There are words, made on 23 Nov 2026 ."),
    ("/en/move/code", "Valid until 00:56 , for one phone."),
    ("/en/export", "companion-2026-11-23.zip"),
    ("/en/export", "00:46"),
)
"""What pages say by the clock in Warsaw."""
NAMED = (
    ("/en/m/<m>/record.json", "derda-2026-11-23-ewa-jan.json"),
    ("/en/m/<m>/table.csv", "derda-2026-11-23-ewa-jan.csv"),
)
"""What files are called there."""


class Now(datetime):
    """The clock of the pages."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "Now":
        """Always the same."""
        return cls.fromtimestamp(AT.timestamp(), tz)


@dataclass
class Table:
    """A world of that moment, and its owner's browser."""

    world: World
    owner: FlaskClient

    def get(self, path: str) -> TestResponse:
        """What the owner is answered; a path has the places of the world."""
        return self.owner.get(self.world.places.fill(path))


@pytest.fixture(scope="module", params=["of the phone", "of the machine"])
def table(request: pytest.FixtureRequest) -> Iterator[Table]:
    """By the clock of a phone that told its zone; or by that of the machine, as the app on a phone does."""
    with pytest.MonkeyPatch.context() as patch:
        names_zone = request.param == "of the phone"
        patch.setenv("TZ", "UTC" if names_zone else "Europe/Warsaw")
        time.tzset()
        patch.setattr(text, "datetime", Now)
        world = World()
        matches: Matches = world.app.extensions["matches"]
        for part in (matches, matches.trash, matches.moves):
            patch.setattr(part, "_now", lambda: AT)
        world.begin()
        owner = world.browser("owner")
        if names_zone:
            owner.set_cookie("zone", "Europe/Warsaw")
        for place in ("hidden", "mine"):
            begun = owner.post("/en/new", data={"name-A": "Ewa", "name-B": "Jan", "dealer": "A"})
            world.places.values[place] = begun.location.rpartition("/")[2]
        for path in ("/en/m/<hidden>/put-away", "/en/move/words", "/en/move/code", "/en/export"):
            assert owner.post(world.places.fill(path)).status_code == 303
        assert "words" in words(owner.get("/en/move/words"))  # they are shown once
        yield Table(world, owner)
        world.close()
    time.tzset()


@pytest.mark.parametrize(("path", "said"), SHOWN, ids=lambda text: text.replace(" ", "-"))
def test_a_page_says_times_by_one_clock(table: Table, path: str, said: str) -> None:
    assert said in words(table.get(path))


@pytest.mark.parametrize(("path", "name"), NAMED)
def test_a_file_is_named_by_that_clock(table: Table, path: str, name: str) -> None:
    assert f'filename="{name}"' in table.get(path).headers["Content-Disposition"]


@pytest.mark.nightly
def test_no_page_says_any_by_another_clock(table: Table) -> None:
    """Of all that there are; their marks have the moments in UTC, for scripts."""
    found = {}
    for route in ROUTES:
        if route.method == "GET":
            answer = table.get(route.path)
            if answer.mimetype == "text/html" and (said := UTC_WORDS.findall(words(answer))):
                found[route.path] = said
            answer.close()
    assert found == {}
