"""Answers about counts, as pages say them."""

import re
from typing import Any
from urllib.parse import urlencode

import pytest

from companion.i18n import LANGUAGES
from companion.web.rulings import query_of
from tests.web.browsers import Browser, words

DECIDED = {"count": {"cards": {"A": 52, "B": 31}, "jass": "A", "nine": "B", "last": "A"}}
UNDECIDED = {
    "count": {"cards": {"A": 11, "B": 60}, "jass": "A", "nine": "B", "last": "A"},
    "tricks": {"A": 1},
}


@pytest.mark.parametrize(
    ("facts", "said", "unsaid"),
    [
        (
            DECIDED,
            ["These counts can be right.", "can have been played.", "A deal with this result"],
            [],
        ),
        (
            UNDECIDED,
            ["Undecided.", "could not be decided"],
            ["These counts can be right.", "A deal with this result"],
        ),
    ],
    ids=["decided", "not decided"],
)
def test_what_is_not_decided_is_no_yes(
    client: Browser, facts: dict[str, Any], said: list[str], unsaid: list[str]
) -> None:
    """Counts that are neither proved nor refuted are not called right by these rules; no deal is shown."""
    answer = client.get(f"/en/ask/klaberjass/count?{urlencode([*query_of(facts), ('asked', '1')])}").text
    # Without what is folded away: there other house rules have answers of their own.
    page = words(re.sub(r'<details class="why-so".*?</details>', "", answer, flags=re.S))
    assert [text for text in said if text not in page] == []
    assert [text for text in unsaid if text in page] == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_reason_in_parentheses_ends_with_one_full_stop(client: Browser, lang: str) -> None:
    """What a deal cannot bring is refused, and why, in one sentence."""
    facts = {"declarer": "A", "made": {"A": 82, "B": 85}}
    answer = client.get(f"/{lang}/ask/darda/outcome?{urlencode([*query_of(facts), ('asked', '1')])}")
    page = words(answer)
    assert "167" in page and "161" in page and ")." in page and ".)" not in page
