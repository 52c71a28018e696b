"""What no linter holds of the rooms: their names, the size of a handler, and reasons for exemptions."""

import ast
import re
import tomllib
from collections.abc import Iterable
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
    *("In the columns", "In a chat", "None where ", "By its ", "Of the last", "As far as", "For how long", "Both "),
    *("Those ", "One of those ", "One more ", "Another place", "And ", "As it ", "As a ", "As the ", "Against what "),
)
# What such a comment is about stands in another, or nowhere.
COMMENTS_THAT_GO_ON = ("# And ", "# Which ", "# Of which ", "# That it ", "# That they ", "# Likewise")
EXEMPTION = re.compile(r"# (?:noqa|type: ignore)\b.*")
TEXT_MODES = ("r", "r+", "w", "a", "x")
# Another comment may be changed, or moved away.
WITH_A_REASON = re.compile(r"# (?:noqa: [A-Z0-9, ]+ - |type: ignore\[[a-z-]+\] # )(?!as said|as above|see above)\S")
# A name stands for one thing: two layers may have it, each for its own side of that thing. Tests have the same names
# as the modules that they test.
SHARED_MODULES = {
    "alarm": "a metric alarm: as CloudWatch keeps it, and as this stack defines its own",
    "api": "how a service of the local AWS is asked: one a service, each in place of moto's",
    "file_system": "an EFS file system: as the model lives through it, and as EFS describes it",
    "function_logs": "what functions log: as the local AWS keeps it, and as the operator reads it",
    "pulses": "a load in pulses: as the monitor finds it, and as a proof works it out anew",
    "resource_policy": "the policy of a resource: as IAM judges by it, and as this stack reads a topic's",
    "s3": "Amazon S3: its resource types in the local AWS, and the call of a function",
    "sns": "Amazon SNS: its resource types in the local AWS, and the calls of the functions",
}
SHARED_CLASSES = {
    "Command": "a command of Systems Manager: as the service keeps it, and as the monitor sees it",
    "Context": "what Lambda gives a handler beside the event: in the local AWS, and on a stage without it",
    "Datapoint": "a datapoint of CloudWatch: as it is kept, and as the model of EFS publishes it",
    "FileSystem": "an EFS file system: as the model lives through it, and as EFS describes it",
    "Keep": "nothing has to change: of the alarms, and of a fleet's stack; a log says it by this name",
    "LogLine": "a line that a function logged: as the local AWS keeps it, and as the operator reads it",
    "Pulses": "a load in pulses: as the monitor finds it, and as a proof works it out anew",
    "Resource": "a resource of a stack: as the local AWS keeps it, and as CloudFormation lists it",
    "StackIdentity": "account, Region and name of a stack: of one in the local AWS, and as an ARN says it",
}
# A folder is looked for by its name as a module is: it has that of another, or of a module, for the same thing alone.
SHARED_ROOMS = {
    "backtest": "what would have been told of a past: how that is worked out, and the proof that it is right",
    "benchmark": "a benchmark: the script that measures, and what a person runs to have it run now",
    "benchmarks": "a benchmark: what may be run and what came out, and what is promised about its figures",
    "cloudformation": "CloudFormation: the service in the local AWS, and the calls to it",
    "cloudwatch": "CloudWatch: the service in the local AWS, and its resource types",
    "dashboard": "the stack's dashboard: in CloudWatch's own format, and what writes it into the template",
    "efs": "Amazon EFS: what it is, and the calls to it",
    "events": "an event that sets a function off: samples of each, and how one is read",
    "example_histories": "the histories that a backtest can be tried with: where they lie, and what writes them",
    "examples": "a release in Terraform and in CDK, and the proof that both read it",
    "figures": "the figures of a mail: as a proof works them out anew, and as tests find them in its text",
    "faults": "what goes wrong with a call to AWS: one that a test chooses, and every one there is, in a proof",
    "fleet": "a fleet: which stacks there are, and the proof of it",
    "functions": "Lambda functions: the service in the local AWS, and the handlers",
    "iam": "IAM: the service in the local AWS, and its resource types",
    "incidents": "an incident: as the monitor sees it, as a report draws it, and as a proof judges what was told of it",
    "layers": "Lambda's layers: the one that is deployed, and their resource type in the local AWS",
    "pictures": "the pictures of the pages, and what draws them",
    "replay": "a past that is lived through again: the steps of that, and what they are made of",
    "sns": "Amazon SNS: the service in the local AWS, its resource types, and the calls of the functions",
    "ssm": "Systems Manager: the service in the local AWS, and its resource types",
}
MIRRORED = {"proofs/figures/claims": "src/layers/efs_monitor/efs_monitor/mail"}
"""What checks the figures of a mail is named like the module that writes it."""
RESOURCE_TYPES = "localaws/cloudformation/resources"
"""Their classes are named as CloudFormation names them: an Alarm, a Subscription."""
# Its syntax tree says the same and takes twenty times as long: there are a thousand files.
A_CLASS = re.compile(r"^ *class (\w+)(?:\[.*\])?[(:]", re.MULTILINE)
LAYERS = ("src/layers", "src/functions", "simulation", "localaws", "stage", "operate", "proofs", "tools", "tests")
WITHOUT_MODULES = ("docs", "events", "examples", "scenarios", "src/dashboard", "src/documents", "src/included")


# Only a file that has such words is parsed, which takes twenty times as long as to read it.
OPENS_A_TEXT = re.compile(r"open\(|read_text|write_text|NamedTemporaryFile")
BEGINS_A_TEXT = re.compile('"""(?:' + "|".join(map(re.escape, LEANS_ON_A_NEIGHBOUR)) + ")")


def nodes_in(room: str, words: re.Pattern[str]) -> Iterable[tuple[Path, ast.AST]]:
    """Everything in the files of a room that have such words, each with its file."""
    for file in sorted((PROJECT / room).rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if words.search(text):
            yield from ((file, node) for node in ast.walk(ast.parse(text)))


def _python_files() -> list[Path]:
    return [file for layer in LAYERS for file in sorted((PROJECT / layer).rglob("*.py"))]


def _named_files() -> list[Path]:
    """All whose name somebody has chosen: neither Python nor pytest, nor SAM, nor the mail whose figures it checks."""
    named = [file for file in _python_files() if file.stem not in {"__init__", "__main__", "conftest"}]
    return [file for file in named if file not in HANDLERS and not _is_mirrored(file)]


def _is_mirrored(file: Path) -> bool:
    folder = MIRRORED.get(str(file.parent.relative_to(PROJECT)))
    return folder is not None and (PROJECT / folder / file.name).exists()


@cache
def _folders(layer: str) -> tuple[Path, ...]:
    """Those that hold a file, and the layer itself; what Python leaves where a module was once holds none of ours."""
    root = PROJECT / layer
    files = [file.relative_to(root) for file in root.rglob("*") if file.is_file()]
    ours = [file for file in files if not any(part.startswith((".", "__pycache__")) for part in file.parts)]
    return tuple(sorted({root / folder for file in ours for folder in file.parents}))


def _named_rooms() -> list[Path]:
    """All folders whose name somebody has chosen: neither those of tests, which are named like what they test, nor that
    of a function, which is named like its use case, nor the layer's package within the layer.
    """
    mirrored = {LAYER, *(handler.parent for handler in HANDLERS)}
    layers = (*(layer for layer in LAYERS if layer != "tests"), *WITHOUT_MODULES)
    return [folder for layer in layers for folder in _folders(layer) if folder not in mirrored]


def _standing_twice(places: Iterable[tuple[str, Path]]) -> dict[str, list[str]]:
    """The names that more than one file or folder has, each with the layers of these."""
    found: dict[str, list[str]] = {}
    for name, place in places:
        path = f"{place.relative_to(PROJECT)}/"
        layer = next(layer for layer in (*LAYERS, *WITHOUT_MODULES) if path.startswith(f"{layer}/"))
        found.setdefault(name, []).append(layer)
    return {name: layers for name, layers in found.items() if len(layers) > 1}


def _within_one_layer(twice: dict[str, list[str]]) -> list[str]:
    return [name for name, layers in twice.items() if len(set(layers)) < len(layers)]


def test_a_module_has_the_name_of_another_only_where_both_are_about_one_thing() -> None:
    twice = _standing_twice((file.stem, file) for file in _named_files() if not file.stem.startswith("test_"))
    assert sorted(twice) == sorted(SHARED_MODULES)
    assert _within_one_layer(twice) == ["api"]


def test_a_test_file_has_the_name_of_another_only_where_the_modules_that_they_test_have() -> None:
    twice = _standing_twice((file.stem, file) for file in _named_files() if file.stem.startswith("test_"))
    assert [name for name in twice if name.removeprefix("test_") not in SHARED_MODULES] == []


def test_a_class_has_the_name_of_another_only_where_both_are_one_thing() -> None:
    types = set((PROJECT / RESOURCE_TYPES).glob("*.py")) - {PROJECT / RESOURCE_TYPES / "base.py"}
    files = [file for file in _python_files() if file not in types]
    twice = _standing_twice((name, file) for file in files for name in A_CLASS.findall(file.read_text()))
    assert sorted(twice) == sorted(SHARED_CLASSES)
    assert _within_one_layer(twice) == ["Keep"]


def test_a_room_has_the_name_of_another_or_of_a_module_only_where_both_are_about_one_thing() -> None:
    rooms = [(room.name, room) for room in _named_rooms()]
    modules = [(file.stem, file) for file in _named_files() if not file.stem.startswith("test_")]
    names = {name for name, _ in rooms}
    assert sorted(name for name in _standing_twice([*rooms, *modules]) if name in names) == sorted(SHARED_ROOMS)
    assert _within_one_layer(_standing_twice(rooms)) == []


def test_a_folder_of_tests_has_the_name_of_another_only_where_both_test_one_room() -> None:
    rooms = {room.name for room in _named_rooms()}
    assert [name for name in _standing_twice((one.name, one) for one in _folders("tests")) if name not in rooms] == []


@pytest.mark.parametrize("folder", MIRRORED)
def test_a_folder_that_mirrors_another_has_its_names(folder: str) -> None:
    assert [file for file in (PROJECT / folder).glob("*.py") if _is_mirrored(file)]


def test_the_local_aws_speaks_of_no_stack_of_ours() -> None:
    ours = re.compile(r"efs-monitor|EFSMonitor|this stack", re.IGNORECASE)
    assert [str(file) for file in (PROJECT / "localaws").rglob("*.py") if ours.search(file.read_text())] == []


def test_every_room_says_what_belongs_into_it() -> None:
    rooms = {file.parent for file in LAYER.rglob("*.py")} - {LAYER}
    assert [room.name for room in rooms if not (room / "__init__.py").read_text().startswith('"""')] == []


def test_every_room_but_those_that_call_aws_is_held_apart_from_its_libraries() -> None:
    # The list of rooms is exhaustive, and import-linter knows no such list of what a contract begins with.
    contracts = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    rooms = next(one["layers"] for one in contracts if one.get("exhaustive"))
    apart = next(one for one in contracts if "efs_monitor.errors" in one.get("source_modules", ()))
    named = {f"efs_monitor.{name}" for layer in rooms for name in layer.split(" : ")}
    assert named - set(apart["source_modules"]) == {"efs_monitor.aws", "efs_monitor.usecases"}


@pytest.mark.parametrize("handler", HANDLERS, ids=lambda handler: handler.parent.name)
def test_a_handler_is_read_on_one_page_and_assigns_once_a_line(handler: Path) -> None:
    code = handler.read_text()
    assert len(code.splitlines()) <= LONGEST_HANDLER_LINES
    targets = [
        target
        for node in ast.walk(ast.parse(handler.read_text()))
        if isinstance(node, ast.Assign)
        for target in node.targets
    ]
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
        for file, node in nodes_in(room, OPENS_A_TEXT)
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
        for file, node in nodes_in(room, BEGINS_A_TEXT)
        if isinstance(node, documented) and (told := ast.get_docstring(node) or "").startswith(LEANS_ON_A_NEIGHBOUR)
    ]
    assert found == []


@pytest.mark.parametrize("room", ["src", *ROOMS])
def test_a_comment_begins_with_what_it_is_about(room: str) -> None:
    found = [
        f"{file.relative_to(PROJECT)}:{number}: {line.strip()}"
        for file in sorted((PROJECT / room).rglob("*.py"))
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if line.lstrip().startswith(COMMENTS_THAT_GO_ON)
    ]
    # A second line of a comment may begin with such a word.
    assert [one for one in found if not _goes_on(one)] == []


def _goes_on(place: str) -> bool:
    """Whether the line before it is of the same comment, and ends within a sentence."""
    path, number, _ = place.split(":", 2)
    before = (PROJECT / path).read_text(encoding="utf-8").splitlines()[int(number) - 2].strip()
    return before.startswith("#") and not before.endswith((".", ":"))
