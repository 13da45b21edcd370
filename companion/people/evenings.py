"""Evenings: matches that follow each other or were grouped by hand, and their sums.

The id of an evening is that of the first match of a chain. Its sums are computed from the counted matches.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from typing import Any

from companion.figures import CountedMatch
from companion.rules.seats import Side

from .money import Accounts, Payment, Stakes, add_gains, enter, read_amount

ALONE = "-alone"
"""The suffix to the id of a match that was taken out of an evening: the id of its own evening."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Payments that were ticked off by somebody, or carried on to an evening. `id` is the note's."""

    id: str
    at: str
    payments: tuple[Payment, ...]
    by: str = ""
    to: str = ""


@dataclass(frozen=True, slots=True)
class Evening:
    """The owner's notes of one evening; empty ones follow from its matches."""

    name: str = ""
    place: str = ""
    date: str = ""
    note: str = ""
    stakes: Stakes | None = None
    settled: tuple[Settled, ...] = ()


NOTHING = Evening()


@dataclass(frozen=True, slots=True)
class Evenings:
    """All notes of evenings; `put` has the evening to which a match was moved by hand."""

    put: Mapping[str, str] = field(default_factory=dict)
    written: Mapping[str, Evening] = field(default_factory=dict)

    def of(self, id: str) -> Evening:
        """The notes of an evening."""
        return self.written.get(id, NOTHING)

    def group(self, follows: Mapping[str, str | None]) -> dict[str, list[str]]:
        """Group matches by evening, in the order given; `follows` has the match that each one follows."""
        evenings: dict[str, list[str]] = {}
        for id in follows:
            evenings.setdefault(self._find_evening(id, follows), []).append(id)
        return evenings

    def _find_evening(self, id: str, follows: Mapping[str, str | None]) -> str:
        """The evening to which it was moved, or else that of the first match of its chain."""
        if id in self.put:
            return self.put[id]
        first, seen = id, {id}
        while (earlier := follows.get(first)) in follows and earlier is not None and earlier not in seen:
            seen.add(earlier)
            first = earlier
        put = self.put.get(first, first)
        return first if put.endswith(ALONE) else put

    def rename(self, find: Callable[[str], str]) -> "Evenings":
        """Rename the players of all payments to their present names."""

        def call(settled: Settled) -> Settled:
            called = [
                replace(payment, payer=find(payment.payer), payee=find(payment.payee))
                for payment in settled.payments
            ]
            return replace(settled, payments=tuple(called), by=find(settled.by))

        return replace(
            self,
            written={
                id: replace(evening, settled=tuple(map(call, evening.settled)))
                for id, evening in self.written.items()
            },
        )

    def carried_to(self, id: str) -> list[Payment]:
        """The payments that were carried on to an evening."""
        settled = (item for evening in self.written.values() for item in evening.settled if item.to == id)
        return [payment for item in settled for payment in item.payments]


# --- notes -------------------------------------------------------------------------------------------


def put_match(evenings: Evenings, said: Mapping[str, Any]) -> Evenings:
    """Move a match to another evening, or take it out of its own."""
    match = str(said["match"])
    evening = match + ALONE if said.get("out") else str(said["evening"])
    return replace(evenings, put={**evenings.put, match: evening})


def describe(evenings: Evenings, said: Mapping[str, Any]) -> Evenings:
    """Set the name, place, date and note of an evening."""
    texts = {key: str(said.get(key, "")) for key in ("name", "place", "date", "note")}
    return _write(evenings, said, **texts)


def stake(evenings: Evenings, said: Mapping[str, Any]) -> Evenings:
    """Set the stakes; without a worth there are none."""
    read = {kind: read_amount(text) for kind, text in said["worth"].items()}
    worth = {kind: amount for kind, amount in read.items() if amount is not None}
    return _write(evenings, said, stakes=Stakes(str(said["currency"]), worth) if worth else None)


def settle(evenings: Evenings, said: Mapping[str, Any], id: str, at: str) -> Evenings:
    """Tick off payments, or carry them on."""
    payments = tuple(map(read_payment, said["payments"]))
    settled = Settled(id, at, payments, str(said.get("by", "")), str(said.get("to", "")))
    before = evenings.of(said["evening"]).settled
    return _write(evenings, said, settled=(*before, settled))


def read_payment(written: Mapping[str, Any]) -> Payment:
    """Parse a payment. :raises ValueError: if it is invalid."""
    try:
        amount = Decimal(str(written["amount"]))
    except InvalidOperation:
        raise ValueError(written) from None
    if not amount.is_finite():
        raise ValueError(written)
    return Payment(str(written["payer"]), str(written["payee"]), amount, str(written["currency"]))


def write_payment(payment: Payment) -> dict[str, str]:
    """Write a payment as stored."""
    return {
        "payer": payment.payer,
        "payee": payment.payee,
        "amount": str(payment.amount),
        "currency": payment.currency,
    }


def _write(evenings: Evenings, said: Mapping[str, Any], **changed: Any) -> Evenings:
    id = said["evening"]
    return replace(evenings, written={**evenings.written, id: replace(evenings.of(id), **changed)})


# --- sums --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EveningSums:
    """The sums of an evening by the players' names; each has only the players who took part in it.

    `losses` count matchsticks, `forfeits` the forfeits of losers by kind; `units` are those without money on
    them, which are `weighed` if a match was won by more than one. `kinds` are the gains on which money can be
    put.
    """

    players: tuple[str, ...]
    won: Counter[str]
    sets: Counter[str]
    units: Counter[str]
    losses: Counter[str]
    forfeits: Counter[tuple[str, str]]
    money: Accounts
    kinds: tuple[str, ...]
    weighed: bool


def add_up(matches: Sequence[CountedMatch], stakes: Stakes | None = None) -> EveningSums:
    """Add up matches. A match's own stake takes precedence over the stakes of the evening."""
    players = tuple(dict.fromkeys(name for match in matches for name in match.players))
    kinds = tuple(dict.fromkeys(kind for match in matches for kind in match.shown["gains"]))
    won, sets, units, losses = (Counter[str]() for _account in range(4))
    weighed = any(abs(units) > 1 for match in matches for units in match.shown["stakes"].values())
    sums = EveningSums(players, won, sets, units, losses, Counter(), {}, kinds, weighed)
    for match in matches:
        priced = _price(match, stakes)
        for side, names in list_sides(match):
            if priced is not None:  # every player of a side wins or pays the side's amount
                add_gains(sums.money, priced[0], dict.fromkeys(names, priced[1][side]))
            _add_side(sums, match, side, names, priced is not None)
    return sums


def add_evenings(evenings: Sequence[EveningSums]) -> EveningSums:
    """Add up several evenings."""
    players = tuple(dict.fromkeys(name for sums in evenings for name in sums.players))
    kinds = tuple(dict.fromkeys(kind for sums in evenings for kind in sums.kinds))
    won, sets, units, losses = (Counter[str]() for _account in range(4))
    weighed = any(sums.weighed for sums in evenings)
    season = EveningSums(players, won, sets, units, losses, Counter(), {}, kinds, weighed)
    for sums in evenings:
        for account in ("won", "sets", "units", "losses", "forfeits"):
            getattr(season, account).update(getattr(sums, account))
        for currency, amounts in sums.money.items():
            add_gains(season.money, currency, amounts)
    return season


def _price(match: CountedMatch, stakes: Stakes | None) -> tuple[str, dict[Side, Decimal]] | None:
    """The currency of a match and the winnings of each side; None if no money was put on it."""
    own, gains = Stakes.of_head(match.shown["head"].get("stake") or {}), match.shown["gains"]
    if own and "losers" not in match.shown:
        stakes, gains = own, {"unit": match.shown["stakes"]}
    if stakes is None or gains.keys().isdisjoint(stakes.worth):
        return None
    worth = [(amount, gains[kind]) for kind, amount in stakes.worth.items() if kind in gains]
    sides = match.ring.sides
    return stakes.currency, {
        side: sum((amount * gain[side] for amount, gain in worth), Decimal(0)) for side in sides
    }


def list_sides(match: CountedMatch) -> list[tuple[Side, list[str]]]:
    """List the sides of a match, each with the names of its players."""
    seated = list(zip(match.ring.seats, match.players, strict=True))
    return [
        (side, [name for seat, name in seated if match.ring.side(seat) == side]) for side in match.ring.sides
    ]


def _add_side(
    sums: EveningSums, match: CountedMatch, side: Side, names: Iterable[str], is_priced: bool
) -> None:
    shown = match.shown
    is_fool = shown["status"] != "playing" and side in shown.get("losers", ())
    for name in names:
        if "losers" in shown:
            sums.losses[name] += shown["totals"][side]
            if is_fool and shown.get("forfeit"):
                sums.forfeits[name, shown["forfeit"]] += 1
            continue
        sums.won[name] += shown["winner"] == side
        if "set" in shown["gains"]:
            sums.sets[name] += shown["sets"][side]
        if not is_priced:
            sums.units[name] += shown["stakes"][side]


def count_open(sums: EveningSums, evening: Evening, carried: Iterable[Payment]) -> Accounts:
    """The amounts still to be settled: winnings, with payments carried here, without those settled."""
    accounts: Accounts = {currency: dict(account) for currency, account in sums.money.items()}
    for payment in carried:
        add_gains(accounts, payment.currency, {payment.payer: -payment.amount, payment.payee: payment.amount})
    for settled in evening.settled:
        for payment in settled.payments:
            enter(accounts, payment)
    return accounts
