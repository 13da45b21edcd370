"""`companion figures`: what it takes, what it prints, whom it refuses."""

import json

import derda
import pytest
from derda import deal

from .instance import Feed, Run, Write

FIRST = derda.RECORD | {"id": "one", "conventions": {"target": 200}, "entries": [deal()] * 3}
SECOND = {**FIRST, "id": "two", "follows": "one", "entries": [deal(71, 71), deal()]}
del SECOND["first_dealer"]


def test_figures_are_printed_as_one_object(run: Run, write: Write, feed: Feed) -> None:
    """The record that another follows is found among the files, standard input too."""
    feed([FIRST])
    code, out, err = run("figures", write(SECOND), "-", "--player", " Jan ", "--json")
    assert (code, err, out.count("\n")) == (0, "", 1)
    found = json.loads(out)
    assert [*found] == [
        *("player", "matches", "deals", "declarer", "defender", "elder", "dealer", "suits", "offers"),
        *(
            "streaks",
            "best_deal",
            "comeback",
            "durak",
            "held",
            "runs",
            "fours",
            "belas",
            "margin",
            "bouts",
            "out",
            "objections",
            "seats",
            "after",
        ),
    ]
    assert found["player"] == "Jan" and found["durak"] is None
    assert found["matches"] == {"played": 1, "won": 0, "lost": 1, "drawn": 0, "open": 1}
    assert found["best_deal"] == {"written": 71, "file": 1, "entry": 1}


def test_names_are_the_same_that_look_the_same(run: Run, write: Write) -> None:
    record = write(FIRST | {"players": ["Zoe\u0308", "Jan"]})
    code, out, _err = run("figures", record, "--player", "Zo\u00eb", "--json")
    assert (code, json.loads(out)["player"]) == (0, "Zo\u00eb")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--player", "jan"), "player: must be one of Ewa, Jan, not jan"),
        (("--player", "jan", "--lang", "pl"), "player: powinno tu być jedno z: Ewa, Jan, a nie jan"),
        ((), "the following arguments are required: --player (see companion figures --help)"),
    ],
)
def test_who_sits_in_none_of_them_is_refused(run: Run, write: Write, words: tuple[str], said: str) -> None:
    assert run("figures", write(FIRST), *words) == (2, "", f"error: {said}\n")


def test_a_record_is_wanted(run: Run) -> None:
    assert run("figures", "--player", "Ewa")[::2] == (
        2,
        "error: FILE: required; a match record (- for standard input)\n",
    )


def test_a_record_with_problems_counts_as_far_as_it_goes(run: Run, write: Write) -> None:
    code, out, err = run("figures", write(FIRST | {"entries": [deal()] * 5}), "--player", "Ewa", "--json")
    assert (code, err, json.loads(out)["deals"]["played"]) == (0, "", 3)


def test_figures_in_words(run: Run, write: Write) -> None:
    """Only what there is; a share of few as a fraction, of more with its interval."""
    one, many = write(FIRST, "one.json"), FIRST | {"conventions": {"target": 2000}, "entries": [deal()] * 21}
    assert run("figures", one, "--player", "Ewa")[1].splitlines() == [
        "Ewa",
        "Matches       played 1, won 1/1",
        "Deals         played 3, won 3/3",
        "As declarer   3 deals, contract made 3/3, made on average 82.00, written on average 82.00",
        "As dealer     3 deals, won 3/3",
        "♥             3 deals, contract made 3/3",
        "Won in a row  1 match, 3 deals",
        "Best deal     82 (file 1, entry 1)",
    ]
    assert "won 21/21 = 100% (85–100%)" in run("figures", write(many), "--player", "Ewa")[1]
    out = run("figures", one, "--player", "Ewa", "--lang", "de")[1]
    assert "1 Partie, 3 Spiele" in out and "gewonnen 1/1" in out
