"""What could be wrong with a package: every small fault that mutmut's operators can plant in its sources."""

import re
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from random import Random

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

ROOT = Path(__file__).resolve().parents[2]
UNTOUCHED_CALLS = {"Message", "cast", "isinstance", "TypeVar", "NewType"}
"""Calls whose arguments stay: each text of a message is compared with the catalogue by test_translations."""

TYPE_NAME = re.compile(r"_?[A-Z]([a-z]\w*)?")
"""What is assigned to such a name is a type, which only a type checker reads."""


@dataclass(frozen=True)
class Mutant:
    """A source with one fault in it. The line is that of the fault; `was` and `becomes` are what changed."""

    path: str
    line: int
    source: str
    was: str
    becomes: str

    @property
    def module(self) -> str:
        """The dotted name it is imported by."""
        return ".".join(Path(self.path).with_suffix("").parts).removesuffix(".__init__")

    def __str__(self) -> str:
        removed = "".join(f"\n  - {line}" for line in self.was.splitlines())
        added = "".join(f"\n  + {line}" for line in self.becomes.splitlines())
        return f"{self.path}:{self.line}{removed}{added}"


def draw_mutants(package: str, size: int, seed: int) -> list[Mutant]:
    """So many mutants of a package of companion, drawn from all (0: every one)."""
    paths = sorted((ROOT / "companion" / package).rglob("*.py"))
    faults = [fault for path in paths for fault in _faults(path)]
    Random(seed).shuffle(faults)
    drawn: dict[tuple[str, str], Mutant] = {}
    for fault in faults:
        mutant = fault.plant()
        if mutant is not None:
            drawn[mutant.path, mutant.source] = mutant
        if len(drawn) == size:
            break
    return list(drawn.values())


@dataclass(frozen=True, eq=False)
class _Part:
    """A statement of a module, and the text of the module before and after it."""

    path: Path
    module: cst.Module
    statement: cst.CSTNode
    before: str
    after: str

    def write(self, statement: cst.CSTNode) -> str:
        """The module with this statement in place of its own."""
        return self.before + self.module.code_for_node(statement) + self.after


@dataclass(frozen=True, eq=False)
class _Fault:
    """A node of a statement and what is to stand in its place."""

    part: _Part
    node: cst.CSTNode
    replacement: cst.CSTNode
    line: int

    def plant(self) -> Mutant | None:
        """The mutant; None where it does not compile, or is what was there."""
        part = self.part
        changed = part.statement.deep_replace(self.node, self.replacement)
        assert isinstance(changed, cst.CSTNode)  # a statement is never replaced as a whole
        sound, source = part.write(part.statement), part.write(changed)
        if source == sound or not _compiles(source):
            return None
        name = part.path.relative_to(ROOT).as_posix()
        return Mutant(name, self.line, source, *_difference(sound, source))


def _faults(path: Path) -> list[_Fault]:
    source = path.read_text("utf-8")
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    module, places = wrapper.module, wrapper.resolve(PositionProvider)
    faults = []
    before = "".join(map(module.code_for_node, module.header))
    for statement in module.body:
        text = module.code_for_node(statement)
        part = _Part(path, module, statement, before, source[len(before) + len(text) :])
        finder = _Finder()
        statement.visit(finder)
        faults += [_Fault(part, node, other, places[node].start.line) for node, other in finder.found]
        before += text
    return faults


class _Finder(cst.CSTVisitor):
    """Collects every node with what could stand in its place, leaving out what is no behaviour."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[cst.CSTNode, cst.CSTNode]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if _is_no_behaviour(node):
            return False
        for kind, operator in mutation_operators:
            if isinstance(node, kind):
                self.found += [(node, replacement) for replacement in operator(node)]
        return True


def _is_no_behaviour(node: cst.CSTNode) -> bool:
    match node:
        case cst.Annotation() | cst.Decorator() | cst.Import() | cst.ImportFrom():
            return True
        case cst.Expr(value=cst.SimpleString() | cst.ConcatenatedString()):
            return True  # a docstring
        case cst.Call(func=cst.Name(value=name)) if name in UNTOUCHED_CALLS:
            return True
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))]):
            return name == "__all__" or TYPE_NAME.fullmatch(name) is not None
        case cst.If(test=cst.Name(value="TYPE_CHECKING")):
            return True
    return False


def _compiles(source: str) -> bool:
    try:
        compile(source, "mutant", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _difference(before: str, after: str) -> tuple[str, str]:
    """The lines that went and those that came, without their indentation."""
    lines = list(unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0))[2:]
    was = "\n".join(line[1:].strip() for line in lines if line.startswith("-"))
    becomes = "\n".join(line[1:].strip() for line in lines if line.startswith("+"))
    return was, becomes
