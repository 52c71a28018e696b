"""Each environment that is shown can be deployed again without changes, and removed without taking others' code."""

import re
import tomllib
from typing import Any

import pytest

from stage.deployment import PROJECT


def environments() -> dict[str, dict[str, Any]]:
    """What `sam deploy` is told in samconfig.toml and in the README, by environment."""
    shown = re.findall(r"```toml\n(.*?)```", (PROJECT / "README.md").read_text(), re.DOTALL)
    found = {}
    for text in [(PROJECT / "samconfig.toml").read_text(), *shown]:
        for name, commands in tomllib.loads(text).items():
            if isinstance(commands, dict) and "deploy" in commands:
                found[name] = commands["deploy"]["parameters"]
    return found


def test_the_readme_and_samconfig_show_one_each() -> None:
    assert environments().keys() == {"example", "home"}


def test_who_opens_the_readme_has_deployed_within_its_first_page() -> None:
    lines = (PROJECT / "README.md").read_text().splitlines()
    assert len(lines) <= 200
    assert "sam build && sam deploy --config-env home" in lines[:80]


@pytest.mark.parametrize("name", environments())
def test_its_code_lies_in_a_folder_of_its_own(name: str) -> None:
    parameters = environments()[name]
    assert parameters["resolve_s3"] is True
    assert parameters["s3_prefix"] == parameters["stack_name"]


@pytest.mark.parametrize("name", environments())
def test_a_deployment_without_changes_succeeds_and_asks_nothing(name: str) -> None:
    parameters = environments()[name]
    assert parameters["fail_on_empty_changeset"] is False
    assert parameters["confirm_changeset"] is False
