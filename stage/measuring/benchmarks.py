"""What the benchmarks promise: true figures, the tutorial's table, and next to nothing added to the commands."""

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from operate.terminal import wrapped
from stage.measuring.calibration import (
    BANDWIDTHS_MIB_PER_SECOND,
    LATENCIES_SECONDS,
    Compared,
    dd_cell,
    settled,
    touch_cell,
)
from stage.measuring.overhead import harness_seconds, paired_overheads
from stage.measuring.promise import PromisedValue
from stage.measuring.script import passable_folder
from stage.measuring.tutorial_table import RATIO_LIMIT, lacking, out_of_order, tutorial_table, tutorial_workloads
from stage.mount.mounted import ModelledMount
from stage.mount.profile import MIB


def benchmarks() -> Iterator[PromisedValue]:
    """Every promise about benchmarks; none, and a word on why, where nothing can be mounted."""
    if reason := ModelledMount.why_not():
        print(wrapped(f"skipped: all that is measured on a mount, since {reason}"), flush=True)
        return
    with passable_folder() as folder:
        yield from _calibration(folder)
        yield from _table(folder)
        yield from paired_overheads(folder)
        yield harness_seconds(folder)


def _calibration(folder: Path) -> Iterator[PromisedValue]:
    for latency_seconds in LATENCIES_SECONDS:
        for one in settled(partial(touch_cell, folder, latency_seconds), _is_off):
            yield _row(one, f"{one.reported:.1f} of {one.implied:.1f} files/s")
        for bandwidth in BANDWIDTHS_MIB_PER_SECOND:
            for one in settled(partial(dd_cell, folder, latency_seconds, bandwidth), _is_off):
                yield _row(one, f"{one.reported / MIB:.2f} of {one.implied / MIB:.2f} MiB/s")


def _table(folder: Path) -> Iterator[PromisedValue]:
    workloads, left_out = [], defaultdict(list)
    for workload in tutorial_workloads():
        if reason := lacking(workload):
            left_out[reason].append(workload.id)
        else:
            workloads.append(workload)
    if left_out:
        told = "; ".join(f"{' and '.join(ids)}, since {reason}" for reason, ids in left_out.items())
        print(wrapped(f"skipped on the tutorial's file system: {told}"), flush=True)
    rows = settled(lambda: tutorial_table(folder, workloads), lambda row: row.off > RATIO_LIMIT)
    for row in rows:
        yield PromisedValue(
            name=f"{row.workload.id} on the tutorial's file system, {row.ratio:.2f} of what was published",
            value=round(100 * row.off, 1),
            unit="%",
            limit=100 * RATIO_LIMIT,
        )
    yield PromisedValue(
        name="pairs of the tutorial's table in another order",
        value=len(out_of_order(rows)),
        unit="pairs",
        limit=0,
    )


def _is_off(one: Compared) -> bool:
    return not one.ok


def _row(one: Compared, figures: str) -> PromisedValue:
    return PromisedValue(name=f"{one.name}: {figures}", value=round(100 * one.off, 2), unit="%", limit=100 * one.limit)
