"""What makes a release, and the examples that deploy one: one version, pinned actions, every parameter by name."""

import ast
import re
import subprocess
import tempfile
from pathlib import Path

import pytest
import yaml

from operate.template_files import as_written
from stage.sam_deployment import PROJECT
from tools.package import version

WORKFLOWS = PROJECT / ".github" / "workflows"
WORKFLOW = WORKFLOWS / "release.yml"
TERRAFORM = PROJECT / "examples" / "terraform" / "main.tf"
CDK = PROJECT / "examples" / "cdk" / "app.py"
DEFAULTS = {
    name: str(one.get("Default", "")) for name, one in as_written(PROJECT / "template.yaml")["Parameters"].items()
}


def test_the_version_stands_in_one_place_only() -> None:
    places = [
        path for folder in ("src", "operate", "tools", "stage", "examples") for path in (PROJECT / folder).rglob("*")
    ]
    texts = [path for path in [*places, PROJECT / "template.yaml", PROJECT / "Makefile"] if path.suffix != ".pyc"]
    ours = re.compile(rf"(?<![\d.]){re.escape(version())}(?![\d.])")
    assert [path.name for path in texts if path.is_file() and ours.search(path.read_bytes().decode("latin1"))] == []


def test_every_action_of_every_workflow_is_pinned_by_a_commit_and_named_by_its_version() -> None:
    used = [found for path in WORKFLOWS.iterdir() for found in re.findall(r"uses: (?!\./)(\S+)(.*)", path.read_text())]
    assert len(used) == 5
    for action, behind in used:
        assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", action)
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", behind)
    assert len({action.partition("@")[0] for action, _ in used}) == len(set(used))


def test_no_workflow_leaves_the_token_in_the_folder_that_it_has_checked_out() -> None:
    for path in WORKFLOWS.iterdir():
        (job,) = (one for one in yaml.safe_load(path.read_text())["jobs"].values() if "steps" in one)
        (checkout,) = [step for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
        assert checkout["with"] == {"persist-credentials": False}


def test_only_the_job_that_releases_may_write_and_only_a_tag_starts_it() -> None:
    workflow = yaml.safe_load(WORKFLOW.read_text())
    # YAML reads the word `on` as true.
    assert workflow[True] == {"push": {"tags": ["v*"]}}
    assert workflow["permissions"] == {"contents": "read"}
    assert {name for name, job in workflow["jobs"].items() if "permissions" in job} == {"release"}
    assert workflow["jobs"]["release"]["permissions"] == {"contents": "write"}


def test_a_release_passes_all_that_ci_runs_before_anything_is_packed() -> None:
    jobs, ci = yaml.safe_load(WORKFLOW.read_text())["jobs"], yaml.safe_load((WORKFLOWS / "ci.yml").read_text())
    assert jobs["checks"] == {"uses": "./.github/workflows/ci.yml"}
    assert jobs["release"]["needs"] == "checks"
    assert "workflow_call" in ci[True]
    assert "make package" in [step.get("run") for step in jobs["release"]["steps"]]


def step(name: str) -> str:
    """The shell of a step of the release, by its name."""
    (found,) = (
        one for one in yaml.safe_load(WORKFLOW.read_text())["jobs"]["release"]["steps"] if one.get("name") == name
    )
    return str(found["run"])


def run_as_a_release(script: str, folder: Path, tag: str) -> subprocess.CompletedProcess[str]:
    """As the workflow's runner does, on a tag."""
    environment = {
        "PATH": f"{PROJECT}/.venv/bin:/usr/bin:/bin",
        "GITHUB_REF_NAME": tag,
        # So that what it leaves there is noticed.
        "TMPDIR": tempfile.gettempdir(),
    }
    return subprocess.run(
        ["bash", "-e", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_only_a_tag_of_the_very_version_makes_a_release() -> None:
    script = step("The tag is the version of pyproject.toml")
    assert run_as_a_release(script, PROJECT, f"v{version()}").returncode == 0
    assert run_as_a_release(script, PROJECT, "v99.0.0").returncode == 1


def test_the_notes_of_a_release_are_what_the_changelog_says_of_its_version(tmp_path: Path) -> None:
    script = step("The notes are what the changelog says of this version")
    (tmp_path / "CHANGELOG.md").write_text(
        "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2027-01-07\n\n- New.\n\n## [1.2.0-rc1]\n\n- Old.\n"
    )
    assert run_as_a_release(script, tmp_path, "v1.2.0").returncode == 0
    assert (tmp_path / "notes.md").read_text() == "## [1.2.0] - 2027-01-07\n\n- New.\n\n"
    assert run_as_a_release(script, tmp_path, "v1.2.1").returncode == 1


@pytest.mark.parametrize(("packed", "status"), [("echo same", 0), ("pwd", 1)])
def test_a_release_that_the_same_sources_do_not_make_again_in_another_folder_is_none(
    tmp_path: Path, packed: str, status: int
) -> None:
    """A Makefile whose bundle says where it was made stands for whatever depends on that."""
    (tmp_path / "Makefile").write_text(f"package:\n\t@mkdir -p dist && {packed} >dist/efs-monitor.zip\n")
    script = step("The same sources make the same bytes in another folder")
    git = "git -c user.name=x -c user.email=x@example.com"
    commit = f"git init -q . && git add Makefile && {git} commit -q -m x && make package"
    assert run_as_a_release(commit, tmp_path, "v1.0.0").returncode == 0
    assert run_as_a_release(script, tmp_path, "v1.0.0").returncode == status


def test_the_example_for_terraform_names_every_parameter_at_its_default() -> None:
    merged = re.search(r"parameters = merge\(\{\n(.*?)\n  \}, var.parameters\)", TERRAFORM.read_text(), re.DOTALL)
    assert merged is not None
    given = dict(re.findall(r"^\s+(\w+)\s+= (.+)$", merged[1], re.MULTILINE))
    assert list(given) == list(DEFAULTS)
    own = {"FileSystemId": "var.file_system_id", "AlertEmail": "var.alert_email"}
    assert given == {name: f'"{default}"' for name, default in DEFAULTS.items()} | own


def test_the_example_for_cdk_names_every_parameter_and_its_default() -> None:
    (assigned,) = (
        node.value
        for node in ast.parse(CDK.read_text()).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PARAMETERS"
    )
    given = ast.literal_eval(assigned)
    assert list(given) == list(DEFAULTS)
    own = {"FileSystemId": given["FileSystemId"], "AlertEmail": given["AlertEmail"]}
    assert given == DEFAULTS | own


def test_the_command_for_cdk_deploys_with_the_values_that_stand_in_the_example() -> None:
    """CDK's own default takes those of the last deployment for whatever the template has a parameter of."""
    (command,) = re.findall(r"cdk deploy .*", CDK.read_text())
    assert command.startswith("cdk deploy --no-previous-parameters ")
