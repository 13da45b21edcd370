"""Figures: sentences about small evenings, and any evening counted a second time."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import derda
import pytest
from dealing import tables
from derda import deal
from hypothesis import given
from hypothesis import strategies as st
from tiers import few_examples

from companion import library
from companion.cli.score import show_folded
from companion.figures import (
    CountedFigure,
    CountedMatch,
    PlayerFigures,
    Span,
    count_figures,
    find_interval,
    summarize,
)
from companion.record import record as records
from tests.unit.beating.test_session_laws import session

from .second import count_again

ALL = Span()


def match(*entries: Any, **head: Any) -> dict[str, Any]:
    """A match of Ewa and Jan."""
    return derda.RECORD | {"first_dealer": "B", "entries": [*entries]} | head


def fold(documents: Sequence[Any]) -> list[records.FoldedRecord[library.Game]]:
    chain = records.RecordChain(library.open_game, documents)
    return [chain.fold(document) for document in documents]


def count(*documents: Any, player: str = "Ewa", span: Span = ALL) -> PlayerFigures:
    chosen = span.select(player, [CountedMatch.of(folded) for folded in fold(documents)])
    seated = [(match, match and match.find_seat(player)) for match in chosen]
    return count_figures(
        player, [summarize(match, seat) if match and seat else None for match, seat in seated]
    )


BAIT, SHORT = deal(60, 87), {"target": 100}
WON = match(deal(), deal(), conventions=SHORT)
LOST = match(BAIT, conventions=SHORT)
FOUR = {"game": "klaberjass-4", "players": ["Ewa", "Jan", "Ola", "Piotr"]}
HAND = {"type": "hand", "loser": "A"}
DURAK = match(game="durak", players=["Ewa", "Jan", "Ola"], conventions={"touch_counts": True})


def test_a_name_that_looks_the_same_is_the_same() -> None:
    """However its letters are made up, by one sign or by two, and whatever blanks are around it."""
    composed, decomposed = "Zo\u00eb", "Zoe\u0308"
    documents = [match(deal(), deal(), players=[name, "Jan"]) for name in (composed, f" {decomposed} ")]
    assert count(*documents, player=composed) == count(*[documents[0]] * 2, player=composed)


RUN = {"seat": "A", "length": 3, "top": "K", "suit": "S"}
COUNTED = {
    "type": "deal",
    "contract": {"declarer": "A", "trump": "H"},
    "count": {"cards": {"A": 52, "B": 31}, "jass": "A", "nine": "B", "last": "A"},
    "runs": [RUN],
    "bela": "A",
}
FOLLOWED = {
    "type": "hand",
    "loser": "C",
    "first_attacker": "C",
    "bouts": [
        {"attacker": "C", "defender": "A", "result": "beaten-off"},
        {"attacker": "A", "defender": "B", "result": "beaten-off", "out": ["B", "A"]},
    ],
}

SENTENCES: list[tuple[str, list[Any], dict[str, Any]]] = [
    (
        "a match that is not over is open, and neither won nor lost",
        [match(deal()), match({"type": "abandon"})],
        {"matches": {"played": 0, "won": 0, "lost": 0, "drawn": 0, "open": 2}},
    ),
    (
        "a finished match is won or lost",
        [WON, LOST, LOST],
        {"matches": {"played": 3, "won": 1, "lost": 2, "drawn": 0, "open": 0}},
    ),
    (
        "a deal is won by whoever writes more, not by who makes more",
        [match(deal(), BAIT)],
        {"deals": {"played": 2, "won": 1, "lost": 1, "drawn": 0, "thrown_in": 0, "offers": 0, "void": 0}},
    ),
    (
        "a tie is drawn, though what the other wrote is more",
        [match(deal(71, 71))],
        {"deals.drawn": 1, "deals.lost": 0, "declarer.tied": 1, "suits.H.tied": 1},
    ),
    (
        "a deal that was not played counts only as what it was",
        [match({"type": "deal", "redeal": "misdeal"}, {"type": "deal", "thrown_in": True})],
        {"deals.played": 0, "deals.void": 1, "deals.thrown_in": 1, "dealer.deals": 0, "best_deal": None},
    ),
    (
        "an offer is taken, and its points got or given",
        [match({"type": "deal", "offer": {"points": 15, "deals": 1}})],
        {"offers": {"taken": 1, "got": 15, "given": 0}, "deals.offers": 1, "deals.played": 0},
    ),
    (
        "a mean is rounded half to even: 657 over 8 is 82.125",
        [match(*[deal(82, 65)] * 7, deal(83, 64), conventions={"target": 1000})],
        {"declarer.mean_made": "82.12", "defender.mean_made": None, "declarer.deals": 8},
    ),
    (
        "what is written may be nothing where something was made",
        [match(BAIT)],
        {"declarer.mean_made": "60.00", "declarer.mean_written": "0.00", "declarer.baited": 1},
    ),
    (
        "the deal of a partner is neither the declarer's nor the defender's",
        [
            match(
                {**deal(), "contract": {"declarer": "C", "trump": "S"}, "totals": {"A": 92, "B": 70}}, **FOUR
            )
        ],
        {"deals.played": 1, "deals.won": 1, "declarer.deals": 0, "defender.deals": 0, "suits": {}},
    ),
    (
        "streaks go on through all records, past deals that were not played",
        [match(BAIT, deal(), {"type": "deal", "redeal": "misdeal"}), match(deal(), deal(), BAIT)],
        {"streaks.deals": 3, "streaks.matches": 0},
    ),
    (
        "a match of others is between two that are won in a row",
        [WON, {**LOST, "players": ["Ola", "Jan"]}, WON, LOST],
        {"streaks.matches": 2, "matches.played": 3},
    ),
    (
        "the best deal is the first of equals, and says its file",
        [{**LOST, "players": ["Ola", "Jan"]}, match(BAIT, deal(), deal())],
        {"best_deal": {"written": 82, "file": 2, "entry": 2}},
    ),
    (
        "a comeback is the greatest lead of the other in a match that was won all the same",
        [match(BAIT, *[deal(140, 7)] * 3, conventions={"target": 300}), match(BAIT, BAIT)],
        {"comeback": {"points": 147, "file": 1, "entry": 1}},
    ),
    ("without a lead of the other there is no comeback", [WON], {"comeback": None, "durak": None}),
    (
        "hands, touches and matchsticks are counted; a lost session is a match lost",
        [
            DURAK
            | {"entries": [HAND, {**HAND, "loser": None}, {**HAND, "loser": "B"}, HAND]}
            | {"conventions": {"session_losses": 2}},
            DURAK | {"entries": [{**HAND, "loser": "B"}, {"type": "touch", "by": "A", "cards": "touched"}]},
        ],
        {
            "durak": {"hands": 5, "fools": 2, "draws": 1, "touches": 1, "matchsticks": 3},
            "matches": {"played": 1, "won": 0, "lost": 1, "drawn": 0, "open": 1},
        },
    ),
    (
        "points that hung are won or lost with the deal that frees them",
        [match(deal(81, 81), deal(), deal(81, 81), BAIT, conventions={"target": 1000})],
        {"held": {"won": 81, "lost": 81}},
    ),
    (
        "an offer is worth more or less than a deal that is played",
        [match({"type": "deal", "offer": {"points": 15, "deals": 1}}, deal(), BAIT)],
        {"margin": {"per_deal": "-65.00", "per_offer": "15.00"}},
    ),
    (
        "melds are known of deals counted card by card",
        [match(COUNTED, {**COUNTED, "runs": [RUN, {**RUN, "seat": "B", "length": 4}]}, deal())],
        {
            "runs": {"known": 2, "declared": 2, "stood": 1, "lost": 1},
            "belas": {"declared": 2, "stood": 2, "lost": 0},
        },
    ),
    (
        "a hand that was followed says who took, beat off, passed on, and who went out when",
        [DURAK | {"entries": [FOLLOWED, HAND]}],
        {
            "bouts": {"followed": 1, "picked_up": 0, "beaten_off": 1, "transfers": 0},
            "out": {"hands": 1, "first": 0, "mean_place": "2.00"},
            "seats": {"A": {"hands": 2, "fools": 1}},
            "after": {"Ola": {"hands": 2, "fools": 1}},
        },
    ),
    (
        "an objection is a side's, and the entry was corrected, ruled on, or left as it was",
        [
            match(
                deal(),
                deal(),
                remarks=[
                    {"entry": 1, "by": "A", "kind": "object", "reason": "count"},
                    {"entry": 1, "by": "A", "kind": "settled", "how": "amended"},
                    {"entry": 2, "by": "A", "kind": "object", "reason": "trump"},
                    {"entry": 2, "by": "A", "kind": "agree"},
                    {"entry": 2, "by": "A", "kind": "object", "reason": "runs"},
                    {"entry": 2, "by": "B", "kind": "object", "reason": "runs"},
                ],
            )
        ],
        {"objections": {"raised": 3, "corrected": 1, "ruled": 0, "withdrawn": 1}},
    ),
    (
        "in teams a loss is the team's",
        [
            match({**HAND, "deals": "C"}, game="durak", players=["Jan", "Piotr", "Ewa", "Ola"])
            | {"conventions": {"format": "teams-4"}}
        ],
        {"durak.fools": 1, "durak.matchsticks": 1},
    ),
    (
        "a record with problems counts as far as its state goes",
        [match(deal(), deal(), deal(), conventions=SHORT), match(deal(1, 70))],
        {"matches.won": 1, "matches.open": 1, "deals.played": 3},
    ),
]


@pytest.mark.parametrize(
    ("documents", "expected"), [row[1:] for row in SENTENCES], ids=[row[0] for row in SENTENCES]
)
def test_sentence(documents: list[Any], expected: dict[str, Any]) -> None:
    plain = count(*documents).plain()
    found = {}
    for name in expected:
        found[name] = plain
        for part in name.split("."):
            found[name] = found[name][part]
    assert found == expected


def list_figures(sections: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, CountedFigure]]:
    """Every figure with its name: `deals.won`, `suits.H.made`."""
    for name, part in sections.items():
        if isinstance(part, CountedFigure):
            yield path + name, part
        elif part is not None:
            yield from list_figures(part, f"{path}{name}.")


def test_every_figure_knows_what_it_counts() -> None:
    figures = dict(list_figures(count(LOST, match(deal(), BAIT, deal())).sections))
    assert [source[:2] for source in figures["deals.won"].sources] == [(2, 1), (2, 3)]
    assert [source[:2] for source in figures["matches.lost"].sources] == [(1, 0)]
    assert [source[:2] for source in figures["streaks.deals"].sources] == [(2, 1)]
    assert [source.points for source in figures["declarer.mean_made"].sources] == [60, 82, 60, 82]
    assert [source[:2] for source in figures["best_deal"].sources] == [(2, 1)]


def test_a_lead_is_what_the_declarer_made_less_what_the_others_did() -> None:
    leads = count(match(deal(), BAIT, {"type": "deal", "thrown_in": True})).leads
    assert [(source.entry, source.points) for source in leads.sources] == [(1, 17), (2, -27)]


def test_a_span_leaves_matches_out_and_the_others_in_their_places() -> None:
    friday, four = match(deal(), started="2026-11-20T19:05:00+01:00"), match(**FOUR)
    evening = [four, match(deal(), deal(), players=["Jan", "Ewa"]), friday]

    def found(**span: str) -> list[tuple[int, int]]:
        return [
            source[:2] for source in count(*evening, span=Span(**span)).sections["matches"]["open"].sources
        ]

    assert found() == found(opponent="Jan") == [(1, 0), (2, 0), (3, 0)]
    assert found(partner="Ola") == found(game="klaberjass-4") == [(1, 0)]
    assert found(game="derda", preset="other") == []
    assert found(partner="Jan") == found(opponent="Ola") == []
    assert found(game="derda") == [(2, 0), (3, 0)]
    assert found(first="2026-11-20") == found(last="2026-11-20") == [(3, 0)]
    assert found(first="2026-11-21") == found(last="2026-11-19") == []


@pytest.mark.parametrize("whole", [20, 41, 1000])
def test_the_interval_of_a_share(whole: int) -> None:
    """A true share at an end of the interval is just as far from what was found as chance goes."""
    assert find_interval(5, 19) is None
    for part in range(0, whole + 1, 5):
        interval = find_interval(part, whole)
        assert interval is not None
        assert interval[0] <= part / whole <= interval[1]
        for end in interval:
            if 0 < end < 1:
                distance = abs(part / whole - end) / (end * (1 - end) / whole) ** 0.5
                assert distance == pytest.approx(1.96, abs=0.001)


# --- laws -----------------------------------------------------------------------------------------

NAMES = ("Ewa", "Jan", "Ola", "Piotr", "Zofia", "Adam")


def draw_evening(random: Random) -> list[dict[str, Any]]:
    """A few matches of any games, whoever sits where; in some an entry stands that cannot be right there."""
    evening = []
    for _ in range(random.randint(1, 3)):
        record = tables(random).match(random, 5) if random.random() < 0.7 else session(random, 5)[1]
        head = {**record.head, "players": random.sample(NAMES, len(record.head["players"]))}
        again = record.entries[:1] if random.random() < 0.3 else ()
        evening.append(records.write_record(records.Record(head, (*record.entries, *again))))
    return evening


@pytest.mark.slow
@few_examples(10, 1000)
@given(seed=st.integers(0, 2**32))
def test_any_evening_counted_again_comes_to_the_same(seed: int) -> None:
    documents = draw_evening(Random(seed))
    evening = fold(documents)
    written = [document["entries"] for document in documents]
    lines = [[getattr(row, "lines", ()) for row in folded.state.rows] for folded in evening]
    matches, shown = (
        [CountedMatch.of(folded) for folded in evening],
        [show_folded(folded) for folded in evening],
    )
    for player in {name for match in matches for name in match.players}:
        seats = [match.find_seat(player) for match in matches]
        found = [summarize(match, seat) if seat else None for match, seat in zip(matches, seats, strict=True)]
        figures = count_figures(player, found)
        assert figures.plain() == count_again(player, shown, written, lines)
        for name, figure in list_figures(figures.sections):
            places = [(source.match, source.entry) for source in figure.sources]
            assert places == sorted({*places}), name
            assert all(entry <= len(evening[match - 1].state.rows) for match, entry in places)


def _list_members(item: Any) -> set[str]:
    """The names in a figure's section; those below a trump, a seat or a neighbour are the same for each."""
    if not isinstance(item, Mapping):
        return set()
    parts = [part for part in item.values() if isinstance(part, Mapping)]
    return set().union(*map(_list_members, parts)) if parts else set(item)


def test_every_member_is_documented_and_every_documented_one_printed() -> None:
    """What programs read stands in the table of docs/using/command-line.md, and nothing else does."""
    text = (Path(__file__).parents[3] / "docs/using/command-line.md").read_text("utf-8")
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (.+) \|$", text, re.MULTILINE)
    documented = {
        name: {*re.findall(r"`\.(\w+)`", meaning)}
        for names, meaning in rows
        for name in re.findall(r"\w+", names)
    }
    durak = DURAK | {"entries": [HAND, FOLLOWED]}
    played = [durak, match(BAIT, *[deal(140, 7)] * 3, conventions={"target": 300})]
    printed = count(*played).plain()
    assert printed["comeback"] and printed["seats"] and printed["after"] and printed["suits"]
    assert documented == {name: _list_members(part) for name, part in printed.items()}
