"""What the custom resource refuses, as `sam deploy` prints it: whole, and what must be changed first.

Its last line is another: it tells what SAM's waiter saw, and no more. The sentence is among the events, in the last of
four columns, and CloudFormation has put words of its own in front. The table is printed by SAM's own code here.
"""

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from efs_monitor.aws import custom_resource

from tests.stage.monitor.conftest import FILE_SYSTEM_ID, STACK_NAME, Context, Desk, WatchedHome
from tests.stage.monitor.faults import DENIED, InjectedFailure

SAM_PYTHON = Path(__file__).parents[3] / ".venv-sam" / "bin" / "python"
CLOUDFORMATION_SAYS = "Received response status [FAILED] from custom resource. Message returned: "
FIRST_CHARACTERS = 60

# How SAM's deployer writes a row; to import the deployer itself takes a second.
COLUMNS = "{ResourceStatus:<{0}} {ResourceType:<{1}} {LogicalResourceId:<{2}} {ResourceStatusReason:<{3}}"
PRINTED_BY_SAM = """
import re, sys
from samcli.commands._utils.table_print import pprint_column_names, pprint_columns

row, reason = sys.argv[1:]
names = {name: name for name in re.findall("{([A-Za-z]+)", row)}

@pprint_column_names(row, names)
def table(**given):
    events = ["CREATE_FAILED", "Custom::EfsBurstCreditThresholds", "Thresholds", reason]
    pprint_columns(columns=events, format_string=row, columns_dict=dict(names), **given)

table()
"""


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(custom_resource, "sleep", lambda _: None)


def refusal(home: WatchedHome, desk: Desk, properties: Mapping[str, str]) -> str:
    """The reason of a first deployment that is refused."""
    event = {
        "RequestType": "Create",
        "ResponseURL": desk.url,
        "StackId": f"arn:aws:cloudformation:us-east-1:123456789012:stack/{STACK_NAME}/6f1e0a70",
        "RequestId": "d1c2b3a4-0000-4000-8000-000000000001",
        "LogicalResourceId": "Thresholds",
        "ResourceProperties": {
            "FileSystemId": FILE_SYSTEM_ID,
            "WarningMinutes": "180",
            "CriticalMinutes": "60",
            "RiseTolerancePercent": "10",
            "RunbookUrl": "",
            **properties,
        },
    }
    home.call("apply_on_deploy", event, Context(28_000))
    (answer,) = desk.answers
    assert answer["Status"] == "FAILED"
    return str(answer["Reason"])


def shown(reason: str) -> str:
    """What the column of reasons says in a terminal of 80 columns, its lines put together again."""
    command = [str(SAM_PYTHON), "-c", PRINTED_BY_SAM, COLUMNS, CLOUDFORMATION_SAYS + reason]
    environment = {"COLUMNS": "80", "PATH": "/usr/bin:/bin", "SAM_CLI_TELEMETRY": "0"}
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    _, head, _, *rows, _, _ = printed.split("\n")[:-1]
    begin = head.index("ResourceStatusReason")
    return "".join(row[begin:].strip() for row in rows)


def test_sam_still_writes_its_rows_like_that() -> None:
    (deployer,) = SAM_PYTHON.parent.parent.glob("lib/python3*/site-packages/samcli/lib/deploy/deployer.py")
    assert COLUMNS in deployer.read_text()


def nowhere(_: WatchedHome) -> None:
    """There is no such file system."""


def denied(home: WatchedHome) -> None:
    home.create_file_system()
    home.faults.fail("DescribeFileSystems", DENIED)


def wordy(home: WatchedHome) -> None:
    home.create_file_system()
    home.faults.fail("DescribeFileSystems", InjectedFailure(status=400, code="BadRequest", message="x" * 9_000))


REFUSED: Mapping[str, tuple[Callable[[WatchedHome], None], Mapping[str, str], str]] = {
    "an unknown file system": (nowhere, {}, f"no file system {FILE_SYSTEM_ID}"),
    "lead times too close": (WatchedHome.create_file_system, {"CriticalMinutes": "161"}, "CriticalMinutes is 161"),
    "a fraction": (WatchedHome.create_file_system, {"WarningMinutes": "60.5"}, "WarningMinutes is '60.5'"),
    "Max I/O": (lambda home: home.create_file_system(performance_mode="maxIO"), {"IoLimitAlarm": "on"}, "IoLimitAlarm"),
    "denied access": (denied, {}, "Not allowed to call elasticfilesystem:DescribeFileSystems"),
    "the longest answer of AWS": (wordy, {}, "elasticfilesystem:DescribeFileSystems"),
}


@pytest.mark.whole
@pytest.mark.parametrize("case", REFUSED)
def test_sam_prints_all_of_it_and_what_is_wrong_comes_first(home: WatchedHome, desk: Desk, case: str) -> None:
    prepare, properties, what_is_wrong = REFUSED[case]
    prepare(home)
    reason = refusal(home, desk, properties)
    assert what_is_wrong in reason[:FIRST_CHARACTERS]
    # Lines break between words, and within what is longer than a line.
    assert shown(reason).replace(" ", "") == (CLOUDFORMATION_SAYS + reason).replace(" ", "")
