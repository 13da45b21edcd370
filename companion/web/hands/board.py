"""The scoreboard of hands: losses as matchsticks, the next hand's start, payments, the evening so far."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from flask_babel import gettext as _
from flask_babel import pgettext
from markupsafe import Markup

from companion.matches import Match
from companion.notation import matchsticks, svg
from companion.rules.rulebook import Rule
from companion.web.shell.game_ui import Figure, Figures
from companion.web.shell.matches import matches
from companion.web.shell.text import name_of

from . import hand_game, hand_state, list_dealers
from .followed_hand import FollowedHand

_PER_ROW = 3
_SEAT_PER_ROW = 2
_SEAT_PAGE = 20
"""The most matchsticks drawn at a seat; those before them are a number in front."""


def board_context(match: Match) -> Mapping[str, Any]:
    """The template context of the scoreboard."""
    state = hand_state(match)
    evening = matches().evening(match)
    hand = followed_hand(match)
    way = attack_way(match, hand)
    return {
        "start": state.start,
        "now": describe_bout(match, hand, way) if hand else "",
        "way": way,
        "marks": _role_marks(match, way),
        "is_shown_at_seats": hand.guide is not None if hand else len(way) > 0,
        "rules": hand.rules if hand else start_rules(match),
        "seat_sticks": draw_seat_sticks(match),
        "draw_marks": draw_marks(match),
        "draws_carried": matchsticks.carry_over(state.draws),
        "dealer_candidates": list_dealers(state) if match.playing else (),
        "left": _losses_left(match),
        "forfeit": state.ruleset.forfeit(),
        "sessions": evening if len(evening) > 1 else (),
        "sums": {side: sum(session.state.totals[side] for session in evening) for side in state.ring.sides},
    }


def board_figures(match: Match) -> Figures:
    """The board without its page: every side's losses as matchsticks, in table order."""
    state = hand_state(match)
    last = state.rows[-1].scored if state.rows else {}
    writes = state.ruleset.writes_epaulettes()
    figures = []
    for side in state.ring.sides:
        losses = state.totals[side]
        carried = matchsticks.carry_over(losses)
        marks = state.marks_beside(side, losses - carried) if writes else None
        drawing = _draw_matchsticks(
            losses, 0, losses - last.get(side, 0), f"{match.id} {side}", f"matchsticks-{side}", marks
        )
        figures.append(Figure(side, losses, carried, drawing if losses else None, side in state.losers))
    following = _("A hand is being followed.") if match.draft else ""
    return Figures(_("Losses"), tuple(figures), state.next_dealer, following)


def start_rules(match: Match) -> tuple[Rule, ...]:
    """The rules for the beginning of the next hand."""
    state = hand_state(match)
    if not match.playing:
        return ()
    keys = state.start.keys if state.start else (state.dealt_by,)
    return tuple(state.ruleset.cite(*keys))


def draw_seat_sticks(match: Match) -> dict[str, tuple[str, Markup]]:
    """The losses of each seat that has some, in teams those of the team: in words, and as matchsticks."""
    state = hand_state(match)
    last = state.rows[-1].scored if state.rows else {}
    sticks = {}
    for seat in state.ring.seats:
        side = state.ring.side(seat)
        losses = state.totals[side]
        if not losses:
            continue
        carried = matchsticks.carry_over(losses, _SEAT_PAGE)
        marks = state.marks_beside(side, losses - carried) if state.ruleset.writes_epaulettes() else None
        drawing = _draw_matchsticks(
            losses,
            0,
            losses - last.get(side, 0),
            f"{match.id} {side}",
            f"sticks-{seat}",
            marks,
            _SEAT_PER_ROW,
            _SEAT_PAGE,
        )
        in_front = Markup('<b class="carried">{} +</b>').format(carried) if carried else Markup()
        sticks[seat] = (f"{_('Losses')}: {losses}", in_front + drawing)
    return sticks


def draw_marks(match: Match) -> Markup | None:
    """The dots of the hands that nobody lost, or None."""
    count = hand_state(match).draws
    return _draw_matchsticks(0, count, 0, f"{match.id} draws", "draws") if count else None


@lru_cache(maxsize=256)
def _draw_matchsticks(
    losses: int,
    dots: int,
    before: int,
    seed: str,
    prefix: str,
    marks: tuple[int, ...] | None = None,
    per_row: int = _PER_ROW,
    page: int = matchsticks.PAGE,
) -> Markup:
    """The matchsticks of one side; cached, for every look at the board draws the same ones."""
    front = matchsticks.carry_over(losses or dots, page)
    drawn, dotted = max(losses - front, 0), max(dots - front, 0)
    words = matchsticks.describe(drawn, dotted, sum(marks or ()))
    text = matchsticks.draw_matchsticks(
        drawn,
        dotted,
        seed=seed,
        epaulettes=marks,
        before=before - front,
        per_row=per_row if marks is None else per_row - 1,
        prefix=prefix,
        title=f"{front} + {words}" if front else words,
    )
    # In squares of the paper instead of units of the drawing: the style sheet says how large a square is.
    sized = re.sub(
        r' (width|height)="([0-9.]+)"', lambda m: f' {m[1]}="{float(m[2]) / svg.SQUARE:g}em"', text, count=2
    )
    return Markup(sized)  # numbers and a match's own id, made by us


def followed_hand(match: Match) -> FollowedHand | None:
    """The hand that is being followed, once something was played in it."""
    if not match.playing or match.draft is None:
        return None
    hand = FollowedHand(match, match.draft)
    return hand if hand.bouts or (hand.guide is not None and len(hand.guide.path) > 2) else None


def attack_way(match: Match, hand: FollowedHand | None) -> tuple[str, ...]:
    """The seats on the way of an attack, the attacker first: that of the bout being followed.

    After the last bout of a followed hand it is that bout's; without such a hand, the first attack of the
    coming one. Empty while the attacker is unknown.
    """
    if hand is not None:
        return hand.guide.path if hand.guide is not None else hand.ways[-1]
    start = hand_state(match).start if match.playing else None
    if start is None or start.attacker is None or start.defender is None:
        return ()
    return start.attacker, start.defender


def describe_bout(match: Match, hand: FollowedHand, way: tuple[str, ...]) -> str:
    """Say who attacks whom in the hand that is being followed, or how it has ended."""
    if hand.guide is None:
        return hand.ending
    attacker, defender = (name_of(match, seat) for seat in way[-2:])
    return _("Now %(attacker)s attacks %(defender)s.", attacker=attacker, defender=defender)


def _role_marks(match: Match, way: tuple[str, ...]) -> dict[str, list[tuple[str, str]]]:
    """The roles of each seat on the ring: the dealer, and attacker and defender of this way."""
    dealer = hand_state(match).next_dealer if match.playing else None
    roles = (
        ("deals", pgettext("of the dealer", "deals"), dealer),
        ("attacks", pgettext("of a player", "attacks"), way[-2] if way else None),
        ("defends", pgettext("of a player", "defends"), way[-1] if way else None),
    )
    return {
        seat: [(kind, text) for kind, text, who in roles if who == seat] for seat in match.state.ring.seats
    }


def _losses_left(match: Match) -> int | None:
    """The number of further losses of one side that end the session, if that was agreed."""
    agreed = hand_game(match.game).ruleset.session_losses()
    return agreed - max(match.state.totals.values()) if agreed and match.playing else None
