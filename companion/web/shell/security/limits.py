"""Limits on how often one browser, and one network, may do what costs others something.

Each allowance has its figures for one browser identity and, much wider, for one address: behind one a whole
club may sit with 200 phones, and it limits a browser that throws its cookie away. The reasons for the figures
are beside them. Above a limit the answer is 429, which says what is limited, to how many, and until when.
"""

import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from math import ceil
from typing import Any

from flask import Flask, Response, current_app, g, request
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from flask_babel import ngettext

from companion.rules.message import Message
from companion.store import CannotStart
from companion.web.shell.errors import TooOften

from . import browser
from .counts import Counts
from .rate_limits import HEAVY

_AUDITS = {"audit.amend", "audit.draft", "audit.entry", "audit.save"}
_FILES = {"exporting", "importing"}
_LINKS = {"tokens.make", "moving.make_code", "moving.make_words", "phones.make_link"}
_MATCHES = {"giving.take", "new.start", "public_api.begin_match", "scoreboard.rematch"}
_REMARKS = {
    "public_api.agree",
    "public_api.object_to",
    "public_api.withdraw_objection",
    "remarks.agree",
    "remarks.object_to",
    "remarks.withdraw",
}
_SAVING = {"public_api.save_ruling", "saved_rulings.keep", "saved_rulings.keep_of_match"}
_RULINGS = {"questions.match_question", "questions.question", *_SAVING}
_API = "public_api"
_ASKING = {"api.rule", "public_api.ask", "public_api.save_ruling"}
_WRITING = {"POST", "PUT", "PATCH", "DELETE"}
_HOUR = 60
_LARGEST_FACTOR = 1000


@dataclass(frozen=True)
class Allowance:
    """An allowance: `what` is limited, as pages name it, and `asks`, true for requests of that kind.

    `browser` and `address` are figures for one identity and one network: so many in so many minutes. With
    `counts` only requests with such an answer are counted. A `secret` allowance cannot be switched off, and
    all browsers of a network without an identity share it; only wrong secrets are counted, after they were
    looked up, so that nobody keeps others from using the right one.
    """

    name: str
    what: Any
    asks: Callable[[], bool]
    address: tuple[tuple[int, int], ...]
    browser: tuple[tuple[int, int], ...] = ()
    counts: Callable[[Response], bool] | None = None
    secret: bool = False


def _sends(*endpoints: str) -> Callable[[], bool]:
    return lambda: request.method in _WRITING and request.endpoint in endpoints


def _sends_form() -> bool:
    return request.method in _WRITING and request.endpoint not in {None, *_ASKING}


def _asks_ruling() -> bool:
    return request.endpoint in _ASKING or (request.endpoint in _RULINGS and "asked" in request.args)


def _asks_heavy() -> bool:
    question = (request.view_args or {}).get("question")
    costs = request.endpoint == "replay.replay_entry" and "cost" in request.args
    return costs or request.endpoint in _AUDITS or (question in HEAVY and _asks_ruling())


def _is_done(response: Response) -> bool:
    return response.status_code == 303 or (request.blueprint == _API and response.status_code < 300)


def _is_answered(response: Response) -> bool:
    """True unless it is a page that waits for the answer, and asks again and again."""
    return response.status_code not in (202, 429, 503)


def _is_wrong(response: Response) -> bool:
    if request.blueprint == _API:
        return response.status_code == 401 and "Authorization" in request.headers
    view = current_app.view_functions.get(request.endpoint or "")
    return response.status_code == 404 and getattr(view, "is_guess", False)


ALLOWANCES = (
    Allowance(  # a table begins one every ten minutes; a director begins the 60 of a night from one phone
        "matches",
        _l("New matches"),
        _sends(*_MATCHES),
        browser=((60, 10), (300, 24 * _HOUR)),
        address=((600, 10), (3000, 24 * _HOUR)),
        counts=_is_done,
    ),
    Allowance(  # a table writes one a minute; 60 phones come back at once, each with 100 of its evening
        "writes",
        _l("Entries and other changes"),
        _sends_form,
        browser=((300, 5),),
        address=((6000, 5),),
        counts=_is_done,
    ),
    Allowance(  # a quick thumb taps three times a second, and typing asks for as many previews
        "forms", _l("Taps and forms sent"), _sends_form, browser=((900, 5),), address=((18_000, 5),)
    ),
    Allowance(  # who tries out what the arbiter says asks every five seconds
        "rulings",
        _l("Rulings asked"),
        _asks_ruling,
        browser=((60, 5),),
        address=((1200, 5),),
        counts=_is_answered,
    ),
    Allowance(  # a dispute needs three, and each may keep a processor busy for seconds
        "heavy",
        _l("Claims, counts, audits, costs of cards"),
        _asks_heavy,
        browser=((30, 5),),
        address=((300, 5),),
        counts=_is_answered,
    ),
    Allowance(  # the sheets of a night with 60 tables, from the director's phone
        "prints",
        _l("Sheets for paper"),
        lambda: str(request.url_rule).endswith((".pdf", ".png")),
        browser=((60, 5),),
        address=((600, 5),),
        counts=_is_answered,
    ),
    Allowance(  # an evening is taken along once, and all matches when a phone is changed
        "files",
        _l("Files of matches"),
        lambda: request.method == "POST" and request.blueprint in _FILES,
        browser=((30, 10),),
        address=((300, 10),),
    ),
    Allowance(  # a table needs three, and has a hundred at most
        "links",
        _l("Links and codes made"),
        _sends(*_LINKS),
        browser=((60, 10),),
        address=((600, 10),),
        counts=_is_done,
    ),
    Allowance(  # each side says something of each deal
        "remarks",
        _l("Agreements and objections"),
        _sends(*_REMARKS),
        browser=((60, 10),),
        address=((1200, 10),),
    ),
    Allowance(
        "saved",
        _l("Rulings saved"),
        _sends(*_SAVING),
        browser=((60, 10),),
        address=((600, 10),),
        counts=_is_done,
    ),
    Allowance(  # an evening has a hundred; a phone may come back after ten of them
        "arrivals",
        _l("Entries recorded without network"),
        lambda: False,  # no request says how many: `count_toward_limit` counts them
        browser=((1500, 10), (6000, 24 * _HOUR)),
        address=((15_000, 10), (60_000, 24 * _HOUR)),
    ),
    Allowance(  # a phone asks when it is opened, when the network is back, and after each delivery
        "news",
        _l("News for phones"),
        lambda: request.endpoint == "offline_api.send_news",
        browser=((300, 5),),
        address=((6000, 5),),
    ),
    Allowance(  # a club of 200 phones, with a private window or two each
        "identities",
        _l("New browsers"),
        lambda: False,  # no request says so: `count_toward_limit` counts them
        address=((600, _HOUR),),
    ),
    Allowance(  # a secret has 77 bits at least: this is for who mistypes, and against noise
        "guesses",
        _l("Wrong links and codes"),
        lambda: False,  # no request says so: `_count_answer` counts them
        browser=((20, 10),),
        address=((100, 10),),
        counts=_is_wrong,
        secret=True,
    ),
)
"""All allowances; docs/hosting/limits.md has the same as a table."""


@dataclass(frozen=True)
class _Limit:
    """One figure of an allowance: the most for one browser or one address in so many minutes."""

    allowance: Allowance
    most: int
    minutes: int
    of_browser: bool

    def applies(self) -> bool:
        """False for the figures of a browser while it has no identity, except for secrets."""
        return not self.of_browser or self.allowance.secret or not _is_nobody()

    def name(self) -> str:
        """The name of the count for the browser or address that asks."""
        who, kind = (_browser(), "browser") if self.of_browser else (_address(), "address")
        return f"{who}/{self.allowance.name}.{kind}/{self.most}/{self.minutes}"

    def add(self, name: str, more: int = 1) -> tuple[int, float]:
        """Add to a count; return it, and when its period ends."""
        counts: Counts = current_app.extensions["counts"]
        return counts.add(name, self.minutes * 60, more)

    def refuse(self, count: int, ends_at: float) -> None:
        """Refuse a count above the most.

        :raises TooOften: with the seconds to wait.
        """
        if count <= self.most:
            return
        wait = max(1, ceil(ends_at - time.time()))
        if self.allowance.secret:
            advice = _("Ask for a new one; the right one works at any time.")
            raise TooOften(_("Too many wrong links or codes"), self._describe_guesses(), advice, wait)
        raise TooOften(_("Too many for now"), self._describe(), _say_wait(wait), wait)

    def _describe(self) -> str:
        said = {"what": self.allowance.what, "n": self.most, "period": _say_period(self.minutes)}
        if self.of_browser:
            return _("%(what)s: at most %(n)d from one browser %(period)s.", **said)
        return _("%(what)s: at most %(n)d from one network %(period)s.", **said)

    def _describe_guesses(self) -> str:
        if self.of_browser:
            return _(
                "This browser has tried many links and codes that cannot be used, and this one cannot either."
            )
        return _(
            "This network has tried many links and codes that cannot be used, and this one cannot either."
        )


def init_app(app: Flask) -> None:
    """Count the requests of this app before they are answered, and its new browsers.

    `LIMITS` is "on", "off", or the number by which figures for one address are multiplied.

    :raises CannotStart: for any other value.
    """
    factor = _read_factor(app.config["LIMITS"])
    app.extensions["limits"] = [
        _Limit(allowance, most if of_browser else int(most * (factor or 1)), minutes, of_browser)
        for allowance in ALLOWANCES
        if factor or allowance.secret
        for of_browser, figures in ((True, allowance.browser), (False, allowance.address))
        for most, minutes in figures
    ]
    app.extensions["counts"] = Counts(app)
    app.extensions["count_toward_limit"] = _count
    app.before_request(_check_request)
    app.after_request(_count_answer)


def _check_request() -> None:
    """Count the request; if its answer decides whether it counts, only compare it with the figures."""
    g.to_count = []
    for limit in current_app.extensions["limits"]:
        if not limit.allowance.asks() or not limit.applies():
            continue
        name = limit.name()
        if limit.allowance.counts is None:
            limit.refuse(*limit.add(name))
        else:
            count, ends_at = current_app.extensions["counts"].find(name)
            limit.refuse(count + 1, ends_at)
            g.to_count.append((limit, name))


def _count_answer(response: Response) -> Response:
    """Count a wrong secret, refusing it after too many, and requests that are counted by their answer."""
    if _is_wrong(response):
        try:
            _count("guesses", 1)
        except TooOften as error:
            response = current_app.make_response(current_app.handle_user_exception(error))
    for limit, name in g.pop("to_count", ()):
        if limit.allowance.counts(response):
            limit.add(name)
    return response


def _count(name: str, more: int) -> None:
    for limit in current_app.extensions["limits"]:
        if limit.allowance.name == name and limit.applies():
            limit.refuse(*limit.add(limit.name(), more))


def _read_factor(setting: Any) -> float:
    """The factor for the figures of one address; 0 without limits."""
    if setting in ("on", "off") or isinstance(setting, bool):
        return int(setting in ("on", True))
    if isinstance(setting, int | float) and 1 <= setting <= _LARGEST_FACTOR:
        return setting
    raise CannotStart(
        Message(
            "COMPANION_LIMITS: must be on, off, or a number from 1 to {most} by which the limits are"
            " multiplied; not {value}",
            most=_LARGEST_FACTOR,
            value=setting,
        )
    )


def _is_nobody() -> bool:
    return browser.identity().token is None


def _browser() -> str:
    """The client that asks: a program by its token, so that it uses up nothing of its owner's."""
    if "api_token" in g:
        return f"token.{g.api_token.id}"
    return _address() if _is_nobody() else browser.mark()


def _address() -> str:
    """The network that asks, hashed so that nobody can read it in the counts; of IPv6 a customer's prefix."""
    text = request.remote_addr or ""
    try:
        found = ip_address(text)
    except ValueError:
        pass
    else:
        if isinstance(found, IPv6Address):
            text = str(found.ipv4_mapped or int(found) >> 64)
    key = str(current_app.config["SECRET_KEY"]).encode()
    return hmac.digest(key, f"address:{text}".encode(), "sha256").hex()[:24]


def _say_period(minutes: int) -> str:
    if minutes % _HOUR == 0:
        return ngettext("within %(num)s hour", "within %(num)s hours", minutes // _HOUR)
    return ngettext("within %(num)s minute", "within %(num)s minutes", minutes)


def _say_wait(seconds: int) -> str:
    """Say when to try again: in seconds, above 90 of them in minutes, likewise in hours; rounded up."""
    if seconds <= 90:
        return ngettext(
            "You can continue in %(num)s second.", "You can continue in %(num)s seconds.", seconds
        )
    minutes = ceil(seconds / 60)
    if minutes <= 90:
        return ngettext(
            "You can continue in %(num)s minute.", "You can continue in %(num)s minutes.", minutes
        )
    hours = ceil(minutes / 60)
    return ngettext("You can continue in %(num)s hour.", "You can continue in %(num)s hours.", hours)
