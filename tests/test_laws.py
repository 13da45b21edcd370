"""Laws that hold for every game: of counting, of playing, of folding and amending.

Deals are dealt from a real pack, bid, swapped and played at random but by the rules, and counted here
a second time, as simply as can be.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import library
from companion.jacknine import melds, play
from companion.record import record as records
from companion.rules.cards import Card, Suit

GAME = library.open_game("derda")
RULES = GAME.family.ruleset

VALUES = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
TRUMPS, PLAIN = ["7", "8", "Q", "K", "10", "A", "9", "J"], ["7", "8", "9", "J", "Q", "K", "10", "A"]

seeds = st.integers(0, 2**32)
few = settings(max_examples=40)


# --- the rules once more, naively ----------------------------------------------------------------


def strength(card: Card, led: Card, trump: str) -> int:
    """How strong a card is in a trick: trumps over the led suit over all else."""
    if card.suit == trump:
        return 100 + TRUMPS.index(card.rank)
    return 10 + PLAIN.index(card.rank) if card.suit == led.suit else 0


def allowed(hand: list[Card], led: Card | None, trump: str) -> list[Card]:
    """What may be played, asked of each card by itself."""

    def is_allowed(card: Card) -> bool:
        if led is None:
            return True
        if any(one.suit == led.suit for one in hand):
            if card.suit != led.suit:
                return False
            beating = [one for one in hand if strength(one, led, trump) > strength(led, led, trump)]
            return led.suit != trump or not beating or card in beating
        return card.suit == trump or all(one.suit != trump for one in hand)

    return [card for card in hand if is_allowed(card)]


def other(seat: str) -> str:
    """The opponent of a seat."""
    return "B" if seat == "A" else "A"


@dataclass
class Played:
    """A deal that was played: as it is told of all its tricks, and what each side has of it."""

    told: dict[str, Any]
    cards: dict[str, int]
    has: dict[str, str | None]
    words: dict[str, int]
    trickless: str | None

    @property
    def made(self) -> dict[str, int]:
        """What each side made, all told."""
        points = {"jass": 20, "nine": 14, "last": 10}
        return {
            side: self.cards[side]
            + self.words[side]
            + sum(points[word] for word, holder in self.has.items() if holder == side)
            for side in "AB"
        }

    def without_tricks(self, **made: Any) -> dict[str, Any]:
        """The same deal, with what was made told in another way."""
        entry = {key: value for key, value in self.told.items() if key != "tricks"} | made
        return entry | ({"trickless": self.trickless} if self.trickless else {})

    def as_count(self) -> dict[str, Any]:
        """Told as card points and words."""
        return self.without_tricks(count={"cards": self.cards, **self.has})

    def as_totals(self) -> dict[str, Any]:
        """Told as two totals."""
        return self.without_tricks(totals=self.made, last=self.has["last"])


def deal(random: Random, dealer: str) -> Played | dict[str, Any]:
    """A deal, bid and played at random; an entry as it stands where it was not played."""
    pack = list(RULES.pack)
    random.shuffle(pack)
    elder = other(dealer)
    hands, turned = {elder: pack[:6], dealer: pack[6:12]}, pack[12]
    calls: list[str] = []
    bid = GAME.family.bidding(elder, turned, calls)
    while bid.status == "open":
        call = random.choice(bid.legal())
        if call in ("offer", "counter"):
            call += random.choice([" 20", " +1", " 15+1", " 0+1"])
        calls.append(call)
        bid = GAME.family.bidding(elder, turned, calls)
    entry = {"type": "deal", "auction": calls, "turn_up": str(turned)}
    if bid.status != "contract":
        return entry
    hands[elder] += pack[13:16]
    hands[dealer] += pack[16:19]
    entry["shown"] = str(pack[19])
    seven = Card("7", Suit(bid.trump))
    for seat, hand in hands.items():
        if bid.turned and seven in hand and random.random() < 0.5:
            hand[hand.index(seven)] = turned
            entry["exchanged"] = seat
    runs = [run for seat, hand in hands.items() for run in melds.in_hand(RULES, seat, hand)]
    entry["runs"] = [{"seat": run.seat, "cards": [str(c) for c in run.cards(RULES)]} for run in runs]
    words = dict(melds.contest(RULES, runs, elder).points)
    for seat, hand in hands.items():
        if {Card("K", Suit(bid.trump)), Card("Q", Suit(bid.trump))} <= set(hand) and random.random() < 0.8:
            entry["bela"] = seat
            words[seat] += 20
    return tricks(random, entry, hands, elder, bid.trump, words)


def tricks(
    random: Random,
    entry: dict[str, Any],
    hands: dict[str, list[Card]],
    leader: str,
    trump: str,
    words: dict[str, int],
) -> Played:
    """Nine tricks, played at random by the rules and counted one by one."""
    cards, has = {"A": 0, "B": 0}, {"jass": None, "nine": None, "last": None}
    told, takers = [], set()
    while hands[leader]:
        led = random.choice(hands[leader])
        answer = random.choice(allowed(hands[other(leader)], led, trump))
        hands[leader].remove(led)
        hands[other(leader)].remove(answer)
        told.append([str(led), str(answer)])
        taker = leader if strength(led, led, trump) > strength(answer, led, trump) else other(leader)
        for card in (led, answer):
            cards[taker] += VALUES[card.rank]
            if card.suit == trump and card.rank in "J9":
                has["jass" if card.rank == "J" else "nine"] = taker
        takers.add(taker)
        leader = taker
    has["last"] = leader
    trickless = next((side for side in "AB" if side not in takers), None)
    return Played(entry | {"tricks": told}, cards, has, words, trickless)


def head(**more: Any) -> dict[str, Any]:
    """The head of a record."""
    told = {"format": "companion-match", "version": 1, "game": "derda", "players": ["Ewa", "Jan"]}
    return told | {"first_dealer": "A", "entries": []} | more


def match(random: Random, deals: int = 12) -> records.Record:
    """A game as it is told, of deals entered in all ways, with what else happens between them."""
    record, game = records.read(head(), library.open_game)
    for _ in range(deals):
        state = records.fold(record, game.family)
        if state.status != "playing":
            break
        found = deal(random, state.next_dealer)
        if isinstance(found, Played):
            found = random.choice([found.told, found.as_count(), found.as_totals()])
        more = {"type": "adjust", "side": "A", "points": random.randint(-30, 30), "reason": "agreed"}
        for entry in [
            found,
            *random.choices([[], [more], [{"type": "deal", "redeal": "misdeal"}]], [8, 1, 1])[0],
        ]:
            if records.fold(record, game.family).status == "playing":
                record = records.add(record, game.family, entry)
    return record


# --- counting ------------------------------------------------------------------------------------


@pytest.mark.parametrize("trump", Suit)
def test_the_pack_carries_120(trump: Suit) -> None:
    """All thirty-two cards carry 120, and 34 more as words."""
    assert sum(RULES.card_points(card, trump) for card in RULES.pack) == 120
    assert sum(RULES.full_points(card, trump) for card in RULES.pack) == 154


@given(seeds)
def test_what_was_made_is_what_the_tricks_hold(seed: int) -> None:
    """Each side made the sum of its tricks and words, however the deal is told, and is never doubted."""
    found = deal(Random(seed), "A")
    entries = [found] if isinstance(found, dict) else [found.told, found.as_count(), found.as_totals()]
    rows = []
    for entry in entries:
        record, game = records.read(head(entries=[entry]), library.open_game)
        state = records.fold(record, game.family)
        assert state.problems == ()
        rows.append(state.rows[0])
    if isinstance(found, Played):
        assert [dict(row.made) for row in rows] == [found.made] * 3
    results = [(row.result, dict(row.scored), dict(row.totals), row.held) for row in rows]
    assert results == results[:1] * len(results)


@given(seeds)
def test_the_arbiter_finds_real_counts_possible(seed: int) -> None:
    """No count of a deal that was really played is called impossible, whatever is known about it."""
    found = deal(Random(seed), "A")
    if isinstance(found, dict):
        return
    asked = {"game": "derda", "question": "count"}
    facts: list[Mapping[str, Any]] = [
        {"count": {"cards": found.cards, **found.has}},
        {"made": found.made},
        {"made": found.made, "last": found.has["last"]},
        {"made": found.made, "runs": found.told["runs"], "bela": found.told.get("bela")},
    ]
    assert [library.rule({**asked, **one}).verdict for one in facts] == ["possible"] * 4


@few
@given(seeds)
def test_nothing_is_written_that_was_not_made(seed: int) -> None:
    """What is written and what is held afterwards is what was made and what was held before."""
    state = records.fold(match(Random(seed)), GAME.family)
    held = 0
    for row in state.rows:
        if row.result in ("made", "bait", "tie"):
            assert sum(row.scored.values()) + sum(row.held) == sum(row.made.values()) + held
        elif row.result in ("thrown-in", "void"):
            assert (sum(row.scored.values()), sum(row.held)) == (0, held)
        held = sum(row.held)


# --- playing -------------------------------------------------------------------------------------


@given(seeds, st.integers(1, 9), st.booleans())
def test_what_may_be_played_is_what_each_card_by_itself_may(seed: int, size: int, leads: bool) -> None:
    """The legal cards are those that a second, simple reading of the rules allows."""
    cards = Random(seed).sample(RULES.pack, size + 1)
    hand, led = cards[1:], None if leads else cards[0]
    for trump in Suit:
        assert list(play.duty(RULES, hand, [led] if led else [], trump).legal) == allowed(hand, led, trump)


@given(seeds, st.sampled_from(Suit))
def test_every_wrong_card_of_a_whole_deal_is_found(seed: int, trump: Suit) -> None:
    """Played without any rule, every card that was not allowed is found, and no other."""
    random = Random(seed)
    cards = random.sample(RULES.pack, 18)
    hands, leader = {"A": cards[:9], "B": cards[9:]}, "B"
    told, wrong = [], []
    for number in range(9):
        answerer = other(leader)
        led, answer = (random.choice(hands[seat]) for seat in (leader, answerer))
        if answer not in allowed(hands[answerer], led, trump):
            wrong.append((number, answerer, answer))
        hands[leader].remove(led)
        hands[answerer].remove(answer)
        told.append([led, answer])
        leader = leader if strength(led, led, trump) > strength(answer, led, trump) else answerer
    course = GAME.family.course("B", trump, told)
    assert [(one.trick, one.seat, one.card) for one in course.wrong] == wrong
    assert course.taken[-1].taker == leader
    assert course.next is None


# --- folding -------------------------------------------------------------------------------------


@few
@given(seeds, st.data())
def test_folding_a_part_and_then_the_rest_is_folding_all(seed: int, data: st.DataObject) -> None:
    """The fold of a prefix, and then of the rest, equals the fold of all."""
    record = match(Random(seed))
    cut = data.draw(st.integers(0, len(record.entries)))
    part = records.fold(records.Record(record.head, record.entries[:cut]), GAME.family)
    rest = records.fold(records.Record(record.head, record.entries[cut:]), GAME.family, part)
    assert rest == records.fold(record, GAME.family)


@few
@given(seeds)
def test_amending_an_entry_with_itself_changes_nothing(seed: int) -> None:
    """Every entry may be amended with its own content, and the record stays as it was."""
    record = match(Random(seed))
    for n, entry in enumerate(record.entries, 1):
        assert records.amend(record, GAME.family, n, entry) == record


@few
@given(seeds)
def test_a_record_that_was_written_is_read_back(seed: int) -> None:
    """Writing a record and reading it back gives the same record, and the same document again."""
    record = match(Random(seed))
    document = json.loads(json.dumps(records.write(record)))
    again, _ = records.read(document, library.open_game)
    assert again == record
    assert records.write(again) == document


@few
@given(seeds, st.data())
def test_editing_an_early_deal_flags_and_loses_nothing(seed: int, data: st.DataObject) -> None:
    """After an early entry was changed or withdrawn, every later one still has its row."""
    record = match(Random(seed))
    n = data.draw(st.integers(1, len(record.entries)))
    thrown = records.amend(record, GAME.family, n, {"type": "deal", "thrown_in": True})
    state = records.fold(thrown, GAME.family)
    assert len(state.rows) == len(record.entries)
    assert all(problem.entry > n for problem in state.problems)
    assert len(records.fold(records.withdraw(record, n), GAME.family).rows) == len(record.entries) - 1
