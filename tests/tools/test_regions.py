"""Which Region a verb of the Makefile works in: a deployed stack's is the shell's, and what is local needs none."""

import os
import re
import subprocess

import pytest

from stage.sam_deployment import PROJECT

MADE_FIRST = ["setup", "build", ".venv-oldest/ready", ".venv-lint/ready"]
OF_DEPLOYED_STACKS = ["benchmark", "drill", "smoke"]
STARTS_WITH_PYTHON = re.compile(
    r"^([a-z-]+):.*##.*\n\t@(?:\$\(HALF_READ\) )?(?:SANDBOX_REGION=\S+ )?\$\((?:PYTHON|RUN)\)", re.MULTILINE
)
LOCAL = sorted({*STARTS_WITH_PYTHON.findall((PROJECT / "Makefile").read_text())} - {*OF_DEPLOYED_STACKS})


def region_in(verb: str, **environment: str) -> str:
    """What the first command of a verb finds as AWS_DEFAULT_REGION: it is not run, only told."""
    shell = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "MAKE"))}
    told = 'PYTHON=echo "[$$AWS_DEFAULT_REGION]"; exit #'
    done = subprocess.run(
        ["make", verb, "--silent", *(f"--old-file={made}" for made in MADE_FIRST if made != verb), told],
        cwd=PROJECT,
        env=shell | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()[0]


@pytest.mark.parametrize("verb", OF_DEPLOYED_STACKS)
def test_a_verb_for_a_deployed_stack_takes_no_region_that_the_shell_has_not(verb: str) -> None:
    assert region_in(verb) == "[]"
    assert region_in(verb, AWS_DEFAULT_REGION="eu-central-1") == "[eu-central-1]"


@pytest.mark.parametrize(
    "verb",
    # Its second line is run, whatever the first one is.
    [pytest.param(verb, marks=pytest.mark.needs(verb)) if verb == "shellcheck" else verb for verb in LOCAL],
)
def test_a_local_verb_works_without_a_region(verb: str) -> None:
    assert region_in(verb) == "[us-east-1]"
    assert region_in(verb, AWS_DEFAULT_REGION="eu-central-1") == "[eu-central-1]"


def test_the_local_verbs_are_found() -> None:
    assert {"demo", "sandbox", "invoke", "unit", "prove"} <= {*LOCAL}
