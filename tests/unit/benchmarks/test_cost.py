"""What a run costs: every instance, every workload, in the currency of the file system's mode."""

import pytest
from efs_monitor.benchmarks.cost import Cost, run_cost
from efs_monitor.benchmarks.workloads import Workload
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.benchmarks.plans import MIB, QUICK, plans
from tests.unit.strategies import bursting, elastic, provisioned

instances = st.integers(1, 50)


@given(plans, instances)
def test_it_is_never_below_the_workloads_of_all_instances(plan: tuple[Workload, ...], instances: int) -> None:
    cost = run_cost(plan, instances)
    assert cost.metered_bytes >= instances * sum(workload.metered_bytes for workload in plan)
    assert cost.billed_bytes >= instances * sum(workload.billed_bytes for workload in plan)


def test_one_instance_waits_for_no_other() -> None:
    """Each of several looks more often whether the others are there."""
    alone, beside = (run_cost(QUICK, count).metered_bytes / count for count in (1, 2))
    looking = (alone - run_cost((), 1).metered_bytes - sum(each.metered_bytes for each in QUICK)) / len(QUICK)
    assert looking == 200 * 4096
    assert beside - alone == len(QUICK) * 5000 * 4096


def test_a_run_of_nothing_costs_its_checks_and_its_lock() -> None:
    assert run_cost((), 3) == Cost(metered_bytes=3 * 1000 * 4096, billed_bytes=3 * 1000 * 4096)


@given(plans, instances)
def test_more_instances_and_more_workloads_cost_more(plan: tuple[Workload, ...], instances: int) -> None:
    cost = run_cost(plan, instances)
    assert run_cost(plan, instances + 1).metered_bytes > cost.metered_bytes
    assert run_cost(plan[1:], instances).metered_bytes < cost.metered_bytes


@given(plans, instances)
def test_what_is_billed_is_never_less_than_what_is_metered(plan: tuple[Workload, ...], instances: int) -> None:
    cost = run_cost(plan, instances)
    assert cost.billed_bytes >= cost.metered_bytes


def test_instances_that_wait_for_each_other_cost_more_than_each_alone() -> None:
    assert run_cost(QUICK, 2).metered_bytes > 2 * run_cost(QUICK, 1).metered_bytes


def test_quick_writes_640_mib_and_reads_128() -> None:
    cost = run_cost(QUICK, 1)
    assert 640 * MIB + 128 * MIB / 3 < cost.metered_bytes < 900 * MIB
    assert cost.billed_bytes - cost.metered_bytes == pytest.approx(128 * MIB * 2 / 3, rel=0.001)


def test_elastic_counts_what_is_billed_and_the_other_modes_what_is_metered() -> None:
    cost = Cost(metered_bytes=1, billed_bytes=2)
    assert cost.of(elastic()) == 2
    assert cost.of(bursting()) == 1
    assert cost.of(provisioned(mib_per_second=100)) == 1
