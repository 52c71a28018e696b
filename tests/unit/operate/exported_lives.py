"""Lives of file systems in the simulation, as an export has them: each mode, changes of it, growth, gaps, any load."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from efs_monitor.efs.credits import GIB, MIB
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from hypothesis import strategies as st

from operate.history.doubted_modes import MOST_MIB_PER_SECOND
from operate.history.recorded import COUNTERS, SERIES, STANDARD_SIZE, Recorded, RecordedPoint
from simulation import file_system as simulated
from simulation.burst_credits import bucket_bytes, burst_bytes_per_second, earned_bytes_per_second
from tests.unit.operate.histories import FILE_SYSTEM, seconds

SIZES_GIB = (10, 100, 700, 1024, 3072, 12_000)
CAPS_BYTES_PER_SECOND = (1 * GIB, 3 * GIB)
HOUR_MINUTES, SIZE_EVERY_MINUTES = 60, 15
# Of what is permitted with credits; a part of it, as one that keeps an idle file system or a calm one.
LOADS = (1.0, 0.97, 0.5, 0.2, 0.02, 0.0)


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """So many minutes of one mode and load: `load` is a part of what bursting permits, `growth` of the size.

    What is provisioned is so many times what bursting permits: a rate that bursting does not show, for nothing else
    tells the two apart. Of a stretch that `is_lost` nothing is known.
    """

    minutes: int
    load: float
    mode: ThroughputMode = ThroughputMode.BURSTING
    provisioned_times: float = 1.5
    growth: float = 1.0
    is_lost: bool = False


@dataclass(frozen=True, kw_only=True)
class Life:
    """A file system of a size, with a part of its bucket in the beginning, and what it lives through."""

    size_gib: int
    cap_bytes_per_second: int
    opening: float
    stretches: Sequence[Stretch]

    def recorded(self, *, described: bool = False, **changes: object) -> Recorded:
        """What an export has of it; `described` where it says how the file system is set up in the end."""
        size = self.size_gib * GIB
        state = simulated.FileSystem(
            standard_bytes=size,
            metered_standard_bytes=size,
            balance_bytes=self.opening * bucket_bytes(size),
            regional_cap_bytes_per_second=self.cap_bytes_per_second,
        )
        points: dict[tuple[str, str], list[RecordedPoint]] = {key: [] for key in SERIES}
        # A history begins and ends with something that is known.
        for one in (Stretch(minutes=HOUR_MINUTES, load=0.0), *self.stretches, Stretch(minutes=1, load=0.0)):
            state = replace(state, standard_bytes=round(state.standard_bytes * one.growth))
            state = replace(state, mode=_mode(one, state))
            rate = burst_bytes_per_second(state.standard_bytes, self.cap_bytes_per_second)
            asked = one.load * rate * 60
            load = simulated.Load(
                read_bytes=0.9 * asked,
                write_bytes=0.6 * asked,
                metadata_operations=0.1 * asked / simulated.METADATA_OPERATION_BYTES,
            )
            for _ in range(one.minutes):
                state, minute = simulated.step(state, load)
                if not one.is_lost:
                    _record(points, minute)
        found = Recorded(
            file_system_id=FILE_SYSTEM.file_system_id,
            region="us-east-1",
            points={key: found for key, found in points.items() if found},
            described=_described(state) if described else None,
        )
        for name, value in changes.items():
            setattr(found, name, value)
        return found


def in_steps(recorded: Recorded, minutes: int) -> Recorded:
    """The same in longer steps, as CloudWatch has what is older: the lowest of a gauge, and all of a counter."""
    if minutes == 1:
        return recorded
    points = dict(recorded.points)
    for key, found in recorded.points.items():
        if key == STANDARD_SIZE:
            continue
        bins: dict[float, list[float]] = {}
        for point in found:
            bins.setdefault(point.seconds // (60 * minutes) * 60 * minutes, []).append(point.value)
        fold = sum if key in COUNTERS else min
        points[key] = [RecordedPoint(begin, fold(values), 60 * minutes) for begin, values in sorted(bins.items())]
    return replace(recorded, points=points)


def _mode(one: Stretch, state: simulated.FileSystem) -> simulated.ThroughputMode:
    if one.mode is ThroughputMode.ELASTIC:
        return simulated.Elastic()
    if one.mode is ThroughputMode.PROVISIONED:
        # A whole number of MiB/s, as people type it.
        earned = earned_bytes_per_second(state.standard_bytes)
        rate = max(100 * MIB, 2 * earned) * one.provisioned_times
        return simulated.Provisioned(min(round(rate / MIB), MOST_MIB_PER_SECOND) * MIB)
    return simulated.Bursting()


def _described(state: simulated.FileSystem) -> FileSystem:
    rate = round(state.mode.bytes_per_second) if isinstance(state.mode, simulated.Provisioned) else 0
    modes = {simulated.Elastic: ThroughputMode.ELASTIC, simulated.Provisioned: ThroughputMode.PROVISIONED}
    return replace(
        FILE_SYSTEM,
        mode=modes.get(type(state.mode), ThroughputMode.BURSTING),
        standard_bytes=state.standard_bytes,
        provisioned_bytes_per_second=rate,
    )


def _record(points: Mapping[tuple[str, str], list[RecordedPoint]], minute: simulated.SimulatedMinute) -> None:
    datapoints = {one.name: one for one in minute.datapoints if one.storage_class in (None, "Standard")}
    for (metric, statistic), found in points.items():
        one = datapoints.get(metric)
        if one is None:
            continue
        value = {"Minimum": one.minimum, "Average": one.average, "Sum": one.sum, "SampleCount": one.sample_count}
        period = SIZE_EVERY_MINUTES if metric == STANDARD_SIZE[0] else 1
        found.append(RecordedPoint(seconds(minute.minute), float(value[statistic]), 60 * period))


def lives(
    *, growth: Sequence[float] = (1.0, 1.0, 1.01, 1.05, 0.6), sizes_gib: Sequence[int] = SIZES_GIB
) -> st.SearchStrategy[Life]:
    """Any life of some hours or a day or two, and of these sizes; one in five stretches is lost."""
    stretches = st.builds(
        Stretch,
        minutes=st.integers(20, 600),
        load=st.sampled_from(LOADS),
        mode=st.sampled_from([ThroughputMode.BURSTING, *ThroughputMode]),
        provisioned_times=st.sampled_from([0.7, 1.5, 3.0]),
        growth=st.sampled_from(growth),
        is_lost=st.sampled_from([False, False, False, False, True]),
    )
    return st.builds(
        Life,
        size_gib=st.sampled_from(sizes_gib),
        cap_bytes_per_second=st.sampled_from(CAPS_BYTES_PER_SECOND),
        opening=st.sampled_from([0.02, 0.1, 0.3, 0.6, 1.0]),
        stretches=st.lists(stretches, min_size=2, max_size=6),
    )
