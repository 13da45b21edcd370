"""The examples in the docstrings of `companion.beating`."""

from examples import run_examples

from companion import beating


def test_the_examples_hold() -> None:
    """What a docstring shows is what happens; there are some."""
    examples, failures = run_examples(beating)
    assert examples > 0
    assert failures == 0
