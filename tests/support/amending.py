"""Records with an entry more, or another one: what a log makes of a match, without a log."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.record.portable_remarks import Remark, read_reviews
from companion.record.record import Record, fold_record, try_entry
from companion.rules.game import EntryT, Family, StateT
from companion.rules.schema import to_json


def add_entry(
    record: Record, family: Family[StateT, EntryT], entry: Mapping[str, Any], state: StateT | None = None
) -> Record:
    """The record with one entry more; `state`, where it is known, is what the record came to before.

    :raises Unreadable: when it is no entry.
    :raises RuleViolation: when it breaks a rule, with every problem found in it.
    """
    return _set_entry(record, family, len(record.entries), entry, state)


def amend_entry(
    record: Record,
    family: Family[StateT, EntryT],
    n: int,
    entry: Mapping[str, Any],
    before: StateT | None = None,
) -> Record:
    """The record with its n-th entry, counted from 1, replaced; `before` is the state before it, if known.

    Later entries that no longer agree with it are kept; the fold names them among its problems. If it says
    something else now, agreements to it are over, and objections to it settled.

    :raises Unreadable: when it is no entry.
    :raises RuleViolation: when it breaks a rule itself, with every problem found in it.
    """
    return _set_entry(record, family, n - 1, entry, before)


def _set_entry(
    record: Record,
    family: Family[StateT, EntryT],
    place: int,
    entry: Mapping[str, Any],
    before: StateT | None = None,
) -> Record:
    if before is None:
        before = fold_record(replace(record, entries=record.entries[:place]), family)
    tried = try_entry(family, place + 1, entry, before)
    tried.check()
    entries = (*record.entries[:place], to_json(tried.typed), *record.entries[place + 1 :])
    changed = place < len(record.entries) and entries[place] != record.entries[place]
    remarks = amend_remarks(record.remarks, place + 1) if changed else record.remarks
    return replace(record, entries=entries, remarks=remarks)


def amend_remarks(remarks: tuple[Remark, ...], n: int) -> tuple[Remark, ...]:
    """The remarks after the nth entry was corrected: nobody has agreed to it, no objection to it is open."""
    unchanged = tuple(remark for remark in remarks if (remark.entry, remark.kind) != (n, "agree"))
    doubts = read_reviews(unchanged).doubts
    is_met = [doubt.objection for doubt in doubts if doubt.is_open and doubt.objection.entry == n]
    return (*unchanged, *(Remark(n, doubt.by, "settled", how="amended") for doubt in is_met))
