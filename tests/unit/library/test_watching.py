"""Options that remember who asked for them, and what follows for rule sets that differ in one."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from companion.library.other_tables import WatchedOptions, may_differ, watch_options


@dataclass(frozen=True, eq=False)
class Rules:
    options: dict[str, object] = field(default_factory=dict)
    target: int = 500


def test_what_is_read_is_remembered() -> None:
    """By name, with `in`, or with a default: each is a reading."""
    options = WatchedOptions({"tie": "hangs", "bela": "said", "seven": "never"})
    assert options["tie"] == "hangs"
    assert "seven" in options
    assert options.get("penalty") is None
    assert options.names_read == {"tie", "seven", "penalty"}


@pytest.mark.parametrize("look", [list, len, dict, lambda options: options == {}])
def test_looking_at_all_of_them_reads_all_of_them(look: Callable[[WatchedOptions[object]], object]) -> None:
    options: WatchedOptions[object] = WatchedOptions({"tie": "hangs", "bela": "said"})
    look(options)
    assert options.names_read == {"tie", "bela"}


def test_a_watched_rule_set_is_the_same_but_for_watching() -> None:
    rules = Rules({"tie": "hangs"}, 300)
    watched, options = watch_options(rules)
    assert watched.target == 300
    assert rules.options["tie"] == watched.options["tie"] == "hangs"
    assert options.names_read == {"tie"}


@pytest.mark.parametrize(
    ("other", "names_read", "expected"),
    [
        (Rules({"tie": "lost", "bela": "said"}), {"tie"}, True),
        (Rules({"tie": "lost", "bela": "said"}), {"bela"}, False),
        (Rules({"tie": "lost", "bela": "said"}), set(), False),
        (Rules({"tie": "hangs", "bela": "said"}, 300), set(), True),
        (Rules({"bela": "said"}), {"tie"}, True),
        (Rules({"tie": "hangs", "bela": "said", "more": None}), {"more"}, True),
        (Rules({"tie": "hangs", "bela": "said"}), {"tie", "bela", "more"}, False),
    ],
)
def test_only_what_was_read_can_make_a_difference(other: Rules, names_read: set[str], expected: bool) -> None:
    """An option that was read and is another one there, or any other field of the rule set."""
    assert may_differ(Rules({"tie": "hangs", "bela": "said"}), other, frozenset(names_read)) is expected
