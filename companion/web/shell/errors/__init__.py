"""Error pages, never with a traceback."""

from flask import Flask

from . import pages, too_large
from .pages import error_page, page_to_try_again, say_cookies_needed, say_too_many, unavailable_page

__all__ = [
    "error_page",
    "init_app",
    "page_to_try_again",
    "say_cookies_needed",
    "say_too_many",
    "unavailable_page",
]


def init_app(app: Flask) -> None:
    """Answer every error with a page of ours."""
    pages.init_app(app)
    too_large.init_app(app)
