"""Laws of settling up: all is paid, with as few payments as there can be."""

from decimal import Decimal
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import few_examples

from companion.people.money import enter, read_amount, settle_accounts, settle_up

AMOUNTS = st.lists(st.integers(-4, 4), min_size=1, max_size=5).map(lambda some: [*some, -sum(some)])


def minimum_payments(amounts: list[int]) -> int:
    """How few payments there can be: one fewer than players in every group that is even among itself."""
    left = [amount for amount in amounts if amount]
    if not left:
        return 0
    groups = (
        [n for n in range(len(left)) if n not in chosen]
        for size in range(1, len(left))
        for chosen in combinations(range(len(left)), size)
        if not sum(left[n] for n in chosen)
    )
    split = [
        minimum_payments([left[n] for n in rest])
        + minimum_payments([left[n] for n in range(len(left)) if n not in rest])
        for rest in groups
    ]
    return min([len(left) - 1, *split])


@few_examples(60)
@given(AMOUNTS)
def test_everything_is_settled_with_the_fewest_payments(amounts: list[int]) -> None:
    """Nobody is left with anything, nobody pays nothing, and no other way has fewer payments."""
    accounts = {"zł": {f"Player {n}": Decimal(amount) / 4 for n, amount in enumerate(amounts)}}
    payments = settle_accounts(accounts)
    assert len(payments) == minimum_payments(amounts) < len(amounts)
    for payment in payments:
        assert payment.amount > 0
        enter(accounts, payment)
    assert not any(accounts["zł"].values())


def test_many_players_are_settled_too() -> None:
    """With more of them than can be looked through, with one payment fewer than players at most."""
    payments = settle_up({str(n): Decimal(n - 10) for n in range(21)})
    assert sum(payment.amount for payment in payments) == 55
    assert len(payments) <= 19


def test_what_does_not_add_up_cannot_be_settled() -> None:
    with pytest.raises(ValueError, match="add up to 1"):
        settle_up({"Ewa": Decimal(3), "Jan": Decimal(-2)})


@pytest.mark.parametrize("text", ["0", "-1", "0.001", "NaN", "1e9", "", "1 zł", None, "Infinity"])
def test_what_is_no_amount(text: object) -> None:
    assert read_amount(text) is None
