"""Who stands before the app: how many proxies are believed, the path it is below, whether HTTPS is used.

Nobody is believed who was not announced: without `COMPANION_PROXIES` what `X-Forwarded-…` says is not read.
"""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.http import parse_list_header
from werkzeug.middleware.proxy_fix import ProxyFix

from companion.operate.settings import read_prefix
from companion.rules.message import Message
from companion.store import CannotStart

from .headers import refuse_address

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


def init_app(app: Flask, words: Collection[str]) -> None:
    """Believe the proxies that were announced, and find out what the app's own part of an address is.

    `words` are those that addresses of the app begin with beside the names of its routes.

    :raises CannotStart: when the path that it is to be below begins like an address of its own.
    """
    own = {rule.rule.split("/")[1] for rule in app.url_map.iter_rules()} | {*words}
    prefix, proxies = app.config["PREFIX"], app.config["PROXIES"]
    if prefix.split("/")[1:2] and prefix.split("/")[1] in own:
        raise CannotStart(
            Message(
                "COMPANION_PREFIX: {prefix} begins like an address of the app;"
                " choose another, such as /cards",
                prefix=prefix,
            )
        )
    inner = app.wsgi_app
    inner = BelowPrefix(inner, prefix, own)
    if app.config["HTTPS"]:
        inner = ByHttps(inner)
    if proxies:
        believed = dict.fromkeys(("x_for", "x_proto", "x_host"), proxies)
        inner = ProxyFix(inner, **believed, x_prefix=0 if prefix else proxies)
        inner = FullHeaders(inner, proxies)
    app.wsgi_app = inner  # type: ignore[method-assign]  # as Flask says it is done


class FullHeaders:
    """Lets each of several proxies have said something of scheme, host and path, as `ProxyFix` reads it.

    They add to `X-Forwarded-For`, but most replace the others: what is said once, was said of the first.
    """

    def __init__(self, wsgi_app: "WSGIApplication", proxies: int) -> None:
        self._wsgi_app, self._proxies = wsgi_app, proxies

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        for name in ("PROTO", "HOST", "PREFIX"):
            said = parse_list_header(environ.get(f"HTTP_X_FORWARDED_{name}", ""))
            if 0 < len(said) < self._proxies:
                missing = self._proxies - len(said)
                environ[f"HTTP_X_FORWARDED_{name}"] = ", ".join([said[0]] * missing + said)
        return self._wsgi_app(environ, start_response)


class ByHttps:
    """Takes every request for one that came by HTTPS: a proxy sees to that, and does not say so."""

    def __init__(self, wsgi_app: "WSGIApplication") -> None:
        self._wsgi_app = wsgi_app

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        environ["wsgi.url_scheme"] = "https"
        return self._wsgi_app(environ, start_response)


class BelowPrefix:
    """Parts the path of a request into the one that the app is below, and the page of the app.

    A proxy may hand the first on or leave it out. It is the one that was set, or else what the proxy, or the
    server that runs the app, says (`SCRIPT_NAME`).
    """

    def __init__(self, wsgi_app: "WSGIApplication", prefix: str, own: Collection[str]) -> None:
        self._wsgi_app, self._prefix, self._own = wsgi_app, prefix, own

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        prefix = self._prefix
        if not prefix and environ.get("SCRIPT_NAME"):
            try:
                prefix = read_prefix(environ["SCRIPT_NAME"])
            except ValueError:
                refuse_address(environ)
        if environ["wsgi.url_scheme"] not in ("http", "https"):
            environ["wsgi.url_scheme"] = "http"
            refuse_address(environ)
        environ["SCRIPT_NAME"] = prefix
        path = environ.get("PATH_INFO", "")
        if prefix and f"{path}/".startswith(f"{prefix}/") and prefix.split("/")[1] not in self._own:
            path = path[len(prefix) :]
        environ["PATH_INFO"] = path or "/"
        return self._wsgi_app(environ, start_response)
