"""How much is tried before a commit, and how much at night."""

from hypothesis import settings


def is_nightly() -> bool:
    """Whether the longer tiers are run, whose profile tries every law with more examples."""
    return settings().max_examples > 100


def few_examples(before_commit: int, at_night: int = 100) -> settings:
    """So many examples of a law that takes long: a few before a commit, the others at night."""
    return settings(max_examples=at_night if is_nightly() else before_commit)
