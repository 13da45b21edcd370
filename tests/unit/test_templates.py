"""The templates: each can be read, and asks for nothing that is not there."""

import re
from collections.abc import Callable, Iterator
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
            for name_or_pair in node.names:
                there, here = (name_or_pair, name_or_pair) if isinstance(name_or_pair, str) else name_or_pair
                yield here, origin, there


def refused(call: nodes.Call, macro: nodes.Macro) -> bool:
    """Whether a macro does not take what it is called with."""
    used = {node.name for node in macro.find_all(nodes.Name)}
    known = [argument.name for argument in macro.args]
    many = len(call.args) > len(known) and "varargs" not in used and call.dyn_args is None
    strange = {keyword.key for keyword in call.kwargs} - {*known, "caller"}
    return many or (bool(strange) and "kwargs" not in used)


@pytest.mark.slow
def test_templates_can_be_read(environment: Environment) -> None:
    for name in NAMES:
        environment.compile((FOLDER / name).read_text("utf-8"), name)


def test_no_line_is_too_long() -> None:
    """Of the templates, and of the games, which are read like them: by people who add one."""
    games = (ROOT / "companion" / "games").rglob("*.toml")
    paths = [path for path in (*FOLDER.rglob("*"), *games) if path.is_file()]
    lines = [(path, line) for path in paths for line in path.read_text("utf-8").splitlines()]
    assert [f"{path.relative_to(ROOT)}: {line}" for path, line in lines if len(line) > 120] == []


def unknown_names(name: str) -> Iterator[str]:
    """What a template asks for that is not there, and macros that do not take what they get."""
    imported = list(imports(name))
    yield from (f"no template {origin}" for _node, origin in references(name) if origin not in NAMES)
    yield from (
        f"no {there} in {origin}" for _here, origin, there in imported if there not in exports(origin)
    )
    modules = {node.target: origin for node, origin in references(name) if isinstance(node, nodes.Import)}
    macros = exports(name) | {here: exports(origin).get(there) for here, origin, there in imported}
    for node in tree(name).find_all(nodes.Getattr):
        match node.node:
            case nodes.Name(name=module) if module in modules and node.attr not in exports(modules[module]):
                yield f"no {module}.{node.attr}"
    for call in tree(name).find_all(nodes.Call):
        match call.node:
            case nodes.Name(name=called):
                macro = macros.get(called)
            case nodes.Getattr(node=nodes.Name(name=module), attr=called) if module in modules:
                macro = exports(modules[module]).get(called)
            case _:
                continue
        if macro is not None and refused(call, macro):
            yield f"line {call.lineno}: {called} with other arguments"


def missing_files(name: str) -> Iterator[str]:
    for call in tree(name).find_all(nodes.Call):
        match call:
            case nodes.Call(node=nodes.Name(name="asset"), args=[nodes.Const(value=file), *_]):
                if not (ROOT / "static" / file).is_file():
                    yield f"no file {file}"


def unnamed_forms(name: str) -> Iterator[str]:
    """Forms that write and have no name for the time in which that waits for the network."""
    source = re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "", (FOLDER / name).read_text("utf-8"), flags=re.DOTALL)
    for form in re.findall(r'<form\b[^>]*\bmethod="post"[^>]*>', source):
        if not re.search(r"\bdata-(entry=|plain\b)", form):
            yield f"neither data-entry nor data-plain: {form}"


def unused_imports(name: str) -> Iterator[str]:
    seen_by = [name, *(origin for node, origin in references(name) if isinstance(node, nodes.Include))]
    used = {node.name for reader in seen_by for node in tree(reader).find_all(nodes.Name)}
    names = [here for here, _origin, _there in imports(name)]
    names += [node.target for node, _origin in references(name) if isinstance(node, nodes.Import)]
    yield from (f"{here} is not used" for here in names if here not in used)


@pytest.mark.parametrize("find", [unknown_names, missing_files, unnamed_forms, unused_imports])
def test_templates_keep_their_word(find: Callable[[str], Iterator[str]]) -> None:
    assert {name: found for name in NAMES if (found := list(find(name)))} == {}


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
        named = re.findall(r'"([\w/-]+\.html)"', path.read_text("utf-8"))
        asked |= {base + found for found in named if base or "/" in found}  # others are of a folder of files
    assert sorted(asked ^ set(NAMES)) == []
    assert {f"sheets/{name}" for name in html.TEMPLATES.values()} <= asked
