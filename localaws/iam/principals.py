"""Whom a policy may name: services of AWS, and accounts, roles and users that are there.

AWS has no list of its services' principals. Known here are those that AWS's own managed policies name, in moto's copy;
each service by the name that its actions have, in cfn-lint's copy of the service authorization reference; a few that
services' guides name alone; and every part of a known service, such as export.rds.amazonaws.com, since no source names
them all.

Differs from AWS, which knows them all: one that none of these sources has is refused here, though AWS may take it, and
a part that a known service does not have is taken.
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
PRINCIPAL = re.compile(r"([a-z0-9-]+(?:\.[a-z0-9-]+)*)\.amazonaws\.com(?:\.cn)?")
NAMED = re.compile(r'"([a-z0-9.-]+)\.amazonaws\.com"')
OF_A_REGION = re.compile(r"\.[a-z]{2}(-[a-z]+)+-[0-9]$")
# Cost Anomaly Detection, Lambda@Edge and the flow logs of VPC.
NAMED_ALONE = {"costalerts", "edgelambda", "vpc-flow-logs"}
OF_AN_ACCOUNT = re.compile(r"arn:aws:iam::([0-9]{12}):(?:(root)|(?:role|user)/.+)|(?:arn:aws:sts::[0-9]{12}:.+)")


def is_service(name: str) -> bool:
    """Whether a service of AWS, or a part of one, is called so: lambda.amazonaws.com, export.rds.amazonaws.com."""
    found = PRINCIPAL.fullmatch(name)
    if found is None:
        return False
    own = OF_A_REGION.sub("", found[1])
    whole_or_part = {own, own.rpartition(".")[2]}
    return bool(whole_or_part & _named() or whole_or_part & _with_actions())


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
def _named() -> frozenset[str]:
    """The service principals that managed policies or guides name, as far as moto has these."""
    return frozenset(NAMED.findall(aws_managed_policies_data)) | NAMED_ALONE


@functools.cache
def _with_actions() -> frozenset[str]:
    """Read only for a service that is not named."""
    package = importlib.util.find_spec("cfnlint")
    if package is None or not package.submodule_search_locations:
        return frozenset()
    file = Path(package.submodule_search_locations[0], "data", "AdditionalSpecs", "Policies.json")
    return frozenset(json.loads(file.read_text(encoding="utf-8")))
