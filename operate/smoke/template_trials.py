"""Copies of the built template that cannot be deployed to the end, to see what CloudFormation then puts back."""

import copy
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

# Where `sam deploy` finds it too: in the folder in which the command is called.
BUILT_TEMPLATE = Path(".aws-sam") / "build" / "template.yaml"
DOCUMENT = "BenchmarkDocument"
DOCUMENT_TRIAL = "# Of a deployment that is rolled back."

type Template = Mapping[str, Any]


def that_breaks(template: Template, after: Sequence[str]) -> dict[str, Any]:
    """The template with one more resource, which fails once those it comes after are done."""
    changed = copy.deepcopy(dict(template))
    nowhere = "arn:${AWS::Partition}:sns:${AWS::Region}:${AWS::AccountId}:${AWS::StackName}-broken"
    changed["Resources"]["Broken"] = {
        "Type": "AWS::SNS::Subscription",
        "DependsOn": [str(one) for one in after],
        # To a topic that is nowhere: what CloudFormation looks at before it touches anything is in order.
        "Properties": {
            "TopicArn": {"Fn::Sub": nowhere},
            "Protocol": "email",
            "Endpoint": "nobody@example.com",
        },
    }
    return changed


def with_another_document(template: Template) -> dict[str, Any]:
    """The template with a line more in the script that benchmarks run, and that document's own name."""
    changed = copy.deepcopy(dict(template))
    properties = changed["Resources"][DOCUMENT]["Properties"]
    properties["Name"] = {"Fn::Sub": ["${Old}-trial", {"Old": properties["Name"]}]}
    (step,) = properties["Content"]["mainSteps"]
    step["inputs"]["runCommand"] = [*step["inputs"]["runCommand"], DOCUMENT_TRIAL]
    return changed


@contextmanager
def written_beside(path: Path, template: Template) -> Iterator[Path]:
    """A file in the same folder, since a built template names its code by where it lies; gone afterwards."""
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, prefix="template-", suffix=".yaml", encoding="utf-8"
    ) as file:
        yaml.safe_dump(template, file, sort_keys=False)
        file.flush()
        yield Path(file.name)
