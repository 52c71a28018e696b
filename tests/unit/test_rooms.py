"""What no linter holds of the rooms: their names, the size of a handler, and reasons for exemptions."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
SOURCES = PROJECT / "src"
LAYER = SOURCES / "layers" / "efs_monitor" / "efs_monitor"
HANDLERS = sorted(SOURCES.glob("functions/*/app.py"))
LONGEST_HANDLER_LINES = 90
ROOMS = ("localaws", "stage", "simulation", "operate", "tools", "proofs")
# Whoever reads such a docstring alone must look for what it is about.
LEANS_ON_A_NEIGHBOUR = (
    *("The same ", "The same,", "Likewise", "As above", "Puts together what"),
    *(
        "By so ",
        "By which ",
        "To so ",
        "To five ",
        "To the ",
        "So in ",
        "So that ",
        "Any that ",
        "All of one",
        "It is ",
    ),
    *("In the columns", "In a chat", "None where "),
    *("Those ", "One of those ", "One more ", "Another place", "And ", "As it ", "As a ", "As the ", "Against what "),
)
EXEMPTION = re.compile(r"# (?:noqa|type: ignore)\b.*")
TEXT_MODES = ("r", "r+", "w", "a", "x")
WITH_A_REASON = re.compile(r"# (?:noqa: [A-Z0-9, ]+ - |type: ignore\[[a-z-]+\] # )\S")
IN_EVERY_SERVICE = {"api", "answers"}
"""What a service of the local AWS is asked, and how its values look in an answer."""
IN_EVERY_PROOF = {"proof", "report"}
"""How a proof is made, and the page that says what came of it."""


@cache
def tree_of(file: Path) -> ast.Module:
    """Read once for all tests: there are a thousand files."""
    return ast.parse(file.read_text())


@cache
def nodes_of(file: Path) -> tuple[ast.AST, ...]:
    """Everything in a file, walked through once."""
    return tuple(ast.walk(tree_of(file)))


def test_no_two_modules_of_the_layer_have_one_name() -> None:
    names = Counter(file.stem for file in LAYER.rglob("*.py") if file.stem != "__init__")
    assert [name for name, times in names.items() if times > 1] == []


def test_the_local_aws_speaks_of_no_stack_of_ours() -> None:
    ours = re.compile(r"efs-monitor|EFSMonitor|this stack", re.IGNORECASE)
    assert [str(file) for file in (PROJECT / "localaws").rglob("*.py") if ours.search(file.read_text())] == []


def test_no_two_classes_of_the_layer_have_one_name() -> None:
    trees = [tree_of(file) for file in LAYER.rglob("*.py")]
    names = Counter(node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef))
    # Alarms are kept, and stacks of a fleet: each is one of the things that are decided of it.
    assert [name for name, times in names.items() if times > 1 and not name.startswith("_")] == ["Keep"]


PROOFS = sorted(f"proofs/{file.name}" for file in (PROJECT / "proofs").iterdir() if (file / "__init__.py").exists())


@pytest.mark.parametrize("room", [*(room for room in ROOMS if room != "proofs"), *PROOFS])
def test_no_two_classes_of_a_room_beside_the_layer_have_one_name(room: str) -> None:
    # CloudFormation's resource types are named as CloudFormation names them.
    files = [file for file in (PROJECT / room).rglob("*.py") if file.parent.name != "resources"]
    names = Counter(node.name for file in files for node in nodes_of(file) if isinstance(node, ast.ClassDef))
    assert [name for name, times in names.items() if times > 1] == []


@pytest.mark.parametrize("room", ROOMS)
def test_no_two_modules_beside_the_layer_have_one_name(room: str) -> None:
    # CloudFormation's resource types are named after their services, as those are.
    files = [file for file in (PROJECT / room).rglob("*.py") if file.parent.name != "resources"]
    in_every_folder = IN_EVERY_SERVICE if room == "localaws" else IN_EVERY_PROOF if room == "proofs" else set[str]()
    names = Counter(file.stem for file in files if not file.stem.startswith("__") and file.stem not in in_every_folder)
    assert names
    assert [name for name, times in names.items() if times > 1] == []


def test_every_room_says_what_belongs_into_it() -> None:
    rooms = {file.parent for file in LAYER.rglob("*.py")} - {LAYER}
    assert [room.name for room in rooms if not (room / "__init__.py").read_text().startswith('"""')] == []


@pytest.mark.parametrize("handler", HANDLERS, ids=lambda handler: handler.parent.name)
def test_a_handler_is_read_on_one_page_and_assigns_once_a_line(handler: Path) -> None:
    code = handler.read_text()
    assert len(code.splitlines()) <= LONGEST_HANDLER_LINES
    targets = [target for node in nodes_of(handler) if isinstance(node, ast.Assign) for target in node.targets]
    assert [ast.unparse(target) for target in targets if not isinstance(target, ast.Name)] == []


@pytest.mark.parametrize("room", [*ROOMS, "src", "tests"])
def test_whoever_is_exempt_from_a_rule_says_why(room: str) -> None:
    found = [
        f"{file.relative_to(PROJECT)}: {told[0]}"
        for file in sorted((PROJECT / room).rglob("*.py"))
        for told in EXEMPTION.finditer(file.read_text())
        if file != Path(__file__) and not WITH_A_REASON.match(told[0])
    ]
    assert found == []


@pytest.mark.parametrize("room", [*ROOMS, "src"])
def test_a_text_is_read_and_written_in_an_encoding_that_is_named(room: str) -> None:
    # ruff's PLW1514 sees this only where a path is made in the same call, and is one of the rules it only tries out.
    found = [
        f"{file.relative_to(PROJECT)}:{node.lineno}: {ast.unparse(node)}"
        for file in sorted((PROJECT / room).rglob("*.py"))
        for node in nodes_of(file)
        if isinstance(node, ast.Call) and _in_the_locales_encoding(node)
    ]
    assert found == []


def _in_the_locales_encoding(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    modes = [one.value for one in call.args if isinstance(one, ast.Constant) and one.value in TEXT_MODES]
    opens = name in {"open", "NamedTemporaryFile"} and modes
    return bool(name in {"read_text", "write_text"} or opens) and "encoding" not in {one.arg for one in call.keywords}


@pytest.mark.parametrize("room", [*ROOMS, "src"])
def test_a_docstring_can_be_read_alone(room: str) -> None:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    found = [
        f"{file.relative_to(PROJECT)}: {told}"
        for file in sorted((PROJECT / room).rglob("*.py"))
        for node in nodes_of(file)
        if isinstance(node, documented) and (told := ast.get_docstring(node) or "").startswith(LEANS_ON_A_NEIGHBOUR)
    ]
    assert found == []
