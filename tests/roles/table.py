"""The table of roles as a page of the documentation."""

from pathlib import Path

from .routes import PARTS, Route
from .world import ROLES

FILE = Path(__file__).resolve().parents[2] / "docs" / "architecture" / "roles.md"

_BEGINNING = """\
# Who may send what

Every route of the app, and how it answers everybody at the table. The requests are right but for who sends
them: 403 is about the right to do it, not about what was sent. `tests/roles` sends them all;
`python -m tests.roles` writes this page. `/<lang>/dev/components`, which is there
in development only, is not among them.

An *opponent* speaks for the side that the request is about, *the other* for another side. A *spectator* has
joined by a link, a *stranger* only knows the address. The *revoked* phone had the pencil.
*Nobody* has no cookie.
"""


def describe(route: Route) -> str:
    """The request in one cell."""
    text = f"`{route.method} {route.rule}`"
    return f"{text} {route.what}" if route.what else text


def make_table() -> str:
    """The whole page."""
    names = [name.replace("other opponent", "the other") for name in ROLES]
    lines = [_BEGINNING]
    for title, routes in PARTS:
        lines += [f"## {title}", "", f"| request | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
        lines += [
            f"| {describe(route)} | {' | '.join(str(route.expected(role)) for role in ROLES)} |"
            for route in routes
        ]
        lines.append("")
    return "\n".join(lines)
