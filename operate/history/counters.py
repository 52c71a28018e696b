"""Where counters of what was moved cannot be: against each other, or against the rate that was permitted.

Written bytes, a third of what was read, and metadata are what EFS meters, each operation as a smallest size at least.
So MeteredIOBytes is never much less than the bytes, and never much more than they can come to with so many operations.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from efs_monitor.efs.credits import MIB
from efs_monitor.efs.metering import DATA_OPERATION_BYTES, OPERATION_BYTES, READS_METERED_AT

from operate.history.recorded import METERED, PERMITTED
from operate.replay.replayed_metrics import Values

READ, WRITTEN, METADATA = ("DataReadIOBytes", "Sum"), ("DataWriteIOBytes", "Sum"), ("MetadataIOBytes", "Sum")
COUNTS = tuple((metric, "SampleCount") for metric, _ in (READ, WRITTEN, METADATA))
# Counters of one step need not be of the very same seconds, and a rate is kept to only about.
MUCH_MORE, NEAR_MINUTES, SLACK_BYTES = 1.5, 2, MIB
# Of a minute at zero PermittedThroughput is the rate without credits, while what a pause has just earned lets twice as
# much through.
MORE_THAN_PERMITTED = 3
# Mails and prices go by steps of five minutes.
STEP_MINUTES = 5
# More than so much of all that is moved is no fault here and there, but another unit.
HERE_AND_THERE = 0.05
# A load of which so little is data would be of single bytes.
NEXT_TO_NOTHING = 0.01


@dataclass(frozen=True, kw_only=True)
class Faults:
    """The beginnings of the steps, of `step_minutes`, in which counters cannot be; of so many with anything moved.

    `data_bytes` are those that were written, a third of those that were read, and metadata; `metered_bytes` are what
    MeteredIOBytes tells of the same time, and `most_bytes` what it could with so many operations.
    """

    steps: tuple[int, ...]
    busy: int
    step_minutes: int
    data_bytes: float
    metered_bytes: float
    most_bytes: float
    counts_known: bool

    @property
    def everywhere(self) -> bool:
        """Whether it is the metric that is wrong, and not some of its datapoints."""
        return len(self.steps) > max(1.0, HERE_AND_THERE * self.busy)

    @property
    def leaves_most_unexplained(self) -> bool:
        """Whether the bytes are next to nothing of what was metered, and no number of small operations is known."""
        return not self.counts_known and 0 < self.data_bytes < NEXT_TO_NOTHING * self.metered_bytes

    @property
    def are_of_different_units(self) -> bool:
        """Whether the bytes in all are more than was metered, or less than they must be with so many operations."""
        too_much = self.counts_known and self.metered_bytes > MUCH_MORE * self.most_bytes
        return bool(self.steps) and (self.data_bytes > self.metered_bytes or too_much)

    @property
    def minutes(self) -> list[int]:
        """Each minute of the steps."""
        return [minute for step in self.steps for minute in range(step, step + self.step_minutes)]


def faults_of(
    values: Mapping[tuple[str, str], Values], period_minutes: int, known: Iterable[tuple[str, str]]
) -> Faults:
    """The steps in which what was moved cannot be; `known` are the series that anybody recorded."""
    series, minutes = set(known), len(values[PERMITTED])
    highest = max((one for one in values[PERMITTED] if one is not None), default=0.0)
    length = max(STEP_MINUTES, period_minutes)
    bytes_known = READ in series or WRITTEN in series
    counts_known = {READ, WRITTEN, METADATA, *COUNTS} <= series
    found, busy = [], 0
    data_bytes = metered_bytes = most_bytes = 0.0
    for begin in range(0, minutes, length):
        span = slice(begin, begin + length)
        metered, read, written = (sum(filter(None, values[key][span])) for key in (METERED, READ, WRITTEN))
        least = written + read / READS_METERED_AT
        slack = SLACK_BYTES * length
        if max(metered, least) <= slack:
            continue
        busy += 1
        metadata, *counts = (sum(filter(None, values[key][span])) for key in (METADATA, *COUNTS))
        most = least + metadata + DATA_OPERATION_BYTES * (counts[0] + counts[1]) + OPERATION_BYTES * counts[2]
        data_bytes, metered_bytes, most_bytes = (
            data_bytes + least + metadata,
            metered_bytes + metered,
            most_bytes + most,
        )
        apart = METERED in series and bytes_known and least > MUCH_MORE * metered + slack
        beyond = _is_beyond(values, begin, length, highest)
        if apart or beyond or (METERED in series and counts_known and metered > MUCH_MORE * most + slack):
            found.append(begin)
    return Faults(
        steps=tuple(found),
        busy=busy,
        step_minutes=length,
        data_bytes=data_bytes,
        metered_bytes=metered_bytes,
        most_bytes=most_bytes,
        counts_known=counts_known,
    )


def _is_beyond(values: Mapping[tuple[str, str], Values], begin: int, length: int, highest: float) -> bool:
    """Whether more was moved in a minute of the step than near it any was permitted; in a minute that was lost it may
    have been the `highest` rate.
    """
    permitted = values[PERMITTED]
    near = permitted[max(begin - length - NEAR_MINUTES, 0) : begin + 2 * length + NEAR_MINUTES]
    most = MORE_THAN_PERMITTED * 60 * max((highest if one is None else one for one in near), default=0.0)
    if not most:
        return False
    return any(
        (values[METERED][minute] or 0.0) > most
        or (values[WRITTEN][minute] or 0.0) + (values[READ][minute] or 0.0) / READS_METERED_AT > most
        for minute in range(begin, min(begin + length, len(permitted)))
    )


def without(values: dict[tuple[str, str], Values], minutes: Sequence[int], keys: Iterable[tuple[str, str]]) -> None:
    """Forget these minutes of the series."""
    for key in keys:
        for minute in minutes:
            if minute < len(values[key]):
                values[key][minute] = None
