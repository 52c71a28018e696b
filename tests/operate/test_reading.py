"""The past is read over HTTP in as few requests as possible, with two permissions, and goes on where it broke off."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from math import ceil
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config
from efs_monitor.errors import AwsDenied, AwsRefused
from hypothesis import given
from hypothesis import strategies as st

from localaws.account import OPERATOR_KEY_ID, OPERATOR_SECRET
from localaws.clock import START
from localaws.cloudwatch.metrics import MetricId
from localaws.file_systems import Size
from localaws.sandbox import Sandbox
from operate.history.cache import Cache
from operate.history.export import read_export
from operate.history.file_system_history import history_of
from operate.history.reading import read_live, requests, spans
from operate.history.recorded import BALANCE, METERED, SERIES, HistoryRefused, Recorded
from tests.localaws.roles import role
from tests.quick import first_of
from tools.example_histories import FOLDER

NAME = "fs-0123456789abcdef0"
NOW = START + timedelta(hours=10)
MOST_DATAPOINTS = 100_800
ONCE = Config(retries={"total_max_attempts": 1})
GET, DESCRIBE = "cloudwatch:GetMetricData", "elasticfilesystem:DescribeFileSystems"


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """With the last two days of a file system that grows, and its clock standing still in the middle of a day."""
    with Sandbox(tmp_path_factory.mktemp("sandbox")) as running:
        running.clock.move_to(NOW)
        running.file_systems.create(NAME, Size(standard_bytes=150 * 2**30))
        recorded = read_export(FOLDER / "growing.csv.gz")
        for (metric, statistic), points in recorded.points.items():
            if statistic == "Average" and metric == "BurstCreditBalance":
                continue
            dimensions = {"FileSystemId": NAME} | ({"StorageClass": "Standard"} if metric == "StorageBytes" else {})
            newest = max(point.seconds for point in points)
            for point in points:
                when = NOW - timedelta(minutes=5) - timedelta(seconds=newest - point.seconds)
                if when > NOW - timedelta(days=2):
                    running.metrics.record(MetricId.of("AWS/EFS", metric, **dimensions), when, point.value)
        yield running


Read = Callable[..., Recorded]


@pytest.fixture
def read(sandbox: Sandbox, tmp_path: Path) -> Read:
    """Reads with an operator's credentials, or with those given, into a cache of the test's own."""

    def reading(days: int = 14, *, region: str = "us-east-1", cached: bool = True, **keys: str) -> Recorded:
        credentials = keys or {"aws_access_key_id": OPERATOR_KEY_ID, "aws_secret_access_key": OPERATOR_SECRET}
        session = boto3.Session(region_name=region, **credentials)  # type: ignore[arg-type] # arguments from a mapping
        efs = session.client("efs", endpoint_url=sandbox.endpoint_url, config=ONCE)
        cloudwatch = session.client("cloudwatch", endpoint_url=sandbox.endpoint_url, config=ONCE)
        with closing(efs), closing(cloudwatch):
            return read_live(efs, cloudwatch, NAME, days, NOW, Cache(folder=tmp_path if cached else None))

    sandbox.quotas.estimates.clear()
    return reading


def keys_of(sandbox: Sandbox, name: str, *actions: str) -> dict[str, str]:
    """Of a session that may do only this."""
    trust = ("lambda.amazonaws.com",)
    arn = role(sandbox, name, [{"Effect": "Allow", "Action": list(actions), "Resource": "*"}], trust)
    given = sandbox.client("sts").assume_role(RoleArn=arn, RoleSessionName="me")["Credentials"]
    return {
        "aws_access_key_id": given["AccessKeyId"],
        "aws_secret_access_key": given["SecretAccessKey"],
        "aws_session_token": given["SessionToken"],
    }


@pytest.mark.more
def test_what_is_read_is_what_an_export_of_the_same_metrics_holds(sandbox: Sandbox, read: Read) -> None:
    found = history_of(read(2), 2, NOW)
    values = found.metrics.values
    exported = history_of(read_export(FOLDER / "growing.csv.gz"), 2, datetime(2040, 1, 1, tzinfo=UTC)).metrics.values
    length = min(len(values[BALANCE]), 2000)
    assert values[BALANCE][-length:] == exported[BALANCE][-length:]
    assert values[METERED][-length:] == exported[METERED][-length:]
    assert found.described(found.minutes - 1).standard_bytes == pytest.approx(150 * 1.01**14 * 2**30, rel=0.01)


@pytest.mark.whole
def test_two_weeks_take_two_requests_the_fewest_that_the_api_allows(sandbox: Sandbox, read: Read) -> None:
    read(14)
    assert len(sandbox.quotas.estimates) == 2 == ceil(sum(sandbox.quotas.estimates) / MOST_DATAPOINTS)
    assert sandbox.quotas.throttled == []


@given(st.integers(1, 63), st.integers(0, 525_599).map(lambda minute: START + timedelta(minutes=minute)))
def test_no_request_asks_for_more_than_one_answer_holds_and_hardly_any_is_too_many(days: int, now: datetime) -> None:
    for span in spans(NAME, days, now):
        asked = list(requests(span, lambda _, span=span: span.start))  # type: ignore[misc] # mypy types no default of a lambda
        sizes = [
            sum(ceil((one.end - one.start).total_seconds() / wanted.period_seconds) for wanted in one.wanted)
            for one in asked
        ]
        assert all(size <= MOST_DATAPOINTS for size in sizes)
        assert sorted((one.metric, one.statistic) for request in asked for one in request.wanted) == sorted(SERIES)
        # One more where the last 800 datapoints of an answer would have to be used.
        assert len(asked) - ceil(sum(sizes) / MOST_DATAPOINTS) <= (1 if len(asked) > 1 else 0)
        # CloudWatch keeps one-minute steps for 15 days and five-minute steps for 63.
        finest = min(wanted.period_seconds for request in asked for wanted in request.wanted)
        assert now - span.start <= timedelta(days=15 if finest < 300 else 63)


@pytest.mark.parametrize("hour", range(24))
def test_two_weeks_take_two_requests_at_any_hour(hour: int) -> None:
    (span,) = spans(NAME, 14, datetime(2030, 5, 1, hour, 59, tzinfo=UTC))
    assert len(list(requests(span, lambda _: span.start))) == 2


@pytest.mark.whole
def test_a_second_reading_asks_only_for_the_day_that_is_not_over(sandbox: Sandbox, read: Read) -> None:
    first = read(14)
    sandbox.quotas.estimates.clear()
    second = read(14)
    assert len(sandbox.quotas.estimates) == 1
    assert sandbox.quotas.estimates[0] < 5_000
    assert {key: sorted(points) for key, points in second.points.items()} == {
        key: sorted(points) for key, points in first.points.items()
    }


@pytest.mark.whole
def test_a_reading_that_broke_off_goes_on_with_what_is_missing(
    sandbox: Sandbox, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox.quotas, "counts_everybody", True)
    sandbox.quotas.second_passes()
    sandbox.quotas.take("GetMetricData", 300_000, NOW)
    broken = read(14)
    (remark,) = broken.remarks
    assert "could not be read: cloudwatch:GetMetricData on fs-0123456789abcdef0 failed with Throttling" in remark
    assert remark.endswith("; run it again in a minute, and it asks only for what is missing")
    assert history_of(broken, 14, NOW).metrics.values[BALANCE]
    sandbox.quotas.second_passes()
    sandbox.quotas.estimates.clear()
    assert read(14).remarks == []
    assert min(sandbox.quotas.estimates) < 5_000


@pytest.mark.more
def test_without_a_cache_everything_is_read_again(sandbox: Sandbox, read: Read) -> None:
    assert read(14, cached=False) == read(14, cached=False)
    assert len(sandbox.quotas.estimates) == 4


@pytest.mark.more
@pytest.mark.parametrize(
    "content",
    first_of(['{"2030-01-06": [[1, "a"]]}', "[" * 99_999, "", "{", "[]", '{"2030-01-06": 7}', '{"x": []}'], 2, in_ci=2),
    ids=range(7),
)
def test_a_damaged_cache_is_as_good_as_none(sandbox: Sandbox, read: Read, tmp_path: Path, content: str) -> None:
    first, asked = read(4), list(sandbox.quotas.estimates)
    for file in tmp_path.iterdir():
        file.write_text(content)
    sandbox.quotas.estimates.clear()
    assert read(4) == first
    assert sandbox.quotas.estimates == asked


@pytest.mark.whole
def test_a_cache_that_cannot_be_written_is_no_reason_to_stop(read: Read, tmp_path: Path) -> None:
    tmp_path.rmdir()
    tmp_path.write_text("in the way")
    assert read(2).points[BALANCE]
    tmp_path.unlink()
    tmp_path.mkdir()


@pytest.mark.more
def test_a_cache_that_cannot_be_written_leaves_nothing_behind(read: Read, tmp_path: Path) -> None:
    read(2)
    (file,) = tmp_path.rglob("MeteredIOBytes.Sum.60.json")
    file.unlink()
    file.mkdir()
    (file / "in the way").touch()
    read(2)
    assert {path.name for path in file.parent.iterdir() if path.is_file() and path.suffix != ".json"} == set()


@pytest.mark.whole
def test_two_permissions_are_enough(sandbox: Sandbox, read: Read) -> None:
    refused = len(sandbox.sessions.refusals)
    assert read(2, **keys_of(sandbox, "both", GET, DESCRIBE)).remarks == []
    assert len(sandbox.sessions.refusals) == refused


def test_without_the_permission_to_describe_the_rest_is_told_with_a_mark(sandbox: Sandbox, read: Read) -> None:
    found = history_of(read(2, **keys_of(sandbox, "no-describe", GET)), 2, NOW)
    assert found.remarks[0].startswith(
        "EFS did not tell how the file system is set up: Not allowed to call elasticfilesystem:DescribeFileSystems"
    )
    assert (
        "The throughput mode is not known: it is taken to be bursting where the metrics show no other" in found.remarks
    )


def test_without_the_permission_to_read_metrics_the_sentence_names_what_is_needed(sandbox: Sandbox, read: Read) -> None:
    with pytest.raises(
        AwsDenied, match=r"What is asked here needs cloudwatch:GetMetricData and elasticfilesystem:Describe"
    ):
        read(2, **keys_of(sandbox, "no-metrics", DESCRIBE))


def test_the_wrong_region_is_suspected(read: Read) -> None:
    with pytest.raises(HistoryRefused, match=r"no file system fs-0123456789abcdef0 in eu-west-1: is it in another Reg"):
        read(2, region="eu-west-1")


def test_a_file_system_that_is_being_deleted_is_not_sought_in_another_region(sandbox: Sandbox, tmp_path: Path) -> None:
    def spoil(parsed: dict[str, Any], **_: object) -> None:
        parsed["FileSystems"][0]["LifeCycleState"] = "deleting"

    session = boto3.Session(OPERATOR_KEY_ID, OPERATOR_SECRET, region_name="us-east-1")
    with closing(session.client("efs", endpoint_url=sandbox.endpoint_url)) as efs:
        efs.meta.events.register("after-call.efs.DescribeFileSystems", spoil)
        with pytest.raises(HistoryRefused, match=rf"The file system {NAME} is being deleted: nothing can be changed"):
            read_live(efs, sandbox.client("cloudwatch"), NAME, 2, NOW, Cache(folder=tmp_path))


def test_throttled_to_death_is_a_sentence(sandbox: Sandbox, read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox.quotas, "counts_everybody", True)
    sandbox.quotas.second_passes()
    sandbox.quotas.take("GetMetricData", 390_000, NOW)
    with pytest.raises(AwsRefused, match="failed with Throttling: Rate exceeded") as refused:
        read(14)
    assert "\n" not in str(refused.value)
    sandbox.quotas.second_passes()


def a_day_later(sandbox: Sandbox, folder: Path, spoil: Callable[..., None]) -> Recorded:
    """What is read a day after NOW by somebody whose answers are spoiled, and who has read before, if at all."""
    session = boto3.Session(OPERATOR_KEY_ID, OPERATOR_SECRET, region_name="us-east-1")
    with closing(session.client("cloudwatch", endpoint_url=sandbox.endpoint_url, config=ONCE)) as cloudwatch:
        cloudwatch.meta.events.register("after-call.cloudwatch.GetMetricData", spoil)
        return read_live(sandbox.client("efs"), cloudwatch, NAME, 2, NOW + timedelta(days=1), Cache(folder=folder))


def refusing(code: str) -> Callable[..., None]:
    """Has CloudWatch refuse every GetMetricData."""

    def spoil(http_response: Any, parsed: dict[str, Any], **_: object) -> None:
        http_response.status_code = 400
        parsed["Error"] = {"Code": code, "Message": "Rate exceeded"}

    return spoil


def without_balance(parsed: dict[str, Any], **_: object) -> None:
    for result in parsed["MetricDataResults"]:
        if result["Label"] == "BurstCreditBalance":
            result |= {"StatusCode": "InternalError"}


@pytest.mark.whole
@pytest.mark.parametrize(
    ("spoil", "why"),
    first_of(
        [
            (refusing("Throttling"), "failed with Throttling: Rate exceeded"),
            (refusing("InternalServiceFault"), "failed with InternalServiceFault: Rate exceeded"),
            (without_balance, "did not tell all of BurstCreditBalance (InternalError)"),
        ],
        in_ci=1,
    ),
    ids=["throttled", "failing", "partial"],
)
def test_days_that_were_read_before_are_told_though_cloudwatch_answers_no_more(
    sandbox: Sandbox, read: Read, tmp_path: Path, spoil: Callable[..., None], why: str
) -> None:
    before = read(2)
    found = a_day_later(sandbox, tmp_path, spoil)
    midnight = NOW.replace(hour=0, minute=0)
    assert {key for key, points in found.points.items() if points} == {
        key for key in before.points if before.points[key]
    }
    whole_day = range(int((midnight - timedelta(days=1)).timestamp()), int(midnight.timestamp()))
    for key, points in found.points.items():
        assert sorted(points) == [one for one in sorted(before.points[key]) if int(one.seconds) in whole_day]
    (remark,) = found.remarks
    assert remark == (
        f"From {midnight:%Y-%m-%d %H:%M} UTC on nothing is known: cloudwatch:GetMetricData on {NAME} {why}. The days "
        "before that are those that were read earlier; run it again in a minute, and it asks only for what is missing"
    )
    assert history_of(found, 2, NOW + timedelta(days=1)).minutes == 1440


@pytest.mark.whole
def test_what_a_refused_request_is_missing_is_no_idle_time(sandbox: Sandbox, read: Read, tmp_path: Path) -> None:
    """A counter of which fewer days were read than of the balance is not known, and not nothing."""
    read(2)
    (file,) = tmp_path.rglob("MeteredIOBytes.Sum.60.json")
    file.unlink()
    found = a_day_later(sandbox, tmp_path, refusing("Throttling"))
    assert METERED not in found.points
    assert found.points[BALANCE]


@pytest.mark.whole
@pytest.mark.parametrize("code", ["ExpiredToken", "InvalidClientTokenId"])
def test_who_is_nobody_to_aws_is_told_that_and_not_what_was_read_before(
    sandbox: Sandbox, read: Read, tmp_path: Path, code: str
) -> None:
    read(2)
    with pytest.raises(AwsRefused, match=code):
        a_day_later(sandbox, tmp_path, refusing(code))


def test_who_may_read_no_more_is_told_that_and_not_what_was_read_before(read: Read, sandbox: Sandbox) -> None:
    read(2)
    with pytest.raises(AwsDenied, match="What is asked here needs"):
        read(2, **keys_of(sandbox, "no-metrics-any-more", DESCRIBE))


@pytest.mark.whole
@pytest.mark.parametrize("status", ["InternalError", pytest.param("Forbidden", marks=pytest.mark.more)])
def test_a_metric_that_cloudwatch_ends_with_an_error_is_no_idle_one_and_is_not_kept(
    sandbox: Sandbox, tmp_path: Path, status: str
) -> None:
    """Without a word it would be a file system that nobody used, and stay so in the cache."""

    def spoil(parsed: dict[str, Any], **_: object) -> None:
        for result in parsed["MetricDataResults"]:
            result |= {"Timestamps": [], "Values": [], "StatusCode": status}

    refusal = rf"GetMetricData on {NAME} did not tell all of BurstCreditBalance \({status}\)"
    session = boto3.Session(OPERATOR_KEY_ID, OPERATOR_SECRET, region_name="us-east-1")
    with closing(session.client("cloudwatch", endpoint_url=sandbox.endpoint_url)) as cloudwatch:
        cloudwatch.meta.events.register("after-call.cloudwatch.GetMetricData", spoil)
        with pytest.raises(AwsRefused, match=refusal):
            read_live(sandbox.client("efs"), cloudwatch, NAME, 2, NOW, Cache(folder=tmp_path))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.whole
@pytest.mark.parametrize("status", [pytest.param("InternalError", marks=pytest.mark.more), "Forbidden"])
def test_one_metric_that_cloudwatch_did_not_tell_is_left_out_and_the_rest_is_told(
    sandbox: Sandbox, tmp_path: Path, status: str
) -> None:
    def spoil(parsed: dict[str, Any], **_: object) -> None:
        for result in parsed["MetricDataResults"]:
            if result["Label"] == "MeteredIOBytes":
                result |= {"StatusCode": status}

    session = boto3.Session(OPERATOR_KEY_ID, OPERATOR_SECRET, region_name="us-east-1")
    with closing(session.client("cloudwatch", endpoint_url=sandbox.endpoint_url)) as cloudwatch:
        cloudwatch.meta.events.register("after-call.cloudwatch.GetMetricData", spoil)
        found = read_live(sandbox.client("efs"), cloudwatch, NAME, 2, NOW, Cache(folder=tmp_path))
    assert METERED not in found.points
    assert found.points[BALANCE]
    (remark,) = found.remarks
    assert remark.startswith(f"MeteredIOBytes is left out: CloudWatch did not tell all of it ({status})")
    assert list(tmp_path.rglob("MeteredIOBytes*")) == []


def test_metrics_that_ended_long_ago_are_no_late_beginning(sandbox: Sandbox) -> None:
    later = NOW + timedelta(days=3)
    found = read_live(sandbox.client("efs"), sandbox.client("cloudwatch"), NAME, 5, later, Cache(folder=None))
    (remark,) = (one for one in history_of(found, 5, later).remarks if one.startswith("The metrics "))
    assert "3.0 days before now" in remark


def test_no_metrics_at_all_are_a_sentence(sandbox: Sandbox, tmp_path: Path) -> None:
    other = "fs-0fedcba9876543210"
    sandbox.file_systems.create(other, Size(standard_bytes=1))
    found = read_live(sandbox.client("efs"), sandbox.client("cloudwatch"), other, 2, NOW, Cache(folder=tmp_path))
    with pytest.raises(HistoryRefused, match="There is no BurstCreditBalance of fs-0fedcba9876543210"):
        history_of(found, 2, NOW)


def test_the_policy_in_the_page_is_all_that_is_needed() -> None:
    page = (FOLDER.parents[1] / "docs" / "backtest.md").read_text()
    policy: dict[str, Any] = json.loads(page.partition("```json\n")[2].partition("```")[0])
    assert [action for one in policy["Statement"] for action in one["Action"]] == [GET, DESCRIBE]
