"""Entries beside the deals of a game: the end announced, the stake doubled, a mistake corrected."""

from dataclasses import replace

from companion.jacknine.entries import Deal, Dive, Finish, Pencil
from companion.jacknine.phases import ending
from companion.jacknine.ruleset import JackNineRuleset
from companion.jacknine.state import JackNineRow, JackNineState
from companion.rules.message import Message, SideName, Word
from companion.rules.seats import Side


def _cite(state: JackNineState, row: JackNineRow, why: Message, *keys: str) -> JackNineRow:
    """The row with its reason and the rules of these keys."""
    return replace(row, why=why, rules=tuple(rule.id for rule in state.ruleset.cite(*keys)))


def apply_finish(state: JackNineState, row: JackNineRow, entry: Finish) -> JackNineState:
    """Apply a side's announcement that it has the target. Rule keys: `end.finish`, `end.false`."""
    ruling = ending.judge_call_at_result(state.ruleset, entry.side, state.totals[entry.side])
    if ruling.winner is None:
        return state.flag(row, "", ruling.keys[0], ruling.why)
    row = _cite(state, row, ruling.why, *ruling.keys)
    upheld = ruling.verdict == "upheld"
    row = replace(row, result="finished" if upheld else "false-finish")
    return state.add_row(row, {}).end(ruling.winner, "finish" if upheld else "false-finish")


def may_dive(ruleset: JackNineRuleset, by: Side, doubled_by: Side | None) -> bool:
    """True if a side may offer to double; after an accepted offer only the other may.

    Rule key: `dive.offer`.
    """
    return bool(ruleset["dive"] == "on" and by != doubled_by)


def cite_plain_stake(ruleset: JackNineRuleset) -> str:
    """The key of the rule for the worth of a game if nobody doubles."""
    return "sets.win" if ruleset.plays_to_target() else "end.one-deal"


def apply_dive(state: JackNineState, row: JackNineRow, entry: Dive) -> JackNineState:
    """Apply a side's offer to double the stake.

    Rule keys: `dive.offer`, `dive.accept`, `dive.refuse`; if nobody doubles here `sets.win`, `end.one-deal`.
    """
    names: dict[str, object] = {"by": SideName(entry.by), "other": SideName(state.ring.others(entry.by)[0])}
    names["dive"] = Word(state.ruleset.book.words["dive"])
    if state.ruleset["dive"] == "off":
        key = cite_plain_stake(state.ruleset)
        return state.flag(row, "", key, Message("At this table nobody doubles."))
    if not may_dive(state.ruleset, entry.by, state.doubled_by):
        why = Message("{by} doubled last, so only {other} may offer now.", **names)
        return state.flag(row, "by", "dive.offer", why)
    if entry.accepted:
        stake = state.stake * 2
        why = Message("{by}: {dive}, accepted by {other}; the stake is now {stake}.", stake=stake, **names)
        after = state.add_row(_cite(state, row, why, "dive.offer", "dive.accept"), {})
        return replace(after, stake=stake, doubled_by=entry.by)
    why = Message("{by}: {dive}, refused by {other}; {by} wins.", **names)
    return state.add_row(_cite(state, row, why, "dive.offer", "dive.refuse"), {}).end(entry.by, "dive")


def correct_pencil(
    ruleset: JackNineRuleset, by: Side, wrote: int, should: int, *, cut: bool
) -> tuple[dict[Side, int], tuple[str, ...]]:
    """Correct a writing mistake: the points that move, by side, and the rule keys.

    `by` wrote `wrote` and should have written `should`; `cut`: the next deal has been cut.

    Rule keys: `penalty.pencil`, `penalty.hundreds`, `penalty.corrections`.
    """
    (other,) = ruleset.ring.others(by)
    too_many = wrote - should
    moved = ruleset.zeros() | {by: -too_many}
    if abs(too_many) == ruleset["plain_error"]:
        return moved, ("penalty.hundreds",)
    if too_many > 0:
        return moved | {other: too_many}, ("penalty.pencil",)
    stands = cut and ruleset["underwrite"] == "stands"
    return ruleset.zeros() if stands else moved, ("penalty.corrections",)


def apply_pencil(state: JackNineState, row: JackNineRow, entry: Pencil) -> JackNineState:
    """Correct a mistake in writing an earlier deal in the totals; the deal keeps what was written."""
    deals = [other for other in state.rows if isinstance(other.entry, Deal)]
    mistaken = next((deal for deal in deals if deal.n == entry.deal), None)
    if mistaken is None:
        why = Message("There is no deal {n} before this.", n=entry.deal)
        return state.flag(row, "deal", "penalty.pencil", why)
    number = deals.index(mistaken) + 1
    cut = any(deal.n > mistaken.n for deal in deals)
    moved, keys = correct_pencil(state.ruleset, entry.by, entry.wrote, entry.should, cut=cut)
    why = Message(
        "Deal {number}: {by} wrote {wrote} and should have written {should}.",
        number=number,
        by=SideName(entry.by),
        wrote=entry.wrote,
        should=entry.should,
    )
    if not any(moved.values()):
        why = Message("{what} It stands, for the next deal has been cut.", what=why)
    return state.add_row(_cite(state, row, why, *keys), moved)
