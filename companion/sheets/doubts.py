"""What the sides said of entries, in sentences for paper: footnotes, and what is doubted still."""

from collections.abc import Mapping, Sequence

from companion.record.portable_remarks import Doubt, Remark
from companion.rules.message import Message, SideName

Reasons = Mapping[str, Message]
"""What may be wrong with an entry, in words that stand in a sentence, by the reasons of objections."""

DEAL_REASONS: Reasons = {
    "count": Message("wrong count"),
    "runs": Message("wrong runs"),
    "trump": Message("wrong trumps"),
    "revoke": Message("a revoke"),
    "other": Message("another reason"),
}
POINTS_REASONS: Reasons = {**DEAL_REASONS, "count": Message("wrong points")}
"""Of entries that are no deals."""
HAND_REASONS: Reasons = {
    "count": Message("it ended differently"),
    "trump": DEAL_REASONS["trump"],
    "revoke": Message("a wrong card was played"),
    "other": DEAL_REASONS["other"],
}
NO_HAND_REASONS: Reasons = {**HAND_REASONS, "count": Message("it was different")}
"""Of entries that are no hands, or hands that nobody lost."""


def describe_doubt(doubt: Doubt, reasons: Reasons, sides: Sequence[str]) -> Message:
    """An objection in a sentence, and how it ended; figures stand in the order of the `sides`."""
    objection = doubt.objection
    quoted = [_quote(objection)] if objection.text.strip() else []
    # Their own words say more than that there was another reason.
    what = [] if quoted and objection.reason == "other" else [_name_reason(objection, reasons)]
    if objection.totals is not None:
        totals = " : ".join(str(objection.totals[side]) for side in sides)
        what.append(Message("{totals} claimed to be right", totals=totals))
    sentence = _describe_end(doubt, {"side": SideName(objection.by), "what": what + quoted})
    if doubt.ended is None or not doubt.ended.text.strip():
        return sentence
    return Message("{sentence} {quoted}", sentence=sentence, quoted=_quote(doubt.ended))


def name_doubt(objection: Remark, reasons: Reasons) -> Message:
    """An objection in very few words: whose, and why."""
    side = SideName(objection.by)
    return Message("{side}: {reason}", side=side, reason=_name_reason(objection, reasons))


def _name_reason(objection: Remark, reasons: Reasons) -> Message:
    return reasons.get(objection.reason or "") or reasons["other"]


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
