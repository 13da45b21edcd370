"""The answer to a request that is too large."""

from flask import Flask, request
from flask_babel import gettext as _
from werkzeug.exceptions import RequestEntityTooLarge, RequestURITooLarge

from companion.web.shell.security.addresses import MAX_ADDRESS

from .pages import error_page


def init_app(app: Flask) -> None:
    """Answer it with a page of ours."""
    app.register_error_handler(RequestEntityTooLarge, answer_too_large)
    app.register_error_handler(RequestURITooLarge, _answer_too_long)


def answer_too_large(error: RequestEntityTooLarge) -> tuple[str, int]:
    """How much may be sent."""
    most, length = request.max_content_length, request.content_length
    if most is not None and (length is None or length > most):
        text = _("At most %(size)s can be sent at once.", size=_say_size(most))
    else:
        text = _(
            "A form has at most %(n)d fields and %(size)s of text.",
            n=request.max_form_parts,
            size=_say_size(request.max_form_memory_size or 0),
        )
    return error_page(413, _("This is too large"), f"{text} {_('Nothing was saved.')}")


def _answer_too_long(error: RequestURITooLarge) -> tuple[str, int]:
    text = _(
        "An address has at most %(size)s; this one may have been put together wrongly.",
        size=_say_size(MAX_ADDRESS),
    )
    return error_page(414, _("This address is too long"), text)


def _say_size(size: int) -> str:
    return f"{size // 1_000_000} MB" if size >= 1_000_000 else f"{size // 1000} kB"
