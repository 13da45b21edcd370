"""The sheet of an evening, made from the sheets of its matches and the states that they come to."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import cast

from companion.jacknine.state import JackNineState
from companion.record.record import Record
from companion.rules.game import GameState
from companion.rules.message import Message, SeatName, Translate
from companion.rules.seats import Side

from .common import compute_code, find_locale, make_namer, read_stake
from .match import format_gain, format_money
from .model import EveningColumn, EveningMatch, EveningPage, MatchPage, SessionPage, SessionSide, SheetSide

MAX_EXACT = 12
"""Players who are settled with the fewest payments there are; among more of them a few may be too many."""


@dataclass(frozen=True, slots=True)
class Payment:
    """What one player pays another."""

    payer: str
    payee: str
    amount: Decimal


def settle_up(balances: Mapping[str, Decimal]) -> tuple[Payment, ...]:
    """Payments after which nobody owes anybody anything, as few as there can be.

    `balances` are what each player has won, or lost as a negative amount.

    :raises ValueError: when they do not add up to nothing.

    >>> [(paid.payer, paid.payee, str(paid.amount)) for paid in settle_up(
    ...     {"Ewa": Decimal(30), "Jan": Decimal(-10), "Ala": Decimal(-20), "Olek": Decimal(0)}
    ... )]
    [('Ala', 'Ewa', '20'), ('Jan', 'Ewa', '10')]
    """
    if sum(balances.values()):
        raise ValueError(f"balances that add up to {sum(balances.values())}")
    open_names = [name for name, balance in balances.items() if balance]
    groups = _split_into_groups(open_names, balances) if len(open_names) <= MAX_EXACT else [open_names]
    return tuple(payment for group in groups for payment in _settle_group(group, balances))


def _split_into_groups(names: Sequence[str], balances: Mapping[str, Decimal]) -> list[list[str]]:
    """As many groups as there can be, each of which is even among itself: each of them saves a payment."""
    count = 1 << len(names)
    sums, most = [Decimal(0)] * count, [0] * count
    for group in range(1, count):
        first = (group & -group).bit_length() - 1
        sums[group] = sums[group & (group - 1)] + balances[names[first]]
        without = (most[group & ~(1 << place)] for place in range(len(names)) if group >> place & 1)
        most[group] = max(without) + (not sums[group])
    groups: list[list[str]] = []
    left = count - 1
    while left:
        if not sums[left]:
            groups.append([])
        place = next(
            place
            for place in range(len(names))
            if left >> place & 1 and most[left] == most[left & ~(1 << place)] + (not sums[left])
        )
        groups[-1].append(names[place])
        left &= ~(1 << place)
    return [sorted(group, key=names.index) for group in groups[::-1]]


def _settle_group(names: Sequence[str], balances: Mapping[str, Decimal]) -> Iterator[Payment]:
    """Payments among these, one fewer than there are players: each settles the affairs of one of them."""
    left = {name: balances[name] for name in names}
    while any(left.values()):
        payer = min(left, key=lambda name: left[name])
        payee = max(left, key=lambda name: left[name])
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        yield Payment(payer, payee, amount)


@dataclass(frozen=True)
class PlayedMatch:
    """One match of an evening: its record, what it came to, and its sheet."""

    record: Record
    state: GameState
    page: MatchPage | SessionPage

    @property
    def deals(self) -> JackNineState | None:
        """What it came to where it was played in deals for points; None where hands were lost."""
        return cast(JackNineState, self.state) if isinstance(self.page, MatchPage) else None

    def players_of(self, side: Side) -> list[str]:
        """Who plays on a side, by name."""
        ring, names = self.state.ring, self.record.head["players"]
        return [name for seat, name in zip(ring.seats, names, strict=True) if ring.side(seat) == side]


Account = dict[str, Decimal]
"""What the players have of one thing, by name."""


class EveningWriter:
    """Adds up an evening and writes its page: these matches, in this order."""

    def __init__(self, played: Sequence[PlayedMatch], translate: Translate, language: str) -> None:
        self.played, self.translate, self.language = played, translate, language
        self.where = find_locale(language)
        names = (name for match in played for name in match.record.head["players"])
        self.players = tuple(dict.fromkeys(names))

    def compose_page(self) -> EveningPage:
        _ = self.translate
        facts = dict.fromkeys(fact for match in self.played for fact in match.page.facts)
        money = self._add_up_money()
        return EveningPage(
            title=f"{_('Evening')}: {' · '.join(self.players)}",
            facts=tuple(facts) if len(facts) <= 2 else (),
            matches=tuple(self._compose_match(number, match) for number, match in enumerate(self.played, 1)),
            columns=tuple(self._compose_columns(money)),
            settled=bool(money),
            payments=tuple(self._compose_payments(money)),
            players=self.players,
            check=compute_code(" ".join(match.page.check for match in self.played)),
        )

    def _compose_match(self, number: int, match: PlayedMatch) -> EveningMatch:
        page = match.page
        sides: list[SheetSide | SessionSide] = [*page.sides]
        sides.sort(key=lambda side: not side.named)  # as the figures of the result
        players = " – ".join(side.name for side in sides)
        return EveningMatch(str(number), page.game, page.facts, players, page.result, page.check)

    # --- how it stands between the players ----------------------------------------------------

    def _compose_columns(self, money: Mapping[str, Account]) -> list[EveningColumn]:
        _ = self.translate
        won, sets, units, losses = (defaultdict[str, Decimal](Decimal) for _account in range(4))
        for match in self.played:
            for side in match.state.ring.sides:
                for name in match.players_of(side):
                    if match.deals is None:
                        losses[name] += match.state.totals[side]
                        continue
                    won[name] += side == match.deals.winner
                    if match.deals.ruleset.counts_sets:
                        sets[name] += match.deals.sets[side]
                    if read_stake(match.record) is None:
                        units[name] += match.deals.stakes[side]
        columns = []
        if won:
            columns.append(self._compose_column(_("Games won"), won, str))
        if sets:
            columns.append(self._compose_column(_("Sets"), sets, str))
        if any(units.values()):
            columns.append(self._compose_column(_("Units"), units, lambda amount: format_gain(int(amount))))
        for currency, account in money.items():
            show = partial(format_money, currency=currency, where=self.where)
            columns.append(self._compose_column(_("Stakes"), account, show))
        if losses:
            columns.append(self._compose_column(_("Losses"), losses, str))
        return columns

    def _compose_column(self, label: str, account: Account, show: Callable[[Decimal], str]) -> EveningColumn:
        cells = (account.get(name) for name in self.players)
        return EveningColumn(label, tuple("" if cell is None else show(cell) for cell in cells))

    # --- money -------------------------------------------------------------------------------

    def _add_up_money(self) -> dict[str, Account]:
        """What each player has won or lost, by currency; empty where no match had a stake."""
        money: dict[str, Account] = {}
        for match in self.played:
            stake = read_stake(match.record)
            if stake is None or match.deals is None:
                continue
            amount, currency = stake
            account = money.setdefault(currency, defaultdict(Decimal))
            for side, units in match.deals.stakes.items():
                for name in match.players_of(side):
                    account[name] += amount * units
        return money

    def _compose_payments(self, money: Mapping[str, Account]) -> list[str]:
        names = make_namer({}, {})
        return [
            Message(
                "{payer} pays {payee} {amount}.",
                payer=SeatName(payment.payer),
                payee=SeatName(payment.payee),
                amount=format_money(payment.amount, currency, self.where, signed=False),
            ).render(self.translate, names)
            for currency, account in money.items()
            for payment in settle_up(account)
        ]
