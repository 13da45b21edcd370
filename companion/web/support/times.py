"""Moments on pages, in the page's language and by the server's clock."""

from datetime import datetime
from typing import Any

from flask import Flask
from flask_babel import format_date, format_datetime, format_time


def init_app(app: Flask) -> None:
    """Give templates the filters `clock` and `day`."""
    app.add_template_filter(clock, "clock")
    app.add_template_filter(day, "day")


def clock(at: str, whole: bool = False) -> str:
    """A moment (ISO 8601): the time alone when it is today, unless it is wanted `whole`."""
    moment = _moment(at)
    if moment is None:
        return at
    if not whole and moment.date() == datetime.now(moment.tzinfo).date():
        return str(format_time(moment, "HH:mm", rebase=False))
    return str(format_datetime(moment, "d MMM y, HH:mm", rebase=False))


def day(at: str) -> str:
    """The day of a moment (ISO 8601)."""
    moment = _moment(at)
    return at if moment is None else str(format_date(moment, "d MMM y", rebase=False))


def _moment(at: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(at).astimezone()
    except (TypeError, ValueError):
        return None
