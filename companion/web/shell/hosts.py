"""The host of the app: a server, a phone with a server behind it, or a phone alone.

Nothing else asks where the app runs: what differs is handed over when an app is created (store, delivery,
dispatcher), or asked of its host by these names. Templates get `host`.
"""

from enum import StrEnum

from flask import Flask, current_app


class Host(StrEnum):
    """Host of the app; `ALONE` is a phone that has it from a folder of files."""

    SERVER = "server"
    PHONE = "phone"
    ALONE = "alone"

    @property
    def has_server(self) -> bool:
        """True if a server has the matches: other phones, programs and recovery words reach them there."""
        return self is not Host.ALONE

    @property
    def is_phone(self) -> bool:
        """True if the app runs inside its only browser, whose processor and memory it shares."""
        return self is not Host.SERVER

    @property
    def prints_pdf(self) -> bool:
        """True if sheets are printed here, as PDF."""
        return self is Host.SERVER


def init_app(app: Flask, host: Host) -> None:
    """Run the app on this host; templates get `host`."""
    app.extensions["host"] = host
    app.jinja_env.globals["host"] = host


def current_host() -> Host:
    """The host of the present app."""
    host: Host = current_app.extensions["host"]
    return host
