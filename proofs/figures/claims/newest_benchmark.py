"""What the figures of `mail/newest_benchmark.py` must be."""

import re
from collections.abc import Iterator
from datetime import timedelta
from statistics import median

from proofs.figures.claims.claim import CLOCK, Comparison, claim
from proofs.figures.known import Known
from proofs.figures.measured import measured_hours
from proofs.figures.readings import clock, is_rounded
from simulation.burst_credits import MIB


@claim(
    rf"- Newest benchmark \(in the hour from (?P<time>{CLOCK})\), far slower than usual: "
    r"(?P<rates>(?:[\w-]+ [\d,]+ (?:files/s|MiB/s) \(usually [\d,]+\)(?:, )?)+)\."
)
def _benchmark(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    for one in re.finditer(r"(\S+) ([\d,]+) (files/s|MiB/s) \(usually ([\d,]+)\)", told["rates"]):
        unit = MIB if one[3] == "MiB/s" else 1
        (hour, measured), *earlier = measured_hours(known, one[1])
        usual = median(rate for time, rate in earlier if time < hour - timedelta(hours=1)) / unit
        yield f"{one[1]} {one[2]}", measured / unit, is_rounded(one[2], measured / unit)
        yield f"{one[1]}, usually {one[4]}", usual, is_rounded(one[4], usual)
        yield told["time"], hour, clock(told["time"], known.time) >= hour
