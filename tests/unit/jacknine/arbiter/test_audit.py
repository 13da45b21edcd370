"""Laws of the audit: right play is clean, wrong play is found, and what the audit proposes can be written."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from dealing import Played, Revoke, Table, hands_of, revoked, tables
from hypothesis import given
from hypothesis import strategies as st
from naive import allowed
from tiers import few_examples

from companion import library
from companion.record import record as records
from companion.rules.cards import parse_card
from companion.rules.errors import Unreadable

seeds = st.integers(0, 2**32)
ORDER = ["revoke", "run-false", "run-unsaid", "rost-needless", "rost-false"]
ORDER += ["bela-false", "bela-unsaid", "wrong-exchange", "wrong-count"]


def fold(table: Table, entry: Mapping[str, Any], dealer: str, held: int = 0) -> Any:
    """The state after one deal, perhaps with points held before it."""
    stated: list[Any] = [entry]
    if held:
        opening = {"type": "opening", "totals": table.rules.zeros(), "held": [held], "dealer": dealer}
        stated = [opening, entry]
    record, game = records.read_record(table.head(entries=stated, first_dealer=dealer), library.open_game)
    return records.fold_record(record, game.family)


def audit(table: Table, deal: Mapping[str, Any], dealer: str, **more: Any) -> dict[str, Any]:
    ruling = table.family.rule({"question": "audit", "deal": {**deal, "dealer": dealer}, **more})
    return dict(ruling.plain())


def deal_one(seed: int) -> Iterator[tuple[Random, Table, str, Played, str, str]]:
    """A deal that was played, if this seed makes one: with its dealer, elder hand and trumps."""
    random = Random(seed)
    table = tables(random)
    dealer = random.choice(table.rules.ring.seats)
    found = table.deal(random, dealer)
    if isinstance(found, Played):
        trump = str(fold(table, found.stated, dealer).rows[0].trump)
        yield random, table, dealer, found, table.rules.ring.left(dealer), trump


def declare_bela(table: Table, stated: Mapping[str, Any], elder: str, trump: str) -> dict[str, Any]:
    hands, pairs = hands_of(table, stated, elder, trump), table.rules.pairs(trump)
    holders = [seat for seat, hand in hands.items() for pair in pairs if set(pair) <= set(hand)]
    return {**stated, "bela": holders if len(holders) > 1 else holders[0]} if holders else dict(stated)


@few_examples(20, 200)
@given(seeds)
def test_what_was_played_and_told_rightly_is_clean(seed: int) -> None:
    """A deal played by the rules, all melds told and counted right, is clean and made what it made."""
    for _random, table, dealer, found, elder, trump in deal_one(seed):
        stated = declare_bela(table, found.stated, elder, trump)
        made = dict(fold(table, stated, dealer).rows[0].made)
        ruling = audit(table, stated, dealer, made=made)
        assert ruling["verdict"] == "clean"
        assert ruling["why"] == "Every card was played by the rules, and nothing else was wrong."
        assert ruling["answer"] == {"made": made, "irregularities": [], "apply": None}


def revoke_once(seed: int) -> Iterator[tuple[Table, Revoke, str, str, dict[str, Any]]]:
    """A deal with one revoke, its elder hand and trumps, and what the audit says of it."""
    for random, table, dealer, found, elder, trump in deal_one(seed):
        wrong = revoked(table, declare_bela(table, found.stated, elder, trump), elder, trump, random)
        if wrong is not None:
            yield table, wrong, elder, trump, audit(table, wrong.stated, dealer)


@few_examples(30, 300)
@given(seeds)
def test_one_card_that_was_not_due_is_always_found(seed: int) -> None:
    """One revoke is found with what was due, whatever came after it; nothing else is found with it."""
    for _table, wrong, _elder, _trump, ruling in revoke_once(seed):
        kinds = [irregularity["kind"] for irregularity in ruling["answer"]["irregularities"]]
        assert [kind for kind in kinds if kind != "run-unsaid"] == ["revoke"]
        found = ruling["answer"]["irregularities"][0]
        assert (found["seat"], found["trick"], found["card"]) == (wrong.seat, wrong.trick, str(wrong.card))
        assert sorted(found["due"]) == sorted(map(str, wrong.due))


@few_examples(15, 150)
@given(seeds)
def test_a_revoke_is_known_when_the_cards_prove_it(seed: int) -> None:
    """Before the trick that is named, the cards shown allowed the card; with that trick no more."""
    for table, wrong, elder, trump, ruling in revoke_once(seed):
        found = ruling["answer"]["irregularities"][0]
        hand = hands_of(table, wrong.stated, elder, trump)[wrong.seat]
        trick = [parse_card(card) for card in wrong.stated["tricks"][wrong.trick - 1]]
        lying = trick[: trick.index(wrong.card)]
        bare = table.rules["bare_jass"] == "on"
        assert wrong.trick < found["known"] <= table.rules.hand
        for last in range(wrong.trick, table.rules.hand + 1):
            shown = hand[wrong.trick - 1 : last]
            due = allowed(table.way, shown, lying, trump, bare=bare)
            assert (wrong.card in due) == (last < found["known"])


@few_examples(20, 200)
@given(seeds, st.sampled_from([0, 30]))
def test_what_it_costs_is_what_the_record_writes(seed: int, held: int) -> None:
    """The deal as it should stand is accepted, and writes what the audit says that the offence costs."""
    for random, table, dealer, found, elder, trump in deal_one(seed):
        before = held if table.rules["tie"] in ("hang", "carry") else 0
        wrong = revoked(table, declare_bela(table, found.stated, elder, trump), elder, trump, random)
        if wrong is None:
            continue
        answer = audit(table, wrong.stated, dealer, held=[before] if before else [])["answer"]
        state = fold(table, answer["apply"], dealer, before)
        cost = answer["irregularities"][0]["cost"]
        assert state.problems == ()
        assert dict(state.rows[-1].scored) == cost["scored"]
        if state.status == "playing":
            assert (list(state.held), state.next_dealer) == (cost["held"], cost["next_dealer"])
        assert cost["verdict"] == ("replay" if state.rows[-1].result == "void" else "bait-on-cards")


@few_examples(15, 150)
@given(seeds, st.data())
def test_what_was_not_held_is_false_and_left_out(seed: int, data: st.DataObject) -> None:
    """A run and bela put into another's mouth are found, and the deal without them can be written."""
    for _random, table, dealer, found, elder, trump in deal_one(seed):
        seats = table.rules.ring.seats
        stated = declare_bela(table, found.stated, elder, trump)
        false = [run | {"seat": other} for run in stated["runs"] for other in seats if other != run["seat"]]
        said = [seat for seat in seats if "bela" in stated and seat != stated["bela"]]
        wrong = dict(stated)
        if false:
            one = data.draw(st.sampled_from(false))
            wrong["runs"] = [one if run["cards"] == one["cards"] else run for run in stated["runs"]]
        if said:
            wrong["bela"] = data.draw(st.sampled_from(said))
        answer = audit(table, wrong, dealer)["answer"]
        kinds = [each["kind"] for each in answer["irregularities"]]
        assert ("run-false" in kinds, "bela-false" in kinds) == (bool(false), bool(said))
        if false or said:
            assert fold(table, answer["apply"], dealer).problems == ()


@few_examples(30, 300)
@given(seeds)
def test_whatever_fell_and_was_said_what_is_proposed_can_be_written(seed: int) -> None:
    """Cards in any order and declarations of any kind: facts that clash, or a deal that the record takes."""
    random = Random(seed)
    table = tables(random)
    rules, seats = table.rules, table.rules.ring.seats
    dealer, pack = random.choice(seats), [str(card) for card in rules.pack]
    random.shuffle(pack)
    size = rules.ring.size
    deal: dict[str, Any] = {
        "type": "deal",
        "contract": {"declarer": random.choice(seats), "trump": random.choice("SHDC")},
        "tricks": [pack[at : at + size] for at in range(0, rules.hand * size, size)],
        "runs": [
            {"seat": random.choice(seats), "length": random.choice([3, 4]), "top": random.choice("AKQJ")}
            for _ in range(random.randint(0, 3))
        ],
        "turn_up": random.choice(pack),
    }
    for name in random.sample(["bela", "exchanged"], random.randint(0, 2)):
        deal[name] = random.choice(seats)
    made = {side: random.randint(0, 150) for side in rules.ring.sides}
    try:
        ruling = audit(table, deal, dealer, made=made, asked_rost=[random.choice(seats)])
    except Unreadable as clash:
        assert clash.path.startswith("deal.")
        return
    kinds = [irregularity["kind"] for irregularity in ruling["answer"]["irregularities"]]
    assert kinds == sorted(kinds, key=ORDER.index)
    if ruling["answer"]["apply"] is not None:
        assert fold(table, ruling["answer"]["apply"], dealer).problems == ()
