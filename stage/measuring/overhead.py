"""What the script adds to the commands it runs: the same command by hand on the same mount, turn by turn."""

import os
import re
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

from efs_monitor.benchmarks.catalogue import CATALOGUE
from efs_monitor.benchmarks.profiles import workloads_of
from efs_monitor.benchmarks.workloads import Do, Workload, scaled

from stage.measuring.promise import PromisedValue
from stage.measuring.script import measured, started
from stage.mount.mounted import ModelledMount
from stage.mount.profile import EfsProfile
from stage.mount.tutorial import TUTORIAL

PAIRS = 7
DD = scaled(CATALOGUE["dd-write-1m-end"], 128)
TOUCH = replace(CATALOGUE["touch-serial"], files=128)
LONGER_PERCENT = 3
HARNESS_SECONDS = 1
SMALLEST_MIB = 16


def paired_overheads(folder: Path) -> list[PromisedValue]:
    """How much longer dd and touch take in the script than by hand, in percent of the median of several pairs."""
    rows = []
    with ModelledMount(folder / "efs", TUTORIAL) as mount:
        for workload, by_hand in ((DD, _dd_by_hand), (TOUCH, _touch_by_hand)):
            percent = 100 * _longer(mount.path, workload, by_hand, folder)
            rows.append(
                PromisedValue(
                    name=f"{workload.id} in the script, longer than by hand, median of {PAIRS} pairs",
                    value=round(percent, 2),
                    unit="%",
                    limit=LONGER_PERCENT,
                )
            )
    return rows


def harness_seconds(folder: Path) -> PromisedValue:
    """What a run of the eight `quick` workloads takes beside them, from its start to its last word.

    A read's files are written before the clock starts, so its bytes on this mount, which takes no time for anything,
    are few.
    """
    workloads = workloads_of("quick", size_mib=SMALLEST_MIB)
    with ModelledMount(folder / "efs", EfsProfile()) as mount:
        begun = time.perf_counter()
        report = started(mount.path, workloads, folder).report()
        whole_seconds = time.perf_counter() - begun
    inside_seconds = sum(result.ended - result.started for result in report.results)
    return PromisedValue(
        name="a run beside its eight workloads",
        value=round(whole_seconds - inside_seconds, 2),
        unit="s",
        limit=HARNESS_SECONDS,
    )


def _longer(path: Path, workload: Workload, by_hand: Callable[[Path, Workload], float], folder: Path) -> float:
    ratios = []
    for number in range(PAIRS):
        # Each is first in every other pair: what grows slower by and by then touches both alike.
        if number % 2:
            hand = by_hand(path, workload)
            [result] = measured(path, [workload], folder)
        else:
            [result] = measured(path, [workload], folder)
            hand = by_hand(path, workload)
        ratios.append(result.seconds / hand)
    return median(ratios) - 1


def _dd_by_hand(path: Path, workload: Workload) -> float:
    """Seconds, by dd's own clock as in the script."""
    assert workload.do is Do.WRITE and workload.block_bytes  # noqa: PT018, S101 - chosen above
    count = workload.file_bytes // workload.block_bytes
    command = ["dd", "if=/dev/zero", f"of={path}/by-hand", f"bs={workload.block_bytes}", f"count={count}", "conv=fsync"]
    told = subprocess.run(
        command, capture_output=True, text=True, check=True, env={"LC_ALL": "C", "PATH": os.defpath}
    ).stderr
    (path / "by-hand").unlink()
    found = re.search(r"copied, ([0-9.e-]+) s", told)
    assert found is not None, told  # noqa: S101 - LC_ALL=C
    return float(found[1])


def _touch_by_hand(path: Path, workload: Workload) -> float:
    """Seconds, by the shell's clock as in the script."""
    folder = path / "by-hand"
    folder.mkdir()
    command = f"seq -f {folder}/%.0f {workload.files} | xargs -P 1 -n 1 touch"
    told = subprocess.run(
        ["bash", "-c", f"echo $EPOCHREALTIME; {command}; echo $EPOCHREALTIME"],
        capture_output=True,
        text=True,
        check=True,
        env={"LC_ALL": "C", "PATH": os.defpath},
    ).stdout
    subprocess.run(["rm", "-r", str(folder)], check=True)
    begun, ended = told.split()
    return float(ended) - float(begun)
