"""A stack is deployed without `sam` in whichever Region the local AWS plays."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from stage.deployment import PROJECT

# The Region is chosen when a process starts.
DEPLOYS_TWICE = """
import sys
from pathlib import Path
from localaws.sandbox import Sandbox
from stage.direct_deployment import DirectDeployer

folder = Path(sys.argv[1])
with Sandbox(folder / "aws") as sandbox:
    deployer = DirectDeployer(sandbox.endpoint_url, folder, print)
    for value in ("one", "two"):
        deployer.deploy("small", {"Value": value}, folder / "template.json")
        print(sandbox.client("ssm").get_parameter(Name="/small")["Parameter"]["ARN"], value)
"""
TEMPLATE = {
    "Parameters": {"Value": {"Type": "String"}},
    "Resources": {
        "Small": {
            "Type": "AWS::SSM::Parameter",
            "Properties": {"Name": "/small", "Type": "String", "Value": {"Ref": "Value"}},
        }
    },
}


@pytest.mark.whole
@pytest.mark.parametrize("region", ["us-east-1", "eu-central-1"])
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
