"""Which kind of phone somebody uses, in two words, as far as its browser says so."""

_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("CrOS", "ChromeOS"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("FxiOS", "Firefox"),
    ("Firefox", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
"""What names a system or a browser, and how people call it; of several that are named the first is meant."""


def describe_browser(user_agent: str) -> str:
    """The system and the browser that a `User-Agent` names; empty where it names none that is known.

    >>> describe_browser("Mozilla/5.0 (Linux; Android 14; Pixel 5) AppleWebKit/537 Chrome/130.0 Safari/537")
    'Android, Chrome'
    """
    found = (
        next((name for mark, name in known if mark in user_agent), "") for known in (_SYSTEMS, _BROWSERS)
    )
    return ", ".join(filter(None, found))
