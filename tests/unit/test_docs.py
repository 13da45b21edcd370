"""The examples in docstrings."""

from importlib import import_module

import pytest
from examples import run_examples

PACKAGES = ("rules", "beating", "record", "matches", "archives", "jacknine.deals", "jacknine.phases")


@pytest.mark.parametrize("name", PACKAGES)
def test_the_examples_hold(name: str) -> None:
    examples, failures = run_examples(import_module(f"companion.{name}"))
    assert examples > 0
    assert failures == 0
