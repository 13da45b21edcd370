"""The identity of a browser: a random token in its own cookie, hidden from scripts. There is no account.

The cookie is signed, but without a time, so that no wrong clock takes a match away. A cookie that cannot be
read (another key signed it, or a part is missing) may still be an owner's: it stays until its browser begins
again, and is archived beside the new one after that; if it can be read again, it is valid again.

It also names the generation of its owner. Renewing the identity on one phone begins a new generation; cookies
of earlier ones are signed out, and their phones need a code or recovery words to get in again.

Browsers accept a name that begins with `__Host-` only from this very host, by HTTPS, for all of its paths; so
the name contains the path below which the app is. A cookie from before the host turned to HTTPS is read as
well, and deleted once the browser has the other one.
"""

import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from flask import Flask, Response, current_app, g, has_app_context, request
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface, SessionMixin
from flask.wrappers import Request
from itsdangerous import BadSignature, Signer
from werkzeug.wrappers import Response as AnyResponse

from companion.matches import Identities, RenewedMeanwhile
from companion.store import StoreUnavailable
from companion.web.shell.hosts import current_host

from .headers import is_background
from .rate_limits import count_toward_limit

COOKIE, ARCHIVED = "companion-browser", "companion-browser-kept"
_LONGEST = 3800
"""The bytes of a cookie that browsers surely store; ours have a tenth of it."""


class UnknownBrowser(PermissionError):
    """The browser's cookie cannot be read or was signed out, and it has not chosen to begin again."""


@dataclass
class BrowserIdentity:
    """The identity in a request's cookies: `value` is the cookie as sent, `token` the token read from it.

    `archived_value` and `archived_token` are those of a cookie that was archived. `signed_out` is the owner
    whose cookie of an earlier generation was sent. While the store cannot say which generation is the newest,
    `unknown` is the reason, and the browser has no identity.
    """

    value: str = ""
    token: str | None = None
    archived_value: str = ""
    archived_token: str | None = None
    generation: int = 0
    archived_generation: int = 0
    signed_out: str | None = None
    unknown: StoreUnavailable | None = None
    changed: set[str] = field(default_factory=set)
    from_cookies: bool = False
    """True if read from cookies. No other is sent as one: a program's token would give away its owner."""

    @property
    def is_unreadable(self) -> bool:
        """True if there is a cookie that could be an owner's, but gives no identity as it stands."""
        return bool(self.value) and self.token is None and self.unknown is None


class Sessions(SecureCookieSessionInterface):
    """Sessions whose cookie is also for HTTPS alone, under another name, if the page came by HTTPS."""

    def get_cookie_name(self, app: Flask) -> str:
        """The name of the cookie."""
        return cookie_name(super().get_cookie_name(app))

    def get_cookie_path(self, app: Flask) -> str:
        """The path of the cookie."""
        return cookie_path()

    def get_cookie_secure(self, app: Flask) -> bool:
        """True if the cookie is for HTTPS alone."""
        return request.is_secure

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Open the session of a request, also of a browser that came without HTTPS before."""
        found = super().open_session(app, request)
        name = super().get_cookie_name(app)
        if found is None or not is_carried_over(name):
            return found
        serializer = self.get_signing_serializer(app)
        age = int(app.permanent_session_lifetime.total_seconds())
        with suppress(BadSignature):
            found.update(serializer.loads(read_cookie(name), max_age=age) if serializer else {})
        return found

    def save_session(self, app: Flask, session: SessionMixin, response: Response) -> None:
        """Save the session; of two cookies the browser keeps the one for HTTPS."""
        super().save_session(app, session, response)
        name = super().get_cookie_name(app)
        if not is_carried_over(name):
            forget_former_cookie(response, name)


def init_app(app: Flask) -> None:
    """Read the cookies when they are asked for, and send them along with pages; templates get `browser`."""
    app.session_interface = Sessions()
    app.after_request(_send_cookies)
    app.context_processor(lambda: {"browser": identity()})


def identity() -> BrowserIdentity:
    """The identity of the browser that asks, as far as it is known."""
    if "browser" not in g:
        g.browser = _read_cookies()
    found: BrowserIdentity = g.browser
    return found


def known_token() -> str | None:
    """This browser's token, if it has one that can be read and was not signed out.

    :raises StoreUnavailable: if that cannot be found out now.
    """
    who = identity()
    if who.unknown is not None:
        raise who.unknown
    return who.token


def token() -> str:
    """This browser's token; created when it is first shown a form that begins something.

    :raises UnknownBrowser: if it has one that cannot be read or was signed out.
    :raises TooOften: after too many new ones from one network.
    :raises StoreUnavailable: like `known_token`.
    """
    known, who = known_token(), identity()
    if known is not None:
        return known
    if who.is_unreadable:
        raise UnknownBrowser
    count_toward_limit("identities")
    who.token = secrets.token_urlsafe(16)
    who.changed.add(COOKIE)
    return who.token


def mark() -> str:
    """The mark by which a phone's scripts know this browser; it does not reveal the token.

    It stays the same while the store is unavailable: a phone deletes the pages of another browser.
    """
    who = identity()
    found = who.token if who.unknown is None else (_read_value(who.value) or (None, 0))[0]
    return mark_of(found) if found else "nobody"


def mark_of(token: str) -> str:
    """The mark of the browser with this token; in the offline app a token is such a mark already."""
    if has_app_context() and current_host().is_phone:
        return token
    return sha256(f"mark:{token}".encode()).hexdigest()[:12]


def begin_again() -> None:
    """Archive the cookie that cannot be read, and go on as a new browser; one signed out is dropped."""
    who = identity()
    if who.is_unreadable:
        if who.signed_out is None:
            who.archived_value, who.archived_token = who.value, None
        who.value, who.token, who.generation, who.signed_out = "", secrets.token_urlsafe(16), 0, None
        who.changed |= {COOKIE, ARCHIVED}


def restore_archived() -> None:
    """Restore the archived identity, if it can be read; the present one is archived."""
    who = identity()
    if who.archived_token is not None:
        who.value, who.archived_value = who.archived_value, who.value
        who.token, who.archived_token = who.archived_token, who.token
        who.generation, who.archived_generation = who.archived_generation, who.generation
        who.changed |= {COOKIE, ARCHIVED}


def renew(form_key: str) -> None:
    """Sign out all other browsers of this owner, its programs' tokens, and its codes and words on paper.

    :raises UnknownBrowser: if this browser has no identity, or was signed out by another form than this.
    """
    known_token()
    who = identity()
    owner = who.token or who.signed_out
    if owner is None:
        raise UnknownBrowser
    try:
        who.generation = _identities().renew(owner, who.generation, form_key)
    except RenewedMeanwhile:
        raise UnknownBrowser from None
    who.token, who.signed_out = owner, None
    who.changed.add(COOKIE)


def make_anonymous() -> None:
    """Answer this request without an identity; no cookie is sent."""
    g.browser = BrowserIdentity()


def act_as(owner: str) -> None:
    """Answer this request for the owner who gave a program a token; no cookie is sent."""
    g.browser = BrowserIdentity(token=owner)


def has_room(owner: str, keeps_archived: bool) -> bool:
    """True if the present identity can be archived for that of another owner; one signed out need not be.

    With `keeps_archived` the one that was archived before must not be lost. One that cannot be read may be
    anybody's, and is never lost.
    """
    who = identity()
    is_taken = bool(who.archived_value) and (who.archived_token is None or keeps_archived)
    return not is_taken or who.archived_token == owner


def newest_generation(owner: str) -> int:
    """The current generation of this owner, which its cookies must name."""
    return _identities().generations([owner])[owner]


def adopt_identity(owner: str, generation: int, keeps: bool) -> None:
    """Adopt the identity of this owner; the present one is archived if it `keeps` anything.

    :param generation: that of the code or words used; once it has ended, so has this browser's identity.
    """
    who = identity()
    if keeps:
        who.archived_value, who.archived_token = who.value, who.token
        who.archived_generation = who.generation
    elif who.archived_token == owner:
        who.archived_value, who.archived_token = "", None
    who.value, who.token, who.signed_out = "", owner, None
    who.generation = generation
    who.changed |= {COOKIE, ARCHIVED}


def sign(token: str, generation: int = 0) -> str:
    """The signed cookie of a token; the first generation is not written, as before there were others."""
    return _signer().sign(f"{token}{_GENERATION}{generation}" if generation else token).decode()


def _read_cookies() -> BrowserIdentity:
    who = _read_signed_cookies()
    if current_host().is_phone:
        return who  # the phone's own, checked by the server
    try:
        newest = _identities().generations([each for each in (who.token, who.archived_token) if each])
        if who.token is not None and who.generation > newest[who.token]:
            _identities().catch_up(who.token, who.generation)
    except StoreUnavailable as error:
        return BrowserIdentity(who.value, None, who.archived_value, None, unknown=error, from_cookies=True)
    if who.token is not None and who.generation < newest[who.token]:
        who.signed_out, who.token = who.token, None
    if who.archived_token is not None and who.archived_generation < newest[who.archived_token]:
        who.archived_value, who.archived_token = "", None
        if not is_background():
            who.changed.add(ARCHIVED)
    return who


def _identities() -> Identities:
    found: Identities = current_app.extensions["matches"].identities
    return found


def _read_signed_cookies() -> BrowserIdentity:
    """Read the cookies, whether they are still valid or not."""
    values = [read_cookie(name) for name in (COOKIE, ARCHIVED)]
    (token, generation), (archived, archived_generation) = (_read_value(value) or _NOBODY for value in values)
    who = BrowserIdentity(values[0], token, values[1], archived, generation, archived_generation)
    who.from_cookies = True
    if not is_background():
        who.changed |= {name for name in (COOKIE, ARCHIVED) if is_carried_over(name)}
    if not who.value:
        earlier = read_cookie(current_app.config["SESSION_COOKIE_NAME"])
        if _may_name_owner(earlier):
            # An old cookie: the token was part of the session.
            who.value = earlier
            who.token, who.generation = _read_value(earlier) or _NOBODY
            who.changed.add(COOKIE)
    elif request.is_secure and not who.archived_value:
        former = request.cookies.get(COOKIE, "")
        token, generation = _read_value(former) or _NOBODY
        if token is not None and token != who.token:
            # It had another identity while it came without HTTPS.
            who.archived_value, who.archived_token = former, token
            who.archived_generation = generation
            who.changed.add(ARCHIVED)
    return who


_GENERATION = "~"
"""The separator of a token and its generation; no token of ours contains it."""
_NOBODY = (None, 0)


def _read_value(value: str) -> tuple[str, int] | None:
    """The token and generation of a cookie of ours, or of an old session; None if it cannot be read."""
    if not value:
        return None
    try:
        token, _between, generation = _signer().unsign(value).decode("ascii").partition(_GENERATION)
        return token, int(generation or 0)
    except (BadSignature, ValueError):
        pass
    try:
        owner = _session_serializer().loads(value)["owner"]  # whatever time it was signed at
    except (BadSignature, LookupError, TypeError):
        return None
    return (owner, 0) if isinstance(owner, str) else None


def _may_name_owner(session: str) -> bool:
    """True if a session's cookie holds a token, or cannot be read well enough to tell."""
    if not session:
        return False
    _valid, content = _session_serializer().loads_unsafe(session)
    return not isinstance(content, dict) or "owner" in content


def _keys() -> list[Any]:
    return [*(current_app.config["SECRET_KEY_FALLBACKS"] or ()), current_app.config["SECRET_KEY"]]


def _signer() -> Signer:
    return Signer(_keys(), salt=COOKIE, key_derivation="hmac", digest_method=sha256)


def _session_serializer() -> Any:
    sessions = current_app.session_interface
    assert isinstance(sessions, SecureCookieSessionInterface)
    return sessions.get_signing_serializer(current_app)


def _send_cookies(response: Response) -> Response:
    """Send changed cookies; with a page also those that can be read, for browsers forget them some day."""
    who: BrowserIdentity | None = g.get("browser")
    if who is None or not who.from_cookies:
        return response
    response.vary.add("Cookie")
    # An answer in the background may be late, and name an identity that the browser no longer has.
    is_page = response.mimetype == "text/html" and not is_background()
    cookies = (
        (COOKIE, who.value, who.token, who.generation),
        (ARCHIVED, who.archived_value, who.archived_token, who.archived_generation),
    )
    for name, value, token, generation in cookies:
        if name in who.changed or (is_page and token is not None):
            content = value if token is None else sign(token, generation)
            if len(content) <= _LONGEST:
                send_cookie(response, name, content)
    _forget_former(response, who)
    return response


def _forget_former(response: Response, who: BrowserIdentity) -> None:
    """Delete cookies from before the host turned to HTTPS, if the browser has them under the new name."""
    if not request.is_secure or not request.cookies.keys() & {COOKIE, ARCHIVED}:
        return
    sent = {_read_value(request.cookies.get(cookie_name(name), "")) for name in (COOKIE, ARCHIVED)} - {None}
    for name in (COOKIE, ARCHIVED):
        if name not in who.changed and _read_value(request.cookies.get(name, "")) in sent:
            forget_former_cookie(response, name)


FOREVER = 400 * 24 * 3600
"""Seconds; browsers keep no cookie for longer."""


def cookie_name(name: str) -> str:
    """The name of the cookie in the current request."""
    return f"__Host-{name}{request.script_root.replace('/', '.')}" if request.is_secure else name


def cookie_path() -> str:
    """The path of the host that the cookie is for."""
    return "/" if request.is_secure else request.script_root or "/"


def read_cookie(name: str) -> str:
    """The value of the cookie, or of the one from before HTTPS; empty without either."""
    return request.cookies.get(cookie_name(name)) or request.cookies.get(name, "")


def is_carried_over(name: str) -> bool:
    """True if the browser has only the cookie from before HTTPS."""
    return request.is_secure and bool(request.cookies.get(name)) and cookie_name(name) not in request.cookies


def send_cookie(response: AnyResponse, name: str, value: str) -> None:
    """Send a cookie, to be stored as long as browsers do; an empty value deletes it."""
    attributes: dict[str, Any] = {"httponly": True, "samesite": "Lax", "secure": request.is_secure}
    response.set_cookie(
        cookie_name(name), value, max_age=FOREVER if value else 0, path=cookie_path(), **attributes
    )


def forget_cookie(response: AnyResponse, name: str) -> None:
    """Delete the cookie, and the one from before HTTPS."""
    response.delete_cookie(
        cookie_name(name), path=cookie_path(), secure=request.is_secure, httponly=True, samesite="Lax"
    )
    forget_former_cookie(response, name)


def forget_former_cookie(response: AnyResponse, name: str) -> None:
    """Delete the cookie from before the host turned to HTTPS."""
    if request.is_secure and name in request.cookies:
        response.delete_cookie(name, path=request.script_root or "/", httponly=True, samesite="Lax")
