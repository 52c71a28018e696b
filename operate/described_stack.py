"""A deployed stack of the monitor: its resources and parameters, and the clients to look at them with."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from operate.environment import Refused

NEVER_DEPLOYED = frozenset({"ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "CREATE_FAILED", "REVIEW_IN_PROGRESS"})


@dataclass(frozen=True, kw_only=True)
class Resource:
    """One resource as CloudFormation lists it."""

    logical_id: str
    physical_id: str
    kind: str
    status: str


class Account:
    """boto3 clients for one Region of the account of a profile, or of whatever account the shell is in.

    Raises botocore's ProfileNotFound where there is no such profile.
    """

    def __init__(self, region: str, profile: str | None = None) -> None:
        self.region = region
        self._session = boto3.Session(region_name=region, profile_name=profile)
        self._clients: dict[str, Any] = {}

    def client(self, service: str) -> Any:
        """The client of a service, made once."""
        if service not in self._clients:
            # A function may take its three minutes, and asking it a second time would ask for a second benchmark.
            config = Config(read_timeout=190, retries={"total_max_attempts": 1}) if service == "lambda" else None
            self._clients[service] = self._session.client(service, config=config)  # type: ignore[call-overload] # any service
        return self._clients[service]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give back every connection."""
        for client in self._clients.values():
            client.close()


@dataclass(frozen=True, kw_only=True)
class DescribedStack:
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

    def topic_arn(self, logical_id: str) -> str:
        """The topic that the stack made under this id, or was given in its place."""
        return self.given_topic(logical_id) or self.physical_id(logical_id)

    def given_topic(self, logical_id: str) -> str:
        """The topic that the stack was given instead of making this one; empty where it made it."""
        return self.parameters.get(f"{logical_id}Arn", "")


def described_stack(account: Account, name: str) -> dict[str, Any] | None:
    """What CloudFormation says of a stack; None where there is none. Any other refusal is raised as it is."""
    try:
        (described,) = account.client("cloudformation").describe_stacks(StackName=name)["Stacks"]
    except ClientError as error:
        if "does not exist" in str(error.response["Error"].get("Message")):
            return None
        raise
    found: dict[str, Any] = described
    return found


def find_stack(account: Account, name: str) -> DescribedStack:
    """The stack; Refused where it is absent, was never whole, or is in the middle of something."""
    described = described_stack(account, name)
    if described is None:
        raise Refused(
            f"There is no stack {name} in {account.region}: deploy it first, or set the credentials and the Region "
            "that it is in"
        )
    status = described["StackStatus"]
    if status in NEVER_DEPLOYED:
        raise Refused(f"The stack {name} is {status}: its deployment failed, delete it (sam delete) and deploy again")
    if not status.endswith("_COMPLETE") or status.startswith("DELETE"):
        raise Refused(f"The stack {name} is {status}: wait until that is over, or repair it")
    cloudformation = account.client("cloudformation")
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
    return DescribedStack(
        account=account,
        name=name,
        resources={one.logical_id: one for one in resources},
        parameters={one["ParameterKey"]: one["ParameterValue"] for one in described.get("Parameters", [])},
    )
