"""From what was made to what is written: made, bait, tie; held points; who deals; who has won."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..rules.message import Message, SeatName, Word
from ..rules.seats import Seat, Side
from .ruleset import Ruleset, UnknownOption


@dataclass(frozen=True, slots=True)
class Settled:
    """One played deal: how it ended, what each side writes, what hangs after it, who deals next."""

    result: str
    scored: Mapping[Side, int]
    held: tuple[int, ...]
    next_dealer: Seat | None
    why: Message
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """Whether a deal ended the game. `verdict` is the winning side, `play-on`, or `void`."""

    verdict: str
    ended_by: str | None
    why: Message
    keys: tuple[str, ...]

    @property
    def winner(self) -> Side | None:
        """The side that has won, if one has."""
        return None if self.verdict in ("play-on", "void") else self.verdict


def settle(
    ruleset: Ruleset, declarer: Seat, made: Mapping[Side, int], held: Sequence[int], dealer: Seat | None
) -> Settled:
    """What a deal of two sides comes to; `made` is all that counts at the table.

    Rule keys: `score.made`, `score.bait`, `score.tie`, `score.held`, `deal.next`.
    """
    side = ruleset.ring.side(declarer)
    (other,) = ruleset.ring.others(side)
    names = {"declarer": SeatName(side), "defender": SeatName(other)}
    told = {"own": made[side], "against": made[other]} | names
    if made[side] == made[other]:
        return _tie(ruleset, declarer, other, made, tuple(held), dealer)
    if made[side] > made[other]:
        scored, winner = dict(made), side
        result, key = "made", "score.made"
        why = Message("{declarer} makes it, {own} to {against}.", **told)
    else:
        scored, winner = {side: 0, other: sum(made.values())}, other
        result, key = "bait", "score.bait"
        why = Message("{declarer} is baited, {own} to {against}: {defender} writes it all.", **told)
    freed, left = _freed(ruleset, tuple(held))
    scored[winner] += freed
    keys: tuple[str, ...] = (key,)
    if freed:
        keys += ("score.held",)
        why = Message(
            "{what} {held} held points go to {winner}.", what=why, held=freed, winner=SeatName(winner)
        )
    return Settled(result, scored, left, _next(ruleset, declarer, winner, dealer), why, (*keys, "deal.next"))


def _tie(
    ruleset: Ruleset,
    declarer: Seat,
    other: Side,
    made: Mapping[Side, int],
    held: tuple[int, ...],
    dealer: Seat | None,
) -> Settled:
    side = ruleset.ring.side(declarer)
    match ruleset["tie"]:
        case "hang":
            scored, after = {side: 0, other: made[other]}, (*held, made[side])
            why = Message(
                "{word}, {points} each: {defender} writes {points}, {points} are held.",
                word=Word(ruleset.book.words["tie"]),
                points=made[side],
                defender=SeatName(other),
            )
        case unknown:
            raise UnknownOption(unknown)
    match ruleset["tie_dealer"]:
        case "defender":
            dealt: Seat | None = _defender(ruleset, declarer)
        case "opponent-of-dealer":
            dealt = None if dealer is None else ruleset.ring.left(dealer)
        case unknown:
            raise UnknownOption(unknown)
    return Settled("tie", scored, after, dealt, why, ("score.tie", "score.held", "deal.next-tie"))


def _freed(ruleset: Ruleset, held: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    match ruleset["hanging"]:
        case "all-at-once":
            return sum(held), ()
        case unknown:
            raise UnknownOption(unknown)


def _next(ruleset: Ruleset, declarer: Seat, winner: Side, dealer: Seat | None) -> Seat | None:
    match ruleset["rotation"]:
        case "winner":
            return declarer if winner == ruleset.ring.side(declarer) else _defender(ruleset, declarer)
        case unknown:
            raise UnknownOption(unknown)


def _defender(ruleset: Ruleset, declarer: Seat) -> Seat:
    return ruleset.ring.left(declarer)


def penalty(
    ruleset: Ruleset, offender: Side, points: int, held: Sequence[int], dealer: Seat | None
) -> Settled:
    """A deal settled by a penalty; `points` is all that the deal holds. Rule key: `penalty.revoke`."""
    (other,) = ruleset.ring.others(offender)
    names = {"offender": SeatName(offender), "other": SeatName(other)}
    match ruleset["penalty"]:
        case "bait-on-cards":
            whole = points + sum(held)
            why = Message("{offender} gives up the deal: {other} writes {points}.", points=whole, **names)
            scored = {offender: 0, other: whole}
            keys = ("penalty.revoke", "score.held") if held else ("penalty.revoke",)
            return Settled("penalty", scored, (), other, why, keys)
        case "replay":
            why = Message(
                "{offender} broke the rules: the deal is void and the same player deals again.", **names
            )
            return Settled("void", ruleset.zeros(), tuple(held), dealer, why, ("penalty.revoke", "deal.void"))
        case unknown:
            raise UnknownOption(unknown)


def ending(
    ruleset: Ruleset, totals: Mapping[Side, int], declarer: Seat | None, trickless: Side | None
) -> Ending | None:
    """Whether the totals after a deal end the game; None: that hangs on the declarer, who is unknown.

    Rule keys: `end.target`, `end.both`, `end.trickless`.
    """
    target = ruleset["target"]
    over = [side for side in ruleset.ring.sides if totals[side] >= target]
    if not over:
        return Ending("play-on", None, Message("Nobody has {target} yet.", target=target), ("end.target",))
    if len(over) == 1:
        keys: tuple[str, ...] = ("end.target",)
        winner, ended_by = over[0], "target"
        why = Message("{winner} has {points} and wins.", winner=SeatName(winner), points=totals[winner])
    else:
        named = _both_over(ruleset, declarer) or trickless  # without a trick one cannot win, declarer or not
        if named is None:
            return None
        winner, ended_by, keys = named, "both-over", ("end.target", "end.both")
        why = Message(
            "Both have {target}: the declarer {winner} wins.", target=target, winner=SeatName(winner)
        )
    if winner == trickless:
        return _trickless(ruleset, over, winner)
    return Ending(winner, ended_by, why, keys)


def _both_over(ruleset: Ruleset, declarer: Seat | None) -> Side | None:
    match ruleset["both_over"]:
        case "declarer":
            return None if declarer is None else ruleset.ring.side(declarer)
        case unknown:
            raise UnknownOption(unknown)


def _trickless(ruleset: Ruleset, over: Sequence[Side], winner: Side) -> Ending:
    match ruleset["trickless"]:
        case "no-win":
            others = [side for side in over if side != winner]
            if others:
                why = Message(
                    "{loser} took no trick and cannot win: {winner} has the target too and wins.",
                    loser=SeatName(winner),
                    winner=SeatName(others[0]),
                )
                return Ending(others[0], "both-over", why, ("end.target", "end.both", "end.trickless"))
            why = Message(
                "{loser} took no trick and cannot win: the deal is played again.", loser=SeatName(winner)
            )
            return Ending("void", None, why, ("end.target", "end.trickless"))
        case unknown:
            raise UnknownOption(unknown)


@dataclass(frozen=True, slots=True)
class Call:
    """A call that ends the game in mid-deal, judged: `upheld`, `false`, or `no-call`."""

    verdict: str
    came_to: int | None
    needed: int
    winner: Side | None
    why: Message
    keys: tuple[str, ...]


def finish_call(
    ruleset: Ruleset, caller: Side, total: int, made: int, *, took_trick: bool, next_card: bool
) -> Call:
    """Judge *Enough*: `total` before the deal, `made` what the caller has so far, held points left out.

    Rule keys: `end.finish`, `end.finish-when`.
    """
    needed = ruleset["target"]
    if not took_trick or next_card:
        why = (
            Message("{caller} did not take the last trick, so play goes on.", caller=SeatName(caller))
            if not took_trick
            else Message("The next card has been played, so play goes on.")
        )
        return Call("no-call", None, needed, None, why, ("end.finish-when",))
    came_to = total + made
    told = {"caller": SeatName(caller), "came_to": came_to, "needed": needed}
    if came_to >= needed:
        why = Message("{caller} has {came_to} of {needed} and wins.", **told)
        return Call("upheld", came_to, needed, caller, why, ("end.finish", "end.finish-when"))
    (winner,) = ruleset.ring.others(caller)
    why = Message("{caller} has only {came_to} of {needed}: {winner} wins.", winner=SeatName(winner), **told)
    return Call("false", came_to, needed, winner, why, ("end.finish", "end.finish-when"))
