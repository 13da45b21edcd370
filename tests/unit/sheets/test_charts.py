"""What is drawn of figures: each picture's table says what it shows."""

from typing import Any

import derda
from derda import deal

from companion import library
from companion.figures import CountedMatch, PlayerFigures, count_figures, summarize
from companion.record.record import RecordChain
from companion.sheets.charts import list_charts

DEAL = {"type": "deal", "contract": {"declarer": "A", "trump": "H"}}
THREE = {"game": "klaberjass-3", "players": ["Ewa", "Jan", "Ola"], "conventions": {"target": 100}}
HAND = {"type": "hand", "loser": "A"}


def match(*entries: Any, **head: Any) -> dict[str, Any]:
    return derda.RECORD | {"first_dealer": "B", "entries": [*entries], **head}


def count(player: str, *documents: Any) -> PlayerFigures:
    chain = RecordChain(library.open_game, documents)
    matches = [CountedMatch.of(chain.fold(document)) for document in documents]
    seats = [found.find_seat(player) for found in matches]
    found = [summarize(each, seat) if seat else None for each, seat in zip(matches, seats, strict=True)]
    return count_figures(player, found)


def tables(figures: PlayerFigures, rival: PlayerFigures | None = None) -> dict[str, list[tuple[Any, ...]]]:
    charts = list(list_charts(figures, rival))
    assert all(chart.draw(prefix="p", title="t").startswith("<svg") for chart in charts)
    return {chart.name: [tuple(row) for row in chart.rows] for chart in charts}


def test_two_rivals_match_by_match() -> None:
    """What a third one won counts for neither."""
    won = match(deal(), deal(), conventions={"target": 100})
    lost = match({**deal(60, 87)}, conventions={"target": 80})
    third = match({**DEAL, "totals": {"A": 20, "B": 22, "C": 120}}, **THREE)
    played = (won, third, lost, match(deal()))
    rows = tables(count("Ewa", *played), count("Jan", *played))["rivals"]
    assert rows == [(1, 1, 0), (2, 1, 0), (3, 1, 1)]


def test_leads_of_the_declarer() -> None:
    """Deals in steps of points; those below 0 were not made."""
    rows = tables(count("Ewa", match(deal(82, 65), deal(85, 62), deal(60, 87))))["leads"]
    assert all(least % (rows[1][0] - rows[0][0]) == 0 for least, _made, _others in rows)
    assert sum(made for least, made, _others in rows if least >= 0) == 2
    assert sum(others for least, _made, others in rows if least < 0) == 1


def test_seats_of_fools() -> None:
    """Where somebody sat at one seat only, there is no ring."""
    durak = match(HAND, {**HAND, "loser": "B"}, game="durak", players=["Ewa", "Jan", "Ola"])
    turned = {**durak, "players": ["Jan", "Ewa", "Ola"]}
    assert "seats" not in tables(count("Ewa", durak))
    assert tables(count("Ewa", durak, turned))["seats"] == [("A", 1, 2), ("B", 1, 2)]
