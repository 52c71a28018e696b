"""What an instance says is taken as far as it is whole, and no further."""

import json
from typing import Any

import pytest
from efs_monitor.benchmarks.profiles import PROFILES, workload, workloads_of
from efs_monitor.benchmarks.results import CUT_OUTPUT_BYTES, NO_LINE, Machine, Status, parse
from efs_monitor.benchmarks.workloads import Do, Workload
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.benchmarks.plans import QUICK, plans
from tests.unit.benchmarks.script_output import BEGIN, MACHINE, bad, lines, ok, whole

TOUCH, WRITE = QUICK[0], QUICK[3]


def only(line: str, planned: Workload = WRITE) -> tuple[Status, str]:
    (result,) = parse(line, [planned]).results
    return result.status, result.reason


def test_a_whole_output_has_a_result_for_each_workload_in_order() -> None:
    report = parse(whole(QUICK), QUICK)
    assert [result.workload for result in report.results] == list(QUICK)
    assert {result.status for result in report.results} == {Status.OK}
    assert report.unreadable_lines == 0


def test_a_rate_is_bytes_or_files_over_seconds() -> None:
    report = parse(lines(ok(TOUCH, seconds=16.0), ok(WRITE, seconds=0.5)), [TOUCH, WRITE])
    assert [result.rate for result in report.results] == [64.0, 2 * 128 * 1024**2]


def test_the_machine_is_known() -> None:
    assert parse(lines(MACHINE), QUICK).machine == Machine(
        run_id="run-20261117t030000z-1a2b3c4d",
        instance_id="i-0123456789abcdef0",
        instance_type="m5.large",
        kernel="6.1.0",
        mount_options="fs-1:/ rw,vers=4.1",
        read_ahead_kb=15000,
        agent="3.3.2746.0",
        user="86464",
        tools=(("bash", "5.2"), ("dd", "9.1")),
    )


def test_a_machine_without_half_of_its_words_is_known_by_the_other_half() -> None:
    spoilt = {**MACHINE, "tools": ["dd"], "read_ahead_kb": "many", "kernel": None, "agent": True}
    machine = parse(lines(spoilt), QUICK).machine
    assert machine
    assert (machine.tools, machine.read_ahead_kb, machine.kernel, machine.agent) == ((), None, "", "")
    assert machine.instance_type == "m5.large"


def test_what_was_left_behind_is_known_and_is_no_workload() -> None:
    left = {"type": "left", "reason": "/mnt/efs/.efs-monitor-benchmark: data.x: the file system is mounted read-only"}
    report = parse(whole(QUICK) + lines(left, {**left, "reason": "again"}), QUICK)
    assert report.left == left["reason"]
    assert {result.status for result in report.results} == {Status.OK}
    assert report.unreadable_lines == 1


def test_a_run_that_says_nothing_of_it_left_nothing() -> None:
    assert parse(whole(QUICK), QUICK).left == ""


@pytest.mark.parametrize("reason", [None, "", 7, ["x"]])
def test_what_was_left_behind_without_a_reason_is_left_behind_all_the_same(reason: object) -> None:
    assert parse(lines({"type": "left", "reason": reason}), QUICK).left


def test_a_refused_run_failed_everywhere_for_that_reason() -> None:
    report = parse(lines({**MACHINE, "refused": "/mnt/efs is mounted read-only"}), QUICK)
    assert {(each.status, each.reason) for each in report.results} == {(Status.FAILED, "/mnt/efs is mounted read-only")}


@given(plans, st.data())
def test_an_output_cut_anywhere_keeps_what_is_whole_and_fails_the_rest(
    plan: tuple[Workload, ...], data: st.DataObject
) -> None:
    output = whole(plan, seconds=1e5)
    cut = output[: data.draw(st.integers(0, len(output)))]
    # The last line is whole without its line end, too.
    arrived = max(0, sum(line.endswith("}") for line in cut.split("\n")) - 1)
    report = parse(cut, plan)
    assert [each.status for each in report.results] == [Status.OK] * arrived + [Status.FAILED] * (len(plan) - arrived)
    assert {each.reason for each in report.results[arrived:]} <= {NO_LINE}
    assert all(not each.reported for each in report.results[arrived:])


@given(st.text())
def test_any_text_at_all_gives_one_result_for_each_workload_and_no_rate(text: str) -> None:
    report = parse(text, QUICK)
    assert [each.workload for each in report.results] == list(QUICK)
    assert {each.rate for each in report.results} == {0.0}


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.just("ok"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(list(ok(WRITE))), anything))
def test_a_line_with_anything_in_it_is_a_plausible_measurement_or_none(changed: dict[str, Any]) -> None:
    (result,) = parse(json.dumps({**ok(WRITE), **changed}), [WRITE]).results
    assert (result.status is Status.OK) == (result.rate > 0)
    assert result.rate <= 100e9
    assert result.reason.isprintable()
    assert len(result.reason) < 1000


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"seconds": 0}, "seconds=0"),
        ({"seconds": -1.5}, "seconds=-1.5"),
        ({"seconds": "1.5"}, "seconds=1.5"),
        ({"seconds": True}, "seconds=none"),
        ({"seconds": None}, "seconds=none"),
        ({"seconds": [1]}, "seconds=none"),
        ({"seconds": 1e-6}, "seconds=1e-06"),
        ({"seconds": 1e9}, "seconds=1000000000.0"),
        ({"seconds": 172_801}, "seconds=172801"),
        ({"seconds": 10**400}, "seconds=1000"),
        ({"bytes": 1}, "bytes=1 instead of 134217728"),
        ({"bytes": 134217728.0}, "bytes=134217728.0 instead"),
        ({"bytes": -134217728}, "bytes=-134217728 instead"),
        ({"bytes": None}, "bytes=nothing instead"),
        ({"files": 0}, "files=0 instead of 1"),
        ({"files": True}, "files=nothing instead"),
        ({"started": 0}, "from 0 to"),
        ({"ended": 1}, "to 1,"),
        ({"ended": 1e12}, "to 1000000000000.0"),
        ({"started": None}, "from never to"),
        ({"ended": None}, "to never,"),
        ({"status": "fine"}, "its status is 'fine'"),
        ({"status": None}, "its status is ''"),
        ({"status": ["ok"]}, "its status is ''"),
    ],
)
def test_what_can_not_be_measured_is_failed_and_says_why(changed: dict[str, Any], reason: str) -> None:
    status, said = only(lines({**ok(WRITE), **changed}))
    assert status is Status.FAILED
    assert reason in said


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"bytes": 1}, "it did bytes=1 instead of 134217728"),
        ({"seconds": 0}, "it took seconds=0, which can not be"),
        ({"started": 5, "ended": 4}, "it ran from 5 to 4, which can not be"),
    ],
)
def test_why_it_can_not_be_is_one_whole_sentence(changed: dict[str, Any], sentence: str) -> None:
    assert only(lines({**ok(WRITE), **changed})) == (Status.FAILED, sentence)


@pytest.mark.parametrize(
    "changed",
    [
        {"seconds": 172_800},
        {"seconds": 134_217_728 / 100e9},
        {"ended": BEGIN},
        {"ended": BEGIN + 172_800},
    ],
)
def test_what_can_just_be_is_a_measurement(changed: dict[str, Any]) -> None:
    assert only(lines({**ok(WRITE), **changed})) == (Status.OK, "")


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "1" * 5000])
def test_a_number_that_is_none_is_no_measurement(number: str) -> None:
    line = lines(ok(WRITE)).replace('"seconds":2.0', f'"seconds":{number}')
    assert number in line
    assert only(line)[0] is Status.FAILED


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "null",
        "dd: command not found",
        '"workload"',
        "[" * 100_000,
        lines(ok(workload("dd-write-large"))),
        lines({**ok(WRITE), "id": WRITE.id.upper()}),
        lines({**ok(WRITE), "id": None}),
        lines({**ok(WRITE), "type": "result"}),
        lines({**MACHINE, "version": 2}),
    ],
)
def test_a_line_about_nothing_in_the_plan_is_counted_and_changes_nothing(line: str) -> None:
    report = parse(line + "\n" + lines(ok(TOUCH)), [TOUCH, WRITE])
    assert report.unreadable_lines == 1
    assert [each.status for each in report.results] == [Status.OK, Status.FAILED]


def test_of_two_lines_about_the_same_the_first_counts() -> None:
    report = parse(lines(MACHINE, ok(WRITE, seconds=2), ok(WRITE, seconds=1), {**MACHINE, "kernel": "other"}), [WRITE])
    assert report.results[0].seconds == 2
    assert report.machine
    assert report.machine.kernel == "6.1.0"
    assert report.unreadable_lines == 2


def test_a_failed_line_is_not_repaired_by_a_good_one_after_it() -> None:
    assert only(lines(bad(WRITE, "failed", "deadline"), ok(WRITE))) == (Status.FAILED, "deadline")


def test_a_missing_tool_is_skipped_with_its_reason() -> None:
    copy = workload("copy-rsync")
    assert only(lines(bad(copy, "skipped", "rsync is not installed")), copy) == (
        Status.SKIPPED,
        "rsync is not installed",
    )


def test_a_failure_without_a_word_says_so() -> None:
    assert only(lines({**bad(WRITE, "failed", ""), "reason": {}})) == (Status.FAILED, "no reason given")


def test_a_reason_is_one_printable_line_of_bounded_length() -> None:
    _, reason = only(lines(bad(WRITE, "failed", "a\x1b[31m\n\tb\u202e " + "c" * 10_000)))
    assert reason.startswith("a [31m b c")
    assert len(reason) <= 800


@pytest.mark.parametrize("profile", PROFILES)
def test_the_largest_output_of_every_profile_is_not_cut_off(profile: str) -> None:
    plan = workloads_of(profile, local_baselines=True)
    # What the script says at most: of the machine, and why a workload failed.
    machine = {
        **MACHINE,
        "mount_options": "o" * 600,
        "kernel": "k" * 100,
        "tools": {f"tool{n}": "9.99.99" for n in range(9)},
    }
    failed = lines(machine, *(bad(each, "failed", "\\" * 120) for each in plan))
    done = lines(machine, *(ok(each, seconds=123456.123456, started=9_999_999_999.123456) for each in plan))
    assert max(len(failed), len(done)) < CUT_OUTPUT_BYTES


def test_a_moment_that_is_no_number_is_none() -> None:
    line = lines({**ok(WRITE), "started": "X", "ended": "X"}).replace('"X"', "1e999")
    assert only(line)[0] is Status.FAILED


def test_only_a_line_end_ends_a_line() -> None:
    line = lines(bad(WRITE, "failed", "one X two")).replace("X", "\u2028")
    assert "\u2028" in line
    assert only(line) == (Status.FAILED, "one two")


def test_every_kind_of_workload_is_read_back() -> None:
    plan = [workload(each) for each in ("touch-serial", "dd-write-1m-end", "dd-read-2", "copy-cp")]
    assert {each.do for each in plan} == set(Do)
    assert {each.status for each in parse(whole(plan), plan).results} == {Status.OK}
