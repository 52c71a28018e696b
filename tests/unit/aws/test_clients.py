"""The clients of a Lambda environment."""

import os
import subprocess
import sys

import pytest
from efs_monitor.aws.runtime import Clients

# With credentials at hand nobody asks the network for some.
LAMBDA_ENVIRONMENT = {
    "AWS_DEFAULT_REGION": "eu-central-1",
    "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
    "AWS_SECRET_ACCESS_KEY": "example",
}

# Folders listed by Python's own imports are not counted: only those of botocore's data.
LISTED_FOLDERS = """\
import os
import sys

listed = set()
sys.addaudithook(lambda event, given: listed.add(str(given[0])) if event == "os.listdir" else None)

from efs_monitor.aws.runtime import Clients

clients = Clients()
clients.cloudformation, clients.cloudwatch, clients.efs, clients.kms, clients.sns, clients.ssm, clients.ssm_once
print(*sorted({os.path.basename(path) for path in listed if f"botocore{os.sep}data" in path}))
"""


@pytest.mark.whole
@pytest.mark.parametrize(
    ("client_name", "service_id"),
    [
        ("cloudformation", "CloudFormation"),
        ("cloudwatch", "CloudWatch"),
        ("efs", "EFS"),
        ("kms", "KMS"),
        ("sns", "SNS"),
        ("ssm", "SSM"),
        ("ssm_once", "SSM"),
    ],
)
def test_each_client_speaks_to_its_service(client_name: str, service_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in LAMBDA_ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    assert str(getattr(Clients(), client_name).meta.service_model.service_id) == service_id


@pytest.mark.parametrize("environment", [{"AWS_LAMBDA_FUNCTION_NAME": "home-Explain"}, {}], ids=["Lambda", "else"])
def test_in_lambda_alone_garbage_is_looked_for_seldom(environment: dict[str, str]) -> None:
    answered = subprocess.run(
        [sys.executable, "-c", "import gc, efs_monitor.aws; print(gc.get_threshold()[0])"],
        env={name: value for name, value in os.environ.items() if not name.startswith("AWS_")} | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (int(answered.stdout) > 70_000) is bool(environment)


@pytest.mark.whole
def test_a_cold_start_looks_into_no_other_service_s_folder() -> None:
    answered = subprocess.run(
        [sys.executable, "-c", LISTED_FOLDERS],
        env=os.environ | LAMBDA_ENVIRONMENT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert answered.stdout.split() == ["cloudformation", "cloudwatch", "efs", "kms", "sns", "ssm"]
