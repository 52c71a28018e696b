"""What is known of a resource type: the schemas of CloudFormation's registry, in cfn-lint's edition of them.

They are read as files, and only those that are asked for: importing cfn-lint takes a second.

Differs from AWS: cfn-lint adds limits to the registry's schemas that it has from the services' models and pages, and
its files do not say which. They are most limits of AWS::Events::Rule, AWS::CloudWatch::Alarm, AWS::IAM::Role and
AWS::SQS::Queue, and of AWS::Lambda::Function, among others, its runtimes and its memory. What breaks one of them is
refused here before its service is asked, in CloudFormation's words; AWS leaves it to the service, which answers in its
own: "1 validation error detected: Value '...' at 'targets.1.member.id' failed to satisfy constraint: ..."
(https://github.com/aws/serverless-application-model/issues/1742).
"""

from __future__ import annotations

import functools
import importlib.util
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

# The types that the sandbox knows are the same in every Region.
REGION = "us-east-1"

# Limits of names that the schemas leave out, in the schemas' own form, and where AWS states them. They are refused in
# CloudFormation's words, too.
LIMITS: dict[tuple[str, str], dict[str, Any]] = {
    # PutDashboard.
    ("AWS::CloudWatch::Dashboard", "DashboardName"): {"minLength": 1, "maxLength": 255, "pattern": "^[A-Za-z0-9_-]+$"},
    # CreatePolicy.
    ("AWS::IAM::ManagedPolicy", "ManagedPolicyName"): {"minLength": 1, "maxLength": 128, "pattern": r"^[\w+=,.@-]+$"},
    # CreateFunction: the schema's pattern would take an ARN, too.
    ("AWS::Lambda::Function", "FunctionName"): {"maxLength": 64},
    # CreateBucket, "Bucket naming rules".
    ("AWS::S3::Bucket", "BucketName"): {"minLength": 3},
    # CreateTopic.
    ("AWS::SNS::Topic", "TopicName"): {"minLength": 1, "pattern": r"^[A-Za-z0-9_-]+(\.fifo)?$"},
    # CreateQueue.
    ("AWS::SQS::Queue", "QueueName"): {"minLength": 1, "maxLength": 80, "pattern": r"^[A-Za-z0-9_-]+(\.fifo)?$"},
    # CreateDocument: in the schema the length is a part of the pattern.
    ("AWS::SSM::Document", "Name"): {"maxLength": 128},
    # PutParameter: the 1,011 characters of an ARN, less what stands in it before the name in the Region with the
    # longest name.
    ("AWS::SSM::Parameter", "Name"): {"maxLength": 950, "pattern": "^[A-Za-z0-9_./-]+$"},
}


@dataclass(frozen=True)
class Schema:
    """A resource type: what a template may set and must set, what Fn::GetAtt gives, and what cannot change in place.

    `definitions` are what its properties refer to. `sometimes_replaced` are properties of which some changes need a new
    resource, and others do not.
    """

    type_name: str
    properties: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    definitions: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    attributes: frozenset[str] = frozenset()
    replaced: frozenset[str] = frozenset()
    sometimes_replaced: frozenset[str] = frozenset()

    @property
    def name_property(self) -> str | None:
        """The property that gives a resource its name: Name, or the type's own name before it."""
        own = f"{self.type_name.rsplit('::', 1)[1]}Name"
        return next((name for name in ("Name", own) if name in self.properties), None)


@functools.cache
def schema(type_name: str) -> Schema:
    """The schema of a type; KeyError for one that AWS does not have."""
    document = json.loads(file_of(type_name).read_text(encoding="utf-8"))
    read_only = _names(document, "readOnlyProperties")
    return Schema(
        type_name=type_name,
        properties={
            name: {**definition, **LIMITS.get((type_name, name), {})}
            for name, definition in document["properties"].items()
            if name not in read_only
        },
        required=frozenset(document.get("required", ())),
        definitions=document.get("definitions", {}),
        attributes=read_only,
        replaced=_names(document, "createOnlyProperties"),
        sometimes_replaced=_names(document, "conditionalCreateOnlyProperties"),
    )


@functools.cache
def handlers(type_name: str) -> Mapping[str, tuple[str, ...]]:
    """What CloudFormation must be allowed to do for each of a type's handlers, and for `tagging`; KeyError for a type
    that AWS does not have.
    """
    document = json.loads(file_of(type_name).read_text(encoding="utf-8"))
    found = document.get("handlers", {}) | {"tagging": document.get("tagging", {})}
    return {name: tuple(one.get("permissions", ())) for name, one in found.items()}


@functools.cache
def section_of_template(name: str, part: str = "configuration") -> Mapping[str, Any]:
    """What a section of a template may hold: `name` is Resources, Outputs, Parameters, or Template for its own."""
    file = _folder() / "other" / name.lower() / f"{part}.json"
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def file_of(type_name: str) -> Path:
    """Where the schema of a type lies, with what is of no use here; KeyError for one that AWS does not have."""
    return _folder() / "resources" / f"{_files()[type_name]}.json"


@functools.cache
def _files() -> dict[str, str]:
    """The name of each type's file: equal schemas are kept once for all Regions."""
    found: dict[str, str] = json.loads((_folder() / "providers" / f"{REGION}.json").read_text(encoding="utf-8"))
    return found


@functools.cache
def _folder() -> Path:
    package = importlib.util.find_spec("cfnlint")
    if package is None or not package.submodule_search_locations:
        message = "CloudFormation's schemas come in cfn-lint's edition, which is missing: run `pip install cfn-lint`"
        raise ModuleNotFoundError(message)
    return Path(package.submodule_search_locations[0], "data", "schemas")


def _names(document: Mapping[str, Any], key: str) -> frozenset[str]:
    """The names in a list of pointers such as /properties/Name, with a dot before what lies deeper."""
    pointers = document.get(key, ())
    return frozenset(pointer.removeprefix("/properties/").replace("/", ".") for pointer in pointers)
