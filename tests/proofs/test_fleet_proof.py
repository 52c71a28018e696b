"""A share of the cases of `make prove PROOF=fleet`, from a fixed seed, and the section that the whole run wrote."""

import re
from random import Random

import pytest

from proofs.faults.faults_report import REPORT
from proofs.fleet.fleet_section import ENDS, HEADING, section, starting_point_row, with_fleet_section
from proofs.fleet.fleet_starting_points import STARTING_POINTS
from proofs.fleet.fleet_trials import FleetCase, FleetOutcome, proven
from proofs.incidents.incidents_section import HEADING as AFTER_IT

SEED = 3
SHARE_OF_A_STARTING_POINT = 4
OUTCOME = FleetOutcome(case="x", start="new file systems", row="CreateStack", column="500", end="later", broken=())


def own(page: str) -> str:
    """The section of the page."""
    return page.partition(f"{HEADING}\n")[2].partition(AFTER_IT)[0]


@pytest.mark.days
@pytest.mark.parametrize("index", range(len(STARTING_POINTS)), ids=[str(one) for one in STARTING_POINTS])
def test_whatever_fails_the_next_runs_make_it_good(index: int) -> None:
    there_are = []

    def share(found: list[FleetCase]) -> list[FleetCase]:
        there_are.append(len(found))
        return Random(f"{SEED} {STARTING_POINTS[index]}").sample(found, SHARE_OF_A_STARTING_POINT)  # noqa: S311 - no secret

    broken = [f"{one.case}: {sentence}" for one in proven(index, share) for sentence in one.broken]
    assert broken == []
    # The page is that of the code of today.
    assert starting_point_row(STARTING_POINTS[index].name, there_are[0]) in own(REPORT.read_text())


def test_the_page_says_that_as_many_cases_of_the_fleet_held_as_it_lists() -> None:
    page = own(REPORT.read_text())
    ((there_were, held),) = re.findall(r"^([\d,]+) cases of the fleet, ([\d,]+) of which", page, re.MULTILINE)
    numbers = [re.findall(rf"^\| {re.escape(one.name)} \| (\d+) \|$", page, re.MULTILINE) for one in STARTING_POINTS]
    assert there_were == held == f"{sum(int(number) for (number,) in numbers):,}"


def test_the_section_replaces_the_one_before_and_stands_in_front_of_the_last() -> None:
    page = with_fleet_section(f"# Reliability\n\nMuch.\n\n{AFTER_IT}\n\nMore.\n", section([OUTCOME]))
    assert page.startswith(f"# Reliability\n\nMuch.\n\n{HEADING}\n")
    assert page.endswith(f"\n\n{AFTER_IT}\n\nMore.\n")
    assert with_fleet_section(page, section([OUTCOME])) == page
    assert "| CreateStack | – | 1 later |" in page
    assert all(f"| {end} |" in page for end in ENDS)
