"""Phones at a table: links made on pages, and browsers that join by them."""

import re
from html import unescape
from urllib.parse import urlsplit

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.matches import Matches, Role
from companion.web.shell.forms import fresh_key
from tests.web.browsers import Browser, known_browser

ANDROID = "Mozilla/5.0 (Linux; Android 14) Chrome/130.0"


def invite(
    owner: Browser, id: str, as_what: str = "opponent:B", use: str = "once", form_key: str = ""
) -> str:
    """Makes a link on the page of the phones, as its owner; gives the path that the code holds."""
    sent = {"as": as_what, "use": use, "form_key": form_key or fresh_key()}
    answer = owner.post(f"/en/m/{id}/phones/links", data=sent)
    assert answer.status_code == 303
    address = re.search(r'<input id="address" value="([^"]+)"', owner.get(answer.location).text)
    assert address is not None
    return urlsplit(unescape(address[1])).path


def join(phone: FlaskClient, path: str, kind: str = ANDROID) -> TestResponse:
    """Opens a link on a phone and joins by it; gives the answer."""
    asked = phone.get(path, follow_redirects=True)
    if asked.status_code != 200:
        return asked
    return phone.post(asked.request.path, headers={"User-Agent": kind})


def grant_ids(owner: Browser, id: str) -> list[str]:
    """The ids of those who take part, as the owner's page names them, the newest first."""
    return re.findall(r"/phones/([\w-]+)/pencil", owner.get(f"/en/m/{id}/phones").text)


def opponent(
    owner: Browser, id: str, side: str | None = "B", role: Role = Role.OPPONENT, name: str = "Jan"
) -> Browser:
    """A browser that joined a match, as the opponent of a side unless another role is said."""
    token = f"the browser of {name}"
    with owner.application.app_context():
        matches: Matches = owner.application.extensions["matches"]
        match = matches.open(id)
        access = matches.access(match, match.owner)
        invitation = matches.invitations.make_link(match, access, role, side, False, fresh_key())
        assert invitation.secret is not None
        matches.invitations.join(invitation.secret, token, "a phone")
    return known_browser(owner.application, token)
