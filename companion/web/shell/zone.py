"""The time zone of the phone: a script stores it in a cookie, and pages show every time in it.

Without scripts, and in the offline app, it is the zone of the machine that answers.
"""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from flask import has_request_context, request

from companion.sheets.common import find_zone

COOKIE = "zone"
_NAME = re.compile(r"[A-Z]\w*([/+-]\w+)*", re.ASCII)


def phone_zone() -> ZoneInfo | None:
    """The zone in the phone's cookie; None without one, or if it is unknown here."""
    name = request.cookies.get(COOKIE, "") if has_request_context() else ""
    return find_zone(name) if len(name) <= 60 and _NAME.fullmatch(name) else None


def move_to_phone_zone(moment: datetime) -> datetime:
    """Convert a moment to the phone's zone; one without a zone is local time already, and stays as it is."""
    return moment.astimezone(phone_zone()) if moment.tzinfo else moment


def name_server_zone() -> str:
    """This machine's zone as its distance from UTC, `UTC+05:30`: its name is not the same everywhere."""
    distance = datetime.now().astimezone().strftime("%z")
    return "UTC" if distance == "+0000" else f"UTC{distance[:3]}:{distance[3:]}"
