"""The calls of a bidding, in the words of a game."""

from companion.rules.cards import ALL_TRUMPS, NO_TRUMPS, Suit
from companion.rules.message import Message, SeatName, Word, show_trump
from companion.rules.rulebook import Rulebook

from .rulings import CALLS, OWN_CALLS

TERMS = ("offer", "counter")
"""Calls that name terms."""


_TRUMPS = (*Suit, NO_TRUMPS, ALL_TRUMPS)


def word_call(book: Rulebook, call: str) -> Message | None:
    """Word a call as players say it, without its terms: `play ♥`, `90 ♥`; None for one that is unknown."""
    words = book.words
    verb, _blank, rest = call.partition(" ")
    if verb == "bid" and rest:
        points, _blank, suit = rest.partition(" ")
        bid = Word(words[points]) if points in words else points
        return Message("{bid} {suit}", bid=bid, suit=show_trump(suit)) if suit in _TRUMPS else None
    if verb == "double" and len(rest) == 1:
        return Message("{word} ({seat})", word=Word(words.get(verb, verb)), seat=SeatName(rest))
    if verb == "play" and rest in tuple(Suit):
        return Message("play {suit}", suit=Suit(rest).sign)
    if verb == "play" and rest == NO_TRUMPS:
        return Message("play {what}", what=Word(words.get("no-trumps", words.get(NO_TRUMPS, NO_TRUMPS))))
    if verb in OWN_CALLS and verb in words:
        return Message("{word}", word=Word(words[verb]))
    return CALLS.get(verb)
