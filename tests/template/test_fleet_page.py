"""What the page about fleets says of parameters and quotas follows from the two templates."""

import json
import re
from collections import Counter
from datetime import timedelta

import pytest
from botocore.session import get_session
from efs_monitor.fleet.fleet_dashboard import A_TABLE, MOST
from efs_monitor.fleet.monitor_parameters import TAG_PREFIX
from efs_monitor.fleet.monitor_stack import LONGEST_AT_WORK
from efs_monitor.fleet.reconciliation import AT_A_TIME
from efs_monitor.fleet.tag_values import value_of_tag

from localaws.file_system_tags import LONGEST_VALUE, SIGNS
from localaws.iam.policy import matches
from localaws.quotas import CALLS_PER_SECOND
from operate.template_files import FLEET_TEMPLATE, as_written
from tests.template.template_documents import transformed
from tests.unit.docs.pages import PROJECT, prose, table
from tools.package import version

FLEET = as_written(FLEET_TEMPLATE)
PAGE = " ".join(prose("docs/fleet.md").split())
NUMBERS = (10, 100, 1000)
ALWAYS = Counter(one["Type"] for one in transformed()["Resources"].values() if "Condition" not in one)
OF_THE_FLEET = Counter(one["Type"] for one in FLEET["Resources"].values())
ROLES = ALWAYS["AWS::IAM::Role"], OF_THE_FLEET["AWS::IAM::Role"]
# Five alarms of each stack, asked about or written within a quarter of an hour; described all in one call.
ALARMS_A_SECOND, STACKS_A_SECOND = ALWAYS["AWS::CloudWatch::Alarm"] / 900, 1 / 900


def quota(start: str) -> list[str]:
    """What the page counts of something, for each of the three numbers of file systems."""
    (line,) = [line for line in table("docs/fleet.md", "What") if line[0].startswith(f"[{start}")]
    return line[2:]


def test_the_resources_of_a_stack_are_counted_right() -> None:
    each, _ = ROLES
    counted = (
        f"has {each} IAM roles, {ALWAYS['AWS::Lambda::Function']} functions, "
        f"{ALWAYS['AWS::CloudWatch::Alarm']} alarms, "
        f"{ALWAYS['AWS::Scheduler::Schedule']} schedules, {ALWAYS['AWS::Logs::LogGroup']} log groups, one rule, "
        "one layer"
    )
    assert counted in PAGE
    assert ALWAYS["AWS::Events::Rule"] == 1


def test_the_quotas_are_worked_out_from_them() -> None:
    each, once = ROLES
    assert quota("IAM roles") == [f"{each * one + once:,}" for one in NUMBERS]
    assert quota("EventBridge rules") == [f"{ALWAYS['AWS::Events::Rule'] * one:,}" for one in NUMBERS]
    assert quota("Documents of Systems Manager") == [f"{one:,}" for one in NUMBERS]
    refusal = get_session().get_service_model("ssm").shape_for("DocumentLimitExceeded")
    assert "at most 500 active SSM documents" in refusal.documentation
    assert quota("CloudFormation stacks") == [f"{one + 1:,}" for one in NUMBERS]
    for call, each_second in {
        "DescribeAlarmHistory": ALARMS_A_SECOND,
        "DescribeAlarms": STACKS_A_SECOND,
        "DescribeAlarmsForMetric": STACKS_A_SECOND,
        "PutMetricAlarm": ALARMS_A_SECOND,
    }.items():
        assert quota(f"{call}]") == [f"{each_second * one:.{2 if one < 100 else 1}f}" for one in NUMBERS]
    for call, raised in {"DescribeAlarms": "can", "DescribeAlarmsForMetric": "cannot", "PutMetricAlarm": "can"}.items():
        (line,) = [line for line in table("docs/fleet.md", "What") if line[0].startswith(f"[{call}]")]
        assert line[1] == f"{CALLS_PER_SECOND[call]}, {raised} be raised"


def test_where_each_quota_ends_is_worked_out_too() -> None:
    each, once = ROLES
    assert f"ends at {(1000 - once) // each} file systems in an otherwise empty account" in PAGE
    assert f"5,000, enough for {(5000 - once) // each}, with" in PAGE
    assert f"10,000 end at {(10_000 - once) // each:,} file systems" in PAGE
    # All that a stack may have: it has benchmarks, and a timer for them.
    most = sum(one["Type"] == "AWS::IAM::Role" for one in transformed()["Resources"].values())
    assert f"with benchmarks, and {most} roles each, at {(1000 - once) // most}" in PAGE
    assert f"with benchmarks for {(5000 - once) // most})" in PAGE
    assert f"with benchmarks at {(10_000 - once) // most}." in PAGE
    assert f"some {20 / ALARMS_A_SECOND:,.0f}" in PAGE
    assert f"takes from some {CALLS_PER_SECOND['PutMetricAlarm'] / ALARMS_A_SECOND:,.0f} on" in PAGE
    assert f"{100 * each + once} roles leave {1000 - 100 * each - once} of the default" in PAGE


def test_how_long_a_thousand_stacks_take_is_worked_out() -> None:
    schedule = FLEET["Resources"]["ReconcileFleetSchedule"]["Properties"]["ScheduleExpression"]
    (minutes,) = re.findall(r"cron\(0/(\d+) \* ", schedule)
    hours, rest = divmod(1_000 // AT_A_TIME * int(minutes), 60)
    assert f"1,000 take {hours} h {rest} min at least" in PAGE


def test_how_many_rows_a_table_and_a_dashboard_have_is_said() -> None:
    assert f"One table holds {A_TABLE} file systems" in PAGE
    assert f"More than {MOST:,} no dashboard holds" in PAGE
    assert f"With more than {A_TABLE} each run" in " ".join(prose("docs/cost.md").split())


def test_what_counts_as_hanging_is_said_and_is_longer_than_every_step_that_may_wait() -> None:
    assert timedelta(hours=3) == LONGEST_AT_WORK
    assert "at work for more than three hours" in PAGE
    waits = [one["Properties"].get("ServiceTimeout") for one in transformed()["Resources"].values()]
    assert 3 * max(int(one) for one in waits if one) < LONGEST_AT_WORK.total_seconds()


def test_what_a_role_for_each_schedule_costs_is_worked_out() -> None:
    each, once = ROLES
    apart = ALWAYS["AWS::Scheduler::Schedule"]
    together = (1000 - once) // (each - apart + 1)
    design = " ".join(prose("docs/design.md").split())
    assert f"would end at {together} file systems and not at {(1000 - once) // each}" in design


@pytest.mark.parametrize("name", FLEET["Parameters"])
def test_every_parameter_of_the_fleet_has_its_line_and_its_default(name: str) -> None:
    (line,) = [line for line in table("docs/fleet.md", "Parameter") if f"`{name}`" in line[0]]
    default = FLEET["Parameters"][name].get("Default")
    assert ("required" if default is None else "empty" if default == "" else str(default)) in line[2]


def test_the_command_that_deploys_it_gives_parameters_that_it_has() -> None:
    written = (PROJECT / "docs" / "fleet.md").read_text()
    assert FLEET["Parameters"].keys() >= {"ReleaseBucket", "ReleaseTemplate", "AlertEmail"}
    assert "--parameter-overrides ReleaseBucket=BUCKET" in written


def test_its_commands_name_the_release_that_this_is_and_the_one_after_it() -> None:
    page = (PROJECT / "docs" / "fleet.md").read_text(encoding="utf-8")
    first, later = sorted(set(re.findall(r"efs-monitor-([\d.]+\d)", page)))
    assert first == version() < later


def test_the_command_for_another_release_names_every_parameter_since_what_it_leaves_out_gets_its_default() -> None:
    written = (PROJECT / "docs" / "fleet.md").read_text()
    (command,) = re.findall(r"aws cloudformation update-stack-set .*?```", written, re.DOTALL)
    given = dict(re.findall(r"ParameterKey=(\w+),(\S+)", command))
    assert given.pop("ReleaseTemplate").startswith("ParameterValue=")
    # For as long as stacks change over to another boundary alone: then its default is what it should be.
    staying = FLEET["Parameters"].keys() - {"ReleaseTemplate", "FormerBoundaryPolicy"}
    assert given == dict.fromkeys(staying, "UsePreviousValue=true")


def test_the_policy_to_paste_keeps_everybody_else_from_the_tags_that_the_fleet_reads() -> None:
    (policy,) = re.findall(r"```json\n(.*?)```", (PROJECT / "docs" / "fleet.md").read_text(), re.DOTALL)
    (statement,) = json.loads(policy)["Statement"]
    assert (statement["Effect"], statement["Resource"]) == ("Deny", "*")
    by_key = statement["Condition"].pop("ForAnyValue:StringLike")
    assert f"{TAG_PREFIX}*" in by_key["aws:TagKeys"]
    assert statement["Condition"].keys() == {"ArnNotLike"}
    spared = statement["Condition"]["ArnNotLike"]["aws:PrincipalArn"]
    for partition in get_session().get_available_partitions():
        assert matches(spared, f"arn:{partition}:iam::123456789012:role/storage-team")
        assert not matches(spared, f"arn:{partition}:iam::123456789012:role/somebody-else")
    # By these a file system gets a tag, or loses one.
    verbs = {one.removeprefix("elasticfilesystem:") for one in statement["Action"]}
    operations = get_session().get_service_model("efs").operation_names
    tagging = {one for one in operations if "tag" in one.lower() and not one.startswith(("Describe", "List"))}
    assert verbs == tagging | {"CreateFileSystem"}


def test_what_a_tag_can_hold_is_what_efs_takes() -> None:
    assert f"letters, digits, spaces and `{SIGNS}`, at most {LONGEST_VALUE}: " in PAGE
    assert "a `BenchmarkSchedule` stands there as `rate 1 day`" in PAGE
    assert value_of_tag("BenchmarkSchedule", "rate 1 day") == "rate(1 day)"
