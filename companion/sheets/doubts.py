"""What the sides said of entries, in sentences for paper: footnotes, and what is doubted still."""

from collections.abc import Mapping, Sequence

from companion.record.portable_remarks import Doubt, Remark
from companion.rules.message import Message, SideName

TICK = "✓"
"""What stands at an entry that was agreed to."""


def describe_doubt(doubt: Doubt, sides: Sequence[str]) -> Message:
    """An objection in a sentence, and how it ended; figures stand in the order of the `sides`."""
    objection = doubt.objection
    what = [_describe_reason(objection)]
    if objection.totals is not None:
        totals = " : ".join(str(objection.totals[side]) for side in sides)
        what.append(Message("{totals} held to be right", totals=totals))
    if objection.text.strip() and objection.reason != "other":
        what.append(_quote(objection))
    sentence = _describe_end(doubt, {"side": SideName(objection.by), "what": what})
    if doubt.ended is None or not doubt.ended.text.strip():
        return sentence
    return Message("{sentence} {quoted}", sentence=sentence, quoted=_quote(doubt.ended))


def name_doubt(objection: Remark) -> Message:
    """An objection in very few words: whose, and why."""
    reason = _REASONS[objection.reason or "other"]
    return Message("{side}: {reason}", side=SideName(objection.by), reason=reason)


_REASONS: Mapping[str, Message] = {
    "count": Message("wrong count"),
    "runs": Message("wrong runs"),
    "trump": Message("wrong trumps"),
    "revoke": Message("a revoke"),
    "other": Message("another reason"),
}


def _describe_reason(objection: Remark) -> Message:
    """Why, in a few words of ours; in their own, where none of ours fit."""
    own = objection.reason == "other" and objection.text.strip()
    return _quote(objection) if own else _REASONS[objection.reason or "other"]


def _quote(remark: Remark) -> Message:
    return Message("“{text}”", text=remark.text.strip())


def _describe_end(doubt: Doubt, facts: Mapping[str, object]) -> Message:
    if doubt.is_open:
        return Message("{side} objected: {what}; not settled.", **facts)
    match doubt.how:
        case "amended":
            return Message("{side} objected: {what}; corrected.", **facts)
        case "ruled":
            return Message("{side} objected: {what}; ruled.", **facts)
        case "withdrawn":
            return Message("{side} objected: {what}; taken back.", **facts)
        case _:
            return Message("{side} objected: {what}; settled.", **facts)
