"""A fleet of the real monitor: what it gives each stack is what a stack takes, and its topics let the alarms in."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta

import pytest
from botocore.exceptions import WaiterError
from efs_monitor.efs.credits import MIB, TIB

from localaws.cloudformation import service_role
from localaws.cloudformation.resources.base import HandlerRequest
from localaws.cloudwatch.metrics import MetricId
from localaws.iam.policy import Ask
from proofs.fleet.fleet_account import KEY, FleetAccount, file_system_id
from stage.direct_deployment import BUCKET as RELEASES
from stage.direct_deployment import uploaded
from stage.sam_deployment import BUILD
from tests.template.template_documents import listed
from tests.template.test_fleet_template import statements

# Whatever a stack may have besides: topics of its own, benchmarks, every alarm and dashboard.
EVERYTHING = {
    **dict.fromkeys(("WarningTopicArn", "CriticalTopicArn", "AdviceTopicArn"), ""),
    **dict.fromkeys(("UtilizationAlarm", "IoLimitAlarm", "BenchmarkFailuresAlarm", "RegressionsAlarm"), "on"),
    "AlertEmail": "storage-team@example.com",
    "BenchmarkPath": "/mnt/efs",
    "BenchmarkSchedule": "rate 12 hours",
    "Dashboard": "on",
}
INSTANCES = "BenchmarkInstanceIds=i-0123456789abcdef0,i-0123456789abcdef1; BenchmarkLocalPath=/var/tmp"
# The local CloudFormation judges what is done to resources, and no macro.
NOT_JUDGED = {"cloudformation:CreateChangeSet"}


def with_the_real_monitor(fleet: FleetAccount) -> None:
    """Its code lies in the bucket of the release, which is all that the fleet's roles may read."""
    s3 = fleet.sandbox.client("s3")
    uploaded(s3, BUILD / "template.yaml")
    s3.copy_object(Bucket=RELEASES, Key=KEY, CopySource={"Bucket": RELEASES, "Key": "template.json"})
    fleet.deploy(ReleaseBucket=RELEASES, MonitorParameters=INSTANCES)


@pytest.mark.whole
def test_the_service_role_is_enough_for_all_that_a_stack_may_have_and_whatever_it_may_do_is_asked_for(
    fleet: FleetAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: set[str] = set()

    def noted(verb: service_role.Verb, call: HandlerRequest) -> Iterator[Ask]:
        # What is made may be changed later.
        asked.update(ask.action for one in {verb, "update" if verb == "create" else verb} for ask in asks(one, call))
        yield from asks(verb, call)

    asks = service_role.asks
    monkeypatch.setattr(service_role, "asks", noted)
    with_the_real_monitor(fleet)
    stack = f"efs-fleet-{file_system_id(1)}"
    fleet.file_system(1, **EVERYTHING)
    fleet.run()
    assert fleet.statuses() == {stack: "CREATE_COMPLETE"}
    assert fleet.parameter(1, "BenchmarkSchedule") == "rate(12 hours)"
    assert fleet.parameter(1, "BenchmarkInstanceIds") == "i-0123456789abcdef0,i-0123456789abcdef1"
    fleet.file_system(1, LogRetentionDays="7", WarningMinutes="240", BenchmarkPath="/mnt/other", Architecture="x86_64")
    fleet.run()
    assert fleet.statuses() == {stack: "UPDATE_COMPLETE"}
    fleet.sandbox.client("efs").delete_file_system(FileSystemId=file_system_id(1))
    fleet.deploy(ReleaseBucket=RELEASES, MonitorParameters=INSTANCES, GraceHours="0")
    fleet.run()
    assert fleet.statuses() == {}
    allowed = {action for one in statements("ServiceRole") for action in listed(one["Action"])}
    assert sorted(allowed - asked - NOT_JUDGED) == []


def test_its_stack_tells_the_fleets_topics_and_leaves_nothing_behind(fleet: FleetAccount) -> None:
    with_the_real_monitor(fleet)
    fleet.file_system(1, WarningMinutes="240")
    assert fleet.run() == {"steps": {"create": 1}, "refused": {}, "digest": True}
    stack = f"efs-fleet-{file_system_id(1)}"
    assert fleet.statuses() == {stack: "CREATE_COMPLETE"}
    # No topic and no subscription of its own, and no dashboard.
    resources = fleet.sandbox.client("cloudformation").describe_stack_resources(StackName=stack)["StackResources"]
    kinds = {one["ResourceType"] for one in resources}
    assert not {"AWS::SNS::Topic", "AWS::SNS::Subscription", "AWS::CloudWatch::Dashboard"} & kinds

    cloudwatch = fleet.sandbox.client("cloudwatch")
    for end in ("warning", "critical"):
        cloudwatch.set_alarm_state(AlarmName=f"{stack}-{end}", StateValue="ALARM", StateReason="test")
    fleet.sandbox.events.wait_for_background()
    told = {mail.topic_name for mail in fleet.sandbox.mailbox.mails if mail.subject.startswith(f'ALARM: "{stack}-')}
    assert told == {"efs-fleet-warning", "efs-fleet-critical"}
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    assert fleet.run()["steps"] == {"keep": 1}
    digest = " ".join(fleet.digests()[-1].split())
    assert "1 watched, 1 in an incident, 0 failed, 0 refused." in digest
    assert f"In an incident, each told by mails of its own: - {file_system_id(1)}" in digest

    fleet.sandbox.client("efs").delete_file_system(FileSystemId=file_system_id(1))
    fleet.run()
    # A function starts some time after it is called.
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1, minutes=1))
    assert fleet.run()["steps"] == {"delete": 1}
    assert fleet.statuses() == {}
    assert cloudwatch.describe_alarms(AlarmNamePrefix=stack)["MetricAlarms"] == []


@pytest.mark.more
def test_what_a_stack_itself_refuses_is_one_reason_of_all_and_said_once(fleet: FleetAccount) -> None:
    """It refuses by a custom resource, whose failures CloudFormation tells with the id of each request."""
    with_the_real_monitor(fleet)
    sns = fleet.sandbox.client("sns")
    nowhere = sns.create_topic(Name="nowhere")["TopicArn"]
    fleet.deploy(ReleaseBucket=RELEASES, MonitorParameters=f"WarningTopicArn={nowhere}")
    sns.delete_topic(TopicArn=nowhere)
    for number in (1, 2):
        fleet.file_system(number)

    def digest_of_next_day() -> str:
        # What failed is deleted, then made again, and fails again.
        for hours in (23, 1):
            with suppress(WaiterError):
                fleet.run()
            fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(hours=hours))
        with suppress(WaiterError):
            fleet.run()
        return " ".join(fleet.digests()[-1].split())

    both = f"{file_system_id(1)} and {file_system_id(2)}: Topics: "
    second, third = digest_of_next_day(), digest_of_next_day()
    assert f"Failed since the last of these mails: - {both}" in second
    assert f"TopicArn is {nowhere}, and there is no such topic: make it first" in second
    assert "Failed since the last of these mails" not in third
    assert f"Still failing; an earlier one of these mails said why: - {file_system_id(1)}" in third


@pytest.mark.days
def test_a_fresh_tag_is_armed_within_the_hour_by_the_schedule_and_one_that_is_lost_is_cleaned_up_after_the_grace(
    fleet: FleetAccount,
) -> None:
    sandbox = fleet.sandbox
    cloudwatch, ids = sandbox.client("cloudwatch"), [file_system_id(number) for number in (1, 2)]

    def minute_passes() -> None:
        for name in ids:
            for metric, value in (("BurstCreditBalance", 2.1 * TIB), ("PermittedThroughput", 100 * MIB)):
                sandbox.metrics.record(MetricId.of("AWS/EFS", metric, FileSystemId=name), sandbox.clock.now(), value)
        sandbox.advance()
        # Minutes take no time here, and CloudFormation does: on a busy machine they would overtake it.
        fleet.settle()

    def armed() -> set[str]:
        alarms = cloudwatch.describe_alarms(AlarmNamePrefix="efs-fleet-fs-")["MetricAlarms"]
        on_credits = [one for one in alarms if one["AlarmName"].endswith(("-warning", "-critical", "-exhausted"))]
        return {one["AlarmName"] for one in on_credits if one["StateValue"] == "OK" and one["ActionsEnabled"]}

    with_the_real_monitor(fleet)
    fleet.deploy(ReleaseBucket=RELEASES, MonitorParameters="", FleetTag="team=storage")
    fleet.file_system(1)
    fleet.file_system(2)
    for _ in range(20):
        minute_passes()
    assert fleet.statuses() == {}
    fleet.file_system(1, team="storage")
    for _ in range(60):
        minute_passes()
    stack = f"efs-fleet-{ids[0]}"
    assert fleet.statuses() == {stack: "CREATE_COMPLETE"}
    assert armed() == {f"{stack}-warning", f"{stack}-critical", f"{stack}-exhausted"}
    sandbox.client("efs").untag_resource(ResourceId=ids[0], TagKeys=["team"])
    for _ in range(20):
        minute_passes()
    assert fleet.statuses() == {stack: "CREATE_COMPLETE"}
    sandbox.clock.move_to(sandbox.clock.now() + timedelta(hours=25))
    for _ in range(20):
        minute_passes()
    assert (fleet.statuses(), armed()) == ({}, set())


@pytest.mark.more
def test_forty_of_the_real_monitor_are_armed_within_the_hour(fleet: FleetAccount) -> None:
    """Ten at a time, by CloudWatch's and everybody's quotas; each alarm stands at the threshold of its file system."""
    with_the_real_monitor(fleet)
    began = fleet.sandbox.clock.now()
    for number in range(40):
        fleet.file_system(number)
    while len(fleet.statuses()) < 40:
        assert fleet.run()["refused"] == {}
        fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(minutes=5))
    assert fleet.sandbox.clock.now() - began <= timedelta(hours=1)
    assert fleet.failures() == {}
    assert set(fleet.statuses().values()) == {"CREATE_COMPLETE"}
    pages = fleet.sandbox.client("cloudwatch").get_paginator("describe_alarms").paginate()
    thresholds = {one["AlarmName"]: one.get("Threshold") for one in pages.build_full_result()["MetricAlarms"]}
    for number in range(40):
        assert thresholds[f"efs-fleet-{file_system_id(number)}-critical"] == 60 * 60 * 100 * MIB
