"""Examples for the rulebook of a table: situations of its family, answered and scored by its own rules.

The folder `games/examples` has the situations, by family. What comes of them depends on the table, and so is
never written down: the arbiter answers the questions, and deals and hands are scored as those of a match.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from companion.jacknine.example import write_example_deals
from companion.rules.errors import Unreadable
from companion.rules.example import Example, ShownCards
from companion.rules.message import Message, SeatName, SideName, show_trump
from companion.rules.seats import Ring, Seat
from companion.wording.calls import word_call

from . import GAMES, Game, open_game
from .files import read_toml

WRITE_DEALS: Mapping[str, Callable[[Any, Mapping[str, Any]], Iterator[dict[str, Any]]]] = {
    "jacknine": write_example_deals,
}
"""The families whose deals depend on the pack and the players, and have to be written for a table."""


def find_examples(game: Game) -> tuple[Example, ...]:
    """The examples that can be given at a table; for as many players as usual if their number is open."""
    if not game.family.ruleset.seated:
        players = game.family.ruleset.ring.size
        try:
            game = open_game(game.name, game.preset, game.conventions, players, game.rules, strict=False)
        except Unreadable:
            return ()
    situations = _read_situations(game.family_name)
    asked = (_ask(game, question) for question in situations.get("questions", ()))
    played = (example for deal in situations.get("deals", ()) for example in _play(game, deal))
    return tuple(example for example in (*asked, *played) if example is not None)


@cache
def _read_situations(family: str) -> dict[str, Any]:
    return read_toml(GAMES.folder / "examples" / f"{family}.toml", f"examples/{family}")


def _ask(game: Game, situation: Mapping[str, Any]) -> Example | None:
    """The answer of the table's arbiter to the first way of asking that it understands."""
    for facts in situation["asks"]:
        try:
            ruling = game.family.rule({"question": situation["question"], **facts})
        except Unreadable:
            continue
        if ruling.verdict != situation.get("verdict", ruling.verdict):
            continue
        ring = game.family.ruleset.ring
        shown = [
            cards
            for name, whose in situation.get("shows", {}).items()
            for cards in _lay(ring, facts[name], facts.get(whose))
        ]
        said = tuple(_list_calls(game, situation["question"], facts))
        trump = facts.get("trump")
        matters = any(card.endswith(trump) for each in shown for card in each.cards) if trump else False
        begins = Message("Trumps: {suit}", suit=show_trump(trump)) if matters else None
        points = ruling.answer.get("points")
        scored = dict(points) if isinstance(points, Mapping) else {}
        return Example(ruling.rules[0].id, (ruling.why,), begins, tuple(shown), said, scored=scored)
    return None


def _lay(ring: Ring, fact: Any, seat: Seat | None) -> Iterator[ShownCards]:
    """Lay out the cards of a fact: a card, one of each player in turn, or several rows."""
    if isinstance(fact, str):
        yield ShownCards((fact,), seat)
        return
    turns = ring.around(seat) if seat else ()
    for place, item in enumerate(fact):
        match item:
            case str():
                yield ShownCards((item,), turns[place])
            case {"cards": cards}:
                yield ShownCards(tuple(cards), item.get("seat"))
            case _:
                yield ShownCards(tuple(item))


def _list_calls(game: Game, question: str, facts: Mapping[str, Any]) -> Iterator[tuple[Seat, Message]]:
    """List the calls of a bidding, each with its speaker."""
    calls: Sequence[str] = facts.get("calls", ())
    for place, call in enumerate(calls):
        before = game.family.rule({"question": question, **facts, "calls": list(calls[:place])})
        said = word_call(game.book, call)
        if said is not None:
            yield before.answer["speaks"], said


def _play(game: Game, situation: Mapping[str, Any]) -> Iterator[Example]:
    """Score deals as those of a match: one in several ways, the first with its count, or hands in turn."""
    if "hands" in situation:
        states = (_fold(game, hands) for hands in situation["hands"])
        state = next((state for state in states if state is not None), None)
        if state is not None:
            lost = Message("{names} lost most often.", names=[*map(SideName, state.losers)])
            rule = _find_rule(game, state.rows[-1].rules, situation["rules"])
            yield Example(rule, (*(row.why for row in state.rows), lost), scored=state.totals)
        return
    counted = False
    for entry in WRITE_DEALS[game.family_name](game.family.ruleset, situation):
        state = _fold(game, [entry])
        if state is not None:
            row = state.rows[-1]
            rule, begins = _find_rule(game, row.rules, situation["rules"]), _begin(row, again=counted)
            example = Example(rule, (row.why,), begins, scored=row.scored)
            yield example if counted else replace(example, parts=tuple(row.lines), made=row.made)
            counted = True


def _fold(game: Game, entries: Sequence[Mapping[str, Any]]) -> Any:
    """The state after these entries of a match; None if this table could not play them so."""
    seats = game.family.ruleset.ring.seats
    try:
        dealer = entries[0].get("dealer", seats[-1])
        state = game.family.start({"players": list(seats), "first_dealer": dealer})
        for place, entry in enumerate(entries):
            state = game.family.apply(state, game.family.read(entry, f"entries[{place}]"))
    except Unreadable:
        return None
    return None if state.problems else state


def _begin(row: Any, *, again: bool) -> Message:
    """Say who plays the deal."""
    declarer = SeatName(row.declarer)
    if again:
        return Message("The same cards, played by {seat}.", seat=declarer)
    return Message("{seat} plays {suit}.", seat=declarer, suit=show_trump(row.trump))


def _find_rule(game: Game, cited: Sequence[str], keys: Sequence[str]) -> str:
    """Find the first of these keys whose rule is cited; else the first rule cited."""
    ids = (game.book.cite(key)[0].id for key in keys if game.book.knows(key))
    return next((id for id in ids if id in cited), cited[0])
