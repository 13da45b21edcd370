"""A rule set of the family: pack, seats and named choices, all of them data."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from companion.rules.cards import JOKERS, Card, Colour, Orders, Suit, pack
from companion.rules.conditions import Value
from companion.rules.errors import Clash, Unreadable
from companion.rules.game import GameRules
from companion.rules.message import Message
from companion.rules.rulebook import Rulebook
from companion.rules.seats import Ring


@dataclass(frozen=True, eq=False, kw_only=True)
class BeatingRuleset(GameRules):
    """The rule set of a game of the family.

    `sizes` are the numbers of players it can be played by. `hand` is what everyone draws up to, `most` the
    usual cap of a bout's attack cards, `jokers` how many jokers are in the pack.
    """

    sizes: tuple[int, ...]
    order: tuple[str, ...]
    most: int
    jokers: int

    def __getitem__(self, option: str) -> Any:
        """The value of an option at this table.

        :raises KeyError: if the game's file does not have it.
        """
        return self.options[option]

    @property
    def has_own_cap(self) -> bool:
        """True if the table has agreed on a number of attack cards of its own (throw.cap-any)."""
        key = "throw.cap-any"
        # Only what its conditions name is looked up, so that no answer seems to rest on the others.
        chosen = cast(Mapping[str, Value], self.options)
        return self.book.knows(key) and self.book.cite(key)[0].applies(chosen)

    def session_losses(self) -> int:
        """The losses of one side that end the session; 0: it ends when it is closed."""
        return int(self["session_losses"])

    def changes_trumps(self) -> bool:
        """True if the last card of the talon changes the trumps."""
        return bool(self["severnyi"])

    def forfeit(self) -> str:
        """The forfeit of a session's losers, in the table's own words."""
        return str(self["forfeit"])

    def transfers_attacks(self) -> bool:
        """True if an attack may be transferred to the next player."""
        return self.has_option("transfer", "on") and not self.ring.partnerships

    def shows_trumps(self) -> bool:
        """True if an attack may be transferred with a trump that is only shown."""
        return self.transfers_attacks() and self.has_option("pass_card", "on")

    def writes_epaulettes(self) -> bool:
        """True if the sixes that make the fool are written beside the loss."""
        return bool(self["epaulettes"])

    def transfers_several(self) -> bool:
        """True if several cards may be laid at once to transfer an attack."""
        return self.transfers_attacks() and self.has_option("transfer_cards", "several")

    def redeals_five_suited(self) -> bool:
        """True if a hand is dealt again because somebody was dealt five of one suit."""
        return self.has_option("five_of_a_suit", "redeal")

    def redeals_six_coloured(self) -> bool:
        """True if a hand is dealt again because somebody was dealt six cards of one colour."""
        return self.has_option("six_of_a_colour", "redeal")

    @property
    def misdeals(self) -> tuple[str, ...]:
        """The reasons for which a hand is dealt again."""
        agreed = {"five-suited": self.redeals_five_suited(), "six-coloured": self.redeals_six_coloured()}
        return tuple(reason for reason, is_agreed in agreed.items() if is_agreed)

    def opens_with_lowest_trump(self) -> bool:
        """True if the first attack of a first hand is the lowest trump itself."""
        return self.has_option("first_hand", "lowest-trump") and self.has_option("first_card", "lowest-trump")

    def plays_on(self) -> bool:
        """True if the others play on when somebody leaves in mid-hand."""
        return self.has_option("walk_out", "plays-on")

    def cancels_bouts(self) -> bool:
        """True if a bout is void when somebody leaves in it."""
        return self.plays_on() and self.has_option("walk_out_bout", "cancelled")

    def loses_by_leaving(self) -> bool:
        """True if a player who leaves in mid-hand has lost it."""
        return self.has_option("walk_out", "fool")

    @cached_property
    def pack(self) -> tuple[Card, ...]:
        """Every card of the pack, jokers last."""
        return pack(self.order) + JOKERS[: self.jokers]

    @property
    def talon(self) -> int:
        """Count the cards left after dealing, the face-up trump among them."""
        return len(self.pack) - self.hand * self.ring.size

    def turns_spades_back(self) -> bool:
        """True if a spade turned up for trumps goes back into the talon."""
        return self.has_option("spades_by_spades", True) and self.has_option("spade_turned", "again")

    def stays_face_up(self, card: Card) -> bool:
        """True if a card turned up for trumps stays there."""
        is_ace = card.rank == self.order[0] and self.has_option("ace_turned", "again")
        return not (is_ace or (card.suit == Suit.SPADES and self.turns_spades_back()))

    def is_top_joker(self, card: Card, trump: str) -> bool:
        """True if a card is the joker that is the highest trump."""
        is_theirs = card.is_joker and card.colour == Suit(trump).colour
        return is_theirs and self.has_option("trump_joker", "highest-trump")

    def six(self, trump: Suit | Colour) -> Card:
        """The lowest trump, which may be swapped."""
        return Card(self.order[-1], trump)


def read_ruleset(book: Rulebook, tables: Mapping[str, Any], players: int | None = None) -> BeatingRuleset:
    """The rule set of a game's tables, once its conventions are chosen and the players counted.

    :raises Unreadable: if so many cannot play it.
    """
    cards, table, options = tables["cards"], tables["table"], tables["options"]
    sizes, order = tuple(table["players"]), tuple(cards["order"])
    if players is not None and players not in sizes:
        expected = Message("{count} players", count=f"{sizes[0]}–{sizes[-1]}" if sizes[1:] else sizes[0])
        raise Unreadable("players", expected, players)
    ruleset = BeatingRuleset(
        book=book,
        ring=Ring(players or table["usual"], table["partnerships"]),
        sizes=sizes,
        seated=players is not None or len(sizes) == 1,
        order=order,
        orders=Orders(order, order),
        hand=cards["hand"],
        most=cards["most"],
        jokers=cards["jokers"],
        options=options,
    )
    if ruleset.ring.partnerships and options["walk_out"] == "plays-on":
        why = Message("in teams nobody plays on without a partner")
        raise Clash("conventions.walk_out", Message("fool or void"), why, options["walk_out"])
    if ruleset.seated and options["severnyi"] and ruleset.talon < 2:
        why = Message("no card is left for a talon when {count} play", count=ruleset.ring.size)
        raise Clash("conventions.severnyi", "false", why, options["severnyi"])
    return ruleset
