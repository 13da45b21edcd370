"""Live pages: a page of a match carries its version, and asks whether it is still current.

The question is the page's own address with its age in `X-Seen`. While nothing has changed the answer is 304,
before anything else is done; else it is the page, which is rendered once for all who only look on.
"""

from flask import Blueprint, Flask, Response, current_app, g, render_template, request, session, url_for
from flask_babel import gettext as _
from jinja2.utils import LRUCache

from companion.matches import Access, Match, Role
from companion.store import StoreUnavailable
from companion.web.shell.language import phone_language
from companion.web.shell.matches import access, matches, open_match
from companion.web.shell.security import browser
from companion.web.shell.security.headers import SEEN
from companion.web.shell.zone import phone_zone

from .joined_devices import has_left

bp = Blueprint("live", __name__)

FOLLOWED = {
    "audit.choose",
    "audit.draft",
    "audit.entry",
    "dealer.dealer",
    "deals.deal",
    "deals.enough",
    "deals.insert",
    "entries.entry",
    "entries.more",
    "exports.export",
    "follow.follow",
    "giving.give",
    "hands.hand",
    "history.history",
    "live.news",
    "people.people",
    "phones.phones",
    "questions.match_question",
    "questions.match_questions",
    "remarks.object_to",
    "replay.replay_entry",
    "scoreboard.scoreboard",
    "share.share",
    "sheets.sheet",
    "views.big",
    "views.turned",
}
"""Pages of a match that notice changes in it: parts marked `data-live` change, other pages say so."""

_MAX_PAGES = 64
"""The most pages for onlookers that are cached."""


def init_app(app: Flask) -> None:
    """Answer such requests as early as possible; templates see `seen`, the version of the page."""
    app.extensions["shared_pages"] = LRUCache(_MAX_PAGES)
    app.before_request(_answer_early)
    app.after_request(_add_age)
    app.context_processor(lambda: {"seen": g.get("seen"), "news_address": _news_address})


@bp.get("/m/<id>/news")
def news(id: str) -> tuple[str, int]:
    """Show what others did since a page was rendered, in a few words for its top; 204 if nothing.

    `since` is the age of the page, and `role` the role of its browser then. Events that this browser wrote on
    another page are news to a form that is based on an earlier number, `own`.
    """
    match, who = open_match(id), browser.known_token()
    length = _read_number(request.args.get("since", "").partition(".")[0], len(match.events))
    own = _read_number(request.args.get("own", ""), len(match.events))
    events = [
        event
        for event in match.events[length:]
        if event.author != who or (event.seq > own and event.kind != "draft")
    ]
    changed = _describe_access(request.args.get("role", ""), access(match))
    if not events and not changed:
        return "", 204
    return render_template("sharing/news.html", match=match, events=events, changed=changed), 200


def _read_number(text: str, missing: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else missing


def _describe_access(before: str, now: Access) -> str:
    """Describe how a browser's right to write in the match changed; empty if it did not."""
    had = before in (Role.OWNER, Role.PENCIL)
    if had and not now.may_record:
        return _("The pencil was taken back; what you typed stays here.")
    if now.may_record and before in (Role.OPPONENT, Role.SPECTATOR):
        return _("You have the pencil now.")
    if before == Role.OPPONENT and not now.takes_part:
        return _("This phone no longer takes part in the match.")
    return ""


def _news_address() -> str:
    """The address for news of the current page; empty without a match or while the database is away."""
    match: Match | None = g.get("match")
    try:
        return url_for("live.news", id=match.id, role=access(match).role) if match is not None else ""
    except StoreUnavailable:
        return ""


def _answer_early() -> Response | None:
    """Answer with 304 or a shared page, if possible; the version is read before the facts it stands for."""
    if request.endpoint not in FOLLOWED or request.method != "GET":
        return None
    id = (request.view_args or {})["id"]
    g.seen = matches().invitations.version(id)
    known = request.headers.get(SEEN)
    if known is None or g.seen is None:
        return None
    if known == g.seen:
        unchanged = Response(status=304)
        del unchanged.headers["Content-Type"]
        unchanged.headers["Cache-Control"] = "no-store"
        return unchanged
    return _find_shared(id)


def _find_shared(id: str) -> Response | None:
    """The cached page of another onlooker; None if it is to be rendered, then for nobody, and cached."""
    if not _looks_on(id):
        return None
    browser.make_anonymous()
    g.access = {}
    g.shared_as = (request.url, g.seen, phone_language(), browser.read_cookie("paper"), phone_zone())
    page: bytes | None = current_app.extensions["shared_pages"].get(g.shared_as)
    if page is None:
        return None
    del g.shared_as
    return Response(page)


def _looks_on(id: str) -> bool:
    """True if a page of the match shows nothing personal: this browser never took part or did anything."""
    who = browser.identity()
    if who.token is None:
        return not who.is_unreadable
    match = open_match(id)
    return not (access(match).takes_part or who.token in match.log.authors or has_left(match))


def _add_age(response: Response) -> Response:
    if SEEN in request.headers and g.get("seen") is not None:
        response.headers[SEEN] = g.seen
        if response.status_code != 304:
            session.modified = False  # it gets its token when it sends a form
        key = g.pop("shared_as", None)
        if key is not None and response.status_code == 200 and response.mimetype == "text/html":
            current_app.extensions["shared_pages"][key] = response.get_data()
    return response
