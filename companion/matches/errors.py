"""Why a match cannot be opened or written in, beside what the record and the store say themselves."""


class NoSuchMatch(LookupError):
    """No match has this id."""


class DeletedMatch(NoSuchMatch):
    """The match with this id is in its owner's trash. Only those who took part may know."""

    def __init__(self, id: str, owner: str) -> None:
        super().__init__(id)
        self.id, self.owner = id, owner


class NoSuchEntry(LookupError):
    """The match has no such entry or ruling, or none that this can be done to."""


class TooMany(Exception):
    """There are as many as there can be: `most`.

    Of "links", "phones", "remarks" of a side, "rulings", "entries", "changes" in a history, or "sidelines"
    in it, which change no entry.
    """

    def __init__(self, what: str, most: int) -> None:
        super().__init__(f"{most} {what} at most")
        self.what, self.most = what, most


class NotTheWriter(PermissionError):
    """Whoever asks may look at the match, but not write in it."""
