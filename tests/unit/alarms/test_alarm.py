"""Names, definitions and hand-made edits of the stack's alarms."""

from typing import Any

import pytest
from efs_monitor.alarms.alarm import (
    ENDED_BY_MODE_MARK,
    SUSPENDED_MARK,
    WAKING,
    AlarmKind,
    LiveAlarm,
    alarm_name,
    is_ended_by_mode,
    warning_stack,
)
from efs_monitor.alarms.alarm_definition import Wiring, definition
from efs_monitor.alarms.draining import metrics
from efs_monitor.alarms.drift import JUDGED_FIELDS, edits

WIRING = Wiring(
    file_system_id="fs-0123456789abcdef0",
    warning_topic_arn="arn:aws:sns:us-east-1:123456789012:home-warning",
    critical_topic_arn="arn:aws:sns:us-east-1:123456789012:home-critical",
    explain_arn="arn:aws:lambda:us-east-1:123456789012:function:home-Explain",
)
RECALCULATE = "arn:aws:lambda:us-east-1:123456789012:function:home-Recalculate"


def as_deployed(kind: AlarmKind) -> LiveAlarm:
    settings = definition(kind, WIRING)
    if kind is AlarmKind.RISE:
        settings |= {"AlarmActions": [RECALCULATE], "OKActions": [RECALCULATE]}
    return LiveAlarm(
        name=alarm_name("home", kind),
        threshold=1.0,
        description="what it says",
        actions_enabled=True,
        state="OK",
        settings=settings,
    )


def with_setting(alarm: LiveAlarm, field: str, value: object) -> LiveAlarm:
    return alarm._replace(settings={**alarm.settings, field: value})


def test_names_carry_the_stack() -> None:
    assert [alarm_name("home", kind) for kind in AlarmKind] == [
        "home-warning",
        "home-critical",
        "home-exhausted",
        "home-draining",
        "home-permitted-throughput-rise",
    ]


@pytest.mark.parametrize("kind", AlarmKind)
def test_an_alarm_as_deployed_has_no_edits(kind: AlarmKind) -> None:
    assert edits(as_deployed(kind), kind, WIRING) == ()


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("TreatMissingData", "breaching", "TreatMissingData is breaching, the stack has ignore"),
        ("Period", 300, "Period is 300, the stack has 60"),
        ("OKActions", [], "OKActions is not set, the stack has"),
        ("Unit", "Bytes", "Unit is Bytes, the stack has not set"),
    ],
)
def test_each_edit_is_a_sentence_with_both_values(field: str, value: object, sentence: str) -> None:
    (found,) = edits(with_setting(as_deployed(AlarmKind.WARNING), field, value), AlarmKind.WARNING, WIRING)
    assert found.startswith(sentence)


@pytest.mark.parametrize("kind", AlarmKind)
def test_a_field_that_is_not_known_here_is_no_edit(kind: AlarmKind) -> None:
    told = with_setting(as_deployed(kind), "EvaluationWindow", {"SlidingWindow": {}})
    assert edits(with_setting(told, "ForecastConfiguration", {"Enabled": True}), kind, WIRING) == ()


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        (
            "WarmUpConfiguration",
            {"WarmUpPeriodDurationInMinutes": 60, "OnlyStartEvaluatingAfterWarmUpPeriodEnds": True},
            "WarmUpConfiguration silences it for up to 60 min after it is created or changed, the stack has no warm-up",
        ),
        (
            "EvaluationWindow",
            {"WallClockWindow": {"Timezone": "Europe/Berlin"}},
            "EvaluationWindow follows the wall clock of Europe/Berlin, the stack has a sliding window",
        ),
        (
            "EvaluationWindow",
            {"WallClockWindow": {}},
            "EvaluationWindow follows the wall clock of UTC, the stack has a sliding window",
        ),
    ],
)
@pytest.mark.parametrize("kind", AlarmKind)
def test_what_silences_an_alarm_beside_its_own_settings_is_an_edit(
    kind: AlarmKind, field: str, value: object, sentence: str
) -> None:
    assert edits(with_setting(as_deployed(kind), field, value), kind, WIRING) == (sentence,)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("EvaluationWindow", {"SlidingWindow": {}}),
        ("WarmUpConfiguration", {"WarmUpPeriodDurationInMinutes": 0}),
        ("WarmUpConfiguration", {"OnlyStartEvaluatingAfterWarmUpPeriodEnds": False}),
        ("EvaluationInterval", 60),
    ],
)
def test_defaults_of_the_service_are_no_edits(field: str, value: object) -> None:
    assert edits(with_setting(as_deployed(AlarmKind.WARNING), field, value), AlarmKind.WARNING, WIRING) == ()


@pytest.mark.parametrize("kind", AlarmKind)
def test_whatever_the_template_sets_is_judged(kind: AlarmKind) -> None:
    assert definition(kind, WIRING).keys() <= JUDGED_FIELDS


def test_the_order_of_actions_and_unset_lists_are_no_edits() -> None:
    alarm = as_deployed(AlarmKind.CRITICAL)
    turned = with_setting(alarm, "AlarmActions", [WIRING.explain_arn, WIRING.critical_topic_arn])
    without = turned._replace(
        settings={key: value for key, value in turned.settings.items() if key != "InsufficientDataActions"}
    )
    assert edits(without, AlarmKind.CRITICAL, WIRING) == ()


def test_actions_switched_off_by_hand_are_an_edit_but_a_suspension_is_not() -> None:
    off = as_deployed(AlarmKind.WARNING)._replace(actions_enabled=False)
    assert edits(off, AlarmKind.WARNING, WIRING) == ("its actions are switched off, the stack has them on",)
    suspended = off._replace(description=f"{SUSPENDED_MARK} elastic")
    assert edits(suspended, AlarmKind.WARNING, WIRING) == ()


RECALCULATION_MISSING = "AlarmActions is not set, the stack has the recalculation there"


def test_rise_without_its_action_is_an_edit() -> None:
    dull = with_setting(as_deployed(AlarmKind.RISE), "AlarmActions", [])
    assert RECALCULATION_MISSING in edits(dull, AlarmKind.RISE, WIRING)


def test_rise_with_ok_actions_alone_lacks_its_action_and_has_one_too_many() -> None:
    turned = with_setting(with_setting(as_deployed(AlarmKind.RISE), "AlarmActions", []), "OKActions", ["other"])
    assert edits(turned, AlarmKind.RISE, WIRING) == (
        "OKActions is ['other'], the stack has not set",
        RECALCULATION_MISSING,
    )


def test_warning_without_its_actions_is_told_in_one_sentence() -> None:
    dull = with_setting(as_deployed(AlarmKind.WARNING), "AlarmActions", [])
    (found,) = edits(dull, AlarmKind.WARNING, WIRING)
    assert found == f"AlarmActions is not set, the stack has {[WIRING.warning_topic_arn, WIRING.explain_arn]}"


def test_several_edits_are_told_in_the_order_of_their_names() -> None:
    edited = as_deployed(AlarmKind.WARNING)
    for field, value in {"TreatMissingData": "missing", "Period": 300, "DatapointsToAlarm": 2}.items():
        edited = with_setting(edited, field, value)
    assert [found.split()[0] for found in edits(edited, AlarmKind.WARNING, WIRING)] == [
        "DatapointsToAlarm",
        "Period",
        "TreatMissingData",
    ]


@pytest.mark.parametrize(
    "field",
    [
        "ExtendedStatistic",
        "Unit",
        "Metrics",
        "ThresholdMetricId",
        "EvaluateLowSampleCountPercentile",
        "EvaluationCriteria",
    ],
)
def test_what_the_stack_leaves_unset_and_only_a_person_sets_is_an_edit(field: str) -> None:
    (found,) = edits(with_setting(as_deployed(AlarmKind.WARNING), field, "x"), AlarmKind.WARNING, WIRING)
    assert found == f"{field} is x, the stack has not set"


def test_the_credit_alarms_watch_the_lowest_balance_of_each_of_fifteen_minutes() -> None:
    dimensions = [{"Name": "FileSystemId", "Value": "fs-0123456789abcdef0"}]
    watched = {
        "Namespace": "AWS/EFS",
        "MetricName": "BurstCreditBalance",
        "Dimensions": dimensions,
        "Statistic": "Minimum",
        "Period": 60,
        "EvaluationPeriods": 15,
        "DatapointsToAlarm": 1,
        "ComparisonOperator": "LessThanThreshold",
        "TreatMissingData": "ignore",
        "InsufficientDataActions": [],
    }
    told = [WIRING.critical_topic_arn, WIRING.explain_arn]
    assert definition(AlarmKind.CRITICAL, WIRING) == watched | {"AlarmActions": told, "OKActions": told}
    assert definition(AlarmKind.EXHAUSTED, WIRING) == definition(AlarmKind.CRITICAL, WIRING)
    assert definition(AlarmKind.RISE, WIRING) == watched | {
        "MetricName": "PermittedThroughput",
        "ComparisonOperator": "GreaterThanThreshold",
    }


def test_an_alarm_that_is_being_woken_is_still_marked_and_says_what_comes() -> None:
    assert WAKING == "[suspended] Burst credits matter again; the next hourly run switches this alarm on."


def test_an_alarm_watches_one_file_system() -> None:
    assert as_deployed(AlarmKind.WARNING).watches("fs-0123456789abcdef0")
    assert not as_deployed(AlarmKind.WARNING).watches("fs-99999999999999999")


@pytest.mark.parametrize(
    ("name", "topic", "stack"),
    [
        ("home-warning", "home-warning", "home"),
        ("early-warning-warning", "early-warning-warning", "early-warning"),
        ("home-critical", "home-critical", None),
        # Somebody's own: called alike, but it tells another topic, or nobody.
        ("my-warning", "home-warning", None),
        ("my-warning", "", None),
        ("warning", "warning", None),
    ],
)
def test_a_warning_alarm_is_known_by_the_topic_that_is_called_like_it(name: str, topic: str, stack: str | None) -> None:
    arns = ["arn:aws:lambda:us-east-1:123456789012:function:explain"]
    arns += [f"arn:aws:sns:us-east-1:123456789012:{topic}"] if topic else []
    assert warning_stack(name, arns) == stack


@pytest.mark.parametrize(
    ("function", "stack"),
    [
        ("home-Explain-Tq3vXyL0aB7c", "home"),
        # CloudFormation has cut a long name of the stack.
        ("hom-Explain-Tq3vXyL0aB7c", "home"),
        ("work-Explain-Tq3vXyL0aB7c", None),
        ("home-RecalculateThresholds-Tq3vXyL0aB7c", None),
    ],
)
def test_a_warning_alarm_that_tells_somebody_elses_topic_is_known_by_the_function_that_explains_it(
    function: str, stack: str | None
) -> None:
    arns = [f"arn:aws:lambda:us-east-1:123456789012:function:{function}", "arn:aws:sns:us-east-1:111122223333:shared"]
    assert warning_stack("home-warning", arns) == stack


def draining_with(metrics: list[dict[str, Any]]) -> LiveAlarm:
    return with_setting(as_deployed(AlarmKind.DRAINING), "Metrics", metrics)


def test_draining_watches_the_file_system_of_its_metric() -> None:
    assert as_deployed(AlarmKind.DRAINING).watches("fs-0123456789abcdef0")
    assert not as_deployed(AlarmKind.DRAINING).watches("fs-99999999999999999")


def test_metrics_in_another_order_and_with_further_fields_are_no_edit() -> None:
    answered = [
        {**dict(reversed(one.items())), "Label": "another", "Tomorrow": True}
        for one in reversed(metrics("fs-0123456789abcdef0"))
    ]
    assert edits(draining_with(answered), AlarmKind.DRAINING, WIRING) == ()


def test_metrics_without_what_has_a_default_are_no_edit() -> None:
    result, pace, balance = metrics("fs-0123456789abcdef0")
    del result["ReturnData"], result["Period"], pace["Period"]
    assert edits(draining_with([result, pace, balance]), AlarmKind.DRAINING, WIRING) == ()


@pytest.mark.parametrize(
    ("position", "change"),
    [
        (0, {"Expression": "balance"}),
        (0, {"ReturnData": False}),
        (1, {"Period": 300}),
        (2, {"MetricStat": {**metrics("fs-0123456789abcdef0")[2]["MetricStat"], "Unit": "Bytes"}}),
        (2, {"MetricStat": {**metrics("fs-0123456789abcdef0")[2]["MetricStat"], "Stat": "Average"}}),
    ],
)
def test_another_expression_period_unit_or_statistic_is_an_edit(position: int, change: dict[str, Any]) -> None:
    edited = metrics("fs-0123456789abcdef0")
    edited[position] |= change
    (found,) = edits(draining_with(edited), AlarmKind.DRAINING, WIRING)
    assert found.startswith("Metrics is ")


def test_the_end_of_a_fall_tells_warning_and_needs_no_explaining() -> None:
    settings = definition(AlarmKind.DRAINING, WIRING)
    assert settings["AlarmActions"] == [WIRING.warning_topic_arn, WIRING.explain_arn]
    assert settings["OKActions"] == [WIRING.warning_topic_arn]


def test_whom_an_alarm_tells_is_in_its_two_lists() -> None:
    told = as_deployed(AlarmKind.WARNING)
    assert told.targets == {WIRING.warning_topic_arn, WIRING.explain_arn}
    assert with_setting(told, "AlarmActions", None).targets == frozenset(told.settings["OKActions"])  # type: ignore[call-overload] # a list
    both = with_setting(with_setting(told, "AlarmActions", ["on"]), "OKActions", ["over"])
    assert both.targets == {"on", "over"}


def test_an_alarm_of_no_metrics_is_judged_by_its_dimensions_and_one_of_several_by_all_of_them() -> None:
    warning, draining = as_deployed(AlarmKind.WARNING), as_deployed(AlarmKind.DRAINING)
    watched = WIRING.file_system_id
    assert with_setting(warning, "Metrics", []).watches(watched)
    assert not with_setting(warning, "Metrics", []).watches("fs-99999999999999999")
    assert not with_setting(warning, "Dimensions", []).watches(watched)
    other = metrics("fs-00000000000000000")[-1]
    assert not with_setting(draining, "Metrics", [*metrics(watched), other]).watches(watched)


def test_what_ended_by_a_change_of_the_mode_is_known_by_the_beginning_of_its_reason() -> None:
    reasons = (f"{ENDED_BY_MODE_MARK} elastic", f"Threshold Crossed. {ENDED_BY_MODE_MARK}", "")
    assert [is_ended_by_mode(one) for one in reasons] == [True, False, False]
