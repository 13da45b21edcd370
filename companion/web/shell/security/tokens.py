"""What guards a form: a token that its page gave it, and where its browser says that it comes from."""

from typing import Any
from urllib.parse import urlsplit

from flask import Flask, current_app, g, request
from flask_wtf.csrf import CSRFError, CSRFProtect


def init_app(app: Flask) -> None:
    """Refuse forms that are none of ours. Tokens that a former key signed are good as well."""
    app.config["WTF_CSRF_SECRET_KEY"] = [*app.config["SECRET_KEY_FALLBACKS"], app.config["SECRET_KEY"]]
    # It asks for a page's address, which some browsers never tell; the origin will do, and needs no HTTPS.
    app.config["WTF_CSRF_SSL_STRICT"] = False
    FormGuard(app)


def is_form_ours() -> bool:
    """Whether the form that was sent is one of ours, for a view that answers by itself where it is not."""
    if not current_app.config["WTF_CSRF_ENABLED"]:
        return True
    try:
        current_app.extensions["csrf"].protect()
    except CSRFError:
        return False
    return True


class FormGuard(CSRFProtect):
    """Looks at the token, then at the origin."""

    def protect(self, *arguments: Any, **named: Any) -> None:
        """Let a form of ours pass. :raises CSRFError: when it is none."""
        super().protect(*arguments, **named)
        if g.get("csrf_valid") and not comes_from_us(unsaid=True):
            self._error_response("The form comes from another site.")


def comes_from_us(unsaid: bool) -> bool:
    """Whether the browser says that a page of ours sent the request; `unsaid` where it says nothing."""
    said = request.headers.get("Origin") or request.referrer
    if said is None:
        return unsaid
    try:
        return urlsplit(said).netloc == request.host
    except ValueError:
        return False
