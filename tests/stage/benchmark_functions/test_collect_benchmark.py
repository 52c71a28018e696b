"""CollectBenchmark: what every end of a run becomes, once."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from efs_monitor.benchmarks.cost import run_cost
from efs_monitor.benchmarks.profiles import workloads_of
from efs_monitor.errors import EventRefused, ResultsIncomplete

from localaws.ssm.instances import instances
from localaws.ssm.platforms import AMAZON_LINUX, DEBIAN, WINDOWS, Platform
from stage.benchmark_hosts import output_of
from tests.stage.benchmark_functions.conftest import NAMES, QUICK, Stage

HOST, OTHER = "i-0123456789abcdef0", "i-0123456789abcdef1"
RUN_METRICS = ("Success", "CreditCost", "ConsecutiveFailures", "Regressions")


def ended(stage: Stage, instance_id: str = HOST) -> dict[str, Any]:
    """Systems Manager's event about the newest command."""
    command = stage.hosts.commands()[-1]
    return {
        "source": "aws.ssm",
        "detail-type": "EC2 Command Invocation Status-change Notification",
        "time": stage.sandbox.clock.now().isoformat(),
        "detail": {
            "command-id": command["CommandId"],
            "document-name": "home-benchmark",
            "instance-id": instance_id,
            "status": "Success",
        },
    }


def one_failed_run(stage: Stage) -> str:
    """The reason in the one line of a run that failed, after its one metric was seen."""
    assert stage.published("Success") == [[0.0]]
    (line,) = stage.logged("benchmark")
    assert line["success"] is False
    return "; ".join(line["failures"])


@pytest.mark.whole
def test_a_default_run_makes_twelve_metrics_with_the_times_of_the_run(stage: Stage) -> None:
    began = stage.sandbox.clock.now()
    stage.run()
    stage.wait(30)
    stage.collect()
    names = Counter(
        (one["Name"], blob.get("Workload"))
        for blob in stage.blobs()
        for one in blob["_aws"]["CloudWatchMetrics"][0]["Metrics"]
    )
    assert set(names.values()) == {1}
    assert names.keys() == {(name, None) for name in RUN_METRICS} | {(str(one.rate_kind), one.id) for one in QUICK}
    times = [blob["_aws"]["Timestamp"] / 1000 - began.timestamp() for blob in stage.blobs()]
    # Workloads ten seconds after each other, and the run itself at its beginning.
    assert times == [*range(0, 80, 10), 0]


def test_a_metrics_dimensions_are_file_system_and_workload_and_nothing_else(stage: Stage) -> None:
    stage.run()
    stage.wait()
    stage.collect()
    found = {tuple(blob["_aws"]["CloudWatchMetrics"][0]["Dimensions"][0]) for blob in stage.blobs()}
    assert found == {("FileSystemId", "Workload"), ("FileSystemId",)}


def test_a_rate_is_what_was_done_over_its_seconds(stage: Stage) -> None:
    stage.run()
    stage.wait()
    stage.collect()
    rates = {blob["Workload"]: blob.get("Throughput") or blob["OperationRate"] for blob in stage.blobs()[:-1]}
    assert rates == {one.id: [one.amount / place] for place, one in enumerate(QUICK, start=1)}
    assert stage.published("CreditCost") == [[run_cost(QUICK, 1).metered_bytes]]


def test_each_workload_on_each_instance_has_its_line_with_the_published_figure_beside_it(stage: Stage) -> None:
    stage.hosts.add(OTHER)
    stage.hosts.measures(QUICK)
    stage.run()
    stage.wait()
    stage.collect()
    lines = stage.logged("measured")
    assert [(one["instance_id"], one["workload"]) for one in lines] == [
        (instance_id, one.id) for instance_id in (HOST, OTHER) for one in QUICK
    ]
    (first, *_) = lines
    assert (first["instance_type"], first["kernel"], first["mount_options"]) == ("m5.large", "6.1.0", "rw,vers=4.1")
    assert (first["read_ahead_kb"], first["rate"], first["unit"]) == (15000, 1024.0, "Count/Second")
    assert first["ratio_to_published"] == pytest.approx(1024 / (1024 / 16.219))
    assert (first["shown"], first["published_shown"]) == ("1,024.0 files/s", "63.1 files/s")


def test_the_rates_of_several_instances_are_values_of_one_metric_beside_their_sum(stage: Stage) -> None:
    stage.hosts.add(OTHER)
    stage.hosts.measures(QUICK)
    stage.run()
    stage.wait()
    stage.collect()
    (blob,) = [one for one in stage.blobs() if one.get("Workload") == "dd-write-1m-end"]
    rate = QUICK[3].bytes / 4
    assert (blob["Throughput"], blob["FleetThroughput"]) == ([rate, rate], [2 * rate])


def test_the_event_of_the_last_instance_collects_the_run(stage: Stage) -> None:
    stage.run()
    stage.wait()
    answer = stage.collect(ended(stage))
    assert answer == {"collected": [stage.hosts.commands()[0]["Parameters"]["RunId"][0]]}
    assert stage.published("Success") == [[1.0]]


def test_collecting_again_publishes_nothing(stage: Stage) -> None:
    stage.run()
    stage.wait()
    stage.collect(ended(stage))
    before = stage.blobs()
    assert stage.collect(ended(stage)) == stage.collect() == {"collected": []}
    assert stage.blobs() == before


def test_collecting_again_with_the_ledger_lost_publishes_the_same(stage: Stage) -> None:
    for number in range(2):
        stage.run(NAMES.daily_after(days=number))
        stage.wait()
    stage.collect()
    before = stage.blobs()
    stage.sandbox.client("ssm").put_parameter(
        Name=NAMES.benchmarks_parameter, Value="{}", Type="String", Overwrite=True
    )
    stage.wait(5)
    assert len(stage.collect()["collected"]) == 2
    assert stage.blobs() == before + before


def test_an_end_whose_results_cannot_be_read_yet_is_tried_again_and_then_left_to_the_sweep(stage: Stage) -> None:
    stage.hosts.says(HOST, "")
    stage.run()
    stage.wait()
    event = ended(stage)
    with pytest.raises(ResultsIncomplete, match="has ended on i-0123456789abcdef0, without output yet"):
        stage.collect(event)
    stage.wait(3)
    assert stage.collect(event) == stage.collect() == {"collected": []}
    stage.wait(15)
    assert len(stage.collect()["collected"]) == 1
    assert "it succeeded without a word" in one_failed_run(stage)


def test_an_end_on_an_instance_that_the_command_was_not_sent_to_is_called_that(stage: Stage) -> None:
    stage.run()
    stage.wait()
    with pytest.raises(ResultsIncomplete, match=f"Systems Manager does not know the command .* on {OTHER} yet"):
        stage.collect(ended(stage, OTHER))


def test_an_event_of_a_command_that_is_still_running_is_not_called_its_end(stage: Stage) -> None:
    stage.hosts.says(HOST, "", status="hung")
    stage.run()
    with pytest.raises(ResultsIncomplete, match=f"is InProgress on {HOST}; this event is tried again"):
        stage.collect(ended(stage))
    stage.sandbox.agents.terminate(HOST)


def test_a_command_that_nobody_knows_is_tried_again_and_then_let_go(stage: Stage) -> None:
    stage.run()
    event = ended(stage)
    event["detail"]["command-id"] = "e8d3c0e4-71f7-4491-898f-c9b35bee5f3b"
    with pytest.raises(ResultsIncomplete, match="does not know the command e8d3c0e4"):
        stage.collect(event)
    stage.wait(3)
    assert stage.collect(event) == {"collected": []}


def test_an_end_that_is_told_with_the_last_of_all_times_is_collected(stage: Stage) -> None:
    stage.run()
    stage.wait()
    assert len(stage.collect(ended(stage) | {"time": "9999-12-31T23:59:59Z"})["collected"]) == 1


def test_a_run_of_several_instances_waits_for_the_last(stage: Stage) -> None:
    stage.hosts.add(OTHER)
    stage.hosts.measures(QUICK)
    stage.run()
    assert stage.collect() == {"collected": []}
    stage.wait()
    assert len(stage.collect(ended(stage, OTHER))["collected"]) == 1


def test_a_run_whose_events_were_lost_is_found_within_a_week(stage: Stage) -> None:
    stage.run()
    stage.sandbox.clock.move_to(stage.sandbox.clock.now() + timedelta(days=6, hours=23))
    assert len(stage.collect()["collected"]) == 1


def test_a_refused_run_says_why_and_has_no_rate(stage: Stage) -> None:
    stage.hosts.says(HOST, "", errors="/mnt/efs is no NFS 4 mount", status=2)
    stage.run()
    stage.wait(20)
    stage.collect()
    assert "/mnt/efs is no NFS 4 mount" in one_failed_run(stage)
    assert not stage.published("Throughput")
    assert not stage.published("OperationRate")


def test_what_is_whole_of_an_output_that_was_cut_is_published(stage: Stage) -> None:
    whole = output_of(HOST, QUICK).splitlines(keepends=True)
    stage.hosts.says(HOST, "".join(whole[:4]) + whole[4][:30])
    stage.run()
    stage.wait()
    stage.collect()
    assert [blob.get("Workload") for blob in stage.blobs()] == [*(one.id for one in QUICK[:3]), None]
    assert "dd-write-1m-end" in one_failed_run(stage)
    assert [line["status"] for line in stage.logged("measured")] == ["ok"] * 3 + ["failed"] * 5


def test_a_command_that_was_never_delivered_ends_in_one_metric_and_one_line(stage: Stage) -> None:
    stage.run_offline()
    stage.wait(30)
    stage.collect()
    assert "not delivered in time" in one_failed_run(stage)


def test_a_cancelled_command_ends_in_one_metric_and_one_line(stage: Stage) -> None:
    answer = stage.run_offline()
    stage.sandbox.client("ssm").cancel_command(CommandId=answer["command_id"])
    stage.wait(60)
    stage.collect()
    assert "cancelled" in one_failed_run(stage)


def test_an_instance_that_is_terminated_ends_in_one_metric_and_one_line(stage: Stage) -> None:
    stage.run_offline()
    instances().pop(HOST)
    stage.wait(60)
    stage.collect()
    assert "could not be delivered" in one_failed_run(stage)


@pytest.mark.parametrize("platform", [AMAZON_LINUX, DEBIAN], ids=["bash", "dash"])
def test_a_script_that_was_killed_is_told_as_that_whatever_sh_makes_of_it(stage: Stage, platform: Platform) -> None:
    if not platform.sh_path.exists():
        pytest.skip(f"this machine has no {platform.sh_path}")
    stage.hosts.runs_on(HOST, platform)
    stage.hosts.says(HOST, "".join(output_of(HOST, QUICK).splitlines(keepends=True)[:4]), status="killed")
    stage.run()
    stage.wait(20)
    stage.collect()
    assert "the script was killed on the instance (SIGKILL)" in one_failed_run(stage)
    # Of what counts as timed out, as with this sh, Systems Manager has no output: what it had measured is lost.
    measured = () if platform == DEBIAN else QUICK[:3]
    assert [blob.get("Workload") for blob in stage.blobs()] == [*(one.id for one in measured), None]


@pytest.mark.whole
@pytest.mark.parametrize("happens", ["reboot", "lose_workers"])
def test_a_reboot_and_a_dead_worker_are_told_as_that(stage: Stage, happens: str) -> None:
    stage.hosts.says(HOST, "", status="hung")
    stage.run()
    getattr(stage.sandbox.agents, happens)(HOST)
    stage.wait(20)
    stage.collect()
    assert "the agent lost the script: the instance was rebooted in the middle" in one_failed_run(stage)
    stage.sandbox.agents.terminate(HOST)


def test_a_host_that_turns_out_to_be_no_linux_ran_nothing(stage: Stage) -> None:
    stage.run_elsewhere(WINDOWS)
    stage.wait(30)
    stage.collect()
    assert "the agent skipped the document, which runs on Linux only" in one_failed_run(stage)


def test_results_beyond_what_the_agent_sends_are_told_as_cut_off(stage: Stage) -> None:
    whole = output_of(HOST, QUICK).splitlines(keepends=True)
    stage.hosts.says(HOST, "".join([*whole[:4], "x" * 24_000 + "\n", *whole[4:]]))
    stage.run()
    stage.wait()
    stage.collect()
    assert "dd-write-1m-end: its result was cut off" in one_failed_run(stage)
    assert [blob.get("Workload") for blob in stage.blobs()] == [*(one.id for one in QUICK[:3]), None]


def test_failures_in_a_row_are_counted_and_a_good_run_ends_them(stage: Stage) -> None:
    for number, works in enumerate((False, False, True, False)):
        stage.hosts.says(HOST, output_of(HOST, QUICK) if works else "", status=0 if works else 1)
        stage.run(NAMES.daily_after(days=number))
        stage.wait(20)
        stage.collect()
    assert stage.published("ConsecutiveFailures") == [[1.0], [2.0], [0.0], [1.0]]


def test_a_workload_far_below_its_own_median_is_a_regression(stage: Stage) -> None:
    for number in range(6):
        stage.hosts.measures(QUICK, slower=2.0 if number == 5 else 1.0)
        stage.run(NAMES.daily_after(days=number))
        stage.wait(10)
        stage.collect()
        stage.record_what_was_published()
    assert stage.published("Regressions") == [[0.0]] * 5 + [[float(len(QUICK))]]
    assert stage.logged("benchmark")[-1]["regressions"][0] == "dd-read-4: 50 % of its median"


@pytest.mark.whole
def test_a_run_by_hand_at_another_size_is_no_regression(stage: Stage) -> None:
    for number in range(6):
        stage.hosts.measures(QUICK)
        stage.run(NAMES.daily_after(days=number))
        stage.wait(10)
        stage.collect()
        stage.record_what_was_published()
    smaller = workloads_of("quick", size_mib=64)
    stage.hosts.measures(smaller, slower=4.0)
    stage.by_hand(size_mib=64)
    stage.wait(10)
    stage.collect()
    assert stage.published("Success")[-1] == [1.0]
    # Those that make empty files have no other size.
    assert stage.published("Regressions")[-1] == [3.0]


@pytest.mark.whole
def test_a_regression_is_the_same_when_the_run_is_collected_again(stage: Stage) -> None:
    test_a_workload_far_below_its_own_median_is_a_regression(stage)
    stage.sandbox.client("ssm").put_parameter(
        Name=NAMES.benchmarks_parameter, Value="{}", Type="String", Overwrite=True
    )
    stage.collect()
    assert stage.published("Regressions")[-1] == [float(len(QUICK))]


def test_a_command_of_another_document_is_refused(stage: Stage) -> None:
    stage.run()
    event = ended(stage)
    event["detail"]["document-name"] = "AWS-RunShellScript"
    with pytest.raises(EventRefused, match="one of 'AWS-RunShellScript', not of home-benchmark"):
        stage.collect(event)
