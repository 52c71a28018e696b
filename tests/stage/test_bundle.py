"""The bundle that `make package` writes, deployed by the AWS command line alone, as its own page says."""

import functools
import io
import json
import re
import shlex
import subprocess
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from localaws.sandbox import Sandbox
from operate.template_files import as_written, including
from stage.sam_deployment import PROJECT, Deployer
from tests.stage.monitor.stack_under_test import StackUnderTest
from tests.template.template_documents import with_includes
from tests.unit.docs.pages import prose
from tools import package
from tools.package import CHECKSUMS, FLEET, TEMPLATE, WHOLE, packed, version, written

AWS = PROJECT / ".venv-sam" / "bin" / "aws"
BUCKET = "artifacts-of-ours"
SHORTEST_TIME = timedelta(minutes=5)
GIVEN = {
    "FileSystemId": "fs-0123456789abcdef0",
    "AlertEmail": "team@example.com",
    "UtilizationAlarm": "on",
    "IoLimitAlarm": "on",
    "BenchmarkPath": "/mnt/efs",
    "BenchmarkSchedule": "cron(0 3 * * ? *)",
    "BenchmarkInstanceIds": "i-0123456789abcdef0,i-0fedcba9876543210",
    "BenchmarkFailuresAlarm": "on",
    "RegressionsAlarm": "on",
    "Architecture": "x86_64",
}


@dataclass(frozen=True)
class Bundle:
    """The zip, and the folder that it was unpacked into."""

    path: Path
    folder: Path

    def commands(self) -> list[str]:
        """The commands that its own page shows, each on one line."""
        text = (self.folder / "README.md").read_text()
        shown = re.findall(r"^    (aws (?:.*\\\n)*.*)$", text, re.MULTILINE)
        return [re.sub(r"\\\n\s*", "", one) for one in shown]


@pytest.fixture(scope="module")
def bundle(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    folder = tmp_path_factory.mktemp("dist")
    path = written(folder)
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    return Bundle(path, folder / path.stem)


@pytest.fixture
def stack(tmp_path: Path, built: Path) -> Iterator[StackUnderTest]:
    with Sandbox(tmp_path) as sandbox:
        yield StackUnderTest(sandbox=sandbox, built=built, name="efs-monitor-home")


def run(command: str, folder: Path, endpoint_url: str, home: Path) -> None:
    """As a shell that has the AWS command line and nothing of this project."""
    words = shlex.split(command)
    assert words[0] == "aws"
    account = Deployer(endpoint_url, home, str).environment()
    done = subprocess.run(
        [str(AWS), *words[1:]],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(home), "TMPDIR": tempfile.gettempdir(), **account},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.typed
def test_two_commands_of_the_aws_command_line_deploy_it_with_every_parameter_by_name(
    bundle: Bundle, stack: StackUnderTest, tmp_path: Path
) -> None:
    sandbox = stack.sandbox
    sandbox.client("s3").create_bucket(Bucket=BUCKET)
    stack.create_file_system()
    defaults = {name: str(one.get("Default", "")) for name, one in with_includes()["Parameters"].items()}
    package, deploy, _ = bundle.commands()
    overrides = shlex.join(f"{name}={value}" for name, value in (defaults | GIVEN).items())
    deploy = f"{deploy.partition(' --parameter-overrides ')[0]} --parameter-overrides {overrides}"
    sandbox.clock.let_run()
    began = sandbox.clock.now()
    for command in (package, deploy):
        run(command.replace("BUCKET", BUCKET), bundle.folder, sandbox.endpoint_url, tmp_path)

    assert stack.status() == "CREATE_COMPLETE"
    (described,) = sandbox.client("cloudformation").describe_stacks(StackName=stack.name)["Stacks"]
    assert {one["ParameterKey"]: one["ParameterValue"] for one in described["Parameters"]} == defaults | GIVEN
    stack.live(2)
    armed = {end: alarm["StateValue"] for end, alarm in stack.alarms().items()}
    assert [armed[end] for end in ("warning", "critical", "exhausted", "draining")] == ["OK"] * 4
    assert sandbox.clock.now() - began < SHORTEST_TIME
    # The functions run from the zips: a balance that falls is explained.
    stack.balance_gib = 900
    stack.live(3)
    assert any(str(subject).startswith("WARNING") for subject in stack.subjects("advice"))
    for name in ("ApplyOnDeploy", "Explain"):
        function = sandbox.client("lambda").get_function(FunctionName=stack.function(name))["Configuration"]
        assert function["Architectures"] == ["x86_64"]


@pytest.mark.whole
def test_its_page_gives_the_commands_that_the_documentation_shows_first(bundle: Bundle) -> None:
    text = (PROJECT / "docs" / "deployment.md").read_text()
    first, second, *_ = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    commands = re.findall(r"^(aws cloudformation (?:.*\\\n)*.*)$", first + second, re.MULTILINE)
    assert [re.sub(r"\\\n\s*", "", one) for one in commands] == bundle.commands()


def test_every_file_is_in_its_checksums_and_is_as_they_say(bundle: Bundle) -> None:
    done = subprocess.run(["sha256sum", "--check", "--quiet", CHECKSUMS], cwd=bundle.folder, check=False)
    assert done.returncode == 0
    listed = {line.split("  ")[1] for line in (bundle.folder / CHECKSUMS).read_text().splitlines()}
    with zipfile.ZipFile(bundle.path) as archive:
        there = {name.partition("/")[2] for name in archive.namelist()}
    assert listed == there - {CHECKSUMS}


def test_whatever_the_template_names_is_in_the_bundle(bundle: Bundle) -> None:
    document = as_written(bundle.folder / TEMPLATE)
    named = [
        resource["Properties"][place]
        for resource in document["Resources"].values()
        for place in {"CodeUri", "ContentUri"} & resource.get("Properties", {}).keys()
    ]
    named += [place["Fn::Transform"]["Parameters"]["Location"] for place in including(document)]
    assert len(named) == 11
    assert [name for name in named if not (bundle.folder / name).is_file()] == []
    ours = as_written(PROJECT / "template.yaml")
    assert document["Parameters"] == ours["Parameters"]
    assert document["Resources"].keys() == ours["Resources"].keys()


def test_whatever_the_fleets_template_names_is_in_the_bundle(bundle: Bundle) -> None:
    resources = as_written(bundle.folder / FLEET)["Resources"]
    named = [resources["ReconcileFleet"]["Properties"]["Code"], resources["MonitorLayer"]["Properties"]["Content"]]
    assert named == ["functions/reconcile_fleet.zip", "layer.zip"]
    assert all((bundle.folder / name).is_file() for name in named)


@pytest.mark.more
def test_the_same_sources_make_the_same_bytes_somewhere_else_and_later(bundle: Bundle, tmp_path: Path) -> None:
    """The files that went in have other times and lie elsewhere; tests/stage/test_bundle_built_twice.py builds anew."""
    again = written(tmp_path / "elsewhere")
    assert again.read_bytes() == bundle.path.read_bytes()
    with zipfile.ZipFile(again) as archive:
        assert {one.date_time for one in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert archive.namelist() == sorted(archive.namelist())


def test_another_zlib_packs_the_same_files_into_other_bytes_which_the_page_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Such as zlib-ng, which some builds of Python have; here the same zlib, told to take less care."""
    files = {"a": (PROJECT / "template.yaml").read_bytes(), "b": (PROJECT / "fleet.yaml").read_bytes()}
    ours = packed(files)
    other = functools.partial(zlib.compressobj, zlib.Z_BEST_SPEED, zlib.DEFLATED, -zlib.MAX_WBITS)
    monkeypatch.setattr(zlib, "compressobj", lambda *_: other())
    theirs = packed(files)
    assert theirs != ours
    with zipfile.ZipFile(io.BytesIO(theirs)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files
    assert "with the same Python 3.13 and the same zlib" in " ".join(prose("docs/deployment.md").split())


def test_the_layer_is_pure_python_so_one_zip_runs_on_both_processors(bundle: Bundle) -> None:
    with zipfile.ZipFile(bundle.folder / "layer.zip") as layer:
        names = layer.namelist()
        wheels = [layer.read(name).decode() for name in names if name.endswith(".dist-info/WHEEL")]
    assert len(wheels) >= 2
    assert all("Root-Is-Purelib: true" in wheel and "Tag: py3-none-any" in wheel for wheel in wheels)
    assert [name for name in names if name.endswith((".so", ".dylib", ".pyd"))] == []


def test_compiled_files_name_their_sources_as_they_lie_in_lambda(bundle: Bundle) -> None:
    with zipfile.ZipFile(bundle.folder / "layer.zip") as layer:
        compiled = next(name for name in layer.namelist() if "efs_monitor/__pycache__/config." in name)
        content = layer.read(compiled)
    assert b"/opt/python/efs_monitor/config.py" in content
    assert str(PROJECT).encode() not in content


def test_the_name_and_every_page_of_it_carry_the_one_version(bundle: Bundle) -> None:
    assert bundle.path.name == f"efs-monitor-{version()}.zip"
    assert f"# EFS burst-credit monitor {version()}" in (bundle.folder / "README.md").read_text()
    # A stack says so, whoever looks: forty of a fleet may be of two releases.
    outputs = [as_written(bundle.folder / name)["Outputs"]["Release"] for name in (TEMPLATE, WHOLE, FLEET)]
    assert [one["Value"] for one in outputs] == [version()] * 3
    of_repository: dict[str, Any] = as_written(bundle.folder / WHOLE)["Metadata"]
    assert of_repository["AWS::ServerlessRepo::Application"]["SemanticVersion"] == version()


def test_for_the_repository_nothing_is_included_and_everything_is_described(bundle: Bundle) -> None:
    """The Serverless Application Repository takes no macro but SAM's own."""
    document = as_written(bundle.folder / WHOLE)
    assert including(document) == []
    assert json.dumps(document).count("Fn::Transform") == 0
    about = document["Metadata"]["AWS::ServerlessRepo::Application"]
    assert re.fullmatch("[a-zA-Z0-9-]{1,140}", about["Name"])
    assert 1 <= len(about["Description"]) <= 256
    assert re.fullmatch("[a-z0-9](([a-z0-9]|-(?!-))*[a-z0-9])?", about["Author"])
    assert all((bundle.folder / about[place]).is_file() for place in ("LicenseUrl", "ReadmeUrl"))
    assert len(about["Labels"]) <= 10


def test_the_page_about_fleets_has_the_size_of_the_layer_that_is_built(built: Path) -> None:
    size = sum(file.stat().st_size for file in (built / "MonitorLayer").rglob("*") if file.is_file())
    page = (PROJECT / "docs" / "fleet.md").read_text(encoding="utf-8")
    shown = re.search(r"one layer of ([\d.]+) MB unzipped", page)
    assert shown is not None
    assert float(shown[1]) == pytest.approx(size / 1e6, rel=0.03)


def test_a_folder_that_cannot_be_written_is_named(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert built.is_dir()
    (tmp_path / "dist").write_text("a file")
    monkeypatch.setattr(package, "PROJECT", tmp_path)
    assert package.main() == 2
    told = " ".join(capsys.readouterr().err.split())
    assert told == f"{tmp_path}/dist cannot be written (File exists): dist must be a folder that you may write"
