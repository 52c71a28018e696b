"""An account of more file systems and stacks than an answer of AWS has, and the dashboard that cannot be drawn."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest
from botocore.exceptions import ClientError
from efs_monitor.aws.runtime import Clients
from efs_monitor.errors import AwsRefused
from efs_monitor.fleet import fleet_dashboard
from efs_monitor.usecases import reconcile_fleet

from proofs.faults.wire import Killed
from proofs.fleet.fleet_account import FleetAccount, file_system_id, small_monitor

# EFS here has ten on a page.
MANY = range(12)


@pytest.fixture
def many(fleet: FleetAccount) -> FleetAccount:
    """Twelve file systems, each with its stack, of which what is gone loses it at once; each answer has a part."""
    fleet.sandbox.cloudformation.most_a_page = 5
    for number in MANY:
        fleet.file_system(number)
    fleet.deploy(GraceHours="0")
    steps = [fleet.run()["steps"] for _ in range(3)]
    assert steps == [{"create": 10, "keep": 2}, {"create": 2, "keep": 10}, {"keep": 12}]
    return fleet


def refused_on(service: str, operation: str, number: int) -> Callable[[Clients], None]:
    """AWS refuses the call of that number of an operation, and every later one."""
    calls = iter(range(1000))

    def refuse(**_: object) -> None:
        if next(calls) >= number:
            raise ClientError({"Error": {"Code": "AccessDenied", "Message": "no more"}}, operation)

    def disturb(clients: Clients) -> None:
        getattr(clients, service).meta.events.register(f"before-call.{service}.{operation}", refuse)

    return disturb


@pytest.mark.parametrize(
    ("service", "operation", "page"),
    [
        ("efs", "DescribeFileSystems", 1),
        pytest.param("cloudformation", "DescribeStacks", 1, marks=pytest.mark.more),
        pytest.param("cloudformation", "DescribeStacks", 2, marks=pytest.mark.more),
    ],
)
def test_half_a_list_is_none_nothing_is_done_by_it_and_the_next_run_goes_on(
    many: FleetAccount, service: str, operation: str, page: int
) -> None:
    with pytest.raises(AwsRefused, match=operation):
        many.run_here(refused_on(service, operation, page))
    many.settle()
    assert set(many.statuses().values()) == {"CREATE_COMPLETE"}
    assert many.run()["steps"] == {"keep": 12}


@pytest.mark.whole
def test_what_went_wrong_first_is_found_on_the_last_page_of_events(fleet: FleetAccount) -> None:
    fleet.sandbox.cloudformation.most_a_page = 2
    # Such names are SSM's own.
    fleet.file_system(0, BenchmarkPath="/ssm/reserved")
    fleet.run()
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    fleet.run()
    assert "ToldParameter: Name /ssm/reserved of ToldParameter begins with /ssm, which is reserved by AWS" in " ".join(
        fleet.digests()[-1].split()
    )


def drawn(fleet: FleetAccount) -> str:
    answer = fleet.sandbox.client("cloudwatch").get_dashboard(DashboardName="efs-fleet-us-east-1")
    return str(answer["DashboardBody"])


@pytest.mark.whole
def test_whatever_has_a_stack_is_drawn_also_what_is_refused(fleet: FleetAccount) -> None:
    """A wrong tag leaves its stack as it is; another, which was never given one, has nothing to show."""
    fleet.file_system(1)
    fleet.sandbox.client("cloudformation").create_stack(
        StackName="mine",
        TemplateBody=json.dumps(small_monitor()),
        Parameters=[{"ParameterKey": "FileSystemId", "ParameterValue": file_system_id(2)}],
    )
    fleet.file_system(2)
    fleet.run()
    fleet.file_system(1, WarningMinutes="9")
    fleet.file_system(3, WarningMinutes="9")
    fleet.file_system(4)
    assert fleet.run()["steps"] == {"refuse": 3, "create": 1}
    found = drawn(fleet)
    assert [file_system_id(number) in found for number in (1, 2, 3, 4)] == [True, True, False, True]


def set_off(fleet: FleetAccount, number: int, description: str = "Fewer than 180 minutes.") -> None:
    """The Warning alarm of a file system's stack is in ALARM."""
    name = f"efs-fleet-{file_system_id(number)}-warning"
    cloudwatch = fleet.sandbox.client("cloudwatch")
    cloudwatch.put_metric_alarm(
        AlarmName=name,
        AlarmDescription=description,
        Namespace="AWS/EFS",
        MetricName="BurstCreditBalance",
        Statistic="Minimum",
        Period=60,
        EvaluationPeriods=1,
        Threshold=1,
        ComparisonOperator="LessThanThreshold",
    )
    cloudwatch.set_alarm_state(AlarmName=name, StateValue="ALARM", StateReason="low")


def test_what_does_not_live_on_credits_has_no_row(fleet: FleetAccount) -> None:
    """At 512 MiB/s a full bucket is 72 minutes: it would stand in red above whatever really runs out."""
    fleet.file_system(1)
    fleet.file_system(2)
    fleet.sandbox.client("efs").update_file_system(
        FileSystemId=file_system_id(2), ThroughputMode="provisioned", ProvisionedThroughputInMibps=512
    )
    fleet.run()
    found = drawn(fleet)
    assert [file_system_id(number) in found for number in (1, 2)] == [True, False]


def test_an_alarm_that_is_suspended_is_no_incident(fleet: FleetAccount) -> None:
    """It stays in ALARM as long as the balance is low, which says nothing under a provisioned rate."""
    for number in (1, 2):
        fleet.file_system(number)
    set_off(fleet, 1, "[suspended] This alarm tells nobody.")
    set_off(fleet, 2)
    fleet.run()
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    fleet.run()
    digest = " ".join(fleet.digests()[-1].split())
    assert "2 watched, 1 in an incident" in digest
    assert f"each told by mails of its own: - {file_system_id(2)}" in digest


@pytest.mark.whole
def test_the_digest_counts_what_the_options_of_its_stacks_cost(fleet: FleetAccount) -> None:
    fleet.file_system(1, Dashboard="on")
    fleet.file_system(2, BenchmarkPath="/efs-monitor/efs-fleet-fs-measured", UtilizationAlarm="on")
    fleet.file_system(3)
    fleet.run()
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    fleet.run()
    digest = " ".join(fleet.digests()[-1].split())
    assert "3 monitor stacks cost about $6.11 a month at us-east-1 list prices: $0.80 each, and $3.71 for" in digest


def kill(clients: Clients) -> None:
    def killed(**_: object) -> None:
        raise Killed

    clients.cloudwatch.meta.events.register("before-call.cloudwatch.PutDashboard", killed)


@pytest.mark.more
def test_a_dashboard_that_may_not_be_drawn_keeps_nothing_and_is_drawn_with_the_next_change(fleet: FleetAccount) -> None:
    fleet.file_system(1)
    done = fleet.run_here(refused_on("cloudwatch", "PutDashboard", 0))
    assert done == {"steps": {"create": 1}, "refused": {}, "digest": True}
    fleet.settle()
    assert file_system_id(1) not in drawn(fleet)
    fleet.file_system(2)
    fleet.run()
    assert file_system_id(1) in drawn(fleet)
    assert file_system_id(2) in drawn(fleet)


@pytest.mark.more
def test_a_run_that_is_killed_before_it_draws_has_done_all_else_and_the_next_day_draws(fleet: FleetAccount) -> None:
    fleet.file_system(1)
    with pytest.raises(Killed):
        fleet.run_here(kill)
    fleet.settle()
    assert fleet.statuses() == {f"efs-fleet-{file_system_id(1)}": "CREATE_COMPLETE"}
    assert len(fleet.digests()) == 1
    assert fleet.run()["steps"] == {"keep": 1}
    assert file_system_id(1) not in drawn(fleet)
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    fleet.run()
    assert file_system_id(1) in drawn(fleet)


@pytest.mark.whole
def test_an_update_of_the_fleets_own_stack_blanks_the_dashboard_and_the_next_run_draws_it_again(
    fleet: FleetAccount,
) -> None:
    """New tags of a stack are put on all that it has, and CloudFormation writes the dashboard of its template."""
    fleet.file_system(1)
    fleet.run()
    fleet.deploy(tags={"team": "storage"})
    assert file_system_id(1) not in drawn(fleet)
    assert fleet.run() == {"steps": {"keep": 1}, "refused": {}, "digest": False}
    assert file_system_id(1) in drawn(fleet)


@pytest.mark.more
def test_a_run_that_may_not_draw_after_an_update_leaves_it_to_the_next_within_the_hour(fleet: FleetAccount) -> None:
    fleet.file_system(1)
    fleet.run()
    fleet.deploy(tags={"team": "storage"})
    fleet.run_here(refused_on("cloudwatch", "PutDashboard", 0))
    assert file_system_id(1) not in drawn(fleet)
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(minutes=55))
    fleet.run()
    assert file_system_id(1) in drawn(fleet)
    # Later it is drawn with a change and once a day, as ever.
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(minutes=10))
    fleet.run_here(kill)


@pytest.mark.more
def test_of_a_fleet_with_several_tables_whatever_comes_into_alarm_is_in_the_first_with_the_next_run(
    fleet: FleetAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nothing else changes; without such an alarm the tables are by the ids."""
    for module in (fleet_dashboard, reconcile_fleet):
        monkeypatch.setattr(module, "A_TABLE", 2)
    for number in range(3):
        fleet.file_system(number)
    fleet.run_here()
    fleet.settle()
    assert first_table(fleet) == [file_system_id(0), file_system_id(1)]
    set_off(fleet, 2)
    assert fleet.run_here() == {"steps": {"keep": 3}, "refused": {}, "digest": False}
    assert first_table(fleet) == [file_system_id(2), file_system_id(0)]
    # An alarm that cannot be read keeps nothing but the order.
    fleet.run_here(refused_on("cloudwatch", "DescribeAlarms", 0))
    assert first_table(fleet) == [file_system_id(2), file_system_id(0)]


def first_table(fleet: FleetAccount) -> list[str]:
    first = json.loads(drawn(fleet))["widgets"][0]["properties"]
    return [line[0]["label"] for line in first["metrics"][1:] if "expression" in line[0]]
