"""Cards as they lie on the table: a rank and a suit, without order and without value; and jokers.

Which card is higher, and what it counts, belongs to a game's rule set (`Orders`, values). The one
relation all games share is `beats`: higher in the suit, or a trump over a plain card.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Colour(StrEnum):
    """Black or red: the colour of a suit; a joker has one instead of a suit."""

    BLACK = "B"
    RED = "R"

    @property
    def sign(self) -> str:
        """The symbol shown behind a joker's star."""
        return self.value


class Suit(StrEnum):
    """One of the four suits."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    @property
    def sign(self) -> str:
        """The sign printed on the card."""
        return _SIGNS[self]

    @property
    def colour(self) -> Colour:
        """Black or red."""
        return Colour.BLACK if self in (Suit.SPADES, Suit.CLUBS) else Colour.RED


NO_TRUMPS = "NT"
"""The value used instead of a trump suit where a deal is played without trumps."""
ALL_TRUMPS = "AT"
"""The value used instead of a trump suit where the cards of every suit rank and count as trumps."""

_SIGNS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}
_SUITS = {letter: suit for suit, sign in _SIGNS.items() for letter in (suit.value, sign, sign + "\ufe0f")}

RANKS = ("A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2")
"""Every rank of a suit as it is written, in no order of play."""
JOKER = "*"
"""The rank of jokers, as it is written."""


@dataclass(frozen=True, slots=True)
class Card:
    """One card, written rank first: `AS`, `10H`; a joker has a colour for its suit: `*B`, `*R`."""

    rank: str
    suit: Suit | Colour

    def __str__(self) -> str:
        return f"{self.rank}{self.suit.value}"

    @property
    def face(self) -> str:
        """The card as people read it: `10♥`, `★B`."""
        return f"{'★' if self.is_joker else self.rank}{self.suit.sign}"

    @property
    def is_joker(self) -> bool:
        """True for a joker, which has no suit."""
        return self.rank == JOKER

    @property
    def colour(self) -> Colour:
        """Black or red."""
        return self.suit.colour if isinstance(self.suit, Suit) else self.suit


JOKERS = tuple(Card(JOKER, colour) for colour in Colour)
"""The black joker and the red one."""


def parse_suit(text: str) -> Suit:
    """Parse a suit written as a letter or a sign.

    :raises ValueError: for anything else.
    """
    suit = _SUITS.get(text.strip().upper())
    if suit is None:
        raise ValueError(f"a suit is S, H, D or C, not {text!r}")
    return suit


def parse_card(text: str) -> Card:
    """Parse a card: rank and suit, the suit as a letter or a sign; `T` is read as 10, `*B` as a joker.

    >>> [str(parse_card(text)) for text in ("AS", "10♥", "td", "*r")]
    ['AS', '10H', '10D', '*R']

    :raises ValueError: for an unknown rank or suit.
    """
    word = text.strip().upper().removesuffix("\ufe0f")
    joker = next((joker for joker in JOKERS if str(joker) == word), None)
    if joker is not None:
        return joker
    rank = {"T": "10"}.get(word[:-1], word[:-1])
    if rank not in RANKS or word[-1:] not in _SUITS:
        raise ValueError(f"a card is a rank and a suit such as AS or 10H, not {text!r}")
    return Card(rank, _SUITS[word[-1]])


@dataclass(frozen=True, slots=True)
class Orders:
    """The ranks from the highest to the lowest: `trump` in the trump suit, `plain` in every other suit.

    If all suits are trumps, `trump` is the order of each of them.
    """

    trump: Sequence[str]
    plain: Sequence[str]

    def height(self, card: Card, trump: str) -> int:
        """The height of a card in its own suit, from 1 for the lowest.

        :raises ValueError: for a rank that is not in the order.
        """
        order = self.trump if trump in (card.suit, ALL_TRUMPS) else self.plain
        return len(order) - order.index(card.rank)


def beats(card: Card, other: Card, trump: str, orders: Orders) -> bool:
    """True if `card` beats `other`: higher in the same suit, or a trump over a plain card.

    A card of another plain suit beats nothing, so the leader matters to a trick and not here. `trump` is a
    suit's letter, `NO_TRUMPS` or `ALL_TRUMPS`. Jokers have no order: games that use them compare them in
    their own way.

    >>> orders = Orders(trump=("J", "9", "A", "10"), plain=("A", "10", "J", "9"))
    >>> ten, nine, ace = parse_card("10H"), parse_card("9H"), parse_card("AS")
    >>> beats(ten, nine, "S", orders), beats(ten, nine, "H", orders)
    (True, False)
    >>> beats(nine, ace, "H", orders), beats(nine, ace, "D", orders)
    (True, False)
    """
    if card.suit == other.suit:
        return orders.height(card, trump) > orders.height(other, trump)
    return card.suit == trump


def pack(ranks: Sequence[str]) -> tuple[Card, ...]:
    """All cards of a pack with these ranks, suit by suit."""
    return tuple(Card(rank, suit) for suit in Suit for rank in ranks)
