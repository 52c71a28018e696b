"""What a run came to: from what became of it on every instance."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from efs_monitor.benchmarks.cost import Cost, run_cost
from efs_monitor.benchmarks.deadline import execution_timeout_seconds
from efs_monitor.benchmarks.outcome import Failure, RunOutcome, run_outcome
from efs_monitor.benchmarks.profiles import workload
from efs_monitor.benchmarks.results import NO_LINE
from efs_monitor.benchmarks.sent_commands import Invocation
from efs_monitor.benchmarks.workloads import Workload
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.benchmarks.plans import QUICK
from tests.unit.benchmarks.script_output import BEGIN, MACHINE, bad, lines, ok, whole
from tests.unit.benchmarks.shared_bandwidth import PIPE_RATE, BandwidthDemand, ends_through_the_pipe

RUN = "run-20261117t030000z-1a2b3c4d"
SENT = datetime(2026, 11, 17, 3, 0, 0, tzinfo=UTC)
STARTED = SENT + timedelta(seconds=4)
ONE, TWO, THREE = (f"i-0000000000000000{number}" for number in (1, 2, 3))


def invocation(output: str = "", instance_id: str = ONE, **changed: Any) -> Invocation:
    values: dict[str, Any] = {
        "instance_id": instance_id,
        "status": "Success",
        "detail": "Success",
        "started": STARTED,
        "ended": STARTED + timedelta(seconds=40),
        "output": output,
    }
    return Invocation(**{**values, **changed})


def failed(output: str = "", detail: str = "Failed", **changed: Any) -> Invocation:
    return invocation(output, status="Failed", detail=detail, **changed)


def came_to(*invocations: Invocation, plan: tuple[Workload, ...] = QUICK) -> RunOutcome:
    return run_outcome(RUN, SENT, plan, invocations)


def test_a_whole_run_is_a_success_with_a_rate_for_each_workload() -> None:
    outcome = came_to(invocation(whole(QUICK)))
    assert outcome.success
    assert outcome.failures == ()
    assert [each.workload for each in outcome.measured] == list(QUICK)
    assert [each.rates for each in outcome.measured] == [(workload.amount / 2.0,) for workload in QUICK]
    assert outcome.cost == run_cost(QUICK, 1)


def test_an_instance_got_through_when_it_said_of_itself_what_it_is_and_reported_each_workload() -> None:
    (whole_one,) = came_to(invocation(whole(QUICK))).instances
    (silent,) = came_to(invocation("")).instances
    assert (whole_one.got_through, silent.got_through) == (True, False)
    assert whole_one.machine is not None
    refused = replace(whole_one, machine=replace(whole_one.machine, refused="df: no space"))
    unreported = replace(whole_one.results[0], reported=False)
    partly = replace(whole_one, results=(unreported, *whole_one.results[1:]))
    assert (refused.got_through, partly.got_through) == (False, False)
    assert not replace(whole_one, machine=None).got_through


def test_times_are_the_runs_and_how_long_after_the_first_workload_each_began() -> None:
    outcome = came_to(invocation(whole(QUICK)))
    assert outcome.time == STARTED
    assert [each.time for each in outcome.measured] == [STARTED + timedelta(seconds=3 * n) for n in range(8)]


def test_all_rates_of_a_workload_share_one_time_although_clocks_differ() -> None:
    later = whole(QUICK, begin=BEGIN + 86_400)
    outcome = came_to(invocation(whole(QUICK)), invocation(later, TWO, started=STARTED + timedelta(seconds=2)))
    assert outcome.time == STARTED
    assert [each.time for each in outcome.measured] == [STARTED + timedelta(seconds=3 * n) for n in range(8)]
    assert {len(each.rates) for each in outcome.measured} == {2}


def test_the_time_of_a_rate_is_that_of_the_first_instance_to_begin_it() -> None:
    slow = lines(MACHINE, ok(QUICK[0]), ok(QUICK[1], started=BEGIN + 9))
    outcome = came_to(invocation(slow), invocation(whole(QUICK[:2]), TWO), plan=QUICK[:2])
    assert outcome.measured[1].time == STARTED + timedelta(seconds=3)


def test_a_clock_that_jumped_moves_a_time_by_two_days_at_most() -> None:
    output = lines(MACHINE, ok(QUICK[0]), ok(QUICK[1], started=BEGIN + 1e10))
    outcome = came_to(invocation(output), plan=QUICK[:2])
    assert outcome.measured[1].time == STARTED + timedelta(days=2)


def test_one_failed_workload_makes_a_failed_run_and_the_other_rates_count() -> None:
    output = lines(MACHINE, *(ok(each) for each in QUICK[:-1]), bad(QUICK[-1], "failed", "no space left on device"))
    outcome = came_to(failed(output))
    assert not outcome.success
    assert outcome.failures == (Failure(instance_id=ONE, workload_id=QUICK[-1].id, reason="no space left on device"),)
    assert [each.workload for each in outcome.measured] == list(QUICK[:-1])


def test_a_run_that_left_something_behind_is_no_success_and_its_rates_count() -> None:
    left = {"type": "left", "reason": "data.x: the file system is mounted read-only"}
    outcome = came_to(failed(whole(QUICK) + lines(left)))
    reason = (
        "what it left behind is not removed yet, and counts as stored: data.x: the file system is mounted read-only"
    )
    assert outcome.failures == (Failure(instance_id=ONE, workload_id="", reason=reason),)
    assert len(outcome.measured) == len(QUICK)


def test_a_run_that_was_killed_and_left_something_behind_says_both() -> None:
    left = {"type": "left", "reason": "data.x"}
    outcome = came_to(failed(lines(MACHINE, left), detail="Execution Timed Out"))
    assert [one.reason.split(":")[0] for one in outcome.failures] == [
        "what it left behind is not removed yet, and counts as stored",
        "the script ran longer than Systems Manager allowed and was killed",
    ]


def test_a_refused_run_failed_once_for_the_reason_it_gave() -> None:
    refused = lines({**MACHINE, "refused": "/mnt/efs is not on an NFS 4 mount but on ext4"})
    outcome = came_to(failed(refused, error_output="/mnt/efs is not on an NFS 4 mount but on ext4"))
    assert outcome.failures == (
        Failure(instance_id=ONE, workload_id="", reason="/mnt/efs is not on an NFS 4 mount but on ext4"),
    )
    assert outcome.measured == ()
    assert outcome.cost == run_cost((), 1)


def test_a_run_that_was_killed_keeps_what_it_had_and_says_what_befell_it() -> None:
    killed = whole(QUICK).split("\n")
    outcome = came_to(failed("\n".join(killed[:4]) + "\n" + killed[4][:30], "ExecutionTimedOut"))
    assert [each.workload for each in outcome.measured] == list(QUICK[:3])
    (failure,) = outcome.failures
    assert (failure.instance_id, failure.workload_id) == (ONE, "")
    assert failure.reason == "the script ran longer than Systems Manager allowed and was killed"
    assert outcome.cost == run_cost(QUICK, 1)


def test_a_run_that_failed_and_then_was_killed_says_both() -> None:
    output = lines(MACHINE, ok(QUICK[0]), bad(QUICK[1], "failed", "stale file handle"))
    outcome = came_to(failed(output, "Terminated"))
    assert [failure.workload_id for failure in outcome.failures] == [QUICK[1].id, ""]


def test_a_success_with_lines_missing_is_none() -> None:
    outcome = came_to(invocation(lines(MACHINE, *(ok(each) for each in QUICK[:7]))))
    assert outcome.failures == (Failure(instance_id=ONE, workload_id=QUICK[7].id, reason=NO_LINE),)


def test_a_failure_of_which_the_output_knows_nothing_is_one_nevertheless() -> None:
    outcome = came_to(failed(whole(QUICK), error_output="Segmentation\n fault"))
    assert outcome.failures == (
        Failure(instance_id=ONE, workload_id="", reason="the script failed: Segmentation fault"),
    )
    assert len(outcome.measured) == 8


@pytest.mark.parametrize(
    ("status", "detail", "reason"),
    [
        ("Failed", "Failed", "the script failed"),
        ("TimedOut", "TimedOut", "ran out of time"),
        ("TimedOut", "DeliveryTimedOut", "not delivered in time"),
        ("TimedOut", "Delivery Timed Out", "not delivered in time"),
        ("TimedOut", "ExecutionTimedOut", "longer than Systems Manager allowed"),
        ("Cancelled", "Cancelled", "was cancelled"),
        ("Failed", "Undeliverable", "could not be delivered"),
        ("Failed", "Terminated", "too many other instances"),
        ("Failed", "InvalidPlatform", "needs Linux"),
        ("Failed", "Invalid Platform", "needs Linux"),
        ("Failed", "AccessDenied", "instance profile"),
        ("Failed", "No Instances In Tag", "no instance has the tag"),
        ("Failed", "SomethingNew", "the script failed"),
        ("SomethingNew", "", "'SomethingNew'"),
        ("", "", "'unknown'"),
        ("InProgress", "InProgress", "it had not ended, its status was InProgress"),
    ],
)
def test_every_way_to_end_badly_is_one_failure_in_words(status: str, detail: str, reason: str) -> None:
    outcome = came_to(invocation(status=status, detail=detail, started=None, ended=None))
    (failure,) = outcome.failures
    assert reason in failure.reason
    assert outcome.measured == ()
    assert not outcome.success
    assert outcome.time == SENT


def the_reason(*invocations: Invocation) -> str:
    """The one failure of a run, which is that of its one instance."""
    (failure,) = came_to(*invocations).failures
    assert (failure.instance_id, failure.workload_id) == (ONE, "")
    return failure.reason


KILLED = "the script was killed on the instance (SIGKILL), perhaps because memory ran out"
PART = lines(MACHINE, ok(QUICK[0]))


def test_a_kill_that_the_agent_sees_as_a_signal_is_told_as_one() -> None:
    said = "failed to run commands: signal: killed"
    assert the_reason(failed(PART, response_code=-1, error_output=said)) == f"{KILLED}: {said}"


def test_a_kill_that_dash_hides_is_no_time_out_because_it_came_too_early() -> None:
    killed = invocation(PART, status="TimedOut", detail="ExecutionTimedOut", response_code=137)
    assert the_reason(killed) == KILLED


def test_what_ran_as_long_as_it_may_was_killed_by_the_agent() -> None:
    ended = STARTED + timedelta(seconds=execution_timeout_seconds(QUICK))
    timed_out = invocation(PART, status="TimedOut", detail="ExecutionTimedOut", response_code=137, ended=ended)
    assert the_reason(timed_out) == "the script ran longer than Systems Manager allowed and was killed"


@pytest.mark.parametrize("detail", ["Undeliverable", "Terminated", "ExecutionTimedOut"])
def test_what_never_ended_has_no_exit_status_and_was_not_killed(detail: str) -> None:
    assert KILLED not in the_reason(failed(detail=detail, response_code=-1, ended=None))


def test_a_script_that_the_agent_has_lost_failed_without_a_word() -> None:
    assert the_reason(failed(response_code=1)) == (
        "the agent lost the script: the instance was rebooted in the middle, or the agent's worker died"
    )


def test_a_script_that_says_why_was_not_lost() -> None:
    said = "failed to run commands: exit status 1"
    assert the_reason(failed(response_code=1, error_output=said)) == f"the script failed: {said}"
    assert the_reason(failed(PART, response_code=1)) == "the script failed"


@pytest.mark.parametrize("output", ["", "\n"])
def test_a_success_without_a_word_ran_nothing(output: str) -> None:
    assert the_reason(invocation(output, response_code=0)) == (
        "it succeeded without a word: the agent skipped the document, which runs on Linux only, or its output was lost"
    )


def test_workloads_whose_lines_were_cut_off_say_so() -> None:
    cut = whole(QUICK).split(QUICK[5].id)[0] + "--output truncated--"
    outcome = came_to(invocation(cut))
    assert [one.workload for one in outcome.measured] == list(QUICK[:5])
    assert [(one.workload_id, one.reason) for one in outcome.failures] == [
        (each.id, "its result was cut off: the agent sends less than 24,000 bytes of output") for each in QUICK[5:]
    ]


def test_an_instance_that_was_never_reached_cost_nothing() -> None:
    outcome = came_to(failed(detail="Undeliverable", started=None, ended=None))
    assert outcome.cost == Cost(metered_bytes=0, billed_bytes=0)


def test_an_instance_that_vanished_in_the_middle_may_have_cost_all_of_it() -> None:
    outcome = came_to(invocation(status="InProgress", detail="InProgress", started=None, ended=None))
    assert outcome.cost == run_cost(QUICK, 1)


@pytest.mark.parametrize("status", ["InProgress", "Cancelling"])
def test_so_may_one_of_which_no_more_is_known_than_that_it_is_at_it(status: str) -> None:
    vanished = invocation(status=status, detail=status, started=None, ended=None)
    assert came_to(vanished).cost == run_cost(QUICK, 1)
    waiting = invocation(status="Pending", detail="Pending", started=None, ended=None)
    assert came_to(waiting).cost == Cost(metered_bytes=0, billed_bytes=0)


def test_costs_are_whole_bytes_however_many_instances_share_them() -> None:
    three = came_to(*(invocation(whole(QUICK), each) for each in (ONE, TWO, THREE)))
    for instance in three.instances:
        assert type(instance.cost.metered_bytes) is type(instance.cost.billed_bytes) is int


def test_an_instance_that_began_and_said_nothing_may_have_cost_all_of_it() -> None:
    assert came_to(failed(detail="Terminated")).cost == run_cost(QUICK, 1)


def test_a_command_without_an_instance_is_a_failed_run() -> None:
    outcome = came_to()
    (failure,) = outcome.failures
    assert (failure.instance_id, failure.workload_id) == ("", "")
    assert failure.reason == ("Systems Manager has no instance for the command: none had the tag, or it is gone")


def test_a_missing_tool_is_no_failure() -> None:
    plan = (workload("copy-cp"), workload("copy-mcp"))
    output = lines(MACHINE, ok(plan[0]), bad(plan[1], "skipped", "mcp is not installed"))
    outcome = came_to(invocation(output), plan=plan)
    assert outcome.success
    assert [each.workload.id for each in outcome.measured] == ["copy-cp"]
    assert outcome.cost == run_cost(plan[:1], 1)


def test_a_run_that_skipped_everything_measured_nothing_and_is_no_success() -> None:
    plan = (workload("copy-mcp"),)
    outcome = came_to(invocation(lines(MACHINE, bad(plan[0], "skipped", "mcp is not installed"))), plan=plan)
    assert outcome.failures == (
        Failure(instance_id="", workload_id="", reason="nothing was measured: every workload was skipped"),
    )


def test_one_bad_instance_of_three_makes_a_failed_run_and_the_rates_of_two() -> None:
    outcome = came_to(
        invocation(whole(QUICK), ONE), invocation(whole(QUICK), TWO), failed(instance_id=THREE, detail="Undeliverable")
    )
    assert {failure.instance_id for failure in outcome.failures} == {THREE}
    assert {len(each.rates) for each in outcome.measured} == {2}


def test_the_rate_of_the_fleet_is_that_of_instances_that_ran_together() -> None:
    plan = QUICK[3:4]
    together = [whole(plan, begin=BEGIN), whole(plan, begin=BEGIN + 0.3)]
    late = whole(plan, begin=BEGIN + 1000)
    outcome = came_to(invocation(together[0]), invocation(late, TWO), invocation(together[1], THREE), plan=plan)
    fleet = outcome.measured[0].fleet
    assert fleet
    assert fleet.instance_ids == (ONE, THREE)
    assert fleet.rate == pytest.approx(2 * plan[0].bytes / 2.3)


# When an instance starts dd, for how long dd opens its file, how long its process ends, how fast it could go alone.
single_dds = st.lists(
    st.tuples(st.floats(0, 1), st.floats(0, 2), st.floats(0, 0.5), st.floats(10, 200)), min_size=2, max_size=8
)


@given(single_dds)
def test_a_fleet_of_single_dds_never_has_more_than_the_file_system_delivers(dds: list[tuple[float, ...]]) -> None:
    """The seconds of a single dd are its own, from when its file is open; its lap is that of the process."""
    dd = replace(workload("dd-write-1m-end"), file_bytes=200)
    ends = ends_through_the_pipe(
        [BandwidthDemand(began + opening, dd.bytes, limit) for began, opening, _, limit in dds]
    )
    instances: list[Invocation] = []
    for (began, opening, ending, _), ended in zip(dds, ends, strict=True):
        said = ok(dd, seconds=ended - began - opening, started=BEGIN + began)
        said["ended"] = BEGIN + ended + ending
        instances.append(invocation(lines(MACHINE, said), f"i-{len(instances)}"))
    (measured,) = came_to(*instances, plan=(dd,)).measured
    assert measured.fleet is None or measured.fleet.rate <= PIPE_RATE * (1 + 1e-5)


def test_one_instance_is_no_fleet() -> None:
    assert all(each.fleet is None for each in came_to(invocation(whole(QUICK))).measured)


def test_local_disks_are_no_fleet() -> None:
    plan = (workload("dd-write-1m-end-local"),)
    outcome = came_to(invocation(whole(plan)), invocation(whole(plan), TWO), plan=plan)
    assert outcome.measured[0].fleet is None
    assert len(outcome.measured[0].rates) == 2


def test_the_typical_rate_is_the_median_of_the_instances() -> None:
    plan = QUICK[3:4]
    slow, middle, fast = (whole(plan, seconds=seconds) for seconds in (8.0, 4.0, 2.0))
    outcome = came_to(invocation(slow), invocation(middle, TWO), invocation(fast, THREE), plan=plan)
    assert outcome.measured[0].typical_rate == plan[0].bytes / 4.0


def test_what_the_instances_are_is_kept_for_the_log() -> None:
    (instance,) = came_to(invocation("garbage\n" + whole(QUICK))).instances
    assert instance.machine
    assert instance.machine.instance_type == "m5.large"
    assert instance.unreadable_lines == 1


outputs = st.sampled_from(
    [
        "",
        whole(QUICK),
        whole(QUICK)[:700],
        whole(QUICK, begin=BEGIN + 1, seconds=1.0),
        lines({**MACHINE, "refused": "no"}),
        lines(MACHINE, *(bad(each, "failed", "deadline") for each in QUICK)),
    ]
)
endings = st.sampled_from(["Success", "Failed", "ExecutionTimedOut", "Undeliverable", "Terminated"])
runs = st.lists(st.tuples(outputs, endings, st.none() | st.integers(0, 100)), max_size=4).map(
    lambda rows: [
        invocation(
            output,
            f"i-{place}",
            detail=detail,
            status=detail,
            started=None if after is None else SENT + timedelta(seconds=after),
        )
        for place, (output, detail, after) in enumerate(rows)
    ]
)


@given(runs, st.randoms())
def test_the_order_of_the_instances_changes_nothing(run: list[Invocation], random: Any) -> None:
    shuffled = list(run)
    random.shuffle(shuffled)
    assert came_to(*shuffled) == came_to(*run)


@given(runs)
def test_no_rate_is_ever_zero_and_no_time_before_the_run(run: list[Invocation]) -> None:
    outcome = came_to(*run)
    assert all(rate > 0 for each in outcome.measured for rate in each.rates)
    assert all(each.time >= outcome.time >= SENT for each in outcome.measured)


@given(runs)
def test_a_run_is_a_success_only_if_all_was_done_everywhere(run: list[Invocation]) -> None:
    outcome = came_to(*run)
    everything = len(outcome.measured) == 8 and all(len(each.rates) == len(run) for each in outcome.measured)
    ended_well = all(each.detail == "Success" for each in run)
    assert outcome.success == (everything and ended_well)


@given(runs)
def test_a_run_never_costs_more_than_was_said_before_it(run: list[Invocation]) -> None:
    before = run_cost(QUICK, len(run))
    cost = came_to(*run).cost
    assert cost.metered_bytes <= before.metered_bytes
    assert cost.billed_bytes <= before.billed_bytes
