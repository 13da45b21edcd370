"""The bidding, call by call: what may be said in every phase, and nothing else."""

import pytest
from dealing import open_jacknine

from companion.jacknine.phases.auction import read_terms
from companion.rules.cards import parse_card

FAMILY = open_jacknine("derda")
TURNED = parse_card("9H")
CALLS = [
    *("pass", "play", "play S", "play H", "play D", "play C", "ask", "once", "twice", "offer 20", "offer +1"),
    *("counter 15", "accept", "refuse", "offer", "offer 0", "offer x", "offer 20+", "offer -5", "counter"),
    *("play NT", "play X", "schmeiss", "force", "throw", "PASS", "pass now", "hello", "play H S"),
]
FIRST, OTHER_SUITS = {"pass", "play", "play H"}, {"play S", "play D", "play C"}
OFFERS, ANSWERS = {"offer 20", "offer +1"}, {"counter 15", "accept", "refuse"}
PHASES = {
    (): FIRST,
    ("pass",): FIRST | {"ask"},
    ("pass", "ask"): {"once", "twice"},
    ("pass", "pass"): {"pass"} | OTHER_SUITS | OFFERS,
    ("pass", "pass", "pass"): {"pass"} | OTHER_SUITS,
    ("pass", "pass", "offer 20"): ANSWERS,
    ("pass", "pass", "offer 20", "counter 10"): ANSWERS,
    ("pass", "pass", "offer 20", "counter 10", "counter 15"): ANSWERS,
    ("pass", "pass", "offer 20", "refuse"): OTHER_SUITS,
    ("play",): set(),
    ("pass", "ask", "twice"): set(),
    ("pass", "pass", "pass", "pass"): set(),
    ("pass", "pass", "offer 20", "accept"): set(),
}


@pytest.mark.parametrize("said", PHASES, ids=lambda said: ", ".join(said) or "nobody has spoken")
def test_every_call_in_every_phase(said: tuple[str, ...]) -> None:
    """A call is illegal exactly where it may not be said, with its number and who would have to speak.

    The calls that are listed are those that may be said, offers without their terms.
    """
    before = FAMILY.bidding("A", TURNED, said)
    listed = {call.split()[0] if "0" in call or "1" in call else call for call in PHASES[said]}
    assert set(before.legal()) == listed - {"play H"}
    for call in CALLS:
        after = FAMILY.bidding("A", TURNED, [*said, call])
        assert (after.status != "illegal") == (call in PHASES[said]), call
        if after.status == "illegal":
            assert (after.illegal, after.speaker) == (len(said) + 1, before.speaker), call
            assert after.legal() == before.legal() and after.keys, call


def test_the_first_wrong_call_ends_the_bidding() -> None:
    bid = FAMILY.bidding("A", TURNED, ["ask", "play", "nonsense"])
    assert (bid.status, bid.illegal) == ("illegal", 1)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("20", (20, 0)),
        ("+1", (0, 1)),
        ("20+1", (20, 1)),
        (" 20 + 1 ", (20, 1)),
        ("9999", (9999, 0)),
        *((wrong, None) for wrong in ("", "+", "20+", "10000", "+10000", "-5", "2.5", "1+1+1", "٢", "x")),
    ],
)
def test_terms_as_they_are_written(text: str, terms: tuple[int, int] | None) -> None:
    """Terms are points, further deals with a plus, or both; nothing else is read as terms."""
    found = read_terms(text)
    assert (found and (found.points, found.deals)) == terms


def test_elder_hand_of_the_other_seat() -> None:
    bid = FAMILY.bidding("B", TURNED, ["pass", "play"])
    assert (bid.declarer, bid.dealer, bid.turned) == ("A", "A", True)
