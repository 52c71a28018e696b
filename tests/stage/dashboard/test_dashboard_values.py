"""Each line of the dashboard, worked out by hand over six minutes made for it.

The third minute never arrives; in the second nobody does anything; the reference is published in the second, as it is
once an hour; in the last the credits run out.
"""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
from efs_monitor.aws.embedded_metrics import (
    CONSECUTIVE_FAILURES,
    NAMESPACE,
    REFERENCE_THROUGHPUT,
    REGRESSIONS,
    SKIPPED,
    SUCCESS,
)
from efs_monitor.benchmarks.catalogue import CATALOGUE, LOCAL_SUFFIX, local_baseline
from efs_monitor.benchmarks.profiles import PROFILES
from efs_monitor.benchmarks.published import comparison
from efs_monitor.benchmarks.workloads import RateKind

from localaws.clock import START
from localaws.cloudwatch.metrics import MetricId, Sample
from localaws.sandbox import Sandbox
from tests.stage.dashboard.drawing import Line, lines
from tests.template.dashboards import graphs, widget
from tests.template.template_documents import FILE_SYSTEM_ID
from tools.graph_metrics import expressions, metrics

MINUTE = timedelta(minutes=1)
MIB, GIB = 1024**2, 1024**3


class Counted(NamedTuple):
    """What operations of a minute add up to."""

    mebibytes: float
    operations: int


# A gauge is given as (minimum, average, maximum), in GiB, in MiB/s or in percent. Each line has its own statistic.
type Minutes = dict[int, tuple[float, float, float]]
BALANCE: Minutes = {0: (1200, 1203, 1206), 1: (1194, 1197, 1200), 3: (1182, 1188, 1194), 4: (1185,) * 3, 5: (0, 9, 18)}
PERMITTED: Minutes = {0: (100,) * 3, 1: (100,) * 3, 3: (100,) * 3, 4: (100,) * 3, 5: (5, 52.5, 100)}
GAUGES: tuple[tuple[str, str, int, Minutes], ...] = (
    ("AWS/EFS", "BurstCreditBalance", GIB, BALANCE),
    ("AWS/EFS", "PermittedThroughput", MIB, PERMITTED),
    ("AWS/EFS", "PercentIOLimit", 1, {0: (10, 20, 30), 3: (80, 90, 99)}),
    (NAMESPACE, REFERENCE_THROUGHPUT, MIB, {1: (100,) * 3}),
)
STORAGE_GIB = {"Total": 300, "Standard": 200, "IA": 60, "Archive": 40}
COUNTED = {
    "MeteredIOBytes": {0: Counted(3000, 9), 3: Counted(6000, 9), 4: Counted(600, 9), 5: Counted(1575, 9)},
    "TotalIOBytes": {0: Counted(3000, 120_000), 3: Counted(6000, 96_000)},
    "DataReadIOBytes": {0: Counted(1200, 24_000)},
    "DataWriteIOBytes": {0: Counted(1500, 19_200), 3: Counted(6000, 96_000)},
    "MetadataIOBytes": {0: Counted(300, 76_800)},
}

# Each workload has a rate of its own: the first in the catalogue 3 files/s or MiB/s, the next 6, and so on; on the
# local disk as much and 1, on several instances as much and 2. So fast is the first run; the second is half as fast.
RATES = {one.id: 3 * number for number, one in enumerate(CATALOGUE.values(), start=1)}
RATES |= {local.id: RATES[one.id] + 1 for one in CATALOGUE.values() if (local := local_baseline(one)) is not None}
FLEET_RATES = {one: RATES[one] + 2 for one in CATALOGUE}
RUNS = {SUCCESS: (1, 0), CONSECUTIVE_FAILURES: (0, 1), REGRESSIONS: (0, 2)}

# A dash is a minute without a point.
WORKED_OUT = {
    "File system facts": {
        # Without a reference, nothing; then as in the graph.
        "Left at the permitted rate, minutes": "- 203.776 203.776 201.728 202.24 0",
        "Credit balance, GiB": "1200 1194 1194 1182 1185 0",
        "Permitted throughput, MiB/s": "100 100 100 100 100 5",
        "Metered size, GiB": "300 300 300 300 300 300",
        "In Standard, which earns credits, GiB": "200 200 200 200 200 200",
        # 50 MiB/s per TiB: 200 / 1024 * 50.
        "Earned by its size, MiB/s": "9.765625 9.765625 9.765625 9.765625 9.765625 9.765625",
    },
    "Minutes left": {
        # 1194 GiB * 1024 / 100 MiB/s / 60, and so on. Without a reference, nothing, and not 0.
        "At the permitted rate": "- 203.776 - 201.728 202.24 0",
        # 6 GiB lost in a minute: 1194 / 6. 12 lost in two: 1182 / 6. Then 3 gained: nothing. Then all lost.
        "At the net rate, while the balance falls": "- 199 - 197 - 0",
    },
    "Credit balance, and where the alarms stood": {
        "Balance": "1200 1194 - 1182 1185 0",
        # 100 MiB/s * 60 * 180 / 1024, and a third of it.
        "Warning, 180 minutes": "- 1054.6875 1054.6875 1054.6875 1054.6875 1054.6875",
        "Critical, 60 minutes": "- 351.5625 351.5625 351.5625 351.5625 351.5625",
        "Exhausted, 1 minute": "- 5.859375 5.859375 5.859375 5.859375 5.859375",
    },
    "Phases of incidents": {
        # 1206, 1197 ... GiB of 1054.6875 at Warning: above it until the credits run out.
        "No credits": "0 0 - 0 0 1",
        "Nearly gone": "0 0 - 0 0 0",
        "Below Critical": "0 0 - 0 0 0",
        "Below Warning": "0 0 - 0 0 0",
        "Coming back": "0 0 - 0 0 0",
    },
    "The last 24 hours": {
        "Without credits, hours": f"0 0 0 0 0 {1 / 60}",
        "Below Critical, hours": f"0 0 0 0 0 {1 / 60}",
        # 1200 MiB read, and 24,000 times 32 KiB are less; 1500 written; 76,800 times 4 KiB of metadata are its 300.
        # So 1200 * 0.03 + 1500 * 0.06 + 300 * 0.03 of 1024 dollars. Then 6000 MiB written.
        "This load in elastic throughput, USD": " ".join(3 * ["0.1318359375"] + 3 * ["0.4833984375"]),
    },
    "Permitted throughput, and the reference": {
        "Permitted": "100 100 - 100 100 5",
        "Reference": "- 100 100 100 100 100",
    },
    "Throughput utilization, and what is left": {
        # 3000 MiB / 60 s of 100 MiB/s; an idle minute; none; 6000; 600; and 26.25 of 52.5 MiB/s.
        "Used": "50 0 - 100 10 50",
        "Left": "50 100 - 0 90 50",
    },
    "PercentIOLimit (General Purpose)": {"Of the limit on file operations": "30 - - 99 - -"},
    "Throughput by type": {
        # Where there is a gauge of the minute, nothing moved is 0; of the third nothing has come.
        "Total": "50 0 - 100 0 0",
        "Read": "20 0 - 0 0 0",
        "Write": "25 0 - 100 0 0",
        "Metadata": "5 0 - 0 0 0",
    },
    "IOPS by type": {
        "Total": "2000 0 - 1600 0 0",
        "Read": "400 0 - 0 0 0",
        "Write": "320 0 - 1600 0 0",
        "Metadata": "1280 0 - 0 0 0",
    },
    "Average I/O size by type": {
        # 1200 * 1024 KiB / 24,000; 1500 * 1024 / 19,200; 300 * 1024 / 76,800.
        "Read": "51.2 - - - - -",
        "Write": "80 - - 64 - -",
        "Metadata": "4 - - - - -",
    },
    "Share of throughput by type": {
        # Reads count a third: 400, 1500 and 300 of 2200.
        "Read": "18.181818 - - 0 - -",
        "Write": "68.181818 - - 100 - -",
        "Metadata": "13.636364 - - 0 - -",
    },
    "Share of IOPS by type": {
        "Read": "20 - - 0 - -",
        "Write": "16 - - 100 - -",
        "Metadata": "64 - - 0 - -",
    },
    "Client connections": {"Connections": "3 - - 5 - -"},
    "Storage by class": {
        "Standard": "200 200 200 200 200 200",
        "Infrequent Access": "60 60 60 60 60 60",
        "Archive": "40 40 40 40 40 40",
    },
    "Benchmarks: runs": {
        "Success: 1 or 0": "1 - - 0 - -",
        "Failures in a row": "0 - - 1 - -",
        "Workloads far below their median": "0 - - 2 - -",
        SKIPPED: "- - - - 1 -",
    },
}
# Their lines are as many as there are workloads, and worked out with them.
BESIDE = "Benchmarks: the newest beside published figures"
OF_WORKLOADS = [
    (profile, graph["title"])
    for profile in PROFILES
    for graph in graphs(profile)
    if graph["title"] not in {*WORKED_OUT, BESIDE} and graph["title"].startswith("Benchmarks: ")
]
LINES = [(title, label) for title, graph in WORKED_OUT.items() for label in graph]


@pytest.fixture(scope="module")
def six_minutes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with Sandbox(tmp_path_factory.mktemp("dashboard")) as sandbox:
        sandbox.clock.move_to(START + 6 * MINUTE)
        for namespace, name, unit, minutes in GAUGES:
            for minute, values in minutes.items():
                gauge(sandbox, namespace, name, minute, tuple(value * unit for value in values))
        for name, counters in COUNTED.items():
            for minute, counted in counters.items():
                size = counted.mebibytes * MIB / counted.operations
                total = counted.mebibytes * MIB
                record(sandbox, "AWS/EFS", name, minute, sample=(size, size, total, counted.operations))
        for storage_class, size_gib in STORAGE_GIB.items():
            gauge(sandbox, "AWS/EFS", "StorageBytes", 0, (size_gib * GIB,) * 3, StorageClass=storage_class)
        for minute, clients in {0: 3, 3: 5}.items():
            record(sandbox, "AWS/EFS", "ClientConnections", minute, sample=(1, 1, clients, clients))
        # Each is published twice, as a run may be collected twice.
        for minute, share in {0: 1.0, 3: 0.5}.items():
            for workload, rate in RATES.items():
                kind = CATALOGUE[workload.removesuffix(LOCAL_SUFFIX)].rate_kind
                reached(sandbox, str(kind), minute, workload, rate * share)
            for workload, rate in FLEET_RATES.items():
                reached(sandbox, "FleetThroughput", minute, workload, rate * share)
            for name, of_runs in RUNS.items():
                value = of_runs[minute // 3]
                record(sandbox, NAMESPACE, name, minute, sample=(value, value, 2 * value, 2))
        record(sandbox, NAMESPACE, SKIPPED, 4, sample=(1, 1, 1, 1))
        yield sandbox


def gauge(
    sandbox: Sandbox, namespace: str, name: str, minute: int, values: tuple[float, ...], **dimensions: str
) -> None:
    least, average, most = values
    record(sandbox, namespace, name, minute, sample=(least, most, average * 60, 60), **dimensions)


def reached(sandbox: Sandbox, name: str, minute: int, workload: str, rate: float) -> None:
    """A rate in files/s, or in MiB/s where data is moved."""
    files = CATALOGUE[workload.removesuffix(LOCAL_SUFFIX)].rate_kind is RateKind.OPERATIONS
    value = rate if files else rate * MIB
    record(sandbox, NAMESPACE, name, minute, sample=(value, value, 2 * value, 2), Workload=workload)


def record(
    sandbox: Sandbox,
    namespace: str,
    name: str,
    minute: int,
    *,
    sample: tuple[float, float, float, float],
    **dimensions: str,
) -> None:
    """The sample is minimum, maximum, sum and number of readings."""
    metric = MetricId.of(namespace, name, FileSystemId=FILE_SYSTEM_ID, **dimensions)
    sandbox.metrics.record_sample(metric, START + minute * MINUTE, Sample(*sample, unit="None", visible_at=0.0))


@pytest.mark.parametrize(("title", "label"), LINES, ids=[f"{title}: {label}" for title, label in LINES])
def test_a_line_shows_what_was_worked_out_by_hand(six_minutes: Sandbox, title: str, label: str) -> None:
    drawn = lines(six_minutes, widget(title)["properties"], START, START + 6 * MINUTE)
    expected = [None if word == "-" else float(word) for word in WORKED_OUT[title][label].split()]
    assert shown(drawn[label]) == [None if value is None else pytest.approx(value) for value in expected]


@pytest.mark.parametrize(("profile", "title"), OF_WORKLOADS)
def test_a_line_shows_the_rate_of_the_workload_that_it_names(six_minutes: Sandbox, profile: str, title: str) -> None:
    rates = FLEET_RATES if "several instances" in title else RATES
    drawn = lines(six_minutes, widget(title, profile)["properties"], START, START + 6 * MINUTE)
    for label, line in drawn.items():
        rate = rates[workload_of(label)]
        assert shown(line) == [pytest.approx(rate), None, None, pytest.approx(rate / 2), None, None], label


@pytest.mark.parametrize("profile", PROFILES)
def test_the_newest_rate_is_shown_in_percent_of_the_published_one_until_the_next(
    six_minutes: Sandbox, profile: str
) -> None:
    drawn = lines(six_minutes, widget(BESIDE, profile)["properties"], START, START + 6 * MINUTE)
    for label, line in drawn.items():
        workload = CATALOGUE[workload_of(label)]
        published = comparison(workload)
        assert published is not None
        unit = 1 if workload.rate_kind is RateKind.OPERATIONS else MIB
        # The divisor is a whole number, of 63 files a second at the least.
        share = pytest.approx(100 * RATES[workload.id] * unit / published.rate, rel=0.01)
        half = pytest.approx(50 * RATES[workload.id] * unit / published.rate, rel=0.01)
        assert shown(line) == [share] * 3 + [half] * 3, label


def workload_of(label: str) -> str:
    """`dd-write-1m-end (published 191 MiB/s)`, `dd-read-4 on the local disk`, `copy-cp: % of 15 MiB/s (c5.2xlarge)`."""
    name = label.partition(" (")[0].partition(":")[0]
    return name.replace(" on the local disk", LOCAL_SUFFIX)


def shown(line: Line) -> list[float | None]:
    return [line.get(START + minute * MINUTE) for minute in range(6)]


def test_every_line_of_the_dashboard_was_worked_out() -> None:
    others = [graph for graph in graphs() if graph["title"] not in {*(title for _, title in OF_WORKLOADS), BESIDE}]
    computed = {(graph["title"], line.label) for graph in others for line in expressions(graph)}
    plain = {(graph["title"], line.label) for graph in others for line in metrics(graph) if line.visible}
    assert computed | plain == set(LINES)


def test_longer_periods_show_the_same_rates(six_minutes: Sandbox) -> None:
    """The console draws a day in periods of five minutes, and whole weeks in longer ones."""

    def over_five_minutes(title: str) -> dict[str, float]:
        drawn = lines(six_minutes, widget(title)["properties"], START, START + 5 * MINUTE, period_seconds=300)
        return {label: line[START] for label, line in drawn.items() if line}

    # 9000 MiB and 9600 metered ones in 300 s; permitted 100 MiB/s; 216,000 operations; 8 connections counted in 5 min.
    assert over_five_minutes("Throughput by type")["Total"] == pytest.approx(30)
    assert over_five_minutes("IOPS by type")["Total"] == pytest.approx(720)
    assert over_five_minutes("Throughput utilization, and what is left")["Used"] == pytest.approx(32)
    assert over_five_minutes("Client connections")["Connections"] == pytest.approx(1.6)
    assert over_five_minutes("Minutes left")["At the permitted rate"] == pytest.approx(201.728)


def test_the_reference_reaches_over_the_hour_to_its_next_datapoint(tmp_path: Path) -> None:
    with Sandbox(tmp_path) as sandbox:
        sandbox.clock.move_to(START + 90 * MINUTE)
        for minute, mebibytes in {0: 100, 60: 200}.items():
            gauge(sandbox, NAMESPACE, REFERENCE_THROUGHPUT, minute, (mebibytes * MIB,) * 3)
        graph = widget("Credit balance, and where the alarms stood")["properties"]
        warning = lines(sandbox, graph, START, START + 90 * MINUTE)["Warning, 180 minutes"]
    # Each stretch of history has the threshold that was live then.
    assert [warning[START + minute * MINUTE] for minute in (0, 59, 60, 89)] == [
        1054.6875,
        1054.6875,
        2109.375,
        2109.375,
    ]


def test_the_net_rate_says_nothing_while_the_balance_rises_or_stands_still(tmp_path: Path) -> None:
    with Sandbox(tmp_path) as sandbox:
        sandbox.clock.move_to(START + 4 * MINUTE)
        for minute, balance_gib in enumerate((10, 11, 11, 12)):
            gauge(sandbox, "AWS/EFS", "BurstCreditBalance", minute, (balance_gib * GIB,) * 3)
        drawn = lines(sandbox, widget("Minutes left")["properties"], START, START + 4 * MINUTE)
    assert drawn["At the net rate, while the balance falls"] == {}


def test_more_minutes_than_the_scale_has_are_drawn_at_its_end(tmp_path: Path) -> None:
    with Sandbox(tmp_path) as sandbox:
        sandbox.clock.move_to(START + 3 * MINUTE)
        gauge(sandbox, NAMESPACE, REFERENCE_THROUGHPUT, 0, (100 * MIB,) * 3)
        for minute, balance_gib in enumerate((2000, 1999, 1989)):
            gauge(sandbox, "AWS/EFS", "BurstCreditBalance", minute, (balance_gib * GIB,) * 3)
        drawn = lines(sandbox, widget("Minutes left")["properties"], START, START + 3 * MINUTE)
    # 1999 GiB last 341 minutes at 100 MiB/s; 1999 minutes at one GiB a minute, and 198.9 at ten.
    assert list(drawn["At the permitted rate"].values()) == [240, 240, 240]
    assert list(drawn["At the net rate, while the balance falls"].values()) == [240, pytest.approx(198.9)]


def test_each_minute_of_an_incident_has_one_phase(tmp_path: Path) -> None:
    """Thresholds at 1054.6875, 351.5625 and 5.859375 GiB; a second takes 0.09765625. The fifth minute never comes."""
    balances = {0: 1100, 1: 1000, 2: 1000, 3: 300, 5: 0.0976, 6: 0.0977, 7: 20, 8: 400, 9: 1060}
    phases = {
        "No credits": "0 0 0 0 - 1 0 0 0 0",
        "Nearly gone": "0 0 0 0 - 0 1 0 0 0",
        "Below Critical": "0 0 0 1 - 0 0 0 0 0",
        "Below Warning": "0 1 1 0 - 0 0 0 0 0",
        "Coming back": "0 0 0 0 - 0 0 1 1 0",
    }
    with Sandbox(tmp_path) as sandbox:
        sandbox.clock.move_to(START + 10 * MINUTE)
        gauge(sandbox, NAMESPACE, REFERENCE_THROUGHPUT, 0, (100 * MIB,) * 3)
        for minute, balance_gib in balances.items():
            gauge(sandbox, "AWS/EFS", "BurstCreditBalance", minute, (balance_gib * GIB,) * 3)
        drawn = lines(sandbox, widget("Phases of incidents")["properties"], START, START + 10 * MINUTE)
        day = lines(sandbox, widget("The last 24 hours")["properties"], START, START + 10 * MINUTE)
    found = {
        label: " ".join(
            "-" if (value := line.get(START + minute * MINUTE)) is None else f"{value:g}" for minute in range(10)
        )
        for label, line in drawn.items()
    }
    assert found == phases
    # A minute of which nothing has come counts as none without credits; nor does one that credits would last for.
    assert [60 * list(day[one].values())[-1] for one in ("Without credits, hours", "Below Critical, hours")] == [
        pytest.approx(1),
        pytest.approx(4),
    ]


def test_small_operations_cost_in_elastic_throughput_what_they_count_as(tmp_path: Path) -> None:
    with Sandbox(tmp_path) as sandbox:
        sandbox.clock.move_to(START + MINUTE)
        # 32,768 reads, as many writes and 262,144 metadata operations count as a GiB each, whatever they moved.
        for name, operations in {
            "DataReadIOBytes": 32_768,
            "DataWriteIOBytes": 32_768,
            "MetadataIOBytes": 262_144,
        }.items():
            record(sandbox, "AWS/EFS", name, 0, sample=(1, 1, operations, operations))
        day = lines(sandbox, widget("The last 24 hours")["properties"], START, START + MINUTE)
    assert list(day["This load in elastic throughput, USD"].values()) == [pytest.approx(0.03 + 0.06 + 0.03)]
