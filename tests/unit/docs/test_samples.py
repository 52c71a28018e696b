"""What the pages show of commands is what they print."""

import re

import pytest
from efs_monitor.benchmarks.cost import run_cost
from efs_monitor.benchmarks.profiles import workloads_of
from efs_monitor.benchmarks.published import comparison
from efs_monitor.benchmarks.workloads import Workload
from efs_monitor.efs.credits import GIB, MIB

from operate.benchmark.results_table import HEADINGS
from stage.invocation.expected import EXPECTED
from tests.unit.docs.pages import PAGES, blocks

QUICK = workloads_of("quick")


def _sample(command: str) -> list[str]:
    shown_anywhere = [block.text for page in PAGES for block in blocks(page, "console")]
    (shown,) = [text for text in shown_anywhere if text.startswith(f"$ {command}")]
    return shown.splitlines()


def _benchmark() -> list[list[str]]:
    """The rows, each of which takes two lines."""
    lines = [line for line in _sample("make benchmark") if " | " in line]
    rows = [" | ".join(two) for two in zip(lines[::2], lines[1::2], strict=True)]
    return [[cell.strip() for cell in row.split("|")] for row in rows]


def test_local_invoke_gives_every_function_every_event() -> None:
    # In containers each once more, alone.
    trials = sum(len(events) + 1 for events in EXPECTED.values())

    assert any(line.startswith(f"{trials} of {trials} as expected") for line in _sample("make local-invoke HOLD=1"))


def test_a_benchmark_shows_the_default_profile_in_its_columns() -> None:
    headings, *rows = _benchmark()

    assert headings == list(HEADINGS)
    assert [row[0] for row in rows] == [workload.id for workload in QUICK]
    assert [row[2] for row in rows] == [str(workload.threads) for workload in QUICK]


def test_a_benchmark_shows_what_it_costs() -> None:
    cost_gib = run_cost(QUICK, 1).metered_bytes / GIB

    announced = f": {len(QUICK)} workloads on i-0123456789abcdef0, for at most {cost_gib:.2f} GiB"

    assert announced in " ".join(_sample("make benchmark")[1:3])


@pytest.mark.parametrize("workload", QUICK, ids=lambda workload: workload.id)
def test_a_benchmark_shows_each_rate_beside_the_published_one(workload: Workload) -> None:
    (row,) = [row for row in _benchmark() if row[0] == workload.id]
    found = comparison(workload)
    seconds, rate, published = (float(re.sub("[^0-9.]", "", cell)) for cell in row[5:8])
    unit = 1 if row[6].endswith("files/s") else MIB

    assert found is not None
    assert published == pytest.approx(found.rate / unit, abs=0.5)
    assert rate == pytest.approx(workload.amount / seconds / unit, rel=0.02)
    # Files are shown in whole numbers, of which one is up to 2 % here.
    assert float(row[8]) == pytest.approx(rate / published, abs=0.02)
