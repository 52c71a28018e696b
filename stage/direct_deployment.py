"""What `sam deploy` asks of S3 and CloudFormation, asked in this process.

For who deploys often and is not about `sam`, a process that takes seconds of a processor to start and to package.
"""

import hashlib
import io
import json
import time
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import Any

import boto3
from botocore.exceptions import ClientError

from localaws.account import OPERATOR_KEY_ID, OPERATOR_SECRET, REGION
from operate.template_files import MACRO, as_written, including, with_included_files
from stage.sam_deployment import BUILD, CommandFailed, Deployer

BUCKET = "artifacts"
PLACES = {"AWS::Lambda::Function": "Code", "AWS::Lambda::LayerVersion": "Content"}
SHORTEST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.02, 0.5
SETTLED_WITHIN_SECONDS = 300
ENDED_WELL = {"CREATE_COMPLETE", "UPDATE_COMPLETE"}
type Change = Callable[[dict[str, Any]], None]
NOTHING_TO_DO = ("didn't contain changes", "No updates are to be performed")


class DeploymentRefused(CommandFailed):
    """CloudFormation did not take a deployment, or could not finish it; `reason` is its own sentence."""

    def __init__(self, stack_name: str, reason: str) -> None:
        super().__init__(f"The deployment of {stack_name} failed:\n{reason}")
        self.reason = reason


class DirectDeployer(Deployer):
    """A Deployer whose `deploy` starts no process; everything else is `sam` as ever."""

    def deploy(self, stack_name: str, parameters: Mapping[str, str], template: Path | None = None) -> None:
        """Create or update the stack with what was built; DeploymentRefused says why CloudFormation refused it."""
        s3, cloudformation = (self._client(service) for service in ("s3", "cloudformation"))
        try:
            deploy(s3, cloudformation, stack_name, parameters, template or BUILD / "template.yaml")
        finally:
            s3.close()
            cloudformation.close()

    def _client(self, service: str) -> Any:
        return boto3.client(
            service,  # type: ignore[call-overload] # the name is a variable
            endpoint_url=self.endpoint_url,
            region_name=REGION,
            aws_access_key_id=OPERATOR_KEY_ID,
            aws_secret_access_key=OPERATOR_SECRET,
        )


def deploy(
    s3: Any,
    cloudformation: Any,
    stack_name: str,
    parameters: Mapping[str, str],
    template: Path,
    *,
    tags: Mapping[str, str] | None = None,
    change: Change | None = None,
) -> None:
    """Create or update a stack with a built template; DeploymentRefused says why the first resource failed.

    Without `tags` the stack keeps its own. `change` may alter the template first.
    """
    change_set = propose(cloudformation, stack_name, parameters, uploaded(s3, template, change), tags=tags)
    if change_set is None:
        return
    cloudformation.execute_change_set(StackName=stack_name, ChangeSetName=change_set)
    if _settled(cloudformation, stack_name) not in ENDED_WELL:
        raise DeploymentRefused(stack_name, first_failure(cloudformation, stack_name))


def propose(
    cloudformation: Any,
    stack_name: str,
    parameters: Mapping[str, str],
    template_url: str,
    *,
    tags: Mapping[str, str] | None = None,
) -> str | None:
    """The name of a change set to execute, None where nothing would change; DeploymentRefused says why not.

    A parameter that is not given keeps its value, as with `sam deploy`: the template's default is taken only in a new
    stack, and where the stack did not have it.
    """
    tagged = {} if tags is None else {"Tags": [{"Key": key, "Value": value} for key, value in tags.items()]}
    change_set = f"deploy-{time.monotonic_ns()}"
    is_update = _status(cloudformation, stack_name) is not None
    try:
        kept = _kept_parameters(cloudformation, stack_name, template_url) if is_update else set[str]()
        cloudformation.create_change_set(
            StackName=stack_name,
            ChangeSetName=change_set,
            ChangeSetType="UPDATE" if is_update else "CREATE",
            TemplateURL=template_url,
            Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
            Parameters=[
                *({"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()),
                *({"ParameterKey": key, "UsePreviousValue": True} for key in sorted(kept - parameters.keys())),
            ],
            **tagged,
        )
    except ClientError as error:
        raise DeploymentRefused(stack_name, error.response["Error"]["Message"]) from error
    return change_set if _has_changes(cloudformation, stack_name, change_set) else None


def _kept_parameters(cloudformation: Any, stack_name: str, template_url: str) -> set[str]:
    """The parameters that a stack has, and the template that it is to get."""
    asked: list[dict[str, str]] = [{"StackName": stack_name}, {"TemplateURL": template_url}]
    had, wanted = (
        {one["ParameterKey"] for one in cloudformation.get_template_summary(**of)["Parameters"]} for of in asked
    )
    return had & wanted


def _has_changes(cloudformation: Any, stack_name: str, change_set: str) -> bool:
    """Waits until the change set is made; DeploymentRefused where it could not be."""
    deadline = time.monotonic() + SETTLED_WITHIN_SECONDS
    while True:
        made = cloudformation.describe_change_set(StackName=stack_name, ChangeSetName=change_set)
        if made["Status"] == "CREATE_COMPLETE":
            return True
        if made["Status"] == "FAILED":
            if any(words in made["StatusReason"] for words in NOTHING_TO_DO):
                return False
            raise DeploymentRefused(stack_name, made["StatusReason"])
        _pause(deadline, stack_name, made["Status"])


def _settled(cloudformation: Any, stack_name: str) -> str:
    deadline = time.monotonic() + SETTLED_WITHIN_SECONDS
    while (status := _status(cloudformation, stack_name)) is None or status.endswith("_IN_PROGRESS"):
        _pause(deadline, stack_name, status)
    return status


def _pause(deadline: float, stack_name: str, status: str | None) -> None:
    """Between two looks; the longer it has taken, the longer: looking takes as much of the processor as working."""
    left = deadline - time.monotonic()
    if left < 0:
        raise DeploymentRefused(stack_name, f"still {status} after {SETTLED_WITHIN_SECONDS} s")
    waited = SETTLED_WITHIN_SECONDS - left
    time.sleep(min(max(SHORTEST_PAUSE_SECONDS, waited / 10), LONGEST_PAUSE_SECONDS))


def _status(cloudformation: Any, stack_name: str) -> str | None:
    """The stack's status; None where there is no such stack, or only a change set for one."""
    try:
        (found,) = cloudformation.describe_stacks(StackName=stack_name)["Stacks"]
    except ClientError:
        return None
    status = str(found["StackStatus"])
    return None if status in {"REVIEW_IN_PROGRESS", "DELETE_COMPLETE"} else status


def first_failure(cloudformation: Any, stack_name: str) -> str:
    """Why the stack's newest creation or update failed: what CloudFormation says of the first resource that did."""
    pages = cloudformation.get_paginator("describe_stack_events").paginate(StackName=stack_name)
    newest_first = pages.build_full_result()["StackEvents"]
    events = list(takewhile(lambda event: not _begins(event), newest_first))
    failed = [one for one in events if one["ResourceStatus"].endswith("_FAILED")]
    # Where no resource has, the stack itself says why it went back.
    failed = failed or [one for one in events if one["ResourceStatus"] == "UPDATE_ROLLBACK_IN_PROGRESS"]
    return str(failed[-1]["ResourceStatusReason"])


def _begins(event: Mapping[str, Any]) -> bool:
    """Whether a creation or update of the whole stack begins with this event."""
    of_the_stack = event["PhysicalResourceId"] == event["StackId"]
    return of_the_stack and event["ResourceStatus"] in {"CREATE_IN_PROGRESS", "UPDATE_IN_PROGRESS"}


def uploaded(s3: Any, template: Path, change: Change | None = None) -> str:
    """The address of the template, with its code and what it includes in the bucket beside it."""
    # What is included can be altered only once it is there.
    package = _package(template, whole=change is not None)
    create_bucket(s3, BUCKET)
    there = {found["Key"] for found in s3.list_objects_v2(Bucket=BUCKET).get("Contents", [])}
    for key in package.files.keys() - there:
        s3.put_object(Bucket=BUCKET, Key=key, Body=package.files[key])
    text = package.template
    if change is not None:
        document = json.loads(text)
        change(document)
        text = json.dumps(document)
    s3.put_object(Bucket=BUCKET, Key="template.json", Body=text.encode())
    return f"{s3.meta.endpoint_url}/{BUCKET}/template.json"


def create_bucket(s3: Any, name: str) -> None:
    """Make a bucket in the client's Region, unless it is there: only us-east-1 is named by no constraint, and takes
    the creation of one's own bucket for a success.
    """
    region = s3.meta.region_name
    place = {} if region == "us-east-1" else {"CreateBucketConfiguration": {"LocationConstraint": region}}
    try:
        s3.create_bucket(Bucket=name, **place)
    except s3.exceptions.BucketAlreadyOwnedByYou:
        return


@dataclass(frozen=True)
class _Package:
    template: str
    files: dict[str, bytes]


@cache
def _package(template: Path, *, whole: bool) -> _Package:
    """A built template with its files in the bucket, as `sam package` writes it, and those files; read once.

    One that is `whole` has in it what it would include.
    """
    document = with_included_files(template) if whole else as_written(template)
    files: dict[str, bytes] = {}

    def in_bucket(content: bytes) -> str:
        # Named by what it holds: CloudFormation sees no other change of code.
        key = hashlib.sha256(content).hexdigest()
        files[key] = content
        return f"s3://{BUCKET}/{key}"

    for resource in document["Resources"].values():
        for place in {"CodeUri", "ContentUri"} & resource.get("Properties", {}).keys():
            resource["Properties"][place] = in_bucket(_zipped(template.parent / resource["Properties"][place]))
        # What SAM makes of these two, a template without it says itself.
        place = PLACES.get(resource["Type"], "")
        if isinstance(resource.get("Properties", {}).get(place), str):
            key = in_bucket(_zipped(template.parent / resource["Properties"][place])).rpartition("/")[2]
            resource["Properties"][place] = {"S3Bucket": BUCKET, "S3Key": key}
    for one in including(document):
        parameters = one[MACRO]["Parameters"]
        parameters["Location"] = in_bucket((template.parent / parameters["Location"]).read_bytes())
    return _Package(json.dumps(document), files)


def _zipped(folder: Path) -> bytes:
    """Small, since it is hashed at each step of its way, and without what Python has compiled: that is no source."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if "__pycache__" not in path.parts:
                archive.write(path, path.relative_to(folder))
    return packed.getvalue()
