"""What a match already knows of a situation, so that nobody types it twice."""

from typing import Any

from companion.matches import Match
from companion.rules.cards import parse_card
from companion.rules.errors import Unreadable
from companion.rules.question import Question
from companion.rules.schema import fields_of

from . import deal_game, deal_state


def prefill(match: Match, question: Question) -> dict[str, Any]:
    """The facts of a request that the match can tell: its state, and the deal in progress."""
    found = _of_state(match, question.name) | _of_draft(match)
    keys = {place.key for place in fields_of(question.shape)}
    return {key: value for key, value in found.items() if key in keys and value is not None}


def likely_questions(match: Match) -> tuple[str, ...]:
    """The questions that come up first where the match stands, by name."""
    if not match.playing:
        return ("winner", "outcome", "count", "audit")
    if not isinstance(match.draft, dict):
        return ("auction", "play", "runs", "trick", "outcome", "count")
    told = _of_draft(match)
    if told.get("trump") is None:
        return ("auction", "seven")
    left = deal_game(match.game).ruleset.in_play - told.get("cards_played", 0)
    if not left:
        return ("audit", "count", "outcome")
    if "after_trick" not in told or told["after_trick"] is None:
        return ("play", "runs", "bela", "seven", "trick")
    return ("play", "trick", "claim", "finish", "bela")


def _of_state(match: Match, question: str) -> dict[str, Any]:
    state = deal_state(match)
    dealer = state.next_dealer
    elder = state.next_elder
    rows = [row for row in state.rows if row.declarer]
    found: dict[str, Any] = {
        "dealer": dealer,
        "elder": elder,
        "leader": elder,
        "totals": dict(state.totals),
        "held": list(state.held),
        "cards_played": 0,
        "stake": state.stake,
        "doubled_last": state.doubled_by,
    }
    if question == "winner" and rows:  # it asks about what stands written, so about the deal just written
        found["declarer"] = rows[-1].declarer
        found["last"] = next((line.side for line in rows[-1].lines if line.word == "last"), None)
    if question == "finish" and not match.draft:
        found |= _of_writing(match)
    return found


def _of_writing(match: Match) -> dict[str, Any]:
    """Who may announce the end between two deals, where only one side may."""
    sides = deal_state(match).may_finish
    if len(sides) != 1:
        return {}
    ring = match.state.ring
    return {"caller": next(seat for seat in ring.seats if ring.side(seat) == sides[0]), "at": "result"}


def _of_draft(match: Match) -> dict[str, Any]:
    """What the deal in progress tells, as far as it can be read."""
    draft = match.draft if match.playing else None
    if not isinstance(draft, dict):
        return {}
    told: dict[str, Any] = {}
    contract = draft.get("contract")
    if isinstance(contract, dict):
        told |= {key: contract[key] for key in ("declarer", "trump") if isinstance(contract.get(key), str)}
    if isinstance(draft.get("turn_up"), str):
        told["turn_up"] = draft["turn_up"]
    calls = draft.get("auction")
    if isinstance(calls, list):
        told["calls"] = calls
        told |= _contract(match, draft.get("turn_up"), calls)
    for name, key in (("runs", "declared"), ("fours", "fours"), ("forfeits", "asked_rost")):
        if isinstance(draft.get(name), list):
            told[key] = draft[name]
    if isinstance(draft.get("trickless"), str | list):
        told["trickless"] = draft["trickless"]
    told |= _of_tricks(match, draft.get("tricks"), told.get("trump"))
    return told


def _contract(match: Match, turn_up: Any, calls: list[Any]) -> dict[str, Any]:
    request = {
        "question": "auction",
        "elder": deal_state(match).next_elder,
        "calls": calls,
        "turn_up": turn_up,
    }
    try:
        ruling = match.game.family.rule(request)
    except Unreadable:
        return {}
    return {key: ruling.answer[key] for key in ("declarer", "trump") if ruling.verdict == "contract"}


def _of_tricks(match: Match, tricks: Any, trump: Any) -> dict[str, Any]:
    """How the play of a deal recorded card by card stands: who leads, what lies on the table."""
    family, elder = deal_game(match.game), deal_state(match).next_elder
    if elder is None or not isinstance(tricks, list) or not isinstance(trump, str):
        return {}
    try:
        course = family.course(elder, trump, [[parse_card(card) for card in trick] for trick in tricks])
    except (TypeError, ValueError, AttributeError):
        return {}  # a draft may hold anything
    whole = len(course.taken) * match.state.ring.size
    return {
        "cards_played": whole + len(course.open),
        "trick": [str(card) for card in course.open],
        "leader": course.leader,
        "after_trick": len(course.taken) or None,
    }
