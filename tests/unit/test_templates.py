"""The templates: each can be read, and asks for nothing that is not there."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from jinja2 import Environment, nodes

from companion import create_app
from companion.sheets import html

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "templates"
NAMES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.html"))
Macros = dict[str, nodes.Macro | None]


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """What pages are made with; sheets have less, and a folder of their own."""
    instance = tmp_path_factory.mktemp("instance")
    return create_app({"INSTANCE": str(instance), "DATABASE": "sqlite://"}).jinja_env


@cache
def tree(name: str) -> nodes.Template:
    """A template as it is parsed."""
    extensions = ["jinja2.ext.i18n", "jinja2.ext.do", "jinja2.ext.loopcontrols"]
    return Environment(extensions=extensions).parse((FOLDER / name).read_text("utf-8"), name)


def target(name: str, asked: str) -> str:
    """Where a template is that another asks for; the sheets do not see the others."""
    return f"sheets/{asked}" if name.startswith("sheets/") else asked


def references(name: str) -> Iterator[tuple[nodes.Node, str]]:
    """The templates that one asks for by their names, with how."""
    for node in tree(name).find_all((nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)):
        if isinstance(node.template, nodes.Const):  # type: ignore[attr-defined]  # all four have one
            yield node, target(name, node.template.value)  # type: ignore[attr-defined]  # as above


@cache
def exports(name: str) -> Macros:
    """What can be imported from a template: macros, and names that are set."""
    found: Macros = {node.name: node for node in tree(name).body if isinstance(node, nodes.Macro)}
    for node in tree(name).body:
        if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name):
            found[node.target.name] = None
    return found


def imports(name: str) -> Iterator[tuple[str, str, str]]:
    """Every name a template imports: what it is called here, where it is from, what it is called there."""
    for node, origin in references(name):
        if isinstance(node, nodes.FromImport):
            for one in node.names:
                there, here = (one, one) if isinstance(one, str) else one
                yield here, origin, there


def refused(call: nodes.Call, macro: nodes.Macro) -> bool:
    """Whether a macro does not take what it is called with."""
    used = {node.name for node in macro.find_all(nodes.Name)}
    known = [argument.name for argument in macro.args]
    many = len(call.args) > len(known) and "varargs" not in used and call.dyn_args is None
    strange = {keyword.key for keyword in call.kwargs} - {*known, "caller"}
    return many or (bool(strange) and "kwargs" not in used)


@pytest.mark.parametrize("name", NAMES)
def test_a_template_can_be_read(environment: Environment, name: str) -> None:
    """It has no mistake in its form, and no filter or test that nobody brings."""
    environment.compile((FOLDER / name).read_text("utf-8"), name)


@pytest.mark.parametrize("name", NAMES)
def test_a_template_asks_for_what_is_there(name: str) -> None:
    """The templates it extends, includes or imports exist; so do the macros, and they take what they get."""
    assert [origin for _node, origin in references(name) if origin not in NAMES] == []
    imported = list(imports(name))
    assert [(origin, there) for _here, origin, there in imported if there not in exports(origin)] == []
    modules = {node.target: origin for node, origin in references(name) if isinstance(node, nodes.Import)}
    macros = exports(name) | {here: exports(origin)[there] for here, origin, there in imported}
    wrong = []
    for node in tree(name).find_all(nodes.Getattr):
        match node.node:
            case nodes.Name(name=module) if module in modules and node.attr not in exports(modules[module]):
                wrong.append(f"{module}.{node.attr}")
    for call in tree(name).find_all(nodes.Call):
        match call.node:
            case nodes.Name(name=called):
                macro = macros.get(called)
            case nodes.Getattr(node=nodes.Name(name=module), attr=called) if module in modules:
                macro = exports(modules[module]).get(called)
            case _:
                continue
        if macro is not None and refused(call, macro):
            wrong.append(f"line {call.lineno}: {called} with other arguments")
    assert wrong == []


@pytest.mark.parametrize("name", NAMES)
def test_a_template_names_files_that_are_there(name: str) -> None:
    """The styles, scripts and pictures of a page."""
    files = [
        call.args[0].value
        for call in tree(name).find_all(nodes.Call)
        if isinstance(call.node, nodes.Name)
        and call.node.name == "asset"
        and isinstance(call.args[0], nodes.Const)
    ]
    assert [file for file in files if not (ROOT / "static" / file).is_file()] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_form_that_writes_is_named(name: str) -> None:
    """While what it wrote waits for the network it has a name; or it is never sent by a script."""
    forms = re.findall(r'<form\b[^>]*\bmethod="post"(?:.*\n)?.*', (FOLDER / name).read_text("utf-8"))
    assert [form for form in forms if not re.search(r"\bdata-(entry=|plain\b)", form)] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_template_uses_what_it_imports(name: str) -> None:
    """No macro is imported for nothing."""
    seen_by = [name, *(origin for node, origin in references(name) if isinstance(node, nodes.Include))]
    used = {node.name for reader in seen_by for node in tree(reader).find_all(nodes.Name)}
    names = [here for here, _origin, _there in imports(name)]
    names += [node.target for node, _origin in references(name) if isinstance(node, nodes.Import)]
    assert [here for here in names if here not in used] == []


def test_every_template_is_used_and_every_used_one_is_there() -> None:
    """The code and the other templates name each of them, and none that does not exist."""
    asked = {
        target(name, node.value)
        for name in NAMES
        for node in tree(name).find_all(nodes.Const)
        if str(node.value).endswith(".html")
    }
    for path in (ROOT / "companion").rglob("*.py"):
        base = "sheets/" if path.parent.name == "sheets" and path.parent.parent.name == "companion" else ""
        asked |= {base + found for found in re.findall(r'"([\w/-]+\.html)"', path.read_text("utf-8"))}
    assert sorted(asked ^ set(NAMES)) == []
    assert {f"sheets/{name}" for name in html.TEMPLATES.values()} <= asked
