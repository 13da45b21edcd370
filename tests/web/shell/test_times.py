"""Days and times of the clock, as each language writes them."""

from datetime import UTC, datetime, tzinfo

import pytest
from flask import Flask

from companion.web.shell import text
from companion.web.shell.text import clock, day
from companion.web.shell.zone import phone_zone
from tests.web.browsers import Browser

OLD = "2026-01-05T09:42:07"
WRITTEN = {
    "en": ("5 Jan 2026", "5 Jan 2026, 09:42"),
    "pl": ("5 sty 2026", "5 sty 2026, 09:42"),
    "ru": ("5 янв. 2026 г.", "5 янв. 2026 г., 09:42"),
    "uk": ("5 січ. 2026 р.", "5 січ. 2026 р., 09:42"),
    "cs": ("5. 1. 2026", "5. 1. 2026 9:42"),
    "de": ("05.01.2026", "05.01.2026, 09:42"),
}


@pytest.mark.parametrize("language", WRITTEN)
def test_moments_are_written_as_the_language_does(app: Flask, language: str) -> None:
    """The day before the time, in the order and with the signs of the language."""
    with app.test_request_context(f"/{language}/"):
        said = tuple(text.replace("\u202f", " ").replace("\u00a0", " ") for text in (day(OLD), clock(OLD)))
    assert said == WRITTEN[language]


class LateEvening(datetime):
    """The clock of a server just before midnight, in UTC."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> "LateEvening":
        """Always the same."""
        return cls(2026, 11, 22, 23, 50, tzinfo=UTC).astimezone(tz)


@pytest.mark.parametrize(
    ("zone", "at", "shown", "whole", "date"),
    [
        ("UTC", "2026-11-22T23:46:00+00:00", "23:46", "22 Nov 2026, 23:46", "22 Nov 2026"),
        ("Europe/Warsaw", "2026-11-22T23:46:00+00:00", "00:46", "23 Nov 2026, 00:46", "23 Nov 2026"),
        ("Europe/Warsaw", "2026-11-22T22:46:00+00:00", *["22 Nov 2026, 23:46"] * 2, "22 Nov 2026"),
        ("Europe/Warsaw", "2026-07-05T21:46:00.000+00:00", *["5 Jul 2026, 23:46"] * 2, "5 Jul 2026"),
        ("America/St_Johns", "2026-11-23T00:46:00+01:00", "20:16", "22 Nov 2026, 20:16", "22 Nov 2026"),
    ],
)
def test_times_are_those_of_the_phone(
    app: Flask, monkeypatch: pytest.MonkeyPatch, zone: str, at: str, shown: str, whole: str, date: str
) -> None:
    """Today has the time alone, by the phone's midnight; scripts read the moment itself."""
    monkeypatch.setattr(text, "datetime", LateEvening)
    with app.test_request_context("/en/", headers={"Cookie": f"zone={zone}"}):
        said = [clock(at), clock(at, whole=True), day(at)]
    forms = zip(("clock", "whole", "day"), (shown, whole, date), strict=True)
    assert said == [f'<time datetime="{at}" data-form="{form}">{words}</time>' for form, words in forms]


@pytest.mark.parametrize(
    "name", ["", "Mars/Base", "../../etc/passwd", "Europe", "/etc/localtime", "Europe/Warsaw\x00", "A" * 5000]
)
def test_a_zone_that_is_none_is_none(app: Flask, name: str) -> None:
    """Whatever a cookie says: then it is the server's."""
    with app.test_request_context("/en/", environ_overrides={"HTTP_COOKIE": f"zone={name}"}):
        assert phone_zone() is None


def test_whose_times_they_are_is_said_where_no_script_is(
    client: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a phone that told its zone, and on a page without a time, nothing is said of it."""
    monkeypatch.setattr("companion.web.shell.text.name_server_zone", lambda: "CET")
    said = "Times are in the time zone of the server (CET)."
    history = f"/en/m/{client.start()}/history"
    assert said in client.read(history)
    assert said not in client.read("/en/questions")
    client.set_cookie("zone", "Europe/Warsaw")
    assert said not in client.read(history)


def test_what_is_no_moment_stays(app: Flask) -> None:
    """A record may have anything there, and a day is a day in every zone."""
    with app.test_request_context("/de/"):
        assert (clock("once"), day("once")) == ("once", "once")
        assert clock("0001-01-01T00:00:00+23:00") == "0001-01-01T00:00:00+23:00"
