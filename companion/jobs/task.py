"""A piece of heavy work, and the name that its answer has."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any


@dataclass(frozen=True, slots=True)
class HeavyTask:
    """A function of a module, to be called in a worker; its answer is bytes, the same whenever it is asked.

    `key` is a hash of all that the answer depends on. Arguments are pickled. What the function raises is
    raised where it was asked.
    """

    key: str
    function: Callable[..., bytes]
    arguments: tuple[Any, ...] = ()


def compute_key(*parts: str) -> str:
    """The name of an answer: a hash of all that it depends on."""
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:40]
