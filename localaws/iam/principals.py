"""Whom a policy may name: services of AWS, and accounts, roles and users that are there.

AWS has no list of its services' principals. Known here are those that AWS's own managed policies name, in moto's copy;
each service by the name that its actions have, in cfn-lint's copy of the service authorization reference; and a few
that services' guides name alone.
"""

import functools
import importlib.util
import json
import re
from pathlib import Path
from typing import Any

from moto.iam.aws_managed_policies import aws_managed_policies_data
from moto.iam.models import iam_backends

from localaws.account import ACCOUNT_ID
from localaws.iam.policy import listed

PARTITION = "aws"
DOMAIN = re.compile(r"\.amazonaws\.com(\.cn)?$")
NAMED = re.compile(r'"([a-z0-9.-]+)\.amazonaws\.com"')
OF_A_REGION = re.compile(r"\.[a-z]{2}(-[a-z]+)+-[0-9]$")
NAMED_ALONE = {
    *("edgelambda", "lambda.alarms.cloudwatch", "monitoring.rds", "ops.apigateway", "replicator.lambda"),
    "vpc-flow-logs",
}
OF_AN_ACCOUNT = re.compile(r"arn:aws:iam::([0-9]{12}):(?:(root)|(?:role|user)/.+)|(?:arn:aws:sts::[0-9]{12}:.+)")


def is_service(name: str) -> bool:
    """Whether a service of AWS is called so, such as lambda.amazonaws.com."""
    if not DOMAIN.search(name):
        return False
    own = OF_A_REGION.sub("", DOMAIN.sub("", name))
    return own in _in_managed_policies() or own in NAMED_ALONE or own in _with_actions()


def unknown_principals(principal: Any) -> list[tuple[str, str]]:
    """Each that nobody is, of a statement's Principal, with its kind: AWS or SERVICE."""
    if not isinstance(principal, dict):
        return []
    services = [("SERVICE", one) for one in listed(principal.get("Service")) if not is_service(one)]
    return services + [("AWS", one) for one in listed(principal.get("AWS")) if not _is_somebody(one)]


def is_known(principal: str) -> bool:
    """Whether one that stands alone, as in a permission of Lambda, is a service or somebody."""
    return is_service(principal) or _is_somebody(principal)


def _is_somebody(principal: str) -> bool:
    """Of another account only the form is known; of this one, whether there is such a role or user."""
    if principal == "*" or re.fullmatch("[0-9]{12}", principal):
        return True
    found = OF_AN_ACCOUNT.fullmatch(principal)
    if found is None or found[1] != ACCOUNT_ID or found[2]:
        return found is not None
    backend = iam_backends[ACCOUNT_ID][PARTITION]
    return principal in {one.arn for one in [*backend.roles.values(), *backend.users.values()]}


@functools.cache
def _in_managed_policies() -> frozenset[str]:
    return frozenset(NAMED.findall(aws_managed_policies_data))


@functools.cache
def _with_actions() -> frozenset[str]:
    """Read only for a service that no managed policy names."""
    package = importlib.util.find_spec("cfnlint")
    if package is None or not package.submodule_search_locations:
        return frozenset()
    file = Path(package.submodule_search_locations[0], "data", "AdditionalSpecs", "Policies.json")
    return frozenset(json.loads(file.read_text(encoding="utf-8")))
