"""Money between players: the stakes, and how everything is paid with the fewest payments.

Amounts are decimal and exact. Nothing is shared out, so nothing is rounded, and what some lose others win.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

MAX_EXACT = 12
"""The most players for whom the fewest payments are found; with more there may be a few too many."""
MAX_AMOUNT = Decimal(1_000_000)

Account = dict[str, Decimal]
"""The winnings of players by name; losses are negative."""
Accounts = dict[str, Account]
"""The same by currency."""


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes: the currency, and the worth of each kind of gain."""

    currency: str
    worth: Mapping[str, Decimal]

    @classmethod
    def of_head(cls, stake: Mapping[str, str]) -> "Stakes | None":
        """The stakes in the head of a record; None without a valid amount."""
        try:
            amount = Decimal(str(stake["amount"]))
        except (KeyError, InvalidOperation):
            return None
        return cls(str(stake.get("currency", "")), {"unit": amount}) if amount.is_finite() else None


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment from one player to another."""

    payer: str
    payee: str
    amount: Decimal
    currency: str = ""


def read_amount(text: Any) -> Decimal | None:
    """Parse a typed amount, above zero, in hundredths at the finest; None if it is invalid.

    >>> read_amount("12,50"), read_amount("0.005"), read_amount("much")
    (Decimal('12.50'), None, None)
    """
    try:
        amount = Decimal(str(text).strip().replace(",", "."))
    except InvalidOperation:
        return None
    fits = amount.is_finite() and 0 < amount <= MAX_AMOUNT and amount == round(amount, 2)
    return round(amount, 2) if fits else None


def enter(accounts: Accounts, payment: Payment) -> None:
    """Enter a payment in the accounts."""
    add_gains(accounts, payment.currency, {payment.payer: payment.amount, payment.payee: -payment.amount})


def add_gains(accounts: Accounts, currency: str, gains: Mapping[str, Decimal]) -> None:
    """Add players' gains in a currency."""
    account = accounts.setdefault(currency, {})
    for name, amount in gains.items():
        account[name] = account.get(name, Decimal(0)) + amount


def settle_accounts(accounts: Accounts) -> tuple[Payment, ...]:
    """The fewest payments for all accounts; each currency is settled by itself."""
    return tuple(
        payment for currency, account in accounts.items() for payment in settle_up(account, currency)
    )


def settle_up(balances: Mapping[str, Decimal], currency: str = "") -> tuple[Payment, ...]:
    """List payments after which nobody owes anything, as few as possible.

    `balances` are the winnings of each player; losses are negative.

    :raises ValueError: if they do not add up to zero.

    >>> [(paid.payer, paid.payee, str(paid.amount)) for paid in settle_up(
    ...     {"Ewa": Decimal(30), "Jan": Decimal(-10), "Ala": Decimal(-20), "Olek": Decimal(0)}
    ... )]
    [('Ala', 'Ewa', '20'), ('Jan', 'Ewa', '10')]
    """
    if sum(balances.values()):
        raise ValueError(f"balances that add up to {sum(balances.values())}")
    open_names = [name for name, balance in balances.items() if balance]
    groups = _split_into_groups(open_names, balances) if len(open_names) <= MAX_EXACT else [open_names]
    return tuple(payment for group in groups for payment in _settle_group(group, balances, currency))


def _split_into_groups(names: Sequence[str], balances: Mapping[str, Decimal]) -> list[list[str]]:
    """Split players into as many groups as possible that balance among themselves: each saves a payment."""
    count = 1 << len(names)
    sums, most = [Decimal(0)] * count, [0] * count
    for group in range(1, count):
        first = (group & -group).bit_length() - 1
        sums[group] = sums[group & (group - 1)] + balances[names[first]]
        without = (most[group & ~(1 << index)] for index in range(len(names)) if group >> index & 1)
        most[group] = max(without) + (not sums[group])
    groups: list[list[str]] = []
    left = count - 1
    while left:
        if not sums[left]:
            groups.append([])
        index = next(
            index
            for index in range(len(names))
            if left >> index & 1 and most[left] == most[left & ~(1 << index)] + (not sums[left])
        )
        groups[-1].append(names[index])
        left &= ~(1 << index)
    return [sorted(group, key=names.index) for group in groups[::-1]]


def _settle_group(names: Sequence[str], balances: Mapping[str, Decimal], currency: str) -> Iterator[Payment]:
    """List payments among these, one fewer than players: each payment settles one of them."""
    left = {name: balances[name] for name in names}
    while any(left.values()):
        payer = min(left, key=lambda name: left[name])
        payee = max(left, key=lambda name: left[name])
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        yield Payment(payer, payee, amount, currency)
