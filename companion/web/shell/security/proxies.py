"""Who stands before the app: how many proxies are believed, the path it is below, whether HTTPS is used.

Nobody is believed who was not announced: without `COMPANION_PROXIES` what `X-Forwarded-…` says is not read.
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
    inner = prepare_requests(app.wsgi_app, partial(_split_path, prefix, own))
    if app.config["HTTPS"]:
        inner = prepare_requests(inner, _use_https)
    if proxies:
        believed = dict.fromkeys(("x_for", "x_proto", "x_host"), proxies)
        inner = ProxyFix(inner, **believed, x_prefix=0 if prefix else proxies)
        inner = prepare_requests(inner, partial(_fill_headers, proxies))
    app.wsgi_app = inner  # type: ignore[assignment,method-assign]  # as Flask says


def _fill_headers(proxies: int, environ: "WSGIEnvironment") -> None:
    """Let each of several proxies have said something of scheme, host and path, as `ProxyFix` reads it.

    They add to `X-Forwarded-For`, but most replace the others: what is said once, was said of the first.
    """
    for name in ("PROTO", "HOST", "PREFIX"):
        said = parse_list_header(environ.get(f"HTTP_X_FORWARDED_{name}", ""))
        if 0 < len(said) < proxies:
            environ[f"HTTP_X_FORWARDED_{name}"] = ", ".join([said[0]] * (proxies - len(said)) + said)


def _use_https(environ: "WSGIEnvironment") -> None:
    """Take every request for one that came by HTTPS: a proxy sees to that, and does not say so."""
    environ["wsgi.url_scheme"] = "https"


def _split_path(prefix: str, own: Collection[str], environ: "WSGIEnvironment") -> None:
    """Part the path of a request into the one that the app is below, and the page of the app.

    A proxy may hand the first on or leave it out. It is the one that was set, or else what the proxy, or the
    server that runs the app, says (`SCRIPT_NAME`).
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
