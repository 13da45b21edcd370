"""Who may do what is decided in `matches/sharing/access.py`; pages only ask `access(match)`."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "companion/web").rglob("*.py"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
ALLOWED = {ROOT / "companion/web/shell/matches.py", ROOT / "companion/web/sharing/joined_devices.py"}
"""What asks on behalf of all pages, and what says in words whose phone wrote something."""


def decisions(source: str) -> list[str]:
    """What a module decides by itself about who may do what."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Compare():
                operands = [node.left, *node.comparators]
                found += [ast.unparse(node) for operand in operands if _says_who(operand)]
            case ast.Call(func=ast.Name(id="Access" | "decide_access" | "role_of")):
                found.append(ast.unparse(node))
    return found


def _says_who(node: ast.expr) -> bool:
    """Whether this is what a right would follow from: an owner, a grant's pencil, somebody's role."""
    match node:
        case ast.Attribute(attr="owner" | "has_pencil", value=ast.Name(id="match" | "grant")):
            return True
        case ast.Attribute(attr="owner" | "has_pencil", value=ast.Attribute(attr="match" | "grant")):
            return True
        case ast.Attribute(attr="role", value=value):
            return "link" not in ast.unparse(value).lower()
    return False


def test_a_page_asks() -> None:
    found = {path: decisions(path.read_text("utf-8")) for path in PAGES if path not in ALLOWED}
    assert {path: decided for path, decided in found.items() if decided} == {}


def test_a_template_asks() -> None:
    """No template compares an owner or a role; of a match in a list it says whose it is."""
    pattern = re.compile(r"match\.owner|access\(match\)\.role\s*[!=]=|\.grant\.has_pencil")
    assert [path for path in TEMPLATES if pattern.search(path.read_text("utf-8"))] == []


def test_a_decision_is_found() -> None:
    """The test itself, on lines that decide."""
    for line in (
        "if match.owner == browser.token(): pass",
        "allowed = page.match.owner != who",
        "if access(match).role is Role.OWNER: pass",
        "if may.role in (Role.OWNER, Role.PENCIL): pass",
        "if access(match).grant.has_pencil == True: pass",
        "may = Access(Role.OWNER)",
    ):
        assert decisions(line), line
    for line in ("if access(match).may_record: pass", "if link.role == 'pencil': pass", "x = match.owner"):
        assert not decisions(line), line
