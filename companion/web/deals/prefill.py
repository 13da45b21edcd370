"""Facts of a question that a match already knows, so that nobody enters them twice."""

from collections.abc import Mapping
from typing import Any, cast

from companion.jacknine.entries import Trickless
from companion.jacknine.phases.play import find_first_leader
from companion.jacknine.state import JackNineRow, JackNineState
from companion.matches import Match
from companion.rules.cards import parse_card
from companion.rules.errors import Unreadable
from companion.rules.question import Question
from companion.rules.schema import fields_of

from .form import deal_game, deal_state

_WRITTEN_BESIDE = ("bela", "false_melds")
"""Facts of a deal that take no part in the comparison of melds, but are written all the same."""
_OTHER_FACTS = {"claim": {"declarer"}, "bela": {"played"}, "penalty": {"played"}}
"""Facts left out of a question: a declarer would make a claim one for the contract, cards are not deals."""


def prefill(match: Match, question: Question, entry: int | None = None) -> dict[str, Any]:
    """The facts of a question that follow from the match as it stands, or from one of its deals."""
    if entry is not None and match.counted_number(entry):
        facts = _entry_facts(match, entry, question.name)
    else:
        facts = _state_facts(match, question.name) | _draft_facts(match)
    kinds = {field.key: field.kind for field in fields_of(question.shape)}
    keys = kinds.keys() - _OTHER_FACTS.get(question.name, set())
    return {
        key: value
        for key, value in facts.items()
        # Of sides without a trick, null is an answer: every side had one.
        if key in keys and (value is not None or isinstance(kinds[key], Trickless))
    }


def likely_questions(match: Match) -> tuple[str, ...]:
    """The questions offered first, by name: what the match and its deal have come to decides."""
    if not match.playing:
        return ("winner", "outcome", "count", "audit")
    if not isinstance(match.draft, dict):
        return ("auction", "play", "runs", "trick", "outcome", "count")
    facts = _draft_facts(match)
    if facts.get("trump") is None:
        return ("auction", "seven")
    ruleset = deal_game(match.game).ruleset
    left = ruleset.hand * ruleset.ring.size - facts.get("cards_played", 0)
    if not left:
        return ("audit", "count", "outcome")
    if "after_trick" not in facts or facts["after_trick"] is None:
        return ("play", "runs", "bela", "seven", "trick")
    return ("play", "trick", "claim", "finish", "bela")


def settling_question(match: Match, entry: int, reason: str) -> str | None:
    """The name of the question that settles an objection to a deal, or None."""
    logged = match.entry(entry)
    if logged is None or match.counted_number(entry) is None:
        return None
    by_cards = bool(logged.payload.get("tricks")) and "call" not in logged.payload
    name = {
        "count": "audit" if by_cards else "count",
        "runs": "runs",
        "trump": "auction",
        "revoke": "audit" if by_cards else "penalty",
    }.get(reason)
    return name if name in match.game.family.questions else None


def _entry_facts(match: Match, id: int, question: str) -> dict[str, Any]:
    """The facts of a written deal, and of the match before it."""
    place, n = match.place(id), match.number(id)
    row = cast(JackNineRow | None, match.row(n)) if n is not None else None
    before, entry = deal_state(place), place.entry
    facts = _standing_facts(before)
    idle = deal_game(match.game).irrelevant_facts(question)
    facts |= {key: entry[key] for key in _WRITTEN_BESIDE if key in entry and key not in idle}
    if row is not None:
        facts |= {"dealer": row.dealer, "elder": row.elder, "leader": row.elder}
        facts["made"] = dict(row.made) if row.made is not None else None
        if question == "winner":
            facts["totals"] = dict(row.totals)
    facts |= _deal_facts(match, entry, before.next_elder)
    if row is not None and row.declarer is not None:
        facts |= {"declarer": row.declarer, "trump": row.trump}
        if row.points is not None:
            bid = "points_bid" if question == "penalty" else "points"
            facts |= {bid: row.points, "double": row.double}
        last = _last_trick_side(row)
        facts |= {"last": last} if last is not None else {}
    return facts | _counted_facts(entry, question, facts)


def _counted_facts(entry: Mapping[str, Any], question: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a deal's count, penalty or audit, under the keys of these questions."""
    counted: dict[str, Any] = {}
    if question == "count":
        counted = {
            key: entry[key] for key in ("count", "runs", "fours", "exchanged", "shown") if key in entry
        }
        if "count" in counted:
            counted["made"] = None  # what was counted says it more exactly
    if question == "audit" and facts.get("dealer") is not None:
        counted["deal"] = {"dealer": facts["dealer"], **entry}
    penalty = entry.get("penalty")
    if question == "penalty" and isinstance(penalty, dict):
        counted = {key: penalty[key] for key in ("offence", "by", "points") if key in penalty}
    return counted


def _standing_facts(state: JackNineState) -> dict[str, Any]:
    """The facts of a match between two deals."""
    return {
        "dealer": state.next_dealer,
        "elder": state.next_elder,
        "leader": state.next_elder,
        "totals": dict(state.totals),
        "played": state.count_played() + 1 if state.ruleset["deals"] else None,
        "held": list(state.held),
        "stake": state.stake,
        "doubled_last": state.doubled_by,
    }


def _state_facts(match: Match, question: str) -> dict[str, Any]:
    state = deal_state(match)
    facts = {**_standing_facts(state), "cards_played": 0}
    if question == "winner":  # it asks about what stands written, so about the deal just written
        facts["played"] = state.count_played() if state.ruleset["deals"] else None
        row = next((row for row in reversed(state.rows) if row.declarer), None)
        if row is not None:
            facts["declarer"] = row.declarer
            facts["last"] = _last_trick_side(row)
    if question == "finish" and not match.draft:
        facts |= _finish_facts(match)
    return facts


def _last_trick_side(row: JackNineRow) -> str | None:
    return next((line.side for line in row.lines if line.word == "last"), None)


def _finish_facts(match: Match) -> dict[str, Any]:
    """The facts of an announcement between two deals, if only one side may announce the end."""
    sides = deal_state(match).may_finish
    if len(sides) != 1:
        return {}
    ring = match.state.ring
    return {"caller": next(seat for seat in ring.seats if ring.side(seat) == sides[0]), "at": "result"}


def _draft_facts(match: Match) -> dict[str, Any]:
    """The facts of the deal in progress, as far as they can be read."""
    draft = match.draft if match.playing else None
    return _deal_facts(match, draft, deal_state(match).next_elder) if isinstance(draft, dict) else {}


def _deal_facts(match: Match, draft: Mapping[str, Any], elder: str | None) -> dict[str, Any]:
    """The facts of a deal, whole or in progress, as far as they can be read; `elder` is the elder hand."""
    facts: dict[str, Any] = {}
    contract = draft.get("contract")
    if isinstance(contract, dict):
        facts |= {key: contract[key] for key in ("declarer", "trump") if isinstance(contract.get(key), str)}
    if isinstance(draft.get("turn_up"), str):
        facts["turn_up"] = draft["turn_up"]
    calls = draft.get("auction")
    if isinstance(calls, list):
        facts["calls"] = calls
        facts |= _contract_facts(match, draft.get("turn_up"), calls, elder)
    for name, key in (("runs", "declared"), ("fours", "fours"), ("forfeits", "asked_rost")):
        if isinstance(draft.get(name), list):
            facts[key] = draft[name]
    trickless = draft.get("trickless", ())
    if isinstance(trickless, str | list) or (
        trickless is None and deal_game(match.game).ruleset.asks_trickless
    ):
        facts["trickless"] = trickless
    leader = _find_leader(match, draft, facts, elder)
    facts |= _play_facts(match, draft.get("tricks"), facts.get("trump"), leader)
    return facts


def _contract_facts(match: Match, turn_up: Any, calls: list[Any], elder: str | None) -> dict[str, Any]:
    request = {"question": "auction", "elder": elder, "calls": calls, "turn_up": turn_up}
    try:
        ruling = match.game.family.rule(request)
    except Unreadable:
        return {}
    return {key: ruling.answer[key] for key in ("declarer", "trump") if ruling.verdict == "contract"}


def _find_leader(
    match: Match, draft: Mapping[str, Any], facts: Mapping[str, Any], elder: str | None
) -> str | None:
    """Find the leader to the first trick of a deal in progress; None if nobody knows."""
    contract, declarer = draft.get("contract"), facts.get("declarer")
    points = contract.get("points") if isinstance(contract, dict) else None
    if elder is None or not isinstance(declarer, str):
        return elder
    return find_first_leader(deal_game(match.game).ruleset, elder, declarer, points)


def _play_facts(match: Match, tricks: Any, trump: Any, leader: str | None) -> dict[str, Any]:
    """The facts of a play recorded card by card: its leader, the open trick, the number of cards."""
    family = deal_game(match.game)
    if leader is None or not isinstance(tricks, list) or not isinstance(trump, str):
        return {}
    try:
        course = family.follow_play(leader, trump, [[parse_card(card) for card in trick] for trick in tricks])
    except (TypeError, ValueError, AttributeError):
        return {}  # a draft may hold anything
    whole = len(course.taken) * match.state.ring.size
    return {
        "cards_played": whole + len(course.open),
        "trick": [str(card) for card in course.open],
        "leader": course.leader,
        "after_trick": len(course.taken) or None,
    }
