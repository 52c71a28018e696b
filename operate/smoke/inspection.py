"""Holds a deployed stack against what its template says: every resource, setting by setting where it matters."""

import json
from collections.abc import Iterator
from typing import Any

from botocore.exceptions import ClientError
from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.alarms.alarm_definition import Wiring
from efs_monitor.alarms.alarm_topics import Topic
from efs_monitor.alarms.drift import edits
from efs_monitor.aws.cloudwatch_alarms import read
from efs_monitor.stack_functions import StackFunction

from operate.checklist import Checklist, Shown
from operate.described_stack import DescribedStack, Resource
from operate.smoke.inventory import GONE_CODES, exists

RUNTIME = "python3.13"


def inspect(stack: DescribedStack, checklist: Checklist) -> None:
    """Add a line for everything that the template promises."""
    _resources(stack, checklist)
    _alarms(stack, checklist)
    _topics(stack, checklist)
    _functions(stack, checklist)
    _schedules(stack, checklist)
    _log_groups(stack, checklist)


def of_kind(stack: DescribedStack, kind: str) -> Iterator[Resource]:
    """The stack's resources of one type."""
    return (one for one in stack.resources.values() if one.kind == kind)


def _resources(stack: DescribedStack, checklist: Checklist) -> None:
    for one in stack.resources.values():
        there = exists(stack.account, one)
        checklist.add(
            ok=one.status.endswith("_COMPLETE") and there is not False,
            what=f"{one.logical_id} ({one.kind})",
            seen=f"{one.status}{'' if there is None else ', exists' if there else ', NOT THERE'}",
        )


def _alarms(stack: DescribedStack, checklist: Checklist) -> None:
    explain = stack.account.client("lambda").get_function_configuration(
        FunctionName=stack.physical_id(StackFunction.EXPLAIN)
    )
    wiring = Wiring(
        file_system_id=stack.parameters["FileSystemId"],
        warning_topic_arn=stack.topic_arn(Topic.WARNING.resource),
        critical_topic_arn=stack.topic_arn("CriticalTopic"),
        explain_arn=explain["FunctionArn"],
    )
    found = read(stack.account.client("cloudwatch"), stack.name)
    for kind in AlarmKind:
        what = f"{alarm_name(stack.name, kind)} is as the code expects it"
        if kind not in found:
            checklist.add(ok=False, what=what, seen="not there")
            continue
        wrong = edits(found[kind], kind, wiring)
        seen = "; ".join(wrong) or f"{found[kind].state}, threshold {found[kind].threshold or 0:,.0f}"
        checklist.add(ok=not wrong, what=what, seen=seen)


def _topics(stack: DescribedStack, checklist: Checklist) -> None:
    sns = stack.account.client("sns")
    email = stack.parameters.get("AlertEmail", "")
    for logical_id in (topic.resource for topic in Topic):
        if given := stack.given_topic(logical_id):
            checklist.add(**_given_line(stack, logical_id, given))
            continue
        arn = stack.physical_id(logical_id)
        attributes = sns.get_topic_attributes(TopicArn=arn)["Attributes"]
        policy: dict[str, Any] = json.loads(attributes["Policy"])
        principals = [statement["Principal"] for statement in policy["Statement"]]
        checklist.add(
            ok=principals == [{"Service": "cloudwatch.amazonaws.com"}] and f"alarm:{stack.name}-" in json.dumps(policy),
            what=f"{logical_id} lets in this stack's alarms only",
            seen=json.dumps(principals),
        )
        key = attributes.get("KmsMasterKeyId", "")
        wanted = stack.parameters.get("EncryptionKeyArn", "")
        checklist.add(
            ok=key == wanted,
            what=f"{logical_id} is encrypted as EncryptionKeyArn says",
            seen=key or "not encrypted",
        )
        if email:
            subscribed = sns.list_subscriptions_by_topic(TopicArn=arn)["Subscriptions"]
            ours = [one["SubscriptionArn"] for one in subscribed if one["Endpoint"] == email]
            waits = "waits to be confirmed" if "PendingConfirmation" in ours else "confirmed"
            checklist.add(
                ok=bool(ours), what=f"{email} is subscribed to {logical_id}", seen=waits if ours else "not subscribed"
            )


def _given_line(stack: DescribedStack, logical_id: str, arn: str) -> Shown:
    """Whether alarms and mails get there, the drill tries; another account need not let this one look at its topic."""
    what = f"{logical_id} is one that was given"
    try:
        stack.account.client("sns").get_topic_attributes(TopicArn=arn)
    except ClientError as error:
        code = str(error.response["Error"].get("Code"))
        is_gone = code in GONE_CODES
        return {"ok": False if is_gone else None, "what": what, "seen": f"{arn}, {'NOT THERE' if is_gone else code}"}
    return {"ok": True, "what": what, "seen": f"{arn}, exists"}


def _functions(stack: DescribedStack, checklist: Checklist) -> None:
    layers = [one.physical_id for one in of_kind(stack, "AWS::Lambda::LayerVersion")]
    for one in of_kind(stack, "AWS::Lambda::Function"):
        found = stack.account.client("lambda").get_function_configuration(FunctionName=one.physical_id)
        given = [layer["Arn"] for layer in found.get("Layers", [])]
        checklist.add(
            ok=found["Runtime"] == RUNTIME and given == layers,
            what=f"{one.logical_id} runs in {RUNTIME} with the stack's layer",
            seen=f"{found['Runtime']}, {', '.join(arn.rpartition(':layer:')[2] for arn in given) or 'no layer'}",
        )


def _schedules(stack: DescribedStack, checklist: Checklist) -> None:
    for one in of_kind(stack, "AWS::Scheduler::Schedule"):
        found = stack.account.client("scheduler").get_schedule(Name=one.physical_id.rpartition("/")[2])
        checklist.add(
            ok=found["State"] == "ENABLED",
            what=f"{one.logical_id} is enabled",
            seen=f"{found['State']}, {found['ScheduleExpression']}",
        )


def _log_groups(stack: DescribedStack, checklist: Checklist) -> None:
    days = int(stack.parameters["LogRetentionDays"])
    for one in of_kind(stack, "AWS::Logs::LogGroup"):
        groups = stack.account.client("logs").describe_log_groups(logGroupNamePrefix=one.physical_id)["logGroups"]
        kept = {group["logGroupName"]: group.get("retentionInDays") for group in groups}.get(one.physical_id)
        checklist.add(ok=kept == days, what=f"{one.logical_id} is kept for {days} days", seen=f"{kept} days")
