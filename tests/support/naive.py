"""The play of the trick games once more: apart from the core, as simply as can be, to check it by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.rules.cards import Card

PLAIN = ["7", "8", "9", "J", "Q", "K", "10", "A"]
TRUMPS = ["7", "8", "Q", "K", "10", "A", "9", "J"]
QUEEN_HIGH = ["7", "8", "J", "K", "10", "A", "9", "Q"]
VALUES = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
NO_TRUMPS = VALUES | {"A": 19}
ALL_TRUMPS = {
    "ffb": {"J": 13, "9": 9, "A": 6, "10": 5, "K": 3, "Q": 2},
    "jack-14": {"J": 14, "9": 9, "A": 6, "10": 5, "K": 3, "Q": 1},
    "ten-4": {"J": 14, "9": 9, "A": 6, "10": 4, "K": 3, "Q": 2},
    "scaled": {"J": 20, "9": 14, "A": 11, "10": 10, "K": 4, "Q": 3},
}


@dataclass(frozen=True)
class Way:
    """How a game is played: its top trump, and what to do over a ruff that cannot be beaten.

    `jass_counts`: the trump jack is 2 among the cards, besides its word. `partner_frees`: whose partner is
    winning the trick plays anything when void. `beats_all`: plain suits are beaten as trumps are. `capot`:
    the last trick for a side with every trick. `beats_led`: a led trump is beaten if possible;
    `beats_trumped`: so is the best card of a plain suit led that was trumped. `top`: what
    the top trump counts. `trumps` and `plain` are the orders, from the lowest. `no_trumps` and `all_trumps`
    are the values of deals without a trump suit.
    """

    jass: str = "J"
    over_ruff: str = "any trump"
    jass_counts: bool = False
    partner_frees: bool = False
    beats_all: bool = False
    capot: int = 10
    beats_led: bool = True
    beats_trumped: bool = False
    top: int = 20
    nine: str = "9"
    nine_points: int = 14
    last: int = 10
    bela: int = 20
    trumps: Sequence[str] = tuple(TRUMPS)
    plain: Sequence[str] = tuple(PLAIN)
    trump_values: Mapping[str, int] = field(default_factory=lambda: VALUES)
    plain_values: Mapping[str, int] = field(default_factory=lambda: VALUES)
    no_trumps: Mapping[str, int] = field(default_factory=lambda: VALUES)
    all_trumps: Mapping[str, int] = field(default_factory=dict)
    runs: Mapping[int, int] = field(default_factory=dict)
    fours: Mapping[str, int] = field(default_factory=dict)

    def by_numbers(self, cards: Mapping[str, Any], points: Mapping[str, Any]) -> "Way":
        """The same with the orders and the numbers of a game's file."""
        return replace(
            self,
            jass=cards["jass"],
            jass_counts=True,
            nine=cards["nine"],
            trumps=cards["trump_order"][::-1],
            plain=cards["plain_order"][::-1],
            trump_values=points["trump"],
            plain_values=points["plain"],
            no_trumps=points.get("no_trumps") or points["plain"],
            all_trumps=points.get("all_trumps") or {},
            top=points["jass"],
            nine_points=points["nine"],
            last=points["last"],
            capot=points.get("last_all") or points["last"],
            bela=points["bela"],
            runs={int(length): worth for length, worth in (points.get("runs") or {}).items()},
            fours=points.get("fours", {}),
        )

    def worth(self, length: int, *, pieces: bool = True) -> int:
        """Count a run: cut from the top into the longest that have a value, or only the first."""
        if length < min(self.runs):
            return 0
        first = min(length, max(self.runs))
        return self.runs[first] + (self.worth(length - first) if pieces else 0)


WAYS: Mapping[str, Way] = {
    "derda": Way(jass_counts=True),
    "klaberjass": Way(),
    "klaberjass-3": Way(over_ruff="higher, else any trump"),
    "klaberjass-4": Way(over_ruff="higher, else any card"),
    "bulka": Way("Q", trumps=QUEEN_HIGH),
    "darda": Way("Q", "higher, else any card", trumps=QUEEN_HIGH),
    "deberts": Way(),
    "deberts-3": Way(),
    "deberts-4": Way(),
    "deberts-4-alone": Way(),
    "clabber": Way(over_ruff="higher, else any card"),
    "bela": Way(over_ruff="higher, else any trump", beats_all=True, capot=100),
    "bela-2": Way(over_ruff="higher, else any trump", beats_all=True, capot=100),
    "bela-3": Way(over_ruff="higher, else any trump", beats_all=True, capot=100),
    "belote": Way(over_ruff="higher, else any trump", partner_frees=True, capot=100),
    "coinche": Way(over_ruff="higher, else any card", partner_frees=True, capot=100),
    "contree": Way(over_ruff="higher, else any card", partner_frees=True, capot=100),
}


def strength(way: Way, card: Card, led: Card, trump: str) -> int:
    """How strong a card is in a trick: trumps over the led suit over all else."""
    if trump == "AT":
        return 10 + way.trumps.index(card.rank) if card.suit == led.suit else 0
    if card.suit == trump:
        return 100 + way.trumps.index(card.rank)
    return 10 + way.plain.index(card.rank) if card.suit == led.suit else 0


def taker(way: Way, trick: Sequence[Card], trump: str) -> int:
    """Whose card takes the trick, the leader's counted as 0."""
    return max(range(len(trick)), key=lambda place: strength(way, trick[place], trick[0], trump))


def allowed(way: Way, hand: Sequence[Card], trick: Sequence[Card], trump: str, *, bare: bool) -> list[Card]:
    """What may be played, asked of each card by itself. `bare`: a lone jass need not ruff."""
    return [card for card in hand if not trick or _allowed(way, card, hand, trick, trump, bare)]


def _allowed(
    way: Way, card: Card, hand: Sequence[Card], trick: Sequence[Card], trump: str, bare: bool
) -> bool:
    led = trick[0]
    best = max(strength(way, item, led, trump) for item in trick)
    higher = [item for item in hand if item.suit == trump and strength(way, item, led, trump) > best]
    trumps = [item for item in hand if item.suit == trump]
    if any(item.suit == led.suit for item in hand):
        if card.suit != led.suit:
            return False
        if trump == "AT":
            over = [item for item in hand if strength(way, item, led, trump) > best]
            return not over or card in over
        if way.beats_all and led.suit != trump:
            if way.beats_trumped:
                best = max(strength(way, item, led, trump) for item in trick if item.suit == led.suit)
            higher = [
                item for item in hand if item.suit == led.suit and strength(way, item, led, trump) > best
            ]
            return not higher or card in higher
        return led.suit != trump or not way.beats_led or not higher or card in higher
    if way.partner_frees and (len(trick) - taker(way, trick, trump)) % 2 == 0:
        return True
    if not trumps or (bare and [trump.rank for trump in trumps] == [way.jass]):
        return True
    if all(item.suit != trump for item in trick) or way.over_ruff == "any trump":
        return card in trumps
    if higher:
        return card in higher
    return way.over_ruff == "higher, else any card" or card in trumps


def value(way: Way, card: Card, trump: str) -> int:
    """What a card counts among the cards, the words of jass and nine left out."""
    if trump in ("AT", "NT"):
        return {"AT": way.all_trumps, "NT": way.no_trumps}[trump].get(card.rank, 0)
    top = card.suit == trump and card.rank == way.jass
    values = way.trump_values if card.suit == trump else way.plain_values
    return 0 if top and not way.jass_counts else values.get(card.rank, 0)
