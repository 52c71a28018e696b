"""What others published, held against their own tables, row by row."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from efs_monitor.benchmarks.catalogue import CATALOGUE, local_baseline
from efs_monitor.benchmarks.profiles import workload
from efs_monitor.benchmarks.published import FIGURES, Published, comparison, figures

# The rows of the published tables that the catalogue repeats, as they stand there.
TABLE = list(csv.DictReader((Path(__file__).parent / "data" / "published.csv").read_text("utf-8").splitlines()))
UNITS = {"MB/s": 1000**2, "MiB/s": 1024**2, "files/s": 1}
BY_SOURCE_AND_STEP = {(row.source, row.step): row for rows in FIGURES.values() for row in rows}


def test_every_row_of_the_tables_is_there_and_none_besides() -> None:
    assert set(BY_SOURCE_AND_STEP) == {(row["source"], row["step"]) for row in TABLE}
    assert len(TABLE) == sum(len(rows) for rows in FIGURES.values())


def test_every_row_says_what_the_table_says() -> None:
    for row in TABLE:
        step = row["source"], row["step"]
        figure = BY_SOURCE_AND_STEP[step]
        assert figure.workload_id == row["workload_id"], step
        where = (row["instance_type"], row["storage"], row["mode"])
        assert (figure.instance_type, figure.storage, figure.mode) == where, step
        assert figure.seconds == (float(row["duration_s"]) if row["duration_s"] else None), step
        if row["published_rate"]:
            assert figure.stated_rate == pytest.approx(float(row["published_rate"]) * UNITS[row["rate_unit"]]), step
        else:
            assert figure.stated_rate is None, step
        if row["total_bytes"] not in ("", "0"):
            assert figure.amount == int(row["total_bytes"]), step


def test_every_row_stands_beside_a_workload_of_its_own_shape() -> None:
    for row in TABLE:
        like, step = workload(row["workload_id"]), (row["source"], row["step"])
        assert str(like.threads) == row["threads"] or row["threads"] == "", step
        if row["block_bytes"]:
            assert str(like.block_bytes) == row["block_bytes"], step
        if row["sync"]:
            assert like.sync == row["sync"].removesuffix("-block"), step


def test_a_table_that_contradicts_itself_counts_by_its_own_bytes_and_seconds() -> None:
    contradicting = [row for row in BY_SOURCE_AND_STEP.values() if row.contradicts_itself]
    assert {(row.source, row.step) for row in contradicting} == {
        ("efs-lab", "2a"),
        ("efs-lab", "2b"),
        ("efs-lab", "2c"),
    }
    assert [round(row.rate / 1e6, 1) for row in contradicting] == [205.9, 56.4, 205.7]
    assert all("disagrees" in row.note for row in contradicting)


def a_figure(*, amount: int | None, seconds: float | None, stated_rate: float | None) -> Published:
    like = FIGURES["touch-serial"][0]
    return replace(like, amount=amount, seconds=seconds, stated_rate=stated_rate)


def test_a_stated_rate_up_to_five_percent_beside_the_measured_one_is_rounding() -> None:
    assert not a_figure(amount=100, seconds=1.0, stated_rate=105.0).contradicts_itself
    assert not a_figure(amount=100, seconds=1.0, stated_rate=95.0).contradicts_itself
    assert a_figure(amount=100, seconds=1.0, stated_rate=105.5).contradicts_itself
    assert not a_figure(amount=100, seconds=1.0, stated_rate=None).contradicts_itself


@pytest.mark.parametrize(("amount", "seconds"), [(100, None), (None, 1.0), (None, None)])
def test_half_of_a_measurement_is_none(amount: int | None, seconds: float | None) -> None:
    assert a_figure(amount=amount, seconds=seconds, stated_rate=7.0).rate == 7
    assert a_figure(amount=amount, seconds=seconds, stated_rate=None).rate == 0


def test_a_rate_without_a_duration_counts_as_stated() -> None:
    stated = comparison(workload("files-write-1mb-4"))
    assert stated
    assert (stated.rate, stated.seconds) == (77_000_000, None)


@pytest.mark.parametrize(
    ("workload_id", "step", "rate"),
    [
        ("touch-serial", "1.3", 63),
        ("touch-parallel", "1.4", 127),
        ("touch-parallel-directories", "1.5", 1136),
        ("dd-write-1m-end", "3.3", 201e6),
        ("dd-write-1m-each", "3.7", 25e6),
        ("dd-write-16m-each", "3.9", 93e6),
        ("dd-write-4-writers", "4.3", 99e6),
        ("dd-write-16-writers", "4.5", 271e6),
        ("dd-write-large", "2.3c", 150e6),
        ("dd-write-1m-each-local", "3.6", 124e6),
    ],
)
def test_the_tutorials_c5_2xlarge_is_what_one_compares_with(workload_id: str, step: str, rate: float) -> None:
    published = comparison(workload(workload_id))
    assert published
    assert (published.source, published.step, published.instance_type) == ("efs-tutorial-1.1.4", step, "c5.2xlarge")
    assert published.rate == pytest.approx(rate, rel=0.01)


def test_readers_compare_with_a_file_system_in_bursting_mode() -> None:
    for readers in (2, 4, 8, 16):
        published = comparison(workload(f"dd-read-{readers}"))
        assert published
        assert published.mode == "bursting"
        assert published.amount == readers * 1024**3


def test_what_nobody_published_compares_with_nothing() -> None:
    assert comparison(workload("files-write-10mb-4")) is None
    assert comparison(workload("touch-serial-local")) is None


def test_all_rows_of_a_workload_are_found() -> None:
    instances = {row.instance_type for row in figures(workload("dd-write-large"))}
    assert {"c5.2xlarge", "c4.2xlarge", "m4.large", "m5.large", "t2.micro", "t3.micro"} <= instances


def test_no_figure_is_of_a_workload_that_there_is_not() -> None:
    local = {each.id for one in CATALOGUE.values() if (each := local_baseline(one))}
    assert set(FIGURES) <= set(CATALOGUE) | local


def test_every_figure_has_a_rate() -> None:
    rows: list[Published] = list(BY_SOURCE_AND_STEP.values())
    assert all(row.rate > 0 for row in rows)
