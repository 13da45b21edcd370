"""How a table plays Durak, and what is kept of a bout that was played there; apart from the core.

Seats are numbers from 0, clockwise; cards are texts such as `10H`, jokers `*B` and `*R`.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any

SEATS = "ABCDEF"
RANKS = {36: "6 7 8 9 10 J Q K A", 52: "2 3 4 5 6 7 8 9 10 J Q K A", 24: "9 10 J Q K A"}
JOKERS = ["*B", "*R"]


def rank(card: str) -> str:
    return card[:-1]


def suit(card: str) -> str:
    """The suit of a card; of a joker its colour."""
    return card[-1]


def colour(card: str) -> str:
    return {"S": "B", "C": "B", "H": "R", "D": "R"}.get(card[-1], card[-1])


@dataclass(frozen=True)
class TableRules:
    players: int
    form: str = "individual"
    deck: int = 36
    neighbours: bool = False
    first_limit: int = 6
    teach: bool = False
    older: bool = False
    transfer: bool = False
    transfer_first: bool = True
    pass_card: bool = False
    until: bool = False
    cap: int = 6
    binds_taker: bool = True
    several: bool = False
    closed: bool = False
    jokers: bool = False
    lowest_ace: bool = False
    by_spades: bool = False
    top_joker: bool = False
    no_ace: bool = False
    no_spade: bool = False
    opens_lowest: bool = False
    at_once: bool = False
    hand: int = 6
    most: int = 6
    order: tuple[str, ...] = ()
    """A suit from its lowest card, if it is not as usual."""

    @property
    def ranks(self) -> list[str]:
        """A suit from its lowest card."""
        return [*self.order] or RANKS[self.deck].split()

    @property
    def has_talon(self) -> bool:
        """Whether cards are left when all have theirs."""
        return self.deck + 2 * self.jokers > self.hand * self.players

    @property
    def teams(self) -> bool:
        """Whether two teams play."""
        return self.form != "individual"

    @property
    def conventions(self) -> dict[str, Any]:
        """The same as conventions of a record."""
        chosen: dict[str, Any] = {
            "format": self.form,
            "deck": self.deck,
            "first_hand": "left-of-dealer" if self.older else "lowest-trump",
        }
        chosen |= {
            "attack_cap": self.cap,
            "pick_up_ends": self.closed,
            "jokers": 2 if self.jokers else 0,
            "lowest_beats_ace": "on" if self.lowest_ace else "off",
            "spades_by_spades": self.by_spades,
        }
        if not self.teams:
            chosen["transfer"] = "on" if self.transfer else "off"
        if self.has_first_limit:
            chosen["first_defence_limit"] = 5
            chosen["first_defence_until"] = "beaten-off" if self.until else "first-bout"
        if not self.closed and (self.has_first_limit or 0 < self.cap < 6):
            chosen["cap_binds_taker"] = self.binds_taker
        if self.transfer and self.cap not in (1, 2):
            chosen["transfer_cards"] = "several" if self.several else "one"
        if self.jokers:
            chosen["trump_joker"] = "highest-trump" if self.top_joker else "by-colour"
        if self.has_talon:
            chosen["ace_turned"] = "again" if self.no_ace else "stays"
        if self.has_talon and self.by_spades:
            chosen["spade_turned"] = "again" if self.no_spade else "stays"
        if not self.older:
            chosen["first_card"] = "lowest-trump" if self.opens_lowest else "any"
        if self.transfer:
            chosen["transfer_first"] = "on" if self.transfer_first else "off"
            chosen["pass_card"] = "on" if self.pass_card else "off"
        if self.players > 2:
            chosen["first_attack"] = "teach-the-fool" if self.teach else "under-the-fool"
            chosen["throw_start"] = "at-once" if self.at_once else "first-beaten"
        if self.players > 3 and self.form != "teams-4":
            chosen["throwers"] = "neighbours" if self.neighbours else "all"
        return chosen

    @property
    def has_first_limit(self) -> bool:
        """Whether five cards are the limit of a first bout, and not of every one."""
        return not self.teams and self.first_limit == 5 and self.cap not in range(1, 6)

    def foes(self, one: int, other: int) -> bool:
        return (one - other) % 2 == 1 if self.teams else one != other

    def side(self, seat: int) -> str:
        return "AB"[seat % 2] if self.teams else SEATS[seat]


@dataclass
class Moment:
    """How a bout stands: who attacks whom, what the defender held at first, the most attack cards."""

    attacker: int
    defender: int
    held: int
    limit: int


@dataclass
class ThrowAttempt:
    """A card that a player thought of throwing in: what lay on the table, and whether it was allowed."""

    by: int
    card: str
    table: list[list[str]]
    picking_up: bool
    allowed: bool
    moment: Moment
    limit: int


@dataclass
class TransferAttempt:
    """Cards with which the defender thought of transferring; who would defend then, or nobody."""

    by: int
    cards: list[str]
    shown: bool
    before: bool
    table: list[list[str]]
    picking_up: bool
    next_cards: int
    then: int | None


@dataclass
class PlayedBout:
    """One bout as it was played, with the hands and the talon before it and after it.

    `moments` are how it stood before its first step and after each one; `transfers` as in a record.
    """

    hands: list[list[str]]
    out: list[int]
    talon: int
    first: bool
    none_beaten_off: bool
    throwers: list[int]
    moments: list[Moment]
    steps: list[dict[str, Any]] = field(default_factory=list)
    tries: list[ThrowAttempt] = field(default_factory=list)
    transfer_tries: list[TransferAttempt] = field(default_factory=list)
    transfers: list[dict[str, Any]] = field(default_factory=list)
    joined: list[int] = field(default_factory=list)
    result: str = ""
    draws: list[tuple[int, int]] = field(default_factory=list)
    left: int = 0
    gone: list[int] = field(default_factory=list)

    @property
    def attacker(self) -> int:
        """Who attacked at the beginning."""
        return self.moments[0].attacker

    @property
    def defender(self) -> int:
        """Who defended at the beginning."""
        return self.moments[0].defender

    @property
    def limit(self) -> int:
        """The most attack cards at the beginning."""
        return self.moments[0].limit

    def to_entry(self) -> dict[str, Any]:
        """The bout as it stands in a record's entry."""
        newly_out = [SEATS[seat] for seat in self.gone if seat not in self.out]
        entry = {"attacker": SEATS[self.attacker], "defender": SEATS[self.defender], "result": self.result}
        transfers = {"transfers": self.transfers} if self.transfers else {}
        return entry | ({"out": newly_out} if newly_out else {}) | transfers


def random_rules(random: Random) -> TableRules:
    forms = [*((players, "individual") for players in range(2, 7)), (4, "teams-4"), (6, "teams-6")]
    players, form = random.choice(forms)
    alone = form == "individual"

    def maybe() -> bool:
        return random.choice([False, True])

    return TableRules(
        players,
        form,
        random.choice([36, 52, 24] if players < 4 else [36, 52]),
        maybe(),
        random.choice([5, 6]),
        maybe(),
        maybe(),
        transfer=alone and random.random() < 0.8,
        transfer_first=random.random() < 0.7,
        pass_card=maybe(),
        until=maybe(),
        cap=random.choice([6, 6, 6, 0, 0, random.randint(1, 36), random.randint(1, 5)]),
        binds_taker=maybe(),
        several=maybe(),
        closed=random.random() < 0.3,
        jokers=maybe(),
        lowest_ace=random.random() < 0.3,
        by_spades=random.random() < 0.3,
        top_joker=maybe(),
        no_ace=random.random() < 0.3,
        no_spade=maybe(),
        opens_lowest=maybe(),
        at_once=maybe(),
    )
