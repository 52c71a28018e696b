"""Writes what the judges are given, as JSON: the template as SAM transforms it, or the statements of both templates.

    python -m tools.judges.given transformed|statements FILE

The judges have an environment of their own, without the translator: so it is made here.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from localaws.account import ACCOUNT_ID, REGION
from localaws.cloudformation import serverless
from localaws.cloudformation.intrinsics import Scope, resolve
from operate.template_files import FLEET_TEMPLATE, as_written, template

type Document = dict[str, Any]

PSEUDO = {
    "AWS::Partition": "aws",
    "AWS::Region": REGION,
    "AWS::AccountId": ACCOUNT_ID,
    "AWS::StackName": "home",
    "AWS::StackId": f"arn:aws:cloudformation:{REGION}:{ACCOUNT_ID}:stack/home/1a2b3c4d",
    "AWS::URLSuffix": "amazonaws.com",
}
KEY_ARN = f"arn:aws:kms:{REGION}:{ACCOUNT_ID}:key/1a2b3c4d"
GIVEN_TOPICS = {
    f"{severity}TopicArn": f"arn:aws:sns:{REGION}:111122223333:{severity.lower()}"
    for severity in ("Warning", "Critical", "Advice")
}
# What a reference to a resource, or its Arn, looks like to IAM.
ARNS = {
    "AWS::SNS::Topic": f"arn:aws:sns:{REGION}:{ACCOUNT_ID}:*",
    "AWS::Lambda::Function": f"arn:aws:lambda:{REGION}:{ACCOUNT_ID}:function:*",
    "AWS::Logs::LogGroup": f"arn:aws:logs:{REGION}:{ACCOUNT_ID}:log-group:*:*",
    "AWS::SQS::Queue": f"arn:aws:sqs:{REGION}:{ACCOUNT_ID}:*",
    "AWS::IAM::Role": f"arn:aws:iam::{ACCOUNT_ID}:role/*",
}


def transformed() -> Document:
    """What CloudFormation works with after its transforms; the code lies in a bucket, as after `sam package`."""
    packaged = template()
    for resource in packaged["Resources"].values():
        for code in {"CodeUri", "ContentUri"} & resource.get("Properties", {}).keys():
            resource["Properties"][code] = "s3://artifacts/code.zip"
    return serverless.process(packaged, {"Architecture": "arm64"}, REGION)


def statements(document: Document) -> Iterator[Document]:
    """Every statement of every policy, with everything that is optional there and then with nothing of it.

    Each is `{"where": logical id and Sid, "statement": resolved}`; one that is the same both times comes once.
    """
    seen = []
    for optional in (True, False):
        scope = _scope(document, optional=optional)
        for name, resource in document["Resources"].items():
            for policy in _policies(resource.get("Properties", {})):
                for statement in resolve(policy, scope)["Statement"]:
                    found = {"where": f"{name} {statement.get('Sid', '')}".strip(), "statement": statement}
                    if found not in seen:
                        seen.append(found)
                        yield found


def _policies(value: Any) -> Iterator[Document]:
    match value:
        case {"Statement": _}:
            yield value
        case dict():
            for one in value.values():
                yield from _policies(one)
        case list():
            for one in value:
                yield from _policies(one)


def _scope(document: Document, *, optional: bool) -> Scope:
    defaults = {name: definition.get("Default", "x") for name, definition in document["Parameters"].items()}
    kinds = {name: resource["Type"] for name, resource in document["Resources"].items()}

    def referred(name: str, attribute: str = "") -> str:
        return ARNS.get(kinds[name], "*" if attribute == "Arn" else "/*")

    return Scope(
        values={
            **defaults,
            **GIVEN_TOPICS,
            "EncryptionKeyArn": KEY_ARN,
            "FileSystemId": "fs-0123456789abcdef0",
            **PSEUDO,
        },
        # A topic that is given is none that is made.
        conditions={name: optional is not name.startswith("Makes") for name in document["Conditions"]},
        ref=referred,
        get_att=referred,
    )


def main(arguments: list[str]) -> int:
    """0 when it was written."""
    match arguments:
        case ["transformed", file]:
            Path(file).write_text(json.dumps(transformed(), indent=1), encoding="utf-8")
        case ["statements", file]:
            everyone = [*statements(transformed()), *statements(as_written(FLEET_TEMPLATE))]
            Path(file).write_text(json.dumps(everyone, indent=1), encoding="utf-8")
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
