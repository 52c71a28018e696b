"""The one account and Region the sandbox plays; the environment of the process may choose another Region."""

import os
import sys

from botocore.loaders import Loader

ACCOUNT_ID = "123456789012"
REGION = os.environ.get("SANDBOX_REGION") or "us-east-1"
# With which every command ends that is given what it cannot use.
REFUSED = 2
OPERATOR_KEY_ID = "AKIASANDBOXOPERATOR0"
OPERATOR_SECRET = "sandbox"  # noqa: S105 - opens nothing
"""Credentials of whoever deploys to the sandbox: no role is held against them."""


def _region_name() -> str:
    partitions = Loader().load_data("endpoints")["partitions"]
    named = {one["partition"]: one["regions"][REGION]["description"] for one in partitions if REGION in one["regions"]}
    if "aws" in named:
        return str(named["aws"])
    print(f"The Region of the local AWS (REGION of make, SANDBOX_REGION) is {REGION!r}:", file=sys.stderr)
    other = "".join(f", and this one is of {partition}" for partition in named)
    print(f"it must be one of the partition aws, such as eu-central-1{other}", file=sys.stderr)
    raise SystemExit(REFUSED)


REGION_NAME = _region_name()
"""How CloudWatch writes the Region in mails and messages."""
