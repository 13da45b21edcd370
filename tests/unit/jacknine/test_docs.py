"""Examples in docstrings are true."""

import doctest
from importlib import import_module
from pkgutil import walk_packages

import pytest

import companion.jacknine

MODULES = [package.name for package in walk_packages(companion.jacknine.__path__, "companion.jacknine.")]
WITH_EXAMPLES = {
    "companion.jacknine.deals.infer",
    "companion.jacknine.deals.outcome",
    "companion.jacknine.deals.unusual",
    "companion.jacknine.phases.auction",
    "companion.jacknine.phases.contest",
    "companion.jacknine.phases.count",
    "companion.jacknine.phases.play",
    "companion.jacknine.phases.settle",
}


@pytest.mark.parametrize("name", MODULES)
def test_examples_come_to_what_they_say(name: str) -> None:
    """Each example of a module gives what stands below it, and the modules that need examples have some."""
    result = doctest.testmod(import_module(name))
    assert result.failed == 0
    assert (result.attempted > 0) == (name in WITH_EXAMPLES)
