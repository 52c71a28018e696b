"""The SSM document: one script of many pieces, within SSM's limits."""

import re
import subprocess

import pytest
from efs_monitor.benchmarks.plan import LONGEST_PLAN_CHARACTERS

from localaws.cloudformation.resources.document_content import sent
from localaws.ssm.document_refusals import MOST_BYTES, size_bytes
from tests.template.template_documents import FILE_SYSTEM_ID, Document, resolved, with_includes
from tools.benchmark_document import PIECES, digest, document, properties, script


def content() -> Document:
    document: Document = with_includes()["Resources"]["BenchmarkDocument"]["Properties"]["Content"]
    return document


def test_the_script_is_the_one_command_of_its_one_step() -> None:
    (step,) = content()["mainSteps"]
    assert step["inputs"]["runCommand"] == [script()]


def test_every_piece_of_the_script_is_in_it() -> None:
    assert set(PIECES) == set(PIECES[0].parent.iterdir())


def declared(text: str) -> str:
    """The functions of a script as bash understands them, without what nobody runs."""
    functions = text.removesuffix('main "$@"; exit\n')
    assert functions != text
    command = ["bash", "-c", f"{functions}\ndeclare -f"]
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def test_it_says_the_same_without_the_comments_of_its_pieces() -> None:
    assert declared(script()) == declared("\n".join(piece.read_text() for piece in PIECES))
    assert len(declared(script()).splitlines()) > 1000


def test_the_document_is_below_ssms_limit_with_the_longest_values_of_its_parameters() -> None:
    path = with_includes()["Parameters"]["BenchmarkPath"]["MaxLength"]
    longest = {
        "RunId": "r" * 64,
        "FileSystemId": FILE_SYSTEM_ID,
        "MountPath": "p" * path,
        "LocalPath": "l" * path,
        "Plan": "p" * LONGEST_PLAN_CHARACTERS,
        "DeadlineSeconds": "99999",
        "Instances": "999",
        "ExecutionTimeout": "99999",
    }
    assert longest.keys() == content()["parameters"].keys()
    # As CloudFormation sends the one, and Systems Manager's API has the others.
    assert size_bytes(sent(content()), {name: [value] for name, value in longest.items()}) < MOST_BYTES


def test_the_longest_plan_is_as_long_for_the_script_as_for_whoever_sends_it() -> None:
    assert f"<= {LONGEST_PLAN_CHARACTERS}))" in script()
    assert f"at most {LONGEST_PLAN_CHARACTERS} characters" in content()["parameters"]["Plan"]["description"]


def test_another_document_has_another_name(monkeypatch: pytest.MonkeyPatch) -> None:
    before = properties()
    monkeypatch.setattr("tools.benchmark_document.PIECES", PIECES[:-1])
    assert resolved(properties()["Name"]) != resolved(before["Name"])


def test_another_script_is_another_document() -> None:
    properties = with_includes()["Resources"]["BenchmarkDocument"]["Properties"]
    assert properties["DocumentType"] == "Command"
    # Replaced when its content changes, and so must its name: see docs/design.md.
    assert "UpdateMethod" not in properties
    assert resolved(properties["Name"]) == f"efs-monitor-6f1e0a70-{digest(document())}"
    assert properties["TargetType"] == "/AWS::EC2::Instance"


def test_the_script_takes_no_parameter_into_its_text() -> None:
    (step,) = content()["mainSteps"]
    assert "{{" not in step["inputs"]["runCommand"][0]
    assert step["inputs"]["timeoutSeconds"] == "{{ ExecutionTimeout }}"


def test_every_parameter_is_typed_bounded_and_passed_in_the_environment() -> None:
    parameters = content()["parameters"]
    assert {one["type"] for one in parameters.values()} == {"String"}
    assert [name for name, one in parameters.items() if not re.fullmatch(r"\^.*\$", one["allowedPattern"])] == []
    passed = {name for name, one in parameters.items() if one.get("interpolationType") == "ENV_VAR"}
    assert passed == parameters.keys() - {"ExecutionTimeout"}
    read = set(re.findall(r"\bSSM_([A-Z]\w+)", script()))
    assert read == passed


@pytest.mark.parametrize("name", ["MountPath", "LocalPath"])
@pytest.mark.parametrize(
    "path",
    ["/a b", '/a"', "/a'", "/$(id)", "/a;id", "/a\nb", "/a/../b", "/..", "/a/", "a", "/", "/a`id`", "/a\\b", "/é"],
)
def test_a_path_that_a_shell_would_read_is_refused_by_the_document(name: str, path: str) -> None:
    assert not re.fullmatch(content()["parameters"][name]["allowedPattern"], path)


@pytest.mark.parametrize("path", ["/mnt/efs", "/mnt/efs-1/a_b.c", "/-x"])
def test_a_plain_path_is_accepted_by_the_document(path: str) -> None:
    assert re.fullmatch(content()["parameters"]["MountPath"]["allowedPattern"], path)


def test_the_patterns_are_the_scripts_own() -> None:
    text = script()
    for name in ("RunId", "FileSystemId", "MountPath", "DeadlineSeconds", "Instances"):
        assert content()["parameters"][name]["allowedPattern"] in text


@pytest.mark.whole
@pytest.mark.needs("shellcheck")
def test_shellcheck_has_nothing_to_say() -> None:
    checked = subprocess.run(["shellcheck", "-"], input=script(), capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stdout) == (0, "")
