"""Times on pages, in the page's language and by the server's clock."""

from datetime import datetime
from typing import Any

from babel import Locale
from babel.dates import format_date, format_time
from flask import Flask

from companion.sheets.names import find_locale

from .language import current_language


def init_app(app: Flask) -> None:
    """Give templates the filters `clock` and `day`."""
    app.add_template_filter(clock, "clock")
    app.add_template_filter(day, "day")


def clock(at: str, whole: bool = False) -> str:
    """A moment (ISO 8601): the time alone when it is today, unless it is wanted `whole`."""
    moment = _moment(at)
    if moment is None:
        return at
    where = _locale()
    time = format_time(moment.time(), "short", locale=where)
    if not whole and moment.date() == datetime.now(moment.tzinfo).date():
        return time
    return str(where.datetime_formats["medium"]).format(time, _format_day(moment, where))


def day(at: str) -> str:
    """The day of a moment (ISO 8601)."""
    moment = _moment(at)
    return at if moment is None else _format_day(moment, _locale())


def _format_day(moment: datetime, where: Locale) -> str:
    return format_date(moment.date(), "medium", locale=where)


def _locale() -> Locale:
    return find_locale(current_language())


def _moment(at: Any) -> datetime | None:
    try:
        return datetime.fromisoformat(at).astimezone()
    except (TypeError, ValueError):
        return None
