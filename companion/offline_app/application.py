"""The Flask application that runs on a phone: every page that needs no server, on the phone's own store."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any
from weakref import finalize

from flask import Flask, render_template, request, url_for
from jinja2.utils import LRUCache

from companion.jobs import Job, Results
from companion.operate.settings import read_settings
from companion.store import Store
from companion.web import parts
from companion.web.archives import importing, job_files
from companion.web.shell import language
from companion.web.shell.hosts import Host, current_host

from . import conflict_pages, keeping

_KINDS: Mapping[str, str] = {
    "join": "phones",
    "moving": "moving",
    "phones": "phones",
    "tokens": "phones",
}
"""The subjects of a server's pages, by their blueprint."""


def say_that_it_waits(**parts: Any) -> tuple[str, int]:
    """The page shown instead of one that only a server has: it waits for the network, or is never there."""
    kind = _KINDS.get((request.endpoint or "").partition(".")[0], "other")
    back = url_for("scoreboard.scoreboard", id=parts["id"]) if "id" in parts else None
    page = render_template("offline/needs_server.html", kind=kind, back=back)
    return page, 503 if current_host().has_server else 404


_MAX_RESULTS = 20


class InlineDispatcher:
    """A dispatcher that does every job at once, and remembers the last results."""

    def __init__(self) -> None:
        self._results = LRUCache(_MAX_RESULTS)

    def ask(self, job: Job, browser: str) -> bytes:
        """The result of a job.

        :raises Exception: what the job raises.
        """
        result: bytes | None = self._results.get(job.key)
        if result is None:
            result = self._results[job.key] = job.function(*job.arguments)
        return result

    def do_now(self, job: Job) -> bytes:
        """The result of a job on files, stored beside them. :raises Exception: what the job raises."""
        assert job.folder is not None
        results = Results(job.folder)
        result = results.find(job.key)
        if result is None:
            result = job.function(*job.arguments)
            results.put(job.key, result)
        return result

    def prepare(self, function: Callable[[], bytes]) -> None:
        """Do nothing: a preparation would hold up the page."""


_ASKED_OF_SERVER = {"browsers.begin_again", "browsers.restore_archived"}
"""Forms on phone pages that only a server can process, because it knows who a browser belongs to."""


@dataclass(frozen=True, slots=True)
class Address:
    """An address of the server with its endpoint; in place of a page that a phone lacks, another says so."""

    rule: str
    endpoint: str
    methods: tuple[str, ...]
    defaults: dict[str, Any] | None = None


def create_app(
    store: Store,
    key: str,
    addresses: Iterable[Address],
    version: str,
    seed: str = "",
    host: Host = Host.PHONE,
) -> Flask:
    """Create the app of a phone on a store, with a `key` of the phone's own that signs its cookies.

    The `seed` is the one that the server gave this browser: the ids made from it are those that the server
    would make. `addresses` are those of a server, whose other pages need the network or are not there;
    `version` is that of the server's app from which this one was built.
    """
    settings = read_settings({}, {"SECRET_KEY": key})
    settings.pop("INSTANCE")
    app = parts.make_flask(settings, "/instance", host)
    app.config["SECRET_KEY_FALLBACKS"] = []
    app.config["VERSION"], app.config["SEED"] = version, seed
    app.extensions["dispatcher"] = InlineDispatcher()
    app.extensions["metrics"] = None
    parts.guard(app)
    parts.serve_matches(app, store)
    folder = mkdtemp(prefix="companion-")  # in a phone it is in the memory
    finalize(app, rmtree, folder, ignore_errors=True)
    job_files.init_app(app, Path(folder))
    if host.has_server:  # what is imported from a file is on this phone alone until its last page
        app.register_blueprint(importing.bp, url_prefix=f"{language.PREFIX}/pocket")
        parts.mount(app, [name for name in parts.PAGES if name != "archives.importing"])
        app.register_blueprint(importing.bp, url_prefix=language.PREFIX, name="importing_anywhere")
        conflict_pages.init_app(app)
    else:
        parts.mount(app, parts.PAGES)
        keeping.init_app(app)
    _wait_for_network(app, addresses)
    return app


def _wait_for_network(app: Flask, addresses: Iterable[Address]) -> None:
    """Add, for every address that only a server answers, a page that says so; the same for painted ones."""
    for endpoint in app.view_functions:
        if endpoint.endswith("_png") or endpoint in _ASKED_OF_SERVER:
            app.view_functions[endpoint] = say_that_it_waits
    for address in addresses:
        if address.endpoint not in app.view_functions:
            app.add_url_rule(
                address.rule,
                address.endpoint,
                say_that_it_waits,
                methods=address.methods,
                defaults=address.defaults,
            )


def list_addresses(app: Flask) -> list[Address]:
    """List the addresses of an app, for another app that lacks some of its pages."""
    return [
        Address(
            rule.rule, rule.endpoint, tuple(sorted(rule.methods or ())), dict(rule.defaults or {}) or None
        )
        for rule in app.url_map.iter_rules()
        if rule.endpoint != "static"
    ]
