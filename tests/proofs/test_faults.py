"""A share of the cases of `make prove PROOF=faults`, drawn anew from a fixed seed, and the page the whole run wrote."""

import multiprocessing
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from proofs.faults import case_outcomes
from proofs.faults.case_outcomes import CaseMissing, every_function_has_starting_points, outcomes
from proofs.faults.cases import FAULTS, KILLED, TOGETHER, TWICE, FaultCase, cases
from proofs.faults.faults_report import REPORT, starting_point_row
from proofs.faults.starting_points import STARTING_POINTS
from proofs.faults.trial import Trial, lived
from proofs.faults.world import World, world

SEED = 3
SHARE_OF_A_STARTING_POINT = 3
# What the whole invention is about: at the very least these are lived through in every test run.
ALWAYS = ("raise", "resume while low", "suspend")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world(tmp_path_factory.mktemp("faults")) as one:
        yield one


@pytest.fixture(scope="module")
def undisturbed(made: World) -> dict[str, Trial]:
    """Each starting point with nothing going wrong."""
    return {str(start): lived(made, start) for start in STARTING_POINTS}


def test_every_function_of_the_template_is_proven() -> None:
    every_function_has_starting_points()


def test_a_function_without_a_starting_point_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_outcomes, "STARTING_POINTS", [one for one in STARTING_POINTS if one.function != "explain"])
    with pytest.raises(CaseMissing, match="is about explain: give the function one for every path"):
        every_function_has_starting_points()


@pytest.mark.days
@pytest.mark.parametrize("index", range(len(STARTING_POINTS)), ids=[str(one) for one in STARTING_POINTS])
def test_whatever_fails_what_must_hold_holds(made: World, undisturbed: dict[str, Trial], index: int) -> None:
    random = Random(f"{SEED} {STARTING_POINTS[index]}")  # noqa: S311 - no secret

    def share(found: Sequence[FaultCase]) -> list[FaultCase]:
        chosen = random.sample(found, min(SHARE_OF_A_STARTING_POINT, len(found)))
        if STARTING_POINTS[index].name in ALWAYS and STARTING_POINTS[index].function == "recalculate_thresholds":
            killed = [
                case for case in found if case.column == KILLED and case.row in {"PutMetricAlarm", "SetAlarmState"}
            ]
            return [*chosen, *killed]
        return chosen

    healthy = undisturbed[str(STARTING_POINTS[index])]
    found = outcomes(made, STARTING_POINTS[index], share, healthy)
    broken = [f"{one.case}: {sentence}" for one in found for sentence in one.broken]
    assert broken == []


@pytest.mark.days
def test_the_page_has_every_starting_point_with_its_number_of_cases(undisturbed: dict[str, Trial]) -> None:
    page = REPORT.read_text()
    rows = [
        starting_point_row(one.function, one.name, len(list(cases(one, undisturbed[str(one)]))))
        for one in STARTING_POINTS
    ]
    listed = page.partition("## Starting points")[2].partition("\n## ")[0].strip().splitlines()
    assert listed[2:] == rows


@pytest.mark.days
def test_the_page_has_every_call_of_every_function(undisturbed: dict[str, Trial]) -> None:
    page = REPORT.read_text()
    for function in dict.fromkeys(one.function for one in STARTING_POINTS):
        found = [
            case for one in STARTING_POINTS if one.function == function for case in cases(one, undisturbed[str(one)])
        ]
        section = page.partition(f"### {function}\n")[2].partition("\n#")[0]
        assert f"| call | {' | '.join(FAULTS)} |" in section
        calls = dict.fromkeys(case.row for case in found if case.row not in {TWICE, TOGETHER})
        assert re.findall(r"^\| (\w+) \|", section, re.MULTILINE)[1:] == list(calls)


@pytest.mark.days
def test_the_page_says_that_as_many_cases_held_as_there_are_today(undisturbed: dict[str, Trial]) -> None:
    told = re.findall(r"^([\d,]+) cases, ([\d,]+) of which held all of this\.$", REPORT.read_text(), re.MULTILINE)
    there_are = f"{sum(len(list(cases(one, undisturbed[str(one)]))) for one in STARTING_POINTS):,}"
    assert told == [(there_are, there_are)]


def _gone_for_good(work_dir: str, call: int) -> None:
    """In a process of its own, ended by the operating system just before one of its writes."""
    from proofs.faults.wire import Ask, Asked, Wire, WireResponse

    def gone(ask: Ask, asked: Asked) -> WireResponse:
        os._exit(7)

    start = next(one for one in STARTING_POINTS if str(one) == "recalculate_thresholds: raise")
    with world(Path(work_dir)) as here:
        home = here.new_home()
        start.prepare(home)
        with here.wired(Wire(fault=gone, hits=lambda one: one.action == "PutMetricAlarm" and one.occurrence == call)):
            home.call(start.function, start.event(home, here.desk_url))


@pytest.mark.more
def test_nothing_of_a_killed_function_runs_on(tmp_path: Path) -> None:
    process = multiprocessing.get_context("spawn").Process(target=_gone_for_good, args=(str(tmp_path), 1))
    process.start()
    process.join(30)
    assert process.exitcode == 7
