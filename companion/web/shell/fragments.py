"""Parts of pages that are the same for everybody, made once; the least recently used are forgotten."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from flask import Flask, current_app, g, request
from markupsafe import Markup

from .language import current_language

MAX_FRAGMENTS = 128

V = TypeVar("V")


class RecentlyUsed(Generic[V]):
    """Values by key, for all threads of the process; the least recently used go where there are too many."""

    def __init__(self, size: int) -> None:
        self._size, self._lock = size, Lock()
        self._values: OrderedDict[Hashable, V] = OrderedDict()

    def find(self, key: Hashable) -> V | None:
        """The value with this key, if it is still there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def store(self, key: Hashable, value: V) -> None:
        """Store a value, and forget the one unused for longest where there are too many."""
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._size:
                self._values.popitem(last=False)


def init_app(app: Flask) -> None:
    """Give the app an empty cache."""
    app.extensions["fragments"] = RecentlyUsed[tuple[str, dict[str, Markup]]](MAX_FRAGMENTS)


def cached_fragment(key: tuple[Hashable, ...], render: Callable[[], str]) -> Markup:
    """What `render` makes, with the tooltips of its words, once for each key, language and path of the app.

    It must depend on nothing else: not on who asks, and not on what they did.
    """
    whole = (*key, current_language(), request.script_root)
    fragments: RecentlyUsed[tuple[str, dict[str, Markup]]] = current_app.extensions["fragments"]
    explained: dict[str, Markup] = g.setdefault("tooltips", {})
    found = None if current_app.debug else fragments.find(whole)
    if found is None:
        before = set(explained)
        text = render()
        found = text, {word: text for word, text in explained.items() if word not in before}
        fragments.store(whole, found)
    explained.update(found[1])
    return Markup(found[0])
