"""What a function is told by its environment, and the sentence for what is missing."""

import pytest
from efs_monitor.alarms.alarm_definition import Wiring
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.benchmarks.benchmark_settings import (
    BenchmarkSettings,
    CollectionSettings,
    benchmark_settings_from,
    collection_settings_from,
)
from efs_monitor.config import Config, config_from, required, settings_from, topic_arns_from, wiring_from
from efs_monitor.errors import SettingsRefused
from efs_monitor.fleet.fleet_settings import fleet_settings_from
from efs_monitor.notify.health_settings import HealthSettings, RepeatHours, watch_from

ENVIRONMENT = {
    "STACK_NAME": "home",
    "STACK_ID": "arn:aws:cloudformation:us-east-1:123456789012:stack/home/6f1e0a70",
    "FILE_SYSTEM_ID": "fs-0123456789abcdef0",
    "ADVICE_TOPIC_ARN": "arn:aws:sns:us-east-1:123456789012:home-advice",
    "RUNBOOK_URL": "https://wiki.example.com/efs",
    "WARNING_TOPIC_ARN": "arn:aws:sns:us-east-1:123456789012:home-warning",
    "CRITICAL_TOPIC_ARN": "arn:aws-cn:sns:cn-north-1:123456789012:home-critical",
    "EXPLAIN_ARN": "arn:aws:lambda:us-east-1:123456789012:function:home-Explain",
    "WARNING_MINUTES": "180",
    "CRITICAL_MINUTES": "60",
    "RISE_TOLERANCE_PERCENT": "10",
}


def without(name: str) -> dict[str, str]:
    return {key: value for key, value in ENVIRONMENT.items() if key != name}


def test_a_whole_environment_is_read() -> None:
    assert config_from(ENVIRONMENT) == Config(
        stack_name="home",
        stack_id=ENVIRONMENT["STACK_ID"],
        file_system_id="fs-0123456789abcdef0",
        advice_topic_arn=ENVIRONMENT["ADVICE_TOPIC_ARN"],
        runbook_url="https://wiki.example.com/efs",
    )
    assert settings_from(ENVIRONMENT) == Settings(warning_minutes=180, critical_minutes=60, rise_tolerance_percent=10)
    assert wiring_from(ENVIRONMENT) == Wiring(
        file_system_id="fs-0123456789abcdef0",
        warning_topic_arn=ENVIRONMENT["WARNING_TOPIC_ARN"],
        critical_topic_arn=ENVIRONMENT["CRITICAL_TOPIC_ARN"],
        explain_arn=ENVIRONMENT["EXPLAIN_ARN"],
    )


def test_what_may_be_chosen_is_read_and_has_a_default() -> None:
    least = config_from(without("RUNBOOK_URL"))
    assert (least.runbook_url, least.chat_messages, least.dashboard, least.state_parameter) == ("", False, True, "")
    chosen = {"CHAT_MESSAGES": "on", "DASHBOARD": "off", "TOLD_PARAMETER": "/efs-monitor/home/told"}
    found = config_from(ENVIRONMENT | chosen)
    assert (found.chat_messages, found.dashboard, found.state_parameter) == (True, False, "/efs-monitor/home/told")
    otherwise = config_from(ENVIRONMENT | {"CHAT_MESSAGES": "off", "DASHBOARD": "on"})
    assert (otherwise.chat_messages, otherwise.dashboard) == (False, True)


@pytest.mark.parametrize("name", ["STACK_NAME", "STACK_ID", "FILE_SYSTEM_ID", "ADVICE_TOPIC_ARN"])
def test_a_missing_or_empty_variable_is_named(name: str) -> None:
    for environment in (without(name), {**ENVIRONMENT, name: ""}):
        with pytest.raises(SettingsRefused, match=f"The environment variable {name} is not set"):
            config_from(environment)


@pytest.mark.parametrize("name", ["FILE_SYSTEM_ID", "WARNING_TOPIC_ARN", "CRITICAL_TOPIC_ARN", "EXPLAIN_ARN"])
def test_a_missing_wire_is_named(name: str) -> None:
    with pytest.raises(SettingsRefused, match=f"The environment variable {name} is not set"):
        wiring_from(without(name))


@pytest.mark.parametrize("value", ["home-advice", "arn:aws:sqs:us-east-1:123456789012:queue", "arn:aws:sns:::", "x\n"])
def test_what_is_no_topic_is_refused_with_its_value(value: str) -> None:
    with pytest.raises(SettingsRefused) as refused:
        config_from({**ENVIRONMENT, "ADVICE_TOPIC_ARN": value})
    assert str(refused.value) == (
        f"The environment variable ADVICE_TOPIC_ARN is {value!r}, not the ARN of a topic; deploy the function from "
        "template.yaml"
    )


@pytest.mark.parametrize("value", ["60.5", "-60", "sixty", " 60", "6\n", "٦٠", 60, "1" * 10, ["60"]])
def test_minutes_that_are_no_whole_number_as_text_are_refused_with_their_value(value: object) -> None:
    with pytest.raises(SettingsRefused) as refused:
        settings_from({**ENVIRONMENT, "CRITICAL_MINUTES": value})
    assert str(refused.value) == f"CRITICAL_MINUTES is {value!r}, but must be a whole number"


def test_minutes_that_are_missing_are_refused_with_what_to_do() -> None:
    for environment in (without("CRITICAL_MINUTES"), {**ENVIRONMENT, "CRITICAL_MINUTES": ""}):
        with pytest.raises(SettingsRefused) as refused:
            settings_from(environment)
        assert str(refused.value) == (
            "CRITICAL_MINUTES is not set, but must be a whole number; deploy the function from template.yaml"
        )


def test_the_profile_is_read_where_benchmarks_are_measured() -> None:
    assert config_from(ENVIRONMENT | {"BENCHMARK_PROFILE": "quick"}).benchmark_profile == "quick"


def test_settings_are_read_under_other_names_too() -> None:
    found = settings_from({"A": "90", "B": "30", "C": "5"}, ("A", "B", "C"))
    assert found == Settings(warning_minutes=90, critical_minutes=30, rise_tolerance_percent=5)


def test_settings_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(SettingsRefused, match="CriticalMinutes is 180 and WarningMinutes is 180"):
        settings_from({**ENVIRONMENT, "CRITICAL_MINUTES": "180"})


def test_any_other_variable_can_be_required() -> None:
    assert required({"TOLD_PARAMETER": "/told"}, "TOLD_PARAMETER") == "/told"
    with pytest.raises(SettingsRefused, match="TOLD_PARAMETER is not set; deploy the function from"):
        required({}, "TOLD_PARAMETER")


WATCH = {
    "SILENT_METRICS_HOURS": "3",
    "REPEAT_WARNING_HOURS": "24",
    "REPEAT_CRITICAL_HOURS": "0",
    "ELASTIC_DAILY_USD": "50",
    "RECALCULATE_FUNCTION": "home-Recalculate",
    "EXPLAIN_FUNCTION": "home-Explain",
    "SET_LATE_ALARMS_FUNCTION": "home-SetLateAlarms",
    "AWS_LAMBDA_FUNCTION_NAME": "home-ReportSilence",
}


def test_what_is_watched_is_read_with_and_without_an_address() -> None:
    expected = HealthSettings(
        alert_email="",
        own_topics=frozenset(),
        silent_metrics_hours=3,
        repeat_hours=RepeatHours(warning=24, critical=0),
        function_names={
            "RecalculateThresholds": "home-Recalculate",
            "Explain": "home-Explain",
            "SetLateAlarms": "home-SetLateAlarms",
            "ReportSilence": "home-ReportSilence",
        },
        elastic_daily_dollars=50,
    )
    assert watch_from(WATCH) == watch_from({**WATCH, "ALERT_EMAIL": ""}) == expected
    assert watch_from({**WATCH, "ALERT_EMAIL": "ops@example.com"}).alert_email == "ops@example.com"


def test_the_benchmarks_that_are_quoted_are_watched_where_there_are_any() -> None:
    chosen = {"BENCHMARKS_PARAMETER": "/efs-monitor/home/benchmarks", "BENCHMARK_PATH": "/mnt/efs"}
    found = [(one.benchmarks_parameter, one.benchmark_path) for one in (watch_from(WATCH), watch_from(WATCH | chosen))]
    assert found == [("", ""), ("/efs-monitor/home/benchmarks", "/mnt/efs")]


def test_the_topics_that_the_stack_makes_are_named_in_one_variable() -> None:
    assert watch_from({**WATCH, "OWN_TOPICS": "warning  advice"}).own_topics == {"warning", "advice"}


@pytest.mark.parametrize(
    "value", ["home", "arn:aws:sns:us-east-1:123456789012:home", "arn:aws:cloudformation:::stack/x"]
)
def test_what_is_no_id_of_a_stack_is_refused_with_its_value(value: str) -> None:
    with pytest.raises(SettingsRefused) as refused:
        config_from({**ENVIRONMENT, "STACK_ID": value})
    assert str(refused.value) == (
        f"The environment variable STACK_ID is {value!r}, not the id of a stack; deploy the function from template.yaml"
    )


FLEET = {
    "FLEET_NAME": "efs-fleet",
    "STACK_ID": "arn:aws-cn:cloudformation:cn-north-1:123456789012:stack/StackSet-x/6f1e0a70",
    "TEMPLATE_URL": "https://releases.s3.cn-north-1.amazonaws.com.cn/template.yaml",
    "GRACE_HOURS": "24",
    "DIGEST_HOUR": "6",
    "SERVICE_ROLE_ARN": "arn:aws-cn:iam::123456789012:role/efs-fleet-ServiceRole",
    "NOTES_PARAMETER": "/efs-monitor/efs-fleet/fleet-notes",
    "AWS_REGION": "cn-north-1",
}


def test_a_fleets_topics_are_made_of_its_name_and_of_where_its_stack_is() -> None:
    assert fleet_settings_from(FLEET).topic_arns == {
        name: f"arn:aws-cn:sns:cn-north-1:123456789012:efs-fleet-{name}" for name in ("advice", "warning", "critical")
    }


def test_what_may_be_chosen_of_a_fleet_is_read_and_is_nothing_by_default() -> None:
    def chosen(environment: dict[str, str]) -> tuple[str, str, str, str]:
        fleet = fleet_settings_from(environment)
        return fleet.tag, fleet.monitor_parameters, fleet.dashboard_name, fleet.alert_email

    assert chosen(FLEET) == ("", "", "", "")
    named = {
        "FLEET_TAG": "efs-monitor",
        "MONITOR_PARAMETERS": "WarningMinutes=90",
        "DASHBOARD_NAME": "efs-fleet",
        "ALERT_EMAIL": "ops@example.com",
    }
    assert chosen(FLEET | named) == tuple(named.values())


@pytest.mark.parametrize("name", FLEET)
def test_a_missing_variable_of_a_fleet_is_named(name: str) -> None:
    with pytest.raises(SettingsRefused, match=name):
        fleet_settings_from({key: value for key, value in FLEET.items() if key != name})


@pytest.mark.parametrize("name", WATCH)
def test_a_missing_variable_of_the_watch_is_named(name: str) -> None:
    with pytest.raises(SettingsRefused, match=name):
        watch_from({key: value for key, value in WATCH.items() if key != name})


def test_the_functions_of_benchmarks_are_watched_where_there_are_any() -> None:
    named = {"RUN_BENCHMARK_FUNCTION": "home-Run", "COLLECT_BENCHMARK_FUNCTION": "home-Collect"}
    assert watch_from(WATCH | dict.fromkeys(named, "")) == watch_from(WATCH)
    watched = watch_from(WATCH | named).function_names
    assert (watched["RunBenchmark"], watched["CollectBenchmark"]) == ("home-Run", "home-Collect")


BENCHMARKS = {
    "DOCUMENT_NAME": "home-benchmark",
    "BENCHMARKS_PARAMETER": "/efs-monitor/home/benchmarks",
    "BENCHMARK_PATH": "/mnt/efs",
    "BENCHMARK_PROFILE": "quick",
    "BENCHMARK_SIZE_MIB": "0",
    "MAX_CREDIT_SHARE_PERCENT": "1",
    "MONTHLY_GIB_BUDGET": "10",
}


def test_what_was_chosen_about_benchmarks_is_read_with_and_without_instances() -> None:
    expected = BenchmarkSettings(
        document_name="home-benchmark",
        parameter_name="/efs-monitor/home/benchmarks",
        path="/mnt/efs",
        local_path="",
        profile="quick",
        size_mib=0,
        instance_ids=(),
        max_credit_share_percent=1,
        monthly_gib_budget=10,
    )
    optional = {"BENCHMARK_LOCAL_PATH": "", "BENCHMARK_INSTANCE_IDS": ""}
    assert benchmark_settings_from(BENCHMARKS) == benchmark_settings_from(BENCHMARKS | optional) == expected
    assert benchmark_settings_from(BENCHMARKS | {"BENCHMARK_LOCAL_PATH": "/scratch"}).local_path == "/scratch"
    named = benchmark_settings_from(BENCHMARKS | {"BENCHMARK_INSTANCE_IDS": "i-01234567,i-89abcdef"})
    assert named.instance_ids == ("i-01234567", "i-89abcdef")


@pytest.mark.parametrize("name", BENCHMARKS)
def test_a_missing_variable_of_a_benchmark_is_named(name: str) -> None:
    with pytest.raises(SettingsRefused, match=name):
        benchmark_settings_from({key: value for key, value in BENCHMARKS.items() if key != name})


@pytest.mark.parametrize("name", ["DOCUMENT_NAME", "BENCHMARKS_PARAMETER", "BENCHMARK_PROFILE", "BENCHMARK_SIZE_MIB"])
def test_a_missing_variable_of_the_collection_is_named(name: str) -> None:
    assert collection_settings_from(BENCHMARKS) == CollectionSettings(
        document_name="home-benchmark",
        parameter_name="/efs-monitor/home/benchmarks",
        profile="quick",
        size_mib=0,
        local_path="",
    )
    assert collection_settings_from(BENCHMARKS | {"BENCHMARK_LOCAL_PATH": "/scratch"}).local_path == "/scratch"
    with pytest.raises(SettingsRefused, match=name):
        collection_settings_from({key: value for key, value in BENCHMARKS.items() if key != name})


def test_the_topics_are_read_by_the_end_of_their_name() -> None:
    assert topic_arns_from(ENVIRONMENT) == {
        name: ENVIRONMENT[f"{name.upper()}_TOPIC_ARN"] for name in ("advice", "warning", "critical")
    }
