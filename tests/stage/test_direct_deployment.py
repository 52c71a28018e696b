"""A stack is deployed without `sam` in whichever Region the local AWS plays."""

import copy
import json
import os
import subprocess
import sys
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from localaws.sandbox import Sandbox
from stage.direct_deployment import DeploymentRefused, DirectDeployer
from stage.sam_deployment import PROJECT, Deployer
from tests.quick import first_of

# The Region is chosen when a process starts.
DEPLOYS_TWICE = """
import sys
from pathlib import Path
from localaws.sandbox import Sandbox
from stage.direct_deployment import DeploymentRefused, DirectDeployer

folder = Path(sys.argv[1])
with Sandbox(folder / "aws") as sandbox:
    deployer = DirectDeployer(sandbox.endpoint_url, folder, print)
    for value in ("one", "two"):
        deployer.deploy("small", {"Value": value}, folder / "template.json")
        print(sandbox.client("ssm").get_parameter(Name="/small")["Parameter"]["ARN"], value)
"""
TEMPLATE: dict[str, Any] = {
    "Parameters": {"Value": {"Type": "String"}},
    "Resources": {
        "Small": {
            "Type": "AWS::SSM::Parameter",
            "Properties": {"Name": "/small", "Type": "String", "Value": {"Ref": "Value"}},
        }
    },
}


@pytest.mark.more
@pytest.mark.parametrize("region", first_of(["eu-central-1", "us-east-1"], in_ci=1))
def test_a_stack_is_created_and_updated_in_the_region_of_the_sandbox(region: str, tmp_path: Path) -> None:
    (tmp_path / "template.json").write_text(json.dumps(TEMPLATE))
    done = subprocess.run(
        [sys.executable, "-c", DEPLOYS_TWICE, str(tmp_path)],
        cwd=PROJECT,
        env=os.environ | {"SANDBOX_REGION": region},
        capture_output=True,
        text=True,
        check=False,
    )
    arn = f"arn:aws:ssm:{region}:123456789012:parameter/small"
    assert done.stdout.splitlines() == [f"{arn} one", f"{arn} two"], done.stderr[-2000:]


def written(path: Path, template: object) -> Path:
    path.write_text(json.dumps(template))
    return path


def declaring(**defaults: str) -> str:
    """A template that keeps the values of its parameters where they can be read."""
    kept = {"Fn::Join": [" ", [{"Fn::Sub": f"{name}=${{{name}}}"} for name in defaults]]}
    return json.dumps(
        {
            "Parameters": {name: {"Type": "String", "Default": default} for name, default in defaults.items()},
            "Resources": {
                "Small": {
                    "Type": "AWS::SSM::Parameter",
                    "Properties": {"Name": "/small", "Type": "String", "Value": kept},
                }
            },
        }
    )


@pytest.mark.parametrize("kind", [DirectDeployer, pytest.param(Deployer, marks=pytest.mark.more)])
def test_an_update_keeps_what_it_is_not_given_as_sam_does(kind: type[Deployer], tmp_path: Path) -> None:
    numbers = count()
    with Sandbox(tmp_path / "aws") as sandbox:
        deployer = kind(sandbox.endpoint_url, tmp_path, lambda _: None)

        def values(text: str, **given: str) -> str:
            # Which is read once.
            template = tmp_path / f"{next(numbers)}.json"
            template.write_text(text)
            deployer.deploy("small", given, template)
            return str(sandbox.client("ssm").get_parameter(Name="/small")["Parameter"]["Value"])

        assert values(declaring(First="1", Second="2"), First="one") == "First=one Second=2"
        assert values(declaring(First="1", Second="2"), Second="two") == "First=one Second=two"
        # Another default is for stacks that are made later.
        assert values(declaring(First="11", Second="2"), Second="two") == "First=one Second=two"
        assert values(declaring(Second="2", Third="3")) == "Second=two Third=3"
        assert values(declaring(First="1", Second="2", Third="3")) == "First=1 Second=two Third=3"


def test_each_failed_update_is_told_with_its_own_reason(tmp_path: Path) -> None:
    with Sandbox(tmp_path / "aws") as sandbox:
        deployer = DirectDeployer(sandbox.endpoint_url, tmp_path, lambda _: None)
        deployer.deploy("small", {"Value": "one"}, written(tmp_path / "good.json", TEMPLATE))
        for property_name in ("Type", "Tier"):
            bad = copy.deepcopy(TEMPLATE)
            bad["Resources"]["Small"]["Properties"][property_name] = "Wrong"
            with pytest.raises(DeploymentRefused, match=f"#/{property_name}: failed"):
                deployer.deploy("small", {"Value": "two"}, written(tmp_path / f"{property_name}.json", bad))
