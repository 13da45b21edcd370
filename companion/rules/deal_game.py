"""What sheets and pages ask of a game that is played in deals for points: bid, meld, take tricks, count."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from .cards import Card
from .game import GameRow, GameRules, GameState
from .message import Message
from .seats import Seat, Side


class DealLine(Protocol):
    """One line of a count."""

    @property
    def side(self) -> Side:
        """Whose line it is."""

    @property
    def word(self) -> str:
        """The key of the game's word for it: `cards`, `bela`, `run3` …"""

    @property
    def points(self) -> int:
        """What it counts."""

    @property
    def detail(self) -> str:
        """The top card it stands for, or nothing."""


class DealRow(GameRow, Protocol):
    """What one deal came to."""

    @property
    def elder(self) -> Seat | None:
        """Elder hand, who speaks and leads first."""

    @property
    def declarer(self) -> Seat | None:
        """Who chose trumps."""

    @property
    def turned(self) -> bool | None:
        """Whether the turned suit was chosen."""

    @property
    def made(self) -> Mapping[Side, int] | None:
        """What each side made, melds and bela too; None where that cannot be known."""

    @property
    def held(self) -> tuple[int, ...]:
        """The points that hang after it, the oldest first."""

    @property
    def outcome(self) -> Message | None:
        """What it came to in a few words, behind suit and declarer; None where `why` alone says it."""

    @property
    def lines(self) -> Sequence[DealLine]:
        """The lines of the count."""


class DealState(GameState, Protocol):
    """A game of deals as it stands."""

    @property
    def ruleset(self) -> "DealRules":
        """The rule set it is played by."""

    @property
    def rows(self) -> Sequence[DealRow]:
        """What every entry came to."""

    @property
    def next_elder(self) -> Seat | None:
        """Who speaks and leads first in the next deal."""

    @property
    def held(self) -> tuple[int, ...]:
        """The points that hang, the oldest first."""

    @property
    def keep(self) -> int:
        """How many more deals the same dealer has by agreed offers."""

    @property
    def stake(self) -> int:
        """What the game is worth, in units."""

    @property
    def doubled_by(self) -> Side | None:
        """Who last doubled the stake."""

    @property
    def sets(self) -> Mapping[Side, int]:
        """Games won in this record."""

    @property
    def stakes(self) -> Mapping[Side, int]:
        """Units that each side wins or pays."""

    @property
    def may_finish(self) -> tuple[Side, ...]:
        """The sides that may announce the end now."""

    def needs(self, side: Side) -> int:
        """How many points a side still needs."""


class DealRules(GameRules, Protocol):
    """The rule set of a game of deals; what a table can agree on is asked for by the name of the thing."""

    @property
    def turned_card(self) -> str:
        """What becomes of the turned card: `out` of play, dealt as the `last` one, or `none` is turned."""

    @property
    def suits(self) -> tuple[str, ...]:
        """What can be trumps: the suits of the pack, and no trumps where the game has them."""

    @property
    def no_trumps(self) -> bool:
        """Whether a deal can be played without trumps."""

    @property
    def all_dealt(self) -> bool:
        """Whether every card of the pack is dealt."""

    @property
    def in_play(self) -> int:
        """How many cards are played in a deal."""

    @property
    def counts_sets(self) -> bool:
        """Whether games are counted as sets."""

    @property
    def run_order(self) -> tuple[str, ...]:
        """The ranks in the order in which they follow each other in runs, the highest first."""

    @property
    def run_points(self) -> Mapping[int, int]:
        """What a run counts, by its length."""

    @property
    def fours(self) -> Mapping[str, int]:
        """What four of a kind count, by rank, where they count."""

    @property
    def fours_order(self) -> tuple[str, ...]:
        """The ranks of fours, the best first."""

    def bela(self, trump: str) -> tuple[Card, ...]:
        """The two cards of bela."""

    def plays_to_target(self) -> bool:
        """Whether a game goes to a target, and not by single deals."""

    def offences(self) -> tuple[str, ...]:
        """What costs a whole deal at this table, by the names the game has for it."""

    def may_throw_in(self) -> bool:
        """Whether cards can be thrown in after the bidding."""

    def may_schmeiss(self) -> bool:
        """Whether a player may offer to throw the cards in."""

    def redeals_four_sevens(self) -> bool:
        """Whether a hand with four sevens has the cards dealt anew."""

    def may_swap_seven(self) -> bool:
        """Whether the seven may be swapped for the turned card."""

    def punishes_needless_rost(self) -> bool:
        """Whether asking how high a run is, without need, costs the runs."""

    def may_offer(self) -> bool:
        """Whether points may be offered instead of playing."""

    def most_offered_deals(self) -> int:
        """How many further deals an offer may promise at most."""


class AuctionView(Protocol):
    """The bidding so far."""

    @property
    def status(self) -> str:
        """`open`, `contract`, `thrown-in`, `offer` or `illegal`."""

    @property
    def speaker(self) -> Seat | None:
        """Who speaks now."""

    @property
    def declarer(self) -> Seat | None:
        """Who chose trumps."""

    @property
    def trump(self) -> str | None:
        """The suit that was chosen."""

    @property
    def illegal(self) -> int | None:
        """The number of the first wrong call, from 1."""

    @property
    def why(self) -> Message:
        """How it stands, in a sentence."""

    def legal(self) -> tuple[str, ...]:
        """What may be said now."""


class TrickView(Protocol):
    """One trick as it fell."""

    @property
    def leader(self) -> Seat:
        """Who led."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards, from the leader on."""

    @property
    def taker(self) -> Seat:
        """Who took it."""


class DutyView(Protocol):
    """What a player had to do."""

    @property
    def key(self) -> str:
        """The family's key of the rule."""

    @property
    def why(self) -> Message:
        """The duty, in a sentence."""


class RevokeView(Protocol):
    """A card that could not be played."""

    @property
    def seat(self) -> Seat:
        """Who played it."""

    @property
    def card(self) -> Card:
        """The card."""

    @property
    def due(self) -> DutyView:
        """What should have been done."""


class PlayView(Protocol):
    """The play of a deal so far."""

    @property
    def taken(self) -> Sequence[TrickView]:
        """The complete tricks."""

    @property
    def open(self) -> tuple[Card, ...]:
        """The cards of an unfinished trick."""

    @property
    def leader(self) -> Seat:
        """Who led, or leads, to it."""

    @property
    def next(self) -> Seat | None:
        """Who plays next; None when every card has been played."""

    @property
    def wrong(self) -> Sequence[RevokeView]:
        """The plays that were not allowed."""


class MeldView(Protocol):
    """Something that a hand can declare."""

    def to_entry(self) -> dict[str, int | str]:
        """The meld as an entry tells it: `seat` with `length`, `top` and `suit` of a run, or a `rank`."""


DealStateT = TypeVar("DealStateT", bound=DealState, contravariant=True)
DealRowT = TypeVar("DealRowT", bound=DealRow, contravariant=True)


class DealFamily(Protocol[DealStateT, DealRowT]):
    """What can be asked of a game of deals beside what every family is asked."""

    @property
    def ruleset(self) -> DealRules:
        """The rule set it is played by."""

    @property
    def calls(self) -> bool:
        """Whether a player may end the game by a call during play."""

    def may_dive(self, state: DealStateT) -> tuple[Side, ...]:
        """The sides that may offer to double now."""

    def infer_total(self, entry: Mapping[str, object], dealer: Seat | None) -> dict[Side, int]:
        """The total that is left for the side whose own is missing, where all cards are dealt."""

    def explain_unusual(self, row: DealRowT) -> Message | None:
        """Why a count, possible as it is, should be looked at once more; None where it is ordinary."""

    def melds(self, seat: Seat, hand: Sequence[Card]) -> Sequence[MeldView]:
        """What a hand could declare, the highest first."""

    def bidding(self, elder: Seat, turned: Card | str | None, calls: Sequence[str]) -> AuctionView:
        """The bidding so far: who speaks, what may be said, what it came to."""

    def course(self, elder: Seat, trump: str, tricks: Sequence[Sequence[Card]]) -> PlayView:
        """The play so far, the last trick perhaps unfinished: who took what, and who plays next."""


DealGame = DealFamily[DealState, DealRow]
"""A game of deals whose states and rows only ever go back to it."""
