"""What an alarm may start is judged by all that it starts, whoever writes it: a function, or CloudFormation."""

from unittest.mock import Mock

from localaws.account import ACCOUNT_ID, REGION
from localaws.cloudformation import service_role
from localaws.cloudformation.resources.base import HandlerRequest
from localaws.iam.operations import asks

STARTED = {
    "AlarmActions": ["arn:aws:sns:us-east-1:123456789012:pagers"],
    "OKActions": ["arn:aws:automate:us-east-1:ec2:terminate"],
    "InsufficientDataActions": ["arn:aws:swf:us-east-1:123456789012:action/actions/AWS_EC2.InstanceId.Stop/1.0"],
}
ALL = {"cloudwatch:alarmactions": tuple(action for actions in STARTED.values() for action in actions)}


def test_put_metric_alarm_tells_the_actions_of_each_state() -> None:
    (ask,) = asks("cloudwatch", "PutMetricAlarm", {"AlarmName": "home-warning", **STARTED})
    assert ask.context == ALL
    (none,) = asks("cloudwatch", "PutMetricAlarm", {"AlarmName": "home-warning"})
    assert none.context == {"cloudwatch:alarmactions": ()}


def test_so_does_cloudformation_with_the_role_of_a_stack() -> None:
    request = HandlerRequest(
        aws=Mock(),
        account_id=ACCOUNT_ID,
        region=REGION,
        stack_name="home",
        stack_id="home",
        logical_id="WarningAlarm",
        type="AWS::CloudWatch::Alarm",
        properties={"AlarmName": "home-warning", **STARTED},
        exists=Mock(),
    )
    contexts = {ask.action: ask.context for ask in service_role.asks("create", request)}
    assert contexts["cloudwatch:PutMetricAlarm"] == ALL
