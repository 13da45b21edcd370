"""Errors that are shown to people as a sentence, and the faults of documents that cannot be read."""

import errno
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import MISSING
from typing import Any

from .message import Message


class Explained(Exception):
    """An error whose one-line sentence is complete; as text it is plain English."""

    def __init__(self, sentence: Message | str) -> None:
        super().__init__(sentence)

    @property
    def sentence(self) -> Message:
        """The message for people, in their language; a plain text stays as it is."""
        stated = self.args[0]
        return stated if isinstance(stated, Message) else Message("{what}", what=stated)


def explain_system(error: OSError) -> Message | str:
    """Describe a system error in the system's own words, without capital or full stop."""
    return _SYSTEM.get(error.errno or 0) or (error.strerror or str(error)).lower()


_SYSTEM = {
    errno.ENOENT: Message("no such file or directory"),
    errno.EACCES: Message("permission denied"),
    errno.EPERM: Message("operation not permitted"),
    errno.EISDIR: Message("is a directory"),
    errno.ENOTDIR: Message("not a directory"),
    errno.EEXIST: Message("file exists"),
    errno.ENOSPC: Message("no space left on device"),
    errno.EROFS: Message("read-only file system"),
    errno.ENAMETOOLONG: Message("file name too long"),
    errno.EIO: Message("input/output error"),
}
"""The most frequent system errors; for others the system's own words are shown."""


class Unreadable(ValueError):
    """Invalid input. As text: `target: must be true or false, not "yes"`.

    `path` is the JSON path of the value (`entries[2].count.cards`; empty for the document itself), and
    `requirement` says what it must be (`must be true or false`), without capital or full stop, so that a page
    can say it in its own language. `expected` follows the words "must be".

    It `contradicts` if the value is well formed but conflicts with something else: other facts, the table's
    agreements, what people can see.
    """

    contradicts = False

    def __init__(self, path: str, expected: Message | str, got: object = MISSING) -> None:
        self._set(path, Message("must be {what}", what=expected), got)
        self.expected = expected if isinstance(expected, Message) else Message("{what}", what=expected)

    def _set(self, path: str, requirement: Message, got: object = MISSING) -> None:
        self.path, self.got = path, got
        self.requirement = requirement
        self.expected = requirement
        ValueError.__init__(self, str(self.sentence))

    @property
    def sentence(self) -> Message:
        """The full sentence with the path; plain English as the error's text."""
        facts = {"place": self.path or Message("document"), "requirement": self.requirement}
        if self.got is MISSING:
            return Message("{place}: {requirement}", **facts)
        return Message("{place}: {requirement}, not {got}", **facts, got=quote_json(self.got))

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the error as it is, so that it can be sent to another process."""
        known = {key: value for key, value in vars(self).items() if value is not MISSING}
        return _copy_fault, (type(self), self.args, known)


@contextmanager
def contradictions() -> Iterator[None]:
    """Mark every refusal inside as a contradiction: well formed, but in conflict with something else."""
    try:
        yield
    except Unreadable as error:
        error.contradicts = True
        raise


def refuse_duplicates(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of the keys and values of a JSON object.

    :raises Unreadable: if a key occurs twice: one of its values would be lost.
    """
    read = dict(pairs)
    if len(read) < len(pairs):
        [(twice, _times)] = Counter(key for key, _value in pairs).most_common(1)
        raise Unreadable(
            "", Message("JSON in which no object has the key {key} twice", key=quote_json(twice))
        )
    return read


class Missing(Unreadable):
    """A value that must be given and was left out. As text: `players: required`."""

    def __init__(self, path: str, requirement: Message | None = None) -> None:
        self._set(path, requirement or Message("required"))


class Contradiction(Unreadable):
    """Facts that cannot all be true, said in a sentence of its own.

    As text: `declared: K♠ is told in two hands: A and D.`
    """

    def __init__(self, path: str, sentence: Message) -> None:
        self._set(path, sentence)


class MissingFact(Missing):
    """A fact that was left out of a question although its answer depends on it, as `why` explains.

    `why` is a clause without full stop.
    """

    def __init__(self, path: str, why: Message | None = None) -> None:
        plain = Message("required, as the answer depends on it")
        super().__init__(path, plain if why is None else Message("required, as {why}", why=why))


class UnknownKey(Unreadable):
    """A key that an object cannot have. As text: `winner: unknown key; known keys are game, players`."""

    def __init__(self, path: str, keys: Iterable[str]) -> None:
        self._set(path, Message("unknown key; known keys are {keys}", keys=list(keys)))


class Clash(Unreadable):
    """A value that the other choices leave no room for.

    `why` is the reason, as a clause without full stop, so that a page can say it in its own words.
    """

    contradicts = True

    def __init__(self, path: str, expected: Message | str, why: Message, got: object) -> None:
        self._set(path, Message("must be {what}, for {why}", what=expected, why=why), got)
        self.why = why


def _copy_fault(kind: type[Unreadable], args: tuple[object, ...], known: dict[str, object]) -> Unreadable:
    fault = kind.__new__(kind, *args)
    vars(fault).update({"got": MISSING} | known)
    return fault


_LIMIT = 60
"""The number of characters after which a quoted value is cut."""


def quote_json(value: object) -> str:
    """Write a value as JSON, on one line and cut short.

    >>> quote_json(["AS", None, True])
    '["AS", null, true]'
    """
    try:
        text = json.dumps(value, ensure_ascii=False, default=str)
    except (RecursionError, ValueError):  # nested too deeply, or a number with thousands of digits
        text = "…"
    text = text if len(text) <= _LIMIT else text[: _LIMIT - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
