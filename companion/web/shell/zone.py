"""The zone of the phone that looks: a script of its pages tells it in a cookie. Pages say every time in it.

Without scripts, and in the offline app, it is the zone of the machine that answers.
"""

import re
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from flask import has_request_context, request

COOKIE = "zone"
_NAME = re.compile(r"[A-Z]\w*([/+-]\w+)*", re.ASCII)


def phone_zone() -> ZoneInfo | None:
    """The zone that the phone told; None where it told none that is known here."""
    name = request.cookies.get(COOKIE, "") if has_request_context() else ""
    if len(name) > 60 or not _NAME.fullmatch(name):
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # a part of a name is a folder
        return None


def by_phone(moment: datetime) -> datetime:
    """A moment by the clock of the phone; one without a zone is what somebody's clock said, and stays."""
    return moment.astimezone(phone_zone()) if moment.tzinfo else moment


def name_server_zone() -> str:
    """What the zone of this machine is called, for who reads its times."""
    return datetime.now().astimezone().tzname() or ""
