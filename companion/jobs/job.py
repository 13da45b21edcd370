"""A job, and the key of its result."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Job:
    """A module-level function to be called by a worker. Its result is bytes; what it raises is raised to the
    caller. Arguments are pickled.

    `key` names the result: a hash of all that it depends on. A job on files has its result beside them, in
    `folder`, and its `key` is a name there; such a job may take long.
    """

    key: str
    function: Callable[..., bytes]
    arguments: tuple[Any, ...] = ()
    folder: Path | None = None

    @property
    def is_long(self) -> bool:
        """Whether it may take minutes."""
        return self.folder is not None

    @property
    def name(self) -> str:
        """The unique name of this job."""
        return self.key if self.folder is None else f"{self.folder.name}/{self.key}"


def compute_key(*parts: str) -> str:
    """The key of a result: a hash of all that it depends on."""
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:40]
