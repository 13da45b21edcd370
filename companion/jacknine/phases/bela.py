"""Bela, king and queen of trumps in one hand, and the moment to say it."""

from collections.abc import Mapping, Sequence
from typing import Literal

from companion.jacknine.ruleset import JackNineRuleset, UnknownOption
from companion.rules.cards import NO_TRUMPS, Card
from companion.rules.errors import MissingFact, Unreadable
from companion.rules.message import Message, Word

from . import melds

Moment = Literal["run"] | int | tuple[int, ...] | None
"""The moment bela was said: never, with a `run`, with the seat's n-th card (from 1), or twice so."""


def judge_bela(
    ruleset: JackNineRuleset,
    said_at: Moment,
    hand: Sequence[Card],
    played: Sequence[Card],
    pair: tuple[Card, ...],
) -> tuple[bool, Message]:
    """Judge whether bela was said at the right time, and explain it; that it was held is not checked.

    `hand` are the cards still held, `played` those played so far, in order; `pair` the two cards of bela.
    Rule key: `bela.say`.

    :raises MissingFact: if the answer depends on a card that is not known.
    :raises Unreadable: if bela was said with a card that is not among those played.
    """
    names: dict[str, object] = {"word": Word(ruleset.book.words["bela"]), "cards": pair}
    if said_at is None:
        return False, Message("{word} was never said.", **names)
    moments = said_at if isinstance(said_at, tuple) else (said_at,) if isinstance(said_at, int) else ()
    match ruleset["bela"]:
        case "said" | "second-or-run" if said_at == "run":
            runs = melds.find_melds(ruleset, "A", [*hand, *played])
            in_run = any(set(pair) <= set(run.cards(ruleset)) for run in runs)
            if len(hand) + len(played) == ruleset.hand and not in_run:
                why = Message("No run holds both {cards}, so {word} was said at the wrong moment.", **names)
                return False, why
            return True, Message("{word} was said when showing a run that holds it.", **names)
        case "said" if ruleset.hand in moments:
            return True, Message("{word} was said with the last card.", **names)
        case "said-twice":
            return _judge_said_twice(pair, moments, played, names)
        case "second" | "second-or-run":
            return _judge_said_second(pair, moments, played, names)
        case "in-hand" if said_at == "run":
            return True, Message("{word} was said with a run, both cards still in hand.", **names)
        case "in-hand":
            before = played[: min(moments) - 1]
            if all(card in before for card in pair):
                return False, Message("Both {cards} had been played when {word} was said.", **names)
            return True, Message("{word} was said while one of {cards} was still in hand.", **names)
        case "with-card" if said_at == "run":
            return False, Message("{word} is said when playing one of {cards}.", **names)
        case "said" | "with-card":
            return _judge_said_with_card(pair, moments, played, names)
        case unknown:
            raise UnknownOption(unknown)


def _find_card(played: Sequence[Card], moment: int) -> Card:
    """Find the card played at a moment.

    :raises MissingFact: if it is the next card, not yet known.
    :raises Unreadable: if it is a later one.
    """
    if moment > len(played) + 1:
        raise Unreadable("said_at", Message("a card that has been played"), moment)
    if moment == len(played) + 1:
        raise MissingFact(f"played[{moment - 1}]")
    return played[moment - 1]


def _judge_said_with_card(
    pair: Sequence[Card], moments: Sequence[int], played: Sequence[Card], names: Mapping[str, object]
) -> tuple[bool, Message]:
    """Judge bela that is said with either of its two cards."""
    cards = [_find_card(played, moment) for moment in moments]
    said_with = next((card for card in cards if card in pair), None)
    if said_with is not None:
        return True, Message("{word} was said with {card}.", card=said_with, **names)
    return False, Message("{word} was said with {card}, which is neither of {cards}.", card=cards[0], **names)


def _judge_said_twice(
    pair: Sequence[Card], moments: Sequence[int], played: Sequence[Card], names: Mapping[str, object]
) -> tuple[bool, Message]:
    """Judge bela that is said with the first of its two cards, and again with the second."""
    if len(set(moments)) < 2:
        return False, Message("{word} was said only once; it is said with each of {cards}.", **names)
    cards = {_find_card(played, moment) for moment in moments}
    if cards == set(pair):
        return True, Message("{word} was said with both {cards}.", **names)
    wrong = next(card for card in cards if card not in pair)
    return False, Message("{word} was said with {card}, which is neither of {cards}.", card=wrong, **names)


def _judge_said_second(
    pair: Sequence[Card], moments: Sequence[int], played: Sequence[Card], names: Mapping[str, object]
) -> tuple[bool, Message]:
    """Judge bela that is said with the second of its two cards, with or without the first."""
    if any(_find_card(played, n) in pair and set(pair) <= set(played[:n]) for n in moments):
        return True, Message("{word} was said with the second of {cards}.", **names)
    return False, Message("{word} is said when playing the second of {cards}.", **names)


def explain_pairs(ruleset: JackNineRuleset, trump: str) -> tuple[Message, str]:
    """Explain how many belas there are with these trumps, with the rule key."""
    bela = Word(ruleset.book.words["bela"])
    if trump == NO_TRUMPS:
        key = (*ruleset.known_keys("bela.contracts"), "cards.no-trumps")[0]
        return Message("In no-trumps there is no {bela}.", bela=bela), key
    return Message("There is one {bela}.", bela=bela), "bela.say"
