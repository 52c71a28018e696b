"""A deployed stack of the monitor: its resources and parameters, and the clients to look at them with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from tools.operations.environment import Refused


@dataclass(frozen=True, kw_only=True)
class Resource:
    """One resource as CloudFormation lists it."""

    logical_id: str
    physical_id: str
    kind: str
    status: str


class Account:
    """boto3 clients for one Region of whatever account the shell is in."""

    def __init__(self, region: str) -> None:
        self.region = region
        self._clients: dict[str, Any] = {}

    def client(self, service: str) -> Any:
        """The client of a service, made once."""
        if service not in self._clients:
            # A function may take its three minutes, and asking it a second time would ask for a second benchmark.
            config = Config(read_timeout=190, retries={"total_max_attempts": 1}) if service == "lambda" else None
            self._clients[service] = boto3.client(  # type: ignore[call-overload]
                service, region_name=self.region, config=config
            )
        return self._clients[service]

    def close(self) -> None:
        """Give back every connection."""
        for client in self._clients.values():
            client.close()


@dataclass(frozen=True, kw_only=True)
class Stack:
    """A stack that exists and is not being changed."""

    account: Account
    name: str
    resources: Mapping[str, Resource]
    parameters: Mapping[str, str]

    def physical_id(self, logical_id: str) -> str:
        """The id of a resource of this template; Refused where the stack has no such resource."""
        if logical_id not in self.resources:
            raise Refused(f"The stack {self.name} has no {logical_id}: it is no stack of this monitor, or an old one")
        return self.resources[logical_id].physical_id


def find_stack(account: Account, name: str) -> Stack:
    """The stack; Refused where it is absent or in the middle of something."""
    cloudformation = account.client("cloudformation")
    try:
        (described,) = cloudformation.describe_stacks(StackName=name)["Stacks"]
    except ClientError as error:
        raise Refused(
            f"There is no stack {name} in {account.region} ({error.response['Error'].get('Message', '')}): deploy it "
            "first, or set the credentials of its account"
        ) from error
    if not described["StackStatus"].endswith("_COMPLETE") or described["StackStatus"].startswith("DELETE"):
        raise Refused(f"The stack {name} is {described['StackStatus']}: wait until that is over, or repair it")
    pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=name)
    resources = [
        Resource(
            logical_id=found["LogicalResourceId"],
            physical_id=found.get("PhysicalResourceId", ""),
            kind=found["ResourceType"],
            status=found["ResourceStatus"],
        )
        for page in pages
        for found in page["StackResourceSummaries"]
    ]
    return Stack(
        account=account,
        name=name,
        resources={one.logical_id: one for one in resources},
        parameters={one["ParameterKey"]: one["ParameterValue"] for one in described.get("Parameters", [])},
    )
