"""Why a match cannot be opened or written in, beside what the record and the store say themselves."""


class NoSuchMatch(LookupError):
    """No match has this id."""


class NoSuchEntry(LookupError):
    """The match has no such entry or ruling, or none that this can be done to."""


class NotTheWriter(PermissionError):
    """Whoever asks may look at the match, but not write in it."""
