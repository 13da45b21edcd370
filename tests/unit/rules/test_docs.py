"""The examples in the docstrings of `companion.rules`."""

from examples import run_examples

from companion import rules


def test_the_examples_hold() -> None:
    """What a docstring shows is what happens; there are some."""
    examples, failures = run_examples(rules)
    assert examples > 0
    assert failures == 0
