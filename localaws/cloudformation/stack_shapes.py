"""Stacks, events and change sets in the shapes of CloudFormation's API."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from localaws.cloudformation import capabilities, parameters, template
from localaws.cloudformation.intrinsics import as_text

if TYPE_CHECKING:
    from localaws.cloudformation.stack import ChangeSet, FailedValidation, Resource, Stack, StackEvent

Answer = dict[str, Any]


def stack(found: Stack) -> Answer:
    definition = found.definition
    return _without_none(
        {
            "StackId": found.id,
            "StackName": found.name,
            "Description": definition.description if definition else None,
            "Parameters": definition.shown_parameters() if definition else [],
            "CreationTime": found.created_at,
            "LastUpdatedTime": found.updated_at,
            "DeletionTime": found.deleted_at,
            "RollbackConfiguration": {},
            "StackStatus": found.status,
            "StackStatusReason": found.reason,
            "DisableRollback": found.disable_rollback,
            "NotificationARNs": list(definition.notification_arns) if definition else [],
            "Capabilities": sorted(definition.capabilities) if definition else [],
            "Outputs": list(found.outputs),
            "Tags": _tags(definition.tags) if definition else [],
            "EnableTerminationProtection": found.termination_protected,
            "DriftInformation": {"StackDriftStatus": "NOT_CHECKED"},
        }
    )


def event(found: Stack, item: StackEvent) -> Answer:
    return _without_none(
        {
            "StackId": found.id,
            "StackName": found.name,
            "EventId": item.event_id,
            "LogicalResourceId": item.logical_id,
            "PhysicalResourceId": item.physical_id,
            "ResourceType": item.type,
            "Timestamp": item.timestamp,
            "ResourceStatus": item.status,
            "ResourceStatusReason": item.reason,
            "ResourceProperties": json.dumps(item.properties) if item.properties is not None else None,
        }
    )


def failed_validation(found: Stack, item: FailedValidation) -> Answer:
    return {
        "EventId": item.event_id,
        "StackId": found.id,
        "OperationId": found.operation_token,
        "OperationType": "CREATE_STACK",
        "EventType": "VALIDATION_ERROR",
        "LogicalResourceId": item.logical_id,
        "ResourceType": item.type,
        "Timestamp": item.timestamp,
        "ValidationFailureMode": "FAIL",
        "ValidationName": item.name,
        "ValidationStatus": "FAILED",
        "ValidationStatusReason": item.reason,
    }


def resource(found: Stack, item: Resource, time_key: str) -> Answer:
    """`time_key`: the three actions that show a resource call its time by different names."""
    return _without_none(
        {
            "StackId": found.id,
            "StackName": found.name,
            "LogicalResourceId": item.logical_id,
            "PhysicalResourceId": item.physical_id or None,
            "ResourceType": item.type,
            time_key: item.changed_at,
            "ResourceStatus": item.status,
            "ResourceStatusReason": item.reason,
            "DriftInformation": {"StackResourceDriftStatus": "NOT_CHECKED"},
        }
    )


def change_set_summary(found: Stack, item: ChangeSet) -> Answer:
    return _without_none(
        {
            "StackId": found.id,
            "StackName": found.name,
            "ChangeSetId": item.id,
            "ChangeSetName": item.name,
            "Description": item.description,
            "CreationTime": item.created_at,
            "ExecutionStatus": item.execution_status,
            "Status": item.status,
            "StatusReason": item.reason,
            "IncludeNestedStacks": False,
        }
    )


def change_set(found: Stack, item: ChangeSet) -> Answer:
    definition = item.definition
    return {
        **change_set_summary(found, item),
        "Parameters": definition.shown_parameters() if definition else [],
        "NotificationARNs": list(definition.notification_arns) if definition else [],
        "Capabilities": sorted(definition.capabilities) if definition else [],
        "Tags": _tags(definition.tags) if definition else [],
        "Changes": item.changes,
        "RollbackConfiguration": {},
    }


def template_summary(document: template.Template) -> Answer:
    needed = capabilities.required(document)
    answer: Answer = {
        "Parameters": [_declared(name, item) for name, item in document.get("Parameters", {}).items()],
        "Description": document.get("Description"),
        "ResourceTypes": sorted({item["Type"] for item in document["Resources"].values()}),
        "Version": document.get("AWSTemplateFormatVersion"),
        "Metadata": json.dumps(document["Metadata"]) if "Metadata" in document else None,
        "DeclaredTransforms": template.transforms(document),
        "Capabilities": needed,
        "CapabilitiesReason": "The following resource(s) require capabilities: IAM" if needed else None,
    }
    return _without_none(answer)


def _declared(name: str, item: dict[str, Any]) -> Answer:
    allowed = item.get("AllowedValues")
    default = item.get("Default")
    return _without_none(
        {
            "ParameterKey": name,
            "DefaultValue": None if default is None else as_text(default),
            "ParameterType": item.get("Type"),
            "NoEcho": parameters.is_hidden(item),
            "Description": item.get("Description"),
            "ParameterConstraints": {"AllowedValues": [as_text(one) for one in allowed]} if allowed else {},
        }
    )


def _tags(tags: Any) -> list[dict[str, str]]:
    return [{"Key": key, "Value": value} for key, value in tags.items()]


def _without_none(answer: Answer) -> Answer:
    return {key: value for key, value in answer.items() if value is not None}
