"""Melds on the page of a deal: what may be declared, what it is called, what known hands hold."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from functools import cached_property

from companion.jacknine.phases.play import PlaySoFar
from companion.jacknine.ruleset import JackNineRuleset
from companion.rules.cards import Card, Suit
from companion.web.shell.text import translate

from . import deal_game
from .form import DealForm
from .names import TableNames


@dataclass(frozen=True)
class Proposal:
    """Something that a hand holds and nobody has declared yet: one tap declares it."""

    kind: str
    seat: str
    text: str
    fields: dict[str, str] = field(default_factory=dict)

    @property
    def code(self) -> str:
        """The value of its button: `run:A:…`."""
        return ":".join((self.kind, self.seat, *(self.fields[key] for key in sorted(self.fields))))


class Melds(TableNames, ABC):
    """What the templates ask about the melds of a deal."""

    form: DealForm
    ruleset: JackNineRuleset

    @property
    @abstractmethod
    def course(self) -> PlaySoFar | None:
        """How the play stands where it is entered card by card."""

    @property
    @abstractmethod
    def contract(self) -> tuple[str, str] | None:
        """Who plays which suit, as far as that was entered."""

    def word(self, name: str) -> str:
        """The game's word for a thing."""
        return str(self.match.game.book.words.get(name, name))

    @property
    def run_tops(self) -> dict[int, list[str]]:
        """For each length a run may have, the cards it may start from."""
        order = self.ruleset.run_order
        shortest = min(self.ruleset.run_points)
        return {
            length: list(order[: len(order) - length + 1])
            for length in range(shortest, min(len(order), self.ruleset.hand) + 1)
        }

    @property
    def four_ranks(self) -> list[str]:
        """The ranks of which four together are a meld, the best first."""
        order, worth = self.ruleset.fours_order, self.ruleset.fours
        return sorted(worth, key=lambda rank: (-worth[rank], order.index(rank)))

    @property
    def longer_runs(self) -> list[tuple[str, str]]:
        """The lengths of runs that the game has no word of its own for."""
        return [
            (str(length), str(length)) for length in self.run_tops if length > max(self.ruleset.run_points)
        ]

    def run_word(self, length: int) -> str:
        """What a run of this length is called, in the page's language."""
        if length in self.ruleset.run_points:
            words, points = self.match.game.book.words, self.ruleset.run_points[length]
            return translate(words.get(f"run{length}", points))
        return f"{translate(self.word('run'))} ({length})"

    @cached_property
    def hands(self) -> dict[str, list[Card]]:
        """The hands, once every card of the deal has been played."""
        course = self.course
        if course is None or course.next is not None:
            return {}
        taken = [
            dict(zip(self.ring.around(trick.leader), trick.cards, strict=True)) for trick in course.taken
        ]
        return {seat: [cards[seat] for cards in taken] for seat in self.ring.seats}

    @cached_property
    def proposals(self) -> list[Proposal]:
        """What known hands could have declared and nobody has entered yet."""
        proposals: list[Proposal] = []
        runs = {
            (run.seat.data, run["length"].data, run.top.data, suit)
            for run in self.form.runs
            for suit in ([run.suit.data] if run.suit.data else Suit)
        }
        fours = {four.rank.data for four in self.form.fours}
        for seat, hand in self.hands.items():
            for meld in deal_game(self.match.game).melds(seat, hand):
                fields = {key: str(value) for key, value in meld.to_entry().items()}
                if "rank" in fields:
                    if fields["rank"] not in fours:
                        text = f"{translate(self.word('four'))}: {fields['rank']}"
                        proposals.append(Proposal("four", seat, text, fields))
                elif (seat, fields["length"], fields["top"], fields["suit"]) not in runs:
                    sign = Suit(fields["suit"]).sign
                    text = f"{self.run_word(int(fields['length']))}: {fields['top']}{sign}"
                    proposals.append(Proposal("run", seat, text, fields))
            pair = self.ruleset.bela(self.contract[1]) if self.contract else ()
            if pair and not self.form.bela.data and all(card in hand for card in pair):
                proposals.append(Proposal("bela", seat, translate(self.word("bela"))))
        return proposals
