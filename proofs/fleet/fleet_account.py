"""A fleet in a sandbox: its stack, a release whose monitor stacks are small, file systems, and runs of its function."""

import copy
import functools
import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from efs_monitor.aws.runtime import Clients
from efs_monitor.fleet.monitor_stack import REVIEWED
from efs_monitor.usecases.stored_notes import Memory, recall

from localaws.account import OPERATOR_KEY_ID, OPERATOR_SECRET, REGION
from localaws.file_systems import Size
from localaws.sandbox import Sandbox
from operate.template_files import FLEET_TEMPLATE, as_written, template
from stage.direct_deployment import create_bucket, deploy
from stage.home import Context, close, environment, load
from stage.sam_deployment import PROJECT

NAME = "efs-fleet"
BUCKET = "releases"
KEY = "efs-monitor-1/template.json"
EMAIL = "storage-team@example.com"
FUNCTION = "ReconcileFleet"
HANDLER = "reconcile_fleet"
SERVICES = ("cloudformation", "cloudwatch", "efs", "sns", "ssm")


def file_system_id(number: int) -> str:
    return f"fs-{number:017x}"


# Read once: each test has a fleet of its own, and reading a template takes longer than a run.
_monitor = functools.cache(template)
_fleet = functools.cache(lambda: as_written(FLEET_TEMPLATE))


def small_monitor() -> dict[str, Any]:
    """The monitor's description and parameters, and one resource, which fails where BenchmarkPath is taken."""
    own = _monitor()
    return {
        "Description": own["Description"],
        "Parameters": copy.deepcopy(own["Parameters"]),
        "Conditions": {"Named": {"Fn::Not": [{"Fn::Equals": [{"Ref": "BenchmarkPath"}, ""]}]}},
        "Resources": {
            "ToldParameter": {
                "Type": "AWS::SSM::Parameter",
                "Properties": {
                    "Name": {
                        "Fn::If": [
                            "Named",
                            {"Ref": "BenchmarkPath"},
                            {"Fn::Sub": "/efs-monitor/${AWS::StackName}/told"},
                        ]
                    },
                    "Type": "String",
                    "Value": {"Ref": "WarningMinutes"},
                },
            }
        },
    }


@contextmanager
def in_sandbox(sandbox: Sandbox, key_id: str = OPERATOR_KEY_ID) -> Iterator[None]:
    """This process's own boto3 reaches the sandbox, as a function's does."""
    with environment(
        {
            "AWS_ENDPOINT_URL": sandbox.endpoint_url,
            "AWS_ACCESS_KEY_ID": key_id,
            "AWS_SECRET_ACCESS_KEY": OPERATOR_SECRET,
            "AWS_DEFAULT_REGION": REGION,
        }
    ):
        yield


class RunFailed(Exception):
    """The deployed function ended with an error, which Lambda answers."""


def wait(waiter: Any, stack_name: str) -> None:
    """Wait for what CloudFormation is at, on a busy machine too."""
    waiter.config.delay, waiter.config.max_attempts = 0.02, 3_000
    waiter.wait(StackName=stack_name)


@dataclass
class FleetAccount:
    """The account of a fleet, whose function runs deployed, or in this process where it is to be disturbed."""

    sandbox: Sandbox
    name: str = NAME

    def release(self, content: dict[str, Any], key: str = KEY) -> None:
        """Put a template into the bucket of releases."""
        s3 = self.sandbox.client("s3")
        create_bucket(s3, BUCKET)
        s3.put_object(Bucket=BUCKET, Key=key, Body=json.dumps(content).encode())

    def deploy(self, tags: Mapping[str, str] | None = None, **parameters: str) -> None:
        """Create or update the fleet's own stack, which keeps its tags unless it is given others."""
        given = {
            "FleetName": self.name,
            "ReleaseBucket": BUCKET,
            "ReleaseTemplate": KEY,
            "AlertEmail": EMAIL,
            "DigestHour": "0",
            **parameters,
        }
        s3, cloudformation = self.sandbox.client("s3"), self.sandbox.client("cloudformation")
        deploy(s3, cloudformation, self.name, given, PROJECT / "fleet.yaml", tags=tags)

    def file_system(self, number: int, **tags: str) -> None:
        """A file system, which has these tags from now on; names of parameters are those of the monitor's own tags."""
        name = file_system_id(number)
        efs = self.sandbox.client("efs")
        there = efs.get_paginator("describe_file_systems").paginate().build_full_result()["FileSystems"]
        if all(one["FileSystemId"] != name for one in there):
            self.sandbox.file_systems.create(name, Size(standard_bytes=100 * 2**30))
        given = [
            {"Key": f"efs-monitor:{key}" if key[:1].isupper() else key, "Value": value} for key, value in tags.items()
        ]
        efs.tag_resource(ResourceId=name, Tags=given)

    def run(self) -> dict[str, Any]:
        """The deployed function, started as its schedule does, at an hour of its own; what it answers.

        Raises RunFailed with the function's own words where it ended with an error.
        """
        # The clock may stand still between two runs: else both would take from the quotas of the same seconds.
        self.sandbox.quotas.second_passes()
        answer = self.sandbox.client("lambda").invoke(
            FunctionName=self.function, Payload=json.dumps(self.event).encode()
        )
        found: dict[str, Any] = json.loads(answer["Payload"].read())
        self.settle()
        if "FunctionError" in answer:
            raise RunFailed(found["errorMessage"])
        return found

    def run_here(self, disturb: Callable[[Clients], None] = lambda _: None) -> dict[str, Any]:
        """The function's own code in this process, with clients that somebody may disturb; what it answers."""
        module = load(HANDLER)
        disturb(module.clients)
        try:
            return self.call(module)
        finally:
            close(module.clients)

    def call(self, module: ModuleType) -> dict[str, Any]:
        """Call a handler that was loaded here, with the environment that the deployed function has."""
        with environment(self.variables):
            answer: dict[str, Any] = module.handler(self.event, Context())
        return answer

    @property
    def variables(self) -> dict[str, str]:
        """The environment of the deployed function."""
        found = self.sandbox.client("lambda").get_function_configuration(FunctionName=self.function)
        return {**found["Environment"]["Variables"], "AWS_REGION": REGION}

    def settle(self) -> None:
        """Wait until CloudFormation has ended everything that it is at."""
        for stack in self.described().values():
            # Of a change set that nobody executes it never ends.
            if stack["StackStatus"].endswith("_IN_PROGRESS") and stack["StackStatus"] != REVIEWED:
                kind = stack["StackStatus"].partition("_")[0].lower()
                waiter = self.sandbox.client("cloudformation").get_waiter(f"stack_{kind}_complete")
                wait(waiter, stack["StackId"])

    def described(self) -> dict[str, dict[str, Any]]:
        """Every stack but the fleet's own, by its name."""
        pages = self.sandbox.client("cloudformation").get_paginator("describe_stacks").paginate()
        found = pages.build_full_result()["Stacks"]
        return {one["StackName"]: one for one in found if one["StackName"] not in {NAME, self.name}}

    def statuses(self) -> dict[str, str]:
        """How each of those stands."""
        return {name: one["StackStatus"] for name, one in self.described().items()}

    def failures(self) -> dict[str, list[str]]:
        """Of each of those that failed: every reason that CloudFormation gives."""
        cloudformation = self.sandbox.client("cloudformation")
        return {
            name: [
                event["ResourceStatusReason"]
                for event in cloudformation.describe_stack_events(StackName=one["StackId"])["StackEvents"]
                if event["ResourceStatus"].endswith("_FAILED")
            ]
            for name, one in self.described().items()
            if re.search("FAILED|ROLLBACK", one["StackStatus"])
        }

    def parameter(self, number: int, name: str) -> str:
        """What the stack of a file system has for a parameter."""
        stack = self.described()[f"{self.name}-{file_system_id(number)}"]
        (found,) = [one["ParameterValue"] for one in stack["Parameters"] if one["ParameterKey"] == name]
        return str(found)

    def memory(self) -> Memory:
        """What its function remembers."""
        return recall(self.sandbox.client("ssm"), self.variables["NOTES_PARAMETER"])

    def digests(self) -> list[str]:
        """Every digest so far."""
        return [mail.body for mail in self.sandbox.mailbox.mails if f": fleet {self.name}: " in (mail.subject or "")]

    @property
    def function(self) -> str:
        """The name that CloudFormation made up for the fleet's function."""
        found = self.sandbox.client("cloudformation").describe_stack_resource(
            StackName=self.name, LogicalResourceId=FUNCTION
        )
        return str(found["StackResourceDetail"]["PhysicalResourceId"])

    @property
    def event(self) -> dict[str, str]:
        """What the schedule sends."""
        written = _fleet()["Resources"]["ReconcileFleetSchedule"]["Properties"]["Target"]
        event: dict[str, str] = json.loads(written["Input"]["Fn::Sub"].replace("${FleetName}", self.name))
        return event
