"""What a side is asked next about the entries of a match."""

from companion.matches.match import Match
from companion.record.remarks import Agreement, EntryRemarks


def find_agreeable_entry(match: Match, side: str) -> int | None:
    """The newest entry that a side has said nothing of; one that was changed since it agreed is none."""
    newest_first = reversed(match.standing_entries)
    unspoken = (entry.id for entry in newest_first if not _has_spoken(match.remarks.of_entry(entry.id), side))
    return next(unspoken, None)


def _has_spoken(remarks: EntryRemarks, side: str) -> bool:
    """Whether a side has an open objection to an entry, or has agreed to it in any version."""
    doubts = any(objection.side == side and objection.settled is None for objection in remarks.objections)
    return doubts or any(
        agreement.side == side and (agreement.holds or agreement.is_stale) for agreement in remarks.agreements
    )


def list_changed_agreements(match: Match, side: str) -> list[Agreement]:
    """What a side agreed to before it was changed, until the side says something again.

    A withdrawn entry is listed until something else is written.
    """
    doubted = {objection.entry for objection in match.remarks.open if objection.side == side}
    newest = match.logged_entries[-1].id if match.logged_entries else 0
    return [
        agreement
        for agreement in match.remarks.changed
        if agreement.side == side
        and agreement.entry not in doubted
        and (
            match.number(agreement.entry) is not None
            or (agreement.ended is not None and agreement.ended.seq > newest)
        )
    ]
