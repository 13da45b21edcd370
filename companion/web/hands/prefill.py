"""Facts of a question that a match already knows, and the usual facts of a question."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from companion.beating.entries import Bout, Hand
from companion.beating.match import Beating
from companion.beating.state import BeatingRow
from companion.beating.turn import CANCELLED
from companion.library import Game
from companion.matches import Match
from companion.rules.question import Question
from companion.rules.schema import fields_of
from companion.rules.seats import Seat

from . import hand_game, hand_state
from .followed_hand import FollowedHand

OF_WHOLE_BOUTS = ("bout", "turn")
"""The questions about a bout from its beginning; others are about the present attacker and defender."""


def prefill(match: Match, question: Question, entry: int | None = None) -> Mapping[str, Any]:
    """The facts of a question that follow from the match as it stands, or from one of its hands."""
    if entry is not None and match.counted_number(entry):
        facts = _entry_facts(match, entry, question.name)
    else:
        hand = FollowedHand(match, match.draft if match.playing else None)
        facts = _bout_facts(hand, question.name) | _start_facts(match, hand)
    keys = {field.key for field in fields_of(question.shape)}
    return {key: value for key, value in facts.items() if key in keys and value not in (None, [])}


def _entry_facts(match: Match, id: int, question: str) -> dict[str, Any]:
    """The facts of a written hand: trumps and its last bout, or how it ended."""
    entry, n = match.place(id).entry, match.number(id)
    row = match.row(n) if n is not None else None
    dealer = row.dealer if row is not None else None
    if question == "next-hand":
        if row is None or row.result not in ("loss", "draw"):
            return {}
        loser = cast(BeatingRow, row).loser
        return {"result": row.result, "dealer": dealer, "loser": loser, "deals": entry.get("deals")}
    facts: dict[str, Any] = {"trump": entry.get("trump"), "dealer": dealer}
    hand = cast(Hand, row.entry) if row is not None else None
    if hand is not None and hand.bouts:
        left = (hand.walked_out, hand.walked_after)
        facts |= _last_bout_facts(hand_game(match.game), hand.bouts, entry["bouts"], question, *left)
    return facts


def _last_bout_facts(
    game: Beating,
    bouts: Sequence[Bout],
    written: Sequence[Mapping[str, Any]],
    question: str,
    walked_out: Seat | None,
    walked_after: int | None,
) -> dict[str, Any]:
    """The facts of the last bout that was not cancelled: attacker, defender, who was out, its result.

    `written` are the bouts as JSON; `walked_out` left after `walked_after` of them (None: after all).
    """
    played = [n for n, bout in enumerate(bouts) if bout.result != CANCELLED]
    if not played:
        return {}
    n = played[-1]
    last, before = bouts[n], game.stages(bouts, walked_out, walked_after)[n]
    path = game.ways(bouts, walked_out, walked_after)[n]
    attacker, defender = path[:2] if question in OF_WHOLE_BOUTS else path[-2:]
    return {
        "attacker": attacker,
        "defender": defender,
        "result": last.result,
        "transfers": written[n].get("transfers"),
        "out": [*before.out, *(last.out if question == "turn" else ())],
        "first_bout": before.first_bout or None,
        "none_beaten_off": before.none_beaten_off or None,
    }


def _bout_facts(hand: FollowedHand, question: str) -> dict[str, Any]:
    """The trumps, and the facts of the current bout, or of the last one after the end."""
    ruleset, guide, course = hand.ruleset, hand.guide, hand.course
    trump = hand.second_trump or hand.trump
    if guide is None:
        left, written = (hand.walked_out, hand.facts.get("walked_after", 0)), hand.facts.get("bouts", [])
        return {"trump": trump} | _last_bout_facts(hand.game, hand.bouts, written, question, *left)
    path = guide.path
    attacker, defender = path[:2] if question in OF_WHOLE_BOUTS else path[-2:]
    facts: dict[str, Any] = {
        "trump": trump,
        "attacker": attacker,
        "defender": defender,
        "transfers": hand.facts.get("transfers"),
        "out": list(course.out),
        "first_bout": course.first_bout or None,
        "none_beaten_off": course.none_beaten_off or None,
    }
    first = not hand.bouts
    # The number dealt, except for players who have laid a card since.
    facts |= {"defender_cards": ruleset.hand if first and defender not in path[:-1] else None}
    facts |= {"next_cards": ruleset.hand if first and guide.next_defender not in path else None}
    if question == "bout":
        held = {seat: ruleset.hand for seat in hand.ring.seats if seat not in course.out}
        facts |= {"cards": held if first else None, "talon": _talon_cards(hand)}
    return facts


def _talon_cards(hand: FollowedHand) -> int | None:
    """The number of cards left in the talon, if it is certain."""
    if hand.talon_used_up:
        return 0
    return hand.ruleset.talon if not hand.bouts else None


def _start_facts(match: Match, hand: FollowedHand) -> dict[str, Any]:
    """The facts of the last hand's end, which decide how the next one begins."""
    state = hand_state(match)
    if not state.hands:
        lowest_trump = hand.first_attacker if hand.asks_first_attacker else None
        return {"result": "first", "dealer": state.next_dealer, "lowest_trump": lowest_trump}
    last = next(row for row in reversed(state.rows) if row.result in ("loss", "draw", "touch"))
    if last.result == "draw":
        return {"result": "draw", "dealer": last.dealer}
    facts = {"result": "loss", "dealer": last.dealer, "loser": state.fool}
    if state.ring.partnerships:
        facts["deals"] = hand.dealer
    return facts


def usual_facts(game: Game, question: Question) -> Mapping[str, Any]:
    """The facts of a question asked without a match: the first bout of a hand, A against B."""
    ruleset = hand_game(game).ruleset
    facts: dict[str, Any] = {
        "attacker": ruleset.ring.seats[0],
        "defender": ruleset.ring.seats[1],
        "dealer": ruleset.ring.seats[0],
        "result": "loss" if question.name == "next-hand" else None,
        "defender_cards": ruleset.hand,
        "next_cards": ruleset.hand,
        "cards": dict.fromkeys(ruleset.ring.seats, ruleset.hand),
        "talon": ruleset.talon if ruleset.seated else None,
    }
    keys = {field.key for field in fields_of(question.shape)}
    return {key: value for key, value in facts.items() if key in keys and value is not None}


def likely_questions(match: Match) -> tuple[str, ...]:
    """The questions offered first, by name: those of play, or who begins the next hand."""
    return () if match.playing and match.draft is not None else ("next-hand",)
