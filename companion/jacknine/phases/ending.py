"""The end of a game: the target, several sides over it, calls, one-deal games, and the worth of a win."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.message import Message, SideName, Word
from companion.rules.seats import Seat, Side

from .settlement import Settlement


@dataclass(frozen=True, slots=True)
class GameEnd:
    """The state of the game after a deal: `verdict` is the winner, `play-on`, or `void` for the deal.

    `ended_by` is `target`, `both-over`, `deals`, `one-deal` or `penalty`. `needs` names the one unknown fact
    that decides (`declarer`, `last`, `played`); `may_finish` the sides that may now announce the end. `keys`
    are the rules applied.
    """

    verdict: str
    ended_by: str | None
    why: Message
    keys: tuple[str, ...]
    needs: str | None = None
    may_finish: tuple[Side, ...] = ()

    @property
    def winner(self) -> Side | None:
        """The side that has won, if one has."""
        return None if self.verdict in ("play-on", "void") else self.verdict


def find_game_end(
    ruleset: JackNineRuleset,
    totals: Mapping[Side, int],
    declarer: Seat | None,
    trickless: Collection[Side] = (),
    last: Side | None = None,
    offender: Side | None = None,
    played: int | None = None,
    denied: Collection[Side] = (),
) -> GameEnd:
    """Judge by the totals after a deal whether the game ends; not for games of one deal.

    `declarer`, `trickless` sides, the side of the `last` trick and an `offender` are of that deal; `played`
    is the number of deals including it; `denied` are sides that must take a trick first. Rule keys:
    `end.deals`, `end.target`, `end.both`, `end.third`, `end.trick`, `end.trickless`, `end.finish`.
    """
    target = ruleset["target"]
    over = [side for side in ruleset.ring.sides if totals[side] >= target and side not in denied]
    if not ruleset.plays_to_target():
        return _play_on(Message("One deal is the game: no total ends it."), "end.one-deal")
    if ruleset["deals"]:
        return _end_after_deals(ruleset, totals, played)
    if not over and denied:
        why = Message("{sides} must still take a trick to win.", sides=[SideName(side) for side in denied])
        return _play_on(why, "end.target", "end.trick")
    if not over:
        return _play_on(Message("Nobody has {target} yet.", target=target), "end.target")
    if len(over) == 1:
        ended = _end_with_one(ruleset, over[0], totals[over[0]])
    else:
        ended = _end_with_several(ruleset, over, totals, declarer, last, offender)
    if ended.needs is not None and trickless and ruleset["trickless"] == "no-win":
        # whoever is named, a side without a trick cannot win
        ended = replace(ended, verdict=min(trickless), needs=None)
    if ended.winner is not None and ended.winner in trickless:
        return _deny_trickless(ruleset, over, ended)
    return ended


def find_denied(
    ruleset: JackNineRuleset,
    totals: Mapping[Side, int],
    bela: Sequence[Side],
    baited: Side | None,
    trickless: Collection[Side],
    waiting: Collection[Side],
) -> frozenset[Side]:
    """Find the sides at the target without a win: by this deal's bela alone, baited or without a trick.

    `totals` are those after the deal, `bela` has the side of each bela, `waiting` are the sides that had not
    won for that reason before it. Rule key: `end.trick`.
    """
    if not ruleset.bids_points:
        return frozenset()
    target, found = ruleset["target"], frozenset(waiting) & frozenset(trickless)
    match ruleset["bela_out"]:
        case "wins":
            return frozenset()
        case "trick":
            pass
        case unknown:
            raise UnknownOption(unknown)
    for side in set(bela) & {baited, *trickless}:
        found |= {side} if totals[side] - ruleset.bela_points * bela.count(side) < target else frozenset()
    return frozenset(side for side in found if totals[side] >= target)


def _end_after_deals(ruleset: JackNineRuleset, totals: Mapping[Side, int], played: int | None) -> GameEnd:
    """End a game of a fixed number of deals: then more points win. Rule keys: `end.deals`, `end.both`."""
    deals, best = ruleset["deals"], max(totals.values())
    if played is None:
        return _play_on(Message("{deals} deals are the game.", deals=deals), "end.deals", needs="played")
    facts = {"played": played, "deals": deals}
    if played < deals:
        return _play_on(Message("{played} of {deals} deals have been played.", **facts), "end.deals")
    ahead = [side for side, total in totals.items() if total == best]
    if len(ahead) > 1:
        why = Message("Both have {most}, so another deal is played.", most=best)
        return _play_on(why, "end.deals", "end.both")
    winner = SideName(ahead[0])
    why = Message(
        "{deals} deals have been played: {winner} {winner:has|have} more and {winner:wins|win}.",
        winner=winner,
        deals=deals,
    )
    return GameEnd(ahead[0], "deals", why, ("end.deals",))


def cite_baited_at_target(
    ruleset: JackNineRuleset, settlement: Settlement, would_have: int
) -> tuple[str, ...]:
    """The key of the rule that a baited declarer has not won, if the points would have been enough.

    `would_have` is the total had the deal been made. Rule key: `end.baited`.
    """
    reached = settlement.result == "bait" and would_have >= ruleset["target"]
    return ruleset.known_keys("end.baited") if reached else ()


def _play_on(
    why: Message, *keys: str, may_finish: tuple[Side, ...] = (), needs: str | None = None
) -> GameEnd:
    """Let the game go on."""
    return GameEnd("play-on", None, why, keys, needs, may_finish)


def _end_with_one(ruleset: JackNineRuleset, side: Side, points: int) -> GameEnd:
    """Judge the end with one side at the target."""
    facts: dict[str, object] = {"winner": SideName(side), "points": points}
    if ruleset["finish"] == "announced":
        why = Message("{winner} {winner:has|have} {points} and may announce the end.", **facts)
        return _play_on(why, "end.target", "end.finish", may_finish=(side,))
    why = Message("{winner} {winner:has|have} {points} and {winner:wins|win}.", **facts)
    return GameEnd(side, "target", why, ("end.target",))


def _end_with_several(
    ruleset: JackNineRuleset,
    over: Sequence[Side],
    totals: Mapping[Side, int],
    declarer: Seat | None,
    last: Side | None,
    offender: Side | None,
) -> GameEnd:
    """Judge the end with several sides at the target: by `both_over`, or the highest total wins."""
    keys, ring = ("end.target", "end.both"), ruleset.ring
    target, needs = ruleset["target"], "declarer"
    named: Side | None = None
    match ruleset["both_over"]:
        case "higher-then-declarer" if len({totals[side] for side in over}) > 1:
            return _end_with_highest(over, totals, keys, target)
        case "declarer" | "higher-then-declarer":
            named = ring.side(declarer) if declarer else None
            why = Message("Both have {target}: {winner} played it and {winner:wins|win}.")
        case "defender":
            named = ring.others(ring.side(declarer))[0] if declarer else None
            why = Message("Both have {target}: {winner} defended and {winner:wins|win}.")
        case "last-trick" if offender is not None and last in (None, offender) and len(ring.sides) == 2:
            named = ring.others(offender)[0]
            why = Message(
                "Both have {target}: "
                "with the penalty {winner} {winner:gets|get} the last trick and {winner:wins|win}."
            )
            if last is None:
                why = Message(
                    "Both have {target}: with the penalty {winner} {winner:has|have} the last trick, "
                    "whoever took it, and {winner:wins|win}."
                )
        case "last-trick" if offender is None or last != offender:
            named, needs = last, "last"
            why = Message("Both have {target}: {winner} took the last trick and {winner:wins|win}.")
        case "higher" | "last-trick":
            return _end_with_highest(over, totals, keys, target)
        case unknown:
            raise UnknownOption(unknown)
    if named is None:
        return GameEnd("play-on", None, Message("Both have {target}.", target=target), keys, needs)
    if named not in over:
        return _end_with_highest(over, totals, (*keys, "end.third"), target)
    why = Message(why.template, target=target, winner=SideName(named))
    return GameEnd(named, "both-over", why, keys)


def _end_with_highest(
    over: Sequence[Side], totals: Mapping[Side, int], keys: tuple[str, ...], target: int
) -> GameEnd:
    """Let the highest total of the sides at the target win; of equal ones nobody's."""
    most = max(totals[side] for side in over)
    best = [side for side in over if totals[side] == most]
    if len(best) > 1:
        return _play_on(Message("Both have {most}, so another deal is played.", most=most), *keys)
    why = Message(
        "Both have {target}: {winner} {winner:has|have} more and {winner:wins|win}.",
        winner=SideName(best[0]),
        target=target,
    )
    return GameEnd(best[0], "both-over", why, keys)


def _deny_trickless(ruleset: JackNineRuleset, over: Sequence[Side], ended: GameEnd) -> GameEnd:
    """Settle a win by a side that took no trick. Rule key: `end.trickless`."""
    if ruleset["trickless"] != "no-win":
        return ended
    loser = SideName(ended.winner or "")
    others = [side for side in over if side != ended.winner]
    if not others:
        why = Message("{loser} took no trick and cannot win: the deal is played again.", loser=loser)
        return GameEnd("void", None, why, ("end.target", "end.trickless"))
    why = Message(
        "{loser} took no trick and cannot win: "
        "{winner} {winner:has|have} the target too and {winner:wins|win}.",
        loser=loser,
        winner=SideName(others[0]),
    )
    return GameEnd(others[0], "both-over", why, ("end.target", "end.both", "end.trickless"))


# ── One deal ────────────────────────────────────────────────────────────────────────────────────────────────


def end_one_deal_game(ruleset: JackNineRuleset, declarer: Seat, settlement: Settlement) -> GameEnd | None:
    """End a game that is one deal; None if the game is played to a target.

    Rule key: `end.one-deal`.
    """
    if ruleset.plays_to_target():
        return None
    (defender,) = ruleset.ring.others(ruleset.ring.side(declarer))
    winner = settlement.winner or defender
    ended_by = "penalty" if settlement.result == "penalty" else "one-deal"
    why = Message("{winner} {winner:wins|win} the game.", winner=SideName(winner))
    return GameEnd(winner, ended_by, why, ("end.one-deal",))


def find_next_game_dealer(
    ruleset: JackNineRuleset, winner: Side, dealer: Seat | None
) -> tuple[Seat | None, tuple[str, ...]]:
    """Find the first dealer of the game after one that a side has won, and the rule keys.

    `dealer` would deal next, had the game gone on. Rule key: `deal.new-game`.
    """
    if ruleset["next_game_dealer"] == "rotation":
        return dealer, ()
    return next(seat for seat in ruleset.ring.seats if ruleset.ring.side(seat) == winner), ("deal.new-game",)


def find_one_deal_stakes(
    ruleset: JackNineRuleset, declarer: Seat | None, result: str | None, winner: Side
) -> dict[Side, int]:
    """Find the stakes that each of two sides wins or pays for a game of one deal.

    `result` is the result of the deal, such as `bait`. Rule key: `end.one-deal`.
    """
    (loser,) = ruleset.ring.others(winner)
    lost = declarer is not None and ruleset.ring.side(declarer) == loser
    as_bait = result == "bait" or (result == "tie" and ruleset["one_deal_tie"] == "double")
    units = int(ruleset["bait_stake"]) if result == "penalty" or (lost and as_bait) else 1
    return ruleset.zeros() | {winner: units, loser: -units}


# ── Calls ───────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class FinishRuling:
    """The ruling on a call that would end the game: `verdict` is `upheld`, `false`, or `no-call`.

    `came_to` are the caller's points, `needed` the target, None in a game of one deal; `winner` is None if
    play goes on.
    """

    verdict: str
    came_to: int | None
    needed: int | None
    winner: Side | None
    why: Message
    keys: tuple[str, ...]


def dismiss_call(ruleset: JackNineRuleset, why: Message) -> FinishRuling:
    """Dismiss a call: nothing happens and play goes on. Rule keys: `end.finish-when`, `end.one-deal`."""
    keys = ruleset.known_keys("end.finish-when") or ("end.one-deal",)
    needed = ruleset["target"] if ruleset.plays_to_target() else None
    return FinishRuling("no-call", None, needed, None, why, keys)


def judge_call_in_play(
    ruleset: JackNineRuleset,
    caller: Side,
    total: int,
    made: int,
    *,
    tricks: int,
    took_trick: bool,
    next_card: bool,
) -> FinishRuling:
    """Judge a call during play.

    `total` are the caller's points before the deal, `made` those of the deal so far, held points left out;
    `tricks` is the number of tricks played, `took_trick` whether the caller took the last of them,
    `next_card` whether a card has been played since. Rule keys: `end.finish`, `end.count`, `end.false`,
    `end.finish-when`.
    """
    if ruleset["finish"] in ("automatic", "none"):
        why = Message("At this table nobody calls; written totals speak for themselves.")
    elif ruleset["finish"] == "announced" and tricks >= ruleset.hand:
        why = Message("After the last trick the result is written before anybody calls.")
    elif not took_trick:
        why = Message("{caller} did not take the last trick, so play goes on.", caller=SideName(caller))
    elif next_card:
        why = Message("The next card has been played, so play goes on.")
    else:
        return _judge_total(ruleset, caller, total + made, ("end.finish", "end.finish-when", "end.count"))
    return dismiss_call(ruleset, why)


def judge_call_at_result(ruleset: JackNineRuleset, caller: Side, total: int) -> FinishRuling:
    """Judge the announcement of a side when the result has been written. Rule key: `end.finish`."""
    if ruleset["finish"] == "announced":
        return _judge_total(ruleset, caller, total, ("end.finish", "end.finish-when"))
    why = Message("At this table nobody calls; written totals speak for themselves.")
    if ruleset["finish"] == "enough":
        why = Message("A call is made during play; written totals speak for themselves.")
    return dismiss_call(ruleset, why)


def _judge_total(ruleset: JackNineRuleset, caller: Side, came_to: int, keys: tuple[str, ...]) -> FinishRuling:
    """Judge a timely call by the points of the caller."""
    needed, call = ruleset["target"], Word(ruleset.book.words["call"])
    facts = {"caller": SideName(caller), "call": call, "came_to": came_to, "needed": needed}
    if came_to >= needed:
        why = Message("{caller} called “{call}” with {came_to} of {needed} and {caller:wins|win}.", **facts)
        return FinishRuling("upheld", came_to, needed, caller, why, keys)
    (winner,) = ruleset.ring.others(caller)
    why = Message(
        "{caller} called “{call}” with only {came_to} of {needed}: {winner} {winner:wins|win}.",
        winner=SideName(winner),
        **facts,
    )
    return FinishRuling("false", came_to, needed, winner, why, (*keys, "end.false"))


# ── What a win is worth ─────────────────────────────────────────────────────────────────────────────────────


def cite_sets(ruleset: JackNineRuleset) -> tuple[str, ...]:
    """The keys of the rules on counting in sets; that of mars if it is played."""
    return ("sets.win", "sets.mars") if ruleset["mars"] == "on" else ("sets.win",)


def count_sets(
    ruleset: JackNineRuleset, totals: Mapping[Side, int], winner: Side, ended_by: str | None
) -> int:
    """Count the sets of a game, before doubling: 2 if the loser is on mars.

    Mars is for wins by points only. Rule keys: `sets.win`, `sets.mars`.
    """
    if ruleset["mars"] == "off" or ended_by not in ("target", "both-over", "finish"):
        return 1
    return 2 if max(totals[side] for side in ruleset.ring.others(winner)) < ruleset["mars_line"] else 1
