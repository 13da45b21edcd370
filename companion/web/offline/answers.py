"""What the scripts of a phone learn with every answer: where a form led, whose page, by which app it is.

`X-Chosen` says in which language and on what paper it is shown: what answers in the place of the server in a
phone shows pages so, too.
"""

from urllib.parse import urlencode

from flask import Flask, Response, g, jsonify, request
from flask_wtf.csrf import generate_csrf

from companion.web.shell.forms import WritingForm
from companion.web.shell.language import phone_language
from companion.web.shell.matches import matches
from companion.web.shell.security import browser, cookies

from .static_files import app_version

SCRIPT = "X-Script"
"""The header of a form that a script sent: it wants to know what became of it, and shows the page itself."""


def init_app(app: Flask) -> None:
    """Add to answers what scripts ask for; templates see `browser_mark`."""
    app.after_request(_add_headers)
    app.context_processor(lambda: {"browser_mark": browser.mark()})


def _add_headers(response: Response) -> Response:
    if request.method == "POST" and SCRIPT in request.headers:
        if response.status_code == 303:
            response = _place(response)
        elif response.status_code == 400:  # it may have been made for an earlier session: here is a token
            response.headers["X-Token"] = generate_csrf()
    if response.mimetype == "text/html" or SCRIPT in request.headers:
        response.headers["X-Version"] = app_version()
        response.headers["X-Browser"] = browser.mark()
        response.headers["X-Chosen"] = urlencode(_list_choices())
    return response


def _list_choices() -> dict[str, str]:
    """How pages are shown in this browser, by the cookies of which its scripts know nothing."""
    return {"lang": phone_language(), "paper": cookies.read("paper")}


def _place(redirect: Response) -> Response:
    """Where a form that was carried out leads, and how long the log was after it."""
    answer = jsonify(to=redirect.headers["Location"], seq=_written_seq())
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _written_seq() -> int | None:
    """The number of the event that this form wrote; None where it wrote none."""
    match = g.get("match")
    event = matches().find_written(match, WritingForm().key) if match is not None else None
    return event.seq if event is not None else None
