"""The examples in docstrings, run as tests."""

import doctest
import importlib
import pkgutil
from types import ModuleType


def run_examples(package: ModuleType) -> tuple[int, int]:
    """Run the examples in a package's docstrings: how many there are, and how many fail."""
    names = [f"{package.__name__}.{module.name}" for module in pkgutil.iter_modules(package.__path__)]
    results = [doctest.testmod(importlib.import_module(name)) for name in names]
    return sum(result.attempted for result in results), sum(result.failed for result in results)
