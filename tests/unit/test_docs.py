"""The examples in docstrings."""

import doctest
import pkgutil
from importlib import import_module

import pytest

PACKAGES = ("rules", "beating", "record", "matches", "archives", "jacknine.deals", "jacknine.phases")


@pytest.mark.parametrize("name", PACKAGES)
def test_the_examples_hold(name: str) -> None:
    package = import_module(f"companion.{name}")
    names = [f"{package.__name__}.{module.name}" for module in pkgutil.iter_modules(package.__path__)]
    results = [doctest.testmod(import_module(module)) for module in names]
    assert sum(result.attempted for result in results) > 0
    assert sum(result.failed for result in results) == 0
