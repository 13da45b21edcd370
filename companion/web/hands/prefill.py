"""Facts of a question that a match already knows, and those that any question begins with."""

from collections.abc import Mapping
from typing import Any, cast

from companion.beating.entries import Hand
from companion.beating.state import BeatingRow
from companion.library import Game
from companion.matches import Match
from companion.rules.game import GameRow
from companion.rules.question import Question
from companion.rules.schema import fields_of

from . import hand_game, hand_state
from .followed_hand import FollowedHand


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
    """What a hand that is written says: trumps and its last bout, or how it ended."""
    entry, n = match.place(id).entry, match.number(id)
    row = match.row(n) if n is not None else None
    dealer = row.dealer if row is not None else None
    if question == "next-hand":
        if row is None or row.result not in ("loss", "draw"):
            return {}
        loser = cast(BeatingRow, row).loser
        return {"result": row.result, "dealer": dealer, "loser": loser, "deals": entry.get("deals")}
    facts: dict[str, Any] = {"trump": entry.get("trump"), "dealer": dealer}
    recorded = entry.get("bouts") or ()
    bouts = [bout for bout in recorded if bout["result"] != "cancelled"]
    if bouts:
        last, before = bouts[-1], bouts[:-1] if question == "bout" else bouts
        out = [seat for bout in before for seat in bout.get("out") or ()]
        out += [seat for bout in recorded if bout not in bouts for seat in bout["out"]]
        out += [entry["walked_out"]] if entry.get("walked_after", len(bouts)) < len(bouts) else []
        facts |= {key: last.get(key) for key in ("attacker", "defender", "result")} | {"out": out}
        facts |= {"first_bout": len(bouts) == 1 or None}
        facts |= (
            {"transfers": last.get("transfers")} if question == "turn" else _last_roles(match, row, question)
        )
    return facts


def _last_roles(match: Match, row: GameRow | None, question: str) -> dict[str, Any]:
    """Who attacks and who defends at the end of a hand's last bout, for a question about a moment of it."""
    if question == "bout" or row is None:
        return {}
    entry = cast(Hand, row.entry)
    *_before, attacker, defender = hand_game(match.game).ways(
        entry.bouts or (), entry.walked_out, entry.walked_after
    )[-1]
    return {"attacker": attacker, "defender": defender}


def _bout_facts(hand: FollowedHand, question: str) -> dict[str, Any]:
    """Trumps, and the bout that comes now, or (where nothing comes any more) the last one."""
    ruleset, guide, course = hand.ruleset, hand.guide, hand.course
    last = hand.bouts[-1] if hand.bouts else None
    path = guide.path if guide else hand.ways[-1] if last else ()
    # A question about a whole bout begins with its beginning, one about a moment with who faces it now.
    whole = question in ("bout", "turn")
    attacker, defender = (path[:2] if whole else path[-2:]) if path else (None, None)
    facts: dict[str, Any] = {
        "trump": hand.second_trump or hand.trump,
        "attacker": attacker,
        "defender": defender,
        "out": [seat for seat in course.out if guide or (last and seat not in last.out)],
    }
    if question == "turn":
        source = hand.facts if guide else hand.facts["bouts"][-1] if last else {}
        facts["transfers"] = source.get("transfers")
    if guide is None:
        return facts
    first = not hand.bouts
    facts |= {"first_bout": first or None, "none_beaten_off": course.none_beaten_off or None}
    # As many as were dealt, but to who has laid one since.
    facts |= {"defender_cards": ruleset.hand if first and defender not in path[:-1] else None}
    facts |= {"next_cards": ruleset.hand if first and guide.next_defender not in path else None}
    if question == "bout":
        held = {seat: ruleset.hand for seat in hand.ring.seats if seat not in course.out}
        facts |= {"cards": held if first else None, "talon": _talon_cards(hand)}
    return facts


def _talon_cards(hand: FollowedHand) -> int | None:
    """How many cards are left in the talon, where that is certain."""
    if hand.talon_used_up:
        return 0
    return hand.ruleset.talon if not hand.bouts else None


def _start_facts(match: Match, hand: FollowedHand) -> dict[str, Any]:
    """How the hand before ended, by which the next one begins."""
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
    """What a question begins with that is asked without a match: the first bout of a hand, A against B."""
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
    """The questions that come up first where the match stands: those of play, or who begins the next hand."""
    return () if match.playing and match.draft is not None else ("next-hand",)
