"""Answers without what is another one each time: marks of the app, tokens, keys, ids."""

import re
from base64 import b64encode
from dataclasses import asdict, dataclass
from json import dumps
from typing import Any
from zlib import compress

from companion.archives import unpack
from companion.rules.errors import Unreadable

from .http import Answer
from .meant import ONLY_IN_A_PHONE

COMPARED = ("Content-Type", "Location", "X-Browser", "X-Keep", "X-Log", "X-Name", "X-Part", "X-Seen", "ETag")
"""What a header says that a browser, or a script of ours, goes by."""

_CHANGING = (
    (re.compile(r"/static/[0-9a-f]+/"), "/static/VERSION/"),
    (re.compile(r'(data-version=")[^"]*'), r"\1VERSION"),
    (re.compile(r'(name="csrf_token"[^>]*value=")[^"]*'), r"\1TOKEN"),
    *((re.compile(item), r"\1") for item in ONLY_IN_A_PHONE),
    (re.compile(r'(name="form_key"[^>]*value=")[^"]*'), r"\1KEY"),
    (re.compile(r'(class="code whole-code" src=")[^"]*'), r"\1CODE"),
)
_GIVEN = re.compile(r"#give=[\w-]+")
"""A match in a link; another zlib packs the same in other letters."""


def _unpack(found: re.Match[str]) -> str:
    try:
        return dumps(unpack(found[0]))
    except Unreadable:  # it was sent damaged
        return found[0]


@dataclass(frozen=True)
class Step:
    """One request of a walk and what was answered, each without what changes; `body` is packed."""

    asked: str
    status: int
    headers: dict[str, str]
    body: str

    def to_json(self) -> dict[str, Any]:
        """The step as it is told from one Python to another."""
        return asdict(self)


class Names:
    """What ids stand for, by the order in which they were made."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def add(self, id: str, name: str) -> None:
        self._names.setdefault(id, name)

    def plain(self, text: str) -> str:
        """A text with names in place of all that changes."""
        for changing, stays in _CHANGING:
            text = changing.sub(stays, text)
        text = _GIVEN.sub(_unpack, text)
        if not self._names:
            return text
        known = re.compile("|".join(map(re.escape, self._names)))
        return known.sub(lambda found: self._names[found[0]], text)

    def step(self, method: str, path: str, answer: Answer) -> Step:
        """A request with its answer, without what changes."""
        sent = answer.headers
        headers = {name: self.plain(sent[name]) for name in COMPARED if name in sent}
        is_storable = re.match(r"text/|application/(json|manifest)|image/svg", sent.get("Content-Type", ""))
        body = self.plain(answer.text).encode() if is_storable else str(len(answer.content)).encode()
        return Step(
            f"{method} {self.plain(path)}", answer.status, headers, b64encode(compress(body, 1)).decode()
        )
