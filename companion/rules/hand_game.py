"""What sheets and pages ask of a game that is played in hands for a loser: attack, beat, pick up, shed."""

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from .cards import Card
from .game import GameEntry, GameRow, GameRules, GameState
from .seats import Seat, Side


class TransferView(Protocol):
    """An attack was passed on by its defender, as a record tells it."""

    @property
    def by(self) -> Seat:
        """Who passed it on."""

    @property
    def card(self) -> Card | None:
        """With which card, if that was told."""

    @property
    def shown(self) -> bool:
        """Whether the card was only shown."""


class BoutView(Protocol):
    """One bout of a hand, as a record tells it."""

    @property
    def attacker(self) -> Seat:
        """The principal attacker."""

    @property
    def defender(self) -> Seat:
        """Who defended."""

    @property
    def result(self) -> str:
        """`beaten-off` or `picked-up`."""

    @property
    def out(self) -> tuple[Seat, ...]:
        """Who went out in it."""

    @property
    def transfers(self) -> Sequence[TransferView]:
        """How its attack was passed on, in order."""


class HandEntry(GameEntry, Protocol):
    """One hand, as a record tells it."""

    @property
    def loser(self) -> Side | None:
        """Who was left with cards; nobody: a draw."""

    @property
    def bouts(self) -> Sequence[BoutView] | None:
        """Its bouts, as far as they were followed."""

    @property
    def walked_out(self) -> Seat | None:
        """Who left the table."""

    @property
    def walked_after(self) -> int | None:
        """After how many of the bouts; None: after all of them."""


class HandStartView(Protocol):
    """How a hand begins."""

    @property
    def dealer(self) -> Seat:
        """Who deals."""

    @property
    def attacker(self) -> Seat | None:
        """Who attacks first; None while nobody can know."""

    @property
    def defender(self) -> Seat | None:
        """Who defends first."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the rules it follows from."""


class HandRow(GameRow, Protocol):
    """What one hand came to."""

    @property
    def loser(self) -> Side | None:
        """Who was left with cards."""

    @property
    def order(self) -> tuple[Seat, ...] | None:
        """Who went out, in this order; None where nobody has said it."""

    @property
    def sixes(self) -> int | None:
        """The epaulettes of who lost it, where they were told."""


class HandState(GameState, Protocol):
    """A session of hands as it stands."""

    @property
    def ruleset(self) -> "HandRules":
        """The rule set it is played by."""

    @property
    def rows(self) -> Sequence[HandRow]:
        """What every entry came to."""

    @property
    def hands(self) -> int:
        """How many hands were played."""

    @property
    def draws(self) -> int:
        """How many of them nobody lost."""

    @property
    def fool(self) -> Side | None:
        """Who lost the last hand."""

    @property
    def epaulettes(self) -> Mapping[Side, int]:
        """The epaulettes by side; of a side without any there need be nothing."""

    def marks_beside(self, side: Side, most: int) -> tuple[int, ...]:
        """The epaulettes beside a side's losses, one number for each, of the last so many at most."""

    @property
    def dealt_by(self) -> str:
        """The key of the rule that says who deals next."""

    @property
    def start(self) -> HandStartView | None:
        """How the next hand begins; None while nobody has named its dealer."""

    def start_with(self, dealer: Seat) -> HandStartView | None:
        """How the next hand begins where this player deals it."""


class HandRules(GameRules, Protocol):
    """The rule set of a game of hands; what a table can agree on is asked for by the name of the thing."""

    @property
    def most(self) -> int:
        """How many attack cards a bout usually may see at most."""

    @property
    def talon(self) -> int:
        """How many cards are left in the talon after the deal."""

    @property
    def seated(self) -> bool:
        """Whether it is known how many play."""

    @property
    def lowest_rank(self) -> str:
        """The lowest rank of the pack: the six of every rule."""

    def session_losses(self) -> int:
        """How many losses of one side end the session; 0: it ends when it is closed."""

    def changes_trumps(self) -> bool:
        """Whether the last card of the talon makes other trumps."""

    def forfeit(self) -> str:
        """What the losers of a session owe, in the table's own words."""

    def transfers_attacks(self) -> bool:
        """Whether an attack may be transferred to the next player."""

    def caps_until_beaten_off(self) -> bool:
        """Whether the smaller cap of the first bout lasts until an attack is beaten off."""

    def draws_lots(self) -> bool:
        """Whether the lot decides who attacks first where nobody holds a trump."""

    def shows_trumps(self) -> bool:
        """Whether an attack may be transferred with a trump that is only shown."""

    def writes_epaulettes(self) -> bool:
        """Whether the sixes that make the fool are written beside the loss."""

    def deals_anew(self) -> bool:
        """Whether a hand is dealt again where somebody was dealt five of one suit."""

    def plays_on(self) -> bool:
        """Whether the others play on where somebody leaves in mid-hand."""

    def loses_by_leaving(self) -> bool:
        """Whether who leaves in mid-hand has lost it."""


class TurnView(Protocol):
    """How a hand goes on, or ended."""

    @property
    def verdict(self) -> str:
        """`next`, `loser`, `draw`, or `void` where only one player has not walked out."""

    @property
    def attacker(self) -> Seat | None:
        """Who attacks now."""

    @property
    def defender(self) -> Seat | None:
        """Who defends now."""

    @property
    def loser(self) -> Side | None:
        """Who lost the hand, where it is over."""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the rules it follows from."""


class HandCourseView(Protocol):
    """How far a hand has come that is followed bout by bout."""

    @property
    def turn(self) -> TurnView | None:
        """Whose turn it is; None until somebody has said who attacks first."""

    @property
    def out(self) -> tuple[Seat, ...]:
        """Who has no cards any more."""

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""

    @property
    def none_beaten_off(self) -> bool:
        """Whether no bout of it was beaten off yet."""


class BoutGuideView(Protocol):
    """What holds for the bout that comes now."""

    @property
    def attacker(self) -> Seat:
        """The principal attacker."""

    @property
    def defender(self) -> Seat:
        """The defender."""

    @property
    def throwers(self) -> tuple[Seat, ...]:
        """Who may throw in, in this order."""

    @property
    def drawing(self) -> tuple[Seat, ...]:
        """Who draws, in this order."""

    @property
    def limit(self) -> int | None:
        """How many attack cards it may see, if the defender holds as many; None: whatever they are."""

    @property
    def path(self) -> tuple[Seat, ...]:
        """The seats that its attack went past: who attacked first, and whom it faced one after the other."""

    @property
    def next_defender(self) -> Seat | None:
        """Whom the attack faces if it is transferred now; nobody, where nothing is transferred."""


BoutT = TypeVar("BoutT", bound=BoutView, contravariant=True)
CourseT = TypeVar("CourseT", bound=HandCourseView)
TransferT = TypeVar("TransferT", bound=TransferView, contravariant=True)


class HandFamily(Protocol[BoutT, CourseT, TransferT]):
    """What can be asked of a game of hands beside what every family is asked."""

    @property
    def ruleset(self) -> HandRules:
        """The rule set it is played by."""

    def course(
        self,
        attacker: Seat | None,
        bouts: Sequence[BoutT],
        walked_out: Seat | None = None,
        walked_after: int | None = None,
    ) -> CourseT:
        """How far a hand has come that is followed bout by bout, and that somebody may have left."""

    def guide(self, course: CourseT, transfers: Sequence[TransferT] = ()) -> BoutGuideView | None:
        """What holds for the bout that comes now, after these transfers; None when there is none."""

    def ways(
        self, bouts: Sequence[BoutT], walked_out: Seat | None = None, walked_after: int | None = None
    ) -> Sequence[tuple[Seat, ...]]:
        """The seats that the attack of each bout went past: who attacked first, and whom it faced in turn."""


HandGame = HandFamily[BoutView, HandCourseView, TransferView]
"""A game of hands whose bouts only ever go back to it."""
