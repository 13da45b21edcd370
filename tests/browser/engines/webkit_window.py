#!/usr/bin/python3
"""A window of 360 by 740 pixels with nothing but a page of WebKit in it, for WebKitWebDriver to drive.

The window of WebKit's own small browser cannot be as narrow as a phone, and stores nothing. The profile is in
the folder that PHONE_PROFILE names. Debian's Python runs this, which has WebKit.
"""

import os
from typing import Any

import gi  # type: ignore[import-not-found]  # Debian's Python has it

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # type: ignore[import-not-found]  # noqa: E402  # as above

FOLDER = os.environ["PHONE_PROFILE"]
data = WebKit2.WebsiteDataManager(
    base_data_directory=f"{FOLDER}/data", base_cache_directory=f"{FOLDER}/cache"
)
context = WebKit2.WebContext(website_data_manager=data)
context.get_cookie_manager().set_persistent_storage(
    f"{FOLDER}/cookies", WebKit2.CookiePersistentStorage.SQLITE
)
context.set_automation_allowed(True)


def open_view(_session: Any) -> Any:
    """A page in a window of its own."""
    view = WebKit2.WebView(web_context=context, is_controlled_by_automation=True)
    view.get_settings().set_enable_write_console_messages_to_stdout(True)
    window = Gtk.Window(default_width=360, default_height=740, decorated=False)
    window.add(view)
    view.connect("close", lambda _view: window.destroy())
    window.show_all()
    return view


def begin(_context: Any, session: Any) -> None:
    """The driver asks for a browser."""
    session.set_application_info(WebKit2.ApplicationInfo())
    session.connect("create-web-view", open_view)


context.connect("automation-started", begin)
Gtk.main()
