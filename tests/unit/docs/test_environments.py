"""Each environment that is shown can be deployed again without changes, and removed without taking others' code."""

import re
import tomllib
from typing import Any

import pytest

from stage.sam_deployment import PROJECT


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


TWO_COMMANDS = re.compile(r"^aws cloudformation (?:.*\\\n)*.*$", re.MULTILINE)


def test_who_opens_the_readme_has_deployed_within_its_first_page_with_no_more_than_the_command_line_of_aws() -> None:
    readme = (PROJECT / "README.md").read_text()
    lines = readme.splitlines()
    assert len(lines) <= 200
    first = re.findall(r"```sh\n(.*?)```", readme.partition("## Deploy it")[2], re.DOTALL)[0]
    shown = TWO_COMMANDS.findall(first)
    # The same that are tried in a root without Python and SAM.
    assert shown == TWO_COMMANDS.findall((PROJECT / "docs" / "deployment.md").read_text())[:2]
    assert "".join(shown).splitlines()[-1] in "".join(lines[:80])


def test_whoever_has_the_repository_is_shown_sam_next() -> None:
    readme = (PROJECT / "README.md").read_text()
    assert 0 < readme.index("aws cloudformation deploy") < readme.index("sam build && sam deploy --config-env home")


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
