"""Whether a benchmark may run: only where it does no harm, or somebody takes its cost upon them."""

from dataclasses import replace
from typing import Any

import pytest
from efs_monitor.benchmarks.cost import Cost
from efs_monitor.benchmarks.refusals import Limits, Preconditions, Run, Skip, SkipReason, may_run
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.strategies import bursting, elastic, provisioned

MIB = 1024**2
GIB = 1024**3

LIMITS = Limits(max_credit_share_percent=1, monthly_gib_budget=10)
COST = Cost(metered_bytes=GIB, billed_bytes=2 * GIB)
CALM = Preconditions(
    file_system=bursting(),
    balance_bytes=100 * GIB,
    alarms_on=(),
    targets="the instances tagged efs-monitor = fs-0123456789abcdef0",
    instances_online=1,
    running="",
    billed_this_month_bytes=0,
)
ELASTIC = replace(CALM, file_system=elastic(), balance_bytes=None)


def skipped(preconditions: Preconditions, **changed: Any) -> Skip:
    verdict = may_run(changed.pop("cost", COST), preconditions, LIMITS, **changed)
    assert isinstance(verdict, Skip)
    return verdict


def test_a_calm_file_system_is_measured() -> None:
    assert may_run(COST, CALM, LIMITS) == Run(cost_bytes=GIB)


@pytest.mark.parametrize("alarms", [("efs-warning",), ("efs-warning", "efs-critical")])
def test_nothing_runs_while_an_alarm_is_on(alarms: tuple[str, ...]) -> None:
    skip = skipped(replace(CALM, alarms_on=alarms))
    assert skip.reason is SkipReason.ALARM_ON
    assert " and ".join(alarms) in skip.sentence
    assert "1.00 GiB" in skip.sentence


def test_a_run_may_take_its_share_of_the_balance_and_not_a_byte_more() -> None:
    assert may_run(COST, replace(CALM, balance_bytes=100 * GIB), LIMITS) == Run(cost_bytes=GIB)
    skip = skipped(replace(CALM, balance_bytes=100 * GIB - 100))
    assert skip.reason is SkipReason.CREDIT_SHARE


def test_a_share_is_refused_with_its_numbers() -> None:
    assert skipped(replace(CALM, balance_bytes=50 * GIB)).sentence == (
        "The run would take up to 1.00 GiB of the 50.00 GiB of credits, more than the 1 % of MaxCreditSharePercent,"
        " 512.0 MiB; to run it by hand all the same, accept its cost: accept_cost_bytes=1073741824"
    )


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        (
            {"alarms_on": ("efs-warning", "efs-critical")},
            (
                "The run would take up to 1.00 GiB of the credits that are left, while efs-warning and efs-critical is "
                "in ALARM; to run it by hand all the same, accept its cost: accept_cost_bytes=1073741824"
            ),
        ),
        (
            {"balance_bytes": None},
            (
                "CloudWatch has no recent credit balance to hold the run's 1.00 GiB against; to run it by hand all the "
                "same, accept its cost: accept_cost_bytes=1073741824"
            ),
        ),
        (
            {"instances_online": 0, "targets": "i-01234567"},
            (
                "Systems Manager has no Linux instance online among i-01234567; start one, or see whether its agent "
                "and its role are there"
            ),
        ),
        ({"running": "The run run-1"}, "The run run-1 has not ended; two would measure each other"),
        (
            {"file_system": replace(bursting(), is_replica=True)},
            (
                "fs-0123456789abcdef0 is a replication destination, which is read-only; measure its source, or run it "
                "after a failover, when its replication was deleted"
            ),
        ),
    ],
    ids=["alarm", "balance", "nobody", "running", "replica"],
)
def test_a_skip_is_told_in_one_whole_sentence(changed: dict[str, Any], sentence: str) -> None:
    assert skipped(replace(CALM, **changed)).sentence == sentence


def test_a_single_byte_is_accepted_by_whoever_names_it_and_by_nobody_else() -> None:
    low = replace(CALM, alarms_on=("efs-warning",))
    byte = Cost(metered_bytes=1, billed_bytes=1)
    assert isinstance(may_run(byte, low, LIMITS), Skip)
    assert isinstance(may_run(byte, low, LIMITS, accept_cost_bytes=1), Run)


def test_the_reasons_are_called_as_log_lines_and_saved_queries_call_them() -> None:
    assert list(SkipReason) == [
        "replication-destination",
        "no-target-online",
        "still-running",
        "alarm-on",
        "balance-unknown",
        "credit-share",
        "monthly-budget",
        "schedule-begins",
    ]


def test_an_empty_bucket_is_never_measured() -> None:
    assert skipped(replace(CALM, balance_bytes=0)).reason is SkipReason.CREDIT_SHARE


def test_an_unknown_balance_is_no_balance() -> None:
    assert skipped(replace(CALM, balance_bytes=None)).reason is SkipReason.BALANCE_UNKNOWN


def test_in_elastic_mode_the_months_bytes_count_and_credits_do_not() -> None:
    assert may_run(COST, replace(ELASTIC, billed_this_month_bytes=8 * GIB), LIMITS) == Run(cost_bytes=2 * GIB)
    skip = skipped(replace(ELASTIC, billed_this_month_bytes=8 * GIB + 1))
    assert skip.reason is SkipReason.MONTHLY_BUDGET
    assert skip.sentence == (
        "The run would be billed up to 2.00 GiB, after 8.00 GiB this month: together more than the 10 GiB of"
        " MonthlyGiBBudget; to run it by hand all the same, accept its cost: accept_cost_bytes=2147483648"
    )


def test_in_elastic_mode_a_credit_alarm_that_was_left_on_means_nothing() -> None:
    assert isinstance(may_run(COST, replace(ELASTIC, alarms_on=("efs-warning",)), LIMITS), Run)


def test_provisioned_above_what_the_size_earns_costs_neither() -> None:
    paid_by_the_hour = replace(CALM, file_system=provisioned(mib_per_second=1000), balance_bytes=None)
    assert isinstance(may_run(COST, paid_by_the_hour, LIMITS), Run)


def test_provisioned_below_what_the_size_earns_lives_on_credits() -> None:
    still_bursting = replace(CALM, file_system=provisioned(mib_per_second=1), balance_bytes=0)
    assert skipped(still_bursting).reason is SkipReason.CREDIT_SHARE


def test_without_an_instance_online_nothing_runs_whatever_one_accepts() -> None:
    skip = skipped(replace(CALM, instances_online=0), accept_cost_bytes=10**18)
    assert skip.reason is SkipReason.NO_TARGET
    assert "the instances tagged efs-monitor = fs-0123456789abcdef0" in skip.sentence
    assert "accept_cost_bytes" not in skip.sentence


def test_while_another_run_has_not_ended_nothing_runs_whatever_one_accepts() -> None:
    skip = skipped(replace(CALM, running="The run run-1"), accept_cost_bytes=10**18)
    assert skip.reason is SkipReason.STILL_RUNNING
    assert skip.sentence.startswith("The run run-1 has not ended")


def test_where_only_replication_writes_nothing_runs_whatever_one_accepts() -> None:
    replica = replace(CALM, file_system=replace(bursting(), is_replica=True), instances_online=0)
    assert skipped(replica, accept_cost_bytes=10**18).reason is SkipReason.REPLICATION_DESTINATION


refused = st.sampled_from(
    [
        replace(CALM, alarms_on=("efs-critical",)),
        replace(CALM, balance_bytes=1.0),
        replace(CALM, balance_bytes=None),
        replace(ELASTIC, billed_this_month_bytes=10 * GIB),
    ]
)


@given(refused, st.integers(0, 4 * GIB))
def test_whoever_names_the_whole_cost_overrides_and_nobody_else(preconditions: Preconditions, accepted: int) -> None:
    verdict = may_run(COST, preconditions, LIMITS, accept_cost_bytes=accepted)
    assert isinstance(verdict, Run) == (accepted >= COST.of(preconditions.file_system))


@given(refused)
def test_the_cost_that_a_refusal_names_is_enough(preconditions: Preconditions) -> None:
    named = int(skipped(preconditions).sentence.rpartition("accept_cost_bytes=")[2])
    verdict = may_run(COST, preconditions, LIMITS, accept_cost_bytes=named)
    assert isinstance(verdict, Run)
    assert len(verdict.overridden) == 1


def test_an_override_says_everything_that_was_overridden() -> None:
    verdict = may_run(COST, replace(CALM, alarms_on=("efs-warning",), balance_bytes=GIB), LIMITS, accept_cost_bytes=GIB)
    assert isinstance(verdict, Run)
    assert [sentence.split()[0] for sentence in verdict.overridden] == ["The", "The"]
    assert "efs-warning" in verdict.overridden[0]
    assert "MaxCreditSharePercent" in verdict.overridden[1]


@given(st.integers(1000, 10**13), st.integers(1, 100), st.integers(-2, 2) | st.integers(0, 10**13))
def test_what_takes_its_share_or_less_runs_and_nothing_else_does(balance_bytes: int, percent: int, beside: int) -> None:
    cost_bytes = balance_bytes * percent // 100 + beside
    limits = Limits(max_credit_share_percent=percent, monthly_gib_budget=0)
    cost = Cost(metered_bytes=cost_bytes, billed_bytes=cost_bytes)
    verdict = may_run(cost, replace(CALM, balance_bytes=balance_bytes), limits)
    assert isinstance(verdict, Run) == (cost_bytes * 100 <= balance_bytes * percent)
