"""Days and times of the clock, as each language writes them."""

from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from companion.web.shell.text import clock, day

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


def test_today_has_the_time_alone(app: Flask) -> None:
    """Unless the day is wanted too; yesterday always has it."""
    now = datetime.now(UTC).astimezone().replace(hour=9, minute=42)
    with app.test_request_context("/cs/"):
        assert clock(now.isoformat()) == "9:42"
        assert clock(now.isoformat(), whole=True) == f"{day(now.isoformat())} 9:42"
        assert clock((now - timedelta(days=1)).isoformat()) != "9:42"


def test_what_is_no_moment_stays(app: Flask) -> None:
    """A record may have anything there."""
    with app.test_request_context("/de/"):
        assert (clock("once"), day("once")) == ("once", "once")
