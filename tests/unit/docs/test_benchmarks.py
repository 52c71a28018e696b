"""What docs/benchmarks.md says is what the code does: its tables are the code's, its numbers the constants."""

import inspect
import re
from datetime import timedelta

import pytest
from efs_monitor.aws import embedded_metrics
from efs_monitor.aws.benchmark_rates import WINDOW
from efs_monitor.aws.embedded_metrics import FLEET_THROUGHPUT, SKIPPED, publish_run, published
from efs_monitor.aws.systems_manager import MOST_INSTANCES
from efs_monitor.benchmarks import deadline, overlap, past_rates, results, sent_commands
from efs_monitor.benchmarks.profiles import PROFILES, QUICK_SIZE_MIB, workloads_of
from efs_monitor.benchmarks.published import figures
from efs_monitor.benchmarks.refusals import SkipReason
from efs_monitor.benchmarks.sent_commands import GRACE, Invocation
from efs_monitor.benchmarks.workloads import RateKind
from efs_monitor.efs.credits import GIB
from efs_monitor.usecases.collect_benchmark import SWEPT

from operate.template_files import template
from stage.measuring import calibration, overhead
from tests.unit.docs.pages import prose, table
from tools.benchmark_document import script
from tools.benchmark_tables import written_into

NAME = "docs/benchmarks.md"
TEXT = " ".join(prose(NAME).split())
SCRIPT = script()
OF_THE_RUN = set(re.findall(r"add_metric\(([A-Z_]+),", inspect.getsource(publish_run))) - {"FLEET_THROUGHPUT"}
NUMBERS = {1: "one", 2: "two", 5: "five", 10: "ten", 14: "fourteen"}


def _of_the_script(name: str) -> str:
    (found,) = re.findall(rf"^readonly {name}=(\S+)$", SCRIPT, re.MULTILINE)
    return str(found)


def _lacks(name: str) -> str:
    return f"{NAME} does not say {name!r}"


def test_a_page_without_a_place_for_a_table_is_refused() -> None:
    with pytest.raises(ValueError, match="one place for catalogue"):
        written_into("# Benchmarks\n")


def test_every_reason_for_skipping_is_explained_with_what_to_do() -> None:
    reasons = [f"`{reason}`" for reason in SkipReason]

    assert [row[0] for row in table(NAME, "Reason")] == reasons
    assert [row[0] for row in table("docs/runbook.md", "`skipped`")] == reasons


@pytest.mark.parametrize("row", table(NAME, "Status"), ids=lambda row: row[0])
def test_a_status_is_told_in_the_words_of_the_log(row: list[str]) -> None:
    invocation = Invocation(instance_id="i-0123456789abcdef0", status=row[0], detail=row[0])

    assert sent_commands.why_failed(invocation, timedelta(hours=1)) == row[1]


def test_the_ends_that_have_no_status_of_their_own_are_told_in_the_words_of_the_log() -> None:
    words = [row[1] for row in table(NAME, "What happened")]

    assert words == [sent_commands.KILLED, sent_commands.LOST, sent_commands.SKIPPED, results.CUT_OFF]


def test_every_status_of_systems_manager_is_told() -> None:
    failed = {"Failed", "TimedOut", "Cancelled"}
    finer = {"Undeliverable", "Delivery Timed Out", "Execution Timed Out", "Terminated", "Invalid Platform"}

    assert {row[0] for row in table(NAME, "Status")} >= {*failed, *finer, "Access Denied", "No Instances In Tag"}


def test_every_metric_is_listed_with_its_dimensions() -> None:
    of_the_run = {getattr(embedded_metrics, name) for name in OF_THE_RUN}
    names = of_the_run | {FLEET_THROUGHPUT, SKIPPED} | {str(kind) for kind in RateKind}
    rows = {row[0].strip("`"): row[1:] for row in table(NAME, "Metric")}

    assert rows.keys() == names
    for kind in RateKind:
        assert rows[kind][:2] == [kind.unit, "FileSystemId, Workload"]
    assert f"Namespace `{published.namespace}`" in TEXT


def test_the_quick_profile_is_as_described() -> None:
    assert len(workloads_of("quick")) == 8
    assert f"`quick` runs every workload with data at {QUICK_SIZE_MIB} MiB" in TEXT


def test_every_profile_can_be_deployed() -> None:
    assert template()["Parameters"]["BenchmarkProfile"]["AllowedValues"] == list(PROFILES)


def test_no_more_than_a_full_bucket_can_be_asked_of_the_larger_profiles() -> None:
    full_bucket_bytes = 2_308_974_418_330
    share = int(template()["Parameters"]["MaxCreditSharePercent"]["Default"]) / 100

    larger = [name for name in PROFILES if name != "quick"]
    costs = [sum(one.metered_bytes for one in workloads_of(name)) for name in larger]
    skipped = [name for name, cost in zip(larger, costs, strict=True) if cost > full_bucket_bytes * share]
    assert skipped == ["tutorial", "copy"]
    assert "`tutorial` and `copy` take more than 1 % of a full bucket" in TEXT


def test_the_lengths_of_time_are_those_of_the_code() -> None:
    for said in (
        f"time-out comes {NUMBERS[deadline.HEAD_START_SECONDS // 60]} minutes later",
        f"wait up to {_of_the_script('GATHER_SECONDS')} seconds for one another",
        f"a heartbeat every {NUMBERS[int(_of_the_script('HEARTBEAT_SECONDS'))]} seconds",
        f"the {NUMBERS[WINDOW.days]} days before",
    ):
        assert said in TEXT, _lacks(said)
    assert _of_the_script("STALE_SECONDS") == "60"
    assert "without one for a minute is stale" in TEXT
    assert timedelta(minutes=15) == GRACE
    assert "a quarter of an hour after it expired" in TEXT
    assert timedelta(weeks=1) == SWEPT
    assert "twice an hour, a week back" in TEXT


def test_regressions_and_fleets_are_judged_as_described() -> None:
    assert overlap.LEAST_SHARED_PART == 0.5
    assert overlap.FEWEST_INSTANCES == 2
    for said in (
        f"below {past_rates.SHARE_PERCENT} % of its own median",
        f"fewer than {NUMBERS[past_rates.FEWEST_RUNS]} runs",
        "at least half of each one's own",
        f"any number up to {MOST_INSTANCES} tagged",
        f"less than {results.CUT_OUTPUT_BYTES:,} bytes of output",
    ):
        assert said in TEXT, _lacks(said)


def test_the_directory_is_the_scripts() -> None:
    assert f"`{_of_the_script('OWN')}`" in TEXT
    assert f"`{_of_the_script('OWN')}`" in prose("docs/runbook.md")


@pytest.mark.parametrize("page", [NAME, "docs/design.md", "docs/runbook.md"])
def test_the_user_is_the_scripts(page: str) -> None:
    named = re.findall(r"\b(?:uid(?: and gid)?|user id) (\d+)", prose(page))

    assert set(named) == {_of_the_script("NOBODYS_UID")}


def test_what_the_measurements_promise_is_what_they_are_held_to() -> None:
    latencies = calibration.LATENCIES_SECONDS
    bandwidths = calibration.BANDWIDTHS_MIB_PER_SECOND
    for said in (
        f"latencies of {1000 * min(latencies):.0f} to {1000 * max(latencies):.0f} ms",
        f"bandwidths of {min(bandwidths)} to {max(bandwidths)} MiB/s",
        f"dd within {100 * calibration.DD_LIMIT:.0f} %",
        f"touch within {100 * calibration.TOUCH_LIMIT:.0f} %",
        f"by hand at most {overhead.LONGER_PERCENT} %",
    ):
        assert said in TEXT, _lacks(said)
    assert overhead.HARNESS_SECONDS == 1
    assert "and at most a second a run" in TEXT


def test_published_tables_that_contradict_their_command_are_named() -> None:
    shorter = [row for one in workloads_of("tutorial") for row in figures(one) if "its command writes" in row.note]

    assert {row.step for row in shorter} == {"3a", "3b", "3c", "3d"}
    assert {row.amount for row in shorter} == {2 * GIB}
    assert "steps 3a to 3d are headed 10 GB, and their command writes 2 GiB" in TEXT
