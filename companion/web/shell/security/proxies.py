"""The proxies before the app: how many are trusted, the path it is below, whether HTTPS is used.

No proxy is trusted that was not announced: without `COMPANION_PROXIES` no header `X-Forwarded-…` is read.
"""

from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.http import parse_list_header
from werkzeug.middleware.proxy_fix import ProxyFix

from companion.operate.settings import read_prefix
from companion.rules.message import Message
from companion.store import CannotStart

from .headers import prepare_requests, refuse_address

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


def init_app(app: Flask, words: Collection[str]) -> None:
    """Trust the announced proxies, and split every path into the app's prefix and its own part.

    `words` are the beginnings of the app's addresses besides the names of its routes.

    :raises CannotStart: if the prefix begins like an address of the app.
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
    inner = prepare_requests(app.wsgi_app, partial(_split_path, prefix, own))
    if app.config["HTTPS"]:
        inner = prepare_requests(inner, _use_https)
    if proxies:
        believed = dict.fromkeys(("x_for", "x_proto", "x_host"), proxies)
        inner = ProxyFix(inner, **believed, x_prefix=0 if prefix else proxies)
        inner = prepare_requests(inner, partial(_fill_headers, proxies))
    app.wsgi_app = inner  # type: ignore[assignment,method-assign]  # as Flask says


def _fill_headers(proxies: int, environ: "WSGIEnvironment") -> None:
    """Repeat a header for each of several proxies, as `ProxyFix` reads scheme, host and path.

    They add to `X-Forwarded-For`, but most replace the others: a single value is that of the first proxy.
    """
    for name in ("PROTO", "HOST", "PREFIX"):
        said = parse_list_header(environ.get(f"HTTP_X_FORWARDED_{name}", ""))
        if 0 < len(said) < proxies:
            environ[f"HTTP_X_FORWARDED_{name}"] = ", ".join([said[0]] * (proxies - len(said)) + said)


def _use_https(environ: "WSGIEnvironment") -> None:
    """Treat every request as one by HTTPS: a proxy sees to that, and does not say so."""
    environ["wsgi.url_scheme"] = "https"


def _split_path(prefix: str, own: Collection[str], environ: "WSGIEnvironment") -> None:
    """Split the path of a request into the prefix and the page of the app.

    A proxy may pass the prefix on or leave it out. It is the one in the settings, or else the one that the
    proxy, or the server that runs the app, sends (`SCRIPT_NAME`).
    """
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
    if prefix and f"{path}/".startswith(f"{prefix}/") and prefix.split("/")[1] not in own:
        path = path[len(prefix) :]
    environ["PATH_INFO"] = path or "/"
