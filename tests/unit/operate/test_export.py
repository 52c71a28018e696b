"""An export is data of somebody's: read as far as it makes sense, refused in a sentence, and never run or repeated."""

import csv
import gzip
import json
import os
import random
import threading
import tracemalloc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from operate.history import export
from operate.history.export import read_export, shown
from operate.history.file_system_history import history_of
from operate.history.recorded import BALANCE, METERED, PERMITTED, SERIES, HistoryRefused, Recorded, RecordedPoint

NOW = datetime(2031, 1, 1, tzinfo=UTC)
TIME = datetime(2030, 1, 7, tzinfo=UTC).timestamp()
NOBODY = 65_534


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "export"


def read(file: Path, text: str | bytes) -> Recorded:
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_export(file)


def minutes(number: int) -> str:
    return "".join(f"2030-01-07T{minute // 60:02}:{minute % 60:02}Z,2000000000000\n" for minute in range(number))


def test_a_csv_has_a_column_for_each_metric(file: Path) -> None:
    found = read(
        file,
        "# FileSystemId: fs-0123456789abcdef0\n# Region: eu-west-1\n"
        "time,BurstCreditBalance,PermittedThroughput (Bytes/Second)\n"
        "2030-01-07T00:00Z,2e12,104857600\n2030-01-07T01:01:00+01:00,1999999999999.5,\n",
    )
    assert (found.file_system_id, found.region, found.remarks) == ("fs-0123456789abcdef0", "eu-west-1", [])
    assert found.points[BALANCE] == [RecordedPoint(TIME, 2e12, 60), RecordedPoint(TIME + 60, 1999999999999.5, 60)]
    assert found.points[PERMITTED] == [RecordedPoint(TIME, 104857600.0, 60)]


def test_the_file_is_named_where_something_is_wrong_with_all_of_it(file: Path) -> None:
    answer = {"MetricDataResults": [{"Label": "BurstCreditBalance", "Timestamps": [TIME], "Values": [2e12]}]}
    for text in ("time,BurstCreditBalance\n" + minutes(90), json.dumps(answer)):
        with pytest.raises(HistoryRefused) as refused:
            history_of(read(file, text), None, datetime(2026, 1, 1, tzinfo=UTC))
        assert str(refused.value).startswith(f"All times of {file} are in the future (the first 2030-01-07 00:00 UTC;")


@pytest.mark.parametrize("region", ["us-gov-east-1", "cn-northwest-1", "eusc-de-east-1"])
def test_a_region_of_another_partition_is_one_too(file: Path, region: str) -> None:
    assert read(file, f"# Region: {region}\ntime,BurstCreditBalance\n" + minutes(1)).region == region


def test_the_json_of_the_aws_cli_is_read(file: Path) -> None:
    answer = {
        "FileSystems": [
            {
                "FileSystemId": "fs-0123456789abcdef0",
                "ThroughputMode": "bursting",
                "SizeInBytes": {"Value": 5, "ValueInStandard": 4},
                "PerformanceMode": "generalPurpose",
            }
        ],
        "MetricDataResults": [
            {
                "Label": "BurstCreditBalance",
                "Timestamps": ["2030-01-07T00:01:00+00:00", TIME],
                "Values": [1e12, 2e12],
            },
            {"Label": "MeteredIOBytes", "Timestamps": [], "Values": []},
        ],
    }
    found = read(file, json.dumps(answer))
    assert found.points[BALANCE] == [RecordedPoint(TIME + 60, 1e12, 60), RecordedPoint(TIME, 2e12, 60)]
    assert found.points[METERED] == []
    assert found.described is not None
    assert (found.described.standard_bytes, found.remarks) == (4, [])


def told_as(label: str, status: str | None, *values: float) -> dict[str, object]:
    """A result of GetMetricData as the AWS CLI writes it."""
    times = [TIME + 60 * minute for minute in range(len(values))]
    result: dict[str, object] = {"Label": label, "Timestamps": times, "Values": values}
    return result if status is None else result | {"StatusCode": status}


@pytest.mark.parametrize("status", ["PartialData", "InternalError", "Forbidden"])
def test_a_counter_that_cloudwatch_did_not_tell_whole_is_left_out_and_no_idle_time(file: Path, status: str) -> None:
    results = [told_as("BurstCreditBalance", "Complete", 1e12, 1e12), told_as("MeteredIOBytes", status, 5.0)]
    found = read(file, json.dumps({"MetricDataResults": results}))
    assert set(found.points) == {BALANCE}
    (remark,) = found.remarks
    assert remark.startswith(f"MeteredIOBytes is left out: CloudWatch did not tell all of it ({status}), and what is")


def test_a_gauge_that_cloudwatch_did_not_tell_whole_has_a_gap_and_that_is_said(file: Path) -> None:
    results = [told_as("BurstCreditBalance", "PartialData", 1e12, 1e12)]
    found = read(file, json.dumps({"MetricDataResults": results}))
    assert len(found.points[BALANCE]) == 2
    assert found.remarks == ["CloudWatch did not tell all of BurstCreditBalance (PartialData)"]


def test_pages_of_which_the_last_is_complete_are_whole(file: Path) -> None:
    results = [told_as("MeteredIOBytes", status, 5.0) for status in ("PartialData", "Complete")]
    found = read(file, json.dumps({"MetricDataResults": [*results, told_as("BurstCreditBalance", None, 1e12)]}))
    assert (len(found.points[METERED]), found.remarks) == (2, [])


def test_what_no_cloudwatch_writes_as_a_status_is_not_repeated(file: Path) -> None:
    results = [told_as("MeteredIOBytes", "\x1b[31m" * 30, 5.0)]
    (remark,) = read(file, json.dumps({"MetricDataResults": results})).remarks
    assert "\x1b" not in remark


def test_an_export_with_a_next_page_is_said_to_break_off(file: Path) -> None:
    whole = {"MetricDataResults": [told_as("BurstCreditBalance", "Complete", 1e12)], "NextToken": "abc"}
    assert read(file, json.dumps(whole)).remarks == [
        "The export breaks off: CloudWatch had more to tell (NextToken); export it without --max-items"
    ]


DESCRIBED: dict[str, object] = {
    "FileSystemId": "fs-0123456789abcdef0",
    "ThroughputMode": "provisioned",
    "ProvisionedThroughputInMibps": 150.0,
    "SizeInBytes": {"Value": 5},
}


def described(file: Path, *file_systems: object) -> Recorded:
    return read(file, json.dumps({"FileSystems": file_systems, "MetricDataResults": []}))


def test_what_lies_in_colder_classes_is_told_apart_and_never_a_debt(file: Path) -> None:
    sizes = {"Value": 9, "ValueInStandard": 4, "ValueInIA": 3, "ValueInArchive": 2}
    found = described(file, DESCRIBED | {"SizeInBytes": sizes}).described
    assert found is not None
    assert (found.standard_bytes, found.colder_bytes) == (4, 5)
    for wrong in (-4, "3 GiB", None):
        assert described(file, DESCRIBED | {"SizeInBytes": sizes | {"ValueInIA": wrong}}).described is None


def test_a_file_system_that_is_described_has_its_id_as_it_is(file: Path) -> None:
    found = described(file, DESCRIBED).described
    assert found is not None
    assert found.file_system_id == "fs-0123456789abcdef0"
    nobody = described(file, DESCRIBED | {"FileSystemId": "fs-<script>"}).described
    assert nobody is not None
    assert nobody.file_system_id == ""


@pytest.mark.parametrize(
    "wrong",
    [
        {"Name": None},
        {"Name": 5},
        {"SizeInBytes": {"Value": -5}},
        {"SizeInBytes": {"Value": 10**400}},
        {"SizeInBytes": {"Value": float("inf")}},
        {"ProvisionedThroughputInMibps": 1e308},
        {"ProvisionedThroughputInMibps": -1},
    ],
)
def test_a_description_that_none_can_be_is_left_out_and_said(file: Path, wrong: dict[str, object]) -> None:
    found = described(file, DESCRIBED | wrong)
    assert found.described is None
    assert found.remarks == ["What the export says of the file system itself cannot be read, and is left out"]


def test_of_several_file_systems_that_are_described_the_first_counts_and_that_is_said(file: Path) -> None:
    found = described(file, DESCRIBED, DESCRIBED | {"FileSystemId": "fs-00000000"})
    assert found.file_system_id == "fs-0123456789abcdef0"
    assert found.remarks == ["The export describes 2 file systems: its metrics are taken for those of the first"]


@pytest.mark.parametrize(
    "cell",
    ["=1+1", "@SUM(A1)", '"=HYPERLINK(""http://x"",""y"")"', "-", "12 GiB", "0x10", "nan", "1_000", "\uff11\uff12"],
)
def test_a_cell_that_is_no_number_is_left_out_and_counted(file: Path, cell: str) -> None:
    found = read(file, f"time,BurstCreditBalance\n2030-01-07T00:00Z,{cell}\n" + minutes(10))
    assert len(found.points[BALANCE]) == 10
    assert found.remarks == [f"1 cell left out that holds no number, the first {shown(next(csv.reader([cell]))[0])}"]


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("1,616,282,092,831", 1616282092831.0),
        ("1,616,282.5", 1616282.5),
        ("1.616.282.092.831", 1616282092831.0),
        ("1.616.282,5", 1616282.5),
        ("1 616 282", 1616282.0),
        ("1\u202f616", 1616.0),
        ("1\u00a0616,5", 1616.5),
        ("16'162'820", 16162820.0),
        ("-1,616,282", -1616282.0),
    ],
)
def test_digits_in_groups_of_three_are_a_number(file: Path, cell: str, number: float) -> None:
    found = read(file, f'time,BurstCreditBalance\n2030-01-07T00:00Z,"{cell}"\n')
    assert found.points[BALANCE] == [RecordedPoint(TIME, number, 60)]
    assert found.remarks == []


@pytest.mark.parametrize(
    ("others", "cell", "number"),
    [
        ("1,616,282", "340,123", 340123.0),
        ("1.616.282", "340.123", 340123.0),
        ("1,616,282", "340.123", 340.123),
        ("1616282", "340.123", 340.123),
        ("1616282", "340,123", None),
        ("1,616,282", "0.123", 0.123),
    ],
)
def test_one_group_is_told_from_a_decimal_point_by_the_other_cells(
    file: Path, others: str, cell: str, number: float | None
) -> None:
    rows = [cell, *[others] * 10]
    lines = [f'2030-01-07T00:{minute:02}Z,"{one}"' for minute, one in enumerate(rows)]
    found = read(file, "\n".join(["time,BurstCreditBalance", *lines]))
    read_as = {point.seconds: point.value for point in found.points[BALANCE]}
    assert read_as.get(TIME) == number
    assert len(found.remarks) == (number is None)


@pytest.mark.parametrize("cell", ["16,16,28,20,92,831", "1,616.282,092", "1,6162", "1,61", ",616", "1,616,28x"])
def test_digits_in_other_groups_are_no_number(file: Path, cell: str) -> None:
    found = read(file, f'time,BurstCreditBalance\n2030-01-07T00:00Z,"{cell}"\n' + minutes(10))
    assert found.remarks == [f"1 cell left out that holds no number, the first {shown(cell)}"]


@pytest.mark.parametrize(("good", "is_refused"), [(91, False), (90, True), (0, True)])
def test_a_column_of_which_a_tenth_is_no_number_is_refused_with_the_first_of_them(
    file: Path, good: int, is_refused: bool
) -> None:
    """What is left of it would be taken for all that was."""
    cells = [*["1"] * good, "n/a", *["12 GiB"] * 9]
    lines = [f"2030-01-07T{minute // 60:02}:{minute % 60:02}Z,{one}" for minute, one in enumerate(cells)]
    text = "\n".join(["# Region: eu-west-1", "time,BurstCreditBalance (Bytes)", *lines])
    if not is_refused:
        assert read(file, text).remarks == ["10 cells left out that hold no number, the first 'n/a'"]
        return
    with pytest.raises(HistoryRefused) as refused:
        read(file, text)
    assert str(refused.value) == (
        f"Of {good + 10} cells in the column 'BurstCreditBalance (Bytes)' of {file}, 10 hold no number, the first "
        f"'n/a' in line {good + 3}: write numbers such as 1616282092831 or 1.6e12, and leave a cell empty where "
        "nothing was recorded"
    )


def test_a_line_without_a_time_is_left_out_and_counted(file: Path) -> None:
    found = read(file, "time,BurstCreditBalance\nyesterday,7\n,7\n\n2030-01-07T00:01Z,7\n")
    assert len(found.points[BALANCE]) == 1
    (remark,) = found.remarks
    assert remark == (
        "2 lines left out that do not begin with a time such as 2030-01-31T12:00Z, or with seconds since 1970, the "
        "first with 'yesterday'"
    )


def test_times_that_name_no_zone_are_taken_for_utc_and_that_is_said(file: Path) -> None:
    found = read(file, "time,BurstCreditBalance\n2030-01-07,7\n2030-01-07 00:01,7\n2030-01-07T00:02Z,7\n")
    assert [point.seconds for point in found.points[BALANCE]] == [TIME, TIME + 60, TIME + 120]
    assert found.remarks == ["2 times name no zone: taken for UTC"]


@pytest.mark.parametrize(
    "time", ["2030/01/07 00:00:00", "2030-01-07T00:00:00Z", f"{TIME:.0f}", f" {TIME:.1f} ", f"{TIME * 1000:.0f}"]
)
def test_a_time_is_taken_as_a_console_a_spreadsheet_or_a_script_writes_it(file: Path, time: str) -> None:
    assert read(file, f"time,BurstCreditBalance\n{time},7\n").points[BALANCE] == [RecordedPoint(TIME, 7.0, 60)]


@pytest.mark.parametrize("time", ["01/07/2030 00:00", "07.01.2030 00:00", f"{TIME * 1e6:.0f}", "45000", "2030/13/07"])
def test_a_time_that_may_be_another_is_taken_for_none(file: Path, time: str) -> None:
    assert read(file, f"time,BurstCreditBalance\n{time},7\n").points[BALANCE] == []


def test_a_line_with_more_cells_than_columns_is_left_out_and_counted(file: Path) -> None:
    # A decimal comma without quotes: 1,5 would be a balance of 1.
    found = read(file, "time,BurstCreditBalance\n2030-01-07T00:00Z,1,5\n2030-01-07T00:01Z,7,\n")
    assert found.points[BALANCE] == [RecordedPoint(TIME + 60, 7.0, 60)]
    assert found.remarks == ["1 line left out that has more cells than there are columns"]


def test_a_line_with_fewer_cells_than_columns_is_read_and_counted(file: Path) -> None:
    found = read(file, "time,BurstCreditBalance,MeteredIOBytes\n2030-01-07T00:00Z,5\n2030-01-07T00:01Z,7,1\n")
    assert found.points[BALANCE] == [RecordedPoint(TIME, 5.0, 60), RecordedPoint(TIME + 60, 7.0, 60)]
    assert found.remarks == ["1 line has fewer cells than there are columns: what is missing counts as not recorded"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("time,BurstCreditBalance\n10/31/2030 12:00,7\n", "no BurstCreditBalance.* the first with '10/31/2030 12:00'"),
        ("time,BurstCreditBalance (GiB)\n2030-01-07T00:00Z,7\n", "is left out: give it in CloudWatch's own unit"),
        ("time;BurstCreditBalance\n2030-01-07T00:00Z;7\n", "but is 'time;BurstCreditBalance'"),
        ("BurstCreditBalance,PermittedThroughput,time\n7,7,2030-01-07T00:00Z\n", "the first with '7'"),
    ],
)
def test_what_cannot_be_used_is_refused_with_what_stands_in_the_way(file: Path, text: str, says: str) -> None:
    with pytest.raises(HistoryRefused, match=says):
        history_of(read(file, text), None, NOW)


def test_a_column_in_another_unit_or_of_another_metric_is_left_out_and_said(file: Path) -> None:
    titles = "BurstCreditBalance,PermittedThroughput (MiB/s),ClientConnections,BurstCreditBalance Maximum"
    found = read(file, f"time,{titles}\n2030-01-07T00:00Z,1,2,3,4\n")
    assert set(found.points) == {BALANCE}
    assert found.remarks == [
        "The column 'PermittedThroughput (MiB/s)' is left out: give it in CloudWatch's own unit, bytes",
        "The column 'ClientConnections' is left out: no metric that is needed here",
        "The column 'BurstCreditBalance Maximum' is left out: of BurstCreditBalance only Minimum or Average is needed",
    ]


def test_a_column_is_known_by_its_letters_and_what_is_nearly_one_by_its_name(file: Path) -> None:
    titles = " burstcreditbalance ,PERMITTEDTHROUGHPUT minimum,MeterdIOBytes,Burst Credit Balance"
    found = read(file, f"Time,{titles}\n2030-01-07T00:00Z,1,2,3,4\n")
    assert set(found.points) == {BALANCE, PERMITTED}
    assert found.remarks == [
        f"The column '{title}' is left out: no metric that is needed here; if {metric} is meant, write it so"
        for title, metric in (("MeterdIOBytes", "MeteredIOBytes"), ("Burst Credit Balance", "BurstCreditBalance"))
    ]


def test_each_column_is_named_where_none_is_a_metric(file: Path) -> None:
    with pytest.raises(HistoryRefused, match=r"'Balance' is left out.*'PermitedThroughput' .* if PermittedThroughput"):
        read(file, "time,Balance,PermitedThroughput\n2030-01-07T00:00Z,1,2\n")


def test_milliseconds_are_times_in_json_too(file: Path) -> None:
    answer = {"MetricDataResults": [{"Label": "BurstCreditBalance", "Timestamps": [TIME * 1000], "Values": [7]}]}
    assert read(file, json.dumps(answer)).points[BALANCE] == [RecordedPoint(TIME, 7.0, 60)]


def test_an_export_without_a_balance_is_named_with_what_to_add(file: Path) -> None:
    with pytest.raises(HistoryRefused) as refused:
        history_of(read(file, "time,PermittedThroughput\n2030-01-07T00:00Z,1\n"), None, NOW)
    assert str(refused.value).startswith(f"There is no BurstCreditBalance of the file system in {file}: without it ")
    assert "so export it, too" in str(refused.value)


def test_what_an_export_calls_things_reaches_no_terminal_as_it_is(file: Path) -> None:
    found = read(file, "time,BurstCreditBalance,\x1b[2J\x07evil\u202e" + "x" * 99 + "\n2030-01-07T00:00Z,1,2\n")
    (remark,) = found.remarks
    assert remark == f"The column '?[2J?evil?{'x' * 30}…' is left out: no metric that is needed here"


def test_any_number_of_lines_may_stand_before_the_columns(file: Path) -> None:
    found = read(file, "#\n\n" * 100_000 + "# Region: eu-west-1\ntime,BurstCreditBalance\n2030-01-07T00:00Z,1\n")
    assert (found.region, found.points[BALANCE]) == ("eu-west-1", [RecordedPoint(TIME, 1.0, 60)])


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_any_system_ends_them(file: Path, end: str) -> None:
    found = read(file, end.join(["# Region: eu-west-1", "time,BurstCreditBalance", "2030-01-07T00:00Z,1", ""]))
    assert (found.region, found.points[BALANCE], found.remarks) == ("eu-west-1", [RecordedPoint(TIME, 1.0, 60)], [])


@pytest.mark.parametrize(
    ("head", "answer", "said"),
    [
        (
            "# Region: europe",
            {"Region": "europe"},
            "The Region 'europe' is left out: give its code, such as eu-west-1",
        ),
        (
            "# FileSystemId: fs-<script>",
            {"FileSystems": [{"FileSystemId": "fs-<script>"}]},
            "The FileSystemId 'fs-<script>' is left out: give it as EFS does, such as fs-0123456789abcdef0",
        ),
        ("# REGOIN: eu-west-1", {"REGOIN": "eu-west-1"}, "'REGOIN' is left out: if Region is meant, write it so"),
    ],
)
def test_a_fact_that_is_of_no_use_is_said(file: Path, head: str, answer: dict[str, object], said: str) -> None:
    results = [{"Label": "BurstCreditBalance", "Timestamps": [TIME], "Values": [2e12]}]
    for text in (
        f"{head}\ntime,BurstCreditBalance\n{minutes(1)}",
        json.dumps({**answer, "MetricDataResults": results, "NextToken": "", "Messages": []}),
    ):
        found = read(file, text)
        assert (found.file_system_id, found.region) == ("", "")
        assert said in found.remarks
        assert [one for one in found.remarks if "cannot be read" not in one] == [said]


@pytest.mark.parametrize("head", ["# Remark: of a Monday", "# drawn by hand", "# Region:", "# Reason: none"])
def test_any_other_line_above_is_a_comment(file: Path, head: str) -> None:
    assert read(file, f"{head}\ntime,BurstCreditBalance\n{minutes(1)}").remarks == []


def test_times_of_before_1970_are_times_too_and_told_as_what_they_are(file: Path) -> None:
    early = "1969-12-31T22:00Z,2000000000000\n"
    answer = {"Timestamps": [-7200, *(TIME + 60 * minute for minute in range(90))], "Values": [2e12] * 91}
    for text in (
        f"time,BurstCreditBalance\n{early}{minutes(90)}",
        json.dumps({"MetricDataResults": [{"Label": "BurstCreditBalance", **answer}]}),
    ):
        found = history_of(read(file, text), None, datetime(2030, 3, 1, tzinfo=UTC))
        assert "1 datapoint left out: of before 1970 (the first 1969-12-31 22:00 UTC)" in found.remarks
        assert not any("does not begin with a time" in one or "no time" in one for one in found.remarks)


def test_steps_are_told_by_the_gauges_and_a_counter_that_is_idle_has_theirs(file: Path) -> None:
    times = [f"2030-01-07T{hour:02}:{minute:02}Z" for hour in range(3) for minute in range(0, 60, 5)]
    lines = [f"{time},5,{'9' if time.endswith('05Z') else ''}" for time in times]
    found = read(file, "\n".join(["time,BurstCreditBalance,MeteredIOBytes", *lines]))
    assert {point.period_seconds for key in (BALANCE, METERED) for point in found.points[key]} == {300}


def steps_of(file: Path, balances: Iterable[int], metered: Iterable[int]) -> tuple[set[int], set[int]]:
    """The periods that are taken for those of a gauge and a counter with datapoints at these minutes."""
    there, moved = set(balances), set(metered)
    lines = [
        f"{datetime.fromtimestamp(TIME + minute * 60, UTC):%Y-%m-%dT%H:%MZ},{'5' if minute in there else ''},"
        f"{'9' if minute in moved else ''}"
        for minute in sorted(there | moved)
    ]
    found = read(file, "\n".join(["time,BurstCreditBalance,MeteredIOBytes", *lines]))
    return {point.period_seconds for point in found.points[BALANCE]}, {
        point.period_seconds for point in found.points[METERED]
    }


def test_a_counter_in_finer_steps_than_the_balance_keeps_its_own(file: Path) -> None:
    assert steps_of(file, range(0, 600, 5), range(600)) == ({300}, {60})
    assert steps_of(file, range(0, 600, 5), [7, 300, 301]) == ({300}, {60})


def test_steps_of_any_whole_number_of_minutes_are_told(file: Path) -> None:
    assert steps_of(file, range(0, 600, 2), range(0, 600, 2)) == ({120}, {120})
    assert steps_of(file, range(0, 7200, 1440), range(0, 7200, 1440)) == ({86_400}, {86_400})


def test_lost_minutes_are_no_coarser_steps(file: Path) -> None:
    draw = random.Random(1)  # noqa: S311 - no secret
    assert steps_of(file, sorted(draw.sample(range(600), 200)), []) == ({60}, set())


def test_steps_may_change_in_the_middle_of_a_day(file: Path) -> None:
    fine, coarse = list(range(605, 1200)), list(range(0, 605, 5))
    found = read(
        file,
        "\n".join(
            [
                "time,BurstCreditBalance,MeteredIOBytes",
                *(f"{datetime.fromtimestamp(TIME + minute * 60, UTC).isoformat()},5,9" for minute in coarse + fine),
            ]
        ),
    )
    for key in (BALANCE, METERED):
        assert [point.period_seconds for point in found.points[key]] == [300] * len(coarse) + [60] * len(fine)


def test_a_packed_export_is_read_like_another(file: Path) -> None:
    text = "time,BurstCreditBalance\n" + minutes(90)
    assert read(file, gzip.compress(text.encode())) == read(file, text)


def test_an_export_may_come_through_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"time,BurstCreditBalance\n" + minutes(2).encode(),))
    writer.start()
    assert len(read_export(pipe).points[BALANCE]) == 2
    writer.join()


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed"])
def test_a_file_beyond_any_export_is_refused_before_it_is_read_whole(
    file: Path, packed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "MOST_BYTES", 1024)
    text = b"0" * 1025
    with pytest.raises(HistoryRefused, match="export is larger than 0 MiB"):
        read(file, gzip.compress(text) if packed else text)


@pytest.mark.whole
def test_reading_takes_less_than_twice_the_memory_of_the_datapoints(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A copy of the text or of the datapoints would be more: a large export has to fit in a small machine."""
    # So much is set aside for any file, and no page of it touched.
    monkeypatch.setattr(export, "MOST_BYTES", 2**20)
    rows = range(1440)
    titles = ",".join(" ".join(key) for key in SERIES)
    cells = ",".join(["104857600.0"] * len(SERIES))
    times = [datetime.fromtimestamp(TIME + 60 * row, UTC).isoformat() for row in rows]
    file.write_text(f"time,{titles}\n" + "".join(f"{time},{cells}\n" for time in times))
    read_export(file)
    tracemalloc.start()
    recorded = read_export(file)
    kept, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sum(map(len, recorded.points.values())) == len(rows) * len(SERIES)
    assert most < 2 * kept


@pytest.mark.whole
def test_a_gigabyte_of_nothing_in_a_small_file_is_refused(file: Path) -> None:
    with file.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=1) as packed:
        for _ in range(33):
            packed.write(bytes(1024**2))
    with pytest.raises(HistoryRefused, match="larger than 32 MiB"):
        read_export(file)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"time,BurstCreditBalance\n", "has nothing below its first line"),
        (b"\n  \n", "is empty"),
        (b"time;BurstCreditBalance\n", "separates its columns by ;"),
        (b"time\n", "has no columns"),
        (b"a,b\n1,2\n", "has no column that is a metric of EFS"),
        (b"time,BurstCreditBalance,BurstCreditBalance\n", r"more than one column of BurstCreditBalance \(Minimum\)"),
        (b"time,MeteredIOBytes,MeteredIOBytes Sum\n", r"more than one column of MeteredIOBytes \(Sum\)"),
        (b"\xff\xfe\x00", "is no text in UTF-8"),
        (b"\x1f\x8b\x08\x00broken", "cannot be read: it is damaged"),
        (gzip.compress(b"time,BurstCreditBalance\n", mtime=0)[:-9], "cannot be read: it is damaged"),
        (b'time,"BurstCreditBalance\n', "is no CSV"),
        (b"{", "is no JSON"),
        (b"[" * 100_000, "is no JSON"),
        (b"{}", "has no MetricDataResults"),
        (b"[1]", "has no MetricDataResults"),
    ],
    ids=range(16),
)
def test_what_is_no_export_is_refused_in_a_sentence(file: Path, content: bytes, says: str) -> None:
    with pytest.raises(HistoryRefused, match=says) as refused:
        read(file, content)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "why"), [("none.csv", "No such file or directory"), (".", "Is a directory"), ("n" * 300, "File name too")]
)
def test_a_path_that_leads_to_no_file_is_named_whole_with_what_to_give_instead(
    tmp_path: Path, name: str, why: str
) -> None:
    with pytest.raises(HistoryRefused) as refused:
        read_export(tmp_path / name)
    assert str(refused.value).startswith(f"{tmp_path / name} cannot be read ({why}")
    assert str(refused.value).endswith("): give the path of a CSV or JSON file that you may read")


@contextmanager
def as_somebody_who_may_read_little() -> Iterator[None]:
    """The superuser may read every file."""
    own = os.geteuid()
    if own == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(own)


def test_a_file_that_may_not_be_read_is_named_with_what_to_give_instead(file: Path) -> None:
    file.write_text(f"time,BurstCreditBalance\n{minutes(90)}")
    file.chmod(0)
    with as_somebody_who_may_read_little(), pytest.raises(HistoryRefused) as refused:
        read_export(file)
    assert str(refused.value) == (
        f"{file} cannot be read (Permission denied): give the path of a CSV or JSON file that you may read"
    )


BEFORE = f"# Region: eu-west-1\ntime,BurstCreditBalance\n{minutes(3)}"


@pytest.mark.parametrize(
    "after",
    [minutes(60), minutes(6000), "", '2030-01-07T00:05Z,"7"\n'],
    ids=["to the end", "beyond the longest cell", "in the last line", "until another is opened"],
)
def test_a_quotation_mark_that_is_not_closed_is_looked_for_in_the_line_that_opens_it(file: Path, after: str) -> None:
    with pytest.raises(HistoryRefused) as refused:
        read(file, f'{BEFORE}2030-01-07T00:03Z,"7\n{after}')
    assert str(refused.value).startswith(f"{file} is no CSV from line 6 on (")
    assert str(refused.value).endswith("): look there for a quotation mark that is not closed")


def test_text_in_another_encoding_is_refused_with_the_one_to_save_it_in(file: Path) -> None:
    for encoding in ("latin-1", "utf-16"):
        with pytest.raises(HistoryRefused, match=r"is no text in UTF-8: save or export it as CSV or JSON in UTF-8$"):
            read(file, "time,BurstCreditBalance,Größe\n".encode(encoding))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.integers(-(10**400), 10**400) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(
    results=st.lists(
        json_values
        | st.fixed_dictionaries(
            {"Label": st.sampled_from(["BurstCreditBalance", "MeteredIOBytes"]) | json_values},
            optional={"Timestamps": json_values, "Values": json_values},
        ),
        max_size=4,
    ),
    described=json_values,
    modes=json_values,
)
def test_json_of_any_shape_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, results: list[object], described: object, modes: object
) -> None:
    file = tmp_path_factory.mktemp("json") / "export"
    whole = {"MetricDataResults": results, "FileSystems": [described], "ThroughputModes": modes}
    recorded = read(file, json.dumps(whole))
    try:
        history_of(recorded, None, NOW)
    except HistoryRefused as refused:
        assert str(refused)  # noqa: PT017 - either is right, a crash is not


@pytest.mark.parametrize("value", [10**400, -(10**400)])
def test_an_integer_beyond_any_number_is_an_absurd_datapoint(file: Path, value: int) -> None:
    times = [TIME + 60 * minute for minute in range(90)]
    results = [{"Label": "BurstCreditBalance", "Timestamps": times, "Values": [value, *[2e12] * 89]}]
    found = history_of(read(file, json.dumps({"MetricDataResults": results})), None, NOW)
    assert "1 datapoint of BurstCreditBalance (Minimum) left out: no amount that a metric can have" in found.remarks


@pytest.mark.parametrize(
    "entry",
    [
        {"From": TIME, "ThroughputMode": ["elastic"]},
        {"From": TIME, "ThroughputMode": {}},
        {"From": TIME, "ThroughputMode": "provisioned"},
        {"From": TIME, "ThroughputMode": "provisioned", "ProvisionedThroughputInMibps": float("nan")},
        {"From": TIME, "ThroughputMode": "provisioned", "ProvisionedThroughputInMibps": 10**400},
    ],
)
def test_a_mode_that_is_none_is_left_out_and_said(file: Path, entry: dict[str, object]) -> None:
    found = read(file, json.dumps({"MetricDataResults": [], "ThroughputModes": [entry]}))
    assert found.modes == ()
    assert found.remarks == [
        "1 entry of ThroughputModes left out: it lacks a time (From), a mode, or the rate of a provisioned one"
    ]
