"""AWS::IAM: roles with their policies, and policies that roles share."""

from __future__ import annotations

import json
from typing import Any

from botocore.exceptions import ClientError

from localaws.cloudformation.error_codes import ResourceFailure
from localaws.cloudformation.resources.base import (
    HandlerRequest,
    Properties,
    ResourceOutcome,
    ResourceType,
    listed,
    picked,
    tag_changes,
)
from localaws.iam.policy import require_judged, statements_of


class Role(ResourceType):
    type_name = "AWS::IAM::Role"

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        name = call.name()
        _require_boundary(call)
        settings = picked(
            call.properties,
            "AssumeRolePolicyDocument",
            "Description",
            "MaxSessionDuration",
            "Path",
            "PermissionsBoundary",
            "Tags",
        )
        role = call.aws.call("iam", "create_role", RoleName=name, **settings)["Role"]
        call.exists(name)
        self._put_policies(call, name, {})
        return ResourceOutcome(name, {"Arn": role["Arn"], "RoleId": role["RoleId"]})

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        name, new = call.physical_id, call.properties
        _require_boundary(call)
        settings = {
            "Description": new.get("Description", ""),
            "MaxSessionDuration": new.get("MaxSessionDuration", 3_600),
        }
        if any(new.get(key) != old.get(key) for key in settings):
            call.aws.call("iam", "update_role", RoleName=name, **settings)
        trust = new["AssumeRolePolicyDocument"]
        if trust != old["AssumeRolePolicyDocument"]:
            call.aws.call("iam", "update_assume_role_policy", RoleName=name, PolicyDocument=trust)
        if "PermissionsBoundary" in new:
            call.aws.call(
                "iam",
                "put_role_permissions_boundary",
                RoleName=name,
                PermissionsBoundary=new["PermissionsBoundary"],
            )
        elif "PermissionsBoundary" in old:
            call.aws.call("iam", "delete_role_permissions_boundary", RoleName=name)
        self._put_policies(call, name, old)
        self._put_tags(call, name, old)
        role = call.aws.call("iam", "get_role", RoleName=name)["Role"]
        return ResourceOutcome(name, {"Arn": role["Arn"], "RoleId": role["RoleId"]})

    def delete(self, call: HandlerRequest) -> None:
        name = call.physical_id
        attached = call.aws.call("iam", "list_attached_role_policies", RoleName=name)
        for policy in attached["AttachedPolicies"]:
            call.aws.call("iam", "detach_role_policy", RoleName=name, PolicyArn=policy["PolicyArn"])
        # Only what the template put there: a policy added by hand makes the deletion fail, as on AWS.
        inline = call.aws.call("iam", "list_role_policies", RoleName=name)["PolicyNames"]
        for policy in call.properties.get("Policies", []):
            if policy["PolicyName"] in inline:
                call.aws.call("iam", "delete_role_policy", RoleName=name, PolicyName=policy["PolicyName"])
        call.aws.call("iam", "delete_role", RoleName=name)

    def _put_policies(self, call: HandlerRequest, name: str, old: Properties) -> None:
        before, after = _inline(old), _inline(call.properties)
        for gone in before.keys() - after.keys():
            call.aws.call("iam", "delete_role_policy", RoleName=name, PolicyName=gone)
        for policy, document in after.items():
            if document != before.get(policy):
                call.aws.call("iam", "put_role_policy", RoleName=name, PolicyName=policy, PolicyDocument=document)
        arns = set(call.properties.get("ManagedPolicyArns", []))
        previous = set(old.get("ManagedPolicyArns", []))
        for arn in sorted(previous - arns):
            call.aws.call("iam", "detach_role_policy", RoleName=name, PolicyArn=arn)
        for arn in sorted(arns - previous):
            call.aws.call("iam", "attach_role_policy", RoleName=name, PolicyArn=arn)

    def _put_tags(self, call: HandlerRequest, name: str, old: Properties) -> None:
        removed, tags = tag_changes(old, call.properties)
        if removed:
            call.aws.call("iam", "untag_role", RoleName=name, TagKeys=removed)
        if tags:
            call.aws.call("iam", "tag_role", RoleName=name, Tags=listed(tags))


class ManagedPolicy(ResourceType):
    """Its reference is its ARN; another content is another version of it."""

    type_name = "AWS::IAM::ManagedPolicy"

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        settings = picked(call.properties, "Description", "Path")
        document = json.dumps(call.properties["PolicyDocument"])
        made = call.aws.call("iam", "create_policy", PolicyName=call.name(), PolicyDocument=document, **settings)
        arn = made["Policy"]["Arn"]
        call.exists(arn)
        return self._outcome(call, arn)

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        arn, document = call.physical_id, call.properties["PolicyDocument"]
        if document != old["PolicyDocument"]:
            # IAM keeps five versions.
            self._delete_old_versions(call, arn)
            text = json.dumps(document)
            call.aws.call("iam", "create_policy_version", PolicyArn=arn, PolicyDocument=text, SetAsDefault=True)
        return self._outcome(call, arn)

    def delete(self, call: HandlerRequest) -> None:
        bounded = [
            role["RoleName"]
            for role in call.aws.call("iam", "list_roles")["Roles"]
            if _boundary(call, role["RoleName"]) == call.physical_id
        ]
        if bounded:
            raise ResourceFailure("Cannot delete a policy attached to entities.")
        self._delete_old_versions(call, call.physical_id)
        call.aws.call("iam", "delete_policy", PolicyArn=call.physical_id)

    def _delete_old_versions(self, call: HandlerRequest, arn: str) -> None:
        for version in call.aws.call("iam", "list_policy_versions", PolicyArn=arn)["Versions"]:
            if not version["IsDefaultVersion"]:
                call.aws.call("iam", "delete_policy_version", PolicyArn=arn, VersionId=version["VersionId"])

    def _outcome(self, call: HandlerRequest, arn: str) -> ResourceOutcome:
        found = call.aws.call("iam", "get_policy", PolicyArn=arn)["Policy"]
        return ResourceOutcome(arn, {"PolicyArn": arn, "PolicyId": found["PolicyId"]})


def _require_boundary(call: HandlerRequest) -> None:
    """Refuse a boundary that is not there, as IAM does, and one that the sandbox could not judge when it counts."""
    arn = call.properties.get("PermissionsBoundary")
    if not arn:
        return
    try:
        found = call.aws.call("iam", "get_policy", PolicyArn=arn)["Policy"]
    except ClientError as error:
        raise ResourceFailure(f"Scope ARN: {arn} does not exist or is not attachable.") from error
    version = call.aws.call("iam", "get_policy_version", PolicyArn=arn, VersionId=found["DefaultVersionId"])
    try:
        for statement in statements_of(version["PolicyVersion"]["Document"]):
            require_judged(statement)
    except ValueError as error:
        raise ResourceFailure(f"{error}, as {arn} has it") from error


def _boundary(call: HandlerRequest, role_name: str) -> str:
    """Whose policy the role may not exceed; empty where there is none. ListRoles does not say."""
    found = call.aws.call("iam", "get_role", RoleName=role_name)["Role"].get("PermissionsBoundary", {})
    return str(found.get("PermissionsBoundaryArn", ""))


def _inline(properties: Properties) -> dict[str, Any]:
    return {policy["PolicyName"]: json.dumps(policy["PolicyDocument"]) for policy in properties.get("Policies", [])}
