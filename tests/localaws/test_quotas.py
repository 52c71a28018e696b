"""Services let an account call so often in a second, and no more; whose second it is."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError

from localaws.quotas import CALLS_PER_SECOND, DATAPOINTS, DATAPOINTS_LATELY, Quotas, Throttled
from localaws.sandbox import Sandbox

Deploy = Callable[..., str]
NOON = datetime(2030, 1, 7, 12, tzinfo=UTC)
A_SECOND = timedelta(seconds=1)

WRITES_OFTEN = """
    import boto3
    from botocore.config import Config
    from botocore.exceptions import ClientError

    def handler(event, context):
        retries = {"mode": "standard", "total_max_attempts": event["attempts"]}
        client = boto3.client("ssm", config=Config(retries=retries))
        try:
            for number in range(event["writes"]):
                client.put_parameter(Name="/often", Value=str(number), Type="String", Overwrite=True)
        except ClientError as error:
            return [number, error.response["Error"]["Code"], error.response["Error"]["Message"]]
        return []
"""

CALLS_OFTEN = """
    import boto3
    from botocore.config import Config
    from botocore.exceptions import ClientError

    def handler(event, context):
        client = boto3.client("cloudwatch", config=Config(retries={"total_max_attempts": 1}))
        try:
            for number in range(event):
                client.describe_alarm_history()
        except ClientError as error:
            return [number, error.response["Error"]["Code"], error.response["Error"]["Message"]]
        return []
"""


@pytest.mark.parametrize(
    ("what", "limit"),
    [*CALLS_PER_SECOND.items(), (DATAPOINTS, 396_000), (DATAPOINTS_LATELY, 180_000)],
)
def test_a_second_has_so_much_of_each_and_the_next_has_it_again(what: str, limit: int) -> None:
    quotas = Quotas()
    quotas.take(what, limit, NOON)
    with pytest.raises(Throttled):
        quotas.take(what, 1, NOON)
    quotas.take(what, limit, NOON + A_SECOND)
    quotas.take(what, limit, NOON - A_SECOND)
    assert quotas.throttled == [(NOON, what)]


@pytest.mark.parametrize(("hours", "is_throttled"), [(2, True), (4, False)])
def test_of_what_begins_in_the_last_three_hours_fewer_datapoints_are_told(
    sandbox: Sandbox, hours: int, *, is_throttled: bool
) -> None:
    """300,000 by the estimate, which counts minutes to come as well."""
    now = sandbox.clock.now()
    stat = {"Metric": {"Namespace": "AWS/EFS", "MetricName": "ClientConnections"}, "Period": 60, "Stat": "Sum"}
    begins = now - timedelta(hours=hours)
    given = {
        "MetricDataQueries": [{"Id": f"m{number}", "MetricStat": stat} for number in range(500)],
        "StartTime": begins,
        "EndTime": begins + timedelta(hours=10),
    }
    with pytest.raises(ClientError, match="Rate exceeded") if is_throttled else nullcontext():
        sandbox.client("cloudwatch").get_metric_data(**given)


def test_what_has_no_quota_is_never_throttled() -> None:
    quotas = Quotas()
    for _ in range(1000):
        quotas.take("ListMetrics", 1, NOON)
    assert quotas.throttled == []


def test_functions_of_one_moment_share_its_second_though_they_run_one_after_the_other(
    sandbox: Sandbox, deploy: Deploy
) -> None:
    """Theirs is the clock of the moment at which they were started, as if they ran at the same time."""
    deploy("often", CALLS_OFTEN, Timeout=60)
    for _ in range(2):
        sandbox.client("lambda").invoke(FunctionName="often", InvocationType="Event", Payload=b"2")
    sandbox.clock.move_to(sandbox.clock.next_minute())
    sandbox.events.wait_for_background()
    sandbox.functions.invocations.clear()
    sandbox.events.begin_step()
    for _ in range(2):
        sandbox.events.accept("often", b"2")
    sandbox.events.run_accepted()
    first, second = (json.loads(one.response) for one in sandbox.functions.invocations)
    assert (first, second) == ([], [1, "Throttling", "Rate exceeded"])


def test_parameter_store_takes_three_writes_a_second_and_who_waits_gets_through(
    sandbox: Sandbox, deploy: Deploy
) -> None:
    deploy("often", WRITES_OFTEN, Timeout=60)

    def writes(number: int, *, attempts: int) -> list[Any]:
        event = json.dumps({"writes": number, "attempts": attempts}).encode()
        answer = sandbox.client("lambda").invoke(FunctionName="often", Payload=event)
        refused: list[Any] = json.loads(answer["Payload"].read())
        return refused

    # More than a real second has, should one end in the midst of them.
    number, *said = writes(7, attempts=1)
    assert number in {3, 4, 5, 6}
    assert said == ["ThrottlingException", "Rate exceeded"]
    sandbox.quotas.second_passes()
    assert writes(7, attempts=20) == []
    assert {what for _, what in sandbox.quotas.throttled} == {"PutParameter"}


ASKS_OFTEN = """
    import boto3
    from botocore.config import Config
    from botocore.exceptions import ClientError

    def handler(event, context):
        client = boto3.client(event["service"], config=Config(retries={"total_max_attempts": event["attempts"]}))
        try:
            for number in range(event["calls"]):
                getattr(client, event["call"])(**event.get("given", {}))
        except ClientError as error:
            return [number, error.response["Error"]["Code"], error.response["Error"]["Message"]]
        return []
"""
STACKS = {"service": "cloudformation", "call": "describe_stacks"}
FILE_SYSTEMS = {"service": "efs", "call": "describe_file_systems"}


def asked(sandbox: Sandbox, event: dict[str, Any]) -> list[Any]:
    answer = sandbox.client("lambda").invoke(FunctionName="often", Payload=json.dumps(event).encode())
    found: list[Any] = json.loads(answer["Payload"].read())
    sandbox.quotas.second_passes()
    return found


@pytest.mark.whole
def test_sns_lists_the_subscriptions_of_topics_thirty_times_a_second(sandbox: Sandbox, deploy: Deploy) -> None:
    deploy("often", ASKS_OFTEN, Timeout=60)
    topic = sandbox.client("sns").create_topic(Name="told")["TopicArn"]
    event = {"service": "sns", "call": "list_subscriptions_by_topic", "given": {"TopicArn": topic}, "calls": 70}
    number, *said = asked(sandbox, event | {"attempts": 1})
    assert 30 <= number < 70
    assert said == ["ThrottlingException", "Rate exceeded"]
    assert asked(sandbox, event | {"attempts": 20}) == []


@pytest.mark.parametrize(
    ("event", "quota", "code"),
    [(STACKS, "DescribeStacks", "Throttling"), (FILE_SYSTEMS, "DescribeFileSystems", "ThrottlingException")],
)
def test_what_aws_publishes_no_quota_of_has_one_only_where_a_test_supposes_it(
    sandbox: Sandbox, deploy: Deploy, event: dict[str, Any], quota: str, code: str
) -> None:
    deploy("often", ASKS_OFTEN, Timeout=60)
    assert asked(sandbox, event | {"calls": 20, "attempts": 1}) == []
    sandbox.quotas.supposed[quota] = 2
    assert asked(sandbox, event | {"calls": 20, "attempts": 1})[1:] == [code, "Rate exceeded"]
    assert asked(sandbox, event | {"calls": 4, "attempts": 20}) == []


def test_what_reads_parameters_shares_one_quota() -> None:
    quotas = Quotas()
    for call in ("GetParameter", "GetParameters", "GetParametersByPath", "GetParameter"):
        quotas.take(call, 10, NOON)
    with pytest.raises(Throttled):
        quotas.take("GetParameter", 1, NOON)


def test_who_is_outside_of_a_standing_clock_is_not_counted_but_gets_no_more_at_once_than_a_second_has(
    sandbox: Sandbox,
) -> None:
    cloudwatch = sandbox.client("cloudwatch")
    for _ in range(10):
        cloudwatch.describe_alarm_history()
    stat = {"Metric": {"Namespace": "N", "MetricName": "M"}, "Period": 60, "Stat": "Sum"}
    queries = [{"Id": f"m{number}", "MetricStat": stat} for number in range(40)]
    with pytest.raises(ClientError, match="Rate exceeded"):
        cloudwatch.get_metric_data(
            MetricDataQueries=queries, StartTime=NOON - timedelta(days=7), EndTime=NOON + timedelta(minutes=60)
        )
