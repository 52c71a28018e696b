"""The alarms that are off by default: on what, from when, and told to whom."""

from typing import Any

import pytest
from efs_monitor.aws.embedded_metrics import CONSECUTIVE_FAILURES, NAMESPACE, REGRESSIONS
from efs_monitor.benchmarks.deadline import execution_timeout_seconds
from efs_monitor.benchmarks.profiles import PROFILES, workloads_of

from tests.template.template_documents import (
    FILE_SYSTEM_ID,
    RUNBOOK_URL,
    STACK_NAME,
    depends_on,
    of_type,
    resolved,
    transformed,
    with_includes,
)
from tools.fingerprint import fingerprint, recalculated

OF_THE_FILE_SYSTEM = {"ThroughputUtilizationAlarm": "UtilizationAlarm", "PercentIoLimitAlarm": "IoLimitAlarm"}
OF_BENCHMARKS = {
    "ConsecutiveFailuresAlarm": "BenchmarkFailuresAlarm",
    "BenchmarkRegressionsAlarm": "RegressionsAlarm",
}
OPTIONAL = OF_THE_FILE_SYSTEM | OF_BENCHMARKS


def properties(name: str) -> dict[str, Any]:
    found: dict[str, Any] = resolved(transformed()["Resources"][name]["Properties"])
    return found


def test_these_are_all_alarms_that_the_recalculation_does_not_own() -> None:
    alarms = of_type(transformed(), "AWS::CloudWatch::Alarm")
    assert {name for name, resource in alarms.items() if not recalculated(resource)} == OPTIONAL.keys()


@pytest.mark.parametrize(("name", "parameter"), OPTIONAL.items())
def test_an_optional_alarm_exists_only_where_its_parameter_is_on(name: str, parameter: str) -> None:
    document = with_includes()
    condition = document["Resources"][name]["Condition"]
    is_on: dict[str, Any] = {"Fn::Equals": [{"Ref": parameter}, "on"]}
    if name in OF_BENCHMARKS:
        # Without benchmarks there would never be anything to evaluate.
        is_on = {"Fn::And": [{"Condition": "HasBenchmarks"}, is_on]}
    assert document["Conditions"][condition] == is_on
    assert document["Parameters"][parameter]["Default"] == "off"


@pytest.mark.parametrize("name", OPTIONAL)
def test_it_tells_advice_and_not_the_pagers_of_the_credits(name: str) -> None:
    found = properties(name)
    assert found["AlarmActions"] == found["OKActions"] == ["<AdviceTopic>"]
    # Which comes after the policy of Advice, or the look at a topic that was given.
    assert depends_on(transformed()["Resources"][name]) == {"Thresholds"}


@pytest.mark.parametrize("name", OPTIONAL)
def test_the_look_at_a_given_topic_knows_it_by_the_end_of_its_name(name: str) -> None:
    """What Advice must let in is read off the properties of the deployment's own look at the topics."""
    looked_at = with_includes()["Resources"]["Topics"]["Properties"]["AdviceAlarms"]
    condition = with_includes()["Resources"][name]["Condition"]
    end = properties(name)["AlarmName"].removeprefix(f"{STACK_NAME}-")
    assert {"Fn::If": [condition, end, {"Ref": "AWS::NoValue"}]} in looked_at
    assert len(looked_at) == len(OPTIONAL)


@pytest.mark.parametrize(
    ("name", "ending", "anchor"),
    [
        ("ThroughputUtilizationAlarm", "throughput-utilization", "#throughput-utilization"),
        ("PercentIoLimitAlarm", "percent-io-limit", "#io-limit"),
        ("ConsecutiveFailuresAlarm", "benchmark-failures", "#benchmarks-fail"),
        ("BenchmarkRegressionsAlarm", "benchmark-regressions", "#benchmark-regressions"),
    ],
)
def test_its_mail_says_which_file_system_and_where_to_read_on(name: str, ending: str, anchor: str) -> None:
    found = properties(name)
    assert found["AlarmName"] == f"{STACK_NAME}-{ending}"
    # CloudWatch puts one text into the mail of either change.
    alarm, _, ok = found["AlarmDescription"].partition(" OK: ")
    without = resolved(transformed()["Resources"][name]["Properties"]["AlarmDescription"], HasRunbook=False)
    assert without == f"{alarm.removesuffix(f' {RUNBOOK_URL}{anchor}')} OK: {ok}"
    assert alarm.startswith("ALARM: ")
    assert FILE_SYSTEM_ID in alarm
    assert alarm.endswith(f". {RUNBOOK_URL}{anchor}")
    assert ok == 'it is over; right after a deployment it only means "armed".'
    # The longest RunbookUrl has 256 characters, the longest description 1,024.
    assert len(found["AlarmDescription"]) < 1024 - 256


def test_utilization_is_six_minutes_of_ten_above_80_percent() -> None:
    found = properties("ThroughputUtilizationAlarm")
    assert (found["DatapointsToAlarm"], found["EvaluationPeriods"]) == (6, 10)
    assert (found["ComparisonOperator"], found["Threshold"]) == ("GreaterThanThreshold", 80)
    assert {one["MetricStat"]["Period"] for one in found["Metrics"] if "MetricStat" in one} == {60}


def test_the_io_limit_is_fifteen_minutes_above_95_percent() -> None:
    found = properties("PercentIoLimitAlarm")
    assert (found["Namespace"], found["MetricName"], found["Statistic"]) == ("AWS/EFS", "PercentIOLimit", "Average")
    assert (found["DatapointsToAlarm"], found["EvaluationPeriods"], found["Period"]) == (3, 3, 300)
    assert (found["ComparisonOperator"], found["Threshold"]) == ("GreaterThanThreshold", 95)


@pytest.mark.parametrize(
    ("name", "metric", "threshold"),
    [("ConsecutiveFailuresAlarm", CONSECUTIVE_FAILURES, 2), ("BenchmarkRegressionsAlarm", REGRESSIONS, 1)],
)
def test_an_alarm_of_benchmarks_is_one_run_whose_count_is_too_high(name: str, metric: str, threshold: int) -> None:
    found = properties(name)
    assert (found["Namespace"], found["MetricName"]) == (NAMESPACE, metric)
    assert found["Dimensions"] == [{"Name": "FileSystemId", "Value": FILE_SYSTEM_ID}]
    assert (found["ComparisonOperator"], found["Threshold"]) == ("GreaterThanOrEqualToThreshold", threshold)
    # The highest: what is published twice counts once.
    assert (found["Statistic"], found["EvaluationPeriods"], found["DatapointsToAlarm"]) == ("Maximum", 10, 1)


@pytest.mark.parametrize("name", OF_BENCHMARKS)
@pytest.mark.parametrize("profile", PROFILES)
def test_a_result_that_is_collected_late_is_still_evaluated(name: str, profile: str) -> None:
    """It has the time at which its run began; a lost one is given up after 15 minutes, and swept up within 30.
    CloudWatch may take two hours to show what is older than three (PutMetricData).
    """
    found = properties(name)
    latest_seconds = execution_timeout_seconds(workloads_of(profile, local_baselines=True)) + 165 * 60
    assert found["Period"] * found["EvaluationPeriods"] >= latest_seconds


@pytest.mark.parametrize("name", OPTIONAL)
def test_missing_data_changes_nothing_and_no_unit_is_asked_for(name: str) -> None:
    found = properties(name)
    assert found["TreatMissingData"] == "ignore"
    assert "Unit" not in found


@pytest.mark.parametrize("name", OPTIONAL)
def test_writing_it_again_needs_no_new_thresholds(name: str) -> None:
    resources = with_includes()["Resources"]
    before = fingerprint(resources)
    resources[name]["Properties"]["EvaluationPeriods"] += 1
    assert fingerprint(resources) == before
