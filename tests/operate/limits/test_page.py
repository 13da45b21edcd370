"""The page of limits says what the code does."""

from .page import FILE, make_page


def test_the_page_is_up_to_date() -> None:
    """Whoever changes a limit runs `python -m tests.operate.limits`."""
    assert FILE.read_text(encoding="utf-8") == make_page()
