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
    (standard,) = (one for one in Loader().load_data("endpoints")["partitions"] if one["partition"] == "aws")
    try:
        return str(standard["regions"][REGION]["description"])
    except KeyError as error:
        print(f"SANDBOX_REGION is {REGION!r}, but must be a Region of AWS, such as eu-central-1", file=sys.stderr)
        raise SystemExit(REFUSED) from error


REGION_NAME = _region_name()
"""How CloudWatch writes the Region in mails and messages."""
