"""Events as phones with an app of their own get them: who wrote is named by a mark."""

from collections.abc import Iterable
from typing import Any

from flask import current_app

from companion.matches import Match
from companion.record.log import Event
from companion.record.portable_log import AUTHOR
from companion.store import NewsStore, StoredMatch
from companion.web.shell.security import browser


def news_store() -> NewsStore:
    """The store that is asked for news."""
    store: NewsStore = current_app.extensions["news"]
    return store


def show_events(
    match: Match | StoredMatch, events: Iterable[Event], who: str, news: NewsStore
) -> list[dict[str, Any]]:
    """Events of a match as JSON, for a browser that knows its own by the keys of their forms."""
    shown = tuple(events)
    keys = news.list_keys(match.id, who, shown[0].seq - 1) if shown else {}
    return [
        {
            "kind": event.kind,
            "entry": event.entry,
            "payload": event.payload,
            "author": name_author(event.author),
            "at": event.at,
            "undoes": event.undoes,
            "arrived": event.arrived,
            "key": keys.get(event.seq, f"{match.id}-{event.seq}"),
        }
        for event in shown
    ]


def name_author(author: str) -> str:
    """What phones know an author by: nobody in particular, and a letter of a record, stay what they are."""
    return author if not author or AUTHOR.fullmatch(author) else browser.mark_of(author)
