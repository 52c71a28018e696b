"""A deployed stack, seen over the API of an endpoint: the one way that is the same for every local AWS."""

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import boto3
from botocore.config import Config
from botocore.exceptions import ClientError

from localaws.account import OPERATOR_KEY_ID, OPERATOR_SECRET, REGION

PATIENT = Config(retries={"mode": "standard", "total_max_attempts": 10})
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")


class NotDeployedError(LookupError):
    """The endpoint knows no such stack."""


@dataclass(frozen=True, kw_only=True)
class DeployedFunction:
    """A function's own configuration; the values of its environment name the deployed topics and functions.

    `credentials` are those of its role, by the names of the environment variables they belong in.
    """

    name: str
    handler: str
    timeout_seconds: int
    memory_megabytes: int
    environment: Mapping[str, str]
    credentials: Mapping[str, str]


class DeployedStack:
    """What a stack consists of, with that of others whose functions are tried beside it; clients for its endpoint."""

    def __init__(self, endpoint_url: str, name: str, *beside: str) -> None:
        self.endpoint_url = endpoint_url
        self.name = name
        self._clients: dict[str, Any] = {}
        resources = [resource for stack in (name, *beside) for resource in self._described(stack)]
        self._resources = [one for one in resources if one.get("PhysicalResourceId")]

    def _described(self, stack: str) -> Any:
        try:
            return self.client("cloudformation").describe_stack_resources(StackName=stack)["StackResources"]
        except ClientError as error:
            raise NotDeployedError(
                f"There is no stack {stack} in {REGION} at {self.endpoint_url}: deploy it there, or set SANDBOX_REGION "
                "to the Region that it is in"
            ) from error

    def client(self, service: str) -> Any:
        """A boto3 client for the endpoint, with credentials that mean nothing elsewhere."""
        if service not in self._clients:
            self._clients[service] = boto3.client(
                service,  # type: ignore[call-overload] # any service
                endpoint_url=self.endpoint_url,
                region_name=REGION,
                # Others ask at the same time, and CloudWatch's quotas are the account's.
                config=PATIENT,
                aws_access_key_id=OPERATOR_KEY_ID,
                aws_secret_access_key=OPERATOR_SECRET,
            )
        return self._clients[service]

    def physical_ids(self, resource_type: str) -> tuple[str, ...]:
        """What the resources of a type are really called."""
        return tuple(one["PhysicalResourceId"] for one in self._resources if one["ResourceType"] == resource_type)

    def addressed(self, event: str) -> str:
        """The text of an event, the document that it may name being the one that the stack really has."""
        for name in self.physical_ids("AWS::SSM::Document"):
            event = event.replace(f'"{self.name}-benchmark"', f'"{name}"')
        return event

    def function(self, logical_id: str) -> DeployedFunction:
        """The function as Lambda has it now, with its role assumed."""
        found = [one["PhysicalResourceId"] for one in self._resources if one["LogicalResourceId"] == logical_id]
        if not found:
            raise NotDeployedError(
                f"The stack {self.name} in {REGION} at {self.endpoint_url} has no {logical_id}: its deployment was "
                "refused or failed. Delete it, and deploy it again"
            )
        [physical_id] = found
        configuration = self.client("lambda").get_function_configuration(FunctionName=physical_id)
        assumed = self.client("sts").assume_role(
            RoleArn=configuration["Role"], RoleSessionName=configuration["FunctionName"]
        )
        return DeployedFunction(
            name=configuration["FunctionName"],
            handler=configuration["Handler"],
            timeout_seconds=configuration["Timeout"],
            memory_megabytes=configuration["MemorySize"],
            environment=configuration.get("Environment", {}).get("Variables", {}),
            credentials={
                "AWS_ACCESS_KEY_ID": assumed["Credentials"]["AccessKeyId"],
                "AWS_SECRET_ACCESS_KEY": assumed["Credentials"]["SecretAccessKey"],
                "AWS_SESSION_TOKEN": assumed["Credentials"]["SessionToken"],
            },
        )

    def close(self) -> None:
        """Close the clients' connections."""
        for client in self._clients.values():
            client.close()


def is_local_and_answers(endpoint_url: str) -> bool:
    """Whether something listens there, on this machine: an event must never be tried out on a real account."""
    parts = urlsplit(endpoint_url)
    if parts.hostname not in LOOPBACK_NAMES:
        return False
    try:
        with socket.create_connection((parts.hostname, parts.port or 80), timeout=1):
            return True
    except OSError:
        return False
