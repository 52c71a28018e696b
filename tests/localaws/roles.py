"""Roles for functions of a test, made by hand."""

import json
from typing import Any

from localaws.sandbox import Sandbox

ANYTHING = {"Effect": "Allow", "Action": "*", "Resource": "*"}


def unlimited_role(sandbox: Sandbox) -> str:
    """For functions and schedules of tests that are about something else: it may do everything. Returns its ARN."""
    return role(sandbox, "functions", [ANYTHING])


def role(
    sandbox: Sandbox,
    name: str,
    statements: list[dict[str, Any]],
    services: tuple[str, ...] = ("lambda.amazonaws.com", "scheduler.amazonaws.com"),
) -> str:
    """A role that trusts these services and allows these statements; returns its ARN."""
    trust = [{"Effect": "Allow", "Principal": {"Service": list(services)}, "Action": "sts:AssumeRole"}]
    iam = sandbox.client("iam")
    created = iam.create_role(RoleName=name, AssumeRolePolicyDocument=_document(trust))
    if statements:
        iam.put_role_policy(RoleName=name, PolicyName=name, PolicyDocument=_document(statements))
    return str(created["Role"]["Arn"])


def _document(statements: list[dict[str, Any]]) -> str:
    return json.dumps({"Version": "2012-10-17", "Statement": statements})
