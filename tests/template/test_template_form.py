"""The template as a whole: lint, nothing left over, no name that two stacks would share."""

import json
import re
from pathlib import Path

import pytest
import yaml
from efs_monitor.fleet.written_notes import PARTS
from efs_monitor.mail.health_remedies import SCHEDULES
from efs_monitor.notify.function_health import UNDONE
from efs_monitor.stack_functions import StackFunction

from operate.template_files import FLEET_TEMPLATE, TEMPLATE, as_written
from tests.template.template_documents import (
    Document,
    depends_on,
    of_type,
    references,
    resolved,
    transformed,
    with_includes,
)

SCHEDULE = "AWS::Scheduler::Schedule"
REGIONS = ["us-east-1", "eu-central-1"]
# What exists for its effect and is referred to by nothing.
LEAVES = {
    "AWS::CloudWatch::Alarm",
    "AWS::CloudWatch::Dashboard",
    "AWS::Lambda::EventInvokeConfig",
    "AWS::Lambda::Permission",
    "AWS::Logs::QueryDefinition",
    "AWS::SNS::Subscription",
    "AWS::SNS::TopicPolicy",
    "AWS::Scheduler::Schedule",
}
NAMES = (
    *("AlarmName", "DashboardName", "TopicName", "LogGroupName", "LayerName", "Name", "FunctionName", "RoleName"),
    "QueueName",
)


# What the functions remember lies in parameters that the templates make empty.
MEMORIES = {
    "ToldParameter": (
        "/efs-monitor/${AWS::StackName}/told",
        "What the EFS burst-credit monitor has already told people, so that it says nothing twice",
    ),
    "BenchmarksParameter": (
        "/efs-monitor/${AWS::StackName}/benchmarks",
        "What benchmarks were billed this month, and which are collected, so that nothing counts twice",
    ),
    "NotesParameter": (
        "/efs-monitor/${FleetName}/fleet-notes",
        "Which file systems of the fleet left it since when, and which stacks were tried in vain",
    ),
    **{
        f"Notes{part.upper()}": ("${NotesParameter}/" + part, f"Notes of file systems whose id ends with {part}")
        for part in PARTS
    },
}


@pytest.mark.parametrize(("name", "text"), MEMORIES.items())
def test_no_update_writes_over_what_is_remembered(name: str, text: tuple[str, str]) -> None:
    """Where any property but the tags differs from that of the release before, be it the description, CloudFormation
    writes all of them again, the empty value too. So these are as they were first released, for good.
    """
    resources = with_includes()["Resources"] | as_written(FLEET_TEMPLATE)["Resources"]
    path, description = text
    assert resources[name]["Properties"] == {
        "Name": {"Fn::Sub": path},
        "Description": description,
        "Type": "String",
        "Value": "{}",
    }


def test_no_other_parameter_is_a_memory() -> None:
    resources = with_includes()["Resources"] | as_written(FLEET_TEMPLATE)["Resources"]
    assert {name for name, one in resources.items() if one["Type"] == "AWS::SSM::Parameter"} == set(MEMORIES)


def lint_messages(text: str) -> list[str]:
    # Not at the top: it takes a second of each process that collects the tests.
    from cfnlint.api import lint  # type: ignore[import-untyped] # cfn-lint has no py.typed

    return [f"{match.rule.id} line {match.linenumber}: {match.message}" for match in lint(text, regions=REGIONS)]


@pytest.mark.whole
def test_cfn_lint_has_nothing_to_say_about_the_template_as_transformed() -> None:
    """As written: `make lint`, which `make test` begins with."""
    assert lint_messages(json.dumps(transformed())) == []


@pytest.mark.whole
def test_a_cycle_shows_in_the_transformed_template() -> None:
    document = transformed()
    document["Resources"]["ExplainWarningPermission"]["Properties"]["SourceArn"] = {
        "Fn::GetAtt": ["WarningAlarm", "Arn"]
    }
    # Without the rest, which would only take long.
    cycle = {name: document["Resources"][name] for name in ("ExplainWarningPermission", "WarningAlarm")}
    assert any(message.startswith("E3004") for message in lint_messages(json.dumps(document | {"Resources": cycle})))


def test_the_file_has_no_aliases() -> None:
    """cfn-lint and SAM read them, CloudFormation's own console shows them badly, and a reader has to jump."""
    tokens = list(yaml.scan(TEMPLATE.read_text()))
    assert not [token for token in tokens if isinstance(token, yaml.AliasToken | yaml.AnchorToken)]


def test_every_parameter_and_condition_is_used() -> None:
    document = with_includes()
    used = set(references([document["Resources"], document["Outputs"], document["Globals"], document["Conditions"]]))
    used |= {resource["Condition"] for resource in document["Resources"].values() if "Condition" in resource}
    assert document["Parameters"].keys() | document["Conditions"].keys() <= used


@pytest.mark.parametrize("document", [with_includes(), transformed()], ids=["with includes", "as transformed"])
def test_every_resource_is_used_or_works_by_itself(document: Document) -> None:
    used = set(references([document["Resources"], document["Outputs"], document.get("Globals")]))
    used |= {name for resource in document["Resources"].values() for name in depends_on(resource)}
    idle = document["Resources"].keys() - used
    assert {name for name in idle if document["Resources"][name]["Type"] not in LEAVES} == set()


def test_every_name_carries_the_stacks() -> None:
    """Two stacks for two file systems live in one account and Region."""
    for name, resource in transformed()["Resources"].items():
        for key in NAMES:
            value = resource["Properties"].get(key)
            if value is not None and not resolved(value).startswith("<"):
                assert {"AWS::StackName", "AWS::StackId"} & set(references(value)), f"{name}.{key}"


def test_the_schedules_are_named_by_cloudformation_and_run_when_they_should() -> None:
    expected = {
        "HourlySchedule": ("cron(0 * * * ? *)", "efs-monitor.schedule"),
        "SilenceSchedule": ("cron(20 * * * ? *)", "efs-monitor.schedule"),
        "LateAlarmsSchedule": ("cron(0/12 * * * ? *)", "efs-monitor.schedule"),
        "BenchmarkTimer": ("rate(1 day)", "efs-monitor.benchmark"),
        "BenchmarkSweep": ("cron(10,40 * * * ? *)", "efs-monitor.schedule"),
    }
    schedules = of_type(with_includes(), "AWS::Scheduler::Schedule")
    assert schedules.keys() == expected.keys()
    for name, schedule in schedules.items():
        assert "Name" not in schedule["Properties"]
        event = json.loads(resolved(schedule["Properties"]["Target"]["Input"]))
        assert (resolved(schedule["Properties"]["ScheduleExpression"]), event["source"]) == expected[name]
        assert event["stack"] == "home"


def test_each_function_that_mails_look_up_by_its_schedule_is_started_by_it_at_least_once_an_hour() -> None:
    assert SCHEDULES.keys() == {StackFunction.RECALCULATE_THRESHOLDS, *UNDONE}
    schedules = of_type(with_includes(), SCHEDULE)
    for function, name in SCHEDULES.items():
        properties = schedules[name]["Properties"]
        assert list(references(properties["Target"]["Arn"])) == [function]
        minutes, hours, *_ = resolved(properties["ScheduleExpression"]).removeprefix("cron(").split()
        assert (minutes[0].isdigit(), hours) == (True, "*")


def test_the_benchmarks_timer_says_at_which_rate_it_fires() -> None:
    """RunBenchmark lets the first start of a rate pass."""
    timer = with_includes()["Resources"]["BenchmarkTimer"]["Properties"]
    event = json.loads(resolved(timer["Target"]["Input"]))
    assert event["expression"] == resolved(timer["ScheduleExpression"]) == "rate(1 day)"


def test_the_event_of_a_schedule_is_the_same_in_every_attempt_of_one_start() -> None:
    """What differs between attempts would make two runs of one start."""
    for schedule in of_type(with_includes(), SCHEDULE).values():
        event = resolved(schedule["Properties"]["Target"]["Input"])
        assert set(re.findall("<aws[.]scheduler[.]([a-z-]+)>", event)) <= {"scheduled-time", "schedule-arn"}


def test_no_two_schedules_that_write_one_memory_start_in_the_same_minute() -> None:
    """Wherever in its window each starts."""
    minutes = {
        name: {
            (int(begin) + late) % 60
            for begin in re.findall(r"\d+", of_hour(one))
            for late in range(one["Properties"]["FlexibleTimeWindow"]["MaximumWindowInMinutes"] + 1)
        }
        for name, one in of_type(with_includes(), SCHEDULE).items()
    }
    assert minutes["HourlySchedule"].isdisjoint(minutes["SilenceSchedule"])


def of_hour(schedule: Document) -> str:
    """The first field of a cron expression; nothing of a rate."""
    expression = resolved(schedule["Properties"]["ScheduleExpression"])
    return expression.removeprefix("cron(").split(" ")[0] if expression.startswith("cron(") else ""


def test_every_schedule_starts_somewhere_in_a_window() -> None:
    """The stacks of an account share what CloudWatch lets it call in a second."""
    for name, schedule in of_type(with_includes(), SCHEDULE).items():
        window = schedule["Properties"]["FlexibleTimeWindow"]
        assert window["Mode"] == "FLEXIBLE", name
        # Somebody waits for a late alarm, and its look is a single call.
        assert window["MaximumWindowInMinutes"] >= (5 if name == "LateAlarmsSchedule" else 15), name


def test_no_schedule_of_ours_fires_while_the_stack_is_being_created() -> None:
    """A rate would, at once. The benchmarks' may be one: RunBenchmark lets its first start pass."""
    for name, schedule in of_type(with_includes(), SCHEDULE).items():
        if name != "BenchmarkTimer":
            assert schedule["Properties"]["ScheduleExpression"].startswith("cron("), name


def test_without_a_path_nothing_of_the_benchmarks_is_deployed() -> None:
    """An older stack gains no resource, and none of its own is touched."""
    document = transformed()
    of_benchmarks = {"HasBenchmarks", "HasBenchmarkTimer", "HasBenchmarkFailuresAlarm", "HasRegressionsAlarm"}
    optional = {name for name, one in document["Resources"].items() if one.get("Condition") in of_benchmarks}
    assert len(optional) >= 20
    assert not [name for name in document["Resources"].keys() - optional if "enchmark" in name]
    for name in document["Resources"].keys() - optional:
        text = json.dumps(resolved(document["Resources"][name]["Properties"], HasBenchmarks=False))
        assert {found.strip("<>").partition(".")[0] for found in re.findall("<[^>]+>", text)}.isdisjoint(optional)


def test_every_function_is_python_313_on_the_chosen_processor_with_the_layer() -> None:
    for function in of_type(transformed(), "AWS::Lambda::Function").values():
        properties = function["Properties"]
        assert (properties["Runtime"], properties["Handler"]) == ("python3.13", "app.handler")
        assert properties["Architectures"] == [{"Ref": "Architecture"}]
        assert len(properties["Layers"]) == 1
        assert "ReservedConcurrentExecutions" not in properties
        assert "TracingConfig" not in properties


@pytest.mark.parametrize("path", [TEMPLATE, FLEET_TEMPLATE], ids=lambda path: path.name)
def test_no_layer_names_processors(path: Path) -> None:
    """It would only filter lists of layers, and where Lambda has no arm64 PublishLayerVersion refuses the field
    whatever it holds: Architecture=x86_64 would be no way out there."""
    kinds = ("AWS::Serverless::LayerVersion", "AWS::Lambda::LayerVersion")
    layers = [one for one in as_written(path)["Resources"].values() if one["Type"] in kinds]
    assert len(layers) == 1
    assert "CompatibleArchitectures" not in layers[0]["Properties"]


def test_every_function_is_given_the_variables_it_reads() -> None:
    for name, function in of_type(transformed(), "AWS::Lambda::Function").items():
        folder = re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()
        code = (TEMPLATE.parent / "src" / "functions" / folder / "app.py").read_text()
        given = function["Properties"]["Environment"]["Variables"].keys()
        needed = {"STACK_NAME", "STACK_ID", "FILE_SYSTEM_ID", "ADVICE_TOPIC_ARN", "RUNBOOK_URL"}
        if re.search(r"(?<!_)settings_from\(os\.environ\)", code):
            needed |= {"WARNING_MINUTES", "CRITICAL_MINUTES", "RISE_TOLERANCE_PERCENT"}
        if "wiring_from" in code:
            needed |= {"WARNING_TOPIC_ARN", "CRITICAL_TOPIC_ARN", "EXPLAIN_ARN", "TOLD_PARAMETER"}
        if "watch_from" in code:
            needed |= {"WARNING_TOPIC_ARN", "CRITICAL_TOPIC_ARN", "TOLD_PARAMETER", "ALERT_EMAIL", "OWN_TOPICS"}
            needed |= {"ELASTIC_DAILY_USD", "SILENT_METRICS_HOURS", "REPEAT_WARNING_HOURS", "REPEAT_CRITICAL_HOURS"}
            needed |= {"RECALCULATE_FUNCTION", "EXPLAIN_FUNCTION", "SET_LATE_ALARMS_FUNCTION"}
            needed |= {"RUN_BENCHMARK_FUNCTION", "COLLECT_BENCHMARK_FUNCTION"}
            needed |= {"BENCHMARKS_PARAMETER", "BENCHMARK_PATH"}
        needed |= set(re.findall(r'(?:required|whole_number)\(os\.environ, "(\w+)"\)', code))
        if re.search(r"usecases\.(explain|recalculate|report_silence)", code):
            needed |= {"CHAT_MESSAGES"}
        # The mail has what the newest benchmark measured.
        if "usecases.explain" in code:
            needed |= {"BENCHMARK_PROFILE", "TOLD_PARAMETER"}
        if "collection_settings_from" in code:
            needed |= {"BENCHMARK_LOCAL_PATH", "BENCHMARK_PROFILE", "BENCHMARK_SIZE_MIB"}
        if "benchmark_settings_from" in code:
            needed |= {"BENCHMARK_PATH", "BENCHMARK_LOCAL_PATH", "BENCHMARK_PROFILE", "BENCHMARK_SIZE_MIB"}
            needed |= {"BENCHMARK_INSTANCE_IDS", "MAX_CREDIT_SHARE_PERCENT", "MONTHLY_GIB_BUDGET"}
        if name == "RecalculateThresholds":
            needed |= {"DASHBOARD"}
        if name.endswith("Benchmark"):
            needed |= {"DOCUMENT_NAME", "BENCHMARKS_PARAMETER"}
        assert given == needed, name


def test_outputs_tell_what_an_operator_wants_to_know() -> None:
    outputs = with_includes()["Outputs"]
    assert outputs.keys() >= {
        "WarningThresholdBytes",
        "CriticalThresholdBytes",
        "ExhaustedThresholdBytes",
        "ReferenceBytesPerSecond",
        "State",
        "WarningTopicArn",
        "CriticalTopicArn",
        "AdviceTopicArn",
    }
    assert all(output["Description"] for output in outputs.values())
    with_mail, without = outputs["NextStep"]["Value"]["Fn::If"][1:]
    assert "Confirm the subscription" in resolved(with_mail)
    assert resolved(without, MakesEveryTopic=True).startswith("NOBODY IS TOLD ANYTHING")
    assert "Whoever is subscribed to the topics that were given" in resolved(without, MakesEveryTopic=False)
