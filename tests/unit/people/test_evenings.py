"""Evenings: which matches are in one, and what they add up to."""

from decimal import Decimal
from typing import Any

import derda
from derda import deal

from companion import library
from companion.figures import CountedMatch
from companion.people import evenings
from companion.people.evenings import ALONE, Evening, Evenings, add_up, count_open
from companion.people.money import Stakes, settle_accounts
from companion.record.record import RecordChain

CHAIN = {"a": None, "b": "a", "c": "b", "other": None}


def match(*entries: Any, **head: Any) -> CountedMatch:
    document = derda.RECORD | {"first_dealer": "A", "entries": [*entries]} | head
    return CountedMatch.of(RecordChain(library.open_game, [document]).fold(document))


def put(match: str, evening: str = "", before: Evenings | None = None) -> Evenings:
    return evenings.put_match(before or Evenings(), {"match": match, "evening": evening, "out": not evening})


FOUR = ["Ewa", "Jan", "Ala", "Olek"]
WON = match(deal(), deal(), conventions={"target": 100})
DIVED = match(
    {"type": "opening", "totals": {"A": 450, "B": 200}},
    {"type": "dive", "by": "A", "accepted": True},
    {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 90, "B": 40}},
    **{"game": "deberts", "preset": "sets", "conventions": {"mars": "on", "dive": "on"}},
)
FOOLS = match({"type": "hand", "loser": "C"}, {"type": "close"}, game="durak", players=FOUR)
PARTNERS = match(
    {"type": "opening", "totals": {"A": 450, "B": 0}},
    {"type": "deal", "contract": {"declarer": "A", "trump": "H"}, "totals": {"A": 90, "B": 72}},
    game="klaberjass-4",
    players=FOUR,
)


# --- which matches ---------------------------------------------------------------------------------


def test_matches_that_follow_each_other_are_one_evening() -> None:
    """One that follows a match that is not there begins an evening; a circle ends somewhere."""
    assert Evenings().group(CHAIN) == {"a": ["a", "b", "c"], "other": ["other"]}
    assert Evenings().group({"b": "gone", "c": "b"}) == {"b": ["b", "c"]}
    assert Evenings().group({"a": "b", "b": "a"}) == {"b": ["a"], "a": ["b"]}


def test_a_match_is_put_to_another_evening() -> None:
    """The first of a chain with all that follow it, a later one by itself."""
    assert put("other", "a").group(CHAIN) == {"a": ["a", "b", "c", "other"]}
    assert put("a", "other").group(CHAIN) == {"other": ["a", "b", "c", "other"]}
    assert put("b", "other").group(CHAIN) == {"a": ["a", "c"], "other": ["b", "other"]}


def test_a_match_is_taken_out_of_its_evening() -> None:
    """By itself; an evening keeps its name, its stakes and the rest when its first match goes."""
    assert put("b").group(CHAIN) == {"a": ["a", "c"], "b" + ALONE: ["b"], "other": ["other"]}
    assert put("a").group(CHAIN) == {"a" + ALONE: ["a"], "a": ["b", "c"], "other": ["other"]}
    assert put("other", before=put("other", "a")).group(CHAIN)["a"] == ["a", "b", "c"]


# --- what they add up to ---------------------------------------------------------------------------


def test_games_of_all_kinds_add_up() -> None:
    sums = add_up([WON, FOOLS, PARTNERS])
    assert sums.players == ("Ewa", "Jan", "Ala", "Olek")
    assert sums.won == {"Ewa": 2, "Jan": 0, "Ala": 1, "Olek": 0}
    assert sums.losses == {"Ewa": 0, "Jan": 0, "Ala": 1, "Olek": 0}
    assert sums.units == {"Ewa": 2, "Jan": -2, "Ala": 1, "Olek": -1}
    assert sums.kinds == ("unit", "matchstick")


def test_mars_and_a_dive_are_worth_something_besides_the_sets() -> None:
    """Won on mars after one dive: four sets."""
    stakes = Stakes("zł", {"set": Decimal(1), "mars": Decimal("0.50"), "dive": Decimal("0.05")})
    sums = add_up([DIVED], stakes)
    assert sums.sets == {"Ewa": 4, "Jan": 0}
    assert sums.money == {"zł": {"Ewa": Decimal("4.55"), "Jan": Decimal("-4.55")}}


def test_whoever_has_a_matchstick_pays_all_the_others() -> None:
    """A match's own stake goes before the evening's; what no money is on is counted in units."""
    own = match(deal(), deal(), conventions={"target": 100}, stake={"amount": "2.50", "currency": "EUR"})
    sums = add_up([FOOLS, own, WON], Stakes("zł", {"matchstick": Decimal("0.10")}))
    assert sums.money["zł"] == {name: Decimal("-0.30" if name == "Ala" else "0.10") for name in FOUR}
    assert sums.money["EUR"] == {"Ewa": Decimal("2.50"), "Jan": Decimal("-2.50")}
    assert sums.units == {"Ewa": 1, "Jan": -1}


def test_losers_owe_the_forfeit() -> None:
    """As often as they lost a session that is over."""
    owed = {"conventions": {"forfeit": "a song"}, "game": "durak", "players": FOUR}
    over = match({"type": "hand", "loser": "C"}, {"type": "close"}, **owed)
    assert add_up([over, over, match({"type": "hand", "loser": "A"}, **owed)]).forfeits == {
        ("Ala", "a song"): 2
    }


def test_what_is_paid_and_carried_on_is_settled() -> None:
    """Payments stay settled when a match is corrected; what is carried on is open in the other evening."""
    stakes = {"evening": "a", "currency": "zł", "worth": {"matchstick": "1,00", "set": ""}}
    written = evenings.stake(Evenings(), stakes)
    sums = add_up([FOOLS], written.of("a").stakes)
    first, *rest = settle_accounts(count_open(sums, written.of("a"), []))
    paid = {"evening": "a", "payments": [evenings.write_payment(first)], "by": "Ewa"}
    written = evenings.settle(written, paid, "n2", "2026-11-27T00:00:00+00:00")
    assert settle_accounts(count_open(sums, written.of("a"), [])) == tuple(rest)
    on = {"evening": "a", "payments": [evenings.write_payment(payment) for payment in rest], "to": "b"}
    written = evenings.settle(written, on, "n3", "2026-11-27T00:01:00+00:00")
    assert settle_accounts(count_open(sums, written.of("a"), [])) == ()
    nothing = add_up([])
    assert settle_accounts(count_open(nothing, Evening(), written.carried_to("b"))) == tuple(rest)
    assert written.of("b") == Evening()
