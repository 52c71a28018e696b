"""A fleet of the real monitor: what it gives each stack is what a stack takes, and its topics let the alarms in."""

from datetime import timedelta

from proofs.fleet.account import BUCKET, KEY, FleetAccount, file_system_id
from stage.deployment import BUILD
from stage.direct_deployment import uploaded


def test_its_stack_tells_the_fleets_topics_and_leaves_nothing_behind(fleet: FleetAccount) -> None:
    s3 = fleet.sandbox.client("s3")
    uploaded(s3, BUILD / "template.yaml")
    s3.copy_object(Bucket=BUCKET, Key=KEY, CopySource={"Bucket": "artifacts", "Key": "template.json"})
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
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    assert fleet.run()["steps"] == {"delete": 1}
    assert fleet.statuses() == {}
    assert cloudwatch.describe_alarms(AlarmNamePrefix=stack)["MetricAlarms"] == []
