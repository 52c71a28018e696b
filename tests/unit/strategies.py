"""Values that a file system and an operator can really have, for the property tests."""

from datetime import UTC, datetime, timedelta

from efs_monitor.alarms.thresholds import Settings
from efs_monitor.efs.credits import GIB, MIB, TIB
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import Minute, Observations
from hypothesis import strategies as st

NOW = datetime(2030, 1, 7, 12, 0, tzinfo=UTC)


def bursting(standard_bytes: int = 100 * GIB) -> FileSystem:
    return FileSystem(
        file_system_id="fs-0123456789abcdef0",
        name="home",
        mode=ThroughputMode.BURSTING,
        standard_bytes=standard_bytes,
    )


def elastic(standard_bytes: int = 100 * GIB) -> FileSystem:
    return FileSystem(
        file_system_id="fs-0123456789abcdef0",
        name="home",
        mode=ThroughputMode.ELASTIC,
        standard_bytes=standard_bytes,
    )


def provisioned(mib_per_second: float, standard_bytes: int = 100 * GIB) -> FileSystem:
    return FileSystem(
        file_system_id="fs-0123456789abcdef0",
        name="home",
        mode=ThroughputMode.PROVISIONED,
        standard_bytes=standard_bytes,
        provisioned_bytes_per_second=round(mib_per_second * MIB),
    )


def seen(*minutes: tuple[float, float], highest: float | None = None) -> Observations:
    """Observed (balance in bytes, permitted in bytes/s), oldest first, the last one five minutes ago."""
    first = NOW - timedelta(minutes=4 + len(minutes))
    return Observations(
        minutes=tuple(
            Minute(time=first + timedelta(minutes=index), balance_bytes=balance, permitted_bytes_per_second=permitted)
            for index, (balance, permitted) in enumerate(minutes)
        ),
        highest_permitted_bytes_per_second=highest,
    )


sizes = st.integers(min_value=0, max_value=64 * TIB)
rates = st.floats(min_value=0, max_value=10 * GIB, allow_nan=False)
balances = st.floats(min_value=0, max_value=150 * TIB, allow_nan=False)
observations = st.builds(
    lambda minutes, highest: seen(*minutes, highest=highest),
    st.lists(st.tuples(balances, rates), max_size=6),
    st.none() | rates,
)
file_systems = (
    st.builds(bursting, sizes) | st.builds(elastic, sizes) | st.builds(provisioned, st.floats(1, 3000), sizes)
)


@st.composite
def settings(draw: st.DrawFn) -> Settings:
    warning_minutes = draw(st.integers(40, 360))
    return Settings(
        warning_minutes=warning_minutes,
        critical_minutes=draw(st.integers(20, warning_minutes - 20)),
        rise_tolerance_percent=draw(st.integers(1, 100)),
    )


DEFAULTS = Settings(warning_minutes=180, critical_minutes=60, rise_tolerance_percent=10)
