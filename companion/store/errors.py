"""Why a store cannot be opened, or is unavailable."""

from companion.rules.errors import Explained


class CannotStart(Explained):
    """Something that the program needs is missing or unusable; the sentence says what to do."""


class StoreUnavailable(Exception):
    """The store cannot be read or written for now; nothing was written.

    `reason` is ``away`` when it does not answer, ``busy`` when others kept it for too long, ``full`` when the
    disk has no room left. The message, for a log, is what the store itself says of it.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason, self.detail = reason, message
