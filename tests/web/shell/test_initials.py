"""Initials for long names: short, and never the same twice at one table."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.web.deals.names import unique_initials


@pytest.mark.parametrize(
    ("names", "initials"),
    [
        (("Ewa", "Jan"), ("E.", "J.")),
        (("Jan", "Jakub"), ("Jan", "Jak.")),
        (("Jan", "jan-Piotr"), ("Jan", "jP")),
        (("Jan Piotr", "JP"), ("Ja.", "JP")),
        (("Anna", "Annabel"), ("Anna", "Annab.")),
        (("Maria Magdalena", "Marek Mostowiak"), ("Mari.", "Mare.")),
        (("Jan Kowalski", "Jan Nowak"), ("JK", "JN")),
        (("Éva", "Eva"), ("É.", "E.")),
        (("Zoe\u0308", "Zoë"), ("Zoe\u0308", "Zoë")),
    ],
)
def test_as_short_as_the_table_allows(names: tuple[str, ...], initials: tuple[str, ...]) -> None:
    keyed = dict(zip("ABCD", names, strict=False))
    assert tuple(unique_initials(keyed).values()) == initials


NAMES = st.lists(
    st.text(string.ascii_letters + " -ąé\u0308אב", min_size=1, max_size=12).filter(str.strip),
    min_size=2,
    max_size=4,
    unique_by=lambda name: name.strip().casefold(),
)


@given(NAMES)
def test_no_two_are_the_same(names: list[str]) -> None:
    keyed = dict(zip("ABCD", [name.strip() for name in names], strict=False))
    initials = list(unique_initials(keyed).values())
    assert all(initials)
    assert len({short.casefold() for short in initials}) == len(initials)
