"""A deal replayed: who was bound to what, what each card cost, and how it is shown."""

from collections.abc import Iterator, Sequence
from random import Random
from statistics import median
from time import process_time
from typing import Any

import derda
import pytest
from dealing import Played, Table, tables
from derda import RIGHT, WRONG, by_cards
from tiers import is_nightly

from companion import library
from companion.jacknine.match import JackNine
from companion.jacknine.replay import Replay, ReplayedCard, replay_deal
from companion.jacknine.state import JackNineRow
from companion.record import record as records


def fold(entry: Any, **head: Any) -> tuple[JackNine, JackNineRow]:
    record, game = records.read_record(derda.RECORD | {"entries": [entry]} | head, library.open_game)
    family: Any = game.family
    return family, records.fold_record(record, family).rows[0]


def replay(entry: Any, most: int = 10**6, **head: Any) -> Replay | None:
    family, row = fold(entry, **head)
    return replay_deal(family.ruleset, row, most)


def whole(entry: Any, most: int = 10**6) -> Replay:
    found = replay(entry, most)
    assert found is not None
    return found


def list_cards(found: Replay) -> list[ReplayedCard]:
    return [card for trick in found.tricks for card in trick.cards]


def check(found: Replay, row: JackNineRow, family: JackNine) -> None:
    """Costs are no gains, and lead from best play to what was made; who held what was bound by the rules."""
    side_of = family.ruleset.ring.side
    ours, made = side_of(found.declarer), row.made
    assert made is not None and found.best is not None
    more = family.ruleset.last_trick(capot=True) - family.ruleset.last_trick(capot=False)
    whole = sum(made.values()) - (more if row.capot else 0)

    def measure(best: Sequence[int]) -> int:
        """What the declarer has; where the others have every trick, so much less as that brings them."""
        assert sum(best) in {whole, whole + more}
        return best[0] - more if sum(best) > whole and best[0] < best[1] else best[0]

    own = measure(found.best)
    for card in list_cards(found):
        assert card.card in card.duty.legal
        assert card.cost is not None and card.cost >= 0 and card.best is not None
        own += -card.cost if side_of(card.seat) == ours else card.cost
        assert measure(card.best) == own
    assert own == measure((made[ours], sum(made.values()) - made[ours]))


def test_every_card_has_its_cost_and_its_rule() -> None:
    family, row = fold(by_cards(RIGHT))
    found = whole(by_cards(RIGHT))
    check(found, row, family)
    first, second = found.tricks[0].cards
    assert [*map(str, second.duty.legal)] == ["AC", "KC", "JC"] and second.duty.key == "play.follow"
    assert (first.seat, found.tricks[0].taker, found.tricks[0].points) == ("B", "A", 4)


def test_the_turning_point_is_the_last_card_after_which_somebody_else_is_ahead() -> None:
    """Played at random, some deals turn; those that do not are ahead from the first card to the last."""
    turned = 0
    for row, family in draw_deals(Random(2), [Table("derda")], 6):
        found = replay_deal(family.ruleset, row)
        assert found is not None and found.best is not None
        balances = [found.best, *(card.best for card in list_cards(found) if card.best)]
        ahead = [(own > others) - (own < others) for own, others in balances]
        if found.turning is None:
            assert len({*ahead}) == 1
        else:
            turned += 1
            number, place = found.turning
            at = 2 * number + place
            assert ahead[at] != ahead[at + 1] and {*ahead[at + 1 :]} == {ahead[-1]}
    assert turned


WITH_BELOTE = (
    "9H KS KH 8H/KD 10D 9D AD/10S QS 9S JS/8S AS 7D 8D/QC 9C AC 7S/JH 10H QD AH/10C QH JC 8C/KC 7H JD 7C"
)


def test_what_does_not_help_to_reach_a_bid_does_not_turn_it() -> None:
    """With a belote 100 bid turn where 120 do if belote helps, and not where 100 do."""

    def find_turning(points: int, helps: str) -> tuple[int, int] | None:
        contract = {"declarer": "C", "trump": "S", "points": points}
        tricks = [trick.split() for trick in WITH_BELOTE.split("/")]
        entry = {"type": "deal", "contract": contract, "tricks": tricks, "bela": "C"}
        table = {"game": "coinche", "conventions": {"towards_bid": helps}}
        found = replay(entry, 3000, players=["Ewa", "Jan", "Ola", "Piotr"], **table)
        assert found is not None
        return found.turning

    assert find_turning(100, "without-belote") == find_turning(120, "all") != find_turning(100, "all")


def test_a_search_that_is_too_long_says_what_it_knows() -> None:
    costs = [card.cost for card in list_cards(whole(by_cards(RIGHT)))]
    found = whole(by_cards(RIGHT), most=100)
    known = [card.cost for card in list_cards(found) if card.cost is not None]
    assert found.stopped and found.best is None and 4 < len(known) < 18
    assert known == costs[-len(known) :]


def test_nothing_is_searched_where_a_card_was_not_allowed() -> None:
    found = whole(by_cards(WRONG))
    assert found.best is None and not found.stopped
    assert {card.cost for card in list_cards(found)} == {None}
    assert [str(card.card) for card in list_cards(found) if card.card not in card.duty.legal] == ["AS"]


UNPLAYED = [derda.DEAL, {"type": "deal", "redeal": "misdeal"}, {"type": "concede", "side": "A"}]
UNPLAYED += [by_cards(RIGHT[:-6]), by_cards(RIGHT.replace("JC", "8D"))]


@pytest.mark.parametrize("entry", UNPLAYED)
def test_what_was_not_played_to_its_end_card_by_card_is_not_replayed(entry: Any) -> None:
    assert replay(entry) is None


def draw_deals(random: Random, chosen: list[Table], count: int) -> Iterator[tuple[JackNineRow, JackNine]]:
    """Deals of these tables, or of any, played at random card by card."""
    while count:
        table = random.choice(chosen) if chosen else tables(random)
        deal = table.deal(random, "A")
        if isinstance(deal, Played):
            record, game = records.read_record(table.head(entries=[deal.stated]), library.open_game)
            row: Any = records.fold_record(record, game.family).rows[0]
            yield row, table.family
            count -= 1


@pytest.mark.slow
def test_any_deal_is_replayed_to_what_it_made() -> None:
    for row, family in draw_deals(Random(4), [], 60 if is_nightly() else 10):
        found = replay_deal(family.ruleset, row)
        assert found is not None
        check(found, row, family)


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "seconds"), [("derda", 5), ("klaberjass-4", 60)])
def test_what_a_replay_takes(game: str, seconds: float) -> None:
    """Two hands of nine in a few seconds, mostly; four of eight within a minute, or it is stopped."""
    taken = []
    for row, family in draw_deals(Random(6), [Table(game)], 40):
        before = process_time()
        assert replay_deal(family.ruleset, row) is not None
        taken.append(process_time() - before)
    assert (median(taken) if game == "derda" else max(taken)) < seconds
