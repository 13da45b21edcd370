"""Moving to another phone, by a code that it scans or by recovery words: both share one identity then.

And signing out all others, which need such a code or new words to get in again.

Codes and words that were entered stay in the phone's session until they are used: no address but the code's
own holds a secret.
"""

from secrets import token_urlsafe

from flask import Blueprint, Response, flash, redirect, render_template, request, session, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as AnyResponse

from companion.matches import NoSuchMove, UnreadableWords
from companion.matches.sharing.moves import WORDS, is_words
from companion.web.shell.codes import draw_qr_data
from companion.web.shell.errors import say_cookies_needed
from companion.web.shell.forms import fresh_key
from companion.web.shell.matches import matches
from companion.web.shell.security import browser
from companion.web.shell.security.headers import is_background
from companion.web.shell.security.rate_limits import limit_guesses

bp = Blueprint("moving", __name__)

SHOWN, WRITTEN, ENTERED, PHONE = "move-code", "move-words", "move-told", "move-phone"
"""Session keys: the code shown, the words until they are shown, what was entered, the phone's own key."""
_LIMIT = 400
"""The most characters that may be typed; seven words have a sixth of it."""
_LISTED = 3


@bp.after_request
def _keep_addresses_secret(response: Response) -> Response:
    """Let no request name the address of the page that it came from; its origin is enough to guard forms."""
    response.headers["Referrer-Policy"] = "strict-origin"
    return response


# --- the phone that has the matches ------------------------------------------------------------------


@bp.get("/move")
def choose() -> str:
    """Show the three ways: show a code, write words down, or take the matches over to this phone."""
    owner = _owner()
    since = matches().moves.words_since(owner) if owner else None
    return render_template("offline/moving.html", has_matches=owner is not None, words_since=since)


@bp.post("/move/code")
def make_code() -> AnyResponse:
    """Create a code, for this browser alone to show."""
    owner = _owner()
    if owner is None:
        return redirect(url_for("moving.choose"), 303)
    code = matches().moves.make_code(owner, browser.identity().generation)
    session[SHOWN] = [code.secret, code.ends_at]
    return redirect(url_for("moving.code"), 303)


@bp.get("/move/code")
def code() -> str:
    """Show the code, as long as another phone can use it."""
    secret, ends_at = session.get(SHOWN) or ("", "")
    if secret and matches().moves.is_left(secret):
        address = url_for("short_addresses.move", secret=secret, _external=True)
        shown = {"address": address, "picture": draw_qr_data(address), "ends_at": ends_at}
        return render_template("offline/moving_code.html", shown=shown, state="shown")
    is_over = not secret or ends_at < matches().timestamp()
    return render_template("offline/moving_code.html", shown=None, state="over" if is_over else "used")


@bp.post("/move/words")
def make_words() -> AnyResponse:
    """Create recovery words; if there are some already, only after a question."""
    owner = _owner()
    if owner is None:
        return redirect(url_for("moving.choose"), 303)
    if matches().moves.words_since(owner) and "sure" not in request.form:
        return redirect(url_for("moving.words", anew=1), 303)
    session[WRITTEN] = matches().moves.make_words(owner, browser.identity().generation)
    return redirect(url_for("moving.words"), 303)


@bp.get("/move/words")
def words() -> str | AnyResponse:
    """Show the recovery words, once; after that only that there are some, and since when."""
    owner = _owner()
    if owner is None:
        return redirect(url_for("moving.choose"))
    written = None if is_background() else session.pop(WRITTEN, None)
    since = matches().moves.words_since(owner)
    asks = since is not None and "anew" in request.args
    return render_template("offline/moving_words.html", words=written, since=since, asks=asks)


# --- all others are signed out ----------------------------------------------------------------------


@bp.post("/browser/renew")
def renew() -> AnyResponse:
    """Sign out all others: this browser gets a new cookie, former cookies and other secrets end."""
    browser.renew(request.form.get("form_key") or fresh_key())
    flash(_("All other phones and programs are signed out. Recovery words and tokens ended: make new ones."))
    return redirect(url_for("browsers.look"), 303)


# --- the phone that takes them over ------------------------------------------------------------------


@bp.get("/move/<secret>")
@limit_guesses
def offer(secret: str) -> AnyResponse | tuple[str, int]:
    """Accept a scanned code: nothing is done yet, and its address is left at once."""
    return (_refuse(), 404) if is_words(secret) else _take_in(secret)


@bp.get("/move/here")
def here() -> str | tuple[str, int]:
    """Show a field for recovery words; or ask whether those that were entered shall be used."""
    entered = session.get(ENTERED)
    if entered is None or "another" in request.args:
        is_mute = "told" in request.args and not request.cookies
        return _show_form("", say_cookies_needed() if is_mute else "")
    try:
        owner = matches().moves.look_up(entered, _phone_key())
    except (NoSuchMove, UnreadableWords):
        return _refuse(session.pop(ENTERED)), 410
    return _ask(owner, entered)


@bp.post("/move/here")
@limit_guesses
def take_in() -> AnyResponse | tuple[str, int]:
    """Accept typed words, or a code's address: nothing is done yet."""
    return _take_in(request.form.get("told", "")[:_LIMIT])


@bp.post("/browser/move")
@limit_guesses
def become() -> AnyResponse | tuple[str, int]:
    """Use the code or words that were entered: from now on both phones have the same identity."""
    entered = session.get(ENTERED)
    if entered is None:
        return redirect(url_for("moving.here"), 303)
    try:
        owner = matches().moves.look_up(entered, _phone_key())
        if not _has_room(owner):
            return _ask(owner, entered), 409
        if request.form.get("whose") != browser.mark_of(owner) or owner == browser.known_token():
            return redirect(url_for("moving.here"), 303)  # which asks, or says that there is nothing to do
        generation = browser.newest_generation(owner)
        matches().moves.use(entered, _phone_key())  # nothing where that has ended meanwhile
    except (NoSuchMove, UnreadableWords):
        return _refuse(session.pop(ENTERED)), 404
    keeps = _keeps()
    browser.adopt_identity(owner, generation, keeps)
    for name in (SHOWN, WRITTEN, ENTERED, PHONE):
        session.pop(name, None)
    flash(_("This phone now has the same matches as the other one. Both keep working."))
    if keeps:
        flash(_("The list that was here before is set aside: you can switch to it under “This phone”."))
    if not is_words(entered):
        return redirect(url_for("index.index"), 303)
    flash(_("The words that you typed are used up: make new ones."))
    return redirect(url_for("moving.words"), 303)


def _take_in(entered: str) -> AnyResponse | tuple[str, int]:
    """Store a code or words in the session, if they are valid."""
    try:
        matches().moves.look_up(entered, _phone_key())
    except UnreadableWords as error:
        return _show_form(entered, _say_unreadable(error)), 400
    except NoSuchMove:
        return _refuse(entered), 404
    session[ENTERED] = entered
    return redirect(url_for("moving.here") + "?told=1", 303)


def _ask(owner: str, entered: str) -> str:
    """Ask whether to move: show whose matches these are, and what becomes of those on this phone."""
    mine = browser.known_token()
    listed = matches().list_matches(owner, limit=_LISTED)
    last = [summary for item in listed if (summary := matches().summary(item))]
    return render_template(
        "offline/moving_here.html",
        whose=browser.mark_of(owner),
        count=matches().count_matches(owner),
        last=last,
        is_same=owner == mine,
        has_room=_has_room(owner),
        mine=matches().count_matches(mine) if matches().moves.has_anything(mine) else None,
        by_words=is_words(entered),
    )


def _show_form(entered: str, error: str = "") -> str:
    return render_template("offline/moving_form.html", entered=entered, error=error, most=_LIMIT)


def _refuse(entered: str = "") -> str:
    """Refuse a code or words: the page is the same whether they were never right or are over."""
    if entered and is_words(entered):
        error = _("These recovery words are wrong, already used, or replaced by newer ones.")
        return _show_form(entered, error)
    error = _("This code is unknown, already used, or older than ten minutes: show a new one.")
    return _show_form("", error)


def _say_unreadable(error: UnreadableWords) -> str:
    if error.strange:
        return _("No recovery word begins like “%(word)s”: check the spelling.", word=error.strange[0][:20])
    return _("There must be %(wanted)s words; these are %(count)s.", wanted=WORDS, count=error.count)


def _owner() -> str | None:
    """The owner whose matches can be moved from here, or None."""
    token = browser.known_token()
    return token if matches().moves.has_anything(token) else None


def _keeps() -> bool:
    """True if this phone's identity must be archived: it has something, may have, or began something."""
    has_begun = bool(request.form.get("begun")) and browser.known_token() is not None
    who = browser.identity()
    is_unknown = who.is_unreadable and who.signed_out is None
    return has_begun or is_unknown or matches().moves.has_anything(browser.known_token())


def _has_room(owner: str) -> bool:
    folded = browser.identity().archived_token
    return not _keeps() or browser.has_room(owner, matches().moves.has_anything(folded))


def _phone_key() -> str:
    """The key that only this phone has, until it learns that it has moved or its browser is closed."""
    key: str = session.setdefault(PHONE, token_urlsafe(12))
    return key
